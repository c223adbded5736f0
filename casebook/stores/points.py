"""The trigger points that a case has where it names none: they follow from what its conditions read."""

from __future__ import annotations

from casebook.conditions.tree import And, Count, Earlier, Node, Not, Or, Test, This, children

_TOOL_FIELDS = frozenset({"tool", "tool_native", "action", "program", "path", "args", "error"})


def reads_tool(node: Node) -> bool:
    """Say whether a condition reads the tool call of the task itself (what a `where` reads are events, but for `this …`)."""
    stack: list[tuple[Node, bool]] = [(node, False)]
    while stack:
        top, in_event = stack.pop()
        if isinstance(top, Test):
            values = top.value if isinstance(top.value, tuple) else (top.value,)
            if not in_event and top.field.root in _TOOL_FIELDS:
                return True
            if any(isinstance(value, This) and value.field.root in _TOOL_FIELDS for value in values):
                return True
        elif isinstance(top, And | Or | Not | Earlier | Count):
            below = in_event or isinstance(top, Earlier | Count)
            stack.extend((child, below) for child in children(top))
    return False
