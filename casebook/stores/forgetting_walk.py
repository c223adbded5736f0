"""The files of a folder, each by what may be done with it where something is to be forgotten."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from casebook.stores.archive_entries import FOLDER, name_of
from casebook.stores.atomic import is_leftover
from casebook.stores.confined import MACHINE
from casebook.stores.pack import PACK_BYTES, PackError, read_pack
from casebook.stores.reading import read_regular
from casebook.stores.sought import Sought
from casebook.stores.splitting import SplitError

Kind = Literal["json", "lines", "loose", "pack", "cache", "leftover", "link", "other"]
"""loose, pack: of the archive · link: to a file or a folder · other: nothing that is rewritten."""

_LOOKED_AT: Final = 64 * 1024 * 1024
"""Of a file that is not ours so many bytes are looked through at most, unpacked ones as well (ours)."""
_MOST_LINKED: Final = 2000
_CLOSED = (b"PK\x03\x04", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"\x04\x22\x4d\x18")
"""How files begin whose content is packed in a way that is not looked into."""
_PLAN = "forgetting.json"
"""What a forgetting under way has noted; it goes with it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file.

    Attributes:
        path: relative to the casebook's folder, with `/`.
        kind: what it is.
    """

    path: str
    kind: Kind


def walk(root: Path) -> Iterator[Found]:
    """Give the files below a folder in path order, but for the journal's own, locks, and git's. Links are not followed."""
    for folder, names, files in os.walk(root):
        at = Path(folder).relative_to(root).as_posix()
        prefix = "" if at == "." else f"{at}/"
        names.sort()
        linked = [name for name in names if os.path.islink(os.path.join(folder, name))]  # noqa: PTH114, PTH118
        names[:] = [name for name in names if name not in linked and name != ".git"]
        for name in sorted([*files, *linked]):
            kind = _kind(prefix, name, os.path.join(folder, name))  # noqa: PTH118
            if kind is not None:
                yield Found(f"{prefix}{name}", kind)


def _kind(prefix: str, name: str, full: str) -> Kind | None:
    try:
        found = os.lstat(full)
    except OSError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return "link"
    if not stat.S_ISREG(found.st_mode):
        return None
    if is_leftover(name):
        return "leftover"
    if prefix == f"{MACHINE}/" and (name.startswith("journal") or name == _PLAN or name.endswith(".lock")):
        return None
    if prefix == f"{MACHINE}/" and (name.endswith(".cache") or name.startswith(".compiled.")):
        return "cache"
    return _by_name(prefix, name)


def _by_name(prefix: str, name: str) -> Kind:
    if prefix == f"{FOLDER}/" and (archived := name_of(name)) is not None:
        return archived.kind
    if name.endswith(".jsonl"):
        return "lines"
    return "json" if name.endswith(".json") else "other"


def is_foreign_clean(path: Path, kind: Kind, sought: Sought) -> bool:
    """Say whether a file that is not rewritten holds nothing of what is to be forgotten; one that cannot be looked into may.

    A pack of ours is clean: it is rewritten as part of the archive.
    """
    if kind == "pack":
        try:
            read_pack(path)
        except PackError:
            return _is_clean(path, sought)
        return True
    if kind == "link":
        return _is_link_clean(path, sought)
    return _is_clean(path, sought)


def _is_clean(path: Path, sought: Sought) -> bool:
    try:
        data = read_regular(str(path), PACK_BYTES, "file")[0]
    except FileNotFoundError:
        return True
    except (SplitError, OSError):
        return False
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = stream.read(_LOOKED_AT + 1)
        except (OSError, EOFError, zlib.error):
            return False
    elif data.startswith(_CLOSED):
        return False
    return len(data) <= _LOOKED_AT and not sought.may_be_in(data)


def _is_link_clean(path: Path, sought: Sought) -> bool:
    """Say the same of what a link leads to, which is read and never written."""
    try:
        found = path.stat()
    except OSError:
        return True
    if stat.S_ISREG(found.st_mode):
        return _is_clean(path, sought)
    if not stat.S_ISDIR(found.st_mode):
        return True
    files = (Path(folder) / name for folder, _, names in os.walk(path) for name in names if name.endswith(".json"))
    return all(count < _MOST_LINKED and _is_clean(each, sought) for count, each in enumerate(files))
