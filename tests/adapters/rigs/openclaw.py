"""What OpenClaw's plugin tells `casebook hook openclaw`, as `adapters/openclaw/plugin/index.js` puts it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.adapters.rig import Call, Rig
from tests.adapters.rigs.hook_rig import HookRig


class OpenClawRig(HookRig):
    shell = "exec"

    def _context(self, session: str, turn: str, origin: str | None = None) -> dict[str, Any]:
        return {"sessionKey": session, "runId": turn, "agentId": "main", "trigger": origin or "user"}

    def prompt(self, session: str, turn: str, text: str, origin: str | None) -> Mapping[str, Any]:
        return {"event": "before_prompt_build", "prompt": text, "ctx": self._context(session, turn, origin)}

    def before(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        called = {"toolName": of.tool, "params": of.args, "toolCallId": call}
        return {"event": "before_tool_call", **called, "ctx": self._context(session, turn)}

    def after(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        called = {"toolName": of.tool, "params": of.args, "toolCallId": call}
        result = {"details": {"exitCode": 1 if of.fails else 0, "aggregated": of.fails or "ok"}}
        return {"event": "after_tool_call", **called, "result": result, "ctx": self._context(session, turn)}

    def denied(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        called = {"toolName": of.tool, "params": of.args, "toolCallId": call}
        return {
            "event": "after_tool_call",
            **called,
            "denied": True,
            "unmade": True,
            "ctx": self._context(session, turn),
        }

    def text_in(self, output: Mapping[str, Any]) -> str:
        return str(output.get("prependContext", "") or output.get("advice", ""))

    def verdict_in(self, output: Mapping[str, Any]) -> tuple[str, str]:
        if output.get("block"):
            return "deny", output["blockReason"]
        return ("ask", output["requireApproval"]["description"]) if "requireApproval" in output else ("allow", "")


def rig(name: str, folder: Path) -> Rig:
    return OpenClawRig(name, folder)
