"""Transcripts read into a gathering: which files, of which days, for whom; what cannot be read is told and passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from casebook.adapters.identity import identity_at
from casebook.adapters.scanning.protocol import Reader, Seen, Unread
from casebook.faults import CasebookError
from casebook.runtime.teaching.found import Gathering, Told

MOST_UNREAD = 1_000
"""Places that could not be read of which the reason is kept; the rest is counted (ours)."""

Progress = Callable[[int, int], None]
"""Takes how many files are done, and of how many."""


@dataclass(frozen=True, slots=True)
class File:
    """A transcript and who reads it."""

    reader: Reader
    path: Path


@dataclass(slots=True)
class Passed:
    """What was passed.

    Attributes:
        places: places and reasons, of many the first.
        count: of all.
        old: calls before the days that were asked for.
        future: calls that are dated after now.
    """

    places: list[str] = field(default_factory=list)
    count: int = 0
    old: int = 0
    future: int = 0

    def tell(self, place: str, why: str) -> None:
        """Take one more."""
        self.count += 1
        if len(self.places) < MOST_UNREAD:
            self.places.append(f"{place}: {why}")


def files_of(
    readers: Sequence[Reader],
    paths: Sequence[Path],
    home: Path,
    env: Mapping[str, str],
    since: datetime,
    *,
    passed: Passed,
) -> tuple[File, ...]:
    """Give the transcripts to read, those that were changed last at the end.

    Args:
        readers: of the hosts that are asked for.
        paths: files and folders; none: those of this user.
        home: of this user.
        env: variables that move a host's folder.
        since: files that were not changed since then are left out, unless they were named.
        passed: is told of what a link leads out of the folder in which it stands: that is no transcript of this host's.

    Raises:
        CasebookError: a path is not there.
    """
    found: dict[Path, File] = {}
    for path in paths:
        if not path.exists():
            raise CasebookError(f"{path}: there is no such file or folder")
        inside = _inside(path, readers, home, passed) if path.is_dir() else (path,)
        for each in _regular(inside):
            if (reader := _reader_for(each, readers)) is not None:
                found[each] = File(reader, each)
    if not paths:
        for reader in readers:
            files = _regular(_inside(reader.folder(home, env), (reader,), home, passed))
            found.update({each: File(reader, each) for each in files})
    named = {path for path in paths if path.is_file()}
    changed = {path: at for path in found if (at := _changed(path)) is not None}
    wanted = [path for path, when in changed.items() if path in named or when >= since]
    return tuple(found[path] for path in sorted(wanted, key=lambda path: (changed[path], str(path))))


def _inside(folder: Path, readers: Sequence[Reader], home: Path, passed: Passed) -> Iterator[Path]:
    """Give what may be a transcript in a folder, and stays in it."""
    root = folder.resolve()
    for each in dict.fromkeys(each for reader in readers for each in reader.within(folder)):
        try:
            stays = each.resolve().is_relative_to(root)
        except (OSError, RuntimeError):  # a link to itself
            stays = False
        if stays:
            yield each
        else:
            passed.tell(_shown(each, home), "a link leads it out of the folder")


def _reader_for(path: Path, readers: Sequence[Reader]) -> Reader | None:
    """Give who reads a file that was named: the one host that was asked for, else whoever finds a call in it."""
    if len(readers) == 1:
        return readers[0]
    if path.suffix == ".sqlite":
        return next((each for each in readers if each.NAME == "openclaw"), None)
    try:
        return next((each for each in readers if any(isinstance(call, Seen) for call in each.calls(path))), None)
    except OSError:
        return readers[0]  # who reads it is told why it cannot


def _regular(paths: Iterable[Path]) -> Iterator[Path]:
    """Give the plain files among some, in a steady order; a folder that is not there has none."""
    try:
        yield from sorted(each for each in paths if each.is_file())
    except OSError:
        return


def _changed(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None


def gather(
    files: Sequence[File],
    gathering: Gathering,
    days: tuple[datetime, datetime],
    home: Path,
    *,
    passed: Passed,
    progress: Progress | None = None,
) -> None:
    """Read transcripts into a gathering.

    Args:
        files: of `files_of`.
        gathering: takes the calls.
        days: calls before the first of the two, and after the second, are passed.
        home: shown as `~` in the places of the evidence.
        passed: is told what was passed.
        progress: is told after every file.
    """
    since, now = days
    for number, each in enumerate(files, 1):
        shown = _shown(each.path, home)
        changed = _changed(each.path) or since
        try:
            for call in each.reader.calls(each.path):
                if isinstance(call, Unread):
                    passed.tell(f"{shown}:{call.place}" if call.place else shown, call.why)
                elif (call.at or changed) < since:
                    passed.old += 1
                elif call.at is not None and call.at > now:
                    passed.future += 1
                else:
                    gathering.take(_told(call, each.reader.NAME, shown, changed))
        except OSError as error:
            passed.tell(shown, str(error.strerror or error))
        if progress is not None:
            progress(number, len(files))


def _told(call: Seen, host: str, shown: str, changed: datetime) -> Told:
    whose = _whose(call.cwd)
    kind = "Interrupted" if call.interrupted else None
    return Told(
        f"{shown}:{call.place}", host, call.tool, call.at or changed, call.args, call.error, kind, call.call, call.session,
        call.turn, whose.get("user"), whose.get("project"),
    )  # fmt: skip


@lru_cache(maxsize=4_096)
def _whose(cwd: str) -> Mapping[str, str]:
    """Give user and project of a folder; of one that is gone or not named the user alone."""
    whose = identity_at(Path(cwd)) if cwd else identity_at(Path("/"))
    return whose if cwd and Path(cwd).is_dir() else {"user": whose["user"]}


def _shown(path: Path, home: Path) -> str:
    try:
        return f"~/{path.relative_to(home)}"
    except ValueError:
        return str(path)
