"""A change of one file: shown before it is made, made in one step, and only where the file is still what was shown."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from casebook.faults import CasebookError
from casebook.limits import FILE_BYTES
from casebook.stores.atomic import replace_file
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError


class ChangeError(CasebookError):
    """A file cannot be read or changed; its path is in the message."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of one file.

    Attributes:
        path: as a person names it; a link stays a link, and what it leads to is changed.
        before: its bytes; None where there is no file.
        after: its bytes from then on; None where the file goes.
        public: whether a new file is for everybody who may read the folder, and not for its owner alone.
        tidy: folders that go with the file where nothing else is in them, the innermost first.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    public: bool = False
    tidy: tuple[Path, ...] = ()

    @property
    def is_none(self) -> bool:
        """Say whether nothing is to change."""
        return self.before == self.after


def read(path: Path, *, within: Path | None = None) -> bytes | None:
    """Give the bytes of a file, None where there is none.

    Args:
        path: the file, or a link to it.
        within: a folder that no link may lead out of: a cloned repository may ship one to any file or folder of its reader.

    Raises:
        ChangeError: it is no regular file, is over 16 MB, leads out of `within`, or cannot be read.
    """
    if within is not None:
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(os.path.realpath(within)):
            raise ChangeError(f"{path}: a link leads out of {within}, to {real}; it is left as it is")
    try:
        return read_regular(os.fspath(path), FILE_BYTES, "file")[0]
    except FileNotFoundError:
        return None
    except SplitError as error:
        raise ChangeError(f"{path}: {error}") from None
    except OSError as error:
        raise ChangeError(f"{path}: {error.strerror}") from None


def diff_of(change: Change) -> Iterator[str]:
    """Give the change as lines of a unified diff, without line ends; a link is told with what it leads to."""
    real = os.path.realpath(change.path)
    name = os.fspath(change.path)
    leads = f" (a link to {real})" if change.path.is_symlink() else ""
    old = f"--- {name}{leads}" if change.before is not None else "--- /dev/null"
    new = f"+++ {name}{leads}" if change.after is not None else "+++ /dev/null"
    lines = difflib.unified_diff(_lines(change.before), _lines(change.after), n=3, lineterm="")
    for at, line in enumerate(lines):
        yield (old, new)[at] if at < 2 else line.rstrip("\r\n")


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    return lines[:-1] if not lines[-1] else [*lines[:-1], f"{lines[-1]}\n\\ No newline at end of file"]


def carry_out(change: Change) -> None:
    """Make a change.

    Raises:
        ChangeError: the file is not any more what was shown, or it cannot be written; it is then as it was.
    """
    if read(change.path) != change.before:
        raise ChangeError(f"{change.path}: changed since it was shown; nothing was written, say it again")
    if change.is_none:
        return
    try:
        if change.after is None:
            Path(os.path.realpath(change.path)).unlink()
            _tidy(change.tidy)
            return
        change.path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(change.path, change.after)
        if change.before is None and change.public:
            change.path.chmod(0o666 & ~_umask())
    except OSError as error:
        raise ChangeError(f"{change.path}: {error.strerror}") from None


def _tidy(folders: tuple[Path, ...]) -> None:
    """Take folders away that hold nothing."""
    for folder in folders:
        with contextlib.suppress(OSError):  # something else is in it
            folder.rmdir()


def _umask() -> int:
    """Give what this process leaves out of the mode of a new file; it can only be asked by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
