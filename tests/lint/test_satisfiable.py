"""What can hold together and what cannot, form by form."""

from __future__ import annotations

import pytest

from casebook.conditions.evaluate import evaluate
from casebook.conditions.parse import parse
from casebook.conditions.satisfiable import Contradiction, Unknown, Witness, implies, satisfiable
from casebook.conditions.solving.globs import FRESH
from casebook.conditions.tree import And, Field, Node, Not, Or, Test

BERLIN = "Europe/Berlin"


def decided(*texts: str, zone: str = BERLIN) -> Witness | Contradiction | Unknown:
    """Decide conditions given as text; a witness is put to the evaluator."""
    nodes = [parse(text) for text in texts]
    outcome = satisfiable(nodes, zone)
    if isinstance(outcome, Witness):
        assert all(evaluate(node, outcome.facts, zone) for node in nodes)
    return outcome


CAN = [
    ("tool is shell", "tool is not edit"),
    ("intent is a", "intent is b"),
    ("intent is a", "intent contains b"),
    ("context.tags is a", "context.tags is 3"),
    ("args.a is 1", "args.b is 2"),
    ("args.a is 1", "args.a is true"),
    ("args.items.0 is a", "args.items.1 is b"),
    ("args.a.b is 1", "args.a exists"),
    ("args.x > 1", "args.x < 2"),
    ("args.x > 0.1", "args.x < 0.10000000000000002"),
    ("args.x between 1 and 1",),
    ("session.errors >= 2", "session.errors < 3"),
    ("session.minutes > 1", "session.minutes < 2"),
    ("tool is missing", "tool is not shell"),
    ("not (args.x > 1)", "not (args.x <= 1)"),
    ("text contains 'rm -rf'", "text starts with 'please'", "text ends with 'now'"),
    ("text contains 'ＲＭ'", "text contains 'rm'"),
    ("text like 'git *'", "text not like 'git push*'"),
    ("text contains aba", "text contains bab", "text like '????'"),
    ("text like 'a'", "text is not 'a'"),
    (r"text matches /drop\s+table/i", "text not contains 'drop table'"),
    (r"text matches /^\d{4}-\d{2}$/", "text is not '0000-00'"),
    ("text is '凌晨推送'", "text contains '推送'"),
    ("时间 在 22:00-06:00", "星期 为 周五"),
    ("time between 22:00 and 06:00 on Fri", "weekday is Sat"),
    ("week between Fri 22:00 and Mon 06:00", "weekday is Mon"),
    ("month is 2", "day is 29", "weekday is Mon"),
    ("date is 2026-03-29 and time between 01:00 and 02:00",),
    ("date is 1950-01-01",),
    ("time between 9:00 and 10:00 in Asia/Shanghai", "time between 20:00 and 22:00 in America/New_York"),
    ("weekday is Mon in Pacific/Kiritimati", "weekday is Sat in Pacific/Pago_Pago"),
    ("time between 06:00 and 06:01 in UTC", "time between 08:00 and 08:01 in Europe/Berlin"),
    ("earlier tool", "no earlier tool within 1h"),
    ("earlier tool where action is pytest", "no earlier tool where action is 'git push'"),
    ("count of error >= 2", "count of error where error.type is T >= 3"),
    ("count of tool where tool is a >= 2", "count of tool where tool is b >= 3", "count of tool <= 5"),
    ("count of tool where intent is a >= 2", "count of tool where intent is b >= 3", "count of tool <= 3"),
    ("count of tool is not 0", "count of tool < 2"),
    ("earlier error where tool is this tool", "tool is shell"),
    ("earlier error where (tool is not this tool and tool is edit)", "tool is shell"),
    ("earlier error where tool is this tool", "tool is missing or tool is edit"),
    ("tool is a or tool is b", "tool is not a"),
    ("not (session.errors >= 0)", "args.x is 1 or session.errors > 1"),
    ("text not like '*'", "tool is a or text contains b"),
    ("text not matches /x*/", "tool is a or text matches /b/"),
    ("always",),
]

CANNOT = [
    (("tool is shell", "tool is edit"), (0, 1)),
    (("tool is shell", "text exists", "tool in [edit, read]"), (0, 2)),
    (("tool is shell", "tool is missing"), (0, 1)),
    (("tool contains x", "tool is missing"), (0, 1)),
    (("intent is a", "intent is not a"), (0, 1)),
    (("intent is a", "intent not in [a, b]"), (0, 1)),
    (("args.a is 1", "args.a.b is 2"), (0, 1)),
    (("args.a is missing", "args.a.b is 2"), (0, 1)),
    (("args.x is 1 and args.x is not 1.0",), (0,)),
    (("session.errors > 1", "session.errors < 2"), (0, 1)),
    (("session.errors < 0",), (0,)),
    (("session.errors is 1.5",), (0,)),
    (("session.errors exists", "not (session.errors >= 0)"), (0, 1)),
    (("text exists", "text not like '*'"), (0, 1)),
    (("text exists", "text not matches /x*/"), (0, 1)),
    (("session.minutes < 0",), (0,)),
    (("session.tasks > 5", "session.tasks not between 3 and 9", "session.tasks < 10"), (0, 1, 2)),
    (("text contains 'rm -rf'", "text not contains 'RM'"), (0, 1)),
    (("text starts with ab", "text starts with ac"), (0, 1)),
    (("text starts with abc", "text like '??'"), (0, 1)),
    (("text is 'git push'", "text not like 'git *'"), (0, 1)),
    (("text like 'git*'", "text ends with push", "text not contains git"), (0, 2)),
    ((r"text matches /drop\s+table/i", "text not matches /drop/i"), (0, 1)),
    ((r"text matches /^\d+$/", "text matches /[a-z]/"), (0, 1)),
    ((r"text matches /^rm -rf/", "text not contains 'rm -r'"), (0, 1)),
    ((r"text matches /^a/i", "text starts with b"), (0, 1)),
    (("text matches /a$/", "text not ends with 'A'"), (0, 1)),
    (("text is 'a1'", r"text not matches /\d/"), (0, 1)),
    (("time between 22:00 and 06:00", "time between 08:00 and 10:00"), (0, 1)),
    (("weekday is Fri", "time between 22:00 and 06:00 on Mon-Wed"), (0, 1)),
    (("weekday is weekend", "weekday in weekdays"), (0, 1)),
    (("week between Sat 00:00 and Sun 00:00", "weekday is Fri"), (0, 1)),
    (("month is 2 and day is 30",), (0,)),
    (("month is 2", "day is 30"), (0, 1)),
    (("date is 2026-03-03", "weekday is Mon"), (0, 1)),
    (("date > 2026-03-03", "date < 2026-03-04"), (0, 1)),
    (("date is 2026-03-29 and time between 02:00 and 03:00",), (0,)),
    (("month is 2", "day is 29", "date between 2025-01-01 and 2027-12-31"), (0, 1, 2)),
    (("time between 9:00 and 10:00 in UTC", "time between 9:00 and 10:00 in Asia/Shanghai"), (0, 1)),
    (("weekday is Mon in UTC", "weekday is Wed in Asia/Tokyo"), (0, 1)),
    (("no earlier tool", "earlier tool within 1h"), (0, 1)),
    (("no earlier tool within 2h", "earlier tool where action is pytest within 1h"), (0, 1)),
    (("no earlier tool where tool is a", "earlier tool where (tool is a and path is b)"), (0, 1)),
    (("count of error >= 3", "count of error < 3"), (0, 1)),
    (("count of error within 1h >= 3", "count of error <= 2"), (0, 1)),
    (("count of error < 0",), (0,)),
    (("count of tool where tool is a >= 2", "count of tool where tool is b >= 3", "count of tool <= 4"), (0, 1, 2)),
    (("earlier error where (tool is this tool and tool is edit)", "tool is shell"), (0, 1)),
    (("tool is a or tool is b", "text exists", "not (tool is a or tool is b)"), (0, 2)),
    (("not always",), (0,)),
]


@pytest.mark.parametrize("texts", CAN, ids=" & ".join)
def test_these_can_hold_together(texts):
    assert isinstance(decided(*texts), Witness)


@pytest.mark.parametrize(("texts", "places"), CANNOT, ids=[" & ".join(each) for each, _ in CANNOT])
def test_these_cannot_and_the_smallest_set_of_them_is_named(texts, places):
    outcome = decided(*texts)
    assert isinstance(outcome, Contradiction)
    assert outcome.conditions == places


REASONS = [
    (("tool is shell", "tool is edit"), 'tool is "shell" and tool is "edit" cannot both hold: no value of tool fits'),
    (
        ("session.errors > 1", "session.errors < 2"),
        "session.errors > 1 and session.errors < 2 cannot both hold: session.errors is a whole number, at least 0",
    ),
    (("month is 2", "day is 30"), "month is 2 and day is 30 cannot both hold: there is no such moment"),
    (
        ("no earlier tool", "earlier tool within 1h"),
        "no earlier tool and earlier tool within 1h cannot both hold: no session has such events",
    ),
]


@pytest.mark.parametrize(("texts", "reason"), REASONS, ids=[" & ".join(each) for each, _ in REASONS])
def test_a_contradiction_says_why(texts, reason):
    outcome = decided(*texts)
    assert isinstance(outcome, Contradiction)
    assert outcome.reason == reason


UNDECIDED = [
    (r"text matches /x/", "text like '?'", "text not like 'x'"),
    (r"text matches /\bx\b/", "text not contains x"),
]


@pytest.mark.parametrize("texts", UNDECIDED, ids=" & ".join)
def test_what_is_not_decided_is_never_called_a_contradiction(texts):
    """These cannot hold, but patterns and folded tests are told apart only roughly."""
    assert not isinstance(decided(*texts), Witness)


IMPLICATIONS = [
    ("tool is shell", "tool in [shell, edit]", True),
    ("tool in [shell, edit]", "tool is shell", False),
    ("text contains 'rm -rf /'", "text contains 'rm'", True),
    ("action like 'git push *'", "action like 'git *'", True),
    ("time between 22:00 and 02:00", "time between 20:00 and 06:00", True),
    ("earlier error within 10m", "earlier error within 1h", True),
    ("count of error >= 3", "earlier error", True),
    ("args.x > 3", "args.x > 2", True),
    ("args.x > 2", "args.x > 3", False),
    ("weekday is Sat", "weekday is weekend", True),
]


@pytest.mark.parametrize(("a", "b", "said"), IMPLICATIONS, ids=[f"{a} => {b}" for a, b, _ in IMPLICATIONS])
def test_implication(a, b, said):
    assert implies([parse(a)], parse(b), BERLIN) is said


def test_booleans_and_numbers_are_kept_apart_though_python_takes_true_for_one():
    one, true = Test(Field(("args", "x")), "is", 1), Test(Field(("args", "x")), "is", True)
    assert isinstance(satisfiable([one, Not(true)], BERLIN), Witness)
    assert isinstance(satisfiable([Or((one, true)), Not(one)], BERLIN), Witness)


@pytest.mark.parametrize("op", ["ends_with", "starts_with", "contains"])
@pytest.mark.parametrize("needle", ["\0*", "\0?", "\0", "a\0*b"])
def test_a_needle_with_the_mark_of_a_wildcard_in_it_is_a_needle(op, needle):
    """A needle is what it is: no text but one that has it fulfils the test, and one without it misses it."""
    other = parse(r"text matches /^xx$/")
    test = Test(Field(("text",)), op, needle)
    assert isinstance(satisfiable([Not(test), other], BERLIN), Witness)
    assert isinstance(satisfiable([test], BERLIN), Witness)
    assert isinstance(satisfiable([test, other], BERLIN), Contradiction)


def test_a_test_that_names_every_character_that_stands_for_others_leaves_others():
    """The automata's "any other character" is none of those that are named, however many are."""
    names = "".join(FRESH) + "\ue000\ue001"
    outcome = satisfiable(
        [parse("text matches /^.$/"), *(parse(f"text not contains '{each}'") for each in names)], BERLIN
    )
    assert not isinstance(outcome, Contradiction)


def test_a_declared_field_holds_what_it_is_declared_to_hold():
    both = [parse("shelf is a", declared={"shelf": "text"}), parse("shelf is b", declared={"shelf": "text"})]
    assert isinstance(satisfiable(both, BERLIN, declared={"shelf": "text"}), Contradiction)
    assert isinstance(satisfiable(both, BERLIN, declared={"shelf": "texts"}), Witness)


def _tests(name: str, count: int) -> tuple[Node, ...]:
    return tuple(Test(Field(("args", f"{name}{number}")), "is", "v") for number in range(count))


MAGNITUDES: dict[str, Node] = {
    "a conjunction of wide disjunctions": And(
        tuple(Or(tuple(Not(each) if at % 2 else each for each in _tests("f", 30))) for at in range(30))
    ),
    "300 values and 300 that are not": And(
        (
            Test(Field(("tool",)), "in", tuple(f"t{number}" for number in range(301))),
            *(Test(Field(("tool",)), "is_not", f"t{number}") for number in range(300)),
        )
    ),
    "a thousand tests": Or(_tests("f", 999)),
}


@pytest.mark.parametrize("name", MAGNITUDES)
def test_large_conditions_are_decided(name):
    assert isinstance(satisfiable([MAGNITUDES[name]], BERLIN), Witness)


def test_deep_negation_is_no_recursion():
    node: Node = Test(Field(("tool",)), "is", "a")
    for _ in range(999):
        node = Not(node)
    assert isinstance(satisfiable([node], BERLIN), Witness)
    assert isinstance(satisfiable([node, Test(Field(("tool",)), "is", "a")], BERLIN), Contradiction)
