"""`before-task` and `after-task`: JSON in, JSON out; three errors make a case, and the fourth is preceded by it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Run

NOW = ("--now", "2026-03-20T12:00")
STOCK = ("--tool", "stock", "--session", "s1", "--user", "ann")
ERROR = ("after-task", "--error", "KeyError", "--message", "'sku'", *STOCK)
RECEIPT = {"id", "new", "tier", "signature", "occurrences", "case", "made", "draft", "changed", "ask", "warnings"}


def answer(result: Result) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(result.out)
    assert (result.code, result.err) == (0, "".join(f"warning: {each}\n" for each in made["warnings"]))
    return made


def test_three_errors_make_a_case_that_precedes_the_fourth(casebook: Run, memory: Path) -> None:
    said = [answer(casebook(*ERROR, "--arg", f"item={at}", *NOW)) for at in (1, 2, 3)]
    assert [(each["occurrences"], each["tier"], each["made"]) for each in said] == [
        (1, "L1", False), (2, "L1", False), (3, "L3", True),
    ]  # fmt: skip
    assert set(said[0]) == RECEIPT
    case = said[2]["case"]
    before = answer(casebook("before-task", *STOCK, "--arg", "item=4", *NOW))
    assert [each["id"] for each in before["matched"]] == [case]
    assert "KeyError" in before["prompt"]
    assert (memory / "long_term" / "learnt.json").exists()


def test_before_task_says_what_match_does_and_the_activation(casebook: Run, memory: Path) -> None:
    task = json.dumps({"intent": "主动推送", "at": "2026-03-20T03:00:00+08:00"})
    said = answer(casebook("before-task", "--task", "-", "--dir", "memory", *NOW, stdin=task))
    matched = json.loads(casebook("match", "--json", "--task", "-", *NOW, stdin=task).out)
    activation, warnings, related = said.pop("activation"), said.pop("warnings"), said.pop("related")
    assert said == matched
    assert (warnings, related) == ([], [])
    assert len(activation) == 36
    assert [each["id"] for each in said["matched"]] == ["case_001"]


def test_advice_is_given_once_a_session_where_the_host_keeps_it(casebook: Run, memory: Path) -> None:
    task = ("before-task", "--intent", "主动推送", "--session", "s1", "--at", "2026-03-20T03:00", *NOW)
    assert [bool(answer(casebook(*task, "--persists"))["prompt"]) for _ in range(2)] == [True, False]


def test_an_outcome_answers_an_activation(casebook: Run, memory: Path) -> None:
    before = answer(casebook("before-task", *STOCK, "--arg", "item=1", *NOW))
    form = {"kind": "error", "type": "KeyError", "message": "'sku'", "activation": before["activation"]}
    first = answer(casebook("after-task", "--outcome", "-", *NOW, stdin=json.dumps(form)))
    again = answer(casebook("after-task", "--outcome", "-", *NOW, stdin=json.dumps(form)))
    by_option = answer(
        casebook("after-task", "--activation", before["activation"], "--error", "KeyError", "--message", "'sku'", *NOW)
    )
    assert [each["new"] for each in (first, again, by_option)] == [True, False, False]
    assert first["id"] == again["id"] == by_option["id"]
    files = list((memory / "short_term").glob("session_s1-*.json"))
    assert json.loads(files[0].read_text())["memories"][0]["source"]["activation"] == before["activation"]


def test_an_outcome_may_hold_its_task(casebook: Run, memory: Path) -> None:
    form = {"kind": "success", "tool": "stock", "task": {"session": "s7", "user": "bob"}}
    assert answer(casebook("after-task", "--outcome", "-", *NOW, stdin=json.dumps(form)))["tier"] == "L1"
    assert [each.name[:10] for each in (memory / "short_term").glob("*.json")] == ["session_s7"]


def test_outcome_and_task_may_be_files(casebook: Run, memory: Path) -> None:
    Path("task.json").write_text('{"tool": "stock", "args": {"item": 1}, "session": "s3"}')
    Path("outcome.json").write_text('{"kind": "error", "type": "KeyError", "message": "\'sku\'"}')
    said = answer(casebook("after-task", "--outcome", "outcome.json", "--task", "task.json", "--id", "mine", *NOW))
    assert (said["id"], said["occurrences"]) == ("mine", 1)


@pytest.mark.parametrize(
    "given, tier, kind",
    [
        (("--success",), "L1", "success"),
        (("--message", "it broke"), "L1", "error"),
        (("--feedback", "太吵了"), "L2", "feedback"),
        (("--correction-of", "name the warehouse", "--by", "person"), "L1", "lesson"),
        (("--error", "E", "--correction", "fetch first"), "L1", "error"),
    ],
)
def test_each_kind_of_outcome_has_its_option(
    casebook: Run, memory: Path, given: tuple[str, ...], tier: str, kind: str
) -> None:
    assert answer(casebook("after-task", *given, "--session", "s1", *NOW))["tier"] == tier
    folder = "medium_term" if tier == "L2" else "short_term"
    (file,) = (memory / folder).glob("*.json")
    assert [each["kind"] for each in json.loads(file.read_text(encoding="utf-8"))["memories"]] == [kind]


def test_the_marks_of_a_session_are_told(casebook: Run, memory: Path) -> None:
    assert answer(casebook("after-task", "--compacted", "--session", "s1", *NOW))["new"] is True
    answer(casebook(*ERROR, *NOW))
    (file,) = (memory / "short_term").glob("*.json")
    assert answer(casebook("after-task", "--ended", "--session", "s1", "--user", "ann", *NOW))["remembered"] == []
    assert not file.exists()  # what of a session that is over was of no use is in the archive
    assert list((memory / "archive").rglob("*.json*"))


@pytest.mark.parametrize(
    "given, stdin, told",
    [
        ((), "", "expected an outcome: --outcome FILE"),
        (("--success", "--feedback", "x"), "", "expected one kind of outcome, got --feedback and --success"),
        (("--success", "--message", "x"), "", "expected one kind of outcome"),
        (("--success", "--correction", "x"), "", "--correction: expected an error, got the outcome success"),
        (("--outcome", "-", "--task", "-"), "{}", "expected stdin once"),
        (("--outcome", "-"), "[1]", "stdin: expected an outcome as a JSON object, got [1]"),
        (("--outcome", "-"), "{", "stdin:1:2: expected"),
        (("--outcome", "-"), '{"kind": "eror"}', "stdin: kind: expected one of error, success, feedback"),
        (("--outcome", "-"), '{"kind": "error", "mesage": "x"}', 'stdin: mesage: no field is called "mesage" (message)'),
        (("--outcome", "-"), '{"kind": "error", "activation": 7}', "activation: expected the id that before-task printed"),
        (("--outcome", "-"), '{"kind": "error", "task": 7}', "expected a task as a JSON object, got 7"),
        (("--success", "--activation", "x", "--session", "s"), "", "expected an activation or a task, got both (--session)"),
        (("--success", "--by", "me"), "", "--by: expected one of person, agent"),
        (("--feedback", " "), "", "casebook: text: expected the words of the feedback, got"),
        (("--correction-of", ""), "", "casebook: text: expected the words of the correction, got"),
        (("--outcome", "-"), '{"kind": "feedback"}', "casebook: stdin: text: expected the words of the feedback, got null"),
        (("--outcome", "nowhere.json"), "", "nowhere.json: there is no such file"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told_and_nothing_recorded(
    casebook: Run, memory: Path, given: tuple[str, ...], stdin: str, told: str
) -> None:
    result = casebook("after-task", *given, *NOW, stdin=stdin)
    assert (result.code, result.out) == (2, "")
    assert told in result.err
    assert not (memory / ".casebook" / "journal.db").exists()


def test_an_activation_that_nobody_knows_is_told_and_the_outcome_kept(casebook: Run, memory: Path) -> None:
    result = casebook("after-task", *ERROR[1:5], "--tool", "stock", "--activation", "nobody-s", "--dir", "memory", *NOW)
    said = json.loads(result.out)
    assert (result.code, said["occurrences"]) == (0, 1)
    (warning,) = said["warnings"]
    assert "nobody-s" in warning
    assert result.err == f"warning: {warning}\n"


@pytest.mark.parametrize("command", ["before-task", "after-task"])
def test_what_goes_wrong_on_the_way_is_in_the_data_and_told_once_on_stderr(
    casebook: Run, memory: Path, command: str
) -> None:
    task = json.dumps({"tool": "stock", "context": {"n": float("nan")}})
    more = ("--success",) if command == "after-task" else ()
    result = casebook(command, *more, "--task", "-", "--dir", "memory", *NOW, stdin=task)
    assert result.code == 0
    lines = result.err.splitlines()
    assert len(lines) == len(set(lines)) == 1
    assert "NaN" in lines[0]


@pytest.mark.parametrize("spelled", ["Infinity", "1e400"])
def test_an_infinite_number_is_taken_as_the_largest_and_told(casebook: Run, memory: Path, spelled: str) -> None:
    task = '{"tool": "stock", "args": {"n": ' + spelled + "}}"
    result = casebook("before-task", "--task", "-", "--dir", "memory", *NOW, stdin=task)
    assert result.code == 0
    assert result.err.startswith("warning: args.n is inf, which is no JSON value: taken as 1.79")


COMMANDS = [
    ("before-task", "--text", "hello"), ("after-task", "--success", "--tool", "stock"), ("match", "--text", "hello"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_served_here_and_not_trusted_is_told(casebook: Run, memory: Path, command: tuple[str, ...]) -> None:
    told = "memory is not trusted: hosts use nothing of it; `casebook trust memory` shows it"
    result = casebook(*command, *NOW)
    assert result.code == 0
    assert result.err.splitlines().count(f"warning: {told}") == 1
    if command[0] != "match":
        assert json.loads(result.out)["warnings"] == [told]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("by", ["--dir", "$CASEBOOK_DIR", "trusted", "own"])
def test_what_was_named_or_is_trusted_is_served_without_a_word(
    casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], by: str
) -> None:
    if by == "$CASEBOOK_DIR":
        monkeypatch.setenv("CASEBOOK_DIR", "memory")
    elif by == "trusted":
        assert casebook("trust", "memory", "--yes").code == 0
    elif by == "own":
        memory.rename(Path("~/.casebook").expanduser())
    result = casebook(*command, *(("--dir", "memory") if by == "--dir" else ()), *NOW)
    assert result.code == 0
    assert "trust" not in result.err + result.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(casebook: Run, memory: Path) -> None:
    memory.chmod(0o500)
    try:
        result = casebook(*ERROR, *NOW)
    finally:
        memory.chmod(0o700)
    assert result.code in (0, 1)
    assert "Permission denied" in result.out + result.err
