"""Of which tools a host has to tell: those that cases name, so that other calls cost nothing.

A host's hook is a process for each call that it tells of. So it is wired for the tools that cases name, and for those that act on things
(`LEARNT`): from what fails there the next case is made, and it is to warn without another wiring. Where a case cannot be narrowed to
tools, all are told: one at the tool point that names none, and one that blocks or asks as a turn begins, for then the calls of the turn
are held back. What asks for a tool call cannot do so: hosts tell of none as a turn begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from casebook.case import LoadedCase
from casebook.conditions.tree import And, Node, Or, Test
from casebook.runtime.facts.tools import canonical_tool, hosts, shipped

LEARNT = frozenset({"shell", "edit", "write"})
"""Canonical tools of which a host always tells: what they do is not undone by itself."""
_SHELL_FIELDS = frozenset({"action", "program"})
"""Fields that a shell call alone has."""
_CALL_FIELDS = frozenset({"tool", "tool_native", "action", "program", "path", "args"})
"""Fields that hosts tell only where a tool is about to be called."""
_HOLD_WHERE_MISSING = frozenset({"is_not", "not_in", "missing"})
"""Ops that hold for a field that is missing."""


def named_tools(cases: Iterable[LoadedCase], policy_tools: Mapping[str, str]) -> frozenset[str] | None:
    """Give the names of tools, canonical or native, that a host has to tell of.

    Args:
        cases: of the casebook; only active ones count.
        policy_tools: the policy's `tools`, native to canonical.

    Returns:
        None where it has to tell of all.
    """
    found = set(LEARNT)
    for each in cases:
        case = each.case
        if case.status != "active":
            continue
        if "task" in case.on and case.effect != "advise" and not any(map(_asks_for_a_call, each.conditions)):
            return None
        if "tool" not in case.on:
            continue
        tools = _of_all(each.conditions)
        if tools is None:
            return None
        found |= {canonical_tool(name, policy_tools) for name in tools}
    return frozenset(found)


def native_names(
    tools: frozenset[str] | None, titles: Iterable[str], policy_tools: Mapping[str, str]
) -> frozenset[str] | None:
    """Give the names by which a host knows tools.

    Args:
        tools: canonical names, or native ones of no canonical name; None for all.
        titles: the host's groups in the shipped table (`runtime/facts/data/tools.json`).
        policy_tools: the policy's `tools`.
    """
    if tools is None:
        return None
    own = {native: canonical for title in titles for native, canonical in hosts()[title].items()}
    table = {**own, **policy_tools}
    native = {name for name, canonical in table.items() if canonical in tools}
    return frozenset(native | {name for name in tools if name not in _canonical()})


def _asks_for_a_call(node: Node) -> bool:
    """Say whether a condition cannot hold where no tool is about to be called."""
    if isinstance(node, And):
        return any(map(_asks_for_a_call, node.items))
    if isinstance(node, Or):
        return all(map(_asks_for_a_call, node.items))
    return isinstance(node, Test) and node.field.root in _CALL_FIELDS and node.op not in _HOLD_WHERE_MISSING


def _canonical() -> frozenset[str]:
    return frozenset(shipped().values())


def _of_all(nodes: Iterable[Node]) -> frozenset[str] | None:
    """Give the tools to which conditions that must all hold narrow a call; None where they do not."""
    narrowed: frozenset[str] | None = None
    for node in nodes:
        tools = _of(node)
        if tools is not None:
            narrowed = tools if narrowed is None else min(narrowed, tools, key=len)
    return narrowed


def _of(node: Node) -> frozenset[str] | None:
    """Give the tools of which one must be called where a condition holds; None where it may be any."""
    if isinstance(node, And):
        return _of_all(node.items)
    if isinstance(node, Or):
        parts = [_of(each) for each in node.items]
        return None if any(part is None for part in parts) else frozenset().union(*(part for part in parts if part))
    return _of_test(node) if isinstance(node, Test) else None


def _of_test(test: Test) -> frozenset[str] | None:
    name = test.field.path[0] if len(test.field.path) == 1 else ""
    if name in _SHELL_FIELDS:
        return None if test.op in _HOLD_WHERE_MISSING else frozenset({"shell"})
    if name not in ("tool", "tool_native") or test.op not in ("is", "in"):
        return None
    values = test.value if isinstance(test.value, tuple) else (test.value,)
    return (
        frozenset(each for each in values if isinstance(each, str))
        if all(isinstance(each, str) for each in values)
        else None
    )
