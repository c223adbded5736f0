"""The command `casebook` from a process that has loaded it: each command is a fork of it.

Two thirds of a short command are the start of Python and its imports, and pages run a hundred: they are done once. That the
command starts from nothing is what `tests/cli/test_processes.py` and `tests/hooks/test_processes.py` hold it to.
"""

from __future__ import annotations

import atexit
import functools
import gc
import io
import json
import os
import pkgutil
import runpy
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parents[2]
_LONGEST = 1 << 20
"""Bytes of a command with its environment."""


def output_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run `casebook` with arguments in the present folder to its end; gives what it printed, words on stderr included."""
    server = _server()
    reading, writing = os.pipe()
    asked = json.dumps({"arguments": list(arguments), "environment": dict(environment), "folder": str(Path.cwd())})
    try:
        socket.send_fds(server, [asked.encode()], [writing])
    finally:
        os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        printed = stream.read()
    server.recv(1)
    return printed


@functools.cache
def _server() -> socket.socket:
    """Start the process that has loaded the command; it ends when this one does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.docs.loaded", str(theirs.fileno())],
        cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait(60)

    atexit.register(end)
    return ours


def _load() -> None:
    """Import what commands import as they are run; the servers among them, and frameworks, are for who starts them."""
    for package in ("casebook", "casebook.runtime", "casebook.adapters.cli"):
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            name = module.name
            if name.endswith("__main__") or (name.startswith("casebook.adapters") and package == "casebook"):
                continue
            with suppress(ImportError):  # what an extra brings
                import_module(name)


def _serve(orders: socket.socket) -> None:
    """Answer until nobody asks any more; returns in each child as well, which then is the command."""
    _load()
    assert threading.active_count() == 1, "a process with threads must not be forked"
    gc.freeze()
    while True:
        asked, streams, _, _ = socket.recv_fds(orders, _LONGEST, 1)
        if not asked:
            raise SystemExit(0)
        child = os.fork()
        if child == 0:
            orders.close()
            _become(json.loads(asked), streams[0])
            return
        os.close(streams[0])
        os.waitpid(child, 0)
        orders.send(b".")


def _become(asked: dict[str, Any], stream: int) -> None:
    """Take the place of `python -m casebook` as it starts."""
    os.dup2(stream, 1)
    os.dup2(stream, 2)
    os.close(stream)
    # made anew, as streams learn only then what they write to
    sys.stdout = _unbuffered(1, sys.stdout)
    sys.stderr = _unbuffered(2, sys.stderr)
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    os.chdir(asked["folder"])
    sys.path[0] = asked["folder"]
    sys.argv[1:] = asked["arguments"]


def _unbuffered(number: int, stream: TextIO) -> TextIO:
    """Give a stream in the place of one that Python has made, as under PYTHONUNBUFFERED."""
    raw = io.FileIO(number, "w", closefd=False)
    return io.TextIOWrapper(raw, stream.encoding, stream.errors, write_through=True)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as given:
        _serve(given)
    runpy.run_module("casebook", run_name="__main__", alter_sys=True)
