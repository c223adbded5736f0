"""What each form means, at both sides of every edge (`language.md`, Meaning)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from freezegun import freeze_time

from casebook.clock import fixed_clock, system_clock
from casebook.conditions.evaluate import evaluate, trace
from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.conditions.tree import And, Node, Not

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def holds(condition: str, at: datetime = NOON, zone: str = "UTC", history: Any = (), **values: Any) -> bool:
    return evaluate(parse(condition), Facts(values, at, history), zone)


def local(zone: str, text: str, *, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "value", "expected"),
    [
        # equality: exact after NFC, types apart
        ("context.x is abc", "abc", True), ("context.x is abc", "ABC", False), ('context.x is "é"', "é", True),
        ("context.x is 1", 1.0, True), ("context.x is 1", True, False), ("context.x is true", True, True),
        ("context.x is true", "true", False), ('context.x is "5"', 5, False), ("context.x is 5", "5", False),
        # missing: a positive test is false, its exact negation true
        ("context.x is abc", None, False), ("context.x is not abc", None, True), ("not context.x is abc", None, True),
        ("context.x not in [abc]", None, True), ("context.x in [abc]", None, False), ("context.x > 1", None, False),
        ("not context.x > 1", None, True), ("context.x contains a", None, False), ("context.x not contains a", None, True),
        ("context.x exists", None, False), ("context.x is missing", None, True), ("context.x is null", None, True),
        ("context.x exists", "", True), ("context.x exists", [], True), ("context.x exists", False, True),
        # another type: false as well
        ("context.x > 1", "2", False), ("context.x > 1", True, False), ('context.x contains "1"', 11, False),
        ("context.x matches /1/", 1, False), ("context.x is abc", {"abc": 1}, False),
        # order
        ("context.x between 1 and 2", 1, True), ("context.x between 1 and 2", 2, True), ("context.x between 1 and 2", 2.01, False),
        ("context.x >= 2", 2, True), ("context.x > 2", 2, False), ("context.x > 1e300", 10**301, True),
        # text: after NFKC and case folding
        ('context.x contains "RM -RF"', "please rm -rf /", True), ('context.x contains "ﬁx"', "to FIX it", True),
        ('context.x contains "rm"', "ｒｍ", True), ('context.x starts with "/etc"', "/ETC/passwd", True),
        ('context.x starts with "/etc"', "x/etc", False), ('context.x ends with ".py"', "a.PY", True),
        ('context.x ends with "py"', "py.a", False), ('context.x like "git *"', "git push", True),
        ('context.x like "git *"', "git", False), ('context.x like "gi?"', "GIT", True), ('context.x like "gi?"', "gitt", False),
        (r'context.x like "a\\*"', "a*", True), (r'context.x like "a\\*"', "ab", False), ('context.x like "*"', "a\nb", True),
        # patterns: unanchored, on NFC text, case kept unless asked
        (r"context.x matches /drop\s+table/", "DROP  TABLE x", False), (r"context.x matches /drop\s+table/i", "DROP  TABLE x", True),
        ("context.x matches /^b/", "a\nb", False), ("context.x matches /^b/m", "a\nb", True), ("context.x matches /a.b/s", "a\nb", True),
        # lists: one item is enough for a positive test, and none may be for a negation
        ("context.x is b", ["a", "b"], True), ("context.x is not b", ["a", "b"], False), ("context.x is not c", ["a", "b"], True),
        ("context.x in [b, c]", ["a", "b"], True), ("context.x > 3", [1, "x", 4], True), ("context.x contains b", ["a", "b"], True),
        ("context.x contains b", ["ab"], False), ('context.x starts with "b"', ["a", "bc"], True), ("context.x is b", [], False),
        ("context.x is b", [None, "b"], True),
    ],
)  # fmt: skip
def test_a_test_of_a_value(condition: str, value: object, expected: bool) -> None:
    assert holds(condition, context={"x": value}) is expected


def test_parts_of_values_are_reached_by_name_and_by_index() -> None:
    args = {"items": [{"name": "a"}], "0": "zero"}
    assert holds("args.items.0.name is a", args=args)
    assert holds("args.0 is zero", args=args)
    assert not holds("args.items.1.name exists", args=args)
    assert not holds("args.items.name exists", args=args)


def test_session_alone_is_its_id_and_its_parts_are_counts() -> None:
    session = {"id": "s1", "errors": 2}
    assert holds("session is s1", session=session)
    assert holds("session.errors >= 2", session=session)


# -- clock -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition", ["当前时间在 00:00-06:00", "time between 0 and 6", "time between 00:00 and 06:00"]
)
@pytest.mark.parametrize(
    ("moment", "expected"),
    [("00:00:00", True), ("05:59:59", True), ("05:59:59.999999", True), ("06:00:00", False), ("23:59:59", False)],
)
def test_the_seed_case_is_on_from_midnight_and_off_at_six(condition: str, moment: str, expected: bool) -> None:
    at = local("Asia/Shanghai", f"2026-03-20T{moment}")
    assert holds(condition, at, "Asia/Shanghai") is expected
    assert holds(f"{condition} in Asia/Shanghai", at, "America/New_York") is expected


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("21:59:59", False),
        ("22:00:00", True),
        ("00:00:00", True),
        ("05:59:59", True),
        ("06:00:00", False),
        ("12:00:00", False),
    ],
)
def test_a_window_runs_over_midnight(moment: str, expected: bool) -> None:
    assert holds("time between 22:00 and 06:00", local("UTC", f"2026-03-20T{moment}")) is expected


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-03-20T21:59:59", False), ("2026-03-20T22:00", True), ("2026-03-21T05:59:59", True), ("2026-03-21T06:00", False),
        ("2026-03-20T05:59", False), ("2026-03-21T22:00", False),
    ],
)  # fmt: skip
def test_on_names_the_day_on_which_the_window_began(moment: str, expected: bool) -> None:
    """2026-03-20 is a Friday."""
    assert holds("time between 22:00 and 06:00 on Fri", local("UTC", moment)) is expected


@pytest.mark.parametrize(
    ("moment", "expected"),
    [("2026-03-20T02:00", True), ("2026-03-20T22:00", True), ("2026-03-21T02:00", False), ("2026-03-19T23:00", False)],
)
def test_a_weekday_beside_a_window_is_the_days_own_two_pieces(moment: str, expected: bool) -> None:
    assert holds("weekday is Fri and time between 22:00 and 06:00", local("UTC", moment)) is expected


def test_an_end_of_24_closes_the_day() -> None:
    assert holds("time between 22:00 and 24:00", local("UTC", "2026-03-20T23:59:59"))
    assert not holds("time between 22:00 and 24:00", local("UTC", "2026-03-21T00:00"))


SPRING, AUTUMN = "2026-03-08", "2026-11-01"  # New York: 02:00 becomes 03:00, and 02:00 becomes 01:00


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        (f"{SPRING}T00:00", f"{SPRING}T12:00", 5),  # 0 to 6 less the hour that never comes
        (f"{AUTUMN}T00:00", f"{AUTUMN}T12:00", 7),  # 0 to 6 and the hour that comes twice
        ("2026-03-07T18:00", f"{SPRING}T12:00", 5),
    ],
)
def test_both_nights_of_a_clock_change_follow_the_wall_clock(start: str, end: str, hours: int) -> None:
    at, last = local("America/New_York", start), local("America/New_York", end)
    minutes = 0
    while at < last:
        minutes += holds("time between 0 and 6", at, "America/New_York")
        at += timedelta(minutes=1)
    assert minutes == hours * 60


def test_a_window_inside_the_skipped_hour_never_comes() -> None:
    night = local("America/New_York", f"{SPRING}T00:00")
    condition = "time between 02:00 and 03:00"
    assert not any(holds(condition, night + timedelta(minutes=n), "America/New_York") for n in range(360))


@pytest.mark.parametrize("fold", [0, 1])
def test_a_window_inside_the_repeated_hour_comes_twice(fold: int) -> None:
    at = local("America/New_York", f"{AUTUMN}T01:30", fold=fold)
    assert holds("time between 01:00 and 02:00", at, "America/New_York")


@pytest.mark.parametrize(
    ("condition", "moment", "expected"),
    [
        ("week between Fri 22:00 and Mon 06:00", "2026-03-20T21:59:59", False),
        ("week between Fri 22:00 and Mon 06:00", "2026-03-20T22:00", True),
        ("week between Fri 22:00 and Mon 06:00", "2026-03-23T05:59:59", True),
        ("week between Fri 22:00 and Mon 06:00", "2026-03-23T06:00", False),
        ("week between Mon 09:00 and Fri 18:00", "2026-03-20T17:59", True),
        ("week between Mon 09:00 and Fri 18:00", "2026-03-21T12:00", False),
        ("weekday in Mon-Fri", "2026-03-20T23:59:59", True), ("weekday in Mon-Fri", "2026-03-21T00:00", False),
        ("weekday in Sat-Mon", "2026-03-23T12:00", True), ("weekday in Sat-Mon", "2026-03-24T12:00", False),
        ("weekday is weekend", "2026-03-22T12:00", True), ("weekday is not weekend", "2026-03-22T12:00", False),
        ("date between 2026-03-01 and 2026-03-31", "2026-03-31T23:59:59", True),
        ("date between 2026-03-01 and 2026-03-31", "2026-04-01T00:00", False),
        ("date is 2026-03-20", "2026-03-20T00:00", True), ("date > 2026-03-20", "2026-03-20T23:59", False),
        ("date >= 2026-03-20", "2026-03-20T00:00", True), ("date is not 2026-03-20", "2026-03-20T12:00", False),
        ("month in [1, 12]", "2026-12-31T23:59", True), ("month in [1, 12]", "2026-02-01T00:00", False),
        ("month between 11 and 2", "2026-01-15T00:00", True), ("month between 11 and 2", "2026-03-01T00:00", False),
        ("day is 1", "2026-03-01T00:00", True), ("day is 1", "2026-03-02T00:00", False),
        ("day between 28 and 3", "2024-02-29T12:00", True),
    ],
)  # fmt: skip
def test_the_calendar(condition: str, moment: str, expected: bool) -> None:
    assert holds(condition, local("UTC", moment)) is expected


@pytest.mark.parametrize("at", [datetime.min, datetime.max])
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York"])
def test_the_first_and_the_last_hour_of_all_have_a_wall_clock_everywhere(at: datetime, zone: str) -> None:
    assert holds("time between 0 and 24", at.replace(tzinfo=UTC), zone)


def test_freezegun_moves_the_one_clock() -> None:
    with freeze_time("2026-03-19 16:00:00"):
        assert holds("time between 0 and 6", system_clock(), "Asia/Shanghai")
    with freeze_time("2026-03-19 22:00:00"):
        assert not holds("time between 0 and 6", system_clock(), "Asia/Shanghai")


def test_a_fixed_clock_must_be_aware() -> None:
    assert fixed_clock(NOON)() == NOON
    with pytest.raises(ValueError, match="aware"):
        fixed_clock(datetime(2026, 3, 20))  # noqa: DTZ001  # the naive one is the point


# -- history -----------------------------------------------------------------------------------------------------------


def ago(seconds: float, kind: str = "tool", **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "at": NOON - timedelta(seconds=seconds), **fields}


@pytest.mark.parametrize(
    ("condition", "history", "expected"),
    [
        ("earlier tool", [], False), ("no earlier tool", [], True), ("earlier tool", [ago(9)], True), ("earlier error", [ago(9)], False),
        ("earlier tool within 1h", [ago(3600)], True), ("earlier tool within 1h", [ago(3600.000001)], False),
        ("earlier tool within 1h", [ago(0)], True), ("earlier tool within 1h", [ago(-1)], False),
        ("earlier tool within 1h", [{"kind": "tool", "at": None}], False), ("earlier tool", [{"kind": "tool", "at": None}], True),
        ("count of error >= 2", [ago(1, "error"), ago(2, "error")], True), ("count of error >= 2", [ago(1, "error")], False),
        ("count of error within 2s >= 2", [ago(1, "error"), ago(3, "error")], False),
        ('earlier tool where action is "pytest"', [ago(1, action=["cd x", "pytest"])], True),
        ("earlier tool where ok is false", [ago(1, ok=True), ago(2, ok=False)], True),
        ("earlier tool where (tool is shell and ok is false)", [ago(1, tool="shell", ok=True), ago(2, tool="edit", ok=False)], False),
        ("earlier error where tool is this tool", [ago(1, "error", tool="shell")], True),
        ("earlier error where tool is this tool", [ago(1, "error", tool="edit")], False),
        ("earlier error where tool is not this tool", [ago(1, "error", tool="edit")], True),
        ("earlier error where args.x is this args.x", [ago(1, "error", args={"x": 1})], False),
        ("earlier error where action is this intent", [ago(1, "error", action="b")], True),
        ("earlier error where error.message contains this tool", [ago(1, "error", error={"message": "no SHELL here"})], True),
    ],
)  # fmt: skip
def test_history(condition: str, history: list[dict[str, Any]], expected: bool) -> None:
    assert holds(condition, history=history, tool="shell", intent=["a", "b"]) is expected


# -- explanations ------------------------------------------------------------------------------------------------------


def test_a_trace_keeps_what_every_part_saw() -> None:
    facts = Facts({"tool": "shell"}, NOON, [ago(5)])
    found = trace(parse("tool is edit or (time between 0 and 6 and not earlier tool)"), facts, "Asia/Shanghai")
    assert not found.holds
    tool, both = found.items
    assert (tool.holds, tool.seen) == (False, "shell")
    clock, no_tool = both.items
    assert (clock.holds, clock.seen.hour) == (False, 20)
    assert (no_tool.holds, no_tool.items[0].seen) == (False, 1)


def test_depth_costs_no_recursion() -> None:
    node: Node = parse("tool is shell")
    for _ in range(5000):
        node = Not(And((node, parse("always"))))
    assert evaluate(node, Facts({"tool": "shell"}, NOON), "UTC") is True
