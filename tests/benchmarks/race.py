"""The race: all rivals on the same tasks, taking turns, so that whatever else the machine does hits all of them alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from casebook.case import LoadedCase
from casebook.conditions.facts import Facts
from casebook.runtime.matching.engines import matcher
from casebook.runtime.matching.protocol import Matcher
from tests.benchmarks.corpus import Corpus, loaded
from tests.benchmarks.rival_clips import Clips, ClipsInC
from tests.benchmarks.rival_scan import Scan

OURS, REFERENCE, SCAN, AS_WRITTEN, CLIPS, IN_C = (
    "durable_rules", "reference", "scan", "scan as written", "clips", "clips in C",
)  # fmt: skip
TURN = 250
"""Tasks that a rival answers before it is the next one's turn."""

Answer = Callable[[Facts], Sequence[str] | Sequence[LoadedCase]]
"""From the ready facts of a task to the matched cases, by id or as they are: what is timed."""


@dataclass(frozen=True, slots=True)
class Race:
    """What came of it.

    Attributes:
        size: how many cases.
        tasks: how many tasks each rival answered in each round.
        hits: matched cases a task, on average.
        micros: by rival, the median of a task in microseconds, of its best round.
        built: by rival, seconds from conditions or parsed cases to ready.
        figures: our matcher's own, at the end.
    """

    size: int
    tasks: int
    hits: float
    micros: Mapping[str, float]
    built: Mapping[str, float]
    figures: Mapping[str, int]


class DisagreementError(AssertionError):
    """Two rivals gave different answers to the same task."""


def race(corpus: Corpus, *, rounds: int, resident_rules: int | None = None) -> Race:
    """Let all rivals answer all tasks so many times, after one round that warms them up and compares their answers.

    Raises:
        DisagreementError: they differ.
    """
    ours = matcher("durable_rules", **({} if resident_rules is None else {"resident_rules": resident_rules}))
    reference = matcher("reference")
    cases = loaded(corpus.forms)
    built: dict[str, float] = {}
    rivals: dict[str, Answer] = {}
    for name, engine in ((OURS, ours), (REFERENCE, reference)):
        built[name] = _seconds(lambda engine=engine: engine.update(cases))  # type: ignore[misc]  # bound at once
        rivals[name] = partial(_conflict_set, engine)
    made: dict[str, Any] = {}
    for name, make in (
        (SCAN, lambda: Scan(corpus.conditions)),
        (AS_WRITTEN, lambda: Scan(corpus.conditions, as_written=True)),
        (CLIPS, lambda: Clips(corpus.conditions)),
        (IN_C, lambda: ClipsInC(corpus.conditions)),
    ):
        built[name] = _seconds(lambda name=name, make=make: made.update({name: make()}))  # type: ignore[misc]  # as above
        rivals[name] = made[name].match
    hits = compare(rivals, corpus)
    best = _best(rivals, corpus, rounds)
    result = Race(len(corpus.forms), len(corpus.facts), hits, best, built, dict(ours.figures()))
    ours.close()
    made[IN_C].close()
    return result


def compare(rivals: Mapping[str, Answer], corpus: Corpus) -> float:
    """Ask all rivals all tasks; give the mean number of hits, or raise DisagreementError."""
    total = 0
    for number, facts in enumerate(corpus.facts):
        answers = {name: sorted(map(_id, answer(facts))) for name, answer in rivals.items()}
        expected = answers[SCAN]
        for name, got in answers.items():
            if got != expected:
                odd = sorted(set(got) ^ set(expected))
                raise DisagreementError(f"task {number}: {name} and {SCAN} differ about {odd}: {facts}")
        total += len(expected)
    return total / len(corpus.facts)


def _conflict_set(engine: Matcher, facts: Facts) -> Sequence[LoadedCase]:
    return engine.match(facts) or ()


def _id(matched: str | LoadedCase) -> str:
    return matched if isinstance(matched, str) else matched.id


def _best(rivals: Mapping[str, Answer], corpus: Corpus, rounds: int) -> dict[str, float]:
    questions = corpus.facts
    best = dict.fromkeys(rivals, float("inf"))
    order = list(rivals.items())
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            taken: dict[str, list[float]] = {name: [] for name in rivals}
            for first in range(0, len(questions), TURN):
                order.append(order.pop(0))
                for name, answer in order:
                    _answer(answer, questions[first : first + TURN], taken[name])
            for name, each in taken.items():
                best[name] = min(best[name], statistics.median(each) * 1e6)
            gc.collect()
    finally:
        gc.enable()
    return best


def _answer(answer: Answer, questions: Sequence[Facts], taken: list[float]) -> None:
    clock = time.perf_counter
    for facts in questions:
        started = clock()
        answer(facts)
        taken.append(clock() - started)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
