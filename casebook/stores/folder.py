"""A casebook kept in a folder: JSON files that people, git and agents read and edit while it runs."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from casebook.case import Case
from casebook.clock import Clock
from casebook.faults import Fault, StoreError
from casebook.forking import guarded
from casebook.json_place import line_column, span_of
from casebook.problems import Path
from casebook.scope import Scope
from casebook.stores.cache import Cache
from casebook.stores.loading import Loader
from casebook.stores.ownership import Owners
from casebook.stores.policy_reading import POLICY_NAME, LastPolicy
from casebook.stores.protocol import Snapshot
from casebook.stores.watching import Watch

if TYPE_CHECKING:
    from casebook.stores.writing import Writer


class FolderStore:
    """The store of one folder (DESIGN section 9). Safe to use from many threads and, for writing, from many processes.

    Attributes:
        location: the folder, as it was named.
        root: the same as a path.
        layer: the name that its cases bear; empty for a single casebook.
        owners: whose files are read.
    """

    def __init__(
        self,
        root: FilePath | str,
        *,
        clock: Clock,
        layer: str = "",
        cache: bool = True,
        owners: Owners = None,
        last_policy: LastPolicy | None = None,
    ) -> None:
        """Open a folder; nothing is read before the first snapshot.

        Args:
            root: the folder that holds `long_term/` and `memory-policy.yaml` (both may be missing).
            clock: dates what is archived.
            layer: the name that its cases bear.
            cache: whether parsed cases are kept in `.casebook/compiled.cache`.
            owners: numbers of the users to whom the files may belong; others', and those to which everybody may write, are passed
                over. None for anybody's.
            last_policy: gives the policy that serves where the present one cannot be read; else the cache has the last good one.

        Raises:
            StoreError: there is no such folder.
        """
        self.root = FilePath(root)
        self.location = str(root)
        self.layer = layer
        self.owners = owners
        if not self.root.is_dir():
            raise StoreError(f"no casebook at {self.location}: expected a folder (casebook init makes one)")
        self._lock = guarded(self, rank=2)
        self._watch = Watch(self.root, POLICY_NAME, owners)
        self._cache = Cache(self.root) if cache else None
        self._loader = Loader(self.root, layer, self._cache, last_policy)
        self._clock = clock
        self._current: Snapshot | None = None
        self._unsettled = False
        self._is_whole = True
        self._flush = weakref.finalize(self, _keep, self._cache, self._loader)

    def snapshot(self) -> Snapshot:
        """Give what serves now; the same object while nothing has changed. Costs a `stat` a file where nothing has."""
        with self._lock:
            current = self._current
            if current is not None and not self._unsettled and self._watch.unchanged():
                return current
            return self._refreshed()

    def _refreshed(self) -> Snapshot:
        """Look at the folder itself, and read what has changed.

        An exception from outside (Ctrl-C, a host's alarm) may end it anywhere; the next call then takes up what was left.
        """
        is_whole, self._is_whole = self._is_whole, False
        self._unsettled = True
        entries, policy = self._watch.scan()
        changed = self._loader.refresh(entries, policy, self._watch.lost)
        unsettled = bool(self._loader.settles_at() or self._watch.folders_settle_at())
        made = self._current
        if made is None or changed or not is_whole:
            cases, faults = self._loader.assembled()
            generation = 1 if made is None else made.generation + 1
            is_first = made is None
            made = Snapshot(generation, MappingProxyType(cases), faults, self._loader.policy)
            self._current = made
            if is_first and self._cache is not None:
                self._cache.keep_small(self._loader)
        self._unsettled, self._is_whole = unsettled, True
        return made

    def put(self, case: Case, *, file: str | None = None) -> None:
        """Add a case, or replace the one of its id where that stands. Raises StoreError."""
        self._writer().put(case, file)

    def edit(
        self, case_id: str, changes: Mapping[str, Any], *, remove: Iterable[str] = (), if_version: str | None = None
    ) -> None:
        """Change fields of a case and leave the rest of its text as it is. Raises StoreError, NotFoundError."""
        self._writer().edit(case_id, changes, tuple(remove), if_version)

    def archive(self, case_id: str, *, reason: str = "retired") -> None:
        """Move a case, with its whole text, into the archive. Raises StoreError, NotFoundError."""
        self._writer().archive(case_id, reason)

    def restore(self, case_id: str) -> None:
        """Bring a case back from the archive, as it was. Raises StoreError, NotFoundError."""
        self._writer().restore(case_id)

    def _writer(self) -> Writer:
        """Give what writes the files; loaded late, for most processes never write."""
        from casebook.stores.writing import Writer

        return Writer(self.root, self._clock, self._loader, self._refreshed, self._lock)

    def scope_of(self, fault: Fault) -> Scope | None:
        """Give for whom the case at fault is, as far as its text can be read; None where that is not known."""
        if fault.line is None or fault.case is None:
            return None
        with self._lock:
            found = self._loader.element_at(fault.path, fault.line, fault.case)
        if found is None or found[1].id != fault.case:
            return None
        file, element = found
        try:
            return Scope.model_validate(json.loads(file.text(element)).get("scope", {}))
        except ValueError:  # pydantic's errors are such, too
            return None

    def locate(self, case_id: str, path: Path = ()) -> tuple[str, int, int] | None:
        """Give the place of a field of a case that serves: the file, the line and the column, both from 1.

        Args:
            case_id: which case.
            path: the field, such as `("trigger_conditions", 1)`; none means the case itself. A field that the case does not
                have stands where the object that lacks it does.
        """
        loaded = self.snapshot().cases.get(case_id)
        with self._lock:
            found = None if loaded is None else self._loader.element_at(loaded.path, loaded.line, case_id)
            if found is None:
                return None
            file, element = found
            text, first = file.text(element), file.column(element)
        line, column = line_column(text, span_of(text, path)[0])
        return file.path, element.line + line - 1, column if line > 1 else column + first - 1

    def close(self) -> None:
        """Keep what was parsed for the next process. The store may be used again afterwards."""
        with self._lock:
            _keep(self._cache, self._loader)


def _keep(cache: Cache | None, loader: Loader) -> None:
    """Write the cache where it is worth it."""
    if cache is not None:
        cache.keep(loader)
