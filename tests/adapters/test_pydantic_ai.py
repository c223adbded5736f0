"""pydantic-ai: approvals, retries, arguments that do not fit, streams, output tools, conversations; and that the casebook stands them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, ToolDenied
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import UsageLimits

from casebook.adapters.pydantic_ai import CasebookCapability, ask_by_approval
from casebook.runtime import Runtime
from tests.adapters.books import errors_of, successes_of, written

RAN: list[str] = []
SEEN: list[str] = []


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    RAN.clear()
    SEEN.clear()
    with Runtime.open(written(tmp_path)) as opened:
        yield opened


def model(*says: Any) -> FunctionModel:
    script = [*says, TextPart("done")]

    def said(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        SEEN.append(info.instructions or "")
        part = script.pop(0) if script else TextPart("done")
        return ModelResponse(parts=part if isinstance(part, list) else [part])

    return FunctionModel(said)


def call(tool: str, number: int = 0, **args: Any) -> ToolCallPart:
    return ToolCallPart(tool, args, tool_call_id=f"{tool}{number}")


def agent_of(runtime: Runtime, *says: Any, **options: Any) -> Agent[None, Any]:
    on_confirm = options.pop("on_confirm", None)
    made: Agent[None, Any] = Agent(
        model(*says), capabilities=[CasebookCapability(runtime, on_confirm=on_confirm)], retries=5, **options
    )

    @made.tool_plain
    def publish(x: int) -> str:
        """Publish."""
        RAN.append("publish")
        return "published"

    @made.tool_plain
    def wipe() -> str:
        """Wipe."""
        RAN.append("wipe")
        return "wiped"

    @made.tool_plain
    async def boom() -> str:
        """Fail."""
        raise ValueError("kaput")

    return made


def ends(runtime: Runtime) -> list[tuple[str | None, bool | None, str | None]]:
    """Give what was reported: tool, whether it went well, session."""
    runtime.flush()
    return [(each.tool, each.ok, each.session) for each in runtime.journal.events() if each.kind != "task"]


@pytest.mark.parametrize(("answer", "ran"), [(True, ["publish"]), (ToolDenied("not today"), [])])
def test_a_call_is_deferred_until_a_person_has_answered(runtime: Runtime, answer: Any, ran: list[str]) -> None:
    agent = agent_of(runtime, call("publish", x=1), on_confirm=ask_by_approval, output_type=[str, DeferredToolRequests])

    async def both() -> Any:
        first = await agent.run("deploy it")
        asked: DeferredToolRequests = first.output
        assert asked.metadata["publish0"]["cases"] == ["ask_publish"]
        assert (RAN, ends(runtime)) == ([], [])
        given = DeferredToolResults(approvals={"publish0": answer})
        return await agent.run(message_history=first.all_messages(), deferred_tool_results=given)

    assert asyncio.run(both()).output == "done"
    assert ran == RAN
    assert successes_of(runtime, "publish") == len(ran)
    assert errors_of(runtime) == []
    assert "Deploy on Monday" in SEEN[-1]


def test_a_retry_and_arguments_that_do_not_fit_are_errors_of_the_call(runtime: Runtime) -> None:
    agent = agent_of(runtime, call("look", 1, x=1), call("look", 2, x="?"), call("look", 3, x=2))
    tries: list[int] = []

    @agent.tool_plain
    def look(x: int) -> str:
        """Look."""
        tries.append(x)
        if len(tries) == 1:
            raise ModelRetry("look again")
        return "ok"

    asyncio.run(agent.run("deploy it"))
    first, second = errors_of(runtime, "look")
    assert first == "look again"
    assert "valid integer" in second
    assert successes_of(runtime, "look") == 1


def test_an_output_tool_is_no_call(runtime: Runtime) -> None:
    class Answer(BaseModel):
        x: int

    says = call("final_result", 1, x="?"), call("final_result", 2, x=1)
    assert asyncio.run(agent_of(runtime, *says, output_type=Answer).run("deploy it")).output == Answer(x=1)
    assert [each[:2] for each in ends(runtime)] == [(None, True)]


def test_parallel_calls_are_each_asked_about_and_an_error_ends_the_run_once(runtime: Runtime) -> None:
    with pytest.raises(ValueError, match="kaput"):
        asyncio.run(agent_of(runtime, [call("wipe"), call("boom"), call("publish", x=1)]).run("deploy it"))
    assert RAN == []
    assert errors_of(runtime) == ["kaput"]


def test_an_error_that_goes_through_an_agent_within_an_agent_is_reported_once(runtime: Runtime) -> None:
    inner = agent_of(runtime, call("boom"))
    outer = agent_of(runtime, call("delegate"))

    @outer.tool_plain
    async def delegate() -> str:
        """Hand on."""
        return str((await inner.run("please")).output)

    with pytest.raises(ValueError, match="kaput"):
        asyncio.run(outer.run("deploy it"))
    assert errors_of(runtime) == ["kaput"]


def test_runs_of_one_agent_at_once_keep_their_turns_apart(runtime: Runtime) -> None:
    def said(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        told = "Deploy on Monday" in (info.instructions or "")
        asked = "deploy" in str(getattr(messages[0].parts[-1], "content", ""))
        return ModelResponse(parts=[TextPart("right" if told == asked else "wrong")])

    agent = Agent(FunctionModel(said), capabilities=[CasebookCapability(runtime)])

    async def all_of_them() -> list[str]:
        runs = [agent.run("deploy it" if number % 2 else "hello") for number in range(12)]
        return [each.output for each in await asyncio.gather(*runs)]

    assert set(asyncio.run(all_of_them())) == {"right"}


@pytest.mark.parametrize("way", ["run_stream", "iter", "run_stream_events"])
def test_streams_and_iterations_are_served_as_runs_are(runtime: Runtime, way: str) -> None:
    agent = Agent(TestModel(custom_output_text="hi"), capabilities=[CasebookCapability(runtime)])

    @agent.tool_plain
    def wipe() -> str:
        """Wipe."""
        RAN.append("wipe")
        return ""

    @agent.tool_plain
    def install() -> str:
        """Install."""
        RAN.append("install")
        return ""

    async def run() -> None:
        async with getattr(agent, way)("deploy it") as going:
            if way == "run_stream":
                await going.get_output()
            else:
                async for _ in going:
                    pass

    asyncio.run(run())
    assert RAN == ["install"]
    assert [each[:2] for each in ends(runtime)] == [("install", True), (None, True)]


def test_a_limit_that_is_reached_is_told_and_goes_on(runtime: Runtime) -> None:
    agent = agent_of(runtime, *(call("publish", number, x=1) for number in range(9)), on_confirm=lambda _: True)
    with pytest.raises(UsageLimitExceeded):
        asyncio.run(agent.run("deploy it", usage_limits=UsageLimits(request_limit=2)))
    assert [each[:2] for each in ends(runtime)] == [("publish", True), ("publish", True), (None, False)]


def test_a_conversation_is_a_session(runtime: Runtime) -> None:
    agent = agent_of(runtime)

    async def three() -> None:
        first = await agent.run("deploy it")
        await agent.run("deploy it again", message_history=first.all_messages())
        await agent.run("deploy it")

    asyncio.run(three())
    first, second, other = (session for _, _, session in ends(runtime))
    assert first == second
    assert first != other
