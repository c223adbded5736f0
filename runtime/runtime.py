"""The front door: open a casebook, ask it before a task, tell it what came of it, have the answer explained."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from casebook.clock import Clock, system_clock
from casebook.conditions.facts import Facts
from casebook.faults import CasebookError
from casebook.policy import Policy
from casebook.redacting.identity import identity
from casebook.runtime.answer.activation import Activation
from casebook.runtime.answering import Answering, SpentAt
from casebook.runtime.facts.extract import extract
from casebook.runtime.facts.session import SoFar
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.matching.protocol import Matcher
from casebook.runtime.memory_door import MemoryDoor
from casebook.runtime.opening import Location, mode_from_environment, store_of
from casebook.runtime.past import Past
from casebook.runtime.recollection import Recollection
from casebook.stores.protocol import Snapshot, Store
from casebook.task import Task
from casebook.yielding import answering

if TYPE_CHECKING:  # the past is loaded when it is first needed: `match` needs neither sqlite3 nor the detector
    from casebook.outcome import Outcome
    from casebook.runtime.answer.explanation import Explanation
    from casebook.runtime.journal.protocol import Journal
    from casebook.runtime.learning.receipt import Receipt
    from casebook.runtime.learning.recording import Asked
    from casebook.runtime.remembering import Remembering

T = TypeVar("T")
_AGAIN = 8
"""So often a task is answered again because another has just said what its answer says."""
Answers = Activation | str | Task | Mapping[str, Any] | None
"""What an outcome answers: an activation, its id, a task that was never asked about, or nothing that is known."""


class Runtime(MemoryDoor):
    """A casebook in service. Safe from many threads and tasks at once, and over forks.

    Made by `Runtime.open`. Its calls raise `CasebookError` alone: `TaskError` for a task that is none, `StoreError` for a
    casebook that cannot be read. A fault in a file is no error: the rest serves, and `activation.quarantined` tells it.
    """

    def __init__(
        self,
        store: Store,
        matcher: Matcher,
        clock: Clock,
        policy: Policy | None = None,
        *,
        journal: Journal | None = None,
        completes: bool = True,
    ) -> None:
        """Serve a store with an engine; `Runtime.open` does this for a location.

        Args:
            store: where the cases are.
            matcher: an engine without cases.
            clock: gives the present instant, aware.
            policy: instead of the store's own.
            journal: instead of the one in the store's folder; it is closed with the runtime.
            completes: whether what a process that was killed has left is completed before the first answer; else before the first
                outcome is taken, as for a process that lives for one question.
        """
        self._clock = clock
        self._answering = Answering(store, matcher, clock, policy, mode_from_environment())
        self._past = Past(self._answering, clock, journal, completes=completes)
        self.recollection = Recollection(self._answering, self._past, clock)

    @classmethod
    def open(
        cls,
        location: Location | Sequence[Location],
        *,
        clock: Clock = system_clock,
        policy: Policy | None = None,
        engine: EngineChoice = "auto",
    ) -> Self:
        """Open a casebook folder, or several as layers of which the first wins.

        Args:
            location: a folder or folders; one that does not exist, or is none, raises. The journal is the first one's.
            clock: gives the present instant, aware; `fixed_clock(…)` for tests.
            policy: instead of the casebook's own `memory-policy.yaml`.
            engine: `auto` takes durable_rules where it can be imported.

        Raises:
            CasebookError: the clock is naive.
            StoreError: there is no casebook there.
            EngineUnavailableError: `durable_rules` was asked for by name and is not here.
        """
        if clock().tzinfo is None:
            raise CasebookError(
                f"clock: expected an aware datetime, got {clock()} (casebook.clock.fixed_clock makes one)"
            )
        several = [location] if isinstance(location, str | os.PathLike) else list(location)
        return cls(store_of(several, clock), matcher(engine), clock, policy)

    @property
    def engine(self) -> str:
        """Give the name of the engine that serves: `durable_rules` or `reference`."""
        return self._answering.matcher.engine

    @property
    def store(self) -> Store:
        """Give the store that is served."""
        return self._answering.store

    @property
    def journal(self) -> Journal:
        """Give the journal of the casebook; it is opened when it is first needed."""
        return self._past.remembering().journal

    def snapshot(self) -> Snapshot:
        """Give the casebook as it serves now; the engine is brought to it.

        Raises:
            ClosedError: this runtime was closed.
        """
        return self._answering.snapshot()

    def policy(self) -> Policy:
        """Give the policy that serves: the one given to `open`, else the casebook's, with `$CASEBOOK_MODE` over it."""
        return self._answering.policy_of(self.store.snapshot())

    # -- before a task -------------------------------------------------------------------------------------------------

    def before_task(
        self, task: Task | Mapping[str, Any], *, persists: bool = False, related: bool = True
    ) -> Activation:
        """Answer a task: which cases apply, the text to inject, the verdict. The answer is journaled.

        Args:
            task: a `Task`, or its JSON object.
            persists: whether the host keeps the text in its transcript: then advice is said once a session, and again after its
                error recurs or the context was compacted.
            related: whether memories are looked for as a turn begins; hooks say no (DESIGN section 5).

        Raises:
            TaskError: it is no task.
        """
        with answering:
            return self._answered(_task(task), persists=persists, related=related)

    def _answered(self, asked: Task, *, persists: bool, related: bool) -> Activation:
        snapshot = self._answering.snapshot()
        policy = self._answering.policy_of(snapshot)
        if policy.mode == "off":
            return self._answering.answer(asked, snapshot).activation
        past = self._past.remembering()
        live = past.session_of(asked, snapshot)
        spent_at = past.spent_at(asked, live, snapshot, policy)
        answered = self._answering.answer(asked, snapshot, live, spent_at, persists=persists)
        for _ in range(_AGAIN):
            if past.note(answered, live, spent_at):
                break
            answered = self._answering.answer(asked, self._answering.snapshot(), live, spent_at, persists=persists)
        else:
            past.note(answered, live)
        activation = answered.activation
        if related or activation.point != "task":
            activation = self.recollection.told_with(answered, counts=True)
        return activation if not past.troubles else self._with_troubles(activation)

    def match(self, task: Task | Mapping[str, Any]) -> Activation:
        """Give the same answer as `before_task` and leave no trace of having been asked. Raises TaskError."""
        asked = _task(task)
        snapshot, live, spent_at = self._standing(asked)
        return self.recollection.told_with(self._answering.answer(asked, snapshot, live, spent_at), counts=False)

    def explain(self, task: Task | Mapping[str, Any], case_id: str | None = None) -> Explanation:
        """Say for each case, or for one, why it did or did not fire.

        Args:
            task: a `Task`, or its JSON object.
            case_id: only this case, in full.

        Raises:
            TaskError: it is no task.
            NotFoundError: there is no such case, or none that this task may see.
        """
        asked = _task(task)
        _, live, spent_at = self._standing(asked)
        return self._answering.explain(asked, live, spent_at, case_id)

    def facts(self, task: Task | Mapping[str, Any]) -> Facts:
        """Give the facts of a task as conditions see them. Raises TaskError."""
        asked = _task(task)
        snapshot, live, _ = self._standing(asked)
        return extract(asked, self._answering.policy_of(snapshot), self._clock(), so_far=live)

    # -- after a task --------------------------------------------------------------------------------------------------

    def after_task(self, activation: Answers, outcome: Outcome | Mapping[str, Any]) -> Receipt:
        """Take what became of a task. It is on disk when this returns; the same report again counts once.

        Args:
            activation: what it answers: the `Activation`, its id, or, where `before_task` was not asked, the task; None where
                nothing is known of it.
            outcome: an `Outcome`, or its JSON object.

        Returns:
            What became of it: where it went, how often that error was seen, the case that it made.

        Raises:
            OutcomeError: it is no outcome.
            TaskError: a mapping was given that is no task.
            StoreError: it could not be written.
        """
        from casebook.outcome import Outcome

        told = outcome if isinstance(outcome, Outcome) else Outcome.from_json(outcome)
        past = self._past.remembering()
        asked, warning = self._asked(activation, past)
        policy = self.policy()
        receipt = past.take(told, asked, policy)
        new = tuple(each for each in self._past.new_troubles() if each not in past.lasting)
        return receipt.warned(*([warning] if warning else []), *past.lasting, *new)

    def _asked(self, activation: Answers, past: Remembering) -> tuple[Asked, str]:
        if isinstance(activation, Activation):
            return past.asked(activation.id)
        if isinstance(activation, str):
            return past.asked(activation)
        from casebook.runtime.learning.recording import Asked
        from casebook.runtime.remembering import asked_of

        if activation is None:
            return Asked(), ""
        task = _task(activation)
        return asked_of(task, self.facts(task)), ""

    @contextmanager
    def task(self, task: Task | Mapping[str, Any], *, persists: bool = False) -> Iterator[Activation]:
        """Answer a task and run it in a `with` block: its end is reported as success, an exception as the error that it is.

        What the block raises goes on to the caller.
        """
        from casebook.runtime.guard import reporting

        asked = _task(task)
        with reporting(self, self.before_task(asked, persists=persists), asked) as activation:
            yield activation

    def guard(self, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Give a decorator that asks before a function is called and reports what came of it; see `casebook.runtime.guard`."""
        from casebook.runtime.guard import guard

        return guard(self, **options)

    # -- async twins: the work is short and in memory, but reading a changed folder may block --------------------------

    async def abefore_task(
        self, task: Task | Mapping[str, Any], *, persists: bool = False, related: bool = True
    ) -> Activation:
        """As `before_task`, without holding up the event loop."""
        return await _in_thread(self.before_task, task, persists=persists, related=related)

    async def aafter_task(self, activation: Answers, outcome: Outcome | Mapping[str, Any]) -> Receipt:
        """As `after_task`, without holding up the event loop."""
        return await _in_thread(self.after_task, activation, outcome)

    async def amatch(self, task: Task | Mapping[str, Any]) -> Activation:
        """As `match`, without holding up the event loop."""
        return await _in_thread(self.match, task)

    async def aexplain(self, task: Task | Mapping[str, Any], case_id: str | None = None) -> Explanation:
        """As `explain`, without holding up the event loop."""
        return await _in_thread(self.explain, task, case_id)

    @asynccontextmanager
    async def atask(self, task: Task | Mapping[str, Any], *, persists: bool = False) -> AsyncIterator[Activation]:
        """As `task`, for `async with`."""
        from casebook.runtime.guard import reporting

        asked = _task(task)
        async with reporting(self, await self.abefore_task(asked, persists=persists), asked) as activation:
            yield activation

    # -- life ----------------------------------------------------------------------------------------------------------

    def _standing(self, task: Task) -> tuple[Snapshot, SoFar | None, SpentAt | None]:
        """Give the casebook, the task's session and what holds advice back, for a question that leaves no trace."""
        past = self._past.remembered()
        snapshot = self._answering.snapshot()
        if past is None:
            return snapshot, None, self._withheld(task, snapshot)
        live = past.session_of(task, snapshot)
        return snapshot, live, past.spent_at(task, live, snapshot, self._answering.policy_of(snapshot))

    def _withheld(self, task: Task, snapshot: Snapshot) -> SpentAt | None:
        """Give what holds advice back where nothing has happened yet: the holdout alone, and None where the session is not in it."""
        share = self._answering.policy_of(snapshot).holdout
        if task.session is None or share <= 0:
            return None
        from casebook.runtime.session.spent import in_holdout

        return (lambda _: lambda _: "holdout") if in_holdout(task.session, share) else None

    def _with_troubles(self, activation: Activation) -> Activation:
        new = self._past.new_troubles()
        return activation if not new else replace(activation, warnings=(*activation.warnings, *new))

    def figures(self) -> Mapping[str, int]:
        """Give the engine's sizes and counts by name."""
        self.snapshot()
        return self._answering.matcher.figures()

    def flush(self) -> None:
        """Write what was journaled so far; on disk when it returns."""
        self._past.flush()

    def close(self) -> None:
        """Write the journal, free the engine and let go of the store. Closing twice is fine."""
        self.recollection.close()
        self._past.close()
        self._answering.matcher.close()
        self.store.close()

    def __enter__(self) -> Self:
        """Serve in a `with` block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close at its end."""
        self.close()


async def _in_thread(call: Callable[..., T], *args: Any, **options: Any) -> T:
    import asyncio  # 20 ms of start that only callers of the async twins pay

    return await asyncio.to_thread(call, *args, **options)


def _task(task: Task | Mapping[str, Any]) -> Task:
    """Give the task with ids that may be stored. Raises TaskError."""
    asked = task if isinstance(task, Task) else Task.from_json(task)
    safe: dict[str, Any] = {}
    for name in _IDS:
        value = getattr(asked, name)
        if value is not None and (kept := identity(value)) is not value:
            safe[name] = kept
    if asked.team and (teams := tuple(map(identity, asked.team))) != asked.team:
        safe["team"] = teams
    return asked.model_copy(update=safe) if safe else asked


_IDS = ("session", "user", "project", "agent", "channel")
"""The fields of a task that are kept as they are told."""
