"""What a session is told as it starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.policy import Policy
from casebook.runtime.answer.texts import Language
from casebook.runtime.memory.opening_text import OPENING_KINDS, opening_section
from casebook.runtime.memory.told_texts import TOLD_TEXTS
from casebook.runtime.memory.view import Hit
from tests.answer.test_hostile_text import ATTACKS
from tests.memory.test_related_text import GOLDEN, LANGUAGES, hit, said

PERSON = said("user", "person")
SCENE = [
    hit("m-01", "Backend engineer, Java; 最近在学 RAG", kind="identity", tier="L3", source=PERSON),
    hit("m-02", "Order centre: phase two, payments not migrated", kind="project_state", tier="L2", source=PERSON),
    hit(
        "m-03",
        "Search: evaluation set is done",
        kind="project_state",
        tier="L2",
        source=said("agent", "agent"),
        created_at="2026-03-05",
    ),
    hit(
        "m-04",
        "We chose Kafka over RabbitMQ",
        kind="decision",
        tier="L3",
        source=PERSON,
        reason="we need replay of events",
    ),
    hit(
        "m-05",
        "GraphQL was rejected",
        kind="decision",
        tier="L2",
        source=said("agent", "agent"),
        reason="partners asked for REST",
    ),
    hit(
        "m-06",
        "禁止在凌晨时段执行任何主动推送",
        kind="rule",
        tier="L3",
        source=PERSON,
        pinned=True,
        created_at="2025-01-01",
    ),
    hit("m-07", "Prefer boring technology", kind="principle", tier="L3", source=PERSON),
    hit("m-08", "以后报告都用简体中文", kind="preference", tier="L3", source=PERSON),
    hit("m-09", "A lesson is not told here", kind="lesson", tier="L3", source=PERSON),
    hit("m-10", "Of this session alone", kind="preference", tier="L1", source=PERSON),
]
MANY = [
    hit(f"m-{kind}-{n:02}", f"{kind} number {n} says what it says", kind=kind, tier="L3")
    for kind in OPENING_KINDS
    for n in range(30)
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_the_golden_one(language: Language) -> None:
    text, told = opening_section(SCENE, Policy(language=language), 2_000, waits=3)
    assert text == (GOLDEN / f"opening_{language}.md").read_text(encoding="utf-8").removesuffix("\n")
    assert [each.memory.id for each in told] == ["m-01", "m-03", "m-02", "m-04", "m-05", "m-06", "m-07", "m-08"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_part_gets_its_share_and_the_rest_is_counted(language: Language) -> None:
    text, told = opening_section(MANY, Policy(language=language), 2_000)
    texts = TOLD_TEXTS[language]
    assert 1_850 < len(text) <= 2_000
    counts = [sum(OPENING_KINDS[each.memory.kind] == section for each in told) for section in texts.sections]
    assert max(counts) - min(counts) <= 2
    assert text.split("\n")[-1] == texts.more.format(len(MANY) - len(told))


def test_what_one_part_leaves_goes_to_the_others() -> None:
    text, told = opening_section([*MANY[:30], *SCENE], Policy(), 2_000)
    assert 1_850 < len(text) <= 2_000
    assert {each.memory.id for each in SCENE if each.memory.kind in OPENING_KINDS and each.memory.tier != "L1"} - {
        "m-01"
    } <= {each.memory.id for each in told}


def test_the_lasting_comes_before_the_medium_the_pinned_before_the_newer() -> None:
    given = [
        hit("old", "a", kind="rule", tier="L3", created_at="2025-01-01"),
        hit("new", "b", kind="rule", tier="L3", created_at="2026-01-01"),
        hit("pinned", "c", kind="principle", tier="L3", created_at="2020-01-01", pinned=True),
        hit("undated", "d", kind="rule", tier="L3", created_at=None),
        hit("medium", "e", kind="rule", tier="L2", created_at="2026-03-01", pinned=True),
    ]
    _, told = opening_section(given, Policy(), 2_000)
    assert [each.memory.id for each in told] == ["pinned", "new", "old", "undated", "medium"]
    assert opening_section(reversed(given), Policy(), 2_000) == opening_section(given, Policy(), 2_000)


@pytest.mark.parametrize("language, one", [("en", "One move"), ("zh", "有 1 条")])
def test_what_waits_to_be_confirmed_is_told_even_alone(language: Language, one: str) -> None:
    assert opening_section([], Policy(language=language), 2_000) == ("", ())
    text, told = opening_section([], Policy(language=language), 2_000, waits=1)
    assert text.split("\n")[-1].startswith(one)
    assert told == ()
    assert "casebook reconcile" in opening_section(MANY, Policy(language=language), 2_000, waits=2)[0].split("\n")[-1]


def test_a_reason_by_an_agent_is_quoted_too_and_secrets_are_taken_out() -> None:
    text, _ = opening_section(SCENE[4:5], Policy(), 2_000, redact=lambda text: text.replace("REST", "***"))
    assert "“GraphQL was rejected” (because: “partners asked for ***”)" in text


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from([*SCENE, *MANY]), max_size=60, unique_by=lambda each: each.memory.id),
    st.integers(0, 2_500), st.integers(0, 3), st.sampled_from(LANGUAGES),
)  # fmt: skip
def test_it_never_takes_more_room_than_there_is(given: list[Hit], room: int, waits: int, language: Language) -> None:
    text, told = opening_section(given, Policy(language=language), room, waits=waits)
    assert len(text) <= room
    assert text.count("\n- [") == len(told)
    eligible = [each for each in given if each.memory.kind in OPENING_KINDS and each.memory.tier != "L1"]
    assert len(told) <= len(eligible)
    if text and told and len(told) < len(eligible):
        assert TOLD_TEXTS[language].more.format(len(eligible) - len(told)) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_attack_leaves_its_line(language: Language) -> None:
    texts = TOLD_TEXTS[language]
    ours = {texts.opening, texts.opening_intro, "", *texts.sections.values()}
    for attack in filter(str.strip, ATTACKS):
        given = [hit("m", f"x{attack}", kind="decision", tier="L3", reason=f"y{attack}", source=said("tool"))]
        text, _ = opening_section(given, Policy(language=language), 2_000)
        (line,) = [line for line in text.split("\n") if line not in ours]
        assert line.startswith("- [m")
        assert line.count("“") == line.count("”") == 2, attack


def test_the_goldens_are_all_asked_for() -> None:
    assert sorted(path.name for path in Path(GOLDEN).iterdir()) == [
        "opening_en.md", "opening_zh.md", "related_en.md", "related_zh.md",
    ]  # fmt: skip
