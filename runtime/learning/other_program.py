"""The same command line with another program: `pnpm install x` worked where `npm install x` had failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from casebook.runtime.facts.programs import AFTER_FIRST, FIND, NETWORK, NO_SUBCOMMAND, PATHS_ONLY, SHELLS, WRAPPERS
from casebook.runtime.facts.shell import program_name
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import PREPARING
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.learning.identifying import private_words
from casebook.runtime.learning.typed_name import PLAIN_NAME, line_of, runs_of, typed_as

LINE_CHARS: Final = 4_000
"""Characters of a command line that is compared: a longer one is a script (ours)."""

_OTHER_ENDS: Final = PREPARING | PATHS_ONLY | AFTER_FIRST | FIND | NETWORK | SHELLS | frozenset(WRAPPERS)
"""Programs whose words are a path, a text or a host that any other may be given too: `rm x` is no way out of `cat x`."""
_SUBCOMMAND: Final = re.compile(r"[a-z]+(?:-[a-z]+)*")
_OWN: Final = re.compile(r"[\d./\\-]")
"""What a generic word has none of: `x.py`, `left-pad`, `src/app`, `web1`."""
_KIN: Final = (
    {"npm", "pnpm", "yarn", "bun"}, {"npx", "bunx"}, {"node", "bun", "deno"}, {"pip", "pipx"}, {"conda", "mamba", "micromamba"},
    {"python", "pypy"}, {"docker", "podman", "nerdctl"}, {"docker-compose", "podman-compose"}, {"apt", "apt-get", "aptitude"},
    {"yum", "dnf", "microdnf"}, {"make", "remake"}, {"kubectl", "oc"}, {"terraform", "tofu"}, {"mvn", "mvnd"}, {"cargo", "cross"},
    {"gcc", "clang", "cc"}, {"g++", "clang++", "c++"}, {"mysql", "mariadb"}, {"mysqldump", "mariadb-dump"}, {"tar", "bsdtar"},
)  # fmt: skip
"""Programs to which the same words mean the same; other spellings of one program (`pip3`) are the same to the facts."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Two programs' names, as they were typed: the one that failed, and the one that then worked."""

    failed: str
    worked: str

    def is_told_apart(self, occurrences: Sequence[EventRecord]) -> bool:
        """Say whether conditions can tell the failed calls from those that worked.

        A program from its own other name they can only where each call was typed by the name that failed (`typed_condition`).
        """
        program = program_name(self.failed)
        return program != program_name(self.worked) or typed_as(occurrences, program) == self.failed


def program_instead(failed: EventRecord, succeeded: EventRecord) -> Instead | None:
    """Give the programs where two shell calls differ in the program alone, and were meant to do the same; else None.

    They were where the programs are kin, with a word behind them at least; of any two where a subcommand and something of its
    own, such as a path or a package's name, stand behind both: `git init` is no way out of `terraform init`.

    Args:
        failed: the call that failed.
        succeeded: one that succeeded after it.
    """
    lines = [line_of(each) for each in (failed, succeeded)]
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
    words: list[str] = []
    for name, record, line in ((names.failed, failed, lines[0]), (names.worked, succeeded, lines[1])):
        program = program_name(name)
        if not PLAIN_NAME.fullmatch(name) or private.has(name) or program in _OTHER_ENDS:
            return None
        words = next((run[1:] for run in runs_of(line) if len(run) > 1 and run[0] == name), [])
        if program not in words_of(record.body, "program") or not words:
            return None
    return names if _are_kin(names) or _tells(names, words) else None


def _are_kin(names: Instead) -> bool:
    one, other = program_name(names.failed), program_name(names.worked)
    return one == other or any(one in kin and other in kin for kin in _KIN)


def _tells(names: Instead, words: Sequence[str]) -> bool:
    """Say whether two programs that are no kin were given a subcommand and something that is not any call's."""
    if any(program_name(name) in NO_SUBCOMMAND for name in (names.failed, names.worked)):
        return False
    operands = [word for word in words if not word.startswith("-")]
    return len(operands) > 1 and bool(_SUBCOMMAND.fullmatch(operands[0])) and any(map(_is_own, operands[1:]))


def _is_own(word: str) -> bool:
    return any(map(str.isalpha, word)) and bool(_OWN.search(word))


def is_same_line(one: EventRecord, other: EventRecord) -> bool:
    """Say whether two shell calls were the very same command line."""
    return line_of(one).split() == line_of(other).split()


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
