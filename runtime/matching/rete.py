"""The Rete matcher: durable_rules decides every candidate, in rulesets that are made on demand and evicted when unused."""

from __future__ import annotations

import itertools
import logging
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.runtime.matching.alpha import counter_value
from casebook.runtime.matching.forking import guarded
from casebook.runtime.matching.numbers import clamp
from casebook.runtime.matching.production import Posting, Production, Signals
from casebook.runtime.matching.protocol import EngineName, RuleView
from casebook.runtime.matching.rulebase import RuleBase
from casebook.runtime.matching.ruleset import MAX_PROPERTIES, MAX_RULES, EngineError, Ruleset, definition, free

RESIDENT_RULES = 12_000
"""Rules that may live in the engine at once: about 25 KB each, so 300 MB (`docs/durable-rules.md`)."""
SMALL = 6
"""A ruleset of at most so many rules is melted into the next one that is made, so that edits do not scatter rules."""

_log = logging.getLogger(__name__)
_serial = itertools.count(1)


@dataclass(slots=True)
class _Asking:
    """One task on its way through the rulesets."""

    reading: Reading
    signals: Signals
    members: dict[Posting, str] = field(default_factory=dict)
    fired: dict[Production, None] = field(default_factory=dict)


class ReteMatcher:
    """Decides with durable_rules. Safe from many threads and over forks: one lock, held through a match or an update."""

    engine: EngineName = "durable_rules"

    def __init__(self, engine: Any, resident_rules: int = RESIDENT_RULES) -> None:
        """Begin with no cases.

        Args:
            engine: the module `durable_rules_engine`.
            resident_rules: how many rules may live in the engine at once; least recently asked rulesets go first.
        """
        self._engine = engine
        self._resident_rules = max(resident_rules, MAX_RULES)
        self._lock: threading.RLock = guarded(self)
        self._base = RuleBase()
        self._rulesets: OrderedDict[Ruleset, None] = OrderedDict()
        self._handles: set[int] = set()
        self._resident = 0
        self._made = 0
        self._evicted = 0
        self._engine_errors = 0
        self._finalizer = weakref.finalize(self, _free_all, engine, self._handles)
        self._finalizer.atexit = False  # the process takes its memory with it

    def update(self, cases: Mapping[str, LoadedCase]) -> None:
        """Bring it to these cases, by id; only what differs is worked out again."""
        with self._lock:
            for gone in self._base.update(cases):
                home = gone.ruleset
                if home is None:
                    continue
                gone.ruleset = None
                del home.members[gone.rule]
                if len(home.members) * 2 < home.size:
                    self._free(home)

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        """Give the conflict set, by id."""
        with self._lock:
            reading = Reading(facts)
            passed = self._base.network.passed(reading)
            signals = Signals(reading, passed)
            candidates = [each for each in self._base.router.candidates(passed) if signals.agree(each.signals)]
            if not candidates:
                return ()
            found: list[LoadedCase] = []
            for production in self._fired(candidates, signals, reading):
                found.extend(production.cases.values())
        found.sort(key=lambda case: case.id)
        return tuple(found)

    def _fired(
        self, candidates: Sequence[Production], signals: Signals, reading: Reading
    ) -> dict[Production, None]:
        asked: dict[Ruleset | None, list[Production]] = {}
        for production in candidates:
            home = production.ruleset
            group = asked.get(home)
            if group is None:
                asked[home] = [production]
            else:
                group.append(production)
        homeless = asked.pop(None, [])
        asking = _Asking(reading, signals)
        for ruleset, group in asked.items():
            if ruleset is not None:
                self._rulesets.move_to_end(ruleset)
                self._ask(ruleset, group, asking)
        if homeless:
            self._settle(homeless, [each for each in asked if each is not None], asking)
        return asking.fired

    def _settle(self, homeless: Sequence[Production], asked: Sequence[Ruleset], asking: _Asking) -> None:
        """Make rulesets for candidates that have none, ask them, and keep within the bound after each."""
        waiting = list(homeless)
        for ruleset in asked:
            if len(ruleset.members) <= SMALL and len(waiting) < MAX_RULES:
                waiting.extend(ruleset.members.values())
                self._free(ruleset)
        wanted = set(homeless)
        for first in range(0, len(waiting), MAX_RULES):
            group = waiting[first : first + MAX_RULES]
            candidates = [each for each in group if each in wanted]
            try:
                ruleset = self._make(self._filled(group))
            except EngineError as error:
                self._decide(candidates, asking, error)
                continue
            self._ask(ruleset, candidates, asking)
            self._evict()

    def _filled(self, group: Sequence[Production]) -> list[Production]:
        """Fill a ruleset up with neighbours that have no home yet, as long as all rules fit into memory."""
        chosen = dict.fromkeys(group)
        if len(self._base) <= self._resident_rules:
            for production in group:
                for each in self._base.router.neighbours(production):
                    if len(chosen) >= MAX_RULES:
                        return list(chosen)
                    if each.ruleset is None:
                        chosen[each] = None
        return list(chosen)

    def _make(self, productions: Iterable[Production]) -> Ruleset:
        ruleset = Ruleset(self._engine, f"casebook_{next(_serial)}", productions)
        self._rulesets[ruleset] = None
        self._handles.add(ruleset.handle)
        self._resident += ruleset.size
        self._made += 1
        return ruleset

    def _evict(self) -> None:
        while self._resident > self._resident_rules and len(self._rulesets) > 1:
            self._free(next(iter(self._rulesets)))
            self._evicted += 1

    def _free(self, ruleset: Ruleset) -> None:
        del self._rulesets[ruleset]
        self._handles.discard(ruleset.handle)
        self._resident -= ruleset.size
        ruleset.free()

    def _ask(self, ruleset: Ruleset, group: Sequence[Production], asking: _Asking) -> None:
        constants: set[str] = set()
        asked: set[Posting] = set()
        for production in group:
            constants.update(production.constants)
            asked.update(production.open)
        if len(constants) + len(asked) > MAX_PROPERTIES:
            middle = len(group) // 2
            self._ask(ruleset, group[:middle], asking)
            self._ask(ruleset, group[middle:], asking)
            return
        for posting in asked:
            value = asking.members.get(posting)
            if value is None:
                value = asking.members[posting] = self._member(posting, asking.reading)
            if value:
                constants.add(value)
        members = ruleset.members
        try:
            rules = ruleset.ask(",".join(constants))
        except EngineError as error:
            self._free(ruleset)
            self._decide(group, asking, error)
            return
        for rule in rules:
            found = members.get(rule)  # a rule whose case is gone may still stand in its ruleset
            if found is not None:
                asking.fired[found] = None

    def _decide(self, group: Iterable[Production], asking: _Asking, error: EngineError) -> None:
        """Decide candidates in Python this once, since the engine would not; their rules are made anew the next time."""
        self._engine_errors += 1
        _log.warning("%s; its cases were matched by the reference evaluator", error)
        asking.fired.update(dict.fromkeys(each for each in group if asking.signals.agree(each.open)))

    def _member(self, posting: Posting, reading: Reading) -> str:
        """Give the JSON member that says what a task has for a property, empty where it is to be absent."""
        node = posting.alpha.node
        if posting.how == "code":
            root = node.field.root  # type: ignore[union-attr]  # only tests are posted by code
            return f'"{posting.prop}":{self._base.network.code(root, reading.facts.values.get(root))}'
        count = counter_value(node, reading)  # type: ignore[arg-type]  # only counter tests are posted as counts
        return "" if count is None else f'"{posting.prop}":{clamp(count)}'

    def rule_of(self, case_id: str) -> RuleView | None:
        """Say how a case stands in the engine; its ruleset is made where it has none."""
        with self._lock:
            production = self._base.production_of(case_id)
            if production is None:
                return None
            home = production.ruleset
            if home is None:
                home = self._make(self._filled([production]))
                self._evict()
            return view(self.engine, home.name, production)

    def figures(self) -> Mapping[str, int]:
        """Give its sizes and counts by name."""
        with self._lock:
            return {
                "productions": len(self._base),
                "alpha_nodes": len(self._base.network),
                "rulesets": len(self._rulesets),
                "resident_rules": self._resident,
                "rulesets_made": self._made,
                "rulesets_evicted": self._evicted,
                "engine_errors": self._engine_errors,
            }

    def close(self) -> None:
        """Free all rulesets."""
        with self._lock:
            while self._rulesets:
                self._free(next(iter(self._rulesets)))


def view(engine: EngineName, ruleset: str, production: Production) -> RuleView:
    """Give what an explanation shows of a production's rule."""
    ordered = sorted(production.postings, key=lambda posting: (-posting.alpha.uses, posting.alpha.number))
    legend = tuple((posting.prop, posting.alpha.node, posting.positive) for posting in ordered)
    return RuleView(engine, ruleset, production.rule, definition(production), legend)


def _free_all(engine: Any, handles: set[int]) -> None:
    for handle in handles:
        free(engine, handle)
