"""A memory as it is searched: where it stands, whose it is, its terms."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from casebook.conditions.fold import nfc
from casebook.memory import Memory
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.memory.tokens import terms
from casebook.scope import Scope
from casebook.stores.memory_store import Placed

Reach = tuple[str | None, str | None, str | None, str | None]
"""A scope in NFC: user, project, team, agent."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One memory of one layer.

    Attributes:
        placed: the memory and its file.
        rank: the place of its casebook among the layers; of equal ids the first wins.
        terms: the hashes of its terms in order, eight bytes each, as of this process.
    """

    placed: Placed
    rank: int
    terms: bytes

    @property
    def memory(self) -> Memory:
        """Give the memory."""
        return self.placed.memory

    @property
    def length(self) -> int:
        """Give how many terms it has."""
        return len(self.terms) // _WIDTH


_WIDTH = array("q").itemsize


def entry_of(placed: Placed, rank: int, known: Entry | None) -> Entry:
    """Make the entry of a memory; one that is known of the same text spares the reading of the text."""
    if known is not None and known.memory.text == placed.memory.text:
        return Entry(placed, rank, known.terms)
    return Entry(placed, rank, hashes(terms(placed.memory.text)).tobytes())


def hashes(of: Iterable[str]) -> array[int]:
    """Give the hash of each term: 64 bits, so that two terms of any casebook hardly ever share one."""
    return array("q", map(hash, of))


def unpacked(packed: bytes) -> array[int]:
    """Give the hashes of an entry's terms."""
    found = array("q")
    found.frombytes(packed)
    return found


def reach_of(scope: Scope) -> Reach:
    """Give a scope as it is looked up."""
    return _name(scope.user), _name(scope.project), _name(scope.team), _name(scope.agent)


def reaches(principal: Principal) -> Iterable[Reach]:
    """Give every scope that a principal is within, as `casebook.runtime.answer.isolation.within` decides."""
    users, projects, agents = (_or_nobody(each) for each in (principal.user, principal.project, principal.agent))
    return product(users, projects, (None, *sorted(principal.teams)), agents)


def _or_nobody(name: str | None) -> tuple[str | None, ...]:
    return (None,) if name is None else (None, name)


def _name(name: str | None) -> str | None:
    return None if name is None else nfc(name)
