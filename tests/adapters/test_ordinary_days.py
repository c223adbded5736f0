"""A command that fails three times makes one case on its action, and all that is ordinary goes on without a word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.ordinary import commands, prompts
from tests.adapters.rig import Call
from tests.adapters.rigs.claude_code import ClaudeCodeRig

ORDINARY = 500
"""Prompts, and as many calls."""
LEARNT = (
    ("pnpm install", "ERR_PNPM_OUTDATED_LOCKFILE lock {}"),
    ("git push --force", "! [rejected] main -> main (fetch first) {}"),
    ("cargo publish", "error: crate version is already uploaded {}"),
)
"""Commands that failed three times, and how."""


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClaudeCodeRig]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "memory"
    (folder / "long_term").mkdir(parents=True)
    with closing(ClaudeCodeRig("claude-code", folder)) as opened:
        yield opened


def bash(command: str, fails: str = "") -> Call:
    return Call("Bash", {"command": command, "description": "as asked"}, fails=fails)


def cases(host: ClaudeCodeRig) -> list[Any]:
    return [each.case for each in host._runtime.snapshot().cases.values()]


def spoken(host: ClaudeCodeRig, events: list[tuple[str, str]]) -> list[str]:
    """What was said to anything of ordinary events, each in a session of its own, where nothing was said before."""
    said = []
    for number, (kind, text) in enumerate(events):
        session = f"day-{number}"
        payload = (
            host.prompt(session, "p", text, None) if kind == "prompt" else host.before(session, "p", "c", bash(text))
        )
        if host._hook(payload, "ann"):
            said.append(text)
    return said


@pytest.mark.parametrize(
    ("fails", "action"),
    [
        (
            [
                ("pnpm install --frozen-lockfile", "ERR_PNPM_OUTDATED_LOCKFILE Cannot install with frozen-lockfile, /srv/a/pnpm-lock.yaml"),
                ("cd web && pnpm install left-pad@1.3.0", "ERR_PNPM_OUTDATED_LOCKFILE Cannot install with frozen-lockfile, /srv/b/pnpm-lock.yaml"),
                ("CI=1 pnpm install -w lodash", "ERR_PNPM_OUTDATED_LOCKFILE Cannot install with frozen-lockfile, /home/x/pnpm-lock.yaml"),
            ],
            "pnpm install",
        ),
        (
            [
                ("docker compose up -d web", "Error response from daemon: port is already allocated: 0.0.0.0:5432"),
                ("docker compose up --build", "Error response from daemon: port is already allocated: 0.0.0.0:6379"),
                ("sudo docker compose up cache", "Error response from daemon: port is already allocated: 0.0.0.0:8080"),
            ],
            "docker compose up",
        ),
        (
            [
                ("kubectl apply -f k8s/web.yaml", "error: You must be logged in to the server (the server has asked for credentials, request 17)"),
                ("kubectl apply -k overlays/prod", "error: You must be logged in to the server (the server has asked for credentials, request 23)"),
                ("kubectl apply -f - < job.yaml", "error: You must be logged in to the server (the server has asked for credentials, request 31)"),
            ],
            "kubectl apply",
        ),
    ],
    ids=["pnpm install", "docker compose up", "kubectl apply"],
)  # fmt: skip
def test_three_failures_with_different_arguments_make_one_case_on_the_action(host, fails, action) -> None:
    for command in commands(60):
        host.run("go on", [bash(command)], session="before", user="ann")
    for number, (command, error) in enumerate(fails):
        host.run(f"please {number}", [bash(command, error)], session=f"s{number}", user="ann")
    (case,) = cases(host)
    assert (case.trigger_conditions[0], case.status, case.effect) == (f'action is "{action}"', "active", "advise")
    seen = host.run("once more", [bash(f"{action} again")], session="s9", user="ann")
    assert case.id in seen.told[0]


def test_of_a_thousand_ordinary_prompts_and_calls_at_most_one_in_a_hundred_is_answered(host: ClaudeCodeRig) -> None:
    """Three commands were learnt among ordinary ones, three more failed once; the day then is ordinary, but for five calls."""
    for number, command in enumerate(commands(130)):
        host.run("go on", [bash(command)], session=f"past{number}", user="ann")
    for command, error in LEARNT:
        for number in range(3):
            call = bash(f"{command} --x{number}", error.format(number))
            host.run("go on", [call], session=f"{command}{number}", user="ann")
    for command, error in (
        ("terraform apply", "no credentials"),
        ("helm upgrade web", "timed out"),
        ("make deploy", "no host"),
    ):
        host.run("go on", [bash(command, error)], session=command, user="ann")
    assert len(cases(host)) == len(LEARNT)
    day = [*(("prompt", each) for each in prompts(ORDINARY)), *(("call", each) for each in commands(ORDINARY - 5))]
    day += [("call", f"pnpm install pkg-{number}") for number in range(5)]
    assert len(day) == 2 * ORDINARY
    said = spoken(host, day)
    assert len(said) <= len(day) // 100, said
    assert [each for each in said if each.startswith("pnpm install")] == [text for _, text in day[-5:]]
