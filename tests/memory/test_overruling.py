"""What a user says against what is known: their own words take its place (P3), what needs a person is judged, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.memory import Memory
from casebook.runtime import Runtime
from casebook.runtime.memory.kept import Kept
from casebook.runtime.review.judging import approve, reject
from casebook.runtime.review.queue import queue
from casebook.runtime.review.review import Review
from casebook.runtime.review.undoing import undo
from tests.memory.test_remember import WEDNESDAY, casebook


@pytest.fixture
def runtime(tmp_path: Path) -> Any:
    with Runtime.open((casebook(tmp_path / "book"),), clock=fixed_clock(WEDNESDAY), engine="reference") as found:
        yield found


def said(runtime: Runtime, *texts: str, **more: Any) -> list[Kept]:
    return [kept for text in texts for kept in runtime.remember({"text": text, **more}, user="ann", project="shop")]


def texts(runtime: Runtime) -> list[str]:
    """Give what stands in the tiers."""
    return sorted(each.memory.text for desk in runtime.desks() for each in desk.memories.memories.values())


def stored(runtime: Runtime) -> Memory:
    ((memory,),) = [[each.memory for each in desk.memories.memories.values()] for desk in runtime.desks()]
    return memory


def desk_of(runtime: Runtime) -> Review:
    (desk,) = runtime.desks()
    return Review(desk.journal, runtime.store, fixed_clock(WEDNESDAY), "person:ann")


@pytest.mark.parametrize(
    "known, correction",
    [
        ("Use pnpm, not npm.", "actually, use npm, not pnpm"),
        ("Use pnpm, not npm.", "On second thought, use npm, not pnpm."),
        ("Use pnpm, not npm.", "We've changed our minds: use npm, not pnpm."),
        ("Use pnpm, not npm.", "hmm, actually, let's use npm and not pnpm"),
        ("Use pnpm, not npm.", "Wait, let's use npm instead of pnpm"),
        ("用 pnpm，不要用 npm。", "等等，改成用 npm，不要用 pnpm"),
        ("用 pnpm，不要用 npm。", "等一下，还是用 npm，别用 pnpm"),
        ("用 pnpm，不要用 npm。", "我们改主意了，用 npm，不要用 pnpm"),
        ("用 pnpm，不要用 npm。", "說錯了，用 npm，不要用 pnpm"),
        ("用 pnpm，不要用 npm。", "其實用 npm，不用 pnpm"),
        ("The port is 8080", "no, the port is 9090"),
        ("The API listens on port 8080", "Actually, the API listens on port 9090"),
        ("Standup is at 9:30", "No, standup is at 10:00"),
        ("The release is on Friday", "Sorry, the release is on Monday"),
        ("Alice owns billing", "no, Bob owns billing"),
        ("The owner of billing is Alice", "Correction: the owner of billing is Bob"),
        ("I live in Munich", "Actually, I live in Berlin now"),
        ("I use Vim", "I don't use Vim any more"),
        ("I use Vim", "I no longer use Vim"),
        ("We deploy with Jenkins", "We don't deploy with Jenkins anymore, we use GitHub Actions"),
        ("The default branch is main", "That's wrong, the default branch is develop"),
        ("Use pnpm", "Actually, use npm instead"),
        ("Deploys happen on Tuesdays", "Deploys happen on Thursdays now"),
        ("The timeout is 30 s", "The timeout has changed to 60 s"),
        ("My manager is Alice", "My manager is now Carol"),
        ("I work at Acme", "I no longer work at Acme"),
        ("The staging host is stage1", "Wait, the staging host is stage2"),
        ("Reports go to Alice", "Nope, reports go to Bob"),
        ("I prefer tabs", "I changed my mind, I prefer spaces"),
        ("Use Jest", "Actually, let's use Vitest"),
        ("We use Redis for sessions", "Correction: we use Memcached for sessions"),
        ("The meeting room is Blue", "oops, the meeting room is Green"),
        ("I like tea", "Actually I don't like tea"),
        ("Max 3 retries", "no, max 5 retries"),
        ("We deploy on Kubernetes", "We don't deploy on Kubernetes any more"),
        ("用 pnpm，不要用 npm", "其实应该用 npm，不要用 pnpm"),
        ("包管理器用 pnpm", "包管理器改成 npm"),
        ("端口是 8080", "不对，端口是 9090"),
        ("接口超时是 30 秒", "更正：接口超时是 60 秒"),
        ("接口超时是 30 秒", "接口超时改成 60 秒"),
        ("周会是周五上午十点", "说错了，周会是周四上午十点"),
        ("支付服务的负责人是张三", "其实支付服务的负责人是李四"),
        ("张三负责计费", "不对，李四负责计费"),
        ("我住在上海", "其实我住在北京"),
        ("我用 Vim", "我已经不用 Vim 了"),
        ("默认分支是 main", "不是 main，默认分支是 develop"),
        ("发布日期是 12 月 1 日", "不对，发布日期是 12 月 3 日"),
        ("超时是 30 秒", "超时现在是 60 秒"),
        ("我的经理是张三", "我的经理换成王五了"),
        ("我在字节工作", "我不再在字节工作"),
        ("报告发给张三", "不对，报告发给李四"),
        ("会话存在 Redis 里", "更正：会话存在 Memcached 里"),
        ("会议室是 301", "记错了，会议室是 302"),
        ("我喜欢香菜", "其实我不喜欢香菜"),
        ("最多重试 3 次", "不对，最多重试 5 次"),
        ("我们用 Kubernetes 部署", "我们已经不用 Kubernetes 部署了"),
    ],
)
def test_what_the_user_corrects_in_their_own_words_takes_the_place_of_what_was_said(
    runtime: Runtime, known: str, correction: str
) -> None:
    (before,) = [each for each in said(runtime, known) if each.memory is not None][:1]
    kept = [each for each in said(runtime, correction) if each.memory is not None]
    assert kept[0].did == "corrected"
    assert kept[0].memory is not None
    assert before.memory is not None
    assert kept[0].memory.id == before.memory.id
    assert "P3" in [step.rule for step in kept[0].memory.rule_chain]
    assert before.memory.text in kept[0].why
    assert before.memory.text not in texts(runtime)


@pytest.mark.parametrize(
    "known, new",
    [
        ("Use pnpm, not npm.", "Use npm, not pnpm."),
        ("The timeout is 30 s", "The timeout is 2 minutes"),
        ("The owner of billing is Alice", "The owner of billing is Bob"),
        ("Answer in German", "Answer in English"),
        ("用 pnpm，不要用 npm", "用 npm，不要用 pnpm"),
        ("支付服务的负责人是张三", "支付服务的负责人是李四"),
    ],
)
def test_without_a_word_of_correction_both_stand_and_a_person_is_asked_whether_the_new_one_holds(
    runtime: Runtime, known: str, new: str
) -> None:
    (before,), (after,) = said(runtime, known), said(runtime, new)
    assert after.did in ("created", "proposed")
    assert before.memory is not None
    assert after.memory is not None
    assert after.opposes == (before.memory.id,)
    assert [each.queued[0].body["reason"] for each in queue(desk_of(runtime))] == ["contradiction"]
    assert texts(runtime) == sorted((before.memory.text, after.memory.text))


def test_to_approve_lets_the_new_one_hold_and_the_old_one_is_in_the_archive_with_its_heir(runtime: Runtime) -> None:
    (before,), (after,) = said(runtime, "Use pnpm, not npm."), said(runtime, "Use npm, not pnpm.")
    assert before.memory is not None
    assert after.memory is not None
    desk = desk_of(runtime)
    approve(desk, after.memory.id)
    assert [each.text for each in runtime.recall("npm or pnpm", user="ann", project="shop")] == ["Use npm, not pnpm."]
    (desk_now,) = runtime.desks()
    (retired,) = desk_now.store.archived(memory_id=before.memory.id)
    assert retired.memory.superseded_by == after.memory.id
    assert after.memory.id in retired.memory.rule_chain[-1].why
    assert stored(runtime).confirmed
    undo(desk)
    (back,) = [
        each.memory
        for desk in runtime.desks()
        for each in desk.memories.memories.values()
        if each.memory.id == before.memory.id
    ]
    assert back == before.memory


def test_to_reject_leaves_both(runtime: Runtime) -> None:
    (before,), (after,) = said(runtime, "Use pnpm, not npm."), said(runtime, "Use npm, not pnpm.")
    assert before.memory is not None
    assert after.memory is not None
    reject(desk_of(runtime), after.memory.id)
    assert texts(runtime) == ["Use npm, not pnpm.", "Use pnpm, not npm."]
    assert queue(desk_of(runtime)) == ()


def test_what_an_agent_says_against_the_user_is_put_to_a_person(runtime: Runtime) -> None:
    said(runtime, "Use pnpm, not npm.")
    (kept,) = said(runtime, "actually, use npm, not pnpm", by="agent")
    assert (kept.did, len(kept.opposes)) == ("created", 1)
    assert "Use pnpm, not npm." in texts(runtime)


def test_of_two_that_a_correction_may_be_of_a_person_says_which(runtime: Runtime) -> None:
    said(runtime, "Alice owns the billing service", "Carol owns the billing service")
    (kept,) = said(runtime, "No, Bob owns the billing service")
    assert (kept.did, len(kept.opposes)) == ("created", 2)


def test_a_correction_is_never_proposed_to_be_one_with_what_it_corrects(runtime: Runtime) -> None:
    said(runtime, "The nightly job copies the orders table to the warehouse in Frankfurt")
    (kept,) = said(runtime, "Actually, the nightly job moves all tables to the lake in Dublin at noon")
    assert kept.did == "created"
    assert "merge" not in [each.queued[0].body["reason"] for each in queue(desk_of(runtime))]


def test_words_of_correction_about_something_new_correct_nothing(runtime: Runtime) -> None:
    said(runtime, "Alice owns the billing service")
    (kept,) = said(runtime, "Actually, the search index is rebuilt at night")
    assert (kept.did, kept.opposes) == ("created", ())


def test_what_was_pinned_stays_pinned_when_it_is_corrected(runtime: Runtime) -> None:
    said(runtime, "The port is 8080", pinned=True)
    said(runtime, "No, the port is 9090")
    assert (stored(runtime).text, stored(runtime).pinned) == ("The port is 9090", True)


@pytest.mark.parametrize(
    "correction",
    [
        "actually — use npm, not pnpm",
        "Actually: use npm, not pnpm",
        "actually - use npm, not pnpm",
        "Actually... use npm, not pnpm",
        "On second thoughts: use npm, not pnpm",
        "hmm, actually, use npm, not pnpm",
    ],
)
def test_of_a_correction_what_is_right_is_kept_without_the_words_and_signs_before_it(
    runtime: Runtime, correction: str
) -> None:
    said(runtime, "Use pnpm, not npm.")
    said(runtime, correction)
    assert texts(runtime) == ["Use npm, not pnpm"]


@pytest.mark.parametrize(
    "words", ["Let's use npm and not pnpm for this run", "等等，我先看看日志", "Wait, let me check the logs"]
)
def test_a_request_of_the_moment_corrects_nothing(runtime: Runtime, words: str) -> None:
    said(runtime, "Use pnpm, not npm.")
    assert [each.did for each in said(runtime, words) if each.did == "corrected"] == []
    assert "Use pnpm, not npm." in texts(runtime)
