"""Regular expressions of `matches`: read between slashes, checked against RE2 and its limits."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from casebook.conditions.complaints import complain, shown
from casebook.conditions.literals import normal
from casebook.conditions.tree import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_PATTERN: Final = 1024
"""Bytes of UTF-8 that a pattern may have (DESIGN section 10: 1 KB)."""

_BODY: Final = {slash: re.compile(rf"[^{slash}\\]*(?:\\.[^{slash}\\]*)*", re.DOTALL) for slash in "/／"}
_FLAGS: Final = re.compile(r"[A-Za-z]*")
_ESCAPED_SLASH: Final = re.compile(r"\\(.)", re.DOTALL)


def read_pattern(text: str, folded: str, at: int) -> tuple[Pattern, int]:
    """Read the pattern whose first slash stands at `at`; gives it and where the text goes on; raises ConditionError."""
    slash = text[at]
    end = _BODY[slash].match(text, at + 1).end()  # type: ignore[union-attr]
    if end >= len(text) or text[end] != slash:
        raise complain(
            f"expected {shown(slash)} to close the pattern, got the end", at, f"{shown(text[at:])[1:-1]}{slash}"
        )
    flags = _FLAGS.match(folded, end + 1)[0]  # type: ignore[index]
    return make_pattern(text[at + 1 : end], flags, at, flags_at=end + 1), end + 1 + len(flags)


def make_pattern(source: str, flags: str, at: int | None, *, flags_at: int | None = None) -> Pattern:
    r"""Give the pattern as the tree holds it: NFC, `\/` as `/`, flags once each in the order `ims`.

    Raises:
        ConditionError: it is empty, over 1 KB, has an unknown flag, or is none that RE2 takes.
    """
    if unknown := [flag for flag in flags if flag not in "ims"]:
        raise complain(f"expected flags out of i, m and s, got {shown(unknown[0])}", flags_at)
    if not source:
        raise complain("expected a pattern, got an empty one", at)
    source = normal(_ESCAPED_SLASH.sub(lambda found: "/" if found[1] == "/" else found[0], source))
    size = len(source.encode("utf-8", "replace"))
    if size > LONGEST_PATTERN:
        raise complain(f"expected a pattern of at most {LONGEST_PATTERN} bytes, got {size}", at)
    pattern = Pattern(source, "".join(flag for flag in "ims" if flag in flags))
    if (refusal := _refusal(pattern)) is not None:
        raise complain(f"RE2 does not take the pattern {shown(source)}: {refusal}", at, _cure(source, refusal))
    return pattern


MOST_INSTRUCTIONS: Final = 50_000
"""Beyond this RE2's fast automaton no longer fits into its 8 MB, and a text of 1 MB costs seconds (measured: 40,000 instructions
2 ms, 120,000 instructions 5 s)."""


@lru_cache(maxsize=1024)
def _refusal(pattern: Pattern) -> str | None:
    """Give why RE2 does not take a pattern, in its own words, or None where it does."""
    from casebook.conditions.fold import compiled  # with RE2, 7 ms, for conditions with a pattern only

    return _refused(lambda: compiled.__wrapped__(pattern))  # what is refused is not to be remembered


def like_refusal(value: str) -> str | None:
    """Give why the value of a `like` cannot be searched for, or None where it can."""
    from casebook.conditions.fold import compiled_like

    size = len(value.encode("utf-8", "replace"))
    if size > LONGEST_PATTERN:
        return f"expected a pattern of at most {LONGEST_PATTERN} bytes, got {size}"
    if "\0" in value:
        return "expected a pattern without a NUL character, got one with it"
    refusal = _refused(lambda: compiled_like.__wrapped__(value))
    return None if refusal is None else f"expected a simpler pattern, got {shown(value)}: {refusal}"


def _refused(compile_it: Callable[[], Any]) -> str | None:
    import re2

    try:
        size = compile_it().programsize
        if size > MOST_INSTRUCTIONS:
            return f"it comes to {size:,} instructions of RE2, of which at most {MOST_INSTRUCTIONS:,} are searched for fast"
    except re2.error as error:
        reason = error.args[0] if error.args else b"refused"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    except UnicodeError:
        return "it has half of a surrogate pair"
    return None


def _cure(source: str, refusal: str) -> str | None:
    if "(?=" in source or "(?!" in source or ("(?<" in source and "perl operator" in refusal):
        return "RE2 has no look-around: write two conditions, one of them `not matches`"
    if "escape" in refusal and re.search(r"\\[1-9]", source):
        return "RE2 has no back-references"
    if "instructions" in refusal:
        return r"a Unicode class such as \pL repeated many times is what grows: fewer repetitions, or + in their place"
    if "repetition" in refusal:
        return "RE2 repeats at most 1,000 times"
    if "missing )" in refusal or "missing argument" in refusal:
        return r"a literal bracket is written \( and a literal star \*"
    return None


def write_pattern(pattern: Pattern) -> str:
    """Give a pattern as canonical text, between slashes with its flags."""
    return f"/{pattern.source.replace('/', chr(92) + '/')}/{pattern.flags}"
