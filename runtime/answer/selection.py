"""Which of the cases that match are put in front of the agent, in what order, and what verdict they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import MappingProxyType

from casebook.case import LoadedCase
from casebook.conditions.facts import Facts
from casebook.policy import Policy
from casebook.runtime.answer.activation import Verdict
from casebook.runtime.answer.eligibility import TERMS, Spent, Standing, first_reason, mode_of, standing_of
from casebook.runtime.answer.entry import ENTRIES, Entry, room_for_cases
from casebook.runtime.answer.isolation import within
from casebook.runtime.answer.texts import Weight
from casebook.scope import Point
from casebook.task import Task

_ORDER: Mapping[Weight, int] = MappingProxyType({"block": 0, "confirm": 1, "advise": 2, "agreed": 2})
_Row = tuple[int, tuple[int, int, str], Weight, LoadedCase]
"""A case that may speak: the rank of its weight, its place among those of the same rank (the id is the last part), weight, case."""
_KEY = itemgetter(0, 1)


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
        entries: the lines of each of `cases`.
        room: the characters that the short forms of these lines leave.
    """

    cases: tuple[LoadedCase, ...] = ()
    weights: Mapping[str, Weight] = field(default_factory=dict)
    omitted: tuple[str, ...] = ()
    verdict: Verdict = "allow"
    binding: tuple[str, ...] = ()
    held: Mapping[str, str] = field(default_factory=dict)
    shadowed: tuple[LoadedCase, ...] = ()
    point: Point = "task"
    entries: tuple[Entry, ...] = ()
    room: int = 0

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
        return Selection(point=task.point, room=room_for_cases(policy))
    standing = standing_of(task, facts.at, policy, all_cases, spent)
    free: list[_Row] = []
    weights: dict[str, Weight] = {}
    held: dict[str, str] = {}
    shadowed: list[LoadedCase] = []
    for case in conflict:
        terms = TERMS(case)
        if terms.scope is not None and not within(terms.scope, standing.principal):
            continue
        reason = first_reason(case, terms, standing)
        if reason is None:
            weight = weights[terms.id] = "advise" if terms.advises else _weight(case, task, standing)
            free.append((_ORDER[weight], terms.place, weight, case))
            continue
        held[terms.id] = reason
        if reason == "mode:shadow":
            shadowed.append(case)
    free.sort(key=_KEY)
    verdict, binding = _verdict(free)
    limits = policy.limits
    most = limits.max_cases_tool if tool_host or standing.point == "tool" else limits.max_cases
    cases, entries, omitted, room = _within_limits(free, most, policy)
    return Selection(
        cases, weights, omitted, verdict, binding, held, tuple(shadowed), standing.point, entries=entries, room=room
    )


def _weight(case: LoadedCase, task: Task, standing: Standing) -> Weight:
    """Say how a case that is more than advice weighs."""
    if case.case.id in task.confirmed:
        return "agreed"
    return case.case.effect if mode_of(case, standing.mode) == "enforce" else "advise"


def _verdict(free: Sequence[_Row]) -> tuple[Verdict, tuple[str, ...]]:
    """Give the verdict, which is the weight of the first where that is more than advice, and the ids of those that made it."""
    verdict = free[0][2] if free else "advise"
    if verdict == "block" or verdict == "confirm":  # noqa: PLR1714  # so that mypy narrows it
        return verdict, tuple([place[-1] for _, place, weight, _ in free if weight == verdict])
    return "allow", ()


def _within_limits(
    free: Sequence[_Row], most: int, policy: Policy
) -> tuple[tuple[LoadedCase, ...], tuple[Entry, ...], tuple[str, ...], int]:
    """Take what there is room for, in order: the cases, their lines, the ids of the rest, the room that is left.

    One too long does not keep out the shorter ones.
    """
    room = room_for_cases(policy)
    language = policy.language
    chosen: list[LoadedCase] = []
    entries: list[Entry] = []
    omitted: list[str] = []
    for at, (_, place, weight, case) in enumerate(free):
        if len(chosen) == most:
            omitted += [name for _, (_, _, name), _, _ in free[at:]]
            break
        entry = ENTRIES[weight](case, language)
        if entry.length <= room:
            chosen.append(case)
            entries.append(entry)
            room -= entry.length
        else:
            omitted.append(place[-1])
    return tuple(chosen), tuple(entries), tuple(omitted), room
