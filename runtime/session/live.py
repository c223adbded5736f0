"""One live session: its events, what is counted of them, its turn, and what was said in it already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from casebook.conditions.facts import Event
from casebook.runtime.journal.records import KEPT, ActivationRecord, EventRecord
from casebook.runtime.session.events import history_of
from casebook.runtime.session.running import HistoryView, RunningEvents


class LiveSession:
    """What is known of one session of one user. Its owner holds a lock while it changes.

    Attributes:
        seq: of the last event that was read from the journal.
        answers: the number in the journal of the last activation that was read from it.
        turn: `text` and `intent` of the turn that is going on.
        said: the cases whose text stands in the host's transcript.
        fired: for each case that was selected in it, when last: of the last answer, for a clock may go back.
    """

    __slots__ = (
        "_counted",
        "_errors",
        "_first",
        "_running",
        "_seen",
        "answers",
        "fired",
        "said",
        "seq",
        "session",
        "turn",
        "user",
    )

    def __init__(self, session: str, user: str | None) -> None:
        """Begin an empty session."""
        self.session = session
        self.user = user
        self.seq = 0
        self.answers = 0
        self.turn: Mapping[str, Any] = {}
        self.said: set[str] = set()
        self.fired: dict[str, datetime] = {}
        self._running = RunningEvents()
        self._seen: set[str] = set()
        self._first: datetime | None = None
        self._counted: dict[str, Any] = {"id": session, "errors": 0, "consecutive_errors": 0, "tasks": 0, "minutes": 0}
        self._errors: dict[str, set[str]] = {}

    # -- what a task sees ----------------------------------------------------------------------------------------------

    def history(self) -> HistoryView:
        """Give the events so far."""
        return self._running.view()

    def facts(self, at: datetime) -> dict[str, Any]:
        """Give the `session` group at an instant; as `session_facts` over the same events."""
        counted = dict(self._counted)
        if self._first is not None:
            counted["minutes"] = max((at - self._first).total_seconds() / 60, 0.0)
        return counted

    # -- what happens --------------------------------------------------------------------------------------------------

    def absorb(self, record: EventRecord, answered: Iterable[str] = ()) -> None:
        """Take an event; one that was taken already changes nothing.

        Args:
            record: the event.
            answered: ids of the cases that the activation which it answers had put in front of the agent: after an error they are
                said again.
        """
        if record.id in self._seen:
            return
        self._seen.add(record.id)
        for event in history_of(record):
            self._count(event)
            self._running.events.append(event)
        if record.kind == "task":
            self.turn = {name: record.body[name] for name in ("text", "intent") if name in record.body}
        elif record.kind == "compacted":
            self.said.clear()
        elif record.failed:
            self.said.difference_update(answered)
            if record.signature is not None:
                self.said.difference_update(self._errors.get(record.signature, ()))

    def knows(self, event_id: str) -> bool:
        """Say whether an event was taken."""
        return event_id in self._seen

    def begin_answer(self, activation_id: str) -> None:
        """Take an answer, before it is written to the journal: what is said in it is not taken from there again."""
        self._seen.add(activation_id)

    def begin_turn(self, event_id: str, event: Event, turn: Mapping[str, Any]) -> None:
        """Take a turn that begins, before it is written to the journal.

        Args:
            event_id: of its event.
            event: as it is kept.
            turn: its facts, whole: what its calls inherit.
        """
        self._seen.add(event_id)
        self._count(event)
        self._running.events.append(event)
        self.turn = {name: turn[name] for name in ("text", "intent") if name in turn}

    def say(self, case_id: str, at: datetime, *, kept: bool, signature: str | None) -> None:
        """Note that a case was put in front of the agent.

        Args:
            case_id: which.
            at: the task's instant.
            kept: whether the host keeps the text in its transcript.
            signature: of the error that the case answers: when it comes again, the case is said again.
        """
        self.fired[case_id] = at
        if kept:
            self.said.add(case_id)
            if signature is not None:
                self._errors.setdefault(signature, set()).add(case_id)

    def hear(self, activation: ActivationRecord, signatures: Mapping[str, str]) -> None:
        """Take an answer from the journal; one that was taken already changes nothing.

        Args:
            activation: the answer.
            signatures: for a case the signature of the error that it answers.
        """
        if activation.id in self._seen:
            return
        self._seen.add(activation.id)
        for firing in activation.firings:
            if firing.how == "selected":
                name = firing.case_id
                self.say(name, activation.at, kept=firing.detail == KEPT, signature=signatures.get(name))

    def _count(self, event: Event) -> None:
        counted = self._counted
        kind = event["kind"]
        when = event.get("at")
        if self._first is None and when is not None:
            self._first = when
        if kind == "error":
            counted["errors"] += 1
            counted["consecutive_errors"] += 1
            error = event.get("error") or {}
            told = error.get("message") or error.get("type")
            if told:
                counted["last_error"] = told
        elif kind == "tool":
            if event["ok"]:
                counted["consecutive_errors"] = 0
            self._each("tools", event.get("tool"))
        elif kind == "task":
            counted["tasks"] += 1
            self._each("intents", event.get("intent"))

    def _each(self, name: str, value: Any) -> None:
        """Add what was not there; the list is made new, since facts of earlier tasks hold the old one."""
        known = self._counted.get(name, [])
        new = [each for each in ([value] if isinstance(value, str) else value or ()) if each not in known]
        if new:
            self._counted[name] = [*known, *dict.fromkeys(new)]


def catch_up(
    live: LiveSession,
    activations: Sequence[ActivationRecord],
    events: Iterable[EventRecord],
    signatures: Mapping[str, str],
    answered: Callable[[EventRecord], tuple[str, ...]],
) -> None:
    """Bring a session to what the journal knows of it; what was taken already changes nothing.

    Args:
        live: the session, empty or not.
        activations: its answers, in order of arrival.
        events: its events, in order of arrival.
        signatures: for a case the signature of the error that it answers.
        answered: gives the cases of the answer to which an error belongs, where that is none of `activations`.
    """
    answers = {each.id: selected_in(each) for each in activations}
    waiting = list(activations)
    place = 0
    for event in events:
        while place < len(waiting) and waiting[place].at <= event.at:
            live.hear(waiting[place], signatures)
            place += 1
        if event.failed and event.activation is not None and not live.knows(event.id):
            known = answers.get(event.activation)
            live.absorb(event, answered(event) if known is None else known)
        else:
            live.absorb(event)
        live.seq = max(live.seq, event.seq)
    for each in waiting[place:]:
        live.hear(each, signatures)


def selected_in(activation: ActivationRecord | None) -> tuple[str, ...]:
    """Give the ids of the cases that an activation put in front of the agent."""
    return () if activation is None else tuple(each.case_id for each in activation.firings if each.how == "selected")
