"""A pydantic-ai agent with the casebook as a capability: the corrections stand in its instructions.

The model is a function; the agent is pydantic-ai's own (`pip install "casebook-runtime[pydantic-ai]"`).
"""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path
from shutil import copytree
from zoneinfo import ZoneInfo

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from casebook.adapters.pydantic_ai import CasebookCapability
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

PACK = Path(__file__).parents[1] / "night_push"
NIGHT = datetime(2026, 3, 21, 2, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Show what it was told."""
    print(info.instructions)
    return ModelResponse(parts=[TextPart("I will ask first.")])


def main() -> None:
    """Ask for a push at night."""
    with tempfile.TemporaryDirectory() as folder:
        memory = copytree(PACK, Path(folder) / "memory")
        with Runtime.open(memory, clock=fixed_clock(NIGHT)) as runtime:
            capability = CasebookCapability(runtime, user="ann")
            agent = Agent(FunctionModel(model), instructions="You write to customers.", capabilities=[capability])
            print("\n" + agent.run_sync("现在给所有用户推送限时优惠").output)


if __name__ == "__main__":
    main()
