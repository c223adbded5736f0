"""Guarded functions and blocks: they behave as alone, a case stops them, and what became of them is reported."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from collections.abc import AsyncIterator, Generator, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import pytest

from casebook.case import Case
from casebook.faults import CasebookError, StoreError
from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation
from casebook.runtime.guard import (
    BlockedError,
    ConfirmationNeededError,
    current_activation,
    guard,
    reporting,
)
from casebook.task import Task


def answer(verdict: Any = "allow", effect: str = "advise") -> Activation:
    case = Case.from_json(
        {"id": "c1", "trigger_conditions": ["always"], "correction": "not so", "effect": effect, "on": ["tool"]}
    )
    return Activation("a1", (case,), (), "## lessons", verdict, (), "reference", point="tool")


@dataclass(eq=False)
class Fake:
    """A runtime that answers as it is told and notes what it was told; `before` and `after` raise where they are set."""

    verdict: str = "allow"
    before: Exception | None = None
    after: Exception | None = None
    closed: bool = False
    tasks: list[Task] = field(default_factory=list)
    told: list[tuple[Any, Outcome]] = field(default_factory=list)

    def policy(self) -> Policy:
        return Policy(on_failure="closed" if self.closed else "open")

    def before_task(self, task: Task) -> Activation:
        self.tasks.append(task)
        if self.before is not None:
            raise self.before
        return answer(self.verdict, self.verdict if self.verdict != "allow" else "advise")

    def after_task(self, about: Any, outcome: Outcome) -> object:
        self.told.append((about, outcome))
        if self.after is not None:
            raise self.after
        return None

    async def abefore_task(self, task: Task) -> Activation:
        await asyncio.sleep(0)
        return self.before_task(task)

    async def aafter_task(self, about: Any, outcome: Outcome) -> object:
        await asyncio.sleep(0)
        return self.after_task(about, outcome)

    @property
    def kinds(self) -> list[tuple[str, str | None]]:
        return [(outcome.kind, outcome.type) for _, outcome in self.told]


# -- a function ----------------------------------------------------------------------------------------------------------


def test_a_function_is_called_and_its_success_reported_with_tool_and_arguments() -> None:
    runtime = Fake()

    @guard(runtime, session="s1", user="ann")
    def transfer(to: str, amount: int = 5, *rest: int, note: str | None = None, **more: Any) -> str:
        """Send money."""
        return f"{to} {amount}"

    assert transfer("bob", 7, urgent=True) == "bob 7"
    assert runtime.tasks[0].to_json() == {
        "tool": "transfer", "args": {"to": "bob", "amount": 7, "urgent": True}, "point": "tool", "session": "s1",
        "user": "ann",
    }  # fmt: skip
    about, outcome = runtime.told[0]
    assert about.id == "a1"
    assert outcome == Outcome.success(tool="transfer", args={"to": "bob", "amount": 7, "urgent": True})


def test_a_function_keeps_its_name_its_words_and_its_signature() -> None:
    def transfer(to: str, amount: int = 5) -> str:
        """Send money."""
        return to

    guarded = guard(Fake())(transfer)
    assert (guarded.__name__, guarded.__doc__, guarded.__module__) == ("transfer", "Send money.", __name__)
    assert inspect.signature(guarded) == inspect.signature(transfer)


def test_a_function_that_raises_raises_the_very_exception_and_it_is_reported() -> None:
    runtime, error = Fake(), KeyError("no such account")

    @guard(runtime, tool="bank")
    def transfer(to: str) -> None:
        raise error

    with pytest.raises(KeyError) as caught:
        transfer("bob")
    assert caught.value is error
    assert error.__context__ is None
    assert error.__cause__ is None
    assert runtime.told[0][1] == Outcome.error("KeyError", "'no such account'", tool="bank", args={"to": "bob"})


def test_a_function_whose_exception_cannot_say_itself_is_reported_by_its_class() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError("mute")

    runtime = Fake()

    @guard(runtime)
    def act() -> None:
        raise MuteError

    with pytest.raises(MuteError):
        act()
    assert runtime.told[0][1].type is not None
    assert runtime.told[0][1].type.endswith("MuteError")


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, asyncio.CancelledError, GeneratorExit])
def test_a_function_that_is_interrupted_says_so_by_the_name_of_the_interruption(raised: type[BaseException]) -> None:
    runtime = Fake()

    @guard(runtime)
    def act() -> None:
        raise raised

    with pytest.raises(raised):
        act()
    assert runtime.told[0][1].kind == "error"
    assert str(runtime.told[0][1].type).rpartition(".")[2] == raised.__name__


def test_a_function_called_wrongly_raises_what_it_would_alone() -> None:
    runtime = Fake()

    @guard(runtime)
    def act(one: int) -> int:
        return one

    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        act()  # type: ignore[call-arg]
    assert runtime.kinds == [("error", "TypeError")]


def test_a_function_of_a_builtin_or_a_partial_is_guarded_too() -> None:
    runtime = Fake()
    assert guard(runtime)(len)([1, 2]) == 2
    add = functools.partial(lambda a, b: a + b, 1)
    assert guard(runtime, tool="add")(add)(2) == 3
    assert [task.tool for task in runtime.tasks] == ["len", "add"]


def test_a_function_takes_a_function_for_its_arguments_and_one_for_its_task() -> None:
    runtime = Fake()

    @guard(
        runtime,
        tool="shell",
        args=lambda argv, **_: {"command": " ".join(argv)},
        task=lambda argv, **_: {"intent": "deploy", "origin": "cron" if argv else "user"},
    )
    def run(argv: list[str], *, quiet: bool = False) -> int:
        return len(argv)

    assert run(["git", "push"], quiet=True) == 2
    assert runtime.tasks[0] == Task(
        tool="shell", args={"command": "git push"}, intent="deploy", origin="cron", point="tool"
    )


def test_a_function_is_told_whose_call_it_is_by_a_function_or_a_context_variable() -> None:
    runtime, user = Fake(), ContextVar[str | None]("user", default=None)

    @guard(runtime, user=user, session=lambda: "s9", project="shop")
    def act() -> None:
        return None

    act()
    user.set("ann")
    act()
    assert [(task.session, task.user, task.project) for task in runtime.tasks] == [
        ("s9", None, "shop"), ("s9", "ann", "shop"),
    ]  # fmt: skip


def test_a_function_with_arguments_that_are_no_json_is_called_with_them_and_told_of_the_rest() -> None:
    runtime, thing = Fake(), object()

    @guard(runtime)
    def act(thing: object, text: str, data: bytes) -> object:
        return thing

    assert act(thing, "x", b"y") is thing
    assert runtime.tasks[0].args is not None
    assert {name: value for name, value in runtime.tasks[0].args.items() if value is not None} == {"text": "x"}


def test_of_arguments_over_the_limit_or_in_a_ring_the_ends_are_known() -> None:
    runtime = Fake()
    ring: list[Any] = []
    ring.append(ring)

    @guard(runtime)
    def act(value: Any) -> int:
        return 1

    assert (act("x" * 2_000_000), act(ring)) == (1, 1)
    large, deep = (task.args["value"] for task in runtime.tasks if task.args is not None)
    assert large[:5] + large[-5:] == "x" * 10
    assert 1_000_000 < len(large) < 1_048_576
    assert deep[0][0] != []


# -- methods -------------------------------------------------------------------------------------------------------------


def test_methods_leave_self_and_cls_out_and_stay_methods() -> None:
    runtime = Fake()

    class Bank:
        rate = 2

        @guard(runtime)
        def pay(self, amount: int) -> int:
            return amount * self.rate

        @guard(runtime)
        @classmethod
        def open(cls, name: str) -> str:
            return f"{cls.__name__} {name}"

        @guard(runtime)
        @staticmethod
        def check(number: int) -> bool:
            return number > 0

    assert (Bank().pay(3), Bank.open("x"), Bank.check(1)) == (6, "Bank x", True)
    assert [task.args for task in runtime.tasks] == [{"amount": 3}, {"name": "x"}, {"number": 1}]


# -- a case --------------------------------------------------------------------------------------------------------------


def test_a_case_that_blocks_raises_and_nothing_is_called_or_reported() -> None:
    runtime, called = Fake("block"), []

    @guard(runtime)
    def act() -> None:
        called.append(1)

    with pytest.raises(BlockedError, match="act was not called: c1 blocks it") as caught:
        act()
    assert (caught.value.prompt, caught.value.activation and caught.value.activation.id) == ("## lessons", "a1")
    assert isinstance(caught.value, CasebookError)
    assert (called, runtime.told) == ([], [])


def test_a_case_that_blocks_may_be_answered_otherwise() -> None:
    runtime = Fake("block")

    @guard(runtime, on_block=lambda activation: activation.prompt)
    def act() -> str:
        return "done"

    assert (act(), runtime.told) == ("## lessons", [])


@pytest.mark.parametrize("other", ["ignore", None, 3])
def test_a_case_on_block_is_raise_or_a_function(other: Any) -> None:
    with pytest.raises(CasebookError, match='on_block: expected "raise" or a function'):
        guard(Fake(), on_block=other)


@pytest.mark.parametrize("said, refused", [(None, False), (False, True)])
def test_a_case_that_wants_a_yes_raises_without_one(said: bool | None, refused: bool) -> None:
    runtime = Fake("confirm")

    @guard(runtime, on_confirm=None if said is None else lambda _: said)
    def act() -> None:
        raise AssertionError

    with pytest.raises(ConfirmationNeededError, match="c1 wants a person's yes") as caught:
        act()
    assert (caught.value.refused, runtime.told) == (refused, [])


def test_a_case_that_has_its_yes_lets_the_call_go_on() -> None:
    runtime, asked = Fake("confirm"), []

    def yes(activation: Activation) -> bool:
        asked.append(activation.id)
        return True

    @guard(runtime, on_confirm=yes)
    def act() -> int:
        return 4

    assert (act(), asked, runtime.kinds) == (4, ["a1"], [("success", None)])


def test_a_case_an_async_answer_to_a_plain_function_is_no_yes() -> None:
    async def yes(_: Activation) -> bool:
        return True

    @guard(Fake("confirm"), on_confirm=yes)
    def act() -> None:
        raise AssertionError

    with pytest.raises(ConfirmationNeededError):
        act()


def test_a_case_that_stops_a_call_within_a_guarded_call_is_no_error_of_the_outer_one() -> None:
    runtime, inner = Fake(), guard(Fake("block"), tool="inner")(lambda: None)

    @guard(runtime)
    def outer() -> None:
        inner()

    with pytest.raises(BlockedError):
        outer()
    assert runtime.told == []


# -- advice --------------------------------------------------------------------------------------------------------------


def test_advice_is_handed_to_the_parameter_casebook_which_callers_do_not_see() -> None:
    runtime = Fake()

    @guard(runtime)
    def act(one: int, casebook: Activation | None, two: int = 2, *rest: int, **more: int) -> tuple[Any, ...]:
        return one, casebook and casebook.prompt, two, rest, more

    assert act(1, 3, 4, x=5) == (1, "## lessons", 3, (4,), {"x": 5})  # type: ignore[arg-type]
    assert list(inspect.signature(act).parameters) == ["one", "two", "rest", "more"]
    assert "casebook" not in act.__annotations__
    assert runtime.tasks[0].args == {"one": 1, "two": 3, "rest": [4], "x": 5}


def test_advice_is_the_caller_s_own_where_the_caller_gives_one() -> None:
    @guard(Fake())
    def act(*, casebook: str = "") -> str:
        return casebook

    assert act(casebook="mine") == "mine"


def test_advice_is_known_within_the_call_and_in_no_other() -> None:
    seen: list[Any] = []

    @guard(Fake())
    def act() -> None:
        seen.append(current_activation())

    act()
    assert (seen[0].id, current_activation()) == ("a1", None)


# -- trouble -------------------------------------------------------------------------------------------------------------


def test_trouble_with_the_casebook_is_logged_once_and_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    runtime = Fake(before=StoreError("gone"), after=StoreError("gone, too"))

    @guard(runtime)
    def act(one: int) -> int:
        return one

    with caplog.at_level(logging.WARNING, "casebook"):
        assert [act(1), act(2), act(3)] == [1, 2, 3]
    assert [record.getMessage() for record in caplog.records] == [
        "casebook: before_task (a call of act) failed, and the code goes on without it: StoreError: gone",
        "casebook: after_task (a call of act) failed, and the code goes on without it: StoreError: gone, too",
    ]
    assert [about.tool for about, _ in runtime.told] == ["act", "act", "act"]


def test_trouble_with_the_report_never_masks_what_the_function_raised() -> None:
    @guard(Fake(after=RuntimeError("broken")))
    def act() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        act()
    assert caught.value.__context__ is None


def test_arguments_that_cannot_be_looked_at_whole_stop_the_call_only_where_the_policy_is_closed() -> None:
    def act(command: str, pad: str) -> int:
        return len(command + pad)

    fake = Fake()
    assert guard(fake)(act)("git push", "x" * 2_000_000) == 2_000_008
    assert fake.tasks[0].args is not None
    assert fake.tasks[0].args["command"] == "git push"
    with pytest.raises(BlockedError, match=r"on_failure: closed.*of args.pad a part was not looked at"):
        guard(Fake(closed=True))(act)("git push", "x" * 2_000_000)
    assert guard(Fake(closed=True))(act)("git push", "x") == 9


def test_trouble_where_the_policy_is_closed_stops_the_call() -> None:
    @guard(Fake(before=StoreError("gone"), closed=True))
    def act() -> None:
        raise AssertionError

    with pytest.raises(BlockedError, match="on_failure: closed") as caught:
        act()
    assert caught.value.activation is None
    assert isinstance(caught.value.__cause__, StoreError)


def test_trouble_where_even_the_policy_is_gone_holds_what_it_said_last() -> None:
    runtime = Fake(closed=True)

    @guard(runtime)
    def act() -> int:
        return 1

    assert act() == 1
    runtime.before = StoreError("gone")
    runtime.policy = lambda: (_ for _ in ()).throw(StoreError("gone"))  # type: ignore[method-assign]
    with pytest.raises(BlockedError):
        act()


def test_trouble_with_a_function_that_tells_whose_call_it_is_breaks_nothing() -> None:
    runtime = Fake()

    @guard(runtime, user=lambda: str(1 // 0))
    def act() -> int:
        return 1

    assert act() == 1
    assert runtime.kinds == [("success", None)]


# -- async ---------------------------------------------------------------------------------------------------------------


def test_async_functions_stay_async_and_are_reported_when_they_end() -> None:
    runtime = Fake()

    @guard(runtime)
    async def act(one: int, casebook: Activation) -> tuple[int, str, bool]:
        await asyncio.sleep(0)
        return one, casebook.id, current_activation() is casebook

    assert inspect.iscoroutinefunction(act)
    assert asyncio.run(act(1)) == (1, "a1", True)  # type: ignore[call-arg]
    assert runtime.kinds == [("success", None)]


def test_async_errors_and_cancellation_go_on_unchanged_and_are_told() -> None:
    runtime = Fake()

    @guard(runtime)
    async def act(wait: bool) -> None:
        if wait:
            await asyncio.sleep(3600)
        raise OSError("disk")

    async def scene() -> None:
        with pytest.raises(OSError, match="disk"):
            await act(False)
        task = asyncio.create_task(act(True))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scene())
    assert runtime.kinds == [("error", "OSError"), ("error", "asyncio.exceptions.CancelledError")]


def test_async_a_call_that_ended_is_told_where_its_report_is_cancelled_before_a_thread_was_free() -> None:
    class Busy(Fake):
        async def aafter_task(self, about: Any, outcome: Outcome, /) -> object:
            return await asyncio.Event().wait()

    runtime = Busy()

    @guard(runtime)
    async def act() -> int:
        return 1

    async def block() -> None:
        async with reporting(runtime, await runtime.abefore_task(Task(tool="t"))):
            pass

    async def scene() -> None:
        for each in (act, block):
            task = asyncio.create_task(each())
            for _ in range(5):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(scene())
    assert runtime.kinds == [("success", None), ("success", None)]


def test_async_a_coroutine_that_is_closed_is_told_as_such() -> None:
    runtime = Fake()

    @guard(runtime)
    async def act() -> None:
        await asyncio.Event().wait()

    async def scene() -> None:
        task = act()
        future = task.send(None)  # abefore_task yields to the loop
        assert future is None
        task.send(None)
        task.close()

    asyncio.run(scene())
    assert runtime.kinds == [("error", "GeneratorExit")]


def test_async_a_case_stops_them_and_people_may_be_asked_async() -> None:
    async def yes(_: Activation) -> bool:
        await asyncio.sleep(0)
        return True

    async def instead(activation: Activation) -> str:
        return activation.prompt

    async def act() -> str:
        return "done"

    assert asyncio.run(guard(Fake("confirm"), on_confirm=yes)(act)()) == "done"
    assert asyncio.run(guard(Fake("block"), on_block=instead)(act)()) == "## lessons"
    with pytest.raises(BlockedError):
        asyncio.run(guard(Fake("block"))(act)())


def test_async_an_object_whose_call_is_async_is_awaited() -> None:
    class Tool:
        async def __call__(self, one: int) -> int:
            raise ValueError(one)

    runtime = Fake()
    with pytest.raises(ValueError, match="1"):
        asyncio.run(guard(runtime, tool="tool")(Tool())(1))
    assert runtime.kinds == [("error", "ValueError")]


def test_async_many_at_once_each_see_their_own_answer() -> None:
    runtime = Fake()

    @guard(runtime)
    async def act(casebook: Activation) -> bool:
        await asyncio.sleep(0)
        return current_activation() is casebook

    async def scene() -> list[bool]:
        return list(await asyncio.gather(*(act() for _ in range(20))))  # type: ignore[call-arg]

    assert asyncio.run(scene()) == [True] * 20


# -- generators ----------------------------------------------------------------------------------------------------------


def test_generators_give_their_items_take_what_is_sent_and_are_reported_at_their_end() -> None:
    runtime = Fake()

    @guard(runtime)
    def items(count: int) -> Generator[Any, Any, str]:
        got = yield count
        yield got
        return "end"

    made = items(3)
    assert inspect.isgeneratorfunction(items)
    assert runtime.tasks == []
    assert (next(made), made.send("x")) == (3, "x")
    assert runtime.told == []
    with pytest.raises(StopIteration, match="end"):
        next(made)
    assert runtime.kinds == [("success", None)]


def test_generators_left_early_are_interrupted() -> None:
    runtime = Fake()

    @guard(runtime)
    def items() -> Iterator[int]:
        yield 1
        yield 2

    made = items()
    next(made)
    made.close()  # type: ignore[attr-defined]
    assert runtime.kinds == [("error", "GeneratorExit")]


def test_generators_async_ones_take_what_is_sent_and_thrown() -> None:
    runtime = Fake()

    @guard(runtime)
    async def items() -> AsyncIterator[Any]:
        try:
            got = yield 1
        except KeyError:
            got = "caught"
        yield got
        raise OSError("late")

    async def scene(throw: bool) -> list[Any]:
        made: Any = items()
        first = await anext(made)
        second = await (made.athrow(KeyError()) if throw else made.asend("sent"))
        with pytest.raises(OSError, match="late"):
            await anext(made)
        return [first, second]

    assert inspect.isasyncgenfunction(items)
    assert asyncio.run(scene(False)) == [1, "sent"]
    assert asyncio.run(scene(True)) == [1, "caught"]
    assert runtime.kinds == [("error", "OSError")] * 2


def test_generators_that_a_case_blocks_give_other_items() -> None:
    @guard(Fake("block"), on_block=lambda _: [7])
    def items() -> Iterator[int]:
        yield 1

    @guard(Fake("block"), on_block=lambda _: [8])
    async def aitems() -> AsyncIterator[int]:
        yield 1

    async def scene() -> list[int]:
        return [each async for each in aitems()]

    assert (list(items()), asyncio.run(scene())) == ([7], [8])


# -- a block -------------------------------------------------------------------------------------------------------------


def test_a_block_that_ends_well_is_a_success_of_its_task() -> None:
    runtime, task = Fake(), Task(tool="shell", args={"command": "ls"})
    with reporting(runtime, answer(), task) as activation:
        assert current_activation() is activation
    assert current_activation() is None
    assert runtime.told == [(activation, Outcome.success(tool="shell", args={"command": "ls"}))]


def test_a_block_that_raises_reports_and_raises_the_very_exception() -> None:
    runtime, error = Fake(after=StoreError("gone")), ValueError("x")
    with pytest.raises(ValueError, match="x") as caught, reporting(runtime, answer(), Task(text="go")):
        raise error
    assert (caught.value is error, error.__context__) == (True, None)
    assert runtime.told[0][1] == Outcome.error("ValueError", "x")


def test_a_block_whose_own_case_refuses_is_no_error() -> None:
    runtime = Fake()
    with pytest.raises(BlockedError), reporting(runtime, answer()) as activation:
        raise BlockedError(activation, "no")
    assert runtime.told == []


def test_a_block_async_is_the_same() -> None:
    runtime = Fake()

    async def scene() -> None:
        async with reporting(runtime, answer()):
            await asyncio.sleep(0)
        with pytest.raises(OSError, match="disk"):
            async with reporting(runtime, answer()):
                raise OSError("disk")
        with pytest.raises(asyncio.CancelledError):
            async with reporting(runtime, answer()):
                raise asyncio.CancelledError

    asyncio.run(scene())
    assert runtime.kinds == [
        ("success", None), ("error", "OSError"), ("error", "asyncio.exceptions.CancelledError"),
    ]  # fmt: skip


def test_the_errors_say_what_an_agent_needs() -> None:
    error = BlockedError(answer("block", "block"), "stop")
    assert (str(error), error.prompt) == ("stop", "## lessons")
    assert str(ConfirmationNeededError(answer(), "ask", refused=False)) == "ask"
