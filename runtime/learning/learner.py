"""What is made of an event once it is on disk: its file of L1 or L2, and perhaps a case (DESIGN section 6, Routing)."""

from __future__ import annotations

import logging
from datetime import date, timedelta
from pathlib import Path

from casebook.clock import Clock
from casebook.faults import CasebookError
from casebook.instants import before
from casebook.policy import Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.detector import Detector
from casebook.runtime.learning.effect import due, judge_effect
from casebook.runtime.learning.learnt import Learnt
from casebook.runtime.learning.learnt_texts import ask_text
from casebook.runtime.learning.receipt import Receipt
from casebook.runtime.learning.routing import Routed, Routing
from casebook.stores.protocol import Store

_NO_ERROR = (
    "this correction is about no error that a case answers; it is kept, and counts should the error become a case"
)
_WAITS = (
    "this correction is not taken over by itself; it waits for a person in `casebook review`, if it says anything new"
)

_log = logging.getLogger("casebook")


class Learner:
    """Turns events into memories and cases. A fault of it never loses an event: that is on disk before."""

    def __init__(self, journal: Journal, store: Store, clock: Clock, folder: Path | None) -> None:
        """Learn from a journal into a store.

        Args:
            journal: where the events are.
            store: where learnt cases go.
            clock: gives the present instant, aware.
            folder: of the casebook, for the files of L1 and L2; None for none.
        """
        self._journal = journal
        self._store = store
        self._clock = clock
        self._detector = Detector(journal, store, clock)
        self._routing = Routing(folder, journal, clock)
        self._retained: date | None = None

    def catch_up(self, policy: Policy) -> None:
        """Complete what a process that was killed has left."""
        try:
            self._detector.catch_up(policy)
            for trouble in self._routing.catch_up():
                _log.warning("casebook: %s", trouble)
        except CasebookError as error:
            _log.warning("casebook: what was left unfinished stays so: %s", error)

    def let_go(self, policy: Policy) -> str:
        """Take the words of tasks out of what is too old, once a day (DESIGN section 9); give what went wrong, or nothing."""
        now = self._clock()
        if now.date() == self._retained:
            return ""
        self._retained = now.date()
        try:
            self._journal.retain(before(now, timedelta(days=min(policy.journal.text_days, timedelta.max.days))))
        except CasebookError as error:
            return f"words that are kept no longer could not be taken out: {error}"
        return ""

    def learn(self, event: EventRecord, policy: Policy, *, new: bool) -> Receipt:
        """Learn from an event that is on disk; one that was reported before changes nothing that stands.

        Args:
            event: the event.
            policy: the casebook's.
            new: whether it was written just now.
        """
        warnings: list[str] = []
        routed = self._routing.route(event) if new else self._routed_again(event)
        if routed.trouble:
            warnings.append(routed.trouble)
        learnt = self._detected(event, policy, warnings)
        if event.kind == "correction" and not learnt.widened:
            warnings.append(_NO_ERROR if learnt.case_id is None else _WAITS)
        if new:
            self._look_at_effects(event, policy, warnings)
            trouble = self.let_go(policy)
            warnings.extend([trouble] if trouble else ())
        repeated = event.failed and learnt.occurrences >= policy.detector.threshold
        return Receipt(
            id=event.id,
            new=new,
            tier="L3" if repeated and learnt.case_id is not None else routed.tier,
            signature=event.signature,
            occurrences=learnt.occurrences,
            case=learnt.case_id,
            made=learnt.made,
            draft=learnt.draft,
            changed=learnt.widened,
            ask=ask_text(policy.language) if learnt.ask else "",
            warnings=tuple(warnings),
        )

    def _routed_again(self, event: EventRecord) -> Routed:
        """Say where an event went that was reported before; one of which that did not come to be goes there now."""
        if event.kind != "feedback":
            return Routed("L1")
        try:
            return Routed("L2", self._routing.complete(event))
        except CasebookError as error:
            return Routed("L2", str(error))

    def _detected(self, event: EventRecord, policy: Policy, warnings: list[str]) -> Learnt:
        try:
            learnt = self._detector.learn(event, policy)
        except CasebookError as error:
            warnings.append(f"nothing was learnt of it yet: {error}")
            return Learnt(event.signature, 0, None)
        if learnt.trouble:
            warnings.append(learnt.trouble)
        return learnt

    def _look_at_effects(self, event: EventRecord, policy: Policy, warnings: list[str]) -> None:
        """Judge and test anew the cases that the answered task was given, now and then."""
        if event.activation is None or event.ok is None:
            return
        try:
            activation = self._journal.activation(event.activation)
            for firing in activation.firings if activation is not None else ():
                case = self._store.snapshot().cases.get(firing.case_id) if firing.how == "selected" else None
                if case is not None and due(case.id, self._journal):
                    effect = judge_effect(case, self._journal, self._store, self._clock, policy)
                    tested = self._detector.retest(case.id, policy, helps=effect.verdict == "helps")
                    warnings.extend([tested.trouble] if tested.trouble else ())
        except CasebookError as error:
            warnings.append(f"the effect of what was said is not judged yet: {error}")

    def forget(self) -> None:
        """Drop what is kept in memory of the journal, from which something was forgotten."""
        self._detector.forget()

    def close(self) -> None:
        """Write what waits."""
        for trouble in self._routing.flush():
            _log.warning("casebook: %s", trouble)
