"""The table of a case's fields in docs/authoring.md names them all, in their order, with their defaults."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, get_args

import pytest

from casebook.case import CASE_FIELDS, Case, CaseError
from casebook.duration import duration
from casebook.scope import EVERYONE
from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", PAGE.split("## All fields")[1], re.MULTILINE)
WORDS = {"none": (None, ()), "empty": ("",), "everyone": (EVERYONE,), "the policy's": (None,)}
LENGTHS = re.findall(r"^\| (`\S+`(?:, `\S+`)*) \| [^|]+ \|$", PAGE.split("### Lengths")[1], re.MULTILINE)


def test_the_table_names_every_field_in_order() -> None:
    assert tuple(name for name, _, _ in ROWS) == CASE_FIELDS


@pytest.mark.parametrize(("name", "default"), [row[:2] for row in ROWS])
def test_a_default_is_as_the_table_says(name: str, default: str) -> None:
    field = Case.model_fields[name]
    assert field.is_required() == (default == "must be there")
    if default in WORDS:
        assert field.default in WORDS[default]
    elif name != "on" and not field.is_required():
        assert str(field.default) == default.strip("`")


@pytest.mark.parametrize("name", ["type", "correction_by", "effect", "on", "status", "mode"])
def test_a_row_names_every_value_that_the_field_takes(name: str) -> None:
    (told,) = [takes for each, _, takes in ROWS if each == name]
    assert set(words_of(Case.model_fields[name].annotation)) <= set(re.findall(r"`(\w+)", told))


def words_of(annotation: Any) -> list[str]:
    """Give the strings that a Literal, alone or within others, allows."""
    return [each for part in get_args(annotation) for each in ([part] if isinstance(part, str) else words_of(part))]


@pytest.mark.parametrize("name", ["x-owner", "$comment", "$schema", "owner"])
def test_only_free_fields_are_free(name: str) -> None:
    form = {"id": "A_b-1.c", "trigger_conditions": ["always"], "correction": "-", name: 1}
    if name == "owner":
        with pytest.raises(CaseError):
            Case.from_json(form)
    else:
        assert Case.from_json(form).to_json()[name] == 1


@pytest.mark.parametrize("written", re.findall(r"`([^`]+)`", " ".join(LENGTHS)))
def test_a_length_of_the_table_can_be_read(written: str) -> None:
    value = written.strip('"') if written.startswith('"') else int(written)
    assert duration(value) > timedelta()
