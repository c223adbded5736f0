"""The OpenAI Agents SDK: handoffs, agents as tools, MCP servers, approvals, streams, timeouts; and that the casebook stands them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    Handoff,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    RunConfig,
    RunHooks,
    RunState,
    function_tool,
    handoff,
    input_guardrail,
)
from agents.mcp import MCPServer
from agents.run_config import CallModelData, ModelInputData
from mcp import types as mcp_types
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from casebook.adapters.openai_agents import CasebookAgents
from casebook.runtime import Runtime
from casebook.runtime.reporting import BlockedError
from tests.adapters.books import ADVICE, errors_of, successes_of, written
from tests.adapters.rigs.openai_agents import ScriptedModel

RAN: list[str] = []
QUIET = RunConfig(tracing_disabled=True)


class StreamingModel(ScriptedModel):
    """A scripted model that streams what it says."""

    def stream_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: A002
        self.seen.append((system_instructions, list(input)))
        said = self.says.pop(0)

        async def events() -> Any:
            response = Response(
                id="r", created_at=0, model="m", object="response", output=[said], parallel_tool_calls=False,
                tool_choice="auto", tools=[],
            )  # fmt: skip
            yield ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)

        return events()


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    RAN.clear()
    with Runtime.open(written(tmp_path)) as opened:
        yield opened


@function_tool
def wipe() -> str:
    """Wipe."""
    RAN.append("wipe")
    return "wiped"


@function_tool(needs_approval=True)
def install(name: str) -> str:
    """Install."""
    RAN.append("install")
    return name


def call(tool: str, number: int = 0, **args: Any) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id=f"{tool}{number}", name=tool, arguments=json.dumps(args)
    )


def end() -> ResponseOutputMessage:
    done = ResponseOutputText(type="output_text", text="done", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[done])


def ran(book: CasebookAgents, agent: Agent[Any], given: Any = "deploy it", **options: Any) -> Any:
    return asyncio.run(book.run(agent, given, **{"run_config": QUIET, **options}))


def outcomes(runtime: Runtime) -> list[tuple[str | None, bool | None]]:
    """Give the calls and ends that were reported, and whether they went well."""
    runtime.flush()
    return [(each.tool, each.ok) for each in runtime.journal.events() if each.kind != "task"]


def to_agent(agent: Agent[Any]) -> Any:
    return agent


def to_handoff(agent: Agent[Any]) -> Any:
    return handoff(agent)


def to_made_up(agent: Agent[Any]) -> Any:
    """A handoff that names no agent before it is taken."""

    async def taken(_: Any, __: str) -> Agent[Any]:
        return agent

    return Handoff(
        tool_name="transfer_to_b", tool_description="", input_json_schema={}, on_invoke_handoff=taken, agent_name="b"
    )


@pytest.mark.parametrize("way", [to_agent, to_handoff, to_made_up])
def test_an_agent_that_is_handed_over_to_is_under_the_same_eyes_and_stays_itself(runtime: Runtime, way: Any) -> None:
    said = ScriptedModel([call("transfer_to_b"), call("wipe"), end()])
    second = Agent(name="b", tools=[wipe], model=said)
    first = Agent(name="a", handoffs=[way(second)], model=said)
    second.handoffs.append(first)
    result = ran(CasebookAgents(runtime), first)
    assert RAN == []
    assert result.last_agent is second
    assert "Deploy on Monday" in str(said.seen[-1][0])


def test_hooks_of_the_run_are_called_as_without_us(runtime: Runtime) -> None:
    seen: list[str] = []

    class Hooks(RunHooks[Any]):
        async def on_agent_start(self, context: Any, agent: Any) -> None:
            seen.append(f"start {agent.name}")

        async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
            seen.append(f"{from_agent.name} to {to_agent.name}")

        async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
            seen.append(f"{tool.name} {str(result)[:16]}")

    said = ScriptedModel([call("transfer_to_b"), call("wipe"), end()])
    second = Agent(name="b", tools=[wipe], model=said)
    ran(CasebookAgents(runtime), Agent(name="a", handoffs=[second], model=said), hooks=Hooks())
    assert seen == ["start a", "a to b", "start b", "wipe The call of wipe"]


def test_an_agent_that_is_a_tool_is_told_and_its_own_tools_are_asked_about(runtime: Runtime) -> None:
    inner = ScriptedModel([call("wipe"), end()])
    nested = Agent(name="n", tools=[wipe], model=inner)
    said = ScriptedModel([call("ask_n", input="deploy it"), end()])
    ran(CasebookAgents(runtime), Agent(name="a", tools=[nested.as_tool("ask_n", "Ask.")], model=said))
    assert RAN == []
    assert "Deploy on Monday" in str(inner.seen[0][0])


def test_tools_of_mcp_servers_are_asked_about(runtime: Runtime) -> None:
    class Server(MCPServer):
        name = "s"

        async def connect(self) -> None: ...

        async def cleanup(self) -> None: ...

        async def list_tools(self, *args: Any, **kwargs: Any) -> Any:
            return [
                mcp_types.Tool(name=each, input_schema={"type": "object", "properties": {}})
                for each in ("wipe", "look")
            ]

        async def call_tool(self, tool_name: str, *args: Any, **kwargs: Any) -> Any:
            RAN.append(tool_name)
            return mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text="ok")])

        async def list_prompts(self) -> Any: ...

        async def get_prompt(self, *args: Any, **kwargs: Any) -> Any: ...

    said = ScriptedModel([call("wipe"), call("look"), end()])
    ran(CasebookAgents(runtime), Agent(name="a", mcp_servers=[Server()], model=said))
    assert RAN == ["look"]
    assert successes_of(runtime, "look") == 1


@pytest.mark.parametrize("is_read_anew", [False, True])
def test_a_run_that_waits_for_a_person_has_no_end_and_goes_on_with_its_text(
    runtime: Runtime, is_read_anew: bool
) -> None:
    book = CasebookAgents(runtime)
    said = ScriptedModel([call("install", name="x"), call("wipe"), end()])
    agent = Agent(name="a", tools=[install, wipe], model=said)

    async def both() -> None:
        result = await book.run(agent, "deploy it", run_config=QUIET)
        assert (RAN, outcomes(runtime)) == ([], [])
        state: Any = result.to_state()
        if is_read_anew:
            state = await RunState.from_json(Agent(name="a", tools=[install, wipe], model=said), state.to_json())
        state.approve(state.get_interruptions()[0])
        await book.run(agent, state, run_config=QUIET)

    asyncio.run(both())
    assert RAN == ["install"]
    assert outcomes(runtime) == [("install", True), (None, True)]
    assert "Deploy on Monday" in str(said.seen[-1][0])


def test_a_stream_carries_the_text_is_asked_about_and_is_reported(runtime: Runtime) -> None:
    book = CasebookAgents(runtime)
    said = StreamingModel([call("wipe"), end()])

    async def stream() -> Any:
        result = book.run_streamed(Agent(name="a", tools=[wipe], model=said), "deploy it", run_config=QUIET)
        async for _ in result.stream_events():
            pass
        await asyncio.gather(*book._endings)
        return result.final_output

    assert asyncio.run(stream()) == "done"
    assert RAN == []
    assert "Deploy on Monday" in str(said.seen[0][0])
    assert outcomes(runtime) == [(None, True)]


def test_a_stream_that_runs_out_of_turns_is_no_success(runtime: Runtime) -> None:
    book = CasebookAgents(runtime)
    said = StreamingModel([call("look", number) for number in range(9)])

    @book.tool
    def look() -> str:
        """Look."""
        return "nothing"

    async def stream() -> None:
        agent = Agent(name="a", tools=[look], model=said)
        result = book.run_streamed(agent, "deploy it", run_config=QUIET, max_turns=2)
        with pytest.raises(MaxTurnsExceeded):
            async for _ in result.stream_events():
                pass
        await asyncio.gather(*book._endings)

    asyncio.run(stream())
    assert outcomes(runtime) == [("look", True), ("look", True), (None, False)]


def test_a_stream_that_nobody_typed_and_a_case_blocks_ends_before_the_model_is_asked(tmp_path: Path) -> None:
    with Runtime.open(written(tmp_path, [{**ADVICE, "effect": "block"}])) as runtime:
        book = CasebookAgents(runtime, origin="cron")
        said = StreamingModel([end()])

        async def stream() -> None:
            result = book.run_streamed(Agent(name="a", model=said), "deploy it", run_config=QUIET)
            async for _ in result.stream_events():
                pass

        with pytest.raises(BlockedError, match="deploy_friday"):
            asyncio.run(stream())
        assert said.seen == []
        assert outcomes(runtime) == []


def test_a_timeout_is_told_as_one(runtime: Runtime) -> None:
    book = CasebookAgents(runtime)

    @book.tool(timeout=0.3)  # type: ignore[untyped-decorator]  # as the SDK's
    async def slow() -> str:
        """Wait."""
        await asyncio.sleep(60)
        return ""

    ran(book, Agent(name="a", tools=[slow], model=ScriptedModel([call("slow"), end()])))
    assert errors_of(runtime) == ["slow timed out"]


@pytest.mark.parametrize("arguments", ['{"x": "?"}', '{"x":', "[1]", ""])
def test_arguments_that_do_not_fit_are_an_error_of_the_call(runtime: Runtime, arguments: str) -> None:
    book = CasebookAgents(runtime)

    @book.tool
    def look(x: int) -> str:
        """Look."""
        RAN.append("look")
        return str(x)

    wanted = ResponseFunctionToolCall(type="function_call", call_id="1", name="look", arguments=arguments)
    ran(book, Agent(name="a", tools=[look], model=ScriptedModel([wanted, end()])))
    assert RAN == []
    assert outcomes(runtime) == [("look", False), (None, True)]


def test_a_tool_that_lets_errors_through_ends_the_run_and_is_reported_once(runtime: Runtime) -> None:
    @function_tool(failure_error_function=None)
    def boom() -> str:
        """Fail."""
        raise ValueError("kaput")

    with pytest.raises(Exception, match="kaput"):
        ran(CasebookAgents(runtime), Agent(name="a", tools=[boom], model=ScriptedModel([call("boom"), end()])))
    assert errors_of(runtime) == ["kaput"]


def test_a_guardrail_trips_as_without_us(runtime: Runtime) -> None:
    @input_guardrail
    async def trip(_: Any, __: Any, ___: Any) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=True)

    with pytest.raises(InputGuardrailTripwireTriggered):
        ran(CasebookAgents(runtime), Agent(name="a", input_guardrails=[trip], model=ScriptedModel([end()])))


@pytest.mark.parametrize(
    "given",
    [
        "deploy it",
        [{"role": "user", "content": "deploy it"}],
        [{"role": "user", "content": "hi"}, {"role": "user", "content": [{"type": "input_text", "text": "deploy it"}]}],
        [{"role": "user", "content": "deploy it"}, {"role": "assistant", "content": "sure?"}],
    ],
)
def test_the_users_last_words_are_asked_about(runtime: Runtime, given: Any) -> None:
    said = ScriptedModel([end()])
    ran(CasebookAgents(runtime), Agent(name="a", model=said), given, run_config={"tracing_disabled": True})
    assert "Deploy on Monday" in str(said.seen[0][0])


@pytest.mark.parametrize("is_async", [False, True])
def test_a_filter_of_the_run_comes_first(runtime: Runtime, is_async: bool) -> None:
    def plain(data: CallModelData[Any]) -> ModelInputData:
        return ModelInputData(input=data.model_data.input, instructions="MINE")

    async def coroutine(data: CallModelData[Any]) -> ModelInputData:
        return plain(data)

    said = ScriptedModel([end()])
    config = RunConfig(tracing_disabled=True, call_model_input_filter=coroutine if is_async else plain)
    ran(CasebookAgents(runtime), Agent(name="a", model=said, instructions="THEIRS"), run_config=config)
    assert str(said.seen[0][0]).startswith("MINE\n\n## Casebook")
    assert "Deploy on Monday" in str(said.seen[0][0])


def test_run_sync_within_a_loop_is_refused_as_the_sdk_does(runtime: Runtime) -> None:
    async def run() -> None:
        with pytest.raises(RuntimeError, match="already running"):
            CasebookAgents(runtime).run_sync(Agent(name="a", model=ScriptedModel([end()])), "x")

    asyncio.run(run())


def test_run_sync_keeps_the_threads_own_loop_from_run_to_run(runtime: Runtime) -> None:
    loops: list[object] = []
    book = CasebookAgents(runtime)

    @book.tool
    async def look() -> str:
        """Look."""
        loops.append(asyncio.get_running_loop())
        return "ok"

    def twice() -> None:
        for _ in range(2):
            said = ScriptedModel([call("look"), end()])
            book.run_sync(Agent(name="a", tools=[look], model=said), "deploy it", run_config=QUIET)
        asyncio.get_event_loop_policy().get_event_loop().close()
        asyncio.set_event_loop(None)

    thread = threading.Thread(target=twice)
    thread.start()
    thread.join()
    assert len(loops) == 2
    assert loops[0] is loops[1]


def test_many_runs_of_one_agent_at_once_keep_their_turns_apart(runtime: Runtime) -> None:
    book = CasebookAgents(runtime)

    class Echo(ScriptedModel):
        async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: A002
            self.says.append(end())
            self.seen.append((system_instructions, input))
            await asyncio.sleep(0)
            return await super().get_response(system_instructions, input, *args, **kwargs)

    agent = Agent(name="a", model=(said := Echo([])))

    async def all_of_them() -> None:
        words = ["deploy it" if number % 2 else "hello" for number in range(10)]
        await asyncio.gather(*(book.run(agent, each, run_config=QUIET) for each in words))

    asyncio.run(all_of_them())
    assert all(("deploy" in str(items)) == ("Deploy on Monday" in str(text)) for text, items in said.seen)


def test_outside_a_run_of_the_casebook_an_agents_tools_do_as_they_did(runtime: Runtime) -> None:
    from agents import Runner

    said = ScriptedModel([end(), call("wipe"), end()])
    agent = Agent(name="a", tools=[wipe], model=said)
    ran(CasebookAgents(runtime), agent)
    asyncio.run(Runner.run(agent, "deploy it", run_config=QUIET))
    assert RAN == ["wipe"]
    assert said.seen[-1][0] is None
