"""The cases, as far as whoever asks may know of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from casebook.adapters.http.desk import Here, Known
from casebook.adapters.http.forms import MISSING, REFUSALS, CaseLine, Cases, CaseWhole
from casebook.adapters.roles import refuse
from casebook.case import LoadedCase
from casebook.faults import NotFoundError
from casebook.problems import shown
from casebook.runtime.answer.isolation import reachable

routes = APIRouter(prefix="/v1", tags=["cases"], responses=REFUSALS)


@routes.get("/cases")
async def cases(
    caller: Known,
    here: Here,
    *,
    status: Annotated[str | None, Query(description="active, draft or disabled")] = None,
    effect: Annotated[str | None, Query(description="advise, confirm or block")] = None,
    tag: Annotated[str | None, Query(description="with this tag")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Cases:
    """List the cases within reach."""
    refuse(caller, "explain")
    snapshot = await here.with_casebook(lambda runtime: runtime.snapshot())
    found = [
        each
        for each in snapshot.cases.values()
        if reachable(each, caller.principal)
        and status in (None, each.case.status)
        and effect in (None, each.case.effect)
        and (tag is None or tag in each.case.tags)
    ]
    return Cases(cases=[_line(each) for each in found[offset : offset + limit]], total=len(found))


@routes.get("/cases/{case_id}", responses=MISSING)
async def case(case_id: str, caller: Known, here: Here) -> CaseWhole:
    """Give a case whole; one that is out of reach is none."""
    refuse(caller, "explain")
    snapshot = await here.with_casebook(lambda runtime: runtime.snapshot())
    loaded = snapshot.cases.get(case_id)
    if loaded is None or not reachable(loaded, caller.principal):
        raise NotFoundError(f"there is no case {shown(case_id)} within reach")
    return CaseWhole(case=loaded.case.to_json(), layer=loaded.layer, version=loaded.version)


def _line(loaded: LoadedCase) -> CaseLine:
    case = loaded.case
    return CaseLine(
        id=case.id, type=case.type, status=case.status, effect=case.effect, priority=case.priority, on=list(case.on),
        scope=case.scope.named, tags=list(case.tags), correction=case.correction, layer=loaded.layer, version=loaded.version,
    )  # fmt: skip
