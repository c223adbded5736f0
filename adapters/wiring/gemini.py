"""Gemini CLI 0.61: `~/.gemini/settings.json`, or `.gemini/settings.json` of a project (its docs/hooks/reference.md; run in tests/hosts)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.change import ChangeError, read
from casebook.adapters.wiring.hook_host import HookHost
from casebook.adapters.wiring.hook_settings import Event, Wired
from casebook.adapters.wiring.protocol import Place

_TRUSTED, _PARENT, _NOT = "trustedFolders.json", "TRUST_PARENT", "DO_NOT_TRUST"
_ELSEWHERE = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"


def blocks(place: Place, path: Path, settings: Mapping[str, Any], ours: tuple[Wired, ...]) -> Iterator[str]:
    """Give what keeps Gemini CLI from running hooks: they can be switched off, all or by their command; a folder may be not trusted."""
    config = settings.get("hooksConfig")
    if isinstance(config, dict):
        if config.get("enabled") is False:
            yield f"{path}: hooksConfig.enabled is false: Gemini CLI runs no hook; take it out"
        disabled = config.get("disabled")
        names = {each.command for each in ours}
        if isinstance(disabled, list) and names & {each for each in disabled if isinstance(each, str)}:
            yield f"{path}: hooksConfig.disabled names the casebook's hook; take it out"
    folders = Path(place.environment.get(_ELSEWHERE) or WIRING.home(place) / _TRUSTED)
    if _asks_for_trust(_object(WIRING.home(place) / WIRING.file)) and _is_distrusted(place.project, _object(folders)):
        yield f"{folders}: {place.project} is not trusted: Gemini CLI runs no hook there; open gemini there, say /permissions"


def _asks_for_trust(settings: Mapping[str, Any]) -> bool:
    """Say whether Gemini CLI heeds which folders are trusted, by the user's settings; it does unless they say no."""
    value: Any = settings
    for name in ("security", "folderTrust", "enabled"):
        value = value.get(name) if isinstance(value, dict) else None
    return value is not False


def _is_distrusted(project: Path, folders: Mapping[str, Any]) -> bool:
    """Say whether a person has said that a folder is not trusted: of the rules above it the longest holds. Of others Gemini CLI asks."""
    real, longest, level = Path(os.path.realpath(project)), "", None
    for rule, said in folders.items():
        if "\0" in rule:  # no path is
            continue
        above = Path(os.path.realpath(Path(rule).parent if said == _PARENT else rule))
        if real.is_relative_to(above) and len(rule) > len(longest):
            longest, level = rule, said
    return level == _NOT


def _object(path: Path) -> Mapping[str, Any]:
    """Give what stands in a file of JSON; nothing where it cannot be read."""
    try:
        value = json.loads(read(path) or b"{}")
    except (ChangeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


WIRING = HookHost(
    name="gemini",
    title="Gemini CLI",
    programs=("gemini",),
    folder=".gemini",
    file="settings.json",
    variable="GEMINI_CLI_HOME",
    events=(
        Event("SessionStart"), Event("BeforeAgent"), Event("BeforeTool", of_tools=True), Event("AfterTool", of_tools=True),
        Event("PreCompress", only="manual"), Event("AfterAgent"), Event("SessionEnd"),
    ),
    timeout=10_000,
    by_name=False,
    blocks=blocks,
    below=".gemini",
    opens=True,
    dialect="comments",
)  # fmt: skip
"""Milliseconds are its unit of time; it reads comments (bundle: `JSON.parse(stripJsonComments(content))`). Of what is cut by itself it tells before each request to the model, whether anything is or not."""
