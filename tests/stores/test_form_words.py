"""Our own words name nobody: whoever is called like a field, a kind or a day takes nothing of others along."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from casebook import case as cases
from casebook import memory as memories
from casebook.clock import fixed_clock
from casebook.kinds import KINDS
from casebook.scope import Point, Scope
from casebook.stores.folder import FolderStore
from casebook.stores.forgetting import forget_files
from casebook.stores.form_words import FIELDS, VALUES, is_of_form
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import Mentions

NOW = datetime(2026, 3, 21, tzinfo=UTC)
BOBS = {
    "id": "m-bob", "kind": "fact", "text": "words of bob", "tier": "L2", "scope": {"user": "bob"}, "status": "active",
    "source": {"origin": "agent", "by": "bob"}, "created_at": "2026-03-20T12:00:00.000+00:00",
    "tier_since": "2026-03-20", "rule_chain": [{"rule": "R3", "why": "as it is", "at": "2026-03-20T12:00:00Z"}],
}  # fmt: skip
CASE = {"id": "c-bob", "trigger_conditions": ["tool is shell"], "correction": "Look first.", "scope": {"user": "bob"}}
NAMES = [
    "user",
    "text",
    "id",
    "memories",
    "kind",
    "fact",
    "active",
    "agent",
    "L2",
    "20",
    "2026",
    "03",
    "Z",
    "-",
    ".",
    ":",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("by", ["user", "text"])
def test_a_user_or_text_like_a_word_of_ours_leaves_what_is_of_others_byte_for_byte(
    tmp_path: Path, name: str, by: str
) -> None:
    if by == "text" and name in ("user", "active", "text", "id", "kind", "20", "-", ".", ":", "Z"):
        pytest.skip("it stands in words of bob or names of files, too")
    files = {
        "medium_term/active_projects.json": json.dumps({"format": 1, "memories": [BOBS]}, indent=1),
        "long_term/cases.json": json.dumps([CASE], indent=1),
        "archive/2026-03-20_retired.json": json.dumps(
            [{"archived_at": "2026-03-20T12:00:00.000+00:00", "from": "x.json", "reason": "over", "memory": BOBS}]
        ),
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    theirs = {**BOBS, "id": "m-own", "scope": {"user": name}, "text": f"so said {name} " if by == "text" else "mine"}
    own = tmp_path / "medium_term" / "user_prefs.json"
    own.write_text(json.dumps({"format": 1, "memories": [theirs]}))
    what = Forgetting(user=name) if by == "user" else Forgetting(text=name)
    assert forget_files(tmp_path, what, False) == {"memories": 1}
    assert {path: (tmp_path / path).read_text() for path in files} == files
    assert [*FolderMemories(tmp_path).snapshot().memories] == ["m-bob"]
    assert [*FolderStore(tmp_path, clock=fixed_clock(NOW), cache=False).snapshot().cases] == ["c-bob"]
    assert forget_files(tmp_path, what, False) == {}


def test_the_words_are_those_of_the_models() -> None:
    models = (cases.Case, memories.Memory, memories.Origin, memories.Step, cases.Source, Scope)
    assert {name for model in models for name in model.model_fields} <= FIELDS
    assert VALUES["kind"] == set(KINDS)
    assert VALUES["tier"] == set(get_args(memories.Tier))
    assert VALUES["status"] == {*get_args(memories.MemoryStatus), *get_args(cases.Status)}
    assert VALUES["effect"] == set(get_args(cases.Effect))
    assert VALUES["correction_by"] == set(get_args(cases.CorrectionBy))
    assert VALUES["mode"] == set(get_args(cases.Mode))
    assert VALUES["on"] == set(get_args(Point))
    origins: list[Any] = [each.model_fields["origin"].annotation for each in (memories.Origin, cases.Source)]
    assert VALUES["origin"] == {name for each in origins for name in get_args(each)}


@pytest.mark.parametrize(
    ("string", "key", "is_it"),
    [
        ("fact", "kind", True), ("fact", "text", False), ("ann", "status", False), ("2026-03-20", "x-free", True),
        ("2026-03-20T12:00:00.000+08:00", "at", True), ("2026-03-20 by ann", "at", False), ("0312", "at", False),
    ],
)  # fmt: skip
def test_a_value_is_of_our_form_only_where_it_stands_in_its_field(string: str, key: str, is_it: bool) -> None:
    assert is_of_form(string, key) is is_it


@pytest.mark.parametrize(
    ("name", "text", "is_in"),
    [
        ("-", "m-1", False),
        ("-", "a - b", True),
        (".", "the end.", False),
        ("(", "he, (, said", True),
        ("😀", "a😀b", True),
    ],
)
def test_an_id_of_signs_alone_is_none_beside_a_word(name: str, text: str, is_in: bool) -> None:
    assert Mentions(name).within(text) is is_in
    assert (Mentions(name).without(text) != text) is is_in
