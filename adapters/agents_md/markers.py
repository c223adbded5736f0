"""The markers of the managed block: where it begins and ends in a text, and what is wrong with them.

A marker is a line of its own that begins in the first column: `<!-- BEGIN CASEBOOK v:1 hash:… tail:1 -->` and
`<!-- END CASEBOOK -->`. What looks like one inside a fence of code, or behind an indentation, is text. A line ends with a line feed, a
carriage return or both, as in CommonMark, and nowhere else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from casebook.faults import CasebookError

VERSION = 1
"""The form of the block that this release writes."""

_HASH_CHARS = 12
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_END = re.compile(r"\r\n|\n|\r")
_OURS = re.compile(r"<!--[ \t]*(BEGIN|END)[ \t]+CASEBOOK\b")
_BEGIN = re.compile(
    r"<!-- BEGIN CASEBOOK v:(?P<version>\d{1,6}) hash:(?P<hash>[0-9a-f]{12}) tail:(?P<tail>[01])(?P<made> file:made)? -->[ \t]*"
)
_NEWER = re.compile(r"<!-- BEGIN CASEBOOK v:(\d{1,6})\b.*-->[ \t]*")
_LAST = re.compile(r"<!-- END CASEBOOK -->[ \t]*")
_FENCE = re.compile(r" {0,3}(?P<sign>`{3,}|~{3,})(?P<info>.*)")


class MarkerError(CasebookError):
    """The markers in a file are not those of one block.

    Attributes:
        line: of the marker that is wrong, from 1.
        message: what was expected and what was found.
        cure: what to do.
    """

    def __init__(self, line: int, message: str, cure: str) -> None:
        self.line = line
        self.message = message
        self.cure = cure
        super().__init__(f"line {line}: {message} ({cure})")


@dataclass(frozen=True, slots=True)
class Found:
    """The block of a text.

    Attributes:
        start: the offset of its first character.
        end: the offset past its end marker, before the line's end.
        body: the lines between its markers, ended by line feeds.
        written_hash: what the begin marker says of the body.
        tail: whether an empty line was put after it.
        made: whether the file was made for it.
        line: of its begin marker, from 1.
    """

    start: int
    end: int
    body: str
    written_hash: str
    tail: bool
    made: bool
    line: int

    def says(self, body: str) -> bool:
        """Say whether it is the block of a body, but for what formatters change."""
        return hash_of(self.body) == hash_of(body)

    @property
    def is_edited(self) -> bool:
        """Say whether somebody has changed the body since it was written."""
        return hash_of(self.body) != self.written_hash


@dataclass(frozen=True, slots=True)
class _Marker:
    is_begin: bool
    line: int
    start: int
    end: int
    text: str


def hash_of(body: str) -> str:
    """Give the hash of a body whose lines end with line feeds, as the begin marker tells it: 12 digits of a SHA-256.

    What formatters of Markdown change (Prettier: empty lines, `*` for emphasis to `_`) does not count: no hand has changed it then.
    """
    lines = (line.rstrip().replace("*", "_") for line in body.split("\n"))
    told = "\n".join(line for line in lines if line)
    return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:_HASH_CHARS]


def block_of(body: str, *, tail: bool, made: bool) -> str:
    """Write the block of a body, with line feeds and none at its end.

    Args:
        body: lines, each ended by a line feed; none is a marker.
        tail: whether an empty line is put after it.
        made: whether the file is made for it.
    """
    begin = f"<!-- BEGIN CASEBOOK v:{VERSION} hash:{hash_of(body)} tail:{int(tail)}"
    return f"{begin}{' file:made' if made else ''} -->\n{body}<!-- END CASEBOOK -->"


def find(text: str) -> Found | None:
    """Find the block of a text, without its byte order mark; None where there is none.

    Raises:
        MarkerError: the markers are not those of one block, or of one that a newer release wrote.
    """
    found = list(_markers(text))
    if not found:
        return None
    first = found[0]
    if not first.is_begin:
        raise MarkerError(first.line, "found an end marker and no begin marker before it", _CURE)
    form = _form(first)
    if len(found) == 1:
        raise MarkerError(first.line, "found a begin marker and no end marker after it", _CURE)
    last = found[1]
    if last.is_begin:
        raise MarkerError(last.line, f"found a begin marker within the block that begins in line {first.line}", _CURE)
    if not _LAST.fullmatch(last.text):
        raise MarkerError(last.line, "expected <!-- END CASEBOOK --> alone on its line", _CURE)
    if len(found) > 2:
        raise MarkerError(found[2].line, f"found a marker behind the block that begins in line {first.line}", _CURE)
    body = text[first.end : last.start]
    return Found(
        first.start, last.end, _END.sub("\n", body[_line_end(body) :]), form["hash"], form["tail"] == "1",
        form["made"] is not None, first.line,
    )  # fmt: skip


_CURE = "take the marker lines, and what is left of the block, out by hand; `casebook install agents-md` writes it anew"


def _form(begin: _Marker) -> re.Match[str]:
    form = _BEGIN.fullmatch(begin.text)
    newer = _NEWER.fullmatch(begin.text)
    if newer is not None and int(newer[1]) > VERSION:
        cure = "pip install -U casebook-runtime"
        raise MarkerError(begin.line, f"expected a block of version {VERSION}, found version {int(newer[1])}", cure)
    if form is None or int(form["version"]) != VERSION:
        raise MarkerError(
            begin.line, f"expected <!-- BEGIN CASEBOOK v:{VERSION} hash:… tail:… --> alone on its line", _CURE
        )
    return form


def _markers(text: str) -> Iterator[_Marker]:
    """Give what may be markers, outside of fences. Raises MarkerError for one in a fence that never ends."""
    fence: tuple[str, int] | None = None
    within: list[_Marker] = []
    for number, found in enumerate(_LINE.finditer(text), 1):
        line = _END.sub("", found[0])
        sign = _FENCE.fullmatch(line)
        ours = _OURS.match(line)
        if fence is not None:
            if sign is not None and _closes(sign, fence[0]):
                fence = None
                within.clear()
            elif ours is not None:
                within.append(_marker(ours, number, found, line))
        elif sign is not None and not (sign["sign"][0] == "`" and "`" in sign["info"]):
            fence = (sign["sign"], number)
        elif ours is not None:
            yield _marker(ours, number, found, line)
    if fence is not None and within:
        raise MarkerError(
            within[0].line, f"found a marker in the fence of code that line {fence[1]} opens and that never ends",
            f"close the fence with a line {fence[0]}",
        )  # fmt: skip


def _marker(ours: re.Match[str], number: int, found: re.Match[str], line: str) -> _Marker:
    return _Marker(ours[1] == "BEGIN", number, found.start(), found.start() + len(line), line)


def _closes(sign: re.Match[str], opening: str) -> bool:
    mark: str = sign["sign"]
    return mark[0] == opening[0] and len(mark) >= len(opening) and not sign["info"].strip()


def _line_end(text: str) -> int:
    """Give how many characters the line's end takes that a text begins with."""
    found = _END.match(text)
    return 0 if found is None else found.end()
