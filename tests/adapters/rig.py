"""What the conformance suite needs of a host: its own agent loop with a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import pytest

from casebook.adapters.protocol import Host

RIGS = {
    "langchain": "langchain",
    "langchain-async": "langchain",
    "openai-agents": "openai_agents",
    "pydantic-ai": "pydantic_ai",
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "openclaw": "openclaw",
    "opencode": "opencode",
    "http": "http",
}
"""The rigs there are, by the name of their host (and way of calling), to their module in `tests/adapters/rigs`."""


@dataclass(frozen=True, slots=True)
class Call:
    """What the scripted model wants to call.

    Attributes:
        tool: a tool of the rig's agent: `shell` (argument `command`) or `lookup` (argument `city`), by the host's native name.
        args: its arguments.
        fails: the message of the error that the tool ends in; empty where it succeeds.
    """

    tool: str
    args: dict[str, Any]
    fails: str = ""


@dataclass(slots=True)
class Seen:
    """What came of one turn.

    Attributes:
        requests: the whole text of each request that the model received, in order; for hooks, what the host would put before it.
        ran: the tools that were really called, in order.
        told: what the model was told of each call.
        asked: how often a person was asked.
        raised: what the turn raised, or None.
    """

    requests: list[str] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    asked: int = 0
    raised: BaseException | None = None

    @property
    def text(self) -> str:
        """Give all that the model received."""
        return "\n".join(self.requests)


class Rig(Protocol):
    """One host over one casebook. Made by `rig(folder, clock=…)`; `close` lets go of everything."""

    host: Host
    shell: str
    """The host's own name of the shell tool."""

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
        """Run one turn: the model makes the calls, one after the other, and then says "done"."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


def rig_of(name: str, folder: Path) -> Rig:
    """Open the rig of a host over a casebook's folder; a test whose framework is not installed is skipped, and says so."""
    try:
        module = import_module(f"tests.adapters.rigs.{RIGS[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("casebook"):
            raise
        pytest.skip(f"{name}: {error.name} is not installed or has no rig yet")
    made: Rig = module.rig(name, folder)
    return made
