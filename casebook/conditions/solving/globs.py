"""Products of wildcard automata: can one text meet and miss given `contains`, `starts/ends with` and `like` tests?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from casebook.conditions.fold import fold, like_parts
from casebook.conditions.solving.likeness import OR_MARKED
from casebook.conditions.tree import Test

ANY = ""
"""Stands for `?`: one character, whichever."""

FRESH = "xqzjkwvyubmpfgdlthcnrsoiea0123456789一丁七万三上下"
"""Characters to stand for "any other one", unchanged by folding; the first that no test names is taken."""


@dataclass(frozen=True, slots=True)
class Glob:
    """Characters in a row, `ANY` and ones with `OR_MARKED` among them; `gaps` has a bit for each place (0 … length) where anything may stand."""

    characters: tuple[str, ...]
    gaps: int

    @property
    def end(self) -> int:
        """Give the bit of the place after the last character."""
        return 1 << len(self.characters)

    @property
    def absorbing(self) -> bool:
        """Say whether a text that is accepted stays so, whatever follows."""
        return bool(self.gaps & self.end)


def glob_of(test: Test) -> Glob:
    """Give the glob of a `contains`, `starts_with`, `ends_with` or `like` test, over folded text."""
    if test.op == "like":
        return _glob(like_parts(str(test.value)))
    needle = tuple(fold(str(test.value)))  # not by way of `_glob`: a needle may hold what marks a wildcard there
    before = 0 if test.op == "starts_with" else 1
    after = 0 if test.op == "ends_with" else 1 << len(needle)
    return Glob(needle, before | after)


def _glob(parts: Sequence[str]) -> Glob:
    characters: list[str] = []
    gaps = 0
    for part in parts:
        if part == "\0*":
            gaps |= 1 << len(characters)
        elif part == "\0?":
            characters.append(ANY)
        else:
            characters.extend(part)
    return Glob(tuple(characters), gaps)


class TooWideError(Exception):
    """The product grew past its bound; nothing is known."""


def texts(wanted: Sequence[Glob], unwanted: Sequence[Glob], work: int = 200_000) -> Iterator[str]:
    """Give texts that all of `wanted` and none of `unwanted` accept, shortest first, at most one for each state.

    No text at all means that there is none. Found by breadth first search through the product of the automata.

    Raises:
        TooWideError: `work`, in steps of one automaton, was used up.
    """
    globs = (*wanted, *unwanted)
    known = {each[0] for glob in globs for each in glob.characters if each != ANY}
    other = next(each for each in (*FRESH, *map(chr, range(0xE000, 0xF900))) if each not in known)
    alphabet = [other, *sorted(known)]
    steps = [{letter: _matching(glob, letter, other) for letter in alphabet} for glob in globs]
    positive = len(wanted)

    start = _settled(globs, [1] * len(globs), positive)
    if start is None:
        return
    came: dict[tuple[int, ...], tuple[tuple[int, ...], str] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        ends = [bool(mask & glob.end) for glob, mask in zip(globs, state, strict=True)]
        if all(ends[:positive]) and not any(ends[positive:]):
            yield _spell(state, came)
        for letter in alphabet:
            work -= len(globs)
            if work < 0:
                raise TooWideError
            moved = zip(globs, state, steps, strict=True)
            masks = [(mask & glob.gaps) | ((mask & step[letter]) << 1) for glob, mask, step in moved]
            following = _settled(globs, masks, positive)
            if following is not None and following not in came:
                came[following] = (state, letter)
                queue.append(following)


def _settled(globs: Sequence[Glob], masks: list[int], positive: int) -> tuple[int, ...] | None:
    """Give a state in its shortest form; None where no way leads from it to what is wanted."""
    for place, (glob, mask) in enumerate(zip(globs, masks, strict=True)):
        accepted = glob.absorbing and mask & glob.end
        if (place < positive and not mask) or (place >= positive and accepted):
            return None
        if accepted:
            masks[place] = glob.end
    return tuple(masks)


def _matching(glob: Glob, letter: str, other: str) -> int:
    """Give a bit for each place of a glob that takes a letter; `other` stands for all that no glob names."""
    foreign = letter == other or not letter.isascii()
    return sum(
        1 << place
        for place, each in enumerate(glob.characters)
        if each in (ANY, letter) or (each[1:] == OR_MARKED and (each[0] == letter or foreign))
    )


def _spell(state: tuple[int, ...], came: dict[tuple[int, ...], tuple[tuple[int, ...], str] | None]) -> str:
    letters: list[str] = []
    step = came[state]
    while step is not None:
        letters.append(step[1])
        step = came[step[0]]
    return "".join(reversed(letters))
