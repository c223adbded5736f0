"""How a program was typed: `python` and `python3` are one program to the facts, but not to who has only one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from casebook.conditions.tree import Field, Node, Pattern, Test
from casebook.runtime.facts.lexing import simple_commands
from casebook.runtime.facts.programs import SHELLS, WRAPPERS
from casebook.runtime.facts.shell import program_name
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import Anchor
from casebook.runtime.learning.identifying import arguments_of, private_words
from casebook.runtime.learning.sharing import COMMANDS

PLAIN_NAME: Final = re.compile(r"[a-z][a-z+_-]{0,23}(?:\d{1,2}(?:\.\d{1,2})?)?")
"""A program's name that may be told: letters, and a version behind them; no path, no id."""


def line_of(record: EventRecord) -> str:
    """Give the command line of a shell call, as one text; of a list that starts a shell the line that it is handed; else ""."""
    args = arguments_of(record)
    command = next((args[each] for each in COMMANDS if each in args), "")
    if isinstance(command, list) and command and all(isinstance(each, str) for each in command):
        is_shell = len(command) > 2 and program_name(command[0]) in SHELLS
        command = command[-1] if is_shell else " ".join(command)
    return command.strip() if isinstance(command, str) else ""


def runs_of(line: str) -> Iterable[list[str]]:
    """Give the simple commands of a line, each as its words from the program on; what only starts another is left off."""
    for simple in simple_commands(line):
        words = list(simple.words)
        while len(words) > 1 and words[0] in WRAPPERS:
            del words[0]
        if words:
            yield words


def typed_as(occurrences: Sequence[EventRecord], program: str) -> str | None:
    """Give the one spelling of a program that each of some shell calls ran it by; None where there are several, or it may not be told.

    Args:
        occurrences: calls of the shell.
        program: as the facts have it: `python` for `python3`.
    """
    spelled = {frozenset(_spellings(each, program)) for each in occurrences}
    (names,) = spelled if len(spelled) == 1 else (frozenset[str](),)
    (name,) = names if len(names) == 1 else ("",)
    return name if PLAIN_NAME.fullmatch(name) and not private_words(occurrences).has(name) else None


def typed_condition(
    anchor: Anchor, occurrences: Sequence[EventRecord], succeeded: Iterable[EventRecord]
) -> Node | None:
    """Give the condition that tells failed calls from those that worked with the same program by another name.

    Args:
        anchor: of the case; anything but actions and programs of one program gives None.
        occurrences: all of them, calls of the shell.
        succeeded: calls of the anchor that succeeded; without one by another name there is nothing to tell apart.
    """
    programs = {each.partition(" ")[0] for each in (*anchor.actions, *anchor.programs)}
    if len(programs) != 1 or anchor.tools or anchor.intents:
        return None
    (program,) = programs
    name = typed_as(occurrences, program)
    if name is None or not any((found := _spellings(each, program)) and name not in found for each in succeeded):
        return None
    given = next((each for each in COMMANDS if all(each in arguments_of(record) for record in occurrences)), None)
    if given is None:
        return None
    return Test(Field(("args", given)), "matches", Pattern(rf"(?:^|[\s;&|(]){re.escape(name)}(?:\s|$)"))


def is_typed_condition(node: Node) -> bool:
    """Say whether a condition of a learnt case is one of `typed_condition`, which alone asks a command for a pattern."""
    return (
        isinstance(node, Test)
        and node.op == "matches"
        and node.field.path[:1] == ("args",)
        and node.field.path[-1] in COMMANDS
    )


def _spellings(record: EventRecord, program: str) -> set[str]:
    return {words[0] for words in runs_of(line_of(record)) if program_name(words[0]) == program}
