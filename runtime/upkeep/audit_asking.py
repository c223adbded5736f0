"""Asking a person once: what was asked before, what was answered, and when the same may be asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from casebook.faults import Fault
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.review.queue import answers, undone_in
from casebook.runtime.upkeep.protocol import Move

AGAIN = timedelta(days=180)
"""How long what a person has kept is not asked about again (as long as an entry is idle before it is asked about)."""

JUDGMENTS = (
    "approve", "reject", "edit", "revert", "restore", "unmute", "confirm", "keep", "undo", "archive", "remember",
)  # fmt: skip
"""Actions by which a person says what is to become of an entry."""


_SAID = ("wrong", "flag", "hold")


def ask_prefix(reason: str, subject: str) -> str:
    """Give what the ids of all askings of one reason about one subject begin with (the key follows)."""
    return f"ask:{reason}:{subject}:"


@dataclass(frozen=True, slots=True)
class Asking:
    """What was asked and answered.

    Attributes:
        now: the instant of the run.
        asked: by the id of an asking, when it was asked; those that were taken back left out.
        judged: by subject, when a person judged it last.
        brought_back: by subject, when a person brought it back last (`restore`, or `undo` of a move).
        waiting: by subject, when it was last put to review, while nobody has answered.
        said: by subject, the entries that say that it is wrong or does no good (`wrong`, `flag`, `hold`), in order.
    """

    now: datetime
    asked: Mapping[str, datetime]
    judged: Mapping[str, datetime]
    brought_back: Mapping[str, datetime]
    waiting: Mapping[str, datetime]
    said: Mapping[str, tuple[Entry, ...]]

    @classmethod
    def of(cls, journal: Journal, now: datetime) -> Asking:
        """Read the audit log. Raises StoreError."""
        entries = journal.entries(actions=("queue", *_SAID, *JUDGMENTS))
        undone = undone_in(entries)
        asked: dict[str, datetime] = {}
        judged: dict[str, datetime] = {}
        back: dict[str, datetime] = {}
        waiting: dict[str, datetime] = {}
        said: dict[str, tuple[Entry, ...]] = {}
        for each in entries:
            if each.id in undone:
                continue
            if each.action == "queue":
                asked[each.id] = waiting[each.subject] = each.at
            elif each.action in _SAID:
                said[each.subject] = (*said.get(each.subject, ()), each)
            elif _is_persons(each):
                judged[each.subject] = each.at
                if each.action in ("restore", "undo"):
                    back[each.subject] = each.at
            if answers(each):
                waiting.pop(each.subject, None)
        return cls(now, asked, judged, back, waiting, said)

    def key(self, reason: str, subject: str, known: str) -> str | None:
        """Give the key under which something is to be asked; None where it is not to be asked now.

        Args:
            reason: as in `Move.reason`.
            subject: the id of the memory or case.
            known: what is known of it: another text of this is something new, and asked about at once.

        Returns:
            `known` itself the first time. Once a person has answered it, `known@` and the day of the answer, from `AGAIN` after
            the answer on. Nothing while it waits.
        """
        first = ask_prefix(reason, subject) + known
        last = self.asked.get(first)
        if last is None:
            return known
        answer = self.judged.get(subject)
        if answer is None or answer < last:
            return None
        again = f"{known}@{answer.isoformat(timespec='seconds')}"
        if self.now - answer <= AGAIN or ask_prefix(reason, subject) + again in self.asked:
            return None
        return again

    def is_asked(self, reason: str, subject: str, key: str) -> bool:
        """Say whether something was asked, whatever became of it."""
        return f"{ask_prefix(reason, subject)}{key}" in self.asked

    def was_brought_back(self, subject: str, since: datetime) -> bool:
        """Say whether a person brought something back at or after an instant."""
        back = self.brought_back.get(subject)
        return back is not None and back >= since

    def unheard(self, subject: str) -> tuple[Entry, ...]:
        """Give what was said against something since a person judged it last, unless it waits for a person already."""
        if subject in self.waiting:
            return ()
        judged = self.judged.get(subject)
        return tuple(each for each in self.said.get(subject, ()) if judged is None or each.at > judged)


def _is_persons(entry: Entry) -> bool:
    return entry.actor == "person" or entry.actor.startswith("person:")


def broken(asking: Asking, fault: Fault) -> Iterator[Move]:
    """Give the move that asks about something at fault; its subject is the id, or the file where no id can be read."""
    subject = fault.case or fault.path
    known = sha256(f"{fault.path}\0{fault.field}\0{fault.message}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    key = asking.key("wrong", subject, f"broken:{known}")
    if key is not None:
        where = fault.path if fault.line is None else f"{fault.path}:{fault.line}"
        why = f"{where} does not serve as it stands; `casebook check` says why"
        yield Move("ask", subject, "audit", why, reason="wrong", proposal={"do": "keep"}, key=key)
