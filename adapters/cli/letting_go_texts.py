"""How the memories that somebody may mean who says that something is to be forgotten are named, and what takes them out."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import as_argument

if TYPE_CHECKING:
    from casebook.runtime.memory.kept import Kept

FEW = 5
"""Memories that are named (ours: a screen's corner); `--json` has all."""
CHARS = 100
"""Characters of each that are shown."""


def meant_lines(kept: Kept) -> Iterator[str]:
    """Give the memories that may be meant, and the commands that take them out; nothing where there are none."""
    from casebook.gate.letting_go import asks_all_to_go
    from casebook.gate.own_words import view_of

    meant = kept.meant
    if not meant:
        return
    if kept.did == "archived":
        yield f"  {'one more is' if len(meant) == 1 else f'{len(meant)} more are'} about it, and {'stays' if len(meant) == 1 else 'stay'}:"
    else:
        yield f"  nothing was taken out yet; what may be meant, {output.counted(len(meant), 'memory', 'memories')}:"
    for each in meant[:FEW]:
        yield f"    {each.id}  {output.clipped(output.one_line(each.text), CHARS)}"
    if len(meant) > FEW:
        yield f"    and {len(meant) - FEW:,} more: `casebook list --memories`"
    one = meant[0].id if len(meant) == 1 else "ID"
    yield f"  `casebook archive {as_argument(one)}` takes {'it' if len(meant) == 1 else 'one'} out, `casebook restore` brings it back"
    if kept.did != "archived" and not asks_all_to_go(view_of(kept.weighed.text)):
        yield f"  where only part of it is to go: `casebook edit {as_argument(one)} text='…'` says what stays"
    user = next(iter({each.scope.user for each in meant}), None)
    if asks_all_to_go(view_of(kept.weighed.text)) and user:
        yield f"  for good, out of every file: `casebook forget --user {quote(user)}` counts, with --yes it does it"
    elif len(meant) == 1 and len(meant[0].text) <= CHARS:
        yield f"  for good, out of every file: `casebook forget --text {quote(meant[0].text)}` counts, with --yes it does it"
