"""Forgetting in one file of JSON: its memories, cases, archived entries or lines, and the text around them."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Literal

from casebook.json_place import skip_space, span_of
from casebook.stores.archive_entries import FOLDER, Entry, Items, array_at, items_of
from casebook.stores.forgetting_walk import Found
from casebook.stores.json_strings import joined
from casebook.stores.sought import Fate, Sought

_CASES = "long_term/"
_TIERS = ("short_term/", "medium_term/", "long_term/")
_KINDS: Mapping[str, Literal["memory", "case"]] = {"memories": "memory", "cases": "case"}
_DECODER = JSONDecoder()


@dataclass(frozen=True, slots=True)
class Element:
    """A memory, a case, or an archived one of either, with its JSON text.

    Attributes:
        value: the memory or case.
        raw: its JSON text.
        kind: which of them.
        origin: the file that it was archived from; else empty.
        place: the file in which it stands; of an archived one empty.
    """

    value: Mapping[str, Any]
    raw: str
    kind: Literal["memory", "case"]
    origin: str = ""
    place: str = ""

    @property
    def id(self) -> str:
        """Give its id; empty where it has none."""
        found = self.value.get("id")
        return found if isinstance(found, str) else ""

    def fate(self, sought: Sought) -> Fate:
        """Say whether it goes."""
        if self.kind == "memory":
            return sought.of_memory(self.value, self.raw, self.origin, self.place)
        fate = sought.of_case(self.value)
        if fate != "direct" and sought.has_text_within(self.rest(sought)):
            return "direct"
        return fate

    def rest(self, sought: Sought) -> str:
        """Give its JSON text without the parts that go while it stays."""
        if self.kind == "memory":
            return sought.without_references(self.value, self.raw)
        return sought.without_parts(self.value, self.raw)


@dataclass(slots=True)
class Taken:
    """What became of a file.

    Attributes:
        data: its new bytes; None where it goes as a whole.
        kept: of a file of the archive the JSON texts that stay; None where all stay as they are.
        counts: how much went, by name.
        is_left: whether something that cannot be changed still names the user or holds the text.
        is_unreadable: whether it does so, and is no JSON.
    """

    data: bytes | None = None
    kept: list[str] | None = None
    counts: Counter[str] = field(default_factory=Counter)
    is_left: bool = False
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True)
class _Layout:
    """A file of JSON: its text, where its memories or cases stand in it, and its path."""

    text: str
    fields: Mapping[str, Any]
    spans: tuple[tuple[int, int], ...]
    values: tuple[Any, ...]
    kind: Literal["memory", "case"] | None
    path: str = ""


def _layout(path: str, data: bytes) -> _Layout:
    """Read a file. Raises ValueError where it is no JSON."""
    text = data.removeprefix(codecs.BOM_UTF8).decode()
    at = skip_space(text, 0)
    try:
        layout, end = _object(path, text, at) if text[at : at + 1] == "{" else _other(path, text, at)
    except RecursionError:
        raise ValueError("expected values nested less deep") from None
    if skip_space(text, end) < len(text):
        raise ValueError("expected the end of the file")
    return layout


def _object(path: str, text: str, start: int) -> tuple[_Layout, int]:
    """Read an object, each of its values once: files are large."""
    fields: dict[str, Any] = {}
    arrays: dict[str, tuple[tuple[tuple[int, int], ...], tuple[Any, ...]]] = {}
    at = skip_space(text, start + 1)
    is_first = True
    while text[at : at + 1] != "}":
        if not is_first:
            if text[at : at + 1] != ",":
                raise ValueError("expected , or } after a field")
            at = skip_space(text, at + 1)
        is_first = False
        if text[at : at + 1] != '"':
            raise ValueError("expected a field in double quotes")
        key, at = scanstring(text, at + 1, True)
        at = skip_space(text, at)
        if text[at : at + 1] != ":":
            raise ValueError("expected : after a field's name")
        at = skip_space(text, at + 1)
        if key in _KINDS and text[at : at + 1] == "[":
            spans, values, tail = array_at(text, at)
            arrays[key] = spans, values
            at = tail + 1
        else:
            fields[key], at = _DECODER.raw_decode(text, at)
        at = skip_space(text, at)
    end = at + 1
    for name, kind in _KINDS.items():
        if name in arrays:
            return _Layout(text, fields, *arrays[name], kind, path), end
    if path.startswith(_CASES):
        return _Layout(text, {}, ((start, end),), (fields,), "case"), end
    return _Layout(text, fields, (), (), None), end


def _other(path: str, text: str, at: int) -> tuple[_Layout, int]:
    """Read an array of cases, or any other value."""
    if text[at : at + 1] == "[" and path.startswith(_CASES):
        spans, values, tail = array_at(text, at)
        return _Layout(text, {}, spans, values, "case"), tail + 1
    _, end = _DECODER.raw_decode(text, at)
    return _Layout(text, {}, (), (), None), end


def _elements(layout: _Layout) -> Iterator[Element | None]:
    for (start, end), value in zip(layout.spans, layout.values, strict=True):
        if isinstance(value, dict) and layout.kind is not None:
            yield Element(value, layout.text[start:end], layout.kind, place=layout.path)
        else:
            yield None


def entries_of(path: str, data: bytes) -> tuple[Mapping[str, Any], list[Element]]:
    """Give a file's own fields, and its memories and cases; of a file of the archive those in its entries.

    Raises:
        ValueError: it is no JSON.
    """
    if path.startswith(f"{FOLDER}/"):
        return {}, [_of_entry(entry) for entry in items_of(data).entries()]
    layout = _layout(path, data)
    return layout.fields, [each for each in _elements(layout) if each is not None]


def _of_entry(entry: Entry) -> Element:
    return Element(entry.value[entry.kind], entry.text, entry.kind, entry.origin)


def without(found: Found, data: bytes, sought: Sought, *, derived_only: bool) -> Taken:
    """Take what is to be forgotten out of a file.

    Args:
        found: the file.
        data: its bytes.
        sought: what is to be forgotten.
        derived_only: whether what says itself that it is concerned stays for now.
    """
    if found.kind == "lines":
        return _without_lines(data, sought)
    if not sought.may_change(data):
        return Taken(data)
    try:
        layout = _layout(found.path, data)
    except ValueError:
        return Taken(data, is_unreadable=sought.may_be_in(data))
    if found.path.startswith("short_term/"):
        fate = sought.of_session(layout.fields)
        if fate == "derived" or (fate == "direct" and not derived_only):
            return Taken(None, counts=Counter(memories=len(layout.values), files=1))
        if fate == "direct":
            return Taken(data)
    return _without_elements(found.path, data, layout, sought, derived_only=derived_only)


def _without_elements(path: str, data: bytes, layout: _Layout, sought: Sought, *, derived_only: bool) -> Taken:
    taken = Taken(data)
    kept: list[str | None] = []
    name = "memories" if layout.kind == "memory" else "cases"
    for element, (start, end) in zip(_elements(layout), layout.spans, strict=True):
        raw = layout.text[start:end]
        new = _kept(element, raw, sought, derived_only=derived_only)
        kept.append(new)
        if new is None:
            taken.counts[name] += 1
        elif new != raw:
            taken.counts["edited"] += 1
    text = joined(layout.text, layout.spans, kept)
    if not any(each is not None for each in kept) and kept and text.strip() == "":
        text = "[]\n"
    is_of_elements = kept and path.startswith(_TIERS)
    text = _around(text, layout, kept, sought) if is_of_elements else sought.masked(text, texts=True)
    if not kept and text != layout.text:
        taken.counts["edited"] += 1
    if text != layout.text:
        bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        taken.data = bom + text.encode()
    taken.is_left = not derived_only and sought.is_left_in(text)
    return taken


def _around(text: str, layout: _Layout, kept: list[str | None], sought: Sought) -> str:
    """Give the text with the fields around its elements masked; the elements are as they shall be."""
    head, tail = layout.spans[0][0], len(layout.text) - layout.spans[-1][1]
    if all(each is None for each in kept):
        return sought.masked(text, texts=True)
    inner = text[head : len(text) - tail]
    return sought.masked(text[:head], texts=True) + inner + sought.masked(text[len(text) - tail :], texts=True)


def _kept(element: Element | None, raw: str, sought: Sought, *, derived_only: bool) -> str | None:
    """Give the JSON text that stays of an element; None where it goes."""
    if element is None:
        return sought.masked(raw, texts=True)
    fate = element.fate(sought)
    if fate == "derived" or (fate == "direct" and not derived_only):
        return None
    return raw if fate == "direct" else sought.masked(element.rest(sought))


def without_entries(items: Items, sought: Sought, *, derived_only: bool) -> Taken:
    """Take what is to be forgotten out of a loose file of the archive, or one in a pack."""
    taken = Taken()
    kept: list[str] = []
    for index in range(len(items.values)):
        raw = items.raw(index)
        entry = items.entry(index)
        if entry is None:
            new: str | None = sought.masked(raw, texts=True)
        else:
            new = _kept_entry(entry, sought, derived_only=derived_only)
        if new is None:
            taken.counts["archive"] += 1
        else:
            taken.counts["edited"] += new != raw
            kept.append(new)
    if kept != [items.raw(index) for index in range(len(items.values))]:
        taken.kept = kept
    return taken


def _kept_entry(entry: Entry, sought: Sought, *, derived_only: bool) -> str | None:
    element = _of_entry(entry)
    new = _kept(element, element.raw, sought, derived_only=derived_only)
    if new is None or (new == element.raw and not sought.mentions(entry.raw) and "\\" not in entry.raw):
        return None if new is None else entry.raw
    if derived_only and element.fate(sought) == "direct":
        return entry.raw
    start, end = span_of(entry.raw, (entry.kind,))
    return sought.masked(entry.raw[:start], texts=True) + new + sought.masked(entry.raw[end:], texts=True)


def _without_lines(data: bytes, sought: Sought) -> Taken:
    """Take out of an outbox each line that names somebody or something; what is no JSON counts by its words."""
    lines = data.split(b"\n")
    kept = [line for line in lines if not line.strip() or not _touches(line, sought)]
    gone = len(lines) - len(kept)
    return Taken(b"\n".join(kept) if gone else data, counts=Counter(lines=gone))


def _touches(line: bytes, sought: Sought) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return sought.may_be_in(line)
    return sought.touches(value)
