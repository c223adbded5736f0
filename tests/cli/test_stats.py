"""stats: the figures of a journal, for people and programs; looking changes nothing."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from casebook.outcome import Outcome
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.figures import kind_words
from casebook.runtime.replay.running import SettableClock
from casebook.runtime.runtime import Runtime
from casebook.task import Task
from tests.cli.conftest import Run

DAY = datetime(2026, 3, 1, tzinfo=UTC)
NOW = "2026-03-31T00:00:00Z"


@pytest.fixture
def lived(memory: Path) -> Path:
    """A month: on the first day an error three times, on the 21st twice more, and once a failing grep."""
    clock = SettableClock(DAY)
    with closing(Runtime.open(memory, clock=clock)) as runtime:

        def call(tool: str, error: str | None, **args: str) -> None:
            clock.at += timedelta(minutes=1)
            session = f"s{clock.at:%d%H%M}"
            activation = runtime.before_task(Task(tool=tool, args=args, session=session, user="ann"))
            told = {"tool": tool, "args": args}
            outcome = Outcome.success(**told) if error is None else Outcome.error(None, error, **told)
            runtime.after_task(activation, outcome)

        for at in range(3):
            call("send", f"no such mailbox: u{at}", to=f"u{at}")
        clock.at = DAY + timedelta(days=20)
        for at in range(3, 5):
            call("send", f"no such mailbox: u{at}", to=f"u{at}")
        call("send", None, to="ann@example.com")
        call("bash", "exit code 1", command="grep -n TODO a.py")
    return memory


def test_a_casebook_that_has_lived_nothing(casebook: Run, memory: Path) -> None:
    result = casebook("stats")
    assert result.code == 0
    assert "activations  0" in result.out
    assert result.err == "nothing was journaled here yet: `casebook before-task` and `after-task` do\n"
    assert not (memory / ".casebook" / "journal.db").exists()
    assert json.loads(casebook("stats", "--json").out)["signatures"] == []


def test_the_figures_for_programs(casebook: Run, lived: Path) -> None:
    found = json.loads(casebook("stats", "--json", "--now", NOW).out)
    (kind,), (case,) = found.pop("signatures"), found.pop("cases")
    assert found == {
        "since": None, "activations": 7, "firing": 3, "calls": 7, "errors": 5, "ignored": 1, "transient": 0, "kinds": 1,
        "promotions": 1, "drafts": 0, "waiting": 1, "holdout": 0,
    }  # fmt: skip
    assert (kind["count"], kind["users"], kind["cases"]) == (5, 1, [case["id"]])
    assert kind["template"]
    assert "u0" not in kind["template"]
    assert (case["fired"], case["heeded"], case["ignored"], case["unknown"]) == (3, 0, 3, 0)
    assert (case["error_again"], case["success"], case["verdict"]) == (2, 1, "too few")
    assert case["baseline"] == {"source": "earlier", "success": 0, "again": 3, "other": 0, "dropped": 0}


def test_the_figures_of_the_last_days(casebook: Run, lived: Path) -> None:
    found = json.loads(casebook("stats", "--since", "30d", "--json", "--now", "2026-04-05T00:00:00Z").out)
    assert found["since"] == "2026-03-06T00:00:00+00:00"
    assert (found["activations"], found["errors"], found["promotions"], found["waiting"]) == (4, 2, 0, 1)
    assert found["cases"][0]["fired"] == 3


@pytest.mark.parametrize("now, errors", [("2026-03-02T00:01:00Z", 5), ("2026-03-02T00:01:01Z", 4)])
def test_since_holds_its_first_instant(casebook: Run, lived: Path, now: str, errors: int) -> None:
    assert json.loads(casebook("stats", "--since", "1d", "--json", "--now", now).out)["errors"] == errors


def test_the_figures_for_people(casebook: Run, lived: Path) -> None:
    result = casebook("stats", "--now", NOW)
    assert result.code == 0
    assert "activations  7, 3 of them put a case in front of the agent" in result.out
    assert "errors       5 of 1 kind\n" in result.out
    heads = [line.split() for line in result.out.splitlines() if line.startswith(("errors  users", "case "))]
    assert heads == [
        ["errors", "users", "case", "kind"],
        ["case", "fired", "heeded", "again", "ok", "baseline", "verdict"],
    ]
    assert result.out.splitlines()[-1].endswith("3 of 3 (earlier)  too few")
    assert result.err == "1 case waits for a person: `casebook review`\n"


def test_looking_changes_nothing(casebook: Run, lived: Path) -> None:
    before = {path: path.read_bytes() for path in (lived / "long_term").iterdir()}
    first = casebook("stats", "--json", "--now", NOW)
    assert casebook("stats", "--json", "--now", NOW) == first
    assert {path: path.read_bytes() for path in (lived / "long_term").iterdir()} == before


@pytest.mark.parametrize(
    "since, errors", [("86400", 5), ("86399", 4), ("86399.5", 4), ("24h", 5), ("P1D", 5), ("1", 2)]
)
def test_a_length_is_written_as_in_a_case_and_plain_seconds_are_one(
    casebook: Run, lived: Path, since: str, errors: int
) -> None:
    found = json.loads(casebook("stats", "--since", since, "--json", "--now", "2026-03-02T00:01:00Z").out)
    assert found["errors"] == errors


@pytest.mark.parametrize(
    "told, kind",
    [
        (("--error", "ValueError", "--message", ""), "ValueError"),
        (("--error", "app.errors.Closed", "--message", " "), "Closed"),
        (("--error", "HTTP 402", "--message", "no credit left for 4711"), "HTTP 402: no credit left for ‹number›"),
        (("--error", "", "--message", "no credit"), "no credit"),
    ],
)
def test_every_kind_of_error_is_told_in_words_and_nobody_s_is_of_no_user(
    casebook: Run, memory: Path, told: tuple[str, ...], kind: str
) -> None:
    assert casebook("after-task", *told, "--tool", "pay").code == 0
    head, row = (line.split(maxsplit=3) for line in casebook("stats").out.splitlines()[-2:])
    assert head == ["errors", "users", "case", "kind"]
    assert row == ["1", "-", "-", kind]
    assert json.loads(casebook("stats", "--json").out)["signatures"][0]["template"] == kind


def test_the_words_of_an_error_that_are_gone_leave_its_signature() -> None:
    event = EventRecord(id="e", at=DAY, kind="tool", signature="valueerror: order <*>", body={})
    assert kind_words("valueerror: order <*>", [event]) == "valueerror: order <*>"
    assert kind_words("x", []) == "x"


@pytest.mark.parametrize(
    "length, told",
    [
        ("0", "--since: expected a length above zero"),
        ("-1", "--since: expected"),
        ("soon", "--since: expected seconds, "),
        ("3000000d", "expected a length that ends within"),
    ],
)
def test_a_length_that_is_none(casebook: Run, memory: Path, length: str, told: str) -> None:
    result = casebook("stats", "--since", length)
    assert result.code == 2
    assert told in result.err


@pytest.mark.parametrize("policy, told", [("", True), ("holdout: 0.1\n", False)])
def test_where_there_is_no_baseline_it_is_told_what_gives_one(
    casebook: Run, memory: Path, policy: str, told: bool
) -> None:
    with (memory / "memory-policy.yaml").open("a", encoding="utf-8") as stream:
        stream.write(policy)
    casebook("edit", "case_001", "trigger_conditions=tool is shell")
    for at in range(12):
        asked = json.loads(casebook("before-task", "--tool", "shell", "--session", f"s{at}", "--now", NOW).out)
        casebook("after-task", "--activation", asked["activation"], "--success", "--now", NOW)
    result = casebook("stats", "--now", NOW)
    assert "too few" in result.out
    assert ("`holdout: 0.1` in memory-policy.yaml" in result.err) == told
