"""Whose turn it is, as the code that makes an adapter says it: a name, or what gives it at each turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casebook.adapters.exchange import Exchange
from casebook.faults import CasebookError, nearest
from casebook.runtime.guarded import Value, said_now
from casebook.runtime.reporting import warn_once

NAMES = ("user", "project", "team", "agent", "session", "channel", "model", "origin")
"""The fields of a task that say whose it is (DESIGN section 5)."""


def checked(whose: Mapping[str, Value]) -> dict[str, Value]:
    """Give what was said of whose turns they are. Raises CasebookError, with the nearest name, for an unknown field."""
    for name in whose:
        if name not in NAMES:
            near = nearest(name, NAMES)
            cure = f"; did you mean {near}?" if near else ""
            raise CasebookError(f"expected one of {', '.join(NAMES)}, got {name!r}{cure}")
    return {name: value for name, value in whose.items() if value is not None}


def whose_now(whose: Mapping[str, Value], exchange: Exchange) -> dict[str, Any]:
    """Give the names as of this moment; one whose function raises is left out, and that is logged once."""
    names: dict[str, Any] = {}
    for name, value in whose.items():
        try:
            said = said_now(value)
        except Exception as error:  # noqa: BLE001 - the code of a host must not break its turn here
            warn_once(exchange.casebook, f"{name} ({exchange.host.name})", error)
            continue
        if said:
            names[name] = said
    return names
