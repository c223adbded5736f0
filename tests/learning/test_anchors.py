"""What a learnt case is bound to."""

from __future__ import annotations

import pytest

from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.runtime.learning.anchors import MOST_NAMES, Anchor, anchor_in, anchor_of, extended
from tests.learning.past import happened


def shell(*commands: str):
    return [happened(n, "bash", {"command": command}, "failed") for n, command in enumerate(commands, 1)]


@pytest.mark.parametrize(
    "occurrences, anchor",
    [
        ([happened(1, "book", {}, "no")], Anchor(tools=("book",))),
        ([happened(1, "book", {}, "no"), happened(2, "update", {}, "no")], Anchor(tools=("book", "update"))),
        (shell("pnpm install", "sudo pnpm install --frozen"), Anchor(actions=("pnpm install",))),
        (shell("cd app && pnpm install", "cd web && pnpm install"), Anchor(actions=("pnpm install",))),
        (shell("cd app && git push", "cd app && git pull"), Anchor(programs=("git",))),
        (shell("make nothing1", "make nothing2", "make nothing3"), Anchor(programs=("make",))),
        (shell("make nothing1", "cd app && make all"), Anchor(programs=("make",))),
        (shell("make all", "npm ci"), Anchor(actions=("make all", "npm ci"))),
        (shell("make nothing1", "npm ci"), Anchor(actions=("npm ci",), programs=("make",))),
        (shell("make nothing1", "npm thing2345"), Anchor(programs=("make", "npm"))),
        (shell("make nothing1", "./run_83921.sh"), Anchor(tools=("shell",))),
        (shell("cd app", "cd web"), Anchor(actions=("cd",))),
        (shell("git push", ""), Anchor(tools=("shell",))),
        (shell("./run_83921.sh", "./run_83921.sh"), Anchor(tools=("shell",))),
        ([*shell("git push"), happened(2, "deploy", {}, "no")], Anchor(actions=("git push",), tools=("deploy",))),
        ([happened(1, None, None, "no", intent="push")], Anchor(intents=("push",))),
        ([happened(1, None, None, "no", intent=["push", "mail"]), happened(2, None, None, "no", intent="mail")], Anchor(intents=("mail",))),
        ([happened(1, None, None, "no", intent="push"), happened(2, "book", {}, "no")], Anchor(tools=("book",), intents=("push",))),
        ([happened(1, None, None, "no")], Anchor()),
        ([happened(1, "book", {}, "no", intent="push")], Anchor(tools=("book",))),
    ],
)  # fmt: skip
def test_anchors(occurrences, anchor):
    assert anchor_of(occurrences) == anchor


def test_of_several_shared_actions_the_one_that_succeeds_least_often_is_the_anchor():
    occurrences = shell("make build && docker push x", "make build && docker push y")
    assert anchor_of(occurrences) == Anchor(actions=("docker push",))
    past = [happened(n, "bash", {"command": "docker push z"}) for n in range(9)]
    assert anchor_of(occurrences, past) == Anchor(actions=("make build",))


@pytest.mark.parametrize(
    "commands, message, actions",
    [
        (["cd a && pnpm unit 2>&1 | tail -20", "cd a && pnpm unit | tail -5"], "no such script", ("pnpm unit",)),
        (["pnpm unit | tail -20", "npm slow | tail -5"], "no such script", ("pnpm unit", "npm slow")),
        (["tail -f x | grep y"], "no", ("grep",)),
        (["npm ci && docker push x"], "npm ERR! no lock file", ("npm ci",)),
        (["npm ci && docker push x"], "denied", ("docker push",)),
        (["sed -i s/a/b x && git add x"], "sed: -e expression #1: unterminated", ("sed",)),
        (["sed -i s/a/b x && git add x"], "fatal: sed is no repository", ("git add",)),
    ],
)
def test_what_prepares_or_looks_through_is_no_anchor_and_who_says_it_is(commands, message, actions):
    occurrences = [happened(n, "bash", {"command": each}, message, signature="s") for n, each in enumerate(commands)]
    assert anchor_of(occurrences).actions == actions


@pytest.mark.parametrize(
    "succeeded, anchor",
    [
        ("git status", Anchor(actions=("git push", "git pull"))),
        ("cd app && git status", Anchor(actions=("git push", "git pull"))),
        ("git push", Anchor(programs=("git",))),
        ("npm ci", Anchor(programs=("git",))),
    ],
)
def test_a_program_that_has_succeeded_otherwise_is_told_by_its_actions(succeeded, anchor):
    past = [happened(9, "bash", {"command": succeeded})]
    assert anchor_of(shell("git push", "git pull"), past) == anchor


def test_more_actions_than_a_list_takes_become_their_programs_and_more_programs_the_tool():
    past = [happened(99, "bash", {"command": "git status"})]
    many = shell(*(f"git sub{chr(97 + n)}" for n in range(MOST_NAMES)))
    assert len(anchor_of(many, past).actions) == MOST_NAMES
    assert anchor_of([*many, *shell("git more")], past) == Anchor(programs=("git",))
    programs = shell(*(f"sub{chr(97 + n)} all" for n in range(MOST_NAMES)))
    assert len(anchor_of(programs).actions) == MOST_NAMES
    assert anchor_of([*programs, *shell("more all")]) == Anchor(tools=("shell",))


@pytest.mark.parametrize(
    "anchor, text",
    [
        (Anchor(tools=("a",)), 'tool is "a"'),
        (Anchor(tools=("a", "b")), 'tool in ["a", "b"]'),
        (Anchor(actions=("git push",), tools=("a",)), 'action is "git push" or tool is "a"'),
        (Anchor(intents=('x" or always',)), 'intent is "x\\" or always"'),
        (Anchor(actions=("npm ci",), programs=("make",)), 'action is "npm ci" or program is "make"'),
        (Anchor(tools=("x" * 200,)), f'tool starts with "{"x" * 200}"'),
        (Anchor(tools=("x" * 200, "b")), f'tool is "b" or tool starts with "{"x" * 200}"'),
    ],
)
def test_an_anchor_is_a_condition_and_is_read_back_out_of_it(anchor, text):
    assert render(anchor.node()) == text
    read = anchor_in(parse(text))
    assert read is not None
    assert (read.actions, read.programs, read.intents) == (anchor.actions, anchor.programs, anchor.intents)
    assert sorted(read.tools) == sorted(anchor.tools)


@pytest.mark.parametrize(
    "text",
    ["args.a exists", "tool is not 'a'", "tool contains 'a'", "tool is 'a' and action is 'b'", "session.errors >= 1"],
)
def test_no_other_condition_is_an_anchor(text):
    assert anchor_in(parse(text)) is None


@pytest.mark.parametrize(
    "anchor, occurrence, wider",
    [
        (Anchor(tools=("a",)), happened(1, "b", {}, "no"), Anchor(tools=("a", "b"))),
        (Anchor(actions=("git push",)), shell("git pull")[0], Anchor(actions=("git push", "git pull"))),
        (Anchor(actions=("git push",)), shell("")[0], Anchor(actions=("git push",))),
        (Anchor(actions=("git push", "make all")), shell("make nothing1")[0], Anchor(actions=("git push",), programs=("make",))),
        (Anchor(actions=("git push",)), shell("./run_83921.sh")[0], Anchor(actions=("git push",))),
        (Anchor(tools=("a",)), shell("git pull")[0], Anchor(actions=("git pull",), tools=("a",))),
        (Anchor(tools=("shell",)), shell("git pull")[0], Anchor(tools=("shell",))),
        (Anchor(tools=("a",)), happened(1, None, None, "no", intent="x"), Anchor(tools=("a",), intents=("x",))),
        (Anchor(tools=("a",)), happened(1, None, None, "no"), Anchor(tools=("a",))),
        (Anchor(tools=tuple(map(str, range(MOST_NAMES)))), happened(1, "b", {}, "no"), Anchor(tools=tuple(map(str, range(MOST_NAMES))))),
        (Anchor(actions=tuple(map(str, range(MOST_NAMES)))), shell("git pull")[0], Anchor(actions=tuple(map(str, range(MOST_NAMES))), programs=("git",))),
        (Anchor(programs=tuple(map(str, range(MOST_NAMES)))), shell("git thing2345")[0], Anchor(programs=tuple(map(str, range(MOST_NAMES))))),
    ],
)  # fmt: skip
def test_extending(anchor, occurrence, wider):
    assert extended(anchor, occurrence) == wider


def test_an_empty_anchor_is_no_condition():
    assert not Anchor()
    with pytest.raises(ValueError, match="found none"):
        Anchor().node()
