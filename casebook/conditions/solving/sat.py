"""A small solver for propositional clauses: conflict-driven learning with two watched literals, under a work bound."""

from __future__ import annotations

from heapq import heappop, heappush


class WorkBoundError(Exception):
    """The solver was stopped by its bound; nothing is known."""


class Clauses:
    """Clauses over variables 1, 2, …; a literal is a variable or its negative. More may be added between solutions."""

    def __init__(self, work: int) -> None:
        """Begin without clauses. `work` bounds the watched clauses looked at over all calls of `solve`."""
        self.work = work
        self.value: list[int] = [0]
        self.level: list[int] = [0]
        self.reason: list[list[int] | None] = [None]
        self.activity: list[float] = [0.0]
        self.watches: dict[int, list[list[int]]] = {}
        self.trail: list[int] = []
        self.marks: list[int] = []
        self.done = 0
        self.bump = 1.0
        self.queue: list[tuple[float, int]] = []
        self.consistent = True

    def variable(self) -> int:
        """Give a new variable."""
        self.value.append(0)
        self.level.append(0)
        self.reason.append(None)
        self.activity.append(0.0)
        number = len(self.value) - 1
        self.watches[number], self.watches[-number] = [], []
        heappush(self.queue, (0.0, number))
        return number

    def _is(self, literal: int) -> int:
        return self.value[literal] if literal > 0 else -self.value[-literal]

    def _set(self, literal: int, reason: list[int] | None) -> None:
        number = abs(literal)
        self.value[number] = 1 if literal > 0 else -1
        self.level[number] = len(self.marks)
        self.reason[number] = reason
        self.trail.append(literal)

    def _back(self, level: int) -> None:
        if len(self.marks) <= level:
            return
        start = self.marks[level]
        for literal in self.trail[start:]:
            number = abs(literal)
            self.value[number] = 0
            heappush(self.queue, (-self.activity[number], number))
        del self.trail[start:]
        del self.marks[level:]
        self.done = min(self.done, start)

    def add(self, literals: list[int]) -> None:
        """Add a clause: one of the literals has to be true."""
        self._back(0)
        clause = list(dict.fromkeys(literals))
        if any(-each in clause or self._is(each) == 1 for each in clause):
            return
        clause = [each for each in clause if self._is(each) != -1]
        if not clause:
            self.consistent = False
        elif len(clause) == 1:
            self._set(clause[0], None)
        else:
            self._watch(clause)

    def _watch(self, clause: list[int]) -> None:
        self.watches[-clause[0]].append(clause)
        self.watches[-clause[1]].append(clause)

    def _propagate(self) -> list[int] | None:
        while self.done < len(self.trail):
            literal = self.trail[self.done]
            self.done += 1
            watching = self.watches[literal]
            self.work -= len(watching) + 1
            if self.work < 0:
                raise WorkBoundError
            kept: list[list[int]] = []
            for place, clause in enumerate(watching):
                if clause[0] == -literal:
                    clause[0], clause[1] = clause[1], clause[0]
                if self._is(clause[0]) == 1:
                    kept.append(clause)
                    continue
                for other in range(2, len(clause)):
                    if self._is(clause[other]) != -1:
                        clause[1], clause[other] = clause[other], clause[1]
                        self.watches[-clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if self._is(clause[0]) == -1:
                        kept.extend(watching[place + 1 :])
                        self.watches[literal] = kept
                        return clause
                    self._set(clause[0], clause)
            self.watches[literal] = kept
        return None

    def _learn(self, conflict: list[int]) -> None:
        """Learn the clause of the first unique implication point, go back to where it is unit, and use it."""
        seen: set[int] = set()
        learnt: list[int] = []
        open_, place = 0, len(self.trail)
        clause: list[int] | None = conflict
        pivot = 0
        while True:
            for literal in clause or ():
                number = abs(literal)
                if literal == pivot or number in seen or self.level[number] == 0:
                    continue
                seen.add(number)
                self.activity[number] += self.bump
                if self.level[number] == len(self.marks):
                    open_ += 1
                else:
                    learnt.append(literal)
            while True:
                place -= 1
                pivot = self.trail[place]
                if abs(pivot) in seen:
                    break
            open_ -= 1
            if open_ == 0:
                break
            clause = self.reason[abs(pivot)]
        self.bump *= 1.05
        if self.bump > 1e100:
            self.activity = [each * 1e-100 for each in self.activity]
            self.bump *= 1e-100
        learnt.sort(key=lambda each: -self.level[abs(each)])
        self._back(self.level[abs(learnt[0])] if learnt else 0)
        whole = [-pivot, *learnt]
        if len(whole) > 1:
            self._watch(whole)
        self._set(-pivot, whole if len(whole) > 1 else None)

    def solve(self) -> bool:
        """Say whether all clauses can be true; `true` then reads the solution.

        Raises:
            WorkBoundError: the bound was reached first.
        """
        self._back(0)
        while self.consistent:
            conflict = self._propagate()
            if conflict is not None:
                if not self.marks:
                    self.consistent = False
                    break
                self._learn(conflict)
                continue
            choice = self._choose()
            if choice == 0:
                return True
            self.marks.append(len(self.trail))
            self._set(-choice, None)
        return False

    def _choose(self) -> int:
        while self.queue:
            _, number = heappop(self.queue)
            if self.value[number] == 0:
                return number
        return 0

    def true(self, literal: int) -> bool:
        """Say whether a literal is true in the solution found last."""
        return self._is(literal) == 1
