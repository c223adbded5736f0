"""`python -m tests.benchmarks.redaction`: precision and recall of `redact` on the labelled texts, and what it costs."""

from __future__ import annotations

import sys
import time

from casebook.redacting.redact import redact
from tests.redacting.labelled import PARTS, figures

PLAIN = (
    "The order could not be placed because the total price is 305, but paid 255. Please check the amounts and try again, or ask a "
    "person for help. Nothing else was changed in this reservation at all."
)


def microseconds(text: str, rounds: int) -> float:
    """Give the best of five runs, for one call."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(rounds):
            redact(text)
        best = min(best, time.perf_counter() - started)
    return best / rounds * 1e6


def main() -> int:
    """Print the figures, and with `-v` the texts that came out wrong."""
    print("| part | secrets | kinds | recall | clean texts | touched | precision |\n|---|---|---|---|---|---|---|")
    for part in PARTS:
        found = figures(part)
        print(
            f"| {part} | {found.rows} | {found.kinds} | {found.recall:.3f} | {found.clean} | {len(found.touched)} | {found.precision:.3f} |"
        )
        for row in (*found.leaked, *found.touched) if "-v" in sys.argv else ():
            print(f"    {row.kind}: {row.text[:120]!r} -> {redact(row.text)[:120]!r}")
    print(f"\nplain text of {len(PLAIN)} characters: {microseconds(PLAIN, 2000):.1f} µs")
    print(f"plain text of 1 MB: {microseconds((PLAIN + chr(10)) * 5500, 1) / 1000:.1f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
