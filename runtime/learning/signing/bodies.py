"""What tells in a JSON body, or in what Python prints of one, wherever in the message it stands and however it is cut off."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import shielded

_PAIR = re.compile(
    r"[\"'](?P<key>[A-Za-z_@.-]{1,40})[\"']\s{0,40}:\s{0,40}(?P<value>\"(?:[^\"\\]|\\.){0,4000}\"|'(?:[^'\\]|\\.){0,4000}'|-?\d[\d.eE+-]{0,30}|true|false|null|True|False|None)?"
)
_CODES = ("status", "statuscode", "status_code", "httpstatus", "http_status", "code", "errorcode", "error_code", "errno", "errcode", "err_code", "subcode",
    "error_subcode", "sqlstate", "type", "errortype", "error_type", "exception", "kind", "reason", "error", "errorname", "name", "__type", "ret", "resultcode", "result_code")  # fmt: skip
_TEXTS = ("title", "message", "msg", "errmsg", "err_msg", "error_msg", "errormessage", "error_message", "error_description", "errordescription", "detail", "details",
    "description", "errors", "err", "fault", "faultstring", "cause", "info", "developermessage", "error_summary", "summary", "text", "desc", "resultmsg", "status_message")  # fmt: skip
_ORDER = {key: position for position, key in enumerate(_CODES + _TEXTS)}
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
    told: dict[str, int] = {}
    for found in _PAIR.finditer(body):
        key, value = found["key"].lower().replace("-", "_"), found["value"]
        order = _ORDER.get(key)
        if order is None or value is None or value in ("null", "None", "true", "false", "True", "False"):
            continue
        if value[0] in "\"'":
            value = _ESCAPE.sub(_unescaped, value[1:-1]).strip()
            if not value:
                continue
            if order < len(_CODES) and key != "error" and _PLAIN_CODE.fullmatch(value) and " " not in value:
                value = shielded(value.lower())
        elif order < len(_CODES):
            value = shielded(value)
        told.setdefault(value, order)
    if not told:
        return None
    return " " + ": ".join(sorted(told, key=lambda value: (told[value], value))) + " "


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] == "u" and len(code) == 5:
        char = chr(int(code[1:], 16))
        return char if char.isprintable() else " "
    return {"n": "\n", "t": " ", "r": " ", "b": " ", "f": " "}.get(code, code)
