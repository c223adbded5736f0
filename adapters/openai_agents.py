"""OpenAI Agents SDK: runs of an agent with the casebook's text in each request, and function tools under its eyes."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from agents import Agent, FunctionTool, RunConfig, Runner, RunResult, RunState, function_tool
from agents.run_config import CallModelData, ModelInputData
from agents.tool import default_tool_error_function
from agents.tool_context import ToolContext

from casebook.adapters.exchange import Exchange
from casebook.adapters.hosts import host_of
from casebook.adapters.protocol import Asked
from casebook.adapters.turn import OnConfirm, Turn
from casebook.adapters.whose import checked, whose_now
from casebook.runtime.guarded import Value
from casebook.runtime.reporting import BlockedError

_TURN: ContextVar[Turn | None] = ContextVar("casebook_openai_turn", default=None)
_RAISED: ContextVar[list[BaseException] | None] = ContextVar("casebook_openai_raised", default=None)
"""What the function of the running tool call raised: the SDK makes a text of it before anybody else sees it."""


class CasebookAgents:
    """Runs agents under a casebook: `run` in place of `Runner.run`, `tool` in place of `function_tool`.

    The corrections stand at the end of the instructions of each request of a run. A blocked call is answered by the reason instead
    of the tool's result. What tools raise, and how the SDK tells it to the model, stays as it is. Trouble with the casebook is
    logged and breaks nothing.
    """

    def __init__(self, casebook: Asked, *, on_confirm: OnConfirm | None = None, **whose: Value) -> None:
        """Take the casebook in service.

        Args:
            casebook: a `Runtime`.
            on_confirm: asked where a case wants a person's yes; may be async. Without one such a call is refused.
            whose: `user project team agent session channel model origin`: a name, a function that gives it, or a context variable.

        Raises:
            CasebookError: another name was given.
        """
        self._exchange = Exchange(casebook, host_of("openai-agents"))
        self._on_confirm = on_confirm
        self._whose = checked(whose)

    # -- runs --------------------------------------------------------------------------------------------------------------

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:  # noqa: A002 - the SDK's name
        """Run an agent as `Runner.run` does, with its options; the SDK's own session is the casebook's where none was named.

        Args:
            agent: its function tools are put under the casebook's eyes, those of the agents it hands over to as well.
            input: text, items, or a state to go on from.
            options: of `Runner.run`.

        Raises:
            BlockedError: a case blocks the run and nobody typed it (`origin` cron or heartbeat).
        """
        turn = self._turn(options)
        await turn.abegin(_said(input))
        if turn.stop:
            raise BlockedError(None, turn.stop)
        options["run_config"] = self._config(options.get("run_config"), turn)
        token = _TURN.set(turn)
        try:
            result = await Runner.run(self.agent(agent), input, **options)
        except BaseException as error:
            await turn.aend(error)
            raise
        finally:
            _TURN.reset(token)
        await turn.aend()
        return result

    def run_sync(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:  # noqa: A002 - the SDK's name
        """Run an agent as `run` does, where no event loop runs."""
        import asyncio

        return asyncio.run(self.run(agent, input, **options))

    def _turn(self, options: Mapping[str, Any]) -> Turn:
        whose = whose_now(self._whose, self._exchange)
        session = getattr(options.get("session"), "session_id", None) or options.get("conversation_id")
        if session and "session" not in whose:
            whose["session"] = str(session)
        return Turn(self._exchange, whose, on_confirm=self._on_confirm)

    def _config(self, given: Any, turn: Turn) -> RunConfig:
        """Give the run's settings with the casebook's filter after the one that is there."""
        config = RunConfig(**given) if isinstance(given, dict) else given or RunConfig()
        before = config.call_model_input_filter

        async def told(data: CallModelData[Any]) -> ModelInputData:
            made: ModelInputData = data.model_data
            if before is not None:
                filtered = before(data)
                made = await filtered if inspect.isawaitable(filtered) else filtered
            text = turn.text
            if not text:
                return made
            words = "\n\n".join(each for each in (made.instructions, text) if each)
            return replace(made, instructions=words)

        return replace(config, call_model_input_filter=told)

    # -- tools -------------------------------------------------------------------------------------------------------------

    def tool(self, function: Callable[..., Any] | None = None, **options: Any) -> Any:
        """Make a tool of a function as `function_tool` does, with its options; what the function raises is seen as it is."""
        if function is None:
            return lambda each: self.tool(each, **options)
        return self.guarded(function_tool(_noting(function), **options))

    def guarded(self, tool: FunctionTool) -> FunctionTool:
        """Put a tool under the casebook's eyes; twice is once. Of one made elsewhere an error is known by what the model is told."""
        if getattr(tool.on_invoke_tool, "__casebook__", False):
            return tool
        invoke = tool.on_invoke_tool

        async def invoked(context: ToolContext[Any], arguments: str) -> Any:
            turn = _TURN.get()
            if turn is None:
                return await invoke(context, arguments)
            call = await turn.aask(tool.name, _arguments(arguments), context.tool_call_id)
            if call.refusal:
                return call.refusal
            raised: list[BaseException] = []
            token = _RAISED.set(raised)
            try:
                result = await invoke(context, arguments)
            except BaseException as error:
                await turn.areport(call, error)
                raise
            finally:
                _RAISED.reset(token)
            told = result if raised or result == _default_words(context) else None
            await turn.areport(call, raised[-1] if raised else None, message=told)
            return result

        invoked.__casebook__ = True  # type: ignore[attr-defined]  # a mark of ours
        return replace(tool, on_invoke_tool=invoked)

    def agent(self, agent: Agent[Any]) -> Agent[Any]:
        """Give an agent whose function tools, and those of the agents it hands over to, are under the casebook's eyes."""
        return self._agent(agent, {})

    def _agent(self, agent: Agent[Any], known: dict[int, Agent[Any]]) -> Agent[Any]:
        """Give the agent as above; agents may hand over in a ring."""
        if id(agent) in known:
            return known[id(agent)]
        tools = [self.guarded(each) if isinstance(each, FunctionTool) else each for each in agent.tools]
        made = known[id(agent)] = agent.clone(tools=tools)
        made.handoffs = [self._agent(each, known) if isinstance(each, Agent) else each for each in agent.handoffs]
        return made


def _noting(function: Callable[..., Any]) -> Callable[..., Any]:
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


def _said(given: Any) -> str:
    """Give the last words of the user in what a run is given; nothing for a state to go on from."""
    if isinstance(given, str):
        return given
    if isinstance(given, RunState):
        return ""
    for item in reversed(list(given or ())):
        if isinstance(item, dict) and item.get("role") == "user":
            content = item.get("content")
            if isinstance(content, str):
                return content
            return "\n".join(str(part.get("text", "")) for part in content or () if isinstance(part, dict))
    return ""
