"""Upkeep of many memories while agents go on asking: how long an ask takes beside it, and how long each job does.

python -m tests.benchmarks.upkeep [--memories 100000] [--cases 100] [--dir DIR]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from casebook.clock import fixed_clock
from casebook.policy import JobName
from casebook.runtime.runtime import Runtime
from casebook.task import Task

NOW = datetime(2026, 3, 20, 3, tzinfo=UTC)
BOUND_MS = 50.0
"""No ask may be held up for longer (issue 4)."""
PAUSE = 0.001
ALONE_SECONDS = 5.0
JOBS: tuple[JobName, ...] = ("expire", "age", "promote", "audit", "reflect", "compact", "archive", "retain", "hygiene")

_WHAT = ["deploy", "release", "report", "review", "branch", "merge", "commit", "token", "cache", "index", "schema", "table", "queue", "worker", "proxy", "gateway", "billing", "refund", "invoice", "cart", "order", "stock", "price", "coupon", "login", "session", "cookie", "header", "ledger", "parser", "linter", "runner", "builder", "bucket", "cluster"]  # fmt: skip
_HOW = ["nightly", "weekly", "first", "later", "twice", "slowly", "carefully", "together", "alone", "locally", "remotely", "again"]  # fmt: skip
_KINDS = ("fact", "preference", "decision", "lesson", "rule", "usage", "project_state", "conclusion")
_FILES = {"L3": "long_term/knowledge", "L2": "medium_term/recent_learnings", "L1": "short_term/session_"}


def folder_of(root: Path, memories: int, cases: int, seed: int = 4) -> None:
    """Make a casebook: 6 in 10 memories in L2, 3 in L3, 1 in L1; some idle, some doubled, some opposed."""
    chance = random.Random(seed)
    (root / "long_term").mkdir(parents=True, exist_ok=True)
    for name in ("medium_term", "short_term"):
        (root / name).mkdir(exist_ok=True)
    forms = [
        {
            "id": f"c-{at}",
            "trigger_conditions": [f'action is "{_WHAT[at % len(_WHAT)]} {at}"'],
            "correction": f"Do {at} otherwise.",
        }
        for at in range(cases)
    ]
    (root / "long_term" / "cases.json").write_text(json.dumps(forms))
    held: dict[str, list[dict[str, Any]]] = {}
    counts: dict[str, int] = {}
    for at in range(memories):
        tier = chance.choices(("L1", "L2", "L3"), (1, 6, 3))[0]
        place = f"{_FILES[tier]}{at % 500}" if tier == "L1" else _FILES[tier]
        counts[place] = counts.get(place, 0) + 1
        part = counts[place] // 5_000
        path = f"{place}-{part + 1}.json" if part else f"{place}.json"
        held.setdefault(path, []).append(_memory(at, tier, chance))
    for path, entries in held.items():
        (root / path).write_text(json.dumps({"format": 1, "memories": entries}, ensure_ascii=False))


def _memory(at: int, tier: str, chance: random.Random) -> dict[str, Any]:
    words = " ".join(chance.sample(_WHAT, 4))
    age = timedelta(hours=chance.uniform(0, 72)) if tier == "L1" else timedelta(days=chance.uniform(0, 45))
    text = f"the {words} of team t{chance.randrange(400)} runs {chance.choice(_HOW)} on host h{at}"
    if at % 1_000 == 1:
        text = f"the {words} of nobody runs {_HOW[0]}"
    return {
        "id": f"m-{at:012x}", "kind": chance.choice(_KINDS), "text": text, "tier": tier,
        "scope": {"project": f"p{at % 20}"}, "created_at": (NOW - age).isoformat(timespec="milliseconds"),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asks:
    """How long asks took, in milliseconds."""

    taken: Sequence[float]

    def __str__(self) -> str:
        ordered = sorted(self.taken)
        p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
        over = sum(each > BOUND_MS for each in ordered)
        return (
            f"{len(ordered):6,} asks  p50 {statistics.median(ordered):7.2f} ms  p99 {p99:7.2f} ms  max {ordered[-1]:8.2f} ms"
            f"  over {BOUND_MS:.0f} ms: {over}"
        )


class Asker(threading.Thread):
    """Asks about one task after another, a millisecond apart, until it is told to stop."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(name="asker")
        self._runtime = runtime
        self._over = threading.Event()
        self.taken: list[float] = []
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            at = 0
            while not self._over.is_set():
                at += 1
                task = Task(
                    tool="shell",
                    args={"command": f"{_WHAT[at % len(_WHAT)]} {at % 100}"},
                    session=f"s{at % 9}",
                    project=f"p{at % 20}",
                )
                began = time.perf_counter()
                self._runtime.before_task(task)
                self.taken.append((time.perf_counter() - began) * 1e3)
                time.sleep(PAUSE)
        except BaseException as error:  # noqa: BLE001 - shown by the main thread
            self.fault = error

    def stop(self) -> Asks:
        self._over.set()
        self.join()
        if self.fault is not None:
            raise self.fault
        return Asks(self.taken)


def beside(runtime: Runtime, work: Callable[[], Any]) -> tuple[Asks, float, Any]:
    """Ask while something is done; give the asks, how many seconds it took, and what it gave."""
    asker = Asker(runtime)
    asker.start()
    began = time.perf_counter()
    try:
        done = work()
    finally:
        asks = asker.stop()
    return asks, time.perf_counter() - began, done


def measured(root: Path) -> bool:
    """Print the asks alone, then beside each job in a thread of the asking process; say whether none was held too long."""
    is_held = False
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        runtime.before_task(Task(tool="shell", args={"command": "deploy 0"}))
        alone, _, _ = beside(runtime, lambda: time.sleep(ALONE_SECONDS))
        print(f"{'alone':9}           {alone}")
        for job in JOBS:
            asks, seconds, (report,) = beside(runtime, partial(runtime.maintain, [job]))
            moved = len(report.done)
            print(f"{job:9} {seconds:7.2f} s {asks}  moves {moved:,}  {dict(report.figures)}")
            for trouble in report.troubles:
                print(f"          {trouble}")
            is_held = is_held or max(asks.taken) > BOUND_MS
    return not is_held


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--dir", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        root = options.dir or Path(made) / "memory"
        began = time.perf_counter()
        folder_of(root, options.memories, options.cases)
        print(f"{options.memories:,} memories, {options.cases:,} cases, made in {time.perf_counter() - began:.1f} s")
        is_fine = measured(root)
    print("no ask was held longer" if is_fine else f"an ask was held longer than {BOUND_MS:.0f} ms")
    return 0 if is_fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
