"""What json refuses, said in our words."""

from __future__ import annotations

from json import JSONDecodeError

_WANTED = {
    "Expecting value": "a value",
    "Expecting property name enclosed in double quotes": "a field in double quotes",
    "Expecting ',' delimiter": "a comma or the end of the object or list",
    "Expecting ':' delimiter": "a colon after the field's name",
}


def refusal(error: JSONDecodeError, text: str) -> tuple[str, int, str | None]:
    """Give what was expected and what was found, at which offset of the text, and the cure where there is one."""
    at, told = error.pos, error.msg
    if told.startswith("Invalid \\escape"):
        escape = text[at : at + 2]
        return f"expected an escape of JSON, got {escape}", at, f"write \\{escape} for a backslash"
    if told.startswith("Invalid \\uXXXX"):
        at = text.rfind("\\", 0, at + 1)
        return f"expected \\u and four digits of base 16, got {text[at : at + 6]}", at, None
    if told.startswith("Invalid control character"):
        found = f"U+{ord(text[at]):04X}"
        return f"expected no bare control character in a string, got {found}", at, "write \\n for a new line"
    if told.startswith("Unterminated string"):
        return "expected a string to end, got the end of the file", at, "add the closing quote"
    if text[at : at + 2] in ("//", "/*") or text[at : at + 1] == "#":
        return "expected JSON, got a comment", at, 'comments go into "$comment"'
    if text[at : at + 1] in ("'", "“", "”"):
        return f"expected double quotes, got {text[at]}", at, 'strings are written "…"'
    if told.startswith("Illegal trailing comma"):  # CPython 3.13 and later point at the comma itself
        return "expected another value after the comma", at, "leave the comma out"
    before = text[:at].rstrip()
    if text[at : at + 1] in ("}", "]") and before.endswith(","):
        return "expected another value after the comma", len(before) - 1, "leave the comma out"
    wanted = _WANTED.get(told, told[0].lower() + told[1:])
    return f"expected {wanted}, got {here(text, at)}", at, None


def here(text: str, at: int) -> str:
    """Say what stands at an offset."""
    return "the end of the file" if at >= len(text) else text[at : at + 20].partition("\n")[0].rstrip()
