"""The application: its routes, and how what is refused is told."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from casebook import __version__
from casebook.adapters.http import case_routes, health_routes, memory_routes, review_routes, task_routes
from casebook.adapters.http.desk import Desk
from casebook.adapters.http.refusing import Refusal, RefusedError, refusal_of
from casebook.faults import CasebookError
from casebook.problems import Path, Problem, dotted, shown

_TOLD = """\
A casebook on this machine: ask before a task, report after it. Every route but /health and /ready takes a token of
`casebook serve token add`, which says who asks."""


def application(desk: Desk) -> FastAPI:
    """Give the application.

    Args:
        desk: its state.
    """
    app = FastAPI(title="casebook", version=__version__, description=_TOLD, docs_url=None, redoc_url=None)
    app.state.desk = desk
    for each in (task_routes, memory_routes, case_routes, review_routes, health_routes):
        app.include_router(each.routes)

    @app.exception_handler(CasebookError)
    async def refused_by_casebook(_: Request, error: CasebookError) -> Response:
        return _response(refusal_of(error))

    @app.exception_handler(RefusedError)
    async def refused(_: Request, error: RefusedError) -> Response:
        return _response(error.refusal)

    @app.exception_handler(RequestValidationError)
    async def unfit(_: Request, error: RequestValidationError) -> Response:
        return _response(_unfit(error))

    @app.exception_handler(HTTPException)
    async def answered(_: Request, error: HTTPException) -> Response:
        told = Refusal(error.status_code, str(error.detail))
        if error.status_code == 400:  # nested too deep, or what is no text
            told = Refusal(400, "body: expected JSON, got what cannot be read", "body", "JSON", "what cannot be read")
        response = _response(told)
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response

    return app


def _unfit(error: RequestValidationError) -> Refusal:
    """Give what is wrong with a request's form: the first of it with its parts, all of it in words."""
    problems: list[Problem] = []
    for each in error.errors():
        if each["type"] == "json_invalid":
            why = str((each.get("ctx") or {}).get("error", "no JSON"))
            return Refusal(422, f"body: expected JSON, got what is none: {why}", "body", "JSON", why)
        if isinstance(each.get("input"), bytes):
            expected = "content-type: expected application/json, got another, or none"
            return Refusal(415, expected, "header.content-type", "application/json", "another, or none")
        path: Path = tuple(each["loc"])
        problems.append(Problem(path, f"{each['msg'][:1].lower()}{each['msg'][1:]}, got {shown(each.get('input'))}"))
    first = error.errors()[0]
    told = "; ".join(map(str, problems[:5]))
    return Refusal(422, told, dotted(problems[0].path), str(first["msg"]), shown(first.get("input")))


def _response(refusal: Refusal) -> Response:
    headers = {name.decode(): value.decode() for name, value in refusal.headers}
    return Response(refusal.body, refusal.status, headers)
