"""What a wired command needs and is not there any more: nothing of the wiring works then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote

from casebook.adapters.wiring.executable import casebooks_of, missing


def gone(commands: Iterable[str], cure: str, *, more: Iterable[str] = ()) -> Iterator[str]:
    """Say which programs and casebooks are not there any more, each once.

    Args:
        commands: as they are wired, for a shell.
        cure: the command that wires this casebook.
        more: casebooks that are named beside the commands.
    """
    known = tuple(commands)
    for program in sorted({program for each in known if (program := missing(each))}):
        yield f"{program} is not there any more; `{cure}` wires this casebook"
    for folder in sorted({folder for each in known for folder in casebooks_of(each)} | set(more)):
        if not Path(folder).is_dir():
            yield (
                f"{folder}, the casebook that is wired, is not there any more; `casebook init {quote(folder)}` makes one, "
                f"`{cure}` wires without it"
            )
