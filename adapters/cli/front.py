"""The front of the command line: finds the command, runs it, and turns what goes wrong into an exit code, in one place.

Exit codes: 0 done · 1 it found faults · 2 wrong usage · 3 a fault of ours · 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from casebook import __version__
from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, common, parser_of, split_line, usage_of
from casebook.adapters.cli.commands import COMMANDS, ELSEWHERE

DONE, FAULTS, USAGE, OURS, INTERRUPTED = 0, 1, 2, 3, 130

_MOST = 2_000
"""Characters of a message."""

_EXITS = """\
exit codes:
  0 done   1 it found faults   2 wrong usage   3 a fault of ours   130 interrupted

`casebook COMMAND --help` says what a command takes."""


def run_line(arguments: Sequence[str]) -> int:
    """Run a command line, without the program's name, and give the exit code. Data went to stdout, words to stderr."""
    given = list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character is told its number
    try:
        code = _run(given)
        if code == USAGE and _is_hook(
            given
        ):  # hosts take 2 for a hook's no: it would block the call, or erase the prompt
            code = FAULTS
        output.flush()
    except BrokenPipeError:
        _drop_output()
        return DONE  # the reader has what it wanted
    except KeyboardInterrupt:
        return INTERRUPTED
    except output.OutputError as error:
        _drop_output()
        _say(f"cannot write the output: {error}")
        return OURS
    return code


def _is_hook(given: list[str]) -> bool:
    return next((each for each in given if each in COMMANDS), None) == "hook"


def _run(given: list[str]) -> int:
    """Run a command line; what a person can mend becomes a message and a code here, the rest is a fault of ours."""
    try:
        line = split_line(given)
        if line.command is None:
            return _without_command(line.before)
        return _run_command(line.command, [*line.before, *line.after])
    except UsageError as error:
        _say(str(error))
        return USAGE
    except (BrokenPipeError, output.OutputError):
        raise
    except SystemExit as stop:  # argparse, after --help
        return stop.code if isinstance(stop.code, int) else DONE
    except Exception as error:  # noqa: BLE001 - the one boundary: whatever is left is ours to mend
        return _answered(error, given)


def _answered(error: Exception, given: list[str]) -> int:
    """Turn an error into a message and a code: one raised on purpose is for the person to mend, any other is ours."""
    from casebook.faults import CasebookError, NotFoundError, PolicyError, TaskError

    if isinstance(error, OSError | CasebookError) and _is_nowhere():
        _say("the working directory is gone; go to one that is there")
        return USAGE
    if not isinstance(error, CasebookError):
        return _ours(error, given)
    _say(str(error))
    return USAGE if isinstance(error, TaskError | NotFoundError | PolicyError) else FAULTS  # a policy: $CASEBOOK_MODE


def _is_nowhere() -> bool:
    """Say whether the folder that this process stands in was deleted."""
    from pathlib import Path

    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _without_command(before: list[str]) -> int:
    """Answer `--version`, or show what commands there are."""
    if "--version" in before:
        output.line(f"casebook {__version__}")
        return DONE
    if any(each in ("--help", "-h") for each in before):
        output.line(overview())
        return DONE
    output.words(overview())
    return USAGE


def _run_command(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        from casebook.faults import nearest

        near = name if name in ELSEWHERE else nearest(name, [*COMMANDS, *ELSEWHERE])
        hint = f"did you mean {ELSEWHERE.get(near, near)}?" if near else f"expected one of {', '.join(COMMANDS)}"
        raise UsageError(f"there is no command {name!r}; {hint}")
    if "--version" in arguments:
        return _without_command(["--version"])
    parser = command_parser(name)
    try:
        options: Namespace = parser.read(arguments)
    except UsageError as error:
        raise UsageError(f"{name}: {error} (`casebook {name} --help`)") from None
    code: int = _module(name).run(options)
    return code


def command_parser(name: str, *, whole: bool = True) -> Parser:
    """Give the parser of a command; imports its module.

    Args:
        name: the command.
        whole: with the options that every command takes.
    """
    summary = COMMANDS[name].summary
    parser = parser_of(f"casebook {name}", f"{summary[0].upper()}{summary[1:]}.")
    module = _module(name)
    module.arguments(parser)
    parser.usage = usage_of(parser)
    parser.epilog = getattr(module, "EPILOG", None)
    if whole:
        common(parser)
    return parser


def _module(name: str) -> ModuleType:
    return import_module(f"casebook.adapters.cli.{COMMANDS[name].module}")


def overview() -> str:
    """Give the text of `casebook --help`."""
    parser = parser_of("casebook", usage="casebook COMMAND [options]")
    lines = [
        "Lessons as cases with trigger conditions, put in front of an agent before every task.",
        "",
        "commands:",
        *(f"  {name:<{max(map(len, COMMANDS)) + 2}}{command.summary}" for name, command in COMMANDS.items()),
    ]
    parser.description = "\n".join(lines)
    parser.epilog = _EXITS
    common(parser)
    parser.add_argument_group("about").add_argument("--version", action="store_true", help="the release")
    return parser.format_help().rstrip("\n")


def _ours(error: BaseException, given: list[str]) -> int:
    """Tell of a fault of ours: what, where in our code, and how to see the details."""
    if "--traceback" in given or os.environ.get("CASEBOOK_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
        return OURS
    place = _place(error)
    _say(f"a fault of ours: {type(error).__name__}: {error}{place}")
    _say("the details: the same command with --traceback, or with CASEBOOK_TRACEBACK=1")
    return OURS


def _place(error: BaseException) -> str:
    """Give the innermost line that raised, for a report."""
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f" ({file}:{trace.tb_lineno})"


def _say(message: str) -> None:
    if len(message) > _MOST:  # what was typed is told with what is wrong with it, and may be of any length
        message = f"{message[: _MOST // 2]} … {message[-_MOST // 2 :]}"
    output.words(output.flat(f"casebook: {message}"))


def _drop_output() -> None:
    """Send what is still to be written nowhere, so that the interpreter's last flush is quiet."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
