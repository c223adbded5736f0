"""A web page cannot reach the service, and nobody can send it too much or wait for it too long."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from casebook.adapters.http.guarding import Guard, Message, Receive, Scope, Send
from casebook.runtime import Runtime
from tests.http.service import bearer, client_of, token

MOST = 1024 * 1024


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:7477"}, 200),
        ({"Host": "LOCALHOST:7477"}, 200),
        ({"Origin": "http://127.0.0.1:7477"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:7477"}, 421),
        ({"Host": "127.0.0.1:7478"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1.evil.example:7477"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://127.0.0.1:7477"}, 403),
        ({"Origin": "http://127.0.0.1:80"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Host": "localhost:7477", "Origin": "http://127.0.0.1:7477"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_only_this_machine_and_no_other_page_asks(client: TestClient, headers: dict[str, str], status: int) -> None:
    told = client.get("/health", headers=headers)
    assert told.status_code == status
    assert not [name for name in told.headers if name.startswith("access-control")]


def test_a_preflight_of_a_page_is_refused(client: TestClient) -> None:
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    told = client.options("/v1/before_task", headers=headers)
    assert told.status_code == 403
    assert not [name for name in told.headers if name.startswith("access-control")]


def test_what_is_refused_says_where_what_was_expected_and_what_was_found(client: TestClient) -> None:
    told = client.get("/health", headers={"Host": "evil.example"}).json()["error"]
    assert (told["code"], told["where"], told["found"]) == ("wrong_host", "header.host", "evil.example")
    assert "127.0.0.1:7477" in told["expected"]


@pytest.mark.parametrize(("size", "status"), [(MOST, 422), (MOST + 1, 413)])
def test_a_request_of_a_megabyte_is_read_and_one_byte_more_is_not(client: TestClient, size: int, status: int) -> None:
    """At the limit it is read whole, and found to be no JSON."""
    headers = {**bearer(token()), "Content-Type": "application/json"}
    assert client.post("/v1/before_task", content=b"x" * size, headers=headers).status_code == status


def asked(guard: Guard, messages: list[Message], headers: list[tuple[bytes, bytes]]) -> tuple[list[Message], int]:
    """Ask a guard by hand; gives what it sent, and how many messages of the body it took."""
    import asyncio

    sent: list[Message] = []
    taken = 0

    async def receive() -> Message:
        nonlocal taken
        if taken == len(messages):
            await asyncio.sleep(60)
        taken += 1
        return messages[taken - 1]

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"127.0.0.1:7477"), *headers]}
    asyncio.run(cast("Any", guard(scope, cast("Receive", receive), cast("Send", send))))
    return sent, taken


async def no_app(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise AssertionError("nothing is to come through")


def test_a_body_that_is_announced_as_too_large_is_not_read_at_all() -> None:
    sent, taken = asked(Guard(no_app, 7477), [], [(b"content-length", b"99999999")])
    assert (sent[0]["status"], taken) == (413, 0)


def test_a_body_of_unknown_length_is_read_no_further_than_the_limit() -> None:
    pieces: list[Message] = [{"type": "http.request", "body": b"x" * 300_000, "more_body": True} for _ in range(100)]
    sent, taken = asked(Guard(no_app, 7477), pieces, [])
    assert (sent[0]["status"], taken) == (413, 4)


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    pieces: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}]
    sent, _ = asked(Guard(no_app, 7477, seconds=0.1), pieces, [])
    assert sent[0]["status"] == 408


def test_two_hosts_in_one_request_are_none() -> None:
    sent, _ = asked(Guard(no_app, 7477), [], [(b"host", b"evil.example")])
    assert sent[0]["status"] == 400


def test_an_answer_that_takes_too_long_is_503_and_the_next_is_answered(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers, going_on = bearer(token()), threading.Event()
    with Runtime.open(memory) as runtime:
        answered = runtime.before_task

        def slow(*given: Any, **named: Any) -> Any:
            going_on.wait(30)
            return answered(*given, **named)

        with client_of(runtime, seconds=1.0) as client:
            monkeypatch.setattr(runtime, "before_task", slow)
            told = client.post("/v1/before_task", json={"text": "deploy"}, headers=headers)
            assert (told.status_code, told.json()["error"]["code"]) == (503, "unavailable")
            going_on.set()
        with client_of(runtime) as client:
            assert client.post("/v1/before_task", json={"text": "deploy"}, headers=headers).status_code == 200


def test_a_fault_of_ours_is_told_as_one_without_its_inside(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret inside")

    with Runtime.open(memory) as runtime, client_of(runtime) as client:
        monkeypatch.setattr(runtime, "before_task", faulty)
        told = client.post("/v1/before_task", json={"text": "deploy"}, headers=bearer(token()))
    assert told.status_code == 500
    assert "secret inside" not in told.text


def test_where_no_casebook_is_served_it_is_up_and_not_ready(memory: Path) -> None:
    with client_of(None) as client:
        assert client.get("/health").status_code == 200
        told = client.get("/ready")
    assert told.status_code == 503
    assert "not trusted" in told.json()["error"]["message"]
