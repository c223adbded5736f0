"""The Rete matcher: durable_rules decides every candidate, in rulesets that are made on demand and evicted when unused."""

from __future__ import annotations

import itertools
import logging
import threading
import weakref
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading
from casebook.conditions.facts import Facts
from casebook.faults import ClosedError
from casebook.forking import guarded
from casebook.runtime.matching.alpha import Tell
from casebook.runtime.matching.production import Production, cases_of
from casebook.runtime.matching.protocol import EngineName, RuleView
from casebook.runtime.matching.rulebase import RuleBase
from casebook.runtime.matching.ruleset import MAX_PROPERTIES, MAX_RULES, EngineError, Ruleset, definition, free

RESIDENT_RULES = 12_000
"""Rules that may live in the engine at once: about 25 KB each, so 300 MB (`docs/durable-rules.md`)."""
OVERHEAD = 6
"""What a ruleset costs beside its rules, in rules: about 150 KB, its warm-up rule among it."""
SMALL = 12
"""A ruleset of at most so many rules is melted into the next one that is made for the same task."""

_log = logging.getLogger(__name__)
_serial = itertools.count(1)


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
        self._lock: threading.RLock = guarded(self, rank=3)
        self._base = RuleBase()
        self._at: Mapping[str, LoadedCase] | None = None
        self._closed = False
        self._rulesets: OrderedDict[Ruleset, None] = OrderedDict()
        self._small: dict[Ruleset, None] = {}
        self._handles: set[int] = set()
        self._resident = 0
        self._made = 0
        self._evicted = 0
        self._engine_errors = 0
        self._finalizer = weakref.finalize(self, _free_all, engine, self._handles)
        self._finalizer.atexit = False  # the process takes its memory with it

    def update(self, cases: Mapping[str, LoadedCase]) -> None:
        """Bring it to these cases, by id; only what differs is worked out again."""
        with self._lock, self._whole():
            self._at = None
            for gone in self._base.update(cases):
                home = gone.ruleset
                if home is None:
                    continue
                gone.ruleset = None
                del home.members[gone.rule]
                if len(home.members) * 2 < home.size:
                    self._free(home)
            self._at = cases

    def match(self, facts: Facts) -> tuple[LoadedCase, ...]:
        """Give the conflict set; see `Matcher.match`."""
        return self._match(Reading(facts))

    def _match(self, reading: Reading) -> tuple[LoadedCase, ...]:
        with self._lock:
            if self._closed:
                raise ClosedError
            try:  # as `_whole`, which costs two microseconds
                candidates = self._base.router.candidates(self._base.network.passed(reading), reading)
                if not candidates:
                    return ()
                fired: dict[Production, None] = {}
                self._ask(candidates, reading, fired)
                return cases_of(fired)
            except BaseException:
                self._forget()
                raise

    def match_at(self, cases: Mapping[str, LoadedCase], reading: Reading) -> tuple[LoadedCase, ...] | None:
        """Give the conflict set among these cases; see `Matcher.match_at`."""
        with self._lock:
            return self._match(reading) if self._closed or cases is self._at else None

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Let nothing half done answer: what is interrupted leaves the matcher without cases."""
        if self._closed:
            raise ClosedError
        try:
            yield
        except BaseException:
            self._forget()
            raise

    def _forget(self) -> None:
        self._at = None
        self._base = RuleBase()
        while self._rulesets:
            self._free(next(iter(self._rulesets)))

    def _ask(self, candidates: list[Production], reading: Reading, fired: dict[Production, None]) -> None:
        """Ask the rulesets of the candidates, each about its own; make those that are missing, as far as there is room.

        What the engine cannot be asked about stands as the reference evaluator decides it: candidates are those whose tests hold.
        """
        groups = _by_home(candidates)
        homeless = groups.pop(None, [])
        told: dict[Tell, str] = {}
        for home, group in groups.items():
            if home is not None and not self._collect(home, group, reading, told, fired):
                fired.update(dict.fromkeys(group))
        if not homeless:
            return
        room = self._resident_rules - sum(home.size + OVERHEAD for home in groups if home is not None)
        wanted, beyond = homeless[: max(room, 0)], homeless[max(room, 0) :]
        asked = set(wanted)  # a ruleset may be made with rules that were melted into it and are no candidates
        fired.update(dict.fromkeys(beyond))  # given rules, they and what was just asked would evict one another
        for home, housed in self._housed(wanted, groups):
            group = [each for each in housed if each in asked]
            if home is None or not self._collect(home, group, reading, told, fired):
                fired.update(dict.fromkeys(group))
            self._evict()

    def _collect(
        self,
        home: Ruleset,
        group: list[Production],
        reading: Reading,
        told: dict[Tell, str],
        fired: dict[Production, None],
    ) -> bool:
        """Ask one ruleset; gives whether it answered. One that did not is dropped: its rules are made anew the next time.

        The message tells what these candidates read and no more: the engine looks up every property at every node.
        """
        self._rulesets.move_to_end(home)
        members: Collection[str]
        if len(group) == 1 and not group[0].tells:
            members = group[0].constants
        else:
            members = _members(group, reading, told)
            if len(members) > MAX_PROPERTIES:
                middle = len(group) // 2
                halves = (group[:middle], group[middle:])
                return all(self._collect(home, half, reading, told, fired) for half in halves)
        try:
            rules = home.ask(",".join(members))
        except EngineError as error:
            self._complain(error)
            self._free(home)
            return False
        productions = home.members
        for rule in rules:
            found = productions.get(rule)  # a rule whose case is gone may still stand in its ruleset
            if found is not None:
                fired[found] = None
        return True

    def _complain(self, error: EngineError) -> None:
        self._engine_errors += 1
        _log.warning("%s; its cases were matched by the reference evaluator", error)

    def _housed(
        self, homeless: list[Production], asked: Iterable[Ruleset | None]
    ) -> Iterator[tuple[Ruleset | None, list[Production]]]:
        """Make rulesets for productions that have none, one after another, each with its own; None where the engine refuses.

        Small rulesets are melted in: those asked by the same task, so that what is asked together lives together, and others no
        larger than what is there already, so that edits do not scatter rules (each rule is remade a few times at most).
        """
        waiting = list(homeless)
        near = [home for home in asked if home in self._small and len(home.members) <= SMALL]
        others = [home for home in self._small if home not in near and len(home.members) <= len(homeless)]
        for home in (*near, *others):
            if len(home.members) + len(waiting) <= MAX_RULES:
                waiting.extend(home.members.values())
                self._free(home)
        for first in range(0, len(waiting), MAX_RULES):
            housed = waiting[first : first + MAX_RULES]
            made: Ruleset | None = None
            try:
                made = self._make(housed)
            except EngineError as error:
                self._complain(error)
            yield made, housed

    def _make(self, productions: Iterable[Production]) -> Ruleset:
        ruleset = Ruleset(self._engine, f"casebook_{next(_serial)}", productions)
        self._rulesets[ruleset] = None
        self._handles.add(ruleset.handle)
        self._resident += ruleset.size + OVERHEAD
        if ruleset.size * 2 <= MAX_RULES:
            self._small[ruleset] = None
        self._made += 1
        return ruleset

    def _evict(self) -> None:
        while self._resident > self._resident_rules and len(self._rulesets) > 1:
            self._free(next(iter(self._rulesets)))
            self._evicted += 1

    def _free(self, ruleset: Ruleset) -> None:
        del self._rulesets[ruleset]
        self._handles.discard(ruleset.handle)
        self._resident -= ruleset.size + OVERHEAD
        self._small.pop(ruleset, None)
        ruleset.free()

    def rule_of(self, case_id: str) -> RuleView | None:
        """Say how a case stands in the engine; its ruleset is made where it has none."""
        with self._lock, self._whole():
            production = self._base.production_of(case_id)
            if production is None:
                return None
            home = production.ruleset
            if home is None:
                home = self._make([production])
                self._evict()
            return view(self.engine, home.name, production)

    def figures(self) -> Mapping[str, int]:
        """Give its sizes and counts by name."""
        with self._lock:
            return {
                "productions": len(self._base),
                "alpha_nodes": len(self._base.network),
                "rulesets": len(self._rulesets),
                "resident_rules": self._resident - OVERHEAD * len(self._rulesets),
                "rulesets_made": self._made,
                "rulesets_evicted": self._evicted,
                "engine_errors": self._engine_errors,
            }

    def close(self) -> None:
        """Free all rulesets."""
        with self._lock:
            self._closed = True
            self._forget()


def _members(group: Iterable[Production], reading: Reading, told: dict[Tell, str]) -> set[str]:
    """Give what a message about some candidates says, each property once (twice, and its rules would fire twice)."""
    members: set[str] = set()
    for each in group:
        members.update(each.constants)
        for tell in each.tells:
            value = told.get(tell)
            if value is None:
                value = told[tell] = tell(reading)
            members.add(value)
    members.discard("")
    return members


def _by_home(candidates: Iterable[Production]) -> dict[Ruleset | None, list[Production]]:
    groups: dict[Ruleset | None, list[Production]] = {}
    for each in candidates:
        group = groups.get(each.ruleset)
        if group is None:
            groups[each.ruleset] = [each]
        else:
            group.append(each)
    return groups


def view(engine: EngineName, ruleset: str, production: Production) -> RuleView:
    """Give what an explanation shows of a production's rule."""
    legend = tuple((posting.prop, posting.alpha.node, posting.positive) for posting in production.ordered())
    return RuleView(engine, ruleset, production.rule, definition(production), legend)


def _free_all(engine: Any, handles: set[int]) -> None:
    for handle in handles:
        free(engine, handle)
