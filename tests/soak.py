"""`python -m tests.soak`: a million matches and 10,000 edits under eviction, then 10,000 edits of a file; memory stays flat.

The engine is given less room than its rules need, so that rulesets are made and freed all the time; tasks come in an order
in which a few are asked often and all are asked now and then. A sample of the answers is compared with the reference
matcher's. Exit code 0: no answer was wrong and memory was flat; 1: it says what was not. A crash shows by itself.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from casebook.case import LoadedCase
from casebook.clock import fixed_clock
from casebook.conditions.facts import Facts
from casebook.conditions.tree import Field, Test
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.matching.protocol import Matcher
from casebook.runtime.runtime import Runtime
from casebook.task import Task
from tests.benchmarks import casebooks
from tests.benchmarks.corpus import NOW, Corpus, corpus, loaded
from tests.benchmarks.memory import resident_mb

FLAT_MB = 12
"""What the process may grow by from the end of the warm-up to the end of a phase."""
WARM_UP = 5
"""One part in so many of a phase is its warm-up."""
CHECKED = 97
"""One answer in so many is compared with the reference matcher's."""
TASKS = 2_000


@dataclass(frozen=True, slots=True)
class Soaked:
    """What a phase came to.

    Attributes:
        phase: its name.
        done: what was done, in words.
        warm_mb: resident memory at the end of the warm-up.
        end_mb: resident memory at the end.
        wrong: descriptions of wrong answers, at most ten.
    """

    phase: str
    done: str
    warm_mb: float
    end_mb: float
    wrong: tuple[str, ...]

    @property
    def faults(self) -> list[str]:
        """Give what is wrong with it, a sentence each."""
        grown = self.end_mb - self.warm_mb
        flat = [] if grown <= FLAT_MB else [f"{self.phase}: memory grew by {grown:.1f} MB, expected at most {FLAT_MB}"]
        return [*self.wrong, *flat]


class Editor:
    """Changes one case at a time: other conditions, disabled, gone, back as it was."""

    def __init__(self, cases: dict[str, LoadedCase], rnd: random.Random) -> None:
        """Take the cases, by id."""
        self.cases = cases
        self._whole = dict(cases)
        self._names = list(cases)
        self._rnd = rnd

    def edit(self) -> None:
        """Give `cases` a new value that differs in one case."""
        name = self._rnd.choice(self._names)
        whole = self._whole[name]
        kind = self._rnd.randrange(4)
        if kind == 0:
            self.cases = {each: case for each, case in self.cases.items() if each != name}
        elif kind == 1:
            disabled = whole.case.model_copy(update={"status": "disabled"})
            self.cases = {**self.cases, name: replace(whole, case=disabled)}
        elif kind == 2:
            further = Test(Field(("channel",)), "is_not", f"c{self._rnd.randrange(50)}")
            self.cases = {**self.cases, name: replace(whole, conditions=(*whole.conditions[:2], further))}
        else:
            self.cases = {**self.cases, name: replace(whole)}


def soak_engine(
    matches: int, edits: int, *, cases: int, resident_rules: int, engine: EngineChoice = "auto", seed: int = 1
) -> Soaked:
    """Match and edit in one running engine that has too little room.

    Args:
        matches: how many tasks are asked in all.
        edits: how many cases are edited in between, evenly.
        cases: how many cases there are.
        resident_rules: how many rules may live in the engine.
        engine: which.
        seed: of the order of tasks and edits.
    """
    rnd = random.Random(seed)
    world = corpus(cases, TASKS, seed=seed)
    editor = Editor(loaded(world.forms), rnd)
    running, reference = (_started(choice, editor.cases, resident_rules) for choice in (engine, "reference"))
    every = max(1, matches // max(1, edits))
    warm = 0.0
    wrong: list[str] = []
    for number in range(matches):
        if number % every == 0:
            editor.edit()
            running.update(editor.cases)
            reference.update(editor.cases)
        facts = _next_task(world, rnd)
        answer = sorted(case.id for case in running.match(facts) or ())
        if number % CHECKED == 0 and len(wrong) < 10:
            expected = sorted(case.id for case in reference.match(facts) or ())
            if answer != expected:
                wrong.append(f"engine, match {number}: got {answer}, expected {expected} of {facts}")
        if number == matches // WARM_UP:
            warm = _settled_mb()
    figures = ", ".join(f"{name} {count:,}" for name, count in running.figures().items())
    done = f"{matches:,} matches, {-(-matches // every):,} edits; {figures}"
    end = _settled_mb()
    running.close()
    return Soaked("engine", done, warm, end, tuple(wrong))


def _started(engine: str, cases: dict[str, LoadedCase], resident_rules: int) -> Matcher:
    found = matcher(engine, resident_rules=resident_rules)  # type: ignore[arg-type]  # both are choices
    found.update(cases)
    return found


def _next_task(world: Corpus, rnd: random.Random) -> Facts:
    """Give one of the first tenth of the tasks nine times out of ten, else any."""
    return world.facts[rnd.randrange(TASKS // 10 if rnd.random() < 0.9 else TASKS)]


def soak_file(edits: int, *, cases: int, engine: EngineChoice = "auto", seed: int = 2) -> Soaked:
    """Edit one case of a file again and again, as another program would, and ask a task after each edit."""
    warm = 0.0
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memory"
        world = corpus(cases, 10, seed=seed)
        casebooks.write(root, world)
        name = world.forms[cases // 2]["id"]
        author = casebooks.Author(casebooks.cases_file(root), world.forms, cases // 2)
        with Runtime.open(root, clock=fixed_clock(NOW), engine=engine) as runtime:
            for number in range(edits):
                author.edit(f'channel is "channel {number}" and text contains "edit {number}"')
                answer = runtime.match(Task(channel=f"channel {number}", text=f"this is edit {number}."))
                if name not in [case.id for case in answer.cases] and len(wrong) < 10:
                    wrong.append(f"file, edit {number}: the edited case is not in {answer.cases}, {answer.quarantined}")
                if number == edits // WARM_UP:
                    warm = _settled_mb()
    return Soaked("file", f"{edits:,} edits of a file of {cases:,} cases", warm, _settled_mb(), tuple(wrong))


def _settled_mb() -> float:
    gc.collect()
    return resident_mb()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all phases; the exit code is 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.split("\n\n")[0])
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--cases", type=int, default=3_000)
    parser.add_argument("--resident-rules", type=int, default=2_000, help="fewer than the cases, so that rulesets go")
    parser.add_argument("--engine", choices=("auto", "durable_rules", "reference"), default="auto")
    asked = parser.parse_args(arguments)
    phases: list[Callable[[], Soaked]] = [
        lambda: soak_engine(
            asked.matches, asked.edits, cases=asked.cases, resident_rules=asked.resident_rules, engine=asked.engine
        ),
        lambda: soak_file(asked.edits, cases=min(asked.cases, 300), engine=asked.engine),
    ]
    faults: list[str] = []
    for phase in phases:
        started = time.perf_counter()
        soaked = phase()
        took = time.perf_counter() - started
        memory = f"{soaked.warm_mb:.1f} MB warm, {soaked.end_mb:.1f} MB at the end"
        sys.stdout.write(f"{soaked.phase}: {soaked.done}; {took:.0f} s; {memory}\n")
        sys.stdout.flush()
        faults.extend(soaked.faults)
    for fault in faults:
        sys.stderr.write(fault + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
