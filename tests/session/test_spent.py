"""What holds advice back: both sides of every bound."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.runtime.session.live import LiveSession
from casebook.runtime.session.spent import in_holdout, spent_of
from tests.answer.made import loaded

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


class Counted:
    def __init__(self, count: int) -> None:
        self.count = count

    def injections(self, case_id: str) -> int:
        return self.count


def live(**fired: datetime) -> LiveSession:
    session = LiveSession("s", None)
    for name, at in fired.items():
        session.say(name, at, kept=False, signature=None)
    return session


def said_of(
    case: Any, session: LiveSession | None, at: datetime = NOW, count: int = 0, *, holdout: bool = False
) -> str | None:
    spent = spent_of(session, Counted(count), at, holdout=holdout)
    return spent(case)


@pytest.mark.parametrize(
    ("ago", "held"),
    [
        (timedelta(0), True),
        (timedelta(minutes=30) - timedelta(microseconds=1), True),
        (timedelta(minutes=30), False),
        (timedelta(minutes=30, microseconds=1), False),
        (-(timedelta(minutes=30) - timedelta(microseconds=1)), True),
        (-timedelta(minutes=30), False),
    ],
)
def test_a_cooldown_is_at_least_so_long(ago: timedelta, held: bool) -> None:
    reason = said_of(loaded("c", cooldown="30m"), live(c=NOW - ago))
    assert (reason is not None) is held
    if held:
        assert reason == f"cooldown:{(NOW - ago + timedelta(minutes=30)).isoformat()}"


@pytest.mark.parametrize(("count", "reason"), [(2, None), (3, "budget:3"), (4, "budget:3")])
def test_a_budget_is_over_all_sessions(count: int, reason: str | None) -> None:
    assert said_of(loaded("c", max_fires=3), live(), count=count) == reason
    assert said_of(loaded("c", max_fires=3), None, count=count) == reason


def test_a_cooldown_does_not_hold_in_another_session_or_without_one() -> None:
    assert said_of(loaded("c", cooldown="30m"), live()) is None
    assert said_of(loaded("c", cooldown="30m"), None) is None


def test_a_cooldown_goes_on_from_the_last_answer_where_the_clock_has_gone_back() -> None:
    session = live(c=NOW + timedelta(days=900))
    assert said_of(loaded("c", cooldown="30m"), session) is None
    session.say("c", NOW, kept=False, signature=None)
    assert said_of(loaded("c", cooldown="30m"), session, NOW + timedelta(minutes=29)) is not None
    assert said_of(loaded("c", cooldown="30m"), session, NOW + timedelta(minutes=30)) is None


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_a_cooldown_holds_at_the_first_and_the_last_instant(at: datetime) -> None:
    reason = said_of(loaded("c", cooldown="30m"), live(c=at), at)
    assert reason is not None
    assert reason.startswith("cooldown:")


def test_what_stands_in_the_transcript_is_not_said_again_until_it_is_compacted_or_the_error_recurs() -> None:
    from casebook.runtime.journal.records import EventRecord

    def error(number: int, signature: str) -> EventRecord:
        return EventRecord(f"e{number}", NOW, "tool", "s", tool="shell", ok=False, signature=signature)

    session = LiveSession("s", None)
    session.say("c", NOW, kept=True, signature="sig")
    assert said_of(loaded("c"), session) == "said"
    session.absorb(error(1, "other"))
    assert said_of(loaded("c"), session) == "said"
    session.absorb(error(2, "sig"))
    assert said_of(loaded("c"), session) is None
    session.say("c", NOW, kept=True, signature="sig")
    session.absorb(EventRecord("m", NOW, "compacted", "s"))
    assert said_of(loaded("c"), session) is None
    session.say("c", NOW, kept=True, signature=None)
    session.absorb(error(3, "x"), answered=["c"])
    assert said_of(loaded("c"), session) is None
    session.say("c", NOW, kept=False, signature="sig")
    assert said_of(loaded("c"), session) is None


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_holdout_is_a_stable_share_of_sessions(share: float) -> None:
    inside = [name for name in map(str, range(4_000)) if in_holdout(name, share)]
    assert abs(len(inside) / 4_000 - share) < 0.03
    assert inside == [name for name in map(str, range(4_000)) if in_holdout(name, share)]
    assert all(in_holdout(name, 1.0) for name in inside[:50])
    assert not any(in_holdout(name, 0.0) for name in inside)
    assert said_of(loaded("c"), None, holdout=True) == "holdout"
