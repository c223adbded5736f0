"""LangChain: what its graphs do beyond a plain turn, and that the middleware stands it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ToolRetryMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.types import Command
from pydantic import BaseModel

from casebook.adapters.langchain import CasebookMiddleware, ask_by_interrupt
from casebook.runtime import Runtime
from tests.adapters.books import ADVICE, CASES, CONFIRM, errors_of, successes_of, written
from tests.adapters.rigs.langchain import ScriptedModel

RAN: list[str] = []


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    RAN.clear()
    with Runtime.open(written(tmp_path)) as opened:
        yield opened


@tool
def install(name: str) -> str:
    """Install."""
    RAN.append("install")
    return f"installed {name}"


@tool
def boom(x: int) -> str:
    """Fail."""
    RAN.append("boom")
    raise ValueError("kaput")


@tool
def publish(x: int) -> str:
    """Publish."""
    RAN.append("publish")
    return "published"


@tool
def wipe() -> str:
    """Wipe."""
    RAN.append("wipe")
    return "wiped"


def calls(*wanted: tuple[str, dict[str, Any]]) -> AIMessage:
    made = [{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in enumerate(wanted)]
    return AIMessage("I call.", tool_calls=made)


def model(*says: AIMessage) -> ScriptedModel:
    return ScriptedModel(messages=iter([*says, AIMessage("done")]), seen=[])


def asks(words: str = "deploy it") -> Any:
    return {"messages": [("user", words)]}


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


INSTALL = ("install", {"name": "a"})
PUBLISH = ("publish", {"x": 1})


@pytest.mark.parametrize("is_async", [False, True])
def test_parallel_calls_of_a_turn_are_each_asked_about_and_reported(runtime: Runtime, is_async: bool) -> None:
    said = model(calls(INSTALL, ("wipe", {}), INSTALL))
    agent: Any = create_agent(said, [install, wipe], middleware=[CasebookMiddleware(runtime)])
    state = asyncio.run(agent.ainvoke(asks())) if is_async else agent.invoke(asks())
    told = [each.text for each in state["messages"] if isinstance(each, ToolMessage)]
    assert RAN == ["install", "install"]
    assert "Never wipe; archive." in told[1]
    assert successes_of(runtime, "install") == 2


def test_one_middleware_serves_many_agents_in_many_threads(runtime: Runtime) -> None:
    middleware = CasebookMiddleware(runtime)

    def turn(number: int) -> bool:
        said = model(calls(INSTALL))
        agent: Any = create_agent(said, [install], middleware=[middleware])
        agent.invoke(asks("deploy it" if number % 2 else "hello"))
        return "Deploy on Monday" in said.seen[0][0].text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(turn, range(24))) == [bool(number % 2) for number in range(24)]
    assert successes_of(runtime, "install") == 24


def test_an_error_that_goes_through_an_agent_within_an_agent_is_reported_once(runtime: Runtime) -> None:
    middleware = CasebookMiddleware(runtime)
    inner: Any = create_agent(model(calls(("boom", {"x": 1}))), [boom], middleware=[middleware])

    @tool
    def delegate(task: str) -> str:
        """Hand on."""
        return str(inner.invoke(asks(task)))

    outer: Any = create_agent(model(calls(("delegate", {"task": "x"}))), [delegate], middleware=[middleware])
    with pytest.raises(ValueError, match="kaput"):
        outer.invoke(asks())
    assert errors_of(runtime) == ["kaput"]


def test_an_error_of_a_guarded_tool_is_reported_once(runtime: Runtime) -> None:
    @tool
    @runtime.guard(tool="pay")
    def pay(order: str) -> str:
        """Pay."""
        raise ValueError(f"no {order}")

    agent: Any = create_agent(model(calls(("pay", {"order": "x"}))), [pay], middleware=[CasebookMiddleware(runtime)])
    with pytest.raises(ValueError, match="no x"):
        agent.invoke(asks())
    assert errors_of(runtime) == ["no x"]


def test_a_guards_own_refusal_within_a_tool_is_no_error_of_it(runtime: Runtime) -> None:
    @tool
    @runtime.guard(tool="wipe")
    def clean() -> str:
        """Clean."""
        return "clean"

    agent: Any = create_agent(model(calls(("clean", {}))), [clean], middleware=[CasebookMiddleware(runtime)])
    with pytest.raises(Exception, match="no_wipe"):
        agent.invoke(asks())
    assert errors_of(runtime) == []


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("answer", "ran"), [(True, ["publish"]), (False, [])])
def test_a_graph_stops_for_a_persons_yes_and_goes_on_with_the_answer(
    runtime: Runtime, answer: bool, ran: list[str], is_async: bool
) -> None:
    middleware = CasebookMiddleware(runtime, on_confirm=ask_by_interrupt)
    said = model(calls(PUBLISH))
    agent: Any = create_agent(said, [publish], middleware=[middleware], checkpointer=InMemorySaver())

    def run(given: Any) -> Any:
        return asyncio.run(agent.ainvoke(given, thread("t"))) if is_async else agent.invoke(given, thread("t"))

    assert run(asks())["__interrupt__"][0].value["cases"] == ["ask_publish"]
    assert RAN == []
    state = run(Command(resume=answer))
    assert ran == RAN
    assert ("said no" in state["messages"][-2].text) != answer
    assert successes_of(runtime, "publish") == len(ran)
    assert errors_of(runtime) == []


def test_a_yes_to_the_turn_is_no_yes_to_its_call(tmp_path: Path) -> None:
    turn = {**ADVICE, "id": "ask_deploy", "effect": "confirm"}
    RAN.clear()
    with Runtime.open(written(tmp_path, [turn, CONFIRM])) as runtime:
        middleware = CasebookMiddleware(runtime, on_confirm=ask_by_interrupt)
        said = model(calls(PUBLISH))
        agent: Any = create_agent(said, [publish], middleware=[middleware], checkpointer=InMemorySaver())
        first = agent.invoke(asks(), thread("t"))["__interrupt__"][0].value["cases"]
        second = agent.invoke(Command(resume=True), thread("t"))["__interrupt__"][0].value["cases"]
        agent.invoke(Command(resume=False), thread("t"))
    assert (first, second, RAN) == (["ask_deploy"], ["ask_publish"], [])


def test_a_turn_goes_on_in_another_process_with_its_text_and_its_block(tmp_path: Path) -> None:
    block = {**ADVICE, "id": "frozen", "trigger_conditions": ["text contains payroll"], "effect": "block"}

    class Stop(AgentMiddleware[Any, Any, Any]):
        def before_model(self, state: Any, runtime: Any) -> None:
            from langgraph.types import interrupt

            interrupt("wait")

    RAN.clear()
    with Runtime.open(written(tmp_path, [*CASES, block])) as runtime:
        saver, said = InMemorySaver(), model(calls(INSTALL))
        given: Any
        for given in (
            asks("deploy the payroll"),
            Command(resume=1),
            Command(resume=1),
        ):  # each with a middleware of its own
            made = [CasebookMiddleware(runtime), Stop()]
            agent: Any = create_agent(said, [install], middleware=made, checkpointer=saver)
            agent.invoke(given, thread("t"))
    assert "Deploy on Monday" in said.seen[-1][0].text
    assert RAN == []


@pytest.mark.parametrize("mode", ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"])
def test_streams_carry_the_text_and_are_reported(runtime: Runtime, mode: Any) -> None:
    said = model(calls(INSTALL)), model(calls(INSTALL))
    agents: list[Any] = [
        create_agent(each, [install], middleware=[CasebookMiddleware(runtime)], checkpointer=InMemorySaver())
        for each in said
    ]

    async def stream() -> None:
        async for _ in agents[1].astream(asks(), thread("b"), stream_mode=mode):
            pass

    list(agents[0].stream(asks(), thread("a"), stream_mode=mode))
    asyncio.run(stream())
    assert successes_of(runtime, "install") == len(RAN) == (0 if mode == "messages" else 2)  # the fake streams no calls
    assert all("Deploy on Monday" in each.seen[0][0].text for each in said)


def test_the_tool_of_a_structured_answer_is_no_call(runtime: Runtime) -> None:
    class Answer(BaseModel):
        x: int

    said = model(calls(("Answer", {"x": 1})))
    agent: Any = create_agent(
        said, [install], middleware=[CasebookMiddleware(runtime)], response_format=ToolStrategy(Answer)
    )
    assert agent.invoke(asks())["structured_response"] == Answer(x=1)
    runtime.flush()
    assert {each.tool for each in runtime.journal.events()} == {None}


@pytest.mark.parametrize(("status", "errors"), [("error", ["it failed"]), ("success", [])])
def test_a_command_that_holds_an_error_of_its_call_is_one(runtime: Runtime, status: Any, errors: list[str]) -> None:
    @tool
    def go() -> Command[Any]:
        """Go."""
        return Command(update={"messages": [ToolMessage("it failed", tool_call_id="c0", status=status)]})

    agent: Any = create_agent(model(calls(("go", {}))), [go], middleware=[CasebookMiddleware(runtime)])
    agent.invoke(asks())
    assert errors_of(runtime) == errors
    assert successes_of(runtime, "go") == (not errors)


def test_arguments_that_do_not_fit_are_an_error_of_the_call(runtime: Runtime) -> None:
    agent: Any = create_agent(model(calls(("boom", {"x": "?"}))), [boom], middleware=[CasebookMiddleware(runtime)])
    agent.invoke(asks())
    assert RAN == []
    assert len(errors_of(runtime, "boom")) == 1


def test_a_call_that_is_made_again_by_another_middleware_is_reported_each_time(runtime: Runtime) -> None:
    tries: list[int] = []

    @tool
    def flaky() -> str:
        """Fail once."""
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not yet")
        return "ok"

    retry: Any = ToolRetryMiddleware(max_retries=2, initial_delay=0)
    agent: Any = create_agent(model(calls(("flaky", {}))), [flaky], middleware=[retry, CasebookMiddleware(runtime)])
    agent.invoke(asks())
    assert (errors_of(runtime), successes_of(runtime, "flaky")) == (["not yet"], 1)


@pytest.mark.parametrize(
    "prompt", [None, "BASE", SystemMessage([{"type": "text", "text": "BASE", "cache_control": {"type": "ephemeral"}}])]
)
def test_the_text_stands_behind_a_system_prompt_of_any_shape(runtime: Runtime, prompt: Any) -> None:
    said = model()
    agent: Any = create_agent(said, [install], middleware=[CasebookMiddleware(runtime)], system_prompt=prompt)
    agent.invoke(asks())
    system = said.seen[0][0]
    assert isinstance(system, SystemMessage)
    assert "Deploy on Monday" in system.text
    if isinstance(prompt, SystemMessage):
        assert system.content[0] == prompt.content[0]


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_an_interruption_goes_on_as_it_came(runtime: Runtime, raised: type[BaseException]) -> None:
    @tool
    def stop() -> str:
        """Stop."""
        raise raised

    agent: Any = create_agent(model(calls(("stop", {}))), [stop], middleware=[CasebookMiddleware(runtime)])
    with pytest.raises(raised):
        agent.invoke(asks())


def test_a_cancelled_run_ends_at_once_and_says_so(runtime: Runtime) -> None:
    begun = asyncio.Event()

    @tool
    async def slow() -> str:
        """Wait."""
        begun.set()
        await asyncio.sleep(60)
        return ""

    async def run() -> None:
        agent: Any = create_agent(model(calls(("slow", {}))), [slow], middleware=[CasebookMiddleware(runtime)])
        task = asyncio.create_task(agent.ainvoke(asks()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    runtime.flush()
    (event,) = [each for each in runtime.journal.events() if each.tool == "slow"]
    assert (event.ok, event.counted) == (False, False)


def test_broken_off_turns_are_let_go_of(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casebook.adapters.langchain._KEPT", 3)
    middleware = CasebookMiddleware(runtime)
    agent: Any = create_agent(model(*[calls(INSTALL)] * 40), [install], middleware=[middleware])
    for _ in range(6):
        with pytest.raises(GraphRecursionError):
            agent.invoke(asks(), {"recursion_limit": 4})
    gc.collect()
    assert len(middleware._turns) == 3


def test_a_closed_runtime_and_raising_names_break_no_turn(runtime: Runtime) -> None:
    def raising() -> str:
        raise RuntimeError("nobody")

    runtime.close()
    said = model(calls(INSTALL))
    agent: Any = create_agent(said, [install], middleware=[CasebookMiddleware(runtime, user=raising)])
    assert agent.invoke(asks())["messages"][-1].text == "done"
    assert RAN == ["install"]


def test_what_on_confirm_raises_ends_the_turn_and_the_call_is_not_made(runtime: Runtime) -> None:
    def asked(_: object) -> bool:
        raise LookupError("no terminal")

    middleware = CasebookMiddleware(runtime, on_confirm=asked)
    agent: Any = create_agent(model(calls(PUBLISH)), [publish], middleware=[middleware])
    with pytest.raises(LookupError):
        agent.invoke(asks())
    assert RAN == []
