"""The tables of docs/python.md name what the code has, all of it and nothing else."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

import pytest

import casebook
import casebook.runtime
from casebook.conditions.fields import EVENT_FIELDS
from casebook.faults import CasebookError
from casebook.gate.candidate import Candidate
from casebook.outcome import Outcome
from casebook.runtime.answer.activation import Activation, Related
from casebook.runtime.answer.explanation import Explanation
from casebook.runtime.ended import Ended
from casebook.runtime.guard import guard
from casebook.runtime.learning.receipt import Receipt
from casebook.runtime.memory.kept import Kept
from casebook.runtime.memory_door import MemoryDoor
from casebook.runtime.runtime import Runtime
from casebook.runtime.upkeep.protocol import Desk, Report
from casebook.task import Task
from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[str]:
    """Give the first cells of a section's tables, without their heads."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)


def named(heading: str) -> list[str]:
    """Give the names in these cells, without their arguments."""
    return sorted(re.findall(r"`(\w+)[^`]*`", " ".join(rows(heading))))


def parameters() -> list[str]:
    """Give the parameters of `Runtime.open`."""
    return list(inspect.signature(Runtime.open).parameters)


def members() -> set[str]:
    """Give what a runtime offers."""
    return {name for room in (Runtime, MemoryDoor) for name in vars(room) if name[0] != "_" and name != "open"}


def errors(base: type[CasebookError]) -> list[type[CasebookError]]:
    """Give an exception and all below it that Casebook defines."""
    return [base, *(each for below in base.__subclasses__() for each in errors(below))]


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Task", list(Task.model_fields)),
        ("Outcome", list(Outcome.model_fields)),
        ("Receipt", [each.name for each in fields(Receipt)]),
        ("Guarded functions", [name for name in inspect.signature(guard).parameters if name != "runtime"]),
        ("History", [*EVENT_FIELDS, "kind", "at", "id"]),
        ("Activation", [each.name for each in fields(Activation)]),
        ("Explanation", [each.name for each in fields(Explanation)]),
        ("Candidate", list(Candidate.model_fields)),
        ("Kept", [each.name for each in fields(Kept)]),
        ("Related", [each.name for each in fields(Related)]),
        ("Ended", [each.name for each in fields(Ended)]),
        ("Report", [each.name for each in fields(Report)]),
        ("Desk", [each.name for each in fields(Desk)]),
        ("Runtime", [*parameters(), *members()]),
    ],
)
def test_a_table_names_every_field_and_no_other(heading: str, names: list[str]) -> None:
    assert named(heading) == sorted(names)


def test_the_page_shows_the_arguments_of_open_as_they_are() -> None:
    (shown,) = re.findall(r"`Runtime\.open\((.*)\)`", PAGE)
    assert [each.split("=")[0] for each in shown.split(", ") if each != "*"] == parameters()


@pytest.mark.parametrize("room", [casebook, casebook.runtime])
def test_the_page_names_what_a_room_gives(room: ModuleType) -> None:
    told = set(re.findall(r"\w+", PAGE))
    named = {name for name in room.__all__ if not name.startswith("_")}
    assert named - told <= {"Fault", "LoadedCase", "Scope"}


def test_every_exception_is_named_with_the_module_that_has_it() -> None:
    table = re.findall(r"^\| `(\w+)` \| `([\w.]+)` \|", PAGE, re.MULTILINE)
    for name, module in table:
        assert issubclass(getattr(import_module(module), name), CasebookError)
    for each in walk_packages(casebook.__path__, "casebook."):
        if not each.name.startswith(("casebook.adapters", "casebook.__main__")):
            import_module(each.name)
    found = [each for each in errors(CasebookError) if each.__module__.startswith("casebook.")]
    found = [each for each in found if not each.__module__.startswith("casebook.adapters.")]
    defined = {each.__name__ for each in found if each.__name__[0] != "_"}
    assert {name for name, _ in table} == defined
