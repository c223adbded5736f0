"""Settings are read as their host reads them: what it takes, and the place of what it does not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.adapters.wiring.dialects import Dialect, read_as
from casebook.adapters.wiring.json_splice import NotPlainError, read_object

TAKEN = [
    # text, what it is, the dialects that take it
    ('{"a": [1, -2.5e3, true, null]}', {"a": [1, -2500.0, True, None]}, "json comments json5"),
    ('{"a": 1 // one\n}', {"a": 1}, "comments json5"),
    ('/* "b": 2 */ {"a": "//no /*comment*/"}', {"a": "//no /*comment*/"}, "comments json5"),
    ('{"a": "\\"//", /* x\n */ "b": 2}', {"a": '"//', "b": 2}, "comments json5"),
    ('{"a": 1,}', {"a": 1}, "json5"),
    ('{"a": [1, 2,],}', {"a": [1, 2]}, "json5"),
    ("{a: 1, $b_2: 2, true: 3, größe: 4}", {"a": 1, "$b_2": 2, "true": 3, "größe": 4}, "json5"),
    ("{'a': 'it\\'s \"x\"'}", {"a": 'it\'s "x"'}, "json5"),
    ('{"a": "\\x41\\u00e9\\ud83d\\ude00\\\n\\q"}', {"a": "Aé😀q"}, "json5"),
    ("{a: .5, b: 5., c: +1, d: -0x1F}", {"a": 0.5, "b": 5.0, "c": 1, "d": -31}, "json5"),
    ("{}", {}, "json comments json5"),
]
DIALECTS: tuple[Dialect, ...] = ("json", "comments", "json5")


@pytest.mark.parametrize("text, value, taken", TAKEN)
def test_a_text_is_read_by_the_dialects_that_have_it_and_by_no_other(text, value, taken):
    for dialect in DIALECTS:
        if dialect in taken.split():
            assert read_as(dialect, text) == value
        else:
            with pytest.raises(NotPlainError):
                read_as(dialect, text)


@pytest.mark.parametrize(
    "text, told",
    [
        ("{,}", "line 1, column 2: expected JSON5, got ','"),
        ('{\n  "a": 1,,\n}', "line 2, column 10: expected JSON5, got ','"),
        ("{\n  a: yes}", "line 2, column 6: expected JSON5, got 'yes'"),
        ("{a: 1", "expected JSON5, got the end of the file"),
        ("{a: 01}", "line 1, column 6: expected JSON5, got '1'"),
        ('{"a": "x\n"}', "line 1, column 7: expected JSON5, got '\"'"),
        ("{a: 1} /* x", "line 1, column 8: expected JSON5, got '/'"),
        ("[a, ]", "expected JSON5"),
        ("[1,]", "expected an object"),
        ("", "expected JSON5, got the end of the file"),
    ],
)
def test_what_openclaw_cannot_read_either_is_told_with_its_place(text, told):
    with pytest.raises(NotPlainError) as raised:
        read_as("json5", text)
    assert told in str(raised.value)


def test_a_comment_leaves_the_place_of_what_comes_after_it():
    with pytest.raises(NotPlainError, match="line 3, column 8"):
        read_as("comments", '{ /* one\n two */\n  "a": x}')


def test_no_depth_is_too_deep_to_be_told():
    for text in ("[" * 100_000 + ",", '{"a":' * 100_000):
        with pytest.raises(NotPlainError):
            read_as("json5", text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON), st.sampled_from([None, 2]), st.booleans())
def test_plain_json_is_the_same_in_every_dialect_and_behind_a_comment(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert read_object(text) == value
    for dialect in DIALECTS:
        assert read_as(dialect, text) == value
    for dialect in DIALECTS[1:]:
        assert read_as(dialect, f"// mine\n{text}") == value
