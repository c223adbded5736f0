"""From a task to its facts: canonical names, what a shell call does, the intent, the session so far."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from casebook.conditions.facts import Event, Facts
from casebook.policy import Policy
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.composed import composed, one_or_list, text_or_none, texts_or_none
from casebook.runtime.facts.instant import instant_of
from casebook.runtime.facts.intents import intents_of, table_of
from casebook.runtime.facts.session import SoFar, events_of, session_facts
from casebook.task import Task

_PLAIN_FIELDS = ("text", "user", "project", "agent", "channel", "model", "origin", "answer")


def extract(task: Task, policy: Policy, now: datetime, *, so_far: SoFar | None = None) -> Facts:
    """Give the facts of a task.

    Args:
        task: what an agent is about to do.
        policy: the casebook's; its `tools`, `intents`, `fields` and `timezone` count.
        now: the present instant, aware, for a task that names none.
        so_far: the session as it stands; a task that tells its own history stands in that instead.

    Returns:
        Its facts: all strings NFC, one value plain and several a list, what is missing absent.
    """
    values: dict[str, Any] = {"point": task.point}
    told = task.__dict__  # of a model: several times as fast as its attributes
    for name in _PLAIN_FIELDS:
        value = told[name]
        if value is not None:
            values[name] = value if value.isascii() else unicodedata.normalize("NFC", value)
    if task.team:
        values["team"] = one_or_list([composed(each) for each in task.team])
    args = composed(task.args) if task.args else None
    if task.tool:
        values.update(call_facts(composed(task.tool), args, policy.tools))
    if args:
        values["args"] = args
    if task.context:
        values["context"] = composed(task.context)
        for name in policy.fields:
            if values["context"].get(name) is not None:
                values[name] = values["context"][name]
    _intent(task, values, policy, so_far.turn if so_far is not None else None)
    at = instant_of(task.at, policy.timezone) or now
    history = _session(task, values, policy, so_far, at)
    return Facts(values, at, history)


def _session(task: Task, values: dict[str, Any], policy: Policy, so_far: SoFar | None, at: datetime) -> Sequence[Event]:
    """Say the session, where the task names one or tells a history; give the events before it."""
    if task.history:
        events = events_of(task.history, policy)
        values["session"] = session_facts(composed(task.session), events, at)
        return events
    if so_far is not None:
        values["session"] = so_far.facts(at)
        return so_far.history()
    if task.session is not None:
        values["session"] = session_facts(composed(task.session), (), at)
    return ()


def _intent(task: Task, values: dict[str, Any], policy: Policy, inherited: Mapping[str, Any] | None) -> None:
    """Say the intent: the task's own, else its turn's, else what the user's words say; absent where none does."""
    if task.intent:
        values["intent"] = one_or_list([composed(each) for each in task.intent])
        return
    if inherited and task.point == "tool" and "text" not in values:
        for name, read in (("text", text_or_none), ("intent", texts_or_none)):
            given = read(inherited.get(name))
            if given:
                values[name] = given
        if "intent" in values:
            return
    text = values.get("text")
    if isinstance(text, str) and text:
        found = intents_of(text, table_of(policy))
        if found:
            values["intent"] = one_or_list(found)
