"""The service as a process: its place taken, its sockets open, upkeep running; ended by a signal or by its successor."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from casebook import __version__
from casebook.adapters.hooks.answering import HOOK_HOSTS, codec_of, hook_host
from casebook.adapters.hooks.wire import socket_path
from casebook.adapters.http.handshake import ServiceError, Standing, place_taken
from casebook.adapters.http.hook_service import HookService
from casebook.adapters.http.hook_socket import HookSocket
from casebook.adapters.http.pool import Borrowed, Pool, warm
from casebook.adapters.trust.opening import home_folder
from casebook.clock import Clock, elapsed
from casebook.faults import CasebookError
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.runtime import Runtime

if TYPE_CHECKING:
    from casebook.adapters.http.listening import Listening
    from casebook.runtime.upkeep.made import Made
    from casebook.stores.protocol import Store

PORT = 7477
"""Where HTTP listens unless said otherwise (ours); where another program has it, at any free port."""
GRACE = 8.0
"""Seconds that what runs is waited for when the service ends (ours: four requests of 2 s, one after the other)."""
_THREADS = 16
_SWEPT = 30.0
"""Seconds between two looks for casebooks that nobody has asked for long."""
_log = logging.getLogger("casebook.serve")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a service is told.

    Attributes:
        clock: gives the present instant, aware.
        start: the folder around which HTTP finds its casebooks.
        stores: opens the casebooks that were named; None where none was.
        casebooks: the folders that were named.
        port: of HTTP: 0 takes any, None the usual one or, where that is taken, any; a negative one is no HTTP.
        engine: the engine that matches.
        tell: is told what a person may want to read, a line each.
        tell_run: is told of each run of upkeep.
    """

    clock: Clock
    start: Path
    stores: Callable[[], Store] | None
    casebooks: tuple[str, ...]
    port: int | None
    engine: EngineChoice
    tell: Callable[[str], None]
    tell_run: Callable[[Made], None]


def serve(settings: Settings) -> int:
    """Serve until SIGTERM, or a successor, ends it (0), or SIGINT (130); 0 at once where a service of this release is up.

    Raises:
        ServiceError: it cannot be started, or what was asked for is not what the one that is up does.
        StoreError: a casebook that was named cannot be read.
    """
    with place_taken(settings.tell) as other:
        if other is not None:
            return _is_up(other, settings)
        return _Service(settings).run()


def _is_up(other: Standing, settings: Settings) -> int:
    """Say that a service is up; raise ServiceError where another one was asked for."""
    at = f" at {other.url}" if other.url else ""
    told = f"a service of release {other.release} is up (process {other.pid}){at}"
    wanted = settings.casebooks
    has_port = (
        settings.port in (None, 0) or other.url.endswith(f":{settings.port}") or (settings.port == -1 and not other.url)
    )
    if (wanted and wanted != other.casebooks) or not has_port:
        raise ServiceError(f"{told} and was told otherwise; end it (`kill {other.pid}`), and start again")
    settings.tell(told)
    return 0


class _Service:
    """One service, from its start to its end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._named: Runtime | None = None
        self._url = ""
        self._code = 0
        self._stop: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool = Pool(settings.clock, settings.engine, began=self._kept_up)
        self._threads = ThreadPoolExecutor(_THREADS, "casebook-hook")

    def run(self) -> int:
        """Serve, and give the exit code."""
        try:
            ending = self._open_named()
            self._open_usual()
            if not gc.isenabled():  # `main` has turned it off: the process is this command's alone, and stays
                from casebook.uncollected import settled

                settled()
            try:
                asyncio.run(self._serve())
            finally:
                ending()
        finally:
            self._pool.close()
        return self._code

    def _open_named(self) -> Callable[[], None]:
        """Open the casebooks that were named; gives what closes them."""
        if self._settings.stores is None:
            return lambda: None
        runtime = Runtime(self._settings.stores(), matcher(self._settings.engine), self._settings.clock)
        try:
            warm(runtime)
            stop = self._kept_up(runtime)
        except BaseException:
            runtime.close()
            raise
        self._named = runtime

        def ending() -> None:
            stop()
            runtime.close()

        return ending

    def _open_usual(self) -> None:
        """Open what is found here, and the user's own, so that the first hook need not wait; what cannot be is told when it is asked."""
        for start in dict.fromkeys((self._settings.start, home_folder())):
            with suppress(CasebookError, OSError), self._pool.borrowed(start):
                pass
        for name in HOOK_HOSTS:
            codec_of(hook_host(name))

    def _kept_up(self, runtime: Runtime) -> Callable[[], None]:
        """Begin the upkeep of a casebook; gives what ends it."""
        from casebook.adapters.scheduled import scheduler_of
        from casebook.runtime.upkeep.scheduler import GRACE as ITS_GRACE

        scheduler = scheduler_of(runtime, self._settings.clock, self._settings.tell_run, apart=None)
        scheduler.start()

        def end() -> None:
            scheduler.stop(ITS_GRACE)  # a job is safe to kill anywhere: the next run completes it

        return end

    @contextmanager
    def borrowed(self) -> Iterator[Borrowed]:
        """Give the casebook that HTTP is about: the one that was named, else what is found, as far as it is trusted."""
        if self._named is not None:
            yield Borrowed(self._named, "")
            return
        with self._pool.borrowed(self._settings.start) as found:
            yield found

    def _standing(self) -> dict[str, object]:
        return Standing(__version__, os.getpid(), self._url, self._settings.casebooks).to_json()

    def _asked_to_stop(self) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)

    def _signalled(self, number: int) -> None:
        assert self._stop is not None
        if self._stop.is_set():  # the second one ends at once
            os._exit(130 if number == signal.SIGINT else 0)
        self._code = 130 if number == signal.SIGINT else 0
        self._stop.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._signalled, number)
        http = self._listening()
        path = socket_path()
        answers = HookService(self._pool, self._settings.clock, self._standing, self._asked_to_stop)
        hooks = HookSocket(answers.answered, self._threads)
        try:
            try:
                await hooks.open(path)
            except OSError as error:
                raise ServiceError(f"{path} cannot be listened at: {error.strerror or error}") from None
            if http is not None:
                await http.open()
            at = f" and {self._url}" if self._url else ""
            self._settings.tell(f"serving {path}{at}; Ctrl-C ends it")
            await self._until_stopped(http)
        finally:
            with suppress(OSError):  # nobody finds it from here on; hooks deal with their events themselves
                os.unlink(path)  # noqa: PTH108 - a moment, as the loop ends
            has_ended = await self._ended(hooks, http)
            self._threads.shutdown(wait=has_ended, cancel_futures=True)
        if not has_ended:
            _log.warning("casebook: what ran on was left; the same report again counts once")
            self._leave()

    async def _until_stopped(self, http: Listening | None) -> None:
        assert self._stop is not None
        assert self._loop is not None
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _SWEPT)
            if self._stop.is_set():
                return
            if http is not None and http.has_failed:
                raise ServiceError("HTTP has ended on its own")
            await self._loop.run_in_executor(self._threads, self._pool.close_idle)

    async def _ended(self, hooks: HookSocket, http: Listening | None) -> bool:
        """Accept nobody more, and wait for those who are being answered; gives whether all were."""
        until = elapsed() + GRACE
        ended = await hooks.close(GRACE)
        if http is not None:
            ended = await http.close(max(until - elapsed(), 0.1)) and ended
        return ended

    def _leave(self) -> None:
        """End although a thread runs on, which the end of the interpreter would wait for: what is journaled is written first."""
        for each in (self._pool, self._named):
            if each is not None:
                with suppress(Exception):
                    each.close()
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(self._code)

    def _listening(self) -> Listening | None:
        """Give HTTP, bound and not yet open; None where there is to be none. Raises ServiceError."""
        port = self._settings.port
        if port is not None and port < 0:
            return None
        bound = _bound(port)
        number = bound.getsockname()[1]
        self._url = f"http://127.0.0.1:{number}"
        try:
            from casebook.adapters.http.listening import Listening
        except ModuleNotFoundError as error:
            bound.close()
            if (error.name or "").startswith("casebook"):
                raise
            raise ServiceError(
                f"HTTP: {error.name} is not installed; pip install 'casebook-runtime[server]' brings it, --no-http goes without"
            ) from None
        return Listening(bound, self.borrowed, self._settings.clock)


def _bound(port: int | None) -> socket.socket:
    """Give a socket of this machine alone, bound. Raises ServiceError."""
    tried: Sequence[int] = (PORT, 0) if port is None else (port,)
    for each in tried:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", each))
        except (OSError, OverflowError) as error:
            listening.close()
            if each == tried[-1]:
                why = error.strerror if isinstance(error, OSError) else error
                raise ServiceError(
                    f"--port {each}: 127.0.0.1:{each} cannot be listened at: {why}; --port 0 takes any"
                ) from None
        else:
            return listening
    raise AssertionError("unreachable")
