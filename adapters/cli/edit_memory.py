"""`casebook edit` of a memory: fields given on the line or in a file; checked before anything is written."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import UsageError
from casebook.adapters.cli.desk import taken_back
from casebook.adapters.cli.memory_desk import memory_desk, memory_ids
from casebook.adapters.cli.show import not_found
from casebook.adapters.cli.source import read_json, shown_name
from casebook.adapters.cli.task_input import value_of
from casebook.faults import nearest
from casebook.limits import CASE_BYTES

if TYPE_CHECKING:
    from casebook.memory import Memory
    from casebook.stores.protocol import Snapshot

_TEXT = frozenset({"id", "text", "reason"})


def edited(options: Namespace, snapshot: Snapshot) -> int:
    """Change a memory. Raises NotFoundError where there is none of this id, nor a case."""
    from casebook.memory import UnfitMemoryError
    from casebook.runtime.review.memories import edit_memory

    with memory_desk(options, options.id) as review:
        placed = review.memory(options.id) if review is not None else None
        if review is None or placed is None:
            raise not_found(options.id, snapshot, memory_ids(options))
        changes, remove = _changes(options, placed.memory)
        try:
            after, entry = edit_memory(review, options.id, changes, remove)
        except UnfitMemoryError as error:
            raise UsageError(f"edit {options.id}: {error}") from None
    if options.json:
        output.data(after.memory.to_json())
    elif entry is None:
        output.words("nothing was changed")
    else:
        output.line(f"edited {options.id} {output.flat(after.path)}{taken_back(entry.seq)}")
    return 0


def _changes(options: Namespace, memory: Memory) -> tuple[dict[str, Any], list[str]]:
    """Give the new values, and the fields to take out."""
    held = memory.to_json()
    if options.file is not None:
        if options.changes or options.unset:
            raise UsageError("edit: expected fields or --file, got both")
        form, _ = read_json(options.file, CASE_BYTES, "case")
        if not isinstance(form, dict):
            raise UsageError(f"{shown_name(options.file)}: expected a memory as a JSON object")
        return form, [name for name in held if name not in form]
    if not (options.changes or options.unset):
        raise UsageError("edit: of a memory, expected FIELD=VALUE, --unset or --file")
    changes: dict[str, Any] = {}
    for name, text in options.changes:
        field, dot, part = name.partition(".")
        if dot and not field.startswith("x-"):
            whole = changes.get(field, held.get(field)) or {}
            if not isinstance(whole, dict):
                raise UsageError(f"edit: {name}: {field} is no object, and has no parts")
            changes[field] = {**whole, part: value_of(text)}
        else:
            changes[name] = text if field in _TEXT else value_of(text)
    for name in options.unset or ():
        if name not in held:
            near = nearest(name, held)
            hint = f"did you mean {near}?" if near else f"it has {', '.join(held)}"
            raise UsageError(f"edit: --unset {name}: {memory.id} has no such field; {hint}")
    return changes, list(options.unset or ())
