"""One table of command lines: what was typed, what came in, and the exit code and words that answer it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from casebook.adapters.cli.commands import COMMANDS, ELSEWHERE
from casebook.adapters.cli.front import command_parser
from casebook.adapters.cli.reconcile import ACTIONS as RECONCILE
from casebook.adapters.cli.review import ACTIONS
from tests.cli.conftest import Run

NIGHT = ("--now", "2026-03-21T03:00")
PUSH = ("--intent", "主动推送")
BIG = '{"text": "' + "x" * 1_050_000 + '"}'

# (arguments, stdin, code, parts of stdout, parts of stderr); the folder holds the seed case in memory/
LINES = [
    ((), "", 2, [], ["usage: casebook COMMAND", "demo ", "doctor "]),
    (("--version",), "", 0, ["casebook 0."], []),
    (("--help",), "", 0, ["usage: casebook COMMAND", "exit codes:", "130 interrupted"], []),
    (("match", "--help"), "", 0, ["--task FILE", "--dir DIR"], []),
    (("mach",), "", 2, [], ["there is no command 'mach'; did you mean match?"]),
    (("unmute", "x"), "", 2, [], ["there is no command 'unmute'; did you mean mute --undo?"]),
    (("undo",), "", 2, [], ["there is no command 'undo'; did you mean review undo?"]),
    (("approve", "x"), "", 2, [], ["approve:", "memory is not trusted, and nothing of it is used; `casebook trust"]),
    (("aprove", "x"), "", 2, [], ["did you mean approve?"]),
    (("reject", "x"), "", 2, [], ["did you mean review reject?"]),
    (("log",), "", 2, [], ["did you mean review log?"]),
    (("delete", "x"), "", 2, [], ["did you mean archive?"]),
    (("feedback", "x"), "", 2, [], ["did you mean after-task --feedback?"]),
    (("qqq",), "", 2, [], ["there is no command 'qqq'; expected one of demo, init, teach, check"]),
    (("--dri", "x", "match"), "", 2, [], ["there is no option --dri; did you mean --dir?"]),
    (("list", "--jsn"), "", 2, [], ["list: there is no option --jsn; did you mean --json?"]),
    (("match", "--now"), "", 2, [], ["--now: expected a value, got nothing"]),
    (("match", *PUSH, "--now", "3am"), "", 2, [], ["--now: expected an ISO date-time such as", "got '3am'"]),
    (("match", *PUSH, "--now", "0001-01-01T00:00"), "", 2, [], ["--now: expected an instant within the years 1 to 9999"]),
    (("match", *PUSH, "--engine", "rete"), "", 2, [], ["--engine: expected one of auto, durable_rules, reference, got 'rete'"]),
    (("match", *PUSH, "--dir", ""), "", 2, [], ["--dir: expected a folder, got nothing"]),
    (("match", *PUSH, "--dir", "memry"), "", 2, [], ["--dir memry: there is no such folder; did you mean memory?"]),
    (("match", *PUSH, "--dir", "memory/memory-policy.yaml"), "", 2, [], ["expected a casebook's folder, got a file"]),
    (("help",), "", 2, [], ["there is no command 'help'; did you mean --help?"]),
    (("version",), "", 2, [], ["there is no command 'version'; did you mean --version?"]),
    (("match", *PUSH, "--now", "2026-03-21 03:00 Asia/Shanghai"), "", 0, ["case_001"], []),
    (("match", *PUSH, "--now", "2026-03-20 19:00 UTC"), "", 0, ["case_001"], []),
    (("match", *PUSH, "--now", "2026-03-20 20:00+01:00 Europe/Berlin"), "", 0, ["case_001"], []),
    (("match", *PUSH, "--now", "2026-03-21 03:00 Asia/Shangai"), "", 2, [], ["--now: expected an ISO date-time"]),
    (("match", *PUSH, "--now", "2026-03-21 03:00 Asia/"), "", 2, [], ["--now: expected an ISO date-time"]),
    (("match", *PUSH, *NIGHT, "--dir", "."), "", 0, [], ["warning: .: expected a casebook, found neither memory-policy.yaml nor long_term/ in it; did you mean memory?"]),
    # the task
    (("match", *NIGHT), "", 2, [], ["expected a task: --task FILE"]),
    (("match", "--task", "tsk.json"), "", 2, [], ["tsk.json: there is no such file; did you mean task.json?"]),
    (("match", "--task", "memory"), "", 2, [], ["memory: expected a file, got a folder"]),
    (("match", "--task", "-"), "", 2, [], ["stdin: expected JSON, got nothing"]),
    (("match", "--task", "-"), '{"intent": "x",\n  "tool": }', 2, [], ["stdin:2:11: expected a value, got }"]),
    (("match", "--task", "-"), '{"a": 1} x', 2, [], ["stdin:1:10: expected the end after the value, got x"]),
    (("match", "--task", "-"), '{"text": 1, "text": 2}', 2, [], ['stdin:1:13: expected "text" once, found it again']),
    (("match", "--task", "-"), "[1]", 2, [], ["stdin: expected a task as a JSON object, got [1]"]),
    (("match", "--task", "-"), b"\xff{}", 2, [], ["stdin:1: expected UTF-8, got the byte 0xff"]),
    (("match", "--task", "-"), BIG, 2, [], ["stdin: expected at most 1 MB (limit: task)"]),
    (("match", "--task", "-"), '{"intnt": "x"}', 2, [], ['no field is called "intnt" (intent)']),
    (("match", "--task", "-"), '{"context": {"n": NaN}}', 0, ["verdict: allow"], ["NaN is no JSON value: taken as missing"]),
    (("match", "--task", "task.json", *NIGHT), "", 0, ["matched: case_001 (advise, priority 9)", "禁止在凌晨时段"], []),
    (("match", "--task", "task.json", *NIGHT, "--intent", "闲聊"), "", 0, ["verdict: allow"], ["no case applies"]),
    (("match", "--arg", "command"), "", 2, [], ["--arg: expected KEY=VALUE, got 'command'"]),
    (("match", "--tool", "x", "--point", "tol"), "", 2, [], ["point: expected", 'got "tol"']),
    # bytes that are no UTF-8, as Python hands them on, and what would steer a terminal
    (("edit", "case_001", "correction=\udcff"), "", 2, [], ["FIELD=VALUE: expected UTF-8, got the byte 0xff"]),
    (("match", "--text", "a\udc80b"), "", 2, [], ["--text: expected UTF-8, got the byte 0x80"]),
    (("match", "--arg", "k=\udcff"), "", 2, [], ["--arg: expected UTF-8, got the byte 0xff"]),
    (("show", "\udcff"), "", 2, [], ["ID: expected UTF-8, got the byte 0xff"]),
    (("archive", "case_001", "--reason", "\udcff"), "", 2, [], ["--reason: expected UTF-8, got the byte 0xff"]),
    (("list", "--dir", "\udcff"), "", 2, [], ["--dir \\udcff: there is no such folder"]),
    (("list", "--dir", "a\nb\x1b[31m"), "", 2, [], ["--dir a\\u000ab\\u001b[31m: there is no such folder"]),
    (("list", "--a\nb\tc"), "", 2, [], ["there is no option --a\\u000ab\\u0009c"]),
    (("check", "a\nb"), "", 2, [], ["a\\u000ab: there is no such file"]),
    (("init", "other", "--zone", "Foo/Bar"), "", 2, [], ["expected an IANA time zone, got 'Foo/Bar'\n"]),
    (("init", "other", "--zone", "Asia/Shangai"), "", 2, [], ["did you mean Asia/Shanghai?"]),
    (("init", "other", "--zone", "Shanghai"), "", 2, [], ["did you mean Asia/Shanghai?"]),
    (("match", "--task", "-"), '{"context": {"n": ' + "9" * 5000 + "}}", 2, [], ["stdin:1:"]),
    # options before the command, after it, and between its arguments
    (("--dir", "memory", *NIGHT, "match", *PUSH), "", 0, ["case_001"], []),
    (("match", *PUSH, "--dir=memory", *NIGHT), "", 0, ["case_001"], []),
    (("edit", "case_001", "--dir", "memory", "priority=8"), "", 0, ["edited case_001 long_term/cases.json:1"], []),
    # explain
    (("explain", *PUSH, *NIGHT), "", 0, ["case_001 fires"], []),
    (("explain", *PUSH, *NIGHT, "--case", "case_01"), "", 2, [], ["'case_01'", "did you mean case_001?"]),
    (("explain", "--text", "-x", *NIGHT, "--case", "-y"), "", 2, [], ["no case '-y' is here"]),
    # list, show
    (("list",), "", 0, ["id ", "case_001  active"], ["1 case of 1"]),
    (("list", "--status", "draft"), "", 0, [], ["0 cases of 1"]),
    (("list", "--status", "archived"), "", 0, [], ["0 cases of 1", "moves cases to memory/archive: they are not listed; `casebook restore ID`"]),
    (("list", "--status", "activ"), "", 2, [], ["list: --status activ: did you mean active?"]),
    (("list", "--layer", "user"), "", 2, [], ["list: --layer user: there is none"]),
    (("show", "case_001"), "", 0, ["case_001: rule, advise, priority 9, active", "意图为 '主动推送'", "Asia/Shanghai"], []),
    (("show", "case_1"), "", 2, [], ["there is no case 'case_1' here; did you mean case_001?"]),
    (("show",), "", 2, [], ["show: expected ID"]),
    (("show", "case_001", "more"), "", 2, [], ["show: expected no further argument, got 'more'"]),
    # writing
    (("add",), "", 1, [], ["stdin", "got an empty file", "nothing was written"]),
    (("add",), "[]", 1, [], ["nothing was written: there is no case in it"]),
    (("add", "nosuch.json"), "", 2, [], ["nosuch.json: there is no such file"]),
    (("edit", "case_001", "priority=11"), "", 1, [], ["case_001 priority: expected at most 10, got 11"]),
    (("edit", "case_001", "prioritty=1"), "", 1, [], ['no field of a case is called "prioritty" (priority)']),
    (("edit", "case_001", "--unset", "judgement"), "", 2, [], ["case_001 has no such field; did you mean judgment?"]),
    (("edit", "case_001", "--unset", "tags"), "", 2, [], ["case_001 has no such field; it has id, type"]),
    (("edit", "case_001", "=1"), "", 2, [], ["edit: expected FIELD=VALUE, got '=1'"]),
    (("edit", "-x", "priority=1"), "", 2, [], ["there is no option -x; what begins with - and is no option stands after --"]),
    (("edit", "--", "-x", "priority=1"), "", 2, [], ["there is no case '-x' here"]),
    (("edit", "--", "case_001", "--json"), "", 2, [], ["expected FIELD=VALUE, got '--json'"]),
    (("show", "--", "case_001", "-x"), "", 2, [], ["expected no further argument, got '-x'"]),
    (("intent", "--", "-推送", "给所有人"), "", 0, ["主动推送"], []),
    (("edit", "case_001"), "", 2, [], ["edit: expected FIELD=VALUE, --unset or --file"]),
    (("edit", "case_01", "priority=1"), "", 2, [], ["did you mean case_001?"]),
    (("edit", "case_001", "priority=1", "--file", "-"), "{}", 2, [], ["edit: expected fields or --file, got both"]),
    (("edit", "case_001", "--file", "-"), '{"id": "other"}', 2, [], ['expected the id "case_001", got "other"']),
    (("edit", "case_001", "--file", "-"), "3", 2, [], ["stdin: expected a case as a JSON object, got 3"]),
    (("archive", "case_001", "case_02"), "", 2, [], ["there is no case 'case_02' here"]),
    (("restore", "case_001"), "", 2, [], ["no case called case_001 is in the archive"]),
    # the rest
    (("check",), "", 0, [], ["1 case serves, 0 examples run: no faults"]),
    (("check", "memroy"), "", 2, [], ["memroy: there is no such file or folder; did you mean memory?"]),
    (("check", "memory/long_term/cases.json"), "", 0, [], ["no faults"]),
    (("fmt", "--check"), "", 1, ["trigger_conditions[1]: 意图为 '主动推送' → 意图 为 \"主动推送\""], ["2 conditions to rewrite"]),
    (("check", "memory/long_term"), "", 2, [], ["memory/long_term: expected a casebook, found neither", "did you mean memory?"]),
    (("fmt", "memory/long_term"), "", 2, [], ["memory/long_term: expected a casebook, found neither", "did you mean memory?"]),
    (("schema",), "", 0, ['"$schema"', '"trigger_conditions"'], []),
    (("intent", "把今天的促销推送给所有用户"), "", 0, ['主动推送  by "推送"'], []),
    (("intent", "do not push the promotion yet"), "", 0, [], ['not 主动推送: "push the promotion" (a pattern) is there, but there it is negated']),
    (("intent",), " ", 2, [], ["intent: expected the user's words, got nothing"]),
    (("init", "memory"), "", 0, [], []),
    (("init", "memory/memory-policy.yaml"), "", 2, [], ["expected a folder, or nothing yet, got a file"]),
    (("init", "m2", "--zone", "Asia/Shangai"), "", 2, [], ["expected an IANA time zone", "did you mean Asia/Shanghai?"]),
    (("doctor",), "", 0, ["engine", "Asia/Shanghai", "langchain"], ["1 thing to do: casebook"]),
    (("doctor", "--verbose"), "", 0, ["engine", "Asia/Shanghai", "pydantic", "limits"], ["is not trusted"]),
    (("demo", "--json"), "", 2, [], ["demo: what it shows is for people"]),
]  # fmt: skip


@pytest.mark.parametrize(
    "arguments, stdin, code, out, err", LINES, ids=[" ".join(line[0])[:60] or "nothing" for line in LINES]
)
def test_a_command_line_is_answered(
    casebook: Run,
    memory: Path,
    here: Path,
    *,
    arguments: tuple[str, ...],
    stdin: str | bytes,
    code: int,
    out: list[str],
    err: list[str],
) -> None:
    (here / "task.json").write_text('{"intent": "主动推送"}', encoding="utf-8")
    result = casebook(*arguments, stdin=stdin)
    assert result.code == code, result
    for part in out:
        assert part in result.out, result.out
    for part in err:
        assert part in result.err, result.err
    assert "a fault of ours: " not in result.err
    if code == 2:
        assert result.out == ""  # words go to stderr; data there is none


@pytest.mark.parametrize("command", ["match", "explain", "list", "show", "archive", "check", "fmt"])
def test_without_a_casebook_a_command_says_where_it_looked_and_how_to_make_one(
    casebook: Run, here: Path, command: str
) -> None:
    more = {"match": ["--text", "x"], "explain": ["--text", "x"], "show": ["a"], "archive": ["a"]}.get(command, [])
    result = casebook(command, *more)
    assert result.code == 2
    assert f"no memory-policy.yaml in {here}" in result.err
    assert "casebook init" in result.err


def test_intent_and_doctor_work_without_a_casebook(casebook: Run) -> None:
    assert casebook("intent", "push the branch to origin").out.startswith("push  by")
    doctor = casebook("doctor")
    assert doctor.code == 0
    assert "engine" in doctor.out


def test_every_command_on_an_id_that_begins_with_a_dash_is_typed_as_its_outputs_tell(
    casebook: Run, memory: Path
) -> None:
    """What the text, `archive` and `add` say to type is typed, word for word."""
    form = {"id": "-rf", "trigger_conditions": ["tool is shell"], "correction": "Not so."}
    assert casebook("add", stdin=json.dumps(form)).code == 0
    told = [casebook("add", stdin=json.dumps(form)).err]
    told += [casebook("archive", "--reason", "-x", "--", "-rf").out]
    assert commands(told.pop()) == [["restore", "--", "-rf"], ["review", "undo", "2"]]
    assert "(casebook edit -- -rf changes it)" in told.pop()
    assert casebook("restore", "--", "-rf").code == 0
    explained = casebook("explain", "--tool", "shell", "--case", "-rf").out
    assert "-rf fires" in explained
    [command] = commands(casebook("match", "--tool", "shell").out)
    assert command == ["mute", "--", "-rf"]
    assert casebook(*command).code == 0
    assert casebook("match", "--tool", "shell").out == "verdict: allow\n"


def commands(text: str) -> list[list[str]]:
    """The commands that a text tells to type."""
    return [shlex.split(found) for found in re.findall(r"`casebook ([^`]*)`", text)]


@pytest.mark.parametrize("typed, meant", ELSEWHERE.items())
def test_what_is_named_for_a_command_that_there_is_not_exists(
    casebook: Run, here: Path, typed: str, meant: str
) -> None:
    assert typed not in COMMANDS
    assert f"did you mean {meant}?" in casebook(typed).err
    command, _, rest = meant.partition(" ")
    if command in COMMANDS:
        parser = command_parser(command)
        words = [each for each in rest.split() if not each.isupper() and each != "session_start"]
        assert set(words) <= {*ACTIONS, *RECONCILE, "token", *parser.option_names()}
    else:
        assert casebook(meant).code == 0


def test_every_command_that_any_text_of_ours_names_exists() -> None:
    root = Path(__file__).parents[2]
    files = [path for folder in ("casebook", "runtime", "adapters") for path in (root / folder).resolve().rglob("*.py")]
    named = {
        (path.name, word)
        for path in files
        for word in re.findall(r"`casebook ([a-z][a-z-]*)", path.read_text(encoding="utf-8"))
    }
    assert {(file, word) for file, word in named if word not in COMMANDS} == set()


@pytest.mark.parametrize(
    "mode, code, told",
    [("shadow", 0, ""), ("of", 2, "$CASEBOOK_MODE: expected one of off, shadow, advise, enforce, got 'of'")],
)
def test_the_mode_of_the_environment(
    casebook: Run, memory: Path, monkeypatch: pytest.MonkeyPatch, *, mode: str, code: int, told: str
) -> None:
    monkeypatch.setenv("CASEBOOK_MODE", mode)
    result = casebook("match", *PUSH, *NIGHT)
    assert (result.code, told in result.err) == (code, True)
    assert "case_001" not in result.out


def test_a_case_that_does_not_serve_is_explained_as_such(casebook: Run, memory: Path) -> None:
    bad: dict[str, object] = {"id": "bad", "trigger_conditions": ["always"], "correction": "x", "effect": "blok"}
    (memory / "long_term" / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    assert "it does not serve: `casebook check` says why" in casebook("explain", "--text", "x", "--case", "bad").err
    bad["scope"] = {"user": "ann"}
    (memory / "long_term" / "bad.json").write_text(json.dumps(bad), encoding="utf-8")
    assert "serve" not in casebook("explain", "--text", "x", "--case", "bad").err
