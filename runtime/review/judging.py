"""Judgments: approve, reject, edit. Each is one line of the audit log that holds all that is needed to undo it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from casebook.case import LoadedCase
from casebook.faults import NotFoundError, nearest
from casebook.redacting.redact import redact, shortened
from casebook.runtime.journal.records import Entry
from casebook.runtime.journal.versions import Changed, both, keep
from casebook.runtime.review.asked import do_proposed, proposed, refuse
from casebook.runtime.review.feedback import judge_memory, judge_remarks
from casebook.runtime.review.queue import Item, subjects, waiting
from casebook.runtime.review.review import Review, bring, signature_of

REASON_CHARS = 1_000
"""Characters of a person's reason that are kept."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judgment did.

    Attributes:
        entry: its line of the audit log.
        before, after: the case, or None where it was not, or is not, in service.
        item: what waited, or None where nothing did.
    """

    entry: Entry
    before: LoadedCase | None
    after: LoadedCase | None
    item: Item | None = None


def approve(review: Review, subject: str, *, as_person: bool = True, because: str = "") -> Judged:
    """Approve what waits: a draft becomes active, a proposal is applied; a case that is silenced stays so.

    Args:
        review: the desk.
        subject: the id of the case, or of the memory that waits.
        as_person: whether its correction is from now on the person's own, and no longer quoted: who approves it has read it.
        because: the person's reason.

    Raises:
        NotFoundError: there is no such case, and nothing of this id waits.
        StoreError: it cannot be written.
    """
    before = review.case(subject)
    item = waiting(review, subject)
    if before is None and (item is None or (item.is_moot and not item.is_memory)):
        raise unknown(review, subject)
    if item is not None and (item.is_memory or (item.asked is item.queued[-1] and proposed(item) == "archive")):
        return _do(review, item, before, because)
    after = before
    form = _approved(review, before, item, as_person=as_person)
    if form is not None and (before is None or form != before.case.to_json()):
        after = bring(review.store, subject, form, place="learnt.json")
    said: dict[str, Any] = {
        "as_person": as_person,
        "applied": item is not None and item.proposal is not None,
        "memory": judge_memory(review, item, "active"),
        "remarks": judge_remarks(review, subject),
    }
    return note(review, "approve", subject, before, after, item=item, because=because, **said)


def _do(review: Review, item: Item, before: LoadedCase | None, because: str) -> Judged:
    """Do what upkeep proposed about a memory or a case."""
    do, memories = proposed(item), []
    if item.is_memory:
        memories = do_proposed(review, item)
    elif before is not None:
        review.store.archive(item.subject, reason=f"approved: {item.reasons[-1]}")
    after = None if do == "archive" else before
    return note(
        review,
        "approve",
        item.subject,
        before,
        after,
        item=item,
        signed=False,
        because=because,
        did=do,
        of=_asked_in(item),
        memories=memories,
    )


def _asked_in(item: Item) -> str:
    """Give which of several questions about a memory a judgment answers; "" where it answers all that waits."""
    return item.asked.id if item.is_memory and item.asked is not None else ""


def _approved(
    review: Review, before: LoadedCase | None, item: Item | None, *, as_person: bool
) -> Mapping[str, Any] | None:
    """Give the case as it is to be, or None where none is concerned."""
    held = None if before is None else before.case.to_json()
    form = dict(held or {})
    if item is not None and item.proposal is not None:
        form = dict(item.proposal) if held is None else _applied(review, item, held)
    if not form:
        return None
    if form.get("status") == "draft":
        form["status"] = "active"
    if as_person and "correction_by" in form:  # without it, it is a person's
        form["correction_by"] = "person"
    if form.get("status") == "active" and "status" not in (held or {}):
        del form["status"]
    return form


def _applied(review: Review, item: Item, held: Mapping[str, Any]) -> dict[str, Any]:
    """Give a case with what is proposed for it; whether it serves, and its free fields, are not for a proposal to say.

    Where somebody has edited the case since it was proposed, only what the proposal was to change is changed.
    """
    proposed, entry = dict(item.proposal or {}), item.proposing
    kept = {name: value for name, value in held.items() if name == "status" or name.startswith(("x-", "$"))}
    edits = review.journal.entries(subject=item.subject, actions=("edit",), after=entry.seq if entry else 0)
    base = next((each.body["before"]["case"] for each in edits if each.body.get("before")), None)
    if base is not None:
        stays = {name: value for name, value in held.items() if name in proposed or name not in base}
        proposed = {**stays, **{name: value for name, value in proposed.items() if base.get(name) != value}}
    if "status" not in held:
        proposed.pop("status", None)
    return {**proposed, **kept}


def reject(review: Review, subject: str, *, because: str = "") -> Judged:
    """Reject what waits: the case goes to the archive, and its signature makes no new one for the tombstone's time.

    Where all that waits is a proposal for a case that serves, the proposal is refused, and the case stays as it is. A case
    that somebody has taken away while it waited leaves its tombstone all the same.

    Args:
        review: the desk.
        subject: the id of the case, or of the memory that waits.
        because: the person's reason, kept beside it.

    Raises:
        NotFoundError: there is no such case, and nothing of this id waits.
        StoreError: it cannot be written.
    """
    before = review.case(subject)
    item = waiting(review, subject)
    if before is None and item is None:
        raise unknown(review, subject)
    if item is not None and (item.only_proposes or item.is_memory or item.asked is item.queued[-1]):
        memories = refuse(review, item) if item.is_memory else []
        refused = [item.asked.body.get("reason")] if item.is_memory and item.asked else list(item.reasons)
        return note(
            review, "reject", subject, before, before,
            item=item, signed=False, because=because, refused=refused, memories=memories, of=_asked_in(item),
        )  # fmt: skip
    if before is not None:
        why = because_in(review, because).get("because")
        review.store.archive(subject, reason=f"rejected: {why}" if why else "rejected")
    said: dict[str, Any] = {"memory": judge_memory(review, item, "disabled"), "remarks": judge_remarks(review, subject)}
    return note(review, "reject", subject, before, None, item=item, because=because, **said)


def edit(
    review: Review, case_id: str, changes: Mapping[str, Any], remove: Iterable[str] = (), *, because: str = ""
) -> Judged:
    """Change a case and approve it so: a new correction is the person's own, and a draft becomes active, unless said otherwise.

    Args:
        review: the desk.
        case_id: which.
        changes: fields to their new JSON values.
        remove: fields to take out.
        because: the person's reason.

    Raises:
        NotFoundError: there is no such case.
        StoreError: the case would not serve so, or it cannot be written.
    """
    before = review.found(case_id)
    item = waiting(review, case_id)
    wanted = dict(changes)
    if "correction" in wanted:
        wanted.setdefault("correction_by", "person")
    if before.case.status == "draft" and "status" not in remove:
        wanted.setdefault("status", "active")
    review.store.edit(case_id, wanted, remove=tuple(remove), if_version=before.version)
    after = review.case(str(wanted.get("id", case_id)))
    return note(
        review,
        "edit",
        case_id,
        before,
        after,
        item=item,
        because=because,
        judged=True,
        remarks=judge_remarks(review, case_id),
    )


def note(
    review: Review,
    action: str,
    subject: str,
    before: LoadedCase | None,
    after: LoadedCase | None,
    *,
    item: Item | None = None,
    signed: bool = True,
    because: str = "",
    **said: Any,
) -> Judged:
    """Write a judgment that was made down: the texts before and after it, and its line. Raises StoreError.

    Args:
        review: the desk.
        action: what was done.
        subject: to which case or memory.
        before: the case as it was.
        after: the case as it is.
        item: what had waited.
        signed: whether the line bears the signature of the error: with it, a `reject` is a tombstone.
        because: the person's reason.
        said: what else the body shall hold.
    """
    change = Changed(before, after)
    body = {
        **because_in(review, because),
        **({"waited_for": list(item.reasons)} if item is not None else {}),
        **{name: value for name, value in said.items() if value},
        **both(change),
    }
    signature = (signature_of(before or after) or (item.signature if item is not None else None)) if signed else None
    keep(review.journal, (change,), review.clock(), review.actor)
    return Judged(review.written(review.line(action, subject, signature, body)), before, after, item)


def because_in(review: Review, because: str) -> Mapping[str, str]:
    """Give somebody's reason for the body of an entry: without secrets, shortened; nothing where none was given."""
    if not because.strip():
        return {}
    return {"because": shortened(redact(because, review.store.snapshot().policy.redact), REASON_CHARS)}


def unknown(review: Review, subject: str) -> NotFoundError:
    """Give the error for an id of which there is neither a case nor anything that waits."""
    if review.memory(subject) is not None:
        return NotFoundError(f"nothing about the memory {subject} waits; `casebook show {subject}` shows it")
    found = review.missing(subject)
    if "did you mean" in str(found) or "does not serve" in str(found):
        return found
    near = nearest(subject, subjects(review.journal))
    return NotFoundError(str(found) + (f"; did you mean {near}?" if near and near != subject else ""))
