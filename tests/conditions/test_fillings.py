"""A text that a pattern is found in is read off its tree, so that a long pattern costs no search."""

from __future__ import annotations

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from casebook.conditions.satisfiable import Witness, satisfiable
from casebook.conditions.solving import patterns
from casebook.conditions.solving.filling import filled
from casebook.conditions.tree import Field, Node, Not, Pattern, Test
from casebook.runtime.teaching.in_command import word_pattern

LINE = Field(("args", "command"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"abc", "abc"),
        (r"^abc$", "abc"),
        (r"(^|\s)--force(\s|$)", " --force "),
        (r"long|no", "no"),
        (r"(^|/)x", "/x"),
        (r"a?b*c+d{3}", "cddd"),
        (r"[^x]", "a"),
        (r"", ""),
        (r"\bgit\b", None),  # word boundaries are not read
    ],
)
def test_a_pattern_is_filled_in(source: str, text: str | None) -> None:
    assert filled(Pattern(source)) == text


PLAIN = st.recursive(
    st.sampled_from(["a", "B", r"\d", r"\s", "[x-z]", r"[^ab]", ".", r"\."]),
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=3).map("".join),
        st.lists(below, min_size=1, max_size=3).map(lambda each: f"({'|'.join(each)})"),
        st.tuples(below, st.sampled_from(["?", "*", "+", "{2}", "{1,3}"])).map(lambda each: f"({each[0]}){each[1]}"),
    ),
    max_leaves=8,
)


@given(PLAIN, st.sampled_from(["", "i"]))
def test_without_an_anchor_it_is_always_found_in_what_is_filled_in(source: str, flags: str) -> None:
    text = filled(Pattern(source, flags))
    assert text is not None
    assert re2.search(f"(?i){source}" if flags else source, text)


@pytest.mark.parametrize(
    "nodes",
    [
        (Test(LINE, "matches", word_pattern("git push", "--force")), Test(LINE, "matches", word_pattern("git push", "main"))),
        (Test(LINE, "matches", word_pattern("docker compose down", "-v")),),
        (Test(LINE, "matches", word_pattern("git push", "main")), Not(Test(LINE, "matches", word_pattern("git push", "--force")))),
        (Test(LINE, "contains", "npm"), Test(LINE, "matches", word_pattern("npm publish", "--tag"))),
    ],
)  # fmt: skip
def test_what_people_say_of_command_lines_needs_no_search(
    nodes: tuple[Node, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(*_: object) -> None:
        raise AssertionError("a text was searched for")

    monkeypatch.setattr(patterns, "texts", searched)
    assert isinstance(satisfiable(nodes, "UTC"), Witness)
