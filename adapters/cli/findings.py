"""What `doctor` finds to do: each with what it is about, and at the end one line that says whether all is well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from casebook.adapters.cli import output


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to do.

    Attributes:
        about: a host, a framework, `casebook`, `service`.
        text: what is wrong, with its cure.
        is_fault: whether something does not work; else it deserves a look.
    """

    about: str
    text: str
    is_fault: bool = False

    def __str__(self) -> str:
        """Give it as a line."""
        return f"{'error' if self.is_fault else 'warning'}: {self.text}"

    def to_json(self) -> dict[str, Any]:
        """Give it for programs, with the severity that faults of files have."""
        return {"severity": "error" if self.is_fault else "warning", "about": self.about, "message": self.text}


def tell(findings: Sequence[Finding]) -> None:
    """Print what there is to do, what does not work last, and how much it is."""
    ordered = sorted(findings, key=lambda each: each.is_fault)
    output.several(ordered, "--json tells all")
    if not ordered:
        output.words("all well")
        return
    about = output.named(list(dict.fromkeys(each.about for each in reversed(ordered))))
    output.words(output.flat(f"{output.counted(len(ordered), 'thing')} to do: {about}"))


def code_of(findings: Sequence[Finding], *, strict: bool) -> int:
    """Give the exit code: 1 where something does not work, and where strict where there is anything to do."""
    return int(any(strict or each.is_fault for each in findings))
