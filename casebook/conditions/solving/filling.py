"""A text that a pattern is found in, read off its tree: no search, so that it costs no more than the pattern is long."""

from __future__ import annotations

from functools import lru_cache

from casebook.conditions.solving.pattern import Choice, Edge, Letters, Piece, Row, read
from casebook.conditions.tree import Pattern

_READABLE = (120, 97, 88, 65, 48, 32, 95, 45)
"""Code points that are rather taken: x, a, X, A, 0, a blank, _ and -."""


@lru_cache(maxsize=4096)
def filled(pattern: Pattern) -> str | None:
    """Give a short text in which a pattern is probably found, also where other text stands around it; None where it cannot be read.

    It is a guess, for whoever tries it: of alternatives it takes the shortest without an anchor, and an anchor that it
    cannot get round is taken for true.
    """
    piece = read(pattern)
    return None if piece is None else _text(piece)[1]


def _text(piece: Piece) -> tuple[int, str]:
    """Give how many anchors a text takes for true, and the text."""
    if isinstance(piece, Letters):
        return 0, chr(_letter(piece))
    if isinstance(piece, Edge):
        return 1, ""
    if isinstance(piece, Choice):
        return min((_text(each) for each in piece.items), key=lambda each: (each[0], len(each[1])))
    if isinstance(piece, Row):
        parts = [_text(each) for each in piece.items]
        return sum(edges for edges, _ in parts), "".join(text for _, text in parts)
    edges, text = _text(piece.item) if piece.least else (0, "")
    return edges * piece.least, text * piece.least


def _letter(piece: Letters) -> int:
    taken = (code for code in _READABLE for low, high in piece.intervals if low <= code <= high)
    return next(taken, piece.intervals[0][0] if piece.intervals else 0)
