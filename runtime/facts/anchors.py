"""What must stand in a text before a pattern is worth asking: the words of its group `v`.

The shipped patterns are many and large; compiled at once they cost more than all else at the start. Each has a group `v`, the verb;
its words are found by the automaton that finds the words of the intents, and only then is the pattern compiled and asked.
"""

from __future__ import annotations

from dataclasses import dataclass

_GROUP = "(?P<v>"
_SIGNS = ".^$|+?*"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text that stands in what a pattern matches.

    Attributes:
        text: lower case, UTF-8.
        leads: it is the beginning of the word that the pattern is about.
        ends: it is the end of that word.
    """

    text: bytes
    leads: bool
    ends: bool

    def stands(self, raw: bytes, start: int, end: int) -> bool:
        """Tell whether a place may be one of the word's: an ASCII word is no part of a longer one."""
        if self.leads and start > 0 and raw[start] < 128 and raw[start - 1 : start].isalnum():
            return False
        return not (self.ends and raw[end - 1] < 128 and raw[end : end + 1].isalnum())


def anchors(source: str) -> tuple[Anchor, ...]:
    """Give texts one of which stands in whatever a pattern matches.

    Args:
        source: RE2; a macro such as `{gap}` stands for a group or a class of its own.

    Returns:
        An anchor for each alternative of the group `v`; empty where there is no such group, it may be left out, or an
        alternative has no text of its own (the pattern must then be asked of every text).
    """
    start = source.find(_GROUP)
    if start < 0 or "|" in _top_level(source):
        return ()
    end = _closing(source, start)
    if _top_level(source[:start]).count("(") or _may_be_left_out(source, end):
        return ()
    found: list[Anchor] = []
    for alternative in _alternatives(source[start + len(_GROUP) : end - 1]):
        best = max(_runs(alternative), key=lambda run: len(run.text), default=None)
        if best is None or len(best.text) < 2:
            return ()
        found.append(best)
    return tuple(found)


def _may_be_left_out(source: str, at: int) -> bool:
    """Tell whether a sign of repetition stands at a place; `{` may also begin the name of a macro."""
    sign = source[at : at + 1]
    return sign in ("?", "*") or (sign == "{" and source[at + 1 : at + 2].isdigit())


def _closing(source: str, at: int) -> int:
    """Give the place after the bracket that closes the one at a place."""
    depth = 0
    while at < len(source):
        sign = source[at]
        if sign == "\\":
            at += 1
        elif sign == "[":
            at = _class_end(source, at) - 1
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(source)


def _class_end(source: str, at: int) -> int:
    """Give the place after a character class."""
    at += 2 if source[at + 1 : at + 2] == "^" else 1
    at += 2 if source[at : at + 1] == "\\" else 1  # a bracket that comes first is a character
    while at < len(source) and source[at] != "]":
        at += 2 if source[at] == "\\" else 1
    return at + 1


def _top_level(source: str) -> str:
    """Give a pattern without what stands in its brackets; an opening bracket that is never closed stays."""
    kept: list[str] = []
    at = 0
    while at < len(source):
        sign = source[at]
        if sign == "\\":
            at += 2
        elif sign == "[":
            at = _class_end(source, at)
        elif sign == "(":
            end = _closing(source, at)
            if source[end - 1] != ")":
                kept.append(sign)
            at = end
        else:
            kept.append(sign)
            at += 1
    return "".join(kept)


def _alternatives(source: str) -> list[str]:
    """Split a group's text at its own bars."""
    parts, at, begun = [], 0, 0
    while at < len(source):
        sign = source[at]
        if sign == "\\":
            at += 2
        elif sign == "[":
            at = _class_end(source, at)
        elif sign == "(":
            at = _closing(source, at)
        else:
            if sign == "|":
                parts.append(source[begun:at])
                begun = at + 1
            at += 1
    return [*parts, source[begun:]]


def _runs(source: str) -> list[Anchor]:
    """Give the runs of plain characters of an alternative."""
    runs: list[Anchor] = []
    run, begun, at = "", 0, 0
    while at <= len(source):
        sign = source[at : at + 1]
        width = 1
        if sign == "\\":
            width, sign = 2, source[at + 1 : at + 2]
            plain = not sign.isalnum()
        elif sign == "[":
            width, plain = _class_end(source, at) - at, False
        elif sign == "(":
            width, plain = _closing(source, at) - at, False
        elif sign == "{":
            width, plain = source.find("}", at) + 1 - at or len(source) - at, False
        else:
            plain = sign != "" and sign not in _SIGNS
        plain = plain and not _may_be_left_out(source, at + width)
        if plain:
            begun = at if not run else begun
            run += sign
        elif run:
            runs.append(Anchor(run.lower().encode(), begun == 0, at >= len(source)))
            run = ""
        at += width
    return runs
