"""From an empty folder to the matched correction, as the README tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from freezegun import freeze_time

from tests.cli.conftest import SEED, Run

PUSH = ("--intent", "主动推送")
CORRECTION = "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作"


def test_init_then_the_seed_case_pasted_then_match_at_three_and_explain_at_seven(casebook: Run, here: Path) -> None:
    assert casebook("init", "--zone", "Asia/Shanghai").code == 0
    (here / "memory/long_term/cases.json").write_text(SEED, encoding="utf-8")
    night = casebook("match", *PUSH, "--now", "2026-03-21T03:00")
    assert night.code == 0
    assert CORRECTION in night.out
    morning = casebook("match", *PUSH, "--now", "2026-03-21T07:00")
    assert morning.code == 0
    assert CORRECTION not in morning.out
    assert "no case applies" in morning.err
    why = casebook("explain", *PUSH, "--now", "2026-03-21T07:00", "--case", "case_001")
    assert "07:00 Asia/Shanghai, wanted 00:00–06:00" in why.out
    assert casebook("check").code == 0


@pytest.mark.parametrize(
    "now, fires",
    [
        ("2026-03-21T00:00:00", True), ("2026-03-21T05:59:59", True), ("2026-03-21T06:00:00", False),
        ("2026-03-20T23:59:59", False), ("2026-03-20T22:00:00+00:00", False), ("2026-03-20T21:59:59Z", True),
    ],
)  # fmt: skip
def test_now_is_the_clock_and_without_an_offset_it_is_a_wall_clock_in_the_zone_of_the_casebook(
    casebook: Run, memory: Path, now: str, *, fires: bool
) -> None:
    assert ("case_001" in casebook("match", *PUSH, "--now", now).out) is fires


@pytest.mark.parametrize("moment, fires", [("2026-03-20T21:59:59Z", True), ("2026-03-20T22:00:00Z", False)])
def test_without_now_the_machine_s_clock_counts(casebook: Run, memory: Path, moment: str, *, fires: bool) -> None:
    with freeze_time(moment):
        assert ("case_001" in casebook("match", *PUSH).out) is fires


def test_match_as_json_has_the_shape_of_design_section_11(casebook: Run, memory: Path) -> None:
    (memory / "long_term" / "bad.json").write_text("[", encoding="utf-8")
    result = casebook("match", *PUSH, "--now", "2026-03-21T03:00", "--json", "--engine", "reference", "--dir", "memory")
    answer = json.loads(result.out)
    assert list(answer) == ["matched", "prompt", "verdict", "omitted", "quarantined", "engine"]
    assert answer["matched"] == [{"id": "case_001", "correction": CORRECTION, "priority": 9, "effect": "advise"}]
    assert CORRECTION in answer["prompt"]
    assert (answer["verdict"], answer["omitted"], answer["engine"]) == ("allow", [], "reference")
    assert [list(each) for each in answer["quarantined"]] == [["where", "message"]]
    assert "bad.json" in answer["quarantined"][0]["where"]
    assert result.err == ""


def test_both_engines_answer_alike(casebook: Run, memory: Path) -> None:
    line = ("match", *PUSH, "--now", "2026-03-21T03:00", "--json")
    auto, reference = (json.loads(casebook(*line, "--engine", name).out) for name in ("auto", "reference"))
    assert {**auto, "engine": ""} == {**reference, "engine": ""}


def test_in_the_mode_shadow_or_off_it_is_the_mode_that_is_said_and_not_that_no_case_applies(
    casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("match", *PUSH, "--now", "2026-03-21T03:00", "--dir", "memory")
    monkeypatch.setenv("CASEBOOK_MODE", "shadow")
    shadow = casebook(*line)
    assert shadow.out == "verdict: allow\n"
    assert shadow.err == "held back: case_001: its mode is shadow: matched, never injected\n"
    assert "mode is shadow" in casebook("match", "--text", "hello").err
    monkeypatch.setenv("CASEBOOK_MODE", "off")
    assert casebook(*line).err == "the mode is off: no case was looked at\n"


def test_options_go_over_the_fields_of_a_task_file(casebook: Run, memory: Path, here: Path) -> None:
    task = {"tool": "shell", "args": {"command": "ls", "cwd": "/"}}
    (here / "task.json").write_text(json.dumps(task), encoding="utf-8")
    (memory / "long_term" / "shell.json").write_text(
        json.dumps(
            {"id": "root", "trigger_conditions": ['args.cwd is "/"', "args.depth is 3"], "correction": "Elsewhere."}
        ),
        encoding="utf-8",
    )
    assert "root" not in casebook("match", "--task", "task.json").out
    assert "root" in casebook("match", "--task", "task.json", "--arg", "depth=3").out
    assert "root" not in casebook("match", "--task", "task.json", "--arg", 'depth="3"').out


def test_the_scope_of_a_task_decides_before_anything_else(casebook: Run, memory: Path) -> None:
    casebook("edit", "case_001", "scope.user=alice")
    line = ("--now", "2026-03-21T03:00", *PUSH)
    assert "case_001" in casebook("match", *line, "--user", "alice").out
    bob = casebook("match", *line, "--user", "bob")
    assert "case_001" not in bob.out + bob.err
    explained = casebook("explain", *line, "--user", "bob", "--case", "case_001")
    assert explained.code == 2
    assert "did you mean" not in explained.err
    assert explained.err.endswith("(a case with a scope is seen only with its --user, --project, --team or --agent)\n")
    absent = casebook("explain", *line, "--user", "bob", "--case", "case_009")
    assert absent.err == explained.err.replace("case_001", "case_009")


def test_the_layers_of_a_place_are_merged_and_each_case_names_its_own(casebook: Run, memory: Path, here: Path) -> None:
    home = here.parent / "home" / ".casebook" / "long_term"
    home.mkdir(parents=True)
    mine = {"id": "mine", "trigger_conditions": ["always"], "correction": "Be brief."}
    (home / "cases.json").write_text(json.dumps(mine), encoding="utf-8")
    listed = json.loads(casebook("list", "--json").out)
    assert [(each["id"], each["layer"]) for each in listed] == [("case_001", "project"), ("mine", "user")]
    assert [each["id"] for each in json.loads(casebook("list", "--layer", "user", "--json").out)] == ["mine"]
    assert [each["id"] for each in json.loads(casebook("list", "--dir", "memory", "--json").out)] == ["case_001"]


def test_the_environment_names_a_casebook_and_dir_goes_before_it(
    casebook: Run, memory: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASEBOOK_DIR", str(here / "nowhere"))
    assert "$CASEBOOK_DIR" in casebook("list").err
    assert casebook("list", "--dir", "memory").code == 0
    monkeypatch.setenv("CASEBOOK_DIR", str(memory))
    monkeypatch.chdir("/")
    assert "case_001" in casebook("list").out
