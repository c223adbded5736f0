"""Hosts that run a command at their events: a turn of the host, played with its own payloads through `answer`."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from casebook.adapters.hooks.answering import Served, answer
from casebook.adapters.hosts import host_of
from casebook.runtime import Runtime
from tests.adapters.rig import Call, Seen


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that is played."""

    session: str
    id: str
    user: str | None
    agrees: Callable[[], bool] | None


class HookRig(ABC):
    """One host. A subclass says how its payloads look, and how its answers are read.

    A host that keeps injected text has it in each later request of the session, which `requests` shows as the host would send it.
    """

    shell: str = "Bash"

    def __init__(self, name: str, folder: Path) -> None:
        self.host = host_of(name)
        self._runtime = Runtime.open(folder)
        self._turns = 0

    @abstractmethod
    def prompt(self, session: str, turn: str, text: str, origin: str | None) -> Mapping[str, Any]:
        """Give the payload of a person's prompt."""

    @abstractmethod
    def before(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        """Give the payload before a call."""

    @abstractmethod
    def after(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any]:
        """Give the payload after a call that was made."""

    def denied(self, session: str, turn: str, call: str, of: Call) -> Mapping[str, Any] | None:
        """Give the payload that tells that a person did not allow a call; None where the host tells nothing of it."""
        return None

    @abstractmethod
    def text_in(self, output: Mapping[str, Any]) -> str:
        """Give the text that an answer puts before the model."""

    @abstractmethod
    def verdict_in(self, output: Mapping[str, Any]) -> tuple[str, str]:
        """Give what an answer decides about a call (`allow`, `ask`, `deny`) and why."""

    def run(
        self,
        prompt: str,
        calls: Sequence[Call] = (),
        *,
        session: str = "s1",
        user: str | None = None,
        origin: str | None = None,
        agrees: Callable[[], bool] | None = None,
    ) -> Seen:
        self._turns += 1
        turn, seen = Played(session, f"p{self._turns}", user, agrees), Seen()
        try:
            said = self._hook(self.prompt(session, turn.id, prompt, origin), user)
            request = f"{prompt}\n{self.text_in(said)}"
            seen.requests.append(request)
            for number, each in enumerate(calls):
                told = self._call(turn, f"{turn.id}-c{number}", each, seen)
                seen.told.append(told)
                request = f"{request}\n{told}"
                seen.requests.append(request)
        except Exception as error:  # noqa: BLE001 - told to the test
            seen.raised = error
        return seen

    def _call(self, turn: Played, call: str, of: Call, seen: Seen) -> str:
        said = self._hook(self.before(turn.session, turn.id, call, of), turn.user)
        verdict, reason = self.verdict_in(said)
        if verdict == "ask":
            seen.asked += turn.agrees is not None
            verdict = "allow" if turn.agrees is not None and turn.agrees() else "deny"
        if verdict == "deny":
            return reason
        seen.ran.append(of.tool)
        ended = self._hook(self.after(turn.session, turn.id, call, of), turn.user)
        return "\n".join((self.text_in(said), of.fails or "ok", self.text_in(ended)))

    def _hook(self, payload: Mapping[str, Any], user: str | None) -> Mapping[str, Any]:
        raw = json.dumps(payload, ensure_ascii=False).encode()
        reply = answer(self.host.name, raw, lambda _: Served(self._runtime, {"user": user}))
        assert reply.code == 0
        read: Mapping[str, Any] = json.loads(reply.stdout) if reply.stdout else {}
        return read

    def close(self) -> None:
        self._runtime.close()
