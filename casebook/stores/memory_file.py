"""One file of memories: `{"format": 1, "memories": […]}`, its entries as they stand, and what is wrong with them.

An entry that has not changed since the file was last read is neither decoded nor made again, and one that does not change when
the file is written keeps its bytes, with all that stands between it and its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_other
from typing import Any

from casebook.faults import Fault, nearest
from casebook.json_place import line_column, skip_space, span_of
from casebook.memory import Memory
from casebook.policy import FORMAT
from casebook.problems import shown
from casebook.stores.memory_entry import UNTOLD, Shared, Unfit, entry_of
from casebook.stores.memory_store import Placed
from casebook.stores.splitting import Scanner, SplitError, key_at
from casebook.stores.syntax import here
from casebook.uncollected import FEW, uncollected
from casebook.yielding import let_in

_FILE_FIELDS = ("$schema", "format", "min_reader", "memories", "session", "user", "ended_at", "$comment")
_OUR_FIELDS = ("format", "session", "user", "ended_at")
_FORM = '{"format": 1, "memories": […]}'
BOM = "\ufeff"
MOST_ENTRIES = 250_000
"""Entries of a file (ours): of the smallest memories no more fit into 16 MB; what is less than one is nothing to be kept."""
MOST_TOLD = 500
"""Entries of a file of which is told what is wrong with them; the rest is counted."""
_STRETCH = 32
"""Entries that are read between two looks whether somebody answers an agent: a millisecond."""
_SHOWN_CHARS = 10_000
"""What is no object and longer is not decoded to be shown: that would hold up every thread."""


@dataclass(slots=True)
class MemoryFile:
    """A file as it stands. It never changes; a change makes another.

    Attributes:
        path: relative to the casebook's folder, with `/`.
        layer: the name of its casebook.
        data: its bytes.
        head: the offset, in characters of its text, past the array's opening bracket.
        tail: the offset of the closing one.
        spans: the offsets of each entry's first character and past its last.
        items: what each entry is.
        placed: the memories that serve, by id: the first of equal ids.
        faults: what is wrong with the rest, in the order of the file.
        fields: the file's own fields but for `memories`.
        lenient: whether unknown fields are kept (the file is of a newer format that lets this release read it).
    """

    path: str
    layer: str
    data: bytes
    head: int
    tail: int
    spans: list[tuple[int, int]]
    items: list[Placed | Unfit]
    placed: dict[str, Placed]
    faults: tuple[Fault, ...]
    fields: dict[str, Any]
    lenient: bool = False

    @property
    def memories(self) -> tuple[Memory, ...]:
        """Give the memories that serve, in the order of the file."""
        return tuple(each.memory for each in self.placed.values())

    def text(self, index: int) -> str:
        """Give the text of an entry."""
        start, end = self.spans[index]
        return self.data.decode()[start:end]

    def ids(self) -> set[str]:
        """Give the ids of its entries, as far as they have some, of those that do not serve, too."""
        return {name for item in self.items if (name := _id_of(item)) is not None}

    def index_of(self, memory_id: str) -> int | None:
        """Give which entry is the memory that serves under an id, or None."""
        placed = self.placed.get(memory_id)
        if placed is None:
            return None
        return next(index for index, item in enumerate(self.items) if item is placed)

    def indexes(self) -> dict[str, int]:
        """Give which entry each memory that serves is."""
        found: dict[str, int] = {}
        for index, item in enumerate(self.items):
            if isinstance(item, Placed):
                found.setdefault(item.memory.id, index)
        return found

    @property
    def says_nothing(self) -> bool:
        """Say whether it has no entries, and no fields but those that we write."""
        return not self.items and all(name in _OUR_FIELDS for name in self.fields)


def parse(
    data: bytes, path: str, layer: str = "", known: MemoryFile | None = None, shared: Shared | None = None
) -> MemoryFile:
    """Read a file.

    Args:
        data: its bytes.
        path: the file.
        layer: the name of its casebook.
        known: the file as it was: entries of the same text are taken over.
        shared: what its memories share with others.

    Raises:
        SplitError: it is no file of memories, or of a newer format that this release may not read.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise SplitError(f"expected UTF-8, got the byte 0x{data[error.start]:02x}") from None
    start = skip_space(text, 1 if text.startswith(BOM) else 0)
    if start == len(text):
        raise SplitError(f"expected {_FORM}, got an empty file")
    if text[start] != "{":
        raise SplitError(f"expected {_FORM}, got {_shown(text, start)}", text, start)
    for lenient in (False, True):
        reading = _Reading(text, (path, layer), shared or Shared(), known, lenient=lenient)
        reading.object(start)
        if reading.may_be_lenient() == lenient:
            break
    placed, faults = told(text, reading.spans, reading.items, (path, layer))
    if len(reading.items) > FEW:  # they never change
        uncollected(reading.spans, reading.items, placed)
    return MemoryFile(
        path, layer, data, reading.head, reading.tail, reading.spans, reading.items, placed, faults, reading.fields, lenient
    )  # fmt: skip


class _Reading:
    """One reading of a file's text. Each entry is decoded alone, so that no other thread waits for the decoding of a whole file."""

    def __init__(
        self, text: str, place: tuple[str, str], shared: Shared, known: MemoryFile | None, *, lenient: bool
    ) -> None:
        self.text = text
        self.head = self.tail = -1
        self.spans: list[tuple[int, int]] = []
        self.items: list[Placed | Unfit] = []
        self.fields: dict[str, Any] = {}
        self._place, self._shared, self._lenient = place, shared, lenient
        self._places: dict[str, int] = {}
        self._scanner = Scanner()
        usable = known if known is not None and known.lenient == lenient and known.layer == place[1] else None
        self._known = usable
        self._old = "" if usable is None else usable.data.decode()
        self._by_text: dict[str, int] | None = None
        self._unfit = 0

    def object(self, at: int) -> None:
        """Read the object at an offset, the file's only value."""
        text, start = self.text, at
        at = skip_space(text, at + 1)
        while text[at : at + 1] != "}" or self._places:
            place = at
            key, at = key_at(text, at)
            if key in self._places:
                raise SplitError(f'expected plain JSON, found a repeated key: "{key}"', text, place)
            self._places[key] = place
            if key == "memories":
                if text[at : at + 1] != "[":
                    raise SplitError(f"expected {_FORM}, got {_shown(text, at)} as its memories", text, at)
                at = self._array(at)
            else:
                self.fields[key], at = self._scanner.value(text, at)
                if self._scanner.marks:
                    raise SplitError(f"expected plain JSON, found a {self._scanner.marks[0]}", text, place)
            at = skip_space(text, at)
            if text[at : at + 1] != ",":
                break
            at = skip_space(text, at + 1)
        if text[at : at + 1] != "}":
            raise SplitError(f"expected , or }} after a field, got {here(text, at)}", text, at)
        at = skip_space(text, at + 1)
        if at < len(text):
            raise SplitError("expected the end of the file after the object", text, at)
        if self.head < 0:
            raise SplitError(f"expected {_FORM}, got {shown(self.fields)}", text, start)

    def may_be_lenient(self) -> bool:
        """Hold the file's own fields to its format; say whether unknown fields are kept."""
        form = self.fields.get("format", FORMAT)
        if not isinstance(form, int) or isinstance(form, bool) or form < 1:
            raise SplitError(f"expected format {FORMAT}, got {shown(form)}", self.text, self._places["format"])
        if form > FORMAT:
            reader = self.fields.get("min_reader", form)
            if not isinstance(reader, int) or reader > FORMAT:
                raise SplitError(
                    f"expected format {FORMAT}, got {form}, which asks for a newer release", self.text,
                    self._places["format"], "pip install -U casebook-runtime",
                )  # fmt: skip
            return True
        for name, place in self._places.items():
            if name not in _FILE_FIELDS and not name.startswith("x-"):
                cure = nearest(name, _FILE_FIELDS) or "free fields begin with x-"
                raise SplitError(f'no field of a file is called "{name}"', self.text, place, cure)
        return False

    def _array(self, at: int) -> int:
        """Read the entries of the array at an offset; give the offset past it."""
        text = self.text
        self.head = at + 1
        at = skip_space(text, at + 1)
        expected = 0
        old = self._known.spans if self._known is not None else []
        if text[at : at + 1] != "]":
            while True:
                start, index = at, expected
                first, last = old[index] if index < len(old) else (0, 0)
                if last > first and self._old[last - 1] == "}" and text.startswith(self._old[first:last], at):
                    assert self._known is not None  # an object ends where its text ends: nothing is to be decoded
                    item = self._known.items[index]
                    if item is UNTOLD:
                        item = self._made(text[at : at + last - first], self._scanner.value(text, at)[0])
                    at, expected = at + last - first, index + 1
                else:
                    value, at = self._scanner.value(text, at)
                    found = self._known_as(text[start:at])
                    item = UNTOLD if found is None or self._known is None else self._known.items[found]
                    if item is UNTOLD:
                        item = self._made(text[start:at], value)
                    self._scanner.marks.clear()
                    expected = (expected if found is None else found) + 1
                self._take(start, at, item)
                at = skip_space(text, at)
                if text[at : at + 1] != ",":
                    break
                comma = at
                at = skip_space(text, at + 1)
                if text[at : at + 1] == "]":
                    raise SplitError(
                        "expected another memory after the comma, got ]", text, comma, "leave the comma out"
                    )
        if text[at : at + 1] != "]":
            raise SplitError(f"expected , or ] after a memory, got {here(text, at)}", text, at)
        self.tail = at
        return at + 1

    def _take(self, start: int, end: int, item: Placed | Unfit) -> None:
        """Take an entry; let those in who answer agents meanwhile."""
        self.spans.append((start, end))
        self.items.append(item)
        if not len(self.items) % _STRETCH:
            let_in()
        if len(self.items) > MOST_ENTRIES:
            told = f"expected at most {MOST_ENTRIES:,} memories in a file (limit: memories)"
            raise SplitError(told, self.text, start)

    def _made(self, text: str, value: Any) -> Placed | Unfit:
        marks = tuple(self._scanner.marks)
        self._scanner.marks.clear()
        item = entry_of(
            text, value, marks, self._place, self._shared, lenient=self._lenient, is_told=self._unfit < MOST_TOLD
        )
        self._unfit += isinstance(item, Unfit)
        return item

    def _known_as(self, text: str) -> int | None:
        """Give which entry of the file as it was had this text, or None."""
        if self._known is None:
            return None
        if self._by_text is None:
            self._by_text = {self._old[start:end]: at for at, (start, end) in enumerate(self._known.spans)}
        return self._by_text.get(text)


def told(
    text: str, spans: Sequence[tuple[int, int]], items: Sequence[Placed | Unfit], place: tuple[str, str]
) -> tuple[dict[str, Placed], tuple[Fault, ...]]:
    """Give the memories that serve and the faults of the rest, at their places in the file."""
    placed: dict[str, Placed] = {}
    troubled: list[tuple[int, tuple[Fault, ...]]] = []
    more = 0
    for index, item in enumerate(items):
        if isinstance(item, Placed):
            name = item.memory.id
            if name not in placed:
                placed[name] = item
                continue
            if len(troubled) >= MOST_TOLD:
                more += 1
                continue
            own = text[spans[index][0] : spans[index][1]]
            at = line_column(own, span_of(own, ("id",))[0])
            message = f"expected an id that stands once, found {name} again"
            troubled.append((index, (Fault(place[0], message, *at, case=name, field="id", layer=place[1]),)))
        elif item is UNTOLD or len(troubled) >= MOST_TOLD:
            more += 1
        else:
            troubled.append((index, item.faults))
    faults: list[Fault] = []
    for (line, column), (_, found) in zip(_lines(text, spans, [at for at, _ in troubled]), troubled, strict=True):
        faults.extend(_moved(fault, line, column - 1) for fault in found)
    if more:
        faults.append(Fault(place[0], f"expected memories that serve, found {more:,} more that do not", layer=place[1]))
    return placed, tuple(faults)


def _moved(fault: Fault, line: int, before: int) -> Fault:
    """Move a fault of an entry to where the entry stands: on a line, with so many characters before it."""
    assert fault.line is not None
    column = (fault.column or 1) + (before if fault.line == 1 else 0)
    return with_other(fault, line=fault.line + line - 1, column=column)


def _id_of(item: Placed | Unfit) -> str | None:
    return item.memory.id if isinstance(item, Placed) else item.id


def _shown(text: str, at: int) -> str:
    """Show the value that stands at an offset, where that costs little."""
    if len(text) > _SHOWN_CHARS:
        return here(text, at)
    return shown(Scanner().value(text, at)[0])


def lines_of(file: MemoryFile, indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the line and the column, from 1, of entries whose indexes ascend."""
    return _lines(file.data.decode(), file.spans, indexes)


def _lines(text: str, spans: Sequence[tuple[int, int]], indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the lines and columns of entries; each stretch of the text is read once."""
    line, begin, last = 1, 1 if text.startswith(BOM) else 0, 0
    for index in indexes:
        start = spans[index][0]
        newlines = text.count("\n", last, start)
        if newlines:
            line += newlines
            begin = text.rindex("\n", last, start) + 1
        last = start
        yield line, start - begin + 1
