"""docs/authoring.md: its cases load and hold their examples, its conditions parse, its policy serves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from casebook.case import Case
from casebook.clock import fixed_clock
from casebook.conditions.json_form import from_json
from casebook.conditions.parse import parse
from casebook.policy import Policy
from casebook.stores.folder import FolderStore
from casebook.task import Task
from tests.examples.packs import NOW, ROOT, Example, fires

PAGE = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
CASES = [json.loads(body) for _, what, body in BLOCKS if what == "case"]
CONDITIONS = [line for kind, _, body in BLOCKS if kind == "conditions" for line in body.splitlines()]
POLICIES = [body for _, what, body in BLOCKS if what == "policy"]


def test_the_page_has_snippets_of_each_kind() -> None:
    assert len(CASES) >= 4
    assert len(CONDITIONS) >= 30
    assert len(POLICIES) == 1


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_parses(condition: str) -> None:
    parse(condition)


@pytest.mark.parametrize("form", CASES, ids=lambda form: form["id"])
def test_a_case_loads_and_its_examples_hold(form: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "long_term").mkdir()
    (tmp_path / "long_term" / "case.json").write_text(json.dumps(form), encoding="utf-8")
    snapshot = FolderStore(tmp_path, clock=fixed_clock(NOW), cache=False).snapshot()
    assert [str(fault) for fault in snapshot.faults] == []
    (case,) = snapshot.cases.values()
    assert case.case.examples is not None
    for expected, tasks in ((True, case.case.examples.fires), (False, case.case.examples.silent)):
        assert tasks
        for number, task in enumerate(tasks):
            assert (
                fires(case, Example("docs", case, expected, number, Task.from_json(task), snapshot.policy)) is expected
            )


@pytest.mark.parametrize("body", POLICIES)
def test_the_policy_is_one(body: str) -> None:
    Policy.model_validate(yaml.safe_load(body))


def test_the_json_form_of_the_page_means_what_its_text_would() -> None:
    form = next(each for each in CASES if each["id"] == "german_audience")
    texts = (
        'context.audience contains "DE"',
        "time between 22:00 and 07:00 in Europe/Berlin or weekday is Sun in Europe/Berlin",
        "tool is push",
    )
    assert [from_json(each) for each in form["trigger_conditions"]] == [parse(each) for each in texts]


def test_every_field_that_the_page_names_is_one_of_a_case() -> None:
    known = set(Case.model_fields)
    for name in (
        "situation",
        "judgment",
        "consequence",
        "correction",
        "supersedes",
        "cooldown",
        "max_fires",
        "review_after",
    ):
        assert name in known
        assert f"`{name}`" in PAGE
