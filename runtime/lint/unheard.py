"""Constants that facts never hold: a host's name of a tool, a wrapper's command, a star, a value outside a closed set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import get_args

from casebook.conditions.fields import FIELDS, GROUPS
from casebook.conditions.render import render
from casebook.conditions.tree import Earlier, Field, History, Node, Not, Op, Or, Test, children
from casebook.faults import nearest
from casebook.policy import Policy
from casebook.runtime.facts.shell import commands
from casebook.runtime.facts.tools import canonical_tool, shipped
from casebook.runtime.lint.book import Book, Finding
from casebook.scope import Point

CLOSED: Mapping[tuple[str, ...], tuple[str, ...]] = MappingProxyType(
    {("point",): get_args(Point), ("origin",): ("user", "cron", "heartbeat", "subagent")}
)
"""Fields that hold one of a few values (DESIGN section 5)."""

EQUALITY = frozenset({"is", "is_not", "in", "not_in"})
_PARTIAL = frozenset({"contains", "starts_with", "ends_with"})
_CALLS = frozenset({("tool",), ("action",), ("program",)})
"""Fields that hold names, in which no star stands."""

_PLAIN_TOOLS = ("tool",), ("session", "tools")
_POSITIVE: Mapping[Op, Op] = MappingProxyType({"is_not": "is", "not_in": "in", "missing": "exists"})


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is doubtful about a test: why, and how to write what was meant."""

    message: str
    cure: str | None


def find(book: Book) -> Iterator[Finding]:
    """Give the tests that compare a field with what it never holds, each for its first reason."""
    for subject in book.subjects:
        for place, condition in enumerate(subject.loaded.conditions):
            for test, of_event in _tests(condition):
                doubt = _doubt(test, book.policy, of_event=of_event)
                if doubt is not None:
                    yield subject.find("unheard", doubt.message, place=place, cure=doubt.cure)


def _tests(condition: Node) -> Iterator[tuple[Test, bool]]:
    """Give the tests of a condition, and whether each is of an event."""
    stack = [(condition, False)]
    while stack:
        node, of_event = stack.pop()
        if isinstance(node, Test):
            yield node, of_event
        below = of_event or isinstance(node, History)
        stack.extend((each, below) for each in reversed(children(node)))


def _doubt(test: Test, policy: Policy, *, of_event: bool) -> Doubt | None:
    path = test.field.path
    if test.field.root == "error" and not of_event:
        return _error(test)
    if test.op in EQUALITY and path in CLOSED:
        return _outside(test, CLOSED[path])  # type: ignore[index]  # such paths are of text
    if path in _PLAIN_TOOLS and (test.op in EQUALITY or path != ("tool",)):
        found = _native(test, policy, of_event=of_event)
        if found is not None:
            return found
    if _words(test):
        return _starred(test) or (_called(test) if path in (("action",), ("program",)) else None)
    return None


def _words(test: Test) -> tuple[str, ...]:
    """Give the texts that a test compares with."""
    values = test.value if isinstance(test.value, tuple) else (test.value,)
    return tuple(each for each in values if isinstance(each, str))


def _with_values(test: Test, change: Mapping[str, str], path: tuple[str, ...] | None = None) -> str:
    """Give a test in words, with other values, each once, or of another field."""
    field = test.field if path is None else Field(path)
    if not isinstance(test.value, tuple):
        return render(Test(field, test.op, change.get(str(test.value), str(test.value))))
    values = dict.fromkeys(change.get(each, each) if isinstance(each, str) else each for each in test.value)
    return render(Test(field, test.op, tuple(values)))


def _error(test: Test) -> Doubt:
    """A test of `error` that is not within a `where`."""
    positive = Test(test.field, _POSITIVE.get(test.op, test.op), test.value)
    where = None if test.field.path == ("error",) else positive
    meant: Node = Earlier("error", where)
    cure = render(meant if test.op not in _POSITIVE else Not(meant))
    return Doubt("a task has no error: only the events of its history have one", cure)


def _outside(test: Test, known: tuple[str, ...]) -> Doubt | None:
    """A value that a field with a few values never holds."""
    for value in _words(test):
        if value not in known:
            close = nearest(value[:64], known)
            listed = f"{', '.join(known[:-1])} or {known[-1]}"
            cure = _with_values(test, {value: close}) if close else None
            return Doubt(f'{test.field.root} is {listed}, never "{value[:64]}"', cure)
    return None


def _native(test: Test, policy: Policy, *, of_event: bool) -> Doubt | None:
    """A host's own name of a tool, where facts hold the canonical one."""
    canonical = {*policy.tools.values(), *shipped().values()}
    change = {
        value: name
        for value in _words(test)
        if value not in canonical and (name := canonical_tool(value, policy.tools)) != value
    }
    if not change:
        return None
    value, name = next(iter(change.items()))
    cure = _with_values(test, change)
    if test.field.path == ("tool",) and not of_event and len(change) == len(_words(test)):
        cure += f", or {_with_values(test, {}, ('tool_native',))} for that host's alone"
    return Doubt(f'"{value}" is a host\'s own name of {name}, and {_name(test)} holds {name}', cure)


def _name(test: Test) -> str:
    return ".".join(map(str, test.field.path))


def _starred(test: Test) -> Doubt | None:
    """A star where it is no wildcard, in a field of the closed table."""
    path = test.field.path
    parts = GROUPS.get(test.field.root) if len(path) == 2 else FIELDS if len(path) == 1 else None
    worded = parts is not None and parts.get(str(path[-1])) in ("text", "texts")
    if not worded or not (test.op in EQUALITY or (test.op in _PARTIAL and path in _CALLS)):
        return None
    value = next((each for each in _words(test) if "*" in each), None)
    if value is None:
        return None
    whole = {"contains": "*{}*", "starts_with": "{}*", "ends_with": "*{}"}.get(test.op, "{}")
    likes: list[Node] = [
        Test(test.field, "exists")
        if not (wildcard := re.sub(r"\*+", "*", whole.format(each))).strip("*")
        else Test(test.field, "like", wildcard)
        for each in _words(test)
    ]
    meant = likes[0] if len(likes) == 1 else Or(tuple(likes))
    return Doubt(f'the star in "{value}" is a star: only like takes it for any text', render(_signed(test, meant)))


def _signed(test: Test, positive: Node) -> Node:
    if test.op not in _POSITIVE:
        return positive
    if isinstance(positive, Test) and positive.op == "exists":
        return Test(positive.field, "missing")
    return Not(positive)


def _called(test: Test) -> Doubt | None:
    """A command as nobody tells it: started by a wrapper, with its arguments, under another name, or in the wrong field."""
    for value in _words(test):
        first, blank, rest = value.partition(" ")
        if _is_wrapper(first) and (blank or test.op in EQUALITY):
            meant = rest.strip()
            cure = _with_values(test, {value: meant}) if re.search(r"\w", meant) else f'args.command contains "{first}"'
            return Doubt(f'"{first}" is looked through: {_name(test)} holds what it starts', cure)
        doubt = _option(test, value) or (_as_command(test, value) if test.op in EQUALITY else _with_blank(test, value))
        if doubt is not None:
            return doubt
    return None


def _option(test: Test, value: str) -> Doubt | None:
    if re.search(r"(?:^|\s)-", value) is None:
        return None
    words = value.strip("* ")
    cure = None if re.search(r"[*?]", words) else render(Test(Field(("args", "command")), "contains", words))
    return Doubt(f'"{value}" has an option: {_name(test)} holds none', cure)


def _with_blank(test: Test, value: str) -> Doubt | None:
    if test.field.path != ("program",) or " " not in value.strip():
        return None
    return Doubt(f'"{value}" has a blank: a program is a name alone', _with_values(test, {}, ("action",)))


def _as_command(test: Test, value: str) -> Doubt | None:
    """A value that is told otherwise where it is run."""
    of_program = test.field.path == ("program",)
    heard = [program if of_program else action for action, program in _heard(value)]
    named = " " in value and not value.islower()  # such as Google Chrome, of which a quoted path may be told
    if not heard or value in heard or named:
        return None
    if of_program and _heard(value)[0][0] == value:
        return Doubt(f'"{value}" is an action: a program is a name alone', _with_values(test, {}, ("action",)))
    cure = _with_values(test, {value: heard[0]}) if len(heard) == 1 else None
    return Doubt(f'"{value}" is told as {" and ".join(f"{chr(34)}{each}{chr(34)}" for each in heard[:3])}', cure)


@lru_cache(maxsize=4096)
def _heard(command: str) -> tuple[tuple[str, str], ...]:
    """Give action and program of what a command line runs."""
    return tuple((each.action, each.program) for each in commands(command))


def _is_wrapper(word: str) -> bool:
    """Say whether facts look through a program to what it starts."""
    return word.isidentifier() and _heard(f"{word} git push") == (("git push", "git"),)
