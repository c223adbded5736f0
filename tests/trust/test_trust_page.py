"""docs/trust.md does what it shows, and its tables name what there is."""

from __future__ import annotations

import re

import pytest

from casebook.adapters.roles import LEAST, ROLES
from casebook.adapters.trust import digests
from casebook.stores.policies import IN_ALL_LAYERS
from tests.docs.reading import ROOT, rows_of, run_page
from tests.trust.conftest import Machine

PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")


def test_the_page_does_what_it_shows(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(machine.work)
    run_page("docs/trust.md")


def test_the_page_names_every_role_and_what_it_may() -> None:
    rows = rows_of(PAGE, "role")
    assert [role.strip("`") for role, _ in rows] == list(ROLES)
    for role, told in rows:
        for action, least in LEAST.items():
            word = {"draft": "drafts", "team_scope": "team", "maintain": "upkeep"}.get(action, action)
            assert (word in told) == (f"`{least}`" == role), (role, action)


def test_the_page_names_every_key_of_the_policy_that_is_approved() -> None:
    for keys in (digests.FIRING, digests.REACHING, digests.SPANNING):
        assert f"`{' '.join(keys)}`" in PAGE


def test_the_page_names_every_key_that_counts_for_the_user_s_own_cases() -> None:
    told = PAGE.partition("one policy serves")[2].partition("So **")[0]
    assert {name for each in re.findall(r"`([^`]+)`", told) for name in each.split()} == set(IN_ALL_LAYERS)


def test_the_page_names_every_field_that_needs_no_approval() -> None:
    told = PAGE.partition("what it says and what it does. ")[2].partition(" do not")[0]
    assert set(re.findall(r"`([^`]+)`", told)) == {*digests.KEPT_BY_US, "$comment"}
