"""What the jobs that move memories look at: rules of the policy, what a person took back, counters, and how a move changes a memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from casebook.faults import CasebookError
from casebook.instants import instant
from casebook.memory import Memory, Step, Tier, UnfitMemoryError
from casebook.memory_facts import Telling, entered, facts_of, holds_rule
from casebook.runtime.upkeep.protocol import Desk
from casebook.stores.memory_store import Placed

AGED = "short_term/aged.json"
"""Where what aged out of L2 stands until its grace is over."""

UNDONE = "undone"
"""The rule of the step that a person's undoing leaves in a memory's chain; its extras: `at`, `move` (the kind of the move), `pinned`
(whether it was pinned then)."""

_AGED = re.compile(r"short_term/aged(-\d+)?\.json")
_ERRORS = (CasebookError, ValueError, TypeError, LookupError, ArithmeticError)


def is_aged(placed: Placed) -> bool:
    """Say whether a memory aged out of L2 and waits for its grace to be over."""
    return placed.memory.tier == "L1" and is_aged_path(placed.path)


def is_aged_path(path: str) -> bool:
    """Say whether a file is one of those that hold what aged."""
    return _AGED.fullmatch(path) is not None


def iso(at: datetime) -> str:
    """Give an instant as memories hold it."""
    return at.isoformat(timespec="milliseconds")


def holds(
    desk: Desk,
    name: str,
    memory: Memory,
    tellings: Iterable[Telling],
    at: datetime | None = None,
    *,
    ended: bool = False,
) -> bool:
    """Say whether a rule of the policy holds for a memory.

    Args:
        desk: the casebook.
        name: the rule, as in `policy.rules`.
        memory: the memory.
        tellings: of it.
        at: the instant; default the run's.
        ended: whether its session has ended.

    Returns:
        Whether it holds; False where it cannot be told, which the desk's troubles then say.
    """
    try:
        facts = facts_of(memory, at or desk.now, desk.policy, tellings, ended=ended)
        return holds_rule(getattr(desk.policy.rules, name), facts, desk.policy.timezone)
    except _ERRORS as error:
        _trouble(desk, f"the rule {name} could not be asked about {memory.id}: {type(error).__name__}: {error}")
        return False


def undoing(memory: Memory, *moves: str) -> Step | None:
    """Give the step by which a person last took back a move of one of these kinds, or None."""
    for step in reversed(memory.rule_chain):
        if step.rule == UNDONE and extra(step).get("move") in moves:
            return step
    return None


def extra(step: Step) -> Mapping[str, Any]:
    """Give what a step holds beside rule and reason."""
    return step.model_extra or {}


def step_at(step: Step, zone: str) -> datetime | None:
    """Give when a step was made, aware, UTC, or None."""
    told = extra(step).get("at")
    try:
        return instant(told, zone) if isinstance(told, str) else None
    except ValueError:
        return None


def anew(
    memory: Memory, tellings: Sequence[Telling], step: Step, zone: str, *, explicit: bool = False
) -> tuple[Memory, Sequence[Telling], datetime | None]:
    """Give a memory as if it had been made when a move of it was taken back: what spoke for the move then speaks no more.

    Args:
        memory: the memory.
        tellings: of it, in order.
        step: the undoing.
        zone: the casebook's.
        explicit: whether what a person said of it before still counts (that it is to stay).

    Returns:
        The memory, its tellings since then, and when that was (None: the step does not say, and nothing is left out but counters).
    """
    since = step_at(step, zone)
    changes: dict[str, Any] = {"counters": None, "last_used": None}
    if since is not None:
        changes |= {"created_at": iso(since), "tier_since": iso(since)}
        tellings = [each for each in tellings if each.at > since]
    if not explicit:
        changes["confirmed"] = None
        if extra(step).get("pinned"):
            changes["pinned"] = None
        if memory.source is not None:
            changes["source"] = memory.source.model_dump(mode="json", exclude_unset=True) | {"asked": False}
    try:
        return memory.with_changes(**changes), tellings, since
    except UnfitMemoryError:  # of a newer format: what is known of it counts as it stands
        return memory, tellings, since


def brought_back(desk: Desk) -> Mapping[str, datetime]:
    """Give by memory when a person brought it back from the archive last. Raises StoreError."""
    entries = desk.journal.entries(actions=("restore", "undo"))
    return {each.subject: each.at for each in entries if each.actor.startswith("person")}


def voted_for(desk: Desk) -> Mapping[str, datetime]:
    """Give by memory when a person took it out of the archive last, by restoring it or undoing what put it there. Raises StoreError."""
    entries = desk.journal.entries(actions=("restore", "undo"))
    return {name: each.at for each in entries if each.actor.startswith("person") for name in _out_of_archive(each.body)}


def _out_of_archive(body: Mapping[str, Any]) -> Iterator[str]:
    """Give the ids of the memories that an entry brought into a tier."""
    changed = body.get("memories")
    for each in changed if isinstance(changed, list | tuple) else ():
        if isinstance(each, Mapping) and each.get("before") is None and each.get("after"):
            yield str(each.get("id"))


def mirrored(memory: Memory, tellings: Iterable[Telling], zone: str) -> dict[str, Any]:
    """Give the fields by which a memory's counters in its file fall short of the journal's, with their new values.

    Args:
        memory: the memory.
        tellings: of it.
        zone: of times that name none.

    Returns:
        `counters` and `last_used`, as far as they grow.
    """
    told = list(tellings)
    if not told:
        return {}
    counted = {"recalls": len({each.counts_as for each in told}), "triggers": len(told)}
    grown = {name: count for name, count in counted.items() if count > memory.counters.get(name, 0)}
    changes: dict[str, Any] = {"counters": {**memory.counters, **grown}} if grown else {}
    newest = iso(max(each.at for each in told))
    if memory.last_used is None or instant(memory.last_used, zone) < instant(newest, zone):
        changes["last_used"] = newest
    return changes


def moved(desk: Desk, memory: Memory, tier: Tier, rule: str, why: str, **changes: Any) -> Memory | None:
    """Give a memory as it is to be in another tier: since now, its counters as the journal has them, one step more in its chain.

    Returns:
        The memory; None where it cannot be changed, such as one of a newer format, which the desk's troubles then say.
    """
    steps = [step.model_dump(mode="json") for step in memory.rule_chain]
    at = iso(desk.now)
    counted = mirrored(memory, desk.told(memory.id), desk.policy.timezone)
    try:
        return memory.with_changes(
            **counted, tier=tier, tier_since=at, rule_chain=[*steps, {"rule": rule, "why": why, "at": at}], **changes
        )
    except UnfitMemoryError as error:
        fields = ", ".join(sorted({str(each.path[0]) for each in error.problems if each.path}))
        _trouble(desk, f"{memory.id} cannot be moved: its fields {fields} do not serve")
        return None


def since_of(desk: Desk, memory: Memory) -> datetime | None:
    """Give since when a memory stands in its tier, aware, UTC; None where it does not say."""
    return entered(memory, desk.policy.timezone)


def _trouble(desk: Desk, told: str) -> None:
    if told not in desk.troubles:
        desk.troubles.append(told)
