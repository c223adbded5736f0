"""A task becomes facts: the same words for the same thing, whatever host it comes from."""

import math
import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.conditions.fields import EVENT_FIELDS, FIELDS, GROUPS
from casebook.conditions.tree import Field
from casebook.faults import TaskError
from casebook.policy import Intent, Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.facts.session import session_facts
from casebook.task import TASK_FIELDS, Task

NOW = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
POLICY = Policy()


class Turn:
    """A session of which only the turn that is going on is known."""

    def __init__(self, turn):
        self.turn = turn or {}

    def history(self):
        return ()

    def facts(self, at):
        return session_facts("s", (), at)


def values(policy=POLICY, inherited=None, **fields):
    return extract(Task(**fields), policy, NOW, so_far=None if inherited is None else Turn(inherited)).values


@pytest.mark.parametrize(
    "tool,args",
    [
        ("Bash", {"command": "git push origin main"}),
        ("shell", {"command": ["bash", "-lc", "git push origin main"]}),
        ("exec_command", {"cmd": "git push origin main"}),
        ("local_shell", {"action": {"type": "exec", "command": ["git", "push", "origin", "main"]}}),
        ("run_shell_command", {"command": "git push origin main", "dir_path": "."}),
        ("exec", {"command": "git push origin main"}),
        ("run_in_terminal", {"command": "git push origin main", "explanation": "push"}),
    ],
)
def test_the_same_shell_call_gives_the_same_facts_on_every_host(tool, args):
    seen = values(tool=tool, args=args)
    assert (seen["tool"], seen["tool_native"], seen["action"], seen["program"]) == ("shell", tool, "git push", "git")
    assert seen["args"] == args
    assert seen["point"] == "tool"
    assert "path" not in seen


@pytest.mark.parametrize(
    "tool,args,expected",
    [
        ("Read", {"file_path": "/a/b.py"}, "/a/b.py"),
        ("read_file", {"path": "'~/b.py'"}, "~/b.py"),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, "n.ipynb"),
        ("edit_file", {"target_file": "a.ts"}, "a.ts"),
        ("read_many_files", {"paths": ["a", "b", "a"]}, ["a", "b"]),
        ("Grep", {"pattern": "x", "path": "src"}, "src"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n+x\n*** End Patch"}, ["a.py", "b.py"]),
        ("shell", {"command": ["apply_patch", "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"]}, "a.py"),
        ("patch", {"patch": "--- a/x.c\n+++ b/x.c\n@@"}, "x.c"),
        ("mcp__fs__read", {"path": "/x", "source": "y"}, "/x"),
        ("search_flights", {"source": "SFO", "destination": "JFK"}, None),
        ("Bash", {"command": "cat a.txt > b.txt"}, ["a.txt", "b.txt"]),
    ],
)  # fmt: skip
def test_the_paths_of_a_call_are_known(tool, args, expected):
    assert values(tool=tool, args=args).get("path") == expected


def test_several_actions_are_a_list_in_order_without_repetition():
    seen = values(tool="Bash", args={"command": "git add . && git push; git add x"})
    assert seen["action"] == ["git add", "git push"]
    assert seen["program"] == "git"


@pytest.mark.parametrize("args", [None, {}, {"command": None}, {"command": 3}, {"command": {"x": 1}}, {"command": ""}])
def test_a_shell_call_without_a_command_has_no_action(args):
    seen = values(tool="Bash", args=args)
    assert "action" not in seen
    assert seen["tool"] == "shell"


def test_what_is_missing_is_absent():
    assert values() == {"point": "task"}
    assert "intent" not in values(text="早上好")


def test_the_plain_fields_are_carried_over():
    told = {
        "text": "hi",
        "user": "u",
        "project": "p",
        "agent": "a",
        "channel": "c",
        "model": "m",
        "origin": "cron",
        "answer": "x",
    }
    assert {**told, "point": "task", "team": ["t1", "t2"]} == values(**told, team=["t1", "t2"])
    assert values(team="t1")["team"] == "t1"


def test_a_named_intent_stands_and_the_text_is_not_asked():
    assert values(intent="x", text="please deploy")["intent"] == "x"
    assert values(intent=["x", "y"])["intent"] == ["x", "y"]


def test_an_absent_intent_is_told_from_the_text():
    assert values(text="please deploy")["intent"] == "deploy"
    assert values(text="提交代码并推送到 main")["intent"] == ["push", "commit"]
    assert values(policy=Policy(intents={"问候": Intent(words=("早上好",))}), text="早上好")["intent"] == "问候"


def test_at_the_tool_point_text_and_intent_are_inherited_where_the_task_names_neither():
    turn = {"text": "先聊聊", "intent": ["deploy"]}
    assert values(inherited=turn, tool="Bash")["intent"] == "deploy"
    assert values(inherited=turn, tool="Bash")["text"] == "先聊聊"
    assert values(inherited={"text": "please deploy"}, tool="Bash")["intent"] == "deploy"
    assert "intent" not in values(inherited=turn, tool="Bash", text="hello")
    assert values(inherited=turn, tool="Bash", intent="x")["intent"] == "x"
    assert values(inherited=turn, session="s") == values(session="s")


def test_strings_are_nfc_everywhere():
    told = unicodedata.normalize("NFD", "Café")
    seen = values(
        text=told,
        tool="t",
        args={told: [told, {"x": told}]},
        context={"k": told},
        session=told,
        team=[told],
        intent=told,
    )
    assert "́" not in repr(seen)
    assert seen["args"]["Café"] == ["Café", {"x": "Café"}]


def test_clean_arguments_are_not_copied():
    task = Task(tool="t", args={"a": [1, {"b": "c"}]})
    assert extract(task, POLICY, NOW).values["args"] is task.args


def test_nan_is_missing():
    seen = extract(Task(tool="t", args={"x": math.nan}), POLICY, NOW)
    assert seen.get(Field(("args", "x"))) is None


def test_the_policys_tools_and_fields_count():
    policy = Policy(tools={"my_sh": "shell"}, fields={"ticket": "text"})
    seen = values(policy=policy, tool="my_sh", args={"command": "git push"}, context={"ticket": "T-1", "other": 2})
    assert (seen["action"], seen["ticket"]) == ("git push", "T-1")
    assert "other" not in seen


def test_the_instant_is_the_tasks_own_else_now():
    assert extract(Task(), POLICY, NOW).at == NOW
    aware = datetime(2026, 1, 1, 8, 0, tzinfo=UTC)
    assert extract(Task(at=aware), POLICY, NOW).at == aware
    assert extract(Task(at="2026-01-01T08:00:00+08:00"), POLICY, NOW).at == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_wall_clock_is_meant_in_the_casebooks_zone():
    shanghai = Policy(timezone="Asia/Shanghai")
    assert extract(Task(at="2026-01-01T08:00:00"), shanghai, NOW).at == datetime(2026, 1, 1, tzinfo=UTC)
    assert extract(Task(at="0001-01-01T00:00:00"), shanghai, NOW).at.year == 1


HISTORY = [
    {"kind": "task", "at": "2026-11-29T19:00:00Z", "text": "please deploy"},
    {"kind": "tool", "at": "2026-11-29T19:30:00Z", "tool": "Bash", "args": {"command": "pytest -q"}, "ok": True},
    {
        "kind": "tool",
        "at": "2026-11-29T19:40:00Z",
        "tool": "Bash",
        "args": {"command": "git push"},
        "error": "rejected",
    },
    {"kind": "tool", "tool": "WebFetch", "args": {"url": "x"}, "ok": False, "error": {"type": "TimeoutError"}},
]


def test_a_history_becomes_events_with_canonical_names_and_an_error_for_each_failed_call():
    events = extract(Task(history=HISTORY), POLICY, NOW).history
    assert [(each["kind"], each.get("tool"), each.get("action"), each.get("ok")) for each in events] == [
        ("task", None, None, None),
        ("tool", "shell", "pytest", True),
        ("tool", "shell", "git push", False),
        ("error", "shell", "git push", False),
        ("tool", "fetch", None, False),
        ("error", "fetch", None, False),
    ]
    assert events[0]["intent"] == "deploy"
    assert events[3]["error"] == {"message": "rejected"}
    assert events[1]["at"] == NOW - timedelta(minutes=30)
    assert events[4]["at"] is None


def test_an_error_that_the_history_tells_itself_is_not_told_twice():
    call = {"kind": "tool", "tool": "Bash", "ok": False}
    for error in ({"kind": "error", "tool": "Bash", "error": "x"}, {"kind": "error", "error": "x"}):
        assert [each["kind"] for each in extract(Task(history=[call, error]), POLICY, NOW).history] == ["tool", "error"]
    other = {"kind": "error", "tool": "Read"}
    assert [each["kind"] for each in extract(Task(history=[call, other]), POLICY, NOW).history] == [
        "tool",
        "error",
        "error",
    ]


def test_the_session_is_counted_from_its_history():
    session = values(session="s", history=HISTORY)["session"]
    assert session == {
        "id": "s", "errors": 2, "consecutive_errors": 2, "tasks": 1, "minutes": 60.0, "tools": ["shell", "fetch"], "intents": ["deploy"],
        "last_error": "TimeoutError",
    }  # fmt: skip


def test_a_success_ends_a_run_of_errors():
    history = [{"kind": "error", "error": "a"}, {"kind": "tool", "tool": "x"}, {"kind": "error", "error": "b"}]
    session = values(history=history)["session"]
    assert (session["errors"], session["consecutive_errors"], session["last_error"]) == (2, 1, "b")


def test_a_known_session_without_a_history_counts_nought_and_no_session_is_missing():
    assert values(session="s")["session"] == {"id": "s", "errors": 0, "consecutive_errors": 0, "tasks": 0, "minutes": 0}
    assert "session" not in values(text="x")
    assert extract(Task(session="s"), POLICY, NOW).get(Field(("session",))) == "s"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
TOOLS = st.sampled_from(["Bash", "Read", "apply_patch", "shell", "x", "exec"])
ARGS = st.dictionaries(
    st.sampled_from(["command", "cmd", "path", "file_path", "edits", "input", "action", "files", "z"]),
    PLAIN,
    max_size=4,
)


@settings(max_examples=200, deadline=None)
@given(TOOLS, ARGS, st.text(max_size=30), st.dictionaries(st.text(max_size=4), PLAIN, max_size=3), st.booleans())
def test_no_task_raises_and_its_strings_are_nfc(tool, args, text, context, ok):
    history = [{"kind": "tool", "tool": tool, "args": args, "ok": ok}, {"kind": "task", "text": text}]
    facts = extract(Task(tool=tool, args=args, text=text, context=context, history=history), POLICY, NOW)
    for string in _strings([facts.values, list(facts.history)]):
        assert unicodedata.is_normalized("NFC", string)


EVENT = st.fixed_dictionaries(
    {"kind": st.sampled_from(["tool", "task", "error", "feedback"])},
    optional={
        **dict.fromkeys([*EVENT_FIELDS, "id"], PLAIN | st.sampled_from(["Bash", "deploy", 10**5000, [["a"]], [{}]])),
        "args": ARGS | PLAIN,
        "at": st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=14)), None])),
    },
)


@settings(max_examples=300, deadline=None)
@given(
    st.fixed_dictionaries({}, optional={name: PLAIN for name in TASK_FIELDS if name != "history"}),
    st.lists(EVENT, max_size=4),
    st.dictionaries(st.sampled_from(["text", "intent"]), PLAIN, max_size=2),
)
def test_whatever_a_task_holds_its_facts_have_the_kinds_that_the_table_of_fields_names(fields, history, inherited):
    try:
        task = Task(**fields, history=history)
    except TaskError:
        task = Task(history=history, tool="Bash", args={"command": fields.get("args"), "files": fields.get("context")})
    facts = extract(task, POLICY, NOW, so_far=Turn(inherited))
    _kinds(facts.values, FIELDS)
    for event in facts.history:
        assert event["at"] is None or event["at"].tzinfo is not None
        assert isinstance(event.get("ok"), bool | None)
        _kinds({name: value for name, value in event.items() if name not in ("kind", "at", "id", "ok")}, FIELDS)


def _kinds(values, kinds):
    for name, value in values.items():
        kind = kinds[name]
        if name == "session" and isinstance(value, str):
            continue
        if kind == "text":
            assert type(value) is str
        elif kind == "texts":
            several = value if isinstance(value, list) else [value]
            assert several
            assert {type(each) for each in several} == {str}
        elif kind == "number":
            assert type(value) in ((int, float) if name == "minutes" else (int,))
            assert value >= 0
        elif kind == "group":
            assert isinstance(value, dict)
            _kinds({key: item for key, item in value.items() if key != "id"}, GROUPS[name])
            assert isinstance(value.get("id"), str | None)
        else:
            assert isinstance(value, dict)


@pytest.mark.parametrize("odd", [7, True, 1.5, {"a": 1}, [], [["a"]], [{"a": 1}], [None], ["", []]], ids=repr)
def test_an_odd_value_in_a_history_is_missing_there(odd):
    told = dict.fromkeys(("intent", "tool", "text", "user", "error", "args", "ok"), odd)
    facts = extract(Task(history=[{"kind": kind, **told} for kind in ("task", "tool", "error")]), POLICY, NOW)
    for event in facts.history:
        assert "text" not in event
        assert "tool" not in event
        assert event.get("intent") in (None, "")


def test_an_absurd_number_in_a_list_of_arguments_is_no_word():
    args = {"command": ["kill", 9, 10**5000, None, "x"]}
    assert extract(Task(tool="Bash", args=args), POLICY, NOW).values["action"] == "kill"


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
