"""The part of the job `audit` that looks at cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.faults import Fault
from casebook.instants import instant
from casebook.runtime.upkeep.audit_asking import AGAIN, Asking, broken
from casebook.runtime.upkeep.protocol import Desk, Move

_ARCHIVE: Mapping[str, Any] = {"do": "archive"}
_KEEP: Mapping[str, Any] = {"do": "keep"}

_PAIRS = 1_000
"""Pairs of cases that are compared in earnest to find those that another silences for ever, about half a second (ours)."""

_CANNOT_FIRE = ("never", "dead", "superseded")
"""The kinds of lint findings that say that a case can never fire."""


def audit_cases(desk: Desk, asking: Asking, feedback: Mapping[str, tuple[str, ...]]) -> Iterator[Move]:
    """Give the moves of cases that are due: to the archive where they have expired, else to review.

    A learnt case whose time is over is archived like any other, without an entry that would bury its signature: should its
    error come back often enough, the detector revives it from what its claim holds.

    Args:
        desk: the casebook.
        asking: what was asked and answered.
        feedback: by id, the events in which people spoke of a case.

    Raises:
        StoreError: the journal cannot be read.
    """
    snapshot = desk.cases.snapshot()
    dead = _dead(desk)
    for loaded in snapshot.cases.values():
        if loaded.case.status == "archived":
            continue
        if loaded.expires is not None and loaded.expires <= desk.now:
            if not asking.was_brought_back(loaded.id, loaded.expires):
                yield Move("archive_case", loaded.id, "audit", "its time is over", reason="expired")
                continue
            why = "its time is over, and a person brought it back"
            yield from _ask(
                asking, "outdated", loaded, why, known=f"over:{loaded.expires.isoformat()}", proposal=_ARCHIVE
            )
        yield from _outdated(desk, asking, loaded)
        yield from _wrong(asking, loaded, feedback.get(loaded.id, ()))
        if loaded.case.status == "active":
            yield from _silent(desk, asking, loaded, dead.get(loaded.id))
    for fault in snapshot.faults:
        if fault.severity == "error" and fault.path.startswith("long_term/"):
            yield from broken(asking, fault)


def _outdated(desk: Desk, asking: Asking, loaded: LoadedCase) -> Iterator[Move]:
    after = loaded.case.review_after
    if after is not None and instant(after, desk.policy.timezone) <= desk.now:
        why = f"it was to be looked at from {after} on"
        yield from _ask(asking, "outdated", loaded, why, known=f"review:{after}", proposal=_KEEP)


def _wrong(asking: Asking, loaded: LoadedCase, feedback: tuple[str, ...]) -> Iterator[Move]:
    """Ask about what was said against a case since it was last judged and does not wait already; the newest word is enough."""
    said = asking.unheard(loaded.id)
    if said:
        last = said[-1]
        whys = {"wrong": "a person said that it is wrong", "flag": "it does not help", "hold": "it was held back"}
        yield from _ask(asking, "wrong", loaded, whys[last.action], known=last.id, proposal=_KEEP)
    elif feedback:
        yield from _ask(asking, "wrong", loaded, "a person gave feedback about it", known=feedback[-1], proposal=_KEEP)


def _silent(desk: Desk, asking: Asking, loaded: LoadedCase, dead: str | None) -> Iterator[Move]:
    if dead is not None:
        yield from _ask(asking, "dead", loaded, dead, known=f"text:{loaded.version}", proposal=_ARCHIVE)
        return
    used = last_fired(desk, loaded)
    if used is not None and desk.now - used > AGAIN:
        day = used.isoformat(timespec="seconds")
        yield from _ask(asking, "idle", loaded, f"it has not fired since {day}", known=day, proposal=_ARCHIVE)


def last_fired(desk: Desk, loaded: LoadedCase) -> datetime | None:
    """Give when a case fired last, as the journal or its own floor says; of one that never fired, since when it could have.

    That is `created_at`, or the first of its texts that the journal knows; None where neither says.
    """
    known = [desk.journal.fired(loaded.id).last, loaded.created]
    if loaded.case.last_triggered is not None:
        known.append(instant(loaded.case.last_triggered, desk.policy.timezone))
    found = max((each for each in known if each is not None), default=None)
    if found is not None:
        return found
    versions = desk.journal.versions(loaded.id)
    return versions[0].at if versions else None


def _dead(desk: Desk) -> Mapping[str, str]:
    """Give the ids of the cases that can never fire, each with why in words that quote nothing of it."""
    from casebook.runtime.lint import dead, holding
    from casebook.runtime.lint.book import book_of

    snapshot = desk.cases.snapshot()
    book = book_of(snapshot, now=desk.now, pairs=_PAIRS)
    whys = {
        "never": "its conditions can never hold together",
        "dead": "it can never fire where or when it is to",
        "superseded": "another case silences it wherever it would fire",
    }
    found: dict[str, str] = {}
    for subject in book.subjects:
        for finding in holding.never(book, subject):
            _note(found, finding.fault, whys[finding.kind])
    for finding in dead.find(book):
        if finding.kind in _CANNOT_FIRE and _everywhere(snapshot.cases, finding.fault):
            _note(found, finding.fault, whys[finding.kind])
    return found


def _note(found: dict[str, str], fault: Fault, why: str) -> None:
    if fault.case is not None:
        found.setdefault(fault.case, f"{why}; `casebook check` says more")


def _everywhere(cases: Mapping[str, LoadedCase], fault: Fault) -> bool:
    """Say whether a finding is about all points of a case: of several it may be dead at one, and useful at the others."""
    loaded = cases.get(fault.case or "")
    if loaded is None or fault.field != "on":
        return True
    told = fault.message.removeprefix("can never fire at ").partition(":")[0]
    return set(told.split(", ")) >= set(loaded.case.on)


def _ask(
    asking: Asking, reason: str, loaded: LoadedCase, why: str, *, known: str, proposal: Mapping[str, Any]
) -> Iterator[Move]:
    key = asking.key(reason, loaded.id, known)
    if key is not None:
        yield Move("ask", loaded.id, "audit", why, reason=reason, proposal=proposal, key=key)
