"""A message with its variable parts as marks: cleaned, cut to its telling lines, each line through the tables in order."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import ANY_MARK, SHIELD_RANGE, mark, shielded
from casebook.runtime.learning.signing.bodies import body_told, markup_told
from casebook.runtime.learning.signing.cleaning import cleaned
from casebook.runtime.learning.signing.constants import CONSTANTS
from casebook.runtime.learning.signing.core import BLANKS, telling_words, unadvised, untraced, unwrapped
from casebook.runtime.learning.signing.measures import NUMBERS
from casebook.runtime.learning.signing.names import command_not_found, named
from casebook.runtime.learning.signing.part import CONSTANT, Part
from casebook.runtime.learning.signing.parts import AFTER, PARTS, WHOLE
from casebook.runtime.learning.signing.prefixes import without_prefix
from casebook.runtime.learning.signing.proper import proper
from casebook.runtime.learning.signing.quoting import unquoted
from casebook.runtime.learning.signing.telling import telling
from casebook.runtime.learning.signing.types import leading_type, names_its_value, short_type
from casebook.runtime.learning.signing.words import WORDS_WITH_DIGITS

_TOKEN = re.compile(r"(?<![\w-])#?[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*", re.ASCII)
_LONG_CODE = re.compile(r"[A-Za-z0-9+/_=-]{32,}|(?<!\w)(?:[a-f]{8,}|[A-F]{8,})(?!\w)", re.ASCII)
_JOINED = re.compile(
    rf"({ANY_MARK})(?:(?: ?(?:,|;|/|\||&|:|\.\.\.?|->|=>|x|\.|@|~|#|、|和|与|或|及|到|至)? ?(?:(?:and|or|to|x|of|-) )?){ANY_MARK})+"
)
_MARK = re.compile(ANY_MARK)
_SHIELD = re.compile(f"[{SHIELD_RANGE}]")
_SPACES = re.compile(r"\s+")


def marked(message: str, type_: str | None) -> tuple[str, str]:
    """Give the type of an error in small letters, "" for none, and its telling lines with variable parts as marks."""
    text = body_told(markup_told(unwrapped(telling(cleaned(message)))))
    text = command_not_found(BLANKS.sub(" ", unadvised(untraced(text))))
    kind = short_type(type_)
    lines: dict[str, None] = {}
    before = ""
    for position, line in enumerate(text.split("\n")):
        listed = before.endswith(":") and line.startswith("    ") and len(line.split()) == 1
        before = before if listed else line
        if listed:
            lines.setdefault(mark("path"), None)
            continue
        inner, rest = leading_type(without_prefix(_SPACES.sub(" ", line)))
        named_type = inner or kind
        if named_type and names_its_value(named_type, rest):
            rest = mark("name")
        else:
            rest = line_marked(unquoted(without_prefix(rest) if rest else rest))
        if position == 0 and inner and (not kind or kind == inner):
            kind = inner
        elif inner and inner != kind:
            rest = f"{shielded(inner)}: {rest}" if rest else shielded(inner)
        if rest:
            lines.setdefault(rest, None)
    if any(telling_words(line) >= 2 for line in lines):
        return kind, "\n".join(
            line for line in lines if telling_words(line) or _SHIELD.search(line) or not _MARK.search(line)
        )
    return kind, "\n".join(lines)


def line_marked(line: str) -> str:
    """Give a line with its variable parts as marks and its constants shielded."""
    for part in (*WHOLE, *CONSTANTS, *PARTS):
        line = replaced(part, line)
    line = _TOKEN.sub(_token, _LONG_CODE.sub(_long, line))
    for part in NUMBERS:
        line = replaced(part, line)
    line = proper(named(line))
    for _ in range(3):
        before = line
        line = _JOINED.sub(lambda found: found[1], line)
        for part in AFTER:
            line = replaced(part, line)
        if line == before:
            break
    return _SPACES.sub(" ", line).strip()


def replaced(part: Part, line: str) -> str:
    """Give a line with what a row finds as its mark, or shielded where the row is a constant."""
    group: int | str = "v" if "v" in part.pattern.groupindex else 0
    sign = "" if part.name == CONSTANT else mark(part.name)

    def put(found: re.Match[str]) -> str:
        start, end = found.start(group) - found.start(), found.end(group) - found.start()
        if start < 0:
            return found[0]
        return found[0][:start] + (sign or shielded(found[0][start:end])) + found[0][end:]

    return part.pattern.sub(put, line)


def _token(found: re.Match[str]) -> str:
    """Give the mark of an id for a token with letters and digits that is no word of the trade."""
    token = found[0]
    if not any(char.isdigit() for char in token) or token.lower() in WORDS_WITH_DIGITS:
        return mark("number") if token[0] == "#" and len(token) > 1 else token
    if not any(char.isalpha() for char in token):
        return mark("number")
    return mark("id")


def _long(found: re.Match[str]) -> str:
    """Give the mark of an id for a long run of letters of both cases, digits or signs, as tokens and base64 are."""
    run = found[0]
    return (
        mark("id")
        if any(char.isdigit() for char in run)
        or (run != run.lower() and run != run.upper() and "_" not in run)
        or set(run.lower()) <= set("abcdef")
        else run
    )
