"""A case's own part of the block, as far as it does not depend on the task: made harmless once and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from casebook.case import LoadedCase
from casebook.policy import Policy
from casebook.runtime.answer.because import Line, line_of
from casebook.runtime.answer.harmless import excerpt, harmless, inside_quotes
from casebook.runtime.answer.per_case import PerCase
from casebook.runtime.answer.texts import TEXTS, Language, Weight

WHY_CHARS = 240
"""Characters of a judgment, and of a consequence, that the block shows."""

TEXT_MAX = 9_499
"""Characters of the block in all: hosts cut at 10,000, and DESIGN says under 9,500."""

OUTSIDE = 1_500
"""Characters kept for what is no case's text: heading, introduction, blocks by id, the names of what is left out."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The fixed lines of a case.

    Attributes:
        head: its correction, with the label of its weight.
        why: judgment and consequence; empty where it says nothing.
        line: what made it fire, as far as that is known beforehand.
        identity: its id, and of advice how the user can silence it.
        length: the characters that it takes at the least: head and identity, with their line breaks.
        opening: head and why, as they stand where there is room.
    """

    head: str
    why: str
    line: Line
    identity: str
    length: int
    opening: str


def text_max(policy: Policy) -> int:
    """Give the greatest length of the block, in characters."""
    return min(policy.limits.max_text, TEXT_MAX)


def outside(policy: Policy) -> int:
    """Give the characters of the block that the cases' own texts must leave free."""
    return min(OUTSIDE, text_max(policy) // 2)


def room_for_cases(policy: Policy) -> int:
    """Give the characters that the cases' own texts may take together."""
    return min(policy.limits.max_chars, text_max(policy) - outside(policy))


def as_argument(case_id: str) -> str:
    """Give an id as a shell takes it: one that begins with `-` must not pass for an option."""
    return f"-- {case_id}" if case_id.startswith("-") else case_id


def _make(loaded: LoadedCase, language: Language, weight: Weight) -> Entry:
    texts = TEXTS[language]
    case = loaded.case
    correction = harmless(case.correction) or texts.nothing
    judgment, consequence = excerpt(case.judgment, WHY_CHARS), excerpt(case.consequence, WHY_CHARS)
    if case.correction_by != "person":
        correction = inside_quotes(correction)
        judgment, consequence = (f"“{inside_quotes(each)}”" if each else "" for each in (judgment, consequence))
    both, first, second = texts.why
    if judgment and consequence:
        why = both.format(judgment, consequence)
    else:
        why = first.format(judgment) if judgment else second.format(consequence) if consequence else ""
    head = f"- {texts.labels[weight]}{texts.voices[case.correction_by].format(correction)}"
    # by its effect, not its weight: a guard stays one where the mode lowers it to advice
    put = texts.advice if case.effect == "advise" else texts.case
    identity = put.format(case.id, as_argument(case.id))
    length = 2 + len(head) + len(identity)
    return Entry(head, why, line_of(loaded, language), identity, length, f"{head}\n{why}" if why else head)


ENTRIES: Mapping[Weight, PerCase[Entry]] = MappingProxyType(
    {weight: PerCase(partial(_make, weight=weight)) for weight in TEXTS["en"].labels}
)
"""For each weight what takes a loaded case and a language and gives its `Entry`."""
