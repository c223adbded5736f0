"""Tools of the OpenAI Agents SDK under the casebook's eyes: asked about before they are called, and reported after."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import math
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from agents import Agent, FunctionTool, RunHooks
from agents.tool import default_tool_error_function
from agents.tool_context import ToolContext

from casebook.adapters.turn import Turn
from casebook.runtime.reporting import BlockedError

_LATE = 0.95
"""Of a tool's timeout: cancelled after so much of it, it was the timeout, for the SDK's own clock starts before ours."""


class Begun:
    """The turn of a run, which the first request or call of a streamed run begins."""

    def __init__(self, turn: Turn, said: str | None) -> None:
        """Take the turn, and what the user said where it has not begun yet."""
        self._turn = turn
        self._said = said
        self._lock = asyncio.Lock()

    async def turn(self) -> Turn:
        """Give the turn, begun. Raises BlockedError where a case blocks it and nobody typed it."""
        async with self._lock:
            if self._said is not None:
                said, self._said = self._said, None
                await self._turn.abegin(said)
        stopped(self._turn)
        return self._turn


TURN: ContextVar[Begun | None] = ContextVar("casebook_openai_turn", default=None)
"""The turn of the run that is running here."""
_RAISED: ContextVar[list[BaseException] | None] = ContextVar("casebook_openai_raised", default=None)
"""What the function of the running tool call raised: the SDK makes a text of it before anybody else sees it."""


def stopped(turn: Turn) -> None:
    """Raise BlockedError where a case blocks the turn and nobody typed it."""
    if turn.stop:
        raise BlockedError(None, turn.stop)


# -- agents ------------------------------------------------------------------------------------------------------------------


def watched(agent: Agent[Any]) -> None:
    """Put the tools of an agent, of those that it hands over to, and of those that it has as tools, under the casebook's eyes.

    The agent stays the one that the SDK and its user compare by; outside a run of the casebook its tools do as they did.
    """
    waiting, seen = [agent], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if not isinstance(each.__dict__.get("get_all_tools"), _Tools):
            each.__dict__["get_all_tools"] = _Tools(each)
        waiting += _beside(each)


def _beside(agent: Agent[Any]) -> Iterator[Agent[Any]]:
    """Give the agents that an agent names, as far as they are known before they are reached."""
    for each in agent.handoffs:
        reference = getattr(each, "_agent_ref", None)
        reached = reference() if callable(reference) else each
        if isinstance(reached, Agent):
            yield reached
    for tool in agent.tools:
        nested = getattr(tool, "_agent_instance", None)
        if isinstance(nested, Agent):
            yield nested


class _Tools:
    """An agent's `get_all_tools`: each of them under the casebook's eyes, one and the same as long as the SDK's own is."""

    def __init__(self, agent: Agent[Any]) -> None:
        self._agent = agent
        self._made: dict[int, tuple[FunctionTool, FunctionTool]] = {}

    async def __call__(self, run_context: Any) -> list[Any]:
        tools = await type(self._agent).get_all_tools(self._agent, run_context)
        self._made = made = {id(each): self._of(each) for each in tools if isinstance(each, FunctionTool)}
        return [made[id(each)][1] if id(each) in made else each for each in tools]

    def _of(self, tool: FunctionTool) -> tuple[FunctionTool, FunctionTool]:
        known = self._made.get(id(tool))
        return known if known is not None and known[0] is tool else (tool, guarded(tool))


class Arrivals(RunHooks[Any]):
    """The hooks of a run; an agent that it comes to unforeseen is put under the casebook's eyes before they are told."""

    def __init__(self, hooks: RunHooks[Any] | None) -> None:
        """Take the hooks that the run was given."""
        self._hooks = hooks or RunHooks[Any]()

    def __getattribute__(self, name: str) -> Any:
        """Give the hooks' own, but for the two below."""
        if name.startswith("_") or name in ("on_agent_start", "on_handoff"):
            return object.__getattribute__(self, name)
        return getattr(self._hooks, name)

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        """As an agent begins."""
        if isinstance(agent, Agent):
            watched(agent)
        await self._hooks.on_agent_start(context, agent)

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        """As one hands over to another."""
        if isinstance(to_agent, Agent):
            watched(to_agent)
        await self._hooks.on_handoff(context, from_agent, to_agent)


# -- tools -------------------------------------------------------------------------------------------------------------------


def guarded(tool: FunctionTool) -> FunctionTool:
    """Put a tool under the casebook's eyes; twice is once. Of one made elsewhere an error is known by what the model is told."""
    if getattr(tool.on_invoke_tool, "__casebook__", False):
        return tool
    invoke = tool.on_invoke_tool

    async def invoked(context: ToolContext[Any], arguments: str) -> Any:
        began = time.monotonic()
        begun = TURN.get()
        if begun is None:
            return await invoke(context, arguments)
        turn = await begun.turn()
        call = await turn.aask(tool.name, _arguments(arguments), context.tool_call_id)
        if call.refusal:
            return call.refusal
        raised: list[BaseException] = []
        token = _RAISED.set(raised)
        try:
            with call.making():
                result = await invoke(context, arguments)
        except BaseException as error:
            late = time.monotonic() - began >= _LATE * (tool.timeout_seconds or math.inf)
            timed_out = isinstance(error, asyncio.CancelledError) and late
            await turn.areport(call, TimeoutError(f"{tool.name} timed out") if timed_out else error)
            raise
        finally:
            _RAISED.reset(token)
        told = result if raised or result == _default_words(context) else None
        await turn.areport(call, raised[-1] if raised else None, message=told)
        return result

    invoked.__casebook__ = True  # type: ignore[attr-defined]  # a mark of ours
    return replace(tool, on_invoke_tool=invoked)


def noting(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give the function, which notes what it raises for the call that it runs in."""

    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            _note(error)
            raise

    @functools.wraps(function)
    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            _note(error)
            raise

    return coroutine if inspect.iscoroutinefunction(function) else plain


def _note(error: BaseException) -> None:
    raised = _RAISED.get()
    if raised is not None:
        raised.append(error)


def _default_words(context: ToolContext[Any]) -> str:
    """Give what the SDK tells a model of an error where nobody said otherwise."""
    return default_tool_error_function(context, Exception())


def _arguments(text: str) -> dict[str, Any]:
    try:
        read = json.loads(text) if text else {}
    except ValueError:  # the tool itself will say so
        return {}
    return read if isinstance(read, dict) else {}
