"""Rules of the policy that hold for no memory of the tier that they are asked of."""

from __future__ import annotations

from collections.abc import Iterator

from casebook.conditions.satisfiable import Contradiction, satisfiable
from casebook.conditions.tree import Field, Node, Test, walk
from casebook.faults import Fault, nearest
from casebook.memory_facts import DECLARED, parse_rule
from casebook.policy import Rules
from casebook.problems import shown
from casebook.runtime.lint.book import Book, Finding
from casebook.runtime.lint.unheard import EQUALITY
from casebook.stores.policy_reading import POLICY_NAME

_ASKED_OF = {"distil": "L1", "age": "L2", "promote": "L2", "idle": "L3"}
"""The tier of the memories of which each rule is asked (`casebook.runtime.upkeep`)."""
BY = ("person", "agent", "tool")
"""Who says what we write; what somebody writes by hand may name others."""


def find(book: Book) -> Iterator[Finding]:
    """Give the rules that can never hold; the shipped ones can."""
    shipped = Rules()
    for name, tier in _ASKED_OF.items():
        rule = getattr(book.policy.rules, name)
        if rule == getattr(shipped, name):
            continue
        for named in _unheard_of(parsed := parse_rule(rule)):
            message = f"by holds one of {', '.join(BY)}, as far as we write it, and never {shown(named)}"
            cure = nearest(named, BY) if isinstance(named, str) else None
            fault = Fault(POLICY_NAME, message, field=f"rules.{name}", suggestion=cure, severity="warning")
            yield Finding("unheard", fault)
        nodes = (Test(Field(("tier",)), "is", tier), parsed)
        answer = satisfiable(nodes, book.policy.timezone, declared=DECLARED)
        if isinstance(answer, Contradiction):
            message = f"can never hold of a memory in {tier}, of which alone it is asked: {answer.reason}"
            yield Finding("never", Fault(POLICY_NAME, message, field=f"rules.{name}", severity="warning"))


def _unheard_of(rule: Node) -> Iterator[object]:
    """Give what `by` is compared with and we never write."""
    for each in walk(rule):
        if isinstance(each, Test) and each.field.path == ("by",) and each.op in EQUALITY:
            yield from (
                one for one in (each.value if isinstance(each.value, tuple) else (each.value,)) if one not in BY
            )
