"""What is measured in a process of its own, started by `run`: memory and loading. Prints one JSON object."""

from __future__ import annotations

import json
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from casebook.clock import fixed_clock
from casebook.conditions.facts import Facts
from casebook.runtime.facts.extract import extract
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.runtime import Runtime
from casebook.stores.folder import FolderStore
from tests.benchmarks.corpus import NOW
from tests.benchmarks.memory import peak_mb, resident_mb

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, engine: str, resident_rules: int = 0) -> dict[str, Any]:
    """Measure a casebook folder in a fresh process; 0 resident rules means the default."""
    command = [sys.executable, "-m", "tests.benchmarks.child", str(folder), engine, str(resident_rules)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    return cast("dict[str, Any]", json.loads(done.stdout))


def main(folder: Path, engine: EngineChoice, resident_rules: int) -> dict[str, Any]:
    """Open the folder, load and compile, ask all tasks until warm; say how long it took and what it takes."""
    tasks = pickle.loads((folder / "tasks.pickle").read_bytes())
    before = resident_mb()
    started, spent = time.perf_counter(), time.process_time()
    store = FolderStore(folder, clock=fixed_clock(NOW))
    given = {"resident_rules": resident_rules} if resident_rules else {}
    runtime = Runtime(store, matcher(engine, **given), fixed_clock(NOW))
    served = runtime.snapshot()
    ready = time.perf_counter()
    runtime.match(tasks[0])
    answered, spent = time.perf_counter(), time.process_time() - spent
    facts = [extract(task, served.policy, NOW) for task in tasks]
    engine_alone = runtime._answering.matcher
    first, *rounds = [[_seconds(engine_alone.match, each) for each in facts] for _ in range(4)]
    result = {
        "cases": len(served.cases),
        "faults": len(served.faults),
        "load_s": ready - started,
        "first_answer_s": answered - started,
        "first_answer_cpu_s": spent,
        "rss_before_mb": before,
        "rss_mb": resident_mb(),
        "peak_mb": peak_mb(),
        "first_round_us": statistics.median(first) * 1e6,
        "warm_us": min(statistics.median(each) for each in rounds) * 1e6,
        "figures": dict(runtime.figures()),
    }
    runtime.close()
    return result


def _seconds(work: Callable[[Facts], object], facts: Facts) -> float:
    started = time.perf_counter()
    work(facts)
    return time.perf_counter() - started


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), cast("EngineChoice", sys.argv[2]), int(sys.argv[3]))))
