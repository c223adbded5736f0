"""Hooks go into a host's settings and out of them, and every other byte stays."""

from __future__ import annotations

import codecs
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.adapters.wiring.hook_settings import (
    Event,
    installed,
    matcher_of,
    matches,
    uninstalled,
    wanted_groups,
    wired_in,
)
from casebook.adapters.wiring.json_splice import NotPlainError

EVENTS = (Event("SessionStart"), Event("PreToolUse", of_tools=True), Event("PostToolUse", of_tools=True))


def groups(events=EVENTS, command="/opt/casebook hook codex", tools=frozenset({"Bash"})):
    return wanted_groups(events, command, tools, timeout=10, by_name=True)


WANTED = groups()
THEIRS = {"matcher": "Write", "hooks": [{"type": "command", "command": "lint"}]}
FILES = {
    "an empty object": "{}",
    "with blanks in it": "{ }",
    "over lines": "{\n}\n",
    "another setting": '{\n  "model": "opus"\n}\n',
    "tabs": '{\n\t"model": "opus"\n}',
    "four blanks": '{\n    "model": "opus",\n    "env": {"A": "1"}\n}\n',
    "on one line": '{"model":"opus"}',
    "on one line, airy": '{ "model": "opus" }',
    "hooks, empty": '{\n  "hooks": {},\n  "model": "opus"\n}\n',
    "hooks, empty over lines": '{\n  "hooks": {\n  }\n}\n',
    "an event, empty": '{"hooks": {"PreToolUse": []}}',
    "an event, empty over lines": '{\n  "hooks": {\n    "PreToolUse": [\n    ]\n  }\n}\n',
    "hooks of somebody's": json.dumps({"hooks": {"PreToolUse": [THEIRS], "Stop": [THEIRS]}}, indent=2),
    "two of somebody's, minified": json.dumps({"hooks": {"PreToolUse": [THEIRS, THEIRS]}}, separators=(",", ":")),
    "a comma first": '{\n    "a": 1\n  , "hooks": { "PreToolUse": [ ] }\n}\n',
    "no final line end": '{\n  "model": "opus"\n}',
    "blanks around": '\n\n  {"model": "opus"}\n\n',
    "a hook of another host": '{"hooks": {"PreToolUse": [{"hooks": [{"command": "casebook hook gemini"}]}]}}',
    "Chinese and escapes": '{"模型": "\\u4e0a\\ud83d\\ude00\\/"}',
    "numbers as they are written": '{"a": 1.0, "b": 1e3, "c": 0.10}',
    "an empty group of somebody's": '{"hooks": {"PreToolUse": [{"hooks": []}, {}]}}',
}


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=("lf", "crlf"))
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=("plain", "bom"))
@pytest.mark.parametrize("name", FILES)
def test_wired_and_unwired_leaves_the_very_bytes(name, mark, end):
    data = mark + FILES[name].replace("\n", end).encode()
    made = installed(data, "codex", WANTED)
    assert [each.event for each in wired_in(read(made), "codex")] == unordered(read(made), WANTED)
    assert without(read(made)) == without(read(data)), "all other settings are what they were"
    assert installed(made, "codex", WANTED) == made, "the second time changes nothing"
    assert uninstalled(made, "codex") == data


def read(data):
    return json.loads(data.decode("utf-8-sig"))


def unordered(settings, wanted):
    return [event for event in settings["hooks"] if event in wanted]


def without(settings):
    """The settings but for our groups, and for lists and objects that are then empty."""
    settings = json.loads(json.dumps(settings))
    hooks = settings.get("hooks", {})
    for event in list(hooks):
        hooks[event] = [each for each in hooks[event] if "hook codex" not in json.dumps(each)]
        if not hooks[event]:
            del hooks[event]
    if not hooks:
        settings.pop("hooks", None)
    return settings


LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUE = st.recursive(
    LEAF, lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=4), each, max_size=3), max_leaves=6
)
HANDLER = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["ls", "casebook hook gemini"])}
)
GROUP = st.fixed_dictionaries({"hooks": st.lists(HANDLER, max_size=2)}, optional={"matcher": st.just("X")})
HOOKS = st.dictionaries(st.sampled_from(["SessionStart", "PreToolUse", "Stop"]), st.lists(GROUP, max_size=2))
REST = st.dictionaries(st.text(max_size=4).filter(lambda name: name != "hooks"), VALUE, max_size=3)
BLANK = st.sampled_from(["", " ", "\n", "\r\n", "\t", "  \n "])


@st.composite
def settings_texts(draw):
    """Settings as people, programs and accidents lay them out."""
    value = draw(REST)
    if draw(st.booleans()):
        hooks = draw(HOOKS)
        value = {"hooks": hooks, **value} if draw(st.booleans()) else {**value, "hooks": hooks}
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" , ", " :  ")]))
    text = json.dumps(
        value, indent=draw(st.sampled_from([None, 1, 2, "\t"])), separators=separators, ensure_ascii=False
    )
    inner = draw(BLANK)
    text = re.sub(r'"(?:[^"\\]|\\.)*"|\{\}|\[\]', lambda found: blown(found[0], inner), text)
    text = draw(BLANK) + text + draw(BLANK)
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if draw(st.booleans()) else text


def blown(token, inner):
    return token if token.startswith('"') else token[0] + inner + token[1]


@given(settings_texts(), st.booleans())
def test_any_settings_come_back(text, updated):
    data = text.encode()
    made = installed(data, "codex", WANTED)
    assert installed(made, "codex", WANTED) == made
    assert len(list(wired_in(json.loads(made), "codex"))) == len(WANTED)
    if updated:
        made = installed(made, "codex", groups(EVENTS[1:], "/other/casebook hook codex", None))
        assert {each.matcher for each in wired_in(json.loads(made), "codex")} == {None}
    assert uninstalled(made, "codex") == data


@given(settings_texts(), REST, st.data())
def test_only_ours_goes_where_somebody_has_edited_the_rest(text, more, data):
    made = installed(text.encode(), "codex", WANTED)
    value = json.loads(made)
    value.update(more)
    if data.draw(st.booleans()):
        value["hooks"]["PreToolUse"].insert(data.draw(st.integers(0, 3)), THEIRS)
    edited = json.dumps(value, indent=2).encode()
    left = uninstalled(edited, "codex")
    assert (without(read(left)) if left else {}) == without(value)
    assert not left or not list(wired_in(read(left), "codex"))


def test_a_file_made_for_hooks_goes_with_them():
    made = installed(None, "codex", WANTED)
    assert json.loads(made) == {"hooks": {event: [group] for event, group in WANTED.items()}}
    assert made.endswith(b"}\n")
    assert uninstalled(made, "codex") is None


def test_a_command_that_somebody_put_beside_ours_stays_and_ours_goes():
    made = json.loads(installed(b"{}", "codex", WANTED))
    made["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "lint"})
    left = json.loads(uninstalled(json.dumps(made).encode(), "codex") or b"")
    assert left["hooks"]["PreToolUse"] == [{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}]


def test_ours_stands_last_so_that_the_numbers_of_others_stay():
    """Codex keeps what is trusted by number."""
    made = json.loads(installed(json.dumps({"hooks": {"PreToolUse": [THEIRS]}}).encode(), "codex", WANTED))
    assert made["hooks"]["PreToolUse"] == [THEIRS, WANTED["PreToolUse"]]


def test_another_release_is_updated_in_its_place_and_what_somebody_set_in_it_stays():
    made = json.loads(installed(b"{}", "codex", WANTED))
    made["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 30
    made["hooks"]["PreToolUse"].append(THEIRS)
    again = installed(json.dumps(made).encode(), "codex", groups(command="/new/casebook hook codex", tools=None))
    ours, theirs = json.loads(again)["hooks"]["PreToolUse"]
    assert ours == {"hooks": [{"type": "command", "command": "/new/casebook hook codex", "timeout": 30}]}
    assert theirs == THEIRS


def test_an_event_that_is_wired_twice_or_no_more_is_put_right():
    made = json.loads(installed(b"{}", "codex", WANTED))
    made["hooks"]["PreToolUse"].append(WANTED["PreToolUse"])
    made["hooks"]["Stop"] = [WANTED["SessionStart"]]
    again = json.loads(installed(json.dumps(made, indent=2).encode(), "codex", WANTED))
    assert again["hooks"] == {event: [group] for event, group in WANTED.items()}


@pytest.mark.parametrize(
    "text, told",
    [
        ('{\n  // mine\n  "model": "opus"\n}', "line 2, column 3: expected JSON, got a comment"),
        ('{"model": "opus", /* mine */ "a": 1}', "expected JSON, got a comment"),
        ('{"model": "opus",}', "expected another value after the comma"),
        ("", "expected a value, got the end of the file"),
        ("  \n", "expected a value, got the end of the file"),
        ("[]", "expected an object"),
        ('"hooks"', "expected an object"),
        ('{"a": NaN}', "expected plain JSON, got NaN"),
        ('{"hooks": {}, "hooks": {}}', "expected 'hooks' once, found it again"),
        ('{"hooks": []}', "hooks: expected an object"),
        ('{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse: expected a list"),
        ('{"hooks": null}', "hooks: expected an object"),
        ("{'a': 1}", "expected double quotes"),
        ('{"a": 1} {"b": 2}', "line 1, column 10"),
    ],
)
def test_what_is_no_plain_json_or_of_another_form_is_refused(text, told):
    with pytest.raises(NotPlainError, match=re.escape(told)):
        installed(text.encode(), "codex", WANTED)


@pytest.mark.parametrize("data", [codecs.BOM_UTF16_LE + "{}".encode("utf-16-le"), b'{"a": "\xff"}'])
def test_what_is_no_utf8_is_refused(data):
    with pytest.raises(NotPlainError, match="expected UTF-8"):
        installed(data, "codex", WANTED)


@pytest.mark.parametrize(
    "command, is_ours",
    [
        ("/opt/casebook hook codex", True),
        ("casebook hook codex", True),
        ("'/opt/my apps/casebook' hook codex --dir /a", True),
        ("/opt/casebook-runtime hook codex", True),
        ("/usr/bin/python3 -m casebook hook codex", True),
        ("'C:\\apps\\casebook.exe' hook codex", True),
        ("/opt/casebook hook gemini", False),
        ("/opt/casebook doctor", False),
        ("/opt/notcasebook hook codex", False),
        ("echo casebook hook codex", False),
        ("FOO=1 casebook hook codex", False),
        ("casebook 'hook", False),
        ("", False),
        (None, False),
        (["casebook", "hook", "codex"], False),
    ],
)
def test_ours_is_known_by_its_command(command, is_ours):
    settings = {"hooks": {"Stop": [{"hooks": [{"command": command}]}]}}
    assert bool(list(wired_in(settings, "codex"))) is is_ours


@pytest.mark.parametrize("hooks", [None, [], 1, {"Stop": None}, {"Stop": [None, 1, {"hooks": {}}, {"hooks": [1]}]}])
def test_hooks_of_another_form_hold_none_of_ours(hooks):
    assert list(wired_in({"hooks": hooks}, "codex")) == []


@pytest.mark.parametrize(
    "tools, by_name, matcher",
    [
        ({"Write", "Bash"}, True, "Bash|Write"),
        ({"Write", "Bash"}, False, "^(Bash|Write)$"),
        ({"mcp__a-b", "Bash"}, True, "^(Bash|mcp__a-b)$"),
        ({"container.exec"}, False, r"^(container\.exec)$"),
        ({"a|b"}, True, r"^(a\|b)$"),
    ],
)
def test_a_matcher_takes_its_tools_and_no_others(tools, by_name, matcher):
    assert matcher_of(frozenset(tools), by_name=by_name) == matcher
    for each in tools:
        assert matches(matcher, each)
        assert not matches(matcher, f"{each}Output")
        assert not matches(matcher, f"My{each}")


@pytest.mark.parametrize("matcher, takes", [("", True), ("*", True), (".*", True), ("Ba.*", True), ("(", False)])
def test_a_matcher_of_another_s_hand_is_read_as_hosts_do(matcher, takes):
    assert matches(matcher, "Bash") is takes
