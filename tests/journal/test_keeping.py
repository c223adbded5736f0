"""What of a value is kept."""

from __future__ import annotations

from typing import Any

import pytest

from casebook import Policy
from casebook.policy import JournalPolicy
from casebook.runtime.journal.keeping import ITEMS, Keeper, kept

POLICY = Policy(journal=JournalPolicy(text_chars=20))


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (2.5, 2.5),
        ("short", "short"),
        ({"a": ["b", 1, None]}, {"a": ["b", 1, None]}),
        ({"password": "hunter2"}, {"password": "[redacted:field]"}),
        (10**400, "an integer of 1329 bits"),
        ([10**400], ["an integer of 1329 bits"]),
        (list(range(200)), list(range(ITEMS))),
    ],
)
def test_a_value_keeps_its_shape(value: Any, wanted: Any) -> None:
    assert kept(value, POLICY) == wanted
    assert Keeper(POLICY).kept(value) == wanted


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    text = "begin " + "x" * 5_000 + " end"
    found = kept(text, Policy(journal=JournalPolicy(text_chars=200)))
    assert len(found) <= 200
    assert found.startswith("begin")
    assert found.endswith("end")
