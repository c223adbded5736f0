"""Memories at the front door: told beside the cases, found again, sessions that begin and end, upkeep; never in a task's way."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook import Task
from casebook.clock import fixed_clock
from casebook.faults import CasebookError, ClosedError, StoreError
from casebook.outcome import Outcome
from casebook.runtime import Runtime
from casebook.runtime.session.spent import in_holdout
from casebook.stores.memory_folder import FolderMemories

NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
TEXT = "The deploy of the shop goes through the staging cluster in Frankfurt"
ASKS = "how does the deploy of the shop reach the staging cluster?"


def casebook(folder: Path, policy: str = "", *memories: dict[str, Any]) -> Path:
    """Make a casebook with a case, and memories of L2."""
    (folder / "long_term").mkdir(parents=True)
    (folder / "medium_term").mkdir()
    (folder / "memory-policy.yaml").write_text(f"format: 1\n{policy}", encoding="utf-8")
    case = {"id": "push", "trigger_conditions": ["tool is shell"], "correction": "Say first what is pushed."}
    (folder / "long_term" / "cases.json").write_text(json.dumps([case]), encoding="utf-8")
    write(folder, *(memories or (memory(),)))
    return folder


def memory(name: str = "deploy", text: str = TEXT, **fields: Any) -> dict[str, Any]:
    at = (NOON - timedelta(days=3)).isoformat()
    return {"id": name, "kind": "fact", "text": text, "tier": "L2", "created_at": at, "tier_since": at, **fields}


def write(folder: Path, *memories: dict[str, Any]) -> None:
    text = json.dumps({"format": 1, "memories": list(memories)}, ensure_ascii=False)
    (folder / "medium_term" / "recent_learnings.json").write_text(text, encoding="utf-8")


def opened(*folders: Path, at: datetime = NOON) -> Runtime:
    return Runtime.open(folders, clock=fixed_clock(at), engine="reference")


def told(runtime: Runtime, text: str = ASKS, *, persists: bool = False, **task: Any) -> list[str]:
    """Give the ids of the memories that a turn is told."""
    return [each.id for each in runtime.before_task(Task(text=text, **task), persists=persists).related]


def tellings(runtime: Runtime, name: str = "deploy") -> int:
    return len(runtime.journal.tellings([name]).get(name, ()))


# -- beside the cases --------------------------------------------------------------------------------------------------


def test_a_turn_is_told_what_is_related_with_its_source_and_date_and_it_is_counted(tmp_path: Path) -> None:
    with opened(casebook(tmp_path / "m")) as runtime:
        answer = runtime.before_task(Task(text=ASKS, session="s1"))
        assert [each.id for each in answer.related] == ["deploy"]
        assert TEXT in answer.prompt
        assert "2026-03-15" in answer.prompt
        runtime.flush()
        assert tellings(runtime) == 1
        runtime.match(Task(text=ASKS, session="s1"))  # leaves no trace
        runtime.flush()
        assert tellings(runtime) == 1


@pytest.mark.parametrize("point", ["tool", "answer"])
def test_only_a_turn_and_a_session_are_told(tmp_path: Path, point: str) -> None:
    with opened(casebook(tmp_path / "m")) as runtime:
        assert told(runtime, point=point) == []


def test_what_is_not_related_is_not_told(tmp_path: Path) -> None:
    with opened(casebook(tmp_path / "m")) as runtime:
        assert told(runtime, "what shall we cook tonight?") == []


def test_an_edit_by_hand_is_seen_by_the_next_turn(tmp_path: Path) -> None:
    root = casebook(tmp_path / "m")
    with opened(root) as runtime:
        assert told(runtime) == ["deploy"]
        write(root, memory("other", TEXT))
        assert told(runtime) == ["other"]


@pytest.mark.parametrize("policy", ['mode: "off"\n', "mode: shadow\n", "holdout: 1.0\n"])
def test_off_shadow_and_the_holdout_tell_nothing(tmp_path: Path, policy: str) -> None:
    with opened(casebook(tmp_path / "m", policy)) as runtime:
        for task in ({"text": ASKS}, {"point": "session_start"}):
            answer = runtime.before_task(Task(session="s1", **task))
            assert (answer.related, TEXT in answer.prompt) == ((), False)
        runtime.flush()
        assert tellings(runtime) == 0


def test_the_holdout_withholds_from_its_share_of_sessions_alone(tmp_path: Path) -> None:
    sessions = [f"s{number}" for number in range(12)]
    within = {each for each in sessions if in_holdout(each, 0.5)}
    assert 0 < len(within) < len(sessions)
    with opened(casebook(tmp_path / "m", "holdout: 0.5\n")) as runtime:
        assert {each for each in sessions if not told(runtime, session=each)} == within


def test_no_related_memories_wanted_means_nothing_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a memory file was looked at")

    for name in ("__init__", "snapshot", "unread_bytes"):
        monkeypatch.setattr(FolderMemories, name, never)
    with opened(casebook(tmp_path / "m", "limits: {max_related: 0}\n")) as runtime:
        assert told(runtime) == []


def test_a_session_s_start_has_a_budget_of_its_own(tmp_path: Path) -> None:
    rule = memory("rule", "Never deploy on a Friday", kind="rule")
    for name, policy, expected in (
        ("a", "limits: {max_related: 0}\n", ["rule"]),
        ("b", "tiers: {session_chars: 0}\n", []),
    ):
        with opened(casebook(tmp_path / name, policy, rule)) as runtime:
            answer = runtime.session_start({"session": "s1"})
            assert [each.id for each in answer.related] == expected


# -- not twice ---------------------------------------------------------------------------------------------------------


def test_where_the_text_stays_a_memory_is_told_once_a_session_and_again_once_it_was_cut(tmp_path: Path) -> None:
    root = casebook(tmp_path / "m")
    with opened(root) as runtime:
        assert told(runtime, persists=True, session="s1") == ["deploy"]
        assert told(runtime, persists=True, session="s1") == []
        assert told(runtime, persists=True, session="s2") == ["deploy"]
        assert told(runtime, session="s1") == ["deploy"]  # for one turn only: each turn
    with opened(root, at=NOON + timedelta(minutes=1)) as runtime:
        assert told(runtime, persists=True, session="s1") == []  # another process of the host
        runtime.after_task(Task(session="s2"), Outcome.compacted())
        assert told(runtime, persists=True, session="s1") == []
        runtime.after_task(Task(session="s1"), Outcome.compacted())
        assert told(runtime, persists=True, session="s1") == ["deploy"]
    with opened(root, at=NOON + timedelta(minutes=2)) as runtime:
        assert told(runtime, persists=True, session="s1") == []


def test_what_was_told_makes_room_for_the_next_nearest(tmp_path: Path) -> None:
    several = [memory(f"m{number}", f"{TEXT}, line {number}") for number in range(5)]
    with opened(casebook(tmp_path / "m", "", *several)) as runtime:
        first = told(runtime, persists=True, session="s1")
        second = told(runtime, persists=True, session="s1")
    assert (len(first), len(second)) == (3, 2)
    assert set(first).isdisjoint(second)


# -- never in a task's way ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken", ["{", "[]", '{"format": 1, "memories": [{"id": 5}]}', "\x00", '{"format": 99, "memories": []}']
)
def test_a_broken_memory_file_never_breaks_a_task(tmp_path: Path, broken: str) -> None:
    root = casebook(tmp_path / "m")
    (root / "medium_term" / "user_prefs.json").write_text(broken, encoding="utf-8")
    with opened(root) as runtime:
        answer = runtime.before_task(Task(text=ASKS, tool="shell", args={"command": "git push"}, point="task"))
        assert [each.id for each in answer.related] == ["deploy"]
        assert [each.id for each in runtime.before_task(Task(tool="shell", args={"command": "git push"})).cases] == [
            "push"
        ]
        assert runtime.recall(ASKS, counts=False)
        assert runtime.session_start({"session": "s"}).verdict == "allow"
        assert runtime.maintain(["age"])


def test_a_store_that_cannot_be_read_is_a_warning_beside_the_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise StoreError("the disk is gone")

    with opened(casebook(tmp_path / "m")) as runtime:
        monkeypatch.setattr(FolderMemories, "snapshot", fails)
        answer = runtime.before_task(
            Task(text="git push now", tool="shell", args={"command": "git push"}, point="task")
        )
        assert (answer.verdict, answer.related) == ("allow", ())
        assert any("the disk is gone" in each for each in answer.warnings)


# -- recall ------------------------------------------------------------------------------------------------------------


def test_recall_finds_by_words_or_by_a_task_what_whoever_asks_may_see(tmp_path: Path) -> None:
    several = (
        memory("all"), memory("anns", TEXT, scope={"user": "ann"}), memory("shops", TEXT, scope={"project": "shop"}),
        memory("teams", TEXT, scope={"team": "ops"}), memory("muted", TEXT, status="disabled"),
        memory("old", TEXT, expires_at=NOON.isoformat()), memory("soon", TEXT, expires_at=(NOON + timedelta(seconds=1)).isoformat()),
        memory("waits", TEXT, status="to_judge"),
    )  # fmt: skip
    with opened(casebook(tmp_path / "m", "", *several)) as runtime:
        for named, expected in (
            ({}, {"all", "soon"}),
            ({"user": "ann"}, {"all", "soon", "anns"}),
            ({"user": "bob", "project": "shop"}, {"all", "soon", "shops"}),
            ({"team": ["ops"]}, {"all", "soon", "teams"}),
        ):
            found = runtime.recall(ASKS, limit=10, counts=False, **named)
            assert {each.id for each in found} == expected
            by_task = runtime.recall({"text": ASKS, **named}, limit=10, counts=False)
            assert {each.id for each in by_task} == expected
        assert len(runtime.recall(ASKS, limit=1, counts=False)) == 1


def test_recall_counts_once_a_memory_and_session(tmp_path: Path) -> None:
    with opened(casebook(tmp_path / "m")) as runtime:
        for session, counted in (("s1", 1), ("s1", 1), ("s2", 2), (None, 3), (None, 3)):
            runtime.recall(ASKS, session=session)
            runtime.flush()
            assert len({each.counts_as for each in runtime.journal.tellings(["deploy"])["deploy"]}) == counted
        before = tellings(runtime)
        runtime.recall(ASKS, session="s9", counts=False)
        runtime.flush()
        assert tellings(runtime) == before


# -- sessions ----------------------------------------------------------------------------------------------------------


def test_a_session_begins_with_identity_state_decisions_and_rules_within_the_budget(tmp_path: Path) -> None:
    several = [
        memory("who", "Ann is a backend engineer", kind="identity", scope={"user": "ann"}),
        memory("state", "The migration of the shop is half done", kind="project_state", scope={"project": "shop"}),
        memory("choice", "Postgres was chosen over MySQL", kind="decision", scope={"project": "shop"}),
        memory("rule", "Never deploy on a Friday", kind="rule", scope={"project": "shop"}),
        memory("bobs", "Bob is a designer", kind="identity", scope={"user": "bob"}),
        memory("fact", "The coffee machine is on the third floor"),
        *(memory(f"r{number}", f"Rule {number}: " + "words " * 40, kind="rule") for number in range(20)),
    ]
    with opened(casebook(tmp_path / "all", "", *several[:6])) as runtime:
        answer = runtime.session_start({"user": "ann", "project": "shop", "session": "s1"})
        assert {each.id for each in answer.related} == {"who", "state", "choice", "rule"}
    with opened(casebook(tmp_path / "m", "tiers: {session_chars: 900}\n", *several)) as runtime:
        answer = runtime.session_start({"user": "ann", "project": "shop", "session": "s1"})
        ids = [each.id for each in answer.related]
        assert {"who", "state", "choice"} <= set(ids)
        assert not {"bobs", "fact"} & set(ids)
        assert len(answer.prompt) <= 900
        assert answer.point == "session_start"
        runtime.flush()
        assert tellings(runtime, "who") == 1


def test_the_end_of_a_session_distils_what_was_asked_for_and_lists_what_was_remembered(tmp_path: Path) -> None:
    root = casebook(tmp_path / "m")
    with opened(root) as runtime:
        runtime.remember("Remember that the build is red today", user="ann", session="s1", kind="temporary")
        runtime.remember({"text": "The printer is out of paper", "kind": "temporary"}, user="ann", session="s1")
        runtime.remember({"text": "The lift is broken", "kind": "temporary"}, user="bob", session="s1")
        runtime.remember("I prefer tabs over spaces", user="ann", session="s1")
    with opened(root, at=NOON + timedelta(hours=1)) as runtime:
        ended = runtime.session_end("s1", user="ann")
        found = {each.memory.text: each.memory.tier for each in ended.remembered}
        assert found == {"The build is red today": "L2", "I prefer tabs over spaces": "L3"}
        held = {each.memory.text for desk in runtime.desks() for each in desk.memories.memories.values()}
        assert "The printer is out of paper" not in held
        assert "The lift is broken" in held  # another user's session of the same id goes on
        assert [each.memory.text for each in runtime.archived(text="printer", user="ann")] == [
            "The printer is out of paper"
        ]


def test_a_session_ends_in_the_user_s_layer_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    mine = casebook(tmp_path / "home" / ".casebook")
    root = casebook(tmp_path / "m")
    form = {"text": "I am in the train today", "kind": "temporary", "scope": {"user": "ann"}}
    with opened(root, mine) as runtime:
        (kept,) = runtime.remember(form, user="ann", session="s1")
        assert (kept.layer, kept.memory and kept.memory.tier) == (".casebook", "L1")
    with opened(root, mine, at=NOON + timedelta(hours=1)) as runtime:
        runtime.session_end("s1", user="ann")
        assert [each.memory.text for each in runtime.archived(text="train", user="ann")] == [form["text"]]


# -- upkeep ------------------------------------------------------------------------------------------------------------


def test_upkeep_runs_by_name_in_every_layer_dry_or_not(tmp_path: Path) -> None:
    old = memory("old", tier_since=(NOON - timedelta(days=200)).isoformat())
    root, other = casebook(tmp_path / "a", "", old), casebook(tmp_path / "b", "", old)
    with opened(root, other) as runtime:
        dry = runtime.maintain(["age"], dry=True)
        assert [(each.job, each.layer, len(each.done)) for each in dry] == [("age", "a", 1), ("age", "b", 1)]
        assert {each.memories.memories["old"].memory.tier for each in runtime.desks()} == {"L2"}
        assert [len(each.done) for each in runtime.maintain(["age"])] == [1, 1]
        assert {each.memories.memories["old"].memory.tier for each in runtime.desks()} == {"L1"}
        assert [len(each.done) for each in runtime.maintain(["age"])] == [0, 0]


@pytest.mark.parametrize(
    ("name", "hint"), [("agee", "did you mean age?"), ("tick", "expected one of"), ("", "expected one of")]
)
def test_a_job_that_is_none_is_refused_by_name(tmp_path: Path, name: str, hint: str) -> None:
    with opened(casebook(tmp_path / "m")) as runtime, pytest.raises(CasebookError, match=hint.replace("?", r"\?")):
        runtime.maintain([name])


# -- async twins, forks, closing ---------------------------------------------------------------------------------------


def test_the_async_twins_give_the_same(tmp_path: Path) -> None:
    async def scene(runtime: Runtime) -> None:
        kept = await asyncio.gather(*(runtime.aremember("I like tea", user=f"u{number}") for number in range(6)))
        assert {each.did for several in kept for each in several} == {"created"}
        assert [each.text for each in await runtime.arecall("tea", user="u3")] == ["I like tea"]
        start = await runtime.asession_start({"session": "s1", "user": "u3"})
        assert start.point == "session_start"
        assert (await runtime.asession_end("s1", user="u3")).session == "s1"

    with opened(casebook(tmp_path / "m")) as runtime:
        asyncio.run(scene(runtime))


@pytest.mark.parametrize("first", ["nothing", "asked"])
def test_a_closed_runtime_says_so(tmp_path: Path, first: str) -> None:
    runtime = opened(casebook(tmp_path / "m"))
    if first == "asked":
        assert told(runtime)
    runtime.close()
    for call in (
        lambda: runtime.remember("I like tea", user="ann"),
        lambda: runtime.recall(ASKS),
        lambda: runtime.maintain(["age"]),
        lambda: runtime.session_start({}),
        lambda: runtime.session_end("s1"),
    ):
        with pytest.raises(ClosedError):
            call()
    runtime.close()


FORKING = """
import os, sys
from casebook.runtime import Runtime

runtime = Runtime.open(sys.argv[1], engine="reference")
runtime.remember("I like tea", user="ann")
assert runtime.recall("tea", user="ann")
children = []
for number in range(4):
    child = os.fork()
    if child == 0:
        (kept,) = runtime.remember(f"I like the number {number} very much", user=f"u{number}")
        assert kept.did == "created", kept
        assert [each.text for each in runtime.recall("tea", user="ann")] == ["I like tea"]
        assert runtime.before_task({"text": "number", "user": f"u{number}"}).verdict == "allow"
        runtime.flush()
        os._exit(0)
    children.append(child)
codes = [os.waitpid(child, 0)[1] for child in children]
for number in range(4):
    assert runtime.recall("number", user=f"u{number}"), number
runtime.close()
print(codes)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_remembers_and_recalls(tmp_path: Path) -> None:
    root = casebook(tmp_path / "m")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING, str(root)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("[0, 0, 0, 0]\n", "", 0)
