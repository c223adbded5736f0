"""Tombstones: what a person has rejected makes no new case for a while, and then one that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from casebook.duration import duration
from casebook.policy import Detector as Rules
from casebook.policy import Policy
from casebook.runtime.journal.records import Entry

_NOTES = {
    "en": "A case of this error was rejected on {day}; it has happened again since.",
    "zh": "关于此错误的条目曾于 {day} 被驳回，此后错误再次出现。",
}


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A rejection that stands.

    Attributes:
        at: when it was rejected; only occurrences after it count from then on.
        until: from this instant on the signature may make a draft.
    """

    at: datetime
    until: datetime

    def note(self, policy: Policy) -> str:
        """Give the sentence that the draft says of it, in the policy's language and zone."""
        try:
            day = self.at.astimezone(ZoneInfo(policy.timezone)).date().isoformat()
        except OverflowError:  # in the first or last hours of the years that datetime knows
            day = self.at.date().isoformat()
        return _NOTES[policy.language].format(day=day)


def tombstone_of(log: Sequence[Entry], rules: Rules) -> Tombstone | None:
    """Give the tombstone of a signature: its last rejection that nobody took back; None where there is none.

    Args:
        log: the entries of the signature, in order. A rejected proposal bears no signature, so it is not among them.
        rules: for the time that a tombstone stands (`detector.tombstone`, 90 days).
    """
    undone = {str(each.body.get("entry")) for each in log if each.action == "undo"}
    rejected = [each for each in log if each.action == "reject" and each.id not in undone]
    if not rejected:
        return None
    at = rejected[-1].at
    try:
        return Tombstone(at, at + duration(rules.tombstone))
    except OverflowError:
        return Tombstone(at, datetime.max.replace(tzinfo=UTC))
