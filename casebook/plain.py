"""Values from a host made plain: JSON values only, finite, well formed, of bounded depth."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from casebook.faults import TaskError
from casebook.limits import NESTING

_SMALL = 10**9


@dataclass(frozen=True, slots=True)
class Plain:
    """What `plain` read.

    Attributes:
        value: the fields, made plain.
        characters: about how many characters they take, never fewer than a sixth of their bytes as JSON.
        warnings: what was taken as missing or replaced.
    """

    value: dict[str, Any]
    characters: int
    warnings: tuple[str, ...]


class _Reading:
    """One reading: counts characters and collects warnings as it goes."""

    __slots__ = ("characters", "warnings")

    def __init__(self) -> None:
        self.characters = 0
        self.warnings: list[str] = []

    def read(self, value: Any, place: str, depth: int) -> Any:
        """Give a value made plain; None where it cannot be."""
        kind = type(value)
        self.characters += 12
        if kind is str:
            return self.text(value)
        if value is None or kind is bool or kind is int:
            if kind is int and not -_SMALL < value < _SMALL:
                self.characters += value.bit_length() // 3  # no fewer than its digits
            return value
        if kind is float:
            self.characters += 12
            return value if math.isfinite(value) else self.finite(value, place)
        return self.compound(value, place, depth)

    def finite(self, value: float, place: str) -> float | None:
        """Give the largest number of an infinity's sign: beyond a bound it is so still, as `1e400` of a JSON text is; None for NaN."""
        if math.isnan(value):
            self.warnings.append(f"{place} is nan, which is no JSON value: taken as missing")
            return None
        largest = math.copysign(sys.float_info.max, value)
        self.warnings.append(f"{place} is {value}, which is no JSON value: taken as {largest}")
        return largest

    def text(self, value: str) -> str:
        """Give text whose lone surrogates are U+FFFD."""
        self.characters += len(value) + 3
        if value.isascii():
            return value
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value

    def compound(self, value: Any, place: str, depth: int) -> Any:
        """Give what is no plain scalar: mappings, lists, and the few other kinds that have an obvious reading."""
        if depth > NESTING:
            raise TaskError(f"{place[:80]}: expected values at most {NESTING} deep (limit: nesting)")
        if isinstance(value, Mapping):
            self.characters += 2
            return {
                self.text(str(key)): self.read(item, f"{place}.{key}" if place else str(key), depth + 1)
                for key, item in value.items()
            }
        if isinstance(value, str):  # a subclass: an enumeration of strings, a marked-up string
            return self.text(value.value if isinstance(value, Enum) else str.__str__(value))
        if isinstance(value, Enum):
            return self.read(value.value, place, depth + 1)
        if isinstance(value, int | float):
            return self.read(float(value) if isinstance(value, float) else int(value), place, depth + 1)
        if isinstance(value, datetime) and place == "at":
            return value
        if isinstance(value, date):
            return self.text(value.isoformat())
        if isinstance(value, PurePath):
            return self.text(str(value))
        if isinstance(value, Sequence | AbstractSet) and not isinstance(value, bytes | bytearray | memoryview):
            self.characters += 2
            items = value if isinstance(value, Sequence) else sorted(value, key=repr)
            return [self.read(item, f"{place}[{at}]", depth + 1) for at, item in enumerate(items)]
        self.warnings.append(f"{place} is of type {type(value).__name__}, which is no JSON value: taken as missing")
        return None


def plain(fields: Mapping[str, Any]) -> Plain:
    """Make a task's fields plain.

    Args:
        fields: names to any Python values. Tuples and sets become lists, paths, dates and enumerations their text or value.

    Returns:
        Only JSON values (and a datetime for `at`): numbers finite (an infinity is the largest of its sign, with a warning), no lone
        surrogates; what cannot be is None, with a warning.

    Raises:
        TaskError: values nested deeper than the limit (a ring of references is).
    """
    reading = _Reading()
    value = {name: reading.read(item, name, 1) for name, item in fields.items()}
    reading.characters += sum(map(len, fields)) + 4 * len(fields)
    return Plain(value, reading.characters, tuple(reading.warnings))
