"""A function under a casebook's eyes: asked about before it is called, and what became of it reported.

A guarded function behaves as it would alone: what it returns and raises goes to its caller unchanged, and trouble with the
casebook is logged and not raised. Only a case stops it: one that blocks, or one that wants a person's yes.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from typing import Any, Protocol, TypeVar, cast

from casebook.faults import CasebookError
from casebook.runtime.answer.activation import Activation
from casebook.runtime.guarded import INJECTED, Guarded, Value
from casebook.runtime.reporting import (
    CURRENT,
    BlockedError,
    ConfirmationNeededError,
    Reported,
    Reporting,
    Stretch,
    current_activation,
    is_async,
    reporting,
)
from casebook.task import Task

__all__ = [
    "BlockedError",
    "ConfirmationNeededError",
    "Reported",
    "Reporting",
    "current_activation",
    "guard",
    "reporting",
]

F = TypeVar("F", bound=Callable[..., Any])


class Guard(Protocol):
    """What `guard` gives without a function: takes one, and gives it guarded."""

    def __call__(self, function: F, /) -> F:
        """Guard a function."""
        ...


def guard(
    runtime: Reported,
    *,
    tool: str | None = None,
    args: Callable[..., Mapping[str, Any]] | None = None,
    task: Task | Mapping[str, Any] | Callable[..., Task | Mapping[str, Any]] | None = None,
    session: Value = None,
    user: Value = None,
    project: Value = None,
    agent: Value = None,
    on_confirm: Callable[[Activation], bool | Awaitable[bool]] | None = None,
    on_block: Callable[[Activation], Any] | str = "raise",
) -> Guard:
    """Give a decorator that puts a function under a casebook's eyes, as a tool call of an agent.

    Functions, methods, `async def`, generators of both kinds, and what `staticmethod` and `classmethod` make of them keep their
    kind, name and signature. Before each call the casebook is asked at the tool point; the answer is handed to the parameter
    `casebook` where the function has one, and given by `current_activation()` while it runs. Afterwards its success, or the
    exception, is reported; the exception goes on unchanged.

    Args:
        runtime: the casebook in service.
        tool: the tool's name; default the function's.
        args: makes the tool's arguments of the call's; default those of the call by name, `self` and `cls` left out.
        task: further fields of the task, or a function of the call's arguments that gives them.
        session: in which session (see `Value`).
        user: whose call it is; likewise.
        project: in which project; likewise.
        agent: which agent calls; likewise.
        on_confirm: asked where a case wants a person's yes; may be async for an async function. Without it that raises.
        on_block: `raise`, or a function whose result is given instead of the call's (for a generator: its items).

    Raises:
        BlockedError: (the guarded call) a case blocks it, or the casebook fails and its policy says `on_failure: closed`.
        ConfirmationNeededError: (the guarded call) nobody said yes.
        CasebookError: `on_block` is neither.
    """
    if not (callable(on_block) or on_block == "raise"):
        raise CasebookError(f'on_block: expected "raise" or a function, got {on_block!r}')
    whose = {"session": session, "user": user, "project": project, "agent": agent}
    told = {name: value for name, value in whose.items() if value is not None}
    blocked = on_block if callable(on_block) else None

    def decorated(function: Any) -> Any:
        if isinstance(function, staticmethod | classmethod):
            return type(function)(decorated(function.__func__))
        guarded = Guarded(
            runtime, function, tool=tool, args=args, task=task, whose=told, on_confirm=on_confirm, on_block=blocked
        )
        made = _wrapped(guarded)
        if guarded.shown is not None and guarded.is_told:
            made.__signature__ = guarded.shown
            made.__annotations__ = {name: each for name, each in made.__annotations__.items() if name != INJECTED}
        return made

    return cast("Guard", decorated)


def _wrapped(guarded: Guarded) -> Any:
    """Give a function of the kind that the guarded one is."""
    function = guarded.function
    if inspect.isasyncgenfunction(function):
        return _async_generator(guarded)
    if inspect.isgeneratorfunction(function):
        return _generator(guarded)
    return _coroutine(guarded) if is_async(function) else _plain(guarded)


def _plain(guarded: Guarded) -> Callable[..., Any]:
    function = guarded.function

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        call = guarded.begin(args, kwargs)
        if call.stopped:
            return call.instead
        call.stretch = Stretch(call.activation)
        token = CURRENT.set(call.stretch)
        try:
            result = function(*call.args, **call.kwargs)
        except BaseException as raised:
            guarded.end(call, raised)
            raise
        finally:
            CURRENT.reset(token)
        guarded.end(call, None)
        return result

    return called


def _coroutine(guarded: Guarded) -> Callable[..., Any]:
    function = guarded.function

    @functools.wraps(function)
    async def called(*args: Any, **kwargs: Any) -> Any:
        call = await guarded.abegin(args, kwargs)
        if call.stopped:
            return await call.instead if inspect.isawaitable(call.instead) else call.instead
        call.stretch = Stretch(call.activation)
        token = CURRENT.set(call.stretch)
        try:
            result = await function(*call.args, **call.kwargs)
        except BaseException as raised:
            await guarded.aend(call, raised)
            raise
        finally:
            CURRENT.reset(token)
        await guarded.aend(call, None)
        return result

    return called


def _generator(guarded: Guarded) -> Callable[..., Any]:
    function = guarded.function

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        call = guarded.begin(args, kwargs)
        if call.stopped:
            return (yield from call.instead)
        try:
            result = yield from function(*call.args, **call.kwargs)
        except BaseException as raised:
            guarded.end(call, raised)
            raise
        guarded.end(call, None)
        return result

    return called


def _async_generator(guarded: Guarded) -> Callable[..., Any]:
    function = guarded.function

    @functools.wraps(function)
    async def called(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        call = await guarded.abegin(args, kwargs)
        items = _as_async(call.instead) if call.stopped else function(*call.args, **call.kwargs)
        try:
            item = await anext(items)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    await items.aclose()
                    raise
                except BaseException as thrown:  # noqa: BLE001 - the generator itself decides about it
                    item = await items.athrow(thrown)
                else:
                    item = await items.asend(sent)
        except StopAsyncIteration:
            await guarded.aend(call, None)
        except BaseException as raised:
            await guarded.aend(call, raised)
            raise

    return called


async def _as_async(items: Any) -> AsyncGenerator[Any, Any]:
    """Give what stands for a generator's items as an async generator."""
    if hasattr(items, "__aiter__"):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
