"""How well a grouping of labelled messages fits: pairs of messages, and messages in a group that is exactly their kind."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Labelled:
    """A message with the kind that a person gave it."""

    family: str
    kind: str
    message: str
    type: str | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """How a grouping did: of pairs put together, those that belong together; of those that belong, those put together."""

    precision: float
    recall: float
    f1: float
    accuracy: float
    kinds: int
    groups: int


def labelled(name: str) -> tuple[Labelled, ...]:
    """Give the messages of `<name>.jsonl` beside this file: a kind a line, with its messages as texts or as arguments."""
    rows: list[Labelled] = []
    for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        for message in record["messages"]:
            given = {"message": message} if isinstance(message, str) else message
            rows.append(Labelled(family=record["family"], kind=f"{record['family']}/{record['kind']}", **given))
    return tuple(rows)


def scored(kinds: Sequence[Hashable], groups: Sequence[Hashable]) -> Score:
    """Score groups, one a message, against the kinds that people gave the same messages."""

    def pairs(counts: Iterable[int]) -> int:
        return sum(comb(count, 2) for count in counts)

    together = pairs(Counter(zip(kinds, groups, strict=True)).values())
    found, wanted = pairs(Counter(groups).values()), pairs(Counter(kinds).values())
    precision, recall = together / (found or 1), together / (wanted or 1)
    members: defaultdict[Hashable, set[int]] = defaultdict(set)
    of_kind: defaultdict[Hashable, set[int]] = defaultdict(set)
    for place, (kind, group) in enumerate(zip(kinds, groups, strict=True)):
        members[group].add(place)
        of_kind[kind].add(place)
    exact = sum(len(of_kind[kind]) for kind in of_kind if of_kind[kind] in members.values())
    return Score(
        precision,
        recall,
        2 * precision * recall / ((precision + recall) or 1),
        exact / (len(kinds) or 1),
        len(of_kind),
        len(members),
    )


def scored_by(rows: Sequence[Labelled], group_of: Callable[[Labelled], Hashable]) -> Score:
    """Score a function from a message to its group."""
    return scored([row.kind for row in rows], [group_of(row) for row in rows])
