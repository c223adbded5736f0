"""The rows of memories: a question beside a scan in plain Python, and the longest answer beside upkeep."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks import recall
from tests.benchmarks.recall import Taken
from tests.benchmarks.table import Row, at_least, at_most
from tests.benchmarks.upkeep import ALONE, ALONE_SECONDS, BOUND_MS

WORDS = 50
"""Words of the question whose row is told: a message of some sentences."""
RECALL_MS = 2
"""DESIGN section 12."""
TIMES = 15
"""As much faster than a scan as matching has to be (DESIGN section 12)."""
UPKEEP_JOBS = ("expire", "age", "promote", "audit", "reflect", "compact")


def measure(memories: int, upkept: int, questions: int, alone: float) -> tuple[list[Row], dict[str, Any]]:
    """Measure both; give the rows and the raw figures.

    Args:
        memories: so many are recalled.
        upkept: so many are kept up; the whole is `python -m tests.benchmarks.upkeep`.
        questions: of each length.
        alone: seconds of asks with no upkeep beside.
    """
    taken = recall.speed(memories, questions)
    kept = beside_upkeep(upkept, alone=alone)
    raw = {"recall": [asdict(each) for each in taken], "upkeep": kept}
    return [*recall_rows(memories, taken), upkeep_row(upkept, kept)], raw


def recall_rows(memories: int, taken: Sequence[Taken]) -> list[Row]:
    """Give the rows of a question of `WORDS` words."""
    each = next(one for one in taken if one.words == WORDS)
    what = f"recall among {memories:,} memories, {WORDS} words"
    return [
        at_most(f"{what}, p50", "ms", RECALL_MS, each.ours),
        at_least(f"{what}, against a plain scan", TIMES, each.ours * 1e3, each.rival * 1e3, "scan", more=""),
    ]


def upkeep_row(upkept: int, kept: Mapping[str, Mapping[str, float]]) -> Row:
    """Give the row of the longest answer beside a job."""
    beside = {name: figures for name, figures in kept.items() if name != ALONE}
    job = max(beside, key=lambda name: beside[name]["longest"])
    asks, over = (sum(int(each[what]) for each in beside.values()) for what in ("asks", "over"))
    more = f", beside {job}; {asks:,} answers, {over} of them longer than {BOUND_MS:.0f} ms; alone at most {kept[ALONE]['longest']:.0f} ms"
    return at_most(f"upkeep of {upkept:,} memories: the longest answer", "ms", BOUND_MS, beside[job]["longest"], more)


def beside_upkeep(
    upkept: int, jobs: Sequence[str] = UPKEEP_JOBS, *, alone: float = ALONE_SECONDS
) -> Mapping[str, Mapping[str, float]]:
    """Ask while jobs run, in a process of its own; give the figures of the asks alone and beside each."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        command = [
            sys.executable, "-m", "tests.benchmarks.upkeep", "--memories", str(upkept), "--jobs", ",".join(jobs),
            "--alone", str(alone), "--json", str(told),
        ]  # fmt: skip
        done = subprocess.run(
            command, cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True, check=False
        )
        if not told.exists():
            raise RuntimeError(done.stderr)
        found: Mapping[str, Mapping[str, float]] = json.loads(told.read_text(encoding="utf-8"))
    return found
