"""What counts as one occurrence, whose it is, and within what time."""

from datetime import timedelta

import pytest

from casebook.policy import Detector as Rules
from casebook.runtime.learning.counting import Group, group_of, groups_of, members, occurrence_of
from tests.learning.lives import START, failed


def counted(*events, now=START, **rules):
    made = Rules.model_validate(rules)
    return groups_of([occurrence_of(event) for event in events], made, now)


@pytest.mark.parametrize(
    ("distinct", "events", "count"),
    [
        ("call", [failed(1), failed(2), failed(3)], 3),
        ("call", [failed(1, turn="t"), failed(2, turn="t"), failed(3, turn="u")], 2),
        ("call", [failed(1, turn="t", session="a"), failed(2, turn="t", session="b")], 2),
        ("call", [failed(1, turn="t"), failed(2)], 2),
        ("task", [failed(1, activation="a"), failed(2, activation="a"), failed(3, activation="b")], 2),
        ("task", [failed(1, turn="t"), failed(2, turn="t")], 1),
        ("task", [failed(1), failed(2)], 2),
        ("session", [failed(1), failed(2), failed(3, session="s2")], 2),
        ("session", [failed(1, session=None), failed(2, session=None)], 2),
    ],
)
def test_an_occurrence_counts_once_for_what_the_policy_says(distinct, events, count):
    assert counted(*events, distinct=distinct) == (Group("ann", False, count),)


def test_each_user_counts_alone_and_nobody_is_one_of_them():
    events = [failed(1), failed(2), failed(3, user="bob"), failed(4, user=None)]
    assert counted(*events) == (Group("ann", False, 2), Group("bob", False, 1), Group(None, False, 1))


def test_three_different_users_are_everyone_and_nobody_is_none_of_them():
    three = [failed(1), failed(2, user="bob"), failed(3, user="cy"), failed(4, user=None)]
    assert counted(*three) == (Group(None, True, 4),)
    assert counted(*three[:2], three[3]) == (Group("ann", False, 1), Group("bob", False, 1), Group(None, False, 1))
    assert counted(*three[:2], users=2) == (Group(None, True, 2),)


def test_both_ends_of_within_are_in():
    day, tick = timedelta(days=1), timedelta(microseconds=1)
    events = [failed(1), failed(2, at=START + tick), failed(3, at=START + day)]
    occurrences = [occurrence_of(event) for event in events]
    rules = Rules(within="1d")
    for now, count in ((START + day, 3), (START + day + tick, 2), (START + day + 2 * tick, 1)):
        group = group_of(occurrences, "ann", rules, now)
        assert (group.count, len(members(events, group, rules, now))) == (count, count)


def test_a_user_without_occurrences_has_an_empty_group():
    assert group_of([occurrence_of(failed(1))], "bob", Rules(), START) == Group("bob", False, 0)
