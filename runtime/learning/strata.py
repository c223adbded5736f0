"""Outcomes with a case beside outcomes without it, tool by tool.

A case of several tools may have spoken at other ones than those that its baseline is mostly of: it is widened to a second tool
after it has spoken at the first for a while, or one is called more at one time and less at another. Tools differ in how often
they fail whatever the case says, so that all of them in one heap would show a difference that it did not make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from casebook.runtime.learning.heeding import Answered, Tally, tallied

ByTool = Mapping[str | None, Tally]
"""Outcomes of each tool; under None those of which the tool is not known, such as a turn's."""
Pair = tuple[Tally, Tally]
"""What came with the case, and what came without it."""


def tallied_by_tool(answers: Iterable[Answered]) -> ByTool:
    """Count answers of each tool that the case spoke at; a turn's are of none."""
    found: dict[str | None, list[Answered]] = {}
    for each in answers:
        found.setdefault(each.activation.tool, []).append(each)
    return {tool: tally for tool, several in found.items() if (tally := tallied(several)) != Tally()}


def total(tallies: Iterable[Tally]) -> Tally:
    """Give the sum."""
    several = [(each.success, each.again, each.other, each.dropped) for each in tallies] or [(0, 0, 0, 0)]
    return Tally(*map(sum, zip(*several, strict=True)))


def pairs_of(told: ByTool, without: ByTool) -> tuple[Pair, ...]:
    """Put beside each other what can be compared: a tool that only one of the two knows tells nothing.

    Where the tools of one of them are not known it is all of one beside all of the other.
    """
    if None in told or None in without:
        pairs: Sequence[Pair] = [(total(told.values()), total(without.values()))]
    else:
        pairs = [(told[tool], without[tool]) for tool in told if tool in without]
    return tuple((one, other) for one, other in pairs if other.made)
