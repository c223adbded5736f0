"""add, edit, archive, restore and fmt: what is refused changes no byte, what is written changes no more than was asked."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import SEED, Run

GOOD = {"id": "good", "trigger_conditions": ["tool is shell"], "correction": "Look first.", "x-team": "ops"}


def files(root: Path) -> dict[str, bytes]:
    """Give every file of a casebook but the machine's own."""
    found = {str(each.relative_to(root)): each.read_bytes() for each in root.rglob("*") if each.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".casebook")}


@pytest.mark.parametrize("form", [GOOD, [GOOD], {"format": 1, "cases": [GOOD]}], ids=["one", "array", "envelope"])
def test_add_takes_one_case_an_array_or_an_envelope(casebook: Run, memory: Path, form: object) -> None:
    result = casebook("add", "-", stdin=json.dumps(form))
    assert result.code == 0
    assert result.out.startswith("added good long_term/cases.json:")
    shown = json.loads(casebook("show", "good", "--json").out)
    assert shown == GOOD


def test_add_with_a_fault_in_one_case_tells_its_place_and_writes_none(casebook: Run, memory: Path) -> None:
    before = files(memory)
    bad = {"id": "bad", "trigger_conditions": ["tool iz shell"], "corection": "x"}
    result = casebook("add", stdin=json.dumps([GOOD, bad], indent=1))
    assert result.code == 1
    assert "stdin:13:10 bad trigger_conditions[0]: expected an operator" in result.err
    assert 'no field of a case is called "corection" (correction)' in result.err
    assert result.err.endswith("nothing was written\n")
    assert files(memory) == before


def test_add_refuses_an_id_that_is_taken_or_stands_twice(casebook: Run, memory: Path) -> None:
    before = files(memory)
    taken = casebook("add", stdin=SEED)
    assert (taken.code, "casebook edit case_001 changes it" in taken.err) == (1, True)
    twice = casebook("add", stdin=json.dumps([GOOD, GOOD]))
    assert (twice.code, 'got "good" again' in twice.err) == (1, True)
    assert files(memory) == before


def test_drafts_do_not_fire_until_they_are_made_active(casebook: Run, memory: Path) -> None:
    casebook("add", "--draft", stdin=json.dumps(GOOD))
    assert "good" not in casebook("match", "--tool", "shell").out
    casebook("edit", "good", "status=active")
    assert "good" in casebook("match", "--tool", "shell").out


def test_add_into_a_file_of_one_s_own(casebook: Run, memory: Path) -> None:
    assert "long_term/ops.json" in casebook("add", "--into", "ops.json", stdin=json.dumps(GOOD)).out
    assert (
        "--into ../x.json: expected the name of a .json file below long_term/"
        in casebook("add", "--into", "../x.json", stdin=json.dumps(GOOD | {"id": "b"})).err
    )


@pytest.mark.parametrize(
    "change, field, value",
    [
        ("priority=7", "priority", 7), ("ttl=30d", "ttl", "30d"), ("ttl=null", "ttl", None), ("correction=5", "correction", "5"),
        ("tags=a, b", "tags", ["a", "b"]), ('tags=["a,b"]', "tags", ["a,b"]), ("on=task,tool", "on", ["task", "tool"]),
        ("trigger_conditions=always", "trigger_conditions", ["always"]), ("scope.user=alice", "scope", {"user": "alice"}),
        ("x-note=free", "x-note", "free"), ("judgment=a=b", "judgment", "a=b"),
    ],
)  # fmt: skip
def test_edit_sets_a_field(casebook: Run, memory: Path, change: str, field: str, value: object) -> None:
    assert casebook("edit", "case_001", change).code == 0
    shown = json.loads(casebook("show", "case_001", "--json").out)
    assert shown == {**json.loads(SEED), field: value}


def test_edit_changes_only_what_was_asked_for(casebook: Run, memory: Path) -> None:
    casebook("edit", "case_001", "priority=3", "--unset", "ttl")
    text = (memory / "long_term/cases.json").read_text(encoding="utf-8")
    assert text == SEED.replace('"priority": 9', '"priority": 3').replace(',\n  "ttl": null', "")


def test_a_refused_edit_changes_no_byte(casebook: Run, memory: Path) -> None:
    before = files(memory)
    assert casebook("edit", "case_001", "priority=3", "trigger_conditions=[]").code == 1
    assert files(memory) == before


def test_show_as_json_goes_back_through_edit_file(casebook: Run, memory: Path, here: Path) -> None:
    form = json.loads(casebook("show", "case_001", "--json").out)
    del form["ttl"], form["last_triggered"]
    form["correction"] = "Wait."
    (here / "case.json").write_text(json.dumps(form), encoding="utf-8")
    assert casebook("edit", "case_001", "--file", "case.json").code == 0
    assert json.loads(casebook("show", "case_001", "--json").out) == form


def test_edit_mends_a_case_that_does_not_serve(casebook: Run, memory: Path) -> None:
    (memory / "long_term/bad.json").write_text(json.dumps(GOOD | {"id": "bad", "priority": 99}), encoding="utf-8")
    assert casebook("show", "bad").code == 1
    assert casebook("edit", "bad", "priority=9").code == 0
    assert casebook("show", "bad").code == 0


def test_the_editor_s_text_is_taken_or_kept(
    casebook: Run, memory: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casebook.adapters.cli.edit._at_a_terminal", lambda: True)
    script = here / "ed.py"
    script.write_text(
        "import os, sys, pathlib\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text(encoding='utf-8').replace('9', os.environ['NEW']), encoding='utf-8')\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    monkeypatch.setenv("TMPDIR", str(here))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("NEW", "4")
    assert casebook("edit", "case_001").code == 0
    assert json.loads(casebook("show", "case_001", "--json").out)["priority"] == 4
    casebook("edit", "case_001", "priority=9")
    monkeypatch.setenv("NEW", "99")
    refused = casebook("edit", "case_001")
    assert refused.code == 1
    kept = refused.err.split("what you wrote is kept in ")[1].splitlines()[0]
    assert '"priority": 99' in Path(kept).read_text(encoding="utf-8")
    monkeypatch.setenv("NEW", "9")
    assert "nothing was changed" in casebook("edit", "case_001").err


@pytest.mark.parametrize(
    "editor, code, told",
    [
        ("no-such-editor", 2, "$EDITOR no-such-editor: No such file"),
        ("'ed", 2, "$EDITOR 'ed: No closing quotation"),
        ("false", 1, "the editor left with 1; nothing was written"),
    ],
)
def test_an_editor_that_cannot_be_used_is_told_and_leaves_nothing(
    casebook: Run, memory: Path, here: Path, monkeypatch: pytest.MonkeyPatch, *, editor: str, code: int, told: str
) -> None:
    monkeypatch.setattr("casebook.adapters.cli.edit._at_a_terminal", lambda: True)
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setattr("tempfile.tempdir", str(here))
    result = casebook("edit", "case_001")
    assert result.code == code
    assert told in result.err
    assert [path.name for path in here.iterdir()] == ["memory"]


def test_archived_cases_come_back_as_they_were(casebook: Run, memory: Path) -> None:
    casebook("add", stdin=json.dumps(GOOD))
    before = casebook("show", "good", "--json").out
    assert casebook("archive", "good", "--reason", "old").code == 0
    assert casebook("show", "good").code == 2
    assert casebook("restore", "good").code == 0
    assert casebook("show", "good", "--json").out == before


def test_archive_with_an_unknown_id_archives_none(casebook: Run, memory: Path) -> None:
    assert casebook("archive", "case_001", "nobody").code == 2
    assert "case_001" in casebook("list").out


def test_fmt_rewrites_conditions_in_their_own_language_and_no_other_byte(casebook: Run, memory: Path) -> None:
    path = memory / "long_term" / "odd.json"
    text = (
        '\ufeff[ {"id":"odd" , "correction":"x",\r\n   "trigger_conditions":[ "tool==shell AND args.n >= 1.0",\r\n'
        '      {"field": "tool", "op": "is", "value": "shell"} ,"文本 含有 \'\\u751f产\'"], "x-a": 1e3 }\r\n]\r\n'
    )
    path.write_bytes(text.encode())
    checked = casebook("fmt", "--check", str(path))
    assert checked.code == 1
    assert path.read_bytes() == text.encode()
    assert casebook("fmt", "memory/long_term/odd.json").code == 0
    wanted = text.replace("tool==shell AND args.n >= 1.0", 'tool is \\"shell\\" and args.n >= 1.0')
    wanted = wanted.replace("文本 含有 '\\u751f产'", '文本 包含 \\"生产\\"')
    assert path.read_bytes().decode() == wanted
    again = casebook("fmt", "memory/long_term/odd.json", "--check")
    assert (again.code, again.out) == (0, "")


def test_fmt_in_another_language(casebook: Run, memory: Path) -> None:
    casebook("fmt", "--language", "en")
    assert json.loads(casebook("show", "case_001", "--json").out)["trigger_conditions"] == [
        "time between 00:00 and 06:00", 'intent is "主动推送"'
    ]  # fmt: skip


def test_fmt_leaves_files_with_faults_and_says_so(casebook: Run, memory: Path) -> None:
    path = memory / "long_term" / "bad.json"
    path.write_text('[{"id": "x", ]', encoding="utf-8")
    result = casebook("fmt")
    assert result.code == 1
    assert "memory/long_term/bad.json:1:" in result.err
    assert path.read_text(encoding="utf-8") == '[{"id": "x", ]'


def test_a_folder_that_cannot_be_written_is_told(casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("casebook.stores.writing.replace_file", refuse)
    result = casebook("edit", "case_001", "priority=1")
    assert result.code == 1
    assert "long_term/cases.json cannot be written: Permission denied" in result.err


@pytest.mark.parametrize(
    "name", ["x.txt", "../evil.json", ".hidden.json", "a/../../b.json", "/etc/x.json", "a\nb.json", "", "."]
)
def test_add_into_what_is_no_file_of_cases_below_long_term_is_wrong_usage(
    casebook: Run, memory: Path, name: str
) -> None:
    before = files(memory)
    result = casebook("add", "--into", name, stdin=json.dumps(GOOD))
    assert result.code == 2
    assert result.err.startswith("casebook: add: --into ")
    assert result.err.count("\n") == 1
    assert files(memory) == before


def test_add_never_follows_a_link_out_of_the_casebook(casebook: Run, memory: Path, here: Path) -> None:
    (here / "elsewhere").mkdir()
    (memory / "long_term" / "link").symlink_to(here / "elsewhere")
    result = casebook("add", "--into", "link/x.json", stdin=json.dumps(GOOD))
    assert (result.code, "a link leads it out of the casebook" in result.err) == (2, True)
    assert list((here / "elsewhere").iterdir()) == []


def test_restoring_what_serves_says_that_nothing_was_changed(casebook: Run, memory: Path) -> None:
    casebook("archive", "case_001")
    assert casebook("restore", "case_001").out == (
        "restored case_001 long_term/cases.json:2 (#2; `casebook review undo 2` takes it back)\n"
    )
    before = files(memory)
    again = casebook("restore", "case_001")
    assert (again.code, again.out) == (0, "")
    assert again.err == "case_001 serves already, at long_term/cases.json:2; nothing was changed\n"
    assert json.loads(casebook("restore", "case_001", "--json").out) == {"restored": []}
    assert files(memory) == before


def test_an_edit_that_changes_nothing_says_so(casebook: Run, memory: Path) -> None:
    result = casebook("edit", "case_001", "priority=9")
    assert (result.code, result.out) == (0, "")
    assert "nothing was changed" in result.err


@pytest.mark.parametrize(
    "editor, code, said",
    [
        ("true", 0, "nothing was changed\n"),
        ("no-such-editor", 2, "casebook: edit: $EDITOR no-such-editor: No such file or directory\n"),
        ("rm", 1, "casebook: the editor took its file away; nothing was written\n"),
        ("false", 1, "casebook: the editor left with 1; nothing was written\n"),
        ("'", 2, "casebook: edit: $EDITOR ': No closing quotation\n"),
    ],
)
def test_an_editor_that_is_missing_removes_its_file_or_changes_nothing(
    casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, editor: str, code: int, said: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setattr("casebook.adapters.cli.edit._at_a_terminal", lambda: True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = files(memory)
    result = casebook("edit", "case_001")
    assert (result.code, result.out, result.err) == (code, "", said)
    assert files(memory) == before
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".json")] == []


ODD = json.dumps({"id": "odd", "trigger_conditions": ["intnet is x"], "correction": "x"})


@pytest.mark.parametrize(
    "name", [b"a\ncases.json", b"\xff.json", b"\x1b[31m.json", b"a\rb.json", "\u202egnp.json".encode()]
)
def test_a_file_name_begins_no_line_and_steers_no_terminal(casebook: Run, memory: Path, name: bytes) -> None:
    (Path(os.fsdecode(os.fsencode(memory / "long_term") + b"/" + name))).write_text(ODD, encoding="utf-8")
    task = ("--text", "x")
    for line in (
        ("check",), ("check", "--json"), ("list",), ("match", *task), ("match", *task, "--json"), ("explain", *task),
        ("explain", *task, "--json"), ("show", "odd"), ("doctor",), ("doctor", "--json"), ("fmt",), ("fmt", "--check"),
        ("edit", "odd", "priority=3"), ("archive", "odd"), ("restore", "odd"),
    ):  # fmt: skip
        result = casebook(*line)
        told = result.out + result.err
        assert result.code in (0, 1, 2), (line, told)
        assert not set(told) & {"\x1b", "\r", "\u202e", "\udcff"}, line
        assert not any(each.startswith("cases.json") for each in told.split("\n")), line
