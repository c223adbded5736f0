"""The injected text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from casebook.case import CorrectionBy, LoadedCase
from casebook.conditions import tree
from casebook.policy import Policy
from casebook.runtime.answer import entry, selection
from casebook.runtime.answer.because import Line, cut
from casebook.runtime.answer.per_case import PerCase
from casebook.runtime.answer.texts import EN, ZH, Language, Texts, Weight
from casebook.task import Task
from tests.answer.made import AT_NIGHT, PUSH, contains, loaded, policy_of, text_of

GOLDEN = Path(__file__).parent / "golden"


def test_where_no_case_applies_there_is_no_text() -> None:
    assert text_of([loaded("push", PUSH)]) == ""
    assert text_of([loaded("draft", status="draft")]) == ""
    assert text_of([loaded("shadow", mode="shadow")]) == ""


# -- golden ------------------------------------------------------------------------------------------------------------


SEED: dict[str, Any] = {
    "type": "rule",
    "judgment": "凌晨推送会打扰用户",
    "consequence": "用户反馈不适，要求停止",
    "correction": "禁止在凌晨时段（00:00-06:00）执行任何主动推送操作",
    "priority": 9,
}
SCENE = [
    loaded("case_001", AT_NIGHT, PUSH, effect="block", **SEED),
    loaded("ask_first", contains("prod"), effect="confirm", judgment="A deploy on a Friday took the shop down"),
    loaded("noted", correction='Use "pnpm", not npm', correction_by="agent", consequence="npm ignored the lock file"),
    loaded(
        "mined", tree.Count("error", None, 3600, "gte", 0), correction="`timeout` was raised", correction_by="mined"
    ),
    loaded("agreed", correction="Never push on a Friday", effect="block", priority=0),
    loaded("left_out", priority=0),
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_text_is_the_golden_one(language: Language) -> None:
    task = Task(intent="push", text="deploy to prod\n# now", confirmed=["agreed"])
    text = text_of(SCENE, task, policy=policy_of(language=language, max_chars=3000))
    assert text == (GOLDEN / f"{language}.md").read_text(encoding="utf-8").removesuffix("\n")


def test_the_same_answer_gives_the_same_text_whatever_the_order_of_the_matcher() -> None:
    assert len({text_of(cases, Task(intent="push")) for cases in (SCENE, SCENE[::-1], SCENE[3:] + SCENE[:3])}) == 1


# -- what it says ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])
def test_advice_says_the_correction_why_what_made_it_fire_the_id_and_how_the_user_can_silence_it(texts: Texts) -> None:
    language = "en" if texts is EN else "zh"
    text = text_of([loaded("case_001", AT_NIGHT, **SEED)], policy=policy_of(language=language))
    assert text.startswith(f"{texts.heading}\n\n{texts.intro}\n\n")
    assert f"- {texts.labels['advise']}{SEED['correction']}\n" in text
    assert SEED["judgment"] in text
    assert SEED["consequence"] in text
    assert "03:10 Asia/Shanghai" in text
    assert text.endswith(texts.advice.format("case_001", "case_001"))
    assert "`casebook mute case_001`" in text


@pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])
@pytest.mark.parametrize("effect", ["confirm", "block"])
@pytest.mark.parametrize("given", [{}, {"confirmed": ["case_001"]}, {"mode": "advise"}], ids=str)
def test_what_asks_or_blocks_gives_its_id_and_never_says_how_to_switch_it_off(
    texts: Texts, effect: str, given: dict[str, Any]
) -> None:
    policy = policy_of(language="en" if texts is EN else "zh", mode=given.get("mode", "enforce"))
    task = Task(confirmed=given.get("confirmed", []))
    text = text_of([loaded("case_001", effect=effect)], task, policy=policy)
    assert text.endswith(f"\n{texts.case.format('case_001')}")
    assert "casebook edit" not in text


def test_an_id_that_looks_like_an_option_is_given_as_an_argument() -> None:
    assert "`casebook mute -- -rf`" in text_of([loaded("-rf")])


@pytest.mark.parametrize(
    ("fields", "task", "policy", "label"),
    [
        ({}, {}, {}, "advise"),
        ({"effect": "confirm"}, {}, {}, "confirm"),
        ({"effect": "block"}, {}, {}, "block"),
        ({"effect": "block"}, {}, {"mode": "advise"}, "advise"),
        ({"effect": "block", "mode": "advise"}, {}, {}, "advise"),
        ({"effect": "block"}, {"confirmed": ["case_1"]}, {}, "agreed"),
        ({"effect": "confirm"}, {"confirmed": ["case_1"]}, {}, "agreed"),
        ({"effect": "advise"}, {"confirmed": ["case_1"]}, {}, "advise"),
    ],
)
def test_a_case_is_labelled_by_how_it_weighs(
    fields: dict[str, Any], task: dict[str, Any], policy: dict[str, Any], label: Weight
) -> None:
    text = text_of([loaded("case_1", **fields)], Task(**task), policy=policy_of(**policy))
    assert f"- {EN.labels[label]}correction of case_1" in text


@pytest.mark.parametrize("texts", [EN, ZH], ids=["en", "zh"])
@pytest.mark.parametrize("weight", ["block", "confirm", "advise", "agreed"])
def test_a_label_is_whole_in_itself_and_never_governs_the_correction_which_may_be_the_cure(
    texts: Texts, weight: Weight
) -> None:
    label = texts.labels[weight]
    said, bold, rest = label.removeprefix("**").partition("**")
    assert bold
    if weight != "advise":  # a sentence of its own about what was asked, then the word that the correction follows
        assert said.endswith((".", "。"))
        assert rest.strip().startswith("Correction") if texts is EN else rest.endswith("纠正：")


@pytest.mark.parametrize("voice", ["agent", "mined", "caution"])
def test_only_a_persons_correction_is_put_as_an_instruction(voice: CorrectionBy) -> None:
    case = loaded("case_1", correction_by=voice, correction='do “it” and "it"', judgment="since", consequence="then")
    text = text_of([case])
    put = EN.voices[voice].format("do ‘it’ and 'it'")
    assert f"- {EN.labels['advise']}{put}\n" in text
    assert "not a person" in text
    assert "“since”" in text
    assert "“then”" in text


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (PUSH, None),
        (tree.Test(tree.Field(("user",)), "missing"), None),
        (tree.Test(tree.Field(("args", "n")), "gt", 1), "7"),
        (tree.Test(tree.Field(("args", "dry")), "is_not", "x"), "true"),
        (tree.Test(tree.Field(("args", "list")), "exists"), "[1, 2, 3, 4, …]"),
        (tree.Test(tree.Field(("args", "map")), "exists"), '{"one", "two"}'),
        (tree.Test(tree.Field(("args", "gone")), "is_not", 1), None),
        (contains("ship"), '"please ship ⏎ # it"'),
        (tree.Earlier("tool"), None),
        (tree.Not(tree.Earlier("tool")), "0"),
        (tree.Count("error", None, None, "lt", 2), "0"),
        (tree.Time(0, 21_600, ((4, 4),)), "Fri 03:10 Asia/Shanghai"),
        (tree.Time(0, 86_400, None, "UTC"), "19:10 UTC"),
        (tree.Week((0, 0), (5, 0)), "Fri 03:10 Asia/Shanghai"),
        (tree.Weekday("is", ((4, 4),)), "Fri 2026-03-20 Asia/Shanghai"),
        (tree.Month("is", (3,)), "2026-03-20 Asia/Shanghai"),
        (tree.And((AT_NIGHT, tree.Test(tree.Field(("args", "n")), "gt", 1))), "03:10 Asia/Shanghai, args.n 7"),
        (tree.Or((tree.Test(tree.Field(("tool",)), "exists"), contains("ship"))), 'text "please ship ⏎ # it"'),
        (tree.Always(), None),
    ],
    ids=repr,
)
def test_a_condition_is_told_with_the_value_that_it_saw_where_that_says_more(
    condition: tree.Node, found: str | None
) -> None:
    args = {"n": 7, "dry": True, "list": [1, 2, 3, 4, 5], "map": {"one": 1, "two": 2}}
    task = Task(intent="push", text="please ship\n# it", args=args, point="task")
    text = text_of([loaded("case_1", condition)], task)
    if found is not None:
        assert f" (found {found})" in text
    else:
        assert "(found" not in text


def test_a_field_that_is_missing_is_said_to_be_and_a_long_pattern_is_told_by_what_it_found() -> None:
    absent = tree.Not(contains("secret"))
    long = tree.Test(tree.Field(("tool",)), "matches", tree.Pattern("shell|" + "x" * 35))
    short = tree.Test(tree.Field(("tool",)), "matches", tree.Pattern("shell|" + "x" * 34))
    task = Task(tool="shell", point="task")
    assert '"secret" (text is missing)\n' in text_of([loaded("case_1", absent)], task)
    assert 'tool matches a pattern (found "shell")\n' in text_of([loaded("case_1", long)], task)
    nested = text_of([loaded("case_1", tree.Or((absent, long)))], task)
    assert ' or tool matches a pattern (found text is missing, tool "shell")\n' in nested
    assert f'/shell|{"x" * 34}/ (found "shell")\n' in text_of([loaded("case_1", short)], task)


def test_values_seen_are_redacted_and_shortened() -> None:
    task = Task(text="the token is hunter2 " + "x" * 5000)
    text = text_of([loaded("case_1", contains("token"))], task, redact=lambda text: text.replace("hunter2", "[secret]"))
    assert '"the token is [secret] xxxxxxxxxxxxxxxxxxxxxxxxx…"' in text
    assert "hunter2" not in text


def test_a_number_of_any_size_is_told() -> None:
    task = Task(args={"n": 10**5000}, point="task")
    assert "2^16609…" in text_of([loaded("case_1", tree.Test(tree.Field(("args", "n")), "exists"))], task)


# -- how long it is ----------------------------------------------------------------------------------------------------


def body_of(text: str) -> str:
    """The cases' own lines: from the first list item to the last line of an id."""
    lines = text.split("\n")
    own = [place for place, line in enumerate(lines) if line.startswith("  - Case ")]
    return "\n".join(lines[4 : own[-1] + 1]) if own else ""


@pytest.mark.parametrize("most", [0, 60, 200, 500, 1500, 4000, 100_000])
@pytest.mark.parametrize("length", [1, 90, 1000])
def test_the_cases_take_no_more_than_max_chars_and_the_whole_is_under_9500(most: int, length: int) -> None:
    cases = [
        loaded(f"case_{place}", AT_NIGHT, correction="c" * length, judgment="j" * 500, consequence="k" * 500)
        for place in range(30)
    ]
    text = text_of(cases, policy=policy_of(max_chars=most, max_cases=30))
    assert len(body_of(text)) <= most
    assert 0 < len(text) < 9500


@pytest.mark.parametrize("most", [0, 100, 300, 700, 1000, 2000, 9500])
def test_the_whole_is_no_longer_than_max_text(most: int) -> None:
    cases = [loaded(f"case_{place}", AT_NIGHT, correction="c" * 90, effect="block") for place in range(30)]
    text = text_of(cases, policy=policy_of(max_chars=9000, max_cases=30, max_text=most))
    assert len(text) <= most
    assert ("  - Case case_0\n" in text) is (most >= 700)


def test_corrections_come_before_reasons_when_room_is_short() -> None:
    cases = [
        loaded(f"case_{place}", AT_NIGHT, correction="c" * 180, judgment="j" * 100, priority=9 - place)
        for place in range(5)
    ]
    text = text_of(cases)
    assert text.count("c" * 180) == 5
    assert text.count("  - Why: ") == 1


def test_a_correction_is_never_cut() -> None:
    cases = [loaded("long", correction="c" * 1000), loaded("longer", correction="d" * 1000)]
    text = text_of(cases)
    assert "c" * 1000 in text
    assert "dd" not in text
    assert text.endswith("One more case applies and was left out to be short: longer")


def test_blocks_beyond_the_cap_become_id_lines_and_the_rest_is_counted_and_named() -> None:
    cases = [loaded(f"b{place}", effect="block") for place in range(3)] + [loaded("a1"), loaded("a2")]
    assert text_of(cases, policy=policy_of(max_cases=1)).split("\n")[-4:] == [
        "- **Blocked too, shown by id only:** b1; to read it: `casebook show b1`",
        "- **Blocked too, shown by id only:** b2; to read it: `casebook show b2`",
        "",
        "2 more cases apply and were left out to be short: a1, a2",
    ]


def test_ten_thousand_cases_are_counted_in_few_words() -> None:
    long = "x" * 120
    cases = [loaded(f"{long}{place}", effect="block" if place % 2 else "advise") for place in range(10_000)]
    text = text_of(cases)
    assert len(text) < 3100
    blocks = re.search(r"\*\*Blocked too:\*\* (\d+) more", text)
    rest = re.search(r"(\d+) more cases apply and were left out to be short: .* and (\d+) more$", text)
    assert blocks
    assert rest
    told = text.count("  - Case ") + text.count("shown by id only")
    assert told + int(blocks[1]) + int(rest[1]) == 10_000
    assert int(rest[2]) == int(rest[1]) - 1


def test_a_case_is_rendered_once_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(case: LoadedCase, _: Language) -> entry.Entry:
        made.append(case.id)
        return entry.Entry("c", "w", Line((), "", 0), "i", 4, "c\nw")

    monkeypatch.setattr(entry.ENTRIES["advise"], "_make", make)
    first = loaded("rendered_once")
    for case in (first, first, loaded("rendered_once"), first):
        entry.ENTRIES["advise"](case, "en")
    assert len(made) == 2


@pytest.mark.parametrize("room", range(120, 420))
def test_what_made_a_case_fire_is_left_out_unasked_only_where_it_finds_no_room(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [
        loaded("case_1", contains("p"), judgment="It was night.", priority=9),
        loaded("case_2", contains("p"), PUSH),
        loaded("case_3", tree.Not(tree.Test(tree.Field(("tool",)), "is", "shell")), contains("p")),
        loaded("case_4", judgment="Nothing made it fire."),
    ]
    task, policy = Task(text="p", intent="push"), policy_of(max_chars=room)
    quick = text_of(cases, task, policy=policy)
    always = PerCase(lambda case, language: _asked(entry.ENTRIES["advise"](case, language)))
    monkeypatch.setattr(selection, "ENTRIES", {"advise": always})
    assert quick == text_of(cases, task, policy=policy)


def _asked(known: entry.Entry) -> entry.Entry:
    """The lines of a case as if nothing were known of their length beforehand."""
    return replace(known, line=replace(known.line, least=0))


def test_a_correction_of_nothing_visible_is_told_as_nothing() -> None:
    assert f"- {EN.labels['advise']}nothing\n" in text_of([loaded("case_1", correction="\u200b\u200b")])


def test_a_harmless_correction_stands_as_it_was_written() -> None:
    correction = 'Use `pnpm install --frozen-lockfile` (a < b, "x" & 100%), never npm; 用 pnpm。'
    assert f"- {EN.labels['advise']}{correction}\n" in text_of([loaded("case_1", correction=correction)])


def test_the_policys_language_is_that_of_the_words() -> None:
    assert text_of([loaded("case_1")], policy=Policy(language="zh")).startswith(ZH.heading)


@pytest.mark.parametrize("limit", range(3, 40))
def test_a_line_that_is_cut_within_a_quotation_closes_it(limit: int) -> None:
    line = 'text contains "a b" (found "c")'
    made = cut(line, limit)
    assert len(made) <= limit
    assert made.count('"') % 2 == 0
    assert made == line or made.rstrip('"').endswith("…")
