"""pydantic-ai's own agent, with its `FunctionModel`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from casebook.adapters.hosts import host_of
from casebook.adapters.pydantic_ai import CasebookCapability
from casebook.runtime import Runtime
from tests.adapters.rig import Call, Rig, Seen


class PydanticAIRig:
    host = host_of("pydantic-ai")
    shell = "execute_bash"

    def __init__(self, folder: Path) -> None:
        self._runtime = Runtime.open(folder)

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

        async def on_confirm(_: Any) -> bool:
            asked[0] += 1
            assert agrees is not None
            return agrees()

        def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            parts = [part for message in messages for part in message.parts]
            words = [str(getattr(part, "content", "")) for part in parts]
            seen.requests.append("\n".join([info.instructions or "", *words]))
            number = len(seen.requests) - 1
            if number < len(calls):
                call = ToolCallPart(calls[number].tool, calls[number].args, tool_call_id=f"c{number}")
                return ModelResponse(parts=[call])
            seen.told = [str(getattr(part, "content", "")) for part in parts if hasattr(part, "tool_call_id")]
            return ModelResponse(parts=[TextPart("done")])

        capability = CasebookCapability(
            self._runtime, user=user, origin=origin, session=session, on_confirm=on_confirm if agrees else None
        )
        agent = Agent(FunctionModel(model), instructions="BASE", capabilities=[capability], retries=9)
        fails = {str(each.args.get("command")): each.fails for each in calls}

        @agent.tool_plain
        def execute_bash(command: str) -> str:
            """Run a command."""
            seen.ran.append("execute_bash")
            if fails.get(command):
                raise ModelRetry(fails[command])
            return "ok"

        try:
            asyncio.run(agent.run(prompt))
        except Exception as error:  # noqa: BLE001 - told to the test
            seen.raised = error
        seen.asked = asked[0]
        return seen

    def close(self) -> None:
        self._runtime.close()


def rig(name: str, folder: Path) -> Rig:
    return PydanticAIRig(folder)
