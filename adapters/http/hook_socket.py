"""The socket of hooks: frames in, frames out, for programs of the same user alone. Who hangs or sends garbage harms nobody."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any

from casebook.adapters.hooks.wire import FRAME_BYTES, frame
from casebook.clock import elapsed

SECONDS = 2.0
"""For a request to come in, and again for its answer to go out (DESIGN section 13)."""
MOST = 256
"""Connections at once; one more is hung up on, and its hook deals with the event itself (ours)."""

Answer = Callable[[Mapping[str, Any], float], dict[str, object]]
"""Takes a request, and when it had come (`casebook.clock.elapsed`), and gives the answer; runs in a thread, and raises nothing."""


class HookSocket:
    """Answers hooks, each in a thread, while requests are read by the event loop: a slow client keeps no thread waiting."""

    def __init__(self, answer: Answer, threads: Executor, *, seconds: float = SECONDS, most: int = MOST) -> None:
        """Take what answers, where it runs, and the limits."""
        self._answer, self._threads, self._seconds, self._most = answer, threads, seconds, most
        self._server: asyncio.Server | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def open(self, path: str) -> None:
        """Listen at a path where nothing is, readable and writable for this user alone. Raises OSError."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(path)
            os.chmod(path, 0o600)  # noqa: PTH101 - its folder is 0700 already; a umask would be that of all threads
            listening.listen(128)
        except OSError:
            listening.close()
            raise
        self._server = await asyncio.start_unix_server(self._met, sock=listening)

    async def close(self, grace: float) -> bool:
        """Accept nobody more, and wait for those who are being answered; gives whether all have been."""
        if self._server is not None:
            self._server.close()
        if self._running:
            await asyncio.wait(self._running, timeout=grace)
        return not self._running

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._running) >= self._most or not is_same_user(writer.get_extra_info("socket")):
            writer.close()
            return
        self._running.add(task)
        try:
            await self._dealt(reader, writer)
        except (OSError, EOFError, ValueError, RecursionError):  # it hung, hung up, or sent what is no request
            pass
        finally:
            self._running.discard(task)
            with suppress(OSError):
                writer.close()

    async def _dealt(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(self._seconds):
            length = int.from_bytes(await reader.readexactly(4))
            if length > FRAME_BYTES:
                return
            data = await reader.readexactly(length)
        answer = await asyncio.get_running_loop().run_in_executor(self._threads, self._answered, data, elapsed())
        async with asyncio.timeout(self._seconds):
            writer.write(answer)
            await writer.drain()

    def _answered(self, data: bytes, came: float) -> bytes:
        request = json.loads(data)
        if not isinstance(request, dict):
            raise ValueError("expected a JSON object as the request")  # noqa: TRY004 - one kind of fault for the caller
        return frame(self._answer(request, came))


def is_same_user(connection: Any) -> bool:
    """Say whether who connected acts as the user of this process; where the system does not tell, the folder's 0700 does."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    try:
        credentials = connection.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    except OSError:
        return False
    _, user, _ = struct.unpack("3i", credentials)
    return bool(user == os.geteuid())
