"""Whether a case that matches may speak now, and what holds it back.

A reason is a short stable text, `code` or `code:detail`:

| reason | the case |
|---|---|
| `status:draft` | is not active |
| `created:2026-03-20T00:00:00+00:00` | begins to count at that instant, which is still to come |
| `expired:2026-03-20T00:00:00+00:00` | is silent from that instant on |
| `point:tool,answer` | is for these points, and the task stands at another |
| `mode:off` · `mode:shadow` | is switched off · is matched and never injected |
| `superseded:ID` | stays silent for that case |
| `spent:cooldown:INSTANT` · `spent:budget:3` | has its cooldown in this session until then · has used up its injections |
| `spent:said` | stands in the host's transcript already |
| `spent:holdout` | is withheld from this session, for measuring |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from casebook.case import LoadedCase, Mode
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal, as_wide, principal_of, reachable
from casebook.runtime.answer.per_case import PerCase
from casebook.runtime.answer.texts import Language
from casebook.scope import EVERYONE, Point, Scope
from casebook.task import Task

Spent = Callable[[LoadedCase], str | None]
"""Takes a case and says why its cooldown, its budget or its session holds it back, or None. Asked for advice only."""

Superseders = Mapping[str, tuple[LoadedCase, ...]]
"""The id of a case to those that name it in `supersedes`."""

_RANK: Mapping[Mode, int] = MappingProxyType({"off": 0, "shadow": 1, "advise": 2, "enforce": 3})
_SPEAKING: frozenset[Mode] = frozenset({"advise", "enforce"})


@dataclass(frozen=True, slots=True)
class Terms:
    """What every answer asks of a case that matches, side by side: a case's own fields lie far apart and are slow to read.

    Attributes:
        id: the case's.
        scope: for whom it is; None for everyone.
        on: its points.
        is_plain: whether it is active and has no mode of its own.
        advises: whether its effect is advice.
        place: minus its priority, minus the number of its conditions, its id: in this order cases of one effect speak.
    """

    id: str
    scope: Scope | None
    on: tuple[Point, ...]
    is_plain: bool
    advises: bool
    place: tuple[int, int, str]


def _terms(case: LoadedCase, _: Language) -> Terms:
    own = case.case
    scope = None if own.scope is EVERYONE else own.scope
    place = (-own.priority, -len(case.conditions), own.id)
    return Terms(own.id, scope, own.on, own.status == "active" and own.mode is None, own.effect == "advise", place)


TERMS = PerCase(_terms)
"""Takes a loaded case and gives its `Terms`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where and when a task stands, and for whom: all that eligibility asks beside the case.

    Attributes:
        at: the task's instant, aware, UTC.
        point: its point.
        principal: who asks.
        mode: the policy's mode.
        superseders: who is superseded by whom.
        spent: what the journal says, or None.
    """

    at: datetime
    point: Point
    principal: Principal
    mode: Mode
    superseders: Superseders = field(default_factory=dict)
    spent: Spent | None = None


def standing_of(
    task: Task, at: datetime, policy: Policy, cases: Mapping[str, LoadedCase], spent: Spent | None
) -> Standing:
    """Give a task's standing among the cases of a snapshot."""
    return Standing(at, task.point, principal_of(task), policy.mode, superseders(cases), spent)


def mode_of(case: LoadedCase, policy_mode: Mode) -> Mode:
    """Give the mode that a case serves in: the more careful of its own and the policy's, so that either can switch it off."""
    own = case.case.mode
    return policy_mode if own is None or _RANK[own] >= _RANK[policy_mode] else own


def reasons(case: LoadedCase, standing: Standing) -> Iterator[str]:
    """Give all that holds a case back, the most telling first; nothing where it may speak. Its conditions are not asked."""
    yield from _own_reasons(case, standing)
    if standing.point not in case.case.on:
        yield "point:" + ",".join(case.case.on)
    mode = mode_of(case, standing.mode)
    if mode == "off":
        yield "mode:off"
    for other in standing.superseders.get(case.case.id, ()):
        if _silences(other, case, standing):
            yield "superseded:" + other.case.id
    if standing.spent is not None and case.case.effect == "advise":
        spent = standing.spent(case)
        if spent is not None:
            yield "spent:" + spent
    if mode == "shadow":
        yield "mode:shadow"


def first_reason(case: LoadedCase, terms: Terms, standing: Standing) -> str | None:
    """Give the first of `reasons`, or None where the case may speak; quick for most cases, which nothing holds back."""
    if (
        terms.is_plain
        and (case.created is None or standing.at >= case.created)
        and (case.expires is None or standing.at < case.expires)
        and standing.point in terms.on
        and standing.mode in _SPEAKING
        and terms.id not in standing.superseders
        and (standing.spent is None or not terms.advises or standing.spent(case) is None)
    ):
        return None
    return next(reasons(case, standing), None)


def _own_reasons(case: LoadedCase, standing: Standing) -> Iterator[str]:
    """Give what makes a case not active at the task's instant: silent until `created`, and from `expires` on."""
    if case.case.status != "active":
        yield "status:" + case.case.status
    if case.created is not None and standing.at < case.created:
        yield "created:" + case.created.isoformat()
    if case.expires is not None and standing.at >= case.expires:
        yield "expired:" + case.expires.isoformat()


def _silences(case: LoadedCase, other: LoadedCase, standing: Standing) -> bool:
    """Say whether a case that names another in `supersedes` silences it for this task.

    It need not match, nor be free of a superseder of its own; it must be active, in scope, on its point, and speak if it
    matched: a case on trial in shadow leaves the old one in force. A block gives way only to a case that is for everyone
    whom the block protects.
    """
    return (
        next(_own_reasons(case, standing), None) is None
        and standing.point in case.case.on
        and reachable(case, standing.principal)
        and _RANK[mode_of(case, standing.mode)] >= _RANK["advise"]
        and (other.case.effect != "block" or as_wide(case.case.scope, other.case.scope))
    )


_INDEXED: list[tuple[Mapping[str, LoadedCase], Superseders]] = []
_INDEXES = 4  # two threads that meet here may work an index out twice, and no more than that


def superseders(cases: Mapping[str, LoadedCase]) -> Superseders:
    """Give who is superseded by whom; worked out once for each mapping, which must not change (a snapshot's does not)."""
    for known, index in _INDEXED:
        if known is cases:
            return index
    found: dict[str, tuple[LoadedCase, ...]] = {}
    for case in cases.values():
        for target in case.case.supersedes:
            found[target] = (*found.get(target, ()), case)
    _INDEXED.insert(0, (cases, found))
    del _INDEXED[_INDEXES:]
    return found
