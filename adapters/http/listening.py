"""HTTP on this machine: uvicorn in the service's own event loop, with its own signals left alone."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import uvicorn

from casebook.adapters.http.app import application
from casebook.adapters.http.connection import Connection
from casebook.adapters.http.desk import Desk
from casebook.adapters.http.guarding import Guard
from casebook.adapters.http.pool import Borrowed
from casebook.clock import Clock, elapsed

_HEAD_BYTES = 16_384
"""Of a request's line and headers (ours)."""


class _Server(uvicorn.Server):
    """uvicorn, but that signals are the service's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Listening:
    """The HTTP side of a service.

    Attributes:
        has_failed: whether it has ended on its own.
    """

    def __init__(
        self, bound: socket.socket, borrowed: Callable[[], AbstractContextManager[Borrowed]], clock: Clock
    ) -> None:
        """Take the socket, bound, what gives the casebook, and the clock."""
        self._bound = bound
        self._desk = Desk(borrowed, clock)
        guard = Guard(application(self._desk), bound.getsockname()[1])
        self._server = _Server(
            uvicorn.Config(
                guard, log_config=None, log_level="error", access_log=False, lifespan="off", ws="none", http=Connection, loop="none", interface="asgi3",
                server_header=False, proxy_headers=False, h11_max_incomplete_event_size=_HEAD_BYTES,
            )
        )  # fmt: skip
        self._task: asyncio.Task[None] | None = None

    @property
    def has_failed(self) -> bool:
        """Say whether it has ended on its own."""
        return self._task is not None and self._task.done()

    async def open(self) -> None:
        """Begin to answer."""
        self._task = asyncio.create_task(self._server.serve(sockets=[self._bound]))
        while not self._server.started and not self._task.done():  # noqa: ASYNC110 - uvicorn sets a flag, and no event
            await asyncio.sleep(0.005)
        if self._task.done():
            self._task.result()

    async def close(self, grace: float) -> bool:
        """Accept nobody more, and wait for what is being worked on; gives whether all of it has ended."""
        self._server.should_exit = True
        until = elapsed() + grace
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=grace)
        threads = asyncio.get_running_loop().run_in_executor(None, self._desk.close)
        _, left = await asyncio.wait({threads}, timeout=max(until - elapsed(), 0.1))
        self._bound.close()
        return not left
