"""The example packs: each loads clean, each case holds its own tests, and together they use the whole language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import get_args

import pytest

from casebook.case import LoadedCase
from casebook.conditions import tree
from casebook.conditions.fields import FieldType
from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.runtime.answer.isolation import principal_of, reachable
from casebook.runtime.lint import lint
from casebook.runtime.matching.engines import EngineChoice, matcher
from tests.examples.packs import (
    EXAMPLES,
    PACKS,
    Example,
    cases,
    conditions_hold,
    examples_of,
    fires,
    form_of,
    snapshot_of,
)
from tests.matching.universe import ENGINES

SEED = """{
  "id": "case_001",
  "type": "rule",
  "trigger_conditions": ["当前时间在 00:00-06:00", "意图为 '主动推送'"],
  "judgment": "凌晨推送会打扰用户",
  "consequence": "用户反馈不适，要求停止",
  "correction": "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作",
  "priority": 9,
  "created_at": "2026-03-20",
  "last_triggered": null,
  "ttl": null
}"""
"""DESIGN section 3."""

ALL = [(pack, case) for pack, case in cases()]
EXAMPLES_OF_ALL = [example for pack in PACKS for example in examples_of(pack)]


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_loads_without_a_fault_or_a_warning(pack: str) -> None:
    assert [str(fault) for fault in snapshot_of(pack).faults] == []


@pytest.mark.parametrize("pack", PACKS)
def test_the_lint_of_a_pack_finds_nothing(pack: str) -> None:
    assert [str(fault) for fault in lint(snapshot_of(pack))] == []


def test_there_are_at_least_48_cases_of_different_ids() -> None:
    assert len({case.id for _, case in ALL}) == len(ALL) >= 48


@pytest.mark.parametrize("case", [case for _, case in ALL], ids=lambda case: case.id)
def test_a_case_says_all_that_a_reader_needs(case: LoadedCase) -> None:
    """Four texts, a date, one task at least on which it fires and two on which it is silent."""
    written = case.case
    assert written.judgment
    assert written.consequence
    assert written.created_at
    assert written.situation or written.id == "case_001"
    assert written.examples is not None
    assert len(written.examples.fires) >= 1
    assert len(written.examples.silent) >= 2


@pytest.mark.parametrize("example", EXAMPLES_OF_ALL, ids=str)
def test_an_example_holds(example: Example) -> None:
    assert fires(example.case, example) is example.fires, form_of(example)


def test_the_seed_case_stands_as_in_the_design() -> None:
    text = (EXAMPLES / "night_push" / "long_term" / "rules.json").read_text(encoding="utf-8")
    (found,) = [case for case in json.loads(text)["cases"] if case["id"] == "case_001"]
    del found["examples"]
    assert found == json.loads(SEED)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("pack", PACKS)
def test_an_engine_finds_what_the_reference_evaluator_finds(pack: str, engine: EngineChoice) -> None:
    """For every example of a pack, over all its cases at once."""
    served = snapshot_of(pack).cases
    found = matcher(engine)
    found.update(served)
    try:
        for example in examples_of(pack):
            facts, principal = example.facts, principal_of(example.task)
            expected = {
                id_ for id_, case in served.items() if reachable(case, principal) and conditions_hold(case, facts)
            }
            assert {case.id for case in found.match(facts)} == expected, str(example)
    finally:
        found.close()


# -- the whole language ------------------------------------------------------------------------------------------------


def forms_of(node: tree.Node) -> Iterator[str]:
    """Give the forms of the language that a condition uses, such as `Test.like` or `Time.days`."""
    for each in tree.walk(node):
        name = type(each).__name__
        yield name
        if isinstance(each, tree.Test | tree.Weekday | tree.Date | tree.Month | tree.Day | tree.Count):
            yield f"{name}.{each.op}"
        for part in ("days", "zone", "where", "within"):
            if getattr(each, part, None) is not None:
                yield f"{name}.{part}"
        values = (
            each.value
            if isinstance(each, tree.Test) and isinstance(each.value, tuple)
            else (getattr(each, "value", None),)
        )
        for value in values:
            yield f"value.{type(value).__name__}"


KINDS = ("Always", "And", "Or", "Not", "Test", "Time", "Weekday", "Week", "Date", "Month", "Day", "Earlier", "Count")
PARTS = ("Time.days", "Time.zone", "Earlier.where", "Earlier.within", "Count.where", "Count.within")
VALUES = ("value.str", "value.int", "value.float", "value.bool", "value.This", "value.Pattern")
OPS = (
    *(f"Test.{op}" for op in get_args(tree.Op)),
    *(f"Date.{op}" for op in get_args(tree.DateOp)),
    *(f"{name}.{op}" for name in ("Month", "Day") for op in get_args(tree.SetOp)),
    *(f"Weekday.{op}" for op in ("is", "is_not", "in", "not_in")),
    *(f"Count.{op}" for op in get_args(tree.CountOp)),
)


def test_every_form_of_the_language_occurs_in_a_case() -> None:
    used = {form for _, case in ALL for condition in case.conditions for form in forms_of(condition)}
    assert sorted({*KINDS, *PARTS, *VALUES, *OPS} - used) == []


@pytest.mark.parametrize("effect", ["advise", "confirm", "block"])
def test_every_effect_occurs(effect: str) -> None:
    assert effect in {case.case.effect for _, case in ALL}


@pytest.mark.parametrize("point", ["task", "tool", "answer", "session_start", "tick"])
def test_every_point_occurs(point: str) -> None:
    assert point in {each for _, case in ALL for each in case.case.on}


@pytest.mark.parametrize(
    "field",
    ["scope", "timezone", "ttl", "expires_at", "supersedes", "cooldown", "max_fires", "source", "review_after", "tags"],
)
def test_every_optional_field_of_a_case_occurs(field: str) -> None:
    assert field in {name for _, case in ALL for name in case.case.model_fields_set}


def test_the_index_counts_the_cases_of_each_pack() -> None:
    rows = [
        line.split("|") for line in (EXAMPLES / "README.md").read_text(encoding="utf-8").splitlines() if "`" in line
    ]
    counted = {cells[1].strip(" `"): cells[2].strip() for cells in rows if len(cells) > 3}
    assert {pack: counted[pack] for pack in PACKS} == {pack: str(len(snapshot_of(pack).cases)) for pack in PACKS}


@pytest.mark.parametrize("case", [case for _, case in ALL], ids=lambda case: case.id)
def test_the_canonical_text_of_a_condition_means_the_same(case: LoadedCase) -> None:
    """Text to tree to text to tree, over real conditions, in both languages."""
    declared: dict[str, FieldType] = {"cluster": "text"}
    for condition in case.conditions:
        for language in ("en", "zh"):
            assert parse(render(condition, language), declared=declared) == condition
            assert from_json(to_json(condition), declared=declared) == condition
