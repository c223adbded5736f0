"""The text of a file of cases, split into its elements: one case, an array, or `{"format": 1, "cases": […]}`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Literal

from casebook.faults import nearest
from casebook.json_place import line_column, skip_space
from casebook.policy import FORMAT
from casebook.stores.syntax import here, refusal

Shape = Literal["one", "array", "envelope", "other"]
"""other: a file of memories and not of cases, of which no more is read than tells so."""

Take = Callable[[Any, int, int, tuple[str, ...]], None]
"""Takes an element as soon as it is decoded: its value, the offsets of its first character and past its last, and what is
wrong with it beyond its decoding (`repeated key`, `NaN`, …). One at a time, so that a large file is never decoded as a whole."""

_ENVELOPE_FIELDS = ("$schema", "format", "min_reader", "cases", "$comment")


class SplitError(Exception):
    """The text is no file of cases.

    Attributes:
        message: what was expected and what was found.
        line: from 1, in the text; None where the whole file is meant.
        column: from 1, in characters.
        suggestion: the cure, or None.
    """

    def __init__(self, message: str, text: str = "", at: int | None = None, suggestion: str | None = None) -> None:
        self.message = message
        self.line: int | None = None
        self.column: int | None = None
        if at is not None:
            self.line, self.column = line_column(text, at)
        self.suggestion = suggestion
        super().__init__(message)


@dataclass(slots=True)
class Split:
    """How a text is laid out.

    Attributes:
        shape: which of the forms.
        head: the offset past the array's opening bracket; 0 for one case.
        tail: the offset of its closing bracket; the end of the text for one case.
        lenient: whether unknown fields are kept (the file is of a newer format that lets this release read it).
    """

    shape: Shape
    head: int = 0
    tail: int = 0
    lenient: bool = False


class Scanner:
    """json's C scanner, which also notes keys that stand twice and numbers that are none."""

    __slots__ = ("_decoder", "_infinite", "marks")

    def __init__(self, *, infinite: bool = False) -> None:
        """Begin; `infinite` says whether Infinity and -Infinity are read as numbers, as in a task, and not noted."""
        self.marks: list[str] = []
        self._infinite = infinite
        self._decoder = JSONDecoder(object_pairs_hook=self._object, parse_constant=self._constant)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self.marks.append("repeated key")
        return made

    def _constant(self, name: str) -> float | None:
        if self._infinite and name != "NaN":
            return float(name)
        self.marks.append(name)
        return None

    def value(self, text: str, at: int) -> tuple[Any, int]:
        """Decode the value at an offset.

        Returns:
            The value and the offset past it.

        Raises:
            SplitError: there is none, or it is nested deeper than Python's stack, or holds a number of over 4,300 digits.
        """
        try:
            value: tuple[Any, int] = self._decoder.raw_decode(text, at)
        except JSONDecodeError as error:
            raise _refused(error, text) from None
        except RecursionError:
            raise SplitError("expected values nested less deep", text, at) from None
        except ValueError as error:
            raise SplitError(f"expected a shorter number: {error}".split(";")[0], text, at) from None
        return value


def split(text: str, take: Take) -> Split:
    """Split the text of a file (without its byte order mark). Elements before what is wrong have then been taken.

    Raises:
        SplitError: it is no JSON, or JSON of another shape, or of a newer format that this release may not read.
    """
    scanner = Scanner()
    at = skip_space(text, 0)
    opening = text[at : at + 1]
    if not opening:
        raise SplitError(
            "expected a case or an array of cases, got an empty file", suggestion="an empty one is written []"
        )
    if opening == "[":
        found = Split("array", head=at + 1)
        at = _items(text, scanner, found, take)
    elif opening == "{":
        found, at = _object(text, at, scanner, take)
    else:
        scanner.value(text, at)
        raise SplitError(f"expected a case or an array of cases, got {text[at : at + 20]}", text, at)
    at = skip_space(text, at)
    if at < len(text):
        raise SplitError(f"expected the end of the file, got {here(text, at)}", text, at)
    return found


def items(text: str, take: Take, *, comma_before: bool, comma_after: bool) -> bool:
    """Split a run of array items cut out of a file.

    Args:
        text: from past one item to the start of a later one, or to the array's end.
        take: is given each item, with offsets in `text`.
        comma_before: whether an item stands before the run, so that a comma must come first.
        comma_after: whether one stands after it, so that a comma must come last.

    Returns:
        Whether the run is of that form; where not, the file must be split as a whole.
    """
    scanner = Scanner()
    at = skip_space(text, 0)
    expects_comma = comma_before
    is_empty = True
    try:
        while at < len(text):
            if expects_comma:
                if text[at] != ",":
                    return False
                at = skip_space(text, at + 1)
                expects_comma = False
                if at == len(text):
                    return comma_after
            at = skip_space(text, _item(text, at, scanner, take))
            expects_comma, is_empty = True, False
    except SplitError:
        return False
    return not comma_after or (is_empty and not comma_before)


def _item(text: str, at: int, scanner: Scanner, take: Take) -> int:
    """Take the item at an offset; give the offset past it."""
    value, end = scanner.value(text, at)
    marks: tuple[str, ...] = ()
    if scanner.marks:
        marks = tuple(scanner.marks)
        scanner.marks.clear()
    take(value, at, end, marks)
    return end


def _items(text: str, scanner: Scanner, into: Split, take: Take) -> int:
    """Take the items of the array whose bracket is before `into.head`; give the offset past its end."""
    at = skip_space(text, into.head)
    if text[at : at + 1] != "]":
        while True:
            at = skip_space(text, _item(text, at, scanner, take))
            if text[at : at + 1] != ",":
                break
            comma = at
            at = skip_space(text, at + 1)
            if text[at : at + 1] == "]":
                raise SplitError("expected another case after the comma, got ]", text, comma, "leave the comma out")
    if text[at : at + 1] != "]":
        raise SplitError(f"expected , or ] after a case, got {here(text, at)}", text, at)
    into.tail = at
    return at + 1


def _object(text: str, at: int, scanner: Scanner, take: Take) -> tuple[Split, int]:
    """Take an object: an envelope where it has `cases` (or only a format), a file of memories, or one case."""
    if holds_memories(text, at):
        return Split("other"), len(text)
    keys = _keys(text, at)
    if "cases" in keys:
        return _envelope(text, at, scanner, take)
    found = Split("one")
    if "format" in keys and "id" not in keys:
        scanner.value(text, at)
        raise SplitError('expected "cases" beside "format", found nothing', text, at)
    end = _item(text, at, scanner, take)
    found.tail = len(text)
    return found, end


_OF_CASES = frozenset({"cases", "id", "type", "trigger_conditions", "correction"})


def holds_memories(text: str, at: int = 0) -> bool | None:
    """Say whether JSON text is of memories and not of cases, by the first of its keys that tells; what follows is not read.

    Args:
        text: the text, or its beginning, with or without a byte order mark.
        at: the offset to begin at.

    Returns:
        None where the text ends, or is no JSON, before anything tells.
    """
    at = skip_space(text, at + 1 if text.startswith("\ufeff", at) else at)
    if at == len(text):
        return None
    if text[at] != "{":
        return False
    try:
        at = skip_space(text, at + 1)
        while text[at : at + 1] == '"':
            key, at = scanstring(text, at + 1, True)
            at = skip_space(text, at)
            if text[at : at + 1] != ":":
                return None
            if key == "memories":
                return True
            if key in _OF_CASES:
                return False
            _, at = _DECODER.raw_decode(text, skip_space(text, at + 1))
            at = skip_space(text, skip_space(text, at) + 1)
    except (ValueError, RecursionError):
        return None
    return None


_DECODER = JSONDecoder()


def _keys(text: str, at: int) -> list[str]:
    """Give the first keys of an object up to `cases`, as far as the text can be read."""
    keys = []
    decoder = JSONDecoder()
    try:
        at = skip_space(text, at + 1)
        while text[at : at + 1] == '"':
            key, at = scanstring(text, at + 1, True)
            keys.append(key)
            at = skip_space(text, skip_space(text, at) + 1)
            if key == "cases":
                break
            _, at = decoder.raw_decode(text, at)
            at = skip_space(text, skip_space(text, at) + 1)
    except (ValueError, RecursionError):
        return keys  # the full reading tells what is wrong, and where
    return keys


def _envelope(text: str, at: int, scanner: Scanner, take: Take) -> tuple[Split, int]:
    """Take the form with a format."""
    found = Split("envelope")
    fields: dict[str, Any] = {}
    places: dict[str, int] = {}
    at = skip_space(text, at + 1)
    while True:
        place = at
        key, at = key_at(text, at)
        if key in fields:
            raise SplitError(f'expected "{key}" once, found it again', text, place)
        places[key] = place
        if key == "cases":
            if text[at : at + 1] != "[":
                raise SplitError(f"expected an array of cases, got {here(text, at)}", text, at)
            found.head = at + 1
            fields[key] = None
            at = _items(text, scanner, found, take)
        else:
            fields[key], at = scanner.value(text, at)
            if scanner.marks:
                raise SplitError(f'expected plain JSON in "{key}", found a {scanner.marks[0]}', text, place)
        at = skip_space(text, at)
        if text[at : at + 1] != ",":
            break
        at = skip_space(text, at + 1)
    if text[at : at + 1] != "}":
        raise SplitError(f"expected , or }} after a field, got {here(text, at)}", text, at)
    _check_envelope(text, fields, places, found)
    return found, at + 1


def key_at(text: str, at: int) -> tuple[str, int]:
    """Take the name of a field and its colon; give the name and the offset of the value."""
    if text[at : at + 1] != '"':
        raise SplitError(f"expected a field in double quotes, got {here(text, at)}", text, at)
    try:
        key, at = scanstring(text, at + 1, True)
    except JSONDecodeError as error:
        raise _refused(error, text) from None
    at = skip_space(text, at)
    if text[at : at + 1] != ":":
        raise SplitError(f"expected : after a field's name, got {here(text, at)}", text, at)
    return key, skip_space(text, at + 1)


def _check_envelope(text: str, fields: dict[str, Any], places: dict[str, int], found: Split) -> None:
    """Hold the envelope to its format."""
    form = fields.get("format", FORMAT)
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        raise SplitError(f"expected format {FORMAT}, got {form!r}", text, places["format"])
    if form > FORMAT:
        reader = fields.get("min_reader", form)
        if not isinstance(reader, int) or reader > FORMAT:
            raise SplitError(
                f"expected format {FORMAT}, got {form}, which asks for a newer release", text, places["format"],
                "pip install -U casebook-runtime",
            )  # fmt: skip
        found.lenient = True
        return
    for name, place in places.items():
        if name not in _ENVELOPE_FIELDS and not name.startswith("x-"):
            cure = nearest(name, _ENVELOPE_FIELDS) or "free fields begin with x-"
            raise SplitError(f'no field of a file is called "{name}"', text, place, cure)


def _refused(error: JSONDecodeError, text: str) -> SplitError:
    """Make an error of what json refused."""
    message, at, cure = refusal(error, text)
    return SplitError(message, text, at, cure)
