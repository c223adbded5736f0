"""check: every fault with its place and its cure, the good cases serving on, nothing rewritten."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import SEED, Run

SILENT_AT_NOON = {"intent": "主动推送", "at": "2026-03-21T12:00:00+08:00"}
FIRES_AT_NIGHT = {"intent": "主动推送", "at": "2026-03-21T03:00:00+08:00"}


def case(name: str, **fields: object) -> dict[str, object]:
    return {"id": name, "trigger_conditions": ["tool is shell"], "correction": "Look first.", **fields}


@pytest.fixture
def hostile(memory: Path) -> Path:
    """The folder of the issue: good cases beside every kind of broken file."""
    folder = memory / "long_term"
    files: dict[str, bytes] = {
        "a_truncated.json": SEED[:80].encode(),
        "b_field.json": json.dumps(case("wrong_field", prioriti=3)).encode(),
        "c_zone.json": json.dumps(case("wrong_zone", timezone="Asia/Shangai")).encode(),
        "d_condition.json": json.dumps([case("wrong_condition", trigger_conditions=["always", "tool is shell and time after 6pm"])]).encode(),
        "e_bom.json": b"\xef\xbb\xbf" + json.dumps(case("bom")).encode(),
        "f_crlf.json": json.dumps([case("crlf"), case("crlf_bad", effect="confim")], indent=2).replace("\n", "\r\n").encode(),
        "g_empty.json": b"",
        "h_big.json": json.dumps([case("big", **{"x-much": "x" * 60_000}), *(case(f"big{i}", trigger_conditions=[f"tool is big{i}"], **{"x-much": "y" * 60_000}) for i in range(170))]).encode(),
        "j_escape.json": b'{"id": "escape", "trigger_conditions": ["text matches /a\\sb/"], "correction": "x"}',
        "k_terminal.json": '{"id": "esc", "trigger_conditions": ["tool is \u202e\u001b[31mx"], "correction": "x"}'.replace("\x1b", "\\u001b").encode(),
        "z_double.json": json.dumps(case("bom")).encode(),
    }  # fmt: skip
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "i_folder.json").mkdir()
    return memory


def test_a_hostile_folder_is_told_place_by_place_while_the_good_cases_serve(casebook: Run, hostile: Path) -> None:
    before = {each: each.read_bytes() for each in hostile.rglob("*") if each.is_file()}
    result = casebook("check")
    assert result.code == 1
    lines = result.out.splitlines()

    def told(start: str, *parts: str) -> bool:
        return any(
            line.startswith(f"memory/long_term/{start}") and all(part in line for part in parts) for line in lines
        )

    assert told("a_truncated.json:", "expected")
    assert told("b_field.json:1:", "wrong_field prioriti", 'no field of a case is called "prioriti" (priority)')
    assert told("c_zone.json:1:", "wrong_zone timezone", 'got "Asia/Shangai" (Asia/Shanghai)')
    assert told("d_condition.json:1:", "wrong_condition trigger_conditions[1]")
    assert told("f_crlf.json:15:", "crlf_bad effect", 'got "confim" (confirm)')
    assert told("g_empty.json", "got an empty file (an empty one is written [])")
    assert told("i_folder.json", "folder")
    assert told("j_escape.json:1:", "expected an escape of JSON, got \\s", "write \\\\s for a backslash")
    assert told("z_double.json:1:", "bom id", "long_term/e_bom.json:1, serves")
    assert not any("h_big.json" in line for line in lines if "warning: " not in line)
    assert not {"\x1b", "\u202e"} & set(result.out)
    assert "errors" in result.err
    assert {each: each.read_bytes() for each in hostile.rglob("*") if each.is_file()} == before
    assert {"bom", "crlf", "case_001", "big", "big169"} <= {
        each["id"] for each in json.loads(casebook("list", "--json").out)
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_read_permission_is_told(casebook: Run, memory: Path) -> None:
    path = memory / "long_term" / "closed.json"
    path.write_text("[]", encoding="utf-8")
    path.chmod(0)
    assert "closed.json: expected a file that can be read" in casebook("check").out


def test_the_json_of_check_has_every_attribute_of_a_fault(casebook: Run, memory: Path) -> None:
    text = json.dumps(case("bad", prioriti=3))
    column = text.index('"prioriti"') + 1
    (memory / "long_term" / "bad.json").write_text(text, encoding="utf-8")
    report = json.loads(casebook("check", "--json").out)
    assert (report["errors"], report["cases"], report["examples"]) == (1, 1, 0)
    (fault,) = report["faults"]
    assert fault == {
        "severity": "error", "path": "memory/long_term/bad.json", "line": 1, "column": column, "case": "bad", "field": "prioriti",
        "message": 'no field of a case is called "prioriti"', "suggestion": "priority",
        "where": f"memory/long_term/bad.json:1:{column} bad prioriti",
    }  # fmt: skip


def test_examples_are_run_and_one_that_does_not_hold_is_told_with_the_reason(casebook: Run, memory: Path) -> None:
    seed = json.loads(SEED)
    seed["examples"] = {"fires": [FIRES_AT_NIGHT, SILENT_AT_NOON], "silent": [FIRES_AT_NIGHT, SILENT_AT_NOON]}
    text = json.dumps(seed, ensure_ascii=False, indent=1)
    braces = [number for number, line in enumerate(text.splitlines(), 1) if line == "   {"]
    (memory / "long_term" / "cases.json").write_text(text, encoding="utf-8")
    result = casebook("check")
    assert result.code == 1
    fires, silent = result.out.splitlines()
    assert fires.startswith(
        f"memory/long_term/cases.json:{braces[1]}:4 case_001 examples.fires[1]: expected the case to fire on this task, but"
    )
    assert "trigger_conditions[0] does not hold: time: 12:00 Asia/Shanghai, wanted 00:00–06:00" in fires
    assert silent.startswith(
        f"memory/long_term/cases.json:{braces[2]}:4 case_001 examples.silent[0]: expected the case to stay silent"
    )
    assert "4 examples run" in result.err


@pytest.mark.parametrize(
    "fields, task, told",
    [
        ({"scope": {"user": "alice"}}, {"tool": "shell"}, "it is for user alice only"),
        ({"on": ["answer"]}, {"tool": "shell"}, "answer"),
        (
            {"created_at": "2026-03-20"},
            {"tool": "shell", "at": "2026-03-19T00:00:00Z"},
            "2026-03-20 00:00 Asia/Shanghai",
        ),
        ({"created_at": "2026-03-20"}, {"tool": "shell"}, None),
        ({"created_at": "2020-01-01", "ttl": "1d"}, {"tool": "shell"}, None),
        ({"status": "draft"}, {"tool": "shell"}, None),
        ({"status": "draft"}, {"tool": "edit"}, "trigger_conditions[0] does not hold"),
        ({"mode": "off"}, {"tool": "shell"}, None),
    ],
)
def test_what_counts_in_an_example(
    casebook: Run, memory: Path, fields: dict[str, object], task: object, told: str | None
) -> None:
    """Scope, point and, where it names an instant, age count; a draft is run before it is active."""
    form = case("c", examples={"fires": [task]}, **fields)
    (memory / "long_term" / "cases.json").write_text(json.dumps(form), encoding="utf-8")
    lines = [line for line in casebook("check", "--now", "2026-03-01T00:00").out.splitlines() if "examples" in line]
    assert (told in lines[0]) if told else lines == []


def test_an_example_without_an_instant_does_not_break_as_time_goes_by(casebook: Run, memory: Path) -> None:
    """Not by the hour, and not after the case has expired, which is told by itself."""
    conditions = ["tool is shell", "time between 12:00 and 14:00"]
    form = case("c", created_at="2026-03-20T13:00", ttl="3d", examples={"fires": [{"tool": "shell"}]})
    form["trigger_conditions"] = conditions
    (memory / "long_term" / "c.json").write_text(json.dumps(form), encoding="utf-8")
    told = [casebook("check", "--now", now).out for now in ("2026-03-21T03:00", "2026-03-21T13:00", "2026-06-01T03:00")]
    assert ["examples" in each for each in told] == [False, False, False]
    assert ["expired" in each or "silent since" in each for each in told] == [False, False, True]


def test_a_warning_alone_leaves_the_code_0_but_with_strict(casebook: Run, memory: Path) -> None:
    (memory / "long_term" / "w.json").write_text(json.dumps(case("w", ttl="3d", status="draft")), encoding="utf-8")
    result = casebook("check")
    assert "warning: a ttl counts from created_at" in result.out
    assert (result.code, casebook("check", "--strict").code) == (0, 1)


def test_check_of_one_file_tells_its_faults_alone(casebook: Run, hostile: Path) -> None:
    result = casebook("check", "memory/long_term/b_field.json")
    assert result.code == 1
    assert len(result.out.splitlines()) == 1
    assert casebook("check", "memory/long_term/e_bom.json").code == 0


def test_check_of_one_file_counts_what_is_in_it_alone(casebook: Run, memory: Path) -> None:
    """The other file's case serves, and its example is run, for the lint of the whole."""
    form = case("other", examples={"fires": [{"text": "x"}], "silent": []}, trigger_conditions=["text exists"])
    (memory / "long_term" / "other.json").write_text(json.dumps(form), encoding="utf-8")
    assert casebook("check").err.startswith("2 cases serve, 1 example run")
    assert casebook("check", "memory/long_term/other.json").err.startswith("1 case serves, 1 example run")
    assert casebook("check", "memory/long_term/cases.json").err.startswith("1 case serves, 0 examples run")


def test_check_of_a_file_that_belongs_to_no_casebook(casebook: Run, here: Path) -> None:
    (here / "loose.json").write_text(json.dumps(case("loose", prioriti=1)), encoding="utf-8")
    result = casebook("check", "loose.json")
    assert result.code == 1
    assert result.out.startswith("loose.json:1:")
    assert [each.name for each in here.iterdir()] == ["loose.json"]


def test_check_of_a_folder_that_is_no_casebook_says_so(casebook: Run, here: Path) -> None:
    (here / "src").mkdir()
    result = casebook("check", "src")
    assert result.code == 2
    assert "src: expected a casebook, found neither memory-policy.yaml nor long_term/ in it" in result.err


def test_a_pattern_of_an_intent_that_re2_refuses_is_told(casebook: Run, memory: Path) -> None:
    policy = "timezone: Asia/Shanghai\nintents:\n  deploy:\n    patterns: ['(?=x)']\n"
    (memory / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    result = casebook("check")
    assert result.code == 1
    assert "memory-policy.yaml" in result.out
    assert "intents.deploy.patterns[0]" in result.out


def test_layers_are_checked_each_by_its_paths_and_together(casebook: Run, memory: Path, here: Path) -> None:
    """An id that another layer has is no warning; a block that the first layer hides is one; files are told apart."""
    home = here.parent / "home" / ".casebook" / "long_term"
    home.mkdir(parents=True)
    mine = [case("mine"), case("case_001", effect="block"), case("bad", effect="blok")]
    (home / "cases.json").write_text(json.dumps(mine), encoding="utf-8")
    ours = [case("ours", supersedes=["mine", "nobody"]), case("bad2", effect="blok")]
    (memory / "long_term" / "more.json").write_text(json.dumps(ours), encoding="utf-8")
    lines = casebook("check").out.splitlines()
    assert [line for line in lines if "supersedes" in line and '"mine"' in line] == []
    assert [line for line in lines if "supersedes[1]" in line and '"nobody"' in line] != []
    assert [line for line in lines if "hides it" in line and line.startswith(str(home / "cases.json"))] != []
    assert [line.split(":")[0] for line in lines if "blok" in line] == [
        "memory/long_term/more.json",
        str(home / "cases.json"),
    ]
    told = casebook("match", "--text", "x").err
    assert "[project] long_term/more.json:1" in told
    assert "[user] long_term/cases.json:1" in told
    assert "[user] long_term/cases.json:1:" in casebook("show", "bad").err
    assert "[user] long_term/cases.json:1" in casebook("show", "mine").out


def test_what_in_the_archive_cannot_be_read_is_a_warning(casebook: Run, memory: Path) -> None:
    (memory / "archive").mkdir(exist_ok=True)
    (memory / "archive" / "2026-03-20_archive.tgz").write_bytes(b"\x1f\x8bcut short")
    (memory / "archive" / "old.tgz").write_bytes(b"of somebody else")
    result = casebook("check", "memory")
    told = [line for line in result.out.splitlines() if "archive/" in line]
    assert [line.partition(":")[0] for line in told] == [
        "memory/archive/2026-03-20_archive.tgz", "memory/archive/old.tgz",
    ]  # fmt: skip
    assert "got a damaged file" in told[0]
    assert result.code == 0
