"""How a command line is read: options before or after the command, and what is wrong said with the nearest right name."""

from __future__ import annotations

import argparse
import re
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, NoReturn

ENGINES = ("auto", "durable_rules", "reference")
"""What `--engine` may say."""

WIDTH = 100
"""Columns of help texts; the same on every terminal, so that the reference in docs/cli.md is stable."""


_NO_OPTION = "\0"
"""Marks an argument that begins with `-` and is no option; no argument of a process holds this character."""


_ODD = re.compile("[\udc80-\udcff]")
"""What Python makes of a byte of the command line that is no UTF-8."""
_PATHS = ("FILE", "PATH", "DIR")
"""What paths are called in help texts: the name of a file may be any bytes."""


class UsageError(Exception):
    """A wrong command line, or something handed to it that cannot be used: exit code 2. Its text is for the person."""


class Line(NamedTuple):
    """A command line, split.

    Attributes:
        command: the command's name, or None where none stands.
        before: what stands before it.
        after: what stands after it.
    """

    command: str | None
    before: list[str]
    after: list[str]


class Parser(argparse.ArgumentParser):
    """argparse, but that it raises UsageError and names the nearest option."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing and leaving."""
        raise UsageError(_our_words(message))

    def read(self, arguments: Sequence[str]) -> Namespace:
        """Parse arguments; raises UsageError, with the nearest option for one that is unknown.

        What follows `--` is no option, whatever it begins with; so is what follows an option that takes a value.
        """
        options, left = self.parse_known_intermixed_args(list(self._marked(arguments)))
        if left:
            self.refuse(left[0])
        return options

    def _marked(self, arguments: Sequence[str]) -> Iterator[str]:
        """Give the arguments without `--`, those marked that begin with `-` and are no options: argparse would not see it."""
        known = {name: action for action in self._actions for name in action.option_strings}
        takes_value = False
        for at, argument in enumerate(arguments):
            name, equals, _ = argument.partition("=")
            if argument == "--" and not takes_value:
                yield from (_NO_OPTION + each for each in arguments[at + 1 :])
                return
            if not argument.startswith("-") or argument == "-" or name in known:
                yield argument
            elif takes_value:
                yield _NO_OPTION + argument
            else:
                self.refuse(argument)
            takes_value = name in known and known[name].nargs is None and not equals

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if action.metavar not in _PATHS and (odd := _ODD.search(arg_string)):
            raise argparse.ArgumentError(action, f"expected UTF-8, got the byte 0x{ord(odd[0]) - 0xDC00:02x}")
        return super()._get_value(action, arg_string.removeprefix(_NO_OPTION))

    def refuse(self, argument: str) -> NoReturn:
        """Raise UsageError for an argument that this parser does not know."""
        if not argument.startswith("-"):
            raise UsageError(f"expected no further argument, got {argument.removeprefix(_NO_OPTION)!r}")
        from casebook.faults import nearest

        name = argument.partition("=")[0]
        names = {each.lstrip("-"): each for each in self.option_names()}  # the dashes would make all of them alike
        near = names.get(nearest(name.lstrip("-"), names) or "")
        hint = f"did you mean {near}?" if near else ""
        if not near and self._get_positional_actions():
            hint = "what begins with - and is no option stands after --"
        raise UsageError(f"there is no option {name}" + (f"; {hint}" if hint else ""))

    def option_names(self) -> list[str]:
        """Give the long options that it knows."""
        return [name for action in self._actions for name in action.option_strings if name.startswith("--")]


def parser_of(program: str, description: str = "", usage: str | None = None) -> Parser:
    """Give a parser without options but `--help`."""
    return Parser(
        prog=program, description=description, usage=usage, allow_abbrev=False, add_help=False,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=28, width=WIDTH),
    )  # fmt: skip


def usage_of(parser: Parser) -> str:
    """Give the usage line of a command: its arguments by name, its options only as such."""
    forms: dict[object, str] = {None: "{0}", "?": "[{0}]", "*": "[{0} …]", "+": "{0} …"}
    names = [forms[each.nargs].format(each.metavar) for each in parser._get_positional_actions()]  # noqa: SLF001
    return " ".join([parser.prog, *names, "[options]"])


def common(parser: Parser) -> None:
    """Add the options that every command takes."""
    group = parser.add_argument_group("options of every command")
    group.add_argument(
        "--dir", metavar="DIR", action="append",
        help="the casebook; several times for layers, the first wins (else $CASEBOOK_DIR, else the nearest "
        "memory-policy.yaml upward, in a folder or its memory/, and ~/.casebook behind it)",
    )  # fmt: skip
    group.add_argument(
        "--now", metavar="ISO", type=_instant,
        help="the present instant, such as 2026-03-21T03:00 (a wall clock in the casebook's zone) or 2026-03-21T03:00+08:00",
    )  # fmt: skip
    group.add_argument("--json", action="store_true", help="data as JSON")
    group.add_argument("--engine", choices=ENGINES, default="auto", help="the engine that matches (auto)")
    group.add_argument(
        "--traceback", action="store_true", help="the details of a fault of ours (or $CASEBOOK_TRACEBACK)"
    )
    group.add_argument("-h", "--help", action="help", help="this text")


def split_line(arguments: Sequence[str]) -> Line:
    """Find the command among arguments that may begin with options of every command. Raises UsageError."""
    known = parser_of("casebook")
    common(known)
    known.add_argument("--version", action="store_true")
    actions = {name: action for action in known._actions for name in action.option_strings}  # noqa: SLF001
    at = 0
    while at < len(arguments):
        argument = arguments[at]
        if not argument.startswith("-") or argument == "-":
            return Line(argument, list(arguments[:at]), list(arguments[at + 1 :]))
        name, equals, _ = argument.partition("=")
        if name not in actions:
            known.refuse(argument)
        at += 1 if equals or actions[name].nargs == 0 else 2
    return Line(None, list(arguments), [])


def as_argument(case_id: str) -> str:
    """Give an id as a person types it: one that begins with `-` would pass for an option."""
    return f"-- {case_id}" if case_id.startswith("-") else case_id


def pairs(name: str) -> Callable[[str], tuple[str, str]]:
    """Give a reader of `key=value` for the option or argument `name`."""

    def read(text: str) -> tuple[str, str]:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise argparse.ArgumentTypeError(f"expected {name}=VALUE, got {text!r}")
        return key, value

    return read


def number(text: str) -> int:
    """Read a whole number of 1 or more. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more, got {text!r}")
    return int(text)


def _instant(text: str) -> datetime:
    """Read the value of `--now`; naive where it names neither an offset nor, as explanations do, a zone."""
    when, _, zone = text.rpartition(" ")
    try:
        if "/" in zone or zone == "UTC":
            from zoneinfo import ZoneInfo

            found = datetime.fromisoformat(when)
            return found if found.tzinfo is not None else found.replace(tzinfo=ZoneInfo(zone))
        return datetime.fromisoformat(text)
    except (ValueError, KeyError, OSError):  # the last two: no such zone, or a folder of zones
        raise argparse.ArgumentTypeError(
            f"expected an ISO date-time such as 2026-03-21T03:00 (a wall clock in the casebook's zone) or "
            f"2026-03-21T03:00:00+08:00, got {text!r}"
        ) from None


def _our_words(message: str) -> str:
    """Put what argparse says as the rest of the messages is put."""
    message = re.sub(r"^argument ([^:]+): ", r"\1: ", message)
    message = re.sub(r"^([A-Z=]+): (?=expected \1,)", "", message)
    message = re.sub(r"invalid int value: (?=')", "expected a whole number, got ", message)
    chosen = re.match(r"(?P<name>[^:]+): invalid choice: '?(?P<got>.*?)'? \(choose from (?P<names>.*)\)$", message)
    if chosen is None or "expected UTF-8" in message:
        return message.replace("the following arguments are required:", "expected").replace(
            "expected one argument", "expected a value, got nothing"
        )
    from casebook.faults import nearest

    names = [name.strip(" '") for name in chosen["names"].split(",")]
    near = nearest(chosen["got"], names)
    told = f"{chosen['name']}: expected one of {', '.join(names)}, got {chosen['got']!r}"
    return told + (f"; did you mean {near}?" if near else "")
