"""Many objects that can be part of no cycle, taken out of the garbage collector's sight: it need not walk them, whoever runs it.

A full collection, in whichever thread it comes, holds all others up for as long as it walks all that there is: of 100,000 memories a
third of a second. `gc.freeze` would hide what a host has made with them, and keep the host's cycles for ever; this hides what is named.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import lru_cache

FEW = 1_000
"""So many memories are left in sight: a full collection walks them in some 3 ms, and a small casebook loads nothing for this."""


def uncollected(*objects: object) -> None:
    """Leave objects to be freed when nobody holds them any more, which the collector would see to only where they are in a cycle.

    Args:
        objects: never part of a cycle, and not changed any more. What they hold is not looked at; what has nothing to be walked,
            such as a string, is passed over. Where this interpreter has no such thing (PyPy, threads without a lock), nothing is done.
    """
    untrack = _untrack()
    if untrack is not None:
        for each in objects:
            if gc.is_tracked(each):
                untrack(each)


def settled() -> None:
    """Take all that there is at this moment out of the collector's sight, and let it run from now on.

    For a process that is ours alone, such as `casebook schedule`, once it is loaded: then a full collection takes a few milliseconds
    instead of some 40. Never in a process of somebody else, whose cycles would be kept for ever.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


@lru_cache(maxsize=1)
def _untrack() -> Callable[[object], None] | None:
    """Give CPython's `PyObject_GC_UnTrack`, which is what an object is freed with, and may be called before that."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None
    try:
        import ctypes  # only where there are many
    except ImportError:
        return None
    form = ctypes.PYFUNCTYPE(None, ctypes.py_object)
    return form(("PyObject_GC_UnTrack", ctypes.pythonapi))
