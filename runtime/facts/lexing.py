"""Cutting a shell command into simple commands: words without their quotes, redirections, and the commands nested in them.

It reads what a POSIX shell would, tolerates PowerShell and Windows paths, and never judges: an unclosed quote ends with
the text. Nothing here raises, and the work is bounded (see `MAX_TOKENS`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from casebook.runtime.facts.closing import MAX_HEREDOCS, backtick_end, closing

MAX_TOKENS = 131_072
"""Tokens read of one command line, 50 ms of work; what follows them is not seen. An ordinary line has 20; one of more than this many
bytes Linux does not run (`MAX_ARG_STRLEN`)."""

_PLAIN = r"[^\s'\"\\`$;|&()<>#]"
_TOKEN = re.compile(
    rf"""
    (?P<word>(?:{_PLAIN}++|(?<=[^\s;|&()<>])\#)++)   # a plain run; a # within a word is no comment
  | (?P<blank>(?:[ \t\r\f\v]|\\\r?\n)+)
  | (?P<double>"(?:[^"\\`$]|\\.|\$(?![(]))*+")   # double quotes with nothing to run inside
  | (?P<single>'[^']*')
  | (?P<redirect><<<|<<-?|<>|<&|<(?![(])|>\||>>|>&|>(?![(])|&>>?)
  | (?P<operator>\n|&&|\|\||;;&|;;|;&|\|&|[;|&()])
  | (?P<run>\$\(|`|[<>]\()
  | (?P<variable>\$(?:\{{[^}}\n$]*\}}|[\w?!@*$-]+|(?=['"])|))
  | (?P<escape>\\(?s:.)|\\$)
  | (?P<comment>\#[^\n]*)
  | (?P<open>["'])
    """,
    re.VERBOSE | re.DOTALL,
)
_WINDOWS = re.compile(r"(?:[A-Za-z]:|\.{1,2})?\\[^\s'\";|&<>()]+")
_WINDOWS_HEAD = re.compile(r"(?:[A-Za-z]:|\.{1,2}|~|\$env:\w+|[\w.-]+)$")
_DOUBLE = re.compile(r"\\.|\"|`|\$\(", re.DOTALL)
_UNESCAPE = re.compile(r"\\([\"\\$`\n])")
_ANSI = re.compile(r"'((?:[^'\\]|\\.)*)'?", re.DOTALL)


@dataclass(slots=True)
class Simple:
    """One simple command as written.

    Attributes:
        words: its words, unquoted, assignments and keywords still in front.
        targets: the files it is redirected from or to.
        nested: command lines inside it (`$(…)`, backticks, `<(…)`), to be read in turn.
        stdin: the text of its here-documents, or None.
        closes: the operator after it: `;`, `|`, `)` …, or empty at the end.
    """

    words: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)
    stdin: str | None = None
    closes: str = ""


class _Reader:
    """The state of one pass over a text; `commands` grows as operators are met."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.commands: list[Simple] = []
        self.command = Simple()
        self.piece: list[str] | None = None
        self.pending: str | None = None
        self.heredocs: list[tuple[Simple, str, bool]] = []
        self.budget = MAX_TOKENS
        self.quoted = False

    def add(self, piece: str) -> None:
        if self.piece is None:
            self.piece = [piece]
        else:
            self.piece.append(piece)

    def end_word(self) -> None:
        """Close the word that is being read, if one is."""
        if self.piece is None:
            return
        word = "".join(self.piece)
        self.piece = None
        pending, self.pending = self.pending, None
        if pending is None:
            self.command.words.append(word)
        elif pending in ("<<", "<<-"):
            if len(self.heredocs) < MAX_HEREDOCS:
                self.heredocs.append((self.command, word, self.quoted))
        elif pending != "<<<" and not (pending.endswith("&") and (word.isdigit() or word == "-")):
            self.command.targets.append(word)
        self.quoted = False

    def end_command(self, operator: str) -> None:
        """Close the simple command that is being read; `operator` is what parts it from the next."""
        self.end_word()
        self.pending = None
        self.command.closes = operator
        self.commands.append(self.command)
        self.command = Simple()


def simple_commands(text: str) -> list[Simple]:
    """Cut a command line into its simple commands, in order of appearance.

    Args:
        text: a command line, of any length and form.

    Returns:
        The commands, some without words (a bare redirection, `()`); of `MAX_TOKENS` tokens at most.
    """
    reader = _Reader(text)
    match = _TOKEN.match
    size = len(text)
    while reader.at < size and reader.budget > 0:
        reader.budget -= 1
        found = match(text, reader.at)
        if found is None:
            reader.add(text[reader.at])
            reader.at += 1
            continue
        reader.at = found.end()
        kind = found.lastgroup
        if kind == "word":
            reader.add(found.group())
        elif kind == "blank":
            blank = found.group()
            if reader.piece is not None and (blank[0] != "\\" or blank.strip("\\\r\n")):
                reader.end_word()
        else:
            _TAKE[kind or "open"](reader, found.group())
    reader.end_command("")
    _take_heredocs(reader)
    return reader.commands


def _single(reader: _Reader, sign: str) -> None:
    """Take what stands in single quotes."""
    reader.quoted = True
    reader.add(sign[1:-1])


def _double(reader: _Reader, sign: str) -> None:
    """Take what stands in double quotes with nothing to run inside."""
    reader.quoted = True
    inner = sign[1:-1]
    reader.add(_UNESCAPE.sub(_unescaped, inner) if "\\" in inner else inner)


def _redirect(reader: _Reader, sign: str) -> None:
    """Remember the redirection; the digits right before it are its descriptor, not a word."""
    if reader.piece is not None and len(reader.piece) == 1 and reader.piece[0].isdigit():
        reader.piece = None
    reader.end_word()
    reader.pending = sign


def _comment(reader: _Reader, sign: str) -> None:
    """Pass over a comment; within a word it is none."""
    if reader.piece is not None:
        reader.add("#")
        reader.at -= len(sign) - 1


def _operator(reader: _Reader, sign: str) -> None:
    """End a command; read here-documents at a line's end, pass over `((…))`, `a=(…)` and `f()`."""
    if sign == "(":
        word = reader.piece[-1] if reader.piece else ""
        if word.endswith("="):
            reader.at = closing(reader.text, reader.at)
            return
        if reader.text.startswith(")", reader.at):
            reader.piece = None
            reader.command = Simple()
            reader.at += 1
            return
        if not word and not reader.command.words and reader.text.startswith("(", reader.at):
            reader.at = closing(reader.text, reader.at)
            return
    reader.end_command(sign)
    if sign == "\n":
        _take_heredocs(reader)


def _run(reader: _Reader, sign: str) -> None:
    """Keep the text of a nested command line for later; its result stands in the word as it was written."""
    start = reader.at
    if sign == "`":
        end = backtick_end(reader.text, start)
        inner, reader.at = reader.text[start:end], end + 1
        inner = inner.replace("\\`", "`")
    else:
        if sign == "$(" and reader.text.startswith("(", start):
            reader.at = closing(reader.text, start)
            reader.add("$((")
            return
        reader.at = closing(reader.text, start)
        inner = (
            reader.text[start : reader.at - 1] if reader.text[reader.at - 1 : reader.at] == ")" else reader.text[start:]
        )
    reader.command.nested.append(inner)
    reader.add("$()")


def _variable(reader: _Reader, sign: str) -> None:
    """Keep a variable as written; `$'…'` is a quote of its own."""
    if sign != "$":
        reader.add(sign)
        return
    if reader.text.startswith("'", reader.at):
        found = _ANSI.match(reader.text, reader.at)
        if found is not None:
            reader.quoted = True
            reader.add(found.group(1))
            reader.at = found.end()
    elif not reader.text.startswith('"', reader.at):
        reader.add("$")


def _escape(reader: _Reader, sign: str) -> None:
    """Unescape one character, but leave the backslashes of a Windows path."""
    start = reader.at - len(sign)
    head = reader.piece[0] if reader.piece else ""
    if (
        len(reader.piece or ()) < 2
        and len(sign) == 2
        and (sign[1].isalnum() or sign[1] in "\\_.$")
        and _WINDOWS_HEAD.match(head)
    ):
        found = _WINDOWS.match(reader.text, start)
        if found is not None:
            reader.add(found.group())
            reader.at = found.end()
            return
    if not sign.endswith("\n"):
        reader.add(sign[1:])


def _open_quote(reader: _Reader, quote: str) -> None:
    """Read a double quote that has commands inside, or a quote that never closes."""
    reader.quoted = True
    text, start = reader.text, reader.at
    if quote == "'":
        reader.add(text[start:])
        reader.at = len(text)
        return
    at, pieces = start, []
    while True:
        found = _DOUBLE.search(text, at)
        if found is None:
            pieces.append(text[at:])
            reader.at = len(text)
            break
        pieces.append(text[at : found.start()])
        sign = found.group()
        at = found.end()
        if sign == '"':
            reader.at = at
            break
        if sign[0] == "\\":
            pieces.append(_UNESCAPE.sub(_unescaped, sign))
            continue
        end = backtick_end(text, at) if sign == "`" else closing(text, at) - 1
        inner = text[at:end]
        if not (sign == "$(" and inner.startswith("(")):
            reader.command.nested.append(inner)
        pieces.append("$()")
        at = max(end + 1, at)
    reader.add("".join(pieces))


def _unescaped(found: re.Match[str]) -> str:
    return "" if found.group(1) == "\n" else found.group(1)


def _take_heredocs(reader: _Reader) -> None:
    """Read the bodies that the line just ended has announced."""
    for command, delimiter, quoted in reader.heredocs:
        end_line = re.compile(r"^\t*" + re.escape(delimiter) + r"[ \t\r]*$", re.MULTILINE)
        found = end_line.search(reader.text, reader.at)
        body = reader.text[reader.at : found.start()] if found is not None else reader.text[reader.at :]
        reader.at = min(found.end() + 1, len(reader.text)) if found is not None else len(reader.text)
        command.stdin = body
        if not quoted:
            command.nested.extend(_nested_in(body))
    reader.heredocs = []


def _nested_in(body: str) -> list[str]:
    """Give the command lines that an unquoted here-document would run."""
    if "$(" not in body and "`" not in body:
        return []
    inner = Simple()
    reader = _Reader('"' + body.replace('"', " ") + '"')
    reader.command, reader.at = inner, 1
    _open_quote(reader, '"')
    return inner.nested


_TAKE: dict[str, Callable[[_Reader, str], None]] = {
    "single": _single,
    "double": _double,
    "operator": _operator,
    "redirect": _redirect,
    "run": _run,
    "variable": _variable,
    "escape": _escape,
    "comment": _comment,
    "open": _open_quote,
}
