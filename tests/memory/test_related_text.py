"""Related memories as text: notes, each with whose it is and when, no line of which is anything else."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from casebook.kinds import KINDS
from casebook.policy import Policy
from casebook.runtime.answer.texts import Language
from casebook.runtime.memory.related_text import ITEM_CHARS, related_section
from casebook.runtime.memory.told_texts import TOLD_TEXTS
from casebook.runtime.memory.view import Hit
from tests.answer.test_hostile_text import ATTACKS, HIDDEN
from tests.memory.stores import memory

GOLDEN = Path(__file__).parent / "golden"
LANGUAGES: list[Language] = ["en", "zh"]


def hit(memory_id: str, text: str, **fields: Any) -> Hit:
    return Hit(memory(memory_id, text, **fields), "medium_term/recent_learnings.json", "", 1.0, 1.0)


def said(origin: str, by: str | None = None) -> dict[str, str]:
    return {"origin": origin} if by is None else {"origin": origin, "by": by}


SCENE = [
    hit("m-1", "以后报告都用简体中文", kind="preference", source=said("user", "person"), scope={"user": "ann"}),
    hit(
        "m-2",
        "The staging database listens on port 5433",
        source=said("tool", "tool"),
        created_at="2026-03-01T23:30:00+00:00",
    ),
    hit("m-3", 'Retries need "jitter"\n# Heading', kind="lesson", source=said("agent", "agent")),
    hit("m-4", "Deploys are frozen until the 12th", kind="project_state", created_at=None),
    hit("m-6", "Two reviewers look at payments", kind="rule", source=said("user", "person")),
    hit("m-5", "Kafka was chosen for replay", kind="decision", source=said("import", "chat export")),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_the_golden_one(language: Language) -> None:
    text, told = related_section(SCENE, Policy(language=language, timezone="Asia/Shanghai"), 2_000)
    assert text == (GOLDEN / f"related_{language}.md").read_text(encoding="utf-8").removesuffix("\n")
    assert told == tuple(SCENE)


def test_where_nothing_was_found_there_is_no_text() -> None:
    assert related_section([], Policy(), 2_000) == ("", ())


@pytest.mark.parametrize(
    "source, is_quoted",
    [
        (None, False), (said("user", "person"), False), (said("user"), False), (said("outcome", "person"), False),
        (said("agent", "agent"), True), (said("user", "agent"), True), (said("agent"), True), (said("tool", "tool"), True),
        (said("tool"), True), (said("outcome", "tool"), True), (said("outcome"), True), (said("import"), True),
        (said("upkeep"), True), (said("import", "person"), False), (said("tool", "some name"), True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_only_what_a_person_said_stands_without_quotation_marks(
    source: dict[str, str] | None, is_quoted: bool, language: Language
) -> None:
    text, _ = related_section([hit("m", "Kafka", source=source)], Policy(language=language), 2_000)
    assert text.endswith("“Kafka”") is is_quoted


def test_secrets_are_taken_out_and_a_long_memory_is_shortened() -> None:
    text, _ = related_section(
        [hit("m", "token hunter2 " + "x" * 900)], Policy(), 2_000, redact=lambda text: text.replace("hunter2", "***")
    )
    assert "token *** x" in text
    line = text.splitlines()[-1]
    assert line.endswith("x…")
    assert len(line) <= ITEM_CHARS + 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_takes_no_more_room_than_there_is(language: Language) -> None:
    policy = Policy(language=language)
    whole, _ = related_section(SCENE, policy, 5_000)
    for room in range(-5, len(whole) + 5, 7):
        text, told = related_section(SCENE, policy, room)
        assert len(text) <= max(room, 0)
        assert bool(text) is bool(told)
        assert text.count("\n- ") == len(told)
        assert [each for each in SCENE if each in told] == list(told)
    assert related_section(SCENE, policy, len(whole)) == (whole, tuple(SCENE))


def lines_that_are_not_ours(text: str, language: Language) -> list[str]:
    texts = TOLD_TEXTS[language]
    ours = {texts.related, texts.related_intro, ""}
    item = re.compile(r"- \[[A-Za-z0-9_.\-]+\] \S")
    return [line for line in text.split("\n") if line not in ours and not item.match(line)]


def problems(text: str, language: Language, count: int) -> list[str]:
    found = lines_that_are_not_ours(text, language)
    found += [repr(char) for char in text if char != "\n" and unicodedata.category(char) in HIDDEN]
    found += [each for each in ("```", "~~~", "<!--", "-->", "</", "<|", "＜") if each in text]
    return found if text.count("\n- ") == count else [*found, f"{text.count(chr(10) + '- ')} items, expected {count}"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by", ["person", "agent", "tool"])
def test_no_attack_leaves_its_line(language: Language, by: str) -> None:
    for attack in ATTACKS:
        if not attack.strip():
            continue
        text, told = related_section(
            [hit("m", f"x{attack}", source=said("user", by)), hit("n", "after")], Policy(language=language), 5_000
        )
        assert problems(text, language, 2) == [], attack
        assert len(told) == 2
        if by != "person":
            assert text.count("”") == text.count("“") == 1, attack


@pytest.mark.parametrize("by", ["person", "tool"])
def test_a_text_of_which_nothing_can_be_shown_is_not_told(by: str) -> None:
    assert related_section([hit("m", "\u200b\u3164", source=said("user", by))], Policy(), 2_000) == ("", ())


@settings(max_examples=100, deadline=None)
@example("0", "identity", "zh", 83)
@given(
    st.text(min_size=1).filter(lambda text: text.strip()),
    st.sampled_from(KINDS),
    st.sampled_from(LANGUAGES),
    st.integers(0, 600),
)
def test_no_text_at_all_leaves_its_line(text: str, kind: str, language: Language, room: int) -> None:
    told_text, told = related_section([hit("m", text, kind=kind, source=said("tool"))], Policy(language=language), room)
    assert problems(told_text, language, len(told)) == []
    assert len(told_text) <= room


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_and_voice_has_its_words(language: Language) -> None:
    texts, other = TOLD_TEXTS[language], TOLD_TEXTS["en"]
    assert set(texts.kinds) == set(KINDS)
    assert set(texts.voices) == set(other.voices)
    assert len(set(texts.kinds.values())) == len(KINDS)
