"""What is printed: columns that stand under each other, and nothing that could steer a terminal."""

from __future__ import annotations

import json

import pytest

from casebook.adapters.cli import output


@pytest.mark.parametrize(
    "text, columns",
    [("", 0), ("abc", 3), ("推送", 4), ("ｆｕｌｌ", 8), ("e\u0301", 1), ("ｶﾅ", 2), ("🚀", 2), ("a推b", 4)],
)
def test_the_width_of_a_text_in_columns(text: str, columns: int) -> None:
    assert output.width(text) == columns


@pytest.mark.parametrize(
    "text, columns, cut",
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("推送推送", 8, "推送推送"),
        ("推送推送", 6, "推送…"),
        ("推送推送", 4, "推…"),
    ],
)
def test_a_text_is_cut_to_columns_and_never_within_a_character(text: str, columns: int, cut: str) -> None:
    assert output.clipped(text, columns) == cut
    assert output.width(cut) <= columns


def test_columns_stand_under_each_other_whatever_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(["id", "text"], [["推送", "一"], ["a", "b\nc"]])
    assert capsys.readouterr().out == "id    text\n推送  一\na     b c\n"


@pytest.mark.parametrize(
    "character", ["\x1b", "\x07", "\x7f", "\x9b", "\u202e", "\u2066", "\u200b", "\ufeff", "\ud800", "\r"]
)
def test_what_steers_or_hides_is_shown_as_its_number(character: str) -> None:
    assert output.visible(f"a{character}b") == f"a\\u{ord(character):04x}b"


def test_json_keeps_every_character_and_sends_none_that_steers(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"text": "推送\x1b[0m\x9b\u202e\u200d\ud800\n"}
    output.data(value)
    printed = capsys.readouterr().out
    assert "推送" in printed
    assert not set("\x1b\x9b\u202e\ud800") & set(printed)
    assert json.loads(printed) == value


@pytest.mark.parametrize("number, text", [(0, "0 cases"), (1, "1 case"), (1234, "1,234 cases")])
def test_a_number_with_its_noun(number: int, text: str) -> None:
    assert output.counted(number, "case") == text
