"""What the calls about memories are given: whatever it is, they answer, or say in a CasebookError where, what was expected and found."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from casebook.faults import CasebookError
from casebook.runtime import Runtime
from tests.runtime.test_memories import casebook, memory, opened

WRONG: tuple[Any, ...] = (5, 5.5, float("nan"), b"tea", [5], {"a": 1}, object(), True)
HOSTILE: tuple[Any, ...] = ("", " ", "\ud800", "\0", "x" * 200_000, "\u202e\u2066", "名" * 600, [], ["a", "\ud800", ""])


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with opened(casebook(tmp_path_factory.mktemp("m") / "m")) as served:
        yield served


FIRST = {"remember": "I like green tea", "recall": "tea", "session_end": "s1", "maintain": ["age"]}
"""What else a method needs, where another argument of it is asked about."""


def called(runtime: Runtime, method: str, name: str, value: Any) -> Any:
    """Call a method, or its async twin, with one argument; what it needs besides is good."""
    first = FIRST.get(method.removeprefix("async "))
    given, named = ([value], {}) if name == "" else ([] if first is None else [first], {name: value})
    if method.startswith("async "):
        return asyncio.run(getattr(runtime, f"a{method.removeprefix('async ')}")(*given, **named))
    return getattr(runtime, method)(*given, **named)


def refusal(runtime: Runtime, method: str, name: str, value: Any) -> str:
    """Give what a call with one argument is refused with; nothing where it is answered. Any other error is raised."""
    try:
        called(runtime, method, name, value)
    except CasebookError as error:
        return str(error)
    return ""


ARGUMENTS = [
    ("remember", ""), ("remember", "actor"),
    *(("remember", each) for each in ("user", "project", "team", "agent", "session", "by", "kind", "ttl", "expires_at", "tags", "scope", "corrects", "id", "pinned", "reason", "alternatives", "nonsense")),
    ("recall", ""), *(("recall", each) for each in ("user", "project", "team", "agent", "session", "limit", "counts")),
    *(("archived", each) for each in ("user", "project", "team", "agent", "text")),
    ("session_start", ""), ("session_end", ""), ("session_end", "user"),
    ("maintain", ""), ("maintain", "dry"), ("memory_faults", "user"), ("memory_faults", "session"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "name"), ARGUMENTS)
def test_whatever_is_given_nothing_but_a_casebook_error_is_raised(runtime: Runtime, method: str, name: str) -> None:
    for value in (*WRONG, *HOSTILE, None):
        told = refusal(runtime, method, name, value)
        assert len(told) < 500
        told.encode()  # it can be printed


@pytest.mark.parametrize(
    ("method", "name", "value", "told"),
    [
        ("remember", "", 5, "remember: what: expected words, a Candidate or its JSON object, got 5"),
        ("remember", "actor", 5, "remember: actor: expected text, got 5"),
        ("remember", "user", 5, "user: expected text, got 5"),
        ("remember", "user", "x" * 600, "user: expected at most 512 characters, got 600"),
        ("remember", "user", "\ud800", r'user: expected text of whole characters, got "\ud800"'),
        ("recall", "", 5, "recall: query: expected words, or a task, got 5"),
        ("recall", "user", 5, "recall: user: expected text, got 5"),
        ("recall", "team", 5, "recall: team: expected a name, or several, got 5"),
        ("recall", "team", ["a", 5], "recall: team[1]: expected text, got 5"),
        ("recall", "session", 5, "recall: session: expected text, got 5"),
        ("recall", "limit", -1, "recall: limit: expected a whole number, 0 or more, got -1"),
        ("recall", "limit", "5", 'recall: limit: expected a whole number, 0 or more, got "5"'),
        ("recall", "counts", "no", 'recall: counts: expected True or False, got "no"'),
        ("archived", "text", 5, "archived: text: expected text, got 5"),
        ("session_end", "", "", 'session_end: session: expected the id of a session, got ""'),
        ("session_end", "", None, "session_end: session: expected the id of a session, got null"),
        ("session_end", "user", 5, "session_end: user: expected text, got 5"),
        ("maintain", "", 5, "maintain: jobs: expected the name of a job, or several, got 5"),
        ("maintain", "", [5], "maintain: jobs[0]: expected the name of a job, got 5"),
        ("maintain", "", "agee", 'maintain: jobs: there is no job "agee" to run; did you mean age?'),
        ("maintain", "dry", "yes", 'maintain: dry: expected True or False, got "yes"'),
        ("memory_faults", "user", 5, "memory_faults: user: expected text, got 5"),
    ],
)
@pytest.mark.parametrize("way", ["", "async "])
def test_a_wrong_argument_is_told_where_it_stands(  # noqa: PLR0917 - a row of the table
    runtime: Runtime, way: str, method: str, name: str, value: Any, told: str
) -> None:
    assert refusal(runtime, f"{way}{method}", name, value) == told


def test_who_asks_is_not_said_beside_a_task(runtime: Runtime) -> None:
    with pytest.raises(CasebookError, match="recall: user: expected nothing beside a task"):
        runtime.recall({"text": "tea", "user": "ann"}, user="bob")


def test_one_job_is_named_as_it_is_and_none_means_all(runtime: Runtime) -> None:
    assert [each.job for each in runtime.maintain("age")] == ["age"]
    assert [each.job for each in runtime.maintain(["age", "expire"])] == ["age", "expire"]
    assert len(runtime.maintain(None)) == len(runtime.maintain()) == len(asyncio.run(runtime.amaintain())) == 9


def test_one_team_is_named_as_it_is(tmp_path: Path) -> None:
    ours = memory("ours", "The deploy of the shop goes through Frankfurt", scope={"team": "core"})
    with opened(casebook(tmp_path / "m", "", ours)) as runtime:
        for team in ("core", ["core"], ("other", "core")):
            assert [each.id for each in runtime.recall("deploy of the shop", team=team)] == ["ours"]
        assert runtime.recall("deploy of the shop", team="c") == ()
        (kept,) = runtime.remember("We review every migration in pairs", team="core", scope={"team": "core"})
        assert kept.memory is not None
        assert kept.memory.scope.team == "core"


def test_the_empty_name_is_nobodys(tmp_path: Path) -> None:
    with opened(casebook(tmp_path / "m")) as runtime:
        (kept,) = runtime.remember("I prefer tabs over spaces", user="")
        assert kept.memory is not None
        assert kept.memory.scope.named == {}


# -- sessions that nobody knows ------------------------------------------------------------------------------------------


def test_the_end_of_a_session_that_nobody_knows_is_told(tmp_path: Path) -> None:
    with opened(casebook(tmp_path / "m")) as runtime:
        runtime.remember("The staging database is called shop_stage", user="ann", session="remembered")
        runtime.before_task({"text": "what now?", "user": "ann", "session": "asked"})
        for known in ("remembered", "asked"):
            assert runtime.session_end(known, user="ann").warnings == ()
        for session, user in (("unheard", "ann"), ("asked", "bob"), ("asked", None)):
            (told,) = runtime.session_end(session, user=user).warnings
            assert f'no session "{session}"' in told


# -- as they are printed -------------------------------------------------------------------------------------------------


def test_what_comes_back_is_printed_in_a_line(tmp_path: Path) -> None:
    long = "We chose Postgres over MySQL because of JSONB, and it is what the whole of the platform builds upon today"
    with opened(casebook(tmp_path / "m")) as runtime:
        (kept,) = runtime.remember(long, user="ann", project="shop", session="s1")
        assert repr(kept) == (
            f"Kept(did='created', id='{kept.memory.id}', kind='decision', tier='L2', text='{long[:59]}…', "  # type: ignore[union-attr] # it is kept
            "path='medium_term/active_projects.json')"
        )
        ended = runtime.session_end("s1", user="ann")
        assert repr(ended) == f"Ended(session='s1', remembered=['{kept.memory.id}'])"  # type: ignore[union-attr] # it is kept
        everything = (*runtime.maintain(), *runtime.desks(), ended.remembered, *runtime.archived())
        assert all(len(repr(each)) < 400 for each in everything)
