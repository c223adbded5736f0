"""What a hook is answered by the service: as its own process would, over casebooks that are open already."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from casebook import __version__
from casebook.adapters.hooks.answering import HOOK_HOSTS, Served, answer
from casebook.adapters.hooks.event import Event
from casebook.adapters.hooks.folder import folder_of
from casebook.adapters.hooks.wire import PROTOCOL
from casebook.adapters.http.pool import Pool
from casebook.adapters.identity import identity_at
from casebook.clock import Clock, elapsed

WAITS = 1.2
"""Seconds after which an event is not begun any more: its hook, which waits 1.5 s, is about to deal with it itself."""


_SESSIONS = 256
"""Events that are dealt with at once, one a session: a session's next one waits here, where it can still be left to its hook."""


class HookService:
    """Answers the requests that come over the socket. Safe from many threads; raises nothing."""

    def __init__(
        self, pool: Pool, clock: Clock, standing: Callable[[], dict[str, object]], stop: Callable[[], None]
    ) -> None:
        """Take the casebooks, the clock, what the service says of itself, and what ends it.

        Args:
            pool: the casebooks.
            clock: gives the present instant, aware.
            standing: gives what `casebook.adapters.http.handshake` asks for.
            stop: asks the service to end; may be called from any thread.
        """
        self._pool, self._clock, self._standing, self._stop = pool, clock, standing, stop
        self._turns = tuple(threading.Lock() for _ in range(_SESSIONS))

    def answered(self, request: Mapping[str, Any], came: float) -> dict[str, object]:
        """Answer a request: an event of a hook, or a question of another service. An answer without `code` is no answer.

        Args:
            request: as it came.
            came: when it had come (`casebook.clock.elapsed`); it may have waited for a thread since.
        """
        asked = request.get("ask")
        if asked == "stop":
            self._stop()
        if asked in ("who", "stop"):
            return self._standing()
        if request.get("protocol") != PROTOCOL or request.get("release") not in (None, __version__):
            return {"release": __version__, "error": "another release"}
        name, raw, cwd = request.get("hook"), request.get("raw"), request.get("cwd")
        if name not in HOOK_HOSTS or not isinstance(raw, str) or not isinstance(cwd, str):
            return {"release": __version__, "error": "no request"}
        return self._dealt(name, raw.encode("utf-8", "replace"), cwd, came)

    def _dealt(self, name: str, raw: bytes, cwd: str, came: float) -> dict[str, object]:
        """Deal with an event; one whose casebook was not ready in time is left to its hook, and nothing is done twice."""
        is_late = False
        with ExitStack() as stack:

            def serve(event: Event) -> Served | None:
                nonlocal is_late
                turn = self._turns[hash((name, event.session)) % _SESSIONS]
                if not turn.acquire(timeout=max(WAITS - (elapsed() - came), 0.0)):
                    is_late = True
                    return None
                stack.callback(turn.release)
                start = folder_of(event.cwd, cwd)
                borrowed = stack.enter_context(self._pool.borrowed(start))
                is_late = elapsed() - came > WAITS
                if is_late or (borrowed.runtime is None and not borrowed.notice):
                    return None
                whose = identity_at(start, borrowed.casebooks) if borrowed.runtime is not None else {}
                return Served(borrowed.runtime, whose, borrowed.notice)

            reply = answer(name, raw, serve, self._clock)
        if is_late:
            return {"release": __version__, "error": "late"}
        return {"stdout": reply.stdout, "stderr": reply.stderr, "code": reply.code, "release": __version__}
