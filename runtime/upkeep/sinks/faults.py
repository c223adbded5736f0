"""What would keep ticks from their sinks, told before a tick comes: sinks that are named and not there, settings that do not fit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from casebook.case import LoadedCase
from casebook.faults import Fault, Severity, nearest
from casebook.policy import Policy
from casebook.policy import Sink as Settings
from casebook.problems import shown
from casebook.runtime.upkeep.sinks.protocol import Place, SinkError
from casebook.runtime.upkeep.sinks.registry import DEFAULT, KINDS
from casebook.stores.policy_reading import POLICY_NAME

Locate = Callable[[str, tuple[str | int, ...]], tuple[str, int, int] | None]
"""Takes the id of a case and a field, and gives its file, line and column (`FolderStore.locate`)."""

FIELD = "x-sink"
_SETTINGS = {
    "outbox": ("kind", "path"), "webhook": ("kind", "url", "token_env"),
    "openclaw": ("kind", "command", "url", "token_env"),
}  # fmt: skip
"""The settings that each kind reads."""


def sink_faults(cases: Mapping[str, LoadedCase], policy: Policy, root: Path, locate: Locate) -> Iterator[Fault]:
    """Give what keeps what tick cases say from where it is to go.

    Args:
        cases: those that serve, of one casebook.
        policy: its policy, which has its sinks.
        root: its folder.
        locate: gives the place of a field of a case.
    """
    known = (*policy.sinks, DEFAULT)
    for loaded in cases.values():
        case = loaded.case
        named = case.extra.get(FIELD)
        if "tick" not in case.on or named is None or (isinstance(named, str) and named in known):
            continue
        _, line, column = locate(case.id, (FIELD,)) or ("", loaded.line, None)
        near = nearest(named, known) if isinstance(named, str) else None
        message = (
            f"expected the name of a sink of the policy, or {DEFAULT}, got {shown(named)}: nothing of it is delivered"
        )
        yield Fault(loaded.path, message, line, column, case=case.id, field=FIELD, suggestion=near, layer=loaded.layer)
    for name, settings in policy.sinks.items():
        yield from _of_settings(name, settings, root)


def _of_settings(name: str, settings: Settings, root: Path) -> Iterator[Fault]:
    """Give what is wrong with the settings of a sink, whatever the variables of this process hold."""
    own = _SETTINGS[settings.kind]
    for field in sorted(settings.model_fields_set.difference(own)):
        message = f"a sink of the kind {settings.kind} reads no {field}: it has {', '.join(own)}"
        yield Fault(POLICY_NAME, message, field=f"sinks.{name}.{field}", severity="warning")
    environment = {**os.environ, **({settings.token_env: "set"} if settings.token_env else {})}
    try:
        import_module(KINDS[settings.kind]).open_sink(settings, Place(root, environment))
    except SinkError as error:
        is_of_machine = (
            settings.kind == "openclaw" and settings.url is None
        )  # its command may be missing on this one alone
        severity: Severity = "warning" if is_of_machine else "error"
        yield Fault(POLICY_NAME, f"nothing is delivered: {error}", field=f"sinks.{name}", severity=severity)
