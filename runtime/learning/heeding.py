"""What became of the tasks at which a case spoke: whether it was heeded, and how the call that it was about came out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from casebook.case import LoadedCase
from casebook.conditions.fold import nfc
from casebook.conditions.tree import And, Node, Or, Test
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import ActivationRecord, EventKind, EventRecord

Heed = Literal["changed", "dropped", "ignored", "unknown"]
"""changed: the call was made with other arguments · dropped: the turn or the session went on without it · ignored: the same
call was made · unknown: nothing came after it, or it stood at the beginning of a turn, where there is no call to change."""

Came = Literal["success", "again", "other"]
"""success: the call succeeded, or failed in a way that is no error · again: it failed in the case's way · other: in another."""

_OUTCOMES: tuple[EventKind, ...] = ("tool", "error", "success")
_MARKS: tuple[EventKind, ...] = ("task", "ended")
_LOOKED_AT: tuple[EventKind, ...] = (*_OUTCOMES, *_MARKS, "feedback")


@dataclass(frozen=True, slots=True)
class Answered:
    """One activation of a case and what came of it; `came` is None where no outcome is known."""

    activation: ActivationRecord
    heed: Heed
    came: Came | None


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes, as counts.

    Attributes:
        success, again, other: see `Came`.
        dropped: calls that were not made after all.
    """

    success: int = 0
    again: int = 0
    other: int = 0
    dropped: int = 0

    @property
    def made(self) -> int:
        """Give the number of calls that were made and came out."""
        return self.success + self.again + self.other

    def to_json(self) -> dict[str, int]:
        """Give the counts by name."""
        return {"success": self.success, "again": self.again, "other": self.other, "dropped": self.dropped}


def tallied(answers: Iterable[Answered]) -> Tally:
    """Count answers."""
    came = [(each.heed, each.came) for each in answers]
    return Tally(
        success=sum(each == "success" for _, each in came),
        again=sum(each == "again" for _, each in came),
        other=sum(each == "other" for _, each in came),
        dropped=sum(heed == "dropped" and each is None for heed, each in came),
    )


def came_of(case: LoadedCase, event: EventRecord) -> Came:
    """Say how a call or a task came out, as a case sees it: a learnt one knows its error, any other takes every error."""
    if not event.failed or not event.counted:
        return "success"
    source = case.case.source
    signature = source.signature if source is not None else None
    return "again" if signature is None or event.signature == signature else "other"


def tools_of(conditions: Sequence[Node]) -> frozenset[str]:
    """Give the tools one of which a task must be about for the conditions to hold; empty where they name none."""
    for node in conditions:
        named = _tools(node)
        if named:
            return named
    return frozenset()


def _tools(node: Node) -> frozenset[str]:
    if isinstance(node, Test) and node.field.path == ("tool",):
        values: object = node.value if node.op == "in" else (node.value,) if node.op == "is" else ()
        return frozenset(each for each in values if isinstance(each, str)) if isinstance(values, tuple) else frozenset()
    if isinstance(node, Test) and node.field.path in (("action",), ("program",)) and node.op in ("is", "in"):
        return frozenset({"shell"})
    if isinstance(node, And):
        return tools_of(node.items)
    if isinstance(node, Or):
        parts = [_tools(item) for item in node.items]
        return frozenset().union(*parts) if all(parts) else frozenset()
    return frozenset()


def answered(case: LoadedCase, spoken: Sequence[ActivationRecord], journal: Journal) -> list[Answered]:
    """Say for each activation what came of it. An outcome is counted once: for the last activation before it.

    Args:
        case: the case.
        spoken: activations in which it fired, in order of arrival.
        journal: where their outcomes are.

    Raises:
        StoreError: the journal cannot be read.
    """
    order = {record.id: at for at, record in enumerate(spoken)}
    sessions: dict[tuple[str, str | None], Sequence[EventRecord]] = {}
    found: list[Answered] = []
    for at, record in enumerate(spoken):
        if record.session is None:
            events: Sequence[EventRecord] = journal.events(activation=record.id, kinds=_LOOKED_AT)
        else:
            key = (record.session, record.principal.user)
            if key not in sessions:
                sessions[key] = journal.events(session=key[0], user=key[1], kinds=_LOOKED_AT)
            events = sessions[key]
        after = [each for each in events if _follows(each, record, at, order)]
        found.append(_at_a_call(case, record, after, order) if record.tool else _at_a_turn(case, record, after, order))
    return found


def _follows(event: EventRecord, record: ActivationRecord, at: int, order: dict[str, int]) -> bool:
    """Say whether an event came after an activation: it is linked to it or to a later one, else by its instant."""
    if event.activation == record.id:
        return True
    linked = order.get(event.activation or "")
    return event.at >= record.at if linked is None else linked > at


def _at_a_call(
    case: LoadedCase, record: ActivationRecord, after: Sequence[EventRecord], order: dict[str, int]
) -> Answered:
    """Look for the call that was advised on: the one that answers the activation, else the next of its tool in the turn."""
    own = [each for each in after if each.activation == record.id and each.kind in _OUTCOMES]
    call = next((each for each in own if each.tool == record.tool), None)
    went_on = False
    for event in () if own else after:
        if event.kind in _MARKS:
            went_on = True
            break
        if event.kind == "tool" and event.tool == record.tool:
            call = event
            break
        went_on = True
    if call is not None:
        heed: Heed = "ignored" if _same(record.facts.get("args"), call.body.get("args")) else "changed"
    else:
        heed = "dropped" if went_on else "unknown"
    counted = own or ([call] if call is not None and (call.activation or "") not in order else [])
    return Answered(record, heed, _worst(case, counted))


def _at_a_turn(
    case: LoadedCase, record: ActivationRecord, after: Sequence[EventRecord], order: dict[str, int]
) -> Answered:
    """Look at the turn: what answers the activation, and the calls of the case's tools up to the next turn."""
    tools = tools_of(case.conditions)
    counted: list[EventRecord] = []
    for event in after:
        mine = event.activation == record.id
        if event.kind in _MARKS and not mine and (event.kind == "ended" or event.at > record.at):
            break
        if event.kind not in _OUTCOMES or (not mine and (event.activation or "") in order):
            continue
        if mine or not tools or event.tool in tools:
            counted.append(event)
    return Answered(record, "unknown", _worst(case, counted))


def _worst(case: LoadedCase, events: Iterable[EventRecord]) -> Came | None:
    came = {came_of(case, each) for each in events}
    return next((each for each in ("again", "other", "success") if each in came), None)


def _same(one: Any, other: Any) -> bool:
    return _canonical(one) == _canonical(other)


def _canonical(value: Any) -> str:
    return nfc(json.dumps(value or None, ensure_ascii=False, sort_keys=True, default=str))
