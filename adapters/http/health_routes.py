"""Whether the process is up, and whether a casebook serves; for what watches over processes, without a token."""

from __future__ import annotations

from fastapi import APIRouter

from casebook import __version__
from casebook.adapters.http.desk import Here
from casebook.adapters.http.forms import REFUSALS, Health, Readiness

routes = APIRouter(tags=["health"], responses=REFUSALS)


@routes.get("/health")
async def health() -> Health:
    """Say that the process is up."""
    return Health(status="up", release=__version__)


@routes.get("/ready")
async def ready(here: Here) -> Readiness:
    """Say whether a casebook serves; 503 where none does."""
    snapshot = await here.with_casebook(lambda runtime: runtime.snapshot())
    return Readiness(ready=True, faults=len(snapshot.faults))
