"""Memories and questions with what belongs to them, written by hand: half of the questions is tuned on, half only measured.

`recall/memories.tsv`: id, kind, text. `recall/queries.tsv`: `t` (tuned) or `h` (held out), the question, the ids of all memories that
help with it, or `-`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from casebook.memory import Memory
from tests.memory.stores import memory

FOLDER = Path(__file__).parent / "recall"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of what helps with it."""

    text: str
    wanted: frozenset[str]
    is_held_out: bool

    @property
    def is_chinese(self) -> bool:
        return any("一" <= each <= "鿿" for each in self.text)


@dataclass(frozen=True, slots=True)
class Scored:
    """How a way of recalling did: of what it told how much was wanted, of what was wanted how much it told."""

    told: int
    wanted: int
    right: int
    needless: int
    """Questions that no memory helps with, and that were told one."""

    @property
    def precision(self) -> float:
        return self.right / self.told if self.told else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0


def memories() -> list[Memory]:
    return [memory(each, text, kind=kind) for each, kind, text in _rows("memories.tsv")]


def questions() -> list[Question]:
    return [
        Question(text, frozenset() if ids == "-" else frozenset(ids.split()), kind == "h")
        for kind, text, ids in _rows("queries.tsv")
    ]


def scored(asked: Iterable[Question], answer: Callable[[str], Collection[str]]) -> Scored:
    told = wanted = right = needless = 0
    for each in asked:
        got = frozenset(answer(each.text))
        told += len(got)
        wanted += len(each.wanted)
        right += len(got & each.wanted)
        needless += bool(got) and not each.wanted
    return Scored(told, wanted, right, needless)


def _rows(name: str) -> Sequence[tuple[str, str, str]]:
    rows = []
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        first, second, third = line.split("\t")
        rows.append((first, second, third))
    return rows
