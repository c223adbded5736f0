"""What holds advice back in a session: holdout, budget, cooldown, and what was said already (DESIGN section 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Protocol

from casebook.case import LoadedCase
from casebook.runtime.answer.eligibility import Spent
from casebook.runtime.session.live import LiveSession

_NONE: Mapping[str, datetime] = {}


class Budget(Protocol):
    """Says how often a case was injected in all."""

    def injections(self, case_id: str) -> int:
        """Give the number, what other processes injected included."""
        ...


def in_holdout(session: str, share: float) -> bool:
    """Say whether a session is in the holdout: a stable share of all sessions, the same in every process.

    Args:
        session: its id.
        share: from 0 (none) to 1 (all).
    """
    if share <= 0:
        return False
    place = int.from_bytes(hashlib.sha256(f"holdout:{session}".encode("utf-8", "replace")).digest()[:8])
    return place < share * 2**64


def spent_of(live: LiveSession | None, budget: Budget, at: datetime, *, holdout: bool) -> Spent:
    """Give what says why advice is held back at an instant, or None where nothing does.

    Args:
        live: the task's session, if it names one.
        budget: for `max_fires`.
        at: the task's instant.
        holdout: whether the session is in the holdout.
    """
    said = live.said if live is not None else frozenset()
    fired = live.fired if live is not None else _NONE

    def spent(case: LoadedCase) -> str | None:
        own = case.case
        if holdout:
            return "holdout"
        if own.max_fires is not None and budget.injections(own.id) >= own.max_fires:
            return f"budget:{own.max_fires}"
        if own.cooldown is not None:
            last, length = fired.get(own.id), own.cooldown_length
            if last is not None and length is not None and abs(at - last) < length:  # a clock may go back
                return f"cooldown:{_after(last, length).isoformat()}"
        return "said" if own.id in said else None

    return spent


def _after(at: datetime, length: timedelta) -> datetime:
    """Give the instant a while after another, or the last that there is."""
    try:
        return at + length
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
