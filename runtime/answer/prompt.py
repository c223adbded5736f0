"""The text that is injected: plain Markdown headings and lists, in the policy's language (DESIGN section 5, The text)."""

from __future__ import annotations

from collections.abc import Sequence

from casebook.conditions.evaluate import Reading
from casebook.policy import Policy
from casebook.runtime.answer.because import Because, cut
from casebook.runtime.answer.entry import Entry, as_argument, outside, text_max
from casebook.runtime.answer.seen import Redact, as_it_is
from casebook.runtime.answer.selection import Selection
from casebook.runtime.answer.texts import TEXTS, Texts

BECAUSE_LEAST = 60
"""Characters below which what made a case fire is rather left out than cut."""

_REST_ROOM = 300
_FEW = 20


def prompt(selection: Selection, reading: Reading, policy: Policy, *, redact: Redact = as_it_is) -> str:
    """Give the block to inject; empty where no case applies.

    The corrections and ids of all selected cases come first in what room there is, then, case by case, why and what made it
    fire. The same arguments give the same text.

    Args:
        selection: what was selected.
        reading: of the task's facts; what each condition saw is looked up only where the text shows it.
        policy: language and limits.
        redact: takes secrets out of the values seen.
    """
    if not selection.cases and not selection.omitted:
        return ""
    texts = TEXTS[policy.language]
    head = [texts.heading, "", texts.intro, ""]
    body = _body(selection, reading, policy, redact)
    tail = _tail(selection, texts, outside(policy) - _length(head)) if selection.omitted else []
    most = text_max(policy)
    text = "\n".join([*head, *body, *tail])
    if len(text) < most:
        return text
    for lines in ([*head, *body], [texts.heading, "", *body], body):
        if lines and _length(lines) <= most:
            return "\n".join(lines)
    return ""


def _length(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def _body(selection: Selection, reading: Reading, policy: Policy, redact: Redact) -> list[str]:
    """Give the lines of the selected cases: the short form of each, and what of the rest finds room."""
    room = selection.room
    told = Because(reading, policy.language, redact)
    lines: list[str] = []
    for case, entry in zip(selection.cases, selection.entries, strict=True):
        why = len(entry.opening) - len(entry.head)
        left = room - why if why <= room else room
        has_room = left > BECAUSE_LEAST or left > max(entry.line.least, 1)
        because = told.words(entry.line, case.zone) if has_room else ""
        more = why + len(because) + 1
        if because and more <= room:
            lines.append(f"{entry.opening}\n{because}\n{entry.identity}")
            room -= more
        else:
            room = _shorter(entry, because, room, lines)
    return lines


def _shorter(entry: Entry, because: str, room: int, lines: list[str]) -> int:
    """Add the lines of a case all of which find no room, or which says nothing of what made it fire; give the room that is left."""
    lines.append(entry.head)
    if entry.why and len(entry.why) < room:
        lines.append(entry.why)
        room -= len(entry.why) + 1
    if because and room > 1 and (len(because) < room or room > BECAUSE_LEAST):
        lines.append(cut(because, room - 1))
        room -= len(lines[-1]) + 1
    lines.append(entry.identity)
    return room


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
    if len(ids) <= _FEW:
        line = whole.format(texts.comma.join(ids))
        if len(line) <= room:
            return line
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
