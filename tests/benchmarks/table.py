"""The rows of DESIGN section 12 that concern matching, memory, loading and edits: what is wanted, what came out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tests.benchmarks.race import AS_WRITTEN, CLIPS, IN_C, OURS, REFERENCE, SCAN, Race


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        what: what was measured, on which engine.
        wanted: the figure to reach, in words.
        got: what came out, in words.
        reached: whether it is reached.
    """

    what: str
    wanted: str
    got: str
    reached: bool


def at_least(what: str, wanted: float, ours: float, rival: float, name: str, *, more: str) -> Row:
    """Give the row of a ratio in microseconds: the rival's over ours, wanted at least so much."""
    ratio = rival / ours
    return Row(what, f"{wanted:g}×", f"{ratio:.1f}× ({ours:.0f} µs; {name} {rival:.0f} µs{more})", ratio >= wanted)


def at_most(what: str, unit: str, wanted: float, got: float, more: str = "") -> Row:
    """Give the row of an amount that is wanted at most so large."""
    shown = f"{got:.0f}" if got >= 100 else f"{got:.2g}" if got < 10 else f"{got:.1f}"
    return Row(what, f"{wanted:g} {unit}", f"{shown} {unit}{more}", got <= wanted)


def matching_rows(race: Race) -> list[Row]:
    """Give the rows of the race at 10,000 cases (at another size where that was not run)."""
    cases, micros = f"{race.size:,} cases", race.micros
    ours = micros[OURS]
    in_c = f"; its C functions driven directly {micros[IN_C]:.0f} µs, {micros[IN_C] / ours:.1f}×"
    sorted_tests = f"; with each case's scarcest test first {micros[SCAN]:.0f} µs, {micros[SCAN] / ours:.1f}×"
    return [
        at_least(f"match, {cases}, against CLIPS (clipspy)", 2, ours, micros[CLIPS], "CLIPS", more=in_c),
        at_least(
            f"match, {cases}, against a scan of plain tuples", 15, ours, micros[AS_WRITTEN], "scan", more=sorted_tests
        ),
        at_most(f"match by the reference engine, {cases}, p50", "ms", 1, micros[REFERENCE] / 1000),
    ]


def markdown(rows: Iterable[Row]) -> str:
    """Print rows as a Markdown table."""
    lines = ["| what | at least | here | reached |", "|---|---|---|---|"]
    lines += [f"| {each.what} | {each.wanted} | {each.got} | {'yes' if each.reached else '**no**'} |" for each in rows]
    return "\n".join(lines)


def races_markdown(races: Sequence[Race]) -> str:
    """Print what each rival took at each size: p50 in microseconds, and in parentheses how many times ours."""
    names = (OURS, REFERENCE, CLIPS, IN_C, AS_WRITTEN, SCAN)
    titles = ("durable_rules", "reference engine", "CLIPS, clipspy", "CLIPS, its C functions", "scan, tests as written",
              "scan, scarcest test first")  # fmt: skip
    lines = [f"| cases | hits a task | {' | '.join(titles)} |", f"|---|---|{'---|' * len(titles)}"]
    for race in races:
        ours = race.micros[OURS]
        cells = [f"{race.micros[name]:,.0f} µs ({_times(race.micros[name] / ours)})" for name in names]
        lines.append(f"| {race.size:,} | {race.hits:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _times(ratio: float) -> str:
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×" if ratio >= 1 else f"{ratio:.2f}×"


def as_json(
    machine: Mapping[str, Any], races: Sequence[Race], rows: Sequence[Row], raw: Mapping[str, Any]
) -> dict[str, Any]:
    """Give everything that was measured as one JSON object."""
    return {
        "machine": dict(machine),
        "races": [asdict(race) for race in races],
        "rows": [asdict(row) for row in rows],
        "raw": dict(raw),
    }
