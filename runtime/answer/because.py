"""What made a case fire, in one line: its conditions, each with what it saw where the condition itself does not say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, history_count, trace
from casebook.conditions.patterns import write_pattern
from casebook.conditions.render import render
from casebook.conditions.tree import Always, And, Count, Earlier, Field, Node, Not, Or, Pattern, Test
from casebook.runtime.answer.harmless import harmless, inside_quotes
from casebook.runtime.answer.seen import Found, Redact, field_words, leaves
from casebook.runtime.answer.texts import TEXTS, Language

CONDITION_CHARS = 120
BECAUSE_CHARS = 300
"""Characters of a condition, and of all that made a case fire."""

PATTERN_CHARS = 40
"""Characters of the longest pattern that the block shows; of a longer one what it found says more."""

_LEAVES = 3
_QUOTE = '\\"'


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition that is shown with what it saw.

    Attributes:
        text: as the block shows it where it saw nothing: canonical, harmless and shortened.
        opening: as it shows it where it saw something, up to that.
        node: the condition.
        field: whose value it saw; None for what is no single test.
    """

    text: str
    opening: str
    node: Node
    field: Field | None


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a case.

    Attributes:
        parts: its conditions; as text those whose own words say what they saw: `intent is "push"` has seen "push".
        whole: all of it where it shows nothing that was seen, else None.
        least: characters below which it never is.
    """

    parts: tuple[str | Asked, ...]
    whole: str | None
    least: int


def line_of(case: LoadedCase, language: Language) -> Line:
    """Give the line of a case as far as it does not depend on the task."""
    parts = tuple(_part(each, language) for each in case.conditions)
    shortest = [each if isinstance(each, str) else min(each.text, each.opening, key=len) for each in parts]
    least = _put(shortest, language)
    is_whole = not any(isinstance(each, Asked) for each in parts)
    return Line(parts, least if is_whole else None, len(least))


def _part(node: Node, language: Language) -> str | Asked:
    """Give a condition as far as it does not depend on the task."""
    texts = TEXTS[language]
    text = _text(node, language)
    if isinstance(node, Always) or (isinstance(node, Test) and node.op in ("is", "missing")):
        return text
    opening = text + texts.found[0]
    if isinstance(node, Test):
        return Asked(text, opening, node, node.field)
    if isinstance(node, Not) and isinstance(node.item, Test):
        name = field_words(node.item.field)
        gone = texts.aside.format(text, texts.missing.format(name))
        return Asked(gone, f"{opening}{name} ", node, node.item.field)
    return Asked(text, opening, node, None)


def _text(node: Node, language: Language) -> str:
    """Give a condition's canonical text, harmless; a quotation mark within a constant cannot pass for the constant's end."""
    text = harmless(_without_long_patterns(node, language)[: 8 * CONDITION_CHARS])
    if _QUOTE in text or not text.isascii():
        text = '"'.join(inside_quotes(part) for part in text.replace(_QUOTE, "'").split('"'))
    return cut(text, CONDITION_CHARS)


def _without_long_patterns(node: Node, language: Language) -> str:
    """Give a condition's canonical text, in which a pattern that is too long to read is only said to be one."""
    text = render(node, language)
    waiting = [node]
    while waiting:
        top = waiting.pop()
        if isinstance(top, And | Or):
            waiting.extend(top.items)
        elif isinstance(top, Not):
            waiting.append(top.item)
        elif isinstance(top, Earlier | Count):
            waiting.extend([] if top.where is None else [top.where])
        elif isinstance(top, Test) and isinstance(top.value, Pattern) and len(top.value.source) > PATTERN_CHARS:
            text = text.replace(write_pattern(top.value), TEXTS[language].pattern)
    return text


def _put(parts: Sequence[str], language: Language) -> str:
    texts = TEXTS[language]
    return cut(texts.because + texts.semicolon.join(parts), BECAUSE_CHARS) if parts else ""


def cut(text: str, limit: int) -> str:
    """Give a line of at most `limit` characters, with `…` where some were cut off; a quotation that was cut is closed."""
    if len(text) <= limit:
        return text
    body = text[: limit - 1].rstrip()
    if body.count('"') % 2:
        body = text[: limit - 2].rstrip()
    return body + ('…"' if body.count('"') % 2 else "…")


class Because:
    """The lines of one answer; what several conditions saw is put into words once."""

    __slots__ = ("_fields", "_found", "_language", "_reading", "_texts")

    def __init__(self, reading: Reading, language: Language, redact: Redact) -> None:
        """Take what is known of the task, the language of the words, and what takes secrets out of the values seen."""
        self._reading = reading
        self._language: Language = language
        self._texts = TEXTS[language]
        self._found = Found(self._texts, redact)
        self._fields: dict[tuple[str | int, ...], str] = {}

    def words(self, line: Line, zone: str) -> str:
        """Give the line of a case all of whose conditions hold; empty for a case without conditions.

        Args:
            line: its fixed part.
            zone: the IANA zone of the case.
        """
        if line.whole is not None:
            return line.whole
        after = self._texts.found[1]
        shown = []
        for part in line.parts:
            if isinstance(part, str):
                shown.append(part)
                continue
            seen = self._saw(part.node, zone) if part.field is None else self._value(part.field)
            shown.append(part.opening + seen + after if seen else part.text)
        return _put(shown, self._language)

    def _saw(self, node: Node, zone: str) -> str:
        """Give what a condition that holds, and that is no single test, saw; empty where that was nothing."""
        if isinstance(node, And | Or | Not):
            return self._inside(node, zone)
        if isinstance(node, Earlier | Count):
            return self._found.events(history_count(node, self._reading))
        if isinstance(node, Always | Test):
            return ""
        return self._found.clock(node, self._reading.local(node.zone or zone))

    def _value(self, field: Field) -> str:
        """Give the value of a field, looked up and put into words once."""
        known = self._fields.get(field.path)
        if known is None:
            value = self._reading.facts.get(field)
            known = self._fields[field.path] = "" if value is None else self._found.value(value)
        return known

    def _inside(self, node: And | Or | Not, zone: str) -> str:
        """Give what the first few parts of a condition saw, each with its field."""
        texts = self._texts
        parts: list[str] = []
        for leaf in leaves(trace(node, self._reading, zone)):
            if len(parts) == _LEAVES:
                parts.append("…")
                break
            if isinstance(leaf.node, Test):
                name, value = field_words(leaf.node.field), self._value(leaf.node.field)
                parts.append(f"{name} {value}" if value else texts.missing.format(name))
            else:
                parts.append(self._found.words(leaf))
        return texts.comma.join(parts)
