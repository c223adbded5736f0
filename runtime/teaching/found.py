"""Repeated errors in calls that were made elsewhere, as a host's transcripts tell them: each kind a draft, tested on these calls.

By the same signatures, the same judgment of what is no error, the same proposal as the detector's. Memory is bounded: of each tool
the newest calls are kept, of each kind of error the newest occurrences.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from casebook.case import Case
from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.facts.tools import canonical_tool
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import NEWEST_CALLS, Figures
from casebook.runtime.learning.claims import case_id_of
from casebook.runtime.learning.counting import Group, group_of, kept, members, occurrence_of
from casebook.runtime.learning.proposal import propose
from casebook.runtime.learning.recording import Asked, event_of
from casebook.runtime.learning.scope import shared_scope

CHARS: Final = 2_000
"""Characters of one value of a call's arguments that are kept."""
_TOOLS: Final = 500
"""Tools of which calls are kept; those of a further one are counted alone."""
_SIGNATURES: Final = 20_000
"""Kinds of error of which occurrences are kept; of a transcript with more of them the later ones are one-offs as the first were."""


@dataclass(frozen=True, slots=True)
class Told:
    """One call of a transcript.

    Attributes:
        where: its file and place, as people write it; it is the id of its event.
        host: the host's name; ids of two hosts may be alike.
        tool: the host's own name of the tool.
        args: its arguments.
        error: as the host tells it, or None.
        type: the class of its error, or None.
        call: the host's id of it, which the same call in another file has too; empty where there is none.
        session: the host's id, or empty.
        turn: likewise.
        user: who the agent worked for, or None.
        project: likewise.
        at: when, aware, UTC.
    """

    where: str
    host: str
    tool: str
    at: datetime
    args: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    type: str | None = None
    call: str = ""
    session: str = ""
    turn: str = ""
    user: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A repeated error.

    Attributes:
        case: the draft.
        signature: of the error.
        errors: how often it came, of what is kept.
        counted: how often of these the policy counts: a call once a turn where the host tells turns.
        sessions: in how many sessions.
        first, last: when.
        evidence: file, place and date of the occurrences that are kept, the oldest first.
        figures: on the calls that were read.
        reasons: a sentence for each condition, and what else is to be known.
    """

    case: Case
    signature: str
    errors: int
    counted: int
    sessions: int
    first: datetime
    last: datetime
    evidence: tuple[str, ...]
    figures: Figures
    reasons: tuple[str, ...]


class Gathering:
    """Takes calls one by one and gives the errors that came again."""

    def __init__(self, policy: Policy) -> None:
        """Begin with none; the policy is the casebook's for which drafts are made."""
        self._policy = policy
        self._tools: dict[str, deque[tuple[int, Told]]] = {}
        self._errors: dict[str, deque[EventRecord]] = {}
        self._hosts: dict[str, set[str]] = {}
        self._known: set[bytes] = set()
        self.calls = self.failed = self.counted = self.again = 0

    def take(self, told: Told) -> None:
        """Take a call; one that stands in another file too (a session that was resumed or forked) is taken once."""
        if told.call:
            key = blake2b(f"{told.host}\0{told.call}\0{told.tool}\0{told.at}".encode("utf-8", "replace"), digest_size=8)
            if key.digest() in self._known:
                self.again += 1
                return
            self._known.add(key.digest())
        self.calls += 1
        seq = self.calls
        tool = canonical_tool(told.tool, self._policy.tools)
        if tool in self._tools or len(self._tools) < _TOOLS:
            self._tools.setdefault(tool, deque(maxlen=NEWEST_CALLS)).append((seq, _cut(told)))
        if told.error is None and told.type is None:
            return
        self.failed += 1
        event = self._event(seq, told)
        signature = event.signature
        if not event.counted or signature is None:
            return
        self.counted += 1
        if signature in self._errors or len(self._errors) < _SIGNATURES:
            self._errors.setdefault(signature, deque(maxlen=kept(self._policy.detector))).append(event)
            self._hosts.setdefault(signature, set()).add(told.host)

    def found(
        self, now: datetime, *, known: Collection[str] = (), note: Callable[[Sequence[str]], str] | None = None
    ) -> tuple[Found, ...]:
        """Give the errors that came often enough, the most frequent first.

        Args:
            now: the present instant, aware: when the drafts are made.
            known: signatures that are left out.
            note: makes the sentence which the situation of each ends with, of the names of the hosts where it was found.
        """
        rules = self._policy.detector
        groups: list[tuple[str, Group, tuple[EventRecord, ...]]] = []
        for signature, errors in self._errors.items():
            if signature in known or len(errors) < rules.threshold:
                continue
            events = sorted(errors, key=lambda each: each.seq)
            occurrences = [occurrence_of(each) for each in events]
            group = max(
                (group_of(occurrences, user, rules, now) for user in {each.principal.user for each in events}),
                key=lambda each: each.count,
            )
            if group.count >= rules.threshold:
                groups.append((signature, group, members(events, group, rules, now)))
        groups.sort(key=lambda each: (-each[1].count, each[0]))
        past = _Calls({tool: [self._event(*each) for each in calls] for tool, calls in self._needed(groups).items()})
        return tuple(
            self._found(
                signature,
                group,
                events,
                past,
                now=now,
                note=note(sorted(self._hosts[signature])) if note is not None else "",
            )
            for signature, group, events in groups
        )

    def _needed(
        self, groups: Sequence[tuple[str, Group, tuple[EventRecord, ...]]]
    ) -> dict[str, list[tuple[int, Told]]]:
        """Give what is needed of the calls: those of the tools that failed, and those around them in their sessions."""
        tools = {event.tool for _, _, events in groups for event in events}
        sessions = {event.session for _, _, events in groups for event in events if event.session}
        return {
            tool: [each for each in calls if tool in tools or _session(each[1]) in sessions]
            for tool, calls in self._tools.items()
        }

    def _found(
        self, signature: str, group: Group, events: tuple[EventRecord, ...], past: _Calls, *, now: datetime, note: str
    ) -> Found:
        users = self._policy.detector.users
        proposal = propose(
            case_id_of(signature), signature, events, past, self._policy, now,
            scope=shared_scope(events, users), shared=group.shared, note=note, draft=True,
        )  # fmt: skip
        dates = {each.id: f"{each.id} ({each.at:%Y-%m-%d})" for each in events}
        form = proposal.case.to_json()
        source = dict(form["source"])
        source["evidence"] = [dates.get(str(each), each) for each in source["evidence"]]
        return Found(
            Case.from_json({**form, "source": source}), signature, len(events), group.count,
            len({(each.session, each.principal.user) for each in events}), min(each.at for each in events),
            max(each.at for each in events), tuple(map(str, source["evidence"])), proposal.figures, proposal.reasons,
        )  # fmt: skip

    def _event(self, seq: int, told: Told) -> EventRecord:
        """Give the event that a call would have been in the journal."""
        of: dict[str, Any] = {
            "tool": told.tool, "args": dict(told.args) or None, "id": told.where[-512:], "turn": told.turn[-512:] or None,
            "at": told.at,
        }  # fmt: skip
        is_error = told.error is not None or told.type is not None
        outcome = Outcome.error(told.type, told.error, **of) if is_error else Outcome.success(**of)
        principal = Principal(told.user, told.project, frozenset(), None)
        event = event_of(outcome, Asked(session=_session(told), principal=principal), self._policy, told.at)
        return replace(event, seq=seq)


def _session(told: Told) -> str | None:
    return f"{told.host}:{told.session}" if told.session else None


def _cut(told: Told) -> Told:
    """Give a call without what a file holds, and without its error's whole text, which was looked at already."""
    args = {name: value[:CHARS] if isinstance(value, str) else value for name, value in told.args.items()}
    if len(repr(args)) > 4 * CHARS:
        args = {name: value for name, value in args.items() if isinstance(value, str | int | float | bool)}
        args = dict(list(args.items())[:20])
    error = (
        told.error
        if told.error is None or len(told.error) <= 4 * CHARS
        else f"{told.error[:CHARS]} … {told.error[-CHARS:]}"
    )
    return Told(
        told.where, told.host, told.tool, told.at, args, error, told.type, told.call, told.session, told.turn, told.user,
        told.project,
    )  # fmt: skip


class _Calls:
    """The calls that were read, as the past of a proposal."""

    def __init__(self, calls: Mapping[str, Sequence[EventRecord]]) -> None:
        self._calls = calls
        self._sessions: dict[tuple[str | None, str | None], list[EventRecord]] = {}
        for each in sorted((each for some in calls.values() for each in some), key=_seq):
            self._sessions.setdefault((each.session, each.principal.user), []).append(each)

    def of(self, tools: Collection[str], intents: Collection[str]) -> Sequence[EventRecord]:  # noqa: ARG002 - a transcript tells no intents
        return [each for tool in tools for each in self._calls.get(tool, ())]

    def earlier(self, record: EventRecord) -> Sequence[EventRecord]:
        events = self._of(record)
        return events[: bisect_left(events, record.seq, key=_seq)]

    def later(self, record: EventRecord) -> Sequence[EventRecord]:
        events = self._of(record)
        return events[bisect_right(events, record.seq, key=_seq) :]

    def _of(self, record: EventRecord) -> list[EventRecord]:
        return [] if record.session is None else self._sessions.get((record.session, record.principal.user), [])


def _seq(record: EventRecord) -> int:
    return record.seq
