"""What the block says: how the casebook is used, and what holds for everybody who works on the project; nothing of anybody's own."""

from __future__ import annotations

import json
import shlex
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.adapters.agents_md.block_texts import BLOCK_TEXTS
from casebook.adapters.agents_md.body import BUDGET, body_of
from casebook.adapters.agents_md.markers import find
from casebook.adapters.agents_md.placing import placed, taken_out
from casebook.adapters.agents_md.standing import Whose
from casebook.adapters.cli.front import command_parser
from casebook.clock import fixed_clock
from casebook.faults import CasebookError
from casebook.runtime import Runtime

NOW = datetime(2026, 3, 20, 4, tzinfo=UTC)
SHOP = Whose("shop", NOW)


def said(folder: Path, cases=(), memories=(), whose=SHOP, policy="", **options) -> str:
    """The block of a casebook of these cases and memories."""
    (folder / "long_term").mkdir(parents=True, exist_ok=True)
    (folder / "memory-policy.yaml").write_text(f"format: 1\ntimezone: UTC\n{policy}")
    (folder / "long_term/cases.json").write_text(json.dumps(list(cases)))
    (folder / "long_term/memories.json").write_text(json.dumps({"format": 1, "memories": list(memories)}))
    with Runtime.open(folder, clock=fixed_clock(NOW)) as runtime:
        return body_of(runtime, whose, **options)


def case(**fields):
    return {"id": "c1", "trigger_conditions": ["always"], "correction": "Never push to main.", **fields}


def memory(**fields):
    return {"id": "m1", "kind": "rule", "tier": "L3", "text": "We release on Tuesdays.", **fields}


def test_without_a_casebook_its_use_alone_is_told():
    told = body_of(None, None)
    for command in ("before-task", "after-task", "remember", "recall"):
        assert f"`casebook {command} " in told
    assert told.startswith("\n## Casebook\n")
    assert told.endswith("\n\n")


@pytest.mark.parametrize("language, heading", [("en", "## Casebook"), ("zh", "## 案例库")])
def test_the_policy_says_the_language(tmp_path, language, heading):
    assert heading in said(tmp_path, policy=f"language: {language}\n")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_that_the_block_tells_is_one(language):
    told = [
        each for line in BLOCK_TEXTS[language].usage for each in line.split("`")[1::2] if each.startswith("casebook ")
    ]
    assert len(told) == 4
    for line in told:
        _, name, *arguments = shlex.split(line)
        command_parser(name).read(arguments)  # raises where an option is none


def test_rules_and_decisions_of_the_project_are_told(tmp_path):
    told = said(
        tmp_path,
        cases=[case(), case(id="c2", correction="Use pnpm.", scope={"project": "shop"})],
        memories=[
            memory(),
            memory(id="m2", kind="decision", text="Postgres, not MySQL.", reason="JSONB", scope={"project": "shop"}),
            memory(id="m3", kind="principle", text="Small steps.", tier="L2"),
        ],
    )
    for each in ("- [c1] Never push to main.", "- [c2] Use pnpm.", "We release on Tuesdays.", "JSONB", "Small steps."):
        assert each in told


@pytest.mark.parametrize(
    "cases, memories",
    [
        ([case(scope={"user": "ann"})], []),
        ([case(scope={"project": "bank"})], []),
        ([case(scope={"team": "core"})], []),
        ([case(scope={"agent": "bot"})], []),
        ([case(trigger_conditions=['tool is "shell"'])], []),
        ([case(status="draft")], []),
        ([case(correction_by="agent")], []),
        ([case(correction_by="mined")], []),
        ([case(expires_at="2027-01-01")], []),
        ([case(created_at="2026-01-01", ttl="30d")], []),
        ([], [memory(scope={"user": "ann"})]),
        ([], [memory(scope={"project": "bank"})]),
        ([], [memory(scope={"team": "core"})]),
        ([], [memory(kind="preference")]),
        ([], [memory(kind="identity", text="The user is Ann.")]),
        ([], [memory(kind="project_state")]),
        ([], [memory(tier="L1")]),
        ([], [memory(status="disabled")]),
        ([], [memory(expires_at="2027-01-01")]),
        ([], [memory(source={"origin": "agent", "by": "agent"})]),
        ([], [memory(source={"origin": "tool"})]),
    ],
)
def test_what_is_somebody_s_own_or_no_person_s_or_ends_is_not_told(tmp_path, cases, memories):
    assert said(tmp_path, cases, memories) == body_of(None, None)


def test_a_casebook_that_is_switched_off_says_nothing(tmp_path):
    assert said(tmp_path, [case()], [memory()], policy="mode: shadow\n") == body_of(None, None)


def test_a_secret_is_masked(tmp_path):
    told = said(
        tmp_path, [case(correction="Use the key AKIAIOSFODNN7EXAMPLE.")], [memory(text="Key AKIAIOSFODNN7EXAMPLE")]
    )
    assert "AKIAIOSFODNN7EXAMPLE" not in told


HOSTILE = st.text(st.sampled_from([*"\n\r `~#<>-!abc\u2028\u202e", "é"]), max_size=30)
MARKS = st.sampled_from(
    ["<!-- END CASEBOOK -->", "\n<!-- END CASEBOOK -->\n", "```\n", "\n# heading\n", "\n- [c9] ", "\x1b[2J"]
)


@settings(max_examples=40)
@given(st.lists(HOSTILE | MARKS, min_size=1, max_size=4).map("".join).filter(lambda text: text.strip()))
def test_no_text_leaves_its_line(tmp_path_factory, text):
    told = said(tmp_path_factory.mktemp("c"), [case(correction=text)], [memory(text=text)])
    assert find(told) is None
    assert taken_out(placed(b"Use pnpm.\n", told)) == b"Use pnpm.\n"
    headings = [line for line in told.splitlines() if line.startswith("#")]
    assert set(headings) <= {
        "## Casebook", "### What always holds", "## What is remembered", "### Standing rules and principles"
    }  # fmt: skip
    for each in ("\x1b", "\u202e", "```", "<!--"):
        assert each not in told


@pytest.mark.parametrize("budget", [900, 1200, 2000])
def test_the_budget_holds_and_what_found_no_room_is_counted(tmp_path, budget):
    cases = [case(id=f"c{number}", correction=f"Rule {number}. " + "x" * 120) for number in range(40)]
    memories = [memory(id=f"m{number}", text=f"Note {number}. " + "y" * 120) for number in range(40)]
    told = said(tmp_path, cases, memories, budget=budget)
    assert len(told) <= budget
    if budget == BUDGET:
        assert "more: `casebook" in told


def test_a_budget_that_does_not_hold_the_use_is_refused():
    with pytest.raises(CasebookError, match="expected a budget of 7"):
        body_of(None, None, budget=100)


def test_formatters_of_markdown_have_nothing_to_change(tmp_path):
    """Prettier puts an empty line after a heading, and leaves one at most."""
    lines = said(tmp_path, [case()], [memory()]).split("\n")
    for before, line in pairwise(lines):
        assert not (before.startswith("#") and line)
        assert line == line.rstrip()
    assert "\n\n\n" not in "\n".join(lines)
