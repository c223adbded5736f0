"""What can be wrong: faults are values (a file is bad, the rest goes on), errors are exceptions (a call is bad)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


class CasebookError(Exception):
    """The base of every exception that Casebook raises on purpose."""


class ConditionError(CasebookError):
    """A trigger condition that is not of the language.

    Attributes:
        message: what was expected and what was found.
        column: where, in characters from 1, within the condition's text; None for the JSON form.
        suggestion: how to write it, or the nearest right name; None where there is none.
    """

    def __init__(self, message: str, *, column: int | None = None, suggestion: str | None = None) -> None:
        self.message = message
        self.column = column
        self.suggestion = suggestion
        super().__init__(message + (f" ({suggestion})" if suggestion else ""))


class TaskError(CasebookError):
    """A task that is not of the form of DESIGN section 5."""


class PolicyError(CasebookError):
    """A `memory-policy.yaml` that cannot be served."""


class StoreError(CasebookError):
    """A casebook that cannot be opened, read or written."""


class ClosedError(CasebookError):
    """A casebook that was closed is asked again."""

    def __init__(self) -> None:
        super().__init__("this casebook was closed; open it again")


class NotFoundError(CasebookError):
    """Nothing of that id is here (or nothing that this task may see)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a casebook, as a value.

    Attributes:
        path: the file, as a person would name it; empty where it is not about a file.
        message: what was expected and what was found.
        line: from 1, or None where the whole file is meant.
        column: in characters from 1, or None.
        case: the id of the case, where it could be read.
        field: such as `trigger_conditions[1]`, or None.
        suggestion: the cure or the nearest right name, or None.
        severity: `error` (the case or file does not serve) or `warning` (it serves).
        layer: the name of the layer whose file it is; empty for a single casebook.
    """

    path: str
    message: str
    line: int | None = None
    column: int | None = None
    case: str | None = None
    field: str | None = None
    suggestion: str | None = None
    severity: Severity = "error"
    layer: str = ""

    @property
    def where(self) -> str:
        """Give the place, such as `cases.json:14:9 case_007 trigger_conditions[1]`; with its layer, `[user] cases.json:14`."""
        place = f"[{self.layer}] {self.path}" if self.layer else self.path
        if self.line is not None:
            place += f":{self.line}" + (f":{self.column}" if self.column is not None else "")
        return _one_line(" ".join(part for part in (place, self.case, self.field) if part))

    def __str__(self) -> str:
        """Give the one line that a person reads, its place first."""
        cure = f" ({self.suggestion})" if self.suggestion else ""
        mark = "warning: " if self.severity == "warning" else ""
        place = f"{self.where}: " if self.where else ""
        return _one_line(f"{place}{mark}{self.message}{cure}")


_BREAK = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _one_line(told: str) -> str:
    """Give a text in which nothing that a file, a field or an id is called begins a line of its own."""
    return _BREAK.sub(lambda sign: ascii(sign[0])[1:-1], told)


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Give the one of `names` that `name` most likely meant, or None where none is near."""
    by_fold = {each.casefold(): each for each in names}
    found = difflib.get_close_matches(name.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else None
