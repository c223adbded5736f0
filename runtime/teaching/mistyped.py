"""A command that is none as it is written, or one by two of its names: `git psuh`; `python3, not python`."""

from __future__ import annotations

import re

from casebook.runtime.teaching.command_names import SUBCOMMANDS
from casebook.runtime.teaching.names import Names, program_named


def mistyped(clause: str, names: Names) -> tuple[str, str] | None:
    """Give the word behind a program that is a subcommand but for a letter or two, and that subcommand: `git psuh`, `git push`.

    Args:
        clause: a clause.
        names: what it names.
    """
    for program in names.programs if not names.actions else ():
        found = re.search(rf"(?<![\w./-]){re.escape(program)}\s+([a-z]{{3,}})(?![\w./-])", clause)
        for each in sorted(SUBCOMMANDS.get(program, ())) if found is not None else ():
            if found is not None and found[1] != each and _alike(found[1], each):
                return f"{program} {found[1]}", f"{program} {each}"
    return None


def _alike(word: str, other: str) -> bool:
    """Say whether two words are the same but for two neighbouring letters, or one letter that is more, less or another."""
    if len(word) == len(other):
        apart = [at for at, (one, two) in enumerate(zip(word, other, strict=True)) if one != two]
        swapped = len(apart) == 2 and apart[1] == apart[0] + 1 and sorted(word) == sorted(other)
        return swapped or (len(apart) == 1 and len(word) > 3)
    longer, shorter = sorted((word, other), key=len, reverse=True)
    dropped = (longer[:at] + longer[at + 1 :] for at in range(len(longer)))
    return len(longer) - len(shorter) == 1 and len(shorter) > 3 and not longer.endswith("s") and shorter in dropped


def same_as_instead(clause: str, names: Names, text: str) -> str:
    """Give the program that is to be used and not to be used, by two of its names: `python3, not python`."""
    own = [word.strip(",.;:!，。；`") for word in clause.split()]
    others = {program_named(bare) for word in text.split() if (bare := word.strip(",.;:!，。；`")) not in own}
    return next((each for each in names.programs if not names.actions and each in others), "")
