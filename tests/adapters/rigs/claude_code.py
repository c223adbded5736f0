"""Claude Code's payloads, as recorded of 2.1.332 (`integrations.md`, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.adapters.rig import Call, Rig
from tests.adapters.rigs.hook_rig import HookRig


class ClaudeCodeRig(HookRig):
    turn_field = "prompt_id"

    def _common(self, event: str, session: str, turn: str) -> dict[str, Any]:
        return {
            "session_id": session, "transcript_path": "/t.jsonl", "cwd": "/", "hook_event_name": event,
            "permission_mode": "default", self.turn_field: turn,
        }  # fmt: skip

    def prompt(self, session: str, turn: str, text: str, origin: str | None) -> Mapping[str, Any]:
        return {**self._common("UserPromptSubmit", session, turn), "prompt": text}

    def before(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        called = {"tool_name": of.tool, "tool_input": of.args, "tool_use_id": call}
        return {**self._common("PreToolUse", session, turn), **called}

    def after(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        called = {"tool_name": of.tool, "tool_input": of.args, "tool_use_id": call, "duration_ms": 12}
        if of.fails:
            failed = {"error": f"Exit code 1\n{of.fails}", "is_interrupt": False}
            return {**self._common("PostToolUseFailure", session, turn), **called, **failed}
        response = {"stdout": "ok", "stderr": "", "interrupted": False}
        return {**self._common("PostToolUse", session, turn), **called, "tool_response": response}

    def text_in(self, output: Mapping[str, Any]) -> str:
        return str(output.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def verdict_in(self, output: Mapping[str, Any]) -> tuple[str, str]:
        told = output.get("hookSpecificOutput", {})
        return told.get("permissionDecision", "allow"), told.get("permissionDecisionReason", "")


def rig(name: str, folder: Path) -> Rig:
    return ClaudeCodeRig(name, folder)
