"""What says the opposite of something, told without a model: polarity, numbers, times, or another choice in the same frame."""

from __future__ import annotations

import re

from casebook.gate.across import about_across, is_across
from casebook.gate.clauses import Clause, clauses_of, conditions_of, subject_of
from casebook.gate.core import cores_apart
from casebook.gate.opposites import Stand, stand_of
from casebook.gate.order import order_of
from casebook.gate.picking import pick_apart
from casebook.gate.spoken_dates import without_times
from casebook.gate.values import are_apart
from casebook.gate.words import PART, Words, overlap_of, tokens_in, words_of

SUBJECT = 0.6
"""From so much overlap of what is left without polarity, numbers and times on, two statements are about the same thing (ours)."""
_APART = 0.75
"""The same where each names something that the other does not, or where they differ in a number or a time (ours)."""

_BARE = 2
"""Words of a subject so small that their order says nothing: 回答 and a language (ours)."""


def opposes(first: str, second: str) -> str | None:
    """Say whether two texts contradict each other, without a model.

    Returns:
        What differs on the same subject: "polarity", "number", "time", "choice" or "value"; None where they do not contradict each other
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
    if first.view == second.view or conditions_of(first.view) != conditions_of(second.view):
        return None  # what holds under a condition is an exception to what holds always
    return _opposing(first, second, first_polarity) or ("polarity" if cores_apart(first.view, second.view) else None)


def _opposing(first: Words, second: Words, first_polarity: int | None) -> str | None:
    polarity = first.polarity if first_polarity is None else first_polarity
    if polarity == second.polarity and _choose_apart(first, second):
        return "choice"
    if are_apart(first.view, second.view):
        return "value"
    if _follow_apart(first.view, second.view):
        return "time"
    about = _about(first, second)
    if about < SUBJECT or not _are_of_one(first.subject, second.subject, about):
        return "polarity" if _clauses_apart(first, second) else None
    ours, theirs = stand_of(first.view), stand_of(second.view)
    is_bare = len(first.subject | second.subject) <= _BARE  # nothing that could change places
    if (stands := _stand_apart(ours, theirs)) and (is_bare or _same_order(first, second)):
        return stands
    if not (ours.sides.keys() & theirs.sides.keys()) and polarity != second.polarity:
        return "polarity" if not ours.takes_another(theirs) and _is_turned(first, second) else None
    return _differ_in(first, second) if about >= _APART else None


def _about(first: Words, second: Words) -> float:
    """Give how much two texts are about the same: in any case where one is Chinese, and says the same words in Chinese."""
    about = overlap_of(first.subject, second.subject)
    if about < _APART and is_across(first.view, second.view) and about_across(first.view, second.view):
        return 1.0
    return about


def _differ_in(first: Words, second: Words) -> str | None:
    """Say in which value two texts about the same differ."""
    if first.numbers != second.numbers:
        is_of_one = len(first.numbers) == len(second.numbers) and _names(first) == _names(second)
        return "number" if is_of_one and _values(first) != _values(second) else None
    is_of_one = first.times != second.times and len(first.times) == len(second.times) and bool(first.times)
    return "time" if is_of_one else None


_FOLLOWS = re.compile(
    r"^(?:first,? )?(?P<one>[^,;.]+?),? (?:and )?then (?P<two>[^,;.]+)|先(?P<zh>[^,。;]+?),?(?:再|然后|后)(?P<zh2>[^,。;]+)"
)


def _follow_apart(first: str, second: str) -> bool:
    """Say whether one text says to do first what the other says to do then."""
    one, other = _FOLLOWS.search(first), _FOLLOWS.search(second)
    if one is None or other is None:
        return False
    mine, theirs = ([frozenset(tokens_in(each)) for each in found.groups() if each] for found in (one, other))
    return mine == theirs[::-1] and mine[0] != mine[1]


def _are_of_one(ours: frozenset[str], theirs: frozenset[str], about: float) -> bool:
    """Say whether two subjects are one: not where each has its own, "on feature branches", "on release branches"."""
    return about >= _APART or not (ours - theirs and theirs - ours)


def _is_turned(first: Words, second: Words) -> bool:
    """Say whether what differs in polarity is what both are about, and not what one of them adds."""
    if first.numbers != second.numbers or not _same_times(first, second):
        return False
    if clauses_of(first.view) or clauses_of(second.view):
        return _clauses_apart(first, second)
    return True


def _clauses_apart(first: Words, second: Words) -> bool:
    """Say whether of two texts, one of which has several clauses, a clause says the opposite of one of the other."""
    ours, theirs = clauses_of(first.view), clauses_of(second.view)
    if not ours and not theirs:
        return False
    ours = ours or (Clause(first.polarity, subject_of(first.view)),)
    theirs = theirs or (Clause(second.polarity, subject_of(second.view)),)
    return any(
        one.polarity != other.polarity and overlap_of(one.subject, other.subject) >= _APART
        for one in ours
        for other in theirs
    )


def _stand_apart(ours: Stand, theirs: Stand) -> str:
    """Give how two texts about the same stand apart: on the other side of a pair, or with another choice; else ""."""
    if any(ours.sides[name] != theirs.sides[name] for name in ours.sides.keys() & theirs.sides.keys()):
        is_time = ours.polarity == theirs.polarity and ours.sides.get("before") == -theirs.sides.get("before", 0) != 0
        return "time" if is_time else "polarity"
    return "choice" if ours.polarity == theirs.polarity and ours.takes_another(theirs) else ""


def _same_order(first: Words, second: Words) -> bool:
    """Say whether what two texts have in common stands in the same order."""
    one, other = order_of(first.view).parts, order_of(second.view).parts
    common = set(one) & set(other)
    return [each for each in one if each in common] == [each for each in other if each in common]


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
    if pick_apart(first.view, second.view):
        return True
    is_framed = bool(first.frame) and first.frame == second.frame
    return is_framed and not set(first.chosen.split()) & set(second.chosen.split())
