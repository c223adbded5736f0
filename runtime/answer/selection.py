"""Which of the cases that match are put in front of the agent, in what order, and what verdict they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import MappingProxyType

from casebook.case import LoadedCase
from casebook.conditions.facts import Facts
from casebook.policy import Policy
from casebook.runtime.answer.activation import Verdict
from casebook.runtime.answer.eligibility import Spent, Standing, first_reason, mode_of, standing_of
from casebook.runtime.answer.entry import ENTRIES, room_for_cases
from casebook.runtime.answer.isolation import within
from casebook.runtime.answer.texts import Weight
from casebook.scope import EVERYONE, Point
from casebook.task import Task

_KEY = itemgetter(0, 1, 2, 3)
_ORDER: Mapping[Weight, int] = MappingProxyType({"block": 0, "confirm": 1, "advise": 2, "agreed": 2})


@dataclass(frozen=True, slots=True)
class Selection:
    """What became of the cases that match a task.

    Attributes:
        cases: the selected ones, in order.
        weights: for each case that may speak, selected or not, how it weighs in this answer.
        omitted: ids of those that may speak and were left out by the limits, in order.
        verdict: over all that may speak.
        binding: ids of those that made the verdict `block` or `confirm`, in order.
        held: ids of those that may not speak, with the reason (see `eligibility`).
        shadowed: those that would have spoken but for the mode `shadow`, in the order of the matcher.
        point: where the task stands.
    """

    cases: tuple[LoadedCase, ...] = ()
    weights: Mapping[str, Weight] = field(default_factory=dict)
    omitted: tuple[str, ...] = ()
    verdict: Verdict = "allow"
    binding: tuple[str, ...] = ()
    held: Mapping[str, str] = field(default_factory=dict)
    shadowed: tuple[LoadedCase, ...] = ()
    point: Point = "task"

    @property
    def omitted_blocks(self) -> tuple[str, ...]:
        """Give the ids of blocks among the omitted, in order: the text names each on a line of its own."""
        return tuple(each for each in self.omitted if self.weights[each] == "block")


def select(
    conflict: Sequence[LoadedCase],
    all_cases: Mapping[str, LoadedCase],
    task: Task,
    facts: Facts,
    policy: Policy,
    *,
    tool_host: bool = False,
    spent: Spent | None = None,
) -> Selection:
    """Select among the cases whose conditions hold.

    A case out of the task's reach is dropped without a trace. The verdict is over all that may speak, before any limit, less
    those in `task.confirmed`; these keep their place as advice, marked as agreed to. Under the mode `advise` a block or
    confirm is advice. A case whose text finds no room is left out whole: a correction is never cut.

    Args:
        conflict: what the matcher found, in any order.
        all_cases: the snapshot's cases, for `supersedes`; the same mapping while nothing changes.
        task: the task, for its principal, point and confirmed ids.
        facts: its facts, for its instant.
        policy: mode, limits and language.
        tool_host: whether the host injects at a tool call, where less room is; the tool point counts as that anyway.
        spent: what the journal says of cooldown, budget and what was said already.
    """
    if not conflict:
        return Selection(point=task.point)
    standing = standing_of(task, facts.at, policy, all_cases, spent)
    free, held, shadowed = _sifted(conflict, standing)
    free, weights = _ordered(free, task, standing)
    verdict, binding = _verdict(free, weights)
    limits = policy.limits
    most = limits.max_cases_tool if tool_host or task.point == "tool" else limits.max_cases
    chosen, omitted = _within_limits(free, weights, most, policy)
    return Selection(chosen, weights, omitted, verdict, binding, held, shadowed, task.point)


def _sifted(
    conflict: Iterable[LoadedCase], standing: Standing
) -> tuple[list[LoadedCase], dict[str, str], tuple[LoadedCase, ...]]:
    """Part the cases into those that may speak, those held back with the reason, and those that are only journaled."""
    free: list[LoadedCase] = []
    held: dict[str, str] = {}
    shadowed: list[LoadedCase] = []
    for case in conflict:
        scope = case.case.scope
        if scope is not EVERYONE and not within(scope, standing.principal):
            continue
        reason = first_reason(case, standing)
        if reason is None:
            free.append(case)
            continue
        held[case.case.id] = reason
        if reason == "mode:shadow":
            shadowed.append(case)
    return free, held, tuple(shadowed)


def _weight(case: LoadedCase, task: Task, standing: Standing) -> Weight:
    if case.case.effect == "advise":
        return "advise"
    if case.case.id in task.confirmed:
        return "agreed"
    return case.case.effect if mode_of(case, standing.mode) == "enforce" else "advise"


def _ordered(free: Iterable[LoadedCase], task: Task, standing: Standing) -> tuple[list[LoadedCase], dict[str, Weight]]:
    """Order by effect, then priority, then the number of conditions, then the id; give how each weighs, too."""
    weights: dict[str, Weight] = {}
    rows = []
    for case in free:
        own = case.case
        weight = weights[own.id] = "advise" if own.effect == "advise" else _weight(case, task, standing)
        rows.append((_ORDER[weight], -own.priority, -len(case.conditions), own.id, case))
    rows.sort(key=_KEY)
    return [row[-1] for row in rows], weights


def _verdict(ordered: Sequence[LoadedCase], weights: Mapping[str, Weight]) -> tuple[Verdict, tuple[str, ...]]:
    both: tuple[Verdict, Verdict] = ("block", "confirm")
    for verdict in both:
        if verdict in weights.values():
            return verdict, tuple(case.case.id for case in ordered if weights[case.case.id] == verdict)
    return "allow", ()


def _within_limits(
    ordered: Sequence[LoadedCase], weights: Mapping[str, Weight], most: int, policy: Policy
) -> tuple[tuple[LoadedCase, ...], tuple[str, ...]]:
    """Take what there is room for, in order, and give the ids of the rest; one too long does not keep out the shorter ones."""
    room = room_for_cases(policy)
    language = policy.language
    chosen: list[LoadedCase] = []
    omitted: list[str] = []
    for place, case in enumerate(ordered):
        if len(chosen) == most:
            omitted += [each.case.id for each in ordered[place:]]
            break
        case_id = case.case.id
        length = ENTRIES[weights[case_id]](case, language).length
        if length <= room:
            chosen.append(case)
            room -= length
        else:
            omitted.append(case_id)
    return tuple(chosen), tuple(omitted)
