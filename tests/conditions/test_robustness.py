"""`parse` and `from_json` raise ConditionError and nothing else, on any input, in bounded time."""

import sys
import timeit
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.conditions import leaf_forms
from casebook.conditions import parse as parsing
from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.lexicon import FIELD_NAMES_ZH, KEYWORDS
from casebook.conditions.moments import Language
from casebook.conditions.parse import language_of, parse
from casebook.conditions.render import render
from casebook.conditions.tree import Node
from casebook.faults import ConditionError
from tests.conditions.strategies import UNHURRIED, named, trees

MEGABYTE = 1 << 20
LANGUAGES: list[Language] = ["en", "zh"]
TOKENS = [
    *sorted({spelling for spelling, _ in KEYWORDS}), *FIELD_NAMES_ZH, "text", "tool", "args.x", "context.客户", "error.type",
    '"x"', "'主动推送'", "“", "”", '"', "\\", "/a+/i", "/", "10", "-1.5", "1e5", "22:00", "6点半", "2026-03-01", "2026-02-30", "30m",
    "30分钟", "in Asia/Shanghai", "null", "this tool", "本次工具", ".", "。", "，", "！", "（", "）", "\0", "\n", "\ud800", "😀", "x",
]  # fmt: skip


def refusal(read: Callable[[Any], object], given: object) -> ConditionError | None:
    """The fault that reading something raises, or None; any other exception passes through and fails the test."""
    try:
        read(given)
    except ConditionError as fault:
        return fault
    return None


def outcome(text: str) -> bool:
    """Whether a text parses; anything but a tree or a ConditionError with a good column fails."""
    fault = refusal(parse, text)
    if fault is not None:
        assert fault.message
        assert fault.column is not None
        assert 1 <= fault.column <= len(text) + 1
        return False
    tree = parse(text)
    assert render(parse(render(tree))) == render(tree)
    return True


@given(st.text(max_size=60))
@settings(UNHURRIED, max_examples=150)
def test_any_text_gives_a_tree_or_a_fault_that_points_into_it(text: str) -> None:
    outcome(text)
    assert language_of(text) in ("en", "zh")


@given(st.lists(st.sampled_from(TOKENS), max_size=14), st.sampled_from(["", " "]))
@settings(UNHURRIED, max_examples=600)
def test_a_soup_of_lexemes_gives_a_tree_or_a_fault_that_points_into_it(tokens: list[str], between: str) -> None:
    outcome(between.join(tokens))


@given(trees(), st.sampled_from(LANGUAGES), st.data())
@settings(UNHURRIED, max_examples=150)
def test_a_valid_text_with_a_piece_cut_doubled_or_replaced_gives_a_tree_or_a_fault(
    tree: Node, language: Language, data: st.DataObject
) -> None:
    text = render(tree, language)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 6)))
    piece = data.draw(st.one_of(st.sampled_from(["", text[start:end] * 2]), pieces()))
    outcome(text[:start] + piece + text[end:])


KEYS = ["op", "value", "flags", "on", "zone", "where", "within", "this", "x", *leaf_forms.KEYS]
DEEPER: st.SearchStrategy[Any] = st.booleans()


@named
def pieces() -> st.SearchStrategy[str]:
    """Lexemes and scraps of text."""
    return st.one_of(st.sampled_from(TOKENS), st.text(max_size=2))


@named
def scalars() -> st.SearchStrategy[Any]:
    """JSON without parts."""
    return st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), pieces())


@named
def json_values() -> st.SearchStrategy[Any]:
    """Any JSON, with the keys of the JSON form."""
    keys = st.sampled_from(KEYS)
    return st.recursive(
        scalars(),
        lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(keys, below, max_size=4)),
        max_leaves=12,
    )


@given(json_values())
@settings(UNHURRIED, max_examples=300)
def test_any_json_gives_a_tree_or_a_condition_error(form: object) -> None:
    fault = refusal(from_json, form)
    if fault is not None:
        assert fault.message
        return
    tree = from_json(form)
    assert to_json(from_json(to_json(tree))) == to_json(tree)


@given(trees(max_leaves=4), st.data())
@settings(UNHURRIED, max_examples=150)
def test_a_json_form_with_one_part_replaced_gives_a_tree_or_a_condition_error(tree: Node, data: st.DataObject) -> None:
    form = to_json(tree)
    if not isinstance(form, dict):
        return
    target = form
    while (inner := [each for each in target.values() if isinstance(each, dict)]) and data.draw(DEEPER):
        target = inner[0]
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(json_values())
    fault = refusal(from_json, form)
    assert fault is None or fault.message


HOSTILE = {
    "brackets": "(" * MEGABYTE,
    "closed brackets": "(" * 250_000 + "always" + ")" * 250_000,
    "open brackets": "(" * 500_000,
    "square brackets": "tool in " + "[" * 60_000,
    "not": "not " * (MEGABYTE // 4),
    "not within bounds": "not " * 16_000 + "always",
    "zh not": "非" * 500_000,
    "and": "tool is x and " * 35_000 + "always",
    "or": "always or " * 6_000 + "always",
    "nested history": "earlier tool where " * 3_000 + "always",
    "quotes": '"' * 60_000,
    "backslashes": 'text contains "' + "\\" * 60_000,
    "escapes": 'text contains "' + "\\n" * 30_000 + '"',
    "open string": 'text contains "' + "x" * 60_000,
    "letters": "a" * 65_000,
    "dotted": "args." + "a." * 30_000,
    "digits": "args.n > " + "9" * 60_000,
    "index": "args." + "9" * 60_000 + " exists",
    "exponent": "args.n > 1e999999",
    "hours": "time between " + "9" * 60_000 + " and 3",
    "duration": "earlier tool within " + "9" * 60_000 + "d",
    "han": "且" * 65_000,
    "glued": "tool is x" + "且" * 60_000 + " always",
    "spaces": " " * 500_000,
    "inner spaces": "tool is" + " " * 65_000 + "x",
    "spaced words": "no " * 20_000,
    "nul": "\0" * 65_000,
    "surrogates": "\ud800" * 100,
    "surrogate in a string": 'tool is "\ud800"',
    "pattern": "text matches /" + "(" * 1_000 + ")" * 1_000 + "/",
    "pattern too long": "text matches /" + "x" * 2_000 + "/",
    "pattern too dear": "text matches /((a{100}){100}){100}/",
    "like": 'text like "' + "?" * 60_000 + '"',
    "zone": "time between 1 and 2 in " + "A/" * 30_000,
    "commas": "tool in [" + "," * 60_000,
    "list": "tool in [" + "a, " * 21_000 + "]",
    "combining": 'text is "' + "\u0301" * 60_000 + '"',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_answered_soon(text: str) -> None:
    took = timeit.timeit(lambda: outcome(text), number=1)
    assert took < 10


def test_a_condition_of_a_thousand_nodes_parses_and_one_more_is_refused() -> None:
    assert refusal(parse, " and ".join(["tool is x"] * 999)) is None
    with pytest.raises(ConditionError, match="1,000 nodes"):
        parse(" and ".join(["tool is x"] * 1_000))


def test_a_json_form_of_a_thousand_nodes_is_read_and_one_more_is_refused() -> None:
    form = {"field": "tool", "op": "is", "value": "x"}
    assert refusal(from_json, {"all": [form] * 999}) is None
    with pytest.raises(ConditionError, match="1,000 nodes"):
        from_json({"all": [form] * 1_000})


def test_json_nested_without_end_is_refused_soon() -> None:
    form: object = "always"
    for _ in range(100_000):
        form = {"not": form}
    with pytest.raises(ConditionError, match="1,000 nodes"):
        from_json(form)
    while isinstance(form, dict):  # taken apart by hand: Python itself would recurse
        form = form.pop("not")


def test_a_list_of_300_values_is_one_node() -> None:
    tree = parse(f"tool in [{', '.join(f'tool{n}' for n in range(300))}]")
    assert parse(render(tree, "zh")) == tree


def test_what_is_not_a_string_is_refused_with_its_type() -> None:
    with pytest.raises(ConditionError, match="expected a string"):
        parse(None)  # type: ignore[arg-type]


def test_parsing_needs_no_deeper_stack_than_it_finds() -> None:
    limit = sys.getrecursionlimit()
    parse("(" * 9_000 + "always" + ")" * 9_000)
    assert sys.getrecursionlimit() == limit


def test_a_typical_condition_parses_faster_than_python_adds_ten_thousand_squares() -> None:
    """The yardstick is the machine itself, so that a slow or busy machine makes no difference."""
    text = 'intent is "push" and session.errors >= 2'
    parse(text)
    ours = min(timeit.repeat(lambda: parsing._parsed(text, {}, inside_where=False), number=50, repeat=7)) / 50
    machine = min(timeit.repeat(lambda: sum(n * n for n in range(10_000)), number=2, repeat=7)) / 2
    assert ours < machine, f"{ours * 1e6:.0f} µs a condition against {machine * 1e6:.0f} µs"
