"""Guarded code over a real casebook: the third failure makes a case, the fourth call is told, a block stops it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.runtime import Runtime
from casebook.runtime.answer.activation import Activation
from casebook.runtime.guard import BlockedError, current_activation

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
BLOCK = {
    "id": "no_wire", "trigger_conditions": ["tool is wire", "args.amount > 100"], "correction": "ask the bank", "effect": "block",
}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    (folder / "long_term" / "cases.json").write_text(json.dumps([BLOCK]), encoding="utf-8")
    return folder


@pytest.fixture
def runtime(root: Path) -> Iterator[Runtime]:
    with Runtime.open(root, clock=fixed_clock(NOW)) as opened:
        yield opened


def test_three_failing_calls_make_a_case_and_the_fourth_is_told(runtime: Runtime, root: Path) -> None:
    prompts = []

    @runtime.guard(tool="stock", session="s1")
    def look_up(item: int, casebook: Activation) -> None:
        prompts.append(casebook.prompt)
        raise KeyError(f"item {item} has no sku")

    for item in range(4):
        with pytest.raises(KeyError, match=f"item {item} has no sku"):
            look_up(item)
    assert [bool(each) for each in prompts] == [False, False, False, True]
    assert "KeyError" in prompts[3]
    (case,) = json.loads((root / "long_term" / "learnt.json").read_text())
    assert case["trigger_conditions"][0] == 'tool is "stock"'
    (file,) = (root / "short_term").glob("*.json")
    assert [each["kind"] for each in json.loads(file.read_text())["memories"]] == ["error"] * 4


def test_async_calls_do_the_same(runtime: Runtime) -> None:
    @runtime.guard(tool="stock", session="s1")
    async def look_up(item: int) -> str:
        activation = current_activation()
        if item < 3:
            raise KeyError(f"item {item} has no sku")
        return activation.prompt if activation is not None else ""

    async def scene() -> Any:
        for item in range(3):
            with pytest.raises(KeyError):
                await look_up(item)
        return await look_up(3)

    assert "KeyError" in asyncio.run(scene())


@pytest.mark.parametrize("amount, called", [(100, True), (101, False)])
def test_a_case_blocks_what_it_speaks_of(runtime: Runtime, amount: int, called: bool) -> None:
    done = []

    @runtime.guard()
    def wire(amount: int) -> None:
        done.append(amount)

    if called:
        wire(amount)
    else:
        with pytest.raises(BlockedError, match="wire was not called: no_wire blocks it") as caught:
            wire(amount)
        assert "ask the bank" in caught.value.prompt
    assert bool(done) is called


def test_interruptions_are_told_and_make_no_case(runtime: Runtime, root: Path) -> None:
    @runtime.guard(tool="wait", session="s1")
    def wait(number: int) -> None:
        raise KeyboardInterrupt

    for number in range(4):
        with pytest.raises(KeyboardInterrupt):
            wait(number)
    runtime.flush()
    events = runtime.journal.events(tools=["wait"])
    assert [(each.ok, each.counted) for each in events] == [(False, False)] * 4
    assert not (root / "long_term" / "learnt.json").exists()


@pytest.mark.parametrize("raised", [GeneratorExit, asyncio.CancelledError])
def test_other_interruptions_count_for_nothing_either(runtime: Runtime, raised: type[BaseException]) -> None:
    @runtime.guard(tool="wait", session="s1")
    def wait() -> None:
        raise raised

    with pytest.raises(raised):
        wait()
    (event,) = runtime.journal.events(tools=["wait"])
    assert event.counted is False


def test_a_block_of_a_task_is_reported(runtime: Runtime) -> None:
    with pytest.raises(OSError, match="disk"), runtime.task({"tool": "stock", "args": {"item": 1}, "session": "s1"}):
        raise OSError("disk full")
    with runtime.task({"tool": "stock", "args": {"item": 2}, "session": "s1"}):
        pass
    assert [each.ok for each in runtime.journal.events(tools=["stock"])] == [False, True]


def test_an_async_block_is_reported(runtime: Runtime) -> None:
    async def scene() -> None:
        with pytest.raises(OSError, match="disk"):
            async with runtime.atask({"tool": "stock", "session": "s1"}):
                raise OSError("disk full")

    asyncio.run(scene())
    assert [each.ok for each in runtime.journal.events(tools=["stock"])] == [False]


def test_secrets_among_the_arguments_are_not_kept(runtime: Runtime, root: Path) -> None:
    secret = "sk-" + "live4f9aB2cD8eF1gH7jK3mN6p"

    @runtime.guard(tool="login", session="s1")
    def login(password: str, header: str) -> None:
        raise PermissionError(f"bad header {header}")

    with pytest.raises(PermissionError):
        login("hunter2-and-more", f"Bearer {secret}")
    runtime.flush()
    kept = b"".join(each.read_bytes() for each in root.rglob("*") if each.is_file())
    assert secret.encode() not in kept
    assert b"hunter2-and-more" not in kept


def test_a_casebook_that_was_closed_breaks_nothing(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:

        @runtime.guard(tool="stock")
        def look_up(item: int) -> int:
            return item

        assert look_up(1) == 1
    with caplog.at_level(logging.WARNING, "casebook"):
        assert [look_up(2), look_up(3)] == [2, 3]
    told: list[Any] = [record.getMessage() for record in caplog.records if "before_task" in record.getMessage()]
    assert len(told) == 1
