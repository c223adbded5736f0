"""What a shell call does: the programs it runs, their subcommands, the paths it names.

What is run counts, not how it is started: `sudo`, `env`, `time`, `xargs`, `bash -c` and the like are looked through;
runners that matter by themselves (`npx`, `uv run`, `docker exec`, `ssh`, `python -m`) are told besides what they start.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from casebook.runtime.facts.lexing import Simple, simple_commands
from casebook.runtime.facts.paths import paths_of
from casebook.runtime.facts.programs import (
    ALIASES,
    FIND,
    FLAGS_WITH_VALUE,
    INTERPRETERS,
    KEYWORDS,
    NO_SUBCOMMAND,
    RUNNER_FLAGS,
    RUNNER_OPERANDS,
    RUNNERS,
    SCRIPTS,
    SHELLS,
    SKIPPED,
    SUBCOMMAND_ALIASES,
    TWO_WORDS,
    WRAPPERS,
)

MAX_COMMANDS = 2_048
"""Commands told of one line; what comes after is not seen."""
_REPEATED = 256
"""Of these so many may be the same again; then one that was told is not told once more, so that no repetition hides what follows."""
_MAX_DEPTH = 8
_MAX_TEXT = 1_048_576
_ABSURD = 10**18
_ASSIGNMENT = re.compile(r"(?:[A-Za-z_]\w*(?:\[[^\]]*\])?\+?|\$env:\w+)=", re.ASCII)
_SUBCOMMAND = re.compile(r"[a-z][a-zA-Z0-9_:@.-]*$")
_PLAIN_SUBCOMMAND = re.compile(r"[a-z][a-z0-9_:-]*$")
_VERSION = re.compile(r"^(python|pip|node|ruby|php|perl|pypy|gcc|clang|lua)-?[0-9.]+$")
_SUFFIX = re.compile(r"\.(?:exe|cmd|bat|ps1)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One program that a command line runs.

    Attributes:
        program: its name without folder, `.exe` and version: `git`, `python`.
        action: program and subcommand: `git push`, `docker compose up`; the program alone where it has none.
        paths: the paths it names, as written, quotes taken off.
    """

    program: str
    action: str
    paths: tuple[str, ...] = ()


class _Walk:
    """What has been found so far, and how much more may be."""

    def __init__(self) -> None:
        self.found: list[ShellCommand] = []
        self._seen: set[ShellCommand] = set()

    def full(self) -> bool:
        return len(self.found) >= MAX_COMMANDS

    def tell(self, program: str, action: str, paths: Sequence[str]) -> None:
        each = ShellCommand(program, action, tuple(paths))
        if not self.full() and not (len(self.found) >= _REPEATED and each in self._seen):
            self.found.append(each)
            self._seen.add(each)


def commands(command: str | Sequence[object]) -> tuple[ShellCommand, ...]:
    """Give what a command line runs, in the order in which the programs stand in it.

    Args:
        command: the line; or the list of arguments that some hosts give (`["bash", "-lc", "git push"]`).

    Returns:
        At most `MAX_COMMANDS`; a command inside another (`echo $(git push)`) comes after it. Never raises.
    """
    walk = _Walk()
    if isinstance(command, str):
        _line(command, walk, 0)
    else:
        words = [word for each in command[:10_000] if (word := _word(each)) is not None]
        if len(words) == 1:
            _line(words[0], walk, 0)
        elif words:
            _simple(Simple(words=words), walk, 0)
    return tuple(walk.found)


def _word(each: object) -> str | None:
    """Give an item of a list of arguments as a word; None for what is none. A number may be one, unless it is absurd."""
    if isinstance(each, str):
        return each
    return str(each) if isinstance(each, int | float) and abs(each) < _ABSURD else None


def _line(text: str, walk: _Walk, depth: int) -> None:
    """Read a command line and all that is nested in it."""
    if depth > _MAX_DEPTH or walk.full():
        return
    in_case = False
    for simple in simple_commands(text[:_MAX_TEXT]):
        if walk.full():
            return
        words = simple.words
        if words and words[0] == "case":
            in_case = True
        if in_case and "esac" in words:
            in_case = False
        if not (in_case and simple.closes == ")"):
            _simple(simple, walk, depth)
        for inner in simple.nested:
            _line(inner, walk, depth + 1)


def _simple(simple: Simple, walk: _Walk, depth: int) -> None:
    """Tell the program of one simple command, past keywords, assignments and wrappers."""
    words = simple.words
    at = 0
    while at < len(words) and (words[at] in KEYWORDS or _ASSIGNMENT.match(words[at])):
        at += 1
    if at + 2 < len(words) and words[at].startswith("$") and words[at + 1] == "=":
        at += 2
    words = words[at:] if at else words
    if not words or words[0] in SKIPPED:
        if simple.targets:
            _targets_only(simple.targets, walk)
        return
    _words(words, simple, walk, depth)


def _targets_only(targets: Sequence[str], walk: _Walk) -> None:
    """Keep the files of a redirection that belongs to no program, with the command before it."""
    paths = paths_of("", (), targets)
    if paths and walk.found:
        last = walk.found[-1]
        walk.found[-1] = ShellCommand(last.program, last.action, last.paths + tuple(paths))


def _words(words: list[str], simple: Simple, walk: _Walk, depth: int) -> None:
    """Tell what a list of words runs: look through wrappers, then into shells and runners."""
    for _ in range(_MAX_DEPTH):
        program = program_name(words[0])
        if program not in WRAPPERS:
            break
        inner = _unwrapped(program, words)
        if not inner:
            break
        words = inner
    program = program_name(words[0])
    if not program or program.startswith("-"):
        return
    if depth > _MAX_DEPTH:
        walk.tell(program, program, ())
        return
    script = _script_of(program, words, simple)
    if script is not None:
        _line(script, walk, depth + 1)
        if simple.targets:
            _targets_only(simple.targets, walk)
        return
    action, rest = action_of(program, words)
    inner_words = _started(program, action, words, rest)
    own = words[1 : len(words) - len(inner_words)] if inner_words else words[1:]
    walk.tell(program, action, paths_of(program, own, simple.targets, action))
    if inner_words and not walk.full():
        if program == "ssh" or (program in FIND and len(inner_words) == 1):
            _line(" ".join(inner_words), walk, depth + 1)
        else:
            _words(inner_words, Simple(), walk, depth + 1)


def program_name(word: str) -> str:
    """Give a program's name: without its folder, `.exe`, `.cmd`, `.bat`, `.ps1`, and version."""
    name = word
    if "/" in name or "\\" in name:
        name = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    if "." in name:
        name = _SUFFIX.sub("", name)
        found = _VERSION.match(name)
        name = found.group(1) if found else name
    return ALIASES.get(name, name)


def _unwrapped(program: str, words: list[str]) -> list[str]:
    """Give the words that a wrapper starts; empty where it starts nothing."""
    valued, operands = WRAPPERS[program]
    at = 1
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        if program == "env" and word in ("-S", "--split-string") and at + 1 < len(words):
            return words[at + 1].split()
        if program == "command" and word in ("-v", "-V"):
            return []
        if word.startswith("-") and len(word) > 1:
            at += 2 if word in valued else 1
        elif _ASSIGNMENT.match(word) and program in ("env", "sudo", "cross-env", "doas"):
            at += 1
        else:
            break
    return words[at + operands :]


def _script_of(program: str, words: list[str], simple: Simple) -> str | None:
    """Give the command line that a shell, `eval` or `su -c` is handed; None where there is none."""
    if program == "eval":
        return " ".join(words[1:])
    if program == "su":
        at = next((i for i, word in enumerate(words) if word in ("-c", "--command")), 0)
        return words[at + 1] if at and at + 1 < len(words) else None
    if program not in SHELLS:
        return None
    for at, word in enumerate(words[1:6], 1):
        takes = _WINDOWS_SCRIPT.get(program)
        if takes is not None:
            if word.casefold() in takes:
                return " ".join(words[at + 1 :])
        elif not word.startswith(("-", "+")):
            if not _OPTION_NAME.match(words[at - 1]):
                return None
        elif word[0] == "-" and word[:2] != "--" and "c" in word:
            return words[at + 1] if at + 1 < len(words) else None
    return simple.stdin if all(word.startswith("-") for word in words[1:]) else None


_OPTION_NAME = re.compile(r"[-+][a-zA-Z]*[oO]$")
_WINDOWS_SCRIPT = {"cmd": ("/c", "/k"), "powershell": ("-command", "-c"), "pwsh": ("-command", "-c")}


def action_of(program: str, words: Sequence[str]) -> tuple[str, list[str]]:
    """Give program and subcommand, and the words after it.

    A program that is not known has its first argument as subcommand where that is a plain lower-case word.
    """
    if program in NO_SUBCOMMAND:
        return program, list(words[1:])
    valued = FLAGS_WITH_VALUE.get(program)
    known = valued is not None or program in TWO_WORDS or program in RUNNERS
    at = _past_flags(words, 1, valued) if known else 1
    pattern = _SUBCOMMAND if known else _PLAIN_SUBCOMMAND
    if at >= len(words) or not pattern.match(words[at]):
        return program, list(words[1:])
    first = SUBCOMMAND_ALIASES.get((program, words[at]), words[at])
    action = f"{program} {first}"
    groups = TWO_WORDS.get(program)
    if groups is not None and (not groups or first in groups):
        second = _past_flags(words, at + 1, valued)
        if second < len(words) and _SUBCOMMAND.match(words[second]):
            action, at = f"{action} {words[second]}", second
            if program == "gcloud":
                third = _past_flags(words, at + 1, valued)
                if third < len(words) and _GCLOUD_VERBS.match(words[third]):
                    action, at = f"{action} {words[third]}", third
    return action, list(words[at + 1 :])


_GCLOUD_VERBS = re.compile(
    r"(?:create|delete|list|describe|update|deploy|ssh|start|stop|reset|add-|remove-|set-|get-)[a-z-]*$"
)


def _past_flags(words: Sequence[str], at: int, valued: frozenset[str] | None) -> int:
    """Give the place of the first word from `at` on that is no flag and no value of one."""
    while at < len(words) and (words[at].startswith(("-", "+")) and len(words[at]) > 1):
        at += 2 if valued is not None and words[at] in valued else 1
    return at


def _started(program: str, action: str, words: Sequence[str], rest: list[str]) -> list[str]:
    """Give the words that a runner starts in turn; empty for every other program."""
    if program in INTERPRETERS:
        return _interpreted(program, words)
    if program in FIND:
        for flag in ("-exec", "-execdir", "-ok", "-x", "--exec"):
            if flag in words:
                inner = list(words[list(words).index(flag) + 1 :])
                stops = [i for i, word in enumerate(inner) if word in (";", "+")]
                return inner[: stops[0]] if stops else inner
        return []
    subcommands = RUNNERS.get(program)
    if subcommands is None or action.removeprefix(program).strip() not in subcommands:
        return []
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    if program == "kubectl":
        return []
    at = _past_flags(rest, 0, RUNNER_FLAGS) + RUNNER_OPERANDS.get(program, 0)
    inner = rest[at:]
    return [inner[0].split("@", 1)[0] if inner[0][:1] != "@" else inner[0], *inner[1:]] if inner else []


def _interpreted(program: str, words: Sequence[str]) -> list[str]:
    """Give what `python -m` or an interpreter of a script with subcommands runs."""
    for at, word in enumerate(words[1:8], 1):
        if program == "python" and word == "-m" and at + 1 < len(words):
            return list(words[at + 1 :])
        if not word.startswith("-"):
            return list(words[at:]) if program_name(word) in SCRIPTS else []
        if word == "-c":
            return []
    return []
