"""One file of memories: `{"format": 1, "memories": […]}`, its entries as they stand, and what is wrong with them."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from casebook.case import is_free
from casebook.faults import Fault, nearest
from casebook.json_place import key_of, line_column, members, repeated_key, skip_space, span_of
from casebook.memory import MEMORY_FIELDS, Memory, memory_problems
from casebook.policy import FORMAT
from casebook.problems import Path, Problem, dotted, shown
from casebook.stores.rewriting import edited, written
from casebook.stores.splitting import Scanner, SplitError

_FILE_FIELDS = ("$schema", "format", "min_reader", "memories", "session", "user", "ended_at", "$comment")
_FORM = '{"format": 1, "memories": […]}'
_BETWEEN = b",\n    "


@dataclass(slots=True)
class MemoryFile:
    """A file as it stands.

    Attributes:
        path: relative to the casebook's folder, with `/`.
        data: its bytes.
        before: the bytes up to and with the array's opening bracket.
        after: the bytes from its closing bracket on.
        texts: the entries, each as its very bytes.
        values: the same, decoded.
        fields: the file's own fields but for `memories`.
        lenient: whether unknown fields are kept (the file is of a newer format that lets this release read it).
        places: the lines and columns of the entries, from 1; empty where the file was made here.
    """

    path: str
    data: bytes
    before: bytes
    after: bytes
    texts: list[bytes]
    values: list[Any]
    fields: dict[str, Any]
    lenient: bool = False
    places: list[tuple[int, int]] = field(default_factory=list)

    def ids(self) -> set[str]:
        """Give the ids of its entries, as far as they have some."""
        return {value["id"] for value in self.values if isinstance(value, dict) and isinstance(value.get("id"), str)}

    def with_entries(self, new: Iterable[Memory], drop: frozenset[int] = frozenset()) -> MemoryFile:
        """Give the file with further entries at its end, and without those at some indexes. The others keep their bytes."""
        kept = [at for at in range(len(self.texts)) if at not in drop]
        forms = [memory.to_json() for memory in new]
        return self._of(
            [*(self.texts[at] for at in kept), *(_entry(form) for form in forms)],
            [*(self.values[at] for at in kept), *forms],
        )

    def with_entry(self, index: int, changes: Mapping[str, Any]) -> MemoryFile:
        """Give the file with fields of one entry changed, and the rest of its text as it is."""
        text = edited(self.texts[index].decode(), changes, ()).encode()
        texts, values = self.texts.copy(), self.values.copy()
        texts[index], values[index] = text, {**values[index], **changes}
        return self._of(texts, values)

    def with_fields(self, changes: Mapping[str, Any]) -> MemoryFile:
        """Give the file with fields of its own changed."""
        text = self.data.decode("utf-8-sig").strip()
        return parse(edited(text, changes, ()).encode() + b"\n", self.path)

    def _of(self, texts: list[bytes], values: list[Any]) -> MemoryFile:
        inner = b"\n    " + _BETWEEN.join(texts) + b"\n  " if texts else b""
        data = self.before + inner + self.after
        return MemoryFile(self.path, data, self.before, self.after, texts, values, self.fields, self.lenient)


def _entry(form: Mapping[str, Any]) -> bytes:
    return written(dict(form), "  ", "    ", expand=True).encode()


def new_file(path: str, fields: Mapping[str, Any]) -> MemoryFile:
    """Give an empty file with fields of its own, such as the session that it is of."""
    own = {"format": FORMAT, **fields}
    head = "".join(f"  {written(name, '')}: {written(value, '')},\n" for name, value in own.items())
    before, after = f'{{\n{head}  "memories": ['.encode(), b"]\n}\n"
    return MemoryFile(path, before + after, before, after, [], [], own)


def parse(data: bytes, path: str) -> MemoryFile:
    """Read the layout of a file; its entries may be anything.

    Raises:
        SplitError: it is no file of memories, or of a newer format that this release may not read.
    """
    base = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        text = data[base:].decode()
    except UnicodeDecodeError as error:
        raise SplitError(f"expected UTF-8, got the byte 0x{data[base + error.start]:02x}") from None
    start = skip_space(text, 0)
    if start == len(text):
        raise SplitError(f"expected {_FORM}, got an empty file")
    scanner = Scanner()
    value, end = scanner.value(text, start)
    if skip_space(text, end) < len(text):
        raise SplitError("expected the end of the file after the object", text, skip_space(text, end))
    if not isinstance(value, dict) or not isinstance(value.get("memories"), list):
        raise SplitError(f"expected {_FORM}, got {shown(value)}", text, start)
    if scanner.marks:
        raise SplitError(f"expected plain JSON, found a {scanner.marks[0]}", text, _place_of_mark(text))
    lenient = _check_fields(value, text, start)
    head = next(each.start for each in members(text, start) if each.key == "memories")
    items = list(members(text, head))
    tail = text.rindex("]", head, _end_of(text, head))
    return MemoryFile(
        path, data, data[:base] + text[: head + 1].encode(), text[tail:].encode(),
        [text[item.start : item.end].encode() for item in items], value["memories"],
        {name: item for name, item in value.items() if name != "memories"}, lenient,
        _places(text, [item.start for item in items]),
    )  # fmt: skip


def _places(text: str, starts: list[int]) -> list[tuple[int, int]]:
    """Give the lines and columns of offsets that ascend; each stretch of the text is read once."""
    places: list[tuple[int, int]] = []
    line, begin, last = 1, 0, 0
    for start in starts:
        found = text.count("\n", last, start)
        if found:
            line += found
            begin = text.rindex("\n", last, start) + 1
        places.append((line, start - begin + 1))
        last = start
    return places


def _end_of(text: str, at: int) -> int:
    return span_of(text, (), at)[1]


def _place_of_mark(text: str) -> int:
    found = repeated_key(text)
    return found[1] if found else 0


def _check_fields(value: Mapping[str, Any], text: str, start: int) -> bool:
    """Hold a file's own fields to its format; say whether unknown fields are kept."""
    form = value.get("format", FORMAT)
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        raise SplitError(f"expected format {FORMAT}, got {shown(form)}", text, key_of(text, ("format",), start))
    if form > FORMAT:
        reader = value.get("min_reader", form)
        if not isinstance(reader, int) or reader > FORMAT:
            raise SplitError(
                f"expected format {FORMAT}, got {form}, which asks for a newer release", text,
                key_of(text, ("format",), start), "pip install -U casebook-runtime",
            )  # fmt: skip
        return True
    for name in value:
        if name not in _FILE_FIELDS and not name.startswith("x-"):
            cure = nearest(name, _FILE_FIELDS) or "free fields begin with x-"
            raise SplitError(f'no field of a file is called "{name}"', text, key_of(text, (name,), start), cure)
    return False


def load(file: MemoryFile, layer: str = "") -> tuple[tuple[Memory, ...], tuple[Fault, ...]]:
    """Give the memories of a file and what is wrong with the rest; of equal ids the first serves."""
    memories: dict[str, Memory] = {}
    faults: list[Fault] = []
    for index, value in enumerate(file.values):
        memory, problems = _memory(value, lenient=file.lenient)
        if memory is not None and memory.id in memories:
            problems = (Problem(("id",), f"expected an id that stands once, found {memory.id} again"),)
        elif memory is not None:
            memories[memory.id] = memory
        faults.extend(_fault(file, index, problem, layer) for problem in problems)
    return tuple(memories.values()), tuple(faults)


def _memory(value: Any, *, lenient: bool) -> tuple[Memory | None, tuple[Problem, ...]]:
    if not isinstance(value, dict):
        return None, (Problem((), f"expected a memory as an object, got {shown(value)}"),)
    if lenient:
        value = {name: item for name, item in value.items() if name in Memory.model_fields or is_free(name)}
    try:
        return Memory.model_validate(value), ()
    except ValidationError as error:
        return None, memory_problems(value, error)


def _fault(file: MemoryFile, index: int, problem: Problem, layer: str) -> Fault:
    """Make a fault of a problem, at its place in the file."""
    text = file.texts[index].decode("utf-8", "replace")
    line, column = line_column(text, _offset(text, problem.path))
    first = file.places[index] if index < len(file.places) else (1, 1)
    value = file.values[index]
    name = value.get("id") if isinstance(value, dict) else None
    return Fault(
        file.path, problem.message, line + first[0] - 1, column + (first[1] - 1 if line == 1 else 0),
        case=name if isinstance(name, str) else None, field=dotted(problem.path) or None,
        suggestion=problem.suggestion, layer=layer,
    )  # fmt: skip


def _offset(text: str, path: Path) -> int:
    """Give the offset of a field's value, of an unknown field's key, or of the object that lacks a field."""
    if path and isinstance(path[-1], str) and path[-1] not in MEMORY_FIELDS:
        at = key_of(text, path)
        if at is not None:
            return at
    return span_of(text, path)[0]
