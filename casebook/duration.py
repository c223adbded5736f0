"""Lengths of time as cases and policies write them: seconds, `"1h30m"`, or ISO 8601 without months and years."""

from __future__ import annotations

import math
import re
from datetime import timedelta

from casebook.problems import shown

_UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_SHORT = re.compile(r"(?:\d+(?:\.\d+)?[wdhms])+\Z", re.ASCII)
_PART = re.compile(r"(\d+(?:\.\d+)?)([wdhms])", re.ASCII)
_ISO = re.compile(
    r"P(?:(?P<w>\d+(?:\.\d+)?)W|(?:(?P<d>\d+(?:\.\d+)?)D)?"
    r"(?:T(?=\d)(?:(?P<h>\d+(?:\.\d+)?)H)?(?:(?P<m>\d+(?:\.\d+)?)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?)\Z",
    re.ASCII,
)
_FORMS = 'seconds, "30d", "48h", "15m", "2w" or ISO 8601 such as "P30D"'


def duration(value: object) -> timedelta:
    """Read a length of time.

    Args:
        value: a number of seconds; or a string of numbers with `w d h m s`, each unit once, the longest first; or ISO
            8601 with weeks, or days and a time.

    Returns:
        The length, above zero.

    Raises:
        ValueError: it is none of these (the message says what was expected and found), or not above zero, or longer
            than `timedelta` holds.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"expected {_FORMS}, got {shown(value)}")  # noqa: TRY004 (the value of a file, not a caller's type)
    total = _seconds(value) if isinstance(value, str) else float(value) if abs(value) < 1e15 else math.inf
    if not total > 0:
        raise ValueError(f"expected a length above zero, got {shown(value)}")
    try:
        length = timedelta(seconds=total)
    except OverflowError:
        raise ValueError(f"expected a length below 2,700,000 years, got {shown(value)}") from None
    if not length:
        raise ValueError(f"expected a length of a microsecond at least, got {shown(value)}")
    return length


def _seconds(text: str) -> float:
    """Give the seconds of a written length, or raise ValueError."""
    if _SHORT.match(text):
        parts = _PART.findall(text)
        sizes = [_UNITS[unit] for _, unit in parts]
        if sizes != sorted(set(sizes), reverse=True):
            raise ValueError(f"expected each unit once, the longest first, got {shown(text)}")
        return math.fsum(float(number) * _UNITS[unit] for number, unit in parts)
    found = _ISO.match(text)
    if found and any(found.groupdict().values()):
        return math.fsum(float(number) * _UNITS[unit] for unit, number in found.groupdict().items() if number)
    if re.match(r"P[^T]*\d+[YM]", text):
        raise ValueError(f"expected a length without months and years (they differ), got {shown(text)}")
    raise ValueError(f"expected {_FORMS}, got {shown(text)}")
