"""Whether a case helps: what came of the tasks at which it spoke, against what came of such tasks without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from math import pi
from typing import Any, Literal

from casebook.case import LoadedCase
from casebook.clock import Clock
from casebook.faults import StoreError
from casebook.policy import Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import ActivationRecord, Entry, How
from casebook.runtime.journal.versions import Changed, both, keep
from casebook.runtime.learning.baseline import began_at, earlier
from casebook.runtime.learning.chance import chance_over
from casebook.runtime.learning.heeding import Tally, answered, tallied
from casebook.runtime.learning.strata import ByTool, Pair, pairs_of, tallied_by_tool, total
from casebook.stores.protocol import Store

MINIMUM = 10
"""Outcomes, with the case and without it, below which there is no verdict."""
EXPECTED = 3
"""Errors that there would have been without the case, by its baseline, before it is said that it does not help."""
LEVEL = 0.05
"""The chance that a case which does no harm is ever held back, over all looks at it together."""
NEWEST = 500
"""Activations of a case that are looked at, the newest of them."""

Verdict = Literal["helps", "does not help", "harms", "unclear", "too few"]
"""too few: no verdict, for want of outcomes or of a baseline · unclear: the difference may be chance."""
Source = Literal["holdout", "earlier"]

_UNTOLD: frozenset[How] = frozenset({"withheld", "shadow"})
_JUDGMENTS = ("approve", "edit", "revert", "undo", "unmute")
_REACHES_ELSEWHERE = ("widen", "narrow", "share")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a case does, as counts.

    Attributes:
        case_id: which.
        fired: activations in which it was selected.
        heeded: of the newest `NEWEST`, those after which the call was changed or dropped.
        ignored: those after which the same call was made.
        unknown: the rest.
        outcomes: what came of them.
        baseline: what came of such tasks without it, or None where none is known.
        source: what the baseline is: `holdout` (its advice was withheld, or the mode was shadow) or `earlier` (before it was there).
        verdict: what follows from the two.
        chance: the probability of so few successes, or of so few errors, if it made no difference; None without a verdict.
        held: whether it was held back just now.
    """

    case_id: str
    fired: int
    heeded: int = 0
    ignored: int = 0
    unknown: int = 0
    outcomes: Tally = field(default_factory=Tally)
    baseline: Tally | None = None
    source: Source | None = None
    verdict: Verdict = "too few"
    chance: float | None = None
    held: bool = False

    @property
    def again(self) -> int:
        """Give how often its error came again."""
        return self.outcomes.again

    @property
    def success(self) -> int:
        """Give how often the call succeeded."""
        return self.outcomes.success

    def to_json(self) -> dict[str, Any]:
        """Give the counts as `casebook stats --json` prints them."""
        return {
            "fired": self.fired, "heeded": self.heeded, "ignored": self.ignored, "unknown": self.unknown,
            "error_again": self.again, "success": self.success, "outcomes": self.outcomes.to_json(),
            "baseline": None if self.baseline is None else {"source": self.source, **self.baseline.to_json()},
            "verdict": self.verdict, "chance": None if self.chance is None else round(self.chance, 6),
        }  # fmt: skip


def due(case_id: str, journal: Journal) -> bool:
    """Say whether it is time to look at a case: it has fired 10, 20, 40, 80, … times and was not looked at since.

    Two indexed questions of the journal, so that it may be asked after every outcome of a task at which the case spoke. The
    distance doubles, for whoever looks often enough finds a difference in the end. A look leaves an entry whose id all
    processes work out alike, so that only one looks.

    Raises:
        StoreError: the journal cannot be read.
    """
    look = look_of(journal.fired(case_id).count)
    return look > 0 and journal.entry(_look_id(case_id, look)) is None


def look_of(fired: int) -> int:
    """Give the number of the look that is due after so many firings: 0 below 10, 1 from 10, 2 from 20, 3 from 40."""
    return (fired // MINIMUM).bit_length()


def effect_of(case: LoadedCase, journal: Journal, *, since: datetime | None = None) -> Effect:
    """Count what a case does, and change nothing.

    Args:
        case: the case as it serves.
        journal: what happened.
        since: only what happened at this instant or later; the baseline is not cut.

    Raises:
        StoreError: the journal cannot be read.
    """
    records = journal.activations(case_id=case.id, since=since, limit=NEWEST)
    spoken = [record for record in records if _how(record, case.id) == "selected"]
    untold = [record for record in records if _how(record, case.id) in _UNTOLD]
    firings = journal.fired(case.id).count
    answers = answered(case, spoken, journal)
    without, source = _baseline(case, journal, spoken, untold, records[0] if records else None)
    counted = Effect(
        case.id,
        firings if since is None else len(spoken),
        heeded=sum(each.heed in ("changed", "dropped") for each in answers),
        ignored=sum(each.heed == "ignored" for each in answers),
        unknown=sum(each.heed == "unknown" for each in answers),
        outcomes=tallied(answers),
        baseline=None if source is None else total(without.values()),
        source=source,
    )
    return _judged(counted, pairs_of(tallied_by_tool(answers), without), max(look_of(firings), 1))


def judge_effect(case: LoadedCase, journal: Journal, store: Store, clock: Clock, policy: Policy) -> Effect:
    """Look at a case that is due: note the look, flag a case that does not help, hold back one that harms.

    Looked at is what happened since a person judged it last, and since the detector last let it reach further: what it did at
    fewer calls is not held against the past of more. An `advise` case that harms becomes a draft, which fires again
    once a person approves it; a `confirm` or `block` case, and any where the policy has switched the detector off, waits in
    the review queue and serves on: what a person put there to stop something is not taken away by counts.

    Args:
        case: the case as it serves.
        journal: what happened, and where the look is noted.
        store: where it is kept.
        clock: dates the entries.
        policy: whether the detector may change cases.

    Returns:
        What it does; `held` where it was held back.

    Raises:
        StoreError: the journal cannot be read or written. A store that refuses is no error: the queue says so.
    """
    effect = effect_of(case, journal, since=_stood_since(case.id, journal))
    look = look_of(journal.fired(case.id).count)
    now = clock()
    noted = Entry(_look_id(case.id, look), now, "effect", "look", case.id, _signature(case), effect.to_json())
    (first,) = journal.append((noted,))
    if not first or effect.verdict not in ("does not help", "harms"):
        return effect
    harms, said = effect.verdict == "harms", {"verdict": effect.verdict, "effect": effect.to_json()}
    trouble = ""
    if harms and case.case.effect == "advise" and case.case.status == "active" and policy.detector.enabled:
        trouble = _hold(case, journal, store, _entry("hold", case, now, look, said))
        effect = replace(effect, held=not trouble)
    entries = [] if effect.held else [_entry("flag", case, now, look, said)]
    waits = {"reason": "effect", **said, "held": effect.held, **({"trouble": trouble} if trouble else {})}
    journal.append([*entries, _entry("queue", case, now, look, waits)])
    return effect


def _hold(case: LoadedCase, journal: Journal, store: Store, entry: Entry) -> str:
    """Make a case a draft until a person has looked, and note it; gives why that failed, or nothing."""
    try:
        store.edit(case.id, {"status": "draft"}, if_version=case.version)
    except StoreError as error:
        return str(error)
    change = Changed(case, store.snapshot().cases.get(case.id))
    keep(journal, (change,), entry.at, "effect")
    journal.append((replace(entry, body={**entry.body, **both(change)}),))
    return ""


def _entry(action: str, case: LoadedCase, now: datetime, look: int, body: Mapping[str, Any]) -> Entry:
    return Entry(f"{action}:{case.id}:effect:{look}", now, "effect", action, case.id, _signature(case), body)


def _look_id(case_id: str, look: int) -> str:
    return f"look:{case_id}:{look}"


def _signature(case: LoadedCase) -> str | None:
    return case.case.source.signature if case.case.source is not None else None


def _stood_since(case_id: str, journal: Journal) -> datetime | None:
    """Give when a person judged a case last or the detector changed at which calls it comes up, whichever is later, or None."""
    known = journal.entries(subject=case_id, actions=(*_JUDGMENTS, *_REACHES_ELSEWHERE))
    changed = (each.at for each in known if each.action in _REACHES_ELSEWHERE or each.actor.startswith("person"))
    return max(changed, default=None)


def _how(record: ActivationRecord, case_id: str) -> How | None:
    return next((firing.how for firing in record.firings if firing.case_id == case_id), None)


def _baseline(
    case: LoadedCase,
    journal: Journal,
    spoken: list[ActivationRecord],
    untold: list[ActivationRecord],
    first: ActivationRecord | None,
) -> tuple[ByTool, Source | None]:
    """Give the holdout where it is large enough, else what was before the case, else what a former look found."""
    holdout = tallied_by_tool(answered(case, untold, journal))
    if _made(holdout) >= MINIMUM:
        return holdout, "holdout"
    began = began_at(case, journal, first)
    before: ByTool = {} if began is None else earlier(case, began, journal, {record.id for record in spoken})
    if _made(before) < MINIMUM:
        before = max(before, {None: _found_before(case.id, journal)}, key=_made)
    if not _made(holdout) and not _made(before):
        return {}, None
    return (holdout, "holdout") if _made(holdout) > _made(before) else (before, "earlier")


def _made(tallies: ByTool) -> int:
    return sum(each.made for each in tallies.values())


def _found_before(case_id: str, journal: Journal) -> Tally:
    """Give the earlier tasks as the newest look that knew them has noted: by now they may be further back than one looks."""
    for entry in reversed(journal.entries(subject=case_id, actions=("look",))):
        found = entry.body.get("baseline")
        if isinstance(found, Mapping) and found.get("source") == "earlier":
            return Tally(*(int(found.get(name, 0)) for name in ("success", "again", "other", "dropped")))
    return Tally()


def _judged(effect: Effect, pairs: Sequence[Pair], look: int) -> Effect:
    """Give the verdict.

    Each look at a case gets a part of `LEVEL`, the k-th 6/π²k² of it, which add up to the whole: so a case that does no harm
    is held back with that chance at most, however often it is looked at.
    """
    told, base = total(with_it for with_it, _ in pairs), total(without for _, without in pairs)
    if told.made + told.dropped < MINIMUM or base.made < MINIMUM:
        return effect
    level = LEVEL * 6 / pi**2 / look**2
    fewer = chance_over((one.success, one.made, other.success, other.made) for one, other in pairs)
    if told.made >= MINIMUM and fewer <= level:
        return replace(effect, verdict="harms", chance=fewer)
    # a call that was not made has not failed
    rarer = chance_over((one.again, one.made + one.dropped, other.again, other.made) for one, other in pairs)
    if rarer <= level:
        return replace(effect, verdict="helps", chance=rarer)
    expected = sum(Fraction((one.made + one.dropped) * other.again, other.made) for one, other in pairs)
    verdict: Verdict = "does not help" if told.again >= expected >= EXPECTED else "unclear"
    return replace(effect, verdict=verdict, chance=rarer)
