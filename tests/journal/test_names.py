"""Whom an entry's id names is told by how ids of its action are made, whatever somebody is called."""

from __future__ import annotations

import pytest

from casebook.runtime.journal.sought import Sought
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import Mentions


@pytest.mark.parametrize(
    "entry_id",
    [
        "run:expire:2026-03-20T04:00",
        "again:expire:2026-03-20T04:00:1",
        "schedule:expire:0123456789ab",
        "began:expire:2026-03-20T04:00:00+00:00:1",
        "ended:began:expire:2026-03-20T04:00:00+00:00:1",
        "tick:2026-03-20T04:00+00:00",
        "retain:1:1",
        "move:expire:m-9:0123456789abcdef",
        "undo:move:expire:m-9:0123456789abcdef",
        "promote:case_9:1",
        "written:case_9:1",
        "look:case_9:1",
        "limit:expire:ann:2026-03-20",
        "limit:new_signatures:11:2026-03-20",
        "confirm:all:1",
    ],
)
@pytest.mark.parametrize("name", ["1", "expire", "04", "move", "case"])
def test_a_user_who_is_called_like_a_part_of_an_id_takes_no_line_of_others(entry_id: str, name: str) -> None:
    assert not Sought(Forgetting(user=name)).names_part(entry_id)
    assert not Sought(Forgetting(session=name)).names_part(entry_id)


@pytest.mark.parametrize(
    "what, entry_id",
    [
        (Forgetting(user="1"), "limit:new_signatures:1:2026-03-20"),
        (Forgetting(user="a:b"), "limit:new_signatures:a:b:2026-03-20"),
        (Forgetting(ids=frozenset(["m-9"])), "move:expire:m-9:0123456789abcdef"),
        (Forgetting(ids=frozenset(["m-9"])), "undo:move:expire:m-9:0123456789abcdef"),
        (Forgetting(ids=frozenset(["m-9"])), "ask:replaced:m-8:by:m-9"),
        (Forgetting(ids=frozenset(["case_9"])), "promote:case_9:1"),
        (Forgetting(ids=frozenset(["keyerror: no item <*>"])), "queue:case_9:keyerror: no item <*>"),
    ],
)
def test_an_id_in_its_place_is_named(what: Forgetting, entry_id: str) -> None:
    assert Sought(what).names_part(entry_id)


@pytest.mark.parametrize(
    "name, text, is_named",
    [
        ("git", "program is git and text contains rebase", False),
        ("git", "use git rebase, not git merge", False),
        ("shell", "tool is shell", False),
        ("git", "ask @git first", True),
        ("git", "user is git", True),
        ("git", '{"user": "git"}', True),
        ("git", "用户git的偏好", True),
        ("shell", "person:shell", True),
        ("ann", "ask ann first", True),
    ],
)
def test_a_common_word_is_a_name_where_a_person_is_meant(name: str, text: str, is_named: bool) -> None:
    assert Mentions(name).within(text) is is_named
    assert (name in Mentions(name).without(text)) is not is_named
