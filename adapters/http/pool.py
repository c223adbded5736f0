"""Casebooks held open for whoever asks next, by what is found around a folder; trust that is given or taken is seen at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from casebook.adapters.trust.opening import home_folder, store_over
from casebook.adapters.trust.standing import FoundPlace, found_places
from casebook.clock import Clock, elapsed
from casebook.faults import ClosedError
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.runtime import Runtime

MOST = 8
"""Casebooks that are held open beside those in use (ours: as many projects as somebody works in at once)."""
IDLE = 900.0
"""Seconds after which one that nobody asked is closed (ours)."""

Key = tuple[tuple[str | int, ...], ...]
"""Of each place that is served its layer, path, standing, device and inode: a folder that another one took the place of is another."""
Began = Callable[[Runtime], Callable[[], None]]
"""Takes a runtime that was opened, and gives what is to be done before it is closed."""


@dataclass(frozen=True, slots=True)
class Borrowed:
    """The casebooks around a folder, for as long as they are borrowed.

    Attributes:
        runtime: over those that are served; None where none is.
        notice: why others are not, for a person; empty where all are.
        casebooks: the folders of those that are served, the nearest first.
    """

    runtime: Runtime | None
    notice: str
    casebooks: tuple[Path, ...] = ()


@dataclass(slots=True)
class _Held:
    opening: threading.Lock = field(default_factory=threading.Lock)
    runtime: Runtime | None = None
    ending: Callable[[], None] | None = None
    users: int = 0
    used: float = 0.0


class Pool:
    """Runtimes by what they serve, the ones last used longest. Safe from many threads."""

    def __init__(
        self,
        clock: Clock,
        engine: EngineChoice = "auto",
        *,
        most: int = MOST,
        idle: float = IDLE,
        began: Began | None = None,
    ) -> None:
        """Take the clock, the engine that matches, and the limits.

        Args:
            clock: gives the present instant, aware.
            engine: the engine.
            most: casebooks that are held open while nobody uses them.
            idle: seconds after which one of them is closed.
            began: told of each that is opened; what it gives is called before that one is closed.
        """
        self._clock, self._engine, self._most, self._idle = clock, engine, most, idle
        self._began = began
        self._lock = threading.Lock()
        self._held: OrderedDict[Key, _Held] = OrderedDict()
        self._is_closed = False

    @contextmanager
    def borrowed(self, start: Path) -> Iterator[Borrowed]:
        """Give what is served around a folder, held open until the block ends.

        Args:
            start: the folder that somebody works in.

        Raises:
            StoreError: one that is served cannot be read.
            ClosedError: the pool was closed.
        """
        places = found_places(start, home_folder())
        notice = "; ".join(each.why for each in places if not each.is_served)
        served = tuple(each for each in places if each.is_served)
        if not served:
            yield Borrowed(None, notice)
            return
        key = _key(served)
        held = self._taken(key)
        try:
            yield Borrowed(self._opened(held, served), notice, tuple(each.path for each in served))
        finally:
            self._given_back(key, held)

    def close_idle(self) -> None:
        """Close what nobody has asked for long."""
        self._close(self._spare(elapsed() - self._idle))

    def close(self) -> None:
        """Close all; whoever has borrowed one has given it back by then, or is left with a closed one."""
        with self._lock:
            self._is_closed = True
            held = [*self._held.values()]
            self._held.clear()
        self._close(held)

    def __len__(self) -> int:
        """Give how many are open."""
        with self._lock:
            return sum(each.runtime is not None for each in self._held.values())

    def _taken(self, key: Key) -> _Held:
        with self._lock:
            if self._is_closed:
                raise ClosedError
            held = self._held.setdefault(key, _Held())
            held.users += 1
            self._held.move_to_end(key)
            return held

    def _opened(self, held: _Held, places: tuple[FoundPlace, ...]) -> Runtime:
        """Give the runtime, opened and warm: whoever comes first pays for that, and what has a limit of time begins after it."""
        with held.opening:
            if held.runtime is None:
                store = store_over(places, self._clock)
                assert store is not None
                runtime = Runtime(store, matcher(self._engine), self._clock)
                try:
                    warm(runtime)
                    held.ending = self._began(runtime) if self._began is not None else None
                except BaseException:
                    runtime.close()
                    raise
                held.runtime = runtime
            return held.runtime

    def _given_back(self, key: Key, held: _Held) -> None:
        with self._lock:
            held.users -= 1
            held.used = elapsed()
            if held.runtime is None and not held.users and self._held.get(key) is held:
                del self._held[key]
        self._close(self._spare(None))

    def _spare(self, before: float | None) -> list[_Held]:
        """Take out what nobody uses and has not been used since an instant; for None what is over the limit."""
        with self._lock:
            unused = [(key, each) for key, each in self._held.items() if not each.users and each.runtime is not None]
            over = unused[: max(len(unused) - self._most, 0)] if before is None else unused
            spare = [(key, each) for key, each in over if before is None or each.used <= before]
            for key, _ in spare:
                del self._held[key]
        return [each for _, each in spare]

    def _close(self, held: list[_Held]) -> None:
        for each in held:
            with each.opening:
                if each.ending is not None:
                    each.ending()
                if each.runtime is not None:
                    each.runtime.close()


def warm(runtime: Runtime) -> None:
    """Load a casebook and all that an answer needs, so that the first one is as quick as the next."""
    runtime.snapshot()
    runtime.match({"text": "."})
    with suppress(Exception):  # a journal that cannot be opened is told by the answers
        runtime.flush()


def _key(places: tuple[FoundPlace, ...]) -> Key:
    found: list[tuple[str | int, ...]] = []
    for each in places:
        try:
            stat = each.path.stat()
            found.append((each.layer, str(each.path), each.standing, stat.st_dev, stat.st_ino, *sorted(each.strangers)))
        except OSError:
            found.append((each.layer, str(each.path), each.standing, 0, 0))
    return tuple(found)
