"""How crons are written: five fields of numbers, names, lists, ranges and steps, and what is wrong with one that is none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from casebook.faults import nearest

Fields = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The values of each field, in order: minutes, hours, days of the month, months, weekdays (0 is Sunday, 6 Saturday)."""

WEEKDAYS = (
    "sun sunday 周日 周天 星期日 星期天 礼拜日 礼拜天", "mon monday 周一 星期一 礼拜一", "tue tues tuesday 周二 星期二 礼拜二",
    "wed wednesday 周三 星期三 礼拜三", "thu thur thurs thursday 周四 星期四 礼拜四", "fri friday 周五 星期五 礼拜五",
    "sat saturday 周六 星期六 礼拜六",
)  # fmt: skip
_MONTHS = (
    "jan january 一月", "feb february 二月", "mar march 三月", "apr april 四月", "may 五月", "jun june 六月", "jul july 七月",
    "aug august 八月", "sep sept september 九月", "oct october 十月", "nov november 十一月", "dec december 十二月",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a cron: what it is called, the least and the greatest value, and names with the values that they mean."""

    name: str
    low: int
    high: int
    names: Mapping[str, int] = field(default_factory=dict)
    called: str = ""

    @property
    def expected(self) -> str:
        return f"{self.low} to {self.high}{self.called}"


def _names(spellings: Sequence[str], first: int) -> Mapping[str, int]:
    return {name: value for value, names in enumerate(spellings, first) for name in names.split()}


_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _names(_MONTHS, 1), " or a name (jan)"),
    _Field("weekday", 0, 7, _names(WEEKDAYS, 0), " (0 and 7 are Sunday) or a name (fri)"),
)
_SHORTHANDS = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}
_ELSEWHERE = {
    "@midnight": "@daily", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@reboot": "`casebook schedule` makes up what was missed"
}  # fmt: skip
LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month in a leap year."""
_TEXT = 1000
"""Characters of a cron (ours): one that names every value of every field has fewer."""


def read_cron(text: str) -> Fields:
    """Read a cron; see `casebook.cron.Cron.parse`. Raises ValueError."""
    if len(text) > _TEXT:
        raise ValueError(f"expected a cron of at most {_TEXT} characters, got {len(text):,}")
    found = [(match.start() + 1, match[0]) for match in re.finditer(r"\S+", text)]
    if found and found[0][1].startswith("@"):
        return read_cron(_shorthand(text.strip()))
    if len(found) != len(_FIELDS):
        cure = " (seconds and years are not written)" if len(found) in (6, 7) else ""
        raise ValueError(
            f"expected five fields (minute, hour, day of the month, month, weekday) such as 0 3 * * 5, "
            f'got {len(found)} in "{text}"{cure}'
        )
    minutes, hours, days, months, weekdays = (
        _values(each, part, column) for each, (column, part) in zip(_FIELDS, found, strict=True)
    )
    read = (minutes, hours, days, months, tuple(sorted({value % 7 for value in weekdays})))
    _refuse_both(read, found)
    _refuse_never(read, found)
    return read


def _shorthand(text: str) -> str:
    name = text.casefold()
    if name in _SHORTHANDS:
        return _SHORTHANDS[name]
    cure = _ELSEWHERE.get(name) or nearest(name, _SHORTHANDS)
    raise ValueError(f'expected one of {", ".join(_SHORTHANDS)}, got "{text}"' + (f" ({cure})" if cure else ""))


def _values(kind: _Field, text: str, column: int) -> tuple[int, ...]:
    """Read one field; raises ValueError."""
    found: set[int] = set()
    at = column
    for part in text.split(","):
        found.update(_part(kind, part, at))
        at += len(part) + 1
    return tuple(sorted(found))


def _part(kind: _Field, part: str, column: int) -> range:
    """Read one part of a list: `*`, a value or a range, with a step."""
    ends, slash, step_text = part.partition("/")
    first, dash, last = ends.partition("-")
    if ends == "*":
        low, high = kind.low, 6 if kind.high == 7 else kind.high
    elif dash:
        low, high = _value(kind, first, column), _value(kind, last, column + len(first) + 1)
        if kind.high == 7 and high == 0 and low > 0:
            high = 7  # Friday to Sunday
        if low > high:
            start = 0 if kind.high == 7 else kind.low
            top = 6 if kind.high == 7 else kind.high
            raise _fault(kind, column, "a range that goes up", part, f"write {_run(low, top)},{_run(start, high)}")
    else:
        low = high = _value(kind, ends, column)
        if slash:
            raise _fault(kind, column, "a step after * or a range", part, f"write {low}-{kind.high}/{step_text or 1}")
    if not slash:
        return range(low, high + 1)
    most = kind.high - kind.low
    step = int(step_text) if re.fullmatch(r"[0-9]{1,4}", step_text) else 0
    if not 1 <= step <= most:
        cure = f"write {low} where one is meant" if step > most else f"such as {ends}/2"
        raise _fault(kind, column + len(ends) + 1, f"a step of 1 to {most}", step_text, cure)
    return range(low, high + 1, step)


def _value(kind: _Field, text: str, column: int) -> int:
    """Read one value, a number or a name."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if re.fullmatch(r"[0-9]{1,4}", plain):
        number = int(plain)
        if kind.low <= number <= kind.high:
            return number
        raise _fault(kind, column, kind.expected, text)
    if plain in kind.names:
        return kind.names[plain]
    cure = nearest(plain, kind.names) if kind.names and plain else None
    if any(mark in plain for mark in "?lw#") and not cure:
        cure = "? L W # are of other crons; * means any"
    told = f"did you mean {cure}?" if cure in kind.names else cure
    raise _fault(kind, column, kind.expected, text, told)


def _fault(kind: _Field, column: int, expected: str, got: str, cure: str | None = None) -> ValueError:
    found = f'"{got}"' if got else "nothing"
    return ValueError(
        f"{kind.name} (column {column}): expected {expected}, got {found}" + (f" ({cure})" if cure else "")
    )


def _refuse_both(read: Fields, found: list[tuple[int, str]]) -> None:
    """Refuse a day of the month and a weekday: some crons take both, some either."""
    if len(read[2]) < 31 and len(read[4]) < 7:
        column, weekday = found[4]
        raise ValueError(
            f"weekday (column {column}): expected * where a day of the month is named too ({found[2][1]}, column "
            f'{found[2][0]}), got "{weekday}" (name one of the two: crons differ on whether both or either must hold)'
        )


def _refuse_never(read: Fields, found: list[tuple[int, str]]) -> None:
    """Refuse dates that no year has."""
    if not any(day <= LONGEST[month - 1] for month in read[3] for day in read[2]):
        column, days = found[2]
        most = max(LONGEST[month - 1] for month in read[3])
        raise ValueError(
            f'day of the month (column {column}): expected 1 to {most} in the month "{found[3][1]}", got "{days}" '
            "(no year has that date)"
        )


def write_cron(fields: Fields) -> str:
    """Give the canonical text of a cron's values; reading it gives them."""
    return " ".join(_written(each, values) for each, values in zip(_FIELDS, fields, strict=True))


def _written(kind: _Field, values: tuple[int, ...]) -> str:
    """Write a field in its shortest form: all, all by a step, else runs."""
    low, high = kind.low, 6 if kind.high == 7 else kind.high
    if len(values) == high - low + 1:
        return "*"
    if len(values) > 2 and values == tuple(range(low, high + 1, values[1] - values[0])):
        return f"*/{values[1] - values[0]}"
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)


def _run(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
