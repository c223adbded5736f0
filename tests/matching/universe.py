"""A small world in which conditions and tasks meet often, and a strange one in which they seldom do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from casebook.case import Case, LoadedCase
from casebook.conditions.facts import Facts
from casebook.conditions.tree import (
    Always,
    And,
    Count,
    Date,
    Day,
    Earlier,
    Field,
    Month,
    Node,
    Not,
    Op,
    Or,
    Pattern,
    Test,
    This,
    Time,
    Week,
    Weekday,
)
from casebook.runtime.matching.engines import EngineChoice, load_engine

ENGINES: list[EngineChoice] = ["reference", "durable_rules"] if load_engine()[0] else ["reference"]
"""The engines that this Python has."""

ODD = [
    "",
    " ",
    "主动推送",
    "推送",
    "😀",
    'a"b',
    "a\\b",
    "a\nb",
    "é",
    "5",
    "true",
    "null",
    "{}",
    "'",
    "％",
    "ﬁx",
    "İ",
    "ß",
]
WORDS = ["a", "b", "ab", "abc", "Ab", *ODD[1:]]
NUMBERS: list[int | float] = [0, 1, -1, 2, 3, 5, 1.0, 2.5, 1e300, 1e-300, -0.0, 2**63, 2**70, 10**30, 0.1]
ZONES = ["UTC", "Asia/Shanghai", "America/New_York"]

words = st.sampled_from(WORDS)
scalars = st.one_of(words, st.sampled_from(NUMBERS), st.booleans())
texts_of_a_task = st.one_of(
    words,
    st.lists(words, max_size=4).map(" ".join),
    st.text(max_size=12),
    st.builds(lambda head, tail: head + "x" * 70_000 + tail, words, words),
)
anything = st.one_of(
    st.none(),
    scalars,
    texts_of_a_task,
    st.lists(st.one_of(st.none(), scalars), max_size=3),
    st.lists(words, min_size=2),
)

SCALAR = [("tool",), ("user",), ("project",), ("point",), ("channel",)]
SEVERAL = [("intent",), ("action",), ("path",), ("team",)]
FREE = [
    ("args", "x"),
    ("args", "y", "z"),
    ("args", "list", 0),
    ("context", "x"),
    ("context", "客户"),
    ("context", "a.b"),
]
COUNTERS = [("session", "errors"), ("session", "consecutive_errors"), ("session", "tasks")]
OTHERS = [("text",), ("answer",), ("session", "minutes"), ("session", "tools"), ("session",)]
fields = st.sampled_from([Field(path) for path in SCALAR + SEVERAL + FREE + OTHERS])
free_fields = st.sampled_from([Field(path) for path in [*FREE, ("session", "minutes")]])
counters = st.sampled_from([Field(path) for path in COUNTERS])


def _needle(text: str) -> str:
    return text or "a"


OPS: list[Op] = [
    "is", "is_not", "in", "not_in", "contains", "starts_with", "ends_with", "like", "matches", "exists", "missing",
]  # fmt: skip
ORDERS: list[Op] = ["gt", "gte", "lt", "lte", "between"]


@st.composite
def tests_of(draw: st.DrawFn, field: Field) -> Test:
    op: Op = draw(st.sampled_from(OPS))
    if op in ("is", "is_not"):
        return Test(field, op, draw(scalars))
    if op in ("in", "not_in"):
        return Test(field, op, tuple(draw(st.lists(scalars, min_size=1, max_size=4))))
    if op == "contains":
        return Test(field, op, draw(st.one_of(words, scalars)))
    if op in ("starts_with", "ends_with"):
        return Test(field, op, draw(words))
    if op == "like":
        return Test(
            field,
            op,
            draw(st.sampled_from(["a*", "*b", "*a*", "a?", "*", "**", "?", "推*", "*推送", r"\*a*", "ａ*", "a*b*"])),
        )
    if op == "matches":
        sources = ["^a", "b$", "[一-龥]", r"\d+", "(?:a|b)+", "^$", r"\bab\b", ".", "推送|push"]
        return Test(field, op, Pattern(draw(st.sampled_from(sources)), draw(st.sampled_from(["", "i", "s", "im"]))))
    return Test(field, op)


@st.composite
def orders(draw: st.DrawFn, wanted: st.SearchStrategy[Field], bounds: st.SearchStrategy[Any]) -> Test:
    field = draw(wanted)
    op: Op = draw(st.sampled_from(ORDERS))
    if op == "between":
        low, high = sorted((draw(bounds), draw(bounds)))
        return Test(field, op, (low, high))
    return Test(field, op, draw(bounds))


zones = st.one_of(st.none(), st.sampled_from(ZONES))
days = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=2).map(tuple)
halves = st.integers(0, 47).map(lambda half: half * 1800)
clocks = st.one_of(
    st.builds(Time, halves, halves.map(lambda end: end + 1800), st.one_of(st.none(), days), zones).filter(
        lambda window: window.start != window.end
    ),
    st.builds(Weekday, st.sampled_from(["is", "is_not", "in", "not_in"]), days, zones),
    st.builds(Week, st.tuples(st.integers(0, 6), halves), st.tuples(st.integers(0, 6), halves), zones).filter(
        lambda window: window.start != window.end
    ),
    st.builds(lambda op, day, zone: Date(op, (day,), zone), st.sampled_from(["is", "is_not", "gt", "gte", "lt", "lte"]),
              st.sampled_from(["2026-03-01", "2026-03-07", "2026-03-08"]), zones),
    st.builds(lambda zone: Date("between", ("2026-03-01", "2026-03-08"), zone), zones),
    st.builds(Month, st.sampled_from(["in", "not_in"]), st.lists(st.integers(1, 12), min_size=1, max_size=3).map(tuple), zones),
    st.builds(Day, st.just("between"), st.tuples(st.integers(1, 31), st.integers(1, 31)), zones),
)  # fmt: skip

event_fields = st.sampled_from(
    [Field(path) for path in [("tool",), ("action",), ("args", "x"), ("ok",), ("error", "type")]]
)
this_tests = st.builds(
    lambda field, op, own: Test(field, op, This(own)),
    event_fields, st.sampled_from(["is", "is_not", "contains"]), st.sampled_from([Field(("tool",)), Field(("args", "x")), Field(("intent",))]),
)  # fmt: skip
wheres = st.recursive(
    st.one_of(event_fields.flatmap(tests_of), this_tests),
    lambda below: st.one_of(
        st.lists(below, min_size=2, max_size=3).map(lambda items: And(tuple(items))),
        st.lists(below, min_size=2, max_size=3).map(lambda items: Or(tuple(items))),
        below.map(Not),
    ),
    max_leaves=4,
)
kinds = st.sampled_from(["tool", "task", "error", "feedback"])
withins = st.one_of(st.none(), st.sampled_from([0, 60, 3600, 86_400]))
histories = st.one_of(
    st.builds(Earlier, kinds, st.one_of(st.none(), wheres), withins),
    st.builds(
        Count, kinds, st.one_of(st.none(), wheres), withins, st.sampled_from(["gt", "gte", "lt", "lte", "is", "is_not"]),
        st.sampled_from([0, 1, 2, 3, 1.5, -1, 1e300, 10**40]),
    ),
)  # fmt: skip

leaves: st.SearchStrategy[Node] = st.one_of(
    fields.flatmap(tests_of),
    fields.flatmap(tests_of),
    orders(free_fields, st.sampled_from(NUMBERS)),
    orders(counters, st.sampled_from([0, 1, 2, 2.5, 3, 1e300, -1, 10**40])),
    clocks,
    histories,
    st.just(Always()),
)
conditions: st.SearchStrategy[Node] = st.recursive(
    leaves,
    lambda below: st.one_of(
        st.lists(below, min_size=2, max_size=4).map(lambda items: And(tuple(items))),
        st.lists(below, min_size=2, max_size=4).map(lambda items: Or(tuple(items))),
        below.map(Not),
    ),
    max_leaves=10,
)

START = datetime(2026, 3, 1, tzinfo=UTC)
instants = st.one_of(
    st.integers(0, 20_000).map(lambda minutes: START + timedelta(minutes=minutes)),
    st.sampled_from(
        [START, START + timedelta(hours=6) - timedelta(microseconds=1), datetime(2026, 3, 8, 7, tzinfo=UTC)]
    ),
)
one_string = st.one_of(st.none(), words, st.text(min_size=1, max_size=3))
several_strings = st.one_of(one_string, st.lists(words, min_size=2, max_size=3))


# what facts are drawn from is made once: Hypothesis takes longer to make a strategy than to draw from it
_free = st.dictionaries(st.sampled_from(["x", "y", "客户", "a.b", "other"]), anything, max_size=4)
_values = st.fixed_dictionaries(
    {path[0]: one_string for path in SCALAR}
    | {path[0]: several_strings for path in SEVERAL}
    | {
        "text": st.none() | texts_of_a_task,
        "answer": one_string,
        "args": st.builds(
            lambda some, y, items: some | {"y": y, "list": items},
            _free, st.one_of(anything, st.fixed_dictionaries({"z": anything})), st.one_of(anything, st.lists(scalars, min_size=1)),
        ),
        "context": st.none() | _free,
        "session": st.fixed_dictionaries(
            {
                "id": one_string, "errors": st.none() | st.integers(0, 4),
                "consecutive_errors": st.integers(0, 3), "tasks": st.sampled_from([0, 1, 2**63, 10**30]),
                "minutes": st.sampled_from(NUMBERS), "tools": st.lists(words, max_size=3),
            }
        ),
    }
)  # fmt: skip
_events = st.lists(
    st.fixed_dictionaries(
        {
            "kind": kinds, "at": st.none() | st.sampled_from([0, 1, 59, 60, 61, 3600, 90_000]),
            "tool": one_string, "action": several_strings, "args": st.fixed_dictionaries({"x": anything}),
            "ok": st.booleans(), "error": st.sampled_from([None, {"type": "a"}]),
        }
    ),
    max_size=5,
)  # fmt: skip


def _facts_of(at: datetime, values: dict[str, Any], events: list[dict[str, Any]]) -> Facts:
    """Give facts with what there is, and each event so many seconds before."""
    told = [{**each, "at": None if each["at"] is None else at - timedelta(seconds=each["at"])} for each in events]
    return Facts({name: value for name, value in values.items() if value is not None}, at, told)


def facts() -> st.SearchStrategy[Facts]:
    """Give facts of every field, with up to five events."""
    return _facts


_facts = st.builds(_facts_of, instants, _values, _events)


scopes: st.SearchStrategy[dict[str, str]] = st.one_of(
    st.just({}),
    st.just({}),
    st.just({}),
    st.dictionaries(st.sampled_from(["user", "project", "team"]), st.sampled_from(["a", "b"]), max_size=2),
)


def loaded(
    name: str, conditions: tuple[Node, ...], *, zone: str = "UTC", scope: dict[str, str] | None = None, **fields: Any
) -> LoadedCase:
    case = Case.model_validate(
        {"id": name, "trigger_conditions": ["always"], "correction": f"do {name}", "scope": scope or {}, **fields}
    )
    return LoadedCase(case, conditions, zone, None, None, "cases.json", 1, "", name)


_pools = st.lists(conditions, min_size=1, max_size=6)
_zones = st.sampled_from(ZONES)


@st.composite
def casebooks(draw: st.DrawFn, most: int = 12) -> dict[str, LoadedCase]:
    found = {}
    pool = draw(_pools)
    some = st.lists(st.one_of(st.sampled_from(pool), conditions), min_size=1, max_size=4)
    for place in range(draw(st.integers(1, most))):
        chosen = draw(some)
        name = f"c{place}"
        found[name] = loaded(name, tuple(chosen), zone=draw(_zones), scope=draw(scopes))
    return found
