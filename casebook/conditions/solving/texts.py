"""One text that meets some text tests and misses others: tried out first, then decided by automata."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from casebook.conditions.fold import fold, like_parts, nfc
from casebook.conditions.solving import globs, likeness, pattern, patterns
from casebook.conditions.solving.filling import filled
from casebook.conditions.solving.literal import Conflict, Found, Literal, Outcome, Unsure, minimal
from casebook.conditions.tree import Pattern, Test

FOLDED = frozenset({"contains", "starts_with", "ends_with", "like"})
TEXT_OPS = FOLDED | {"matches"}
PLAIN = ("something else", "x", "", "0", "z-9", "其他")
SAMPLES = 12


def solve(literals: Sequence[Literal], holds: Callable[[str, Sequence[Literal]], bool]) -> Outcome:
    """Find a text for which literals of one field come out as asked.

    Args:
        literals: tests of one field; those that are no text tests count by `holds` alone.
        holds: says whether a text fulfils literals, by the reference evaluator.
    """
    positive = [each for each in literals if each.holds and _op(each) in TEXT_OPS]
    wordless = next((each for each in positive if not isinstance(_test(each).value, str | Pattern)), None)
    if wordless is not None:
        return Conflict((wordless,))
    for candidate in _guesses([_test(each) for each in positive]):
        if nfc(candidate) == candidate and holds(candidate, literals):
            return Found(candidate)
    return _decide(literals, holds)


def _test(literal: Literal) -> Test:
    assert isinstance(literal.atom, Test)
    return literal.atom


def _op(literal: Literal) -> str:
    return _test(literal).op


def _guesses(tests: Sequence[Test]) -> Iterator[str]:
    """Give likely texts: beginnings, middles and ends put together, wildcards and patterns filled in."""
    if not tests:
        yield from PLAIN
        return
    begin = max((str(each.value) for each in tests if each.op == "starts_with"), key=len, default="")
    end = max((str(each.value) for each in tests if each.op == "ends_with"), key=len, default="")
    inner = [str(each.value) for each in tests if each.op == "contains"]
    fillings = [filled(_pattern(test)) or "" for test in tests if test.op == "matches"]
    for glue in (" ", "") if fillings else ():
        middle = [each for each in (begin, *inner, *fillings) if each]
        yield glue.join([*middle, end] if end else middle)
    samples = [each for test in tests if test.op == "matches" for each in _samples(_pattern(test))[:1]]
    whole = [str(each.value) for each in tests if each.op == "like"]
    for glue in (" ", ""):
        middle = [each for each in (begin, *inner, *samples) if each]
        yield glue.join([*middle, end] if end else middle)
    if len(tests) == 1 and tests[0].op == "matches":
        yield from _samples(_pattern(tests[0]))
    for wildcard in whole:
        for filling in ("", " ".join([*inner, *samples]), "x", " ".join([begin, *inner, *samples, end])):
            yield "".join({"\0*": filling, "\0?": "x"}.get(part, part) for part in like_parts(wildcard))


def _pattern(test: Test) -> Pattern:
    assert isinstance(test.value, Pattern)
    return test.value


@lru_cache(maxsize=4096)
def _samples(wanted: Pattern) -> tuple[str, ...]:
    piece = pattern.read(wanted)
    if piece is None:
        return ()
    return _found((piece,), ()) or ()


@lru_cache(maxsize=1024)
def _found(wanted: tuple[pattern.Piece, ...], unwanted: tuple[pattern.Piece, ...]) -> tuple[str, ...] | None:
    """Give texts in which all of some patterns and none of others are found; None where that takes too many steps."""
    try:
        return tuple(islice(patterns.texts(wanted, unwanted), SAMPLES))
    except globs.TooWideError:
        return None


def _decide(literals: Sequence[Literal], holds: Callable[[str, Sequence[Literal]], bool]) -> Outcome:
    """Refute by the automata of the folded tests and of the patterns; failing that, try the texts they give."""
    tried: list[str] = []
    for family in (_folded, _patterned):
        texts, empty = family(literals)
        if empty:
            return minimal(literals, _refuting(family))
        tried += texts
    excluded = [globs.Glob(tuple(fold(each)), 0) for each in _excluded(literals)]
    if excluded:
        tried += _folded(literals, excluded)[0]
    tried += _joined(literals)
    for text in tried:
        for candidate in (text, nfc(text), text.upper(), text.translate(_FULL_WIDTH)):
            if nfc(candidate) == candidate and holds(candidate, literals):
                return Found(candidate)
    return Unsure("its text tests are of a kind that is tried out, not decided")


_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

_Family = Callable[[Sequence[Literal]], tuple[list[str], bool]]


def _refuting(family: _Family) -> Callable[[Sequence[Literal]], Outcome]:
    """Give a decision by one family of tests alone, for finding a smaller conflict; without a positive test, text may be missing."""
    return lambda rest: (
        Conflict(tuple(rest)) if any(each.holds for each in rest) and family(rest)[1] else Unsure("not refuted")
    )


def _excluded(literals: Sequence[Literal]) -> list[str]:
    """Give the texts that the field is asked not to be."""
    found: list[str] = []
    for each in literals:
        if not each.holds and _op(each) in ("is", "in"):
            value = _test(each).value
            found += [one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str)]
    return found


def _folded(literals: Sequence[Literal], excluded: Sequence[globs.Glob] = ()) -> tuple[list[str], bool]:
    """Give texts over which the folded tests come out as asked, and whether there surely is none.

    The patterns count with what every match of them must hold. Every text is taken for a folded one, so that "none" is
    certain, while the texts have to be tried. With `excluded` only the texts mean something: of what is the same when
    folded, not all need be excluded.
    """
    folded = [each for each in literals if _op(each) in FOLDED and isinstance(_test(each).value, str)]
    wanted = [globs.glob_of(_test(each)) for each in folded if each.holds]
    unwanted = [*(globs.glob_of(_test(each)) for each in folded if not each.holds), *excluded]
    for each in literals:
        if each.holds and _op(each) == "matches":
            wanted += _certain(_pattern(_test(each)))
    if not wanted and not unwanted:
        return [], False
    try:
        found = list(islice(globs.texts(wanted, unwanted), SAMPLES))
    except globs.TooWideError:
        return [], any(_none(one, unwanted) for one in wanted)
    return found, not found


def _none(one: globs.Glob, unwanted: Sequence[globs.Glob]) -> bool:
    try:
        return next(globs.texts([one], unwanted), None) is None
    except globs.TooWideError:
        return False


@lru_cache(maxsize=4096)
def _certain(wanted: Pattern) -> tuple[globs.Glob, ...]:
    piece = pattern.read(wanted)
    found = []
    for begins, text, ends in likeness.certain(piece, fold) if piece is not None else ():
        gaps = (0 if begins else 1) | (0 if ends else 1 << len(text))
        found.append(globs.Glob(text, gaps))
    return tuple(found)


def _joined(literals: Sequence[Literal]) -> list[str]:
    """Give texts that come out as asked by patterns and folded tests together, the latter taken as if only case folded.

    No text means nothing here: folding does more than that.
    """
    wanted: list[pattern.Piece] = []
    unwanted = [likeness.exactly(each) for each in _excluded(literals)]
    for each in literals:
        test = _test(each)
        piece = pattern.read(test.value) if isinstance(test.value, Pattern) else None
        if test.op in FOLDED and isinstance(test.value, str):
            glob = globs.glob_of(test)
            piece = likeness.of_places(glob.characters, glob.gaps)
        if piece is not None:
            (wanted if each.holds else unwanted).append(piece)
    return list(_found(tuple(wanted), tuple(unwanted)) or ())


def _patterned(literals: Sequence[Literal]) -> tuple[list[str], bool]:
    """Give texts in which the patterns are found and missed as asked, and whether there surely is none.

    A pattern that cannot be read is left out: that only widens what is possible.
    """
    wanted: list[pattern.Piece] = []
    unwanted: list[pattern.Piece] = []
    for each in literals:
        piece = pattern.read(_pattern(_test(each))) if _op(each) == "matches" else None
        if piece is not None:
            (wanted if each.holds else unwanted).append(piece)
    if not wanted and not unwanted:
        return [], False
    unwanted += [likeness.exactly(each) for each in _excluded(literals)]
    found = _found(tuple(wanted), tuple(unwanted))
    return ([], False) if found is None else (list(found), not found)
