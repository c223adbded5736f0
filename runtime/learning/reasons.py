"""Why a learnt case has each of its conditions, in words, for `casebook why`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from casebook.conditions.tree import Node
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Figures
from casebook.runtime.learning.narrowing import Narrowed
from casebook.runtime.learning.sharing import Feature, distinct_calls


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a learnt case, and why it stands there."""

    node: Node
    reason: str


def anchor_words(covered: int, count: int) -> str:
    """Give why the anchor stands there: how many of the occurrences it covers."""
    told = f"all {count} occurrences are of it" if covered == count else f"{covered} of {count} occurrences are of it"
    return f"the anchor, which is never dropped: {told}"


def feature_words(feature: Feature, occurrences: Sequence[EventRecord]) -> str:
    """Give why a feature was taken."""
    return (
        f"all {distinct_calls(occurrences)} different calls that failed have it, and {feature.having} of {feature.among} "
        "different calls that succeeded"
    )


def narrowing_conditions(found: Narrowed, count: int) -> list[Condition]:
    """Give what narrowing added, each with its reason."""
    return [
        Condition(
            node,
            f"narrowed: of the matching calls {_percent(after)} failed this way with it, {_percent(before)} without; the case "
            f"covers {found.covered} of {count} occurrences",
        )
        for node, (before, after) in zip(found.nodes, found.steps, strict=True)
    ]


def backtest_words(figures: Figures) -> str:
    """Give the figures as a sentence."""
    return (
        f"backtest: of {figures.matching} journaled calls that it would have come up at, {figures.failing} failed this way and "
        f"{figures.clean} succeeded"
    )


def draft_words(figures: Figures, floor: float) -> str:
    """Give why a case is a draft."""
    return f"a draft: {_percent(figures.precision)} of the matching calls failed this way, and {_percent(floor)} are asked for"


BARE_SHELL = "a draft: it is bound to no program, and the shell runs anything"
"""Why a case that would come up at every shell call is a draft."""

ANY_PATH = "a draft: it is bound to no ending and no folder, and the tool is called for any file"
"""Why a case that would come up at every call of a tool of paths is a draft."""


def path_words(count: int) -> str:
    """Give why an ending or a folder stands there that nothing speaks against yet."""
    return f"the paths of all {count} occurrences share it, and no call elsewhere has failed this way"


def typed_words(count: int) -> str:
    """Give why a program's name as it was typed stands there."""
    return f"all {count} occurrences typed the program so, and calls that succeeded typed it otherwise"


def _percent(share: float) -> str:
    return f"{share:.1%}"
