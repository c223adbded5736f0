"""What of a text is for something and what against, clause by clause, and under which condition it holds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from casebook.gate.cue_set import compiled
from casebook.gate.opposites import without_sides
from casebook.gate.polarity import POLAR, polarity_of_view
from casebook.gate.spoken_dates import without_times
from casebook.gate.words import tokens_in

_SPLIT = re.compile(
    r"[,;!?。、]+|\.(?=\s|$)|\b(?:and|but|yet)(?= (?:(?:do|does|is|are|was) not|not|no|never|without|don't|doesn't|avoid|i)\b)|\bbut\b"
    r"|(?=\bwithout\b)|但是?|而且|并且|且(?=不|别|没)|同时|另外"
)
_CONDITION = re.compile(
    r"\b(?:unless|except|if|when|whenever|while|until|only|as long as|provided|in case|other than)\b[^,;.]*"
    r"|(?:如果|除非|除了|只有|只在|仅|当|要是|假如|一旦|直到)[^,。;]*|[^,。;]{1,12}(?:时候|的话|以外|之外|情况下|时(?=[,可能要必就才都不再]|$))"
)
_UNLESS_WITH = re.compile(r"\bwithout\b[^,;.]*|没有?[^,。;]{1,12}?(?=不要?|不能|别|禁止|就?不|[,;。])")
"""What makes a prohibition conditional: never … without a review; 没有评审不要 …."""
_BOUND_BY = re.compile(r"\b(?:without|unless)\b|除非|没有?.*(?:不要|不能|别|禁止)")
_SPEAKS = re.compile(r"[^\W_]")


class Clause(NamedTuple):
    """A part of a text that stands for itself.

    Attributes:
        polarity: +1 or -1.
        subject: what it is about.
    """

    polarity: int
    subject: frozenset[str]


_MAY_SPLIT = compiled(r"[,;!?。、.]|\b(?:and|but|yet|without)\b|但|且|同时|另外")
_MAY_BE_BOUND = compiled(
    r"\b(?:unless|except|if|when|whenever|while|until|only|as|provided|in case|other|without)\b|如果|除|只|仅|当|要是|假如|一旦|直到|时|的话|外|下|没"
)


@lru_cache(maxsize=8192)
def clauses_of(view: str) -> tuple[Clause, ...]:
    """Give the clauses of a folded text; "never … without" is one, and what only adds a name to a negated one is negated with it."""
    if _MAY_SPLIT.search(view) is None or (polarity_of_view(view) < 0 and _BOUND_BY.search(view) and "," not in view):
        return ()
    found: list[Clause] = []
    for piece in _SPLIT.split(view):
        if not piece or _SPEAKS.search(piece) is None:
            continue
        subject = subject_of(piece)
        polarity = polarity_of_view(piece.strip())
        is_added = bool(found) and found[-1].polarity < 0 and POLAR.search(piece) is None and len(subject) <= 2
        if subject:
            found.append(Clause(-1 if is_added else polarity, subject))
    return tuple(found) if len(found) > 1 else ()


def subject_of(view: str) -> frozenset[str]:
    """Give what a folded text is about: its words without polarity, sides, numbers, days and hours."""
    return frozenset(
        token for token in tokens_in(POLAR.sub(" ", without_sides(without_times(view)))) if not token[0].isdigit()
    )


@lru_cache(maxsize=8192)
def conditions_of(view: str) -> frozenset[str]:
    """Give the words of the conditions under which a folded text holds; empty where it holds always."""
    if _MAY_BE_BOUND.search(view) is None:
        return frozenset()
    found = [each[0] for each in _CONDITION.finditer(view)]
    if polarity_of_view(view) < 0:
        found += [each[0] for each in _UNLESS_WITH.finditer(view)]
    return frozenset(token for each in found for token in ("?", *tokens_in(each)))
