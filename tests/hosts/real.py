"""Real hosts: their binaries, a home of their own with a model on loopback, and the casebook wired as a person would wire it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.hosts.provider import Provider

SECONDS = 150
"""Of one turn, on a machine under load."""


_CHOSEN = os.environ.get("CASEBOOK_NODE_BIN", "")  # as it was before the tests took all of casebook's variables away


def folders_of_programs() -> str:
    """Give where the hosts' programs are looked for: $CASEBOOK_NODE_BIN, then PATH."""
    return os.pathsep.join(filter(None, (_CHOSEN, os.environ.get("PATH", ""))))


def program_of(name: str) -> str:
    """Give the path of a host's program; empty where it is not here."""
    return shutil.which(name, path=folders_of_programs()) or ""


class RealHost(ABC):
    """A host in a home and a project of its own. A subclass says how it is set up and how a turn is run.

    Attributes:
        home: the home folder.
        project: where the agent works.
        environment: of the host's process, and so of its hooks.
    """

    name: str
    program: str

    def __init__(self, folder: Path, provider: Provider, state: Path | None = None) -> None:
        """Make the home and the project, and point the host at the model."""
        self.home, self.project, self.provider = folder / "home", folder / "project", provider
        self.bin = folder / "bin"
        for each in (self.home, self.project, self.bin):
            each.mkdir(parents=True, exist_ok=True)
        keep = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR", "TERM") if name in os.environ}
        dead = "http://127.0.0.1:9"  # nothing listens there: who wants to reach the world does not
        proxies = {name: dead for each in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY") for name in (each, each.lower())}
        self.environment = {
            **keep, **proxies, "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost",
            "HOME": str(self.home), "PATH": os.pathsep.join((str(self.bin), folders_of_programs())),
            "CASEBOOK_STATE_DIR": str(state or folder / "state"),
        }  # fmt: skip
        self.set_up()

    @abstractmethod
    def set_up(self) -> None:
        """Write the host's settings."""

    @abstractmethod
    def command(self, prompt: str, *, again: bool = False) -> tuple[str, ...]:
        """Give what runs one turn, of the session before where `again`."""

    def turn(self, prompt: str, *, again: bool = False) -> str:
        """Run one turn; gives what the host printed."""
        return self.ran(*self.command(prompt, again=again))

    # -- the casebook ------------------------------------------------------------------------------------------------------

    def casebook(self, *arguments: str) -> str:
        """Run a casebook command in the project; gives its stdout."""
        return self.ran(sys.executable, "-m", "casebook", *arguments)

    def wire(self, cases: list[dict[str, Any]] | None = None) -> Path:
        """Make a casebook in the project, approve its cases, and wire the host; gives the folder."""
        self.casebook("init", "memory")
        book = self.project / "memory"
        policy = book / "memory-policy.yaml"
        text = policy.read_text(encoding="utf-8")
        assert "\nlimits:" not in text
        policy.write_text(
            f"{text}\nlimits:\n  before_task_ms: 60000\n", encoding="utf-8"
        )  # under load no advice is dropped here
        (book / "long_term" / "cases.json").write_text(
            json.dumps({"format": 1, "cases": cases or []}, ensure_ascii=False), encoding="utf-8"
        )
        self.casebook("trust", ".", "--yes")
        self.casebook("install", self.name, "--yes")
        return book

    def cases(self) -> list[dict[str, Any]]:
        """Give the cases of the project's casebook."""
        listed: list[dict[str, Any]] = json.loads(self.casebook("list", "--json"))
        return listed

    def tool(self, name: str, script: str) -> None:
        """Put a program on the agent's PATH."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    # -- processes ---------------------------------------------------------------------------------------------------------

    def ran(self, *command: str) -> str:
        """Run a command to its end, and all that it has started with it."""
        process = subprocess.Popen(
            command, cwd=self.project, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            out, err = process.communicate(timeout=SECONDS)
        finally:
            _end(process)
        assert process.returncode == 0, f"{command}: {process.returncode}\n{out}\n{err}"
        return out

    def started(self, *command: str) -> subprocess.Popen[str]:
        """Start a command and give its process; `killed` ends it."""
        return subprocess.Popen(
            command, cwd=self.project, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            encoding="utf-8", start_new_session=True,
        )  # fmt: skip

    @staticmethod
    def killed(process: subprocess.Popen[str]) -> None:
        """Kill a process and all that it has started."""
        _end(process)
        process.wait()


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


class ClaudeCode(RealHost):
    name, program = "claude-code", "claude"

    def set_up(self) -> None:
        self.environment |= {
            "ANTHROPIC_BASE_URL": self.provider.url, "ANTHROPIC_API_KEY": "sk-ant-fake", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
        }  # fmt: skip
        (self.home / ".claude").mkdir(exist_ok=True)

    def command(self, prompt: str, *, again: bool = False) -> tuple[str, ...]:
        return (program_of(self.program), "-p", prompt, "--allowedTools", "Bash", *(("--continue",) if again else ()))


class Codex(RealHost):
    name, program = "codex", "codex"

    def set_up(self) -> None:
        folder = self.home / ".codex"
        folder.mkdir(exist_ok=True)
        self.environment["FAKE_KEY"] = "x"
        # its shell is a login shell, which begins with a PATH of its own
        (self.home / ".bash_profile").write_text(f'export PATH="{self.bin}:$PATH"\n', encoding="utf-8")
        (folder / "config.toml").write_text(
            'model = "fake-1"\nmodel_provider = "fake"\n\n[model_providers.fake]\nname = "fake"\n'
            f'base_url = "{self.provider.url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
            "request_max_retries = 0\nstream_max_retries = 0\n\n[analytics]\nenabled = false\n",
            encoding="utf-8",
        )

    def command(self, prompt: str, *, again: bool = False) -> tuple[str, ...]:
        more = (
            "--skip-git-repo-check",
            "--dangerously-bypass-hook-trust",
            "--dangerously-bypass-approvals-and-sandbox",
        )
        return (program_of(self.program), "exec", *more, *(("resume", "--last") if again else ()), prompt)


class OpenCode(RealHost):
    name, program = "opencode", "opencode"

    def set_up(self) -> None:
        folder = self.home / ".config" / "opencode"
        folder.mkdir(parents=True, exist_ok=True)
        self.environment |= {
            "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1", "npm_config_registry": f"{self.provider.url}/npm/", "npm_config_fetch_retries": "0",
        }  # fmt: skip
        model = {"name": "fake", "tool_call": True, "limit": {"context": 100_000, "output": 1_000}}
        options = {"baseURL": f"{self.provider.url}/v1", "apiKey": "x"}
        fake = {"npm": "@ai-sdk/openai-compatible", "name": "fake", "options": options, "models": {"fake-1": model}}
        settings = {
            "model": "fake/fake-1", "small_model": "fake/fake-1", "provider": {"fake": fake}, "autoupdate": False, "share": "disabled",
            "permission": {"bash": "allow", "edit": "allow"},
        }  # fmt: skip
        (folder / "opencode.json").write_text(json.dumps(settings), encoding="utf-8")

    def command(self, prompt: str, *, again: bool = False) -> tuple[str, ...]:
        return (program_of(self.program), "run", *(("--continue",) if again else ()), prompt)


class GeminiCli(RealHost):
    name, program = "gemini", "gemini"

    def set_up(self) -> None:
        self.environment |= {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": self.provider.url, "NO_COLOR": "1"}
        folder = self.home / ".gemini"
        folder.mkdir(exist_ok=True)
        settings = {
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}}, "model": {"name": "gemini-2.5-flash"},
        }  # fmt: skip
        (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        trusted = {
            str(self.project): "TRUST_FOLDER"
        }  # in a folder that is not, it runs nothing headless and no hook otherwise
        (folder / "trustedFolders.json").write_text(json.dumps(trusted), encoding="utf-8")

    def command(self, prompt: str, *, again: bool = False) -> tuple[str, ...]:
        return (
            program_of(self.program),
            "-p",
            prompt,
            "--approval-mode",
            "yolo",
            *(("--resume", "latest") if again else ()),
        )


HOSTS: dict[str, type[RealHost]] = {each.name: each for each in (ClaudeCode, Codex, OpenCode, GeminiCli)}
