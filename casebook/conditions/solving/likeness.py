"""Between patterns and folded tests: a text or wildcard as a pattern, and what a pattern's matches surely hold when folded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from casebook.conditions.solving.pattern import LAST, Edge, Letters, Piece, Repeat, Row, union

OR_MARKED = "\0"
"""After an ASCII character: this one, or any that is not ASCII."""


def exactly(text: str) -> Piece:
    """Give the pattern of one text and no other."""
    return Row((Edge("start"), *(Letters(((ord(each), ord(each)),)) for each in text), Edge("end")))


def of_places(characters: Sequence[str], gaps: int) -> Piece:
    """Give the pattern of a whole text of these characters, ASCII letters in either case.

    Args:
        characters: in a row; an empty one stands for any.
        gaps: has a bit for each place, from before the first to after the last, where anything may stand.
    """
    anything = Letters(((0, LAST),))
    items: list[Piece] = [Edge("start")]
    for place, character in enumerate((*characters, None)):
        if gaps >> place & 1:
            items.append(Repeat(anything, 0, None))
        if character is not None:
            codes = {ord(each) for each in (character, character.upper()) if len(each) == 1}
            items.append(Letters(union([(code, code) for code in codes])) if codes else anything)
    return Row((*items, Edge("end")))


def certain(piece: Piece, fold: Callable[[str], str]) -> list[tuple[bool, tuple[str, ...], bool]]:
    """Give what every match has within it, folded: (the whole text begins so, the characters, the whole ends so).

    Only runs of ASCII count. Where a combining mark might follow, folding could make another character of the run's last
    one and the mark, never an ASCII one: that last character has `OR_MARKED` after it.
    """
    items = piece.items if isinstance(piece, Row) else (piece,)
    found: list[tuple[bool, tuple[str, ...], bool]] = []
    start, run = False, ""
    for place in range(len(items) + 1):
        item = items[place] if place < len(items) else None
        letter = _one_letter(item, fold)
        if letter is not None:
            run += letter
            continue
        ends = item == Edge("end")
        if run:
            exact = ends or _is_ascii(item)
            found.append((start, tuple(run) if exact else (*run[:-1], run[-1] + OR_MARKED), ends))
        start, run = item == Edge("start") and place == 0, ""
    return found


def _one_letter(item: Piece | None, fold: Callable[[str], str]) -> str | None:
    """Give the one folded ASCII character that a piece stands for, if it does."""
    if not isinstance(item, Letters) or sum(high - low + 1 for low, high in item.intervals) > 4:
        return None
    folded = {fold(chr(code)) for low, high in item.intervals for code in range(low, high + 1)}
    letter = folded.pop()
    return letter if not folded and letter.isascii() else None


def _is_ascii(item: Piece | None) -> bool:
    """Say whether a piece surely begins with an ASCII character."""
    if isinstance(item, Repeat):
        return item.least > 0 and _is_ascii(item.item)
    return isinstance(item, Letters) and item.intervals[-1][1] < 128
