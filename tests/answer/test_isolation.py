"""Nothing of a case out of reach is in any answer: not its text, not its id, not its number."""

from __future__ import annotations

import json
from dataclasses import replace
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.case import LoadedCase
from casebook.conditions import tree
from casebook.conditions.evaluate import Reading
from casebook.faults import Fault, NotFoundError
from casebook.runtime.answer.activation import Activation
from casebook.runtime.answer.explain import explain
from casebook.runtime.answer.isolation import as_wide, principal_of, reachable, visible_faults
from casebook.runtime.answer.prompt import prompt
from casebook.runtime.answer.selection import select
from casebook.scope import Scope
from casebook.task import Task
from tests.answer.made import ALWAYS, NIGHT, PUSH, PlainMatcher, by_id, facts_of, loaded, policy_of, snapshot_of


@pytest.mark.parametrize(
    ("scope", "task", "seen"),
    [
        ({}, {}, True),
        ({}, {"user": "ann"}, True),
        ({"user": "ann"}, {"user": "ann"}, True),
        ({"user": "ann"}, {"user": "bob"}, False),
        ({"user": "ann"}, {"user": "Ann"}, False),
        ({"user": "ann"}, {}, False),
        ({"user": "ann"}, {"agent": "ann"}, False),
        ({"project": "shop"}, {"project": "shop"}, True),
        ({"project": "shop"}, {"project": "shop2"}, False),
        ({"team": "red"}, {"team": "red"}, True),
        ({"team": "red"}, {"team": ["blue", "red"]}, True),
        ({"team": "red"}, {"team": ["blue"]}, False),
        ({"team": "red"}, {"team": []}, False),
        ({"agent": "bot"}, {"agent": "bot"}, True),
        ({"agent": "bot"}, {"agent": ""}, False),
        ({"user": "ann", "project": "shop"}, {"user": "ann"}, False),
        ({"user": "ann", "project": "shop"}, {"user": "ann", "project": "shop"}, True),
        ({"user": "Jose\u0301"}, {"user": "Jos\u00e9"}, True),
    ],
    ids=str,
)
def test_a_case_is_within_reach_when_all_that_its_scope_names_are_the_tasks(
    scope: dict[str, str], task: dict[str, Any], seen: bool
) -> None:
    assert reachable(loaded("case_1", scope=scope), principal_of(Task(**task))) is seen


@pytest.mark.parametrize(
    ("scope", "other", "wide"),
    [
        ({}, {}, True),
        ({}, {"user": "ann"}, True),
        ({"user": "ann"}, {}, False),
        ({"user": "ann"}, {"user": "bob"}, False),
        ({"user": "ann"}, {"user": "ann", "team": "red"}, True),
    ],
)
def test_a_scope_is_as_wide_as_another_when_it_names_nothing_more(
    scope: dict[str, str], other: dict[str, str], wide: bool
) -> None:
    assert as_wide(Scope(**scope), Scope(**other)) is wide


# -- every output ------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from([None, "one", "two"])
SCOPES = st.fixed_dictionaries({"user": NAMES, "project": NAMES, "team": NAMES, "agent": NAMES})


@st.composite
def casebooks(draw: st.DrawFn) -> list[LoadedCase]:
    """Cases whose every text holds the mark of the case."""
    count = draw(st.integers(1, 7))
    marks = [f"MARK{place}K" for place in range(count)]
    return [
        loaded(
            mark,
            *draw(
                st.lists(
                    st.sampled_from([ALWAYS, PUSH, tree.Test(tree.Field(("context", mark)), "is", mark)]),
                    min_size=1,
                    max_size=3,
                )
            ),
            correction=f"do {mark}",
            judgment=f"since {mark}",
            consequence=f"then {mark}",
            situation=mark,
            tags=(mark,),
            scope=draw(SCOPES),
            effect=draw(st.sampled_from(["advise", "confirm", "block"])),
            status=draw(st.sampled_from(["active", "active", "draft"])),
            on=draw(st.sampled_from([("task",), ("tool",), ("task", "tool")])),
            supersedes=tuple(each for each in draw(st.lists(st.sampled_from(marks), max_size=2)) if each != mark),
            path=draw(st.sampled_from(["shared.json", f"{mark}.json"])),
        )
        for mark in marks
    ]


TASKS = st.builds(
    Task,
    user=NAMES,
    project=NAMES,
    team=st.lists(st.sampled_from(["one", "two"]), max_size=2),
    agent=NAMES,
    intent=st.sampled_from([None, "push"]),
    point=st.sampled_from(["task", "tool"]),
)


def faults_of(cases: list[LoadedCase]) -> list[Fault]:
    """An error and a warning about each case, and one about each pair that names the other."""
    found = []
    for case in cases:
        found.append(Fault("shared.json", f"got {case.id}", 3, 4, case.id, "correction", case.id, "error"))
        found.append(Fault(case.path, f"got {case.id}", 3, 4, case.id, "correction", case.id, "warning"))
        found.append(Fault("shared.json", f"does not parse near {case.id}", 3, 4))
        found += [
            Fault(case.path, f"no case {other.id}.", 3, 4, case.id, "supersedes", other.id, "warning")
            for other in cases
        ]
    return found


@settings(max_examples=150, deadline=None)
@given(casebooks(), TASKS, st.integers(0, 3))
def test_no_output_holds_anything_of_a_case_out_of_reach(cases: list[LoadedCase], task: Task, most: int) -> None:
    principal, facts, policy = principal_of(task), facts_of(task), policy_of(max_cases=most, max_cases_tool=most)
    snapshot = snapshot_of(cases, faults_of(cases))
    selection = select(cases, by_id(cases), task, facts, policy)
    text = prompt(selection, Reading(facts), policy)
    shown = visible_faults(snapshot.faults, snapshot, principal)
    activation = Activation(
        "id", tuple(each.case for each in selection.cases), selection.omitted, text, selection.verdict, shown, "reference",
        held=selection.held,
    )  # fmt: skip
    explanation = explain(task, facts, snapshot, policy, PlainMatcher(cases, task))
    outputs = [
        repr(selection), text, repr(shown), repr(activation), json.dumps(activation.to_json()),
        explanation.text("en"), explanation.text("zh"), json.dumps(explanation.to_json()),
    ]  # fmt: skip
    within = {each.id for each in cases if reachable(each, principal)}
    for case in cases:
        if case.id in within:
            alone = explain(task, facts, snapshot, policy, PlainMatcher(cases, task), case_id=case.id)
            outputs += [alone.text(), json.dumps(alone.to_json())]
    for case in cases:
        if case.id not in within and not any(case.id in each.case.supersedes for each in cases if each.id in within):
            assert [output for output in outputs if case.id in output] == []
    assert sum(explanation.counts.values()) == len(within)


@given(casebooks(), TASKS)
@settings(max_examples=30, deadline=None)
def test_a_case_out_of_reach_and_a_case_that_is_not_there_are_refused_in_the_same_words(
    cases: list[LoadedCase], task: Task
) -> None:
    snapshot = snapshot_of(cases)
    for case in cases:
        if not reachable(case, principal_of(task)):
            without = snapshot_of([each for each in cases if each is not case])
            words = []
            for each in (snapshot, without):
                with pytest.raises(NotFoundError) as refused:
                    explain(task, facts_of(task), each, each.policy, PlainMatcher(cases, task), case_id=case.id)
                words.append(str(refused.value))
            assert words[0] == words[1]


@settings(max_examples=60, deadline=None)
@given(casebooks(), TASKS)
def test_an_answer_is_the_same_with_the_cases_out_of_reach_and_without_them(
    cases: list[LoadedCase], task: Task
) -> None:
    policy, facts = policy_of(max_cases=2), facts_of(task)
    within = [each for each in cases if reachable(each, principal_of(task))]
    whole = explain(task, facts, snapshot_of(cases), policy, PlainMatcher(cases, task))
    alone = explain(task, facts, snapshot_of(within), policy, PlainMatcher(within, task))
    assert whole.to_json() == alone.to_json()


# -- faults ------------------------------------------------------------------------------------------------------------

OURS = loaded("ours", scope={"user": "ann"}, path="a.json")
THEIRS = loaded("theirs", scope={"user": "bob"}, path="b.json")
EVERYBODYS = loaded("everybodys", path="a.json")


def shown(fault: Fault, **options: Any) -> list[str]:
    snapshot = snapshot_of([OURS, THEIRS, EVERYBODYS], [fault])
    return [str(each) for each in visible_faults([fault], snapshot, principal_of(Task(user="ann")), **options)]


WHOLE = "{}:4:2 {} ttl: warning: secret (cure)"
PLACE = "{}:4: something here does not serve; `casebook check` says what"
PLACE_WARNING = "{}:4: warning: something here deserves a look; `casebook check` says what"


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        (Fault("a.json", "secret", 4, 2, "ours", "ttl", "cure", "warning"), [WHOLE.format("a.json", "ours")]),
        (Fault("b.json", "secret", 4, 2, "theirs", "ttl", "cure", "warning"), []),
        (Fault("b.json", "secret", 4, 2, "theirs", "ttl", "cure"), []),
        (Fault("a.json", "secret", 4, 2, "ours", "ttl", "cure"), [PLACE.format("a.json")]),
        (Fault("b.json", "secret", 4, 2, "ours", "ttl", "cure", "warning"), [PLACE_WARNING.format("b.json")]),
        (Fault("b.json", "secret", 4, 2, "gone", "ttl", "cure"), [PLACE.format("b.json")]),
        (Fault("b.json", "secret", 4, 2), [PLACE.format("b.json")]),
        (Fault("memory-policy.yaml", "no such key", 4), ["memory-policy.yaml:4: no such key"]),
        (Fault("a.json", "no case theirs", 4, 2, "ours", None, None, "warning"), [PLACE_WARNING.format("a.json")]),
        (Fault("a.json", "no case x", 4, 2, "ours", None, "theirs", "warning"), [PLACE_WARNING.format("a.json")]),
        (
            Fault("a.json", "not before everybodys.", 4, 2, "ours", None, None, "warning"),
            ["a.json:4:2 ours: warning: not before everybodys."],
        ),
    ],
    ids=["ours", "theirs", "theirs, an error", "an error of ours, whose text may be another case", "of our id elsewhere",
         "of an unknown case", "a file", "the policy", "naming theirs", "suggesting theirs", "naming everybody's"],
)  # fmt: skip
def test_a_fault_is_shown_whole_only_where_its_case_is_known_to_be_within_reach(
    fault: Fault, wanted: list[str]
) -> None:
    assert shown(fault) == wanted


@pytest.mark.parametrize(
    ("scope", "wanted"),
    [
        (Scope(), ["b.json:4 gone: secret"]),
        (Scope(user="ann"), ["b.json:4 gone: secret"]),
        (Scope(user="bob"), []),
        (None, [PLACE.format("b.json")]),
    ],
)
def test_who_knows_the_scope_of_a_case_at_fault_decides_whether_it_is_shown(
    scope: Scope | None, wanted: list[str]
) -> None:
    assert shown(Fault("b.json", "secret", 4, case="gone"), scope_of=lambda _: scope) == wanted


def test_several_faults_of_one_place_are_shown_as_one_place() -> None:
    faults = [Fault("b.json", f"secret {column}", 4, column, "gone") for column in range(3)]
    snapshot = snapshot_of([OURS], faults)
    assert list(map(str, visible_faults(faults, snapshot, principal_of(Task())))) == [PLACE.format("b.json")]


def test_a_superseder_out_of_reach_silences_nobody() -> None:
    cases = [loaded("old"), loaded("new", supersedes=("old",), scope={"user": "bob"})]
    selection = select(cases, by_id(cases), Task(user="ann"), facts_of(Task(user="ann"), NIGHT), policy_of())
    assert [each.id for each in selection.cases] == ["old"]


def test_a_warning_of_one_layer_is_not_judged_by_the_case_of_another_with_its_id_and_path() -> None:
    mine = loaded("case_1", scope={"user": "ann"})
    ours = replace(mine, layer="user")
    fault = Fault(mine.path, "quotes what is for ann", 1, case="case_1", severity="warning", layer="project")
    told = visible_faults([fault], snapshot_of([ours]), principal_of(Task(user="ann")))
    assert [each.where for each in told] == ["[project] long_term/cases.json:1"]
    assert "quotes" not in told[0].message


def test_ten_thousand_faults_of_which_only_the_place_is_told_take_no_time() -> None:
    faults = [Fault("a.json", f"message {place}", place) for place in range(20_000)]
    started = perf_counter()
    assert len(visible_faults(faults, snapshot_of([]), principal_of(Task()))) == 20_000
    assert perf_counter() - started < 5


def cycle(*cases: str) -> str:
    return f"expected no cycle, got {' → '.join([*cases, cases[0]])}"


RING = {"mine": Scope(user="ann"), "open": Scope(), "secret_bob": Scope(user="bob")}


@pytest.mark.parametrize(
    ("ring", "shown_whole"),
    [
        (("mine", "secret_bob"), False),
        (("mine", "open", "secret_bob"), False),
        (("mine", "open"), True),
        (("mine", "unknown"), False),
    ],
)
def test_a_cycle_is_told_only_to_whom_all_its_cases_are_within_reach(
    ring: tuple[str, ...], *, shown_whole: bool
) -> None:
    """None of its cases serves, so that a hidden one is not among the snapshot's."""
    faults = [Fault("a.json", cycle(*ring), place, case=name, field="supersedes") for place, name in enumerate(ring, 1)]
    told = visible_faults(
        faults,
        snapshot_of([EVERYBODYS], faults),
        principal_of(Task(user="ann")),
        scope_of=lambda fault: RING.get(fault.case or ""),
    )
    assert ("→" in str(list(map(str, told)))) is shown_whole
    assert "secret_bob" not in str(told)
    assert "unknown" not in str(told)


@pytest.mark.parametrize("message", ["got near secret_bob", 'got "secret_bob."', "see secret_bob"])
def test_no_fault_names_a_case_that_does_not_serve_and_is_not_known_to_be_within_reach(message: str) -> None:
    faults = [
        Fault("a.json", message, 1, case="mine", field="correction"),
        Fault("a.json", "is broken", 9, case="secret_bob", field="ttl"),
    ]
    for scopes in ({"mine": Scope(), "secret_bob": Scope(user="bob")}, {"mine": Scope()}):

        def scope_of(fault: Fault, known: dict[str, Scope] = scopes) -> Scope | None:
            return known.get(fault.case or "")

        told = visible_faults(faults, snapshot_of([]), principal_of(Task(user="ann")), scope_of=scope_of)
        assert "secret_bob" not in str(told)
        assert told


def test_nobody_learns_from_a_warning_of_an_unknown_id_which_ids_others_have() -> None:
    """Neither by the nearest id that it suggests, nor by its absence for an id that somebody has."""
    fault = Fault(
        "a.json", 'no case here is called "secret_bo"', 1, case="everybodys", field="supersedes[0]",
        suggestion="secret_bob", severity="warning",
    )  # fmt: skip
    assert visible_faults([fault], snapshot_of([EVERYBODYS]), principal_of(Task(user="ann"))) == ()
