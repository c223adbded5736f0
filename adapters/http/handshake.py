"""One service a user: who holds the lock serves, another start asks who that is, and one of another release is replaced."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook import __version__
from casebook.adapters.hooks.wire import PROTOCOL, ask, run_folder, socket_path
from casebook.clock import elapsed
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from filelock import BaseFileLock

PATH_BYTES = 107
"""Bytes of a socket's path that the system takes."""
_ASKED = 2.0
"""Seconds for a service to say who it is."""
REPLACED = 30.0
"""Seconds for another release to end, and for another start to be ready (ours: longer than it waits for what runs)."""


class ServiceError(CasebookError):
    """The service cannot be started; the message says why, and what helps."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A service that is up.

    Attributes:
        release: of the casebook that it runs.
        pid: its process.
        url: where it answers over HTTP; empty where it does not.
        casebooks: the folders that it was told to serve; empty where it serves what is found.
    """

    release: str
    pid: int
    url: str = ""
    casebooks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Give it as it goes over the socket."""
        return {
            "protocol": PROTOCOL, "release": self.release, "pid": self.pid, "url": self.url, "casebooks": list(self.casebooks),
        }  # fmt: skip


def who(seconds: float = _ASKED) -> Standing | None:
    """Give the service of this user that is up; None where none answers."""
    return _asked("who", seconds)


def _asked(what: str, seconds: float) -> Standing | None:
    try:
        told = ask(socket_path(), {"protocol": PROTOCOL, "ask": what}, seconds)
    except (OSError, ValueError):
        return None
    return _standing(told)


def _standing(told: Mapping[str, Any]) -> Standing | None:
    release, pid, url, casebooks = (told.get(name) for name in ("release", "pid", "url", "casebooks"))
    if not isinstance(release, str) or not isinstance(pid, int):
        return None
    folders = tuple(map(str, casebooks)) if isinstance(casebooks, list) else ()
    return Standing(release, pid, url if isinstance(url, str) else "", folders)


@contextmanager
def place_taken(tell: Callable[[str], None]) -> Iterator[Standing | None]:
    """Take the one place of this user for as long as the block runs.

    Args:
        tell: is told at once what is waited for, where something is.

    Yields:
        None where it is taken, and the socket's path is free; the service that has it where that is of this release.

    Raises:
        ServiceError: one of another release does not end, one does not answer, or the folder is not this user's alone.
    """
    folder = run_folder()
    _made(folder)
    from casebook.stores.file_locks import file_lock

    lock = file_lock(f"{folder}/serve.lock")
    standing = _taken(lock, tell)
    if standing is not None:
        yield standing
        return
    held = Path(folder, "serve.pid")
    try:
        with suppress(OSError):  # it is for a person who looks for the process
            held.write_text(f"{os.getpid()}\n", encoding="ascii")
        _freed(socket_path())
        yield None
    finally:
        with suppress(OSError):
            held.unlink()
        lock.release()


def _taken(lock: BaseFileLock, tell: Callable[[str], None]) -> Standing | None:
    """Take the lock; give who has it where that is of this release. Another one is asked to end, and waited for."""
    from filelock import Timeout

    until = elapsed() + REPLACED
    told, is_told = None, False
    while True:
        try:
            lock.acquire(timeout=0.1)
        except Timeout:
            pass
        else:
            return None
        standing = who()
        if standing is not None and standing.release == __version__:
            return standing
        if standing is not None and standing.pid != told:
            told = standing.pid
            _asked("stop", _ASKED)
        if not is_told:
            tell(f"{_waited_for(standing)}; it is waited for, {REPLACED:.0f} s at the most")
            is_told = True
        if elapsed() > until:
            raise ServiceError(_stuck(standing))


def _waited_for(standing: Standing | None) -> str:
    if standing is None:
        return f"another service{_holder()} holds {run_folder()}/serve.lock and does not answer, or not yet"
    return f"a service of release {standing.release} (process {standing.pid}) is asked to end"


def _stuck(standing: Standing | None) -> str:
    if standing is None:
        end = f"end it{_kill()}" if _holder() else "end that process"
        return f"another service{_holder()} holds {run_folder()}/serve.lock and does not answer; {end}, and start again"
    return f"a service of release {standing.release} (process {standing.pid}) does not end; end it, and start again"


def _holder() -> str:
    """Give which process has the place, as that has noted it; empty where nothing is noted."""
    number = _noted()
    return f" (process {number})" if number else ""


def _kill() -> str:
    return f" (`kill {_noted()}`)"


def _noted() -> str:
    try:
        noted = Path(run_folder(), "serve.pid").read_text(encoding="ascii", errors="replace")[:20].strip()
    except OSError:
        return ""
    return noted if noted.isdecimal() else ""


def _made(folder: str) -> None:
    """Make the folder of the socket, 0700; raise ServiceError where it is not this user's alone."""
    path = socket_path()
    if len(os.fsencode(path)) > PATH_BYTES:
        raise ServiceError(
            f"{path}: expected the path of a socket of at most {PATH_BYTES} bytes, got {len(os.fsencode(path))}; "
            "a shorter $CASEBOOK_STATE_DIR mends that"
        )
    place = Path(folder)
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
        found = place.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise ServiceError(f"{folder}: expected a folder of this user's own, got another's, or none")
        if stat.S_IMODE(found.st_mode) != 0o700:
            place.chmod(0o700)
    except OSError as error:
        raise ServiceError(f"{folder} cannot be used: {error.strerror or error}") from None


def _freed(path: str) -> None:
    """Take away the socket that a service left behind which was killed; whoever has the lock may."""
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise ServiceError(f"{path}: expected a socket, or nothing, got a file; take it away")
        Path(path).unlink()
    except FileNotFoundError:
        pass
