"""What an edit costs: from a replaced file to the next task's answer, and what 10,000 edits leave behind in memory."""

from __future__ import annotations

import gc
import json
import statistics
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from casebook.clock import fixed_clock
from casebook.conditions.facts import Facts
from casebook.conditions.tree import Field, Test
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.runtime import Runtime
from casebook.task import Task
from tests.benchmarks.casebooks import Author, cases_file
from tests.benchmarks.corpus import NOW, Corpus, loaded
from tests.benchmarks.memory import resident_mb


@dataclass(frozen=True, slots=True)
class Edits:
    """What edits cost.

    Attributes:
        visible_ms: median time from the rename of a file to the answer that shows the edit.
        edits: how many in the running engine, for the next.
        growth_mb: what the process grew by from a tenth of these edits to their end.
    """

    visible_ms: float
    edits: int
    growth_mb: float


class InvisibleError(AssertionError):
    """An edit was not seen by the next task."""


def visible(root: Path, engine: EngineChoice, edits: int) -> float:
    """Edit one case of the folder's first file so often; give the median milliseconds until the next task has seen it."""
    path = cases_file(root)
    forms = json.loads(path.read_text(encoding="utf-8"))
    place = len(forms) // 2
    author = Author(path, forms, place)
    taken = []
    with Runtime.open(root, clock=fixed_clock(NOW), engine=engine) as runtime:
        runtime.snapshot()
        for number in range(edits):
            author.edit(f'project is "edit {number}"')
            started = time.perf_counter()
            answer = runtime.match(Task(project=f"edit {number}"))
            taken.append(time.perf_counter() - started)
            if [case.id for case in answer.cases if case.id == forms[place]["id"]] == []:
                raise InvisibleError(f"edit {number} is not seen")
    return statistics.median(taken) * 1e3


def growth(corpus: Corpus, engine: EngineChoice, edits: int) -> float:
    """Edit so many cases one by one in a running engine, a task after each; give the MB grown after the first tenth."""
    running = matcher(engine)
    cases = loaded(corpus.forms)
    names = list(cases)
    running.update(cases)
    for facts in corpus.facts:
        running.match(facts)
    settled = 0.0
    for number in range(edits):
        name = names[number * 7919 % len(names)]
        asked = Test(Field(("project",)), "is", f"edit {number}")
        case = cases[name]
        cases = {**cases, name: replace(case, conditions=(asked, *case.conditions[:1]))}
        running.update(cases)
        running.match(corpus.facts[number % len(corpus.facts)])
        running.match(Facts({"project": f"edit {number}"}, datetime(2026, 3, 2, tzinfo=UTC)))
        if number == edits // 10:
            gc.collect()
            settled = resident_mb()
    gc.collect()
    grown = resident_mb() - settled
    running.close()
    return grown
