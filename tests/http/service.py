"""A service as tests see it: its application in this process, or a process of its own. Nothing leaves 127.0.0.1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from casebook.adapters.http import tokens
from casebook.adapters.http.app import application
from casebook.adapters.http.desk import Desk
from casebook.adapters.http.guarding import Guard
from casebook.adapters.http.handshake import Standing
from casebook.adapters.http.pool import Borrowed
from casebook.adapters.identity import Caller
from casebook.adapters.roles import Role
from casebook.clock import Clock, elapsed, system_clock
from casebook.runtime import Runtime
from casebook.runtime.answer.isolation import Principal

URL = "http://127.0.0.1:7477"
ROOT = Path(__file__).resolve().parents[2]
CASES: list[dict[str, Any]] = [
    {
        "id": "deploy_friday", "situation": "A deployment went out on a Friday evening.",
        "trigger_conditions": ["text contains deploy"], "correction": "Deploy on Monday morning instead.",
    },
    {
        "id": "of_ben", "situation": "x", "trigger_conditions": ["text contains deploy"],
        "correction": "Ben wants to be asked.", "scope": {"user": "ben"},
    },
]  # fmt: skip


def book(folder: Path, cases: list[dict[str, Any]] | None = None) -> Path:
    """Make a casebook."""
    (folder / "long_term").mkdir(parents=True)
    policy = "format: 1\nlimits: {before_task_ms: 60000}\n"  # a machine under load drops no advice here
    (folder / "memory-policy.yaml").write_text(policy, encoding="utf-8")
    text = json.dumps({"format": 1, "cases": CASES if cases is None else cases}, ensure_ascii=False)
    (folder / "long_term" / "cases.json").write_text(text, encoding="utf-8")
    return folder


def token(
    role: Role = "reporter", user: str = "ann", *, project: str | None = None, teams: tuple[str, ...] = ()
) -> str:
    """Make a token and give its text."""
    return tokens.add(Caller(Principal(user, project, frozenset(teams), None), role), system_clock())[1]


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


@contextmanager
def client_over(folder: Path, *, clock: Clock = system_clock, seconds: float = 120.0) -> Iterator[TestClient]:
    """Give a client of the application over a folder, behind its guard."""
    with Runtime.open(folder, clock=clock) as runtime, client_of(runtime, clock=clock, seconds=seconds) as client:
        yield client


@contextmanager
def client_of(runtime: Runtime | None, *, clock: Clock = system_clock, seconds: float = 120.0) -> Iterator[TestClient]:
    """Give a client of the application over a runtime, behind its guard."""

    @contextmanager
    def borrowed() -> Iterator[Borrowed]:
        yield Borrowed(runtime, "" if runtime is not None else "/x is not trusted")

    desk = Desk(borrowed, clock)
    guard = Guard(application(desk), 7477, seconds=seconds)
    client = TestClient(guard, base_url=URL, raise_server_exceptions=False)
    client.headers.pop("user-agent")
    try:
        yield client
    finally:
        client.close()
        desk.close()


class Service:
    """`casebook serve` in a process of its own."""

    def __init__(self, state: Path, cwd: Path, *arguments: str, before: str = "") -> None:
        self.environment = {**os.environ, "CASEBOOK_STATE_DIR": str(state)}
        program = f"{before}\nfrom casebook.adapters.cli.main import main\nimport sys\nsys.exit(main())"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "serve", *arguments],
            cwd=cwd, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip

    def line(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.readline()

    def up(self) -> str:
        """Wait until it serves; gives its URL."""
        line = self.line()
        assert line.startswith("serving "), line + (self.process.stderr.read() if self.process.stderr else "")
        return next((word.rstrip(";") for word in line.split() if word.startswith("http://")), "")

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; gives the exit code and the words since."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def hook(
    state: Path, cwd: Path, payload: dict[str, Any] | str, *, name: str = "claude-code", before: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """Run `casebook hook NAME` as a host does."""
    text = payload if isinstance(payload, str) else json.dumps(payload)
    program = f"{before}\nfrom casebook.adapters.cli.main import main\nimport sys\nsys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", program, "hook", name],
        input=text, cwd=cwd, env={**os.environ, "CASEBOOK_STATE_DIR": str(state), **more}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def prompt(text: str, cwd: Path, session: str = "s1") -> dict[str, Any]:
    return {
        "hook_event_name": "UserPromptSubmit",
        "session_id": session,
        "cwd": str(cwd),
        "prompt": text,
        "prompt_id": text,
    }


def until(true: Any, seconds: float = 60.0) -> None:
    """Wait until something is true."""
    import time

    end = elapsed() + seconds
    while not true():
        assert elapsed() < end, "it did not come true in time"
        time.sleep(0.05)


__all__ = [
    "CASES",
    "ROOT",
    "URL",
    "Service",
    "Standing",
    "bearer",
    "book",
    "client_of",
    "client_over",
    "hook",
    "prompt",
    "token",
    "until",
]
