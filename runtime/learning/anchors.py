"""The anchor of a learnt case: the tool, the action or the intent without which it says nothing; it is never dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from casebook.conditions.literals import normal
from casebook.conditions.tree import Field, Node, Or, Test
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.learning.identifying import is_identifying

MOST_NAMES: Final = 20
"""Names that one anchor lists; beyond that a list of actions becomes the tool itself, and a list of tools takes no more."""
VALUE_CHARS: Final = 200
"""Characters of a name: what is as long, or longer, is asked for by its beginning."""

_SHELL: Final = "shell"
_MOVES: Final = frozenset({"cd", "echo", "export", "source", "set", "pwd", "true", "sleep", "pushd", "popd", "printf"})
"""Programs that only prepare a command line: an anchor where nothing else is."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a case is bound to: any of its actions, tools or intents. Equal when they are, in order.

    Attributes:
        actions: of shell calls, such as `git push`.
        tools: canonical names.
        intents: of errors without a tool.
    """

    actions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.tools or self.intents)

    @property
    def called(self) -> tuple[str, ...]:
        """Give the canonical tools whose calls it may reach."""
        return (_SHELL, *self.tools) if self.actions else self.tools

    def node(self) -> Node:
        """Give the condition; raises ValueError where the anchor names nothing."""
        tests: list[Node] = []
        for field, names in (("action", self.actions), ("tool", self.tools), ("intent", self.intents)):
            short = tuple(name for name in names if len(name) < VALUE_CHARS)
            if short:
                tests.append(
                    Test(Field((field,)), "in", short) if len(short) > 1 else Test(Field((field,)), "is", short[0])
                )
            tests += [Test(Field((field,)), "starts_with", name) for name in names if len(name) >= VALUE_CHARS]
        if not tests:
            raise ValueError("an anchor needs a name, found none")
        return tests[0] if len(tests) == 1 else Or(tuple(tests))


def anchor_of(occurrences: Sequence[EventRecord], past: Iterable[EventRecord] = ()) -> Anchor:
    """Give the anchor of some occurrences; an empty one where they have neither tool nor intent.

    A shell call is told by what it runs, where that is known of all shell calls among them and a few actions cover them: of
    several actions that all share, the one that the calls that succeeded have least often, and that does more than prepare a
    command line. Every other call is told by its tool, and what has no tool by its intent.

    Args:
        occurrences: of one signature.
        past: calls that succeeded, to choose among actions.
    """
    actions = _actions([each for each in occurrences if each.tool == _SHELL], past)
    called = dict.fromkeys(
        _name(each.tool) for each in occurrences if each.tool and not (actions and each.tool == _SHELL)
    )
    intents = [found for each in occurrences if not each.tool and (found := _intents_of(each))]
    return Anchor(actions, tuple(called)[:MOST_NAMES], _covering(intents, {}))


def extended(anchor: Anchor, occurrence: EventRecord) -> Anchor:
    """Give the anchor that reaches one more occurrence; the same one where nothing can be added.

    A full list of actions becomes the tool `shell`; so does one to which a call without a known action comes.
    """
    if not occurrence.tool:
        new = next(iter(_intents_of(occurrence)), None)
        if new is None or len(anchor.intents) >= MOST_NAMES:
            return anchor
        return Anchor(anchor.actions, anchor.tools, _with(anchor.intents, new))
    tool = _name(occurrence.tool)
    if tool == _SHELL and tool not in anchor.tools:
        new = _rarest(_actions_of(occurrence), {})
        if new is not None and (new in anchor.actions or len(anchor.actions) < MOST_NAMES):
            return Anchor(_with(anchor.actions, new), anchor.tools, anchor.intents)
        return Anchor((), (*anchor.tools, _SHELL), anchor.intents)
    if len(anchor.tools) >= MOST_NAMES:
        return anchor
    return Anchor(anchor.actions, _with(anchor.tools, tool), anchor.intents)


def anchor_in(node: Node) -> Anchor | None:
    """Read an anchor back out of a condition; None where the condition is something else."""
    tests = node.items if isinstance(node, Or) else (node,)
    found: Mapping[str, list[str]] = {"action": [], "tool": [], "intent": []}
    for test in tests:
        if not isinstance(test, Test) or len(test.field.path) != 1 or test.field.root not in found:
            return None
        values = test.value if isinstance(test.value, tuple) else (test.value,)
        texts = [each for each in values if isinstance(each, str)]
        begins = test.op == "starts_with" and all(len(each) == VALUE_CHARS for each in texts)
        if len(texts) != len(values) or not (begins or test.op in ("is", "in")):
            return None
        found[test.field.root].extend(texts)
    return Anchor(tuple(found["action"]), tuple(found["tool"]), tuple(found["intent"]))


def _name(name: str) -> str:
    """Give a name as a condition holds it."""
    return normal(name)[:VALUE_CHARS]


def _with(names: tuple[str, ...], new: str) -> tuple[str, ...]:
    return names if new in names else (*names, new)


def _actions_of(record: EventRecord) -> tuple[str, ...]:
    """Give the actions of a shell call that may be told: a script with an id in its name is not."""
    return tuple(_name(each) for each in words_of(record.body, "action") if not is_identifying(each))


def _intents_of(record: EventRecord) -> tuple[str, ...]:
    return tuple(_name(each) for each in words_of(record.body, "intent"))


def _actions(calls: Sequence[EventRecord], past: Iterable[EventRecord]) -> tuple[str, ...]:
    seen = Counter(each for record in past if record.ok for each in dict.fromkeys(_actions_of(record)))
    return _covering([_actions_of(each) for each in calls], seen)


def _covering(several: Sequence[tuple[str, ...]], seen: Mapping[str, int]) -> tuple[str, ...]:
    """Give a few names of which each of the tuples has one; none where a tuple is empty or they would be too many."""
    if not several or not all(several):
        return ()
    shared = _rarest([name for name in several[0] if all(name in names for names in several)], seen)
    if shared is not None and shared not in _MOVES:
        return (shared,)
    chosen: dict[str, None] = {}
    for names in several:
        name = _rarest(names, seen)
        if name is not None and not chosen.keys() & set(names) - _MOVES:
            chosen[name] = None
    return tuple(chosen) if len(chosen) <= MOST_NAMES else ()


def _rarest(names: Sequence[str], seen: Mapping[str, int]) -> str | None:
    """Give the name that is least often seen, and of equal ones the last: what fails is rather the end of a command line."""
    ordered = [*reversed(names)]
    return min(ordered, key=lambda name: (name in _MOVES, seen.get(name, 0)), default=None)
