"""Files put together: equal ids, cases that supersede each other, and all faults in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from casebook.case import LoadedCase
from casebook.faults import Fault, nearest
from casebook.json_place import span_of
from casebook.limits import ID_CHARS
from casebook.problems import Path, dotted
from casebook.stores.case_file import CaseFile
from casebook.stores.elements import Element, placed


def assemble(files: Sequence[CaseFile], file_faults: Mapping[str, Fault]) -> tuple[dict[str, LoadedCase], list[Fault]]:
    """Put files together.

    Args:
        files: in path order.
        file_faults: for a file whose present bytes do not serve, why; its elements are those that were last good.

    Returns:
        The cases that serve, by id, in path and file order; and the faults, in path order and by place.
    """
    cases: dict[str, LoadedCase] = {}
    found: dict[str, list[Fault]] = {path: [fault] for path, fault in file_faults.items()}
    for file in files:
        told = found.setdefault(file.path, [])
        if file.path not in file_faults:
            told.extend(file.faults())
        if not file.repeats and cases.keys().isdisjoint(file.by_id):
            cases.update(file.by_id)
        else:
            told.extend(_take(file, cases))
    for path, fault in _superseding(files, cases):
        found[path].append(fault)
    faults = []
    for path in sorted(found):
        faults.extend(sorted(found[path], key=lambda fault: (fault.line or 0, fault.column or 0)))
    return cases, faults


_TOLD = 20
"""Unknown ids that are told of one case, and those for which the nearest name is looked for, which costs up to 50 ms each."""


def _take(file: CaseFile, cases: dict[str, LoadedCase]) -> list[Fault]:
    """Take a file's cases one by one; of equal ids the first serves."""
    faults = []
    for element in file.elements:
        loaded = element.loaded
        if loaded is None:
            continue
        first = cases.setdefault(loaded.id, loaded)
        if first is not loaded:
            message = (
                f'expected an id of its own, got "{loaded.id}" again: the first, at {first.path}:{first.line}, serves'
            )
            faults.append(_fault(file, element, ("id",), message))
    return faults


def _superseding(files: Sequence[CaseFile], cases: dict[str, LoadedCase]) -> list[tuple[str, Fault]]:
    """Find cycles, whose cases are taken out of those that serve, and ids that nobody has."""
    ours = [
        (file, element)
        for file in files
        for element in file.superseding
        if element.loaded is not None and cases.get(element.loaded.id) is element.loaded
    ]
    if not ours:
        return []
    known = {element.id for file in files for element in file.elements}
    rings = cycles({e.loaded.id: e.loaded.case.supersedes for _, e in ours if e.loaded})
    faults: list[tuple[str, Fault]] = []
    for file, element in ours:
        loaded = element.loaded
        if loaded is None:
            continue
        strange = [(index, target) for index, target in enumerate(loaded.case.supersedes) if target not in known]
        for index, target in strange[:_TOLD]:
            message = f'no case here is called "{target}"'
            is_cheap = len(faults) < _TOLD and len(known) < 2000 and len(target) <= ID_CHARS
            cure = nearest(target, filter(None, known)) if is_cheap else None
            fault = _fault(file, element, ("supersedes", index), message, cure)
            faults.append((file.path, replace(fault, severity="warning")))
        ring = rings.get(loaded.id)
        if ring:
            message = f"expected no cycle, got {' → '.join([*ring, ring[0]])}"
            faults.append((file.path, _fault(file, element, ("supersedes",), message)))
    for name in rings:
        del cases[name]
    return faults


def _fault(file: CaseFile, element: Element, path: Path, message: str, cure: str | None = None) -> Fault:
    """Make a fault of a field of an element, at its place in the file."""
    text = file.text(element)
    at = span_of(text, path)[0]
    fault = Fault(
        path=file.path, message=message, line=text.count("\n", 0, at) + 1, column=at - text.rfind("\n", 0, at),
        case=element.id, field=dotted(path), suggestion=cure,
    )  # fmt: skip
    return placed(fault, element.line, file.column(element))


def cycles(targets: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Find what leads back to itself.

    Args:
        targets: a name to the names that it leads to; those that are no key lead nowhere.

    Returns:
        Each name on a cycle to the sorted names of its strongly connected group (Tarjan's algorithm, without recursion).
    """
    search = _Search(targets)
    for name in targets:
        if name not in search.order:
            search.visit(name)
    return search.found


class _Search:
    """One run of Tarjan's algorithm."""

    def __init__(self, targets: Mapping[str, Iterable[str]]) -> None:
        self.targets = targets
        self.order: dict[str, int] = {}
        self.found: dict[str, list[str]] = {}
        self._low: dict[str, int] = {}
        self._stack: list[str] = []
        self._on_stack: set[str] = set()

    def visit(self, root: str) -> None:
        """Follow all that a name leads to."""
        work = [(root, self._enter(root))]
        while work:
            name, following = work[-1]
            for target in following:
                if target in self.targets and target not in self.order:
                    work.append((target, self._enter(target)))
                    break
                if target in self._on_stack:
                    self._low[name] = min(self._low[name], self.order[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    self._low[above] = min(self._low[above], self._low[name])
                if self._low[name] == self.order[name]:
                    self._close(name)

    def _enter(self, name: str) -> Iterator[str]:
        self.order[name] = self._low[name] = len(self.order)
        self._stack.append(name)
        self._on_stack.add(name)
        return iter(self.targets[name])

    def _close(self, name: str) -> None:
        """Take a finished group off the stack; one of a single name is no cycle."""
        group: list[str] = []
        while not group or group[-1] != name:
            group.append(self._stack.pop())
        self._on_stack.difference_update(group)
        if len(group) > 1:
            self.found.update((each, sorted(group)) for each in group)
