"""What every adapter holds, on its host's own loop: one suite, run over every rig."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.protocol import MOST_CHARS
from casebook.runtime import Runtime
from tests.adapters.rig import RIGS, Call, Rig, rig_of

CASES: list[dict[str, Any]] = [
    {
        "id": "deploy_friday",
        "situation": "A deployment went out on a Friday evening.",
        "trigger_conditions": ["text contains deploy"],
        "correction": "Deploy on Monday morning instead.",
    },
    {
        "id": "no_prefix",
        "situation": "推送前没有确认时段。",
        "trigger_conditions": ["text contains 推送"],
        "correction": "先确认是否在免打扰时段，再推送。",
    },
    {
        "id": "no_force",
        "situation": "A force push took a colleague's commits.",
        "trigger_conditions": ['action is "git push"', 'args.command contains "--force"'],
        "correction": "Push with --force-with-lease.",
        "effect": "block",
        "on": ["tool"],
    },
    {
        "id": "ask_publish",
        "situation": "A package was published by mistake.",
        "trigger_conditions": ['action is "npm publish"'],
        "correction": "Ask before you publish.",
        "effect": "confirm",
        "on": ["tool"],
    },
    {
        "id": "frozen",
        "situation": "The payroll was changed while it was frozen.",
        "trigger_conditions": ["text contains payroll"],
        "correction": "Leave the payroll alone until the freeze is over.",
        "effect": "block",
    },
    {
        "id": "use_pnpm",
        "situation": "npm install broke the lock file.",
        "trigger_conditions": ['action is "npm install"'],
        "correction": "Use pnpm install.",
        "on": ["tool"],
    },
]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    policy = "format: 1\nlimits: {before_task_ms: 60000}\n"  # a machine under load drops no advice here
    (folder / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    text = json.dumps({"format": 1, "cases": CASES}, ensure_ascii=False)
    (folder / "long_term" / "cases.json").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(params=list(RIGS))
def rig(request: pytest.FixtureRequest, book: Path) -> Iterator[Rig]:
    made = rig_of(request.param, book)
    yield made
    made.close()


def shell(rig: Rig, command: str, fails: str = "") -> Call:
    return Call(rig.shell, {"command": command}, fails)


def test_nothing_is_injected_where_nothing_matches(rig: Rig) -> None:
    seen = rig.run("what is in this folder?", [shell(rig, "ls")])
    assert seen.raised is None
    assert seen.ran == [rig.shell]
    assert "asebook" not in seen.text


def test_the_exact_text_of_a_case_that_matches_reaches_the_model(rig: Rig, book: Path) -> None:
    with Runtime.open(book) as runtime:
        expected = runtime.match({"text": "please deploy the shop"}).prompt
    assert "Deploy on Monday morning instead." in expected
    seen = rig.run("please deploy the shop")
    assert expected.strip() in seen.requests[0]


def test_chinese_arrives_as_it_is(rig: Rig) -> None:
    assert "先确认是否在免打扰时段，再推送。" in rig.run("现在推送这条消息").requests[0]


def test_advice_is_given_once_a_session_where_the_host_keeps_it_else_each_turn(rig: Rig) -> None:
    first, second = rig.run("deploy it"), rig.run("deploy it, please")
    other = rig.run("deploy it", session="s2")
    assert "Deploy on Monday" in first.text
    assert "Deploy on Monday" in other.text
    said_again = "Deploy on Monday" in second.requests[-1]
    assert said_again != rig.host.keeps


def test_a_blocked_call_is_not_made_and_the_model_is_told_why(rig: Rig) -> None:
    seen = rig.run("push my branch", [shell(rig, "git push --force origin main")])
    assert seen.ran == []
    assert "Push with --force-with-lease." in "\n".join(seen.told)
    assert seen.raised is None


def test_one_case_serves_every_host_by_canonical_tools_and_actions(rig: Rig) -> None:
    assert rig.run("push", [shell(rig, "cd repo && sudo git push --force")]).ran == []
    assert rig.run("push", [shell(rig, "git push")]).ran == [rig.shell]


def test_a_call_that_wants_a_yes_is_made_after_it_alone(rig: Rig) -> None:
    publish = [shell(rig, "npm publish")]
    assert rig.run("publish it", publish).ran == []
    if rig.host.confirms == "asks":
        refused = rig.run("publish it", publish, agrees=lambda: False)
        assert (refused.ran, refused.asked) == ([], 1)
    agreed = rig.run("publish it", publish, agrees=lambda: True)
    if rig.host.confirms != "refuses" or agreed.asked:
        assert (agreed.ran, agreed.asked) == ([rig.shell], 1)


def test_a_block_of_the_turn_keeps_what_a_person_typed_and_blocks_its_calls(rig: Rig) -> None:
    seen = rig.run("change the payroll", [shell(rig, "ls")])
    assert "change the payroll" in seen.requests[0]
    assert "Leave the payroll alone" in seen.requests[0]
    assert seen.ran == []
    assert rig.run("what is in this folder?", [shell(rig, "ls")]).ran == [rig.shell]


def test_advice_about_a_call_reaches_the_model(rig: Rig) -> None:
    seen = rig.run("install it", [shell(rig, "npm install left-pad")])
    assert seen.ran == [rig.shell]
    told = [*seen.requests[1:], *seen.told]
    if rig.host.advises == "next":
        told = rig.run("and now?").requests
    assert "Use pnpm install." in "\n".join(told)


def test_an_error_is_reported_once_and_the_third_makes_a_case_that_warns_the_fourth_turn(rig: Rig, book: Path) -> None:
    failing = shell(rig, "terraform apply", "Error: state lock held by ci-runner")
    for turn in range(3):
        assert "state lock" not in rig.run("apply the plan", session=f"t{turn}").text
        rig.run("apply the plan", [failing], session=f"t{turn}")
    with Runtime.open(book) as runtime:
        made = [each.case for each in runtime.snapshot().cases.values() if each.case.id not in {c["id"] for c in CASES}]
    assert len(made) == 1
    fourth = rig.run("apply the plan", [failing], session="t4")
    told = [*fourth.requests[1:], *fourth.told]
    if rig.host.advises == "next":
        told = rig.run("and now?", session="t4").requests
    assert made[0].id in "\n".join(told)


def test_the_same_kind_of_error_counts_once_a_turn(rig: Rig, book: Path) -> None:
    failing = [shell(rig, f"terraform apply -var n={n}", "Error: state lock held by ci-runner") for n in range(4)]
    rig.run("apply the plan", failing)
    with Runtime.open(book) as runtime:
        assert set(runtime.snapshot().cases) == {each["id"] for each in CASES}


def test_a_broken_casebook_breaks_no_host(rig: Rig, book: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    (book / "long_term" / "cases.json").write_text("{ not json", encoding="utf-8")
    (book / "memory-policy.yaml").write_text("format: [", encoding="utf-8")
    seen = rig.run("deploy it", [shell(rig, "ls")])
    assert (seen.raised, seen.ran) == (None, [rig.shell])


def test_a_casebook_that_vanishes_breaks_no_host(rig: Rig, book: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    rig.run("what is in this folder?")
    book.rename(book.with_name("gone"))
    seen = rig.run("deploy it", [shell(rig, "ls")])
    assert (seen.raised, seen.ran) == (None, [rig.shell])


def test_what_is_injected_keeps_to_the_limit_of_all_hosts(rig: Rig, book: Path) -> None:
    many = [
        {
            "id": f"long_{n}", "situation": "x", "trigger_conditions": ["text contains deploy"],
            "correction": f"Rule {n}: " + "check the list again. " * 8, "priority": 9,
        }
        for n in range(40)
    ]  # fmt: skip
    text = json.dumps({"format": 1, "cases": many})
    (book / "long_term" / "many.json").write_text(text, encoding="utf-8")
    seen = rig.run("deploy it")
    assert "long_0" in seen.text
    assert len(seen.requests[0]) - len(rig.run("hello there", session="s2").requests[0]) <= MOST_CHARS


def test_one_user_is_not_told_what_is_for_another(rig: Rig, book: Path) -> None:
    own = {
        "id": "only_ann", "situation": "x", "trigger_conditions": ["text contains invoice"],
        "correction": "Ann wants invoices as PDF.", "scope": {"user": "ann"},
    }  # fmt: skip
    (book / "long_term" / "ann.json").write_text(json.dumps({"format": 1, "cases": [own]}), encoding="utf-8")
    assert "Ann wants" in rig.run("write the invoice", user="ann").text
    assert "Ann wants" not in rig.run("write the invoice", user="ben", session="s2").text
