"""Parsed cases kept between processes, in `.casebook/compiled.cache`; authenticated, because a folder may come from anybody.

A cloned repository may ship a cache of its own making, and unpickling runs what it holds. So the file bears an HMAC-SHA256
under a key that only this user has; what does not verify is never unpickled, and ignored without a word.
"""

# Descriptors, for files must be made with their mode.
# ruff: noqa: PTH105, PTH123

from __future__ import annotations

import contextlib
import hmac
import io
import os
import pickle
import secrets
import sys
from collections.abc import Callable
from dataclasses import fields
from hashlib import blake2b, sha256
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pydantic

from casebook import __version__
from casebook.case import Case, LoadedCase
from casebook.conditions import tree
from casebook.policy import Policy
from casebook.scope import EVERYONE, Scope
from casebook.stores.case_file import CaseFile, index
from casebook.stores.confined import MACHINE, machine_folder, own_folder
from casebook.stores.elements import Element
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError
from casebook.user_state import state_folder

if TYPE_CHECKING:
    from casebook.stores.loading import Loader

_MAGIC = b"casebook-cache-1\n"
_NAME = "compiled.cache"
_MOST = 128 * 1024 * 1024
"""A cache over so many bytes is neither written nor read: what a repository ships in its place must not fill the memory."""
_SMALL = 256 * 1024
"""Up to so many bytes of cases, writing the cache takes about 10 ms and may be done on opening."""

Key = tuple[str, tuple[tuple[str, str], ...]]
"""What of a policy the parsed cases depend on: its time zone and declared fields."""


class Cache:
    """The cache of one folder. Best effort: no trouble with it is ever a fault."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._kept: dict[str, tuple[bytes, Key, CaseFile]] | None = None
        self._policy: str | None = None
        self._digests: dict[str, bytes] = {}

    def file(self, path: str, data: bytes, key: Key, layer: str) -> tuple[CaseFile, Key] | None:
        """Give a file as it was kept, and what it was read with.

        Args:
            path: the file, relative to the folder.
            data: its present bytes; empty where they do not serve: then what was good last is given, whatever it was read with.
            key: what of the policy it must have been read with.
            layer: the name that its cases shall bear.

        Returns:
            The file; its `data` is empty where what was kept is of other bytes than the present ones. None where nothing is kept.
        """
        kept = self._loaded()
        found = kept.get(path)
        if found is None or (data and found[1] != key):
            return None
        digest, key, file = kept.pop(path)
        if data and digest == _digest(data):
            file.data = data
        self._digests[path] = digest
        for element in file.elements:
            if element.loaded is not None and element.loaded.layer != layer:
                object.__setattr__(element.loaded, "layer", layer)
        return file, key

    def policy(self) -> Policy | None:
        """Give the policy that was good last; None where none is kept, or this release does not take it any more."""
        self._loaded()
        try:
            return None if self._policy is None else Policy.model_validate_json(self._policy)
        except ValueError:  # pydantic's errors are such
            return None

    def keep_small(self, loader: Loader) -> None:
        """Write the cache where that is quick; and let go of what was loaded."""
        if sum(len(file.data) for file in loader.files) <= _SMALL:
            self.keep(loader)
        if self._kept is not None:
            self._kept = {}

    def keep(self, loader: Loader) -> None:
        """Write the cache where something was parsed since it was last written, or the policy has changed."""
        good = loader.good_policy
        policy = good.model_dump_json(exclude_unset=True) if good is not None else self._policy
        if not loader.read_cold and (self._kept is None or policy == self._policy):
            return
        loader.read_cold = 0
        try:
            secret = _secret(create=True)
            if secret is not None:
                self._loaded()
                policy = policy if policy is not None else self._policy
                self._write(_dumped((policy, self._kept_of(loader.read_with()))), secret)
                self._policy = policy
        except (OSError, RuntimeError, pickle.PicklingError):
            return  # a folder that cannot be written (or, as a process ends, is still read) is served all the same

    def _loaded(self) -> dict[str, tuple[bytes, Key, CaseFile]]:
        if self._kept is None:
            self._policy, self._kept = self._load()
        return self._kept

    def _kept_of(self, files: list[tuple[CaseFile, Key]]) -> list[tuple[Any, ...]]:
        """Give the files as they are pickled.

        Cases whose conditions are too deep for pickle are left out; the file then bears no digest, and those few are parsed again.
        """
        kept = []
        for file, key in files:
            digest = _digest(file.data) if file.data else self._digests.get(file.path)
            if digest is not None:
                elements = [
                    element for element in file.elements if element.loaded is None or not _is_deep(element.loaded)
                ]
                digest = digest if len(elements) == len(file.elements) else b""
                kept.append((file.path, digest, file.shape, file.head, file.tail, file.lenient, elements, key))
        return kept

    def _write(self, payload: bytes, secret: bytes) -> None:
        """Write the file in one step; readers see the old one or the new one."""
        if len(payload) > _MOST:
            return
        folder = machine_folder(self._root)
        for left in folder.glob(".compiled.*"):
            left.unlink(missing_ok=True)  # by a killed process; one that still writes its own just goes without a cache
        temporary = folder / f".compiled.{os.getpid()}.{secrets.token_hex(4)}"
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(handle, "wb") as stream:
                stream.write(_MAGIC + _mac(secret, self._root, payload) + payload)
            os.replace(temporary, folder / _NAME)
        finally:
            temporary.unlink(missing_ok=True)

    def _load(self) -> tuple[str | None, dict[str, tuple[bytes, Key, CaseFile]]]:
        """Read the file: the policy that was good last, as JSON, and the files by path; nothing where it is not there, no file, too large, not ours, or of another release."""
        start = len(_MAGIC) + 32
        try:
            path = own_folder(self._root, MACHINE) / _NAME
            content, _ = read_regular(str(path), start + _MOST, "cache", follow=False)
            secret = _secret(create=False)
        except (OSError, SplitError):
            return None, {}
        if secret is None or not content.startswith(_MAGIC):
            return None, {}
        payload = memoryview(content)[start:]
        if not hmac.compare_digest(content[len(_MAGIC) : start], _mac(secret, self._root, payload)):
            return None, {}
        try:
            policy, kept = pickle.loads(payload)  # noqa: S301 (verified above: this user wrote it)
            return policy, {each[0]: (each[1], each[7], _restored_file(each)) for each in kept}
        except (pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError, EOFError):
            return None, {}


def _is_deep(loaded: LoadedCase) -> bool:
    """Say whether a condition is nested too deep for pickle, which recurses."""
    level: tuple[tree.Node, ...] = loaded.conditions
    for _ in range(_DEEPEST):
        level = tuple(child for node in level for child in tree.children(node))
        if not level:
            return False
    return True


_DEEPEST = 60


def _restored_file(kept: tuple[Any, ...]) -> CaseFile:
    path, _, shape, head, tail, lenient, elements, _ = kept
    file = CaseFile(path, b"", shape, head, tail, lenient, elements)
    index(file)
    return file


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=32).digest()


def _mac(secret: bytes, root: Path, payload: bytes | memoryview) -> bytes:
    """Give the HMAC over what the cache is bound to (this folder, this code, this Python) and what it holds."""
    made = hmac.new(secret, repr((os.path.realpath(root), _release())).encode(), sha256)
    made.update(payload)
    return made.digest()


def _release() -> tuple[object, ...]:
    """Give what a cache must have been written by: release, Python, pydantic, and the very source files that made it."""
    here = Path(__file__).parent.parent
    sources = []
    for folder in (here, here / "conditions", here / "stores"):
        with os.scandir(folder) as found:
            for entry in found:
                if entry.name.endswith((".py", ".lark")):
                    told = entry.stat()
                    sources.append((entry.name, told.st_size, told.st_mtime_ns))
    return __version__, sys.version, pydantic.VERSION, tuple(sorted(sources))


def _secret(*, create: bool) -> bytes | None:
    """Give this user's key; None where there is none, or others could have read or written it."""
    try:
        path = state_folder() / "cache.key"
    except RuntimeError:  # no home
        return None
    try:
        secret, found = read_regular(str(path), 32, "key")
    except FileNotFoundError:
        return _new_secret(path) if create else None
    except SplitError:
        return None
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077):
        return None
    return secret if len(secret) == 32 else None


def _new_secret(path: Path) -> bytes | None:
    """Make the key, in one step: of two processes that do, one wins, and both use its."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".cache.key.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(handle, "wb") as stream:
            stream.write(secrets.token_bytes(32))
        with contextlib.suppress(FileExistsError):  # the other process's key serves both
            os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return _secret(create=False)


def restore_case(values: dict[str, Any], names: set[str], extra: dict[str, Any]) -> Case:
    """Make a case of what one held; for unpickling, without validating again."""
    case = Case.__new__(Case)
    put = object.__setattr__
    put(case, "__dict__", values)
    put(case, "__pydantic_fields_set__", names)
    put(case, "__pydantic_extra__", extra)
    put(case, "__pydantic_private__", None)
    return case


def everyone() -> Scope:
    """Give the scope that names nobody; for unpickling, so that it stays one object."""
    return EVERYONE


def _case_parts(case: Case) -> tuple[Any, ...]:
    return restore_case, (case.__dict__, case.__pydantic_fields_set__, case.__pydantic_extra__)


def _scope_parts(scope: Scope) -> Any:
    return (everyone, ()) if scope is EVERYONE else scope.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


def _parts(kind: type[Any]) -> Callable[[Any], tuple[type[Any], tuple[Any, ...]]]:
    """Give how a frozen dataclass is pickled: as a call of itself, which reads three times faster than its state."""
    names = [each.name for each in fields(kind)]
    if not names:
        return lambda _: (kind, ())
    get = attrgetter(*names)
    if len(names) == 1:
        return lambda value: (kind, (get(value),))
    return lambda value: (kind, get(value))


_NODES = (
    tree.Field, tree.This, tree.Pattern, tree.Always, tree.And, tree.Or, tree.Not, tree.Test, tree.Time, tree.Weekday,
    tree.Week, tree.Date, tree.Month, tree.Day, tree.Earlier, tree.Count,
)  # fmt: skip
_DISPATCH: dict[type[Any], Callable[[Any], Any]] = {
    **{kind: _parts(kind) for kind in (*_NODES, LoadedCase, Element)},
    Case: _case_parts,
    Scope: _scope_parts,
}


def _dumped(value: object) -> bytes:
    """Pickle by the table above."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _DISPATCH
    pickler.dump(value)
    return stream.getvalue()
