"""Names for the engine: it compares properties by a 32-bit hash alone, so only generated, checked names are posted."""

from __future__ import annotations

import itertools
import threading

RESERVED = ("id", "sid", "$s", "$m", "$i", "label", "chart", "running")
WARM_UP = "w"
"""The property that the warm-up rule of every ruleset reads."""


def fnv1a(name: str) -> int:
    """Give the 32-bit FNV-1a hash by which durable_rules knows a property."""
    value = 2_166_136_261
    for byte in name.encode():
        value = (value ^ byte) * 16_777_619 & 0xFFFFFFFF
    return value


_names: list[str] = []
_hashes: set[int] = {fnv1a(name) for name in (*RESERVED, WARM_UP)}
_candidates = (f"p{serial}" for serial in itertools.count())
_growing = threading.Lock()


def property_name(number: int) -> str:
    """Give the property name of a number from 0: short, and of another hash than all others and the engine's own."""
    if number >= len(_names):
        with _growing:  # matchers lock themselves only, and this is the one sequence of the process
            while number >= len(_names):
                name = next(name for name in _candidates if fnv1a(name) not in _hashes)
                _hashes.add(fnv1a(name))
                _names.append(name)
    return _names[number]
