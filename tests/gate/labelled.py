"""Utterances with what the gate is to make of them: `utterances.jsonl` was tuned on, `held_out.jsonl` is only measured."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from casebook.gate.candidate import Candidate, Weighed
from casebook.gate.weigh import weigh
from casebook.policy import Policy

PARTS = ("utterances", "held_out")
NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)
"""A Monday, 10:00 in Shanghai."""
POLICY = Policy(timezone="Asia/Shanghai")


def rows(part: str) -> list[dict[str, Any]]:
    """Give the labelled utterances of a part."""
    text = Path(__file__).with_name(f"{part}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def told(row: dict[str, Any]) -> Weighed:
    """Give what the gate makes of an utterance: the piece that it keeps, else the first."""
    pieces = weigh(Candidate(text=row["text"]), POLICY, NOW)
    return next((each for each in pieces if not each.dropped), pieces[0])


@dataclass
class Figures:
    """How often the gate is right on a part."""

    total: int = 0
    kept: int = 0
    dropped_right: int = 0
    dropped_all: int = 0
    drops: int = 0
    rule: int = 0
    kind: int = 0
    tier: int = 0
    home: int = 0
    said: Counter[str] = field(default_factory=Counter)
    meant: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def drop_precision(self) -> float:
        return self.dropped_right / self.dropped_all

    @property
    def drop_recall(self) -> float:
        return self.dropped_right / self.drops

    def share(self, count: int) -> float:
        return count / self.kept


def figures(part: str, language: str = "") -> Figures:
    """Measure a part, or its English (`en`) or Chinese (`zh`) half."""
    found = Figures()
    for row in rows(part):
        is_chinese = any("㐀" <= sign <= "鿿" for sign in row["text"])
        if language and is_chinese != (language == "zh"):
            continue
        weighed = told(row)
        found.total += 1
        found.dropped_all += bool(weighed.dropped)
        if "drop" in row:
            found.drops += 1
            found.dropped_right += bool(weighed.dropped)
            found.rule += weighed.dropped == row["drop"]
            if weighed.dropped != row["drop"]:
                found.wrong.append(f"{row['drop']}: {row['text']!r} -> {weighed.dropped or weighed.kind}")
            continue
        found.kept += 1
        found.meant[row["kind"]] += 1
        if weighed.dropped:
            found.wrong.append(f"{row['kind']}: {row['text']!r} -> {weighed.dropped}")
            continue
        found.said[weighed.kind] += 1
        found.hit[row["kind"]] += weighed.kind == row["kind"]
        found.kind += weighed.kind == row["kind"]
        found.tier += weighed.tier == row["tier"]
        found.home += weighed.home == row["home"]
        if (weighed.kind, weighed.tier, weighed.home) != (row["kind"], row["tier"], row["home"]):
            found.wrong.append(
                f"{row['kind']} {row['tier']} {row['home']}: {row['text']!r} -> {weighed.kind} {weighed.tier} {weighed.home} {dict(weighed.scores)}"
            )
    return found
