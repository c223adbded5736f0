"""Values after names that name secrets: `password=…`, `"apiKey": "…"`, `密码：…`, `<token>…`, `name: … value: …`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.redacting.naming import CHINESE, ENGLISH, Naming, naming
from casebook.redacting.spans import Span, regex, text_of
from casebook.redacting.values import is_hard, is_mixed, secret_of_strong, secret_of_weak, secret_when_long

VALUE_BYTES = 1_024
"""Bytes of a value that are looked at to judge it. What is masked goes on to its end."""

_NAME = (
    rf"(?i)([\w$.-]*(?:{ENGLISH})[\w-]*|(?:{CHINESE}))"
    r"(\\*[\"'`”’»」]?[)）]?\]?(?:\*\*)?[ \t]{0,8}(?::\*\*[ \t]|=>|:=|={1,3}|!=|:|：|＝|->|-&gt;)[ \t]{0,8}(?:\r?\n[ \t]+)?"
    r"|\\*[\"'`]?[ \t]*,?\s*\\*[\"'`]?\bvalue\\*[\"'`]?[ \t]*[:=][ \t]*|>"
    r"|[\"'`],[ \t]*"
    r"|[ \t]+(?:is|was|are)[ \t]*:?[ \t]+|[)）]?[ \t]*(?:就是|已?(?:改|设|变更|重置|更新|设置)(?:成了?|为|為)|是|为|為)[ \t]*[:：]?[ \t]*"
    r"|[ \t]*\|[ \t]*|[ \t]*[「『“]|[ \t]*(?:错误|不正确|无效|不匹配|不对|失效)[ \t]*[:：][ \t]*"
    r"|[ \t]*[(]|[ \t]+(?:provided|given|used|value|id)?[ \t]*[:：]?[ \t]*)"
    r"(?:[bruf]{1,2}\b)?"
)
_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "「": "」", "『": "』", "‘": "’", "”": "”"}
_QUOTES = {opening: re.compile(rf"(?:[^{closing}\\\r\n]|\\.)*+") for opening, closing in _PAIRS.items()}
"""What stands between quotes, by the one that opens."""
_ESCAPED = {opening: re.compile(rf"[^{closing}\\\r\n]*+") for opening, closing in _PAIRS.items()}
"""The same where the quotes themselves are escaped, in a JSON text within another."""
_TRIPLE = ('"""', "'''")
_ESCAPED_QUOTE = re.compile(r"\\+(?=[\"'])")
_MORE = re.compile(r"[ \t]+[A-Za-z]")
_BARE = re.compile(r"[^\s\"'`<>“”「」，。；！？、（）]+")
_CUT = re.compile(r"[,;&)}\]|](?=$|\s|\\?[\"']?[\w.$-]+\\?[\"']?\s?[=:]|[,;&)}\]|])|\\[nrt]|\\?[\"']")
_END = ",;:.!?)}]|\\"


def after_names(data: bytes) -> Iterator[Span]:
    """Find the values of names that name secrets: `password=…`, `"apiKey": "…"`, `密码：…`, `<token>…`, `name: …  value: …`."""
    covered = 0
    for found in regex(_NAME).finditer(data):
        first, last = found.span(1)
        name = text_of(data[max(first, last - 200) : last])
        level = naming(name)
        at = found.end()
        if level == "no" or at < covered or data[first - 3 : first] == b"://":
            continue
        value, start, quoted, more = _value_at(data, at)
        if "=" in value[:-2] and _COOKIE_NAME.search(data, first, last):
            continue  # pairs: `in_headers` has them
        separator = text_of(data[slice(*found.span(2))])
        if (
            separator.endswith(">")
            and data[first - 1 : first] != b"<"
            and "=" not in separator
            and "-" not in separator
        ):
            continue  # a tag that is none: <user>:<password>@host
        if separator == ":" and data[first - 1 : first] == b":":
            continue  # a name within a name: arn:aws:secretsmanager:…:secret:prod/db
        variable = separator == "=" and data[first:last].isupper()
        if value and _is_secret(
            name, value, level, separator, quoted=quoted or variable, more=more, chinese=not name.isascii()
        ):
            covered = start + len(value.encode())
            if len(value) > VALUE_BYTES // 2:
                covered = _end_of(data, covered, data[start - 1 : start] if quoted else b"")
            yield start, covered, _rule_of(data[first:last])


def _is_secret(
    name: str, value: str, level: Naming, separator: str, *, quoted: bool, more: bool, chinese: bool
) -> bool:
    """Say whether a value is a secret, by what its name says and what stands between the two."""
    led = separator.strip(" \t\\\"'`”’»」])\r\n")
    if led == ",":
        digits = any(map(str.isdigit, value))
        return (
            quoted
            and digits
            and (level == "strong" or (level == "weak" and len(value) >= 32))
            and secret_of_weak(value, quoted=True, prose=False)
        )
    if led == ">" and value.startswith("@"):
        return False
    if led.startswith("id") and _UUID.fullmatch(value):
        return False  # the id of a token, which is none
    if led.endswith(_WRONG) or led in _CELL:
        return is_mixed(value)
    if _HEX.fullmatch(value) and led in _LOOSE and _PUBLIC.search(name):
        return False  # a fingerprint
    if led in _PUT and level == "loose" and name.lower().endswith("id"):
        return bool(_UUID.fullmatch(value)) or secret_when_long(value)
    if led in _LOOSE or level == "loose":
        if chinese and level == "strong" and is_mixed(value):
            return True
        return secret_when_long(value) or (
            quoted and level == "strong" and secret_of_weak(value, quoted=True, prose=False)
        )
    if level == "weak":
        return secret_of_weak(value, quoted=quoted, prose=led != "=")
    said = led.rstrip(" :：") in _SAID_ENGLISH or bool(_SAID_CHINESE.fullmatch(led.rstrip(" :：")))
    prose = said or (led in (":", "：") and not _QUOTED_NAME.search(separator))
    good = secret_of_strong(value, quoted=quoted, prose=prose, more=more)
    return good and (quoted or led.rstrip(" :") not in _SAID_ENGLISH or is_hard(value))


_CELL = frozenset("|「『“")
_WRONG = ("误：", "误:", "确：", "确:", "效：", "效:", "配：", "配:", "对：", "对:")
_HEX = re.compile(r"[0-9a-fA-F]{8,40}")
_PUBLIC = re.compile(r"(?i)(?:rsa|dsa|gpg|pgp|ssh|openpgp|signing)[ _-]?keys?$")
_PUT = frozenset(("=", ":", "：", ":=", "=>"))
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_COOKIE_NAME = re.compile(rb"(?i)cookies?$")
_LOOSE = frozenset(("", "(", "provided", "given", "used", "value", "id", "provided:", "given:", "used:", "id:"))
_SAID_ENGLISH = frozenset(("is", "was", "are"))
_SAID_CHINESE = re.compile(r"[^\x00-\x7f：，、（]{1,5}")
_QUOTED_NAME = re.compile(r"[\"'`]")


def _end_of(data: bytes, at: int, quote: bytes) -> int:
    """Give where a long value ends: before its closing quote, or the next blank."""
    found = (_TO_QUOTE.get(quote) or _TO_BLANK).search(data, at)
    return found.start() if found else len(data)


_TO_BLANK = re.compile(rb"[\s\"'<>]")
_TO_QUOTE = {b'"': re.compile(rb"[\"\r\n]"), b"'": re.compile(rb"['\r\n]"), b"`": re.compile(rb"[`\r\n]")}


def _value_at(data: bytes, at: int) -> tuple[str, int, bool, bool]:
    """Give the value that begins at a place, where it begins in bytes, whether it is quoted, and whether words follow it."""
    for window in (160, VALUE_BYTES):
        end = data.find(b"\n", at, at + window)
        text = text_of(data[at : end if end >= 0 else at + window])
        value, offset, quoted, more = _value_of(text)
        if end >= 0 or offset + len(value) + 40 < len(text):
            break
    return value, at + len(text[:offset].encode()), quoted, more


def _value_of(text: str) -> tuple[str, int, bool, bool]:
    """Give the value at the beginning of a text, where it begins, whether it is quoted, and whether words follow it."""
    escaped = _ESCAPED_QUOTE.match(text)
    begin = escaped.end() if escaped else 0
    opening = text[begin : begin + 1]
    if text.startswith(_TRIPLE, begin):
        begin += 2
    if opening in _QUOTES:
        closed_by = (_ESCAPED if escaped and escaped[0] else _QUOTES)[opening]
        found = closed_by.match(text, begin + 1)
        value = found[0] if found else ""
        return value, begin + 1, True, False
    found = _BARE.match(text)
    if not found:
        return "", 0, False, False
    value = found[0]
    cut = _CUT.search(value)
    value = (value[: cut.start()] if cut else value).rstrip(_END)
    return value, 0, False, bool(_MORE.match(text, len(value)))


def _rule_of(name: bytes) -> str:
    low = name.lower()
    if b"pass" in low or b"pwd" in low or any(each.encode() in name for each in ("密码", "口令", "密碼")):
        return "password"
    if b"token" in low or b"jwt" in low or "令牌".encode() in name:
        return "token"
    if b"cookie" in low:
        return "cookie"
    return "key" if b"key" in low or "密钥".encode() in name else "secret"
