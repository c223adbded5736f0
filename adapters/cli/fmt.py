"""`casebook fmt`: conditions rewritten to their canonical text, in place; every other byte of a file stays."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.place import clock_of, roots
from casebook.adapters.cli.targets import Target, target_of
from casebook.faults import Fault, StoreError
from casebook.limits import FILE_BYTES

if TYPE_CHECKING:
    from casebook.policy import Policy
    from casebook.stores.case_file import CaseFile
    from casebook.stores.elements import Element

Language = Literal["zh", "en"]

EPILOG = """\
JSON forms of conditions are left as they are, and so are cases that do not serve.

examples:
  casebook fmt --check
  casebook fmt memory/long_term/rules.json --language en"""


@dataclass(frozen=True, slots=True)
class Change:
    """One condition to rewrite.

    Attributes:
        start, end: where its JSON string stands, in bytes of the file.
        place: `path:line case trigger_conditions[n]`.
        old, new: the condition before and after.
    """

    start: int
    end: int
    place: str
    old: str
    new: str


def arguments(parser: Parser) -> None:
    """Add the paths and how."""
    parser.add_argument("paths", metavar="PATH", nargs="*", help="casebook folders or files of cases (the casebook)")
    parser.add_argument("--check", action="store_true", help="write nothing; code 1 where something would change")
    parser.add_argument("--language", choices=("zh", "en"), help="of the conditions (each its own)")


def run(options: Namespace) -> int:
    """Rewrite, or say what would be."""
    targets = [target_of(path) for path in options.paths] if options.paths else []
    if not targets:
        places = roots(options)
        targets = [Target(each, None) for each in places]
        clock_of(options, places)
    changes: list[Change] = []
    faults: list[Fault] = []
    for target in targets:
        policy = target.policy()
        for path in target.files():
            made = _format(target, path, policy, options.language, faults, check=options.check)
            changes.extend(made)
    _tell(changes, faults, options)
    return 1 if any(fault.severity == "error" for fault in faults) or (options.check and changes) else 0


def _tell(changes: list[Change], faults: list[Fault], options: Namespace) -> None:
    if options.json:
        output.data([{"where": each.place, "old": each.old, "new": each.new} for each in changes])
    else:
        for each in changes:
            output.line(output.flat(f"{each.place}: {each.old} → {each.new}"))
    output.several(faults, "`casebook check` tells all")
    verb = "to rewrite" if options.check else "rewritten"
    output.words(f"{output.counted(len(changes), 'condition')} {verb}" if changes else "all conditions are canonical")


def _format(
    target: Target, path: Path, policy: Policy, language: Language | None, faults: list[Fault], *, check: bool
) -> list[Change]:
    """Format one file: read, rewrite, and write only if nobody else has written in between."""
    from casebook.stores.case_file import read
    from casebook.stores.elements import Reading
    from casebook.stores.reading import read_bytes
    from casebook.stores.splitting import SplitError

    shown = target.shown(path)
    try:
        data, _ = read_bytes(str(path), FILE_BYTES, "file")
        file = read(data, Reading(shown, "", policy.timezone, policy.fields))
    except SplitError as error:
        faults.append(Fault(shown, error.message, error.line, error.column, suggestion=error.suggestion))
        return []
    except OSError as error:
        faults.append(Fault(shown, f"expected a file that can be read: {error.strerror}"))
        return []
    faults.extend(fault for fault in file.faults() if fault.severity == "error")
    changes = [change for element in file.elements for change in _changes(file, element, language, policy)]
    if changes and not check:
        made = bytearray(data)
        for change in reversed(changes):
            made[change.start : change.end] = json.dumps(change.new, ensure_ascii=False).encode()
        _write(target, path, data, bytes(made))
    return changes


def _changes(file: CaseFile, element: Element, language: Language | None, policy: Policy) -> Iterator[Change]:
    """Give the conditions of a case that are not in their canonical text."""
    from casebook.conditions.parse import language_of, parse
    from casebook.conditions.render import render
    from casebook.json_place import line_column, span_of

    if element.loaded is None:
        return
    text = file.text(element)
    for index, old in enumerate(element.loaded.case.trigger_conditions):
        if not isinstance(old, str):
            continue
        node = parse(old, declared=policy.fields)
        new = render(node, language or language_of(old))
        if new == old or parse(new, declared=policy.fields) != node:
            continue
        start, end = span_of(text, ("trigger_conditions", index))
        line, column = line_column(text, start)
        column += file.column(element) - 1 if line == 1 else 0
        yield Change(
            element.start + len(text[:start].encode()),
            element.start + len(text[:end].encode()),
            f"{file.path}:{element.line + line - 1}:{column} {element.id} trigger_conditions[{index}]",
            old,
            new,
        )


def _write(target: Target, path: Path, expected: bytes, data: bytes) -> None:
    """Write a file under the casebook's lock, unless somebody has written it since it was read. Raises StoreError."""
    from filelock import FileLock, Timeout

    from casebook.stores.atomic import replace_file

    try:
        folder = target.machine_folder()
        with FileLock(folder / "write.lock", timeout=20, mode=0o600):
            if path.read_bytes() != expected or not replace_file(path, data, expected):
                raise StoreError(f"{target.shown(path)} was edited at this moment; nothing was written, try again")
    except Timeout:
        raise StoreError(f"{target.root.shown} is being written by another process: waited 20 s") from None
    except OSError as error:
        raise StoreError(f"{target.shown(path)} cannot be written: {error.strerror or error}") from None
