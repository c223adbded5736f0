"""Each lint finds what it is for, says where and how to mend it, and is silent about what is well."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from casebook.case import Case, LoadedCase, with_points
from casebook.conditions.json_form import from_json
from casebook.conditions.tree import Field, walk
from casebook.policy import Policy
from casebook.runtime.lint import lint
from casebook.runtime.lint.dead import TOOL_FIELDS
from casebook.stores.protocol import Snapshot

TEXT = Field(("text",))


def case(case_id: str, *conditions: str, created=None, expires=None, zone="Asia/Shanghai", **fields) -> LoadedCase:
    """A case as it serves, its conditions parsed."""
    form = {"id": case_id, "trigger_conditions": conditions, "correction": f"Mind {case_id}.", **fields}
    nodes = tuple(from_json(each) for each in conditions)
    made = Case.from_json(form)
    if "on" not in fields and any(
        getattr(node, "field", TEXT).root in TOOL_FIELDS for each in nodes for node in walk(each)
    ):
        made = with_points(made, ("task", "tool"))
    return LoadedCase(made, nodes, zone, created, expires, "long_term/cases.json", 7, "", "v")


def found(*cases: LoadedCase, **options) -> list[str]:
    """Lint cases and give the warnings as a person reads them, without the file."""
    snapshot = Snapshot(1, {each.id: each for each in cases}, (), Policy())
    faults = lint(snapshot, **options)
    assert all(fault.severity == "warning" for fault in faults)
    return [str(fault).removeprefix("long_term/cases.json:7 ") for fault in faults]


SINGLE = {
    "contradiction": (
        case("a", "tool is shell", "text exists", "tool is edit"),
        (
            "a trigger_conditions[2]: warning: can never hold with trigger_conditions[0]: "
            'tool is "shell" and tool is "edit" cannot both hold: no value of tool fits'
        ),
    ),
    "always": (
        case("a", "tool is shell", "tool is not edit or tool is edit"),
        "a trigger_conditions[1]: warning: always holds, whatever the task (leave it out)",
    ),
    "tool fields at the task point": (
        case("a", "tool is shell", on=["task"]),
        ('a on: warning: hosts tell of no tool call at task, so that it hardly ever fires there ("on": ["tool"])'),
    ),
    "arguments at the task point": (
        case("a", "args.x is 1", on=["task"]),
        ('a on: warning: hosts tell of no tool call at task, so that it hardly ever fires there ("on": ["tool"])'),
    ),
    "answer elsewhere": (
        case("a", "answer contains sorry", on=["task", "tool"]),
        ('a on: warning: hosts tell no answer at tool, task, so that it hardly ever fires there ("on": ["answer"])'),
    ),
    "a tool call and an answer at once": (
        case("a", "answer contains sorry or tool is shell", on=["task"]),
        (
            "a on: warning: hosts tell of no tool call at task and hosts tell no answer at task, so that it hardly ever "
            'fires there ("on": ["tool"])'
        ),
    ),
    "one point of two listed by hand": (
        case("a", "answer contains sorry", on=["task", "answer"]),
        "a on: warning: hosts tell no answer at task, so that it hardly ever fires there (leave task out)",
    ),
    "a point that is not listed": (
        case("a", "point is tool", on=["task"]),
        (
            'a on: warning: can never fire at task: point is "tool" and point is "task" cannot both hold: '
            "no value of point fits"
        ),
    ),
    "against its own scope": (
        case("a", "user is bob", scope={"user": "ann"}),
        (
            'a on: warning: can never fire at task: user is "bob" and user is "ann" cannot both hold: '
            "no value of user fits"
        ),
    ),
    "ends before it begins": (
        case(
            "a",
            "tool is shell",
            created=datetime(2026, 3, 2, tzinfo=UTC),
            expires=datetime(2026, 3, 1, tzinfo=UTC),
            expires_at="2026-03-01",
        ),
        (
            "a expires_at: warning: can never fire: it ends at 2026-03-01 08:00 Asia/Shanghai, "
            "before it begins at 2026-03-02 08:00 Asia/Shanghai"
        ),
    ),
    "its dates lie after its life": (
        case("a", "date > 2026-04-01", expires=datetime(2026, 3, 1, tzinfo=UTC)),
        (
            "a on: warning: can never fire at task: date > 2026-04-01 and date <= 2026-03-01 cannot both hold: "
            "there is no such moment"
        ),
    ),
    "friday night": (
        case("a", "weekday is Fri and time between 22:00 and 06:00"),
        (
            "a trigger_conditions[0]: warning: weekday is Fri and time between 22:00 and 06:00: both are of the same day, so "
            "the hours after midnight are those in which that day begins, not those that follow it "
            "(the nights that begin then: time between 22:00 and 06:00 on Fri)"
        ),
    ),
    "friday night over two conditions": (
        case("a", "时间 在 22:00-06:00", "星期 为 周五"),
        (
            "a trigger_conditions[0]: warning: weekday is Fri and time between 22:00 and 06:00: both are of the same day, so "
            "the hours after midnight are those in which that day begins, not those that follow it "
            "(the nights that begin then: time between 22:00 and 06:00 on Fri)"
        ),
    ),
    "one letter": (
        case("a", "text contains e"),
        (
            'a trigger_conditions[0]: warning: "e" is found in nearly every text '
            "(a longer text, or `matches` with word boundaries)"
        ),
    ),
    "a word of every sentence": (
        case("a", "文本 包含 '的'"),
        (
            'a trigger_conditions[0]: warning: "的" is found in nearly every text '
            "(a longer text, or `matches` with word boundaries)"
        ),
    ),
    "a pattern that matches nothing at all": (
        case("a", "text matches /x*/"),
        "a trigger_conditions[0]: warning: /x*/ is found in every text, since it matches the empty text too (text exists)",
    ),
    "only a star": (
        case("a", "action like '*'"),
        'a trigger_conditions[0]: warning: like "*" holds for every action (action exists)',
    ),
    "white space": (
        case("a", "tool is 'shell '"),
        "a trigger_conditions[0]: warning: 'shell ' has white space at its end, and is compared exactly (\"shell\")",
    ),
    "full width": (
        case("a", "channel is 'ｓｌａｃｋ'"),
        'a trigger_conditions[0]: warning: "ｓｌａｃｋ" is not "slack": values are compared exactly ("slack")',
    ),
    "invisible": (
        case("a", "channel is 'sla\u200bck'"),
        "a trigger_conditions[0]: warning: 'sla\\u200bck' holds an invisible character, U+200B (\"slack\")",
    ),
    "look-alikes": (
        case("a", "channel is 'slаck'"),
        'a trigger_conditions[0]: warning: "slаck" mixes letters of CYRILLIC and LATIN that look alike',
    ),
}


@pytest.mark.parametrize("name", SINGLE)
def test_one_case(name):
    subject, warning = SINGLE[name]
    assert found(subject) == [warning]


WELL = {
    "the seed": case("a", "当前时间在 00:00-06:00", "意图为 '主动推送'"),
    "a scope in another Unicode form": case("a", "user is 'Caf\u00e9'", scope={"user": "Cafe\u0301"}),
    "a case at the answer that also says when there is a tool": case("a", "tool is missing", on=["answer", "task"]),
    "a tool at its default points": case("a", "tool is shell", on=["tool"]),
    "a negated tool at the task point": case("a", "tool is not shell", "text contains deploy", on=["task"]),
    "always": case("a", "always"),
    "nights that begin on friday": case("a", "time between 22:00 and 06:00 on Fri"),
    "a weekday beside a window of that day": case("a", "weekday is Fri", "time between 09:00 and 17:00"),
    "two intents": case("a", "intent is refund", "intent is deploy"),
    "one han character that says something": case("a", "文本 包含 '推'"),
    "not containing a short word": case("a", "text exists", "text not contains 'a'"),
    "no examples": case("a", "tool is shell", on=["tool"], source={"origin": "detector"}),
    "an archived case that contradicts itself": case("a", "tool is a", "tool is b", status="archived"),
}


@pytest.mark.parametrize("name", WELL)
def test_no_warning_about(name):
    assert found(WELL[name]) == []


NIGHT, EARLY = "time between 22:00 and 06:00", "time between 05:00 and 09:00"

PAIRS = {
    "the same twice, in another order": (
        [case("a", "tool is shell", NIGHT, correction="Wait."), case("b", NIGHT, "tool is shell", correction="wait")],
        ["b: warning: says what a says, under the same conditions (archive it or a)"],
    ),
    "the same conditions with another correction": (
        [case("a", "tool is shell"), case("b", "工具 为 shell")],
        [
            (
                "b correction: warning: has the conditions of a, with another correction: both will be shown "
                "(one case, if it is one lesson)"
            )
        ],
    ),
    "the same conditions with another effect": (
        [case("a", "tool is shell"), case("b", "tool is shell", effect="block")],
        [
            (
                "b effect: warning: has the conditions of a, but is to block where that is to advise "
                "(one case, with the effect that is meant)"
            )
        ],
    ),
    "one within the other, saying the same": (
        [
            case("a", "action like 'git *'", "tool is shell", correction="Wait."),
            case("b", "tool is shell", "action like 'git push *'", correction="Wait."),
        ],
        ["b: warning: fires only where a does too, and says the same (archive it, or narrow a)"],
    ),
    "advice that a block hides": (
        [case("a", "tool is shell", "text contains deploy"), case("b", "tool in [shell, edit]", effect="block")],
        [
            (
                "a: warning: fires only where b does too, and that one blocks, so that what this one is to advise never "
                "happens (archive it, or narrow b)"
            )
        ],
    ),
    "different effects at times that overlap": (
        [case("a", "tool is shell", NIGHT), case("b", "tool is shell", EARLY, effect="block")],
        ["b effect: warning: is to block where a is to advise, at times that overlap"],
    ),
    "opposite corrections": (
        [
            case("a", "tool is shell", "text contains a-b", correction="Always run the tests."),
            case("b", "tool is shell", correction="Never run the tests."),
        ],
        [
            (
                "b correction: warning: can fire together with a, whose correction says the opposite: "
                '"Always run the tests."'
            )
        ],
    ),
    "always superseded": (
        [case("a", "tool is shell"), case("b", "tool is edit", supersedes=["a"])],
        ["a: warning: can never fire: b supersedes it wherever it would (archive it)"],
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_two_cases(name):
    cases, warnings = PAIRS[name]
    assert found(*cases) == warnings


APART = {
    "a refinement: advice on the whole, a block within it": [
        case("a", "tool is shell"),
        case("b", "tool is shell", "text contains deploy", effect="block"),
    ],
    "other scopes": [case("a", "tool is shell", scope={"user": "x"}), case("b", "tool is shell", scope={"user": "y"})],
    "times that do not overlap": [
        case("a", "tool is shell", NIGHT),
        case("b", "tool is shell", "time between 10:00 and 12:00", effect="block"),
    ],
    "narrower, with a lesson of its own": [
        case("a", "tool is shell"),
        case("b", "tool is shell", "text contains deploy"),
    ],
    "superseded for one user only": [
        case("a", "tool is shell"),
        case("b", "tool is edit", supersedes=["a"], scope={"user": "x"}),
    ],
    "opposites that exclude each other": [
        case("a", "channel is slack", correction="Always answer."),
        case("b", "channel is email", correction="Never answer."),
    ],
    "the same twice, of which one is off": [
        case("a", "tool is shell", correction="Wait."),
        case("b", "tool is shell", correction="Wait.", mode="off"),
    ],
    "the same twice, one after the other": [
        case("a", "tool is shell", expires=datetime(2026, 4, 1, tzinfo=UTC)),
        case("b", "tool is shell", created=datetime(2026, 4, 1, tzinfo=UTC)),
    ],
    "the same clock within an or, in two zones": [
        case("a", "time between 0 and 6 or text is abc", correction="Wait."),
        case("b", "time between 0 and 6 or text is abc", correction="Wait.", zone="America/New_York"),
    ],
    "a block that only advises": [
        case("a", "tool is shell", effect="block", mode="advise"),
        case("b", "tool is shell", "args.x is 1"),
    ],
    "a block that only advises, beside advice": [
        case("a", "tool is shell", effect="block", mode="advise"),
        case("b", "tool is shell", "args.x is 1", mode="advise"),
    ],
    "an end at the end of the calendar": [
        case("a", "tool is shell", "date >= 2020-01-01", expires=datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
    "the wider one begins later": [
        case("a", "tool is shell", correction="Wait.", created=datetime(2026, 4, 1, tzinfo=UTC)),
        case(
            "b", "tool is shell", "text contains deploy", correction="Wait.", created=datetime(2026, 3, 1, tzinfo=UTC)
        ),
    ],
    "the wider one is said once only": [
        case("a", "tool is shell", correction="Wait.", max_fires=1),
        case("b", "tool is shell", "text contains deploy", correction="Wait."),
    ],
    "the wider one is on trial": [
        case("a", "tool is shell", effect="block", mode="shadow"),
        case("b", "tool is shell", "text contains deploy"),
    ],
    "superseded from later on": [
        case("a", "tool is shell", created=datetime(2026, 3, 1, tzinfo=UTC)),
        case("b", "tool is edit", supersedes=["a"], created=datetime(2026, 4, 1, tzinfo=UTC)),
    ],
    "superseded by one on trial": [
        case("a", "tool is shell"),
        case("b", "tool is edit", supersedes=["a"], mode="shadow"),
    ],
    "opposites of which one supersedes the other": [
        case("a", "tool is shell", "text contains deploy", correction="Always answer.", scope={"user": "x"}),
        case("b", "tool is shell", correction="Never answer.", supersedes=["a"], scope={"user": "x", "agent": "y"}),
    ],
    "opposites one after the other": [
        case(
            "a",
            "tool is shell",
            "text contains b-c",
            correction="Always answer.",
            expires=datetime(2026, 4, 1, tzinfo=UTC),
        ),
        case("b", "tool is shell", correction="Never answer.", created=datetime(2026, 4, 1, tzinfo=UTC)),
    ],
    "the wider one expires": [
        case("a", "tool is shell", correction="Wait.", expires=datetime(2026, 4, 1, tzinfo=UTC)),
        case("b", "tool is shell", "text contains deploy", correction="Wait."),
    ],
}


@pytest.mark.parametrize("name", APART)
def test_no_warning_about_two(name):
    assert found(*APART[name]) == []


def test_a_case_that_another_one_supersedes_by_now_never_fires_again():
    """Before the other one begins it may."""
    old = case("a", "tool is shell", created=datetime(2026, 3, 1, tzinfo=UTC))
    new = case("b", "tool is edit", supersedes=["a"], created=datetime(2026, 4, 1, tzinfo=UTC))
    assert found(old, new, now=datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC)) == []
    (warning,) = found(old, new, now=datetime(2026, 4, 1, tzinfo=UTC))
    assert "b supersedes it" in warning


def test_a_correction_against_many_others_is_told_once():
    """One warning at each case that says not to, however many say the opposite."""
    does = [
        case(f"d{number}", "tool is shell", f"args.x{number} is 1", correction="Always answer.") for number in range(5)
    ]
    does_not = [
        case(f"n{number}", "tool is shell", f"args.y{number} is 1", correction="Never answer.") for number in range(2)
    ]
    warnings = found(*does, *does_not)
    assert [each.split()[0] for each in warnings] == ["n0", "n1"]
    assert all("can fire together with d0" in each for each in warnings)


def test_of_many_warnings_of_a_kind_twenty_are_told_and_how_many_more_there_are():
    """The most severe kind first; one more than twenty is told too."""
    stray = [case(f"s{number}", f"tool is 'x{number} '") for number in range(30)]
    dead = [case(f"d{number}", f"tool is x{number}", "tool is y") for number in range(21)]
    warnings = found(*stray, *dead)
    assert len(warnings) == 21 + 21
    assert all("can never hold" in each and " more warning" not in each for each in warnings[:21])
    assert all("white space" in each and " more warning" not in each for each in warnings[21:41])
    assert (
        "white space at its end, and is compared exactly; and 9 more warnings of this kind, which are not told"
        in warnings[41]
    )
    assert len(found(*stray, *dead, most=100)) == 51


@pytest.mark.parametrize(("second", "told"), [(-1, False), (0, True), (1, True)])
def test_an_expired_case_is_told_where_the_instant_is_known(second, told):
    """From the very second of its expiry on."""
    ends = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
    subject = case("a", "tool is shell", on=["tool"], expires=ends)
    warnings = found(subject, now=datetime.fromtimestamp(ends.timestamp() + second, UTC))
    assert warnings == (
        ["a expires_at: warning: has been silent since 2026-03-01 20:00 Asia/Shanghai, when it expired (archive it)"]
        if told
        else []
    )
    assert found(subject) == []


def test_reaching_the_bound_of_comparisons_is_told():
    wide = case("w", "action like 'git *'", "tool is shell", correction="Wait.")
    narrow = [
        case(f"n{number}", "tool is shell", f"action like 'git push {number}*'", correction="Wait.")
        for number in range(3)
    ]
    warnings = found(wide, *narrow, pairs=1)
    assert warnings[-1] == (
        "warning: so many cases are alike that 2 pairs of them were not compared: "
        "of these, contradictions and repetitions are not told"
    )
    assert len([each for each in warnings if "fires only where w does" in each]) == 1
