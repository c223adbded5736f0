"""The past of a casebook in service: its journal, the live sessions, and what is learnt of outcomes."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.clock import Clock
from casebook.conditions.facts import Facts
from casebook.faults import CasebookError, StoreError
from casebook.forking import guarded
from casebook.limits import ID_CHARS
from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.redacting.identity import identity
from casebook.redacting.redact import redact
from casebook.runtime.answer.activation import is_recent
from casebook.runtime.answer.eligibility import Spent
from casebook.runtime.answer.harmless import excerpt
from casebook.runtime.answer.isolation import principal_of
from casebook.runtime.journal.answered import TURN, Answered, rows_of, turn_event_id
from casebook.runtime.journal.keeping import cut
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import ActivationRecord, EventRecord
from casebook.runtime.learning.receipt import Receipt
from casebook.runtime.learning.recording import Asked, event_of, own_id
from casebook.runtime.session.budget import JournalBudget
from casebook.runtime.session.live import LiveSession
from casebook.runtime.session.sessions import Sessions
from casebook.runtime.session.spent import in_holdout, spent_of
from casebook.stores.protocol import Snapshot, Store
from casebook.task import Task

if TYPE_CHECKING:
    from casebook.runtime.learning.learner import Learner
    from casebook.runtime.teaching.twice import SecondTime

RECENT, RECENT_CHARS = 1_024, 4_000_000
"""Answers whose task is kept in memory for their outcomes, and characters of those tasks in all, as far as they are counted (see
`_chars`); those of older ones are read from the journal."""
TURN_CHARS = 2_000
"""Characters of a text of a turn that the history in memory keeps; the journal's keeps what the policy says."""

_LATE, _PAUSE = 6, 0.025
"""So often an activation of this moment that is not in the journal yet is looked for, and after so many seconds each."""

_SAME = "the same report was there already and counts once: where it happened again, say the activation that it answers, or an id"
_COUNTED = (str, list, dict)  # a union, or Mapping, takes several times as long to ask
_TURN = (*TURN, "user", "project", "team", "agent")
_DENIED = "denied-by-person"
_log = logging.getLogger("casebook")


class Remembering:
    """What happened and what is made of it. Safe from many threads."""

    def __init__(self, journal: Journal, store: Store, clock: Clock, folder: Path | None, trouble: str = "") -> None:
        """Serve a journal.

        Args:
            journal: of the casebook.
            store: the casebook, where learnt cases go.
            clock: gives the present instant, aware.
            folder: of the casebook, for its L1 and L2 files; None for none.
            trouble: why the journal is not the folder's own.
        """
        self._trouble = (trouble,) if trouble else ()
        self.journal = journal
        self._snapshot: Snapshot | None = None
        self._store = store
        self._clock = clock
        self._lock = guarded(self, rank=4)
        self._recent: OrderedDict[str, tuple[Asked, int]] = OrderedDict()
        self._recent_chars = 0
        self._has_loaded = False
        self._versions: set[tuple[str, str]] = set()
        self._budgeted: tuple[int, bool] = (0, False)
        self._signatures: tuple[int, Mapping[str, str]] = (0, {})
        self.sessions = Sessions(journal, self._signatures_now)
        self.budget = JournalBudget(journal, self.sessions.lock)
        self._folder = folder
        self._learner: Learner | None = None
        self._has_caught_up = False

    @property
    def learner(self) -> Learner:
        """Give what learns of outcomes; it is loaded when it is first needed, which a process that answers one question never does."""
        learner = self._learner
        if learner is None:
            with self._lock:
                learner = self._learner = self._learner_made()
        return learner

    def _learner_made(self) -> Learner:
        if self._learner is not None:  # another thread was first
            return self._learner
        from casebook.runtime.learning.learner import Learner

        return Learner(self.journal, self._store, self._clock, self._folder)

    @property
    def troubles(self) -> tuple[str, ...]:
        """Give what is wrong with the journal, a sentence each."""
        own: tuple[str, ...] = getattr(self.journal, "troubles", ())
        return self._trouble + own

    @property
    def lasting(self) -> tuple[str, ...]:
        """Give what every receipt has to say: that what it is about is in memory alone."""
        return self._trouble

    # -- before a task -------------------------------------------------------------------------------------------------

    def session_of(self, task: Task, snapshot: Snapshot) -> LiveSession | None:
        """Give the task's session as it stands, or None where it names none or tells its own history."""
        if task.session is None or task.history:
            return None
        self._snapshot = snapshot  # the store itself is not to be asked under the lock of the sessions
        return self.sessions.of(task.session, principal_of(task).user)

    def spent_at(
        self, task: Task, live: LiveSession | None, snapshot: Snapshot, policy: Policy
    ) -> Callable[[datetime], Spent | None] | None:
        """Give what says what holds advice back, or None where nothing can."""
        holdout = task.session is not None and in_holdout(task.session, policy.holdout)
        if live is None and not holdout and not self._has_budgets(snapshot):
            return None
        return lambda at: spent_of(live, self.budget, at, holdout=holdout)

    def note(
        self,
        answered: Answered,
        live: LiveSession | None,
        spent_at: Callable[[datetime], Spent | None] | None = None,
    ) -> bool:
        """Take an answer: its session sees it at once, the journal is written off the path.

        Args:
            answered: the answer.
            live: its session.
            spent_at: where the answer is to stand only as long as it says of no selected case that it is held back.

        Returns:
            Whether it was taken: not where another task of this process, at the same moment, has said what it says.
        """
        task, activation, facts = answered.task, answered.activation, answered.reading.facts
        asked = Asked(activation.id, task.session, principal_of(task), facts.values, activation.verdict)
        budgeted = [case.id for case in answered.selection.cases if case.case.max_fires is not None]
        with self.sessions.lock:  # whoever reads the journal anew sees what is counted here there too
            if spent_at is not None and _is_spent(answered, spent_at(facts.at)):
                return False
            for name in budgeted:
                self.budget.inject(name)
            if live is not None:
                self._say(answered, live)
            self.journal.note(lambda: rows_of(answered, self._versions))
        chars = _chars(facts.values)
        with self._lock:
            self._recent[activation.id] = (asked, chars)
            self._recent_chars += chars
            while len(self._recent) > RECENT or self._recent_chars > RECENT_CHARS:
                _, (_, gone) = self._recent.popitem(last=False)
                self._recent_chars -= gone
        if budgeted:  # a budget is shared with other processes, which must see at once what is spent
            self._flush()
        return True

    def _say(self, answered: Answered, live: LiveSession) -> None:
        """Let a session take an answer; under its lock."""
        activation, facts = answered.activation, answered.reading.facts
        live.begin_answer(activation.id)
        for case in answered.selection.cases:
            source = case.case.source
            signature = source.signature if source is not None else None
            live.say(case.id, facts.at, kept=answered.persists, signature=signature)
        if activation.point == "task":
            turn = {name: facts.values[name] for name in _TURN if name in facts.values}
            past = {name: cut(value, TURN_CHARS) for name, value in turn.items()}
            live.begin_turn(turn_event_id(activation.id), {"kind": "task", "at": facts.at, **past}, turn)

    def _flush(self) -> None:
        try:
            self.journal.flush()
        except StoreError as error:
            _log.warning("casebook: what a budget has spent is not written yet: %s", error)

    # -- after a task --------------------------------------------------------------------------------------------------

    def asked(self, activation_id: str) -> tuple[Asked, str]:
        """Give what is known of the task of an answer, and a warning where that is nothing."""
        known = self._recent.get(activation_id)
        if known is not None:
            return known[0], ""
        try:
            record = self.journal.activation(activation_id) or self._late(activation_id)
        except StoreError as error:  # what became of the task can be kept all the same
            known_id = identity(activation_id) if len(activation_id) <= ID_CHARS else None
            return Asked(known_id), f"the outcome stands alone, for its task could not be read: {error}"
        if record is None:
            shown = excerpt(redact(activation_id[: 8 * ID_CHARS]), ID_CHARS)
            told = Asked(None, named=activation_id)
            return told, f"no activation {shown!r} is in the journal: the outcome stands alone"
        return Asked(record.id, record.session, record.principal, record.facts, record.verdict), ""

    def _late(self, activation_id: str) -> ActivationRecord | None:
        """Give an activation of this moment, which another process answered and is about to write."""
        if not is_recent(activation_id, self._clock()):
            return None
        for _ in range(_LATE):
            time.sleep(_PAUSE)
            record = self.journal.activation(activation_id)
            if record is not None:
                return record
        return None

    def take(self, outcome: Outcome, asked: Asked, policy: Policy) -> Receipt:
        """Record an outcome and learn from it. On disk when it returns.

        Raises:
            StoreError: the journal cannot be written.
        """
        if not self._has_caught_up:
            self.catch_up(policy)
        event = self._event(outcome, asked, policy)
        seq = self.journal.record(event)
        if seq is None and outcome.id is not None and self._is_anothers(event):
            event = replace(event, id=own_id(event))
            seq = self.journal.record(event)
        if seq is not None and event.session is not None:
            self.sessions.absorb(event)
        receipt = self._second_time(self.learner.learn(event, policy, new=seq is not None), event, policy)
        return receipt if seq is not None or outcome.id or asked.activation else receipt.warned(_SAME)

    def catch_up(self, policy: Policy) -> None:
        """Complete what a process that was killed has left; what cannot be is left again, and told to the log."""
        self._has_caught_up = True
        self.learner.catch_up(policy)
        try:
            if policy.detector.enabled and self.journal.entries(actions=("draft",), limit=1):
                self._corrections().catch_up()
        except CasebookError as error:
            _log.warning("casebook: what was left unfinished stays so: %s", error)

    def _second_time(self, receipt: Receipt, event: EventRecord, policy: Policy) -> Receipt:
        """Give the receipt with the draft that a person's second correction of the same call has made (`casebook.runtime.teaching.twice`)."""
        if event.tool is None or not (event.kind in ("feedback", "correction") or event.body.get("ignored") == _DENIED):
            return receipt
        try:
            made = self._corrections().heard(event, policy)
        except CasebookError as error:
            return receipt.warned(f"what was said is kept, and made no draft yet: {error}")
        return receipt if made is None else replace(receipt, case=made, made=True, draft=True)

    def _corrections(self) -> SecondTime:
        from casebook.runtime.teaching.twice import SecondTime  # with the parsers: only what is corrected pays for them

        return SecondTime(self.journal, self._store, self._clock)

    def _event(self, outcome: Outcome, asked: Asked, policy: Policy) -> EventRecord:
        """Give the event of an outcome; what the first error loads is whole before a fork, whose child could wait for it for ever."""
        if self._has_loaded:
            return event_of(outcome, asked, policy, self._clock())
        with self._lock:
            event = event_of(outcome, asked, policy, self._clock())
            self._has_loaded = outcome.kind == "error"
        return event

    def _is_anothers(self, event: EventRecord) -> bool:
        """Say whether the id of an event is that of another user's: hosts count from one for each."""
        try:
            there = self.journal.event(event.id)
        except StoreError:
            return False
        users = (there.principal.user if there is not None else None, event.principal.user)
        return None not in users and users[0] != users[1]

    # -- what is forgotten ---------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Write all that waits in memory, before something is forgotten: it would come back otherwise. Raises StoreError."""
        if self._learner is not None:
            self._learner.close()
        self.journal.flush()

    def forgotten(self) -> None:
        """Drop what is kept in memory of the past, after something of it was forgotten in the journal and the files."""
        with self._lock:
            self._recent.clear()
            self._recent_chars = 0
        self._versions.clear()
        self.sessions.forget()
        self.budget.forget()
        if self._learner is not None:
            self._learner.forget()

    def close(self) -> None:
        """Write what is noted and let go."""
        try:
            if self._learner is not None:
                self._learner.close()
        finally:
            self.journal.close()

    # -- what is worked out once for each snapshot -----------------------------------------------------------------------

    def _has_budgets(self, snapshot: Snapshot) -> bool:
        known = self._budgeted
        if known[0] != snapshot.generation:
            found = any(each.case.max_fires is not None for each in snapshot.cases.values())
            known = self._budgeted = (snapshot.generation, found)
        return known[1]

    def _signatures_now(self) -> Mapping[str, str]:
        snapshot, known = self._snapshot, self._signatures
        if snapshot is None:
            return known[1]
        if known[0] != snapshot.generation:
            found = {
                name: each.case.source.signature
                for name, each in snapshot.cases.items()
                if each.case.source is not None and each.case.source.signature is not None
            }
            known = self._signatures = (snapshot.generation, found)
        return known[1]


def _is_spent(answered: Answered, spent: Spent | None) -> bool:
    """Say whether advice of an answer is held back by now."""
    return spent is not None and any(
        case.case.effect == "advise" and spent(case) is not None for case in answered.selection.cases
    )


def _chars(facts: Mapping[str, Any]) -> int:
    """Count the characters of the texts of a task, and of those right in its arguments and its context."""
    values = [*facts.values()]
    for name in ("args", "context"):
        within = facts.get(name)
        if isinstance(within, dict):
            values += within.values()
    chars = 0
    for each in values:
        if isinstance(each, _COUNTED):
            chars += len(each)
    return chars


def asked_of(task: Task, facts: Facts) -> Asked:
    """Give what is known of a task that was never asked about."""
    return Asked(None, task.session, principal_of(task), facts.values)


def opened(folder: Path | None, clock: Clock) -> tuple[Journal, str]:
    """Open the journal of a folder; where that cannot be, one in memory and why.

    Args:
        folder: of the casebook; None for a casebook without one.
        clock: gives the present instant, aware.
    """
    from casebook.runtime.journal.opening import memory_journal, open_journal

    if folder is None:
        return memory_journal(clock), ""
    try:
        return open_journal(folder, clock), ""
    except StoreError as error:
        _log.warning("casebook: nothing of this process will be remembered: %s", error)
        return memory_journal(clock), f"nothing of this process will be remembered: {error}"
