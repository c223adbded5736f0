"""The rule base that both engines share: cases as productions, in the alpha network and the router, kept up to date."""

from __future__ import annotations

from collections.abc import Mapping

from casebook.case import LoadedCase
from casebook.runtime.matching.alpha import AlphaNetwork
from casebook.runtime.matching.literals import Literal, literals
from casebook.runtime.matching.production import Production, production
from casebook.runtime.matching.router import Router

Key = frozenset[Literal]


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
        fresh: list[Production] = []
        for name in old:
            if name not in cases:
                self._drop(name, retired)
        for name, case in cases.items():
            if old.get(name) is not case:
                self._replace(case, fresh, retired)
        for each in fresh:  # after all of them are counted, so that the rarest test is known
            self.router.add(each)
        self._cases = dict(cases)  # the caller may go on with its own
        return retired

    def _replace(self, case: LoadedCase, fresh: list[Production], retired: list[Production]) -> None:
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
        if found is None:
            self._serial += 1
            found = self._productions[key] = production(self.network, self._serial, asked)
            fresh.append(found)
        found.cases[case.id] = case
        self._by_case[case.id] = (key, found)

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
