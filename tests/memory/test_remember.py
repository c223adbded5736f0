"""Remembering at the front door: what was said comes into a tier, whose it is, beside what is known, and never silently over it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.faults import CasebookError, NotFoundError, StoreError
from casebook.memory import Memory, UnfitMemoryError
from casebook.runtime import Runtime
from casebook.runtime.memory.kept import Kept
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.session_names import session_file

WEDNESDAY = datetime(2026, 3, 18, 2, tzinfo=UTC)
"""10:00 of a Wednesday in Shanghai."""
POLICY = "format: 1\ntimezone: Asia/Shanghai\n"


def casebook(folder: Path, policy: str = POLICY) -> Path:
    (folder / "long_term").mkdir(parents=True)
    (folder / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return casebook(tmp_path / "project")


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own casebook, `~/.casebook`."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return casebook(tmp_path / "home" / ".casebook")


@pytest.fixture
def runtime(project: Path) -> Iterator[Runtime]:
    with opened(project) as found:
        yield found


def opened(*folders: Path, at: datetime = WEDNESDAY) -> Runtime:
    return Runtime.open(folders, clock=fixed_clock(at), engine="reference")


def one(kept: tuple[Kept, ...]) -> Kept:
    (found,) = kept
    return found


def memory_in(kept: tuple[Kept, ...]) -> Memory:
    found = one(kept).memory
    assert found is not None
    return found


def standing(runtime: Runtime) -> dict[str, Memory]:
    """Give what stands in the tiers, by its text."""
    return {
        each.memory.text: each.memory for desk in runtime.desks() for each in desk.memories.memories.values()
    }  # fmt: skip


def asked(runtime: Runtime) -> list[tuple[str, str, tuple[str, ...]]]:
    """Give what a person is asked: the reason, the id, the others."""
    return [
        (each.body["reason"], each.subject, tuple(each.body["others"]))
        for desk in runtime.desks()
        for each in desk.journal.entries(actions=("queue",))
    ]


# -- the four facts ----------------------------------------------------------------------------------------------------


def test_four_facts_of_one_sentence_land_in_four_lifetimes_and_the_last_lives_until_friday(project: Path) -> None:
    with opened(project) as runtime:
        kept = runtime.remember("我是 Java 后端，之前做流批一体，最近在学 RAG，这周五交周报", user="ann", session="s1")
    found = [each.memory for each in kept if each.memory is not None]
    assert [(each.kind, each.tier) for each in found] == [
        ("identity", "L3"), ("fact", "L2"), ("usage", "L2"), ("temporary", "L2"),
    ]  # fmt: skip
    lives = [(each.tier, each.kind, each.expires_at) for each in found]
    assert len(set(lives)) == 4
    assert [each.expires_at for each in found] == [
        None,
        None,
        None,
        "2026-03-20T16:00:00.000+00:00",
    ]  # Friday's end there
    for at, told in ((datetime(2026, 3, 20, 15, 59, 59, tzinfo=UTC), 1), (datetime(2026, 3, 20, 16, tzinfo=UTC), 0)):
        with opened(project, at=at) as runtime:
            assert len(runtime.recall("交周报", user="ann", counts=False)) == told, at


# -- drops -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "rule"),
    [("你好", "D1"), ("hello", "D1"), ("几点了？", "D2"), ("What time is it?", "D2"), ("哈哈哈", "D3")],
)
def test_chatter_and_questions_are_dropped_by_a_named_rule_and_leave_nothing(
    runtime: Runtime, project: Path, words: str, rule: str
) -> None:
    kept = one(runtime.remember(words, user="ann"))
    assert (kept.did, kept.weighed.dropped[:1], kept.memory) == ("dropped", rule[:1], None)
    assert kept.why
    assert standing(runtime) == {}
    assert list((project / "long_term").iterdir()) == []


def test_a_request_for_all_reports_is_a_lasting_preference(runtime: Runtime) -> None:
    found = memory_in(runtime.remember("以后报告都用简体中文", user="ann"))
    assert (found.kind, found.tier, found.scope.named) == ("preference", "L3", {"user": "ann"})


# -- polarity, and what is known ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("likes", "dislikes"),
    [
        ("我喜欢喝咖啡", "我不喜欢喝咖啡"),
        ("I like coffee in the morning", "I don't like coffee in the morning"),
        ("I always need a coffee in the morning", "I always need no coffee in the morning"),
    ],
)
def test_a_dislike_neither_becomes_nor_merges_with_a_like_and_goes_to_review(
    runtime: Runtime, likes: str, dislikes: str
) -> None:
    first = memory_in(runtime.remember(likes, user="ann"))
    second = one(runtime.remember(dislikes, user="ann"))
    assert second.did == "created"
    assert second.opposes == (first.id,)
    assert {likes, dislikes} <= set(standing(runtime))
    assert standing(runtime)[likes] == first  # nothing of it was touched
    assert second.memory is not None
    assert asked(runtime) == [("contradiction", second.memory.id, (first.id,))]
    assert one(runtime.remember(likes, user="ann")).did == "merged"
    assert len(standing(runtime)) == 2


def test_the_other_way_round_of_a_choice_takes_no_place_silently(runtime: Runtime) -> None:
    first = memory_in(runtime.remember("I prefer tabs over spaces", user="ann"))
    second = one(runtime.remember("I prefer spaces over tabs", user="ann"))
    assert (second.did, second.opposes) == ("created", (first.id,))
    assert {"I prefer tabs over spaces", "I prefer spaces over tabs"} == set(standing(runtime))


def test_a_contradiction_is_found_across_kinds(runtime: Runtime) -> None:
    first = memory_in(runtime.remember({"text": "We use Redis for the queue", "kind": "rule"}, project="shop"))
    second = one(runtime.remember({"text": "We don't use Redis for the queue", "kind": "decision"}, project="shop"))
    assert second.opposes == (first.id,)


def test_the_same_said_twice_is_one_memory_and_writes_nothing(runtime: Runtime) -> None:
    first = memory_in(runtime.remember("以后报告都用简体中文", user="ann"))
    entries = len(runtime.journal.entries())
    again = one(runtime.remember("以后报告都用简体中文", user="ann"))
    assert (again.did, again.memory) == ("merged", first)
    assert len(runtime.journal.entries()) == entries


@pytest.mark.parametrize(("later", "fresh"), [(timedelta(days=1), False), (timedelta(days=1, seconds=1), True)])
def test_what_is_said_again_after_more_than_a_day_counts_as_used(
    project: Path, later: timedelta, *, fresh: bool
) -> None:
    form = "We chose Postgres over MySQL because of JSONB"
    with opened(project) as runtime:
        first = memory_in(runtime.remember(form, project="shop"))
    with opened(project, at=WEDNESDAY + later) as runtime:
        again = memory_in(runtime.remember(form, project="shop"))
    assert first.tier == "L2"
    assert (again.last_used is not None) == fresh


def test_what_holds_until_a_day_holds_until_the_later_one(runtime: Runtime) -> None:
    form = {"text": "The freeze of the shop goes on", "kind": "project_state", "project": "shop"}
    runtime.remember({**form, "expires_at": "2026-03-25T00:00:00+08:00"})
    kept = one(runtime.remember({**form, "expires_at": "2026-03-28T00:00:00+08:00"}))
    assert (kept.did, kept.memory and kept.memory.expires_at) == ("merged", "2026-03-27T16:00:00.000+00:00")
    earlier = memory_in(runtime.remember({**form, "expires_at": "2026-03-26T00:00:00+08:00"}))
    assert earlier.expires_at == "2026-03-27T16:00:00.000+00:00"


def test_what_has_expired_and_is_said_again_stands_again(project: Path) -> None:
    form = {"text": "The freeze of the shop goes on", "kind": "project_state", "project": "shop"}
    with opened(project) as runtime:
        first = memory_in(runtime.remember({**form, "expires_at": "2026-03-25"}))
    with opened(project, at=WEDNESDAY + timedelta(days=30)) as runtime:
        again = one(runtime.remember({**form, "expires_at": "2026-04-25"}))
        assert (again.did, again.memory and again.memory.id) == ("updated", first.id)
        assert [each.id for each in runtime.recall("freeze shop", project="shop", counts=False)] == [first.id]


def test_what_a_person_has_muted_stays_muted_when_it_is_said_again(runtime: Runtime, project: Path) -> None:
    first = memory_in(runtime.remember("以后报告都用简体中文", user="ann"))
    file = project / "long_term" / "preferences.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"tier": "L3"', '"tier": "L3", "status": "disabled"'), encoding="utf-8")
    kept = one(runtime.remember("以后报告都用简体中文", user="ann"))
    assert (kept.did, kept.memory and kept.memory.status) == ("merged", "disabled")
    assert "muted" in kept.why
    assert len(standing(runtime)) == 1
    assert kept.memory is not None
    assert kept.memory.id == first.id


def test_what_an_observation_said_first_is_the_user_s_once_they_say_it(runtime: Runtime) -> None:
    form = {"text": "The release of the shop is made on Fridays", "kind": "rule", "project": "shop"}
    seen = memory_in(runtime.remember({**form, "by": "tool"}))
    said = memory_in(runtime.remember(form))
    assert (seen.source and seen.source.origin, said.source and said.source.origin) == ("tool", "user")
    assert said.id == seen.id


# -- what the user corrects (P3) ---------------------------------------------------------------------------------------


def test_the_user_s_correction_takes_the_place_of_what_is_pinned_and_lasting(runtime: Runtime) -> None:
    first = memory_in(runtime.remember("I always use npm", user="ann", pinned=True))
    done = one(runtime.remember("I use pnpm, not npm", user="ann", corrects=first.id))
    assert (done.did, done.other) == ("corrected", first.id)
    found = standing(runtime)
    assert set(found) == {"I use pnpm, not npm"}
    after = found["I use pnpm, not npm"]
    assert (after.id, after.confirmed, after.created_at) == (first.id, True, first.created_at)
    assert any(step.rule == "P3" for step in after.rule_chain)
    last = runtime.journal.entries(subject=first.id)[-1]
    assert last.body["before"]["text"] == "I always use npm"  # nothing is lost


@pytest.mark.parametrize("by", ["model", "tool", "agent"])
def test_nobody_but_the_user_corrects_others_ask_a_person(runtime: Runtime, by: str) -> None:
    first = memory_in(runtime.remember("I always use npm", user="ann"))
    kept = one(runtime.remember("Ann uses pnpm, not npm", user="ann", corrects=first.id, by=by))
    assert (kept.did, kept.memory) == ("proposed", first)
    assert set(standing(runtime)) == {"I always use npm"}
    assert asked(runtime) == [("correction", first.id, ())]


def test_what_is_corrected_must_be_there_and_within_reach(runtime: Runtime) -> None:
    first = memory_in(runtime.remember("I always use npm", user="ann"))
    with pytest.raises(NotFoundError, match=f"did you mean {first.id}"):
        runtime.remember("I use pnpm", user="ann", corrects=first.id[:-1] + "x")
    with pytest.raises(NotFoundError) as hidden:
        runtime.remember("I use pnpm", user="bob", corrects=first.id)
    assert "did you mean" not in str(hidden.value)  # what is another's does not exist


# -- what is to go (R4) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "away"),
    [("我喜欢喝咖啡", "忘掉我喜欢喝咖啡"), ("I always use npm", "Forget that I always use npm")],
)
def test_the_user_may_let_one_memory_go_and_it_is_in_the_archive(runtime: Runtime, words: str, away: str) -> None:
    first = memory_in(runtime.remember(words, user="ann"))
    for other in ("bob", None):
        assert one(runtime.remember(away, user=other)).did == "dropped"
    assert one(runtime.remember(away, user="ann", by="tool")).did == "dropped"
    assert set(standing(runtime)) == {words}
    done = one(runtime.remember(away, user="ann"))
    assert (done.did, done.other) == ("archived", first.id)
    assert standing(runtime) == {}
    assert [each.memory.id for each in runtime.archived(user="ann")] == [first.id]


def test_where_several_may_be_meant_none_goes(runtime: Runtime) -> None:
    runtime.remember({"text": "I always use npm", "kind": "rule"}, user="ann")
    runtime.remember({"text": "I always use npm", "kind": "preference"}, user="ann")
    kept = one(runtime.remember("Forget that I always use npm", user="ann"))
    assert kept.did == "dropped"
    assert "casebook archive" in kept.why


def test_what_is_to_go_may_be_named(runtime: Runtime) -> None:
    first = memory_in(runtime.remember("I like tea", user="ann"))
    done = one(runtime.remember({"text": "that one", "archived": True}, user="ann", corrects=first.id))
    assert (done.did, done.other) == ("archived", first.id)


# -- isolation ---------------------------------------------------------------------------------------------------------


def test_a_project_s_convention_never_reaches_another_project(runtime: Runtime) -> None:
    runtime.remember("In this project we use tabs, never spaces", user="ann", project="shop")
    assert [each.text for each in runtime.recall("tabs spaces", user="ann", project="shop")]
    for other in ("till", None):
        assert runtime.recall("tabs spaces", user="ann", project=other) == ()


def test_a_user_s_preference_reaches_that_user_in_every_project_through_their_layer(
    project: Path, user: Path, tmp_path: Path
) -> None:
    other = casebook(tmp_path / "other")
    with opened(project, user) as runtime:
        kept = one(runtime.remember("以后报告都用简体中文", user="ann", project="shop"))
        rule = one(runtime.remember("In this project we use tabs, never spaces", user="ann", project="shop"))
    assert (kept.layer, kept.path) == (".casebook", "long_term/preferences.json")
    assert (user / kept.path).is_file()
    assert rule.layer == "project"
    assert not (project / "long_term" / "preferences.json").exists()
    with opened(other, user) as runtime:
        assert [each.text for each in runtime.recall("报告 简体中文", user="ann", project="till")] == [
            "以后报告都用简体中文"
        ]
        assert runtime.recall("报告 简体中文", user="bob", project="till") == ()
        assert runtime.recall("tabs spaces", user="ann", project="shop") == ()  # another folder, and not its project's
    with opened(other) as runtime:
        assert runtime.recall("报告 简体中文", user="ann", project="till") == ()


def test_each_layer_has_the_lines_of_its_own_memories(project: Path, user: Path) -> None:
    with opened(project, user) as runtime:
        runtime.remember("以后报告都用简体中文", user="ann", project="shop")
        runtime.remember("In this project we use tabs, never spaces", user="ann", project="shop")
        first, second = runtime.desks()
        assert [each.body["after"]["text"] for each in first.journal.entries(actions=("remember",))] == [
            "In this project we use tabs, never spaces"
        ]
        assert [each.body["after"]["text"] for each in second.journal.entries(actions=("remember",))] == [
            "以后报告都用简体中文"
        ]


@pytest.mark.parametrize(
    ("named", "scope"),
    [({"user": "ann"}, {"user": "bob"}), ({"project": "shop"}, {"project": "till"}), ({"team": ["a"]}, {"team": "b"})],
)
def test_nobody_speaks_for_somebody_else(runtime: Runtime, named: dict[str, Any], scope: dict[str, str]) -> None:
    (key,) = scope
    with pytest.raises(CasebookError, match=f"scope.{key}"):
        runtime.remember("I like tea", **named, scope=scope)
    assert standing(runtime) == {}


@pytest.mark.parametrize(
    ("words", "named", "warns"),
    [
        ("I like tea", {}, "no user was named"),
        ("I like tea", {"user": "ann"}, ""),
        ("We use tabs in this project", {}, ""),
    ],
)
def test_what_is_nobody_s_is_said_to_be_everybody_s(
    runtime: Runtime, words: str, named: dict[str, str], warns: str
) -> None:
    told = " ".join(one(runtime.remember(words, **named)).warnings)
    assert told.startswith(warns)
    assert bool(told) == bool(warns)


def test_a_name_is_the_same_in_each_form_of_unicode(runtime: Runtime) -> None:
    runtime.remember("I like tea", user="Ame\u0301lie")
    for name in ("Am\u00e9lie", "Ame\u0301lie"):
        assert [each.text for each in runtime.recall("tea", user=name)] == ["I like tea"]


# -- secrets -----------------------------------------------------------------------------------------------------------

KEY = "sk-ant-api03-" + "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh"


def test_secrets_are_gone_before_anything_is_kept(project: Path) -> None:
    with opened(project) as runtime:
        kept = runtime.remember(
            {"text": f"The key of staging is {KEY}", "kind": "fact", "reason": KEY, "alternatives": [KEY], "tags": [KEY]},
            user="ann", session=KEY,
        )  # fmt: skip
        runtime.flush()
    assert one(kept).memory is not None
    held = b"".join(path.read_bytes() for path in project.rglob("*") if path.is_file())
    assert b"redacted" in held
    assert KEY.encode() not in held
    assert KEY[13:].encode() not in held


def test_a_policy_s_own_pattern_holds_for_memories(tmp_path: Path) -> None:
    root = casebook(tmp_path / "m", POLICY + "redact: ['PRJ-[0-9]+']\n")
    with opened(root) as runtime:
        assert "PRJ-77" not in memory_in(runtime.remember("We always call the shop PRJ-77", project="shop")).text


# -- where it is kept --------------------------------------------------------------------------------------------------


def test_what_is_for_now_is_in_the_file_of_the_speaker_s_session(runtime: Runtime) -> None:
    kept = one(runtime.remember({"text": "The build is red", "kind": "temporary"}, user="ann", session="s1"))
    assert kept.memory is not None
    assert (kept.memory.tier, kept.path) == ("L1", session_file("s1", "ann"))
    shared = {"text": "The till is closed", "kind": "temporary", "scope": {"project": "shop"}}
    assert one(runtime.remember(shared, user="ann", project="shop", session="s1")).path == session_file("s1", "ann")


def test_an_id_of_one_s_own_is_kept_and_never_takes_another_s_place(runtime: Runtime) -> None:
    assert memory_in(runtime.remember("I like tea", user="ann", id="tea")).id == "tea"
    assert one(runtime.remember("I like tea", user="ann", id="tea")).did == "merged"
    with pytest.raises(StoreError, match="another memory's id"):
        runtime.remember("I live in Berlin", user="ann", id="tea")
    assert set(standing(runtime)) == {"I like tea"}


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ({"text": ""}, ["text"]),
        ({"txt": "I like tea"}, ["txt", "text"]),
        ({"text": "I like tea", "kind": "preferense"}, ["kind", "preference"]),
        ({"text": "I like tea", "by": "robot"}, ["by"]),
        ({"text": "I like tea", "scope": {"usr": "ann"}}, ["usr", "user"]),
        (7, ["object"]),
    ],
)
def test_what_is_no_candidate_says_where_and_what_was_expected(runtime: Runtime, form: Any, names: list[str]) -> None:
    from casebook.gate.candidate import Candidate

    with pytest.raises(UnfitMemoryError) as error:
        runtime.remember(Candidate.from_json(form))
    for name in names:
        assert name in str(error.value)


def test_what_is_done_is_in_the_audit_log_before_it_is_in_a_file(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(FolderMemories, "change", full)
    with pytest.raises(StoreError, match="the disk is full"):
        runtime.remember("以后报告都用简体中文", user="ann")
    assert [each.action for each in runtime.journal.entries()] == ["remember"]


SCENE = """
import sys
from casebook.runtime import Runtime
with Runtime.open(sys.argv[1], engine="reference") as runtime:
    sys.stdin.readline()
    for number in range(8):
        runtime.remember(f"I always read chapter {number} before I sleep", user="ann", pinned=True)
        runtime.remember("以后报告都用简体中文", user="ann")
"""


def test_processes_that_remember_the_same_at_once_leave_one_memory_each(project: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-W", "error", "-c", SCENE, str(project)]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    children = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) for _ in range(2)
    ]
    for each in children:
        assert each.stdin is not None
        each.stdin.write(b"\n")
        each.stdin.flush()
    for each in children:
        _, told = each.communicate()
        assert (each.returncode, told) == (0, b"")
    with opened(project) as runtime:
        found = [each.memory for desk in runtime.desks() for each in desk.memories.memories.values()]
        assert sum(each.text == "以后报告都用简体中文" for each in found) == 1
        texts = [each.text for each in found]
        assert len(texts) == len(set(texts))
        assert runtime.desks()[0].memories.faults == ()


def test_earlier_words_said_again_after_an_update_are_a_memory_of_their_own(runtime: Runtime) -> None:
    first = one(runtime.remember("From now on, write reports in British English", user="ann"))
    later = one(runtime.remember("From now on, write all reports in British English", user="ann"))
    assert (first.did, later.did) == ("created", "updated")
    again = one(runtime.remember("From now on, write reports in British English", user="ann"))
    assert again.did in ("merged", "proposed", "created")
    texts = {each.text for each in runtime.recall("write reports", user="ann", counts=False)}
    assert "write all reports in British English" in " ".join(texts)


def test_what_the_user_corrects_is_worth_no_less_than_before_unless_it_has_an_end(runtime: Runtime) -> None:
    decided = one(runtime.remember("We chose Postgres over MySQL because of JSONB", project="shop"))
    assert decided.memory is not None
    assert decided.memory.tier == "L2"
    plain = one(runtime.remember("The shop listens on 8080", project="shop", corrects=decided.memory.id, kind="fact"))
    assert plain.memory is not None
    assert (plain.did, plain.memory.tier, plain.memory.id) == ("corrected", "L2", decided.memory.id)
    assert plain.path.startswith("medium_term/")
