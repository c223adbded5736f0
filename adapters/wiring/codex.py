"""Codex 0.171: `~/.codex/hooks.json`, or `.codex/hooks.json` of a project (integrations.md, section 3)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.change import ChangeError, read
from casebook.adapters.wiring.hook_host import HookHost
from casebook.adapters.wiring.hook_settings import Event, Wired
from casebook.adapters.wiring.protocol import Place

_WORD = re.compile("(?<=[a-z])(?=[A-Z])")


def blocks(place: Place, path: Path, settings: Mapping[str, Any], ours: tuple[Wired, ...]) -> Iterator[str]:
    """Give what keeps Codex from running hooks: a person has to trust each in its `/hooks`, and they can be switched off.

    Codex keeps what is trusted in its config.toml, by the file of the hook, the event and the numbers of group and handler. Whether it
    is for this very text, Codex alone says.
    """
    del settings
    file = WIRING.home(place) / "config.toml"
    config = _read(file)
    features = config.get("features")
    if isinstance(features, dict) and any(features.get(name) is False for name in ("hooks", "codex_hooks")):
        yield f"{file}: hooks are switched off in [features]; take that out"
    hooks = config.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    waiting = [each.event for each in ours if not _is_trusted(states, path, each)]
    if waiting:
        yield f"Codex skips hooks that nobody has trusted, without a word: {', '.join(waiting)}; trust them in its /hooks"


def _is_trusted(states: object, path: Path, ours: Wired) -> bool:
    event = _WORD.sub("_", ours.event).lower()
    key = f"{path}:{event}:{ours.group}:{ours.handler}"
    state = states.get(key) if isinstance(states, dict) else None
    return isinstance(state, dict) and bool(state.get("trusted_hash")) and state.get("enabled") is not False


def _read(path: Path) -> Mapping[str, Any]:
    """Give the settings of config.toml; none where they cannot be read."""
    try:
        return tomllib.loads((read(path) or b"").decode())
    except (ChangeError, ValueError, RecursionError):
        return {}


WIRING = HookHost(
    name="codex",
    title="Codex",
    programs=("codex",),
    folder=".codex",
    file="hooks.json",
    variable="CODEX_HOME",
    events=(
        Event("SessionStart"), Event("UserPromptSubmit"), Event("PreToolUse", of_tools=True),
        Event("PostToolUse", of_tools=True), Event("PreCompact"), Event("Stop"), Event("SessionEnd", timeout=3),
    ),
    timeout=10,
    by_name=False,
    blocks=blocks,
    note="Codex runs no hook before you have trusted it: open codex, say /hooks and trust those of casebook",
)  # fmt: skip
"""Seconds are its unit of time; it cuts what it gives SessionEnd to 3, with a warning (run: 0.171)."""
