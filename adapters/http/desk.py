"""What every route is given: who asks, the casebook, and a thread for the work, so that no request holds another one up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from casebook.adapters.http.pool import Borrowed
from casebook.adapters.http.refusing import Refusal, RefusedError
from casebook.adapters.http.tokens import caller_of
from casebook.adapters.identity import Caller
from casebook.clock import Clock
from casebook.runtime.runtime import Runtime

T = TypeVar("T")
THREADS = 16
"""Requests that are worked on at once (ours); one more waits, within its 2 s."""
_bearer = HTTPBearer(auto_error=False, description="a token of `casebook serve token add`")


class Desk:
    """The state of the application.

    Attributes:
        clock: gives the present instant, aware.
    """

    def __init__(self, borrowed: Callable[[], AbstractContextManager[Borrowed]], clock: Clock) -> None:
        """Take what gives the casebook for as long as a request is worked on, and the clock."""
        self.clock = clock
        self._borrowed = borrowed
        self._threads = ThreadPoolExecutor(THREADS, "casebook-http")

    async def with_casebook(self, work: Callable[[Runtime], T]) -> T:
        """Do work with the casebook in a thread, and give what it gives.

        Raises:
            RefusedError: there is no casebook here that is served.
            CasebookError: what the work raises.
        """

        def run() -> T:
            with self._borrowed() as found:
                if found.runtime is None:
                    why = found.notice or "there is none here; `casebook init` makes one"
                    raise RefusedError(Refusal(503, f"casebook: {why}", "casebook", "one that is served", "none"))
                return work(found.runtime)

        return await self.in_thread(run)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do work in a thread, and give what it gives."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Wait for what is being worked on; what was not begun is left."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def desk_of(request: Request) -> Desk:
    """Give the state of the application that a request came to."""
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


async def known(request: Request, shown: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> Caller:
    """Give who asks, by their token. Raises RefusedError (401) where none, or none that is known, is shown."""
    expected = "Bearer and a token of `casebook serve token add`"
    if shown is None:
        raise RefusedError(
            Refusal(401, f"authorization: expected {expected}, got none", "header.authorization", expected, "none")
        )
    caller = await desk_of(request).in_thread(lambda: caller_of(shown.credentials))
    if caller is None:
        told = f"authorization: expected {expected}, got one that is not known here"
        raise RefusedError(Refusal(401, told, "header.authorization", expected, "one that is not known"))
    return caller


Known = Annotated[Caller, Depends(known)]
Here = Annotated[Desk, Depends(desk_of)]
