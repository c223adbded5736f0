"""The kinds of sinks by name: `open_sink` of the module named here makes one. A module is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from casebook.faults import nearest
from casebook.policy import Policy
from casebook.policy import Sink as Settings
from casebook.runtime.upkeep.sinks.protocol import Opener, Place, Sink, SinkError

KINDS: Mapping[str, str] = {
    "outbox": "casebook.runtime.upkeep.sinks.outbox",
    "webhook": "casebook.runtime.upkeep.sinks.webhook",
    "openclaw": "casebook.runtime.upkeep.sinks.openclaw",
}
DEFAULT = "outbox"
"""The sink of a case that names none; it is there whether the policy names it or not."""


def sink_of(name: str | None, policy: Policy, place: Place) -> Sink:
    """Give the sink that a case names.

    Args:
        name: the value of its `x-sink`; None for the default.
        policy: has the sinks by name.
        place: where it runs.

    Raises:
        SinkError: there is no such sink (the nearest name is told), or its settings are not enough.
    """
    wanted = DEFAULT if name is None else name
    settings = policy.sinks.get(wanted) or (Settings() if wanted == DEFAULT else None)
    if settings is None:
        near = nearest(wanted, (*policy.sinks, DEFAULT))
        hint = f"; did you mean {near}?" if near else "; `sinks` in memory-policy.yaml names them"
        raise SinkError(f'there is no sink called "{wanted[:60]}"{hint}')
    opener: Opener = import_module(KINDS[settings.kind]).open_sink
    return opener(settings, place)
