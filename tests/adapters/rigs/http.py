"""A program that asks over HTTP and holds to what it is told: it makes no blocked call, and asks its person where a case wants it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from casebook.adapters.hosts import host_of
from tests.adapters.rig import Call, Rig, Seen
from tests.http.service import bearer, client_over, token

_CLOSED: dict[str, Any] = {"verdict": "allow", "prompt": "", "activation": None, "matched": []}
"""What a program goes on with that is given no answer."""


class HttpRig:
    shell = "shell"

    def __init__(self, folder: Path) -> None:
        self.host = host_of("http")
        self._stack = ExitStack()
        state = self._stack.enter_context(tempfile.TemporaryDirectory())
        self._stack.enter_context(patch.dict(os.environ, {"CASEBOOK_STATE_DIR": state}))
        self._client = self._stack.enter_context(client_over(folder))
        self._tokens: dict[str, str] = {}
        self._turns = 0

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
        seen = Seen()
        whose = {"session": session, **({"origin": origin} if origin else {})}
        turn = self._post("before_task", user, {"text": prompt, **whose})
        context = [turn["prompt"], prompt]
        seen.requests.append("\n".join(context))
        for call in calls:
            told = self._called(call, turn, whose, seen, user=user, agrees=agrees)
            seen.told.append(told)
            context.append(told)
            seen.requests.append("\n".join(context))
        if turn["activation"] is not None:
            self._post("after_task", user, {"kind": "success", "activation": turn["activation"]})
        return seen

    def _called(
        self, call: Call, turn: dict[str, Any], whose: dict[str, Any], seen: Seen, *, user: str | None, agrees: Callable[[], bool] | None
    ) -> str:  # fmt: skip
        if turn["verdict"] == "block":
            return f"not made: {turn['prompt']}"
        asked = {"tool": call.tool, "args": call.args, **whose}
        answer = self._post("before_task", user, asked)
        if answer["verdict"] == "confirm" and agrees is not None:
            seen.asked += 1
            if agrees():
                confirmed = [each["id"] for each in answer["matched"]]
                answer = self._post("before_task", user, {**asked, "confirmed": confirmed})
        if answer["verdict"] != "allow":
            return f"not made: {answer['prompt']}"
        seen.ran.append(call.tool)
        outcome: dict[str, Any] = {"kind": "error", "message": call.fails} if call.fails else {"kind": "success"}
        about = {"activation": answer["activation"]} if answer["activation"] is not None else {"task": asked}
        self._post(
            "after_task", user, {**outcome, **about, "tool": call.tool, "args": call.args, "turn": str(self._turns)}
        )
        return "\n".join(filter(None, (answer["prompt"], call.fails or "ok")))

    def _post(self, route: str, user: str | None, body: dict[str, Any]) -> dict[str, Any]:
        name = user or "tester"
        if name not in self._tokens:
            self._tokens[name] = token("reporter", name)
        told = self._client.post(f"/v1/{route}", json=body, headers=bearer(self._tokens[name]))
        found: dict[str, Any] = told.json() if told.status_code == 200 else _CLOSED
        return found

    def close(self) -> None:
        self._stack.close()


def rig(name: str, folder: Path) -> Rig:
    return HttpRig(folder)
