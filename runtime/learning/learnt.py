"""What the detector made of one event."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of an event; all defaults mean: nothing.

    Attributes:
        signature: of the error, or of the one that a correction or a success is about; None where there is none.
        occurrences: how often the detector counts it, in the group that the event belongs to (its user, or everyone).
        case_id: the case that answers it and that this user may know of, also one that was there before the error; or None.
        made: this event made the case.
        draft: the case waits for a person: it does not serve yet.
        ask: this event made the case, and nobody has said what works: the agent is to be asked.
        widened: the case was changed by this event: it fires on more, it is everyone's, lives again, or says what works.
        trouble: what could not be written, in words; it is made up for later. "" where all went well.
    """

    signature: str | None = None
    occurrences: int = 0
    case_id: str | None = None
    made: bool = False
    draft: bool = False
    ask: bool = False
    widened: bool = False
    trouble: str = ""


NOTHING = Learnt()
