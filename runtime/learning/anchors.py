"""The anchor of a learnt case: the tool, the action or the intent without which it says nothing; it is never dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from casebook.conditions.literals import normal
from casebook.conditions.tree import Field, Node, Or, Test
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.learning.identifying import Private, is_identifying, private_words

MOST_NAMES: Final = 20
"""Names that one anchor lists; beyond that a list of actions becomes the tool itself, and a list of tools takes no more."""
LEAST_REACHED: Final = 0.5
"""Share of the occurrences of everyone's case that an anchor of actions, or of intents, must reach: what few do is its own."""
VALUE_CHARS: Final = 200
"""Characters of a name: what is as long, or longer, is asked for by its beginning."""

_SHELL: Final = "shell"
PREPARING: Final = frozenset({
    "cd", "echo", "export", "source", "set", "pwd", "true", "sleep", "pushd", "popd", "printf",
    "tail", "head", "less", "more", "wc", "sort", "uniq", "tee", "cut", "tr", "column", "cat", "grep", "egrep", "rg", "awk",
})  # fmt: skip
"""Programs that only prepare a command line, or look through what another prints: an anchor where nothing else is."""
_SAID_BY: Final = re.compile(r"^\W*([a-z][\w.+-]*)(?:\.exe)?(?:\[\d+\])?(?:: | ERR!| error\b)", re.MULTILINE)
"""A program's name where a line of its message begins: `sed: …`, `npm ERR! …`."""


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


@dataclass(frozen=True, slots=True)
class Tellable:
    """What the anchor of everyone's case may name: actions and intents that enough users had, and tools that name nobody.

    Attributes:
        actions, intents: those that enough different users had.
        private: whoever a tool may not name.
    """

    actions: frozenset[str]
    intents: frozenset[str]
    private: Private


def tellable(occurrences: Sequence[EventRecord], users: int) -> Tellable:
    """Give what may be named of the occurrences of everyone's case; what fewer than `users` different users had may not."""
    whose: dict[tuple[str, str], set[str]] = {}
    for each in occurrences:
        if (user := each.principal.user) is not None:
            for name in _actions_of(each) if each.tool else ():
                whose.setdefault(("action", name), set()).add(user)
            for name in () if each.tool else _intents_of(each):
                whose.setdefault(("intent", name), set()).add(user)
    told = {key for key, some in whose.items() if len(some) >= users}
    actions, intents = (frozenset(name for kind, name in told if kind == field) for field in ("action", "intent"))
    return Tellable(actions, intents, private_words(occurrences))


def anchor_of(
    occurrences: Sequence[EventRecord], past: Iterable[EventRecord] = (), told: Tellable | None = None
) -> Anchor:
    """Give the anchor of some occurrences; an empty one where they have neither tool nor intent.

    A shell call is told by what it runs, where that is known of all shell calls among them and a few actions cover them: of
    several actions that all share, the one that the calls that succeeded have least often, and that does more than prepare a
    command line. Every other call is told by its tool, and what has no tool by its intent.

    Args:
        occurrences: of one signature.
        past: calls that succeeded, to choose among actions.
        told: for everyone's case, what may be named: then actions and intents that reach `LEAST_REACHED` of their occurrences do.
    """
    actions = _actions([each for each in occurrences if each.tool == _SHELL], past, told)
    called = dict.fromkeys(
        _name(each.tool)
        for each in occurrences
        if each.tool and not (actions and each.tool == _SHELL) and not (told and told.private.has(each.tool))
    )
    intents = [found for each in occurrences if not each.tool and (found := _intents_of(each))]
    if told is not None:
        intents = _reached([tuple(name for name in names if name in told.intents) for names in intents])
    return Anchor(actions, tuple(called)[:MOST_NAMES], _covering(intents, {}))


def extended(anchor: Anchor, occurrence: EventRecord, told: Tellable | None = None) -> Anchor:
    """Give the anchor that reaches one more occurrence; the same one where nothing can be added.

    A full list of actions becomes the tool `shell`; so does one to which a call without a known action comes. What may not be
    told of everyone's case is not added.
    """
    if told is not None and not _may_tell(occurrence, told):
        return anchor
    if not occurrence.tool:
        new = next(iter(_intents_of(occurrence)), None)
        if new is None or len(anchor.intents) >= MOST_NAMES:
            return anchor
        return Anchor(anchor.actions, anchor.tools, _with(anchor.intents, new))
    tool = _name(occurrence.tool)
    if tool == _SHELL and tool not in anchor.tools:
        new = _rarest(_failing_of(occurrence), {})
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


def _may_tell(occurrence: EventRecord, told: Tellable) -> bool:
    """Say whether what an anchor would name of an occurrence is everyone's."""
    if not occurrence.tool:
        names = _intents_of(occurrence)
        return bool(names) and names[0] in told.intents
    if occurrence.tool == _SHELL and (actions := _failing_of(occurrence)):
        return _rarest(actions, {}) in told.actions
    return not told.private.has(occurrence.tool)


def _actions(
    calls: Sequence[EventRecord], past: Iterable[EventRecord], told: Tellable | None = None
) -> tuple[str, ...]:
    seen = Counter(each for record in past if record.ok for each in dict.fromkeys(_actions_of(record)))
    several = [_failing_of(each) for each in calls]
    if told is not None:
        several = _reached([_among(names, told.actions) for names in several])
    return _covering(several, seen)


def _failing_of(record: EventRecord) -> tuple[str, ...]:
    """Give the actions of a shell call that failed: those of the programs that its message is from, where it says so."""
    actions = _actions_of(record)
    error = record.body.get("error")
    message = error.get("message") if isinstance(error, Mapping) else None
    if len(actions) < 2 or not isinstance(message, str):
        return actions
    speakers = {found[1] for found in _SAID_BY.finditer(message)}
    return tuple(each for each in actions if each.partition(" ")[0] in speakers) or actions


def _among(names: tuple[str, ...], told: frozenset[str]) -> tuple[str, ...]:
    """Give the names that may be told; none where they would be those that only prepare what may not be."""
    left = tuple(name for name in names if name in told)
    return () if PREPARING.issuperset(left) and not PREPARING.issuperset(names) else left


def _reached(several: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Give the names of those that have some, where they are enough of all; else none."""
    found = [names for names in several if names]
    return found if len(found) >= LEAST_REACHED * len(several) else []


def _covering(several: Sequence[tuple[str, ...]], seen: Mapping[str, int]) -> tuple[str, ...]:
    """Give a few names of which each of the tuples has one; none where a tuple is empty or they would be too many."""
    if not several or not all(several):
        return ()
    shared = _rarest([name for name in several[0] if all(name in names for names in several)], seen)
    if shared is not None and shared not in PREPARING:
        return (shared,)
    chosen: dict[str, None] = {}
    for names in several:
        name = _rarest(names, seen)
        if name is not None and not chosen.keys() & set(names) - PREPARING:
            chosen[name] = None
    return tuple(chosen) if len(chosen) <= MOST_NAMES else ()


def _rarest(names: Sequence[str], seen: Mapping[str, int]) -> str | None:
    """Give the name that is least often seen, and of equal ones the last: what fails is rather the end of a command line."""
    ordered = [*reversed(names)]
    return min(ordered, key=lambda name: (name in PREPARING, seen.get(name, 0)), default=None)
