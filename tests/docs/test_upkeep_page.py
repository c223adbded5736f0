"""The tables of docs/upkeep.md name every job, every key of the policy, and every field that a rule may read, as the code has them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from pydantic import BaseModel

from casebook.duration import duration
from casebook.memory_facts import MEMORY_FACTS, parse_rule
from casebook.policy import DEFAULT_SCHEDULES, DEFAULT_TTL, JOBS, Limits, Policy, Rules, Sink, Tiers
from casebook.runtime.upkeep.applying import CHUNK
from casebook.runtime.upkeep.audit_asking import AGAIN
from casebook.runtime.upkeep.hygiene import ORDER
from casebook.runtime.upkeep.hygiene_mirroring import BEHIND
from tests.docs.reading import ROOT, rows_of

PAGE = (ROOT / "docs" / "upkeep.md").read_text(encoding="utf-8")
PROSE = " ".join(PAGE.split())
MODELS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("key", Policy), ("`limits:`", Limits), ("`tiers:`", Tiers), ("of a sink", Sink), ("`rules:`", Rules),
)  # fmt: skip


def test_the_table_of_jobs_names_every_job_with_its_schedule() -> None:
    told = {row[0].strip("`"): row[2].strip("`") for row in rows_of(PAGE, "job")}
    assert told == dict(DEFAULT_SCHEDULES)
    assert set(told) == set(JOBS)


@pytest.mark.parametrize(("head", "model"), MODELS)
def test_a_table_of_the_policy_has_every_key_in_order_with_its_default(head: str, model: type[BaseModel]) -> None:
    told = [(row[0].strip("`"), row[1].strip("`")) for row in rows_of(PAGE, head)]
    assert told == [(name, shown(field.default)) for name, field in model.model_fields.items()]


def shown(default: object) -> str:
    """Give a default as the page writes it."""
    if isinstance(default, BaseModel):
        return "below"
    if default is None or default in ((), {}):
        return "none" if default is None else "empty"
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_table_of_lifetimes_has_every_kind() -> None:
    cells = [cell.strip("`") for row in rows_of(PAGE, "`ttl:`") for cell in row]
    assert dict(zip(cells[::2], cells[1::2], strict=True)) == dict(DEFAULT_TTL)


def test_the_table_of_fields_names_what_a_rule_may_read() -> None:
    told = [name for row in rows_of(PAGE, "field") for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(told) == sorted(MEMORY_FACTS)


@pytest.mark.parametrize("rule", re.findall(r'^  (?:distil|age|promote|idle): "(.*)"$', PAGE, re.MULTILINE))
def test_a_rule_of_the_page_is_one(rule: str) -> None:
    parse_rule(rule)


@pytest.mark.parametrize(
    "sentence",
    [
        f"all of these in order (`{' '.join(ORDER)}`)",
        f"Moves are made {CHUNK} at a time",
        f"asked again after {AGAIN.days} days at the earliest",
        f"past its {duration(Tiers().short) // timedelta(hours=1)} hours",
        f"or after {duration(Tiers().grace).days} days (`tiers.grace`)",
        f"After {duration(Tiers().purge).days} days (`tiers.purge`)",
        f"memories over {Tiers().project_chars:,} characters, a user's over {Tiers().user_chars:,}",
        "more than a week behind" if timedelta(days=7) == BEHIND else "-",
    ],
)
def test_a_number_is_as_the_page_says(sentence: str) -> None:
    assert sentence in PROSE
