"""What this user has approved, kept in the user's state folder: one file a folder, so that a damaged one costs no other its trust.

Nothing of it stands in a casebook: whoever writes, moves, copies or clones one confers nothing.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from casebook.adapters.trust.folder_identity import user_number
from casebook.faults import StoreError
from casebook.stores.atomic import replace_file
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError
from casebook.user_state import state_folder

FORMAT = 1
_MOST_BYTES = 64 * 1024 * 1024
"""Of one file: 20,000 names may stand in a casebook, and each approved case takes up to 2 KB."""
_PATIENCE = 10.0
"""Seconds that another process may take; a write takes milliseconds."""

Change = Callable[["Approval | None"], "Approval | None"]
"""Takes the approval that stands, and gives the one that is to stand; None for none."""
Signature = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ApprovedCase:
    """A case as it was shown.

    Attributes:
        digest: the hash of all that decides (`casebook.adapters.trust.digests`).
        effect: what it did then: `advise`, `confirm` or `block`.
        fields: of one that asks or blocks, a short hash of each deciding field.
        over: ids of cases of other layers that block or ask, and of which it was told that this one silences them, or takes their
            place.
    """

    digest: str
    effect: str
    fields: Mapping[str, str]
    over: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Approval:
    """A folder that this user trusts.

    Attributes:
        path: its real path.
        inode: of the folder as it was trusted.
        mark: what trusting it has left in it.
        strangers: numbers of other users to whom it, or a part of it, belonged, and of whom the person was told.
        at: when, ISO.
        made: whether it was made here by `init`, and not shown.
        cases: what was shown, by id.
        policy: the hash of each key of its policy that needs approval.
        said: those that the policy said itself, as they were approved: they are in force while others wait, or it cannot be read.
    """

    path: str
    inode: int
    mark: str
    strangers: frozenset[int]
    at: str
    made: bool
    cases: Mapping[str, ApprovedCase]
    policy: Mapping[str, str]
    said: Mapping[str, Any] = field(default_factory=dict)


def approvals_folder() -> Path:
    """Give the folder of approvals, which need not be there. Raises StoreError where there is no home for it."""
    try:
        return state_folder() / "trust"
    except RuntimeError as error:
        raise StoreError(
            f"what this user trusts is kept in the state folder, and there is none: {error}; set $HOME"
        ) from None


def file_of(path: str) -> Path:
    """Give the file in which the approval of a real path is kept."""
    return approvals_folder() / f"{sha256(os.fsencode(path)).hexdigest()[:32]}.json"


def signature_of(file: Path) -> Signature | None:
    """Give what tells whether the file of an approval has changed; None where there is none, or none that can be seen."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns


def read(path: str) -> Approval | None:
    """Give the approval of a real path, or None.

    Raises:
        StoreError: there is one that cannot be read, is damaged, or that others could have written. It counts for nothing.
    """
    file = file_of(path)
    _refuse_open(file.parent)
    return _read(file, path)


def every() -> Iterator[Approval | StoreError]:
    """Give all approvals, in the order of their paths; for a file that cannot be read what is wrong with it.

    Raises:
        StoreError: their folder cannot be read, or others could have written there.
    """
    folder = approvals_folder()
    _refuse_open(folder)
    found: list[Approval] = []
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix == ".json")
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unreadable(folder, error) from None
    for file in files:
        try:
            approval = _read(file, None)
        except StoreError as error:
            yield error
        else:
            found.extend([approval] if approval is not None else [])
    yield from sorted(found, key=lambda each: each.path)


def change(path: str, make: Change) -> Approval | None:
    """Change the approval of a real path; of two processes at once, one waits for the other.

    Args:
        path: the folder's real path.
        make: takes what stands and gives what is to stand.

    Returns:
        What stands now.

    Raises:
        StoreError: it cannot be read or written, or is damaged: then it is left as it is.
    """
    file = file_of(path)
    with _locked(file.parent):
        before = _read(file, path)
        after = make(before)
        if after == before:
            return before
        try:
            if after is None:
                file.unlink(missing_ok=True)
            else:
                replace_file(file, _written(after))
        except OSError as error:
            raise StoreError(f"{file} cannot be written: {error.strerror}; nothing was approved") from None
        return after


def set_aside(path: str) -> Path | None:
    """Move a damaged approval aside, so that its folder can be trusted anew; gives where it is now, None where it is not damaged.

    Raises:
        StoreError: it cannot be moved.
    """
    file = file_of(path)
    with _locked(file.parent):
        try:
            _read(file, path)
        except StoreError:
            number = 1
            while (aside := file.with_name(f"{file.stem}.damaged-{number}")).exists():
                number += 1
            try:
                file.rename(aside)
            except OSError as error:
                raise StoreError(f"{file} cannot be moved aside: {error.strerror}") from None
            return aside
        return None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    from filelock import Timeout

    from casebook.stores.file_locks import file_lock

    try:
        for each in (folder.parent, folder):  # `parents` would make the first as wide as the umask lets it be
            each.parent.mkdir(parents=True, exist_ok=True)
            each.mkdir(mode=0o700, exist_ok=True)
        _refuse_open(folder)
        with file_lock(folder / "write.lock").acquire(timeout=_PATIENCE):
            yield
    except Timeout:
        raise StoreError(f"{folder}: another process has held its lock for {_PATIENCE:g} s") from None
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written: {error.strerror or error}; nothing was approved, and nothing is trusted without it"
        ) from None


def _refuse_open(folder: Path) -> None:
    """Raise StoreError where somebody else could have written approvals."""
    for each in (folder, folder.parent):
        try:
            found = each.stat()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _unreadable(folder, error) from None
        if found.st_uid != user_number() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            told = f"belongs to user {found.st_uid}" if found.st_uid != user_number() else "may be written by others"
            raise StoreError(f"{each} {told}: nothing is trusted by what is in it (`chmod go-w`, or another $HOME)")


def _unreadable(place: Path, error: OSError) -> StoreError:
    return StoreError(f"{place} cannot be read: {error.strerror}; nothing is trusted by it")


def _read(file: Path, path: str | None) -> Approval | None:
    try:
        data, found = read_regular(str(file), _MOST_BYTES, "approval", follow=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(file, error) from None
    except SplitError as error:
        raise _damaged(file, str(error)) from None
    if found.st_uid != user_number() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _damaged(file, "others may have written it")
    try:
        approval = _approval(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _damaged(file, f"it is no approval: {type(error).__name__}: {error}") from None
    if path is not None and approval.path != path:
        raise _damaged(file, f"expected the approval of {path}, got that of {approval.path}")
    return approval


def _damaged(file: Path, told: str) -> StoreError:
    return StoreError(
        f"{file} is damaged ({told}): its folder is not trusted; `casebook trust` sets it aside and asks anew"
    )


def _approval(form: Any) -> Approval:
    """Make an approval of its JSON; whatever is not as it should be raises."""
    if form["format"] != FORMAT:
        raise ValueError(f"expected format {FORMAT}, got {form['format']!r}")
    path, inode, mark, at, made = (form[name] for name in ("path", "inode", "mark", "at", "made"))
    kinds = (path, str), (inode, int), (mark, str), (at, str), (made, bool)
    if not all(isinstance(value, kind) for value, kind in kinds):
        raise TypeError("path, mark and at are texts, inode is a number, made is true or false")
    cases = {
        _text(name): ApprovedCase(
            _text(each["digest"]),
            _text(each["effect"]),
            _texts(each.get("fields", {})),
            frozenset(map(_text, each.get("over", ()))),
        )
        for name, each in form["cases"].items()
    }
    strangers = frozenset(int(each) for each in form["strangers"])
    said = form.get("said", {})
    if not isinstance(said, dict):
        raise TypeError(f"expected what the policy says as an object, got {said!r}")
    return Approval(path, inode, mark, strangers, at, made, cases, _texts(form["policy"]), said)


def _texts(form: Any) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in form.items()}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {value!r}")
    return value


def _written(approval: Approval) -> bytes:
    form = {
        "format": FORMAT,
        "path": approval.path,
        "inode": approval.inode,
        "mark": approval.mark,
        "strangers": sorted(approval.strangers),
        "at": approval.at,
        "made": approval.made,
        "policy": dict(approval.policy),
        "said": dict(approval.said),
        "cases": {
            name: {
                "digest": each.digest,
                "effect": each.effect,
                **({"fields": dict(each.fields)} if each.fields else {}),
                **({"over": sorted(each.over)} if each.over else {}),
            }
            for name, each in approval.cases.items()
        },
    }
    return (json.dumps(form, indent=1) + "\n").encode()
