"""One turn of an agent in a framework: asked as it begins and before each tool call, told what became of each, and its end.

What every framework's adapter has in common: an adapter makes a `Turn` where a run begins, puts `text` into each request to the
model, asks before each tool call and reports after it. Hooks, whose every event is a process of its own, have no such object.
"""

from __future__ import annotations

import inspect
import threading
import uuid
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from casebook.adapters.exchange import Exchange
from casebook.adapters.protocol import MOST_CHARS, NOTHING, Injection
from casebook.adapters.raised import is_of
from casebook.adapters.refusal import said_no
from casebook.adapters.tool_call import ToolCall
from casebook.fitting import task_within
from casebook.outcome import Outcome
from casebook.runtime.reporting import Stretch, current_activation, is_refusal, outcome_of, warn_cut, warn_once
from casebook.task import Task

OnConfirm = Callable[[Injection], bool | Awaitable[bool]]
"""Asked where a case wants a person's yes; may be async where the framework's calls are."""

UNATTENDED = frozenset({"cron", "heartbeat"})
"""Origins of a turn that nobody has typed: a block at the task point ends it (DESIGN section 13)."""

_RAISED = 32
"""Exceptions of calls that a turn knows again in its own end, the newest: each holds what its traceback holds (ours)."""


class Turn:
    """A turn of one agent. Its tools may be called from many threads or tasks at once. Raises nothing but what `on_confirm` does.

    Attributes:
        id: of the turn: errors of one kind count once in it.
        injection: what was said as it began.
    """

    def __init__(
        self,
        exchange: Exchange,
        whose: Mapping[str, Any],
        *,
        id: str = "",  # noqa: A002 - the field's name
        on_confirm: OnConfirm | None = None,
    ) -> None:
        """Take the host's dealings with its casebook, and whose turn it is.

        Args:
            exchange: the casebook for a host.
            whose: fields of a task that hold for the whole turn: user, project, team, agent, session, channel, model, origin; one
                without a session is a session of its own.
            id: of the turn, where the framework has one that is used once.
            on_confirm: asked where a case wants a person's yes; without it such a call is refused.
        """
        self._exchange = exchange
        self.id = id or uuid.uuid4().hex
        self._whose = {"session": self.id, **{name: value for name, value in whose.items() if value}}
        self._on_confirm = on_confirm
        self._lock = threading.Lock()
        self._texts: list[str] = []
        self._cases: set[str] = set()
        self._asked: Counter[str] = Counter()
        self._reported: set[str] = set()
        self._raised: deque[BaseException] = deque(maxlen=_RAISED)
        self._agreed = False
        self._about_turn: dict[str, bool] = {}
        self._unasked: Exception | None = None
        self.injection: Injection = NOTHING

    # -- as it begins ----------------------------------------------------------------------------------------------------

    def begin(self, text: str) -> Injection:
        """Ask about the turn.

        Args:
            text: the user's own words.
        """
        task, cut = self._task({"text": text})
        return self._begun(NOTHING if task is None else self._exchange.before(task, cut))

    async def abegin(self, text: str) -> Injection:
        """As `begin`, without holding up the event loop."""
        task, cut = self._task({"text": text})
        return self._begun(NOTHING if task is None else await self._exchange.abefore(task, cut))

    @property
    def text(self) -> str:
        """Give what is to stand in each request to the model, as of now; empty where there is nothing to say."""
        with self._lock:
            return "\n\n".join(self._texts)

    @property
    def stop(self) -> str:
        """Give why the run is to end before it begins: a case blocks it and nobody typed it; empty where it may run."""
        is_unattended = self._whose.get("origin") in UNATTENDED
        return self.injection.reason if is_unattended and self.injection.verdict == "block" else ""

    # -- a tool call -----------------------------------------------------------------------------------------------------

    def ask(self, tool: str, args: Mapping[str, Any] | None, call_id: str) -> ToolCall:
        """Ask about a tool call before it is made.

        Args:
            tool: the framework's name of the tool.
            args: its arguments by name.
            call_id: of the call, unlike those of other calls of the turn.
        """
        call = self._call(tool, args, call_id)
        if call.refusal or call.task is None:
            return call
        call = self._heard(call, self._exchange.before(call.task, call.cut))
        for wanted in self._wanted(call):
            said: object = self._on_confirm(wanted) if self._on_confirm else None
            if inspect.isawaitable(said):  # an async `on_confirm` of a sync framework: nobody can wait for its answer
                if inspect.iscoroutine(said):
                    said.close()
                said = None
            call = self._settled(call, wanted, said)
            if call.refusal:
                break
        return call

    async def aask(self, tool: str, args: Mapping[str, Any] | None, call_id: str) -> ToolCall:
        """As `ask`, without holding up the event loop."""
        call = self._call(tool, args, call_id)
        if call.refusal or call.task is None:
            return call
        call = self._heard(call, await self._exchange.abefore(call.task, call.cut))
        for wanted in self._wanted(call):
            said = self._on_confirm(wanted) if self._on_confirm else None
            call = self._settled(call, wanted, await said if inspect.isawaitable(said) else said)
            if call.refusal:
                break
        return call

    def report(self, call: ToolCall, raised: BaseException | None = None, *, message: str | None = None) -> None:
        """Say what became of a call, once; a call that was refused has no outcome.

        Args:
            call: as it was asked about.
            raised: the exception that it ended in.
            message: the error, where it is known by its words alone.
        """
        outcome = self._outcome(call, raised, message)
        if outcome is not None:
            self._exchange.after(call.injection.activation or call.task, outcome)

    async def areport(self, call: ToolCall, raised: BaseException | None = None, *, message: str | None = None) -> None:
        """As `report`, without holding up the event loop."""
        outcome = self._outcome(call, raised, message)
        if outcome is not None:
            await self._exchange.aafter(call.injection.activation or call.task, outcome, raised)

    async def afailed(self, tool: str, args: Mapping[str, Any] | None, call_id: str, raised: BaseException) -> None:
        """Say that a call failed before anybody was asked about it, as one whose arguments do not fit."""
        await self.areport(self._call(tool, args, call_id), raised)

    # -- its end ---------------------------------------------------------------------------------------------------------

    def end(self, raised: BaseException | None = None) -> None:
        """Say how the turn ended; the exception of a call that was reported is no second error."""
        outcome = self._end(raised)
        if outcome is not None:
            self._exchange.after(self.injection.activation, outcome)

    async def aend(self, raised: BaseException | None = None) -> None:
        """As `end`, without holding up the event loop."""
        outcome = self._end(raised)
        if outcome is not None:
            await self._exchange.aafter(self.injection.activation, outcome, raised)

    # -- steps that both ways share --------------------------------------------------------------------------------------

    def _task(self, fields: Mapping[str, Any]) -> tuple[Task | None, str]:
        """Give a task of the turn, and what of it could not be told; None where nothing can."""
        told = {**self._whose, **fields}
        try:
            try:
                task, cut = task_within(told)
            except Exception as error:  # noqa: BLE001 - arguments that raise when they are looked at: known by its tool alone then
                left = {name: value for name, value in told.items() if name not in ("args", "text")}
                task, cut = Task(**left), f"{type(error).__name__} as the task was read"
        except Exception as error:  # noqa: BLE001 - what a framework tells must not break it
            self._unasked = error
            warn_once(self._exchange.casebook, f"a task ({self._exchange.host.name})", error)
            return None, ""
        if cut:
            warn_cut(self._exchange.casebook, f"a task ({self._exchange.host.name})", cut)
        return task, cut

    def _begun(self, injection: Injection) -> Injection:
        self.injection = injection
        self._say(injection)
        return injection

    def _say(self, injection: Injection) -> None:
        """Add what is new to the turn's text; beyond what a host takes the eldest advice of its tools goes."""
        with self._lock:
            new = not injection.cases or not self._cases.issuperset(injection.cases)
            if not injection.text or injection.text in self._texts or not new:
                return
            self._cases.update(injection.cases)
            self._texts.append(injection.text)
            while len(self._texts) > 1 and sum(map(len, self._texts)) + 2 * len(self._texts) > MOST_CHARS:
                del self._texts[1 if len(self._texts) > 2 else 0]

    def _call(self, tool: str, args: Mapping[str, Any] | None, call_id: str) -> ToolCall:
        task, cut = self._task({"tool": tool, "args": args or None})
        with self._lock:
            self._asked[call_id] += 1
            name = call_id if self._asked[call_id] == 1 else f"{call_id}:{self._asked[call_id]}"
        call = ToolCall(call_id, task, NOTHING, Stretch(current_activation(), self.id), name, cut=cut)
        if self.injection.verdict == "block":
            return replace(call, refusal=self.injection.reason)
        if task is None and self._unasked is not None:
            return replace(call, refusal=self._exchange.unasked(tool, self._unasked))
        return call

    def _heard(self, call: ToolCall, injection: Injection) -> ToolCall:
        if injection.verdict == "block":
            return replace(call, injection=injection, refusal=injection.reason)
        self._say(injection)
        return replace(call, injection=injection)

    def _wanted(self, call: ToolCall) -> list[Injection]:
        """Give what a person has to agree to before a call: the turn, once, and the call.

        A call that is asked about again, as after an interrupt, is asked about in the same order: the answers come by their place.
        """
        if call.refusal:
            return []
        with self._lock:
            about_turn = self._about_turn.setdefault(call.id, not self._agreed)
        turn = [self.injection] if self.injection.verdict == "confirm" and about_turn else []
        return [*turn, call.injection] if call.injection.verdict == "confirm" else turn

    def _settled(self, call: ToolCall, wanted: Injection, said: object) -> ToolCall:
        if said:
            self._agreed = self._agreed or wanted is self.injection
            return call
        if said is None:
            return replace(call, refusal=wanted.reason)
        assert call.task is not None
        return replace(call, refusal=said_no(call.task.tool or "", wanted.cases, self._language()))

    def _language(self) -> Any:
        try:
            return self._exchange.casebook.policy().language
        except Exception:  # noqa: BLE001 - a casebook in trouble breaks no host
            return "en"

    def _outcome(self, call: ToolCall, raised: BaseException | None, message: str | None) -> Outcome | None:
        """Give the outcome of a call; None where there is none, or where guarded code or an agent within it has told its error."""
        with self._lock:
            if call.refusal or call.task is None or call.name in self._reported:
                return None
            self._reported.add(call.name)
            if raised is not None:
                self._raised.append(raised)
        within = call.stretch.raised
        call.stretch.turn_of(raised)
        if is_refusal(raised) or (within and (message is not None if raised is None else is_of(raised, (within[0],)))):
            return None
        of: dict[str, Any] = {"tool": call.task.tool, "args": call.task.args, "turn": self.id}
        of["id"] = f"{self._exchange.host.name}:{self.id}:{call.name}"[:512]
        if message is not None and raised is None:
            return Outcome.error(None, message, **of)
        return outcome_of(raised, of)

    def _end(self, raised: BaseException | None) -> Outcome | None:
        """Give the outcome of the turn, unless it was the end of a call that was told, as it came or within another exception."""
        with self._lock:
            told = tuple(self._raised)
            self._raised.clear()
        if is_refusal(raised) or (raised is not None and is_of(raised, told)) or not self.injection.activation:
            return None
        return outcome_of(raised, {"turn": self.id, "id": f"{self._exchange.host.name}:{self.id}:end"[:512]})
