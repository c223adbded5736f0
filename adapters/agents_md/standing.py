"""What of a casebook may stand in a file that a repository carries: what holds for everybody who works on the project.

The file is committed and read by all who have the repository. So it takes what names no user, no team and no agent, out of the project's
own casebook and never out of a user's; what a person said, and no agent or tool; and nothing that ends on a date, for the file would go
on saying it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from casebook.adapters.agents_md.block_texts import BlockTexts
from casebook.case import Case
from casebook.conditions.fold import nfc
from casebook.conditions.tree import Always
from casebook.kinds import Kind
from casebook.redacting.redact import redact
from casebook.runtime.answer.harmless import excerpt
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.memory.opening_text import opening_section
from casebook.runtime.memory.told import voice_of
from casebook.runtime.memory.view import Hit
from casebook.runtime.runtime import Runtime
from casebook.scope import Point
from casebook.task import Task

KINDS: tuple[Kind, ...] = ("rule", "principle", "decision")
"""The kinds of memories that stand in the block."""
_POINTS: tuple[Point, ...] = ("session_start", "task")
_ITEM_CHARS = 300
"""Characters of one correction that are told (ours)."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose file it is, and when it is written.

    Attributes:
        project: the name of the project, by which cases and memories name it in their scope; None where it has none.
        at: the present instant, aware.
    """

    project: str | None
    at: datetime


def standing_lines(runtime: Runtime, whose: Whose, texts: BlockTexts, room: int) -> list[str]:
    """Give what always holds, as the lines of one or two parts.

    Args:
        runtime: the project's casebook in service.
        whose: whose file it is.
        texts: the words of the policy's language.
        room: the characters that there are for it, line ends among them.
    """
    policy = runtime.policy()
    if policy.mode in ("off", "shadow"):
        return []
    lines = _cases(runtime, whose, texts, room)
    left = room - sum(map(len, lines)) - 2 * len(lines)
    hits = [hit for hit in _reach(runtime, whose) if _may_stand(hit)]
    if left > 0:
        text, _ = opening_section(hits, policy, left - 8, redact=partial(redact, patterns=policy.redact))
        if text:
            lines += ["", *_airy(text.split("\n"))]
    return lines


def _cases(runtime: Runtime, whose: Whose, texts: BlockTexts, room: int) -> list[str]:
    """Give the part of the cases that hold for every task."""
    patterns = runtime.policy().redact
    items = [
        texts.item.format(id=case.id, text=excerpt(redact(case.correction, patterns), _ITEM_CHARS) or "…")
        for case in _always(runtime, whose)
    ]
    head = ["", texts.always, ""]
    room -= sum(map(len, head)) + len(head) + len(texts.more.format(len(items))) + 2
    told = []
    for item in items:
        room -= len(item) + 1
        if room < 0:
            break
        told.append(item)
    if not told:
        return []
    rest = len(items) - len(told)
    return [*head, *told, *(["", texts.more.format(rest)] if rest else [])]


def _always(runtime: Runtime, whose: Whose) -> Iterator[Case]:
    """Give the cases that apply to every task of the project, in the order of an answer."""
    serving = runtime.snapshot().cases
    seen: set[str] = set()
    for point in _POINTS:
        for case in runtime.match(Task(project=whose.project, point=point)).cases:
            loaded = serving.get(case.id)
            if loaded is None or case.id in seen or case.correction_by != "person" or loaded.expires is not None:
                continue
            if all(isinstance(each, Always) for each in loaded.conditions):
                seen.add(case.id)
                yield case


def _reach(runtime: Runtime, whose: Whose) -> tuple[Hit, ...]:
    principal = Principal(None, None if whose.project is None else nfc(whose.project), frozenset(), None)
    return runtime.recollection.view().reachable(principal, whose.at, kinds=KINDS, wait=True)


def _may_stand(hit: Hit) -> bool:
    return hit.memory.expires_at is None and voice_of(hit.memory) in ("user", "person", "note")


def _airy(lines: list[str]) -> Iterator[str]:
    """Give lines with an empty one after each heading, as formatters of Markdown put it: the block shall outlive them."""
    for at, line in enumerate(lines):
        yield line
        if line.startswith("#") and at + 1 < len(lines) and lines[at + 1]:
            yield ""
