"""What crashes, hangs or misleads durable_rules is impossible by construction: one test for each measured hazard.

The hazards are listed in `docs/durable-rules.md`. Every answer is compared with the reference evaluator; the time bounds
are generous (a hang is minutes), so that a busy machine does not fail them.
"""

from __future__ import annotations

import itertools
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.case import LoadedCase
from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.conditions.tree import Field, Test, walk
from casebook.runtime.matching.engines import matcher
from casebook.runtime.matching.names import fnv1a, property_name
from casebook.runtime.matching.protocol import Matcher
from tests.matching.universe import ENGINES, loaded

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def facts(at: datetime = NOON, history: Any = (), **values: Any) -> Facts:
    return Facts({"point": "task", **values}, at, history)


def book(*conditions: str) -> dict[str, LoadedCase]:
    return {f"c{place:05}": loaded(f"c{place:05}", (parse(each),)) for place, each in enumerate(conditions)}


@pytest.fixture(params=ENGINES)
def asked(request: pytest.FixtureRequest) -> Any:
    made = matcher(request.param)
    yield made
    assert made.figures().get("engine_errors", 0) == 0
    made.close()


def ids(asked: Matcher, task: Facts, *, within: float = 5.0) -> list[str]:
    """Ask twice (the second time everything is resident) and bound both."""
    started = time.perf_counter()
    first = sorted(case.id for case in asked.match(task))
    assert sorted(case.id for case in asked.match(task)) == first
    assert time.perf_counter() - started < within
    return first


def check(asked: Matcher, cases: dict[str, LoadedCase], task: Facts) -> list[str]:
    found = ids(asked, task)
    assert found == [
        name for name, case in cases.items() if all(evaluate(each, task, "UTC") for each in case.conditions)
    ]
    return found


def test_a_thousand_cases_with_one_identical_condition(asked: Matcher) -> None:
    """256 rules of one identical condition are a segmentation fault."""
    cases = book(*["tool is shell"] * 1000)
    asked.update(cases)
    assert len(check(asked, cases, facts(tool="shell"))) == 1000
    assert check(asked, cases, facts(tool="edit")) == []
    assert check(asked, cases, facts()) == []


def test_a_thousand_cases_that_differ_in_spelling_only(asked: Matcher) -> None:
    """Distinct conditions that come to the same test of the engine are still far from 256 in one ruleset."""
    cases = book(*[f"session.tasks > {place / 2000}" for place in range(1000)])
    asked.update(cases)
    assert len(check(asked, cases, facts(session={"tasks": 1}))) == 1000


def test_five_thousand_cases_on_five_thousand_values_of_one_field(asked: Matcher) -> None:
    """512 conditions under one node are an endless loop, 4,096 rules error 106."""
    cases = book(*[f'tool is "t{place}"' for place in range(5000)])
    asked.update(cases)
    assert check(asked, cases, facts(tool="t4321")) == ["c04321"]
    assert check(asked, cases, facts(tool="t5000")) == []


def test_five_thousand_negations_of_one_field(asked: Matcher) -> None:
    cases = book(*[f'tool is not "t{place}"' for place in range(5000)])
    asked.update(cases)
    assert len(check(asked, cases, facts(tool="t4321"))) == 4999
    assert len(check(asked, cases, facts())) == 5000


def test_a_thousand_different_cases_matched_by_one_task(asked: Matcher) -> None:
    """More than 64 alpha nodes pending by one message are error 303, and nothing fires."""
    cases = book(*[f'tool is shell and text contains "w{place} "' for place in range(1000)])
    asked.update(cases)
    text = " ".join(f"w{place}" for place in range(1000)) + " "
    assert len(check(asked, cases, facts(tool="shell", text=text))) == 1000


def test_a_conjunction_of_three_hundred_tests(asked: Matcher) -> None:
    """A message takes 251 properties."""
    whole = " and ".join(f"context.k{place} is {place}" for place in range(300))
    cases = book(whole, f"not ({whole})", *[f"context.k{place} is not {place}" for place in range(300)])
    asked.update(cases)
    context = {f"k{place}": place for place in range(300)}
    assert check(asked, cases, facts(context=context)) == ["c00000"]
    assert check(asked, cases, facts(context=context | {"k299": 0})) == ["c00001", "c00301"]


def test_a_membership_of_three_hundred_values(asked: Matcher) -> None:
    several = ", ".join(f'"v{place}"' for place in range(300))
    cases = book(f"tool in [{several}]", f"tool not in [{several}]", f"context.x in [{several}]")
    asked.update(cases)
    assert check(asked, cases, facts(tool="v299")) == ["c00000"]
    assert check(asked, cases, facts(tool="v300", context={"x": ["no", "v0"]})) == ["c00001", "c00002"]


def test_five_hundred_context_fields(asked: Matcher) -> None:
    cases = book(*[f'context.f{place} is "yes"' for place in range(500)])
    asked.update(cases)
    assert check(asked, cases, facts(context={f"f{place}": "yes" for place in range(500)})) == list(cases)
    assert check(asked, cases, facts(context={"f7": "yes", "f8": "no"})) == ["c00007"]


DISJUNCTIONS = {
    "200 branches": (" or ".join(f'text contains "w{place}."' for place in range(200)), "w199."),
    "200 branches, all true": (
        " or ".join(f'text contains "w{place}."' for place in range(200)),
        " ".join(f"w{place}." for place in range(200)),
    ),
    "three 20-way joined": (
        " and ".join("(" + " or ".join(f'text contains "{letter}{place}."' for place in range(20)) + ")" for letter in "xyz"),
        "x1. x2. y19. z0.",
    ),
    "14 two-way, all true": (
        " and ".join(f'(text contains "a{place}." or text contains "b{place}.")' for place in range(14)),
        " ".join(f"a{place}. b{place}." for place in range(14)),
    ),
    "not of a 30-way and": ("not (" + " and ".join(f'text contains "w{place}."' for place in range(30)) + ")", "w0. w1."),
    "nested not, 30 deep": ('not (text contains "x." and ' * 30 + 'text contains "w."' + ")" * 30, "w. x."),
    "wide and of wide or": (
        " and ".join("(" + " or ".join(f'text contains "{n}_{m}."' for m in range(15)) + ")" for n in range(15)),
        " ".join(f"{n}_3." for n in range(15)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DISJUNCTIONS)
def test_logic_neither_multiplies_nor_slows(asked: Matcher, name: str) -> None:
    """`$or` fires once a branch and multiplies (12 two-way: 4,096 firings); 64-way is error 303, 15 groups error 113."""
    condition, text = DISJUNCTIONS[name]
    cases = book(condition, f"not ({condition})", "tool is shell")
    asked.update(cases)
    found = check(asked, cases, facts(text=text, tool="shell"))
    assert len(found) == 2
    assert len(check(asked, cases, facts(text="nothing", tool="shell"))) == 2
    assert len(check(asked, cases, facts(tool="shell"))) == 2


def test_a_condition_of_a_thousand_nodes(asked: Matcher) -> None:
    condition = " or ".join(f"(context.a is {n} and context.b is {n})" for n in range(333))
    assert sum(1 for _ in walk(parse(condition))) == 1000
    cases = book(condition)
    asked.update(cases)
    assert check(asked, cases, facts(context={"a": 332, "b": 332})) == ["c00000"]
    assert check(asked, cases, facts(context={"a": 331, "b": 332})) == []


@pytest.mark.parametrize("pattern", ["[一-龥]", r"\b推", r"^\d+$", "(?i)ABC", r"\p{Han}"])
def test_patterns_that_kill_the_engine(asked: Matcher, pattern: str) -> None:
    """A class over Chinese kills durable_rules at creation; `\\b`, `\\d`, `^`, `(?i)` silently never match there."""
    cases = book(f"text matches /{pattern}/")
    asked.update(cases)
    for text in ["推送", "123", "abc", "", "é"]:
        check(asked, cases, facts(text=text))


def test_long_values_are_compared_whole(asked: Matcher) -> None:
    """The engine keeps lengths in 16 bits: 65,536 + 3 characters compare as the first three."""
    cases = book('tool is "abc"', 'context.x is "abc"', 'text is "abc"')
    asked.update(cases)
    long = "abc" + "x" * 65_536
    assert check(asked, cases, facts(tool=long, context={"x": long}, text=long)) == []
    assert len(check(asked, cases, facts(tool="abc", context={"x": "abc"}, text="abc"))) == 3


def test_values_equal_up_to_their_65535th_character_differ(asked: Matcher) -> None:
    head = "y" * 65_535
    cases = {"c": loaded("c", (Test(Field(("context", "x")), "is", head + "a"),))}
    asked.update(cases)
    assert check(asked, cases, facts(context={"x": head + "b"})) == []
    assert check(asked, cases, facts(context={"x": head + "a"})) == ["c"]


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        ("context.x is 5", 5, True), ("context.x is 5", "5", False), ('context.x is "5"', 5, False), ("context.x is 5", 5.0, True),
        ("context.x is 1", True, False), ("context.x is true", 1, False), ("context.x is true", True, True),
        ("context.x is 0", False, False), ("context.x > 4", True, False), ("context.x > 4", "5", False), ("context.x > 4", 5, True),
        ("context.x is 1e3", 1000, True), ("context.x is 1e-7", 1e-7, True), ("context.x > 9223372036854775807", 2**70, True),
        ("context.x is 9223372036854775808", 9223372036854775807, False), ("context.x is not 5", None, True),
        ("context.x is 5", None, False), ("context.x exists", None, False), ("context.x is missing", None, True),
    ],
)  # fmt: skip
def test_types_do_not_leak(asked: Matcher, condition: str, value: object, holds: bool) -> None:
    """In durable_rules `"5"` equals 5, true equals 1, an exponent is a parse error, integers saturate, null is present."""
    cases = book(condition, "context.x is true", "context.x is 1")
    asked.update(cases)
    assert ("c00000" in check(asked, cases, facts(context={"x": value}))) is holds


@pytest.fixture(scope="module")
def colliding() -> list[tuple[str, str]]:
    """Three pairs of names with equal 32-bit hashes, found as anybody could find them: about 80,000 names are enough."""
    seen: dict[int, str] = {}
    pairs: list[tuple[str, str]] = []
    for number in itertools.count():
        name = f"k{number:x}"
        other = seen.setdefault(fnv1a(name), name)
        if other != name:
            pairs.append((other, name))
            if len(pairs) == 3:
                return pairs
    raise AssertionError


def test_field_names_of_equal_hash_do_not_meet(asked: Matcher, colliding: list[tuple[str, str]]) -> None:
    """The engine knows a property by a 32-bit FNV-1a hash alone."""
    cases = book(
        *[f'context.{one} is "yes"' for one, _ in colliding],
        *[f'context.{other} is not "yes"' for _, other in colliding],
    )
    asked.update(cases)
    for place, (one, other) in enumerate(colliding):
        assert f"c{place:05}" not in check(asked, cases, facts(context={other: "yes"}))
        assert f"c{place:05}" in check(asked, cases, facts(context={one: "yes"}))


def test_generated_names_are_distinct_by_hash() -> None:
    hashes = [fnv1a(property_name(number)) for number in range(60_000)]
    assert len(set(hashes)) == len(hashes)
    assert not {fnv1a("id"), fnv1a("sid"), fnv1a("w")} & set(hashes)


def test_the_hash_is_the_engines() -> None:
    """`state.h` names the hash of "id" and of "sid"."""
    assert (fnv1a("id"), fnv1a("sid")) == (926_444_256, 3_593_476_751)


def test_a_long_history_is_counted_and_not_joined(asked: Matcher) -> None:
    """A join fires once an event; `count: n` means batches of n; a `$not` first never fires."""
    history = [{"kind": "tool", "tool": "shell", "at": NOON - timedelta(seconds=1000 - n)} for n in range(1000)]
    cases = book(
        "earlier tool where tool is shell", "no earlier tool where tool is shell", "count of tool >= 1000",
        "count of tool > 1000", "count of tool where tool is shell within 10s >= 10", "no earlier error",
    )  # fmt: skip
    asked.update(cases)
    assert check(asked, cases, facts(history=history)) == ["c00000", "c00002", "c00004", "c00005"]


def test_fifty_thousand_tasks_in_one_session(asked: Matcher) -> None:
    """The engine's own ids collide at the 46,010th fact."""
    cases = book("tool is shell")
    asked.update(cases)
    task = facts(tool="shell")
    assert all(len(asked.match(task)) == 1 for _ in range(50_000))


def test_hostile_values_reach_no_engine(asked: Matcher) -> None:
    """Values are compared outside and posted as small numbers: no quoting, escaping or number form can break a message."""
    values = [
        '"',
        "\\",
        '","tool":"shell',
        "\n",
        "\0",
        "}",
        "😀",
        "\ud7ff",
        "{'a':1}",
        "1e3",
        "NaN",
        "$neq",
        "a" * 100_000,
    ]
    quoted = [Test(Field(("tool",)), "is", value) for value in values]
    cases = {f"c{n:02}": loaded(f"c{n:02}", (test,)) for n, test in enumerate(quoted)}
    asked.update(cases)
    for n, value in enumerate(values):
        assert ids(asked, facts(tool=value)) == [f"c{n:02}"]
