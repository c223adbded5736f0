"""`casebook hook NAME` where the service is up: the event goes to it as it stands, and its answer comes out."""

from __future__ import annotations

import os
import sys

from casebook import __version__
from casebook.adapters.hooks.wire import PROTOCOL, ask, socket_path

EVENT_BYTES = 4 * 1024 * 1024
"""Bytes of an event that are read (as `casebook.adapters.hooks.answering.PAYLOAD_BYTES`)."""

_SECONDS = 1.5
"""For the service to answer; then the event is dealt with in this process."""

_OWN = ("CASEBOOK_DIR", "CASEBOOK_MODE", "CASEBOOK_NO_SERVICE")
"""Who sets one of these means this process: the service has its own."""


left: bytes | None = None
"""What was read from stdin for a service that is not there."""


def read_event() -> bytes:
    """Give what stands on stdin, as far as an event is read; one byte more shows that it went on."""
    return sys.stdin.buffer.read(EVENT_BYTES + 1)


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
        "cwd": os.getcwd(),  # noqa: PTH109 - pathlib costs milliseconds
    }
    try:
        answer = ask(path, request, _SECONDS)
    except (OSError, ValueError):
        return None
    code = answer.get("code")
    if not isinstance(code, int):
        return None
    for stream, name in ((sys.stdout, "stdout"), (sys.stderr, "stderr")):
        text = answer.get(name)
        if isinstance(text, str) and text:
            stream.buffer.write(text.encode("utf-8", "replace"))
            stream.flush()
    return code


def _is_own(path: str) -> bool:
    """Say whether a socket of this user's is there."""
    try:
        return os.stat(path).st_uid == os.geteuid()  # noqa: PTH116 - as above
    except OSError:
        return False
