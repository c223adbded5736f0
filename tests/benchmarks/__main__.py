"""`python -m tests.benchmarks`: run the race at several sizes and the other figures, print tables, write a JSON file."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks import mistakes, remembered, whole
from tests.benchmarks.corpus import corpus
from tests.benchmarks.race import Race, race
from tests.benchmarks.table import Row, as_json, markdown, matching_rows, races_markdown
from tests.benchmarks.upkeep import ALONE_SECONDS

MAIN_SIZE, LARGE_SIZE = 10_000, 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked; the exit code is 0, whether all figures are reached or not."""
    asked = _parser().parse_args(arguments)
    sizes: list[int] = asked.sizes
    races = []
    for size in sizes:
        _say(f"{size:,} cases: matching")
        races.append(race(corpus(size, asked.tasks), rounds=asked.rounds if size < LARGE_SIZE else 1))
    rows, raw = figures(races, asked)
    print(races_markdown(races))
    print()
    print(markdown(rows))
    asked.json.write_text(json.dumps(as_json(_machine(), races, rows, raw), indent=2) + "\n", encoding="utf-8")
    _say(f"written to {asked.json}")
    return 0


def figures(races: Sequence[Race], asked: argparse.Namespace) -> tuple[list[Row], dict[str, Any]]:
    """Measure what is beyond matching: at 10,000 cases (else the largest size below), and at 100,000 where asked."""
    sizes = [each.size for each in races]
    main_size = MAIN_SIZE if MAIN_SIZE in sizes else max(each for each in sizes if each < LARGE_SIZE)
    rows = matching_rows(next(each for each in races if each.size == main_size))
    with tempfile.TemporaryDirectory() as folder:
        _say(f"{main_size:,} cases: memory, loading, edits")
        cases = corpus(main_size, asked.tasks)
        more, raw = whole.measure(
            Path(folder) / "main", cases, rounds=asked.rounds, file_edits=asked.file_edits, running_edits=asked.edits
        )
        rows.append(more.pop(0))
        if LARGE_SIZE in sizes:
            _say(f"{LARGE_SIZE:,} cases: bounded memory")
            large, raw["bounded"] = whole.bounded(Path(folder) / "large", corpus(LARGE_SIZE, asked.tasks))
            rows.extend(large)
    _say("mistakes: the airline record")
    stopping, raw["mistakes"] = mistakes.measure()
    _say(f"memories: {asked.memories:,} recalled, {asked.upkept:,} in upkeep")
    memories, raw["memories"] = remembered.measure(asked.memories, asked.upkept, asked.questions, asked.alone)
    return [*rows, *more, *stopping, *memories], raw


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", type=_sizes, default=_sizes("100,1000,10000,100000"), help="numbers of cases")
    parser.add_argument("--tasks", type=int, default=1000, help="tasks a round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best median counts")
    parser.add_argument("--file-edits", type=int, default=50, help="edits of one case in a file, each waited for")
    parser.add_argument("--edits", type=int, default=10_000, help="edits in a running engine, for memory")
    parser.add_argument("--memories", type=int, default=10_000, help="memories that are recalled")
    parser.add_argument("--questions", type=int, default=1_000, help="questions of each length")
    parser.add_argument("--upkept", type=int, default=20_000, help="memories that are kept up while tasks are asked")
    parser.add_argument("--alone", type=float, default=ALONE_SECONDS, help="seconds of asks with no upkeep beside")
    parser.add_argument("--json", type=Path, default=Path("benchmarks.json"), help="where all figures are written")
    return parser


def _sizes(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
