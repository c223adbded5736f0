"""The hosts that can be wired: one table, by the name that is typed. A host's module is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from casebook.adapters.frameworks import FRAMEWORKS
from casebook.adapters.hosts import HOSTS, nearest_host
from casebook.adapters.wiring.protocol import Wiring
from casebook.faults import CasebookError

MODULES: Mapping[str, str] = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "opencode": "opencode",
    "openclaw": "openclaw",
    "agents-md": "agents_md",
}
"""Every host by its name, with its module below `casebook.adapters.wiring`, which has a `WIRING`. The order is that of `setup`."""

_TABLES: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("Claude Code",),
    "codex": ("Codex", "Claude Code"),
    "gemini": ("Gemini CLI",),
    "opencode": ("OpenCode",),
    "openclaw": ("OpenClaw",),
}
"""Of which groups of the shipped table of tools a host's names are: the hooks of Codex call the shell `Bash`, as Claude Code's do."""


def tables_of(name: str) -> tuple[str, ...]:
    """Give the groups of the shipped table of tools (`runtime/facts/data/tools.json`) whose names a host's tools have."""
    return _TABLES.get(name, ())


def wiring_of(name: str) -> Wiring:
    """Give a host's wiring. Raises CasebookError where there is none: with how it is wired else, or with the nearest name."""
    if name in FRAMEWORKS:
        told = FRAMEWORKS[name]
        raise CasebookError(f"{HOSTS[name].title} is wired {told.wired}; {told.page} tells how")
    if name not in MODULES:
        near = nearest_host(name, [*MODULES, *FRAMEWORKS])
        raise CasebookError(
            f"host: expected one of {', '.join(MODULES)}, got {name!r}" + (f"; did you mean {near}?" if near else "")
        )
    wiring: Wiring = import_module(f"casebook.adapters.wiring.{MODULES[name]}").WIRING
    return wiring
