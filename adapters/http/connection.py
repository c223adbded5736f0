"""One connection of HTTP: who opens one and does not ask within the time is hung up on, and what is no HTTP is answered in JSON."""

from __future__ import annotations

import asyncio
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from casebook.adapters.http.guarding import SECONDS
from casebook.adapters.http.refusing import Refusal

_REASONS = {400: b"Bad Request"}


class Connection(H11Protocol):
    """uvicorn's, which waits for ever for the head of a request, with a limit."""

    _waited: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._heard()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take data; where it is a part of a head, the time for the rest of it runs from its beginning."""
        super().data_received(data)
        if self._is_idle():
            self._wait()
        else:
            self._heard()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        refusal = Refusal(400, msg, "request", "HTTP/1.1", "what is none")
        headers = [*refusal.headers, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=400, headers=headers, reason=_REASONS[400]), h11.Data(data=refusal.body), h11.EndOfMessage(),
        ):  # fmt: skip
            self.transport.write(self.conn.send(event))
        self.transport.close()

    def _is_idle(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None until the first request, whatever is declared
        return cycle is None or cycle.response_complete

    def _wait(self) -> None:
        if self._waited is None:
            self._waited = self.loop.call_later(SECONDS, self._given_up)

    def _heard(self) -> None:
        if self._waited is not None:
            self._waited.cancel()
            self._waited = None

    def _given_up(self) -> None:
        self._waited = None
        if self._is_idle() and not self.transport.is_closing():
            self.transport.close()
