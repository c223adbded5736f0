"""What waits for a person, and a reviewer's word on it. It is the queue of the first casebook, as far as it is within reach."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter

from casebook.adapters.http.desk import Desk, Here, Known
from casebook.adapters.http.forms import MISSING, REFUSALS, Judged, JudgmentBody, Queue, Waiting
from casebook.adapters.identity import Caller
from casebook.adapters.roles import refuse
from casebook.faults import NotFoundError
from casebook.problems import shown
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.review import judging
from casebook.runtime.review.feedback import words_of
from casebook.runtime.review.queue import Item, queue, waiting
from casebook.runtime.review.review import Review
from casebook.runtime.runtime import Runtime
from casebook.scope import Scope

routes = APIRouter(prefix="/v1", tags=["review"], responses=REFUSALS)


@routes.get("/review")
async def review_list(caller: Known, here: Here) -> Queue:
    """Give what waits, the longest waiting first."""
    refuse(caller, "review")

    def waits(runtime: Runtime) -> list[Waiting]:
        review = _review(runtime, here, caller)
        return [_waiting(each, review) for each in queue(review) if _is_within(each, review, caller.principal)]

    return Queue(waiting=await here.with_casebook(waits))


@routes.post("/review/{subject}/approve", responses=MISSING)
async def approve(subject: str, body: JudgmentBody, caller: Known, here: Here) -> Judged:
    """Approve what waits: a draft becomes active, what is proposed is applied."""
    refuse(caller, "approve")

    def judge(review: Review) -> judging.Judged:
        return judging.approve(review, subject, as_person=not body.quoted, because=body.because)

    return await _judged(subject, judge, caller, here)


@routes.post("/review/{subject}/reject", responses=MISSING)
async def reject(subject: str, body: JudgmentBody, caller: Known, here: Here) -> Judged:
    """Reject what waits: the case goes to the archive, and its error makes no new one for a while."""
    refuse(caller, "review")
    return await _judged(subject, lambda review: judging.reject(review, subject, because=body.because), caller, here)


async def _judged(subject: str, judge: Callable[[Review], judging.Judged], caller: Caller, here: Desk) -> Judged:
    def work(runtime: Runtime) -> judging.Judged:
        review = _review(runtime, here, caller)
        item = waiting(review, subject)
        if item is None or not _is_within(item, review, caller.principal):
            raise NotFoundError(f"nothing of {shown(subject)} waits within reach")
        return judge(review)

    done = await here.with_casebook(work)
    after = done.after
    return Judged(
        id=done.entry.subject, action=done.entry.action, entry=done.entry.seq, by=done.entry.actor,
        status=after.case.status if after is not None else None,
        correction_by=after.case.correction_by if after is not None else None,
        version=after.version if after is not None else None,
    )  # fmt: skip


def _review(runtime: Runtime, here: Desk, caller: Caller) -> Review:
    runtime.flush()
    return Review(runtime.journal, runtime.store, here.clock, f"person:{caller.principal.user}")


def _scope(item: Item) -> Scope | None:
    """Give whose it is; None where it is nothing that has a scope."""
    if item.loaded is not None:
        return item.loaded.case.scope
    if item.placed is not None:
        return item.placed.memory.scope
    if item.proposal is not None:
        return Scope.model_validate(item.proposal.get("scope") or {})
    return None


def _is_within(item: Item, review: Review, principal: Principal) -> bool:
    """Say whether somebody may know that it waits; of a user's words, whether they are their own, or nobody's."""
    scope = _scope(item)
    if scope is not None:
        return within(scope, principal)
    for entry in item.queued:
        event = review.journal.event(str(entry.body.get("event", "")))
        if event is not None and event.principal.user not in (None, principal.user):
            return False
    return True


def _waiting(item: Item, review: Review) -> Waiting:
    case = item.loaded.case if item.loaded is not None else None
    scope = _scope(item)
    return Waiting(
        id=item.subject, reasons=list(item.reasons), since=item.since.isoformat(),
        correction=case.correction if case is not None else None,
        correction_by=case.correction_by if case is not None else None,
        conditions=list(case.trigger_conditions) if case is not None else [],
        effect=case.effect if case is not None else None, status=case.status if case is not None else None,
        scope=scope.named if scope is not None else {}, signature=item.signature,
        words=words_of(review, item.queued) or None,
        proposal=dict(item.proposal) if item.proposal is not None else None,
        memory=item.placed.memory.to_json() if item.placed is not None else None,
    )  # fmt: skip
