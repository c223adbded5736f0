"""The words that must stand in a text before a pattern is asked: none is ever missed for them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.policy import Intent, Policy
from casebook.runtime.facts.anchors import anchors
from casebook.runtime.facts.intent_table import shipped_entries
from casebook.runtime.facts.intents import intents_of, make_table, table_of

HERE = Path(__file__).parent
ANCHORED = table_of(Policy())
ASKED_ALWAYS = make_table(tuple(replace(entry, anchors={}) for entry in shipped_entries().values()))
PIECES = sorted(
    {anchor.text.decode() for entry in shipped_entries().values() for known in entry.anchors.values() for anchor in known}
    | {word.decode() for entry in shipped_entries().values() for word in entry.words}
    | {"please ", " ", ", ", "the ", "to ", "code", "email", "re", "s", "一下", "代码", "用户", "消息", "不", "。", "-", "."}
)  # fmt: skip


@pytest.mark.parametrize(
    "source,expected",
    [
        (r"{do}(?P<v>push|send)\b", ["push", "send"]),
        (r"(?P<v>(?:re-?)?deploy)\b", ["deploy"]),
        (r"(?P<v>summari[sz]e|tl;?dr)", ["summari", "tl"]),
        (r"(?P<v>roll(?:\s+it)?\s*back)", ["roll"]),
        (r"(?:把|将){段}(?P<v>推(?:送)?(?:到|至))", ["推"]),
        (r"(?P<v>a\.b\(c|d[\])]efg)", ["a.b(c", "efg"]),
        (r"(?P<v>abc?|de*)", None),
        (r"(?P<v>写|做){段}(?:摘要)", ["写", "做"]),
        (r"(?P<v>写{2}xy)", ["xy"]),
        (r"(?P<v>abc)?", None),
        (r"(?P<v>abc){0}", None),
        (r"(?P<v>abc)|def", None),
        (r"(?:(?P<v>abc)|def)", None),
        (r"\bpush\b", None),
        (r"(?P<v>\w+|abc)", None),
    ],
)
def test_the_anchors_of_a_pattern_are_the_longest_plain_texts_of_its_word(source, expected):
    assert [anchor.text.decode() for anchor in anchors(source)] == (expected or [])


def test_every_shipped_pattern_has_anchors():
    assert [
        source for entry in shipped_entries().values() for source in entry.patterns if not entry.anchors[source]
    ] == []


def test_the_prompts_come_out_the_same_whether_patterns_are_anchored_or_always_asked():
    for path in HERE.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = json.loads(line)["text"]
            assert intents_of(text, ANCHORED) == intents_of(text, ASKED_ALWAYS)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text_comes_out_the_same_whether_patterns_are_anchored_or_always_asked(text):
    assert intents_of(text, ANCHORED) == intents_of(text, ASKED_ALWAYS)


@pytest.mark.parametrize("before", [0, 4_085, 4_090, 4_095, 4_096, 8_190])
def test_a_word_is_found_wherever_a_piece_of_the_text_ends(before):
    table = table_of(Policy(intents={"x": Intent(words=("shipit-everywhere",))}, intents_shipped=False))
    assert intents_of("a " * (before // 2) + "shipit-everywhere now", table) == ("x",)
    assert intents_of("a " * (before // 2) + "please deploy", ANCHORED) == ("deploy",)


@pytest.mark.timeout(20)
def test_words_that_lie_within_one_another_cost_bounded_room():
    words = tuple("a" * length for length in range(1, 60))
    table = table_of(Policy(intents={"x": Intent(words=words)}, intents_shipped=False))
    assert intents_of("a" * 900_000, table) == ()
    assert intents_of("a " + "b" * 900_000, table) == ("x",)


@pytest.mark.timeout(5)
def test_signs_that_grow_when_they_are_folded_cost_bounded_time():
    assert intents_of("\ufdfa" * 300_000 + " please deploy", ANCHORED) == ()
    assert intents_of("好" * 200_000 + "。请部署", ANCHORED) == ("deploy",)
