"""What `check` tells of a policy: names that are near others, rules that hold for nothing, sinks to which nothing comes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


def faults(casebook: Run, memory: Path, policy: str, *cases: dict[str, Any]) -> list[dict[str, Any]]:
    """Give what is told of a policy, after its first line, and of cases beside the seed one."""
    (memory / "memory-policy.yaml").write_text(f"format: 1\n{policy}", encoding="utf-8")
    if cases:
        (memory / "long_term" / "ticks.json").write_text(json.dumps(cases, indent=1), encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(casebook("check", "--json").out)["faults"]
    return [each for each in found if each["path"].endswith(("policy.yaml", "ticks.json"))]


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("ttl: {preferance: 30d}\n", ((2, 7), "ttl.preferance", "preferance", "preference")),
        ("schedules: {hygeine: '@daily'}\n", ((2, 13), "schedules.hygeine", "hygeine", "hygiene")),
        ("sinks:\n  a: {kind: webook, url: 'https://x'}\n", ((3, 7), "sinks.a.kind", "webook", "webhook")),
        ("rules:\n  promote: kind is preferance\n", ((3, 3), "rules.promote", "did you mean preference?", None)),
        ("rules:\n  promote: kind in [fact, preferance]\n", ((3, 3), "rules.promote", "did you mean preference?", None)),
        ("rules:\n  distil: not status is activ\n", ((3, 3), "rules.distil", "did you mean active?", None)),
        ("rules:\n  age: origin is usr\n", ((3, 3), "rules.age", "did you mean user?", None)),
        ("rules:\n  age: {field: tier, op: is, value: l2}\n", ((3, 3), "rules.age", "did you mean L2?", None)),
        ("rules:\n  idle: pinned is maybe\n", ((3, 3), "rules.idle", "pinned holds true or false", None)),
        ("rules:\n  idle: expired is 1\n", ((3, 3), "rules.idle", "expired holds true or false", None)),
        ("sinks:\n  a: {kind: outbox, path: /x.jsonl}\n", ((3, 3), "sinks.a", "nothing is delivered", None)),
        ("sinks:\n  a: {kind: webhook, url: 'http://e.org', token_env: T}\n", ((3, 3), "sinks.a", "https", None)),
    ],
)  # fmt: skip
def test_a_wrong_value_of_the_policy_is_an_error_at_its_place_with_the_nearest_right_one(
    casebook: Run, memory: Path, policy: str, told: tuple[Any, ...]
) -> None:
    (place, field, message, near), (found,) = told, faults(casebook, memory, policy)
    assert (found["severity"], found["line"], found["column"], found["field"]) == ("error", *place, field)
    assert message in found["message"]
    assert found["suggestion"] == near
    assert casebook("check").code == 1


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("rules:\n  promote: tier is L3\n", (3, "rules.promote", "can never hold of a memory in L2")),
        ("rules:\n  distil: tier is L1 and tier is L2\n", (3, "rules.distil", "can never hold of a memory in L1")),
        ("rules:\n  age: by is persn\n", (3, "rules.age", "by holds one of person, agent, tool")),
        ("sinks:\n  a: {url: 'https://x'}\n", (3, "sinks.a.url", "a sink of the kind outbox reads no url")),
    ],
)
def test_what_serves_and_comes_to_nothing_is_a_warning_at_its_line(
    casebook: Run, memory: Path, policy: str, told: tuple[Any, ...]
) -> None:
    (line, field, message), (found,) = told, faults(casebook, memory, policy)
    assert (found["severity"], found["line"], found["field"]) == ("warning", line, field)
    assert message in found["message"]


@pytest.mark.parametrize(
    "rule",
    [
        "count of recall within 30d >= 3 or triggers > 10 or pinned is true",
        "reused >= 2 OR user_explicit == true",
        "not_hit_days > 30",
        "kind in [preference, decision] and by is person",
        "kind is not temporary and tags contains keep",
        "text contains preferance",
        "count of recall where tool is shell within 30d >= 3",
        "project is preferance or expired is false",
    ],
)
def test_a_rule_that_can_hold_is_told_nothing(casebook: Run, memory: Path, rule: str) -> None:
    assert faults(casebook, memory, f'rules:\n  promote: "{rule}"\n') == []


TICK = {"id": "standup", "on": ["tick"], "trigger_conditions": ["time in 09:00-10:00"], "correction": "Ask everybody."}
SINKS = "sinks:\n  pager: {kind: webhook, url: 'https://pager.example/in'}\n"


@pytest.mark.parametrize(
    ("named", "near"), [("pagr", "pager"), ("outbx", "outbox"), ("nowhere", None), (5, None), (["pager"], None)]
)
def test_a_tick_case_whose_sink_is_not_there_is_told_where_it_names_it(
    casebook: Run, memory: Path, named: Any, near: str | None
) -> None:
    (found,) = faults(casebook, memory, SINKS, {**TICK, "x-sink": named})
    assert (found["severity"], found["case"], found["field"]) == ("error", "standup", "x-sink")
    assert (found["line"], found["column"]) == (11, 13)
    assert (found["suggestion"], "nothing of it is delivered" in found["message"]) == (near, True)


@pytest.mark.parametrize("more", [{}, {"x-sink": "pager"}, {"x-sink": "outbox"}, {"x-sink": "pagr", "on": ["task"]}])
def test_a_case_whose_sink_is_there_or_that_is_no_tick_is_told_nothing(
    casebook: Run, memory: Path, more: dict[str, Any]
) -> None:
    assert faults(casebook, memory, SINKS, {**TICK, **more}) == []
