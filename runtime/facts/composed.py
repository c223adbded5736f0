"""Values as conditions compare them: strings in NFC, one value plain and several a list, text where text is promised."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any


def one_or_list(several: Sequence[Any]) -> Any:
    """Give the one value plain, several as a list."""
    return several[0] if len(several) == 1 else list(several)


def text_or_none(value: Any) -> str | None:
    """Give a string in NFC; None for whatever is no string."""
    if not isinstance(value, str):
        return None
    return value if value.isascii() else unicodedata.normalize("NFC", value)


def texts_or_none(value: Any) -> str | list[str] | None:
    """Give one string plain, several as a list, each once and in NFC; None where there is none.

    What is no string within a list is left out.
    """
    if isinstance(value, str):
        return text_or_none(value)
    if not isinstance(value, list | tuple):
        return None
    found = list(dict.fromkeys(text for each in value if (text := text_or_none(each)) is not None))
    return one_or_list(found) if found else None


def composed(value: Any) -> Any:
    """Give a JSON value with all its strings in NFC; the very object where they are already."""
    kind = type(value)
    if kind is str:
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if kind is dict:
        for key, item in value.items():
            if not key.isascii() or ((type(item) is not str or not item.isascii()) and composed(item) is not item):
                return {composed(name): composed(each) for name, each in value.items()}
    elif kind is list:
        for item in value:
            if (type(item) is not str or not item.isascii()) and composed(item) is not item:
                return [composed(each) for each in value]
    elif kind is tuple:
        return [composed(each) for each in value]
    return value
