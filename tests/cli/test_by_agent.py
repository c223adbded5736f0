"""An agent gives no instruction: what it writes is a draft that is quoted, advises, and waits for a person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOOD = {"id": "good", "trigger_conditions": ['tool is "exec"'], "correction": "Look at the log first."}


def shown(casebook: Run, case_id: str) -> tuple[str, str, str]:
    case = json.loads(casebook("show", case_id, "--json").out)
    return case.get("status", "active"), case.get("correction_by", "person"), case.get("effect", "advise")


def test_what_an_agent_teaches_waits_for_a_person_and_is_the_person_s_once_approved(
    casebook: Run, memory: Path
) -> None:
    taught = casebook("teach", "never use npm", "--yes", "--by", "agent:foo")
    case_id = taught.out.partition("taught ")[2].split()[0]
    assert (taught.code, "a person approves it" in taught.err) == (0, True)
    assert shown(casebook, case_id) == ("draft", "agent", "advise")
    assert casebook("match", "--tool", "Bash", "--arg", "command=npm ci", "--json").out.count(case_id) == 0
    assert case_id in casebook("review").out
    assert casebook("review", "approve", case_id, "--quoted", "--by", "ann").code == 0
    assert shown(casebook, case_id) == ("active", "agent", "advise")
    assert (
        "an agent noted"
        in json.loads(casebook("match", "--tool", "Bash", "--arg", "command=npm ci", "--json").out)["prompt"].lower()
    )


@pytest.mark.parametrize("effect", ["block", "confirm"])
def test_an_agent_teaches_nothing_that_confirms_or_blocks(casebook: Run, memory: Path, effect: str) -> None:
    refused = casebook("teach", "never use npm", "--effect", effect, "--yes", "--by", "agent:foo")
    assert (refused.code, "an agent's case advises" in refused.err) == (2, True)
    assert not (memory / "long_term" / "rules.json").exists()


def test_what_an_agent_adds_is_a_draft_of_its_own(casebook: Run, memory: Path) -> None:
    assert (
        casebook(
            "add", "--by", "agent:foo", stdin=json.dumps({**GOOD, "correction_by": "person", "status": "active"})
        ).code
        == 0
    )
    assert shown(casebook, "good") == ("draft", "agent", "advise")
    assert "good" in casebook("review").out
    refused = casebook("add", "--by", "agent:foo", stdin=json.dumps({**GOOD, "id": "worse", "effect": "block"}))
    assert (refused.code, "an agent's case advises" in refused.err, casebook("show", "worse").code) == (2, True, 2)


@pytest.mark.parametrize(
    "change",
    ["correction=Do it.", "trigger_conditions=always", "scope.user=bob", "effect=block"],
)
def test_what_a_person_s_case_says_and_does_an_agent_does_not_change(casebook: Run, memory: Path, change: str) -> None:
    assert casebook("add", stdin=json.dumps(GOOD)).code == 0
    before = casebook("show", "good", "--json").out
    assert casebook("edit", "good", change, "--by", "agent:foo").code == 2
    form = {**json.loads(before), "correction": "Do it."}
    assert casebook("edit", "good", "--file", "-", "--by", "agent:foo", stdin=json.dumps(form)).code == 2
    assert casebook("show", "good", "--json").out == before


@pytest.mark.parametrize("change", ["status=active", "effect=confirm", "correction_by=person"])
def test_an_agent_does_not_let_its_own_case_serve(casebook: Run, memory: Path, change: str) -> None:
    casebook("add", "--by", "agent:foo", stdin=json.dumps(GOOD))
    assert casebook("edit", "good", change, "--by", "agent:foo").code == 2
    assert casebook("edit", "good", "--unset", "status", "--by", "agent:foo").code == 2
    assert casebook("edit", "good", "correction=Do it.", "--by", "agent:foo").code == 0
    assert shown(casebook, "good") == ("draft", "agent", "advise")
