"""What `after_task` answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an outcome. It is on disk.

    Attributes:
        id: of the event.
        new: False where the same report was there already: nothing was counted.
        tier: where it went: an error seen often enough L3 (a case), a user's feedback L2, the rest L1 (DESIGN section 6).
        signature: of an error, else None.
        occurrences: how often that error was counted, this one included; 0 where it is none that counts.
        case: the id of the case that answers the error, or None.
        made: whether this outcome made the case.
        changed: whether this outcome changed a case that was there: it fires on more, or says what works.
        draft: whether the case is a draft, which does not fire until a person approves it.
        ask: words for the agent: a request to report what works; else empty.
        warnings: what went wrong on the way, a sentence each.
    """

    id: str
    new: bool
    tier: Literal["L1", "L2", "L3"]
    signature: str | None = None
    occurrences: int = 0
    case: str | None = None
    made: bool = False
    draft: bool = False
    changed: bool = False
    ask: str = ""
    warnings: tuple[str, ...] = ()

    def warned(self, *warnings: str) -> Receipt:
        """Give it with more warnings."""
        return replace(self, warnings=(*self.warnings, *warnings)) if warnings else self

    def to_json(self) -> dict[str, Any]:
        """Give it as `casebook after-task` prints it."""
        return {
            "id": self.id,
            "new": self.new,
            "tier": self.tier,
            "signature": self.signature,
            "occurrences": self.occurrences,
            "case": self.case,
            "made": self.made,
            "draft": self.draft,
            "changed": self.changed,
            "ask": self.ask,
            "warnings": list(self.warnings),
        }
