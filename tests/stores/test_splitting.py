"""The text of a file, split into its elements."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.stores.splitting import SplitError, items, split


def taken(text: str) -> tuple[str, list[Any]]:
    values: list[Any] = []
    found = split(text, lambda value, start, end, _: values.append((value, text[start:end])))
    return found.shape, values


@pytest.mark.parametrize(
    "text, shape, count",
    [
        ("[]", "array", 0),
        (' [ {"id": "a"} , {"id": "b"}\n] ', "array", 2),
        ('{"id": "a"}', "one", 1),
        ('{"cases": [{"id": "a"}]}', "envelope", 1),
        ('{"$schema": "x", "format": 1, "cases": [], "x-ours": [1], "$comment": "c"}', "envelope", 0),
        ('{"format": 3, "min_reader": 1, "cases": [{"id": "a"}], "news": {}}', "envelope", 1),
        ('{"format": 1, "memories": [{"id": "a"}]}', "other", 0),
    ],
)
def test_each_form_of_a_file_is_split(text: str, shape: str, count: int) -> None:
    found, values = taken(text)
    assert (found, len(values)) == (shape, count)
    assert all(json.loads(raw) == value for value, raw in values)


@pytest.mark.parametrize(
    "text, line, column, told, cure",
    [
        ("", None, None, "got an empty file", "an empty one is written []"),
        (" \n ", None, None, "got an empty file", None),
        ('[\n  {"a": "\\s"}]', 2, 10, r"expected an escape of JSON, got \s", r"write \\s for a backslash"),
        ('[{"a": "\\u12"}]', 1, 9, r"expected \u and four digits", None),
        ('[{"a": "x\ny"}]', 1, 10, "bare control character", r"write \n for a new line"),
        ('[{"a": 1},]', 1, 10, "another case after the comma", "leave the comma out"),
        ('[{"a": 1,}]', 1, 9, "another value after the comma", "leave the comma out"),
        ('[{"a": [1,]}]', 1, 10, "another value after the comma", "leave the comma out"),
        ('[{"a": 1} {"b": 2}]', 1, 11, "expected , or ] after a case", None),
        ('[{"a": 1', 1, 9, "got the end of the file", None),
        ('[{"a": "x', 1, 8, "a string to end", "add the closing quote"),
        ("[{'a': 1}]", 1, 3, "double quotes", None),
        ("[\n// why\n]", 2, 1, "a comment", 'comments go into "$comment"'),
        ("[] x", 1, 4, "the end of the file", None),
        ('"text"', 1, 1, "a case or an array of cases", None),
        ("tru", 1, 1, "a value", None),
        ('{"cases": {}}', 1, 11, "an array of cases", None),
        ('{"cases": [], "cases": []}', 1, 15, "once, found it again", None),
        ('{"cases": [], "frmat": 1}', 1, 15, 'called "frmat"', "format"),
        ('{"format": 2, "cases": []}', 1, 2, "asks for a newer release", None),
        ('{"format": true, "cases": []}', 1, 2, "expected format 1", None),
        ('{"format": 1}', 1, 1, 'expected "cases"', None),
        ("[" * 100_000, 1, 2, "nested less deep", None),
        ('{"a":' * 100_000, 1, 1, "nested less deep", None),
        (f"[{'1' * 5000}]", 1, 2, "a shorter number", None),
    ],
)
def test_what_is_no_file_of_cases_is_told_in_its_place_with_a_cure(
    text: str, line: int | None, column: int | None, told: str, cure: str | None
) -> None:
    with pytest.raises(SplitError) as caught:
        taken(text)
    assert told in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)
    assert cure is None or caught.value.suggestion == cure


@pytest.mark.parametrize(
    "text, before, after, count",
    [
        ("", False, False, 0), ("", False, True, 0), ("", True, False, 0), ("", True, True, None), (" , ", True, True, 0),
        (",{}", True, False, 1), (",{},", True, True, 1), ("{},", False, True, 1), ("{}", False, False, 1), ("{},{}", False, False, 2),
        (",", True, False, None), (",,", True, True, None), ("{} {}", False, False, None), (",{}", True, True, None),
        ("{}", True, False, None), ("{", False, False, None), ("{},", False, False, None), (",{}", False, False, None),
    ],
)  # fmt: skip
def test_a_run_of_items_is_taken_only_where_its_commas_fit(
    text: str, before: bool, after: bool, count: int | None
) -> None:
    values: list[Any] = []
    fits = items(text, lambda value, *_: values.append(value), comma_before=before, comma_after=after)
    assert fits == (count is not None)
    assert count is None or len(values) == count


@given(st.text(alphabet="[]{},:\"\\ \n10eNatrufls'/cid", max_size=40))
def test_any_text_is_split_or_refused_as_json_would(text: str) -> None:
    try:
        value = json.loads(text)
    except ValueError:
        with pytest.raises(SplitError):
            taken(text)
        return
    try:
        shape, values = taken(text)
    except SplitError:
        assert not isinstance(value, list)
    else:
        assert shape != "array" or len(values) == len(value)
