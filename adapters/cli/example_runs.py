"""Runs the examples that cases carry, and finds the place in its file of each that does not hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from casebook.faults import Fault

if TYPE_CHECKING:
    from casebook.adapters.cli.place import Root
    from casebook.case import LoadedCase
    from casebook.policy import Policy
    from casebook.stores.protocol import Snapshot


@dataclass(frozen=True, slots=True)
class Runs:
    """What came of the examples: how many were run, and a fault for each that did not hold."""

    count: int
    faults: tuple[Fault, ...]


def run_examples(root: Root, snapshot: Snapshot) -> Runs:
    """Run every example of every case that serves.

    Args:
        root: the casebook, to find places in its files.
        snapshot: its cases.
    """
    from casebook.runtime.lint.examples import broken, examples_of

    files: dict[str, str] = {}
    count = 0
    faults = []
    for loaded in snapshot.cases.values():
        for name, index, form in examples_of(loaded):
            count += 1
            why = broken(loaded, name, form, snapshot.policy)
            if why is not None:
                line, column = _place(root, loaded, name, index, files)
                faults.append(Fault(loaded.path, why, line, column, loaded.id, f"examples.{name}[{index}]"))
    return Runs(count, tuple(faults))


def of_case(loaded: LoadedCase, policy: Policy) -> tuple[Fault, ...]:
    """Give a fault for each of a case's own examples that does not hold; they bear the case's line."""
    from casebook.runtime.lint.examples import broken, examples_of

    found = ((name, index, broken(loaded, name, form, policy)) for name, index, form in examples_of(loaded))
    return tuple(
        Fault(loaded.path, why, loaded.line, None, loaded.id, f"examples.{name}[{index}]")
        for name, index, why in found
        if why is not None
    )


def _place(
    root: Root, loaded: LoadedCase, name: str, index: int, files: dict[str, str]
) -> tuple[int | None, int | None]:
    """Find the line and column of an example in its file; the case's line where the file has changed meanwhile."""
    from casebook.json_place import line_column, span_of

    text = files.get(loaded.path)
    if text is None:
        try:
            text = (root.path / loaded.path).read_bytes().decode("utf-8-sig", "replace")
        except OSError:
            text = ""
        files[loaded.path] = text
    start = _start(text, loaded)
    if start is None:
        return loaded.line, None
    at, _ = span_of(text, ("examples", name, index), start)
    return line_column(text, at)


def _start(text: str, loaded: LoadedCase) -> int | None:
    """Find the offset of a case's opening brace on its line."""
    line_start = 0
    for _ in range(loaded.line - 1):
        line_start = text.find("\n", line_start) + 1
        if not line_start:
            return None
    line_end = text.find("\n", line_start)
    at = text.find("{", line_start)
    decoder = json.JSONDecoder()
    while at != -1 and (line_end == -1 or at < line_end):
        try:
            value, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and value.get("id") == loaded.id:
            return at
        at = text.find("{", at + 1)
    return None
