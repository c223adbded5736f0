"""`python -m tests.docs.engine_figures`: what a ruleset costs in memory, to make and to ask, on the benchmark's cases."""

from __future__ import annotations

import statistics
import sys
import time

from casebook.runtime.matching.engines import load_engine
from casebook.runtime.matching.production import Production
from casebook.runtime.matching.rulebase import RuleBase
from casebook.runtime.matching.ruleset import Ruleset
from tests.benchmarks.corpus import corpus, loaded
from tests.benchmarks.memory import resident_mb

SIZES = ((1, 300), (12, 150), (48, 150))
"""Rules in a ruleset, and how many such rulesets are made."""
ASKED = 3_000


def productions() -> list[Production]:
    """Give the productions of 4,000 generated cases."""
    base = RuleBase()
    base.update(loaded(corpus(4_000, 200).forms))
    return [each for name in base._cases if (each := base.production_of(name)) is not None]


def median_micros(ruleset: Ruleset, members: str) -> tuple[float, int]:
    """Give the median of asking a ruleset, in microseconds, and how many rules fired."""
    spent = []
    fired: list[str] = []
    for _ in range(ASKED):
        started = time.perf_counter()
        fired = ruleset.ask(members)
        spent.append(time.perf_counter() - started)
    return statistics.median(spent) * 1e6, len(fired)


def main() -> int:
    """Print one line for each size, then what asking costs."""
    engine, reason = load_engine()
    if engine is None:
        sys.stderr.write(f"durable_rules cannot be imported: {reason}\n")
        return 1
    pool = list(dict.fromkeys(productions()))
    ruleset = Ruleset(engine, "first", pool[:48])
    for size, number in SIZES:
        before, started = resident_mb(), time.perf_counter()
        made = []
        for place in range(number):
            first = place * size % (len(pool) - size)
            made.append(Ruleset(engine, f"figures_{size}_{place}", pool[first : first + size]))
        took = (time.perf_counter() - started) / number * 1000
        memory = (resident_mb() - before) * 1024 / number
        sys.stdout.write(f"{size} rules a ruleset: {memory:.0f} KB and {took:.2f} ms each\n")
    members = list(ruleset.members.values())
    missed, _ = median_micros(ruleset, '"p59999":7')
    sys.stdout.write(f"rules that fire: 0, {missed:.1f} µs\n")
    for asked in (1, 2, 4, 8):
        constants = {each for member in members[:asked] for each in member.constants}
        micros, fired = median_micros(ruleset, ",".join(sorted(constants)))
        sys.stdout.write(f"rules that fire: {fired}, {micros:.1f} µs\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
