"""An agent of the OpenAI Agents SDK under a casebook: a case blocks one call, and the next turn's instructions carry another.

The model is a list of what it would say; the runner is the SDK's own (`pip install "casebook-runtime[openai-agents]"`).
"""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from casebook.adapters.openai_agents import CasebookAgents
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "destructive_commands"
NOON = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


class Scripted(Model):
    """Calls the shell with one command after the other, then says that it is done."""

    def __init__(self, *commands: str) -> None:
        """Take the commands."""
        self.left = list(commands)

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """Give the next call."""
        if self.left:
            arguments = json.dumps({"command": self.left.pop(0)})
            call = ResponseFunctionToolCall(
                type="function_call", call_id=f"c{len(self.left)}", name="shell", arguments=arguments
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        text = ResponseOutputText(type="output_text", text="done", annotations=[])
        message = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        """Not needed here."""
        raise NotImplementedError


def main() -> None:
    """Let an agent try two commands, of which a case blocks one."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(NOON)) as runtime:
            book = CasebookAgents(runtime, session="s1", user="ann")

            @book.tool
            def shell(command: str) -> str:
                """Run a command."""
                return f"ran {command}"

            agent = Agent(name="helper", tools=[shell], model=Scripted("ls build", "rm -rf ~/"))
            result = book.run_sync(agent, "clean up", run_config=RunConfig(tracing_disabled=True))
            for item in result.to_input_list():
                if isinstance(item, dict) and item.get("type") == "function_call_output":
                    print(str(item["output"]).splitlines()[0])


if __name__ == "__main__":
    main()
