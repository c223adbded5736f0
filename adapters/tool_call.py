"""A tool call of a framework that was asked about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from casebook.adapters.protocol import Injection
from casebook.runtime.reporting import CURRENT, Stretch
from casebook.task import Task


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call that was asked about.

    Attributes:
        id: of the call, by the framework.
        task: the call as a task; None where it could not be made one.
        injection: what the casebook said.
        stretch: the call as it runs, by which guarded code and other agents within it are known.
        name: the call's own within its turn: a call may be made again under its id.
        refusal: what the agent is told instead of the tool's result; empty where the call may be made.
        cut: what of it could not be looked at, for a person; empty where all was.
    """

    id: str
    task: Task | None
    injection: Injection
    stretch: Stretch
    name: str
    refusal: str = ""
    cut: str = ""

    @contextmanager
    def making(self) -> Iterator[None]:
        """Make the call within; what guarded code and other agents report of it is then known."""
        token = CURRENT.set(self.stretch)
        try:
            yield
        finally:
            CURRENT.reset(token)
