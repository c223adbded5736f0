"""Products of pattern automata: can one text be found by some patterns and missed by others?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from casebook.conditions.solving.globs import TooWideError
from casebook.conditions.solving.pattern import LAST, Choice, Edge, Interval, Letters, Piece, Repeat, Row

STATES = 600
"""The most states that one automaton may have."""

START, LINE, END = 1, 2, 4


@dataclass(slots=True)
class Automaton:
    """A nondeterministic automaton; sets of states are bits of an int. State 0 begins, state 1 is the match."""

    free: list[list[tuple[int, int]]] = field(default_factory=list)
    """For each state the states reached without a character, with the edges (bits) that this needs."""
    moves: list[tuple[tuple[Interval, ...], int] | None] = field(default_factory=list)
    closed: dict[tuple[int, int], int] = field(default_factory=dict)
    taking: dict[int, int] = field(default_factory=dict)
    """For each character asked for, the states that have a move with it."""
    stepped: dict[tuple[int, int], int] = field(default_factory=dict)

    def state(self) -> int:
        """Give a new state."""
        if len(self.free) >= STATES:
            raise TooWideError
        self.free.append([])
        self.moves.append(None)
        return len(self.free) - 1

    def close(self, states: int, edges: int) -> int:
        """Give the states reached from some without a character, where these edges are."""
        key = (states, edges)
        found = self.closed.get(key)
        if found is None:
            found = states
            stack = [place for place in range(states.bit_length()) if states >> place & 1]
            while stack:
                for following, needs in self.free[stack.pop()]:
                    if needs & edges == needs and not found >> following & 1:
                        found |= 1 << following
                        stack.append(following)
            self.closed[key] = found
        return found

    def taken(self, code: int) -> int:
        """Give the states that have a move with a character."""
        found = self.taking.get(code)
        if found is None:
            found = 0
            for place, move in enumerate(self.moves):
                if move is not None and any(low <= code <= high for low, high in move[0]):
                    found |= 1 << place
            self.taking[code] = found
        return found

    def step(self, states: int, code: int) -> int:
        """Give the states after one more character."""
        key = (states & self.taken(code), code)
        found = self.stepped.get(key)
        if found is None:
            found, left = 0, key[0]
            while left:
                lowest = left & -left
                left ^= lowest
                move = self.moves[lowest.bit_length() - 1]
                if move is not None:
                    found |= 1 << move[1]
            self.stepped[key] = found
        return found


def automaton(piece: Piece) -> Automaton:
    """Build the automaton of a pattern's tree; raises `TooWideError` beyond `STATES`."""
    made = Automaton()
    first, last = made.state(), made.state()
    _build(made, piece, first, last)
    return made


def _build(made: Automaton, piece: Piece, first: int, last: int) -> None:
    if isinstance(piece, Letters):
        here = made.state()
        made.free[first].append((here, 0))
        made.moves[here] = (piece.intervals, last)
    elif isinstance(piece, Edge):
        made.free[first].append((last, {"start": START, "line": LINE, "end": END}[piece.kind]))
    elif isinstance(piece, Choice):
        for item in piece.items:
            _build(made, item, first, last)
    elif isinstance(piece, Row):
        for item in piece.items:
            following = made.state()
            _build(made, item, first, following)
            first = following
        made.free[first].append((last, 0))
    elif isinstance(piece, Repeat):
        _build_repeat(made, piece, first, last)


def _build_repeat(made: Automaton, piece: Repeat, first: int, last: int) -> None:
    for _ in range(piece.least):
        following = made.state()
        _build(made, piece.item, first, following)
        first = following
    if piece.most is None:
        loop = made.state()
        made.free[first].append((loop, 0))
        _build(made, piece.item, loop, loop)
        made.free[loop].append((last, 0))
        return
    for _ in range(piece.most - piece.least):
        made.free[first].append((last, 0))
        following = made.state()
        _build(made, piece.item, first, following)
        first = following
    made.free[first].append((last, 0))


def _letters(automata: Sequence[Automaton]) -> list[int]:
    """Give one code point of each class that the automata cannot tell apart, the readable ones first."""
    cuts = {0, 0xD800, 0xE000, LAST + 1, 10, 11}
    for each in automata:
        for move in each.moves:
            for low, high in move[0] if move else ():
                cuts |= {low, high + 1}
    marks = sorted(cuts)
    found: list[int] = []
    for low, following in pairwise(marks):
        if low != 0xD800:
            readable = (each for each in (120, 97, 88, 65, 48, 32, 95, 45) if low <= each < following)
            found.append(next(readable, low))
    first: dict[tuple[int, ...], int] = {}
    for code in sorted(found, key=lambda code: (not 32 <= code < 127, not chr(code).isalnum(), code)):
        first.setdefault((code == 10, *(each.taken(code) for each in automata)), code)
    return list(first.values())


State = tuple[int, tuple[int, ...]]
"""The edges that hold here, and of each automaton its states, -1 once it has matched."""


def texts(wanted: Sequence[Piece], unwanted: Sequence[Piece], work: int = 100_000) -> Iterator[str]:
    """Give texts in which all of `wanted` and none of `unwanted` are found, shortest first; none at all: there is none.

    Raises:
        TooWideError: `work`, in steps of one automaton, was used up, or an automaton grew too large.
    """
    automata = [automaton(each) for each in (*wanted, *unwanted)]
    positive = len(wanted)
    letters = _letters(automata)

    def settle(edges: int, states: Sequence[int]) -> State | None:
        """Mark what is found by now with -1, since it stays so; None where an unwanted one is."""
        kept: list[int] = []
        for place, (each, mask) in enumerate(zip(automata, states, strict=True)):
            found = mask == -1 or bool(each.close(mask | 1, edges) & 2)
            if found and place >= positive:
                return None
            kept.append(-1 if found else mask)
        return edges, tuple(kept)

    start = settle(START | LINE, [0] * len(automata))
    if start is None:
        return
    came: dict[State, tuple[State, int] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        edges, masks = state
        ends = [
            mask == -1 or bool(each.close(mask | 1, edges | END) & 2)
            for each, mask in zip(automata, masks, strict=True)
        ]
        if all(ends[:positive]) and not any(ends[positive:]):
            yield _spell(state, came)
        closed = [0 if mask == -1 else each.close(mask | 1, edges) for each, mask in zip(automata, masks, strict=True)]
        for code in letters:
            work -= len(automata)
            if work < 0:
                raise TooWideError
            moved = [
                -1 if mask == -1 else each.step(ahead, code)
                for each, mask, ahead in zip(automata, masks, closed, strict=True)
            ]
            following = settle(LINE if code == 10 else 0, moved)
            if following is not None and following not in came:
                came[following] = (state, code)
                queue.append(following)


def _spell(state: State, came: dict[State, tuple[State, int] | None]) -> str:
    codes: list[int] = []
    step = came[state]
    while step is not None:
        codes.append(step[1])
        step = came[step[0]]
    return "".join(chr(code) for code in reversed(codes))
