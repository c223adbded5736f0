"""The tables of docs/memories.md name every kind, tier, field and file that there is, and every example is what it is said to be."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from casebook.duration import duration
from casebook.gate.candidate import CANDIDATE_CHARS, Candidate
from casebook.gate.weigh import weigh
from casebook.kinds import KINDS
from casebook.memory import MEMORY_FIELDS, TEXT_CHARS, Memory, MemoryStatus, Origin, Tier
from casebook.policy import DEFAULT_TTL, Limits, Policy, Tiers
from casebook.runtime.recollection import RECALLED
from casebook.scope import EVERYONE
from casebook.stores.memory_homes import AGED, home_of
from tests.docs.reading import ROOT, rows_of

PAGE = (ROOT / "docs" / "memories.md").read_text(encoding="utf-8")
PROSE = " ".join(PAGE.split())
NOW = datetime(2026, 3, 18, 2, tzinfo=UTC)
KIND_ROWS = rows_of(PAGE, "kind")
FIELD_ROWS = rows_of(PAGE, "field")
EXAMPLES = [
    (kind, words)
    for name, _, told in KIND_ROWS
    for kind in re.findall(r"`(\w+)`", name)
    for words in told.split(" · ")
    if words
]
WORDS: dict[str, tuple[object, ...]] = {
    "none": (None,),
    "empty": ("", (), {}),
    "everyone": (EVERYONE,),
    "by kind": (None,),
    "`created_at`": (None,),
}


def test_the_table_of_kinds_names_every_kind_in_order() -> None:
    assert [kind for row in KIND_ROWS for kind in re.findall(r"`(\w+)`", row[0])] == [
        *(kind for kind in KINDS if kind not in ("error", "success")), "error", "success",
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "words"), EXAMPLES)
def test_an_example_is_of_the_kind_beside_which_it_stands(kind: str, words: str) -> None:
    (piece,) = weigh(Candidate(text=words, user="ann", project="shop"), Policy(), NOW)
    assert (piece.kind, piece.dropped) == (kind, "")


def test_each_kind_but_two_has_examples_in_english_and_in_chinese() -> None:
    for kind in set(KINDS) - {"error", "success"}:
        told = [words for each, words in EXAMPLES if each == kind]
        assert [any("一" <= sign <= "鿿" for sign in words) for words in told] == [False, True]


def test_the_table_of_tiers_names_them() -> None:
    assert [row[0] for row in rows_of(PAGE, "tier")] == list(get_args(Tier))


def test_the_table_of_fields_names_every_field_in_order() -> None:
    assert tuple(row[0].strip("`") for row in FIELD_ROWS) == MEMORY_FIELDS


@pytest.mark.parametrize(("name", "default"), [(row[0].strip("`"), row[1]) for row in FIELD_ROWS])
def test_a_default_is_as_the_table_says(name: str, default: str) -> None:
    field = Memory.model_fields[name]
    assert field.is_required() == (default == "must be there")
    if field.is_required():
        return
    told = WORDS.get(default)
    assert field.default in told if told is not None else str(field.default).lower() == default.strip("`")


@pytest.mark.parametrize(
    ("name", "values"), [("status", get_args(MemoryStatus)), ("source", tuple(Origin.model_fields))]
)
def test_a_row_names_every_value_or_part(name: str, values: tuple[str, ...]) -> None:
    (told,) = [holds for each, _, holds in FIELD_ROWS if each == f"`{name}`"]
    assert set(values) <= set(re.findall(r"`(\w+)`", told))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("error", "success")])
@pytest.mark.parametrize("tier", ["L2", "L3"])
def test_the_table_of_files_says_where_a_memory_stands(tier: str, kind: str) -> None:
    path = home_of(Memory.from_json({"id": "m", "kind": kind, "text": "-", "tier": tier}))
    told = dict(
        re.findall(
            rf"^\| \w* ?\| `({'medium' if tier == 'L2' else 'long'}_term/\w+\.json)` \| ([^|]+) \|$", PAGE, re.MULTILINE
        )
    )
    named = [file for file, kinds in told.items() if f"`{kind}`" in kinds]
    assert named == [path] or (not named and told[path] == "all else")


def test_the_file_of_what_aged_is_named() -> None:
    assert f"`{AGED}`" in PAGE


@pytest.mark.parametrize(
    "sentence",
    [
        f"up to {TEXT_CHARS:,} characters",
        f"one candidate has {CANDIDATE_CHARS:,} characters at most",
        f"`tiers.session_chars`, {Tiers().session_chars:,} characters",
        f"`limits.max_related`, {Limits().max_related} memories",
        f"| {RECALLED}, or as many as are asked for |",
        f"{duration(Tiers().short) // timedelta(hours=1)} hours (`tiers.short`)",
        "by kind from 30 to 180 days",
    ],
)
def test_a_number_is_as_the_page_says(sentence: str) -> None:
    assert sentence in PROSE


def test_the_kinds_live_from_30_to_180_days() -> None:
    days = {int(each.removesuffix("d")) for each in DEFAULT_TTL.values()}
    assert (min(days), max(days)) == (30, 180)
