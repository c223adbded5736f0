"""Claude Code, Codex, OpenCode and Gemini CLI themselves, wired by `casebook install`, against a model on loopback."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.wiring.executable import program
from tests.hosts.conftest import host_in
from tests.hosts.provider import DONE, Provider
from tests.hosts.real import HOSTS, RealHost

CASES: list[dict[str, Any]] = [
    {
        "id": "deploy_friday", "situation": "A deployment went out on a Friday evening.", "trigger_conditions": ["text contains deploy"],
        "correction": "Deploy on Monday morning instead: 周一早上再发布。",
    },
    {
        "id": "by_intent", "situation": "x", "trigger_conditions": ["intent is deploy"], "correction": "Say which release it is.",
    },
    {
        "id": "no_force", "situation": "A force push took a colleague's commits.",
        "trigger_conditions": ['action is "git push"', 'args.command contains "--force"'],
        "correction": "Push with --force-with-lease.", "effect": "block", "on": ["tool"],
    },
]  # fmt: skip
FROZEN: dict[str, Any] = {
    "id": "frozen", "situation": "The payroll was changed while it was frozen.", "trigger_conditions": ["text contains payroll"],
    "correction": "Leave the payroll alone until the freeze is over.", "effect": "block",
}  # fmt: skip
FAILING = """\
echo ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json'
echo "    at /home/ann/.cache/pnpm/dlx-$$: $2"
exit 1"""

pytestmark = pytest.mark.timeout(900)


def test_what_applies_is_in_the_request_and_a_blocked_call_is_not_made(host: RealHost, model: Provider) -> None:
    host.wire(CASES)
    host.tool("git", f'[ "$1" != push ] || touch {host.project}/pushed')  # Gemini CLI asks git as it starts
    host.tool("npm", f"touch {host.project}/called")
    model.wants("npm run build", "git push --force origin main")
    assert DONE in host.turn("please deploy the shop")
    first = "\n".join(model.texts(0))
    assert "Deploy on Monday morning instead: 周一早上再发布。" in first
    assert "Say which release it is." in first
    assert (host.project / "called").exists()
    assert not (host.project / "pushed").exists()
    assert "Push with --force-with-lease." in model.text
    model.wants()
    host.turn("what is in this folder?")
    assert "Casebook: lessons" not in model.text


def test_three_failing_calls_with_different_arguments_make_one_case_that_warns_the_fourth(
    host: RealHost, model: Provider
) -> None:
    host.wire(CASES)
    host.tool("pnpm", FAILING)
    for package in ("left-pad@1.3.0", "react", "@types/node@20"):
        model.wants("ls", f"pnpm add {package}")
        host.turn(f"add {package}")
        assert "lockfile" not in "\n".join(model.texts(0))
    (made,) = [
        each for each in host.cases() if each["id"] not in {"example_force_push", *(case["id"] for case in CASES)}
    ]
    assert made["status"] == "active"
    model.wants("ls", "pnpm add vite")
    host.turn("add vite")
    assert f"Case {made['id']}" in model.text
    model.wants("ls", "git status")
    host.turn("what has changed?")
    assert made["id"] not in model.text


def test_a_block_of_the_turn_keeps_the_prompt_and_blocks_this_turns_calls_alone(
    host: RealHost, model: Provider
) -> None:
    host.wire([FROZEN])
    host.tool("npm", f"touch {host.project}/called")
    model.wants("npm run payroll")
    host.turn("change the payroll")
    assert "change the payroll" in "\n".join(model.texts(0))
    assert "Leave the payroll alone" in "\n".join(model.texts(0))
    assert not (host.project / "called").exists()
    model.wants("npm run build")
    host.turn("then build the shop", again=True)
    assert (host.project / "called").exists()


def test_a_prompt_that_corrects_the_call_before_it_is_heard_and_the_second_of_a_kind_is_a_draft(
    host: RealHost, model: Provider
) -> None:
    host.wire(CASES)
    host.tool("npm", "echo added 1 package")
    model.wants("npm install left-pad")
    host.turn("install left-pad")
    model.wants("npm install left-pad")
    host.turn("no, use pnpm, not npm", again=True)
    known = {each["id"] for each in host.cases()}
    model.wants()
    host.turn("no, use pnpm, not npm", again=True)
    (draft,) = [each for each in host.cases() if each["id"] not in known]
    assert (draft["status"], draft["correction"]) == ("draft", "no, use pnpm, not npm")


def test_a_host_that_is_killed_in_mid_turn_leaves_a_casebook_that_serves(host: RealHost, model: Provider) -> None:
    book = host.wire(CASES)
    host.tool("npm", f"touch {host.project}/called; sleep 120")
    model.wants("npm run build")
    process = host.started(*host.command("please deploy the shop"))
    until = time.monotonic() + 90
    while not (host.project / "called").exists() and time.monotonic() < until:
        time.sleep(0.2)
    host.killed(process)
    assert (host.project / "called").exists()
    host.casebook("check", str(book))
    model.wants()
    host.turn("please deploy the shop", again=True)
    assert DONE in host.turn("please deploy it now")
    assert "Deploy on Monday morning" in model.text


def test_a_casebook_that_is_gone_keeps_a_host_from_nothing(host: RealHost, model: Provider) -> None:
    """Gemini CLI takes a hook's exit code 127 for a no: to the prompt, to each call, to its own answer."""
    host.wire(CASES)
    here, changed = program()[0].encode(), 0
    for path in [each for each in host.home.rglob("*") if each.is_file()]:
        if here in (text := path.read_bytes()):
            path.write_bytes(text.replace(here, b"/no/such/casebook"))
            changed += 1
    assert changed == 1
    host.tool("npm", f"touch {host.project}/called")
    model.wants("npm run build")
    assert host.turn("please deploy the shop").count(DONE) == 1
    assert (host.project / "called").exists()


def test_what_all_hosts_have_met_once_each_warns_all_of_them(tmp_path: Path, model: Provider) -> None:
    hosts = [host_in(name, tmp_path, model) for name in HOSTS]
    hosts[0].wire(CASES)
    for each in hosts:
        each.casebook("install", each.name, "--yes")
        each.tool("pnpm", FAILING)
    for number, each in enumerate(hosts):
        model.wants("ls", f"pnpm add package-{number}")
        each.turn("add it")
    (made,) = [
        each for each in hosts[0].cases() if each["id"] not in {"example_force_push", *(case["id"] for case in CASES)}
    ]
    for each in hosts:
        model.wants("ls", "pnpm add vite")
        each.turn("add vite")
        assert f"Case {made['id']}" in model.text, each.name
