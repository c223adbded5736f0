"""What is worth remembering goes in, through the write gate; memories come out."""

from __future__ import annotations

from fastapi import APIRouter

from casebook.adapters.http.desk import Here, Known
from casebook.adapters.http.forms import (
    MISSING,
    REFUSALS,
    CandidateBody,
    Fields,
    Found,
    RecallBody,
    Recalled,
    Remembered,
)
from casebook.adapters.http.task_routes import OWN
from casebook.adapters.identity import Caller, identity_of
from casebook.adapters.roles import refuse
from casebook.gate.candidate import Candidate
from casebook.gate.taking_back import takes_back

routes = APIRouter(prefix="/v1", tags=["memories"], responses=REFUSALS)


@routes.post("/remember", responses=MISSING)
async def remember(body: CandidateBody, caller: Known, here: Here) -> Remembered:
    """Take something through the write gate, and tell what became of each piece of it, dropped ones included."""
    refuse(caller, "remember")
    candidate = candidate_of(body, caller)
    kept = await here.with_casebook(lambda runtime: runtime.remember(candidate))
    return Remembered.model_validate({"kept": [each.to_json() for each in kept]})


@routes.post("/recall")
async def recall(body: RecallBody, caller: Known, here: Here) -> Found:
    """Find memories again by words, those within reach of whoever asks alone."""
    refuse(caller, "recall")
    who = identity_of(caller.principal, body.model_dump(include={*OWN}))
    found = await here.with_casebook(
        lambda runtime: runtime.recall(body.text, session=body.session, limit=body.limit, counts=body.counts, **who)
    )
    return Found(found=[Recalled.model_validate(each.to_json()) for each in found])


def candidate_of(form: Fields, caller: Caller) -> Candidate:
    """Give the candidate of a body, whose it is by the token.

    Who says it is the agent unless it is said. That a person has confirmed it is a reviewer's to say; so is what is for a team, or
    for everybody, and that it is the user who takes back what is known: their words take its place at once.

    Raises:
        IdentityError, ForbiddenError, UnfitMemoryError: it is another's, the role does not suffice, or it is no candidate.
    """
    own = identity_of(caller.principal, form)
    given = {"by": "agent", **{name: value for name, value in form.items() if name not in OWN}, **own}
    candidate = Candidate.from_json(given)
    if candidate.confirmed:
        refuse(caller, "review", "confirmed")
    if candidate.by == "user" and takes_back(candidate):
        refuse(caller, "review", "by")
    scope = candidate.scope
    if scope is not None and (scope.team is not None or not scope.named):
        refuse(caller, "team_scope", "scope")
    return candidate
