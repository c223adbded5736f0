"""One row of the tables of variable parts and constants."""

from __future__ import annotations

import re
from dataclasses import dataclass

CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Part:
    """What stands for it, how it is found, and texts it is found in: the pattern's group `v`, if it has one, else all of it."""

    name: str
    pattern: re.Pattern[str]
    examples: tuple[str, ...]


def part(name: str, pattern: str, *examples: str) -> Part:
    """Give a row whose pattern does not mind capitals; ASCII classes only, for Chinese characters border on numbers and names."""
    return Part(name, re.compile(pattern, re.ASCII | re.IGNORECASE), examples)


def exact(name: str, pattern: str, *examples: str) -> Part:
    """Give a row whose pattern minds capitals."""
    return Part(name, re.compile(pattern, re.ASCII), examples)
