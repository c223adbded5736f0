"""Intents that nothing finds, and those that a policy takes away without meaning to, are told."""

from __future__ import annotations

import pytest

from casebook.policy import Intent, Policy
from casebook.runtime.lint import lint
from casebook.stores.protocol import Snapshot
from tests.lint.test_lints import case


def told_of_policy(policy: Policy) -> list[str]:
    return [str(each) for each in lint(Snapshot(1, {}, (), policy))]


def test_an_intent_of_the_policy_that_replaces_a_shipped_one_is_told() -> None:
    policy = Policy(intents={"restock": Intent(words=("restock",)), "deploy": Intent(words=("deploy",))})
    (only,) = told_of_policy(policy)
    assert only == (
        'memory-policy.yaml intents.deploy: warning: this replaces the shipped intent "deploy" whole: no word or pattern of '
        "that one counts any more (a name of its own; intent in [a, b] in a condition takes both)"
    )


@pytest.mark.parametrize(
    "policy",
    [
        Policy(intents={"restock": Intent(words=("restock",))}),
        Policy(intents={"deploy": Intent(words=("deploy",))}, intents_shipped=False),
        Policy(intents={"deploy": Intent(words=("deploy", "部署"))}),
    ],
)
def test_an_intent_of_a_name_of_its_own_or_of_both_languages_or_without_the_shipped_table_is_not(
    policy: Policy,
) -> None:
    assert told_of_policy(policy) == []


def told(*conditions: str, policy: Policy | None = None, **fields: object) -> list[tuple[str, str | None]]:
    snapshot = Snapshot(1, {"a": case("a", *conditions, **fields)}, (), policy or Policy())
    return [(each.message, each.suggestion) for each in lint(snapshot)]


def nothing_finds(name: str) -> str:
    return f'no table finds an intent named "{name}": unless the host names it, no task has it'


@pytest.mark.parametrize(
    ("written", "name", "cure"),
    [
        ("意图 是 推送", "推送", 'intent is "主动推送"'),
        ("意图 是 部署", "部署", 'intent is "deploy"'),
        ("intent is email", "email", 'intent is "send_email"'),
        ("intent is Push", "Push", 'intent is "push"'),
        ("intent is refnd", "refnd", 'intent is "refund"'),
        ("intent in [refund, 上线]", "上线", 'intent is "deploy"'),
        ("intent is not xyzzy", "xyzzy", None),
        ("tool is shell or intent is xyzzy", "xyzzy", None),
        ("earlier task where intent is xyzzy", "xyzzy", None),
    ],
)
def test_an_intent_that_no_table_finds_is_told_with_the_one_that_was_meant(
    written: str, name: str, cure: str | None
) -> None:
    assert told(written) == [(nothing_finds(name), cure)]


RESTOCK = Policy(intents={"进货": Intent(words=("进货",))})


def test_an_intent_of_the_policy_is_found_and_a_shipped_one_only_where_the_shipped_count() -> None:
    assert told("意图 是 进货", policy=RESTOCK) == []
    assert told("intent is deploy", policy=RESTOCK) == []
    assert told("intent is deploy", policy=Policy(intents_shipped=False)) == [(nothing_finds("deploy"), None)]


@pytest.mark.parametrize(
    "task", [{"intent": "xyzzy"}, {"intent": ["a", "xyzzy"]}, {"history": [{"kind": "task", "intent": "xyzzy"}]}]
)
def test_an_intent_that_an_example_of_the_case_states_is_named_by_its_host(task: dict[str, object]) -> None:
    assert told("intent is xyzzy", examples={"fires": [task]}) == []


@pytest.mark.parametrize("written", ["intent like 'xy*'", "intent contains xyzzy", "intent exists"])
def test_a_test_that_is_no_equality_is_left_alone(written: str) -> None:
    assert told(written) == []
