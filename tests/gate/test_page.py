"""docs/memory-rules.md says what the code does."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from casebook.gate.rules import PRECEDENCE, RULES
from casebook.gate.same import NEAR, PROPOSE, UPDATE
from casebook.gate.sentences import PIECES
from casebook.policy import DEFAULT_TTL

PAGE = (Path(__file__).parents[2] / "docs" / "memory-rules.md").read_text(encoding="utf-8")


def table(heads):
    """Give the rows of the table with these heads."""
    begins = PAGE.index(f"| {heads} |")
    rows = PAGE[begins:].split("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in row.strip("|").split(" | ")) for row in rows]


def test_the_page_has_every_rule_as_the_code_has_it():
    assert table("rule | says | source") == [(rule.number, rule.says, rule.source) for rule in RULES]


def test_the_page_has_every_ttl():
    assert table("kind | ttl") == list(DEFAULT_TTL.items())


def test_the_page_has_the_precedence_and_the_limits():
    assert PRECEDENCE[-1] == ("S1", "S2", "S3", "S4", "S5")
    assert " > ".join(", ".join(rank) for rank in PRECEDENCE[:-1]) + " > S" in PAGE
    for number in (UPDATE, PROPOSE, NEAR, f"At most {PIECES} pieces"):
        assert str(number) in PAGE


def test_the_program_on_the_page_prints_what_it_says():
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    program = found[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    assert [f"# {line}" for line in printed.getvalue().splitlines()] == [
        line for line in program.splitlines() if line.startswith("# ")
    ]
