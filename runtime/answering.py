"""The way of a task: facts, conflict set, selection, text. What the past says comes in as a session and as `spent`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from casebook.case import LoadedCase, Mode
from casebook.clock import Clock, elapsed
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.faults import ClosedError, Fault
from casebook.forking import guarded
from casebook.policy import Policy
from casebook.redacting.redact import redact
from casebook.runtime.answer.activation import Activation, activation_id
from casebook.runtime.answer.eligibility import Spent
from casebook.runtime.answer.isolation import principal_of, visible_faults
from casebook.runtime.answer.prompt import prompt
from casebook.runtime.answer.selection import Selection, select
from casebook.runtime.facts.extract import extract
from casebook.runtime.facts.session import SoFar
from casebook.runtime.journal.answered import Answered
from casebook.runtime.matching.protocol import Matcher
from casebook.stores.protocol import Snapshot, Store
from casebook.task import Task

if TYPE_CHECKING:  # only what is explained pays for it
    from casebook.runtime.answer.explanation import Explanation

SpentAt = Callable[[datetime], Spent | None]
"""Takes the task's instant and gives what holds advice back then."""


class Answering:
    """A store brought to an engine. Safe from many threads."""

    def __init__(self, store: Store, matcher: Matcher, clock: Clock, policy: Policy | None, mode: Mode | None) -> None:
        """Serve a store with an engine without cases.

        Args:
            store: where the cases are.
            matcher: the engine.
            clock: gives the present instant, aware.
            policy: instead of the store's own.
            mode: instead of the policy's.
        """
        self.store = store
        self.matcher = matcher
        self._clock = clock
        self._policy = policy
        self._mode = mode
        self._lock = guarded(self, rank=0)
        self._served: Snapshot | None = None
        self._effective: tuple[Policy, Policy] | None = None

    def snapshot(self) -> Snapshot:
        """Give the casebook as it serves now; the engine is brought to it. Raises ClosedError."""
        snapshot = self.store.snapshot()
        if snapshot is not self._served:
            with self._lock:
                snapshot = self._serve(snapshot)
        return snapshot

    def _serve(self, snapshot: Snapshot) -> Snapshot:
        """Bring the engine to a snapshot, under the lock; an older one never comes after a newer one."""
        if self._served is not None and snapshot.generation < self._served.generation:
            snapshot = self._served
        self.matcher.update(snapshot.cases)
        self._served = snapshot
        return snapshot

    def policy_of(self, snapshot: Snapshot) -> Policy:
        """Give the policy that serves: the one given, else the snapshot's, with the environment's mode over it."""
        base = self._policy or snapshot.policy
        if self._mode is None or self._mode == base.mode:
            return base
        known = self._effective
        if known is None or known[0] is not base:
            known = self._effective = (base, base.model_copy(update={"mode": self._mode}))
        return known[1]

    def answer(
        self,
        task: Task,
        snapshot: Snapshot,
        so_far: SoFar | None = None,
        spent_at: SpentAt | None = None,
        *,
        persists: bool = False,
    ) -> Answered:
        """Answer a task.

        Args:
            task: what an agent is about to do.
            snapshot: as `snapshot` gave it just now.
            so_far: its session as it stands.
            spent_at: what holds advice back.
            persists: whether the host keeps the text in its transcript.

        Raises:
            ClosedError: the engine was closed.
        """
        now = self._clock()
        started = elapsed()  # loading a casebook is no part of answering a task
        policy, reading, conflict = self._conflict(task, snapshot, now, so_far)
        if conflict is None:
            # another thread has brought the engine to a newer casebook, or an exception has emptied it
            with self._lock:
                snapshot = self._serve(self.store.snapshot())
                started = elapsed()
                policy, reading, conflict = self._conflict(task, snapshot, now, so_far)
        if conflict is None:
            raise ClosedError
        warnings = task.warnings
        late = _lateness(started, policy)
        if late:
            conflict = [case for case in conflict if case.case.effect != "advise"]
            warnings = (*warnings, late)
        facts = reading.facts
        spent = spent_at(facts.at) if spent_at is not None and conflict else None
        selection = select(conflict, snapshot.cases, task, facts, policy, spent=spent)
        activation = Activation(
            id=activation_id(now),
            cases=tuple([case.case for case in selection.cases]),
            omitted=selection.omitted,
            prompt=self._text(selection, reading, policy),
            verdict=selection.verdict,
            quarantined=self._quarantined(snapshot, task) if snapshot.faults else (),
            engine=self.matcher.engine,
            warnings=warnings,
            point=task.point,
            held=selection.held,
        )
        return Answered(task, activation, selection, policy, reading, snapshot.cases, persists)

    def explain(
        self, task: Task, so_far: SoFar | None, spent_at: SpentAt | None, case_id: str | None = None
    ) -> Explanation:
        """Say for each case, or for one, why it did or did not fire. Raises NotFoundError."""
        from casebook.runtime.answer.explain import explain

        with self._lock:  # the engine stands still while it is looked at
            snapshot = self._serve(self.store.snapshot())
            policy = self.policy_of(snapshot)
            facts = extract(task, policy, self._clock(), so_far=so_far)
            return explain(
                task,
                facts,
                snapshot,
                policy,
                self.matcher,
                case_id=case_id,
                spent=spent_at(facts.at) if spent_at is not None else None,
                redact=partial(redact, patterns=policy.redact),
                scope_of=self.store.scope_of,
            )

    @staticmethod
    def _text(selection: Selection, reading: Reading, policy: Policy) -> str:
        if not selection.cases and not selection.omitted:
            return ""
        patterns = policy.redact
        return prompt(selection, reading, policy, redact=partial(redact, patterns=patterns) if patterns else redact)

    def _conflict(
        self, task: Task, snapshot: Snapshot, now: datetime, so_far: SoFar | None
    ) -> tuple[Policy, Reading, Sequence[LoadedCase] | None]:
        """Give the policy, the facts, and the cases of this very snapshot that match; None as `match_at`."""
        policy = self.policy_of(snapshot)
        if policy.mode == "off":
            return policy, Reading(Facts({}, now)), ()
        reading = Reading(extract(task, policy, now, so_far=so_far))
        return policy, reading, self.matcher.match_at(snapshot.cases, reading)

    def _quarantined(self, snapshot: Snapshot, task: Task) -> tuple[Fault, ...]:
        errors = [fault for fault in snapshot.faults if fault.severity == "error"]
        return visible_faults(errors, snapshot, principal_of(task), scope_of=self.store.scope_of)


def _lateness(started: float, policy: Policy) -> str:
    """Say that the time of `before_task` is used up, or nothing. Then advice is dropped and blocks are kept."""
    spent = (elapsed() - started) * 1000
    limit = policy.limits.before_task_ms
    if spent <= limit:
        return ""
    return (
        f"matching took {spent:.0f} ms, over the limit before_task_ms = {limit}: advice was dropped, blocks were kept"
    )
