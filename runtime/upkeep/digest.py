"""The reconciliation digest: the moves of upkeep that a person has neither confirmed nor undone, folded from the audit log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.policy import JOBS
from casebook.redacting.redact import redact
from casebook.redacting.shorten import shortened
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry

TEXT_CHARS = 200
"""Characters of a memory's text that a digest shows (ours: a line or two)."""

ALL = ""
"""The subject of the `confirm` entry by which everything up to a number was confirmed."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One move of the digest.

    Attributes:
        number: of its entry, as in `casebook review log`.
        entry: the id of its entry.
        at: when, aware, UTC.
        job, kind, rule, why: of the move.
        subject: the id of the memory or case.
        text: of the memory as it is after the move (or was before it went), redacted and cut; empty for a case.
        what: the memory's kind, such as `fact`; empty for a case.
        scope: whose it is, by the keys that it names.
        before, after: the tiers, `archive`, or empty for a case.
        from_path, to_path: the files.
    """

    number: int
    entry: str
    at: datetime
    job: str
    kind: str
    rule: str
    why: str
    subject: str
    text: str
    what: str
    scope: Mapping[str, str]
    before: str
    after: str
    from_path: str
    to_path: str

    def to_json(self) -> dict[str, Any]:
        """Give it as `casebook reconcile --json` prints it."""
        return {
            "number": self.number, "at": self.at.isoformat(), "job": self.job, "move": self.kind, "id": self.subject,
            "kind": self.what or None, "text": self.text or None, "scope": dict(self.scope), "rule": self.rule, "why": self.why,
            "before": self.before or None, "after": self.after or None, "from": self.from_path or None,
            "to": self.to_path or None, "entry": self.entry,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands to be confirmed or undone.

    Attributes:
        moves: in the order in which they were made.
        last: the number of the last entry that was looked at; 0 where there is none.
    """

    moves: tuple[Shown, ...] = ()
    last: int = 0

    @property
    def by_job(self) -> Mapping[str, tuple[Shown, ...]]:
        """Give the moves of each job that made some, jobs in the order of `casebook.policy.JOBS`."""
        known = {name: at for at, name in enumerate(JOBS)}
        names = sorted({each.job for each in self.moves}, key=lambda name: (known.get(name, len(known)), name))  # type: ignore[call-overload]
        return {name: tuple(each for each in self.moves if each.job == name) for name in names}

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to look at."""
        return not self.moves


def digest(journal: Journal, *, since: datetime | None = None, patterns: tuple[str, ...] = ()) -> Digest:
    """Give the moves that stand: made, and since then neither confirmed nor undone.

    Args:
        journal: the casebook's.
        since: only those made at this instant or later; default all since everything was last confirmed.
        patterns: what is redacted beside the shipped ones (`policy.redact`).

    Raises:
        StoreError: the journal cannot be read.
    """
    moves = standing(journal)
    chosen = [each for each in moves if since is None or each.at >= since]
    return Digest(tuple(_shown(each, patterns) for each in chosen), moves[-1].seq if moves else 0)


def standing(journal: Journal, *, subject: str | None = None) -> Sequence[Entry]:
    """Give the entries of the moves that stand, of one subject where one is named, in order. Raises StoreError."""
    actions = ("move", "skip", "confirm", "undo")
    if subject is not None:
        entries = [each for each in journal.entries(subject=subject, actions=actions) if each.seq > settled(journal)]
    else:
        entries = list(journal.entries(actions=actions, after=settled(journal)))
    gone = answered(entries)
    return [each for each in entries if each.action == "move" and each.id not in gone]


def settled(journal: Journal) -> int:
    """Give the number up to which a person has confirmed everything. Raises StoreError."""
    whole = journal.entries(subject=ALL, actions=("confirm",), limit=1)
    upto = whole[-1].body.get("upto") if whole else None
    return upto if isinstance(upto, int) else 0


def answered(entries: Iterable[Entry]) -> frozenset[str]:
    """Give the ids of the moves that were not made, or that a person confirmed or took back."""
    return frozenset(str(each.body.get("entry")) for each in entries if each.action in ("skip", "confirm", "undo"))


def _shown(entry: Entry, patterns: tuple[str, ...]) -> Shown:
    body = entry.body
    before, after = _form(body, "before"), _form(body, "after")
    memory = after or before
    text = memory.get("text")
    scope = memory.get("scope")
    return Shown(
        number=entry.seq,
        entry=entry.id,
        at=entry.at,
        job=str(body.get("job", "")),
        kind=str(body.get("kind", "")),
        rule=str(body.get("rule", "")),
        why=str(body.get("why", "")),
        subject=entry.subject,
        text=shortened(" ".join(redact(text, patterns).split()), TEXT_CHARS) if isinstance(text, str) else "",
        what=str(memory.get("kind", "")),
        scope={str(key): str(name) for key, name in scope.items()} if isinstance(scope, Mapping) else {},
        before=str(before.get("tier", "")),
        after=str(after.get("tier", "")) or ("archive" if before else ""),
        from_path=str(body.get("from", "")),
        to_path=str(body.get("to", "")),
    )


def _form(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = body.get(name)
    return found if isinstance(found, Mapping) else {}
