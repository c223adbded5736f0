"""What is printed: columns that stand under each other, and nothing that could steer a terminal."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from casebook.adapters.cli import output
from tests.cli.conftest import Run


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


def test_a_text_that_hides_in_tag_characters_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    hidden = "zebra\U000e0041\U000e0042"
    assert output.visible(hidden) == r"zebra\udb40\udc41\udb40\udc42"
    output.data({"text": hidden})
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert json.loads(printed) == {"text": hidden}


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


def test_of_many_words_the_first_are_told_none_twice_and_the_rest_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output.several(["a", "b", "a"], "ask")
    assert capsys.readouterr().err == "a\nb\n"
    output.several([*range(20), 3, 4], "ask")
    assert capsys.readouterr().err.splitlines() == [str(each) for each in range(20)]
    output.several(range(1_030), "ask")
    assert capsys.readouterr().err.splitlines() == [*(str(each) for each in range(20)), "… and 1,010 more; ask"]


def test_a_folder_of_broken_cases_is_told_in_few_lines(casebook: Run, memory: Path) -> None:
    bad = [{"id": f"bad_{place}", "trigger_conditions": ["tol is 1"], "correction": "x"} for place in range(300)]
    for name in ("a", "b"):
        text = json.dumps(bad, indent=1)
        (memory / "long_term" / f"{name}.json").write_text(text, encoding="utf-8")
    lines = casebook("match", "--text", "x", "--dir", "memory").err.splitlines()
    assert "600 faults in the casebook; the rest serves:" in lines
    assert lines[-1] == "… and 580 more; `casebook check` tells all"
    assert len(lines) == len(set(lines)) <= 23
    task = '{"context": {' + ", ".join(f'"k{place}": NaN' for place in range(500)) + "}}"
    lines = casebook("match", "--task", "-", stdin=task).err.splitlines()
    assert len([line for line in lines if line.startswith("warning")]) <= 20
    assert len(lines) == len(set(lines)) <= 45
    added = casebook("add", "-", stdin=json.dumps(bad))
    assert added.code == 1
    assert len(added.err.splitlines()) == 22


@pytest.mark.parametrize(
    "columns, head",
    [
        (200, "id  status  tags  correction"),
        (44, "id  status  tags  correction"),
        (40, "id  status  correction"),
        (20, "id  correction"),
    ],
)
def test_on_a_narrow_terminal_columns_are_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int, head: str
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((columns, 24)))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    output.table(["id", "status", "tags", "correction"], [["a", "active", "t", "推" * 60]], ["tags", "status"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == head
    assert max(map(output.width, lines)) <= columns


@pytest.mark.parametrize("correction", ["word " * 60, "推" * 150])
def test_a_long_correction_takes_one_line_of_a_list_and_is_whole_elsewhere(
    casebook: Run, memory: Path, correction: str
) -> None:
    form = {"id": "long", "trigger_conditions": ["tool is shell"], "correction": correction.strip()}
    assert casebook("add", stdin=json.dumps(form)).code == 0
    head, _, line = casebook("list").out.splitlines()
    shown = line[line.index(correction[0], 40) :]
    assert line.endswith("…")
    assert output.width(shown) <= 100
    assert head.endswith("correction")
    assert json.loads(casebook("list", "--json").out)[1]["correction"] == correction.strip()
    assert correction.strip() in casebook("show", "long").out


def test_of_many_names_the_first_are_told_and_the_rest_is_counted() -> None:
    assert output.named(["a", "b"]) == "a, b"
    assert output.named([str(each) for each in range(25)]).endswith(", 18, 19 … and 5 more")
