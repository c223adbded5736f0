"""A case: what is read, its defaults, and how each mistake is told."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook import Case
from casebook.case import CASE_FIELDS, CaseError
from casebook.problems import Problem

SEED: dict[str, Any] = {
    "id": "case_001",
    "type": "rule",
    "trigger_conditions": ["当前时间在 00:00-06:00", "意图为 '主动推送'"],
    "judgment": "凌晨推送会打扰用户",
    "consequence": "用户反馈不适，要求停止",
    "correction": "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作",
    "priority": 9,
    "created_at": "2026-03-20",
    "last_triggered": None,
    "ttl": None,
}


def made(**changes: Any) -> dict[str, Any]:
    return {"id": "a", "trigger_conditions": ["always"], "correction": "Do better.", **changes}


def test_the_seed_case_loads_as_it_stands_and_prints_as_it_was_read() -> None:
    case = Case.from_json(SEED)
    assert case.to_json() == SEED
    assert (case.id, case.type, case.priority) == ("case_001", "rule", 9)


def test_the_defaults_are_those_of_the_design() -> None:
    case = Case.from_json(made())
    assert (case.type, case.situation, case.judgment, case.consequence) == ("case", "", "", "")
    assert (case.correction_by, case.effect, case.on, case.priority, case.status) == (
        "person",
        "advise",
        ("task",),
        5,
        "active",
    )
    assert (case.scope.named, case.supersedes, case.tags, case.mode) == ({}, (), (), None)
    assert case.to_json() == made()


def test_free_fields_are_kept() -> None:
    form = made(**{"x-team": {"a": [1]}, "$comment": "why"})
    case = Case.from_json(form)
    assert case.to_json() == form
    assert dict(case.extra) == {"x-team": {"a": [1]}, "$comment": "why"}


@pytest.mark.parametrize(
    "changes, field, told, cure",
    [
        (
            {"trigger_conditions": []},
            "trigger_conditions",
            "expected at least one condition",
            'always is written ["always"]',
        ),
        ({"trigger_conditions": "always"}, "trigger_conditions", "expected a list, got", None),
        ({"trigger_conditions": [3]}, "trigger_conditions[0]", "expected text or an object, got 3", None),
        ({"correction": ""}, "correction", "expected something", None),
        ({"correction": " \n"}, "correction", "white space", None),
        ({"correction": "x" * 1001}, "correction", "at most 1,000 characters, got 1,001", None),
        ({"corection": "x"}, "corection", 'no field of a case is called "corection"', "correction"),
        ({"priority": 11}, "priority", "at most 10, got 11", None),
        ({"priority": -1}, "priority", "at least 0, got -1", None),
        ({"priority": "9"}, "priority", 'a whole number, got "9"', None),
        ({"priority": True}, "priority", "a whole number, got true", None),
        ({"priority": 4.5}, "priority", "a whole number, got 4.5", None),
        ({"effect": "blok"}, "effect", '"advise", "confirm" or "block", got "blok"', "block"),
        ({"status": "activ"}, "status", 'got "activ"', "active"),
        ({"on": []}, "on", "expected something", None),
        ({"on": ["tol"]}, "on[0]", 'got "tol"', "tool"),
        ({"scope": {"usr": "ann"}}, "scope.usr", 'no field is called "usr"', "user"),
        ({"scope": {"user": ""}}, "scope.user", "expected something", None),
        ({"scope": {"team": ["a"]}}, "scope.team", "expected text", None),
        ({"timezone": "Asia/Shangai"}, "timezone", "an IANA time zone", "Asia/Shanghai"),
        ({"created_at": "yesterday"}, "created_at", "an ISO date", None),
        ({"created_at": 20260320}, "created_at", "expected text, got 20260320", None),
        ({"expires_at": "2026-13-01"}, "expires_at", "an ISO date", None),
        ({"review_after": "soon"}, "review_after", "an ISO date", None),
        ({"ttl": "P1M"}, "ttl", "without months and years", None),
        ({"ttl": True}, "ttl", "expected seconds", None),
        ({"ttl": [1]}, "ttl", "expected seconds", None),
        ({"cooldown": "1 hour"}, "cooldown", "expected seconds", None),
        ({"cooldown": "1h", "effect": "block"}, "cooldown", "for advise only", None),
        ({"max_fires": 3, "effect": "confirm"}, "max_fires", "for advise only", None),
        ({"max_fires": 0}, "max_fires", "at least 1", None),
        ({"id": "a b"}, "id", "letters, digits, _ - . only", None),
        ({"id": "x" * 129}, "id", "at most 128 characters, got 129", None),
        ({"id": "a\n"}, "id", "letters, digits", None),
        ({"id": 5}, "id", "expected text, got 5", None),
        ({"supersedes": "b"}, "supersedes", "expected a list", None),
        ({"supersedes": ["a"]}, "supersedes", "cannot supersede itself", None),
        ({"tags": [1]}, "tags[0]", "expected text, got 1", None),
        ({"judgment": None}, "judgment", "expected text, got null", None),
        ({"source": {"origin": "me"}}, "source.origin", 'got "me"', None),
        ({"examples": {"fire": []}}, "examples.fire", 'no field is called "fire"', "fires"),
        ({"mode": "of"}, "mode", 'got "of"', "off"),
    ],
)
def test_each_mistake_names_its_field_what_was_expected_and_the_cure(
    changes: dict[str, Any], field: str, told: str, cure: str | None
) -> None:
    with pytest.raises(CaseError) as caught:
        Case.from_json(made(**changes))
    problem = next(each for each in caught.value.problems if str(each).startswith(f"{field}: "))
    assert told in problem.message
    assert cure is None or problem.suggestion == cure


@pytest.mark.parametrize("missing", ["id", "trigger_conditions", "correction"])
def test_a_required_field_that_is_missing_is_named(missing: str) -> None:
    form = made()
    del form[missing]
    with pytest.raises(CaseError, match=f"expected {missing}, found nothing"):
        Case.from_json(form)


def test_all_mistakes_of_a_case_are_told_at_once() -> None:
    with pytest.raises(CaseError) as caught:
        Case.from_json({"id": "a", "trigger_condition": ["always"], "priority": "9"})
    assert {str(problem).split(":")[0] for problem in caught.value.problems} == {
        "trigger_conditions", "correction", "priority", "trigger_condition",
    }  # fmt: skip


def test_what_no_type_says_is_told_beside_what_a_type_says() -> None:
    form = made(
        effect="confim", timezone="Shanghai", created_at="20.3.2026", expires_at=3, ttl="30x", cooldown=[1],
        supersedes=["a", "b c"], correction=" ", review_after="soon", id="a", source={"origin": "me"},
    )  # fmt: skip
    with pytest.raises(CaseError) as caught:
        Case.from_json(form)
    fields = [str(problem).split(":")[0] for problem in caught.value.problems]
    assert sorted(fields) == sorted(set(fields))  # each once
    assert set(fields) == {
        "effect", "timezone", "created_at", "expires_at", "ttl", "cooldown", "supersedes[1]", "correction",
        "review_after", "source.origin",
    }  # fmt: skip


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*CASE_FIELDS, "x-a", "b"]), _ANY, max_size=8))
def test_a_case_is_made_or_its_problems_are_told_whatever_the_values_are(form: dict[str, Any]) -> None:
    for each in (form, made(**form)):
        told: tuple[Problem, ...] = ()
        try:
            Case.from_json(each)
        except CaseError as error:
            told = error.problems
        missing = {"id", "trigger_conditions", "correction"} - set(each)
        assert {problem.path[0] for problem in told} <= set(each) | missing
        assert not missing or told


@pytest.mark.parametrize("form", [None, 5, "x", [], [{}]])
def test_what_is_no_object_is_no_case(form: object) -> None:
    with pytest.raises(CaseError, match="expected an object"):
        Case.from_json(form)


def test_cases_are_equal_by_content_and_can_be_hashed() -> None:
    form = made(trigger_conditions=[{"field": "tool", "op": "is", "value": "shell"}])
    one, two = Case.from_json(form), Case.from_json(json.loads(json.dumps(form)))
    assert one == two
    assert hash(one) == hash(two)
    assert one != Case.from_json(made())
