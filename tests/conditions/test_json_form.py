"""The JSON form says what the text says; what is wrong in it is answered with what was expected and what was found."""

from typing import TYPE_CHECKING

import pytest

from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.parse import parse
from casebook.faults import ConditionError

if TYPE_CHECKING:
    from casebook.conditions.fields import FieldType

CANONICAL = [
    # text, the JSON form that it is written as
    ('tool is "shell"', {"field": "tool", "op": "is", "value": "shell"}),
    ("tool is not shell", {"field": "tool", "op": "is_not", "value": "shell"}),
    ("args.dry_run is true", {"field": "args.dry_run", "op": "is", "value": True}),
    ("args.n is 1", {"field": "args.n", "op": "is", "value": 1}),
    ("args.n is 1.0", {"field": "args.n", "op": "is", "value": 1.0}),
    ("tool in [a, b]", {"field": "tool", "op": "in", "value": ["a", "b"]}),
    ("tool not in [a]", {"field": "tool", "op": "not_in", "value": ["a"]}),
    ("session.errors > 2", {"field": "session.errors", "op": "gt", "value": 2}),
    ("session.errors >= 2", {"field": "session.errors", "op": "gte", "value": 2}),
    ("session.errors < 2", {"field": "session.errors", "op": "lt", "value": 2}),
    ("session.errors <= 2", {"field": "session.errors", "op": "lte", "value": 2}),
    ("args.n between 1 and 2.5", {"field": "args.n", "op": "between", "value": [1, 2.5]}),
    ("args.n not between 1 and 2", {"not": {"field": "args.n", "op": "between", "value": [1, 2]}}),
    ("text contains x", {"field": "text", "op": "contains", "value": "x"}),
    ("文本 不包含 x", {"not": {"field": "text", "op": "contains", "value": "x"}}),
    ("path starts with /etc", {"field": "path", "op": "starts_with", "value": "/etc"}),
    ('path ends with ".py"', {"field": "path", "op": "ends_with", "value": ".py"}),
    ('action like "git *"', {"field": "action", "op": "like", "value": "git *"}),
    (r"text matches /a\/b/", {"field": "text", "op": "matches", "value": "a/b"}),
    ("text matches /a/si", {"field": "text", "op": "matches", "value": "a", "flags": "is"}),
    ("args.x exists", {"field": "args.x", "op": "exists"}),
    ("args.x is null", {"field": "args.x", "op": "missing"}),
    ('context."客户 名".0 exists', {"field": 'context."客户 名".0', "op": "exists"}),
    ("time between 22:00 and 6", {"time": ["22:00", "06:00"]}),
    ("time between 0 and 24", {"time": ["00:00", "24:00"]}),
    ("time between 0:00:01 and 6", {"time": ["00:00:01", "06:00"]}),
    ("time between 22 and 6 on Mon-Fri", {"time": ["22:00", "06:00"], "on": "Mon-Fri"}),
    ("time between 22 and 6 on [Mon, Wed] in UTC", {"time": ["22:00", "06:00"], "on": ["Mon", "Wed"], "zone": "UTC"}),
    ("time not between 22 and 6", {"not": {"time": ["22:00", "06:00"]}}),
    ("weekday is weekend", {"weekday": "weekend"}),
    ("weekday is not weekdays", {"weekday": "weekdays", "op": "is_not"}),
    ("weekday in Mon-Fri", {"weekday": ["Mon-Fri"]}),
    ("weekday not in [Mon, Sat-Sun]", {"weekday": ["Mon", "Sat-Sun"], "op": "not_in"}),
    ("week between Fri 22:00 and Mon 6", {"week": [["Fri", "22:00"], ["Mon", "06:00"]]}),
    ("date is 2026-03-01", {"date": "2026-03-01"}),
    ("date is not 2026-03-01", {"date": "2026-03-01", "op": "is_not"}),
    ("date >= 2026-03-01 in UTC", {"date": "2026-03-01", "op": "gte", "zone": "UTC"}),
    ("date between 2026-03-01 and 2026-03-31", {"date": ["2026-03-01", "2026-03-31"]}),
    ("month is 1", {"month": 1}),
    ("month is not 1", {"month": 1, "op": "is_not"}),
    ("month in [1, 12]", {"month": [1, 12]}),
    ("month not in [1, 12]", {"month": [1, 12], "op": "not_in"}),
    ("month between 11 and 2", {"month": [11, 2], "op": "between"}),
    ("day in [1]", {"day": [1]}),
    ("earlier tool", {"earlier": "tool"}),
    ("no earlier tool within 7d", {"not": {"earlier": "tool", "within": "7d"}}),
    (
        "earlier error where tool is this tool within 60m",
        {"earlier": "error", "where": {"field": "tool", "op": "is", "value": {"this": "tool"}}, "within": "1h"},
    ),
    (
        "earlier tool where (ok is false and tool in [this tool])",
        {
            "earlier": "tool",
            "where": {
                "all": [
                    {"field": "ok", "op": "is", "value": False},
                    {"field": "tool", "op": "in", "value": [{"this": "tool"}]},
                ]
            },
        },
    ),
    ("count of error within 30m >= 2", {"count": "error", "within": "30m", "op": "gte", "value": 2}),
    ("count of error is 2", {"count": "error", "op": "is", "value": 2}),
    ("always", "always"),
    ("not always", {"not": "always"}),
    ("always and (always or not always)", {"all": ["always", {"any": ["always", {"not": "always"}]}]}),
]

ALSO = [
    # another JSON form, the text that it means
    ({"field": "Tool", "op": "is", "value": "x"}, "tool is x"),
    ({"field": "工具", "op": "is", "value": "x"}, "tool is x"),
    ({"field": "tool", "op": "is", "value": None}, "tool is missing"),
    ({"field": "tool", "op": "is_not", "value": None}, "tool exists"),
    ({"field": "text", "op": "contains", "value": 404}, 'text contains "404"'),
    ({"field": "text", "op": "is", "value": "e\u0301"}, 'text is "é"'),
    ({"field": "text", "op": "matches", "value": r"a\/b", "flags": "mi"}, "text matches /a\\/b/im"),
    ({"time": [22, 6]}, "time between 22:00 and 06:00"),
    ({"time": ["22点", "7点半"], "zone": "北京时间"}, "time between 22:00 and 07:30 in Asia/Shanghai"),
    ({"weekday": "周六"}, "weekday is Sat"),
    ({"weekday": ["Mon", "Tue"], "op": "is"}, "weekday in [Mon, Tue]"),
    ({"week": [["周五", 22], ["monday", 6]]}, "week between Fri 22:00 and Mon 06:00"),
    ({"earlier": "tool", "within": 3600}, "earlier tool within 1h"),
    ({"earlier": "tool", "within": "30分钟", "where": None}, "earlier tool within 30m"),
    ({"earlier": "tool", "where": "ok is false"}, "earlier tool where ok is false"),
    ({"all": ["tool is x"]}, "tool is x"),
    ({"all": ["tool is x", {"all": ["tool is y", "tool is z"]}]}, "tool is x and tool is y and tool is z"),
    ({"any": ["工具 为 x", {"not": "用户 存在"}]}, "tool is x or not user exists"),
    ("意图为'主动推送'", "intent is 主动推送"),
]

FAULTS: list[tuple[object, str, str | None]] = [
    # form, message, suggestion
    (None, "expected a condition, as a string or an object, got null", None),
    (5, "expected a condition, as a string or an object, got the number 5", None),
    ([], "expected a condition, as a string or an object, got an empty list", None),
    (True, "expected a condition, as a string or an object, got true", None),
    ({}, "expected an object with one of field, time, weekday", None),
    ({"feild": "tool"}, 'got an object with "feild"', "field"),
    ({"field": "tool", "time": [1, 2]}, 'got both "field" and "time"', None),
    (
        {"field": "tool", "op": "is", "valeu": "x"},
        'expected one of op, value, flags beside "field", got "valeu"',
        "value",
    ),
    ({"time": [1, 2], "zones": "UTC"}, 'expected one of on, zone beside "time", got "zones"', "zone"),
    ({"not": "always", "x": 1}, 'expected nothing beside "not", got "x"', None),
    ({"field": "toool", "op": "is", "value": "x"}, 'unknown field "toool"', "tool"),
    ({"field": 5, "op": "is", "value": "x"}, "expected a field such as tool, got the number 5", None),
    ({"field": "tool x", "op": "exists"}, 'expected a field and nothing after it, got "tool x"', None),
    ({"field": "context.a b", "op": "exists"}, "expected a field and nothing after it", 'context."a b"'),
    ({"field": "ok", "op": "is", "value": True}, "known inside where only", None),
    ({"field": "tool", "value": "x"}, 'expected "op" to be one of is, is_not, in', None),
    ({"field": "tool", "op": "equals", "value": "x"}, 'got the string "equals"', None),
    ({"field": "tool", "op": "contain", "value": "x"}, 'got the string "contain"', "contains"),
    ({"field": "args.n", "op": ">=", "value": 1}, 'got the string ">="', "gte"),
    ({"field": "tool", "op": "is"}, 'expected a "value" with is, got none', None),
    ({"field": "tool", "op": "exists", "value": 1}, 'expected no "value" with exists, got the number 1', None),
    ({"field": "tool", "op": "is", "value": "x", "flags": "i"}, 'expected "flags" with matches only', None),
    ({"field": "tool", "op": "is", "value": []}, "expected a value, got an empty list", None),
    (
        {"field": "tool", "op": "is", "value": {"x": 1}},
        'expected a value or {"this": field}, got an object with "x"',
        None,
    ),
    ({"field": "tool", "op": "is", "value": {"this": "tool"}}, "this is known inside where only", None),
    ({"field": "tool", "op": "is", "value": 3}, "expected a string for tool, which is text, got the number 3", '"3"'),
    ({"field": "tool", "op": "is", "value": "\ud800"}, "got half of a surrogate pair", None),
    ({"field": "args.n", "op": "is", "value": float("nan")}, "expected a number within ±1.8e308", None),
    ({"field": "args.n", "op": "is", "value": 10**400}, "expected a number within ±1.8e308", None),
    ({"field": "tool", "op": "gte", "value": 3}, 'expected a field with numbers before ">=", got tool', None),
    ({"field": "args.n", "op": "gte", "value": "3"}, 'expected a number, got the string "3"', "3 without quotes"),
    ({"field": "args.n", "op": "between", "value": [1]}, "expected a list of two numbers, got a list of 1", None),
    (
        {"field": "args.n", "op": "between", "value": [2, 1]},
        "expected the lower end first, got 2 and 1",
        "between 1 and 2",
    ),
    ({"field": "tool", "op": "in", "value": "x"}, 'expected a list of values, got the string "x"', None),
    ({"field": "tool", "op": "in", "value": []}, "expected one value or more in the list, got none", None),
    ({"field": "tool", "op": "in", "value": [None]}, "expected a value in the list, got null", None),
    ({"field": "text", "op": "contains", "value": ""}, "expected something to look for", None),
    ({"field": "text", "op": "matches", "value": "(?=a)"}, "RE2 does not take the pattern", None),
    ({"field": "text", "op": "matches", "value": "a", "flags": "g"}, 'expected flags out of i, m and s, got "g"', None),
    ({"time": ["22:00"]}, "expected a list of two times, got a list of 1", None),
    ({"time": ["6pm", "8:00"]}, 'expected a time such as 06:00, got "6pm"', "18:00"),
    ({"time": [None, 1]}, "expected a time such as 06:00, got null", None),
    ({"time": ["24:00", 1]}, "expected a start before 24:00", "00:00"),
    ({"time": [1, 1]}, "expected two different ends of the window", None),
    ({"time": [1, 2], "on": "Fryday"}, 'expected a weekday such as Mon or Mon-Fri, got "Fryday"', None),
    ({"time": [1, 2], "on": []}, "expected a weekday such as Mon-Fri, got an empty list", None),
    ({"time": [1, 2], "zone": "Asia/Shangai"}, "expected an IANA time zone", "Asia/Shanghai"),
    ({"weekday": "Mon", "op": "between"}, 'expected "op" to be one of is, is_not, in, not_in', None),
    ({"weekday": 5}, "expected a weekday such as Mon-Fri, got the number 5", None),
    ({"week": ["Fri", "Mon"]}, 'expected a list of a weekday and a time, got the string "Fri"', None),
    ({"date": "2026-02-30"}, "expected a date that the calendar has", None),
    ({"date": 20260301}, "expected a date such as 2026-03-01, got the number 20260301", None),
    ({"date": ["2026-03-31", "2026-03-01"]}, "expected the earlier date first", None),
    ({"month": 13}, "expected a month from 1 to 12, got 13", None),
    ({"month": [1, 2, 3], "op": "between"}, "expected a list of two numbers, got a list of 3", None),
    ({"day": True}, "expected a day of the month from 1 to 31, got true", None),
    ({"earlier": "tools"}, "expected one of tool, task, error, feedback", "tool"),
    ({"earlier": "tool", "within": "6"}, "expected a duration such as 30m", "6m for minutes"),
    ({"earlier": "tool", "within": True}, "expected a duration such as 30m, got true", None),
    ({"earlier": "tool", "where": {"earlier": "tool"}}, "inside where, got", None),
    ({"earlier": "tool", "where": {"month": 1}}, "inside where, got", None),
    ({"earlier": "tool", "where": "month is 1"}, "inside where, got the clock", None),
    ({"count": "error"}, 'expected "op" to be one of gt, gte', None),
    ({"count": "error", "op": "gte"}, 'expected a "value" with a count, got none', None),
    ({"count": "error", "op": "gte", "value": 1.5}, "expected a whole number from 0, got 1.5", None),
    ({"any": []}, 'expected a list of one condition or more in "any", got an empty list', None),
    ({"all": "always"}, 'expected a list of one condition or more in "all", got the string "always"', None),
    ({"not": None}, "expected a condition, as a string or an object, got null", None),
    ({"any": ["toool is x"]}, 'unknown field "toool"', "tool"),
]


@pytest.mark.parametrize(("text", "form"), CANONICAL)
def test_a_condition_has_one_json_form_and_reads_back_from_it(text: str, form: object) -> None:
    assert to_json(parse(text)) == form
    assert repr(from_json(form)) == repr(parse(text))


@pytest.mark.parametrize(("form", "text"), ALSO)
def test_other_ways_to_write_a_form_mean_the_same_tree(form: object, text: str) -> None:
    assert repr(from_json(form)) == repr(parse(text))


@pytest.mark.parametrize(("form", "message", "suggestion"), FAULTS)
def test_a_wrong_form_says_what_was_expected_and_what_was_found(
    form: object, message: str, suggestion: str | None
) -> None:
    with pytest.raises(ConditionError) as raised:
        from_json(form)
    assert message in raised.value.message
    if suggestion is not None:
        assert raised.value.suggestion == suggestion


def test_declared_fields_are_known_in_either_form() -> None:
    declared: dict[str, FieldType] = {"reused": "number", "客户等级": "text"}
    assert from_json({"field": "reused", "op": "gte", "value": 2}, declared=declared) == parse(
        "reused >= 2", declared=declared
    )
    assert to_json(from_json("客户等级 为 A", declared=declared)) == {"field": "客户等级", "op": "is", "value": "A"}


def test_a_fault_in_a_text_inside_a_form_has_its_column() -> None:
    with pytest.raises(ConditionError) as raised:
        from_json({"all": ["always", "tool is"]})
    assert raised.value.column == 8
    assert raised.value.message == "all[1], column 8: expected a value, got the end"


PLACES: list[tuple[object, str | None]] = [
    # form, the place within it at which the message begins
    ({"any": ["always", 'text is "\\\\" and ZZZ is a']}, "any[1], column 18: unknown field"),
    (
        {"any": ["always", {"all": ["always", {"not": {"field": "zzz", "op": "exists"}}]}]},
        "any[1].all[1].not: unknown field",
    ),
    ({"earlier": "tool", "where": "tol is x"}, "where, column 1: unknown field"),
    ({"not": {"earlier": "tool", "where": {"all": ["tool is x", {"month": 1}]}}}, "not.where.all[1]: expected a test"),
    ({"any": ["always", {"earlier": "tools"}]}, "any[1]: expected one of tool"),
    ({"any": ["always", {"any": []}]}, "any[1]: expected a list of one condition or more"),
    ({"field": "zzz", "op": "exists"}, "unknown field"),
    ({"any": []}, "expected a list of one condition or more"),
]


@pytest.mark.parametrize(("form", "begins"), PLACES)
def test_a_fault_inside_a_form_begins_with_its_place_there(form: object, begins: str) -> None:
    with pytest.raises(ConditionError) as raised:
        from_json(form)
    assert raised.value.message.startswith(begins)


def test_the_place_of_a_fault_in_thousands_of_levels_is_short() -> None:
    form: object = "zzz exists"
    for _ in range(1_500):
        form = {"not": form}
    with pytest.raises(ConditionError) as raised:
        from_json(form)
    assert raised.value.message.startswith("not.not.….not.not.not.")
    assert len(raised.value.message) < 200
