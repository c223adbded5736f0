"""The second rival: CLIPS through clipspy, a rule a case, modelled in its favour.

Of the models that were tried (a fact a field, joins with `test`, one fact that carries all, this one) this one is its
fastest: one `task` fact whose slots hold the names, times and counts, tested in the rule's alpha network, and a `has` fact
for each word found. Words are found outside by the same kind of automaton that Casebook uses, and only words that some
rule asks are asserted. No rule is run: the answer is read off the agenda, and the facts are retracted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ahocorasick_rs
import clips
from clips._clips import ffi, lib

from casebook.conditions.facts import Facts
from tests.benchmarks.corpus import SLOTS, Condition, Slot, plain

_SLOT_NAMES: tuple[Slot, ...] = ("intent", "project", "tool", "errors", "recent_errors", "shell_calls", "second")
_NAMES: tuple[Slot, ...] = ("intent", "project", "tool")
_PLACES = {slot: SLOTS.index(slot) for slot in SLOTS}


class Clips:
    """CLIPS through the public interface of clipspy."""

    def __init__(self, conditions: Mapping[str, Sequence[Condition]]) -> None:
        """Build the rules of the cases."""
        self._environment = clips.Environment()
        self._environment.build(f"(deftemplate task {' '.join(f'(slot {name})' for name in _SLOT_NAMES)})")
        self._environment.build("(deftemplate has (slot word))")
        self._words = sorted({each.value for asked in conditions.values() for each in asked if each.slot == "text"})
        self._automaton = ahocorasick_rs.AhoCorasick(self._words)
        for name, asked in conditions.items():
            self._environment.build(_rule(name, asked))
        self._task = self._environment.find_template("task")
        self._has = self._environment.find_template("has")
        self._symbols = [clips.Symbol(word) for word in self._words]

    def found(self, text: str) -> set[int]:
        """Give the places of the words that stand in a text."""
        return {hit[0] for hit in self._automaton.find_matches_as_indexes(text, overlapping=True)}

    def match(self, facts: Facts) -> list[str]:
        """Give the ids of the cases that hold for a task."""
        intent, project, text, tool, second, errors, recent, shell = plain(facts)
        symbol = clips.Symbol
        asserted = [
            self._task.assert_fact(
                intent=symbol(intent), project=symbol(project), tool=symbol(tool),
                second=second, errors=errors, recent_errors=recent, shell_calls=shell,
            )
        ]  # fmt: skip
        has, symbols = self._has, self._symbols
        asserted.extend([has.assert_fact(word=symbols[place]) for place in self.found(text)])
        hits = [activation.name for activation in self._environment.activations()]
        for fact in asserted:
            fact.retract()
        return hits


class ClipsInC(Clips):
    """CLIPS through the C functions beneath clipspy: fact builders and symbols made beforehand, no Python objects."""

    def __init__(self, conditions: Mapping[str, Sequence[Condition]]) -> None:
        """Build the rules of the cases."""
        super().__init__(conditions)
        env = self._env = self._environment._env
        self._build_task = lib.CreateFactBuilder(env, b"task")
        self._build_has = lib.CreateFactBuilder(env, b"has")
        self._value = ffi.new("CLIPSValue *")
        self._lexemes = [self._lexeme(word) for word in self._words]

    def close(self) -> None:
        """Free the fact builders, which CLIPS complains of otherwise."""
        lib.FBDispose(self._build_task)
        lib.FBDispose(self._build_has)

    def _lexeme(self, word: str) -> Any:
        value = ffi.new("CLIPSValue *")
        value.lexemeValue = lib.CreateSymbol(self._env, word.encode())  # the rules keep it alive
        return value

    def match(self, facts: Facts) -> list[str]:
        """As `Clips.match`."""
        slots = plain(facts)
        env, value, task, has = self._env, self._value, self._build_task, self._build_has
        put: Callable[..., int] = lib.FBPutSlot
        for name in _NAMES:
            value.lexemeValue = lib.CreateSymbol(env, slots[_PLACES[name]].encode())
            put(task, name.encode(), value)
        for name in _SLOT_NAMES[3:]:
            value.integerValue = lib.CreateInteger(env, slots[_PLACES[name]])
            put(task, name.encode(), value)
        asserted = [lib.FBAssert(task)]
        lexemes = self._lexemes
        for place in self.found(slots[2]):
            put(has, b"word", lexemes[place])
            asserted.append(lib.FBAssert(has))
        hits = []
        activation = lib.GetNextActivation(env, ffi.NULL)
        while activation != ffi.NULL:
            hits.append(ffi.string(lib.ActivationRuleName(activation)).decode())
            activation = lib.GetNextActivation(env, activation)
        for fact in asserted:
            lib.Retract(fact)
        return hits


def _rule(name: str, asked: Sequence[Condition]) -> str:
    """Write the rule of a case: its words first, then the task, then words that must be absent."""
    first = [f"(has (word {each.value}))" for each in asked if each.op == "contains"]
    last = [f"(not (has (word {each.value})))" for each in asked if each.op == "lacks"]
    rest = sorted((each for each in asked if each.slot != "text"), key=lambda each: _SLOT_NAMES.index(each.slot))
    task = [f"(task {' '.join(f'({each.slot} {_constraint(each)})' for each in rest)})"] if rest else []
    return f"(defrule {name} {' '.join((*first, *task, *last))} =>)"


def _constraint(condition: Condition) -> str:
    op, value, bound = condition.op, condition.value, f"?{condition.slot}"
    if op == "is":
        return str(value)
    if op == "is_not":
        return f"~{value}"
    if op == "in":
        return "|".join(value)
    if op == "gte":
        return f"{bound}&:(>= {bound} {value})"
    start, end = value
    return f"{bound}&:({'and' if start < end else 'or'} (>= {bound} {start}) (< {bound} {end}))"
