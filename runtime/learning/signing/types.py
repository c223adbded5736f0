"""The type of an error, from the caller or from the message, as one word; a type that says nothing is none."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.words import GENERIC_TYPES

_NAME = r"(?:[A-Za-z_$][\w$]*(?:\.|::|\\|/))*"
_CLASS = r"[A-Za-z_$][\w$]*?(?:Error|Exception|Warning|Failure|Fault|Interrupt|Exit|Violation|Timeout|Refused|Denied|NotFound|Invalid|Panic|StopIteration|Err|Throwable)"
_LEADING = re.compile(
    rf"^(?:\(?)(?P<v>{_NAME}(?:(?i:[a-z_$][\w$]*(?:error|exception|warning))|{_CLASS}|[A-Z]\w*(?:\$\w+)?(?=: )(?<=[a-z]))|Error|Exception|ERROR)(?:\)|(?: \[(?P<code>[A-Z][A-Z0-9_]{{2,60}})\])?(?:: ?|$|\n))",
    re.ASCII,
)
_LAST = re.compile(r"[^.:\\/$]+$")


def short_type(type_: str | None) -> str:
    """Give a type without its module, in small letters; "" for none and for one that says nothing."""
    if not type_:
        return ""
    found = _LAST.search(type_.strip().rstrip(":"))
    name = (found[0] if found else "").strip().lower()
    name = re.sub(r"[^\w\u4e00-\u9fff -]", "", name)[:60]
    return "" if name in GENERIC_TYPES else name


def as_written(kind: str, message: str) -> str:
    """Give a type in the capitals that a message writes it in; as it is where the message does not."""
    found = (
        re.search(rf"(?<![A-Za-z0-9_]){re.escape(kind)}(?![A-Za-z0-9_])", message[:16_384], re.IGNORECASE)
        if kind
        else None
    )
    return found[0] if found is not None else kind


def leading_type(text: str) -> tuple[str, str]:
    """Give the type a message begins with, "" for none or a generic one, and the message without it.

    Of several (`RuntimeError: ValueError: x`) the first that says something counts.
    """
    told = ""
    for _ in range(4):
        found = _LEADING.match(text)
        if found is None:
            break
        text = text[found.end() :].lstrip()
        if found["code"]:
            text = f"{found['code']}: {text}"
        told = told or short_type(found["v"])
        if _NAMING.search(told):
            break
    return told, text


_NAMING = re.compile(
    r"notfound|unknown|nosuch|keyerror|missing|duplicate|lookuperror|undefined|unsupported|alreadyexists|noclassdef|doesnotexist|unrecognized|stopiteration"
)


SENTENCE = re.compile(r"[\]'] (?:not|are|is) in |\b(?:does not|is not|are not|was not|could not|cannot)\b")


def names_its_value(type_: str, text: str) -> bool:
    """Say whether a type such as `UnknownHostException` is followed by nothing but the name it is about."""
    if SENTENCE.search(text):
        return False
    one = not any(char.isspace() for char in text) or (text[:1] in "'\"" and text.find(text[0], 1) == len(text) - 1)
    return bool(text) and one and _NAMING.search(type_) is not None
