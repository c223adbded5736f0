"""What a sentence that says that a flag is needed says besides: of when, and where, which no condition does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from casebook.conditions.tree import Node
from casebook.policy import Policy
from casebook.runtime.teaching.names import Known, Names
from casebook.runtime.teaching.sentence import limit_in, limits, parts_of
from casebook.runtime.teaching.unsaid import unsaid_in

_NEEDING: Final = re.compile(
    r"\b(?:always|every\s+time|needs?|must|should|has|have|be|is|needed|required|me|pass|add|when|whenever|running|wrong|bad|a\s+mistake)\b|必须|一定|务必|需要|每次|都|要|应该?|时候?|得|请|记得",
    re.IGNORECASE,
)
"""What says that something is needed, and not where."""

_PLACED: Final = re.compile(
    r"\b(?:in|on|at|during|under|against|within|inside|for)\s+(?!(?:this|that|it|me|us|you|time|fact|general|all|now|good)\b)\S.*$"
    r"|[\u4e00-\u9fff]*?(?:环境|期间|分支|服务器|集群|线上|库里|时候|时(?=[，。\s]|要|请|先|$))",
    re.IGNORECASE,
)


def places_in(text: str) -> tuple[str, ...]:
    """Give the words of a sentence that is in no form which is understood that say where, or when, it applies: `be careful in prod`."""
    told = (
        found[0] if (found := _PLACED.search(each.text)) is not None else limit_in(each.text)
        for each in parts_of(text)
        if each.kind in ("rest", "ask", "use")
    )
    return tuple(dict.fromkeys(each for each in told if each))


def unsaid_of_need(rest: str, names: Names, nodes: Sequence[Node], policy: Policy, known: Known) -> tuple[str, ...]:
    """Give the words of a sentence that says that a flag is needed which no condition says, but for its reason and what it says to do.

    Args:
        rest: the sentence without that flag.
        names: what it names.
        nodes: the conditions.
        policy: for its tools and intents.
        known: what is known by name.
    """
    told = [
        unsaid_in(_NEEDING.sub(" ", each.text), names, nodes, policy, known)
        for each in parts_of(rest)
        if each.kind not in ("reason", "stress") and (each.kind not in ("use", "ask") or limits(each.text))
    ]
    return tuple(dict.fromkeys(each for each in told if each))
