"""The front door: open a casebook, ask it before a task, have the answer explained."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar, get_args

from casebook.case import LoadedCase, Mode
from casebook.clock import Clock, system_clock
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.faults import CasebookError, ClosedError, Fault, PolicyError, StoreError, nearest
from casebook.forking import guarded
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation, activation_id
from casebook.runtime.answer.explain import explain
from casebook.runtime.answer.explanation import Explanation
from casebook.runtime.answer.isolation import principal_of, visible_faults
from casebook.runtime.answer.prompt import prompt
from casebook.runtime.answer.selection import select
from casebook.runtime.facts.extract import extract
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.matching.protocol import Matcher
from casebook.stores.protocol import Snapshot, Store
from casebook.task import Task

T = TypeVar("T")
Location = str | os.PathLike[str]


class Runtime:
    """A casebook in service. Safe from many threads and tasks at once, and over forks.

    Made by `Runtime.open`. Its calls raise `CasebookError` alone: `TaskError` for a task that is none, `StoreError` for a
    casebook that cannot be read. A fault in a file is no error: the rest serves, and `activation.quarantined` tells it.
    """

    def __init__(self, store: Store, matcher: Matcher, clock: Clock, policy: Policy | None = None) -> None:
        """Serve a store with an engine; `Runtime.open` does this for a location.

        Args:
            store: where the cases are.
            matcher: an engine without cases.
            clock: gives the present instant, aware.
            policy: instead of the store's own.
        """
        self._store = store
        self._matcher = matcher
        self._clock = clock
        self._policy = policy
        self._mode = _mode_from_environment()
        self._lock = guarded(self, rank=0)
        self._served: Snapshot | None = None
        self._effective: tuple[Policy, Policy] | None = None

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
            location: a folder or folders; one that does not exist, or is none, raises.
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
        return cls(_store_of(several, clock), matcher(engine), clock, policy)

    @property
    def engine(self) -> str:
        """Give the name of the engine that serves: `durable_rules` or `reference`."""
        return self._matcher.engine

    @property
    def store(self) -> Store:
        """Give the store that is served."""
        return self._store

    def snapshot(self) -> Snapshot:
        """Give the casebook as it serves now; the engine is brought to it.

        Raises:
            ClosedError: this runtime was closed.
        """
        snapshot = self._store.snapshot()
        if snapshot is not self._served:
            with self._lock:
                snapshot = self._serve(snapshot)
        return snapshot

    def _serve(self, snapshot: Snapshot) -> Snapshot:
        """Bring the engine to a snapshot, under the lock; an older one never comes after a newer one."""
        if self._served is not None and snapshot.generation < self._served.generation:
            snapshot = self._served
        self._matcher.update(snapshot.cases)
        self._served = snapshot
        return snapshot

    def policy(self) -> Policy:
        """Give the policy that serves: the one given to `open`, else the casebook's, with `$CASEBOOK_MODE` over it."""
        return self._policy_of(self._store.snapshot())

    def _policy_of(self, snapshot: Snapshot) -> Policy:
        base = self._policy or snapshot.policy
        if self._mode is None or self._mode == base.mode:
            return base
        known = self._effective
        if known is None or known[0] is not base:
            known = self._effective = (base, base.model_copy(update={"mode": self._mode}))
        return known[1]

    # -- the answer ----------------------------------------------------------------------------------------------------

    def before_task(self, task: Task | Mapping[str, Any]) -> Activation:
        """Answer a task: which cases apply, the text to inject, the verdict.

        Args:
            task: a `Task`, or its JSON object.

        Raises:
            TaskError: it is no task.
        """
        return self._answer(_task(task))

    def match(self, task: Task | Mapping[str, Any]) -> Activation:
        """Give the same answer as `before_task` and leave no trace of having been asked. Raises TaskError."""
        return self._answer(_task(task))

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
        with self._lock:  # the engine stands still while it is looked at
            snapshot = self._serve(self._store.snapshot())
            policy = self._policy_of(snapshot)
            facts = extract(asked, policy, self._clock())
            scope_of = self._store.scope_of
            return explain(asked, facts, snapshot, policy, self._matcher, case_id=case_id, scope_of=scope_of)

    @contextmanager
    def task(self, task: Task | Mapping[str, Any]) -> Iterator[Activation]:
        """Answer a task and run it in a `with` block; what the block raises goes on to the caller."""
        yield self.before_task(task)

    def facts(self, task: Task | Mapping[str, Any]) -> Facts:
        """Give the facts of a task as conditions see them. Raises TaskError."""
        return extract(_task(task), self._policy_of(self.snapshot()), self._clock())

    def _answer(self, task: Task) -> Activation:
        now = self._clock()
        snapshot = self.snapshot()
        started = _elapsed()  # loading a casebook is no part of answering a task
        policy, facts, conflict = self._conflict(task, snapshot, now)
        if (
            conflict is None
        ):  # another thread has brought the engine to a newer casebook, or an exception has emptied it
            with self._lock:
                snapshot = self._serve(self._store.snapshot())
                started = _elapsed()
                policy, facts, conflict = self._conflict(task, snapshot, now)
        if conflict is None:
            raise ClosedError
        warnings = task.warnings
        late = _lateness(started, policy)
        if late:
            conflict = [case for case in conflict if case.case.effect != "advise"]
            warnings = (*warnings, late)
        selection = select(conflict, snapshot.cases, task, facts, policy)
        text = prompt(selection, Reading(facts), policy) if selection.cases or selection.omitted else ""
        return Activation(
            id=activation_id(now),
            cases=tuple(case.case for case in selection.cases),
            omitted=selection.omitted,
            prompt=text,
            verdict=selection.verdict,
            quarantined=self._quarantined(snapshot, task) if snapshot.faults else (),
            engine=self._matcher.engine,
            warnings=warnings,
            point=task.point,
            held=selection.held,
        )

    def _conflict(
        self, task: Task, snapshot: Snapshot, now: datetime
    ) -> tuple[Policy, Facts, Sequence[LoadedCase] | None]:
        """Give the policy and the facts of a task, and the cases of this very snapshot that match; None as `match_at`."""
        policy = self._policy_of(snapshot)
        if policy.mode == "off":
            return policy, Facts({}, now), ()
        facts = extract(task, policy, now)
        return policy, facts, self._matcher.match_at(snapshot.cases, facts)

    def _quarantined(self, snapshot: Snapshot, task: Task) -> tuple[Fault, ...]:
        errors = [fault for fault in snapshot.faults if fault.severity == "error"]
        return visible_faults(errors, snapshot, principal_of(task), scope_of=self._store.scope_of)

    # -- async twins: the work is short and in memory, but reading a changed folder may block --------------------------

    async def abefore_task(self, task: Task | Mapping[str, Any]) -> Activation:
        """As `before_task`, without holding up the event loop."""
        return await _in_thread(self.before_task, task)

    async def amatch(self, task: Task | Mapping[str, Any]) -> Activation:
        """As `match`, without holding up the event loop."""
        return await _in_thread(self.match, task)

    async def aexplain(self, task: Task | Mapping[str, Any], case_id: str | None = None) -> Explanation:
        """As `explain`, without holding up the event loop."""
        return await _in_thread(self.explain, task, case_id)

    @asynccontextmanager
    async def atask(self, task: Task | Mapping[str, Any]) -> AsyncIterator[Activation]:
        """As `task`, for `async with`."""
        yield await self.abefore_task(task)

    # -- life ----------------------------------------------------------------------------------------------------------

    def figures(self) -> Mapping[str, int]:
        """Give the engine's sizes and counts by name."""
        self.snapshot()
        return self._matcher.figures()

    def close(self) -> None:
        """Free the engine and let go of the store. Closing twice is fine."""
        self._matcher.close()
        self._store.close()

    def __enter__(self) -> Self:
        """Serve in a `with` block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close at its end."""
        self.close()


async def _in_thread(call: Callable[..., T], *args: Any) -> T:
    import asyncio  # 20 ms of start that only callers of the async twins pay

    return await asyncio.to_thread(call, *args)


def _task(task: Task | Mapping[str, Any]) -> Task:
    return task if isinstance(task, Task) else Task.from_json(task)


def _elapsed() -> float:
    """Give seconds since some moment, for lateness alone: freezegun, which moves the one clock, must not move this one."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def _lateness(started: float, policy: Policy) -> str:
    """Say that the time of `before_task` is used up, or nothing. Then advice is dropped and blocks are kept."""
    spent = (_elapsed() - started) * 1000
    limit = policy.limits.before_task_ms
    if spent <= limit:
        return ""
    return (
        f"matching took {spent:.0f} ms, over the limit before_task_ms = {limit}: advice was dropped, blocks were kept"
    )


def _mode_from_environment() -> Mode | None:
    value = os.environ.get("CASEBOOK_MODE") or None
    known: tuple[Mode, ...] = get_args(Mode)
    for mode in known:
        if value == mode:
            return mode
    if value is None:
        return None
    near = nearest(value, known)
    raise PolicyError(
        f"$CASEBOOK_MODE: expected one of {', '.join(known)}, got {value!r}"
        + (f"; did you mean {near}?" if near else "")
    )


def _store_of(locations: Sequence[Location], clock: Clock) -> Store:
    from casebook.stores.folder import FolderStore
    from casebook.stores.layers import LayeredStore

    if not locations:
        raise StoreError("expected a casebook folder, got an empty list of locations")
    stores: list[Store] = []
    layers: list[str] = []
    for location in locations:
        text = os.fspath(location)
        if "://" in text:
            raise StoreError(f"{text}: this release serves folders; expected the path of one")
        root = Path(text).expanduser()
        if not root.is_dir():
            cure = "it is a file" if root.exists() else f"there is nothing there; `casebook init {text}` makes one"
            raise StoreError(f"{text}: expected a casebook folder, but {cure}")
        layer = root.resolve().name or "root"
        layers.append(f"{layer}{len(layers) + 1}" if layer in layers else layer)
        stores.append(FolderStore(root, clock=clock, layer=layers[-1] if len(locations) > 1 else ""))
    return stores[0] if len(stores) == 1 else LayeredStore(stores)
