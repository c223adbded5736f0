"""What a forgetting reaches in the files of a folder: ids lead to sessions, sessions to what was said in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from casebook.faults import StoreError
from casebook.stores.archive_entries import FOLDER, Items, Name
from casebook.stores.archive_rewriting import rewrite_archive
from casebook.stores.forgetting_json import Element, entries_of
from casebook.stores.forgetting_walk import walk
from casebook.stores.memory_store import Forgetting
from casebook.stores.pack import PACK_BYTES
from casebook.stores.reading import read_regular
from casebook.stores.session_names import session_file
from casebook.stores.sought import Sought, Trace, trace_of
from casebook.stores.splitting import SplitError


def reached(root: Path, what: Forgetting) -> tuple[Forgetting, frozenset[str]]:
    """Give the same as `concerned`, with the files of the sessions that go: what was archived from them goes, too."""
    reach = _Reach(Sought(what, _origins(what)))
    for path, data in texts_in(root):
        try:
            reach.take(path, *entries_of(path, data))
        except ValueError:
            continue
    return reach.followed(what)


class _Reach:
    """Gathers what files tell: the ids of what goes, and of the rest whence it is."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought
        self._ids: set[str] = set()
        self._mine: set[str] = set()
        self._others: set[str] = set()
        self._files: dict[str, tuple[Mapping[str, Any], list[str]]] = {}
        self._rest: list[Trace] = []

    def take(self, path: str, fields: Mapping[str, Any], entries: Iterable[Element]) -> None:
        """Take a file: its own fields, and its memories and cases."""
        self._note(fields.get("user"), fields.get("session"))
        names = []
        for entry in entries:
            trace = trace_of(entry.value, entry.origin, entry.place)
            self._note(trace.owner, trace.session)
            if trace.session is not None and not self._sought.is_user(trace.owner) and self._sought.is_anothers(trace):
                self._others.add(trace.session)
            if trace.id is not None:
                names.append(trace.id)
            if entry.fate(self._sought) != "stays":
                self._ids.update([] if trace.id is None else [trace.id])
            elif entry.kind == "memory":
                self._rest.append(trace)
        if path.startswith("short_term/"):
            self._files[path] = (fields, names)

    def _note(self, user: object, session: object) -> None:
        if self._sought.what.user and isinstance(user, str) and isinstance(session, str):
            (self._mine if self._sought.is_user(user) else self._others).add(session)

    def followed(self, what: Forgetting) -> tuple[Forgetting, frozenset[str]]:
        """Give all ids that go: the sessions that are the user's alone, and what was said in them; with the files of sessions."""
        shared = what.shared | self._others
        what = replace(what, ids=what.ids - shared, shared=shared)
        ids = what.ids | self._ids | (self._mine - shared)
        origins = _origins(what) | _origins(replace(what, session=None, ids=ids - what.ids))
        while True:
            sought = Sought(replace(what, ids=ids), origins)
            files = [path for path, (fields, _) in self._files.items() if sought.of_session(fields) != "stays"]
            said = {each.id for each in self._rest if each.id is not None and sought.is_derived(each)}
            more = ids.union(said, *(self._files[path][1] for path in files)), origins.union(files)
            if more == (ids, origins):
                return sought.what, origins
            ids, origins = more


def texts_in(root: Path) -> Iterator[tuple[str, bytes]]:
    """Give the files that memories and cases stand in, those of the archive and in packs among them. Raises StoreError."""
    found: list[tuple[str, bytes]] = []

    def keep(name: Name, items: Items) -> None:
        found.append((name.path, items.text.encode()))

    for each in list(walk(root)):
        if each.kind == "json":
            try:
                data = read_file(root, each.path)
            except SplitError:
                continue  # told where it is to be written
            except OSError as error:
                raise StoreError(f"{each.path} cannot be read: {error.strerror or error}") from error
            if data is not None:
                yield each.path, data
    if not (root / FOLDER).is_symlink():
        rewrite_archive(root, keep, dry=True)
    yield from found


def _origins(what: Forgetting) -> frozenset[str]:
    """Give the files that the sessions to be forgotten stood in."""
    sessions = [each for each in (what.session, *what.ids) if each is not None and not each.startswith("m-")]
    return frozenset(session_file(session, user) for session in sessions for user in {None, what.user})


def read_file(root: Path, path: str) -> bytes | None:
    """Give the bytes of a file; None where it is gone.

    Raises:
        SplitError: it is over 128 MB, or no file any more.
        OSError: it cannot be read.
    """
    try:
        return read_regular(str(root / path), PACK_BYTES, "file", follow=False)[0]
    except FileNotFoundError:
        return None
