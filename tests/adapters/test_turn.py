"""A turn, whatever framework it is of: odd arguments, a casebook in trouble, its modes, and many turns."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.exchange import Exchange
from casebook.adapters.hosts import host_of
from casebook.adapters.turn import Turn
from casebook.runtime import Runtime
from tests.adapters.books import POLICY, errors_of, written

HOST = host_of("langchain")


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with Runtime.open(written(tmp_path)) as opened:
        yield opened


def turn_of(runtime: Runtime, **options: Any) -> Turn:
    return Turn(Exchange(runtime, HOST), {"user": "ann"}, **options)


class Hostile:
    """Raises whatever is done to it."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __hash__ = __str__  # type: ignore[assignment]


def ring() -> dict[str, Any]:
    made: dict[str, Any] = {}
    made["self"] = made
    return made


@pytest.mark.parametrize(
    "args",
    [
        None, {}, {"a": "x" * 2_000_000}, {"a": float("nan"), "b": float("-inf")}, ring(), {"a": b"\xff"}, {1: 2, None: 3},
        {"a": {"b", "c"}}, {"a": Hostile()}, {"a": "\ud800"}, ["no", "mapping"], "text", 10**400, {"a": 10**5000},
    ],
    ids=repeat("odd"),
)  # fmt: skip
@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_of_odd_arguments_is_known_by_its_tool(runtime: Runtime, args: Any, is_async: bool) -> None:
    def both(tool: str) -> tuple[str, str]:
        turn = turn_of(runtime)
        if not is_async:
            turn.begin("hello")
            call = turn.ask(tool, args, "1")
            turn.report(call, ValueError("kaput"))
            return call.refusal, turn.text

        async def run() -> tuple[str, str]:
            await turn.abegin("hello")
            call = await turn.aask(tool, args, "1")
            await turn.areport(call, ValueError("kaput"))
            return call.refusal, turn.text

        return asyncio.run(run())

    assert "Never wipe; archive." in both("wipe")[0]
    refusal, text = both("install")
    assert (refusal, "Use pnpm install." in text) == ("", True)
    assert errors_of(runtime) == ["kaput"]


class TextlessError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_an_error_without_a_text_is_one_all_the_same(runtime: Runtime) -> None:
    turn = turn_of(runtime)
    turn.begin("hello")
    turn.report(turn.ask("install", {}, "1"), TextlessError())
    assert len(errors_of(runtime)) == 1


@pytest.mark.parametrize("shape", ["as it came", "under another", "in a group", "in a ring"])
def test_the_end_of_a_turn_by_an_error_of_its_call_is_no_second_error(runtime: Runtime, shape: str) -> None:
    turn, error = turn_of(runtime), ValueError("kaput")
    turn.begin("hello")
    turn.report(turn.ask("install", {}, "1"), error)
    other = RuntimeError("over it")
    ended: BaseException = {"as it came": error, "in a group": ExceptionGroup("all", [error])}.get(shape, other)
    if ended is other:
        other.__cause__ = error
    if shape == "in a ring":
        error.__cause__ = other
    turn.end(ended)
    assert errors_of(runtime) == ["kaput"]


def test_an_error_that_is_a_ring_of_causes_ends_a_turn(runtime: Runtime) -> None:
    turn, error = turn_of(runtime), ValueError("kaput")
    turn.begin("hello")
    error.__cause__ = error
    turn.end(error)
    assert errors_of(runtime) == ["kaput"]


@pytest.mark.parametrize("mode", ["off", "shadow", "advise", "enforce"])
def test_a_mode_says_what_is_told_and_what_is_blocked(tmp_path: Path, mode: str) -> None:
    with Runtime.open(written(tmp_path, policy=f"{POLICY}mode: {mode}\n")) as runtime:
        turn = turn_of(runtime)
        turn.begin("deploy it")
        call = turn.ask("wipe", {}, "1")
    assert ("Deploy on Monday" in turn.text) == (mode in ("advise", "enforce"))
    assert bool(call.refusal) == (mode == "enforce")


def test_in_the_holdout_nothing_is_advised_and_blocks_hold(tmp_path: Path) -> None:
    with Runtime.open(written(tmp_path, policy=f"{POLICY}holdout: 1\n")) as runtime:
        turn = turn_of(runtime)
        turn.begin("deploy it")
        assert turn.text == ""
        assert turn.ask("wipe", {}, "1").refusal


@pytest.mark.parametrize("on_failure", ["open", "closed"])
def test_where_the_casebook_fails_calls_alone_are_blocked_and_only_if_the_policy_says_so(
    tmp_path: Path, on_failure: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    with Runtime.open(written(tmp_path, policy=f"{POLICY}on_failure: {on_failure}\n")) as runtime:
        exchange = Exchange(runtime, HOST)
        Turn(exchange, {}).begin("hello")
        runtime.close()
        turn = Turn(exchange, {})
        turn.begin("deploy it")
        call = turn.ask("install", {}, "1")
        turn.report(call)
        turn.end()
    assert (turn.text, turn.injection.verdict) == ("", "allow")
    assert ("on_failure" in call.refusal) == (on_failure == "closed")


LOOKED_AT = {
    "id": "no_push", "situation": "x", "trigger_conditions": ['args.command contains "git push"'],
    "correction": "Open a pull request.", "effect": "block", "on": ["tool"],
}  # fmt: skip


@pytest.mark.parametrize(
    "padding", ["x" * 1_100_000, ring(), [[["y"] * 100] * 100] * 100], ids=["long", "a ring", "many"]
)
@pytest.mark.parametrize(("command", "on_failure", "refused"), [
    ("git push origin main", "open", "Open a pull request."), ("git status", "open", ""),
    ("git push origin main", "closed", "Open a pull request."), ("git status", "closed", "could not look at all of it"),
])  # fmt: skip
def test_what_stands_beside_a_command_takes_no_block_off_it(
    tmp_path: Path, padding: Any, command: str, on_failure: str, refused: str
) -> None:
    with Runtime.open(written(tmp_path, [LOOKED_AT], f"{POLICY}on_failure: {on_failure}\n")) as runtime:
        for args in ({"pad": padding, "command": command}, {"command": command, "pad": padding}):
            refusal = turn_of(runtime).ask("run", args, "1").refusal
            assert refusal == "" if refused == "" else refused in refusal


def test_what_of_a_call_was_not_looked_at_is_logged_once(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    for call in ("1", "2"):
        turn_of(runtime).ask("install", {"pad": "x" * 1_100_000}, call)
    (record,) = caplog.records
    assert record.getMessage() == (
        "casebook: a task (langchain): the task is larger than its limits: of args.pad a part was not looked at"
    )


@pytest.mark.parametrize("said", [None, 0, "", False])
def test_what_is_no_yes_is_none(runtime: Runtime, said: Any) -> None:
    turn = turn_of(runtime, on_confirm=lambda _: said)
    turn.begin("hello")
    assert turn.ask("publish", {}, "1").refusal


def test_an_answer_that_nobody_can_wait_for_is_no_yes(runtime: Runtime) -> None:
    async def yes(_: object) -> bool:
        return True

    class Later:
        def __await__(self) -> Any:
            yield

    for on_confirm in (yes, lambda _: Later()):
        turn = turn_of(runtime, on_confirm=on_confirm)
        turn.begin("hello")
        assert turn.ask("publish", {}, "1").refusal


def test_the_event_loop_is_not_held_up_while_the_casebook_is_asked(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    asked, told = Runtime.before_task, Runtime.after_task

    def before(self: Runtime, *args: Any, **options: Any) -> Any:
        threads.append(threading.get_ident())
        return asked(self, *args, **options)

    def after(self: Runtime, *args: Any) -> Any:
        threads.append(threading.get_ident())
        return told(self, *args)

    monkeypatch.setattr(Runtime, "before_task", before)
    monkeypatch.setattr(Runtime, "after_task", after)

    async def run() -> None:
        turn = turn_of(runtime)
        await turn.abegin("deploy it")
        await turn.areport(await turn.aask("install", {}, "1"))
        await turn.aend()

    asyncio.run(run())
    assert len(threads) == 4
    assert threading.get_ident() not in threads
