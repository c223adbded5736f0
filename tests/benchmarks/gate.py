"""`python -m tests.benchmarks.gate`: how often the write gate is right on the labelled utterances, and what it costs."""

from __future__ import annotations

import sys
import time

from casebook.gate.candidate import Candidate
from casebook.gate.weigh import weigh
from tests.gate.labelled import NOW, PARTS, POLICY, figures

SPOKEN = "我是 Java 后端，之前做流批一体，最近在学 RAG，这周五交周报"


def microseconds(text: str, rounds: int) -> float:
    """Give the best of five runs, for one call."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(rounds):
            weigh(Candidate(text=text), POLICY, NOW)
        best = min(best, time.perf_counter() - started)
    return best / rounds * 1e6


def main() -> int:
    """Print the figures; with `-v` what came out wrong of the tuned part, with `-vv` of both."""
    print(
        "| part | utterances | drops: precision | recall | rule named | kind | tier | home |\n|---|---|---|---|---|---|---|---|"
    )
    for part in PARTS:
        for language in ("", "en", "zh"):
            found = figures(part, language)
            print(
                f"| {part} {language} | {found.total} | {found.drop_precision:.3f} | {found.drop_recall:.3f} | {found.rule / found.drops:.3f} "
                f"| {found.share(found.kind):.3f} | {found.share(found.tier):.3f} | {found.share(found.home):.3f} |"
            )
    print("\n| kind | precision | recall | precision, held out | recall, held out |\n|---|---|---|---|---|")
    tuned, held = (figures(part) for part in PARTS)
    for kind in sorted(tuned.meant):
        shares = [
            f"{found.hit[kind] / (count[kind] or 1):.2f}"
            for found in (tuned, held)
            for count in (found.said, found.meant)
        ]
        print(f"| {kind} | {' | '.join(shares)} |")
    for part, found in zip(PARTS, (tuned, held), strict=True):
        for line in found.wrong if "-vv" in sys.argv or ("-v" in sys.argv and part == PARTS[0]) else ():
            print(f"    {line}")
    print(f"\n{SPOKEN}: {microseconds(SPOKEN, 200):.0f} µs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
