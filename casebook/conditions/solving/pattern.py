"""Regular expressions as trees: the part of RE2's syntax that can be reasoned about; of the rest nothing is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from casebook.conditions.tree import Pattern

Interval = tuple[int, int]
LAST = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Letters:
    """One character out of these code points: intervals with both ends in, sorted, apart."""

    intervals: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """An anchor: `start` of the text, `line` start, or `end` of the text."""

    kind: str


@dataclass(frozen=True, slots=True)
class Row:
    """One after the other; an empty row is the empty text."""

    items: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of them."""

    items: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """From `least` to `most` times; None for no end."""

    item: Piece
    least: int
    most: int | None


Piece = Letters | Edge | Row | Choice | Repeat


class UnsupportedError(Exception):
    """The pattern uses what this module does not read."""


_CLASSES: dict[str, tuple[Interval, ...]] = {
    "d": ((48, 57),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "s": ((9, 10), (12, 13), (32, 32)),
}
_CONTROLS = {"t": 9, "n": 10, "f": 12, "r": 13, "v": 11, "a": 7}


def union(intervals: Sequence[Interval]) -> tuple[Interval, ...]:
    """Give the intervals sorted and joined where they touch."""
    joined: list[Interval] = []
    for low, high in sorted(intervals):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def complement(intervals: Sequence[Interval]) -> tuple[Interval, ...]:
    """Give all other code points."""
    found: list[Interval] = []
    start = 0
    for low, high in union(intervals):
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        found.append((start, LAST))
    return tuple(found)


def _either_case(intervals: Sequence[Interval]) -> tuple[Interval, ...]:
    """Add the other case of ASCII letters, with the two other characters that RE2 folds to them (K and ſ)."""
    found = list(intervals)
    for low, high in intervals:
        if high > 127 and not (low >= 0x3000 and high <= 0x9FFF):
            raise UnsupportedError
        for code in range(max(low, 65), min(high, 122) + 1):
            if chr(code).isalpha():
                found.append((code ^ 32, code ^ 32))
                if code | 32 == ord("k"):
                    found.append((0x212A, 0x212A))
                elif code | 32 == ord("s"):
                    found.append((0x17F, 0x17F))
    return union(found)


@lru_cache(maxsize=4096)
def read(pattern: Pattern) -> Piece | None:
    """Give the tree of a pattern, or None where it uses what is not read here (such as a word boundary)."""
    try:
        reader = _Reader(pattern.source, pattern.flags)
        piece = reader.choice(0)
        return piece if reader.at == len(reader.source) else None
    except (UnsupportedError, IndexError, ValueError, OverflowError):
        return None


class _Reader:
    """Recursive descent over a pattern, groups at most 50 deep."""

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        self.at = 0

    def peek(self) -> str:
        return self.source[self.at] if self.at < len(self.source) else ""

    def take(self) -> str:
        self.at += 1
        return self.source[self.at - 1]

    def choice(self, depth: int) -> Piece:
        """Read alternatives, parted by bars. Raises UnsupportedError where groups stand too deep."""
        if depth > 50:
            raise UnsupportedError
        items = [self.row(depth)]
        while self.peek() == "|":
            self.take()
            items.append(self.row(depth))
        return items[0] if len(items) == 1 else Choice(tuple(items))

    def row(self, depth: int) -> Piece:
        items: list[Piece] = []
        while self.peek() not in ("", "|", ")"):
            items.append(self.repeated(self.one(depth)))
        return Row(tuple(items))

    def repeated(self, item: Piece) -> Piece:
        """Give a piece with the repetition that follows it, if one does."""
        sign = self.peek()
        if sign in ("*", "+", "?") and sign:
            self.take()
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        elif sign == "{" and (bounds := self.bounds()) is not None:
            least, most = bounds
        else:
            return item
        if self.peek() == "?":
            self.take()
        if self.peek() in ("*", "+", "?"):
            raise UnsupportedError
        return Repeat(item, least, most)

    def bounds(self) -> tuple[int, int | None] | None:
        """Read `{least,most}` and give both, None for no most; None, and nothing read, where it is no repetition."""
        close = self.source.find("}", self.at)
        low, comma, high = self.source[self.at + 1 : close].partition(",")
        if close < 0 or not low.isdigit() or not low.isascii() or (high and not (high.isdigit() and high.isascii())):
            return None
        self.at = close + 1
        return int(low), (int(high) if high else None if comma else int(low))

    def one(self, depth: int) -> Piece:
        """Read one letter, class, escape or group."""
        sign = self.take()
        if sign == "(":
            return self.group(depth)
        if sign == "[":
            return Letters(self.bracket())
        if sign == ".":
            return Letters(((0, LAST),) if "s" in self.flags else complement(((10, 10),)))
        if sign == "^":
            return Edge("line" if "m" in self.flags else "start")
        if sign == "$":
            if "m" in self.flags:
                raise UnsupportedError
            return Edge("end")
        if sign == "\\":
            if self.peek() in ("A", "z"):
                return Edge("start" if self.take() == "A" else "end")
            return Letters(self.cased(self.escape()))
        if sign in ("*", "+", "?"):
            raise UnsupportedError
        return Letters(self.cased(((ord(sign), ord(sign)),)))

    def group(self, depth: int) -> Piece:
        """Read a group, whose opening bracket is taken already."""
        if self.peek() == "?":
            self.take()
            sign = self.take()
            if sign in ("P", "<"):
                self.at = self.source.index(">", self.at) + 1
            elif sign != ":":
                raise UnsupportedError
        piece = self.choice(depth + 1)
        if self.take() != ")":
            raise UnsupportedError
        return piece

    def cased(self, intervals: tuple[Interval, ...]) -> tuple[Interval, ...]:
        return _either_case(intervals) if "i" in self.flags else intervals

    def escape(self) -> tuple[Interval, ...]:
        """Read what follows a backslash and give the letters that it stands for."""
        sign = self.take()
        if sign.lower() in _CLASSES:
            found = _CLASSES[sign.lower()]
            if sign.isupper() and "i" in self.flags:
                raise UnsupportedError
            return complement(found) if sign.isupper() else found
        if sign in _CONTROLS:
            code = _CONTROLS[sign]
        elif sign == "x" and self.peek() != "{":
            code = int(self.take() + self.take(), 16)
        elif not sign.isalnum() and sign.isascii():
            code = ord(sign)
        else:
            raise UnsupportedError
        return ((code, code),)

    def bracket(self) -> tuple[Interval, ...]:
        """Read a class, whose opening bracket is taken already, and give its letters."""
        negated = self.peek() == "^"
        if negated:
            self.take()
        found: list[Interval] = []
        first = True
        while first or self.peek() != "]":
            first = False
            low = self.member(found)
            if low is None:
                continue
            high: int | None = low
            if self.peek() == "-" and self.source[self.at + 1] != "]":
                self.take()
                high = self.member(found)
            if high is None or high < low:
                raise UnsupportedError
            found.append((low, high))
        self.take()
        members = self.cased(union(found))
        return complement(members) if negated else members

    def member(self, found: list[Interval]) -> int | None:
        r"""Give one code point of a bracket, or None where a class such as `\d` was put into `found`."""
        sign = self.take()
        if sign == "[" and self.peek() == ":":
            raise UnsupportedError
        if sign != "\\":
            return ord(sign)
        named = self.peek().lower() in _CLASSES
        intervals = self.escape()
        if not named:
            return intervals[0][0]
        if self.peek() == "-":
            raise UnsupportedError
        found.extend(intervals)
        return None
