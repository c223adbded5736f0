"""What pydantic found wrong, said in our words: the field, what was expected, what was found, the nearest right name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casebook.faults import nearest

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

Path = tuple[str | int, ...]
"""A place in a JSON value: names of fields and indexes of lists."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a value, before its place in a file is known.

    Attributes:
        path: the field, from the value's own root.
        message: what was expected and what was found.
        suggestion: the cure or the nearest right name, or None.
    """

    path: Path
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        """Give one line: field, message, cure."""
        place = f"{dotted(self.path)}: " if self.path else ""
        return place + self.message + (f" ({self.suggestion})" if self.suggestion else "")


def dotted(path: Path) -> str:
    """Write a path as people do: `examples.fires[0].intent`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def shown(value: object) -> str:
    """Show a value that was found, as JSON where it is some, in at most 60 characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, TypeError, RecursionError):
        text = repr(type(value))
    if not text.isascii():  # half of a character could be neither printed nor written
        text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else text[:57] + "..."


_EXPECTED = {
    "string_type": "text", "string_unicode": "text of whole characters", "list_type": "a list", "tuple_type": "a list", "dict_type": "an object", "model_type": "an object",
    "model_attributes_type": "an object", "int_type": "a whole number", "int_parsing": "a whole number",
    "int_from_float": "a whole number", "float_type": "a number", "bool_type": "true or false", "bool_parsing": "true or false",
    "none_required": "null", "datetime_type": "an ISO date-time", "datetime_parsing": "an ISO date-time",
    "datetime_from_date_parsing": "an ISO date-time", "frozen_set_type": "a list", "set_type": "a list",
}  # fmt: skip


MOST_NEAREST = 20
"""Problems of one object for which the nearest right name is looked for: it is the costly part, and nobody reads more."""


def problems_of(error: ValidationError, names: Mapping[str, Iterable[str]] | None = None) -> tuple[Problem, ...]:
    """Translate what pydantic raised.

    Args:
        error: the error.
        names: the known names of fields by the place of their object (the empty string for the root, `limits`, …), for the
            nearest to an unknown one.

    Returns:
        One problem for each field, in order; of the branches of a union only what is near to what was written.
    """
    return problems_in(error.errors(include_url=False), names)


def problems_in(
    told_by: Iterable[ErrorDetails], names: Mapping[str, Iterable[str]] | None = None
) -> tuple[Problem, ...]:
    """Translate what pydantic tells of a value, as `problems_of` does of what it raised."""
    found: dict[Path, Problem] = {}
    for details in told_by:
        context = details.get("ctx") or {}
        if details["type"] == "casebook":
            for problem in context["problems"]:
                found.setdefault(problem.path, problem)
            continue
        path = _path(details["loc"])
        known = (names or {}).get(_owner(path), ()) if len(found) < MOST_NEAREST else ()
        told = Problem(path, *_told(details, context, known))
        before = found.get(path)
        if before is None:
            found[path] = told
        elif details["type"] in _EXPECTED and " or " not in before.message:
            found[path] = Problem(path, before.message.replace(", got ", f" or {_EXPECTED[details['type']]}, got ", 1))
    return tuple(found.values())


def _owner(path: Path) -> str:
    """Give the place of the object that a field belongs to, without the indexes of lists."""
    return ".".join(part for part in path[:-1] if isinstance(part, str))


def _path(loc: tuple[int | str, ...]) -> Path:
    """Take pydantic's marks of union branches (`str`, `dict[str,any]`) out of a location."""
    marks = {
        "str",
        "int",
        "float",
        "bool",
        "constrained-str",
        "constrained-int",
        "none",
        "list[str]",
        "Scope",
        "Source",
    }
    kept: list[str | int] = []
    for at, part in enumerate(loc):
        is_mark = isinstance(part, str) and at > 0 and (part in marks or "[" in part)
        if not is_mark:
            kept.append(part)
    return tuple(kept)


def _part_of(name: str, names: Iterable[str]) -> str | None:
    """Give the one of some names that another has for a part: `type` of `error_type`; None where several are, or none."""
    parts = {*name.casefold().replace("-", "_").split("_")}
    found = [each for each in names if each.casefold() in parts]
    return found[0] if len(found) == 1 else None


def _told(details: ErrorDetails, context: dict[str, Any], names: Iterable[str]) -> tuple[str, str | None]:
    """Give the message and the cure for one of pydantic's errors."""
    kind, got = details["type"], shown(details["input"])
    if kind == "missing":
        return f"expected {details['loc'][-1]}, found nothing", None
    if kind == "extra_forbidden":
        name = str(details["loc"][-1])
        return f'no field is called "{name}"', nearest(name, names) or _part_of(name, names)
    if kind == "literal_error":
        words = [word.strip("'") for word in context["expected"].replace(" or ", ", ").split(", ")]
        near = nearest(details["input"], words) if isinstance(details["input"], str) else None
        return f"expected {context['expected'].replace(chr(39), chr(34))}, got {got}", near
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}, got {got}", None
    if kind == "string_too_long":
        return f"expected at most {context['max_length']:,} characters, got {len(details['input']):,}", None
    if kind in ("string_too_short", "too_short"):
        return f"expected something, got {got}", None
    if kind == "string_pattern_mismatch":
        return f"expected letters, digits, _ - . only, got {got}", None
    limits = {
        "greater_than_equal": ("ge", "at least"),
        "less_than_equal": ("le", "at most"),
        "greater_than": ("gt", "more than"),
    }
    if kind in limits:
        name, words_for = limits[kind]
        return f"expected {words_for} {context[name]}, got {got}", None
    if kind == "value_error":
        told = str(context["error"])
        return told if "got" in told else f"{told}, got {got}", None
    return f"{details['msg'][:1].lower()}{details['msg'][1:]}, got {got}", None
