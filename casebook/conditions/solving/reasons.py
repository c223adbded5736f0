"""Contradictions in words."""

from __future__ import annotations

from collections.abc import Sequence

from casebook.conditions.render import render
from casebook.conditions.solving.literal import NEVER_NEGATIVE, WHOLE_COUNTS, Conflict, Literal, node_of
from casebook.conditions.tree import Count, Earlier, Field, Test

MOST = 3
"""Conflicts told of a contradiction that has many."""


def reason_of(conflicts: Sequence[Conflict]) -> str:
    """Say why conditions cannot hold together.

    Args:
        conflicts: the sets of literals that stood in the way, each way in which the conditions could hold having one.
    """
    told = list(dict.fromkeys(_sentence(each) for each in conflicts))
    if not told:
        return "it asks for what never holds"
    if len(told) == 1:
        return told[0]
    more = f"; and {len(told) - MOST} more" if len(told) > MOST else ""
    return "each way in which they could hold is closed: " + "; ".join(told[:MOST]) + more


def _sentence(conflict: Conflict) -> str:
    listed = [render(node_of(each)) for each in conflict.core]
    names = ", ".join(listed[:-1]) + " and " + listed[-1] if len(listed) > 1 else listed[0]
    both = "cannot both hold" if len(listed) == 2 else "cannot all hold" if listed[2:] else "can never hold"
    return f"{names} {both}: {_because(conflict.core)}"


def _because(core: Sequence[Literal]) -> str:
    atom = core[0].atom
    if isinstance(atom, Test):
        if any(isinstance(each.atom, Test) and each.atom.op == "exists" and not each.holds for each in core):
            return "what is missing passes no test, and has no parts"
        return _of_field([each.atom.field for each in core if isinstance(each.atom, Test)])
    if any(isinstance(each.atom, Earlier | Count) for each in core):
        return "no session has such events"
    return "there is no such moment"


def _of_field(fields: Sequence[Field]) -> str:
    paths = {each.path for each in fields}
    if len(paths) > 1:
        return "what has parts has no value of its own"
    path = fields[0].path
    name = ".".join(str(each) for each in path)
    if path in WHOLE_COUNTS:
        return f"{name} is a whole number, at least 0"
    if path in NEVER_NEGATIVE:
        return f"{name} is a number, at least 0"
    return f"no value of {name} fits"
