"""Places in JSON text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.json_place import key_of, line_column, lone_surrogate, repeated_key, span_of, within_string

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    found = [(at, value)]
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += paths(item, (*at, key))
    return found


@given(_JSON, st.sampled_from([None, 1, 4]), st.booleans())
def test_the_span_of_every_path_holds_its_value(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = " " + json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    for path, item in paths(value):
        start, end = span_of(text, path)
        assert json.loads(text[start:end]) == item


def test_a_missing_field_stands_where_its_object_does() -> None:
    text = '{"a": {"b": 1}}'
    assert span_of(text, ("a", "c")) == (6, 14)
    assert span_of("{oops", ("a",)) == (0, 0)
    assert key_of(text, ("a", "b")) == 7
    assert key_of(text, ("a", "c")) is None


@given(st.text(max_size=10), st.booleans())
def test_a_character_of_a_string_is_found_through_its_escapes(text: str, ascii_only: bool) -> None:
    written = json.dumps(text, ensure_ascii=ascii_only)
    for index in range(len(text)):
        start, end = within_string(written, 0, index), within_string(written, 0, index + 1)
        assert json.loads(f'"{written[start:end]}"') == text[index]


def test_a_key_that_stands_twice_is_found_at_any_depth() -> None:
    assert repeated_key('{"a": 1, "b": [{"c": 1, "c": 2}]}') == (("b", 0, "c"), 24)
    assert repeated_key('{"a": {"b": 1}, "b": 2}') is None


@pytest.mark.parametrize(
    "text, at",
    [(r'"a\ud800b"', 2), (r'"\ud83d\ude00"', None), (r'"\\ud800"', None), (r'"\ude00\ud83d"', 1), ('"é"', None)],
)
def test_half_a_surrogate_pair_is_found(text: str, at: int | None) -> None:
    assert lone_surrogate(text) == at


def test_lines_and_columns_count_characters_from_one() -> None:
    assert line_column("中文\nx", 0) == (1, 1)
    assert line_column("中文\nx", 2) == (1, 3)
    assert line_column("中文\nx", 3) == (2, 1)
