"""A question to the person at the terminal: asked once, on stderr, and never where nobody could answer."""

from __future__ import annotations

import sys

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import UsageError

_YES = frozenset({"y", "yes", "是", "好"})


def agreed(question: str, *, nobody: str) -> bool:
    """Ask, and give whether the answer is yes; no answer, and the end of the input, is no.

    Args:
        question: without `[y/N]`.
        nobody: what to say where nobody can be asked: what was not done, and how to do it all the same.

    Raises:
        UsageError: stdin is no terminal, so that nobody can be asked.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(nobody)
    output.flush()
    if sys.stderr is not None:
        sys.stderr.write(f"{output.flat(question)} [y/N] ")
        sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in _YES
