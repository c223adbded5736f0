"""Errors that came again in calls that were made elsewhere: counted, judged and proposed as the detector does it, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.policy import Policy
from casebook.runtime.learning.backtest import NEWEST_CALLS
from casebook.runtime.teaching.found import Gathering, Told

DAY = datetime(2026, 11, 20, tzinfo=UTC)


def told(number: int, tool: str, args: Mapping[str, Any], error: str | None = None, **more: Any) -> Told:
    of: dict[str, Any] = {"session": "s1", "user": "ann", "turn": f"t{number}", **more}
    return Told(f"f.jsonl:{number}", "codex", tool, DAY + timedelta(minutes=number), args, error, **of)


def gathered(*calls: Told, **policy: Any) -> Gathering:
    gathering = Gathering(Policy(**policy))
    for each in calls:
        gathering.take(each)
    return gathering


def test_a_recovery_in_the_same_session_is_told_as_the_correction() -> None:
    calls = []
    for n in range(0, 6, 2):
        calls += [
            told(
                n,
                "reserve",
                {"item": 8100 + n},
                f"item {8100 + n} is in no default warehouse",
                session=f"s{n}",
                turn=f"t{n}",
            ),
            told(n + 1, "reserve", {"item": 8100 + n, "warehouse": "north"}, session=f"s{n}", turn=f"t{n}"),
        ]
    (found,) = gathered(*calls).found(DAY)
    assert (found.case.correction_by, "warehouse" in found.case.correction) == ("mined", True)


def test_what_succeeded_narrows_the_draft() -> None:
    clean = [told(n, "transfer", {"currency": ("EUR", "USD")[n % 2], "amount": n}) for n in range(12)]
    failed = [
        told(20 + n, "transfer", {"currency": "JPY", "amount": n}, f"no account for payment {n}") for n in range(3)
    ]
    (found,) = gathered(*clean, *failed).found(DAY)
    assert found.case.trigger_conditions == ('tool is "transfer"', 'args.currency is "JPY"')
    assert found.figures.to_json() == {"matching": 3, "failing": 3, "clean": 0}


@pytest.mark.parametrize(
    ("turns", "sessions", "policy", "count"),
    [
        ("abc", "xxx", {}, 1), ("aaa", "xxx", {}, 0), ("aab", "xxx", {}, 0), ("abc", "xxx", {"detector": {"threshold": 4}}, 0),
        ("abc", "xxx", {"detector": {"distinct": "session"}}, 0), ("abc", "xyz", {"detector": {"distinct": "session"}}, 1),
    ],
)  # fmt: skip
def test_it_is_counted_as_the_policy_says(turns: str, sessions: str, policy: dict[str, Any], count: int) -> None:
    calls = [
        told(n, "lookup", {"id": n}, "nothing is there", turn=turn, session=session)
        for n, (turn, session) in enumerate(zip(turns, sessions, strict=True))
    ]
    assert len(gathered(*calls, **policy).found(DAY)) == count


def test_it_is_for_whom_its_occurrences_share() -> None:
    calls = [told(n, "lookup", {"id": n}, "nothing is there", project="shop" if n else "site") for n in range(3)]
    (found,) = gathered(*calls).found(DAY)
    assert found.case.scope.named == {"user": "ann"}


def test_of_a_tool_and_of_an_error_the_newest_are_kept_and_an_argument_is_cut() -> None:
    calls = [told(n, "write", {"text": "x" * 100_000, "many": list(range(9_000))}) for n in range(NEWEST_CALLS + 50)]
    gathering = gathered(*calls)
    (kept,) = gathering._tools.values()
    assert (len(kept), kept[0][0], gathering.calls) == (NEWEST_CALLS, 51, NEWEST_CALLS + 50)
    assert kept[0][1].args == {"text": "x" * 2_000}


def test_a_secret_of_a_transcript_comes_into_no_draft() -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    calls = [
        told(n, "Bash", {"command": f"curl -H 'Authorization: {token}' x{n}"}, f"401 for token {token}")
        for n in range(3)
    ]
    (found,) = gathered(*calls).found(DAY)
    assert token not in str(found.case.to_json())
