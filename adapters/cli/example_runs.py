"""Runs the examples that cases carry: each case alone, on each of its tasks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from casebook.faults import Fault, TaskError

if TYPE_CHECKING:
    from casebook.adapters.cli.place import Root
    from casebook.case import LoadedCase
    from casebook.policy import Policy
    from casebook.stores.protocol import Snapshot
    from casebook.task import Task

_IGNORED = ("status", "mode", "superseded", "spent")
"""What does not count in an example: a draft's examples are run before it is active, and the case is alone."""
_OF_THE_DAY = ("created", "expired")
"""What does not count where a task names no instant: an example must not break by the passing of days."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What came of the examples: how many were run, and a fault for each that did not hold."""

    count: int
    faults: tuple[Fault, ...]


def run_examples(root: Root, snapshot: Snapshot, now: datetime) -> Runs:
    """Run every example of every case that serves.

    Args:
        root: the casebook, to find places in its files.
        snapshot: its cases.
        now: the instant of tasks that name none, aware.
    """
    files: dict[str, str] = {}
    count = 0
    faults = []
    for loaded in snapshot.cases.values():
        for name, index, form in _examples(loaded):
            count += 1
            why = _broken(loaded, name, form, snapshot.policy, now)
            if why:
                line, column = _place(root, loaded, name, index, files)
                faults.append(Fault(loaded.path, why, line, column, loaded.id, f"examples.{name}[{index}]"))
    return Runs(count, tuple(faults))


def _examples(loaded: LoadedCase) -> Iterator[tuple[str, int, dict[str, Any]]]:
    examples = loaded.case.examples
    if examples is not None:
        for name, forms in (("fires", examples.fires), ("silent", examples.silent)):
            for index, form in enumerate(forms):
                yield name, index, form


def _broken(loaded: LoadedCase, name: str, form: dict[str, Any], policy: Policy, now: datetime) -> str:
    """Say how an example does not hold; nothing where it does."""
    from casebook.task import Task

    try:
        task = Task.from_json(form)
    except TaskError as error:
        return str(error)
    against = next(_against(loaded, task, policy, now), None)
    if name == "fires" and against:
        return f"expected the case to fire on this task, but {against}"
    if name == "silent" and against is None:
        return "expected the case to stay silent on this task, but all its conditions hold"
    return ""


def _against(loaded: LoadedCase, task: Task, policy: Policy, now: datetime) -> Iterator[str]:
    """Give what keeps a case from firing on a task: its scope, then what holds it back, then conditions that fail."""
    from casebook.conditions.evaluate import trace
    from casebook.runtime.answer.eligibility import reasons, standing_of
    from casebook.runtime.answer.isolation import principal_of, reachable
    from casebook.runtime.answer.why import condition_words, reason_words
    from casebook.runtime.facts.extract import extract

    if not reachable(loaded, principal_of(task)):
        named = ", ".join(f"{key} {name}" for key, name in loaded.case.scope.named.items())
        yield f"it is for {named} only, and the task is not theirs"
    facts = extract(task, policy, now)
    for reason in reasons(loaded, standing_of(task, facts.at, policy, {loaded.id: loaded}, None)):
        code = reason.partition(":")[0]
        if code not in _IGNORED and (task.at is not None or code not in _OF_THE_DAY):
            yield reason_words(reason, "en", policy.timezone)
    for index, node in enumerate(loaded.conditions):
        seen = trace(node, facts, loaded.zone)
        if not seen.holds:
            yield f"trigger_conditions[{index}] does not hold: {condition_words(seen, 'en')}"


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
