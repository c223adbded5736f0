"""Taking a judgment back: what it changed is brought to what it was before, and the undoing is journaled, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casebook.case import LoadedCase
from casebook.faults import CasebookError, NotFoundError
from casebook.runtime.journal.records import Entry
from casebook.runtime.journal.versions import Changed, both, keep
from casebook.runtime.review.asked import undo_changes
from casebook.runtime.review.feedback import unjudge_memory
from casebook.runtime.review.queue import undone_in
from casebook.runtime.review.review import Review, bring

UNDOABLE = frozenset({"approve", "reject", "mute", "unmute", "wrong", "revert", "edit", "add", "archive", "restore"})
"""Actions whose entries hold the case before and after them."""


class UndoError(CasebookError):
    """A change that cannot be taken back as things stand; the message says why, and what to do instead."""


def undo(review: Review, which: str | None = None) -> tuple[Entry, Entry, LoadedCase | None]:
    """Take a judgment, or another change that a person made, back. Fields that it did not touch stay as they are.

    To undo a `reject` lifts the tombstone: the signature may make a case again.

    Args:
        review: the desk.
        which: the number or the id of its entry; None is the last that a person made and that stands, whatever it was.

    Returns:
        The entry that was undone, the entry of the undoing, and the case as it serves now.

    Raises:
        NotFoundError: there is no such entry, or nothing to undo.
        UndoError: it cannot be undone, was undone already, or somebody has changed the same fields since.
        StoreError: it cannot be written.
    """
    entry = _entry(review, which)
    before, after = entry.body.get("before"), entry.body.get("after")
    now = review.case(_id_now(entry))
    made = _back(review, entry, before, after, now)
    if "memory" in entry.body:
        unjudge_memory(review, entry.body["memory"], entry.subject)
    for remark in entry.body.get("remarks", ()):
        unjudge_memory(review, remark, remark["id"])
    renamed = undo_changes(review, entry.body["memories"]) if "memories" in entry.body else {}
    change = Changed(now, made)
    keep(review.journal, (change,), review.clock(), review.actor)
    body = {"entry": entry.id, "undone": entry.action, "number": entry.seq, **both(change)}
    if "memories" in entry.body:
        several = entry.body["memories"]
        body["memories"] = [
            {"id": renamed.get(each["id"], each["id"]), "before": each["after"], "after": each["before"]}
            for each in several
        ]
    line = Entry(
        f"undo:{entry.id}", review.clock(), review.actor, "undo", entry.subject, entry.signature, body
    )  # an id that all would give it: of two who undo at once one does
    if review.journal.append((line,)) == (False,):
        raise UndoError(f"#{entry.seq} {entry.action} {entry.subject} was undone already")
    return entry, review.journal.entry(line.id) or line, made


def _entry(review: Review, which: str | None) -> Entry:
    """Find the entry that is meant, and refuse what cannot be undone."""
    entries = review.journal.entries(actions=(*sorted(UNDOABLE), "undo"))
    undone = undone_in(entries)
    if which is None:
        if (last := last_standing(review)) is None:
            raise NotFoundError("there is nothing to undo: nobody has judged or changed a case here")
        return last
    number = which.removeprefix("#")
    seq = int(number) if number.isascii() and number.isdigit() else None
    found = next((each for each in entries if each.id == which or each.seq == seq), None)
    if found is None:
        other = review.journal.entry(which) or _by_number(review, seq)
        if other is None:
            raise NotFoundError(f"there is no entry {which} in the audit log; `casebook review log` lists them")
        raise UndoError(f"#{other.seq} {other.action} {other.subject}: {_instead(other)}")
    if found.action == "undo":
        raise UndoError(f"#{found.seq} is an undoing itself; make the judgment again instead")
    if found.id in undone:
        raise UndoError(f"#{found.seq} {found.action} {found.subject} was undone already")
    return found


def _instead(entry: Entry) -> str:
    """Say how something is taken back that is no judgment."""
    if entry.action == "move":
        return f"a move of upkeep: `casebook reconcile undo {entry.seq}` takes it back"
    if entry.action == "remember":
        return (
            f"something that was remembered: `casebook archive {entry.subject}` takes it out, `casebook history {entry.subject}` has what "
            "it said before"
        )
    return "only what a person judged or changed is undone"


def last_standing(review: Review) -> Entry | None:
    """Give the last entry that a person made, that can be undone, and that was not; None where there is none."""
    entries = review.journal.entries(actions=(*sorted(UNDOABLE), "undo"))
    undone = undone_in(entries)
    own = (each for each in reversed(entries) if each.action in UNDOABLE and each.actor.startswith("person:"))
    return next((each for each in own if each.id not in undone), None)


def _by_number(review: Review, seq: int | None) -> Entry | None:
    found: Sequence[Entry] = () if seq is None else review.journal.entries(after=seq - 1)
    return found[0] if found and found[0].seq == seq else None


def _id_now(entry: Entry) -> str:
    """Give the id that the case of an entry has after it: an edit may have renamed it."""
    after = entry.body.get("after")
    return str(after["case"].get("id", entry.subject)) if after else entry.subject


def _back(
    review: Review,
    entry: Entry,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    now: LoadedCase | None,
) -> LoadedCase | None:
    """Bring a case to what it was, as far as the entry changed it; give it as it serves then."""
    if before == after:
        return now
    if before is None:
        if entry.action == "edit":
            raise UndoError(
                f"#{entry.seq} edit {entry.subject}: what stood there before did not serve, and is not kept"
            )
        if now is not None:
            _refuse_changed(entry, (after or {}).get("case", {}), now.case.to_json(), {})
            review.store.archive(now.id, reason=f"undone: {entry.action}")
        return None
    if now is None:
        if after is not None:
            raise UndoError(
                f"#{entry.seq} {entry.action} {entry.subject}: the case is not in service now; `casebook restore` or "
                f"`casebook revert {entry.subject} {before['version']}` brings it back"
            )
        return _restored(review, entry.subject, before)
    if after is None:  # it was taken out of service, and somebody has brought it, or another, back already
        return now
    former, later, held = before["case"], after["case"], now.case.to_json()
    _refuse_changed(entry, later, held, former)
    wanted = {name: former[name] for name in former if former[name] != later.get(name)}
    gone = [name for name in later if name not in former and name in held]
    review.store.edit(now.id, wanted, remove=gone, if_version=now.version)
    return review.case(str(former.get("id", now.id)))


def _refuse_changed(entry: Entry, later: Mapping[str, Any], held: Mapping[str, Any], former: Mapping[str, Any]) -> None:
    """Raise UndoError where somebody has since changed what the entry changed."""
    for name in {**former, **later}:
        changed = former.get(name) != later.get(name)
        if changed and held.get(name) not in (later.get(name), former.get(name)):
            raise UndoError(
                f"#{entry.seq} {entry.action} {entry.subject}: {name} has been changed since, and is left as it is; "
                f"`casebook history {entry.subject}` shows the texts, `casebook revert` brings one back"
            )


def _restored(review: Review, case_id: str, before: Mapping[str, Any]) -> LoadedCase | None:
    """Bring a case back into service: from the archive, byte for byte, else from what the entry kept of it."""
    try:
        review.store.restore(case_id)
    except NotFoundError:
        return bring(review.store, case_id, before["case"], str(before.get("place", "")))
    now = review.case(case_id)
    if now is None or now.version != before["version"]:
        return bring(review.store, case_id, before["case"], str(before.get("place", "")))
    return now
