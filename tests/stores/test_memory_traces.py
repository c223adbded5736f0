"""Whether a folder may hold memories is told from names and first bytes; where that cannot be, it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from casebook.stores.memory_traces import may_hold_memories

MEMORIES = '{"format": 1, "memories": []}'
CASES = '[{"id": "a", "trigger_conditions": ["always"], "correction": "x"}]'


@pytest.mark.parametrize(
    "files, may",
    [
        ({}, False),
        ({"long_term/cases.json": CASES, "short_term/.gitignore": "*"}, False),
        ({"short_term/session_a.json": MEMORIES}, True),
        ({"medium_term/user_prefs.json": MEMORIES}, True),
        ({"long_term/identity.json": MEMORIES}, True),
        ({"long_term/team/any-name.json": MEMORIES}, True),
        ({f"long_term/{number}.json": CASES for number in range(65)}, True),  # too many to look at
    ],
)
def test_a_folder_may_hold_memories(tmp_path: Path, files: dict[str, str], may: bool) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert may_hold_memories(tmp_path) is may
