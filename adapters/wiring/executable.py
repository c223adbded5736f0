"""The command that a host runs: the casebook that this very program belongs to, by its whole path; and how such a command is known again."""

from __future__ import annotations

import os
import shlex
import sys
from itertools import pairwise
from pathlib import Path

_NAMES = ("casebook", "casebook-runtime")
_SUFFIXES = (".exe", ".EXE")
_OPEN = ("shopt -s execfail; exec ", "; exit 0")
"""Around a command for bash: a program that cannot be run is no failure, and one that runs takes the shell's place, its signals too."""


def program() -> tuple[str, ...]:
    """Give the arguments that run this casebook from anywhere: its script beside the interpreter, else the interpreter with `-m casebook`."""
    interpreter = Path(os.path.abspath(sys.executable))  # noqa: PTH100 - resolve() would leave the virtual environment
    for name in _NAMES:
        script = interpreter.with_name(name)
        if script.is_file() and os.access(script, os.X_OK):
            return (os.fspath(script),)
    return (os.fspath(interpreter), "-m", "casebook")


def hook_arguments(host: str, casebooks: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Give the arguments that run a host's hook.

    Args:
        host: its name.
        casebooks: folders that were named; without any the hook finds them from where the host stands.
    """
    named = tuple(part for each in casebooks for part in ("--dir", os.path.abspath(each)))  # noqa: PTH100 - links stay
    return (*program(), "hook", host, *named)


def shell_line(arguments: tuple[str, ...]) -> str:
    """Give arguments as one line for a POSIX shell."""
    return shlex.join(arguments)


def failing_open(line: str) -> str:
    """Give a line for bash that ends well where its program cannot be run, for hosts that take every other end for a no."""
    return line.join(_OPEN)


def is_hook(command: object, host: str) -> bool:
    """Say whether a command of a host's settings runs our hook for it, of whatever installation."""
    arguments = _arguments(command)
    if not arguments:
        return False
    name = Path(arguments[0].replace("\\", "/")).name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    rest = arguments[1:] if name in _NAMES else arguments[3:] if arguments[1:3] == ["-m", "casebook"] else []
    return rest[:2] == ["hook", host]


def missing(command: object) -> str:
    """Give the program of a command where it is not there any more, or cannot be run; else an empty text."""
    arguments = _arguments(command)
    if not arguments:
        return ""
    path = Path(arguments[0])
    return "" if path.is_file() and os.access(path, os.X_OK) else arguments[0]


def casebooks_of(command: object) -> tuple[str, ...]:
    """Give the casebooks that a command names with `--dir`."""
    return tuple(after for before, after in pairwise(_arguments(command)) if before == "--dir")


def _arguments(command: object) -> list[str]:
    if not isinstance(command, str):
        return []
    try:
        return shlex.split(command.removeprefix(_OPEN[0]).removesuffix(_OPEN[1]))
    except ValueError:
        return []
