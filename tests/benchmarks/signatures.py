"""`python -m tests.benchmarks.signatures`: our signature beside Drain3 on the labelled messages, tuned on and held out."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence

from casebook.runtime.learning.signature import error_signature
from tests.learning.signatures.drain import drained
from tests.learning.signatures.scoring import Labelled, labelled, scored

COLUMNS = ("set", "by", "messages", "kinds", "groups", "precision", "recall", "F1", "grouping accuracy", "µs a message")


def ours(rows: Sequence[Labelled]) -> list[str]:
    """Give our signature of each message."""
    return [error_signature(row.message, type=row.type, tool=row.tool) for row in rows]


def table() -> list[tuple[str, ...]]:
    """Give the figures, a line for each set and each way."""
    lines: list[tuple[str, ...]] = []
    for name in ("tuned", "held_out", "wild_tuned", "wild_held_out", "values_tuned", "values_held_out"):
        rows = labelled(name)
        ways: dict[str, Sequence[Hashable]] = {}
        micros: dict[str, float] = {}
        for way in ("Casebook", "Drain3", "Drain3 without masks"):
            started = time.perf_counter()
            ways[way] = ours(rows) if way == "Casebook" else drained(rows, masked=way == "Drain3")
            micros[way] = (time.perf_counter() - started) / len(rows) * 1e6
        for way, groups in ways.items():
            score = scored([row.kind for row in rows], groups)
            figures = (score.precision, score.recall, score.f1, score.accuracy)
            lines.append(
                (
                    name,
                    way,
                    str(len(rows)),
                    str(score.kinds),
                    str(score.groups),
                    *(f"{figure:.3f}" for figure in figures),
                    f"{micros[way]:.0f}",
                )
            )
    return lines


def main() -> None:
    """Print the figures as a table."""
    print(f"| {' | '.join(COLUMNS)} |")
    print(f"|{'---|' * len(COLUMNS)}")
    for line in table():
        print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
