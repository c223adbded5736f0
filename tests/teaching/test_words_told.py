"""A word of a sentence is a condition where it stands as one of a command line; else it is told, and no such case blocks or confirms."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

import pytest

from casebook.conditions.evaluate import Reading, holds
from casebook.policy import Policy
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.extract import extract
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.lesson import UntaughtError, lesson_of
from casebook.runtime.teaching.names import Known
from casebook.task import Task

NOW = datetime(2026, 3, 20, 9, tzinfo=UTC)


def comes_up(found, command: str) -> bool:
    reading = Reading(extract(Task.from_json({"tool": "Bash", "args": {"command": command}}), Policy(), NOW))
    return bool(found.nodes) and all(holds(each, reading, "UTC") for each in found.nodes)


def call(tool: str, **args) -> EventRecord:
    facts = call_facts(tool, args, {})
    return EventRecord("e1", NOW, "tool", tool=facts.pop("tool"), ok=False, body={**facts, "args": args})


@pytest.fixture
def taken(tmp_path):
    """Whether a sentence is taken for a case with an effect, without --wide."""
    with closing(open_journal(tmp_path, lambda: NOW)) as journal:

        def asked(text: str, effect, of: EventRecord | None = None) -> bool:
            found = bound(text, Policy(), Known(), call=of, effect=effect)
            try:
                lesson_of(text, found, Policy(), journal, NOW, call=of, effect=effect)
            except UntaughtError:
                return False
            return True

        yield asked


@pytest.mark.parametrize(
    ("text", "command", "others"),
    [
        ("never do that again", "rm -rf /", ["rm -rf build", "rm -rf /tmp/x", "rm -rf build; ls /"]),
        ("never do that again", "rm -rf ~", ["rm -rf build", "rm -rf ~/x"]),
        ("never again", "rm -rf .", ["rm -rf ./build", "rm -rf build && ls ."]),
        ("never again", "rm -rf ..", ["rm -rf ../build", "rm -rf ."]),
        ("never again", "rm -rf ./*", ["rm -rf ./build", "rm -rf build"]),
        ("never again", "git add .", ["git add a.py", "git add ./a.py"]),
        ("never chmod 777", "chmod 777 x", ["chmod 644 x"]),
        ("never delete node_modules", "rm -rf node_modules", ["rm -rf build"]),
        ("never kill -9", "kill -9 12", ["kill 12"]),
        ("提交的时候禁止带 --no-verify", "git commit --no-verify", ["git commit"]),
    ],
)
def test_a_word_without_letters_is_a_word_of_the_call_as_it_was(taken, text: str, command: str, others) -> None:
    of = call("Bash", command=command)
    found = bound(text, Policy(), Known(), call=of, effect="block")
    assert (taken(text, "block", of), comes_up(found, command)) == (True, True)
    assert {each: comes_up(found, each) for each in others} == dict.fromkeys(others, False)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("never use cat to write files, use the Write tool", "to write files"),
        ("never use the Bash tool to edit files", "to edit files"),
        ("never use the Write tool to overwrite files", "to overwrite files"),
        ("never use curl to write files", "to write files"), ("never use docker to run commands", "to run commands"),
        ("禁止用 python 修改文件", "修改文件"), ("禁止用 git 改文件", "改文件"), ("禁止 git checkout 文件", "文件"),
        ("never git checkout a file", "a file"), ("never use git with options", "with options"),
        ("never run rm with flags", "with flags"), ("禁止用 git 参数", "参数"),
        ("never run npm test again and again", "repeatedly"),
        ("never rebase a published branch", "a published branch"), ("never git push to the repo", "to the repo"),
        ("never use npm scripts", "scripts"), ("never run npm test together", "together"),
        ("you must never kill processes with kill -9", "processes with"),
        ("禁止把 .env 提交到 git", "把 .env 提交到"),
        ("never push to main or on fridays", "or on fridays"),
    ],
)  # fmt: skip
def test_what_a_command_is_used_for_is_told_and_blocks_nothing(taken, text: str, unsaid: str) -> None:
    assert (bound(text, Policy(), Known()).unsaid, taken(text, "block")) == ((unsaid,), False)


@pytest.mark.parametrize(
    ("text", "fires", "silent"),
    [
        ("never run the command git push", "git push", "git pull"),
        ("never use git commit with the --no-verify flag", "git commit --no-verify", "git commit"),
        ("禁止使用 git push --force 参数", "git push --force", "git push"),
        ("提交的时候禁止带 --no-verify", "git commit --no-verify", "git commit"),
        ("never kill -9", "kill -9 12", "kill 12"),
        ("never use kill -9, use kill -TERM", "kill -9 12", "kill -TERM 12"),
        ("never rm -rf build", "rm -rf build", "rm -rf dist"),
        ("never git push to `main`", "git push origin main", "git push origin dev"),
        ("never git rebase `published`", "git rebase published", "git rebase main"),
        ("never use `npm` and `yarn`", "yarn add a", "pnpm add a"),
        ("Never use `rm -rf`; use `trash` instead", "rm -rf a", "rm a"),
        ("never git push to main or develop", "git push origin develop", "git push origin x"),
        ("never git push to main and develop", "git push origin main", "git push origin x"),
        ("never git add . or git add -A", "git add -A", "git add a.py"),
        ("never git add . or git add -A", "git add .", "git add a.py"),
        ("禁止 git push 到 main、develop", "git push origin develop", "git push origin x"),
        ("禁止推送到 main、develop", "git push origin develop", "git push origin x"),
        ("禁止 git push 到 main 或 release 分支", "git push origin release", "git push origin x"),
        ("never force-push to main or develop", "git push -f origin main", "git push origin main"),
        ("never npm install lodash or moment", "npm i moment", "npm i react"),
        ("never rm -rf / or ~", "rm -rf ~", "rm -rf build"),
        ("never run `git add .` or `git add -A`", "git add .", "git add a.py"),
        ("never git push --all/--mirror", "git push --mirror", "git push"),
        ("never use rm -rf or rm -r", "rm -r a", "rm -f a"),
        ("never rm -r or -f", "rm -f a", "rm a"),
        ("never rm -rf ..", "rm -rf ..", "rm -rf build"),
        ("never cd ..", "cd ..", "cd build"),
        ("never git push to main/master", "git push origin master", "git push origin dev"),
        ("never git push master:main", "git push origin master:main", "git push origin main"),
    ],
)  # fmt: skip
def test_what_stands_as_a_word_of_the_line_is_one_and_of_several_any_is_enough(taken, text, fires, silent) -> None:
    found = bound(text, Policy(), Known())
    assert (taken(text, "block"), comes_up(found, fires), comes_up(found, silent)) == (True, True, False)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("生产环境 kubectl delete 必须带 --dry-run", "生产环境"), ("tar 解压要加 -C", "解压"),
        ("rsync 同步到生产要加 --dry-run", "同步到生产"), ("kubectl delete 必须带 --dry-run，尤其是生产环境", "尤其是生产环境"),
        ("给线上库 mysqldump 要加 --single-transaction", "给线上库"), ("本地调试时 docker run 要加 --rm", "本地调试"),
        ("npm install without --save-exact is wrong in libraries", "in libraries"),
        ("terraform apply only after terraform plan", "only after terraform plan"),
        ("only run terraform apply after terraform plan", "only after terraform plan"),
        ("git push only after pytest", "only after pytest"), ("npm publish only after npm test", "only after npm test"),
    ],
)  # fmt: skip
def test_where_something_is_needed_is_told_and_no_such_case_confirms(taken, text: str, unsaid: str) -> None:
    assert (unsaid in bound(text, Policy(), Known()).unsaid, taken(text, "confirm")) == (True, False)


@pytest.mark.parametrize(
    ("text", "about", "good"),
    [
        ("terraform apply only after terraform plan", "terraform apply", "terraform plan"),
        ("git push only after pytest", "git push", "pytest"),
        ("only git push if npm test passes", "git push", "npm test"),
        ("git push must only happen after pytest", "git push", "pytest"),
    ],
)
def test_what_is_to_be_done_first_is_not_what_it_is_about(text: str, about: str, good: str) -> None:
    found = bound(text, Policy(), Known())
    assert (comes_up(found, about), comes_up(found, good)) == (True, False)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("plz dont git psuh to main", "no git psuh is known, the nearest is git push"),
        ("never npm isntall", "the nearest is npm install"),
        ("never pkill node", "pkill, node, and not what they are to each other"),
        ("terraform apply, but only after terraform plan", "not which of them it is about"),
        ("推送前先跑 pytest", "the sentence names pytest, so that “推送” may be a command"),
    ],
)
def test_what_is_mistyped_or_of_two_meanings_is_refused(text: str, missing: str) -> None:
    found = bound(text, Policy(), Known())
    assert (found.nodes, missing in found.missing) == ((), True)


@pytest.mark.parametrize(
    ("text", "of", "unsaid"),
    [
        ("never run DELETE", call("mcp__postgres__query", sql="DELETE FROM users"), ("DELETE",)),
        ("never post to #general", call("slack_send", channel="#general", text="hi"), ("post to",)),
        ("never call transfer with JPY", call("transfer", currency="JPY", amount=12), ()),
    ],
)  # fmt: skip
def test_of_a_call_a_word_is_said_by_its_conditions_alone(taken, text: str, of, unsaid) -> None:
    assert bound(text, Policy(), Known(), call=of, effect="block").unsaid == unsaid
    assert taken(text, "block", of) == (not unsaid)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("be careful in prod", ("in prod",)), ("生产环境小心", ("生产环境",)), ("生产环境要加 --dry-run", ("生产环境",)),
        ("use --dry-run in prod", ("in prod",)),
        ("that broke it", ()), ("要加 --dry-run", ()),
    ],
)  # fmt: skip
def test_of_a_call_what_limits_a_sentence_is_told_in_whatever_form_it_is(taken, text: str, unsaid) -> None:
    of = call("Bash", command="kubectl delete pod 12345")
    found = bound(text, Policy(), Known(), call=of, effect="confirm")
    assert (found.unsaid, taken(text, "confirm", of)) == (unsaid, not unsaid)
