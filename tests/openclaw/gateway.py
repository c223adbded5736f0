"""A real gateway of OpenClaw, with a home of its own, a model on loopback, and the casebook wired as a person would wire it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.hosts.real import folders_of_programs, program_of
from tests.openclaw.fake_model import FakeModel, text_in

_START = 240
"""Seconds until it answers, on a machine under load."""
_TURN = 180
_TOKEN = "of-a-test"
NOTES = "# Notes\n\nThe harbour crane is painted in ochre.\n"
"""What OpenClaw's own memory holds before there is a casebook."""

_CASEBOOK = """#!/bin/sh
# The casebook for a gateway under test: each event is kept, and it can be made to break.
here=$(dirname "$0")
case "$(cat "$here/how" 2>/dev/null)" in
broken) echo "no JSON"; exit 3 ;;
killed) kill -9 $$ ;;
esac
[ "$1" = hook ] || exec "{python}" -m casebook "$@"
event=$(cat)
printf '%s\\n' "$event" >> "$here/events.jsonl"
printf '%s' "$event" | "{python}" -m casebook "$@"
"""


def missing() -> str:
    """Say what is not here of what a gateway needs; empty where nothing is missing."""
    gone = [name for name in ("node", "openclaw") if not program_of(name)]
    return (
        f"{' and '.join(gone)} not found: tests/openclaw/install.sh, and its folder in $CASEBOOK_NODE_BIN"
        if gone
        else ""
    )


class Gateway:
    """The gateway.

    Attributes:
        workspace: where its agent works.
        book: the casebook in it, in the folder of OpenClaw's own memory.
        notes: a file of that memory.
        model: what its agent asks.
    """

    def __init__(self, folder: Path, cases: Sequence[dict[str, Any]]) -> None:
        """Set it up in a folder, with a casebook that a person has trusted, and start it."""
        self.home, self.workspace, self.bin = folder / "home", folder / "workspace", folder / "bin"
        for each in (self.home / ".openclaw", self.workspace, self.bin):
            each.mkdir(parents=True)
        self.book, self.model, self.log = self.workspace / "memory", FakeModel(), folder / "gateway.log"
        self.settings = self.home / ".openclaw" / "openclaw.json"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        dead = "http://127.0.0.1:9"  # nothing listens there: who wants to reach the world does not
        proxies = {name: dead for each in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY") for name in (each, each.lower())}
        keep = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TERM") if name in os.environ}
        self.environment = {
            **keep, **proxies, "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost", "HOME": str(self.home),
            "PATH": os.pathsep.join((str(self.bin), folders_of_programs())), "CASEBOOK_STATE_DIR": str(folder / "state"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }  # fmt: skip
        program = self.bin / "casebook"
        program.write_text(_CASEBOOK.replace("{python}", sys.executable), encoding="utf-8")
        program.chmod(0o755)
        self._configure()
        self._wire(cases)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _configure(self) -> None:
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        kind = {
            "id": "fake-1",
            "name": "fake",
            "contextWindow": 200_000,
            "maxTokens": 4000,
            "input": ["text"],
            "reasoning": False,
        }
        provider = {
            "baseUrl": self.model.url,
            "apiKey": "none",
            "api": "openai-completions",
            "models": [{**kind, "cost": cost}],
        }
        settings = {
            "gateway": {
                "mode": "local", "port": self.port, "bind": "loopback", "auth": {"mode": "token", "token": _TOKEN},
                "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
            },
            "models": {"providers": {"fake": provider}},
            "agents": {"defaults": {"model": {"primary": "fake/fake-1"}, "workspace": str(self.workspace), "skipBootstrap": True}},
        }  # fmt: skip
        self.settings.write_text(json.dumps(settings, indent=2), encoding="utf-8")

    def _wire(self, cases: Sequence[dict[str, Any]]) -> None:
        self.notes = self.book / "2026-11-30.md"
        self.book.mkdir()
        self.notes.write_text(NOTES, encoding="utf-8")
        self.casebook("init", str(self.book))
        with (self.book / "memory-policy.yaml").open("a", encoding="utf-8") as policy:
            policy.write("\nlimits:\n  before_task_ms: 60000\n")  # under load no advice is dropped here
        text = json.dumps({"format": 1, "cases": list(cases)}, ensure_ascii=False)
        (self.book / "long_term" / "cases.json").write_text(text, encoding="utf-8")
        self.casebook("trust", str(self.workspace), "--yes")
        self.casebook("install", "openclaw", "--yes")
        settings = json.loads(self.settings.read_bytes())
        config = settings["plugins"]["entries"]["casebook"]["config"]
        assert config["command"][1:] == ["hook", "openclaw"]
        config["command"][:1] = [str(self.bin / "casebook")]
        config["seconds"] = 60
        self.settings.write_text(json.dumps(settings, indent=2), encoding="utf-8")

    def _start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [program_of("openclaw"), "gateway", "run"], env=self.environment, cwd=self.home, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + _START
        while not self._answers():
            assert self._process.poll() is None, self.told()
            assert time.monotonic() < until, self.told()
            time.sleep(0.5)

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).close()
        except (OSError, urllib.error.URLError):
            return False
        return True

    def close(self) -> None:
        """End the gateway and the model."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self.model.close()

    def told(self) -> str:
        """Give the end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-4000:]

    # -- what a person does --------------------------------------------------------------------------------------------------

    def say(self, text: str, session: str = "main") -> list[str]:
        """Say something to the agent; gives what the model received in this turn, a text a request, the system's part left out."""
        before = len(self.model.received)
        body = {"model": "openclaw", "messages": [{"role": "user", "content": text}]}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/chat/completions",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {_TOKEN}", "Content-Type": "application/json", "x-openclaw-session-key": f"agent:main:{session}"},
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=_TURN) as answer:
            told = json.loads(answer.read())
        assert told["choices"][0]["message"]["content"] == "done", told
        return [_texts(each["messages"]) for each in self.model.received[before:]]

    def openclaw(self, *arguments: str) -> str:
        """Run a command of OpenClaw; gives its stdout."""
        return self._run(program_of("openclaw"), *arguments)

    def openclaw_json(self, *arguments: str) -> Any:
        """Run a command of OpenClaw that prints JSON."""
        printed = self.openclaw(*arguments)
        return json.loads(printed[min(at for at in (printed.find("{"), printed.find("[")) if at >= 0) :])

    def casebook(self, *arguments: str) -> str:
        """Run a casebook command in the workspace; gives its stdout."""
        return self._run(str(self.bin / "casebook"), *arguments)

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=self.workspace,
            capture_output=True,
            text=True,
            timeout=_TURN,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    @contextmanager
    def approver(self, decision: str) -> Iterator[list[dict[str, Any]]]:
        """Have a person at the gateway's control, who answers each question alike; gives what came to them, whole after the block."""
        sdk = Path(program_of("openclaw")).resolve().parent / "dist" / "plugin-sdk"
        command = [program_of("node"), str(Path(__file__).parent / "approver.mjs"), str(sdk), decision]
        told: list[dict[str, Any]] = []
        process = subprocess.Popen(command, env=self.environment, cwd=self.home, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            assert ready == {"ready": True}, ready
            yield told
        finally:
            process.terminate()
            rest, _ = process.communicate(timeout=30)
            told += [json.loads(line) for line in rest.splitlines()]

    # -- what became of it ---------------------------------------------------------------------------------------------------

    def cases(self) -> dict[str, dict[str, Any]]:
        """Give the cases of its casebook, by id."""
        return {each["id"]: each for each in json.loads(self.casebook("list", "--json"))}

    def events(self, name: str) -> list[dict[str, Any]]:
        """Give what the plugin has told of one hook."""
        path = self.bin / "events.jsonl"
        told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        return [each for each in told if each["event"] == name]

    def awaited(self, name: str, session: str) -> dict[str, Any]:
        """Wait until the plugin has told of a hook in a session."""
        until = time.monotonic() + _TURN
        while True:
            found = [each for each in self.events(name) if each["ctx"].get("sessionKey", "").endswith(session)]
            if found:
                return found[-1]
            assert time.monotonic() < until, self.told()
            time.sleep(0.3)

    def breaks(self, how: str) -> None:
        """Make the casebook `broken` or `killed` from now on; empty: it works."""
        (self.bin / "how").write_text(how, encoding="utf-8")


def _texts(messages: Sequence[dict[str, Any]]) -> str:
    """Give what stands in a request since the model last ended a turn."""
    ended = [at for at, each in enumerate(messages) if each["role"] == "assistant" and not each.get("tool_calls")]
    return "\n".join(text_in(each) for each in messages[ended[-1] + 1 if ended else 0 :] if each["role"] != "system")
