"""Fields: read from text by longest match over the known names, checked against them, and written in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from casebook.conditions.complaints import complain, shown
from casebook.conditions.fields import EVENT_FIELDS, FIELDS, GROUPS, FieldType
from casebook.conditions.lexicon import FIELD_NAMES_ZH, KEYWORDS
from casebook.conditions.literals import CLOSING, fold, normal, quote, read_string
from casebook.conditions.tree import Field
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.conditions.moments import Language

Declared = Mapping[str, FieldType]

IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NAME: Final = re.compile(r"[^\W\d]\w*")
_SEGMENT: Final = re.compile(r"""(?:(?!&&|\|\|)[^\s()\[\]=<>!,"'.“”‘’「」])+""")
_PART: Final = re.compile(r"[A-Za-z0-9_]+(?![A-Za-z0-9_\-])")
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,17}")
_LONGEST_ARGUMENT: Final = 24
_LONGEST_ARGUMENT_ZH: Final = 6
"""Characters up to which an unknown name is taken for an argument's."""
_NAMES_ZH_BY_FIELD: Final = {name: spelled for spelled, name in FIELD_NAMES_ZH.items()}
_OPERATORS_ZH: Final = tuple(
    sorted(
        (
            spelling
            for spelling, keyword in KEYWORDS
            if not spelling.isascii()
            and keyword.terminal
            in {"EQ", "NE", "IN", "AT", "NOT_IN", "NOT_AT", "CMP", "BETWEEN", "TEXT", "NOT_TEXT", "MATCHES", "PRESENT", "MISSING",
                "NOT_BETWEEN", "NOT_MATCHES", "BY", "NOT_BY"}
        ),
        key=len,
        reverse=True,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """A field as it was read: what it is, whether only events have it, and its text as it was written."""

    field: Field
    type: FieldType
    event_only: bool
    spelled: str


def starts_name(text: str, at: int, declared: Declared) -> int:
    """Give the length of the longest known root name at `at`, or 0; an English name ends at a word boundary."""
    found = 0
    if word := IDENTIFIER.match(text, at):
        name = word[0]
        if name in declared or name.lower() in EVENT_FIELDS:
            found = len(name)
    else:
        for spelled in FIELD_NAMES_ZH:
            if len(spelled) > found and text.startswith(spelled, at):
                found = len(spelled)
    for spelled in declared:
        if len(spelled) > found and text.startswith(spelled, at) and _bounded(text, at + len(spelled), spelled):
            found = len(spelled)
    return found


def _bounded(text: str, end: int, spelled: str) -> bool:
    last, following = spelled[-1:], text[end : end + 1]
    return not (last.isascii() and (following.isalnum() or following == "_") and following.isascii())


def read_field(text: str, folded: str, at: int, declared: Declared) -> tuple[Named, int]:
    """Read the field that begins at `at`.

    Args:
        text: the condition as it was written.
        folded: the same with full-width ASCII folded, for all but what stands in quotes.
        at: where it begins, from 0.
        declared: extra fields of the policy.

    Returns:
        the field, and where the text goes on.

    Raises:
        ConditionError: no such field is known.
    """
    size = starts_name(folded, at, declared)
    if not size:
        raise _unknown(folded, at, declared)
    spelled = folded[at : at + size]
    if spelled in declared and spelled.lower() not in EVENT_FIELDS:
        path: tuple[str | int, ...] = tuple(normal(spelled).split("."))
        root, type_ = spelled, declared[spelled]
    else:
        root = FIELD_NAMES_ZH.get(spelled) or spelled.lower()
        path, type_ = (root,), EVENT_FIELDS[root]
    end = at + size
    if end >= len(folded) or folded[end] != ".":
        if type_ == "group" and root == "session":
            type_ = "text"
        return Named(Field(path), type_, root not in FIELDS and root not in declared, text[at:end]), end
    segments, starts, end = _segments(text, folded, end, closed=root in GROUPS)
    path += segments
    type_ = _part_type(root, path, type_, declared, at=at, starts=starts)
    return Named(Field(path), type_, root not in FIELDS and root not in declared, text[at:end]), end


def _segments(text: str, folded: str, at: int, *, closed: bool) -> tuple[tuple[str | int, ...], list[int], int]:
    """Read `.segment` after `.segment`; parts of a closed group end where their letters end, free ones at white space."""
    found: list[str | int] = []
    starts: list[int] = []
    while at < len(folded) and folded[at] == ".":
        at += 1
        starts.append(at)
        if text[at : at + 1] in CLOSING and at < len(text):
            content, at = read_string(text, at)
            found.append(content)
            continue
        run = (_PART.match(folded, at) if closed else None) or _SEGMENT.match(folded, at)
        if run is None:
            raise complain(f"expected a name after the dot, got {_rest(text, at)}", at, "a name, or one in quotes")
        found.append(int(run[0]) if not closed and _INDEX.fullmatch(run[0]) else normal(run[0]))
        at = run.end()
    return tuple(found), starts, at


def _rest(text: str, at: int) -> str:
    return shown(text[at : at + 24].split(maxsplit=1)[0]) if text[at : at + 24].split() else "the end"


def _part_type(
    root: str, path: tuple[str | int, ...], type_: FieldType, declared: Declared, *, at: int, starts: list[int]
) -> FieldType:
    """Give the type of a field with parts; raises ConditionError where there is no such part."""
    if root in GROUPS and root not in declared:
        parts = GROUPS[root]
        part = str(path[1]).lower()
        if part in parts and len(path) == 2:
            if part != path[1]:
                raise complain(f"unknown field {shown(f'{root}.{path[1]}')}", at, f"{root}.{part}")
            return parts[part]
        if part in parts:
            raise complain(
                f"{root}.{part} has no parts, got {shown('.'.join(map(str, path)))}", starts[1] - 1, f"{root}.{part}"
            )
        close = _PARTS_ZH.get(part, nearest(part[:64], parts))
        if close not in parts and len(path) == 2 and (part in FIELDS or part == "id"):
            raise complain(f"unknown field {shown('.'.join(map(str, path)))}", at, root if part == "id" else part)
        close = close if close in parts else None
        cure = f"{root}.{close}" if close else f"one of {', '.join(f'{root}.{each}' for each in parts)}"
        raise complain(f"unknown field {shown('.'.join(map(str, path)))}", at, cure)
    if type_ in ("any", "group"):
        return "any"
    raise complain(f"{root} has no parts, got {shown('.'.join(map(str, path)))}", starts[0] - 1, root)


def _unknown(folded: str, at: int, declared: Declared) -> Exception:
    """Give the error for a name that is none, with the nearest over all names in both languages."""
    word = NAME.match(folded, at)
    if word is None:
        return complain(f"expected a field such as tool, got {_rest(folded, at)}", at)
    dotted = re.compile(r"[^\W\d]\w*(?:\.\w+)*").match(folded, at)
    name = dotted[0] if dotted else word[0]
    return complain(f"unknown field {shown(name)}", at, _closest(name[:64], declared))


ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "message": "text", "prompt": "text", "query": "text", "input": "text", "tool_name": "tool", "toolname": "tool",
        "username": "user", "user_id": "user", "userid": "user", "file": "path", "filename": "path", "file_path": "path",
        "filepath": "path", "消息": "文本", "内容": "文本", "动作": "操作", "文件": "路径", "错误数": "session.errors",
    }
)  # fmt: skip
"""What people call a field, to its name."""
_GROUPS_BY_ALIAS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "参数": "args", "arg": "args", "arguments": "args", "param": "args", "params": "args", "parameters": "args",
        "上下文": "context", "ctx": "context",
    }
)  # fmt: skip
_PARTS_ZH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "错误": "errors", "错误数": "errors", "错误次数": "errors", "连续错误": "consecutive_errors", "任务": "tasks",
        "任务数": "tasks", "分钟": "minutes", "时长": "minutes", "工具": "tools", "意图": "intents", "类型": "type",
        "消息": "message", "签名": "signature",
    }
)  # fmt: skip
_NEAR: Final = 0.75
"""How alike a name must be to a known one to be taken for it; below that it is some argument's."""


_FUNCTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("len", "length", "size", "strlen"), "there are no functions: text matches /^.{100,}$/s is a length"
        ),
        **dict.fromkeys(
            ("lower", "upper", "lowercase", "uppercase"), "there are no functions: contains and like ignore case"
        ),
    }
)
_NO_ARGUMENTS: Final = frozenset(
    {
        "trim", "previously", "always", "never", "if", "when", "it", "on", "is",
        "the", "has", "from", "before", "after", "unless", "then", "today", "now", "如果", "当", "每天",
    }
)  # fmt: skip
"""Words at the beginning of a condition that name nothing."""


def _may_be_argument(name: str) -> bool:
    """Say whether an unknown name may be that of an argument."""
    if name.lower() in _NO_ARGUMENTS:
        return False
    if name.isascii():
        return len(name) <= _LONGEST_ARGUMENT
    return len(name) <= _LONGEST_ARGUMENT_ZH and not any(operator in name for operator in _OPERATORS_ZH)


def closest(name: str, names: list[str]) -> str | None:
    """Give the nearest of some names; a short Chinese one also where its first character is right."""
    if name.isascii() or len(name) > 4:
        return nearest(name, names)
    return nearest(name, names) or next((each for each in names if each[0] == name[:1] and len(each) > 1), None)


def _aliased(name: str) -> str | None:
    """Give what was meant by a name that people often use, or None."""
    known = _FUNCTIONS.get(name.lower()) or ALIASES.get(name.lower())
    root, dot, rest = name.partition(".")
    if known is None and dot and root.lower() in _GROUPS_BY_ALIAS:
        return f"{_GROUPS_BY_ALIAS[root.lower()]}.{rest}"
    return known or next((f"{group}.{name}" for group, parts in GROUPS.items() if name in parts), None)


def _closest(name: str, declared: Declared) -> str | None:
    if known := _aliased(name):
        return known
    names = [
        *FIELDS,
        *FIELD_NAMES_ZH,
        *declared,
        *(f"{group}.{part}" for group, parts in GROUPS.items() for part in parts),
    ]
    names += [
        spelling for spelling, key in KEYWORDS if key.terminal in ("TIME", "WEEKDAY", "WEEK", "DATE", "MONTH", "DAY")
    ]
    for operator in _OPERATORS_ZH:
        stem, found, _ = name.partition(operator)
        if found and stem in names:
            return stem
    if name.lower() in ("count", "no"):
        return {"count": "count of", "no": "no earlier"}[name.lower()]
    if kind := next((key.meaning for spelling, key in KEYWORDS if key.terminal == "KIND" and spelling == name), None):
        return str(kind) if kind in names else f"earlier {kind}"
    root, dot, rest = name.partition(".")
    close = closest(name, names) or closest(root, names)
    far = close is None or (
        name.isascii() and not dot and SequenceMatcher(None, name.casefold(), close.casefold()).ratio() < _NEAR
    )
    if far and not dot and _may_be_argument(name):
        return f"args.{name}"
    if close is None:
        return None
    parents = ("args", "context", *(each for each, type_ in declared.items() if type_ in ("any", "group")))
    return f"{close}.{rest}" if dot and close in parents else close


def glued_operator(spelled: str) -> str | None:
    """Give a free field with the space it lacks before a Chinese operator: `context.客户为` → `context.客户 为`."""
    parent, _, segment = spelled.rpartition(".")
    for operator in _OPERATORS_ZH:
        place = segment.find(operator)
        if place > 0:
            return f"{parent}.{segment[:place]} {segment[place:]}"
    return None


def write_field(field: Field, language: Language) -> str:
    """Give a field as canonical text."""
    root = str(field.path[0])
    written = (_NAMES_ZH_BY_FIELD.get(root) or root) if language == "zh" else root
    return written + "".join(_written(field.path))


def _written(path: tuple[str | int, ...]) -> Iterator[str]:
    for segment in path[1:]:
        if isinstance(segment, int) or (
            _SEGMENT.fullmatch(segment) and not _INDEX.fullmatch(segment) and _survives(segment)
        ):
            yield f".{segment}"
        else:
            yield f".{quote(segment)}"


def _survives(segment: str) -> bool:
    return segment.isprintable() and fold(segment) == segment
