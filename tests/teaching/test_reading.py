"""A sentence is read whole: what is forbidden blocks, what is left over is told, and what is no order to leave something forbids nothing."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime

import pytest

from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.render import render
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
"""A Friday."""


def comes_up(found, command: str, at: datetime = NOW) -> bool:
    task = Task.from_json({"tool": "Bash", "args": {"command": command}})
    reading = Reading(extract(task, Policy(), at))
    return bool(found.nodes) and all(holds(each, reading, "UTC") for each in found.nodes)


def call(tool: str, args: Mapping[str, object]) -> EventRecord:
    facts = call_facts(tool, args, {})
    canonical = facts.pop("tool")
    return EventRecord("e1", NOW, "tool", tool=canonical, ok=False, body={**facts, "args": args})


@pytest.fixture
def blocks(tmp_path):
    """Whether a sentence is taken for a case that blocks, without --wide."""
    with closing(open_journal(tmp_path, lambda: NOW)) as journal:

        def asked(text: str, of: EventRecord | None = None) -> bool:
            found = bound(text, Policy(), Known(), call=of, effect="block")
            try:
                lesson_of(text, found, Policy(), journal, NOW, call=of, effect="block")
            except UntaughtError:
                return False
            return True

        yield asked


@pytest.mark.parametrize(
    ("text", "fires", "silent"),
    [
        ("never run git stash", "git stash pop", "git status"),
        ("please never push to main", "git push origin main", "git push origin dev"),
        ("cargo publish is forbidden", "cargo publish", "cargo build"),
        ("under no circumstances run git reset --hard", "git reset --hard HEAD", "git reset a"),
        ("never use docker system prune because it deletes our volumes", "docker system prune -f", "docker ps"),
        ("never git push (it triggers a deploy)", "git push", "git pull"),
        ("when you git commit, never use --no-verify", "git commit --no-verify", "git commit -m x"),
        ("git commit 绝对不要用 --no-verify", "git commit --no-verify", "git commit -m x"),
        ("main 分支禁止强推", "git push -f origin main", "git push -f origin dev"),
        ("从不直接 git push 到 main", "git push origin main", "git push origin dev"),
        ("以后禁止用 npm，用 pnpm", "npm i", "pnpm i"),
        ("禁止用 npm 或 yarn", "yarn add a", "pnpm add a"),
        ("禁止 cargo publish，因为还没审核", "cargo publish", "cargo build"),
        ("never run pytest without -x", "pytest a", "pytest -vx a"),
        ("never run npm install without --ignore-scripts", "npm install", "npm install --ignore-scripts"),
        ("禁止不带 --dry-run 执行 helm upgrade", "helm upgrade a", "helm upgrade a --dry-run=client"),
        ("never use sudo with npm install", "sudo npm install", "npm install"),
        ("禁止用 sudo 跑 npm install", "sudo npm install", "npm install"),
        ("never run npm start with nohup", "nohup npm start", "npm start"),
        ("never use xargs with rm", "ls | xargs rm", "rm a"),
        ("never use timeout with pytest", "timeout 5 pytest", "pytest"),
        ("never run pytest, use uv run pytest", "pytest a", "uv run --frozen pytest a"),
        ("禁止直接跑 pytest,改用 poetry run pytest", "pytest a", "poetry run pytest a"),
        ("never use pip, use python -m pip", "pip install a", "python3 -m pip install a"),
        ("不准直接用 pip,要用 python -m pip", "pip install a", "python -m pip install a"),
        ("never call python directly, use uv run python", "python a.py", "uv run python a.py"),
        ("never use npm, npm ci is fine", "npm install", "npm ci"),
        ("除了 npm ci，禁止使用 npm", "npm install", "npm ci"),
        ("never git pull --rebase", "git pull --rebase", "git pull"),
        ("never git push --all or --mirror", "git push --mirror", "git push"),
        ("never git push --all or --mirror", "git push --all", "git push origin"),
        ("never use sudo except for apt", "sudo make", "sudo apt install a"),
        ("never use docker, ps is fine", "docker run a", "docker ps"),
        ("任何人不得使用 npm", "npm i", "pnpm i"),
    ],
)  # fmt: skip
def test_what_a_sentence_forbids_is_blocked_and_nothing_beside_it(blocks, text: str, fires: str, silent: str) -> None:
    found = bound(text, Policy(), Known())
    assert (blocks(text), comes_up(found, fires), comes_up(found, silent)) == (True, True, False)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("晚上十点以后禁止推送", "晚上十点以后"), ("凌晨禁止执行 git push", "凌晨"), ("月底禁止部署", "月底"),
        ("没有工单号时禁止部署", "没有工单号时"), ("上线前禁止 git push", "上线前"), ("节假日禁止部署到生产", "节假日"),
        ("下班后禁止 git push", "下班后"), ("周五之前禁止 git push", "周五之前"), ("除了周五禁止 git push", "除了周五"),
        ("除非我同意，禁止 git push", "除非我同意"), ("未经我同意禁止 git push", "未经我同意"), ("今天禁止 git push", "今天"),
        ("实习生禁止 git push", "实习生"), ("网络不稳定时严禁 git push", "网络不稳定时"), ("禁止不问我就 git push", "不问我就"),
        ("at night never git push", "at night"), ("in CI never run npm install", "in CI"),
        ("during the release freeze never git push", "during the release freeze"),
        ("bob must never git push", "bob"), ("try to never git push", "try to"), ("if you can, never git push", "if you can"),
        ("never push before running pytest", "before running pytest"), ("never git push twice in a row", "twice in a row"),
        ("never git push, at least on fridays", "at least on fridays"), ("never git push now", "now"),
        ("never run pytest on the server", "on the server"), ("never run npm install as root", "as root"),
        ("never git push without running pytest", "without running pytest"), ("never suggest npm", "suggest"),
        ("严禁删除 node_modules", "node_modules"), ("never delete the database", "the database"), ("禁止给客户退款", "给客户"),
        ("never push at 5pm", "at 5pm"), ("never push every friday before a release", "before a release"),
        ("normally never git push", "normally"), ("原则上禁止 git push", "原则上"), ("取消禁止 git push", "取消"),
        ("never force-push except to your own branch", "to your own branch"), ("never use npm but pnpm", "but pnpm"),
        ("never use npm in CI, use npm ci in CI", "in CI"),
        ("never use curl together with jq", ""), ("never pipe cat into grep", ""), ("never git commit from node", ""),
        ("禁止在 docker 里 git push", ""), ("禁止先 git push 再 git pull", ""), ("never combine git add with git commit", ""),
    ],
)  # fmt: skip
def test_what_is_left_over_is_told_and_no_such_case_blocks(blocks, text: str, unsaid: str) -> None:
    found = bound(text, Policy(), Known())
    assert not blocks(text)
    assert unsaid in found.unsaid if unsaid else "what they are to each other" in found.missing


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("never forget to run git fetch before git rebase", "git rebase"),
        ("never forget to update CHANGELOG.md when you git commit", "git commit"),
        ("always run the tests before git commit, never skip them", "git commit"),
        ("before git push run npm test, and never ignore a failure", "git push"),
        ("when you run npm install, never forget the lockfile", "npm install"),
        ("git commit 之前绝不要忘记格式化", "git commit"),
        ("git push 前绝不能跳过测试", "git push"),
        ("绝不能漏掉 git push 之前的测试", "git push"),
        ("always run pytest before git push, never push without it", "git push"),
        ("there is no rule that you must not use npm", None),
        ("I never said that you may use yarn", "yarn"),
        ("没有规定说禁止使用 npm", None),
        ("你为什么禁止 git push", None),
    ],
)  # fmt: skip
def test_never_elsewhere_in_a_sentence_forbids_no_call(blocks, text: str, about: str | None) -> None:
    found = bound(text, Policy(), Known())
    assert (comes_up(found, about) if about else bool(found.nodes), blocks(text)) == (about is not None, False)


@pytest.mark.parametrize(
    ("text", "condition", "inside", "outside"),
    [
        ("周末禁止 git push", "weekday in Sat-Sun", (21, 0, 0), (20, 23, 59)),
        ("周末禁止 git push", "weekday in Sat-Sun", (22, 23, 59), (23, 0, 0)),
        ("never git push on fridays", "weekday in Fri", (20, 9, 0), (21, 9, 0)),
        ("never git push on mondays or fridays", "weekday in [Mon, Fri]", (23, 9, 0), (24, 9, 0)),
        ("每周五禁止 git push", "weekday in Fri", (20, 0, 0), (19, 23, 59)),
        ("git push 不得在周五执行", "weekday in Fri", (20, 0, 0), (19, 23, 59)),
        ("never push from monday to friday", "weekday in Mon-Fri", (20, 23, 59), (21, 0, 0)),
        ("周一至周五 9:00-18:00 禁止 git push", "time between 09:00 and 18:00", (20, 9, 0), (21, 9, 0)),
        ("周一至周五 9:00-18:00 禁止 git push", "weekday in Mon-Fri", (20, 17, 59), (20, 18, 0)),
        ("git push is never allowed on fridays", "weekday in Fri", (20, 9, 0), (21, 9, 0)),
        ("晚上10点到早上6点禁止 git push", "time between 22:00 and 06:00", (20, 22, 0), (20, 6, 0)),
        ("never git push between 22:00 and 06:00", "time between 22:00 and 06:00", (20, 5, 59), (20, 21, 59)),
        ("never git push from 10pm to 6am", "time between 22:00 and 06:00", (20, 22, 0), (20, 21, 59)),
        ("晚上十点半到早上六点禁止 git push", "time between 22:30 and 06:00", (20, 22, 30), (20, 22, 29)),
    ],
)  # fmt: skip
def test_a_time_that_is_exact_is_a_condition(blocks, text: str, condition: str, inside, outside) -> None:
    found = bound(text, Policy(), Known())
    assert (condition in [render(each, "en") for each in found.nodes], found.unsaid, blocks(text)) == (True, (), True)
    for (day, hour, minute), expected in ((inside, True), (outside, False)):
        assert comes_up(found, "git push", datetime(2026, 3, day, hour, minute, tzinfo=UTC)) is expected


@pytest.mark.parametrize(
    ("text", "fires", "silent"),
    [
        ("npm install needs --legacy-peer-deps", "npm install", "npm install --legacy-peer-deps"),
        ("git push 要带 --force-with-lease", "git push", "git push --force-with-lease"),
        ("always pass -n to helm", "helm list", "helm list -n a"),
        ("kubectl apply needs --server-side", "kubectl apply -f a", "kubectl apply --server-side -f a"),
        ("don't run helm upgrade without --dry-run first", "helm upgrade a", "helm upgrade a --dry-run"),
        ("use git pull --rebase, not git pull", "git pull", "git pull origin main --rebase"),
        ("use python3 -m pip, not pip", "pip install a", "python3 -m pip install a"),
        ("never push before running pytest", "git push", "pytest"),
        ("on fridays git push needs a review", "git push", "git pull"),
    ],
)  # fmt: skip
def test_a_flag_that_is_needed_is_one_that_is_missing_where_the_case_comes_up(text, fires, silent) -> None:
    found = bound(text, Policy(), Known())
    assert (comes_up(found, fires), comes_up(found, silent)) == (True, False)


@pytest.mark.parametrize("text", ["always write tests", "always deploy", "一定要写测试", "use npm ci"])
def test_what_is_to_be_done_is_nothing_to_come_up_at(text: str) -> None:
    found = bound(text, Policy(), Known())
    assert (found.nodes, "and not where" in found.missing) == ((), True)


@pytest.mark.parametrize(
    ("text", "command", "other"),
    [
        ("never do that again", "git push origin main --force", "git push origin main --force-with-lease"),
        ("never do this", "npm install left-pad", "npm install left-pad2"),
        ("never again", "git push", "git push origin dev"),
        ("绝不要再这样做", "cd web && npm install left-pad", "npm install left-pad"),
        ("不准再执行这个", "make deploy", "make deploy ENV=eu"),
        ("never run that command again", "make deploy ENV=eu", "make deploy ENV=us"),
    ],
)
def test_that_is_the_call_as_it_was_for_a_case_that_blocks_and_all_such_calls_for_advice(
    blocks, text, command, other
) -> None:
    of = call("Bash", {"command": command})
    found = bound(text, Policy(), Known(), call=of, effect="block")
    assert (blocks(text, of), comes_up(found, command), comes_up(found, other)) == (True, True, False)
    assert comes_up(bound(text, Policy(), Known(), call=of), other)


@pytest.mark.parametrize(
    ("text", "tool", "args", "expected"),
    [
        ("never write there", "Write", {"file_path": "/srv/a.py", "content": "x"}, ['tool is "write"', 'path is "/srv/a.py"']),
        ("never do that", "reserve", {"item": "A17", "n": 2}, ['tool is "reserve"', 'args.item is "A17"', "args.n is 2"]),
        ("never call it with JPY", "transfer", {"currency": "JPY", "amount": 12}, ['tool is "transfer"', 'args.currency is "JPY"']),
        ("never run this on Fridays", "Bash", {"command": "make deploy"}, ['action is "make deploy"', 'args.command is "make deploy"', "weekday in Fri"]),
    ],
)  # fmt: skip
def test_the_call_as_it_was_is_its_words_or_values(blocks, text, tool, args, expected) -> None:
    of = call(tool, args)
    found = bound(text, Policy(), Known(), call=of, effect="block")
    assert ([render(each, "en") for each in found.nodes], blocks(text, of)) == (expected, True)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("never do that in prod", "make deploy"),
        ("never push there", "git push origin dev"),
        ("never forget that", "git push"),
        ("never again", "curl -H 'Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' x"),
        ("never again", "cp a b c d e f g h i"),
    ],
)
def test_what_is_more_than_the_call_or_no_order_blocks_nothing(blocks, text: str, command: str) -> None:
    assert not blocks(text, call("Bash", {"command": command}))


@pytest.mark.parametrize(
    ("text", "command", "cure"),
    [
        ("that needs the --legacy-peer-deps flag", "npm install", "npm install --legacy-peer-deps"),
        ("you forgot --no-audit", "npm install", "npm install --no-audit"),
        ("always pass -n to helm", "helm list", "helm list -n a"),
        ("要加 --dry-run", "helm upgrade a", "helm upgrade a --dry-run"),
        ("git push 要带 --force-with-lease", "git push origin", "git push --force-with-lease origin"),
        ("pass -f docker-compose.dev.yml", "docker compose up", "docker compose -f docker-compose.dev.yml up"),
        ("without -n that lists nothing", "helm list", "helm list -n a"),
        ("use git pull --rebase, not git pull", "git pull", "git pull --rebase"),
    ],
)
def test_a_call_that_lacked_a_flag_is_what_it_comes_up_at_and_its_cure_is_not(text, command, cure) -> None:
    found = bound(text, Policy(), Known(), call=call("Bash", {"command": command}))
    assert (comes_up(found, command), comes_up(found, cure)) == (True, False)


@pytest.mark.parametrize(
    ("text", "command", "untrue"),
    [
        ("never use --force", "git push origin dev", "--force"),
        ("never run helm without -n", "helm list -n a", "not matches"),
        ("never run this on Mondays", "make deploy", "weekday in Mon"),
    ],
)
def test_a_case_that_does_not_come_up_at_its_own_call_is_none_and_it_is_said_why(text, command, untrue) -> None:
    for effect in ("advise", "block"):
        found = bound(text, Policy(), Known(), call=call("Bash", {"command": command}), effect=effect)
        assert (found.nodes, "it is not true that" in found.missing, untrue in found.missing) == ((), True, True)


@pytest.mark.parametrize(
    ("text", "confirms"),
    [
        ("ask me before git push", True), ("never push without asking me", True), ("git push 前先问我", True),
        ("before git push, run the tests in docker", True), ("if you git push, ask me", True), ("git push needs my approval", True),
        ("未经我同意不要 git push", True), ("不要不问我就 git push", True), ("never git push unless I approve", True),
        ("before git push or git rebase ask me", True), ("don't push to main, ask me first", True),
        ("ask me before git push at night", False), ("ask me before you push when tests are red", False),
        ("晚上 git push 前先问我", False), ("before git push, ask me unless it is a docs change", False),
        ("git push needs my approval in december", False), ("12 月 git push 前先问我", False),
        ("never push without asking me at night", False), ("git push 前先问我，文档改动除外", False),
    ],
)  # fmt: skip
def test_a_case_asks_a_person_at_what_its_sentence_says_and_no_more(tmp_path, text: str, confirms: bool) -> None:
    with closing(open_journal(tmp_path, lambda: NOW)) as journal:
        found = bound(text, Policy(), Known(), effect="confirm")
        if confirms:
            assert lesson_of(text, found, Policy(), journal, NOW, effect="confirm").case.effect == "confirm"
        else:
            with pytest.raises(UntaughtError, match="no condition says"):
                lesson_of(text, found, Policy(), journal, NOW, effect="confirm")
