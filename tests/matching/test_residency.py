"""Rulesets are made on demand, evicted when unused, mended after edits and freed safely: memory is bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from casebook.case import LoadedCase
from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.runtime.matching import router
from casebook.runtime.matching.engines import load_engine, matcher
from casebook.runtime.matching.rete import ReteMatcher
from casebook.runtime.matching.ruleset import MAX_RULES
from tests.matching.universe import loaded

pytestmark = pytest.mark.skipif(load_engine()[0] is None, reason="durable_rules cannot be imported on this Python")
NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def case(name: str, condition: str, **fields: Any) -> LoadedCase:
    return loaded(name, (parse(condition),), **fields)


def rete(resident_rules: int = 12_000) -> ReteMatcher:
    made = matcher("durable_rules", resident_rules=resident_rules)
    assert isinstance(made, ReteMatcher)
    return made


def ids(asked: ReteMatcher, tool: str) -> list[str]:
    return sorted(each.id for each in asked.match(Facts({"tool": tool}, NOON)))


def test_no_ruleset_is_made_before_a_task_needs_it() -> None:
    asked = rete()
    asked.update({"a": case("a", "tool is shell")})
    assert ids(asked, "edit") == []
    assert asked.figures()["rulesets"] == 0
    assert ids(asked, "shell") == ["a"]
    assert asked.figures()["rulesets"] == 1


def test_resident_rules_stay_within_their_bound_and_the_answers_right() -> None:
    asked = rete(resident_rules=100)
    asked.update({f"c{n}": case(f"c{n}", f'tool is "t{n}"') for n in range(500)})
    for turn in range(1500):
        assert ids(asked, f"t{turn * 7 % 500}") == [f"c{turn * 7 % 500}"]
    figures = asked.figures()
    assert figures["resident_rules"] <= 100 + MAX_RULES
    assert figures["rulesets_evicted"] > 100


def test_one_task_that_needs_more_rules_than_may_be_resident_is_answered_whole() -> None:
    asked = rete(resident_rules=48)
    asked.update({f"c{n:03}": case(f"c{n:03}", f'tool is not "t{n}"') for n in range(400)})
    assert len(ids(asked, "t5")) == 399


def test_an_edit_of_the_text_alone_leaves_the_rule_where_it_is() -> None:
    asked = rete()
    asked.update({"a": case("a", "tool is shell")})
    ids(asked, "shell")
    made = asked.figures()["rulesets_made"]
    asked.update({"a": case("a", "tool is shell", correction="another")})
    assert asked.match(Facts({"tool": "shell"}, NOON))[0].case.correction == "another"
    assert asked.figures()["rulesets_made"] == made


def test_the_rule_of_a_case_that_is_gone_or_changed_fires_for_nobody() -> None:
    asked = rete()
    book = {f"c{n}": case(f"c{n}", f"tool is shell and session.tasks >= {n}") for n in range(10)}
    asked.update(book)
    task = Facts({"tool": "shell", "session": {"tasks": 20}}, NOON)
    assert len(asked.match(task)) == 10
    del book["c3"]
    book["c4"] = case("c4", "tool is edit")
    asked.update(book)
    assert sorted(each.id for each in asked.match(task)) == [f"c{n}" for n in (0, 1, 2, 5, 6, 7, 8, 9)]


def test_many_edits_leave_few_rulesets_and_no_rule_of_the_past() -> None:
    asked = rete()
    book = {f"c{n}": case(f"c{n}", f'tool is "t{n % 5}" and session.tasks >= {n}') for n in range(60)}
    asked.update(book)
    for turn in range(600):
        name = f"c{turn % 60}"
        book = book | {name: case(name, f'tool is "t{turn % 5}" and session.tasks >= {turn % 13}')}
        asked.update(book)
        asked.match(Facts({"tool": f"t{turn % 5}", "session": {"tasks": 99}}, NOON))
    figures = asked.figures()
    assert figures["resident_rules"] < 200
    assert figures["rulesets"] < 30


def test_an_update_that_fails_half_way_leaves_nothing_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = rete()
    asked.update({"a": case("a", "tool is shell")})
    assert ids(asked, "shell") == ["a"]
    broken = {"a": case("a", "tool is shell"), "b": case("b", "tool is edit"), "c": case("c", "tool is edit")}
    with monkeypatch.context() as patch:
        patch.setattr(router.Router, "add", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            asked.update(broken)
    asked.update(broken)
    assert ids(asked, "shell") == ["a"]
    assert ids(asked, "edit") == ["b", "c"]
    asked.update({})
    assert asked.figures()["alpha_nodes"] == 0


def test_nothing_is_left_of_tests_that_are_gone() -> None:
    """Fields, needles, heads and counters of gone cases leave no index and no number behind."""
    asked = rete()
    for turn in range(300):
        conditions = f'context.k{turn} is x and context.k{turn} contains "n{turn}" and path starts with "/{turn}"'
        counters = f"count of tool where args.a is {turn} >= 2 and session.errors >= {turn} and tool is not t{turn}"
        asked.update({"a": case("a", f"{conditions} and {counters}")})
    asked.update({})
    network = asked._base.network
    assert len(network) == 0
    assert [*network._nested, *network._flat, *network._fields] == []
    assert network._next < 30


def test_a_case_that_is_not_active_has_no_rule() -> None:
    asked = rete()
    asked.update({"a": case("a", "tool is shell", status="draft")})
    assert ids(asked, "shell") == []
    assert asked.rule_of("a") is None


def test_the_rule_of_a_case_can_be_looked_at() -> None:
    asked = rete()
    asked.update({"a": case("a", 'tool is shell and tool is not edit and text contains "rm" and session.errors >= 2')})
    rule = asked.rule_of("a")
    assert rule is not None
    assert rule.ruleset.startswith("casebook_")
    tests = rule.definition["all"][0]["m"]["$and"]  # type: ignore[index]
    shapes = sorted(next(iter(each)) if next(iter(each)).startswith("$") else "=" for each in tests)
    assert shapes == ["$gte", "$neq", "=", "="]
    assert len(rule.legend) == 4


def test_a_closed_matcher_has_freed_everything() -> None:
    asked = rete()
    asked.update({"a": case("a", "tool is shell")})
    ids(asked, "shell")
    asked.close()
    assert asked.figures()["rulesets"] == 0
    asked.close()


def test_an_engine_that_misbehaves_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever durable_rules raises, its cases are matched by the reference evaluator this once, and the log says so."""

    class Broken:
        error = RuntimeError

        def __getattr__(self, name: str) -> object:
            def refuse(*_: object) -> object:
                raise RuntimeError(f"{name}: error code: 303")

            return refuse

    asked = ReteMatcher(Broken())
    asked.update({"a": case("a", "tool is shell"), "b": case("b", "tool is shell and session.tasks >= 1")})
    assert ids(asked, "shell") == ["a"]
    assert asked.figures()["engine_errors"] == 1
    assert "error code: 303" in caplog.text


PERTURBED = """
import gc
from tests.matching import test_residency as scene

for _ in range(3):
    asked = scene.rete(resident_rules=60)
    asked.update({f"c{n}": scene.case(f"c{n}", f'tool is "t{n}"') for n in range(300)})
    for turn in range(600):
        assert scene.ids(asked, f"t{turn * 7 % 300}") == [f"c{turn * 7 % 300}"]
    asked.update({})
    asked.close()
    del asked
    gc.collect()
print("good")
"""


def test_eviction_and_freeing_survive_a_perturbed_heap() -> None:
    """`delete_state` of a session in which nothing fired frees an uninitialised pointer: a perturbed heap shows it."""
    run = subprocess.run(
        [sys.executable, "-c", PERTURBED], check=False, capture_output=True, text=True, timeout=120,
        env=os.environ | {"MALLOC_PERTURB_": "165", "PYTHONPATH": "."},
    )  # fmt: skip
    assert (run.stdout, run.stderr, run.returncode) == ("good\n", "", 0)
