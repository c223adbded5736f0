"""Gemini CLI's payloads, as 0.61 really tells them (`tests/hooks/recorded/gemini.json`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.adapters.rig import Call, Rig
from tests.adapters.rigs.hook_rig import HookRig


class GeminiRig(HookRig):
    shell = "run_shell_command"

    def _common(self, event: str, session: str) -> dict[str, Any]:
        return {
            "session_id": session, "transcript_path": "/t.json", "cwd": "/", "hook_event_name": event,
            "timestamp": "2026-11-30T08:00:00Z",
        }  # fmt: skip

    def prompt(self, session: str, turn: str, text: str, origin: str | None) -> Mapping[str, Any]:
        return {**self._common("BeforeAgent", session), "prompt": text}

    def before(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        return {**self._common("BeforeTool", session), "tool_name": of.tool, "tool_input": of.args}

    def after(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        response: dict[str, Any] = {"llmContent": of.fails or "ok", "returnDisplay": of.fails or "ok"}
        if of.tool == self.shell:
            ended = f"Output: {of.fails}\nExit Code: 1" if of.fails else "Output: ok"
            response["llmContent"] = f"<untrusted_context>\n{ended}\nProcess Group PGID: 26338\n</untrusted_context>"
        elif of.fails:
            response["error"] = {"message": of.fails, "type": "edit_no_occurrence_found"}
        return {
            **self._common("AfterTool", session),
            "tool_name": of.tool,
            "tool_input": of.args,
            "tool_response": response,
        }

    def text_in(self, output: Mapping[str, Any]) -> str:
        return str(output.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def verdict_in(self, output: Mapping[str, Any]) -> tuple[str, str]:
        return ("deny", output["reason"]) if output.get("decision") == "deny" else ("allow", "")


def rig(name: str, folder: Path) -> Rig:
    return GeminiRig(name, folder)
