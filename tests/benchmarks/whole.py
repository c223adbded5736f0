"""The figures beyond matching: the whole answer, memory, 100,000 cases within bounds, loading, edits."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from casebook.clock import fixed_clock
from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.runtime import Runtime
from casebook.stores.folder import FolderStore
from tests.benchmarks import casebooks, child, edits
from tests.benchmarks.corpus import NOW, Corpus
from tests.benchmarks.table import Row, at_most

BOUND_MB = 1_500
"""What 100,000 cases may take in memory, in all."""
FLAT_MB = 8
"""What a process may grow by and still count as flat."""


def whole_answer(root: Path, corpus: Corpus, rounds: int) -> Mapping[str, float]:
    """Give the median microseconds of `before_task` in full and of the match alone, on the same tasks.

    They take turns by rounds of all tasks: a match right after an answer to the same task would find every rule in the cache.
    """
    whole: list[list[float]] = []
    alone: list[list[float]] = []
    clock = time.perf_counter
    with Runtime.open(root, clock=fixed_clock(NOW), policy=_without_recall(root)) as runtime:
        policy = runtime.policy()
        facts = [extract(task, policy, NOW) for task in corpus.tasks]
        for each in corpus.tasks:
            runtime.before_task(each)
        gc.collect()
        for _ in range(rounds):
            whole.append([])
            alone.append([])
            for task in corpus.tasks:
                started = clock()
                runtime.before_task(task)
                whole[-1].append(clock() - started)
            runtime.flush()
            for ready in facts:
                started = clock()
                runtime._answering.matcher.match(ready)
                alone[-1].append(clock() - started)
    return {
        "before_task_us": min(map(statistics.median, whole)) * 1e6,
        "match_us": min(map(statistics.median, alone)) * 1e6,
    }


def _without_recall(root: Path) -> Policy:
    """Give the casebook's policy without related memories: DESIGN section 12 counts recall apart (`tests.benchmarks.recall`)."""
    policy = FolderStore(root, clock=fixed_clock(NOW)).snapshot().policy
    return policy.model_copy(update={"limits": policy.limits.model_copy(update={"max_related": 0})})


def whole_answer_row(size: int, took: Mapping[str, float]) -> Row:
    """Give the row of `before_task` over match alone."""
    ratio = took["before_task_us"] / took["match_us"]
    shown = f" ({took['before_task_us']:.0f} µs; match {took['match_us']:.0f} µs)"
    return at_most(f"before_task in full over match alone, {size:,} cases", "×", 3, ratio, shown)


def loading(root: Path, repeats: int) -> dict[str, Any]:
    """Measure loading and memory in fresh processes: without a cache, from the cache, and with the reference engine."""
    cold, warm = [], []
    for _ in range(repeats):
        (root / ".casebook" / "compiled.cache").unlink(missing_ok=True)
        cold.append(child.run(root, "durable_rules"))
        warm.append(child.run(root, "durable_rules"))
    fastest = {"cold": min(cold, key=_first_answer), "warm": min(warm, key=_first_answer)}
    return {**fastest, "reference": child.run(root, "reference")}


def _first_answer(measured: Mapping[str, Any]) -> float:
    return float(measured["first_answer_s"])


def loading_rows(size: int, took: Mapping[str, Any]) -> list[Row]:
    """Give the rows of memory and loading."""
    cases = f"{size:,} cases"
    reference = took["reference"]["rss_mb"]
    more = f", interpreter and all (reference engine {reference:.0f} MB)"
    spent = {name: f" ({took[name]['first_answer_cpu_s']:.2f} s of processor time)" for name in ("cold", "warm")}
    load = f"load and compile {cases}, first answer"
    return [
        at_most(f"memory, {cases}, all tasks asked", "MB", 400, took["warm"]["rss_mb"], more),
        at_most(f"{load}: cold", "s", 2, took["cold"]["first_answer_s"], spent["cold"]),
        at_most(f"{load}: from the cache", "s", 0.5, took["warm"]["first_answer_s"], spent["warm"]),
    ]


def bounded_rows(size: int, took: Mapping[str, Any]) -> list[Row]:
    """Give the rows of many cases within a bound of memory."""
    memory, figures = took["peak_mb"], took["figures"]
    more = f", peak {memory:.0f} MB, {figures['resident_rules']:,} rules resident, {figures['rulesets_evicted']:,} evictions"
    row = at_most(f"match, {size:,} cases within {BOUND_MB:,} MB, p50", "ms", 2, took["warm_us"] / 1000, more)
    return [Row(row.what, row.wanted, row.got, row.reached and memory <= BOUND_MB)]


def edit_rows(size: int, visible_ms: float, edited: int, growth_mb: float) -> list[Row]:
    """Give the rows of edits."""
    return [
        at_most(f"one case edited among {size:,} in one file: seen by the next task", "ms", 20, visible_ms),
        at_most(f"memory over {edited:,} edits: growth", "MB", FLAT_MB, growth_mb),
    ]


def measure(
    root: Path, corpus: Corpus, *, rounds: int, file_edits: int, running_edits: int
) -> tuple[list[Row], dict[str, Any]]:
    """Measure all of it but the bounded memory at one size, in a new folder; give the rows and the raw figures."""
    size = len(corpus.forms)
    casebooks.write(root, corpus)
    loaded = loading(root, rounds)
    answered = whole_answer(root, corpus, rounds)
    visible_ms = edits.visible(root, "durable_rules", file_edits)
    growth_mb = edits.growth(corpus, "durable_rules", running_edits)
    rows = [
        *loading_rows(size, loaded),
        whole_answer_row(size, answered),
        *edit_rows(size, visible_ms, running_edits, growth_mb),
    ]
    raw = {"loading": loaded, "before_task": answered, "edit_visible_ms": visible_ms, "edit_growth_mb": growth_mb}
    return rows, raw


def bounded(root: Path, corpus: Corpus) -> tuple[list[Row], dict[str, Any]]:
    """Measure a large casebook within bounded memory; give the rows and the raw figures."""
    casebooks.write(root, corpus)
    took = child.run(root, "durable_rules")
    return bounded_rows(len(corpus.forms), took), took
