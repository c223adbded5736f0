"""The user says that something is to be forgotten: what says just that goes to the archive, what is about it is named, and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from casebook.clock import fixed_clock
from casebook.runtime import Runtime
from casebook.runtime.memory.kept import Kept

WEDNESDAY = datetime(2026, 3, 18, 2, tzinfo=UTC)


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with Runtime.open(tmp_path, clock=fixed_clock(WEDNESDAY), engine="reference") as found:
        yield found


def texts(runtime: Runtime) -> set[str]:
    return {each.memory.text for desk in runtime.desks() for each in desk.memories.memories.values()}


def asked(runtime: Runtime, words: str, user: str | None = "ann", session: str | None = None) -> Kept:
    (found,) = runtime.remember(words, user=user, session=session)
    return found


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("我不吃香菜", "忘了我不吃香菜"),
        ("我不吃香菜", "请忘掉我不吃香菜这件事"),
        ("我不吃香菜", "别记我不吃香菜了"),
        ("我不吃香菜", "不要记住我不吃香菜"),
        ("I don't eat cilantro", "Don't remember that I don't eat cilantro"),
        ("I don't eat cilantro", "Can you forget that I don't eat cilantro?"),
    ],
)
def test_what_says_just_that_goes_to_the_archive_and_comes_back_from_there(
    runtime: Runtime, known: str, said: str
) -> None:
    (kept,) = runtime.remember(known, user="ann")
    done = asked(runtime, said)
    assert (done.did, done.other, done.meant) == ("archived", kept.memory and kept.memory.id, ())
    assert texts(runtime) == set()
    assert [each.memory.text for each in runtime.archived(user="ann")] == [known]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("忘了我说的香菜", ["我不吃香菜"]),
        ("别记我吃香菜了", ["我不吃香菜"]),  # the opposite of what is known: it is about it, and not it
        ("把香菜那条删了", ["我不吃香菜"]),
        ("Forget what I said about tabs", ["I prefer tabs over spaces"]),
        ("Never mind what I told you about npm", ["I always use npm at work"]),
        ("Don't remember anything about spaces", ["I prefer tabs over spaces"]),
        ("Forget what I said about the weather", []),
    ],
)
def test_what_is_about_it_is_named_and_stays(runtime: Runtime, said: str, meant: list[str]) -> None:
    known = ("我不吃香菜", "I prefer tabs over spaces", "I always use npm at work")
    for each in known:
        runtime.remember(each, user="ann")
    runtime.remember("I like 香菜 with tabs and npm", user="bob")
    before = texts(runtime)
    done = asked(runtime, said)
    assert (done.did, done.memory) == ("dropped", None)
    assert [each.text for each in done.meant] == meant
    assert done.to_json()["meant"] == [{"id": each.id, "text": each.text} for each in done.meant]
    assert texts(runtime) == before


def test_beside_what_goes_the_rest_that_is_about_it_is_named(runtime: Runtime) -> None:
    runtime.remember("I always use npm", user="ann")
    runtime.remember("We pay for the npm registry", user="ann", project="shop")
    (done,) = runtime.remember("Forget that I always use npm", user="ann", project="shop")
    assert done.did == "archived"
    assert [each.text for each in done.meant] == ["We pay for the npm registry"]


def test_forget_it_means_the_newest_and_in_a_session_what_was_said_there(tmp_path: Path) -> None:
    at = WEDNESDAY
    for number, session in enumerate(["s1", "s2", "s2", "s3", "s3"]):
        with Runtime.open(tmp_path, clock=fixed_clock(at + timedelta(minutes=number)), engine="reference") as runtime:
            runtime.remember(f"I like tea number {number}", user="ann", session=session)
    with Runtime.open(tmp_path, clock=fixed_clock(at + timedelta(hours=1)), engine="reference") as runtime:
        assert [each.text[-1] for each in asked(runtime, "forget it").meant] == ["4", "3", "2"]
        assert [each.text[-1] for each in asked(runtime, "别记了", session="s2").meant] == ["2", "1"]
        assert [each.text[-1] for each in asked(runtime, "Forget everything I told you").meant] == list("43210")


def test_without_a_user_it_says_what_was_not_looked_at(runtime: Runtime) -> None:
    runtime.remember("I prefer tabs", user="ann")
    done = asked(runtime, "Forget what I said about tabs", user=None)
    assert (done.did, done.meant) == ("dropped", ())
    assert "no user was named" in done.why


@pytest.mark.parametrize("status", ["disabled", "to_judge"])
def test_what_is_silent_is_known_all_the_same_and_is_named(tmp_path: Path, status: str) -> None:
    (tmp_path / "medium_term").mkdir()
    (tmp_path / "medium_term" / "user_prefs.json").write_text(
        f'{{"format": 1, "memories": [{{"id": "p", "kind": "preference", "text": "I prefer tabs", "tier": "L2", "status": "{status}"}}]}}'
    )
    with Runtime.open(tmp_path, clock=fixed_clock(WEDNESDAY), engine="reference") as runtime:
        assert [each.id for each in asked(runtime, "Forget that I prefer tabs").meant] == ["p"]
