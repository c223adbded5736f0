"""Where what a shell command opens is closed again: brackets, backticks, here-documents. Every search is bounded."""

from __future__ import annotations

import re

MAX_HEREDOCS = 16
"""Here-documents read of one command line."""
_MAX_STEPS = 20_000
_INSIDE = re.compile(r"\\.|'[^']*'|\"|`|\$\(|<<-?[ \t]*['\"]?\w+['\"]?|[()]", re.DOTALL)
_OPENS = frozenset({'"', "(", "$("})


def backtick_end(text: str, at: int) -> int:
    """Give where the backtick closes, or the text's end."""
    while True:
        end = text.find("`", at)
        if end < 0:
            return len(text)
        if text[end - 1] != "\\":
            return end
        at = end + 1


def closing(text: str, at: int) -> int:
    """Give the place just after the `)` that closes what was opened before `at`; the text's end + 1 where none does."""
    stack = [")"]
    endless: set[str] = set()
    for _ in range(_MAX_STEPS):
        found = _INSIDE.search(text, at)
        if found is None:
            break
        sign = found.group()
        at = found.end()
        quoted = stack[-1] == '"'
        if sign in _OPENS and not (quoted and sign == "("):
            if sign == '"' and quoted:
                stack.pop()
            else:
                stack.append('"' if sign == '"' else ")")
        elif sign == ")" and not quoted:
            stack.pop()
            if not stack:
                return at
        else:
            at = _passed(text, found, endless, quoted=quoted)
    return len(text) + 1


def _passed(text: str, found: re.Match[str], endless: set[str], *, quoted: bool) -> int:
    """Give the place after something that may hide brackets: a quote, backticks, a here-document."""
    sign, at = found.group(), found.end()
    if sign == "`":
        return backtick_end(text, at) + 1
    if sign[0] == "'" and quoted:
        return found.start() + 1
    if sign[0] == "<" and not quoted and len(endless) < MAX_HEREDOCS:
        return _after_heredoc(text, at, sign.lstrip("<- \t").strip("'\""), endless)
    return at


def _after_heredoc(text: str, at: int, delimiter: str, endless: set[str]) -> int:
    """Give where the here-document ends whose operator ends at `at`; `at` itself where it has no end (kept in `endless`)."""
    if delimiter in endless:
        return at
    end = re.compile(rf"\n\t*{delimiter}[ \t\r]*(?=\n|\)|$)").search(text, at)
    if end is None:
        endless.add(delimiter)
        return at
    return end.end()
