"""OpenAI Agents SDK: runs of an agent with the casebook's text in each request, and function tools under its eyes."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    RunConfig,
    Runner,
    RunResult,
    RunResultStreaming,
    RunState,
    function_tool,
)
from agents.run_config import CallModelData, ModelInputData

from casebook.adapters.exchange import Exchange
from casebook.adapters.hosts import host_of
from casebook.adapters.openai_tools import TURN, Arrivals, Begun, guarded, noting, stopped, watched
from casebook.adapters.protocol import Asked
from casebook.adapters.turn import OnConfirm, Turn
from casebook.adapters.whose import checked, whose_now
from casebook.runtime.guarded import Value


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
        self._endings: set[asyncio.Task[None]] = set()

    # -- runs --------------------------------------------------------------------------------------------------------------

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:  # noqa: A002 - the SDK's name
        """Run an agent as `Runner.run` does, with its options; the SDK's own session is the casebook's where none was named.

        Args:
            agent: its tools are put under the casebook's eyes, those of the agents it hands over to and has as tools as well.
            input: text, items, or a state to go on from.
            options: of `Runner.run`.

        Raises:
            BlockedError: a case blocks the run and nobody typed it (`origin` cron or heartbeat).
        """
        turn = self._turn(options)
        await turn.abegin(_said(input))
        stopped(turn)
        with self._within(agent, input, options, turn):
            try:
                result = await Runner.run(agent, input, **options)
            except BaseException as error:
                await turn.aend(error)
                raise
        if not result.interruptions:  # a run that waits for a person goes on as another
            await turn.aend()
        return result

    def run_sync(self, agent: Agent[Any], input: Any, **options: Any) -> RunResult:  # noqa: A002 - the SDK's name
        """Run an agent as `Runner.run_sync` does, where no event loop runs; else as `run`."""
        turn = self._turn(options)
        turn.begin(_said(input))
        stopped(turn)
        with self._within(agent, input, options, turn):
            try:
                result = Runner.run_sync(agent, input, **options)
            except BaseException as error:
                turn.end(error)
                raise
        if not result.interruptions:
            turn.end()
        return result

    def run_streamed(self, agent: Agent[Any], input: Any, **options: Any) -> RunResultStreaming:  # noqa: A002 - as above
        """Run an agent as `Runner.run_streamed` does; else as `run`. The casebook is asked before the first request or call.

        A run that a case blocks and nobody typed ends in BlockedError as the stream is read.
        """
        turn = self._turn(options)
        with self._within(agent, input, options, turn, said=_said(input)):
            result = Runner.run_streamed(agent, input, **options)
        task = result.run_loop_task
        if task is not None:
            task.add_done_callback(lambda done: self._streamed(result, done, turn))
        return result

    def _streamed(self, result: RunResultStreaming, done: asyncio.Task[Any], turn: Turn) -> None:
        """Report the end of a streamed run, whether its stream is read or not; one that somebody broke off has none."""
        raised = _raised_in(result, done)
        if raised is None and (result.interruptions or result.final_output is None):
            return
        ending = asyncio.get_running_loop().create_task(turn.aend(raised))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)

    @contextmanager
    def _within(
        self, agent: Agent[Any], given: Any, options: dict[str, Any], turn: Turn, *, said: str | None = None
    ) -> Iterator[None]:
        """Put a run under the casebook's eyes; where the turn has not begun, what the user said begins it at the first request."""
        watched(agent)
        if isinstance(given, RunState) and isinstance(current := getattr(given, "_current_agent", None), Agent):
            watched(current)
        begun = Begun(turn, said)
        options["run_config"] = self._config(options.get("run_config"), begun)
        options["hooks"] = Arrivals(options.get("hooks"))
        token = TURN.set(begun)
        try:
            yield
        finally:
            TURN.reset(token)

    def _turn(self, options: Mapping[str, Any]) -> Turn:
        whose = whose_now(self._whose, self._exchange)
        session = getattr(options.get("session"), "session_id", None) or options.get("conversation_id")
        if session and "session" not in whose:
            whose["session"] = str(session)
        return Turn(self._exchange, whose, on_confirm=self._on_confirm)

    def _config(self, given: Any, begun: Begun) -> RunConfig:
        """Give the run's settings with the casebook's filter after the one that is there."""
        config = RunConfig(**given) if isinstance(given, dict) else given or RunConfig()
        before = config.call_model_input_filter

        async def told(data: CallModelData[Any]) -> ModelInputData:
            made: ModelInputData = data.model_data
            if before is not None:
                filtered = before(data)
                made = await filtered if inspect.isawaitable(filtered) else filtered
            text = (await begun.turn()).text
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
        return self.guarded(function_tool(noting(function), **options))

    def guarded(self, tool: FunctionTool) -> FunctionTool:
        """Put a tool under the casebook's eyes; twice is once. Of one made elsewhere an error is known by what the model is told."""
        return guarded(tool)


def _raised_in(result: RunResultStreaming, done: asyncio.Task[Any]) -> BaseException | None:
    """Give what a streamed run ended in: the SDK raises some of it only where the stream is read."""
    if done.cancelled():
        return asyncio.CancelledError()
    if (raised := done.exception()) is not None:
        return raised
    tripped = next((each for each in result.input_guardrail_results if each.output.tripwire_triggered), None)
    if tripped is not None:
        return InputGuardrailTripwireTriggered(tripped)
    most = result.max_turns
    if result.final_output is None and most is not None and result.current_turn > most:
        return MaxTurnsExceeded(f"Max turns ({most}) exceeded")
    return None


def _said(given: Any) -> str:
    """Give the last words of the user in what a run is given, or was given where it goes on."""
    if isinstance(given, str):
        return given
    if isinstance(given, RunState):
        given = getattr(given, "_original_input", "")
        return "" if isinstance(given, RunState) else _said(given)
    for item in reversed(list(given or ())):
        if isinstance(item, dict) and item.get("role") == "user":
            content = item.get("content")
            if isinstance(content, str):
                return content
            return "\n".join(str(part.get("text", "")) for part in content or () if isinstance(part, dict))
    return ""
