"""Intents that nothing finds, and those that a policy takes away without meaning to, are told."""

from __future__ import annotations

import pytest

from casebook.policy import Intent, Policy
from casebook.runtime.lint import lint
from casebook.stores.protocol import Snapshot


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
def test_an_intent_of_a_name_of_its_own_or_of_both_languages_or_without_the_shipped_table_is_not(policy: Policy) -> None:
    assert told_of_policy(policy) == []
