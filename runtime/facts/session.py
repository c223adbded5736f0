"""The session so far: the events before a task, and what is counted of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from casebook.conditions.facts import Event
from casebook.conditions.fields import EVENT_FIELDS, GROUPS
from casebook.policy import Policy
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.composed import composed, one_or_list, text_or_none, texts_or_none
from casebook.runtime.facts.instant import instant_of
from casebook.runtime.facts.intents import intents_of, table_of

_NO_TEXT = frozenset({"args", "context", "error", "ok"})
"""The fields of an event in which a text is not kept as it stands."""
_ERROR_PARTS = tuple(GROUPS["error"])


class SoFar(Protocol):
    """A session as it stands, by running indexes: what `events_of` and `session_facts` would work out anew for each task.

    Attributes:
        turn: `text` and `intent` of the turn that is going on; they count at the tool point where the task names neither.
    """

    turn: Mapping[str, Any]

    def history(self) -> Sequence[Event]:
        """Give the events so far, which later ones do not change."""
        ...

    def facts(self, at: datetime) -> dict[str, Any]:
        """Give the `session` group at an instant."""
        ...


def events_of(history: Sequence[Mapping[str, Any]], policy: Policy) -> tuple[Event, ...]:
    """Give a task's history as events that conditions can read.

    Args:
        history: `Task.history`, in order of arrival.
        policy: for its alias table, its zone, and its intents where an event of kind `task` tells a text alone.

    Returns:
        The events with canonical `tool`, `action`, `program`, `path`; `at` an aware instant, or None where it was not
        told (such an event counts, but is never `within` anything). A failed `tool` event is followed by its `error`
        event, unless the history tells that itself.
    """
    events: list[Event] = []
    for place, told in enumerate(history):
        event = _event(told, policy)
        events.append(event)
        if event["kind"] == "tool" and event["ok"] is False:
            following = history[place + 1] if place + 1 < len(history) else None
            if following is None or not _tells_error_of(following, told):
                events.append({**event, "kind": "error"})
    return tuple(events)


def _event(told: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """Make one event of one that was told."""
    event = _plain(told)
    kind = event["kind"] = told.get("kind")
    event["at"] = instant_of(told.get("at"), policy.timezone)
    native = event.get("tool_native") or event.get("tool")
    if native is not None:
        for name, value in call_facts(native, event.get("args"), policy.tools).items():
            if name in ("tool", "tool_native") or name not in event:
                event[name] = value
    if kind == "tool":
        event.setdefault("ok", told.get("error") is None)
    elif kind == "error":
        event["ok"] = False
    if kind == "task" and "text" in event and "intent" not in event:
        found = intents_of(event["text"], table_of(policy))
        if found:
            event["intent"] = one_or_list(found)
    return event


def _plain(told: Mapping[str, Any]) -> dict[str, Any]:
    """Give the fields of an event that hold what such a field can hold: a host's odd value is missing, never another kind."""
    event: dict[str, Any] = {}
    for name, given in told.items():
        if type(given) is str and name not in _NO_TEXT:  # nearly all of them
            event[name] = given if given.isascii() else text_or_none(given)
            continue
        if given is None or name == "at":
            continue
        value: Any
        if name in ("args", "context"):
            value = composed(given) if isinstance(given, dict) else None
        elif name == "error":
            value = _error(given)
        elif name == "ok":
            value = given if isinstance(given, bool) else None
        elif EVENT_FIELDS.get(name) == "texts":
            value = texts_or_none(given)
        else:
            value = text_or_none(given)
        if value is not None:
            event[name] = value
    return event


def _error(given: Any) -> dict[str, str] | None:
    """Give the parts of an error that are text; an error told as text is its message."""
    if isinstance(given, str):
        given = {"message": given}
    if not isinstance(given, Mapping):
        return None
    parts = {name: text for name in _ERROR_PARTS if (text := text_or_none(given.get(name))) is not None}
    return parts or None


def _tells_error_of(following: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Tell whether the next event of a history is the error of this failed call."""
    return following.get("kind") == "error" and following.get("tool") in (None, told.get("tool"))


def session_facts(session: str | None, events: Sequence[Event], at: datetime) -> dict[str, Any]:
    """Give the `session` group.

    Args:
        session: the session's id, or None.
        events: what came before, as `events_of` gives it.
        at: the task's instant.

    Returns:
        `id`; `errors`, `tasks`: events of that kind; `consecutive_errors`: errors since the last call that succeeded;
        `minutes`: since the first event whose instant is known, 0 without one; `tools`, `intents`: each once, in order of
        first use; `last_error`: the message of the last error, else its type.
    """
    errors = consecutive = tasks = 0
    last: str | None = None
    tools: dict[str, None] = {}
    intents: dict[str, None] = {}
    for event in events:
        kind = event["kind"]
        if kind == "error":
            errors += 1
            consecutive += 1
            told = event.get("error")
            if told:
                last = told.get("message") or told.get("type") or last
        elif kind == "tool":
            if event["ok"]:
                consecutive = 0
            _add(event.get("tool"), tools)
        elif kind == "task":
            tasks += 1
            _add(event.get("intent"), intents)
    times = [event["at"] for event in events if event["at"] is not None]
    counted: dict[str, Any] = {
        "id": session,
        "errors": errors,
        "consecutive_errors": consecutive,
        "tasks": tasks,
        "minutes": max((at - times[0]).total_seconds() / 60, 0.0) if times else 0,
    }
    if tools:
        counted["tools"] = list(tools)
    if intents:
        counted["intents"] = list(intents)
    if last is not None:
        counted["last_error"] = last
    return counted


def _add(value: str | Sequence[str] | None, found: dict[str, None]) -> None:
    """Add what an event has in a field: nothing, one text or several, each once, in order."""
    if isinstance(value, str):
        found[value] = None
    elif value is not None:
        found.update(dict.fromkeys(value))
