"""The same command line with another program: `pnpm install x` worked where `npm install x` had failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from casebook.runtime.facts.lexing import simple_commands
from casebook.runtime.facts.programs import AFTER_FIRST, FIND, NETWORK, PATHS_ONLY, SHELLS, WRAPPERS
from casebook.runtime.facts.shell import program_name
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import PREPARING
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.learning.identifying import arguments_of, private_words
from casebook.runtime.learning.sharing import COMMANDS

LINE_CHARS: Final = 4_000
"""Characters of a command line that is compared: a longer one is a script (ours)."""

_PLAIN: Final = re.compile(r"[a-z][a-z+_-]{0,23}(?:\d{1,2}(?:\.\d{1,2})?)?")
"""A program's name that may be told: letters, and a version behind them; no path, no id."""
_OTHER_ENDS: Final = PREPARING | PATHS_ONLY | AFTER_FIRST | FIND | NETWORK | SHELLS | frozenset(WRAPPERS)
"""Programs whose words are a path, a text or a host that any other may be given too: `rm x` is no way out of `cat x`."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Two programs' names, as they were typed: the one that failed, and the one that then worked."""

    failed: str
    worked: str


def program_instead(failed: EventRecord, succeeded: EventRecord) -> Instead | None:
    """Give the programs where two shell calls differ in the program alone, with a word after it at least; else None.

    Args:
        failed: the call that failed.
        succeeded: one that succeeded after it.
    """
    lines = [_line_of(each) for each in (failed, succeeded)]
    if not all(lines) or max(map(len, lines)) > LINE_CHARS:
        return None
    before, after = (re.split(r"(\s+)", line) for line in lines)
    if len(before) != len(after):
        return None
    changed = [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    if len(changed) != 1:
        return None
    names = Instead(before[changed[0]], after[changed[0]])
    private = private_words((failed, succeeded))
    for name, record, line in ((names.failed, failed, lines[0]), (names.worked, succeeded, lines[1])):
        program = program_name(name)
        if not _PLAIN.fullmatch(name) or private.has(name) or program in _OTHER_ENDS:
            return None
        if program not in words_of(record.body, "program") or not _is_run(name, line):
            return None
    return names


def _line_of(record: EventRecord) -> str:
    """Give the command line of a shell call, as one text; of a list that starts a shell the line that it is handed."""
    args = arguments_of(record)
    command: Any = next((args[each] for each in COMMANDS if each in args), "")
    if isinstance(command, list) and command and all(isinstance(each, str) for each in command):
        is_shell = len(command) > 2 and program_name(command[0]) in SHELLS
        command = command[-1] if is_shell else " ".join(command)
    return command.strip() if isinstance(command, str) else ""


def _is_run(name: str, line: str) -> bool:
    """Say whether a command line has a name where a program stands, with a word behind it."""
    for simple in simple_commands(line):
        words = list(simple.words)
        while len(words) > 1 and words[0] in WRAPPERS:
            del words[0]
        if len(words) > 1 and words[0] == name:
            return True
    return False


def told_instead(several: Iterable[tuple[Instead, str | None]], users: int | None) -> Instead | None:
    """Give the programs that may be told of some recoveries: the pair that most of them share, and no other as often.

    Args:
        several: of each recovery by another program the programs, and whose it is.
        users: where the case is for everyone: what fewer different users' recoveries share is not told.
    """
    pairs = [*several]
    ranked = Counter(pair for pair, _ in pairs).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    best = ranked[0][0]
    whose = {user for pair, user in pairs if pair == best and user}
    return best if users is None or len(whose) >= users else None
