"""The anchor of a learnt case: the tool, the action, the program or the intent without which it says nothing; never dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from casebook.conditions.literals import normal
from casebook.conditions.tree import Field, Node, Or, Test
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.learning.identifying import Private, is_identifying, private_words

MOST_NAMES: Final = 20
"""Names of a kind that one anchor lists; beyond that a list of actions becomes their programs, and a list of tools takes no more."""
LEAST_REACHED: Final = 0.5
"""Share of the occurrences of everyone's case that an anchor of actions, programs or intents must reach: what few do is their own."""
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
    """What a case is bound to: any of its actions, programs, tools or intents. Equal when they are, in order.

    Attributes:
        actions: of shell calls, such as `git push`.
        tools: canonical names.
        intents: of errors without a tool.
        programs: of shell calls, such as `make`, whatever they are to do.
    """

    actions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.programs or self.tools or self.intents)

    @property
    def called(self) -> tuple[str, ...]:
        """Give the canonical tools whose calls it may reach."""
        is_shell = (self.actions or self.programs) and _SHELL not in self.tools
        return (_SHELL, *self.tools) if is_shell else self.tools

    @property
    def is_bare_shell(self) -> bool:
        """Say whether it reaches every shell call, whatever it runs."""
        return _SHELL in self.tools

    def node(self) -> Node:
        """Give the condition; raises ValueError where the anchor names nothing."""
        tests: list[Node] = []
        several = (("action", self.actions), ("program", self.programs), ("tool", self.tools), ("intent", self.intents))
        for field, names in several:
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
    """What the anchor of everyone's case may name: what enough users ran or wanted, and tools that name nobody.

    Attributes:
        actions, programs, intents: those that enough different users had.
        private: whoever a tool may not name.
    """

    actions: frozenset[str]
    programs: frozenset[str]
    intents: frozenset[str]
    private: Private


def tellable(occurrences: Sequence[EventRecord], users: int) -> Tellable:
    """Give what may be named of the occurrences of everyone's case; what fewer than `users` different users had may not."""
    whose: dict[tuple[str, str], set[str]] = {}
    for each in occurrences:
        if (user := each.principal.user) is not None:
            for field in ("action", "program") if each.tool else ("intent",):
                for name in _names_of(each, field):
                    whose.setdefault((field, name), set()).add(user)
    told = {key for key, some in whose.items() if len(some) >= users}
    actions, programs, intents = (
        frozenset(name for kind, name in told if kind == field) for field in ("action", "program", "intent")
    )
    return Tellable(actions, programs, intents, private_words(occurrences))


def anchor_of(
    occurrences: Sequence[EventRecord], past: Iterable[EventRecord] = (), told: Tellable | None = None
) -> Anchor:
    """Give the anchor of some occurrences; an empty one where they have neither tool nor intent.

    A shell call is told by what it runs, where that is known of all shell calls among them: by the action that all share (of
    several the one that the calls that succeeded have least often, and that does more than prepare a command line); else by the
    program that all share, unless that has succeeded with other actions than theirs; else by any of their actions, and by the
    program of a call whose action may not be told. Every other call is told by its tool, and what has no tool by its intent.

    Args:
        occurrences: of one signature.
        past: calls that succeeded, to choose among actions and programs.
        told: for everyone's case, what may be named: then actions and intents that reach `LEAST_REACHED` of their occurrences do.
    """
    actions, programs = _run_by([each for each in occurrences if each.tool == _SHELL], tuple(past), told)
    is_told = bool(actions or programs)
    called = dict.fromkeys(
        _name(each.tool)
        for each in occurrences
        if each.tool and not (is_told and each.tool == _SHELL) and not (told and told.private.has(each.tool))
    )
    intents = [found for each in occurrences if not each.tool and (found := _names_of(each, "intent"))]
    if told is not None:
        intents = _reached([tuple(name for name in names if name in told.intents) for names in intents])
    return Anchor(actions, tuple(called)[:MOST_NAMES], _covering(intents, {}), programs)


def extended(anchor: Anchor, occurrence: EventRecord, told: Tellable | None = None) -> Anchor:
    """Give the anchor that reaches one more occurrence; the same one where nothing can be added.

    A shell call is added by its action; by its program where the action may not be told, or where the list of actions is full.
    It is never added as the tool `shell`, which would reach whatever is run. What may not be told of everyone's case is not added.
    """
    if not occurrence.tool:
        new = _rarest(_among(_names_of(occurrence, "intent")[:1], None if told is None else told.intents), {})
        if new is None or len(anchor.intents) >= MOST_NAMES:
            return anchor
        return replace(anchor, intents=_with(anchor.intents, new))
    tool = _name(occurrence.tool)
    if tool == _SHELL and not anchor.is_bare_shell:
        return _with_run(anchor, occurrence, told)
    if len(anchor.tools) >= MOST_NAMES or (told is not None and told.private.has(occurrence.tool)):
        return anchor
    return replace(anchor, tools=_with(anchor.tools, tool))


def _with_run(anchor: Anchor, occurrence: EventRecord, told: Tellable | None) -> Anchor:
    """Give the anchor that reaches one more shell call, by its action or else by its program."""
    action, program = (
        _rarest(_among(_failing_of(occurrence, field), names), {})
        for field, names in (
            ("action", None if told is None else told.actions),
            ("program", None if told is None else told.programs),
        )
    )
    if action is not None and (action in anchor.actions or len(anchor.actions) < MOST_NAMES):
        return replace(anchor, actions=_with(anchor.actions, action))
    if program is None or len(anchor.programs) >= MOST_NAMES:
        return anchor
    actions = tuple(each for each in anchor.actions if _program_in(each) != program)
    return replace(anchor, actions=actions, programs=_with(anchor.programs, program))


def anchor_in(node: Node) -> Anchor | None:
    """Read an anchor back out of a condition; None where the condition is something else."""
    tests = node.items if isinstance(node, Or) else (node,)
    found: Mapping[str, list[str]] = {"action": [], "tool": [], "intent": [], "program": []}
    for test in tests:
        if not isinstance(test, Test) or len(test.field.path) != 1 or test.field.root not in found:
            return None
        values = test.value if isinstance(test.value, tuple) else (test.value,)
        texts = [each for each in values if isinstance(each, str)]
        begins = test.op == "starts_with" and all(len(each) == VALUE_CHARS for each in texts)
        if len(texts) != len(values) or not (begins or test.op in ("is", "in")):
            return None
        found[test.field.root].extend(texts)
    return Anchor(*(tuple(found[field]) for field in ("action", "tool", "intent", "program")))


def _name(name: str) -> str:
    """Give a name as a condition holds it."""
    return normal(name)[:VALUE_CHARS]


def _with(names: tuple[str, ...], new: str) -> tuple[str, ...]:
    return names if new in names else (*names, new)


def _names_of(record: EventRecord, field: str) -> tuple[str, ...]:
    """Give the actions, programs or intents of a record that may be told: a script with an id in its name is not."""
    names = words_of(record.body, field)
    return tuple(_name(each) for each in names if field == "intent" or not is_identifying(each))


def _program_in(action: str) -> str:
    return action.partition(" ")[0]


def _run_by(
    calls: Sequence[EventRecord], past: Sequence[EventRecord], told: Tellable | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the actions and the programs that tell some shell calls; neither where some of them run what may not be told."""
    seen = {
        field: Counter(each for record in past if record.ok for each in dict.fromkeys(_names_of(record, field)))
        for field in ("action", "program")
    }
    actions, programs = ([_failing_of(each, field) for each in calls] for field in ("action", "program"))
    if told is not None:
        actions = [_among(names, told.actions) for names in actions]
        programs = [_among(names, told.programs) for names in programs]
        enough = _reached([(*some, *others) for some, others in zip(actions, programs, strict=True)])
        pairs = [pair for pair in zip(actions, programs, strict=True) if enough and any(pair)]
        actions, programs = [some for some, _ in pairs], [others for _, others in pairs]
    if (action := _shared(actions, seen["action"])) is not None:
        return (action,), ()
    listed = _covering(actions, seen["action"])
    program = _shared(programs, seen["program"])
    if program is not None and not (listed and _succeeds_otherwise(program, listed, past)):
        return (), (program,)
    return (listed, ()) if listed else _each_by(actions, programs, seen)


def _succeeds_otherwise(program: str, actions: tuple[str, ...], past: Iterable[EventRecord]) -> bool:
    """Say whether a program has succeeded where none of some actions was run: not all that it does fails."""
    runs = (record for record in past if record.ok and program in _names_of(record, "program"))
    return any(not set(actions) & set(_names_of(record, "action")) for record in runs)


def _each_by(
    actions: Sequence[tuple[str, ...]], programs: Sequence[tuple[str, ...]], seen: Mapping[str, Mapping[str, int]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give an action of each call that has one, else its program; nothing where a call has neither or they would be too many."""
    alone = _covering([more for some, more in zip(actions, programs, strict=True) if not some], seen["program"])
    if not alone:
        return (), _covering(programs, seen["program"])
    rest = [some for some, more in zip(actions, programs, strict=True) if some and not set(alone) & set(more)]
    listed = _covering(rest, seen["action"])
    return (listed, alone) if listed or not rest else ((), ())


def _failing_of(record: EventRecord, field: str) -> tuple[str, ...]:
    """Give the actions, or programs, of a shell call that failed: those that its message is from, where it says so."""
    names = _names_of(record, field)
    error = record.body.get("error")
    message = error.get("message") if isinstance(error, Mapping) else None
    if len(names) < 2 or not isinstance(message, str):
        return names
    speakers = {found[1] for found in _SAID_BY.finditer(message)}
    return tuple(each for each in names if _program_in(each) in speakers) or names


def _among(names: tuple[str, ...], told: frozenset[str] | None) -> tuple[str, ...]:
    """Give the names that may be told (`None`: all); none where they would be those that only prepare what may not be."""
    if told is None:
        return names
    left = tuple(name for name in names if name in told)
    return () if PREPARING.issuperset(left) and not PREPARING.issuperset(names) else left


def _reached(several: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Give the names of those that have some, where they are enough of all; else none."""
    found = [names for names in several if names]
    return found if len(found) >= LEAST_REACHED * len(several) else []


def _shared(several: Sequence[tuple[str, ...]], seen: Mapping[str, int]) -> str | None:
    """Give the name that all have, the rarest of several; None where there is none, or it only prepares."""
    shared = _rarest([name for name in several[0] if all(name in names for names in several)] if several else [], seen)
    return None if shared in PREPARING else shared


def _covering(several: Sequence[tuple[str, ...]], seen: Mapping[str, int]) -> tuple[str, ...]:
    """Give a few names of which each of the tuples has one; none where a tuple is empty or they would be too many."""
    if not several or not all(several):
        return ()
    shared = _shared(several, seen)
    if shared is not None:
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
