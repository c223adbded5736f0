"""Weaknesses that records other than the airline's have shown, each told by a small record of our own."""

from __future__ import annotations

from pathlib import Path

from casebook.runtime.replay.measuring import measured
from casebook.runtime.replay.reading import Call
from casebook.runtime.replay.running import run

UNKNOWN = "customer not found"


def calls_of(told: str, already: int) -> list[Call]:
    """Read calls, each in a session of its own: `m` looks a customer up by mail and `n` by name, in capitals those that fail."""
    tools = {"m": ("find_by_mail", "mail"), "n": ("find_by_name", "name")}
    calls = []
    for line, letter in enumerate(told, already + 1):
        tool, argument = tools[letter.lower()]
        error = UNKNOWN if letter.isupper() else None
        args = {argument: f"customer{line}"}
        calls.append(Call(line=line, tool=tool, args=args, ok=error is None, error=error, session=f"s{line}"))
    return calls


def test_a_case_that_is_widened_to_a_tool_which_seldom_fails_is_not_held_back_for_it(tmp_path: Path) -> None:
    """Half of the calls by mail fail, with the case and without it; of those by name one in fifty."""
    told = f"{'n' * 50}{'mM' * 3}{'mM' * 4}N{'MmMnMmMm'}"
    steps = run(calls_of(told, 0), tmp_path)
    report = measured(steps)
    (kind,) = report.kinds
    (made,) = report.cases
    firings = sum(bool(step.fired) for step in steps)
    assert firings > 10  # so that it was looked at
    assert made.status == "active"
    assert made.case.case.trigger_conditions == ('tool in ["find_by_mail", "find_by_name"]',)
    assert (kind.errors, kind.made_at) == (12, 3)
    assert (kind.repeats, kind.preceded) == (9, 8)  # what has never failed with this tool cannot be known before
