"""`casebook edit`: fields of a case, or of a memory, given on the line, in a file, or in an editor; checked before anything is written."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument, pairs
from casebook.adapters.cli.by_agent import agents_changes, is_agents
from casebook.adapters.cli.desk import doer_argument, journaled, taken_back
from casebook.adapters.cli.example_runs import of_case
from casebook.adapters.cli.place import store_of
from casebook.adapters.cli.source import read_json, shown_name
from casebook.adapters.cli.task_input import value_of
from casebook.adapters.cli.trust_told import unapproved_told
from casebook.faults import CasebookError, NotFoundError, StoreError, nearest
from casebook.limits import CASE_BYTES

if TYPE_CHECKING:
    from casebook.case import LoadedCase
    from casebook.stores.protocol import Store

EPILOG = """\
A value is taken as JSON where the field is no text: priority=9, tags='["a"]', ttl=30d. Lists of words may be written with
commas: on=task,tool. Parts of an object are named with a dot: scope.user=alice. A correction that you write is yours
(`correction_by: person`), unless correction_by is given too. One that an agent writes (--by agent:NAME) is quoted as an agent's; what a
person's case says it does not change, nor whether a case serves, confirms or blocks.

examples:
  casebook edit case_001 priority=9 status=disabled
  casebook edit case_001 --unset ttl
  casebook show case_001 --json > case.json; casebook edit case_001 --file case.json"""

_TEXT = frozenset({"id", "situation", "judgment", "consequence", "correction"})
_WORDS = frozenset({"on", "tags", "supersedes"})


def arguments(parser: Parser) -> None:
    """Add the id and the changes."""
    parser.add_argument("id", metavar="ID", help="the case, or the memory")
    parser.add_argument(
        "changes",
        metavar="FIELD=VALUE",
        nargs="*",
        type=pairs("FIELD"),
        help="a field and its new value; none opens $EDITOR",
    )
    parser.add_argument("--unset", metavar="FIELD", action="append", help="take a field out; may be repeated")
    parser.add_argument("--file", metavar="FILE", help="the whole case as JSON; - reads it from stdin")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Change the case."""
    person = not is_agents(options)  # a name that is none is refused before anything is written
    store = store_of(options)
    snapshot = store.snapshot()
    loaded = snapshot.cases.get(options.id)
    if loaded is None and all(fault.case != options.id for fault in snapshot.faults):
        from casebook.adapters.cli.edit_memory import edited

        return edited(options, snapshot)
    given = bool(options.changes or options.unset)
    if options.file is not None:
        if given:
            raise UsageError("edit: expected fields or --file, got both")
        form, _ = read_json(options.file, CASE_BYTES, "case")
        _replace(store, options.id, loaded, _whose(form, loaded, person=person), shown_name(options.file))
    elif given:
        changes = changes_of(options.changes, loaded, "edit")
        if not person:
            changes = agents_changes(changes, loaded, options.unset or ())
        elif "correction_by" not in changes and "correction_by" not in (options.unset or ()):
            changes = _owned(changes, loaded)
        store.edit(options.id, changes, remove=unset_of(options.unset or (), loaded, "edit"))
    else:
        _in_editor(store, options.id, loaded, person=person)
    after = store.snapshot().cases.get(str(dict(options.changes or ()).get("id", options.id)))
    entry = journaled(options, "edit", [(loaded, after)]).get(options.id)
    if loaded is not None and after is not None and after.version == loaded.version:
        output.words("nothing was changed")
        return _faults_told(store, options.id, loaded if options.json else None)
    return _told(options, store, str(dict(options.changes or ()).get("id", options.id)), entry)


def _whose(form: object, loaded: LoadedCase | None, *, person: bool) -> object:
    """Give the whole text of a case as who gives it may. Raises UsageError where an agent may not."""
    if person or not isinstance(form, dict):
        return _owned(form, loaded)
    removed = [each for each in loaded.case.to_json() if each not in form] if loaded is not None else ()
    return agents_changes(form, loaded, removed)


def _owned(form: Any, loaded: LoadedCase | None) -> Any:
    """Give a person's text of a case, or changes of it; another correction than the detector's or an agent's is the person's."""
    if not isinstance(form, dict) or loaded is None or loaded.case.correction_by == "person":
        return form
    said = form.get("correction_by", loaded.case.correction_by)
    if said != loaded.case.correction_by or form.get("correction", loaded.case.correction) == loaded.case.correction:
        return form
    return {**form, "correction_by": "person"}


def _told(options: Namespace, store: Store, case_id: str, entry: int | None) -> int:
    """Say where the case stands now, and what is odd about it."""
    loaded = store.snapshot().cases.get(case_id)
    as_json: bool = options.json
    if loaded is not None and not as_json:
        output.line(f"edited {case_id} {output.flat(loaded.where)}{taken_back(entry)}")
    _faults_told(store, case_id, loaded if as_json else None)
    if loaded is not None:
        output.warned((*map(str, of_case(loaded, store.snapshot().policy)), *unapproved_told(options, {case_id})))
    return 0 if loaded is not None else 1


def _faults_told(store: Store, case_id: str, shown: LoadedCase | None) -> int:
    """Say what is odd about a case; print it as JSON where it is to be shown. Gives the code 0."""
    if shown is not None:
        output.data(shown.case.to_json())
    faults = store.snapshot().faults
    output.several((fault for fault in faults if fault.case == case_id), "`casebook check` tells all")
    return 0


def changes_of(given: Sequence[tuple[str, str]], loaded: LoadedCase | None, command: str) -> dict[str, Any]:
    """Give the new values of fields; parts of an object are put into what the case has.

    Args:
        given: the fields and their values, as they were typed.
        loaded: the case, or None where it does not serve.
        command: for messages.

    Raises:
        UsageError: a part is named of what has no parts.
    """
    changes: dict[str, Any] = {}
    for name, text in given:
        field, dot, part = name.partition(".")
        value = _value(field, text) if not dot else value_of(text)
        if not dot or field.startswith("x-"):
            changes[name] = value
            continue
        if loaded is None:
            raise UsageError(f"{command}: {name}: the case does not serve, so that {field} must be given whole")
        held = changes.get(field, loaded.case.to_json().get(field))
        if not isinstance(held, dict | None):
            raise UsageError(f"{command}: {name}: {field} is no object, and has no parts")
        changes[field] = {**(held or {}), part: value}
    return changes


def unset_of(names: Sequence[str], loaded: LoadedCase | None, command: str) -> Sequence[str]:
    """Give the fields to take out; one that the case does not have is a mistake of who typed it."""
    if loaded is not None:
        held = loaded.case.to_json()
        for name in names:
            if name not in held:
                near = nearest(name, held)
                hint = f"did you mean {near}?" if near else f"it has {', '.join(held)}"
                raise UsageError(f"{command}: --unset {name}: {loaded.id} has no such field; {hint}")
    return names


def _value(field: str, text: str) -> Any:
    """Give what a text on the command line means for a field."""
    if field in _TEXT:
        return text
    value = value_of(text)
    if field == "trigger_conditions" and not isinstance(value, list):
        return [text if isinstance(value, str) else value]
    if field in _WORDS and isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _replace(store: Store, case_id: str, loaded: LoadedCase | None, form: object, source: str) -> None:
    """Bring a case to the content of a JSON object."""
    if not isinstance(form, dict):
        from casebook.problems import shown

        raise UsageError(f"{source}: expected a case as a JSON object, got {shown(form)}")
    if form.get("id", case_id) != case_id:
        raise UsageError(f'{source}: expected the id "{case_id}", got {json.dumps(form["id"], ensure_ascii=False)}')
    old: Mapping[str, Any] = loaded.case.to_json() if loaded is not None else {}
    remove = [name for name in old if name not in form and name != "id"]
    version = loaded.version if loaded is not None else None
    store.edit(case_id, form, remove=remove, if_version=version)


def _at_a_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _in_editor(store: Store, case_id: str, loaded: LoadedCase | None, *, person: bool) -> None:
    """Open a case in the person's editor, and take what was saved; a text with faults is kept, and its place is told."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not (editor and _at_a_terminal()):
        raise UsageError("edit: expected FIELD=VALUE, --unset or --file (or a terminal and $EDITOR)")
    if loaded is None:
        raise NotFoundError(
            f"{case_id} does not serve; mend it in its file, `casebook show {as_argument(case_id)}` says where"
        )
    text = json.dumps(loaded.case.to_json(), ensure_ascii=False, indent=2) + "\n"
    with tempfile.NamedTemporaryFile("w", suffix=f"-{case_id}.json", encoding="utf-8", delete=False) as stream:
        stream.write(text)
    path = Path(stream.name)
    try:
        _edited(editor, path)
        if not path.exists():
            raise StoreError("the editor took its file away; nothing was written")
        if path.read_bytes() != text.encode():
            form, _ = read_json(str(path), CASE_BYTES, "case")
            _replace(store, case_id, loaded, _whose(form, loaded, person=person), str(path))
    except (CasebookError, UsageError):
        if path.exists() and path.read_bytes() != text.encode():
            output.words(f"what you wrote is kept in {path}")
        else:
            path.unlink(missing_ok=True)
        raise
    path.unlink(missing_ok=True)


def _edited(editor: str, path: Path) -> None:
    """Have a file edited. Raises StoreError, UsageError."""
    try:
        code = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode  # noqa: S603 - the person's editor
    except (OSError, ValueError) as error:  # it is not there; or quotes in it are not closed
        raise UsageError(f"edit: $EDITOR {editor}: {getattr(error, 'strerror', None) or error}") from None
    if code:
        raise StoreError(f"the editor left with {code}; nothing was written")
