"""`casebook hook NAME` where the service is up: the event goes to it as it stands, and its answer comes out."""

from __future__ import annotations

import os
import sys

from casebook import __version__
from casebook.adapters.hooks.wire import PROTOCOL, ask, socket_path

EVENT_BYTES = 4 * 1024 * 1024
"""Bytes of an event that the service is given; a larger one is dealt with in this process."""

_READ_BYTES = 32 * 1024 * 1024
"""Bytes of an event that are read at all (as `casebook.adapters.hooks.answering.PAYLOAD_BYTES`)."""

_SECONDS = 1.5
"""For the service to answer; then the event is dealt with in this process."""

_OWN = ("CASEBOOK_DIR", "CASEBOOK_MODE", "CASEBOOK_NO_SERVICE")
"""Who sets one of these means this process: the service has its own."""


left: bytes | None = None
"""What was read from stdin for a service that is not there."""


def read_event() -> bytes:
    """Give what stands on stdin, as far as an event is read; one byte more shows that it went on.

    The rest is read and dropped: a host that cannot finish its sentence may take that for an error. Nothing stands there where
    stdin is closed or cannot be read.
    """
    if sys.stdin is None:
        return b""
    try:
        raw = sys.stdin.buffer.read(_READ_BYTES + 1)
        while len(raw) > _READ_BYTES and sys.stdin.buffer.read(1024 * 1024):
            pass
    except OSError:
        return b""
    return raw


def written(stdout: str, stderr: str) -> None:
    """Write the answer, in UTF-8 whatever the terminal's encoding: hosts read no other. A stream that is gone is passed over."""
    for stream, text in ((sys.stdout, stdout), (sys.stderr, stderr)):
        if stream is None or not text:
            continue
        try:
            stream.flush()
            stream.buffer.write(text.encode("utf-8", "replace"))
            stream.flush()
        except (OSError, ValueError):  # the host has hung up
            continue


def by_service(host: str, raw: bytes) -> int | None:
    """Let the service answer an event, and give the exit code; None where there is no service that does.

    Args:
        host: as it was typed.
        raw: what stood on stdin.
    """
    path = socket_path()
    if len(raw) > EVENT_BYTES or any(os.environ.get(name) for name in _OWN) or not _is_own(path):
        return None
    request: dict[str, object] = {
        "protocol": PROTOCOL,
        "release": __version__,
        "hook": host,
        "raw": raw.decode("utf-8", "replace"),
        "cwd": own_folder(),
    }
    try:
        answer = ask(path, request, _SECONDS)
    except (OSError, ValueError):
        return None
    code = answer.get("code")
    if not isinstance(code, int):
        return None
    out, err = answer.get("stdout"), answer.get("stderr")
    written(out if isinstance(out, str) else "", err if isinstance(err, str) else "")
    return code


def own_folder() -> str:
    """Give the folder this process stands in; the root where that is gone."""
    try:
        return os.getcwd()  # noqa: PTH109 - pathlib costs milliseconds
    except OSError:
        return "/"


def _is_own(path: str) -> bool:
    """Say whether a socket of this user's is there."""
    try:
        return os.stat(path).st_uid == os.geteuid()  # noqa: PTH116 - as above
    except OSError:
        return False
