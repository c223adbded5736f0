"""The OpenAI Agents SDK's own runner, with a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, SQLiteSession, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from casebook.adapters.hosts import host_of
from casebook.adapters.openai_agents import CasebookAgents
from casebook.runtime import Runtime
from tests.adapters.rig import Call, Rig, Seen


class ScriptedModel(Model):
    """A model that says what is in its list, and keeps what it was asked."""

    def __init__(self, says: Sequence[Any]) -> None:
        self.says = list(says)
        self.seen: list[tuple[str | None, list[Any]]] = []

    async def get_response(
        self,
        system_instructions: str | None,
        input: Any,  # noqa: A002 - the SDK's name
        *args: Any,
        **kwargs: Any,
    ) -> ModelResponse:
        self.seen.append((system_instructions, list(input)))
        return ModelResponse(output=[self.says.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


class OpenAIAgentsRig:
    host = host_of("openai-agents")
    shell = "local_shell"

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

        book = CasebookAgents(self._runtime, user=user, origin=origin, on_confirm=on_confirm if agrees else None)
        fails = {str(each.args.get("command")): each.fails for each in calls}

        @book.tool(failure_error_function=lambda _, error: f"failed: {error}")  # type: ignore[untyped-decorator]  # as the SDK's
        def local_shell(command: str) -> str:
            """Run a command."""
            seen.ran.append("local_shell")
            if fails.get(command):
                raise RuntimeError(fails[command])
            return "ok"

        script = [
            ResponseFunctionToolCall(
                type="function_call", call_id=f"c{n}", name=each.tool, arguments=json.dumps(each.args)
            )
            for n, each in enumerate(calls)
        ]
        done = ResponseOutputText(type="output_text", text="done", annotations=[])
        end = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[done])
        model = ScriptedModel([*script, end])
        agent = Agent(name="t", instructions="BASE", tools=[local_shell], model=model)
        kept = SQLiteSession(session)
        try:
            given = RunConfig(tracing_disabled=True)
            result = asyncio.run(book.run(agent, prompt, session=kept, run_config=given))
            items: list[Any] = list(result.to_input_list())
            seen.told = [str(each.get("output")) for each in items if each.get("type") == "function_call_output"]
        except Exception as error:  # noqa: BLE001 - told to the test
            seen.raised = error
        finally:
            kept.close()
        seen.requests = [f"{words}\n{json.dumps(items, ensure_ascii=False)}" for words, items in model.seen]
        seen.asked = asked[0]
        return seen

    def close(self) -> None:
        self._runtime.close()


def rig(name: str, folder: Path) -> Rig:
    return OpenAIAgentsRig(folder)
