"""LangChain's own agent loop, sync and async, with its fake chat model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver

from casebook.adapters.hosts import host_of
from casebook.adapters.langchain import CasebookMiddleware
from casebook.runtime import Runtime
from tests.adapters.rig import Call, Rig, Seen


class ScriptedModel(GenericFakeChatModel):
    """A model that says what is in its list, and keeps what it was asked."""

    seen: list[list[Any]]

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: Any, *args: Any, **options: Any) -> Any:
        self.seen.append(list(messages))
        return super()._generate(messages, *args, **options)


class LangChainRig:
    host = host_of("langchain")
    shell = "terminal"

    def __init__(self, folder: Path, *, is_async: bool) -> None:
        self._runtime = Runtime.open(folder)
        self._is_async = is_async
        self._saver = InMemorySaver()

    def run(
        self,
        prompt: str,
        calls: Sequence[Call] = (),
        *,
        session: str = "s1",
        user: str | None = None,
        origin: str | None = None,
        agrees: Callable[[], bool] | None = None,
    ) -> Seen:
        seen, asked = Seen(), [0]

        def on_confirm(_: Any) -> bool:
            asked[0] += 1
            assert agrees is not None
            return agrees()

        middleware = CasebookMiddleware(
            self._runtime, user=user, origin=origin, on_confirm=on_confirm if agrees else None
        )
        script = [
            AIMessage("", tool_calls=[{"name": each.tool, "args": each.args, "id": f"c{n}"}])
            for n, each in enumerate(calls)
        ]
        model = ScriptedModel(messages=iter([*script, AIMessage("done")]), seen=[])
        agent = create_agent(
            model, tools=[self._tool(calls, seen)], system_prompt="BASE", middleware=[middleware],
            checkpointer=self._saver,
        )  # fmt: skip
        asks = {"messages": [("user", prompt)]}
        config: Any = {"configurable": {"thread_id": session}}
        try:
            run: Any = agent
            state = asyncio.run(run.ainvoke(asks, config)) if self._is_async else run.invoke(asks, config)
            seen.told = [each.text for each in state["messages"] if isinstance(each, ToolMessage)]
        except Exception as error:  # noqa: BLE001 - told to the test
            seen.raised = error
        seen.requests = ["\n".join(each.text for each in request) for request in model.seen]
        seen.asked = asked[0]
        return seen

    def _tool(self, calls: Sequence[Call], seen: Seen) -> BaseTool:
        fails = {str(each.args.get("command")): each.fails for each in calls}

        def terminal(command: str) -> str:
            """Run a command."""
            seen.ran.append("terminal")
            if fails.get(command):
                raise ToolException(fails[command])
            return "ok"

        return StructuredTool.from_function(terminal, handle_tool_error=True)

    def close(self) -> None:
        self._runtime.close()


def rig(name: str, folder: Path) -> Rig:
    return LangChainRig(folder, is_async=name.endswith("-async"))
