"""A case that would come up too often is narrowed, and stays a draft where it cannot be."""

from __future__ import annotations

import pytest

from casebook.policy import Policy
from casebook.runtime.learning.backtest import Backtest
from casebook.runtime.learning.proposal import propose
from casebook.scope import Scope
from tests.learning.past import BEGIN, Past, happened, loads, person


def made_of(records):
    occurrences = [each for each in records if each.signature == "given"]
    return propose("err-1", "given", occurrences, Past(records), Policy(), BEGIN, scope=Scope(), shared=False)


def clean(count, tool="edit", begin=1000, **args):
    return [
        happened(
            begin + n,
            tool,
            {"n": f"ok {begin + n}"} | {key: value.format(n) for key, value in args.items()},
            session=f"c{n}",
        )
        for n in range(count)
    ]


def failed(seq, session, tool="edit", **args):
    return happened(seq, tool, {"n": f"no {seq}"} | args, "no", session=session, signature="given")


def test_errors_earlier_in_the_session_where_half_of_the_occurrences_recur():
    """Four errors in one session, each after one of this tool but the first; 200 clean calls elsewhere."""
    records = [*clean(200), *(failed(n, "s") for n in range(1, 5))]
    made = made_of(records)
    loads(made.case)
    assert made.case.trigger_conditions == ('tool is "edit"', "earlier error where tool is this tool")
    assert (made.case.status, made.figures.matching, made.figures.failing) == ("active", 3, 3)
    assert made.reasons[1] == (
        "narrowed: of the matching calls 100.0% failed this way with it, 2.0% without; the case covers 3 of 4 occurrences"
    )


@pytest.mark.parametrize(
    "sessions, status",
    [(["a", "a", "b", "b"], "active"), (["a", "a", "b", "c"], "draft"), (["a", "b", "c", "d"], "draft")],
    ids=["half of them recur", "a quarter", "none"],
)
def test_at_least_half_of_the_occurrences_must_recur(sessions, status):
    records = [*clean(200), *(failed(n, session) for n, session in enumerate(sessions, 1))]
    assert made_of(records).case.status == status


def test_of_any_tool_where_the_errors_before_were_of_another():
    records = [*clean(200)]
    for n in range(3):
        records += [happened(10 * n + 1, "fetch", {"u": n}, "gone", session=f"s{n}"), failed(10 * n + 2, f"s{n}")]
    made = made_of(records)
    loads(made.case)
    assert made.case.trigger_conditions == ('tool is "edit"', "session.errors >= 1")
    assert made.figures.failing == 3


def test_shell_calls_of_one_action_by_the_errors_of_that_action():
    ok = [happened(1000 + n, "bash", {"command": f"git push o{n}"}, session=f"c{n}") for n in range(200)]
    bad = [happened(n, "bash", {"command": "git push"}, "no", session="s", signature="given") for n in range(1, 5)]
    made = made_of([*ok, *bad])
    loads(made.case)
    assert made.case.trigger_conditions == ('action is "git push"', "earlier error where action is this action")


def test_another_action_that_all_share():
    """Tested on `make build`, which half of the clean calls run alone."""
    ok = [happened(1000 + n, "bash", {"command": f"make build x{n}"}, session=f"c{n}") for n in range(100)]
    ok += [happened(2000 + n, "bash", {"command": f"docker push x{n}"}, session=f"d{n}") for n in range(150)]
    bad = [
        happened(
            n, "bash", {"command": f"make build y{n} && docker push y{n}"}, "no", session=f"s{n}", signature="given"
        )
        for n in range(1, 4)
    ]
    made = made_of([*ok, *bad])
    loads(made.case)
    assert made.case.trigger_conditions == ('action is "make build"', 'action is "docker push"')
    assert (made.figures.matching, made.figures.failing) == (3, 3)


@pytest.mark.parametrize(
    "paths, others, condition",
    [
        ("notes/{}.ipynb", "src/{}.py", 'path ends with ".ipynb"'),
        ("web/api/{}.py", "core/{}.py", 'path starts with "web/api/"'),
        ("web/{}.ipynb", "web/{}.py", 'path ends with ".ipynb"'),
    ],
)
def test_the_ending_or_the_folder_of_a_path(paths, others, condition):
    records = clean(200, "edit_file", path=others)
    records += [failed(n, f"s{n}", "edit_file", path=paths.format(n)) for n in range(1, 4)]
    made = made_of(records)
    loads(made.case)
    assert made.case.trigger_conditions[1:] == (condition,)
    assert made.case.status == "active"


@pytest.mark.parametrize("path", ["/home/mia/work/{}.py", "/Users/Bob/{}.py", "clients/mia/{}.py", "b2c4/{}.py"])
def test_a_folder_that_may_be_somebodys_is_none(path):
    mia = person("mia")
    records = clean(200, "edit_file", path="other/{}.py")
    records += [
        happened(n, "edit_file", {"path": path.format(n)}, "no", session=f"s{n}", signature="given", principal=mia)
        for n in range(1, 4)
    ]
    made = made_of(records)
    loads(made.case)
    assert not any("mia" in each or "Bob" in each or "b2c4" in each for each in made.case.trigger_conditions)


def test_what_covers_all_occurrences_is_preferred_to_what_covers_half():
    records = clean(200, "edit_file", path="src/{}.py")
    records += [failed(n, "s", "edit_file", path=f"notes/{n}.ipynb") for n in range(1, 5)]
    made = made_of(records)
    assert made.case.trigger_conditions[1:] == ('path ends with ".ipynb"',)


def test_a_draft_keeps_what_it_had_and_says_its_figures():
    made = made_of([*clean(200), *(failed(n, f"s{n}") for n in range(1, 4))])
    loads(made.case)
    assert made.draft
    assert made.case.trigger_conditions == ('tool is "edit"',)
    assert (made.figures.matching, made.figures.failing, made.figures.clean) == (203, 3, 200)


def test_history_is_only_read_where_a_condition_asks_for_it():
    class Unread(Past):
        def earlier(self, record):
            raise AssertionError("read")

    tested = Backtest((), Unread(), "UTC")
    record = happened(1, "edit", {})
    made = made_of([happened(n, "edit", {"n": n}, "no", signature="given") for n in range(1, 4)])
    assert tested.all_hold(loads(made.case), record)
