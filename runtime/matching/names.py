"""Names for the engine: it compares properties by a 32-bit hash alone, so only generated, checked names are posted."""

from __future__ import annotations

from functools import cache

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
_serial = 0


@cache
def property_name(number: int) -> str:
    """Give the property name of a number from 0: short, and of another hash than all others and the engine's own."""
    global _serial  # noqa: PLW0603  # the one sequence of this process: equal numbers have equal names everywhere
    while len(_names) <= number:
        name = f"p{_serial}"
        _serial += 1
        hashed = fnv1a(name)
        if hashed not in _hashes:
            _hashes.add(hashed)
            _names.append(name)
    return _names[number]
