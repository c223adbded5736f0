"""A move says which part of the policy's rule held, and the number that it saw; it quotes no text of a memory."""

from __future__ import annotations

from typing import Any

import pytest

from casebook.policy import Policy
from casebook.runtime.upkeep.held import what_held
from tests.upkeep.made import DAY, HOUR, NOW, Book, memory

DISTIL = "reused >= 2 OR user_explicit == true"


@pytest.mark.parametrize(
    ("rule", "told", "fields", "held"),
    [
        (DISTIL, 2, {}, "reused >= 2 (it was 2)"),
        (DISTIL, 0, {"confirmed": True}, "user_explicit is true"),
        (DISTIL, 3, {"pinned": True}, "reused >= 2 (it was 3) and user_explicit is true"),
        ("reused >= 1 and tier is L2", 1, {}, 'reused >= 1 (it was 1) and tier is "L2"'),
        ("count of recall within 30d >= 2 or triggers > 10", 2, {}, "count of recall within 30d >= 2 (it was 2)"),
        ("recalls > 9 or not (reused > 5)", 1, {}, "not reused > 5"),
        ("reused 至少 2 或 pinned 为 真", 2, {}, "reused >= 2（实为 2）"),
        ({"any": [{"field": "reused", "op": "gte", "value": 2}, {"field": "pinned", "op": "is", "value": True}]}, 2, {}, "reused >= 2 (it was 2)"),
        ("age_days > 2", 0, {}, "age_days > 2 (it was 2.5)"),
        ('text contains "secret"', 0, {"text": "a secret plan"}, 'text contains "secret"'),
        ("always", 0, {}, "always"),
    ],
)  # fmt: skip
def test_it_is_the_part_that_held_with_its_number(rule: Any, told: int, fields: dict[str, Any], held: str) -> None:
    book = Book(now=NOW + 2 * DAY + 12 * HOUR, policy=Policy.model_validate({"rules": {"distil": rule}}))
    kept = memory(**fields)
    book.keep(kept)
    book.tell("m-1", *(NOW + number * HOUR for number in range(told)))
    desk = book.desk()
    assert what_held(desk, "distil", kept, desk.told("m-1")) == held


def test_what_leaves_l1_what_ages_and_what_is_promoted_say_it() -> None:
    book = Book(policy=Policy.model_validate({"rules": {"age": "not_hit_days > 30 and kind is fact"}}))
    book.keep(memory("m-1", "L1"), memory("m-2"), memory("m-3"))
    book.tell("m-1", NOW, NOW + HOUR)
    book.tell("m-3", NOW, NOW + DAY, NOW + 2 * DAY)
    why = {
        move.subject: move.why for job in ("expire", "promote", "age") for move in book.run(job, NOW + 40 * DAY).done
    }
    assert why == {
        "m-1": "in L1 for more than 48h; reused >= 2 (it was 2)",
        "m-2": 'not_hit_days > 30 (it was 40) and kind is "fact": unused for 40 days',
        "m-3": "recalled often enough: L2 → L3 (count of recall within 30d >= 3 (it was 3); told 3 times, recalled 3 times)",
    }
