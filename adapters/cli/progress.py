"""A bar on stderr for work that takes a while, where stderr is a terminal; elsewhere nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from casebook.adapters.cli import output

_CELLS = 30
_CLEAR = "\r\x1b[K"


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give what is told how far the work is: how much of it is done, and of how much; the bar is gone at the end.

    Args:
        what: the work, in a word or two.

    Yields:
        None where stderr is no terminal.
    """
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield None
        return
    shown = -1

    def tell(done: int, of: int) -> None:
        nonlocal shown
        share = 100 * done // max(of, 1)
        if share != shown:
            shown = share
            full = _CELLS * done // max(of, 1)
            stream.write(f"\r{output.flat(what)} [{'#' * full}{'.' * (_CELLS - full)}] {share:3}% of {of:,}")
            stream.flush()

    try:
        yield tell
    finally:
        stream.write(_CLEAR)
        stream.flush()
