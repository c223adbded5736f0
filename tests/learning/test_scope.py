"""For whom a learnt case is."""

from __future__ import annotations

import pytest

from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.learning.scope import shared_scope, users_of
from casebook.scope import Scope
from tests.learning.past import happened, person


def of(*principals):
    return [happened(n, "book", {}, "no", principal=each) for n, each in enumerate(principals)]


@pytest.mark.parametrize(
    "principals, scope",
    [
        ([person("ann", "shop", "web", "bot")] * 3, Scope(user="ann", project="shop", team="web")),
        ([person("ann", "shop"), person("ann", "other")], Scope(user="ann")),
        ([person("ann", "shop"), person("bob", "shop"), person("eve", "shop")], Scope(project="shop")),
        ([person("ann", "shop"), person("ann")], Scope(user="ann")),
        ([person(), person()], Scope()),
        ([person("ann"), person()], Scope()),
        ([person(agent="bot")] * 3, Scope()),
        ([Principal("ann", None, frozenset({"b", "a"}), None), Principal("ann", None, frozenset({"b", "c"}), None)], Scope(user="ann", team="b")),
        ([Principal("ann", None, frozenset({"b", "a"}), None)] * 2, Scope(user="ann", team="a")),
        ([], Scope()),
    ],
)  # fmt: skip
def test_every_key_that_all_share_but_the_agent(principals, scope):
    assert shared_scope(of(*principals), 3) == scope


def test_a_name_that_is_too_long_reaches_nobody_rather_than_everybody():
    ann = person("a" * 600)
    assert not within(shared_scope(of(ann), 3), ann)
    assert not within(shared_scope(of(ann), 3), person("bob"))


def test_the_known_users():
    assert users_of(of(person("ann"), person(), person("bob"), person("ann"))) == {"ann", "bob"}
