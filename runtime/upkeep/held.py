"""Which part of a policy's rule held for a memory, with the numbers that it saw: `reused >= 2 (it was 3)` of `reused >= 2 or …`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from casebook.conditions.evaluate import Trace, trace
from casebook.conditions.render import render
from casebook.conditions.tree import And, Count, Earlier, Or, Test
from casebook.memory import Memory
from casebook.memory_facts import Telling, facts_of, parse_rule
from casebook.runtime.upkeep.protocol import Desk


def what_held(
    desk: Desk,
    name: str,
    memory: Memory,
    tellings: Iterable[Telling],
    at: datetime | None = None,
    *,
    ended: bool = False,
) -> str:
    """Say which part of a rule held.

    Args:
        desk: the casebook.
        name: the rule, as in `policy.rules`, which holds.
        memory: the memory.
        tellings: of it.
        at: the instant; default the run's.
        ended: whether its session has ended.

    Returns:
        The part in the trigger language, in the language that the rule is written in; the number that it saw in brackets. It quotes
        no text of a memory.
    """
    rule: str | Mapping[str, Any] = getattr(desk.policy.rules, name)
    facts = facts_of(memory, at or desk.now, desk.policy, tellings, ended=ended)
    made = trace(parse_rule(rule), facts, desk.policy.timezone)
    chinese = not rule.isascii() if isinstance(rule, str) else desk.policy.language == "zh"
    return (" 且 " if chinese else " and ").join(_words(each, chinese=chinese) for each in list(_held(made)) or [made])


def _held(made: Trace) -> Iterator[Trace]:
    """Give the parts that made a condition hold: of an `or` those that hold, of an `and` all, else itself."""
    if isinstance(made.node, And | Or):
        for each in made.items:
            if each.holds:
                yield from _held(each)
    else:
        yield made


def _words(made: Trace, *, chinese: bool) -> str:
    said = render(made.node, "zh" if chinese else "en")
    number = made.seen
    if (
        not isinstance(made.node, Test | Count | Earlier)
        or isinstance(number, bool)
        or not isinstance(number, int | float)
    ):
        return said
    seen = f"{number:.2f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)
    return f"{said}（实为 {seen}）" if chinese else f"{said} (it was {seen})"
