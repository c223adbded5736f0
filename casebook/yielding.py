"""Heavy work in a thread beside those who answer agents: they get the interpreter soon."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SWITCH = 0.0005
"""Seconds after which a thread at work lets another in (ours: a tenth of Python's own). An answer lets go of the interpreter and asks
for it back at every file that it looks at and every regular expression, and would wait the whole of it each time."""

_lock = threading.Lock()
_at_work = 0
_usual = 0.0


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
