"""A LangChain agent with the casebook as its middleware: what fails three times is a lesson in the fourth run's prompt.

The model is a list of what it would say; the loop is LangChain's own (`pip install "casebook-runtime[langchain]"`).
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool, ToolException

from casebook.adapters.langchain import CasebookMiddleware
from casebook.clock import fixed_clock
from casebook.runtime import Runtime

NOON = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


class Model(GenericFakeChatModel):
    """Calls the tool, then says that it is done; keeps the system message that it was given last."""

    system: list[str] = []  # noqa: RUF012 - a field of pydantic's, which copies it

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        """Know the tools already."""
        return self

    def _generate(self, messages: Any, *args: Any, **options: Any) -> Any:
        self.system.append(messages[0].text)
        return super()._generate(messages, *args, **options)


def stock(item: str) -> str:
    """Say how many are left."""
    raise ToolException(f"no warehouse was named for {item!r}")


def main() -> None:
    """Run the same agent four times."""
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder) / "memory"
        (memory / "long_term").mkdir(parents=True)
        (memory / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")
        with Runtime.open(memory, clock=fixed_clock(NOON)) as runtime:
            tool = StructuredTool.from_function(stock, handle_tool_error=True)
            for number, item in enumerate(("ladders", "buckets", "ropes", "lamps"), 1):
                asks = AIMessage("", tool_calls=[{"name": "stock", "args": {"item": item}, "id": "c1"}])
                model = Model(messages=iter([asks, AIMessage("I could not find out.")]))
                middleware = CasebookMiddleware(runtime, session=f"run-{number}", user="ann")
                agent = create_agent(model, [tool], system_prompt="You mind the stock.", middleware=[middleware])
                agent.invoke({"messages": [("user", f"How many {item} are left?")]})
                cases = [case.case.id for case in runtime.snapshot().cases.values()]
                print(f"run {number}: {len(cases)} case{'' if len(cases) == 1 else 's'}")
            print()
            print(model.system[-1])


if __name__ == "__main__":
    main()
