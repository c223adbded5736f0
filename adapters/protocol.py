"""The seam of every adapter: what a host is like, and what it is told. A task goes in, an injection comes out, an outcome goes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation, Verdict
from casebook.task import Task

Stops = Literal["asks", "refuses", "no"]
"""What a host can do with a call: ask its person, refuse it, or neither."""

MOST_CHARS = 9500
"""Characters that every host takes whole: the most of one answer (policy `limits.max_text`); Claude Code cuts at 10,000."""


@dataclass(frozen=True, slots=True)
class Host:
    """What is true of a host, as far as an adapter depends on it.

    Attributes:
        name: as it is typed and as the journal tells it: `claude-code`, `langchain`.
        title: as people write it.
        module: below `casebook.adapters`, where its adapter is.
        keeps: whether injected text stays in its transcript; then advice is said once a session, else each turn.
        confirms: what becomes of a call that wants a person's yes.
        blocks: what becomes of a call that is blocked.
        advises: when advice about a call can be told: `before` it is made, `after` it with its result, with the `next` turn.
        related: whether memories are told as a turn begins; hooks tell none (DESIGN section 5).
        extra: the extra of `casebook-runtime` that brings what the adapter imports; empty where nothing is needed.
    """

    name: str
    title: str
    module: str
    keeps: bool
    confirms: Stops = "refuses"
    blocks: Stops = "refuses"
    advises: Literal["before", "after", "next"] = "before"
    related: bool = True
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Injection:
    """What a host is told before a task.

    Attributes:
        text: to put in front of the agent; empty when there is nothing to say.
        verdict: `allow`, `confirm` (ask a person first) or `block`.
        reason: why a call is not to be made, for the agent, where the verdict is not `allow`.
        cases: ids of the cases whose corrections are in the text.
        activation: the id by which an outcome answers it; empty where the casebook gave no answer.
        trouble: what went wrong with the casebook, for a person; empty where nothing did.
    """

    text: str = ""
    verdict: Verdict = "allow"
    reason: str = ""
    cases: tuple[str, ...] = ()
    activation: str = ""
    trouble: str = ""


NOTHING = Injection()
"""What a host is told where nothing applies."""


class Asked(Protocol):
    """What an adapter needs of a casebook; a `Runtime` is one."""

    def policy(self) -> Policy:
        """Give the policy that serves."""
        ...

    def before_task(self, task: Task, /, *, persists: bool = False, related: bool = True) -> Activation:
        """Answer a task."""
        ...

    def after_task(self, about: Activation | str | Task | Mapping[str, Any] | None, outcome: Outcome, /) -> object:
        """Take what became of it."""
        ...

    async def abefore_task(self, task: Task, /, *, persists: bool = False, related: bool = True) -> Activation:
        """As `before_task`, without holding up the event loop."""
        ...

    async def aafter_task(
        self, about: Activation | str | Task | Mapping[str, Any] | None, outcome: Outcome, /
    ) -> object:
        """As `after_task`, without holding up the event loop."""
        ...
