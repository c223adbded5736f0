"""The rule base that both engines share: cases as productions, in the alpha network and the router, kept up to date."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from casebook.case import LoadedCase
from casebook.runtime.matching.alpha import AlphaNetwork, AlphaNode
from casebook.runtime.matching.literals import Literal, literals
from casebook.runtime.matching.production import Production, bundled, production
from casebook.runtime.matching.router import Router

Key = frozenset[Literal]


MANY = 500
"""Cases from which on an update holds back the garbage collector: half of the time of a large one would be its."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold back the cyclic garbage collector while many objects are made, none of them garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(slots=True)
class _Waiting:
    """A conjunction that has no production yet: its literals, as alpha nodes with their signs, and the cases that ask it."""

    literals: tuple[tuple[AlphaNode, bool], ...]
    cases: dict[str, LoadedCase] = field(default_factory=dict)


class RuleBase:
    """The productions of the cases that are active. Not safe for two threads: its matcher locks."""

    def __init__(self) -> None:
        """Begin empty."""
        self.network = AlphaNetwork()
        self.router = Router(self.network)
        self._cases: Mapping[str, LoadedCase] = {}
        self._productions: dict[Key, Production] = {}
        self._by_case: dict[str, tuple[Key, Production]] = {}
        self._serial = 0

    def __len__(self) -> int:
        """Give how many productions there are."""
        return len(self._productions)

    def update(self, cases: Mapping[str, LoadedCase]) -> list[Production]:
        """Bring it to these cases, touching only what differs from before; gives the productions that are gone."""
        old = self._cases
        retired: list[Production] = []
        waiting: dict[Key, _Waiting] = {}
        for name in old:
            if name not in cases:
                self._drop(name, retired)
        changed = [case for name, case in cases.items() if old.get(name) is not case]
        with _uncollected() if len(changed) > MANY else nullcontext():
            for case in changed:
                self._replace(case, waiting, retired)
            self._enter(waiting)
        self._cases = dict(cases)  # the caller may go on with its own
        return retired

    def _replace(self, case: LoadedCase, waiting: dict[Key, _Waiting], retired: list[Production]) -> None:
        if case.case.status != "active":
            self._drop(case.id, retired)
            return
        asked = literals(case.conditions, case.case.scope, case.zone)
        key = frozenset(asked)
        known = self._by_case.get(case.id)
        if known is not None and known[0] == key:
            known[1].cases[case.id] = case
            return
        self._drop(case.id, retired)
        found = self._productions.get(key)
        if found is not None:
            found.cases[case.id] = case
            self._by_case[case.id] = (key, found)
            return
        if key not in waiting:
            signed = tuple((self.network.add(node), positive) for node, positive in bundled(asked))
            waiting[key] = _Waiting(signed)
        waiting[key].cases[case.id] = case

    def _enter(self, waiting: Mapping[Key, _Waiting]) -> None:
        """Make the productions that are new, once all their tests are counted, so that the rarest are known.

        Those that are found together are made one after another, so that they lie together in memory.
        """
        routed = [(self.router.route(each.literals), key, each) for key, each in waiting.items()]
        routed.sort(key=lambda entry: tuple(alpha.number for alpha in entry[0]))
        for route, key, each in routed:
            self._serial += 1
            found = self._productions[key] = production(self.network, self._serial, each.literals, each.cases)
            self.router.add(found, route)
            for name in each.cases:
                self._by_case[name] = (key, found)

    def _drop(self, name: str, retired: list[Production]) -> None:
        known = self._by_case.pop(name, None)
        if known is None:
            return
        key, found = known
        del found.cases[name]
        if not found.cases:
            del self._productions[key]
            self.router.remove(found)
            for posting in found.postings:
                self.network.remove(posting.alpha)
            retired.append(found)

    def production_of(self, name: str) -> Production | None:
        """Give the production of a case by its id, or None where the case is not active or not here."""
        known = self._by_case.get(name)
        return None if known is None else known[1]
