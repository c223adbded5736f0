"""A small world for holding `satisfiable` to the reference evaluator: random trees, and all the facts that they can tell apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

from hypothesis import strategies as st

from casebook.conditions.facts import Facts
from casebook.conditions.tree import (
    And,
    Count,
    Date,
    Day,
    Earlier,
    Field,
    Month,
    Node,
    Not,
    Or,
    Test,
    This,
    Time,
    Week,
    Weekday,
)

TOOL, INTENT, ARG, ERRORS = Field(("tool",)), Field(("intent",)), Field(("args", "n")), Field(("session", "errors"))

WORDS = ("a", "b", "ab")

text_tests = st.one_of(
    st.builds(Test, st.just(TOOL), st.sampled_from(["is", "is_not"]), st.sampled_from(WORDS)),
    st.builds(Test, st.just(TOOL), st.sampled_from(["contains", "starts_with", "ends_with"]), st.sampled_from(WORDS)),
    st.builds(Test, st.just(TOOL), st.just("like"), st.sampled_from(["a*", "*b", "?", "a?", "*a*b*"])),
    st.builds(Test, st.just(TOOL), st.sampled_from(["exists", "missing"]), st.none()),
)
list_tests = st.one_of(
    st.builds(Test, st.just(INTENT), st.sampled_from(["is", "is_not", "contains"]), st.sampled_from(WORDS)),
    st.builds(Test, st.just(INTENT), st.sampled_from(["in", "not_in"]), st.sampled_from([("a", "b"), ("b",)])),
    st.builds(Test, st.just(INTENT), st.just("exists")),
)
number_tests = st.one_of(
    st.builds(
        Test,
        st.sampled_from([ARG, ERRORS]),
        st.sampled_from(["is", "is_not", "gt", "gte", "lt", "lte"]),
        st.sampled_from([0, 1, 2, 1.5]),
    ),
    st.builds(Test, st.sampled_from([ARG, ERRORS]), st.just("between"), st.sampled_from([(0, 1), (1, 1.5), (2, 3)])),
    st.builds(Test, st.just(ARG), st.just("is"), st.sampled_from(["a", True])),
)
spans = st.sampled_from([((0, 0),), ((4, 4),), ((5, 6),), ((0, 4),), ((6, 0),)])
clocks = st.one_of(
    st.builds(
        Time,
        st.sampled_from([0, 6 * 3600, 22 * 3600]),
        st.sampled_from([6 * 3600 + 1, 12 * 3600, 86400]),
        st.one_of(st.none(), spans),
    ),
    st.builds(Time, st.just(22 * 3600), st.just(6 * 3600), st.one_of(st.none(), spans)),
    st.builds(Weekday, st.sampled_from(["in", "not_in"]), spans),
    st.builds(Week, st.just((4, 22 * 3600)), st.sampled_from([(0, 6 * 3600), (5, 0)])),
    st.builds(Day, st.sampled_from(["in", "not_in"]), st.sampled_from([(1,), (2, 3)])),
    st.builds(Month, st.sampled_from(["in", "not_in"]), st.sampled_from([(3,), (4,)])),
    st.builds(
        Date, st.sampled_from(["is", "is_not", "gt", "lte"]), st.sampled_from([("2026-04-01",), ("2026-03-30",)])
    ),
)
event_tests = st.one_of(
    st.none(),
    st.sampled_from(
        [
            Test(TOOL, "is", "a"),
            Test(TOOL, "is_not", "a"),
            Test(TOOL, "in", ("a", "b")),
            Test(TOOL, "is", This(TOOL)),
            Test(TOOL, "is_not", This(TOOL)),
        ]
    ),
)
histories = st.one_of(
    st.builds(Earlier, st.just("tool"), event_tests, st.sampled_from([None, 60])),
    st.builds(
        Count,
        st.just("tool"),
        event_tests,
        st.sampled_from([None, 60]),
        st.sampled_from(["gt", "gte", "lt", "lte", "is", "is_not"]),
        st.sampled_from([0, 1, 2]),
    ),
)


def trees(leaves: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Give trees of logic over leaves."""
    return st.recursive(
        leaves,
        lambda below: st.one_of(
            st.builds(And, st.lists(below, min_size=2, max_size=3).map(tuple)),
            st.builds(Or, st.lists(below, min_size=2, max_size=3).map(tuple)),
            st.builds(Not, below),
        ),
        max_leaves=5,
    )


def _lists(items: tuple[str, ...]) -> list[object]:
    return [None, *items, ["z"], *[list(pair) for pair in product(items, repeat=2)]]


TOOLS = [None, "", "z", "a", "b", "ab", "ba", "aab", "abb", "za", "bz", "zab", "abz", "az", "zb", "aba", "bab", "azb"]
TEXT_FACTS = [Facts({"tool": tool}, datetime(2026, 1, 1, tzinfo=UTC)) for tool in TOOLS]
LIST_FACTS = [Facts({"intent": each}, datetime(2026, 1, 1, tzinfo=UTC)) for each in [*_lists(WORDS), ["a", "b", "ab"]]]
NUMBERS: list[object] = [None, -1, 0, 0.5, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, "a", True, "zz", {}]
NUMBER_FACTS = [
    Facts({"args": {"n": one}, "session": {"errors": other}}, datetime(2026, 1, 1, tzinfo=UTC))
    for one, other in product([*NUMBERS, [0, 1], [1, 2], [0, "a"], [0, 1, 2, True, "a"]], [None, 0, 1, 2, 3, 4])
]
NUMBER_FACTS += [
    Facts({"args": {"n": list(pair)}, "session": {"errors": None}}, datetime(2026, 1, 1, tzinfo=UTC))
    for pair in product([each for each in NUMBERS if each is not None], repeat=2)
]
CLOCK_FACTS = [
    Facts({}, datetime(2026, 2, 25, tzinfo=UTC) + timedelta(hours=count, seconds=second))
    for count in range(24 * 75)
    if count % 24 in (0, 5, 6, 11, 12, 21, 22)  # on both sides of each bound above
    for second in (0, 1)
]
_EVENTS: list[dict[str, Any]] = [
    {"kind": "tool", "tool": tool, "age": age} for tool in ("a", "b", "z", None) for age in (30, 120)
]


def session_facts() -> list[Facts]:
    """Give facts with up to three events, of every kind that the tests can tell apart."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    found: list[Facts] = []
    for count in range(4):
        for chosen in product(_EVENTS, repeat=count):
            if list(chosen) != sorted(chosen, key=repr):
                continue
            events = tuple({**each, "at": at - timedelta(seconds=each["age"])} for each in chosen)
            found.extend(Facts({"tool": tool}, at, events) for tool in ("a", "b", "z", None))
    return found


SESSION_FACTS = session_facts()
