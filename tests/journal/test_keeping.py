"""What of a value is kept."""

from __future__ import annotations

from typing import Any

import pytest

from casebook import Policy
from casebook.policy import JournalPolicy
from casebook.runtime.journal.keeping import ITEMS, Keeper, kept

POLICY = Policy(journal=JournalPolicy(text_chars=30))


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


def test_a_megabyte_costs_what_is_looked_at_of_it_and_no_secret_shows_at_a_cut() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for place in range(0, 9_000, 40):
        text = "word " * (place // 5) + secret + " tail" * 1_500
        assert secret[4:16] not in kept(text, POLICY)
    assert len(kept("password=x " * 100_000, POLICY)) <= 30


def test_a_name_is_cut_as_a_text_is():
    (name,) = kept({"a" * 1_000_000: {"b": 1}}, Policy())
    assert len(name) == Policy().journal.text_chars
