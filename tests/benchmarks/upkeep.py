"""Upkeep of many memories while agents go on asking: how long an ask takes beside it, and how long each job does.

python -m tests.benchmarks.upkeep [--memories 100000] [--cases 100] [--dir DIR] [--jobs hygiene,…] [--alone 5] [--trace] [--in-host] [--within]

The asking process is one of its own, as a service is (`casebook.uncollected.settled`); with --in-host it is somebody else's, whose
whole heap the garbage collector walks. The jobs run as `Runtime.maintain` runs them: of a large casebook in a process of their own,
whose writes the asking one then reads; with --within in a thread of the asking one.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from casebook.clock import fixed_clock
from casebook.policy import JobName
from casebook.runtime.runtime import Runtime
from casebook.task import Task
from casebook.uncollected import settled

NOW = datetime(2026, 3, 20, 3, tzinfo=UTC)
BOUND_MS = 50.0
"""No ask may be held up for longer (issue 4)."""
ALONE = "alone"
PAUSE = 0.001
ALONE_SECONDS = 5.0
JOBS: tuple[JobName, ...] = ("expire", "age", "promote", "audit", "reflect", "compact", "archive", "retain", "hygiene")

_WHAT = ["deploy", "release", "report", "review", "branch", "merge", "commit", "token", "cache", "index", "schema", "table", "queue", "worker", "proxy", "gateway", "billing", "refund", "invoice", "cart", "order", "stock", "price", "coupon", "login", "session", "cookie", "header", "ledger", "parser", "linter", "runner", "builder", "bucket", "cluster"]  # fmt: skip
_HOW = ["nightly", "weekly", "first", "later", "twice", "slowly", "carefully", "together", "alone", "locally", "remotely", "again"]  # fmt: skip
_KINDS = ("fact", "preference", "decision", "lesson", "rule", "usage", "project_state", "conclusion")
_PROJECTS = 20
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
        "scope": {"project": f"p{at % _PROJECTS}"}, "created_at": (NOW - age).isoformat(timespec="milliseconds"),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asks:
    """How long asks took.

    Attributes:
        taken: by the clock, in milliseconds.
        spent: of the processor by the asking thread alone, in milliseconds, for each.
    """

    taken: Sequence[float]
    spent: Sequence[float]

    @property
    def longest(self) -> float:
        """Give the longest, in milliseconds by the clock."""
        return max(self.taken)

    @property
    def over(self) -> int:
        """Give how many took longer than they may."""
        return sum(each > BOUND_MS for each in self.taken)

    def figures(self) -> Mapping[str, float]:
        """Give how many there were, how many of them too long, and the median and the longest by the clock."""
        return {
            "asks": len(self.taken), "over": self.over, "p50": statistics.median(self.taken), "longest": self.longest
        }  # fmt: skip

    def __str__(self) -> str:
        at = self.taken.index(self.longest)
        return (
            f"{len(self.taken):7,} asks  clock {_shown(self.taken)}  processor {_shown(self.spent)}"
            f"  (of the longest {self.spent[at]:.2f})  over {BOUND_MS:.0f} ms: {self.over}"
        )


def _shown(taken: Sequence[float]) -> str:
    ordered = sorted(taken)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"p50 {statistics.median(ordered):5.2f} p99 {p99:6.2f} max {ordered[-1]:7.2f} ms"


def _task(at: int) -> Task:
    """Give a task: by turns a call of a tool, and a turn of a conversation, beside whose cases related memories are told."""
    session, project = f"s{at % 9}", f"p{at // 2 % _PROJECTS}"
    if at % 2:
        return Task(
            tool="shell", args={"command": f"{_WHAT[at % len(_WHAT)]} {at % 100}"}, session=session, project=project
        )
    words = " ".join(_WHAT[(at * step) % len(_WHAT)] for step in (1, 3, 7, 11))
    return Task(text=f"when does the {words} of team t{at % 400} run?", session=session, project=project)


class Asker(threading.Thread):
    """Asks about one task after another, a millisecond apart, until it is told to stop."""

    def __init__(self, runtime: Runtime, trace: Trace | None = None) -> None:
        super().__init__(name="asker")
        self._runtime = runtime
        self._trace = trace
        self._over = threading.Event()
        self.taken: list[float] = []
        self.spent: list[float] = []
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            at = 0
            while not self._over.is_set():
                at += 1
                task = _task(at)
                if self._trace is not None:
                    self._trace.begin()
                began, spent = time.perf_counter(), time.thread_time()
                self._runtime.before_task(task)
                self.spent.append((time.thread_time() - spent) * 1e3)
                self.taken.append((time.perf_counter() - began) * 1e3)
                if self._trace is not None:
                    self._trace.end()
                time.sleep(PAUSE)
        except BaseException as error:  # noqa: BLE001 - shown by the main thread
            self.fault = error

    def stop(self) -> Asks:
        self._over.set()
        self.join()
        if self.fault is not None:
            raise self.fault
        return Asks(self.taken, self.spent)


class Trace(threading.Thread):
    """Where every thread stood while an ask was waiting for more than `HELD` seconds, and the collections of garbage that took long.

    What holds the interpreter's lock in C is seen just after it let go: its thread then stands at the call. That the sampler came
    late itself says that the lock was held.
    """

    def __init__(self) -> None:
        super().__init__(name="trace", daemon=True)
        self._since: float | None = None
        self._began = 0.0
        self._cost: Counter[str] = Counter()
        self._times: Counter[str] = Counter()
        self.collections: list[tuple[int, float]] = []

    def run(self) -> None:
        while True:
            time.sleep(HELD / 4)
            now = time.perf_counter()
            since = self._since
            if since is not None and now - since > HELD:
                stacks = "\n      ".join(filter(None, map(_stack, sys._current_frames().values())))
                self._times[stacks] += 1
                self._cost[stacks] = max(self._cost[stacks], round((now - since) * 1e3))

    def begin(self) -> None:
        self._since = time.perf_counter()

    def end(self) -> None:
        self._since = None

    def collected(self, phase: str, info: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._began = now
        elif now - self._began > LONG_COLLECTION:
            self.collections.append((info["generation"], (now - self._began) * 1e3))

    @contextmanager
    def on(self) -> Iterator[None]:
        gc.callbacks.append(self.collected)
        try:
            yield
        finally:
            gc.callbacks.remove(self.collected)

    def told(self, most: int = 14) -> Iterator[str]:
        """Give what was seen most often, and begin anew."""
        for stacks, times in self._times.most_common(most):
            yield f"    seen {times} times, at most {self._cost[stacks]} ms into an ask\n      {stacks}"
        self._times.clear()
        self._cost.clear()
        if self.collections:
            longest = sorted(self.collections, key=lambda each: -each[1])[:8]
            yield f"    {len(self.collections)} long collections: " + ", ".join(
                f"{n}: {ms:.0f} ms" for n, ms in longest
            )
            self.collections.clear()


HELD = 0.02
LONG_COLLECTION = 0.005


def _stack(frame: FrameType | None) -> str:
    """Give the innermost frames of a thread, in a line; nothing of one that waits."""
    found: list[str] = []
    while frame is not None and len(found) < 6:
        code = frame.f_code
        found.append(f"{Path(code.co_filename).name}:{frame.f_lineno} {code.co_name}")
        frame = frame.f_back
    is_idle = found[0].startswith(("threading.py", "upkeep.py")) and not any("before_task" in each for each in found)
    return "" if is_idle else " < ".join(found)


def beside(runtime: Runtime, work: Callable[[], Any], trace: Trace | None = None) -> tuple[Asks, float, Any]:
    """Ask while something is done; give the asks, how many seconds it took, and what it gave."""
    asker = Asker(runtime, trace)
    asker.start()
    began = time.perf_counter()
    try:
        done = work()
    finally:
        asks = asker.stop()
    return asks, time.perf_counter() - began, done


def measured(
    root: Path,
    jobs: Sequence[JobName],
    *,
    is_hosted: bool = False,
    apart: bool | None = None,
    trace: Trace | None = None,
    alone_seconds: float = ALONE_SECONDS,
) -> Mapping[str, Asks]:
    """Print the asks alone, then beside each job; give them by the name of the job, those alone as `ALONE`.

    Args:
        root: the casebook's folder, which is changed.
        jobs: what to run, one after another.
        is_hosted: whether the asking process is somebody else's.
        apart: as `Runtime.maintain` says.
        trace: tells what held the asks up.
        alone_seconds: how long is asked with nothing beside.
    """
    beside_jobs: dict[str, Asks] = {}
    with Runtime.open(root, clock=fixed_clock(NOW)) as runtime:
        for at in range(2 * _PROJECTS):
            runtime.before_task(_task(at))
        runtime.recollection.view().settled()
        if not is_hosted:
            settled()
        alone, _, _ = beside(runtime, lambda: time.sleep(alone_seconds))
        beside_jobs[ALONE] = alone
        print(f"{ALONE:9}           {alone}", flush=True)
        for job in jobs:
            asks, seconds, told = beside(runtime, partial(_maintained, runtime, job, apart=apart), trace)
            print(f"{job:9} {seconds:7.2f} s {asks}  {told}", flush=True)
            for each in trace.told() if trace is not None else ():
                print(each, flush=True)
            beside_jobs[job] = asks
    return beside_jobs


def _maintained(runtime: Runtime, job: JobName, *, apart: bool | None) -> str:
    (report,) = runtime.maintain([job], apart=apart)
    told = [f"moves {len(report.done):,}", str(dict(report.figures)), *report.troubles]
    return "  ".join(told)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument(
        "--dir", type=Path, help="where the casebook is made; one that is there is measured as it stands"
    )
    parser.add_argument("--jobs", default=",".join(JOBS), help="names, with commas between")
    parser.add_argument("--alone", type=float, default=ALONE_SECONDS, help="seconds of asks with nothing beside")
    parser.add_argument("--in-host", action="store_true", help="ask in a process that is somebody else's")
    parser.add_argument("--within", action="store_true", help="run the jobs in a thread of the asking process")
    parser.add_argument("--trace", action="store_true", help="tell what held up asks")
    parser.add_argument(
        "--json", type=Path, help="where the figures are written: of the asks alone, and beside each job"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        root = options.dir or Path(made) / "memory"
        if not (root / "long_term").exists():
            began = time.perf_counter()
            folder_of(root, options.memories, options.cases)
            took = time.perf_counter() - began
            print(f"{options.memories:,} memories, {options.cases:,} cases, made in {took:.1f} s", flush=True)
        trace = Trace() if options.trace else None
        if trace is not None:
            trace.start()
        with trace.on() if trace is not None else nullcontext():
            apart = False if options.within else None
            found = measured(
                root,
                options.jobs.split(","),
                is_hosted=options.in_host,
                apart=apart,
                trace=trace,
                alone_seconds=options.alone,
            )
    if options.json is not None:
        options.json.write_text(json.dumps({name: each.figures() for name, each in found.items()}), encoding="utf-8")
    is_fine = all(each.longest <= BOUND_MS for name, each in found.items() if name != ALONE)
    print("no ask was held longer" if is_fine else f"an ask was held longer than {BOUND_MS:.0f} ms")
    return 0 if is_fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
