"""A backslash that JSON took for itself is told with how it is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from casebook.clock import fixed_clock
from casebook.runtime.lint import lint
from casebook.stores.folder import FolderStore
from tests.stores.folders import NOW, write


def told(root: Path, condition: str) -> list[tuple[str, str | None]]:
    """Lint a case whose condition is this piece of JSON."""
    write(root, "a.json", f'[{{"id": "a", "trigger_conditions": [{condition}], "correction": "x"}}]')
    snapshot = FolderStore(root, clock=fixed_clock(NOW), cache=False).snapshot()
    assert snapshot.faults == ()
    return [(each.message, each.suggestion) for each in lint(snapshot)]


@pytest.mark.parametrize(
    ("condition", "what", "sign", "letter"),
    [
        (r'"args.command matches /\bpush\b/"', "pattern", "0008", "b"),
        (r'{"field": "text", "op": "matches", "value": "\bpush\b"}', "pattern", "0008", "b"),
        (r'{"field": "text", "op": "contains", "value": "a\bc"}', "text", "0008", "b"),
        (r'{"field": "path", "op": "contains", "value": "C:\files"}', "text", "000C", "f"),
        (r'{"field": "path", "op": "contains", "value": "C:\temp"}', "text", "0009", "t"),
        (r'{"field": "path", "op": "in", "value": ["a", "C:\new"]}', "text", "000A", "n"),
    ],
)  # fmt: skip
def test_a_control_character_of_an_escape_is_told(
    tmp_path: Path, condition: str, what: str, sign: str, letter: str
) -> None:
    message = rf"the {what} holds a control character, U+{sign}, which JSON makes of \{letter}"
    assert told(tmp_path, condition) == [(message, rf"in JSON a backslash is written twice: \\{letter}")]


@pytest.mark.parametrize(
    "condition",
    [
        r'"args.command matches /\\bpush\\b/"',
        r'{"field": "text", "op": "matches", "value": "a\tb\nc"}',
        r'{"field": "text", "op": "contains", "value": "first\nsecond\tthird"}',
        json.dumps({"field": "path", "op": "contains", "value": "C:\\temp"}),
    ],
)
def test_what_means_the_same_or_is_written_twice_is_not(tmp_path: Path, condition: str) -> None:
    assert told(tmp_path, condition) == []
