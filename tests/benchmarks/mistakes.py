"""Whether mistakes stop: the airline record through the whole loop, beside cases that know the tool alone (DESIGN section 12)."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from casebook import Policy
from casebook.runtime.learning.signature import error_signature
from casebook.runtime.replay.measuring import measured
from casebook.runtime.replay.reading import Call, read_record
from casebook.runtime.replay.running import run
from tests.benchmarks.table import Row

RECORD = Path(__file__).parents[1] / "replay" / "airline.jsonl"
NEEDLESS = 35
"""Clean calls before which conditions on the tool alone warn: what is to be undercut."""
THRESHOLD = 3


def calls() -> tuple[Call, ...]:
    """Give the calls of the record."""
    with RECORD.open("rb") as lines:
        return read_record(lines).calls


def tool_alone(record: Sequence[Call]) -> int:
    """Give the needless firings of cases that are made at the third error, too, and whose one condition is the tool."""
    counts: Counter[str] = Counter()
    tools: dict[str, set[str | None]] = {}
    needless = 0
    for call in record:
        if call.ok:
            needless += any(count >= THRESHOLD and call.tool in tools[kind] for kind, count in counts.items())
        else:
            kind = error_signature(call.error or "")
            counts[kind] += 1
            tools.setdefault(kind, set()).add(call.tool)
    return needless


def measure() -> tuple[list[Row], dict[str, Any]]:
    """Give the rows and the raw figures."""
    record = calls()
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        report = measured(run(record, Path(folder), policy=Policy()))
        took = time.perf_counter() - started
    rival = tool_alone(record)
    promoted = [kind for kind in report.kinds if kind.errors >= THRESHOLD]
    on = f"{report.errors} errors of {report.calls} recorded calls ({took:.1f} s)"
    rows = [
        Row(f"kinds of error, {on}", "7", str(len(report.kinds)), len(report.kinds) == 7),
        Row("cases made, each at the third error of its kind", str(len(promoted)), str(len(report.cases)),
            len(report.cases) == len(promoted) and all(each.occurrence == THRESHOLD for each in report.cases)),
        Row("later errors preceded by their correction", f"{report.repeats}", f"{report.preceded}",
            report.preceded == report.repeats),
        Row(f"needless firings, {report.clean} clean calls", f"under {NEEDLESS}",
            f"{report.needless} (cases that know the tool alone: {rival}, {rival / max(report.needless, 1):.2f}×)",
            report.needless < NEEDLESS),
    ]  # fmt: skip
    raw = {"needless": report.needless, "needless_tool_alone": rival, "replay_s": took}
    return rows, raw
