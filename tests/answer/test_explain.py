"""Why each case did or did not fire."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.case import LoadedCase
from casebook.conditions import tree
from casebook.conditions.evaluate import trace
from casebook.conditions.facts import Facts
from casebook.faults import Fault, NotFoundError
from casebook.policy import Policy
from casebook.runtime.answer.explain import explain
from casebook.runtime.answer.explanation import Explanation
from casebook.runtime.answer.seen import instant_words
from casebook.runtime.answer.why import condition_words, reason_words
from casebook.task import Task
from tests.answer.made import ALWAYS, AT_NIGHT, NIGHT, PUSH, PlainMatcher, facts_of, loaded, policy_of, snapshot_of

SHELL: tree.Node = tree.Test(tree.Field(("tool",)), "is", "shell")


def explained(
    cases: Iterable[LoadedCase],
    task: Task | None = None,
    at: datetime = NIGHT,
    policy: Policy | None = None,
    **options: Any,
) -> Explanation:
    cases, task = list(cases), task or Task()
    snapshot = snapshot_of(cases, options.pop("faults", ()), policy)
    matcher = options.pop("matcher", None) or PlainMatcher(cases, task)
    return explain(task, facts_of(task, at), snapshot, snapshot.policy, matcher, **options)


def outcomes(explanation: Explanation) -> dict[str, str]:
    return {each.loaded.id: each.outcome for each in explanation.cases}


# -- words -------------------------------------------------------------------------------------------------------------

MORNING = datetime(2026, 3, 19, 23, 0, tzinfo=UTC)
"""07:00 of Friday, 20 March 2026, in Shanghai."""


@pytest.mark.parametrize(
    ("condition", "english", "chinese"),
    [
        (AT_NIGHT, "time: 07:00 Asia/Shanghai, wanted 00:00–06:00", "时间：07:00 Asia/Shanghai，应为 00:00–06:00"),
        (tree.Time(30, 61), "time: 07:00 Asia/Shanghai, wanted 00:00:30–00:01:01", None),
        (tree.Not(tree.Time(0, 43_200)), "time: 07:00 Asia/Shanghai, not wanted: 00:00–12:00", None),
        (PUSH, 'intent: ["pull"], wanted intent is "push"', 'intent：["pull"]，应为 意图 为 "push"'),
        (SHELL, 'field tool is missing, wanted tool is "shell"', '字段 tool 缺失，应为 工具 为 "shell"'),
        (tree.Test(tree.Field(("tool",)), "exists"), "field tool is missing", "字段 tool 缺失"),
        (tree.Test(tree.Field(("text",)), "missing"), 'text: "ship it", wanted text is missing', None),
        (tree.Not(tree.Test(tree.Field(("text",)), "exists")), 'text: "ship it", not wanted: text exists', None),
        (tree.Earlier("error", None, 60), "earlier events: 0, wanted earlier error within 1m", None),
        (tree.Or((PUSH, SHELL)), 'intent: ["pull"], wanted intent is "push"; field tool is missing, wanted tool is "shell"',
         None),
        (tree.And((ALWAYS, SHELL)), 'field tool is missing, wanted tool is "shell"', None),
        (tree.Weekday("is", ((5, 6),)), "time: Fri 2026-03-20 Asia/Shanghai, wanted weekday is weekend", None),
        (tree.Not(PUSH), 'intent: ["pull"]', None),
        (tree.Or((SHELL, tree.Not(AT_NIGHT))), "time: 07:00 Asia/Shanghai", None),
        (ALWAYS, "", ""),
    ],
    ids=repr,
)  # fmt: skip
def test_a_condition_says_what_it_saw_and_what_it_wanted(
    condition: tree.Node, english: str, chinese: str | None
) -> None:
    seen = trace(condition, Facts({"intent": ["pull"], "text": "ship it"}, MORNING), "Asia/Shanghai")
    assert condition_words(seen, "en") == english
    if chinese is not None:
        assert condition_words(seen, "zh") == chinese


def test_a_wide_condition_is_told_by_its_first_parts() -> None:
    wide = tree.Or(tuple(tree.Test(tree.Field(("args", f"a{place}")), "exists") for place in range(300)))
    assert condition_words(trace(wide, Facts({}, NIGHT), "UTC"), "en").count("missing") == 6


@pytest.mark.parametrize(
    ("reason", "english", "chinese"),
    [
        ("status:draft", "its status is draft", "状态为 draft"),
        (
            "created:2026-03-20T00:00:00+00:00",
            "not yet active, it begins at 2026-03-20 08:00 Asia/Shanghai",
            "尚未生效，自 2026-03-20 08:00 Asia/Shanghai 起",
        ),
        (
            "expired:2026-03-20T00:00:00+00:00",
            "silent since 2026-03-20 08:00 Asia/Shanghai",
            "自 2026-03-20 08:00 Asia/Shanghai 起不再触发",
        ),
        ("point:tool,answer", "it is asked about at these points alone: tool,answer", "只用于触发点 tool,answer"),
        ("mode:off", "its mode is off", "模式为 off"),
        ("mode:shadow", "its mode is shadow: matched, never injected", None),
        ("superseded:new", "superseded by new", "被 new 取代"),
        ("spent:its cooldown lasts until noon", "its cooldown lasts until noon", None),
    ],
)
def test_a_reason_is_put_into_words(reason: str, english: str, chinese: str | None) -> None:
    assert reason_words(reason, "en", "Asia/Shanghai") == english
    in_chinese = reason_words(reason, "zh", "Asia/Shanghai")
    assert in_chinese == chinese if chinese is not None else in_chinese


@pytest.mark.parametrize(
    ("instant", "zone", "words"),
    [
        ("2026-03-20T23:00:00+00:00", "Asia/Shanghai", "2026-03-21 07:00 Asia/Shanghai"),
        ("2026-03-20T23:00:00+00:00", "UTC", "2026-03-20 23:00 UTC"),
        ("2026-03-20T23:00:05.9+00:00", "America/New_York", "2026-03-20 19:00:05 America/New_York"),
        ("2026-10-24T23:59:59+00:00", "Europe/Berlin", "2026-10-25 01:59:59 Europe/Berlin"),
        ("2026-10-25T00:00:00+00:00", "Europe/Berlin", "2026-10-25 02:00+02:00 Europe/Berlin"),
        ("2026-10-25T01:00:00+00:00", "Europe/Berlin", "2026-10-25 02:00+01:00 Europe/Berlin"),
        ("2026-10-25T02:00:00+00:00", "Europe/Berlin", "2026-10-25 03:00 Europe/Berlin"),
        ("2026-03-29T01:00:00+00:00", "Europe/Berlin", "2026-03-29 03:00 Europe/Berlin"),
        ("0001-01-01T00:00:00+00:00", "America/New_York", "0001-01-01 00:00 UTC"),
        ("9999-12-31T23:59:00+00:00", "Asia/Shanghai", "9999-12-31 23:59 UTC"),
    ],
)
def test_an_instant_is_told_as_the_clocks_of_the_zone_show_it_and_never_in_two_ways(
    instant: str, zone: str, words: str
) -> None:
    assert instant_words(datetime.fromisoformat(instant), zone) == words


def test_people_are_told_instants_in_the_zone_of_the_policy_and_clock_tests_in_the_zone_of_the_case() -> None:
    case = loaded("case_1", AT_NIGHT, zone="Europe/Berlin", created=NIGHT + timedelta(hours=1))
    explanation = explained([case], policy=Policy(timezone="Asia/Shanghai"))
    text = explanation.text()
    assert "point task, 2026-03-20 03:10 Asia/Shanghai," in text
    assert "begins at 2026-03-20 04:10 Asia/Shanghai" in text
    assert "[time: 20:10 Europe/Berlin, wanted 00:00–06:00]" in text
    assert "2026-03-20 03:10 Asia/Shanghai" in explanation.text("zh")


def test_programs_are_told_instants_with_their_offset() -> None:
    form = explained([loaded("case_1", created=NIGHT + timedelta(hours=1))]).to_json()
    assert form["at"] == "2026-03-19T19:10:00+00:00"
    assert form["cases"][0]["held"] == ["created:2026-03-19T20:10:00+00:00"]


# -- outcomes ----------------------------------------------------------------------------------------------------------


def test_each_case_is_told_with_what_became_of_it() -> None:
    cases = [
        loaded("fires", PUSH, priority=9),
        loaded("too_many", PUSH),
        loaded("draft", PUSH, status="draft"),
        loaded("other_point", on=("tool",)),
        loaded("near", PUSH, SHELL),
        loaded("far", SHELL, tree.Not(PUSH)),
        loaded("single", SHELL),
    ]
    explanation = explained(cases, Task(intent="push"), policy=policy_of(max_cases=1))
    assert outcomes(explanation) == {
        "fires": "selected",
        "too_many": "omitted",
        "draft": "held",
        "other_point": "held",
        "near": "near_miss",
        "far": "silent",
        "single": "silent",
    }
    assert explanation.counts == {"selected": 1, "omitted": 1, "held": 2, "near_miss": 1, "silent": 2}


def test_a_near_miss_tells_what_would_hold_it_back_too() -> None:
    old = loaded("old", PUSH, SHELL, status="disabled", on=("tool",), expires=NIGHT)
    explanation = explained([old, loaded("new", supersedes=("old",))], Task(intent="push"))
    [report] = [each for each in explanation.cases if each.loaded.id == "old"]
    assert report.held == ("status:disabled", f"expired:{NIGHT.isoformat()}", "point:tool", "superseded:new")


@pytest.mark.parametrize(
    ("fields", "at", "reason"),
    [
        ({"created": NIGHT}, NIGHT - timedelta(microseconds=1), "created:2026-03-19T19:10:00+00:00"),
        ({"created": NIGHT}, NIGHT, None),
        ({"expires": NIGHT}, NIGHT - timedelta(microseconds=1), None),
        ({"expires": NIGHT}, NIGHT, "expired:2026-03-19T19:10:00+00:00"),
        ({"mode": "shadow"}, NIGHT, "mode:shadow"),
    ],
)
def test_what_holds_back_a_case_is_named(fields: dict[str, Any], at: datetime, reason: str | None) -> None:
    [report] = explained([loaded("case_1", **fields)], at=at).cases
    assert report.held == ((reason,) if reason else ())
    assert report.outcome == ("held" if reason else "selected")


def test_what_is_spent_holds_back_in_the_words_of_who_counts() -> None:
    text = explained([loaded("case_1")], spent=lambda _: "its budget of 3 is used up").text()
    assert "  - its budget of 3 is used up" in text


# -- for people and programs -------------------------------------------------------------------------------------------


def test_the_text_is_for_people() -> None:
    cases = [
        loaded(
            "night", AT_NIGHT, PUSH, written=("当前时间在 00:00-06:00", "意图为 'push'"), effect="block", priority=9
        ),
        loaded("shell", PUSH, SHELL, written=("intent is push", {"field": "tool", "op": "is", "value": "shell"})),
    ]
    assert explained(cases, Task(intent="push")).text("en").split("\n") == [
        "point task, 2026-03-19 19:10 UTC, engine reference, verdict: block",
        "fires: 1 · left out: 0 · held back: 0 · near misses: 1 · others: 0",
        "",
        "night fires (block, priority 9) long_term/cases.json:1",
        "  yes  当前时间在 00:00-06:00  [time: 03:10 Asia/Shanghai]",
        "  yes  意图为 'push'  [intent: [\"push\"]]",
        "  - ruleset night, rule rule of night",
        "",
        "shell near miss (advise, priority 5) long_term/cases.json:1",
        '  yes  intent is push  [intent: ["push"]]',
        '  no   {"field": "tool", "op": "is", "value": "shell"}  [field tool is missing, wanted tool is "shell"]',
        "  - ruleset night, rule rule of shell",
    ]


def test_the_text_is_chinese_for_those_who_ask() -> None:
    text = explained([loaded("night", AT_NIGHT, effect="confirm")]).text("zh")
    assert "触发点 task" in text
    assert "结论：先征得人的同意" in text
    assert "night 触发（confirm，优先级 5）" in text
    assert "  是  condition 0 of night  [时间：03:10 Asia/Shanghai]" in text


def test_the_json_has_each_condition_its_outcome_the_value_and_the_rule() -> None:
    [case] = explained([loaded("night", AT_NIGHT, SHELL, path="a.json")]).to_json()["cases"]
    assert case["conditions"] == [
        {"condition": "condition 0 of night", "holds": True, "seen": "time: 03:10 Asia/Shanghai"},
        {"condition": "condition 1 of night", "holds": False, "seen": 'field tool is missing, wanted tool is "shell"'},
    ]
    assert (case["id"], case["outcome"], case["where"]) == ("night", "near_miss", "a.json:1")
    assert (case["ruleset"], case["rule"]) == ("night", "rule of night")
    assert case["definition"] == {"all": [{"m": {"$and": [{"k0": 1}]}}]}
    assert case["legend"] == [{"test": "k0", "asks": "always", "must": True}]


def test_a_case_that_is_not_active_has_no_rule() -> None:
    [case] = explained([loaded("draft", status="draft")]).to_json()["cases"]
    assert (case["ruleset"], case["rule"], case["definition"], case["legend"]) == (None, None, None, [])


def test_an_empty_casebook_is_said_to_be_empty() -> None:
    assert explained([]).text().endswith("No case is within reach of this task.")


def test_values_are_redacted() -> None:
    case = loaded("case_1", tree.Test(tree.Field(("text",)), "contains", "token"))
    explanation = explained([case], Task(text="token hunter2"), redact=lambda text: text.replace("hunter2", "[secret]"))
    assert "hunter2" not in explanation.text() + json.dumps(explanation.to_json())
    assert "[secret]" in explanation.text()


def test_faults_are_told_under_the_cases() -> None:
    fault = Fault("memory-policy.yaml", "no key is called \x1b[31mmod", 3, suggestion="mode")
    explanation = explained([loaded("case_1")], faults=[fault])
    assert explanation.text().endswith("\n\nmemory-policy.yaml:3: no key is called \\x1b[31mmod (mode)")
    assert explanation.to_json()["faults"] == [{"where": "memory-policy.yaml:3", "message": fault.message}]


def test_hostile_text_takes_no_line_of_its_own() -> None:
    written = "x\n\nother fires (block)\x1b[2J"
    case = loaded("case_1", tree.Test(tree.Field(("text",)), "contains", "a\nb"), written=(written,), path="a\nb.json")
    text = explained([case], Task(text="a\nb")).text()
    assert '  yes  x ⏎ other fires (block)\\u001b[2J  [text: "a ⏎ b"]' in text.split("\n")
    assert "\x1b" not in text


def test_a_control_character_in_a_condition_is_shown_as_its_number() -> None:
    """The `\\b` of a pattern is a backspace where it was written in JSON with one backslash."""
    pattern = tree.Test(tree.Field(("text",)), "matches", tree.Pattern("\bpush\x7f"))
    text = explained([loaded("case_1", pattern, written=("text matches /\bpush\x7f/",))], Task(text="push")).text()
    assert "  no   text matches /\\u0008push\\u007f/  [" in text


def test_what_is_wanted_is_not_said_again_in_the_words_of_the_condition() -> None:
    case = loaded("case_1", SHELL, PUSH, written=('tool is "shell"', "intent is push"))
    lines = explained([case], Task(intent="pull")).text().split("\n")
    assert '  no   tool is "shell"  [field tool is missing]' in lines
    assert '  no   intent is push  [intent: ["pull"], wanted intent is "push"]' in lines


def test_an_explanation_prints_as_its_text_in_english() -> None:
    explanation = explained([loaded("case_1", PUSH)], redact=lambda text: text)
    assert str(explanation) == explanation.text("en")
    assert "redact" not in repr(explanation)


# -- one case ----------------------------------------------------------------------------------------------------------


def test_one_case_is_told_alone_and_in_full() -> None:
    cases = [loaded(f"case_{place}", SHELL) for place in range(100)]
    explanation = explained(cases, case_id="case_42")
    assert outcomes(explanation) == {"case_42": "silent"}
    lines = explanation.text().split("\n")
    assert lines[-2:] == ['    {"all": [{"m": {"$and": [{"k0": 1}]}}]}', "    k0 = always"]


def test_a_case_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotFoundError, match="no case 'gone' is here"):
        explained([loaded("case_1")], case_id="gone")


# -- many cases --------------------------------------------------------------------------------------------------------


def test_up_to_twenty_cases_are_all_told_in_full() -> None:
    cases = [loaded(f"case_{place}", SHELL) for place in range(21)]
    assert len(explained(cases[:20]).cases) == 20
    explanation = explained(cases)
    assert explanation.cases == ()
    assert explanation.text().endswith("does not fire: 21 more")


def test_of_ten_thousand_cases_the_telling_ones_are_told_and_the_rest_is_counted() -> None:
    kinds: list[dict[str, Any]] = [{}, {"status": "draft"}, {}, {}]
    conditions = [(PUSH,), (PUSH,), (PUSH, SHELL), (SHELL,)]
    cases = [loaded(f"case_{place}", *conditions[place % 4], **kinds[place % 4]) for place in range(10_000)]
    explanation = explained(cases, Task(intent="push"))
    assert explanation.counts == {"selected": 5, "omitted": 2495, "held": 2500, "near_miss": 2500, "silent": 2500}
    assert len(explanation.cases) == 5 + 50 + 50 + 50
    assert explanation.text().endswith(
        "fires, left out: 2445 more\nheld back: 2450 more\nnear miss: 2450 more\ndoes not fire: 2500 more"
    )
    assert len(explanation.text()) < 60_000


# -- the engine --------------------------------------------------------------------------------------------------------


class Deaf(PlainMatcher):
    """An engine that finds nothing."""

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        return ()


def test_where_the_engine_and_the_reference_evaluator_differ_the_engines_answer_is_told_and_the_difference_named() -> (
    None
):
    cases = [loaded("night", AT_NIGHT, PUSH), loaded("day", tree.Not(AT_NIGHT))]
    task = Task(intent="push")
    explanation = explained(cases, task, matcher=Deaf(cases, task))
    assert explanation.verdict == "allow"
    assert outcomes(explanation)["night"] == "silent"
    assert explanation.disagreements == ("night",)
    assert "the engine and the reference evaluator disagree on night" in explanation.text()
