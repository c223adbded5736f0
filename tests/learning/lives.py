"""A casebook in which things happen: events are recorded and learnt from, as `after_task` does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from casebook import Case
from casebook.case import LoadedCase
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import Entry, EventKind, EventRecord
from casebook.runtime.learning.detector import Detector
from casebook.runtime.learning.learnt import Learnt
from casebook.stores.folder import FolderStore

START = datetime(2026, 3, 20, 9, tzinfo=UTC)
SIGNATURE = "refund: payment not found"
MESSAGE = "Payment not found for this order"


def whose(user: str | None = None, project: str | None = None, team: str | None = None) -> Principal:
    return Principal(user, project, frozenset({team} if team else ()), None)


def failed(
    number: object,
    *,
    user: str | None = "ann",
    project: str | None = None,
    session: str | None = "s1",
    tool: str | None = "refund",
    signature: str | None = SIGNATURE,
    at: datetime = START,
    args: Mapping[str, Any] | None = None,
    counted: bool = True,
    turn: str | None = None,
    activation: str | None = None,
    **body: Any,
) -> EventRecord:
    """A call that failed."""
    kind: EventKind = "tool" if tool else "error"
    told = {"args": args if args is not None else {"order": f"o-{number}", "method": "card"}} if tool else {}
    error = {"type": "ToolError", "message": MESSAGE, "signature": signature}
    return EventRecord(
        f"e{number}", at, kind, session, whose(user, project), activation, tool, False, signature, counted, turn,
        {**told, **({"tool_native": tool} if tool else {}), "error": error, **body},
    )  # fmt: skip


def worked(
    number: object,
    *,
    user: str | None = "ann",
    session: str | None = "s1",
    tool: str = "refund",
    at: datetime = START,
    args: Mapping[str, Any] | None = None,
    **body: Any,
) -> EventRecord:
    """A call that succeeded."""
    given = args if args is not None else {"order": f"o-{number}", "method": "original"}
    told = {"args": given, "tool_native": tool, **body}
    return EventRecord(f"w{number}", at, "tool", session, whose(user), None, tool, True, None, False, None, told)


def said(
    number: object,
    text: str,
    *,
    by: str = "agent",
    user: str | None = "ann",
    session: str | None = "s1",
    at: datetime = START,
    activation: str | None = None,
    tool: str | None = None,
) -> EventRecord:
    """What somebody said works."""
    body = {"text": text, "correction": text, "correction_by": by}
    return EventRecord(
        f"c{number}", at, "correction", session, whose(user), activation, tool, None, None, False, None, body
    )


class Life:
    """One process of a casebook in a folder. Its clock stands still until it is moved."""

    def __init__(
        self, root: Path, policy: Policy | None = None, *, at: datetime = START, kind: type[Detector] = Detector
    ) -> None:
        self.root = root
        self.now = at
        self.policy = policy or Policy()
        self.store = FolderStore(root, clock=self.clock)
        self.journal = open_journal(root, self.clock)
        self.detector = kind(self.journal, self.store, self.clock)

    def clock(self) -> datetime:
        return self.now

    def wait(self, **length: float) -> None:
        self.now += timedelta(**length)

    def record(self, event: EventRecord) -> EventRecord:
        """As a process that is killed before it learns."""
        dated = replace(event, at=self.now) if event.at == START else event
        seq = self.journal.record(dated)
        return dated if seq is None else replace(dated, seq=seq)

    def live(self, *events: EventRecord) -> list[Learnt]:
        """Record events and learn from each."""
        return [self.detector.learn(self.record(event), self.policy) for event in events]

    def errors(self, *numbers: object, **fields: Any) -> list[Learnt]:
        return self.live(*(failed(number, **fields) for number in numbers))

    @property
    def cases(self) -> dict[str, LoadedCase]:
        return dict(self.store.snapshot().cases)

    def only(self) -> Case:
        (loaded,) = self.cases.values()
        return loaded.case

    def log(self, *actions: str) -> list[Entry]:
        return list(self.journal.entries(actions=actions or None))

    def queue(self) -> list[tuple[str, str]]:
        return [(entry.subject, entry.body["reason"]) for entry in self.log("queue")]

    def say(self, action: str, subject: str, actor: str = "person:kim", **body: Any) -> None:
        """Journal what a person did, as the review does."""
        self.journal.append(
            (Entry(f"{action}:{subject}:{len(self.log())}", self.clock(), actor, action, subject, SIGNATURE, body),)
        )

    def reject(self, case_id: str) -> None:
        self.store.archive(case_id, reason="rejected")
        self.say("reject", case_id)

    def close(self) -> None:
        self.journal.close()
        self.store.close()


@contextmanager
def life(root: Path, policy: Policy | None = None, *, kind_of_life: Any = None, **fields: Any) -> Iterator[Any]:
    """Open one, and close it."""
    root.mkdir(exist_ok=True)
    made = (kind_of_life or Life)(root, policy, **fields)
    try:
        yield made
    finally:
        made.close()


def policy_of(**detector: Any) -> Policy:
    """A policy that says something of the detector."""
    return Policy.model_validate({"detector": detector})
