"""What docs/language.md shows is true: each example parses, each fault is the one that is printed."""

import json
import re
from pathlib import Path

import pytest

from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.lexicon import FIELD_NAMES_ZH, KEYWORDS
from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.faults import ConditionError

PAGE = Path(__file__).parents[2].joinpath("docs", "language.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    """The contents of the fenced blocks of one kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


EXAMPLES = [line for block in blocks("condition") for line in block.splitlines() if line]
FORMS = [form for block in blocks("json condition") for form in json.loads(block)]
FAULTS = [each for block in blocks("fault") for each in re.findall(r"^(\d+): (.*) → (.*)$", block, re.MULTILINE)]


def test_the_page_has_its_examples() -> None:
    assert (len(EXAMPLES) > 60, len(FORMS) > 15, len(FAULTS) > 5) == (True, True, True)


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_parses_and_renders_in_both_languages(example: str) -> None:
    tree = parse(example)
    assert parse(render(tree, "zh")) == parse(render(tree, "en")) == tree


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_each_json_example_is_read(form: object) -> None:
    assert from_json(to_json(from_json(form))) == from_json(form)


@pytest.mark.parametrize(("column", "written", "answer"), FAULTS)
def test_each_fault_is_answered_as_the_page_says(column: str, written: str, answer: str) -> None:
    with pytest.raises(ConditionError) as raised:
        parse(written)
    assert (str(raised.value.column), str(raised.value)) == (column, answer)


@pytest.mark.parametrize("spelling", [spelling for spelling, _ in KEYWORDS] + [*FIELD_NAMES_ZH])
def test_every_keyword_stands_on_the_page_or_is_a_day_or_a_sign(spelling: str) -> None:
    days = {spelled for spelled, keyword in KEYWORDS if keyword.terminal in ("WDAY", "KIND", "NOT_TEXT")}
    signs = {"(", ")", "[", "]", ",", "、", "-", "–", "~", "||"}
    negated = {"not between", "不介于", "not matches", "不匹配"}
    assert spelling in days | signs | negated or spelling in PAGE
