"""Looking whether something is gone: its very bytes are searched for in every file of a casebook, packs opened."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from casebook.case import CASE_FIELDS
from casebook.memory import MEMORY_FIELDS, Memory, Origin
from casebook.policy import JOBS
from casebook.runtime.journal.records import ActivationRecord, EventRecord
from casebook.runtime.upkeep.protocol import Desk
from casebook.scope import Scope
from casebook.stores.form_words import VALUES, is_of_form
from casebook.stores.json_strings import tokens
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import Mentions, is_common

TEXT_CHARS = 12
"""Characters of a text that is looked for: a shorter one, such as "ok" or "git push", others say too (ours)."""
NAME_CHARS = 6
"""Characters of a name that is looked for in the raw pages of a database, where nothing bounds it; a shorter one only in quotes."""
NEWEST = 20_000
"""Activations and events, the newest, from which texts are taken."""


@dataclass(frozen=True, slots=True)
class Needles:
    """What must stand nowhere any more.

    Attributes:
        names: of the user and the session.
        texts: what was asked to go, and the longest of their texts.
    """

    names: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.texts)


def needles_of(desk: Desk, what: Forgetting, most: int) -> Needles:
    """Give what must stand nowhere any more.

    Args:
        desk: the casebook, before anything is taken out of it.
        what: what is to be forgotten, with all ids that it reaches.
        most: how many texts.

    Raises:
        StoreError: something cannot be read.
    """
    theirs: set[str] = set()
    others: set[str] = set()
    for text, is_theirs in _texts(desk, what):
        if len(text) >= TEXT_CHARS:
            (theirs if is_theirs else others).add(text)
    texts = theirs - others  # what somebody else said in the same words stays, as theirs
    longest = sorted(texts, key=lambda each: (-len(each), each))[:most]
    names = tuple(each for each in (what.user, what.session) if each)
    return Needles(names, (*([what.text] if what.text else []), *longest))


def _written(text: str) -> Iterator[bytes]:
    """Give the ways in which files write a text: as it stands, and as JSON does with and without other scripts."""
    yield text.encode("utf-8", "replace")
    for ascii_only in (False, True):
        yield json.dumps(text, ensure_ascii=ascii_only)[1:-1].encode("utf-8", "replace")


def _texts(desk: Desk, what: Forgetting) -> Iterator[tuple[str, bool]]:
    """Give the texts there are, each with whether it is to be forgotten."""
    memories = [placed.memory for placed in desk.store.snapshot().memories.values()]
    for memory in (*memories, *(each.memory for each in desk.store.archived())):
        yield from ((each, memory.id in what.ids) for each in _of_memory(memory))
    for loaded in desk.cases.snapshot().cases.values():
        for text in (loaded.case.correction, loaded.case.judgment, loaded.case.consequence, loaded.case.situation):
            yield text, loaded.id in what.ids
    if what.user is None and what.session is None:
        return
    records: Iterable[ActivationRecord | EventRecord] = (
        *desk.journal.activations(limit=NEWEST),
        *desk.journal.events(limit=NEWEST),
    )
    for record in records:
        is_users = what.user is not None and record.principal.user == what.user
        is_nobodys = what.user is None or record.principal.user is None
        is_in = record.session is not None and record.session in what.ids and is_nobodys
        is_theirs = is_users or is_in or (record.session is not None and record.session == what.session)
        body = record.facts if isinstance(record, ActivationRecord) else record.body
        yield from ((each, is_theirs) for each in _strings(body))


def _of_memory(memory: Memory) -> Iterator[str]:
    yield from (memory.text, memory.reason, *memory.alternatives, *memory.exceptions)
    yield from _strings(memory.about)


_OWN = frozenset({"text", "correction", "message", "args", "path", "context", "answer", "action"})


def _strings(value: Any, *, own: bool = False) -> Iterator[str]:
    """Give the texts of a body that are somebody's words: names of tools, types and signatures are everybody's."""
    if isinstance(value, str):
        if own:
            yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _strings(each, own=own or name in _OWN)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each, own=own)


def found_in(root: Path, needles: Needles) -> tuple[tuple[str, ...], int]:
    """Give the files below a folder in which one of these stands, with how many files were looked at.

    Args:
        root: the folder; links are not followed.
        needles: what is looked for; names as words of their own, texts as their very bytes.

    Returns:
        Their paths relative to the folder, in order; the names of files count, too. A file that cannot be read is among them.
    """
    if not needles:
        return (), 0
    search = _Search(needles)
    left, checked = [], 0
    for folder, names, files in os.walk(root):
        names.sort()
        for name in sorted(files):
            path = Path(folder) / name
            if path.is_symlink():
                continue
            checked += 1
            shown = path.relative_to(root).as_posix()
            try:
                is_lock = shown.startswith(".casebook/") and name.endswith(".lock")  # named after a job of ours
                found = (not is_lock and search.finds(shown.encode("utf-8", "replace"))) or any(
                    map(search.finds, _parts(path))
                )
            except (OSError, tarfile.TarError, EOFError, zlib.error):
                found = True
            if found:
                left.append(shown)
    return tuple(left), checked


def _parts(path: Path) -> Iterator[bytes]:
    """Give the bytes of a file: of a pack those of its members, with their names."""
    data = path.read_bytes()
    if not data.startswith(b"\x1f\x8b"):
        yield data
        return
    plain = gzip.decompress(data)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as pack:
        for member in pack:
            yield member.name.encode("utf-8", "replace")
            if (content := pack.extractfile(member)) is not None:
                yield content.read()


class _Search:
    """Looks for many things at once."""

    def __init__(self, needles: Needles) -> None:
        self._names = tuple(map(Mentions, needles.names))
        sought = [name for name in needles.names if not _is_quoted_everywhere(name)]
        raw = [each for name in sought for each in _written(name) if len(name) >= NAME_CHARS]
        quoted = [b'"' + each + b'"' for name in sought for each in _written(name)]
        self._texts = _any_of(each for text in needles.texts for each in _written(text))
        self._pages = _any_of((*raw, *quoted))

    def finds(self, data: bytes) -> bool:
        """Say whether one of them stands there."""
        if self._texts is not None and self._texts.find_matches_as_indexes(data):
            return True
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return self._pages is not None and bool(self._pages.find_matches_as_indexes(data))
        return any(map(self._named_in, _strings_of(text)))

    def _named_in(self, text: str) -> bool:
        return any(name.within(text) for name in self._names)


def _is_quoted_everywhere(name: str) -> bool:
    """Say whether a name is a word of our own form, or of conditions and tools, which says nothing where it stands in quotes."""
    return (
        name in _FIELDS
        or is_common(name)
        or any(name in each for each in VALUES.values())
        or name.isdecimal()
        or name in JOBS
    )


def _strings_of(text: str) -> Iterator[str]:
    """Give what may name somebody: of JSON the strings that are not of our own form, of other text all but its instants."""
    if text.lstrip()[:1] not in ("{", "["):
        yield _INSTANTS.sub(" ", text)
        return
    for _, _, string, key, is_key in tokens(text):
        if not is_of_form(string, key, is_key=is_key) and not (is_key and string in _FIELDS):
            person = "@" if key in _WHO and not is_key else ""
            yield person + _INSTANTS.sub(" ", string)


def _any_of(needles: Iterable[bytes]) -> Any:
    from ahocorasick_rs import BytesAhoCorasick

    wanted = list(dict.fromkeys(needles))
    return BytesAhoCorasick(wanted) if wanted else None


_FIELDS = frozenset(
    {*MEMORY_FIELDS, *CASE_FIELDS, *Scope.model_fields, *Origin.model_fields, "memories", "cases", "session"}
)
_WHO = frozenset(("user", "by"))
_INSTANTS = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
