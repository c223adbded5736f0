"""What is said against something known of another kind, of another home, of another user: told, corrected by whom it belongs to, or asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from casebook.clock import fixed_clock
from casebook.memory import UnfitMemoryError
from casebook.runtime import Runtime
from casebook.runtime.memory.kept import Kept
from casebook.runtime.review.judging import approve
from casebook.runtime.review.review import Review
from casebook.runtime.upkeep.contradicting import contradictions
from tests.memory.test_remember import WEDNESDAY, casebook


@pytest.fixture
def runtime(tmp_path: Path) -> Any:
    with Runtime.open((casebook(tmp_path / "book"),), clock=fixed_clock(WEDNESDAY), engine="reference") as found:
        yield found


def said(runtime: Runtime, text: str, user: str = "ann", **more: Any) -> Kept:
    (kept,) = runtime.remember({"text": text, **more}, user=user, project="shop")
    return kept


@pytest.mark.parametrize(
    "known, opposite",
    [
        ("Use pnpm, not npm.", "Use npm instead of pnpm from now on"),
        ("From now on use tabs", "Use spaces"),
        ("上线前必须跑完回归测试", "上线前不用跑回归测试了"),
        ("部署前必须跑完测试", "部署前不必跑测试"),
    ],
)
def test_the_opposite_is_told_whatever_its_kind_and_home(runtime: Runtime, known: str, opposite: str) -> None:
    before, after = said(runtime, known), said(runtime, opposite)
    assert before.memory is not None
    assert after.did == "created"
    assert after.opposes == (before.memory.id,)
    assert [each.asked.body["others"] for each in _asked(runtime)] == [[before.memory.id]]
    memories = [each.memory for desk in runtime.desks() for each in desk.memories.memories.values()]
    assert len(list(contradictions(memories, None))) == 1, "upkeep finds it, too"


def _asked(runtime: Runtime) -> list[Any]:
    from casebook.runtime.review.queue import queue

    (desk,) = runtime.desks()
    return list(queue(Review(desk.journal, runtime.store, fixed_clock(WEDNESDAY), "person:ann")))


@pytest.mark.parametrize(
    "known, correction",
    [
        ("以后回答都用中文", "以后改成用英文回答"),
        ("以后回答都用中文", "改成用英文回答"),
        ("以后回答都用中文", "改用英文回答"),
        ("Always answer in German", "Switch to English answers from now on"),
        ("From now on use tabs", "no, use spaces"),
        ("I prefer tabs", "I no longer use tabs"),
    ],
)
def test_a_correction_has_the_kind_the_home_and_the_file_of_what_it_corrects(
    runtime: Runtime, known: str, correction: str
) -> None:
    before, after = said(runtime, known), said(runtime, correction)
    assert before.memory is not None
    assert after.memory is not None
    assert (after.did, after.memory.id) == ("corrected", before.memory.id)
    for name in ("kind", "scope", "tier"):
        assert getattr(after.memory, name) == getattr(before.memory, name)
    assert after.path == before.path
    steps = [step.rule for step in after.memory.rule_chain]
    assert steps.count("P3") >= 1
    assert steps[: len(before.memory.rule_chain) + 1] == [
        *(each.rule for each in before.memory.rule_chain),
        "corrected",
    ]


@pytest.mark.parametrize("text", ["no, use spaces", "Actually the port is 9090", "其实端口是 9090"])
def test_where_nothing_was_corrected_no_p3_is_kept(runtime: Runtime, text: str) -> None:
    kept = said(runtime, text)
    assert kept.memory is not None
    assert "P3" not in [step.rule for step in kept.memory.rule_chain]


def test_another_users_correction_of_a_projects_memory_waits_for_a_person(runtime: Runtime) -> None:
    before = said(runtime, "The port is 8080")
    kept = said(runtime, "Actually the port is 9090", "bob")
    assert before.memory is not None
    assert (kept.did, kept.other) == ("proposed", before.memory.id)
    assert "bob" in kept.why
    (desk,) = runtime.desks()
    assert desk.memories.memories[before.memory.id].memory.text == "The port is 8080"
    approve(Review(desk.journal, runtime.store, fixed_clock(WEDNESDAY), "person:ann"), before.memory.id)
    (desk,) = runtime.desks()
    assert desk.memories.memories[before.memory.id].memory.text == "The port is 9090"


def test_who_said_it_corrects_it_at_once_and_nobody_touches_anothers_own(runtime: Runtime) -> None:
    said(runtime, "The port is 8080")
    assert said(runtime, "Actually the port is 9090").did == "corrected"
    said(runtime, "I prefer tabs")
    bobs = said(runtime, "Actually I prefer spaces", "bob")
    assert bobs.did == "created"
    assert bobs.opposes == ()


@pytest.mark.parametrize(
    "known, forget",
    [
        ("Actually I live in Hamburg now", "Forget that I live in Hamburg"),
        ("I currently live in Hamburg", "Forget that I live in Hamburg"),
        ("I live in Hamburg", "Forget that I still live in Hamburg"),
        ("我现在住在汉堡", "忘了我住在汉堡"),
        ("我目前住在汉堡", "忘了我住在汉堡"),
    ],
)
def test_what_says_that_it_is_so_at_present_is_forgotten_with_or_without(
    runtime: Runtime, known: str, forget: str
) -> None:
    before = said(runtime, known)
    kept = said(runtime, forget)
    assert before.memory is not None
    assert (kept.did, kept.other) == ("archived", before.memory.id)


@pytest.mark.parametrize("text", ["I always write tests first.", "I never mock the database.", "我总是先写测试"])
def test_a_habit_for_all_times_is_a_preference_that_lasts(runtime: Runtime, text: str) -> None:
    kept = said(runtime, text)
    assert kept.memory is not None
    assert (kept.memory.kind, kept.memory.tier) == ("preference", "L3")


@pytest.mark.parametrize("end, is_taken", [("2020-01-01", False), ("2026-01-01", False), ("2030-01-01", True)])
def test_an_end_that_is_past_is_refused(runtime: Runtime, end: str, is_taken: bool) -> None:
    if is_taken:
        assert said(runtime, "I prefer tabs", expires_at=end).memory is not None
        return
    with pytest.raises(UnfitMemoryError, match="expires_at: expected a date to come"):
        said(runtime, "I prefer tabs", expires_at=end)
