"""Text → tree → text and JSON → tree → JSON lose nothing, in either language."""

import json

import pytest
from hypothesis import given, settings

from casebook.conditions.checks import MOST_DEPTH
from casebook.conditions.json_form import from_json, to_json
from casebook.conditions.moments import Language
from casebook.conditions.parse import parse
from casebook.conditions.render import render
from casebook.conditions.tree import Always, And, Field, Node, Not, Or, Test
from casebook.faults import ConditionError
from tests.conditions.strategies import UNHURRIED, trees

LANGUAGES: list[Language] = ["en", "zh"]


def same(one: Node, other: Node) -> bool:
    """Equal also in what Python's `==` does not tell apart: 1, 1.0 and True."""
    return one == other and repr(one) == repr(other)


@given(trees())
@settings(UNHURRIED, max_examples=150)
def test_parsing_what_was_rendered_gives_the_tree_back_in_both_languages(tree: Node) -> None:
    for language in LANGUAGES:
        text = render(tree, language)
        assert same(parse(text, of_policy=True), tree), text


@given(trees())
@settings(UNHURRIED, max_examples=150)
def test_reading_the_json_form_gives_the_tree_back_through_real_json(tree: Node) -> None:
    written = json.loads(json.dumps(to_json(tree), ensure_ascii=False))
    assert same(from_json(written, of_policy=True), tree)


@given(trees())
@settings(UNHURRIED, max_examples=150)
def test_text_to_json_to_text_is_the_identity_on_canonical_text(tree: Node) -> None:
    for language in LANGUAGES:
        text = render(tree, language)
        read = parse(text, of_policy=True)
        assert render(from_json(to_json(read), of_policy=True), language) == text


def deep(depth: int) -> Node:
    """A tree of alternating negations, conjunctions and disjunctions."""
    leaf = Test(Field(("tool",)), "is", "shell")
    node: Node = leaf
    for level in range(depth):
        node = (Not(node), And((leaf, node)), Or((node, leaf)))[level % 3]
    return node


def nots(depth: int) -> Node:
    """So many negations of always."""
    node: Node = Always()
    for _ in range(depth):
        node = Not(node)
    return node


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tree", [deep(MOST_DEPTH - 1), nots(MOST_DEPTH - 1)], ids=["mixed", "negations"])
def test_trees_as_deep_as_a_condition_may_be_are_rendered_parsed_and_written_without_recursion(
    tree: Node, language: Language
) -> None:
    text = render(tree, language)
    assert render(parse(text), language) == text
    assert render(from_json(to_json(tree)), language) == text


@pytest.mark.parametrize("tree", [deep(MOST_DEPTH), nots(MOST_DEPTH)], ids=["mixed", "negations"])
def test_a_tree_that_is_deeper_is_refused(tree: Node) -> None:
    with pytest.raises(ConditionError, match="at most 100 nodes within one another"):
        parse(render(tree))
    with pytest.raises(ConditionError, match="at most 100 nodes within one another"):
        from_json(to_json(tree))
