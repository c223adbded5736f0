"""Lists of words as they are read best: one text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Give the words of a text, between blanks."""
    return frozenset(text.split())
