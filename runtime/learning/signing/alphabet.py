"""What stands for a variable part, and how a constant is kept from being taken for one.

While a message is worked on, each variable part is one private-use character, and a constant (an error code, a status) is
written in the last plane, where no pattern reads it. Neither can come from a message: cleaning takes both ranges out.
"""

from __future__ import annotations

import re

NAMES = (
    "value", "number", "id", "path", "url", "email", "address", "date", "duration", "size", "name", "object", "list",
)  # fmt: skip
"""The names of variable parts, as people read them."""

_FIRST = 0xE000
_SHIELD = 0xF0000
_MARKS = {name: chr(_FIRST + position) for position, name in enumerate(NAMES)}
ANY_MARK = f"[{chr(_FIRST)}-{chr(_FIRST + len(NAMES) - 1)}]"
"""A pattern, inside no other set: any variable part."""
MARK_RANGE = f"{chr(_FIRST)}-{chr(_FIRST + len(NAMES) - 1)}"
SHIELD_RANGE = f"{chr(_SHIELD)}-{chr(_SHIELD + 0xFFFD)}"

_ANY = re.compile(ANY_MARK)
_SHIELDED = re.compile(f"[{SHIELD_RANGE}]+")


def mark(name: str) -> str:
    """Give the one character that stands for a variable part of a name of `NAMES`; raises KeyError for another."""
    return _MARKS[name]


def shielded(constant: str) -> str:
    """Give a constant as characters no pattern of a variable part reads."""
    return "".join(chr(_SHIELD + ord(char)) if ord(char) < 0xFFFE else char for char in constant)


def unshielded(text: str) -> str:
    """Give the constants of a text back as they were."""
    return _SHIELDED.sub(lambda found: "".join(chr(ord(char) - _SHIELD) for char in found[0]), text)


def readable(text: str) -> str:
    """Give a text with each variable part by its name: `‹path›`."""
    return _ANY.sub(lambda found: f"‹{NAMES[ord(found[0]) - _FIRST]}›", unshielded(text))


def alike(text: str) -> str:
    """Give a text with every variable part as `<*>`, whatever its name: an id may be all digits, a path may stand in quotes."""
    return _ANY.sub("<*>", unshielded(text))
