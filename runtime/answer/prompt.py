"""The text that is injected: plain Markdown headings and lists, in the policy's language (DESIGN section 5, The text)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, Trace, trace
from casebook.conditions.facts import Facts
from casebook.conditions.render import render
from casebook.conditions.tree import Node, Test, Time
from casebook.policy import Policy
from casebook.runtime.answer.entry import (
    as_argument,
    entry_of,
    outside,
    room_for_cases,
    short_length,
    short_lines,
    text_max,
)
from casebook.runtime.answer.harmless import excerpt, shortened
from casebook.runtime.answer.per_case import PerCase
from casebook.runtime.answer.seen import Found, Redact, as_it_is, field_words, leaves
from casebook.runtime.answer.selection import Selection
from casebook.runtime.answer.texts import TEXTS, Language, Texts

CONDITION_CHARS = 120
BECAUSE_CHARS = 300
BECAUSE_LEAST = 60
"""Characters of a condition, of all that made a case fire, and below which that is rather left out than cut."""

_LEAVES = 3
_REST_ROOM = 300

Traces = Mapping[str, tuple[Trace, ...]]
"""For each selected case, by id, how its conditions came out."""


def traces_of(cases: Iterable[LoadedCase], facts: Facts | Reading) -> Traces:
    """Give the traces of cases that match, for `prompt`: each of their conditions holds, and is not decided again.

    Args:
        cases: the selected ones.
        facts: the task's facts, or a reading of them to share.
    """
    reading = facts if isinstance(facts, Reading) else Reading(facts)
    return {case.case.id: tuple(_held(each, reading, case.zone) for each in case.conditions) for case in cases}


def _held(node: Node, reading: Reading, zone: str) -> Trace:
    kind = type(node)
    if kind is Test:
        return Trace(node, True, reading.facts.get(node.field))  # type: ignore[union-attr]  # narrowed by `kind`
    if kind is Time:
        return Trace(node, True, reading.local(node.zone or zone))  # type: ignore[union-attr]  # as above
    return trace(node, reading, zone)


def prompt(selection: Selection, traces: Traces, policy: Policy, *, redact: Redact = as_it_is) -> str:
    """Give the block to inject; empty where no case applies.

    The corrections and ids of all selected cases come first in what room there is, then, case by case, why and what made it
    fire. The same arguments give the same text.

    Args:
        selection: what was selected.
        traces: how the selected cases' conditions came out.
        policy: language and limits.
        redact: takes secrets out of the values seen.
    """
    if not selection.cases and not selection.omitted:
        return ""
    texts = TEXTS[policy.language]
    head = [texts.heading, "", texts.intro, ""]
    body = _body(selection, traces, policy, redact)
    tail = _tail(selection, texts, outside(policy) - _length(head))
    most = text_max(policy)
    for lines in ([*head, *body, *tail], [*head, *body], [texts.heading, "", *body], body):
        if lines and _length(lines) <= most:
            return "\n".join(lines)
    return ""


def _length(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def _body(selection: Selection, traces: Traces, policy: Policy, redact: Redact) -> list[str]:
    """Give the lines of the selected cases: the short form of each, and what of the rest finds room."""
    language = policy.language
    room = room_for_cases(policy)
    chosen = [(case, entry_of(case, language), selection.weights[case.case.id]) for case in selection.cases]
    room -= sum(short_length(entry, weight, language) for _, entry, weight in chosen)
    found = Found(TEXTS[language], redact)
    lines: list[str] = []
    for case, entry, weight in chosen:
        correction, identity = short_lines(entry, weight, language)
        lines.append(correction)
        if entry.why and len(entry.why) < room:
            lines.append(entry.why)
            room -= len(entry.why) + 1
        because = _because(case, traces.get(case.case.id, ()), language, found)
        if because and (len(because) < room or room > BECAUSE_LEAST):
            lines.append(shortened(because, room - 1))
            room -= len(lines[-1]) + 1
        lines.append(identity)
    return lines


def _render_all(case: LoadedCase, language: Language) -> tuple[str, ...]:
    return tuple(excerpt(render(each, language), CONDITION_CHARS) for each in case.conditions)


rendered = PerCase(_render_all)
"""Takes a loaded case and a language and gives its conditions, canonical, harmless and shortened."""


def _because(case: LoadedCase, traces: Sequence[Trace], language: Language, found: Found) -> str:
    """Give the line of what made a case fire: each condition, with what it saw where the condition does not say it."""
    texts = TEXTS[language]
    parts = []
    for text, each in zip(rendered(case, language), traces, strict=False):
        saw = _seen(each, texts, found)
        parts.append(texts.saw.format(text, saw) if saw else text)
    return shortened(texts.because.format(texts.semicolon.join(parts)), BECAUSE_CHARS) if parts else ""


def _seen(trace: Trace, texts: Texts, found: Found) -> str:
    """Give what a condition saw; empty where its own words say it: `intent is "push"` has seen "push"."""
    node = trace.node
    if not trace.items:
        told = trace.seen is None or (isinstance(node, Test) and node.op in ("is", "missing"))
        return "" if told else found.words(trace)
    parts: list[str] = []
    for leaf in leaves(trace):
        if len(parts) == _LEAVES:
            parts.append("…")
            break
        words = found.words(leaf)
        parts.append(f"{field_words(leaf.node.field)} {words}" if isinstance(leaf.node, Test) else words)
    return texts.comma.join(parts)


def _tail(selection: Selection, texts: Texts, room: int) -> list[str]:
    """Give the lines of what found no room: blocks by id, the rest counted and named, in so many characters."""
    blocks = selection.omitted_blocks
    rest = [each for each in selection.omitted if selection.weights[each] != "block"]
    lines: list[str] = []
    for_blocks = room - (_REST_ROOM if rest else 0)
    for place, case_id in enumerate(blocks):
        line = texts.block_by_id.format(case_id, as_argument(case_id))
        more = texts.more_blocks.format(len(blocks) - place)
        last = place == len(blocks) - 1
        if len(line) + 1 + (0 if last else len(more) + 1) > for_blocks:
            lines.append(more)
            break
        lines.append(line)
        for_blocks -= len(line) + 1
    if rest:
        named = _named(rest, texts, room - _length(lines) - 1)
        lines += ["", named] if named else []
    return lines


def _named(ids: Sequence[str], texts: Texts, room: int) -> str:
    """Count and name ids in so many characters; empty where not even one finds room."""
    whole = texts.omitted_one if len(ids) == 1 else texts.omitted.format(len(ids), "{}")
    best = ""
    names = ""
    for place, case_id in enumerate(ids, 1):
        names += texts.comma + case_id if names else case_id
        left = len(ids) - place
        line = whole.format(texts.and_more.format(names, left) if left else names)
        if len(line) <= room:
            best = line
        if len(names) > room:
            break
    return best
