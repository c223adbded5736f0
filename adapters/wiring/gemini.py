"""Gemini CLI 0.61: `~/.gemini/settings.json`, or `.gemini/settings.json` of a project (its docs/hooks/reference.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.hook_host import HookHost
from casebook.adapters.wiring.hook_settings import Event, Wired
from casebook.adapters.wiring.protocol import Place


def blocks(place: Place, path: Path, settings: Mapping[str, Any], ours: tuple[Wired, ...]) -> Iterator[str]:
    """Give what keeps Gemini CLI from running hooks: they can be switched off, all or by their command."""
    del place
    config = settings.get("hooksConfig")
    if not isinstance(config, dict):
        return
    if config.get("enabled") is False:
        yield f"{path}: hooksConfig.enabled is false: Gemini CLI runs no hook; take it out"
    disabled = config.get("disabled")
    names = {each.command for each in ours}
    if isinstance(disabled, list) and names & {each for each in disabled if isinstance(each, str)}:
        yield f"{path}: hooksConfig.disabled names the casebook's hook; take it out"


WIRING = HookHost(
    name="gemini",
    title="Gemini CLI",
    programs=("gemini",),
    folder=".gemini",
    file="settings.json",
    variable="GEMINI_CLI_HOME",
    events=(
        Event("SessionStart"), Event("BeforeAgent"), Event("BeforeTool", of_tools=True),
        Event("AfterTool", of_tools=True), Event("PreCompress"), Event("AfterAgent"), Event("SessionEnd"),
    ),
    timeout=10_000,
    by_name=False,
    blocks=blocks,
    below=".gemini",
)  # fmt: skip
"""Milliseconds are its unit of time."""
