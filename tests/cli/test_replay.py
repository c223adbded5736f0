"""replay: the table of a record, for people and programs; what is no call is told; nothing here is touched."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

AIRLINE = Path(__file__).parents[1] / "replay" / "airline.jsonl"


def rows(number: int = 4, **fields: Any) -> str:
    """A tool that fails each time in the same way, with another address."""
    return "".join(
        json.dumps({"tool": "send", "args": {"to": f"u{at}"}, "error": f"no such mailbox: u{at}", **fields}) + "\n"
        for at in range(number)
    )


def write(here: Path, text: str, name: str = "calls.jsonl") -> str:
    (here / name).write_text(text, encoding="utf-8")
    return name


def test_the_table_of_the_airline_record(casebook: Run, here: Path) -> None:
    result = casebook("replay", str(AIRLINE))
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "572 calls of 89 sessions, 539 of them clean"
    told = dict(line.rsplit("  ", 1) for line in lines[2:8])
    figures = {name.strip(): value.strip() for name, value in told.items()}
    needless = figures.pop("needless firings")
    assert figures == {
        "errors": "33", "kinds": "7", "promotions": "5", "repeats after promotion": "15",
        "repeats preceded by the right correction": "15",
    }  # fmt: skip
    assert needless.endswith(" of 539 clean calls")
    assert int(needless.split()[0]) < 35
    assert lines[9].split("  ")[0] == "errors"
    assert len([line for line in lines if line.startswith("err-")]) == 5
    assert len([line for line in lines if line.startswith("  correction")]) == 5
    assert list(here.iterdir()) == []


def test_the_same_for_programs(casebook: Run, here: Path) -> None:
    found = json.loads(casebook("replay", str(AIRLINE), "--json").out)
    assert (found["calls"], found["clean"], found["errors"], found["kinds"], found["promotions"]) == (
        572,
        539,
        33,
        7,
        5,
    )
    assert found["repeats"] == found["repeats_preceded"] == 15
    assert found["needless"] < 35
    assert sorted(kind["errors"] for kind in found["by_kind"]) == [1, 2, 3, 6, 6, 7, 8]
    assert [made["occurrence"] for made in found["cases"]] == [3] * 5
    for made in found["cases"]:
        assert made["status"] == "active"
        assert made["trigger_conditions"]
        assert made["correction"]


def test_a_record_from_stdin(casebook: Run, here: Path) -> None:
    found = json.loads(casebook("replay", "-", "--json", stdin=rows()).out)
    assert (found["errors"], found["promotions"], found["repeats_preceded"]) == (4, 1, 1)


def test_other_names_are_mapped(casebook: Run, here: Path) -> None:
    line = json.dumps(
        {"name": "send", "input": {"to": "x"}, "result": {"failed": True, "text": "no such mailbox: 'x'"}}
    )
    name = write(here, f"{line}\n" * 4)
    mapping = ("--map", "tool=name,args=input", "--map", "error=result.text,ok=!result.failed")
    found = json.loads(casebook("replay", name, *mapping, "--json").out)
    assert (found["errors"], found["promotions"]) == (4, 1)


def test_bad_lines_are_told_with_their_numbers_and_skipped(casebook: Run, here: Path) -> None:
    name = write(here, rows(1) + "{\n[1]\n" + rows(1))
    result = casebook("replay", name, "--json")
    assert (result.code, json.loads(result.out)["calls"]) == (0, 2)
    assert (
        "skipped calls.jsonl line 2: expected a JSON object: at column 2 expected a field in double quotes, got the end of the "
        "line\n" in result.err
    )
    assert "skipped calls.jsonl line 3: expected a JSON object, got [1]\n" in result.err


def test_of_many_bad_lines_the_first_are_told_and_the_rest_counted(casebook: Run, here: Path) -> None:
    result = casebook("replay", write(here, rows(1) + "{\n" * 50))
    assert result.err.splitlines()[-1] == "… and 30 more; 50 lines skipped in all"


@pytest.mark.parametrize(
    "text, arguments, told",
    [
        ("", (), "expected recorded tool calls, a JSON object a line; calls.jsonl: got nothing"),
        (
            '{"name": "x"}',
            (),
            "calls.jsonl line 1: tool: expected it, found nothing (the line has name; --map tool=FIELD",
        ),
        (
            '[\n {"tool": "x"},\n {"tool": "y"}\n]\n',
            (),
            "calls.jsonl: expected a JSON object a line, got one JSON array; `jq",
        ),
        ("{}", ("--map", "tols=x"), "replay: --map: a record has no field 'tols'; did you mean tool?"),
        ("{}", ("--map", "tool"), "replay: --map: expected FIELD=PATH, got 'tool'"),
        (rows(), ("--case", "none.json"), "none.json: there is no such file"),
        (rows(), ("--keep", "."), "--keep .: expected a new or an empty folder, and there is something in it"),
        (rows(), ("--keep", "calls.jsonl"), "--keep calls.jsonl: expected a folder: File exists"),
        (rows(), ("--with-cases",), "there is no casebook here"),
    ],
)
def test_wrong_usage(casebook: Run, here: Path, text: str, arguments: tuple[str, ...], told: str) -> None:
    result = casebook("replay", write(here, text), *arguments)
    assert (result.code, result.out) == (2, "")
    assert told in result.err


def test_a_record_that_is_not_there(casebook: Run, here: Path) -> None:
    write(here, rows())
    result = casebook("replay", "call.jsonl")
    assert (result.code, result.err) == (2, "casebook: call.jsonl: there is no such file; did you mean calls.jsonl?\n")


def test_the_scratch_casebook_can_be_kept(casebook: Run, here: Path) -> None:
    result = casebook("replay", write(here, rows()), "--keep", "scratch")
    assert result.err == "the casebook is in scratch: `casebook --dir scratch list`\n"
    (made,) = json.loads(casebook("list", "--dir", "scratch", "--json").out)
    assert (made["id"] in result.out, made["status"]) == (True, "active")
    stats = json.loads(casebook("stats", "--dir", "scratch", "--json").out)
    assert (stats["activations"], stats["errors"], stats["promotions"], stats["waiting"]) == (4, 4, 1, 1)


def test_nothing_of_the_casebook_here_is_read_or_written(casebook: Run, memory: Path) -> None:
    before = {path: path.read_bytes() for path in memory.rglob("*") if path.is_file()}
    (memory / "memory-policy.yaml").write_text("detector:\n  enabled: false\n", encoding="utf-8")
    before[memory / "memory-policy.yaml"] = (memory / "memory-policy.yaml").read_bytes()
    assert json.loads(casebook("replay", write(memory.parent, rows()), "--json").out)["promotions"] == 1
    assert {path: path.read_bytes() for path in memory.rglob("*") if path.is_file()} == before


def test_with_cases_it_begins_with_those_of_the_casebook(casebook: Run, memory: Path) -> None:
    (memory / "memory-policy.yaml").write_text("detector:\n  threshold: 2\n", encoding="utf-8")
    name = write(memory.parent, rows())
    found = json.loads(casebook("replay", name, "--with-cases", "--keep", "scratch", "--json").out)
    assert found["cases"][0]["occurrence"] == 2
    ids = {each["id"] for each in json.loads(casebook("list", "--dir", "scratch", "--json").out)}
    assert ids == {"case_001", found["cases"][0]["id"]}


def test_now_is_the_instant_of_the_first_call(casebook: Run, here: Path) -> None:
    case = {
        "id": "night",
        "trigger_conditions": ["tool is send", "time between 00:00 and 06:00"],
        "correction": "Wait.",
    }
    name, tried = write(here, rows()), write(here, json.dumps(case), "case.json")
    at_night = casebook("replay", name, "--case", tried, "--now", "2026-03-21T05:58", "--json")
    assert json.loads(at_night.out)["fired"] == 2


# -- one case -------------------------------------------------------------------------------------------------------------


def test_one_case_on_a_record(casebook: Run, here: Path) -> None:
    case = {"id": "seats", "trigger_conditions": ["tool is book_reservation"], "correction": "Look for seats first."}
    tried = write(here, json.dumps(case), "case.json")
    result = casebook("replay", str(AIRLINE), "--case", tried)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "seats on 572 calls, 33 of them errors"
    assert [" ".join(line.split()) for line in lines[2:6]] == [
        "fires 20", "before an error 10", "needless 10 of 539 clean calls", "precision 50%",
    ]  # fmt: skip
    assert lines[7].split() == ["errors", "kind"]
    assert [line.split()[0] for line in lines[8:]] == ["8", "1", "1"]
    found = json.loads(casebook("replay", str(AIRLINE), "--case", tried, "--json").out)
    assert (found["case"], found["fired"], found["failed"], found["precision"]) == ("seats", 20, 10, 0.5)
    assert len(found["where"]) == 20


@pytest.mark.parametrize(
    "fields, why",
    [
        ({"on": ["task"]}, "held back 4 times: it is asked about at these points alone: task\n"),
        ({"scope": {"user": "ann"}}, "it is for user=ann alone\n"),
        ({"trigger_conditions": ["tool is other"]}, "no call meets its conditions\n"),
    ],
)
def test_why_a_case_never_fires(casebook: Run, here: Path, fields: dict[str, Any], why: str) -> None:
    case = {"id": "c", "trigger_conditions": ["tool is send"], "correction": "Ask.", **fields}
    result = casebook("replay", write(here, rows()), "--case", write(here, json.dumps(case), "case.json"))
    assert (result.code, result.err) == (0, why)


def test_a_case_with_faults_is_told_with_its_place(casebook: Run, here: Path) -> None:
    case = {"id": "c", "trigger_conditions": ["tool iss send"], "correction": "Ask."}
    result = casebook("replay", write(here, rows()), "--case", write(here, json.dumps(case), "case.json"))
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("case.json:1:")


def test_one_case_at_a_time(casebook: Run, here: Path) -> None:
    one = {"id": "c", "trigger_conditions": ["always"], "correction": "Ask."}
    for given, told in (([], "got 0"), ([one, {**one, "id": "d"}], "got 2")):
        result = casebook("replay", write(here, rows()), "--case", write(here, json.dumps(given), "case.json"))
        assert (result.code, result.err) == (2, f"casebook: case.json: expected one case, {told}\n")


# -- the bar --------------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_bar_is_for_terminals_and_gone_at_the_end(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from casebook.adapters.cli.main import main

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["replay", write(here, rows()), "--json"]) == 0
    told = terminal.getvalue().split("\r")
    assert told[1] == "replay [#######.......................]  25% of 4"
    assert told[4] == f"replay [{'#' * 30}] 100% of 4"
    assert told[5] == "\x1b[K"


def test_each_count_of_a_case_says_what_it_counts(casebook: Run, here: Path) -> None:
    """Bob's error is of the kind and does not count for ann's case; when a third user has it, the case is everyone's."""
    users = ("ann", "bob", "ann", "ann", "ann", "cy")
    record = "".join(rows(1, user=user, session=f"s{at}").replace("u0", f"u{at}") for at, user in enumerate(users))
    told = casebook("replay", write(here, record)).out
    assert "\n6       4            1        1         send   no such mailbox" in told
    assert ", by error 4 of its kind, 3 of which count for it\n" in told
    assert "failed 6 times" in told
    assert "(by: caution; rewritten since it was made)\n" in told
    (case,) = json.loads(casebook("replay", "calls.jsonl", "--json").out)["cases"]
    assert (case["error"], case["occurrence"], case["rewritten"]) == (4, 3, True)


def test_where_all_errors_count_there_is_one_count(casebook: Run, here: Path) -> None:
    told = casebook("replay", write(here, rows(4))).out
    assert ", by error 3 of its kind\n" in told
    assert "(by: caution)\n" in told
