"""A file of memories changed: entries replaced, left out and added. Every other byte stays as somebody left it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from casebook.policy import FORMAT
from casebook.stores.memory_entry import Shared, Unfit, entry_of
from casebook.stores.memory_file import BOM, MemoryFile, parse, told
from casebook.stores.memory_store import Placed
from casebook.stores.rewriting import edited, written
from casebook.stores.splitting import Scanner


@dataclass(slots=True)
class Layout:
    """What is to become of the entries of a file.

    Attributes:
        replaced: new texts, by the index of their entry.
        dropped: indexes of entries that go.
        added: entries that come to the end, as JSON objects or as their very text.
    """

    replaced: dict[int, str] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    added: list[Mapping[str, Any] | str] = field(default_factory=list)


def new_file(path: str, fields: Mapping[str, Any], layer: str = "") -> MemoryFile:
    """Give an empty file with fields of its own, such as the session that it is of."""
    own = {"format": FORMAT, **fields}
    head = "".join(f"  {written(name, '')}: {written(value, '')},\n" for name, value in own.items())
    return parse(f'{{\n{head}  "memories": []\n}}\n'.encode(), path, layer)


def relaid(file: MemoryFile, change: Layout, shared: Shared | None = None) -> MemoryFile:
    """Give a file with entries replaced, left out and added. Nothing that stays is read again.

    Args:
        file: the file as it stands.
        change: what is to become of it.
        shared: what its memories share with others.

    Raises:
        SplitError: a new text is no JSON.
    """
    text, spans = file.data.decode(), file.spans
    first, between, end = _gaps(text, file)
    made = _Making(file, shared or Shared(), [text[: file.head]], file.head)
    is_first, at = True, 0
    for stop in sorted({*change.dropped, *change.replaced, len(spans)}):
        if at < stop:  # a run of entries that stay
            made.put(first if is_first else text[spans[at - 1][1] : spans[at][0]])
            made.run(text, at, stop)
            is_first = False
        new = change.replaced.get(stop)
        if new is not None and stop not in change.dropped:
            made.put(first if is_first else text[spans[stop - 1][1] : spans[stop][0]])
            made.entry(new)
            is_first = False
        at = stop + 1
    line_end = "\r\n" if "\r\n" in text else "\n"
    for added in change.added:
        gap = first if is_first else between
        made.put(gap)
        made.entry(_written(added, gap, line_end))
        is_first = False
    if not is_first:
        made.put(end)
    tail = made.length
    made.put(text[file.tail :])
    whole = "".join(made.pieces)
    placed, faults = told(whole, made.spans, made.items, (file.path, file.layer))
    return MemoryFile(
        file.path, file.layer, whole.encode(), file.head, tail, made.spans, made.items, placed, faults, file.fields,
        file.lenient,
    )  # fmt: skip


@dataclass(slots=True)
class _Making:
    """A file that is being put together: its pieces, their length in characters, and the entries among them."""

    file: MemoryFile
    shared: Shared
    pieces: list[str]
    length: int
    spans: list[tuple[int, int]] = field(default_factory=list)
    items: list[Placed | Unfit] = field(default_factory=list)
    scanner: Scanner = field(default_factory=Scanner)

    def put(self, piece: str) -> None:
        """Put a piece to the end."""
        self.pieces.append(piece)
        self.length += len(piece)

    def run(self, text: str, start: int, stop: int) -> None:
        """Put entries of the file as it is to the end, with what stands between them."""
        spans = self.file.spans[start:stop]
        shift = self.length - spans[0][0]
        self.spans += [(first + shift, last + shift) for first, last in spans] if shift else spans
        self.items += self.file.items[start:stop]
        self.put(text[spans[0][0] : spans[-1][1]])

    def entry(self, text: str) -> None:
        """Put a new entry to the end."""
        value, _ = self.scanner.value(text, 0)
        marks = tuple(self.scanner.marks)
        self.scanner.marks.clear()
        place = self.file.path, self.file.layer
        self.items.append(entry_of(text, value, marks, place, self.shared, lenient=self.file.lenient))
        self.spans.append((self.length, self.length + len(text)))
        self.put(text)


def with_fields(file: MemoryFile, changes: Mapping[str, Any]) -> MemoryFile:
    """Give a file with fields of its own changed."""
    text = file.data.decode()
    bom = BOM if text.startswith(BOM) else ""
    text = text.removeprefix(BOM).strip(" \t\r\n")
    return parse(f"{bom}{edited(text, changes, ())}\n".encode(), file.path, file.layer, file)


def _gaps(text: str, file: MemoryFile) -> tuple[str, str, str]:
    """Give what stands before the first entry, between two, and after the last: as the file has it, else as we write it."""
    spans = file.spans
    line_end = "\r\n" if "\r\n" in text else "\n"
    if not spans:
        return f"{line_end}    ", f",{line_end}    ", f"{line_end}  "
    first = text[file.head : spans[0][0]]
    between = text[spans[-2][1] : spans[-1][0]] if len(spans) > 1 else f",{first or ' '}"
    return first, between, text[spans[-1][1] : file.tail]


def _written(entry: Mapping[str, Any] | str, gap: str, line_end: str) -> str:
    """Write an entry as its neighbours stand: over lines where each has lines of its own."""
    if isinstance(entry, str):
        return entry
    if "\n" not in gap:
        return written(dict(entry), "")
    base = gap[gap.rindex("\n") + 1 :].lstrip(",")
    return written(dict(entry), "  ", base, expand=True).replace("\n", line_end)
