"""The repeated-error detector: what is learnt of an event once it is in the journal (DESIGN section 6).

It keeps no state of its own: all is worked out from the journal and the store, so that any process may take up what another
left. What it keeps in memory only spares reading again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from casebook.clock import Clock
from casebook.faults import CasebookError
from casebook.forking import guarded
from casebook.instants import before
from casebook.policy import Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry, EventRecord
from casebook.runtime.learning.claims import ACTIONS, ACTOR
from casebook.runtime.learning.counting import Group, Occurrence, Tally, group_of, groups_of, recent
from casebook.runtime.learning.finishing import Desk, finish
from casebook.runtime.learning.hindsight import Hindsight
from casebook.runtime.learning.learnt import NOTHING, Learnt
from casebook.runtime.learning.limits_a_day import DayLimits
from casebook.runtime.learning.rewording import Rewording
from casebook.runtime.learning.standing import Standing
from casebook.stores.protocol import Store

_LOOKS = 8
"""How often a matter is looked at again because another process was first: each time that one has got a step further."""

_HELD = 200
"""Events of an error, the newest, among which a correction that waits for a person is looked for."""

_MARGIN = timedelta(hours=1)
"""How far before the last catching up errors are looked at again: hosts' clocks differ, and a report may be late."""
_MARKED = timedelta(minutes=10)
"""How long it takes until catching up is noted again: a host that starts a process a call would fill the log with notes."""


class Detector:
    """Learns from the events of one casebook. Safe from many threads, and beside other processes."""

    def __init__(self, journal: Journal, store: Store, clock: Clock) -> None:
        """Take where events are, where cases go, and the clock."""
        self._journal = journal
        self._clock = clock
        self._desk = Desk(journal, store, self.passed)
        self._tally = Tally(journal)
        self._standing = Standing()
        self._limits = DayLimits(journal)
        self._hindsight = Hindsight(self._desk)
        self._rewording = Rewording(self._desk, self._standing)
        self._lock = guarded(self, rank=0)

    def passed(self, step: str) -> None:
        """Do nothing; called after each step that was written (`claimed`, `case written`, …). Tests stop a process here."""

    def forget(self) -> None:
        """Drop what is kept in memory of the journal, from which something was forgotten: all is worked out anew."""
        with self._lock:
            self._tally.reset()
            self._standing = Standing()
            self._limits = DayLimits(self._journal)
            self._hindsight = Hindsight(self._desk)
            self._rewording = Rewording(self._desk, self._standing)

    def learn(self, event: EventRecord, policy: Policy) -> Learnt:
        """Learn from an event that is in the journal; what was learnt of it before is not learnt again.

        Args:
            event: as it was recorded.
            policy: the casebook's.

        Returns:
            What came of it. What cannot be read or written now is told as `trouble`, and made up for later; nothing is raised
            for it.
        """
        if not policy.detector.enabled:
            return NOTHING
        if event.failed:
            return self.seen(event, policy)
        if event.kind == "tool":
            return self.succeeded(event, policy)
        if "correction" in event.body:
            return self.corrected(event, policy)
        return NOTHING

    def seen(self, event: EventRecord, policy: Policy) -> Learnt:
        """Learn from an error; one that does not count (`ignore_errors`, our own blocks) teaches nothing."""
        signature, rules = event.signature, policy.detector
        if not rules.enabled or signature is None or not event.counted:
            return NOTHING
        group = Group(event.principal.user, False, 0)
        try:
            self._hindsight.failed(event)
            now = self._clock()
            tally = self._tally.of(signature, rules)
            group = group_of(tally, event.principal.user, rules, now)
            if group.count < rules.threshold:
                answer = self._standing.serving(self._desk.store.snapshot(), signature, event.principal, now)
                learnt = Learnt(signature, group.count, None if answer is None else answer.id)
            else:
                with self._lock:
                    learnt = self._settled(signature, group, tally, policy, now, event=event)
            held = self._held(signature) if learnt.made else ()
            if learnt.case_id is None or (("correction" not in event.body or learnt.made) and not held):
                return learnt
            with self._lock:
                said = [self._rewording.corrected(each, policy, now) for each in held or (event,)]
        except CasebookError as error:
            return Learnt(signature, group.count, trouble=_told(error))
        else:
            return replace(learnt, trouble=said[-1].trouble, ask=learnt.ask and not held)

    def _held(self, signature: str) -> Sequence[EventRecord]:
        """Give the newest correction of an error that waits for a person: a case is not made of it, and it is offered for one."""
        found = self._journal.events(signature=signature, limit=_HELD)
        return [each for each in found if each.body.get("held") and "correction" in each.body][-1:]

    def succeeded(self, event: EventRecord, policy: Policy) -> Learnt:
        """Look whether a success is a recovery from an error that a case answers: it is offered in review, once."""
        if not policy.detector.enabled or event.ok is not True:
            return NOTHING
        try:
            if not self._hindsight.awaits(event):
                return NOTHING
            with self._lock:
                return self._hindsight.succeeded(event, policy, self._clock())
        except CasebookError as error:
            return Learnt(trouble=_told(error))

    def corrected(self, event: EventRecord, policy: Policy) -> Learnt:
        """Take in what somebody says works instead: into the case where it is that user's own, else into the review queue."""
        if not policy.detector.enabled:
            return NOTHING
        try:
            with self._lock:
                return self._rewording.corrected(event, policy, self._clock())
        except CasebookError as error:
            return Learnt(event.signature, trouble=_told(error))

    def retest(self, case_id: str, policy: Policy, *, helps: bool = False) -> Learnt:
        """Test a learnt case anew on the journal as it is by now, and narrow it where it comes up too often.

        Args:
            case_id: which.
            policy: the casebook's.
            helps: whether its error is rarer with it than without it, by counts.

        Returns:
            `widened` where it was changed; the rest waits in the review queue.
        """
        if not policy.detector.enabled:
            return NOTHING
        from casebook.runtime.learning.retesting import retest  # with the parsers: only a look pays for them

        try:
            with self._lock:
                return retest(self._desk, case_id, policy, self._clock(), helps=helps)
        except CasebookError as error:
            return Learnt(case_id=case_id, trouble=_told(error))

    def catch_up(self, policy: Policy) -> tuple[Learnt, ...]:
        """Make up for what a process that was killed left undone: claims that were not written, errors that nobody looked at.

        Only what happened since the last catching up (less an hour) is looked at.
        """
        if not policy.detector.enabled:
            return ()
        try:
            with self._lock:
                return self._caught_up(policy, self._clock())
        except CasebookError as error:
            return (Learnt(trouble=_told(error)),)

    # -- within ------------------------------------------------------------------------------------------------------------

    def _settled(
        self,
        signature: str,
        group: Group,
        tally: Sequence[Occurrence],
        policy: Policy,
        now: datetime,
        *,
        event: EventRecord | None,
    ) -> Learnt:
        """Settle a matter, looking again where another process was first."""
        from casebook.runtime.learning.matter import Matter
        from casebook.runtime.learning.promotion import settle  # with the parsers: only what is learnt pays for them

        last = event or self._newest(signature, group)
        if last is None:
            return Learnt(signature, group.count)
        for _ in range(_LOOKS):
            ledger = self._desk.ledger(signature)
            at = now if event is not None else last.at
            matter = Matter(
                desk=self._desk, standing=self._standing, limits=self._limits, policy=policy, now=now, group=group,
                tally=tally, ledger=ledger, principal=last.principal, at=at, event=event,
            )  # fmt: skip
            learnt = settle(matter)
            if learnt is not None:
                return learnt
        return Learnt(signature, group.count)

    def _newest(self, signature: str, group: Group) -> EventRecord | None:
        """Give the newest occurrence of a group."""
        for event in reversed(self._journal.events(signature=signature, counted=True, limit=100)):
            if group.holds(event.principal.user):
                return event
        return None

    def _caught_up(self, policy: Policy, now: datetime) -> tuple[Learnt, ...]:
        rules = policy.detector
        marks = self._journal.entries(actions=("watermark",), limit=1)
        mark = marks[-1] if marks else None
        since = None if mark is None else before(mark.at, _MARGIN)
        log = self._journal.entries(actions=(*ACTIONS, "written"), after=_seq_of(mark))
        found: list[Learnt] = [*self._finish_claims(log, now)]
        stuck = {each.signature for each in found if each.trouble}
        touched = self._journal.signatures(since=since)
        ever = touched if since is None else self._journal.signatures()
        for signature in touched:
            if signature in stuck or ever.get(signature, 0) < rules.threshold:
                continue
            tally = self._tally.of(signature, rules)
            if len(recent(tally, rules, now)) < rules.threshold:
                continue
            for group in groups_of(tally, rules, now):
                if group.count >= rules.threshold:
                    learnt = self._guarded(signature, group, tally, policy, now)
                    if learnt.made or learnt.widened or learnt.trouble:
                        found.append(learnt)
        for event in self._journal.events(kinds=("correction",), since=since):
            self._rewording.made_up_for(event, policy, now)
        if not any(each.trouble for each in found) and (mark is None or now - mark.at >= _MARKED):
            self._mark(log, mark, now)
        return tuple(found)

    def _guarded(
        self, signature: str, group: Group, tally: Sequence[Occurrence], policy: Policy, now: datetime
    ) -> Learnt:
        """Settle one of many: what is wrong with it does not keep the rest waiting."""
        try:
            return self._settled(signature, group, tally, policy, now, event=None)
        except CasebookError as error:
            return Learnt(signature, group.count, trouble=_told(error))

    def _finish_claims(self, log: Sequence[Entry], now: datetime) -> list[Learnt]:
        """Finish the claims that were not written."""
        written = {str(each.body.get("claim")) for each in log if each.action == "written"}
        open_claims = [
            each for each in log if each.actor == ACTOR and each.action in ACTIONS and each.id not in written
        ]
        found: list[Learnt] = []
        for signature in dict.fromkeys(each.signature for each in open_claims if each.signature is not None):
            ledger = self._desk.ledger(signature)
            for claim in ledger.unwritten:
                try:
                    ending = finish(self._desk, ledger, claim, now)
                except CasebookError as error:
                    found.append(Learnt(signature, 0, claim.case_id, trouble=_told(error)))
                    continue
                draft = claim.form.get("status") == "draft"
                if ending == "first":
                    made = claim.entry.action == "promote"
                    found.append(Learnt(signature, 0, claim.case_id, made=made, draft=draft, widened=not made))
        return found

    def _mark(self, log: Sequence[Entry], mark: Entry | None, now: datetime) -> None:
        """Note up to where all was caught up with; only where there is something that need not be looked at again."""
        reached = max((each.seq for each in log), default=_seq_of(mark))
        if mark is None and not reached and not self._journal.signatures():
            return
        entry = Entry(f"watermark:{now.isoformat()}", now, ACTOR, "watermark", body={"entries": reached})
        self._journal.append((entry,))


def _seq_of(mark: Entry | None) -> int:
    return 0 if mark is None else int(mark.body.get("entries", 0))


def _told(error: CasebookError) -> str:
    """Say what could not be done."""
    return f"what was learnt is not written yet: {error}"
