"""A LangChain agent over the casebook of this folder: shows the system message that the model received.

    casebook init
    casebook teach "Name the warehouse as well" --text stock --yes
    python examples/programs/langchain_here.py memory "How much stock is left?"

Without arguments it makes that casebook in a scratch folder. The model only says that it is done (`pip install
"casebook-runtime[langchain]"`).
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from casebook.adapters.langchain import CasebookMiddleware
from casebook.runtime import Runtime

CASE = {
    "id": "name_warehouse",
    "trigger_conditions": ["text contains stock"],
    "correction": "Name the warehouse as well",
}


class Model(GenericFakeChatModel):
    """Shows what it was told, and says that it is done."""

    def _generate(self, messages: Any, *args: Any, **options: Any) -> Any:
        print(messages[0].text)
        return super()._generate(messages, *args, **options)


def main(memory: Path, words: str) -> None:
    """Run one turn."""
    with Runtime.open(memory) as runtime:
        model = Model(messages=iter([AIMessage("Done.")]))
        agent = create_agent(model, system_prompt="You mind the stock.", middleware=[CasebookMiddleware(runtime)])
        agent.invoke({"messages": [("user", words)]})


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(Path(sys.argv[1]), sys.argv[2])
    else:
        with tempfile.TemporaryDirectory() as folder:
            rules = Path(folder) / "memory" / "long_term" / "rules.json"
            rules.parent.mkdir(parents=True)
            rules.write_text(json.dumps([CASE]), encoding="utf-8")
            main(rules.parents[1], "How much stock is left?")
