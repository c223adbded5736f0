"""Claims: what the detector set out to write, as the audit log tells it.

Each text that the detector gives a case is claimed first, by an entry whose id all processes work out alike
(`promote:<case>:<generation>`), so that one of them wins; then it is written; then an entry `written:<case>:<generation>`
says so. The claim holds the whole text: whoever finds one that was not written can finish it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from casebook.runtime.journal.records import Entry

ACTOR = "detector"
Action = Literal["promote", "share", "revive", "widen", "narrow", "correct"]
"""promote: a new case · share: one user's case became everyone's · revive: an expired one lives again · widen: it comes up
where it did not · narrow: it comes up at fewer calls that succeed · correct: its correction is a better one."""
ACTIONS: tuple[Action, ...] = ("promote", "share", "revive", "widen", "narrow", "correct")

DRAFT = "draft"
"""The action of the entry by which a case is made of what a person said twice; its `events` are what was said."""

_NOT_TEXT = frozenset({"status", "mode", "last_triggered"})
"""Fields that say whether and when a case serves, not what it says: to change them is no edit of its text."""


def case_id_of(signature: str, user: str | None = None) -> str:
    """Give the id of the case that a signature makes, the same everywhere: `err-` and 12 digits of base 16.

    Args:
        signature: of the error.
        user: whose case it is, where another user's has that id already: 6 digits more. `""` stands for nobody.
    """
    base = f"err-{_digits(signature, 12)}"
    return base if user is None else f"{base}-{_digits(user, 6)}"


def feedback_id(event_id: str) -> str:
    """Give the id of the entry by which a user's words, an event, wait in the review queue."""
    return f"queue:feedback:{event_id}"


def _digits(text: str, number: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:number]


@dataclass(frozen=True, slots=True)
class Claim:
    """One text that the detector gave, or set out to give, a case.

    Attributes:
        entry: the entry that claims it.
        generation: from 1, one more with each text.
        written: whether it was finished: written, or given up because a person had decided otherwise.
    """

    entry: Entry
    generation: int
    written: bool

    @property
    def case_id(self) -> str:
        """Give the id of the case."""
        return self.entry.subject

    @property
    def signature(self) -> str:
        """Give the signature of the error that the case answers."""
        return self.entry.signature or ""

    @property
    def form(self) -> Mapping[str, Any]:
        """Give the whole case, as JSON."""
        found: Mapping[str, Any] = self.entry.body["case"]
        return found

    @property
    def user(self) -> str | None:
        """Give whose occurrences made it; None where nobody was named, and for everyone's."""
        found: str | None = self.entry.body.get("user")
        return found

    @property
    def shared(self) -> bool:
        """Say whether it was made of the occurrences of enough different users."""
        return bool(self.entry.body.get("shared"))

    @property
    def merged(self) -> tuple[str, ...]:
        """Give the ids of the cases that it takes the place of."""
        return tuple(self.entry.body.get("merged", ()))


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the audit log says of one signature.

    Attributes:
        signature: which.
        log: its entries, in order.
        claims: by the case's id, in order of their generation.
    """

    signature: str
    log: tuple[Entry, ...]
    claims: Mapping[str, tuple[Claim, ...]]

    @classmethod
    def of(cls, signature: str, log: Sequence[Entry]) -> Ledger:
        """Read the entries of a signature."""
        done = {each.id for each in log if each.action == "written"}
        claims: dict[str, list[Claim]] = {}
        for each in log:
            if each.actor == ACTOR and each.action in ACTIONS and "case" in each.body:
                generation = int(each.body.get("generation", 1))
                written = written_id(each.subject, generation) in done
                claims.setdefault(each.subject, []).append(Claim(each, generation, written))
        return cls(signature, tuple(log), {case_id: tuple(found) for case_id, found in claims.items()})

    def newest(self, case_id: str) -> Claim | None:
        """Give the last text of a case that was claimed, or None."""
        found = self.claims.get(case_id)
        return found[-1] if found else None

    def following(self, case_id: str) -> int:
        """Give the number of the generation that comes next."""
        newest = self.newest(case_id)
        return 1 if newest is None else newest.generation + 1

    @property
    def unwritten(self) -> tuple[Claim, ...]:
        """Give the newest claim of each case where it was not finished; an earlier one is overtaken."""
        return tuple(found[-1] for found in self.claims.values() if not found[-1].written)

    def withdrawn(self, claim: Claim) -> Entry | None:
        """Give the entry that took the case out of service since it was claimed (`reject`, `archive`), if nobody took that back."""
        undone = self._undone()
        moves = [
            each
            for each in self.log
            if each.action in _MOVES
            and each.seq > claim.entry.seq
            and each.subject == claim.case_id
            and each.id not in undone
        ]
        return moves[-1] if moves and moves[-1].action in ("reject", "archive") else None

    def approved(self, case_id: str) -> bool:
        """Say whether a person has approved a case since it was made, and nobody took that back."""
        made = max(
            (each.entry.seq for each in self.claims.get(case_id, ()) if each.entry.action == "promote"), default=0
        )
        undone = self._undone()
        return any(
            each.action == "approve" and each.subject == case_id and each.seq > made and each.id not in undone
            for each in self.log
        )

    def _undone(self) -> set[str]:
        """Give the ids of the entries that somebody took back."""
        return {str(each.body.get("entry")) for each in self.log if each.action == "undo"}

    def wrote(self, case_id: str, form: Mapping[str, Any]) -> bool:
        """Say whether a case says what the detector once gave it: if not, a person has edited it.

        A text that a person went back to (`revert`) is the person's choice, too.
        """
        mine = self.claims.get(case_id, ())
        last = mine[-1].entry.seq if mine else 0
        undone = self._undone()
        chosen = any(
            each.subject == case_id and each.seq > last and each.action in ("edit", "revert") and _judged(each)
            for each in self.log
            if each.actor != ACTOR and each.id not in undone
        )
        return not chosen and any(_words_alone(form) == _words_alone(claim.form) for claim in mine)


_MOVES = frozenset({"reject", "archive", "restore", "revert", "approve"})


def _judged(entry: Entry) -> bool:
    """Say whether an entry changed what a case says."""
    before, after = entry.body.get("before"), entry.body.get("after")
    if not before or not after:
        return entry.action == "revert"
    return _words_alone(before["case"]) != _words_alone(after["case"])


def _words_alone(form: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a case says, and not who stands behind it: to approve a text is not to edit it."""
    return {name: value for name, value in text_alone(form).items() if name != "correction_by"}


def is_approved(form: Mapping[str, Any], claim: Claim) -> bool:
    """Say whether a person stands behind a correction that came from elsewhere: it is not to be replaced by itself."""
    held, made = form.get("correction_by", "person"), claim.form.get("correction_by", "person")
    return bool(held == "person" and made != "person")


def text_alone(form: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a case says, without whether and when it serves."""
    return {name: value for name, value in form.items() if name not in _NOT_TEXT}


def claim_id(case_id: str, generation: int) -> str:
    """Give the id of the entry by which one process claims a text of a case."""
    return f"promote:{case_id}:{generation}"


def written_id(case_id: str, generation: int) -> str:
    """Give the id of the entry that says that it is written."""
    return f"written:{case_id}:{generation}"


def claiming(
    action: Action, case_id: str, generation: int, now: datetime, *, signature: str, body: Mapping[str, Any]
) -> Entry:
    """Make the entry that claims a text of a case; `body` holds `case`, `user`, `shared`, and what led to it."""
    told = {"generation": generation, **body}
    return Entry(claim_id(case_id, generation), now, ACTOR, action, case_id, signature, told)
