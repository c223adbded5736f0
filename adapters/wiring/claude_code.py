"""Claude Code 2.1: `~/.claude/settings.json`, or `.claude/settings.json` of a project (integrations.md, section 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.change import ChangeError, read
from casebook.adapters.wiring.hook_host import HookHost
from casebook.adapters.wiring.hook_settings import Event, Wired
from casebook.adapters.wiring.protocol import Place

MANAGED = Path("/etc/claude-code/managed-settings.json")
"""What an administrator has set, on Linux."""


def blocks(place: Place, path: Path, settings: Mapping[str, Any], ours: tuple[Wired, ...]) -> Iterator[str]:
    """Give what keeps Claude Code from running hooks: it switches them off in any of its settings, an administrator all but his own."""
    if settings.get("disableAllHooks") is True:
        yield f"{path}: disableAllHooks is true: Claude Code runs no hook; take it out"
    others = (place.project / ".claude" / "settings.json", place.project / ".claude" / "settings.local.json", MANAGED)
    for other in others:
        if other != path and _read(other).get("disableAllHooks") is True:
            yield f"{other}: disableAllHooks is true: Claude Code runs no hook; take it out"
    if _read(MANAGED).get("allowManagedHooksOnly") is True:
        yield f"{MANAGED}: allowManagedHooksOnly is true: Claude Code runs the administrator's hooks alone"
    del ours


def _read(path: Path) -> Mapping[str, Any]:
    """Give settings; none where they cannot be read."""
    try:
        value = json.loads(read(path) or b"{}")
    except (ChangeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


WIRING = HookHost(
    name="claude-code",
    title="Claude Code",
    programs=("claude",),
    folder=".claude",
    file="settings.json",
    variable="CLAUDE_CONFIG_DIR",
    events=(
        Event("SessionStart"), Event("UserPromptSubmit"), Event("PreToolUse", of_tools=True),
        Event("PostToolUse", of_tools=True), Event("PostToolUseFailure", of_tools=True), Event("Stop"), Event("SessionEnd"),
    ),
    timeout=10,
    by_name=True,
    blocks=blocks,
)  # fmt: skip
"""Seconds are its unit of time; settings with a comment or a comma too many it refuses whole (run: 2.1.332)."""
