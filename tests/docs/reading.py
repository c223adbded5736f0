"""Reads a page of documentation with Sybil and runs what it shows, in one folder and one namespace a page.

| block | what is done with it |
|---|---|
| `python` | executed; with `>>>`, what it shows is compared (doctest) |
| `json NAME`, `yaml NAME` | written to the file NAME |
| `console` | each line after `$ ` is run, by bash if it is more than a `casebook` command, and what is below it is compared; `…` stands for any lines, `"…"` and a line's last `…` for any text |
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from sybil import Document, Example, Region
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

from casebook.runtime.matching.engines import load_engine
from tests.docs import loaded

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/python.md",
    "docs/matching.md",
    "docs/durable-rules.md",
    "docs/learning.md",
    "docs/review.md",
    "docs/replay.md",
    "docs/journal.md",
    "docs/memories.md",
    "docs/teaching.md",
    "docs/upkeep.md",
    "docs/frameworks.md",
)
ENGINE_NAMES = re.compile(r"\b(casebook_|[pr])\d+\b(?:\": \d+)?")
"""The engine's names and codes are numbered in the order of use: they are compared without their numbers."""

PLAIN = re.compile(r"""casebook(?: (?:[\w ./:=@,%+-]|"[^"$`\\!]*"|'[^']*')*)?""")
"""A command in which bash would only take words apart."""


def rows_of(text: str, head: str) -> list[list[str]]:
    """Give the cells of the table of a page whose first cell of the head is that, row by row."""
    (rows,) = re.findall(rf"^\| {re.escape(head)} \|[^\n]*\n\|[-| ]+\|\n((?:\|[^\n]*\n)+)", text, re.MULTILINE)
    return [
        [cell.strip() for cell in row.removeprefix("|").removesuffix("|").split(" | ")] for row in rows.splitlines()
    ]


def run_page(page: str) -> dict[str, object]:
    """Run all that a page shows in the present folder; gives the namespace of its Python blocks."""
    document = Document.parse(str(ROOT / page), PythonCodeBlockParser(), files, CodeBlockParser("console", console))
    for example in document.examples():
        example.evaluate()
    return document.namespace


def files(document: Document) -> Iterator[Region]:
    """Find the blocks that are files with a name."""
    for region in RawFencedCodeBlockLexer(re.compile(r"(?:json|yaml) (?P<name>\S+)\n"))(document):
        region.parsed, region.evaluator = region.lexemes, write
        yield region


def write(example: Example) -> None:
    """Write a block to its file."""
    path = Path(example.parsed["name"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(example.parsed["source"]), encoding="utf-8")


def console(example: Example) -> None:
    """Run the commands of a block and compare what they print, words on stderr included."""
    for shown in str(example.parsed).removeprefix("$ ").split("\n$ "):
        command, _, expected = shown.partition("\n")
        got = shell(command)
        if "durable_rules" in expected and load_engine()[0] is None:
            continue  # the page shows the engine that this Python cannot import
        lines = ENGINE_NAMES.sub(r"\1#", expected.strip()).split("\n")
        pattern = "".join("(?:.*\n)*?" if line == "…" else _shown(line) + "\n" for line in lines)
        assert re.fullmatch(pattern, ENGINE_NAMES.sub(r"\1#", got.strip()) + "\n"), f"{command}\n{got}"


def _shown(line: str) -> str:
    """Give the pattern of a line that a page shows."""
    return re.sub(r"…$", r"[^\n]*", re.escape(line).replace('"…"', '"[^\n]*"'))


def shell(command: str) -> str:
    """Run one line with `casebook` and `python` being those under test; gives what it printed."""
    environment = environment_of_commands()
    if PLAIN.fullmatch(command):
        return loaded.output_of(shlex.split(command)[1:], environment)
    return by_bash(command, environment)


def environment_of_commands() -> dict[str, str]:
    """Give an environment in which `casebook` and `python` are those under test."""
    commands = Path(os.environ["HOME"]) / "commands"
    commands.mkdir(exist_ok=True)
    for name, more in (("python", ""), ("casebook", "-m casebook")):
        script = commands / name
        if not script.exists():
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {more} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{commands}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",  # data and words in the order in which a terminal shows them
    }


def by_bash(command: str, environment: Mapping[str, str]) -> str:
    """Run a line in processes of its own; gives what it printed."""
    run = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        check=False,
    )
    return run.stdout
