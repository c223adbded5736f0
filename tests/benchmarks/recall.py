"""`python -m tests.benchmarks.recall`: how right recall is, how long it takes, beside a scan in plain Python, and whom it holds up."""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import Any

from casebook.memory import Memory
from casebook.runtime.memory.entry import entry_of
from casebook.runtime.memory.index import K1, B, build
from casebook.runtime.memory.tokens import terms
from casebook.runtime.memory.view import MemoryView
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Placed
from tests.memory.labelled import memories, questions, scored
from tests.memory.stores import Held, memory, principal

AT = datetime(2026, 4, 1, tzinfo=UTC)
WHO = principal("ann", "shop")
PER_FILE = 4_000
"""Memories of one file: about a megabyte, half of what a file takes at most."""


class Words:
    """Words that are used as words are: a few all the time, most hardly ever; English and Chinese texts of them."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._words = ["".join(self._random.choices(letters, k=self._random.randint(3, 10))) for _ in range(30_000)]
        self._signs = [chr(0x4E00 + n) for n in self._random.sample(range(8_000), 2_500)]
        self._of_words = list(accumulate(1 / (n + 10) for n in range(len(self._words))))
        self._of_signs = list(accumulate(1 / (n + 10) for n in range(len(self._signs))))

    def english(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._of_words, k=count))

    def chinese(self, count: int) -> str:
        return "".join(self._random.choices(self._signs, cum_weights=self._of_signs, k=count))

    def text(self) -> str:
        if self._random.random() < 0.5:
            return self.english(self._random.randint(6, 30))
        return self.chinese(self._random.randint(8, 40))

    def memories(self, count: int) -> list[Memory]:
        scopes: list[dict[str, str]] = [{}, {"user": "ann"}, {"project": "shop"}]
        return [memory(f"m{n:06}", self.text(), scope=self._random.choice(scopes)) for n in range(count)]


class Scan:
    """The rival: BM25 as `rank_bm25` does it, over every memory for every word, without numpy."""

    def __init__(self, of: Sequence[Memory]) -> None:
        self._counts = [Counter(terms(each.text)) for each in of]
        self._lengths = [counts.total() for counts in self._counts]
        average = statistics.fmean(self._lengths)
        self._damping = [K1 * (1 - B + B * length / average) for length in self._lengths]
        known = Counter(term for counts in self._counts for term in counts)
        self._idf = {term: math.log(1 + (len(of) - n + 0.5) / (n + 0.5)) for term, n in known.items()}

    def scores(self, query: str) -> list[float]:
        found = [0.0] * len(self._counts)
        for term in dict.fromkeys(terms(query)):
            idf = self._idf.get(term)
            if idf is None:
                continue
            for place, counts in enumerate(self._counts):
                count = counts.get(term)
                if count:
                    found[place] += idf * count / (self._damping[place] + count)
        return found

    def best(self, query: str, limit: int) -> list[int]:
        found = self.scores(query)
        return sorted((place for place, score in enumerate(found) if score), key=lambda place: (-found[place], place))[
            :limit
        ]


@dataclass(frozen=True, slots=True)
class Taken:
    """What a question took, in milliseconds: the median, and that of the rival."""

    words: int
    ours: float
    rival: float


def right() -> list[str]:
    """Give the lines of precision and recall on the labelled questions."""
    view = MemoryView([Held(*memories())])
    lines = ["| questions | precision | recall | told needlessly | without the floor |", "|---|---|---|---|---|"]
    for is_held_out, half in ((False, "tuned"), (True, "held out")):
        for is_chinese, language in ((False, "English"), (True, "Chinese")):
            asked = [each for each in questions() if (each.is_held_out, each.is_chinese) == (is_held_out, is_chinese)]

            def told(query: str, *, floor: bool = True) -> list[str]:
                return [hit.memory.id for hit in view.search(query, principal(), AT, limit=3, floor=floor)]

            got, bare = scored(asked, told), scored(asked, lambda query: told(query, floor=False))
            needless = f"{got.needless} of {sum(not each.wanted for each in asked)}"
            lines.append(
                f"| {half}, {language}, {len(asked)} | {got.precision:.3f} | {got.recall:.3f} | {needless} | "
                f"{bare.precision:.3f}, {bare.recall:.3f} |"
            )
    return lines


def speed(count: int, asked: int) -> list[Taken]:
    """Measure questions of 10, 50 and 500 words over so many memories, taking turns with the rival."""
    words = Words(1)
    of = words.memories(count)
    view = MemoryView([Held(*of)])
    rival = Scan(of)
    view.search(words.english(5), WHO, AT, limit=3)
    taken = []
    for length in (10, 50, 500):
        ours, theirs = [], []
        gc.collect()
        for n in range(asked):
            query = words.english(length) if n % 2 else words.chinese(2 * length)
            ours.append(_seconds(lambda query=query: view.search(query, WHO, AT, limit=3, wait=False)))  # type: ignore[misc]
            if n < max(2, asked // 20):
                theirs.append(_seconds(lambda query=query: rival.best(query, 3)))  # type: ignore[misc]
        taken.append(Taken(length, statistics.median(ours) * 1e3, statistics.median(theirs) * 1e3))
    return taken


def building(count: int) -> Mapping[str, float]:
    """Measure in seconds how long so many memories take to be read into terms and to be indexed."""
    of = [Placed(each, "p") for each in Words(2).memories(count)]
    entries: list[Any] = []
    read = _seconds(lambda: entries.extend(entry_of(each, 0, None) for each in of))
    build(entries[:1])
    return {"read": read, "indexed": _seconds(lambda: build(entries))}


def held_up(count: int) -> Mapping[str, float]:
    """Measure how long a task waits at the most, in milliseconds, while all files of so many memories are read anew.

    A task asks every millisecond, before and while. Every text has changed, so that all is read, parsed and indexed.
    """
    words = Words(3)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        texts = [words.text() for _ in range(count)]
        _write(root, texts)
        view = MemoryView([FolderMemories(root)])
        view.search(words.english(5), WHO, AT, limit=3)
        time.sleep(min(3, count / 1_000))  # until the files' times are old enough to be trusted
        view.search(words.english(5), WHO, AT, limit=3)
        quiet = _asking(view, words, until=lambda: False, most=min(3, count / 1_000))
        _write(root, [f"{text} marmot" for text in texts])

        def is_read() -> bool:
            return bool(view.search("marmot", WHO, AT, limit=1, wait=False, floor=False))

        busy = _asking(view, words, until=is_read, most=300)
        view.close()
    return {
        "quiet": max(quiet) * 1e3,
        "busy": max(busy) * 1e3,
        "asked": len(busy),
        "p50": statistics.median(busy) * 1e3,
    }


def _write(root: Path, texts: Sequence[str]) -> None:
    folder = root / "medium_term"
    folder.mkdir(exist_ok=True)
    for first in range(0, len(texts), PER_FILE):
        entries = [
            {"id": f"m{n:06}", "kind": "fact", "text": text, "tier": "L2", "created_at": "2026-03-01T00:00:00+00:00"}
            for n, text in enumerate(texts[first : first + PER_FILE], first)
        ]
        number = first // PER_FILE + 1
        file = folder / f"recent_learnings{f'-{number}' if number > 1 else ''}.json"
        new = file.with_suffix(".new")
        new.write_text(json.dumps({"format": 1, "memories": entries}, ensure_ascii=False), encoding="utf-8")
        new.replace(file)


def _asking(view: MemoryView, words: Words, *, until: Callable[[], bool], most: float) -> list[float]:
    taken = []
    end = time.perf_counter() + most
    while time.perf_counter() < end and not until():
        query = words.english(15)
        taken.append(_seconds(lambda query=query: view.search(query, WHO, AT, limit=3, wait=False)))  # type: ignore[misc]
        time.sleep(0.001)
    return taken


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything and print it; the exit code is 0, whether all figures are reached or not."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.recall", description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000, help="memories that are searched")
    parser.add_argument(
        "--large", type=int, default=100_000, help="memories that are indexed, and read anew under questions"
    )
    parser.add_argument("--questions", type=int, default=1_000, help="questions of each length")
    asked = parser.parse_args(arguments)
    print("\n".join(right()))
    print(f"\n| {asked.memories:,} memories, words asked | p50 | plain scan | ratio |\n|---|---|---|---|")
    for each in speed(asked.memories, asked.questions):
        print(f"| {each.words} | {each.ours:.2f} ms | {each.rival:.1f} ms | {each.rival / each.ours:.0f}× |")
    print("\n| memories | terms | index |\n|---|---|---|")
    for count in (asked.memories, asked.large):
        took = building(count)
        print(f"| {count:,} | {took['read']:.2f} s | {took['indexed'] * 1e3:.0f} ms |")
    held = held_up(asked.large)
    print(
        f"\nA refresh of {asked.large:,} memories, {held['asked']:.0f} tasks meanwhile: the slowest {held['busy']:.0f} ms, half of them "
        f"under {held['p50']:.1f} ms; without a refresh the slowest {held['quiet']:.0f} ms."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
