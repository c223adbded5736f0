"""One file of cases in memory: its bytes, its elements, and how an edit is taken in without reading the rest again."""

from __future__ import annotations

import codecs
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from casebook.case import LoadedCase
from casebook.faults import Fault
from casebook.stores.elements import Element, Reading, load, placed, version_of
from casebook.stores.splitting import Shape, SplitError, items, split


@dataclass(slots=True)
class CaseFile:
    """A file as it was last good.

    Attributes:
        path: relative to the casebook's folder, with `/`.
        data: its bytes; empty where they are not known (it came from the cache and the file has become unreadable since).
        shape: how it is laid out.
        head: the offset in bytes past the array's opening bracket.
        tail: the offset of its closing bracket.
        lenient: whether unknown fields are kept.
        elements: in file order.
        by_id: the cases that serve, the first of equal ids.
        repeats: whether an id stands twice.
        troubled: the elements with faults.
        superseding: the elements whose case supersedes others.
    """

    path: str
    data: bytes
    shape: Shape
    head: int
    tail: int
    lenient: bool
    elements: list[Element]
    by_id: dict[str, LoadedCase] = field(default_factory=dict)
    repeats: bool = False
    troubled: list[Element] = field(default_factory=list)
    superseding: list[Element] = field(default_factory=list)

    def faults(self) -> Iterator[Fault]:
        """Give the faults of its elements, at their places in the file."""
        for element in self.troubled:
            column = self.column(element)
            for fault in element.faults:
                yield placed(fault, element.line, column)

    def column(self, element: Element) -> int:
        """Give the column of an element's first character, from 1."""
        return _column(self.data, element.start)

    def text(self, element: Element) -> str:
        """Give the text of an element."""
        return self.data[element.start : element.end].decode("utf-8", "replace")


def read(data: bytes, reading: Reading, known: CaseFile | None = None) -> CaseFile:
    """Read a file as a whole.

    Args:
        data: its bytes, with or without a byte order mark.
        reading: what its elements are read with.
        known: the file as it was: elements of the same text are taken over.

    Raises:
        SplitError: it is no file of cases.
    """
    base = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    text = _decoded(data, base)
    maker = _Maker(data, text, base, reading, known)
    found = split(text, maker.take)
    if found.lenient:
        maker = _Maker(data, text, base, replace(reading, lenient=True), known)
        split(text, maker.take)
    elements = maker.made
    if text.isascii():
        head, tail = found.head + base, found.tail + base
    else:
        head, tail = base + len(text[: found.head].encode()), base + len(text[: found.tail].encode())
    file = CaseFile(reading.path, data, found.shape, head, tail, found.lenient, elements)
    _set_lines(data, elements, 0, 1)
    index(file)
    return file


def reread(file: CaseFile, data: bytes, reading: Reading) -> CaseFile:
    """Bring a file to its new bytes. An edit within the array costs what it changed, and not the file's length in cases.

    Returns:
        The file; the same object where it could be patched.

    Raises:
        SplitError: it is no file of cases any more; `file` is then as it was.
    """
    if file.data and file.shape in ("array", "envelope") and _patched(file, data, reading):
        return file
    return read(data, reading, file)


def index(file: CaseFile) -> None:
    """Set what is derived from the elements."""
    by_id: dict[str, LoadedCase] = {}
    count = 0
    for element in file.elements:
        loaded = element.loaded
        if loaded is not None:
            by_id.setdefault(loaded.case.id, loaded)
            count += 1
    file.by_id = by_id
    file.repeats = len(by_id) != count
    file.troubled = [element for element in file.elements if element.faults]
    file.superseding = [e for e in file.elements if e.loaded is not None and e.loaded.case.supersedes]


def _patched(file: CaseFile, data: bytes, reading: Reading) -> bool:
    """Patch a file to its new bytes where the change lies within its array; False where it must be read as a whole."""
    old, elements = file.data, file.elements
    prefix, suffix = common_ends(old, data)
    growth = len(data) - len(old)
    if prefix < file.head or len(old) - suffix > file.tail:
        return False
    first = bisect_left(
        elements, prefix, key=lambda element: element.end
    )  # of those before it a delimiter, too, is kept
    after = bisect_left(elements, len(old) - suffix, key=lambda element: element.start)
    after = max(first, after)
    start = elements[first - 1].end if first else file.head
    end = elements[after].start if after < len(elements) else file.tail
    if end + growth < start:
        return False
    try:
        text = data[start : end + growth].decode()
    except UnicodeDecodeError:
        return False
    replaced = elements[first:after]
    maker = _Maker(data, text, start, replace(reading, lenient=file.lenient))
    if not items(text, maker.take, comma_before=first > 0, comma_after=after < len(elements)):
        return False
    made = maker.made
    newlines = data.count(b"\n", start, end + growth) - old.count(b"\n", start, end)
    line = _line_before(file, first)  # what stands before the edit is the same in the old bytes
    file.data = b""  # an exception from outside (Ctrl-C) from here on leaves a file that is read as a whole
    _shift(elements, after, growth, newlines)
    elements[first:after] = made
    file.tail += growth
    _set_lines(data, made, start, line)
    _reindex(file, replaced, made)
    file.data = data
    return True


class _Maker:
    """Makes elements of the items of a text whose first character stands at `base` in the data; those known are taken over."""

    __slots__ = ("_at", "_base", "_data", "_done", "_known", "_plain", "_reading", "_text", "made")

    def __init__(self, data: bytes, text: str, base: int, reading: Reading, known: CaseFile | None = None) -> None:
        self.made: list[Element] = []
        self._data, self._text, self._base, self._reading = data, text, base, reading
        self._plain = text.isascii()
        self._at, self._done = base, 0
        usable = known is not None and known.lenient == reading.lenient
        self._known = {element.version: element for element in known.elements} if known is not None and usable else {}

    def take(self, value: Any, first: int, last: int, marks: tuple[str, ...]) -> None:
        """Make an element of an item: its value, the offsets of its first character and past its last, and its marks."""
        if self._plain:
            start, end = self._base + first, self._base + last
        else:
            start = self._at + len(self._text[self._done : first].encode())
            end = start + len(self._text[first:last].encode())
            self._at, self._done = end, last
        version = version_of(self._data[start:end])
        element = self._known.pop(version, None)
        if element is None:
            element = load(self._text[first:last], value, marks, self._reading, version)
            element.start, element.end = start, end
        else:
            element = replace(element, start=start, end=end)
        self.made.append(element)


def _reindex(file: CaseFile, replaced: Sequence[Element], made: Sequence[Element]) -> None:
    """Set what is derived, at the cost of the change alone where it is a plain edit of cases that keep their ids."""
    is_plain = not file.repeats and len(replaced) == len(made)
    if not is_plain or not all(_is_alike(before, now) for before, now in zip(replaced, made, strict=True)):
        index(file)
        return
    by_id = file.by_id.copy()
    for element in made:
        if element.loaded is not None:
            by_id[element.loaded.case.id] = element.loaded
    file.by_id = by_id


def _is_alike(before: Element, now: Element) -> bool:
    """Say whether one case took another's place that has its id, serves too, and supersedes as little."""
    if before.loaded is None or now.loaded is None or before.faults or now.faults or before.id != now.id:
        return False
    return not before.loaded.case.supersedes and not now.loaded.case.supersedes


def _shift(elements: list[Element], first: int, growth: int, newlines: int) -> None:
    """Move the elements from `first` on by so many bytes and lines."""
    if growth:
        for element in elements[first:]:
            element.start += growth
            element.end += growth
    if newlines:
        for element in elements[first:]:
            element.line += newlines
            if element.loaded is not None:
                object.__setattr__(element.loaded, "line", element.line)


def _line_before(file: CaseFile, first: int) -> int:
    """Give the line on which the element before `first` ends, or the array's bracket stands."""
    if first == 0:
        return file.data.count(b"\n", 0, file.head) + 1
    before = file.elements[first - 1]
    return before.line + file.data.count(b"\n", before.start, before.end)


def _set_lines(data: bytes, elements: Sequence[Element], at: int, line: int) -> None:
    """Set the lines of elements, counting from offset `at`, which is on `line`."""
    for element in elements:
        line += data.count(b"\n", at, element.start)
        at = element.start
        element.line = line
        if element.loaded is not None:
            object.__setattr__(element.loaded, "line", line)


_CHUNK = 32 * 1024


def common_ends(old: bytes, new: bytes) -> tuple[int, int]:
    """Give how many bytes two texts share at their beginnings, and then, without overlap, at their ends.

    Compares slices that stay within the processor's cache, then halves the one that differs.
    """
    most = min(len(old), len(new))
    prefix = 0
    while prefix < most and old[prefix : prefix + _CHUNK] == new[prefix : prefix + _CHUNK]:
        prefix += _CHUNK
    low, high = min(prefix, most), min(prefix + _CHUNK, most)
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    prefix, most = low, most - low
    suffix, ends = 0, (len(old), len(new))
    while suffix < most:
        step = min(_CHUNK, most - suffix)
        if old[ends[0] - suffix - step : ends[0] - suffix] != new[ends[1] - suffix - step : ends[1] - suffix]:
            break
        suffix += step
    low, high = suffix, min(suffix + _CHUNK, most)
    while low < high:
        middle = (low + high + 1) // 2
        if old[ends[0] - middle : ends[0] - low] == new[ends[1] - middle : ends[1] - low]:
            low = middle
        else:
            high = middle - 1
    return prefix, low


def _decoded(data: bytes, base: int) -> str:
    """Decode a file's bytes, or say why they are no text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:2] in (b"[\0", b"\0[", b"{\0", b"\0{"):
        raise SplitError("expected UTF-8, got UTF-16 (byte 0)", suggestion="save the file as UTF-8")
    try:
        return data[base:].decode() if base else data.decode()
    except UnicodeDecodeError as error:
        at = error.start + base
        found = SplitError(
            f"expected UTF-8, got the byte 0x{data[at]:02x} (byte {at})", suggestion="save the file as UTF-8"
        )
        found.line, found.column = data.count(b"\n", 0, at) + 1, _column(data, at)
        raise found from None


def _column(data: bytes, at: int) -> int:
    """Give the column, in characters from 1, of an offset in bytes."""
    start = data.rfind(b"\n", 0, at) + 1
    line = data[start:at]
    return len(line.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")) + 1
