"""Settings as their host reads them, for looking: some hosts take more than JSON. What is written goes into plain JSON alone.

| dialect | beside JSON |
|---|---|
| `json` | nothing |
| `comments` | comments |
| `json5` | comments, commas before a closing bracket, names without quotation marks, texts in single ones (json5.org) |
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from casebook.adapters.wiring.json_splice import NotPlainError, read_object

if TYPE_CHECKING:
    from lark import Lark

Dialect = Literal["json", "comments", "json5"]

_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_NOT_LINE_END = re.compile(r"[^\r\n]")

_GRAMMAR = r"""
?start: value
?value: object | array | STRING -> text | NUMBER -> number | NAME -> word
object: "{" (pair ("," pair)* ","?)? "}"
pair: key ":" value
key: STRING -> text | NAME -> name
array: "[" (value ("," value)* ","?)? "]"
STRING: /"(?:[^"\\\r\n]|\\(?:\r\n|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^ux1-9]))*"|'(?:[^'\\\r\n]|\\(?:\r\n|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^ux1-9]))*'/
NUMBER: /[+-]?(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/
NAME: /(?:[^\W\d]|\$)[\w$\u200c\u200d]*/
%ignore /[\s\ufeff]+/
%ignore /\/\/[^\r\n\u2028\u2029]*/
%ignore /\/\*[\s\S]*?\*\//
"""
"""JSON5 without NaN and Infinity, which no settings are, and without escapes in a name that has no quotation marks."""

_WORDS = {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(r"\\(\r\n|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}


def read_as(dialect: Dialect, text: str) -> dict[str, Any]:
    """Read settings as their host does.

    Args:
        dialect: what the host takes.
        text: of the settings.

    Raises:
        NotPlainError: the host cannot read them either, or they are no object; the place and what is there are in the message. Where
            only JSON5 has the text at all, a name that stands twice counts the last time, as it does for the host.
    """
    if dialect == "comments":
        return read_object(_STRING_OR_COMMENT.sub(_blanked, text))
    try:
        return read_object(text)
    except NotPlainError:
        if dialect == "json":
            raise
    return _read_json5(text)


def _blanked(found: re.Match[str]) -> str:
    """Give blanks for a comment, so that all else keeps its place; a string as it is."""
    return found[0] if found[0].startswith('"') else _NOT_LINE_END.sub(" ", found[0])


def _read_json5(text: str) -> dict[str, Any]:
    from lark.exceptions import LarkError, UnexpectedInput

    try:
        value: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise NotPlainError(_told(error, text)) from None
    except (LarkError, ValueError) as error:
        raise NotPlainError(f"expected JSON5, got {error}") from None
    if not isinstance(value, dict):
        raise NotPlainError("expected an object")
    return value


def _told(error: Any, text: str) -> str:
    at, token = error.pos_in_stream, getattr(error, "token", None)
    if at is None or not 0 <= at < len(text) or (token is not None and token.type == "$END"):
        return "expected JSON5, got the end of the file"
    return f"line {error.line}, column {error.column}: expected JSON5, got {text[at]!r}"


@cache
def _parser() -> Lark:
    """Give the parser; it makes the value as it goes, so that no depth is too deep for it."""
    from lark import Lark, Transformer

    def word(parts: list[Any]) -> Any:
        (name,) = parts
        if name not in _WORDS:
            raise NotPlainError(f"line {name.line}, column {name.column}: expected JSON5, got {str(name)!r}")
        return _WORDS[name]

    maker: Transformer[Any, Any] = Transformer()
    for rule, make in (
        ("object", dict), ("pair", tuple), ("array", list), ("word", word),
        ("text", lambda parts: _unescaped(parts[0][1:-1])),
        ("name", lambda parts: str(parts[0])),
        ("number", lambda parts: _number(parts[0])),
    ):  # fmt: skip
        setattr(maker, rule, make)
    return Lark(_GRAMMAR, parser="lalr", transformer=maker, maybe_placeholders=False)


def _unescaped(text: str) -> str:
    """Give the text of a string; two escapes that are one character become it."""
    if "\\" not in text:
        return str(text)
    return _ESCAPE.sub(_character, text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _character(found: re.Match[str]) -> str:
    """Give what an escape in a string means; a line's end that is escaped is nothing."""
    escaped = found[1]
    if escaped[0] in "ux":
        return chr(int(escaped[1:], 16))
    if escaped in ("\r\n", "\n", "\r", "\u2028", "\u2029"):
        return ""
    return _ESCAPED.get(escaped, escaped)


def _number(text: str) -> int | float:
    digits = text.lstrip("+-")
    sign = -1 if text.startswith("-") else 1
    if digits[:2] in ("0x", "0X"):
        return sign * int(digits, 16)
    return sign * (int(digits) if digits.isdecimal() else float(digits))
