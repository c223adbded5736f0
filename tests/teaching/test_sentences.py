"""A sentence says when it applies, or it is said what is missing: conditions are read off closed tables, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.conditions.render import render
from casebook.conditions.tree import Field, Pattern, Test
from casebook.limits import CORRECTION_CHARS
from casebook.policy import Policy
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching import names
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.binding import Wanted
from casebook.runtime.teaching.in_command import named_last
from casebook.runtime.teaching.names import Known
from casebook.runtime.teaching.operands import LINE, word_nodes
from casebook.runtime.teaching.sentence import forbids


def has(command: str, word: str) -> str:
    """Give the condition that a simple command has a word, as it is rendered."""
    (node,) = word_nodes((command,), word)
    return render(node, "en")


def named(file: str) -> str:
    return render(Test(Field(("path",)), "matches", named_last(file)), "en")


FORCED = render(Test(LINE, "matches", Pattern(names.FORCED)), "en")
FOLDERS = render(Test(LINE, "matches", Pattern(names.RECURSIVE)), "en")
UNASKED = render(Test(LINE, "matches", Pattern(names.UNASKED)), "en")


def conditions(text: str, **about) -> list[str]:
    return [render(each, "en") for each in bound(text, Policy(), Known(), **about).nodes]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("use pnpm, not npm", ['program is "npm"']),
        ("no, use rg instead of grep", ['program is "grep"']),
        ("不要用 npm，改用 pnpm", ['program is "npm"']),
        ("用 pnpm 代替 npm", ['program is "npm"']),
        ("never use npm or yarn here", ['program in ["npm", "yarn"]']),
        ("never force-push to main", ['action is "git push"', FORCED, has("git push", "main")]),
        ("禁止强推到 main", ['action is "git push"', FORCED, has("git push", "main")]),
        ("don't use --no-verify with git commit", ['action is "git commit"', has("git commit", "--no-verify")]),
        ("stop using docker compose down -v", ['action is "docker compose down"', has("docker compose down", "-v")]),
        ("run `pytest -x` instead of `python -m pytest`", ['action is "python"', 'action is "pytest"']),
        ("make sure the tests pass before git push", ['action is "git push"']),
        ("Run the tests before you commit", ['action is "git commit"']),
        ("git push needs a ticket number in the branch name", ['action is "git push"']),
        ("never edit package-lock.json by hand", ['tool in ["edit", "write"]', named("package-lock.json")]),
        ("不要直接修改 .env 文件", ['tool in ["edit", "write"]', named(".env")]),
        ("以后推送前先确认免打扰时段", ['intent is "主动推送"']),
        ("before deploying, run the smoke tests", ['intent is "deploy"']),
        ("发邮件前先给我看", ['intent is "send_email"']),
        ("never call WebFetch on intranet pages", ['tool is "fetch"']),
        ("never use rm -rf", ['action is "rm"', FOLDERS, UNASKED]),
        ("never use rm -r", ['action is "rm"', FOLDERS]),
        ("never cat .env", ['program is "cat"', has("cat", ".env")]),
        ("please don't push without asking me", ['action is "git push"']),
        ("提交前先跑 lint", ['action is "git commit"']),
        ("推送到 main 之前先让我看", ['action is "git push"', has("git push", "main")]),
        ("never use pip3 here", ['program is "pip"']),
        ("never npm i -g", ['action is "npm install"', has("npm install", "-g")]),
    ],
)  # fmt: skip
def test_a_sentence_names_what_it_is_about(sentence: str, expected: list[str]) -> None:
    assert conditions(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("be kind", "names no command, tool or intent"),
        ("请用中文回答", "names no command, tool or intent"),
        ("use pnpm", "says to use pnpm, and not where"),
        ("use tabs, not spaces", "is about “spaces”, which names no command"),
        ("发布之前必须更新 CHANGELOG.md", "is about “发布”, which names no command"),
        ("use python3 not python", "python is one program here"),
        ("git push and git fetch are slow here", "names git push, git fetch, and not which"),
    ],
)
def test_where_nothing_anchors_it_it_is_said_what_is_missing_and_how_to_say_it(sentence: str, missing: str) -> None:
    found = bound(sentence, Policy(), Known())
    assert (found.nodes, missing in found.missing, "--action" in found.missing) == ((), True, True)


def test_a_program_of_the_journal_is_known_though_no_table_has_it() -> None:
    known = Known(frozenset({"frobctl"}), frozenset({"frobctl wipe"}))
    assert bound("never frobctl wipe", Policy(), Known()).nodes == ()
    (node,) = bound("never frobctl wipe", Policy(), known).nodes
    assert render(node, "en") == 'action is "frobctl wipe"'


def test_a_tool_of_the_journal_is_known_by_its_plain_name() -> None:
    (node,) = bound("call list_stock before reserve", Policy(), Known(tools=frozenset({"reserve"}))).nodes
    assert render(node, "en") == 'tool is "reserve"'


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a/",
        "a.",
        "not ",
        "不要",
        "前",
        "`a` ",
        "-a ",
        "never use ",
        "之前",
        "use a, ",
        " ",
        "except a ",
        "without -a ",
        "周五",
        "晚上10点到",
        "( ",
        "是禁止",
        "除了",
        "a 可以",
        "也",
        "要加 --a ",
        "再这样",
        "on fridays and ",
        "--a or ",
        "git push before ",
    ],
)
def test_a_long_sentence_is_read_in_no_time(unit: str) -> None:
    began = perf_counter()
    bound(unit * (1_000 // len(unit)), Policy(), Known())
    assert perf_counter() - began < 2


def call(tool: str, args: Mapping[str, object], *, ok: bool = False) -> EventRecord:
    facts = call_facts(tool, args, {})
    canonical = facts.pop("tool")
    return EventRecord(
        "e1", datetime(2026, 3, 20, tzinfo=UTC), "tool", tool=canonical, ok=ok, body={**facts, "args": args}
    )


@pytest.mark.parametrize(
    ("sentence", "tool", "args", "expected"),
    [
        ("use pnpm, not npm", "Bash", {"command": "cd web && npm install left-pad"}, ['program is "npm"']),
        ("look at the lock file first", "Bash", {"command": "npm install left-pad"}, ['action is "npm install"']),
        ("not like that, ask me first", "exec", {"command": "git push origin main"}, ['action is "git push"']),
        ("never push to main", "Bash", {"command": "git push origin main"}, ['action is "git push"', has("git push", "main")]),
        ("never force-push", "Bash", {"command": "git push --force origin feature"}, ['action is "git push"', FORCED]),
        ("ask for the warehouse", "reserve", {"item": "A17"}, ['tool is "reserve"']),
        ("never pay in JPY", "transfer", {"currency": "JPY", "amount": 12}, ['tool is "transfer"', 'args.currency is "JPY"']),
        ("leave yarn.lock alone", "Edit", {"file_path": "/srv/web/yarn.lock"}, ['tool is "edit"', named("yarn.lock")]),
    ],
)  # fmt: skip
def test_a_sentence_about_a_call_is_bound_to_the_call_and_to_what_both_name(sentence, tool, args, expected) -> None:
    assert conditions(sentence, call=call(tool, args)) == expected


def test_a_sentence_about_another_command_than_the_call_ran_is_not_bound_to_the_call() -> None:
    found = bound("use pnpm, not npm", Policy(), Known(), call=call("Bash", {"command": "make build"}))
    assert (found.nodes, "`make build`" in found.missing, "npm" in found.missing) == ((), True, True)


def test_a_number_or_an_id_that_both_name_is_no_condition() -> None:
    args = {"command": "kubectl delete pod web-7f9c4d1b"}
    assert conditions("never delete web-7f9c4d1b", call=call("Bash", args)) == ['action is "kubectl delete"']


def test_what_is_named_outright_is_all_there_is() -> None:
    wanted = Wanted(actions=("git push",), text=("release notes",))
    assert conditions("use pnpm, not npm", wanted=wanted) == ['action is "git push"', 'text contains "release notes"']


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("never force-push", True), ("禁止强推", True), ("you must not push", True), ("从不直接推送", True),
        ("use pnpm, not npm", False), ("不要用 npm", False), ("ask first", False),
    ],
)  # fmt: skip
def test_only_a_sentence_that_forbids_for_good_may_block(sentence: str, expected: bool) -> None:
    assert forbids(sentence) is expected


@given(st.text(max_size=400))
def test_any_text_is_answered_the_same_each_time_with_conditions_or_with_what_is_missing(text: str) -> None:
    first, second = (bound(text, Policy(), Known()) for _ in range(2))
    assert first == second
    assert bool(first.nodes) != bool(first.missing)
    assert len(first.nodes) == len(first.why)


@pytest.mark.parametrize(
    "text", ["never use the Bash tool", "never use the bash tool", "不要用 Bash 工具", "never call the tool `Bash`"]
)
def test_what_is_called_a_tool_is_a_tool_and_no_program(text: str) -> None:
    found = bound(text, Policy(), Known())
    assert ([render(each, "en") for each in found.nodes], found.unsaid) == (['tool is "shell"'], ())


@pytest.mark.parametrize("unit", ["x", "a.", "a-", "x|", "the tool ", "`a` ", "git push "])
def test_names_are_found_in_a_long_text_in_no_time(unit: str) -> None:
    began = perf_counter()
    names.names_in(unit * (30_000 // len(unit)), Policy(), Known())
    assert perf_counter() - began < 3


@pytest.mark.parametrize(("chars", "read"), [(CORRECTION_CHARS, True), (CORRECTION_CHARS + 1, False), (100_000, False)])
def test_a_sentence_longer_than_a_correction_is_not_read_and_the_limit_is_told(chars: int, read: bool) -> None:
    found = bound("never use npm ".ljust(chars, "x"), Policy(), Known())
    assert bool(found.nodes) is read
    assert read or found.missing == f"expected a sentence of at most 1,000 characters, got {chars:,}"
