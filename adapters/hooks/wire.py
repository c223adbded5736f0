"""How a hook's process talks to the service of its user: one frame there, one back, over a socket in a folder of the user's own.

A frame is four bytes, the length of what follows (big-endian), and a JSON object in UTF-8. Only what every Python has loaded
already is imported here: the start of `casebook hook` is counted in milliseconds.
"""

from __future__ import annotations

import json
import os
from _socket import AF_UNIX, SOCK_STREAM, socket  # `socket` itself costs 10 ms more, of which nothing is needed here

PROTOCOL = 1
"""Of the frames; a service that speaks another one is passed by."""

FRAME_BYTES = 16 * 1024 * 1024
"""Bytes of one frame at most: an event, escaped."""


def run_folder() -> str:
    """Give the folder of the service's socket, 0700, in the user's state folder (see `casebook.user_state`)."""
    chosen = os.environ.get("CASEBOOK_STATE_DIR", "")
    if os.path.isabs(chosen):  # noqa: PTH117 - pathlib costs milliseconds
        return f"{chosen}/run"
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):  # noqa: PTH117 - as above
        base = os.path.expanduser("~/.local/state")  # noqa: PTH111 - as above
    return f"{base}/casebook/run"


def socket_path() -> str:
    """Give the path of the service's socket."""
    return f"{run_folder()}/serve.sock"


def ask(path: str, request: dict[str, object], seconds: float) -> dict[str, object]:
    """Send a request to a service and give its answer.

    Args:
        path: of its socket.
        request: JSON values.
        seconds: for connecting, and for each piece.

    Raises:
        OSError: nobody answers there, in time.
        ValueError: what came back is no answer.
    """
    connection = socket(AF_UNIX, SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect(path)
        connection.sendall(frame(request))
        length = int.from_bytes(_received(connection, 4))
        if length > FRAME_BYTES:
            raise ValueError(f"expected a frame of at most {FRAME_BYTES:,} bytes, got {length:,}")
        answer = json.loads(_received(connection, length))
        if not isinstance(answer, dict):
            raise ValueError("expected a JSON object as the answer")  # noqa: TRY004 - one kind of fault for the caller
        return answer
    finally:
        connection.close()


def frame(message: dict[str, object]) -> bytes:
    """Give a message as a frame."""
    data = json.dumps(message).encode()
    return len(data).to_bytes(4) + data


def _received(connection: socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = connection.recv(min(65_536, size - len(data)))
        if not piece:
            raise OSError("the service hung up")
        data += piece
    return bytes(data)
