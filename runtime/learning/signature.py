"""The signature of an error: the same text for the same kind of error, whoever reports it, whatever values it names.

Pure and deterministic: the same message gives the same signature in every process and version of the table of parts.
"""

from __future__ import annotations

import hashlib
import re

from casebook.runtime.answer.harmless import harmless, shortened
from casebook.runtime.learning.signing.alphabet import ANY_MARK, MARK_RANGE, alike, mark, readable, shielded
from casebook.runtime.learning.signing.bodies import body_told
from casebook.runtime.learning.signing.cleaning import cleaned
from casebook.runtime.learning.signing.names import command_not_found, named
from casebook.runtime.learning.signing.parts import AFTER, CONSTANT, PARTS, Part
from casebook.runtime.learning.signing.prefixes import without_prefix
from casebook.runtime.learning.signing.quoting import unquoted
from casebook.runtime.learning.signing.telling import telling
from casebook.runtime.learning.signing.transient import passing
from casebook.runtime.learning.signing.types import leading_type, short_type
from casebook.runtime.learning.signing.words import GENERIC_WORDS, WORDS_WITH_DIGITS

MOST = 200
"""Characters of a signature: of a longer one the beginning stays, and a hash of the whole."""
MOST_TEMPLATE = 160
"""Characters of a template."""

_TOKEN = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*", re.ASCII)
_LONG_CODE = re.compile(r"[A-Za-z0-9+/_=-]{32,}", re.ASCII)
_JOINED = re.compile(
    rf"({ANY_MARK})(?:(?:(?:\s?(?:,|;|/|\||&|:|\.\.|->|x|-|~|、|和|与|或|及|到|至)\s?)(?:and |or )?| (?:and|or|to|-) |\s)?{ANY_MARK})+"
)
_ENDS = " \t\n.,;:!?-–—…。,;:!?、|\"'`"
_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u4e00-\u9fff]")
_PLURAL = re.compile(
    rf"({ANY_MARK})( (?:[A-Za-z-]+ ){{0,2}}?)([A-Za-z]+?)(ies|(?<=[sxzh])es|(?<![su])s|\(s\)|\(es\))(?![A-Za-z'])"
)
_VERBS = {
    "were": "was",
    "are": "is",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "aren't": "isn't",
    "weren't": "wasn't",
}
_VERB = re.compile(r"\b(?:were|are|have|do|don't|aren't|weren't)\b", re.IGNORECASE)
_SPACED_COLON = re.compile(r"\s+(?=[:,;.!?](?:\s|$))")


def error_signature(message: str, *, type: str | None = None, tool: str | None = None) -> str:  # noqa: A002 - a public word
    """Give the signature of an error: one line of at most `MOST` characters, the same for the same kind.

    Takes any text, a type as the host names it, and the tool's name. The tool counts only where the message tells nothing:
    an empty one, or "failed with exit code 1". Raises nothing.
    """
    kind, text = _worked(message, type)
    text = _SPACES.sub(" ", alike(text).lower()).strip(_ENDS)
    told = ": ".join(part for part in (kind, text) if part)
    if not kind and tool and _generic(text):
        told = f"{tool.strip().lower()[:60]}: {text or 'error'}"
    told = told or "error"
    if len(told) > MOST:
        digest = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:12]
        told = f"{told[: MOST - 14].rstrip()}… {digest}"
    return told


def error_template(message: str, *, type: str | None = None) -> str:  # noqa: A002 - a public word
    """Give the kind of an error as a person reads it: `‹path›` and the like for what varies, harmless, at most `MOST_TEMPLATE` long."""
    kind, text = _worked(message, type)
    text = _SPACES.sub(" ", harmless(readable(text))).strip(_ENDS)
    shown = ""
    if type and short_type(type):
        shown = harmless(type.strip())[:60]
    elif kind:
        shown = kind
    told = ": ".join(part for part in (shown, text) if part) or "error"
    return shortened(harmless(told), MOST_TEMPLATE)


def is_transient(message: str, *, type: str | None = None) -> bool:  # noqa: A002 - a public word
    """Say whether an error passes by itself: a timeout, a reset, a rate limit, an overloaded or restarting server (429, 5xx)."""
    return passing(cleaned(message), type or "")


def _worked(message: str, type_: str | None) -> tuple[str, str]:
    """Give the type of an error, "" for none, and its telling text with variable parts marked."""
    text = telling(cleaned(message))
    kind = short_type(type_)
    lines: dict[str, None] = {}
    body = command_not_found(body_told(text))
    for position, line in enumerate(body.split("\n")):
        rest = without_prefix(line)
        inner, rest = leading_type(rest)
        rest = _marked(unquoted(without_prefix(rest) if rest else rest))
        if position == 0 and inner and (not kind or kind == inner):
            kind = inner
        elif inner and inner != kind:
            rest = f"{shielded(inner)}: {rest}" if rest else shielded(inner)
        if rest:
            lines.setdefault(rest, None)
    return kind, "\n".join(lines)


def _marked(line: str) -> str:
    """Give a line with its variable parts as marks."""
    for part in PARTS:
        line = part.pattern.sub(_replacer(part), line)
    line = _LONG_CODE.sub(_long, line)
    line = _TOKEN.sub(_token, line)
    line = named(line)
    for _ in range(3):
        before = line
        line = _JOINED.sub(lambda found: found[1], line)
        for part in AFTER:
            line = part.pattern.sub(_replacer(part), line)
        if line == before:
            break
    line = _PLURAL.sub(lambda found: found[1] + found[2] + found[3] + ("y" if found[4] == "ies" else ""), line)
    line = _VERB.sub(lambda found: _VERBS[found[0].lower()], line)
    return _SPACED_COLON.sub("", _SPACES.sub(" ", line)).strip(_ENDS)


def _replacer(part: Part):  # type: ignore[no-untyped-def]
    group = "v" if "v" in part.pattern.groupindex else 0
    sign = mark(part.name) if part.name != CONSTANT else ""

    def replaced(found: re.Match[str]) -> str:
        start, end = found.start(group) - found.start(), found.end(group) - found.start()
        text = found[0]
        return text[:start] + (sign or shielded(text[start:end])) + text[end:]

    return replaced


def _token(found: re.Match[str]) -> str:
    """Give the mark of an id for a token with letters and digits that is no word of the trade."""
    token = found[0]
    if not any(char.isdigit() for char in token) or token.lower() in WORDS_WITH_DIGITS:
        return token
    if not any(char.isalpha() for char in token):
        return mark("number")
    return mark("id")


def _long(found: re.Match[str]) -> str:
    """Give the mark of an id for a long run of letters of both cases, digits or signs, as tokens and base64 are."""
    run = found[0]
    return (
        mark("id")
        if any(char.isdigit() for char in run) or (run != run.lower() and run != run.upper() and "_" not in run)
        else run
    )


def _generic(text: str) -> bool:
    """Say whether a text in small letters has no telling word."""
    return all(word in GENERIC_WORDS for word in _WORD.findall(text.replace("<*>", " ")))
