"""What tells in a JSON body, or in what Python prints of one, wherever in the message it stands and however it is cut off."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import shielded, unshielded

_PAIR = re.compile(
    r"[\"'](?P<key>[A-Za-z_@.-]{1,40})[\"']\s{0,40}:\s{0,40}(?P<value>\"(?:[^\"\\]|\\.){0,4000}\"|'(?:[^'\\]|\\.){0,4000}'|-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None)?"
)
_CODES = frozenset(
    """
    status httpstatus errno type errortype exception kind reason error errorname name ret retcode resultcode subcode
    sqlstate
    """.split()  # noqa: SIM905 - words, not a list of them
)
_TEXTS = frozenset(
    """
    title msg message detail details description errordescription errors err fault faultstring cause info summary
    text desc
    """.split()  # noqa: SIM905 - words, not a list of them
)
_OTHER_CODES = (
    "zipcode",
    "postcode",
    "postalcode",
    "countrycode",
    "currencycode",
    "barcode",
    "promocode",
    "couponcode",
    "sourcecode",
    "qrcode",
    "areacode",
    "phonecode",
    "languagecode",
)
_MARKUP = re.compile(
    r"<(?P<tag>code|message|msg|reason|err_?code|err_code_des|err_?msg|return_msg|sub_code|sub_msg|title|h1|faultcode|faultstring|error|detail|description|errorcode|errormessage)(?:\s[^<>]{0,200})?>(?P<v>[^<>]{1,2000})</",
    re.IGNORECASE,
)
_CDATA = re.compile(r"<!\[CDATA\[(.{0,2000}?)\]\]>", re.DOTALL)
_TAG = re.compile(r"<[/!?]?[A-Za-z][^<>]{0,400}>")
_CLOSED = re.compile(r"</[A-Za-z][\w:-]{0,40}>")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_START = re.compile(r"[{\[](?=\s*[\"'{\[])")
_PLAIN_CODE = re.compile(r"[\w. :/-]{1,60}", re.ASCII)
_SCAN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[{}\[\]]", re.DOTALL)


def body_told(text: str) -> str:
    """Give a message in which each JSON body is replaced by its codes and messages, in an order of ours.

    A body that has neither is left as it is. The order of keys, spaces and every other key do not matter.
    """
    parts: list[str] = []
    position = 0
    for _ in range(8):
        found = _START.search(text, position)
        if found is None:
            break
        end = _end(text, found.start())
        told = _told(text[found.start() : end])
        parts.append(text[position : found.start()])
        parts.append(told if told is not None else text[found.start() : end])
        position = end
    parts.append(text[position:])
    return "".join(parts)


def _rank(key: str) -> int | None:
    """Give where what a key tells is put: codes, then texts; None for a key that tells nothing."""
    key = key.lower().replace("_", "").replace("-", "").lstrip("@")
    if key in _CODES or (key.endswith(("code", "errno")) and key not in _OTHER_CODES):
        return 0
    return 1 if key in _TEXTS or key.endswith(("msg", "message", "description")) else None


def markup_told(text: str) -> str:
    """Give what HTML or XML tells: its codes, messages, title and heading, each once; else its text without tags."""
    if _CLOSED.search(text) is None:
        return text
    text = _CDATA.sub(r"\1", text)
    told = dict.fromkeys(found["v"].strip() for found in _MARKUP.finditer(text) if found["v"].strip())
    return ": ".join(told) if told else _TAG.sub(" ", text)


def _end(text: str, start: int) -> int:
    """Give where the body that begins at `start` ends: past its last bracket, or at the end of a cut-off text."""
    depth = 0
    for found in _SCAN.finditer(text, start):
        if found[0] in "{[":
            depth += 1
        elif found[0] in "}]":
            depth -= 1
            if depth == 0:
                return found.end()
    return len(text)


def _told(body: str) -> str | None:
    """Give what a body tells, None where it tells nothing."""
    told: dict[str, tuple[int, str]] = {}
    seen: set[str] = set()
    for found in _PAIR.finditer(body):
        rank, value = _rank(found["key"]), found["value"]
        if rank is None or value is None or value in ("null", "None", "true", "false", "True", "False"):
            continue
        if found["key"].lower() == "name" and not value.lower().rstrip("\"'").endswith(("error", "exception")):
            continue
        if value[0] in "\"'":
            value = _ESCAPE.sub(_unescaped, value[1:-1]).strip()
            if not value:
                continue
            if rank == 0 and _PLAIN_CODE.fullmatch(value) and " " not in value:
                value = shielded(value)
        elif rank == 0:
            value = shielded(value)
        else:
            continue
        if unshielded(value).lower() not in seen:
            seen.add(unshielded(value).lower())
            told[value] = (rank, found["key"].lower())
    if not told:
        return None
    return " " + ": ".join(sorted(told, key=lambda value: (told[value], value))) + " "


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] == "u" and len(code) == 5:
        char = chr(int(code[1:], 16))
        return char if char.isprintable() else " "
    return {"n": "\n", "t": " ", "r": " ", "b": " ", "f": " "}.get(code, code)
