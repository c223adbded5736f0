"""Hypothesis strategies for trees of the trigger language: every form, with awkward constants; as a parser can give them."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any, ParamSpec, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from casebook.conditions.fields import EVENT_FIELDS, GROUPS
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
    Or,
    Pattern,
    Test,
    This,
    Time,
    Value,
    Week,
    Weekday,
)

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Settings under which a busy machine fails no test."""

AWKWARD = [
    "", " ", "推送", "主动推送", 'say "hi"', "it's", "a\\b", "\\", "line\nbreak", "tab\there", "\r", "\0", "\x1b[31m",
    "😀", "👩‍👩‍👧", "“智能”", "「引」", "＂全＂", "（）", "é", "ﬁ", "İ", "and", "true", "this tool", "22:00", "[1, 2]", "1e3", "且",
    "/x/i", "*", "a?b", "\\*", "\u202eabc", "\u2028", "\ufeff", "null", "-", "#", "//", "'", '"', "%s", "{}", "不为空",
]  # fmt: skip
ZONES = ["UTC", "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Etc/GMT-8"]
SOURCES = [
    r"drop\s+table", "a/b", r"\d{4}-\d{2}", "^rm", "中文+", r"[/\\]", "(a|b)*", r"\bx\b", r"\.", "😀", '"', "a\nb", r"\\", "[^/]",
]  # fmt: skip
PATH_ROOTS = ("args", "context")
TEXT_FIELDS = tuple(name for name, type_ in EVENT_FIELDS.items() if type_ in ("text", "texts") and name != "session")


P = ParamSpec("P")
T = TypeVar("T")


def named(make: Callable[P, st.SearchStrategy[T]]) -> Callable[P, st.SearchStrategy[T]]:
    """Make a strategy once, and let it go by its name: Hypothesis prints strategies, and these would fill pages."""
    remembered: Any = cache(make)

    def drawn(draw: st.DrawFn, /, *args: P.args, **options: P.kwargs) -> T:
        found: T = draw(remembered(*args, **options))
        return found

    drawn.__name__ = make.__name__
    return st.composite(drawn)


@named
def strings(*, least: int = 0) -> st.SearchStrategy[str]:
    """Strings in NFC without half surrogates; with `least`, so many characters or more."""
    drawn = st.one_of(st.sampled_from(AWKWARD), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
    return drawn.map(lambda text: unicodedata.normalize("NFC", text)).filter(lambda text: len(text) >= least)


@named
def numbers() -> st.SearchStrategy[int | float]:
    """Ints and floats, huge and tiny, never NaN, infinite or negative zero."""
    return st.one_of(
        st.integers(-100, 100),
        st.integers(-(10**300), 10**300),
        st.floats(allow_nan=False, allow_infinity=False).map(lambda value: value + 0.0),
    )


@named
def scalars() -> st.SearchStrategy[Value]:
    """Constants that a free field may be compared with."""
    return st.one_of(strings(), numbers(), st.booleans())


@named
def segments() -> st.SearchStrategy[str | int]:
    """Parts of a free field: plain names, Chinese, indices, and what needs quotes."""
    return st.one_of(
        st.sampled_from(["dry_run", "command", "客户", "行为", "a-b", "x:y", "007", "-1"]),
        st.integers(0, 10**17),
        strings().filter(lambda text: not re.fullmatch(r"0|[1-9][0-9]{0,17}", text)),
    )


@named
def free_fields() -> st.SearchStrategy[Field]:
    """`args.…` and `context.…`."""
    parts = st.lists(segments(), min_size=1, max_size=3)
    return st.builds(lambda root, found: Field((root, *found)), st.sampled_from(PATH_ROOTS), parts)


def group_fields(type_: str) -> st.SearchStrategy[Field]:
    """Parts of `session` and `error` of one type."""
    return st.sampled_from(
        [
            Field((group, part))
            for group, parts in GROUPS.items()
            for part, each in parts.items()
            if each[:4] == type_[:4]
        ]
    )


@named
def text_fields() -> st.SearchStrategy[Field]:
    """Fields with text."""
    known = st.sampled_from([Field((name,)) for name in TEXT_FIELDS] + [Field(("session",))])
    return st.one_of(known, group_fields("text"))


@named
def number_fields() -> st.SearchStrategy[Field]:
    """Fields that are a number, or free."""
    return st.one_of(group_fields("number"), free_fields())


@named
def patterns() -> st.SearchStrategy[Pattern]:
    """Patterns that RE2 takes, with every set of flags."""
    escaped = strings(least=1).map(
        lambda text: re.sub(r"([^\w\s/])", r"\\\1", text, flags=re.ASCII) if text.isascii() else text
    )
    plain = escaped.filter(lambda text: re.fullmatch(r"(?:[\w /]|\\[^\w\s/])+", text) is not None)
    flags = st.sampled_from(["", "i", "m", "s", "im", "is", "ms", "ims"])
    return st.builds(Pattern, st.one_of(st.sampled_from(SOURCES), plain), flags)


@named
def likes() -> st.SearchStrategy[str]:
    """Values of `like`."""
    wild = st.sampled_from(["git *", "*推送*", "?", "a\\*b", "\\\\", "*"])
    return st.one_of(wild, strings(least=1).filter(lambda text: "\0" not in text))


def signed(positive: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Nodes and their negations."""
    return st.one_of(positive, positive.map(Not))


@named
def tests(*, this: bool = False) -> st.SearchStrategy[Node]:  # noqa: PT028 (a strategy, no test)
    """One test of a field, or its negation; with `this` also against the present task (inside `where`)."""
    texts, frees, counted = text_fields(), free_fields(), number_fields()
    of_text = st.one_of(strings(), st.builds(This, text_fields())) if this else strings()
    of_free = st.one_of(scalars(), st.builds(This, text_fields())) if this else scalars()
    equal = st.sampled_from(["is", "is_not"])
    member = st.sampled_from(["in", "not_in"])
    needle = st.sampled_from(["contains", "starts_with", "ends_with"])
    low_high = st.tuples(numbers(), numbers()).map(lambda pair: tuple(sorted(pair)))
    bare = st.builds(Field, st.sampled_from([("error",), ("args",), ("context",), ("tool",), ("session", "errors")]))
    return signed(
        st.one_of(
            st.builds(Test, texts, equal, of_text),
            st.builds(Test, frees, equal, of_free),
            st.builds(Test, group_fields("number"), equal, numbers()),
            st.builds(Test, texts, member, st.lists(of_text, min_size=1, max_size=5).map(tuple)),
            st.builds(Test, frees, member, st.lists(of_free, min_size=1, max_size=5).map(tuple)),
            st.builds(Test, counted, st.sampled_from(["gt", "gte", "lt", "lte"]), numbers()),
            st.builds(Test, counted, st.just("between"), low_high),
            st.builds(Test, st.one_of(texts, frees), needle, strings(least=1)),
            st.builds(Test, frees, st.just("contains"), numbers()),
            st.builds(Test, st.one_of(texts, frees), st.just("like"), likes()),
            st.builds(Test, st.one_of(texts, frees), st.just("matches"), patterns()),
            st.builds(Test, st.one_of(texts, frees, bare), st.sampled_from(["exists", "missing"])),
        )
    )


def _numbered(kind: type[Month | Day], last: int) -> st.SearchStrategy[Node]:
    """Tests of the month or of the day of the month."""
    number, zone = st.integers(1, last), zones()
    return st.one_of(
        st.builds(kind, st.sampled_from(["is", "is_not"]), st.tuples(number), zone),
        st.builds(kind, st.sampled_from(["in", "not_in"]), st.lists(number, min_size=1, max_size=4).map(tuple), zone),
        st.builds(kind, st.just("between"), st.tuples(number, number), zone),
    )


def zones() -> st.SearchStrategy[str | None]:
    """Zones that a clock may name, or none."""
    return st.one_of(st.none(), st.sampled_from(ZONES))


@named
def clocks() -> st.SearchStrategy[Node]:
    """One clock test with or without a zone, or its negation."""
    start, end, day, zone = st.integers(0, 86_399), st.integers(0, 86_400), st.integers(0, 6), zones()
    span = st.tuples(day, day)
    spans = st.lists(span, min_size=1, max_size=3).map(tuple)
    dates = st.dates(date(1, 1, 1)).map(date.isoformat)
    strict = st.sampled_from(["is", "is_not", "gt", "gte", "lt", "lte"])
    return signed(
        st.one_of(
            st.builds(Time, start, end, st.one_of(st.none(), spans), zone).filter(lambda each: each.start != each.end),
            st.builds(Weekday, st.sampled_from(["is", "is_not"]), st.tuples(span), zone),
            st.builds(Weekday, st.sampled_from(["in", "not_in"]), spans, zone),
            st.builds(Week, st.tuples(day, start), st.tuples(day, end), zone).filter(
                lambda each: each.start[0] * 86_400 + each.start[1] != each.end[0] * 86_400 + each.end[1]
            ),
            st.builds(Date, strict, st.tuples(dates), zone),
            st.builds(Date, st.just("between"), st.tuples(dates, dates).map(lambda pair: tuple(sorted(pair))), zone),
            _numbered(Month, 12),
            _numbered(Day, 31),
        )
    )


def _joined(kind: type[And | Or], items: list[Node]) -> Node:
    flat = [each for item in items for each in (item.items if isinstance(item, kind) else (item,))]
    return kind(tuple(flat))


def logic(leaves: st.SearchStrategy[Node], *, max_leaves: int = 12) -> st.SearchStrategy[Node]:
    """Conjunctions, disjunctions and negations of leaves, flat as the parser makes them."""
    return st.recursive(
        leaves,
        lambda below: st.one_of(
            st.builds(_joined, st.just(And), st.lists(below, min_size=2, max_size=4)),
            st.builds(_joined, st.just(Or), st.lists(below, min_size=2, max_size=4)),
            st.builds(Not, below),
        ),
        max_leaves=max_leaves,
    )


@named
def wheres() -> st.SearchStrategy[Node]:
    """What may stand in a `where`: tests of the event's own fields, `ok` and `this` among them."""
    own = st.builds(Test, st.just(Field(("ok",))), st.sampled_from(["is", "is_not"]), st.booleans())
    return logic(st.one_of(tests(this=True), own), max_leaves=4)


@named
def histories() -> st.SearchStrategy[Node]:
    """`earlier`, `no earlier` and `count of`."""
    kind = st.sampled_from(["tool", "task", "error", "feedback", "recall", "reuse"])
    where = st.one_of(st.none(), wheres())
    within = st.one_of(st.none(), st.integers(1, 36_525 * 86_400), st.sampled_from([60, 3600, 86_400, 604_800]))
    op = st.sampled_from(["gt", "gte", "lt", "lte", "is", "is_not"])
    counted = st.builds(Count, kind, where, within, op, st.integers(0, 10**6))
    return st.one_of(signed(st.builds(Earlier, kind, where, within)), counted)


@named
def leaves() -> st.SearchStrategy[Node]:
    """One condition of any form."""
    return st.one_of(tests(), clocks(), histories(), st.just(Always()))


@named
def trees(*, max_leaves: int = 8) -> st.SearchStrategy[Node]:
    """Whole conditions: every form under every logic."""
    return logic(leaves(), max_leaves=max_leaves)
