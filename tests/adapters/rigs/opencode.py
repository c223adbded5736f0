"""What OpenCode's plugin tells `casebook hook opencode`, as `wiring/data/opencode.js` puts it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.adapters.rig import Call, Rig
from tests.adapters.rigs.claude_code import ClaudeCodeRig


class OpenCodeRig(ClaudeCodeRig):
    shell = "bash"
    turn_field = "turn_id"

    def after(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        response = {"output": of.fails or "ok", "metadata": {"exit": 1 if of.fails else 0}}
        called = {"tool_name": of.tool, "tool_input": of.args, "tool_use_id": call, "tool_response": response}
        return {**self._common("PostToolUse", session, turn), **called}


def rig(name: str, folder: Path) -> Rig:
    return OpenCodeRig(name, folder)
