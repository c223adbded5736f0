"""Codex's payloads: Claude-shaped, with `turn_id`, and a bare string as the result of a call that failed or did not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.adapters.rig import Call, Rig
from tests.adapters.rigs.claude_code import ClaudeCodeRig


class CodexRig(ClaudeCodeRig):
    turn_field = "turn_id"

    def after(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        called = {"tool_name": of.tool, "tool_input": of.args, "tool_use_id": call, "tool_response": of.fails or "ok"}
        return {**self._common("PostToolUse", session, turn), **called}


def rig(name: str, folder: Path) -> Rig:
    return CodexRig(name, folder)
