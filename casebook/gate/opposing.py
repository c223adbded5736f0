"""What says the opposite of something, told without a model: polarity, numbers, times, or another choice in the same frame."""

from __future__ import annotations

import re

from casebook.gate.spoken_dates import without_times
from casebook.gate.words import PART, Words, overlap_of, words_of

SUBJECT = 0.6
"""From so much overlap of what is left without polarity, numbers and times on, two statements are about the same thing (ours)."""
_APART = 0.75
"""The same where each names something that the other does not, or where they differ in a number or a time (ours)."""


def opposes(first: str, second: str) -> str | None:
    """Say whether two texts contradict each other, without a model.

    Returns:
        What differs on the same subject: "polarity", "number", "time" or "choice"; None where they do not contradict each other
        as far as words tell. Precise rather than broad.
    """
    return opposing(words_of(first), words_of(second))


_VERB = re.compile(
    r"\b(?:is|are|was|were|be|runs?|listens?|uses?|takes?|costs?|needs?|has|have|at|max|maximum|limit|least|most|than|to|on|every|after|within|expires?|starts?|port|version)\b|[:=]|是|为|用|在|有|需要?|到|最多|至少|不超过|上限|下限|端口|版本|每|共|约|设(?:为|成)"
)
_NAMED = re.compile(
    r"(?:#|\b(?:pr|issue|ticket|sprint|milestone|phase|step|chapter|section|task|bug|case|room|node|shard|server|host|question|option|rule|v|no\.?|number) ?#?|第)$"
)


def opposing(first: Words, second: Words, *, first_polarity: int | None = None) -> str | None:
    """Give `opposes` of texts that were read already."""
    polarity = first.polarity if first_polarity is None else first_polarity
    if polarity == second.polarity and _choose_apart(first, second):
        return "choice"
    if not first.subject or not second.subject:
        return None
    about = overlap_of(first.subject, second.subject)
    if about < SUBJECT:
        return None
    if about < _APART and first.subject - second.subject and second.subject - first.subject:
        return None  # each has its own: "on feature branches", "on release branches"
    if polarity != second.polarity:
        return "polarity" if first.numbers == second.numbers and _same_times(first, second) else None
    if about < _APART:
        return None
    if first.numbers != second.numbers:
        if (
            len(first.numbers) == len(second.numbers)
            and _values(first) != _values(second)
            and _names(first) == _names(second)
        ):
            return "number"
        return None
    if first.times != second.times and len(first.times) == len(second.times) and first.times:
        return "time"
    return None


def _same_times(first: Words, second: Words) -> bool:
    return first.times == second.times or not first.times or not second.times


def _values(words: Words) -> tuple[str, ...]:
    """Give the numbers that are said of the subject; those before the verb, or after a # or a word like "sprint", name it."""
    return tuple(number for number, is_value in _numbers(words) if is_value)


def _names(words: Words) -> tuple[str, ...]:
    return tuple(number for number, is_value in _numbers(words) if not is_value)


def _numbers(words: Words) -> list[tuple[str, bool]]:
    view = without_times(words.view)
    verb = _VERB.search(view)
    if verb is not None:
        begins = verb.start()
    else:  # without a verb the last words are what is said of the rest
        last = list(PART.finditer(view))[-3:]
        begins = last[0].start() - 1 if last else -1
    return [
        (found[0], found.start() > begins and _NAMED.search(view[max(0, found.start() - 12) : found.start()]) is None)
        for found in PART.finditer(view)
        if found["number"]
    ]


def _choose_apart(first: Words, second: Words) -> bool:
    """Say whether two texts choose differently in the same frame: "use X for Z" and "use Y for Z", "X over Y" and "Y over X"."""
    if first.over and second.over:
        return first.over == second.over[::-1]
    is_framed = bool(first.frame) and first.frame == second.frame
    return is_framed and not set(first.chosen.split()) & set(second.chosen.split())
