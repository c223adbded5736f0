"""The OpenAPI is true: whatever is sent by it, no answer is a fault of ours, and each is one that it names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from casebook.adapters.http.app import application
from casebook.adapters.http.desk import Desk
from casebook.adapters.http.pool import Borrowed
from casebook.clock import system_clock
from casebook.runtime import Runtime
from tests.http.service import bearer, book, token

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance, response_schema_conformance,
]  # fmt: skip


@pytest.fixture
def openapi(tmp_path: Path) -> Iterator[Any]:
    """The application without its guard, whose limits of time are no matter here."""
    with Runtime.open(book(tmp_path / "memory")) as runtime:

        @contextmanager
        def borrowed() -> Iterator[Borrowed]:
            yield Borrowed(runtime, "")

        desk = Desk(borrowed, system_clock)
        yield schemathesis.openapi.from_asgi("/openapi.json", application(desk))
        desk.close()


OPERATIONS = [
    ("GET", "/health"), ("GET", "/ready"), ("GET", "/v1/cases"), ("GET", "/v1/cases/{case_id}"), ("GET", "/v1/review"),
    ("POST", "/v1/before_task"), ("POST", "/v1/session_start"), ("POST", "/v1/after_task"), ("POST", "/v1/remember"),
    ("POST", "/v1/recall"), ("POST", "/v1/review/{subject}/approve"), ("POST", "/v1/review/{subject}/reject"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [
        (*each, mode)
        for each in OPERATIONS
        for mode in GenerationMode
        if mode is GenerationMode.POSITIVE or each[0] == "POST"
    ],
)
def test_whatever_is_sent_is_answered_as_the_openapi_says(
    openapi: Any, method: str, path: str, mode: GenerationMode
) -> None:
    headers = bearer(token("admin"))

    @settings(max_examples=25, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    @given(case=openapi[path][method].as_strategy(generation_mode=mode))
    def answered(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    answered()


def test_these_are_all_operations_there_are(openapi: Any) -> None:
    found = {(each.ok().method.upper(), each.ok().path) for each in openapi.get_all_operations()}
    assert found == set(OPERATIONS)


def test_every_route_but_two_takes_a_token(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    open_ones = {path for path, item in paths.items() for operation in item.values() if "security" not in operation}
    assert open_ones == {"/health", "/ready"}


def test_every_route_says_what_it_may_refuse(client: TestClient) -> None:
    form = client.get("/openapi.json").json()
    for path, item in form["paths"].items():
        for operation in item.values():
            assert {"401", "403", "408", "413", "421", "422", "503"} <= set(operation["responses"]), path
