"""Heavy work in a thread beside those who answer agents: they get the interpreter soon, and first."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from casebook.clock import elapsed

SWITCH = 0.0005
"""Seconds after which a thread at work lets another in (ours: a tenth of Python's own). An answer lets go of the interpreter and asks
for it back at every file that it looks at and every regular expression, and would wait the whole of it each time."""
WORK, REST, MOST = 0.001, 0.0003, 0.004
"""Seconds of work between two waits, between two looks whether an answer is ready, and of a wait. So work goes on at a fifth of its
pace where agents ask without a pause, and an answer, which takes some 2 ms, is held up once."""

_lock = threading.Lock()
_at_work = 0
_usual = 0.0
_answering: set[int] = set()
"""The threads that answer an agent at the moment."""
_waited = 0.0
"""When somebody at work waited last for one."""


@contextmanager
def yielding() -> Iterator[None]:
    """Let other threads in often while a block runs, in this process; the last block to end sets the interval back."""
    global _at_work, _usual  # noqa: PLW0603 - the interpreter has one such interval
    with _lock:
        if not _at_work:
            _usual = sys.getswitchinterval()
            sys.setswitchinterval(min(_usual, SWITCH))
        _at_work += 1
    try:
        yield
    finally:
        with _lock:
            _at_work -= 1
            if not _at_work:
                sys.setswitchinterval(_usual)


class Answering:
    """A block in which this thread answers an agent: whoever is heavily at work in another waits a little (`let_in`)."""

    __slots__ = ()

    def __enter__(self) -> None:
        _answering.add(threading.get_ident())

    def __exit__(self, *_: object) -> None:
        _answering.discard(threading.get_ident())


answering = Answering()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_answering.clear)  # the others are not in the child


def let_in() -> None:
    """Wait while others answer agents, a few milliseconds at most, after each millisecond of work. To be called at every step of it.

    Never to be called with a lock that an answer waits for without a limit.
    """
    global _waited  # noqa: PLW0603 - of all threads at work, which share one interpreter
    if not _answering or threading.get_ident() in _answering:
        return
    now = elapsed()
    if now - _waited < WORK:
        return
    while _answering and elapsed() < now + MOST:
        time.sleep(REST)
    _waited = elapsed()
