"""A record of tool calls: JSON Lines, read with names that may be mapped; a bad line is told with its number and skipped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, get_args

from casebook.faults import CasebookError, TaskError, nearest
from casebook.instants import wall_or_instant
from casebook.limits import TASK_BYTES
from casebook.outcome import Giver
from casebook.plain import plain
from casebook.problems import shown
from casebook.redacting.redact import redact
from casebook.stores.syntax import refusal

FIELDS = (
    "session", "step", "tool", "args", "ok", "error", "type", "user", "project", "team", "agent", "text", "intent", "at",
    "correction", "correction_by",
)  # fmt: skip
"""What is read of a line; all but `tool` may be missing."""

NOT = "!"
"""Before a path of `ok`: the value says that it failed, such as `ok=!is_error`."""

_EXCERPT = 60
_TEXTS = ("session", "user", "project", "agent", "text", "type", "correction")


class RecordError(CasebookError):
    """A mapping of names that is none."""


@dataclass(frozen=True, slots=True)
class Call:
    """One recorded tool call.

    Attributes:
        line: its line in the file, from 1.
        tool: the host's name of the tool.
        args: its arguments, or None.
        ok: whether it succeeded; where the line does not say, whether it has no error.
        error, type: the message and the class or code of its error, or None.
        session, step: as recorded; the step is for people.
        user, project, team, agent, text, intent: of the task, or None.
        at: its instant, aware, UTC, or None.
        correction, correction_by: what was said to do instead, and by whom (`person` or `agent`), or None.
    """

    line: int
    tool: str
    args: dict[str, Any] | None = None
    ok: bool = True
    error: str | None = None
    type: str | None = None
    session: str | None = None
    step: str | None = None
    user: str | None = None
    project: str | None = None
    team: tuple[str, ...] | None = None
    agent: str | None = None
    text: str | None = None
    intent: tuple[str, ...] | None = None
    at: datetime | None = None
    correction: str | None = None
    correction_by: Giver | None = None

    @property
    def where(self) -> str:
        """Give its place for people: session and step where both are told, else the line."""
        return f"{self.session} step {self.step}" if self.session and self.step else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that is no call: its number from 1, and why."""

    line: int
    why: str

    def __str__(self) -> str:
        """Give it as a person reads it."""
        return f"line {self.line}: {self.why}"


@dataclass(frozen=True, slots=True)
class Record:
    """The calls of a file in its order, and the lines that are none."""

    calls: tuple[Call, ...]
    skipped: tuple[Skipped, ...]


def read_mapping(texts: Iterable[str]) -> dict[str, str]:
    """Read how the record's names are mapped.

    Args:
        texts: such as `tool=name,error=result.message`: fields of `FIELDS` to dotted paths.

    Raises:
        RecordError: there is no such field (the nearest is told), or no path.
    """
    mapping: dict[str, str] = {}
    for pair in (pair.strip() for text in texts for pair in text.split(",")):
        field, equals, path = pair.partition("=")
        if not equals or not path.removeprefix(NOT):
            raise RecordError(f"expected FIELD=PATH, got {pair!r}")
        if field not in FIELDS:
            near = nearest(field, FIELDS)
            cure = f"did you mean {near}?" if near else f"expected one of {', '.join(FIELDS)}"
            raise RecordError(f"a record has no field {field!r}; {cure}")
        if path.startswith(NOT) and field != "ok":
            raise RecordError(f"{field}: {NOT} stands before the path of ok only, got {path!r}")
        mapping[field] = path
    return mapping


def read_record(lines: Iterable[bytes], mapping: Mapping[str, str] | None = None) -> Record:
    """Read a record.

    Args:
        lines: of UTF-8, a JSON object each; empty ones count and say nothing.
        mapping: fields to dotted paths, where the file's names differ; a number in a path is an index of a list.
    """
    calls: list[Call] = []
    skipped: list[Skipped] = []
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
        if not text:
            continue
        try:
            calls.append(_call(number, _row(text), mapping or {}))
        except ValueError as error:
            skipped.append(Skipped(number, redact(str(error))))
    return Record(tuple(calls), tuple(skipped))


def _row(line: bytes) -> dict[str, Any]:
    if len(line) > TASK_BYTES:
        raise ValueError(f"expected at most 1 MB (limit: task), got {len(line):,} bytes")
    try:
        text = line.decode()
        row = json.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, got the byte 0x{line[error.start]:02x}") from None
    except json.JSONDecodeError as error:
        raise ValueError(_no_json(error, text)) from None
    except (RecursionError, ValueError) as error:
        raise ValueError(f"expected a JSON object: {error}") from None
    if not isinstance(row, dict):
        raise ValueError(f"expected a JSON object, got {shown(row)}")  # noqa: TRY004 (a line of a file, not an argument)
    return _plain(row)


def _no_json(error: json.JSONDecodeError, text: str) -> str:
    """Say what a line is that is no JSON: not even the beginning of an object, or where in it what is wrong."""
    if not text.startswith("{"):
        return f"expected a JSON object, got {_excerpt(text)}"
    if error.msg == "Extra data":
        return f"expected one JSON object, got {_excerpt(text[error.pos :])} after it at column {error.colno}"
    message, at, cure = refusal(error, text)
    told = message.replace("the end of the file", "the end of the line")
    return f"expected a JSON object: at column {at + 1} {told}" + (f" ({cure})" if cure else "")


def _excerpt(text: str) -> str:
    """Give the beginning of what is no JSON as it stands: within quotation marks it would pass for some."""
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]}…"


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Make the values of an object such as a task may hold; raises ValueError where they are nested too deep."""
    try:
        return plain(values).value
    except TaskError as error:
        raise ValueError(str(error)) from None


def _call(line: int, row: Mapping[str, Any], mapping: Mapping[str, str]) -> Call:
    """Make a call of a line's object; raises ValueError with the field, what was expected and what was found."""
    values = {field: _found(row, mapping.get(field, field).removeprefix(NOT)) for field in FIELDS}
    told: dict[str, Any] = {name: _text(name, values[name]) for name in _TEXTS}
    error, kind = _error(values["error"])
    told["type"] = told["type"] or kind
    if not isinstance(values["tool"], str) or not values["tool"]:
        raise ValueError(_no_tool(values["tool"], row, mapping))
    step = values["step"]
    return Call(
        line=line,
        tool=values["tool"],
        args=_args(values["args"]),
        ok=_ok(values["ok"], error, inverse=mapping.get("ok", "").startswith(NOT)),
        error=error,
        step=None if step is None else str(step),
        team=_several("team", values["team"]),
        intent=_several("intent", values["intent"]),
        at=_instant(values["at"]),
        correction_by=_giver(values["correction_by"]),
        **told,
    )


def _found(row: Mapping[str, Any], path: str) -> Any:
    """Give the value at a dotted path; a key that is spelt so, dots and all, comes first. None where it leads nowhere."""
    if path in row:
        return row[path]
    value: Any = row
    for segment in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(segment)
        elif isinstance(value, list) and segment.isdecimal() and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return None
    return value


def _no_tool(value: object, row: Mapping[str, Any], mapping: Mapping[str, str]) -> str:
    if value is not None:
        return f"tool: expected the name of a tool, got {shown(value)}"
    told = f"tool: there is nothing at {mapping['tool']!r}" if "tool" in mapping else "tool: expected it, found nothing"
    names = ", ".join(list(row)[:12])
    return f"{told} (the line has {names}; --map tool=FIELD names another)" if names else told


def _text(field: str, value: object) -> str | None:
    """Give a text; a number is taken as its digits, for ids are often numbers."""
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{field}: expected text, got {shown(value)}")  # noqa: TRY004 (as above)
    return str(value)


def _several(field: str, value: object) -> tuple[str, ...] | None:
    items = [value] if isinstance(value, str) else value
    if items is None:
        return None
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError(f"{field}: expected text or a list of texts, got {shown(value)}")
    return tuple(item for item in items if item) or None


def _args(value: object) -> dict[str, Any] | None:
    """Give the arguments; some hosts write them as the JSON text of an object."""
    if value is None or value == "":
        return None
    read = value
    if isinstance(value, str):
        try:
            read = json.loads(value)
        except (ValueError, RecursionError):
            read = value
        if isinstance(read, dict):
            read = _plain(read)
    if not isinstance(read, dict):
        raise ValueError(f"args: expected an object, got {shown(value)}")  # noqa: TRY004 (as above)
    return read


def _error(value: object) -> tuple[str | None, str | None]:
    """Give message and type of an error, which may be told as text, or as an object with `message` and `type` or `code`."""
    if value is None or value is False or value == "":
        return None, None
    if isinstance(value, str):
        return value, None
    if isinstance(value, Mapping):
        message = value.get("message")
        kind = value.get("type", value.get("code"))
        text = message if isinstance(message, str) else json.dumps(value, ensure_ascii=False)
        return text, None if kind is None else str(kind)
    return json.dumps(value, ensure_ascii=False), None


def _ok(value: object, error: str | None, *, inverse: bool) -> bool:
    if value is None:
        return error is None
    if not isinstance(value, bool):
        raise ValueError(f"ok: expected true or false, got {shown(value)}")  # noqa: TRY004 (as above)
    return value is not inverse


def _giver(value: object) -> Giver | None:
    known: tuple[Giver, ...] = get_args(Giver)
    for giver in known:
        if value == giver:
            return giver
    if value is None:
        return None
    raise ValueError(f'correction_by: expected "person" or "agent", got {shown(value)}')


def _instant(value: object) -> datetime | None:
    """Give an instant: ISO text, which without an offset is in UTC, or seconds since 1970."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            read = wall_or_instant(value)
            return (read.replace(tzinfo=UTC) if read.tzinfo is None else read).astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError):
        raise ValueError(f"at: expected an instant within the years 1 to 9999, got {shown(value)}") from None
    except ValueError as error:
        raise ValueError(f"at: {error}") from None
    raise ValueError(f"at: expected an ISO date-time or seconds since 1970, got {shown(value)}")
