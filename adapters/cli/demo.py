"""`casebook demo`: the main job on shipped cases, by real commands in a temporary folder, at instants that stand still."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError

_DATA = Path(__file__).parent / "data"
_PUSH = ("--text", "把今天的促销推送给所有用户")
_NIGHT, _MORNING, _FRIDAY = "2026-03-21T03:00", "2026-03-21T07:00", "2026-03-20T17:30+01:00"
_INVOICE = ("--session", "desk", "--tool", "create_invoice")
_LEARNT = "{case}"
"""Stands in a command for the id of the case that the commands before it have told."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is said before, and the commands that follow; `breaks` puts a file with mistakes in first.

    A command may end in `|`, `jq`, an option and a filter: of its JSON only so much is shown.
    """

    said: str
    commands: tuple[tuple[str, ...], ...]
    breaks: bool = False


def _failed(order: str, message: str, now: str) -> tuple[str, ...]:
    """Give the command that reports a failed call."""
    return (
        "after-task", *_INVOICE, "--arg", f"order={order}", "--error", "ValueError", "--message", message, "--now", now,
        "|", "jq", "-c", "{occurrences, tier, case}",
    )  # fmt: skip


_STEPS = (
    Step("A case is a lesson with the conditions that bring it up. This one was learnt the hard way, in Chinese:",
         (("show", "case_001"),)),
    Step("Three in the morning in Shanghai. An agent is about to push a promotion to everybody, and is told:",
         (("match", *_PUSH, "--now", _NIGHT),)),
    Step("At seven the same words are fine. Why? Each condition says what it saw, in English or in Chinese:",
         (("explain", *_PUSH, "--now", _MORNING, "--case", "case_001"),
          ("explain", *_PUSH, "--now", _MORNING, "--case", "case_001", "--language", "zh"))),
    Step("A shell call that would overwrite a colleague's work. What it does is seen through `cd` and `&&`:",
         (("match", "--tool", "shell", "--arg", "command=cd shop && git push --force origin checkout", "--now", _NIGHT),)),
    Step("Friday, half past five in Berlin, a push to main. A person has to say yes first:",
         (("match", "--tool", "shell", "--arg", "command=git push origin main", "--now", _FRIDAY),)),
    Step("Cases also come by themselves. The same mistake, each time with another order: the third time it becomes one:",
         (_failed("4711", "order 4711 of ann@example.com: 118.00 EUR need a VAT id", "2026-03-21T10:00"),
          _failed("4802", "order 4802 of bob@example.org: 59.50 EUR need a VAT id", "2026-03-21T11:30"),
          _failed("5120", "order 5120 of carol@example.net: 940.00 EUR need a VAT id", "2026-03-21T14:00"))),
    Step("The agent was asked what works, and says so. Before the fourth call it is told in time:",
         (("after-task", *_INVOICE, "--correction-of", "Take the VAT id from get_customer first and pass it as vat_id",
           "--now", "2026-03-21T14:05", "|", "jq", "-c", "{tier, case}"),
          ("before-task", *_INVOICE, "--arg", "order=5377", "--now", "2026-03-21T16:00", "|", "jq", "-r", ".prompt"))),
    Step("A person has the last word, and can see how the case came to be:",
         (("review", "list", "--now", "2026-03-21T17:00"),
          ("review", "approve", _LEARNT, "--by", "ann", "--now", "2026-03-21T17:00"),
          ("why", _LEARNT, "--now", "2026-03-21T17:05"))),
    Step("Files are edited by people, and people mistype. What is broken is told with its place and its cure:",
         (("check",),), breaks=True),
    Step("And the rest goes on serving:",
         (("match", *_PUSH, "--now", _NIGHT, "--json", "|", "jq", "-c", "{verdict, matched}"),)),
)  # fmt: skip


def arguments(_: Parser) -> None:
    """Add nothing: it takes no arguments of its own."""


def run(options: Namespace) -> int:
    """Run the steps; the code is that of a fault of ours, if there is one, else done."""
    if options.json:
        raise UsageError("demo: what it shows is for people; every command that it runs takes --json")
    engine = () if options.engine == "auto" else ("--engine", options.engine)
    worst, learnt = 0, ""
    with _stage():
        output.line(
            "Casebook by example: the commands are real, the folder is a temporary one, the clock stands still."
        )
        output.line("\n$ export CASEBOOK_DIR=memory   # eight cases of the examples\n")
        for number, step in enumerate(_STEPS, 1):
            output.line(f"== {number}. {step.said}\n")
            if step.breaks:
                copyfile(_DATA / "broken.json", "memory/long_term/broken.json")
            for command in step.commands:
                typed = tuple(learnt if each == _LEARNT else each for each in command)
                code, told = _command(typed, engine)
                worst, learnt = max(worst, code), told or learnt
    output.line(
        "Next: `casebook init` makes a casebook here, `casebook setup` wires the agents that you have, `casebook teach` writes a case "
        "from what you say;\nin Python: `from casebook.runtime import Runtime`."
    )
    return worst if worst > 1 else 0


def _command(command: tuple[str, ...], engine: tuple[str, ...]) -> tuple[int, str]:
    """Show a command and run it, its words among its data as on a terminal.

    Returns:
        Its code, and the id of the case that its JSON names, if it does.
    """
    from casebook.adapters.cli.front import run_line

    at = command.index("|") if "|" in command else len(command)
    piped = command[at + 1 :]
    pipe = f" | {shlex.join(piped)}" if piped else ""
    output.line(f"$ casebook {' '.join(map(_typed, command[:at]))}{pipe}")
    screen, said, case = sys.stdout, io.StringIO(), ""
    with redirect_stdout(said), redirect_stderr(screen if piped else said):
        code = run_line([*command[:at], *engine])
    text = said.getvalue()
    if piped and code == 0:
        value = json.loads(text)
        text, case = _filtered(value, piped[1], piped[2]), value.get("case") or ""
    output.line(_ACTIVATION.sub(r"\1-…", text))
    return code, case


_ACTIVATION = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b")
"""An activation's id, of which only the beginning, the time, is the same at every run."""


def _filtered(value: dict[str, Any], option: str, wanted: str) -> str:
    """Give what `jq` does of JSON: `-c` and `{a, b}` an object of some fields, `-r` and `.a` the text of one."""
    if option == "-r":
        return f"{value[wanted.removeprefix('.')]}\n"
    names = wanted.strip("{}").split(", ")
    return json.dumps({name: value[name] for name in names}, ensure_ascii=False, separators=(",", ":")) + "\n"


def _typed(argument: str) -> str:
    """Give an argument as a person would type it."""
    if argument.isascii():
        return shlex.quote(argument)
    return f'"{argument}"'


@contextmanager
def _stage() -> Iterator[None]:
    """Stand in a temporary folder with the shipped casebook; put everything back at the end."""
    here = Path.cwd()
    kept = {name: os.environ.pop(name, None) for name in ("CASEBOOK_DIR", "CASEBOOK_MODE")}
    with tempfile.TemporaryDirectory(prefix="casebook-demo-") as folder:
        try:
            copytree(_DATA / "demo", Path(folder) / "memory")
            os.chdir(folder)
            os.environ["CASEBOOK_DIR"] = "memory"
            yield
        finally:
            os.chdir(here)
            os.environ.pop("CASEBOOK_DIR", None)
            os.environ.update({name: value for name, value in kept.items() if value is not None})
