"""One group of one signature that has occurred often enough, and what the detector does about it: propose, claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.claims import Action, Claim, Ledger, case_id_of, claiming
from casebook.runtime.learning.counting import Group, Occurrence, count_since, kept, members
from casebook.runtime.learning.finishing import Desk, queue_entry
from casebook.runtime.learning.learnt import Learnt
from casebook.runtime.learning.limits_a_day import DayLimits
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.proposal import Proposal, propose
from casebook.runtime.learning.scope import shared_scope
from casebook.runtime.learning.standing import Standing


@dataclass(frozen=True, slots=True)
class Matter:
    """One group of one signature that has occurred often enough, as it stands now.

    Attributes:
        desk: where the detector writes.
        standing: finds the cases of a signature.
        limits: what each user has made the detector do today.
        policy: the casebook's.
        now: the present instant, aware, UTC.
        group: whose occurrences are counted together.
        tally: the occurrences of the signature, of all groups.
        ledger: what the audit log says of the signature.
        principal: whose occurrence brought the matter up.
        at: when that was.
        event: that occurrence; None where what was left undone is made up for.
    """

    desk: Desk
    standing: Standing
    limits: DayLimits
    policy: Policy
    now: datetime
    group: Group
    tally: Sequence[Occurrence]
    ledger: Ledger
    principal: Principal
    at: datetime
    event: EventRecord | None

    @property
    def signature(self) -> str:
        """Give the signature."""
        return self.ledger.signature

    def events(self, of: Claim | None = None) -> tuple[EventRecord, ...]:
        """Read the events of the group that count now; of those that a case is made of, where one is given."""
        most = kept(self.policy.detector)
        group = self.group if of is None else Group(of.user, of.shared, 0)
        found = self.desk.journal.events(signature=self.signature, counted=True, limit=most)
        return members(found, group, self.policy.detector, self.now)

    def calls(self) -> JournalCalls:
        """Give the past that a case is tested on."""
        return JournalCalls(self.desk.journal)

    def enough_since(self, begin: datetime, *, included: bool = False) -> bool:
        """Say whether the group has had it often enough since an instant."""
        rules = self.policy.detector
        return count_since(self.tally, self.group, rules, begin, included=included) >= rules.threshold

    def learnt(self, case_id: str | None = None, **more: Any) -> Learnt:
        """Make the answer."""
        return Learnt(self.signature, self.group.count, case_id, **more)


def covering(matter: Matter) -> Claim | None:
    """Give the newest text of the case that is the group's, whether it is written or not; None where the group has none.

    It is the signature's first case, where that is everyone's or the group's user's own; else the one made for the user. What a
    person rejected, or upkeep archived, is nobody's any more. Everyone's group takes over the first case, whosever it is.
    """
    ledger, group = matter.ledger, matter.group
    own = case_id_of(ledger.signature, group.user or "")
    for case_id in (case_id_of(ledger.signature), *(() if group.shared else (own,))):
        claim = ledger.newest(case_id)
        if claim is None or is_void(ledger, claim):
            continue
        if group.shared or claim.shared or claim.user == group.user:
            return claim
    return None


def is_void(ledger: Ledger, claim: Claim) -> bool:
    """Say whether a new case may take the place of one: a person's archiving is a decision, upkeep's is none."""
    gone = ledger.withdrawn(claim)
    return gone is not None and (gone.action == "reject" or not gone.actor.startswith("person"))


def proposed(matter: Matter, case_id: str, note: str = "") -> Proposal | None:
    """Propose a case of all that the group has lived through; None where that was forgotten meanwhile."""
    events, rules = matter.events(), matter.policy.detector
    if not events:
        return None
    return propose(
        case_id,
        matter.signature,
        events,
        matter.calls(),
        matter.policy,
        matter.now,
        scope=shared_scope(events, rules.users),
        shared=matter.group.shared,
        note=note,
        draft=bool(note),
    )


def claim_text(
    matter: Matter,
    action: Action,
    case_id: str,
    form: dict[str, Any],
    made: Proposal | None = None,
    *,
    of: Claim | None = None,
    **more: Any,
) -> bool:
    """Claim a text of a case; of many processes one does. It is of the group, or whosever the case `of` was."""
    told: dict[str, Any] = {}
    if made is not None:
        told = {"figures": made.figures.to_json(), "reasons": list(made.reasons)}
    body = {
        "case": form,
        "user": matter.group.user if of is None else of.user,
        "shared": matter.group.shared if of is None else of.shared,
        "by": matter.principal.user,
        "event": None if matter.event is None else matter.event.id,
        "occurrences": matter.group.count,
        "told": told,
        **{name: value for name, value in more.items() if value},
    }
    generation = matter.ledger.following(case_id)
    entry = claiming(action, case_id, generation, matter.now, signature=matter.signature, body=body)
    (won,) = matter.desk.journal.append((entry,))
    matter.desk.passed("claimed")
    return won


def propose_once(matter: Matter, case_id: str, key: str) -> None:
    """Queue what the detector would write for a case that a person has a hand in, once."""
    if matter.desk.journal.entry(f"queue:{case_id}:{key}") is not None:
        return
    made = proposed(matter, case_id)
    if made is None:
        return
    body = {"proposal": made.case.to_json(), "figures": made.figures.to_json(), "reasons": list(made.reasons)}
    entry = queue_entry(case_id, matter.signature, matter.now, "hand-edited", body, key=key)
    matter.desk.journal.append((entry,))


def others(matter: Matter, claim: Claim) -> list[str]:
    """Give the ids of the users' own cases beside the one that is, or is to be, everyone's."""
    found = matter.ledger.claims.items()
    return [each for each, claims in found if each != claim.case_id and not is_void(matter.ledger, claims[-1])]
