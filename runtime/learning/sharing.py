"""What the occurrences of an error share and the calls that succeeded do not: the conditions beside the anchor.

A feature is taken where chance is a poor explanation of it. With n different calls that failed this way, and a share p of the
calls that succeeded having the feature, all n have it by chance with p to the n. That times the number of features looked at
(those that some successful call lacks: the others tell nothing) must be at most `CHANCE`: to miss a later error of the kind is
worse than to warn once too often.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from casebook.conditions.literals import normal
from casebook.conditions.tree import Field, Node, Or, Test
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import PREPARING
from casebook.runtime.learning.backtest import Backtest, words_of
from casebook.runtime.learning.identifying import (
    Path,
    Private,
    arguments_of,
    is_choice,
    is_identifying,
    is_tellable_name,
    is_word,
    leaves_of,
    may_be_kind,
    prefix_of,
    private_words,
)

CHANCE: Final = 0.05
"""How likely chance may be as the reason of what the occurrences share, over all features looked at."""
MOST_FEATURES: Final = 3
"""Conditions beside the anchor."""
MOST_TIED: Final = 3
"""Features that tell the same calls apart and stand in one condition, any of them."""
LEAST_SPARED: Final = 2
"""Successful calls that a feature must tell from the occurrences: what spares fewer is not worth a condition."""
FEW: Final = 8
"""Different values up to which an argument may be a choice among a few."""
MOST_ARGUMENTS: Final = 50
"""Arguments that are looked at, the first by name: a bound of time."""
LEAST_IDS: Final = 3
"""Different ids of one kind, such as `credit_card_…`, before its word is taken for a kind and not for a name; 2 are enough where
another kind has as many."""
FLAG_CHARS: Final = 30

COMMANDS: Final = ("command", "cmd", "script", "commands")
"""Arguments that a shell's command may stand in."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A condition beside the anchor, and why it was taken: of `among` different successful calls `having` have it too."""

    node: Node
    having: int
    among: int

    @property
    def prevalence(self) -> float:
        """Give the share of successful calls that have it, by Laplace's rule: never 0, and a half where there are none."""
        return (self.having + 1) / (self.among + 2)


def features_of(
    occurrences: Sequence[EventRecord],
    succeeded: Sequence[EventRecord],
    tested: Backtest,
    *,
    users: int | None = None,
) -> tuple[Feature, ...]:
    """Give at most `MOST_FEATURES` features, the rarest first; each is judged on the successes that the ones before it leave.

    Args:
        occurrences: of one signature, each of which a feature must hold for.
        succeeded: calls of the same anchor that succeeded.
        tested: to ask whether a condition holds for a record.
        users: for everyone's case, as in `candidates`.
    """
    calls = _distinct(occurrences)
    left = _distinct(each for each in succeeded if arguments_of(each))  # of old calls the arguments are no longer known
    nodes = [
        node for node in candidates(calls, left, users=users) if all(tested.holds(node, each) for each in occurrences)
    ]
    nodes = [node for node in nodes if not all(tested.holds(node, each) for each in left)]
    looked_at = len(nodes)
    taken: list[Feature] = []
    while nodes and len(taken) < MOST_FEATURES:
        held = {node: tuple(tested.holds(node, each) for each in left) for node in nodes}
        rarest = min(held.values(), key=sum)
        feature = Feature(_either([node for node in nodes if held[node] == rarest]), sum(rarest), len(left))
        spared = feature.among - feature.having
        if spared < LEAST_SPARED or looked_at * feature.prevalence ** len(calls) > CHANCE:
            break
        taken.append(feature)
        nodes = [node for node in nodes if held[node] != rarest]
        left = [each for each, has in zip(left, rarest, strict=True) if has]
    return tuple(taken)


def _either(nodes: Sequence[Node]) -> Node:
    """Give one condition of several that tell the same calls apart: which of them matters is not known, so any is enough.

    Of several about one argument the first stands for all, and for those within it.
    """
    first: dict[Field, Node] = {}
    for node in nodes:
        if isinstance(node, Test) and Field(node.field.path[:2]) not in first:
            first.setdefault(node.field, node)
    chosen = tuple(first.values())[:MOST_TIED]
    return chosen[0] if len(chosen) == 1 else Or(chosen)


def distinct_calls(records: Iterable[EventRecord]) -> int:
    """Count different calls: the same arguments again are no further evidence."""
    return len(_distinct(records))


def _distinct(records: Iterable[EventRecord]) -> list[EventRecord]:
    """Give the first record of each set of tool and arguments."""
    found: dict[str, EventRecord] = {}
    for record in records:
        identity = [record.tool, arguments_of(record) or record.body.get("text")]
        found.setdefault(json.dumps(identity, sort_keys=True, default=str), record)
    return list(found.values())


def candidates(
    calls: Sequence[EventRecord], succeeded: Sequence[EventRecord], *, users: int | None = None
) -> list[Node]:
    """Give all that some calls share and that may be told, in order of the arguments' names.

    That is: equal words and truths, arguments that are there or not, kinds of ids, programs and long flags of a shell command.
    Nothing where the arguments of one of the calls are not known.

    Args:
        calls: that failed.
        succeeded: to tell them from.
        users: for everyone's case: an argument that is not there is named only where so many different users gave it.
    """
    if not calls or not all(map(arguments_of, calls)):
        return []
    both = [*calls, *succeeded]
    private = private_words(both)
    nodes: list[Node] = [*_presences(calls, succeeded, users)]
    shared = [_values(each) for each in calls]
    everywhere = [(record, _values(record)) for record in both]
    for path in sorted(shared[0])[:MOST_ARGUMENTS]:
        if not all(path in values for values in shared):
            continue
        known = [(record, values[path]) for record, values in everywhere if path in values]
        nodes += _equal(path, [values[path] for values in shared], known, private)
        nodes += _kinds(path, [values[path] for values in shared], known, private)
    nodes += _flags(calls)
    nodes += _programs(calls)
    return nodes


def _values(record: EventRecord) -> dict[Path, list[Any]]:
    """Give the values of each argument that has a name which may be told, at most two names deep."""
    found: dict[Path, list[Any]] = {}
    for path, value in leaves_of(arguments_of(record)):
        if 1 <= len(path) <= 2 and all(map(is_tellable_name, path)) and _is_reached(record, path):
            found.setdefault(path, []).append(value)
    return found


def _is_reached(record: EventRecord, path: Path) -> bool:
    """Say whether a condition reaches a value: names lead through mappings alone, never through the items of a list."""
    first = arguments_of(record).get(path[0])
    return len(path) == 1 or isinstance(first, dict)


def _field(path: Path) -> Field:
    return Field(("args", *map(normal, path)))


def _presences(calls: Sequence[EventRecord], succeeded: Sequence[EventRecord], users: int | None) -> Iterator[Node]:
    """Give the arguments that all calls have, and those that none has and some that succeeded have."""
    given = [_names(each) for each in calls]
    elsewhere: dict[Path, set[str | None]] = {}
    for each in succeeded:
        for name in _names(each):
            elsewhere.setdefault(name, set()).add(each.principal.user)
    names = sorted(set.intersection(*given))
    yield from (Test(_field(name), "exists") for name in names[:MOST_ARGUMENTS])
    absent = sorted(
        name
        for name in elsewhere.keys() - set().union(*given)
        if len(elsewhere[name] - {None}) >= (users or 0) and (len(name) == 1 or name[:1] in names)
    )
    yield from (Test(_field(name), "missing") for name in absent[:MOST_ARGUMENTS])


def _names(record: EventRecord) -> set[Path]:
    """Give the names of the arguments that are there and may be told, and of those within an argument."""
    found: set[Path] = set()
    for name, value in arguments_of(record).items():
        if value is not None and is_tellable_name(name):
            found.add((name,))
            if isinstance(value, Mapping):
                inside = (each for each, inner in value.items() if inner is not None and is_tellable_name(each))
                found.update((name, each) for each in inside)
    return found


def _equal(
    path: Path, several: Sequence[list[Any]], known: Sequence[tuple[EventRecord, list[Any]]], private: Private
) -> Iterator[Node]:
    """Give the truths and words that all calls have in an argument."""
    first = several[0]
    for value in dict.fromkeys(each for each in first if isinstance(each, bool)):
        if all(any(each is value for each in values) for values in several):
            yield Test(_field(path), "is", value)
    if not is_choice(path):
        return
    for word in dict.fromkeys(each for each in first if isinstance(each, str)):
        shared = all(any(each == word for each in values if isinstance(each, str)) for values in several)
        if shared and is_word(word) and not private.has(word) and _is_among_few(word, known):
            yield Test(_field(path), "is", normal(word))


def _is_among_few(word: str, known: Sequence[tuple[EventRecord, list[Any]]]) -> bool:
    """Say whether an argument is a choice: few different values for its calls, and another than this word comes up again."""
    seen: Counter[str] = Counter()
    for _, values in known:
        seen.update({each for each in values if isinstance(each, str)})
    again = any(count > 1 for value, count in seen.items() if value != word)
    return again and len(seen) <= FEW and 2 * len(seen) <= len(known)


def _kinds(
    path: Path, several: Sequence[list[Any]], known: Sequence[tuple[EventRecord, list[Any]]], private: Private
) -> Iterator[Node]:
    """Give the word before the ids of an argument (`certificate_`), where all calls share it and ids have few such words."""
    if not may_be_kind(path):
        return
    first = several[0][0]
    prefix = prefix_of(first) if isinstance(first, str) else ""
    if not prefix or private.has(prefix):
        return
    if not all(isinstance(each, str) and prefix_of(each) == prefix for values in several for each in values):
        return
    ids = {each for _, values in known for each in values if isinstance(each, str)}
    kinds = Counter(prefix_of(each) for each in ids)
    own = kinds.pop(prefix)
    others = max((count for kind, count in kinds.items() if kind), default=0)
    if len(kinds) >= FEW or own < 2 or (own < LEAST_IDS and others < 2):
        return
    yield Test(_field(path), "starts_with", normal(prefix))


def _flags(calls: Sequence[EventRecord]) -> Iterator[Node]:
    """Give the long flags that all shell commands have."""
    for name in COMMANDS:
        commands = [arguments_of(each).get(name) for each in calls]
        if all(isinstance(each, str | list) and each for each in commands):
            sets = [set(long_flags(each)) for each in commands]
            for flag in sorted(set.intersection(*sets))[:MOST_ARGUMENTS]:
                yield Test(_field((name,)), "contains", flag)
            return


def _programs(calls: Sequence[EventRecord]) -> Iterator[Node]:
    """Give the actions that all shell commands run, and the programs of no such action, but for those that only prepare."""
    actions, programs = (
        set.intersection(*({normal(each) for each in words_of(call.body, name)} for call in calls)) - PREPARING
        for name in ("action", "program")
    )
    programs -= {each.partition(" ")[0] for each in actions}
    for name, shared in (("action", actions), ("program", programs)):
        yield from (Test(Field((name,)), "is", each) for each in sorted(shared) if not is_identifying(each))


def long_flags(command: Any) -> Iterator[str]:
    """Give the long flags of a command, a line or a list of arguments: those of letters alone, without their values."""
    words = command.split() if isinstance(command, str) else command
    for word in words:
        if isinstance(word, str):
            flag, equals, _ = word.partition("=")
            letters = flag[2:].replace("-", "")
            plain = flag.startswith("--") and letters.isascii() and letters.isalpha() and len(flag) <= FLAG_CHARS
            if plain and not (equals and isinstance(command, list)):
                yield flag
