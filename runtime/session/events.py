"""Journaled events as conditions see them: the history of a session, and a past call as a task of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from casebook.conditions.facts import Event, Facts
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.facts.composed import one_or_list
from casebook.runtime.facts.session import session_facts
from casebook.runtime.journal.records import EventRecord

_KINDS = frozenset({"tool", "error", "task", "feedback"})
_FIELDS = (
    "tool_native",
    "action",
    "program",
    "path",
    "args",
    "text",
    "intent",
    "context",
    "error",
    "channel",
    "model",
    "origin",
)


def history_of(record: EventRecord) -> tuple[Event, ...]:
    """Give an event of the journal as events of a history: a failed call is one `tool` and one `error`, a mark is none."""
    if record.kind not in _KINDS:
        return ()
    event: dict[str, Any] = {"kind": record.kind, "at": record.at, **_principal(record.principal)}
    if record.tool is not None:
        event["tool"] = record.tool
    for name in _FIELDS:
        value = record.body.get(name)
        if value is not None:
            event[name] = value
    if record.kind in ("tool", "error"):
        event["ok"] = not record.failed
    if record.kind == "tool" and record.failed:
        return event, {**event, "kind": "error"}
    return (event,)


def facts_of_call(record: EventRecord, earlier: Sequence[EventRecord]) -> Facts:
    """Give the facts that a journaled call had before it was made.

    Args:
        record: the call.
        earlier: the events before it in its session, in order of arrival.
    """
    values: dict[str, Any] = {"point": "tool", **_principal(record.principal)}
    if record.tool is not None:
        values["tool"] = record.tool
    for name in _FIELDS:
        value = record.body.get(name)
        if value is not None and name != "error":
            values[name] = value
    history = tuple(event for each in earlier for event in history_of(each))
    if record.session is not None:
        values["session"] = session_facts(record.session, history, record.at)
    return Facts(values, record.at, history)


def _principal(principal: Principal) -> dict[str, Any]:
    named: dict[str, Any] = {
        "user": principal.user,
        "project": principal.project,
        "team": one_or_list(sorted(principal.teams)) if principal.teams else None,
        "agent": principal.agent,
    }
    return {name: value for name, value in named.items() if value is not None}
