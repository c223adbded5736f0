"""What stands before every request: who may ask from where, how much, and for how long. A web page never gets through."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from casebook.adapters.http.refusing import Refusal
from casebook.limits import TASK_BYTES

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SECONDS = 2.0
"""For a request to come in, and again for it to be answered (DESIGN section 13)."""
_log = logging.getLogger("casebook.serve")


class Guard:
    """An application behind its guard.

    Host must name this machine and our port: a page of a name that was pointed at 127.0.0.1 (DNS rebinding) names its own. An Origin
    that is not our own is refused, and none is ever allowed in an answer; so is what a browser says comes from another site.
    """

    def __init__(self, app: App, port: int, *, seconds: float = SECONDS, most_bytes: int = TASK_BYTES) -> None:
        """Take the application, the port at which it listens, and the limits."""
        self._app, self._seconds, self._most = app, seconds, most_bytes
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))
        if port == 80:
            self._hosts |= {"127.0.0.1", "localhost"}
        self._told: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        said = _Said(send)
        refusal = self._refused(scope["headers"])
        if refusal is None:
            body = await self._body(receive)
            refusal = body if isinstance(body, Refusal) else await self._answered(scope, _replayed(body, receive), said)
        if refusal is not None and not said.has_begun:
            await send({"type": "http.response.start", "status": refusal.status, "headers": refusal.headers})
            await send({"type": "http.response.body", "body": refusal.body})

    def _refused(self, headers: list[tuple[bytes, bytes]]) -> Refusal | None:
        given: dict[str, str] = {}
        for name, value in headers:
            key = name.decode("latin-1").lower()
            if key in given and key in ("host", "origin"):
                return Refusal(400, f"{key}: expected one, got several", f"header.{key}", "one", "several")
            given[key] = value.decode("latin-1")
        host, origin = given.get("host", "").lower(), given.get("origin")
        if host not in self._hosts:
            known = " or ".join(sorted(self._hosts))
            return Refusal(
                421, f"host: expected {known}, got {host or 'nothing'!r}", "header.host", known, host or "nothing"
            )
        if origin is not None and origin.lower() != f"http://{host}":
            told = f"origin: expected no web page but one of http://{host}, got {origin!r}"
            return Refusal(403, told, "header.origin", f"http://{host}, or none", origin)
        site = given.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin"):
            told = f"sec-fetch-site: expected no web page of another site, got {site!r}"
            return Refusal(403, told, "header.sec-fetch-site", "none", site)
        length = given.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self._most:
            return self._too_large(f"{int(length[:20]):,} bytes")
        return None

    def _too_large(self, found: str) -> Refusal:
        most = f"at most {self._most:,} bytes"
        return Refusal(413, f"body: expected {most} (limit: task), got {found}", "body", most, found)

    async def _body(self, receive: Receive) -> bytes | Refusal:
        """Read the body whole, as far as it is within the limits."""
        data = bytearray()
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":  # it hung up
                        return Refusal(400, "body: expected all of it, got a part", "body", "all of it", "a part")
                    data += message.get("body", b"")
                    if len(data) > self._most:
                        return self._too_large(f"{len(data):,} bytes or more")
                    if not message.get("more_body", False):
                        return bytes(data)
        except TimeoutError:
            most = f"all of it within {self._seconds:g} s"
            return Refusal(408, f"body: expected {most}, got {len(data):,} bytes", "body", most, f"{len(data):,} bytes")

    async def _answered(self, scope: Scope, receive: Receive, said: _Said) -> Refusal | None:
        """Let the application answer, in time; gives what is answered where it does not."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._app(scope, receive, said)
        except TimeoutError:
            told = f"no answer within {self._seconds:g} s; what was asked may still be done, and the same report again counts once"
            return Refusal(503, told, "", f"an answer within {self._seconds:g} s", "none")
        except Exception as error:  # noqa: BLE001 - the boundary: told as a fault of ours, and logged once a kind
            kind = f"{type(error).__name__} {scope.get('path')}"
            if kind not in self._told:
                self._told.add(kind)
                _log.exception("casebook: %s", kind)
            return Refusal(500, f"a fault of ours: {type(error).__name__}")
        return None


class _Said:
    """Sends, and knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        self.has_begun = self.has_begun or message["type"] == "http.response.start"
        await self._send(message)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Give what an application receives whose body was read already."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
