"""A schedule that is asked at the ends of the calendar answers, and is none the worse for it once the clock is right."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main
from casebook.clock import inside_the_calendar
from casebook.policy import Policy
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.due import due
from tests.upkeep.scheduling import at

ENDS = ("0001-01-01T00:00Z", "0001-01-01T23:59Z", "9999-12-31T00:00Z", "9999-12-31T23:59Z")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("zone", ["America/New_York", "UTC", "Asia/Shanghai"])
def test_a_pass_at_an_end_of_time_is_made_and_the_next_at_the_right_time_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str, zone: str
) -> None:
    (tmp_path / "memory-policy.yaml").write_text(f"format: 1\ntimezone: {zone}\n")
    (tmp_path / "long_term").mkdir()
    (tmp_path / "long_term" / "ticks.json").write_text(
        '[{"id": "t", "on": ["tick"], "trigger_conditions": ["time in 00:00-23:59"], "correction": "Say so."}]'
    )
    for now in (end, "2026-03-27T00:30Z", "2026-03-27T01:00Z"):
        assert main(["--dir", str(tmp_path), "schedule", "--once", "--now", now]) == 0
    assert "expire: nothing to do" in capsys.readouterr().out


def test_what_a_clock_at_the_beginning_of_time_has_written_keeps_no_run_from_being_due() -> None:
    journal = memory_journal(lambda: at("2026-03-27T04:00"))
    policy = Policy(timezone="America/New_York")
    cron = policy.schedule_of("expire")
    body = {"cron": cron, "timezone": policy.timezone}
    first = datetime(1, 1, 1, tzinfo=UTC)
    journal.append([Entry("schedule:expire:x", first, "upkeep", "schedule", "job:expire", body=body)])
    (found,) = due(policy, journal, at("2026-03-27T04:00"), ["expire"])
    assert found.at == at("2026-03-27T04:00")


@pytest.mark.parametrize(
    "said, stands",
    [
        ("2026-03-27T04:00", "2026-03-27T04:00"),
        ("0001-01-01T00:00", "0001-01-04T00:00"),
        ("0001-01-04T00:01", "0001-01-04T00:01"),
    ],
)
def test_a_clock_inside_the_calendar_is_the_clock_but_for_its_ends(said: str, stands: str) -> None:
    assert inside_the_calendar(lambda: at(said))() == at(stands)
