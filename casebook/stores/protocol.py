"""The seam of every store: a snapshot that serves, and the few ways to change what is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from casebook.case import Case, LoadedCase
from casebook.faults import Fault
from casebook.policy import Policy
from casebook.scope import Scope


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A casebook as it serves at one moment.

    Attributes:
        generation: grows by one with every visible change, from 1.
        cases: the cases that serve, of any status, by id; in path order, then in the order of their file.
        faults: all faults and warnings, the policy's first, then in path and file order.
        policy: what its owner has decided, or the defaults.
        shared: what of it counts where other layers serve, too; None for all of it.
    """

    generation: int
    cases: Mapping[str, LoadedCase]
    faults: tuple[Fault, ...]
    policy: Policy
    shared: Policy | None = None


class Store(Protocol):
    """A casebook, wherever it is kept. Safe to use from many threads.

    Every method but `snapshot` raises StoreError where the store cannot be written, with the reason.
    """

    location: str

    def snapshot(self) -> Snapshot:
        """Give what serves now. Notices the edits of others; the same object comes back while nothing has changed."""
        ...

    def put(self, case: Case, *, file: str | None = None) -> None:
        """Add a case, or replace the one of its id where that stands.

        Args:
            case: the case; its conditions must parse.
            file: where a new one goes, relative to the casebook; default by its type.
        """
        ...

    def edit(
        self, case_id: str, changes: Mapping[str, Any], *, remove: Iterable[str] = (), if_version: str | None = None
    ) -> None:
        """Change fields of a case and leave the rest of its text as it is.

        Args:
            case_id: which.
            changes: fields to their new JSON values.
            remove: fields to take out.
            if_version: the version that was read; another one there now raises StoreError.

        Raises:
            NotFoundError: there is no such case.
        """
        ...

    def archive(self, case_id: str, *, reason: str = "retired") -> None:
        """Move a case, with its whole text, into the archive. Raises NotFoundError."""
        ...

    def restore(self, case_id: str) -> None:
        """Bring a case back from the archive, as it was. Raises NotFoundError."""
        ...

    def scope_of(self, fault: Fault) -> Scope | None:
        """Give for whom the case at fault is, as far as its text can be read; None where that is not known.

        A fault may quote a case, and what is for one user must not be shown to another.
        """
        ...

    def close(self) -> None:
        """Let go of files and locks. A closed store may be opened again by its location."""
        ...
