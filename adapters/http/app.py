"""The application: its routes, and how what is refused is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from casebook import __version__
from casebook.adapters.http import case_routes, health_routes, memory_routes, review_routes, task_routes
from casebook.adapters.http.desk import Desk
from casebook.adapters.http.forms import JudgmentBody, RecallBody
from casebook.adapters.http.refusing import Refusal, RefusedError, in_parts, refusal_of
from casebook.faults import CasebookError, nearest
from casebook.problems import problems_in, shown

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
    async def unfit(request: Request, error: RequestValidationError) -> Response:
        return _response(_unfit(error, request.url.path))

    @app.exception_handler(HTTPException)
    async def answered(request: Request, error: HTTPException) -> Response:
        told = _not_there(error, request)
        if error.status_code == 400:  # nested too deep, or what is no text
            told = Refusal(400, "body: expected JSON, got what cannot be read", "body", "JSON", "what cannot be read")
        response = _response(told)
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response

    return app


def _unfit(error: RequestValidationError, path: str) -> Refusal:
    """Give what is wrong with a request's form: one of it with its parts, all of it in words."""
    for each in error.errors():
        if each["type"] == "json_invalid":
            return _no_json(error.body, each)
        if isinstance(each.get("input"), bytes):
            expected = "content-type: expected application/json, got another, or none"
            return Refusal(415, expected, "header.content-type", "application/json", "another, or none")
    form = RecallBody if path.endswith("/recall") else JudgmentBody
    problems = problems_in(error.errors(), {"body": form.model_fields})
    first = next((each for each in problems if each.suggestion), problems[0])
    return replace(in_parts(422, str(first)), message="; ".join(str(each) for each in problems[:5]))


def _no_json(body: object, details: Mapping[str, Any]) -> Refusal:
    """Give where a body stops being JSON, and why."""
    why = str((details.get("ctx") or {}).get("error", "no JSON"))
    at = details["loc"][-1]
    if not isinstance(body, str) or not isinstance(at, int):
        return Refusal(422, f"body: expected JSON, got what is none: {why}", "body", "JSON", why)
    line, column = body.count("\n", 0, at) + 1, at - body.rfind("\n", 0, at)
    told = f"body: expected JSON, got what is none at line {line}, column {column}: {why}"
    return Refusal(422, told, "body", "JSON", f"{why} at line {line}, column {column}")


def _not_there(error: HTTPException, request: Request) -> Refusal:
    """Give what is answered where a route, or a method of one, is not there: the nearest that is."""
    path = request.url.path
    if error.status_code == 405:
        allowed = next((value for name, value in (error.headers or {}).items() if name.lower() == "allow"), "another")
        return Refusal(405, f"method: expected {allowed}, got {request.method}", "method", allowed, request.method)
    if error.status_code == 404:
        near = nearest(path, request.app.openapi()["paths"]) or ""
        cure = f"; did you mean {near}?" if near else "; /openapi.json has all"
        return Refusal(404, f"path: expected a route, got {shown(path)}{cure}", "path", "a route", path, near)
    return Refusal(error.status_code, str(error.detail))


def _response(refusal: Refusal) -> Response:
    headers = {name.decode(): value.decode() for name, value in refusal.headers}
    return Response(refusal.body, refusal.status, headers)
