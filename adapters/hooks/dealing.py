"""One event dealt with: the casebook asked or told, and what the session's next event has to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from casebook.adapters.exchange import Exchange
from casebook.adapters.hooks.event import Event
from casebook.adapters.hooks.memo import Memo, OpenCall, known_as
from casebook.adapters.protocol import NOTHING, Injection
from casebook.adapters.turn import UNATTENDED
from casebook.fitting import task_within, within
from casebook.outcome import Outcome
from casebook.redacting.redact import redact, redacted
from casebook.task import Task

_DENIED = "PermissionDeniedByUser"


class Dealing:
    """A host's events over one casebook.

    Attributes:
        exchange: the casebook for the host.
        whose: who is served: user and project, as the host's own process knows them.
    """

    def __init__(self, exchange: Exchange, whose: Mapping[str, Any]) -> None:
        """Take the casebook for a host, and whom it serves."""
        self.exchange = exchange
        self.whose = {name: value for name, value in whose.items() if value}
        self._cut = ""

    def deal(self, event: Event, memo: Memo) -> Injection:
        """Deal with an event; raises nothing that a casebook raises.

        Args:
            event: as the host told it.
            memo: of its session; it is changed.

        Returns:
            What the host is to be told.
        """
        kinds = {
            "session_start": self._session, "task": self._turn, "tool": self._call, "outcome": self._outcome,
            "compacted": self._compacted, "turn_end": self._turn_end, "ended": self._ended,
        }  # fmt: skip
        done = kinds.get(event.kind)
        if done is None:
            return NOTHING
        fitting, self._cut = _fitting(event)
        said = done(replace(fitting, call=known_as(fitting.call), turn=known_as(fitting.turn)), memo)
        return replace(said, trouble=self._cut) if self._cut and not said.trouble else said

    # -- sessions ----------------------------------------------------------------------------------------------------------

    def _session(self, event: Event, memo: Memo) -> Injection:
        if event.cut:
            self._compacted(event, memo)
        return self.exchange.before(self._task(event, point="session_start"))

    def _compacted(self, event: Event, memo: Memo) -> Injection:  # noqa: ARG002 - every kind is dealt with alike
        self.exchange.after(self._task(event), Outcome.compacted())
        return NOTHING

    def _ended(self, event: Event, memo: Memo) -> Injection:
        self._unheard(event, memo, "")
        self.exchange.after(self._task(event), Outcome.ended())
        return NOTHING

    # -- a turn ------------------------------------------------------------------------------------------------------------

    def _turn(self, event: Event, memo: Memo) -> Injection:
        """Ask about a prompt. A block keeps it: it is injected, and blocks the turn's calls; of a turn that nobody typed it ends the run."""
        self._unheard(event, memo, event.text)
        memo.begun(event.turn)
        pending, memo.pending = memo.pending, ""
        said = self.exchange.before(self._task(event, text=event.text), self._cut)
        memo.activation = said.activation
        if said.verdict == "block" and event.origin in UNATTENDED:
            return said
        if said.verdict == "block":
            memo.blocked = said.reason
        elif said.verdict == "confirm":
            memo.asks = said.reason
        text = "\n\n".join(filter(None, (said.text, pending if pending not in said.text else "")))
        return replace(said, text=text, verdict="allow", reason="")

    def _turn_end(self, event: Event, memo: Memo) -> Injection:
        if memo.activation and event.kind == "turn_end":
            outcome = Outcome.success(id=self._key(event, memo, "end"), turn=memo.turn)
            self.exchange.after(memo.activation, outcome)
            memo.activation = ""
        return NOTHING

    def _unheard(self, event: Event, memo: Memo, prompt: str) -> None:
        """Deal with what stands before a prompt: calls that were not allowed or broken off, and a prompt that corrects the last call.

        A call of which nothing was heard was not allowed, unless the host has noted otherwise: it was killed, or runs on.
        """
        for call in memo.unheard():
            if event.refused(call.id, call.tool, call.args) is False:
                continue
            call.heard = call.failed = True
            outcome = Outcome.error(_DENIED, "the call was not allowed, or broken off", tool=call.tool, args=call.args)
            self.exchange.after(call.activation or self._of(event, call), outcome)
        last = memo.calls[-1] if memo.calls else None
        if last is None:
            return
        from casebook.adapters.hooks.correcting import corrects  # with its patterns, late: few events need them

        if corrects(prompt):
            text = redacted(prompt)
            outcome = Outcome.feedback(text, tool=last.tool, args=last.args or None)
            self.exchange.after(last.activation or self._of(event, last), outcome)

    # -- a call ------------------------------------------------------------------------------------------------------------

    def _call(self, event: Event, memo: Memo) -> Injection:
        if memo.blocked:
            return Injection(verdict="block", reason=memo.blocked)
        said = self.exchange.before(self._task(event, tool=event.tool, args=dict(event.args) or None), self._cut)
        asks = self.exchange.host.confirms == "asks"
        agrees = said.verdict == "allow" and bool(memo.asks)
        if (
            agrees
        ):  # until a call that was asked about is made; where the host asks nobody, until the person has said something
            said = replace(said, verdict="confirm", reason=memo.asks)
        if said.verdict == "allow" or (said.verdict == "confirm" and asks):
            args = redacted(dict(event.args))
            memo.asked(OpenCall(event.call, redact(event.tool), args, said.activation, agrees=agrees))
        if said.verdict == "allow" and said.text and self.exchange.host.advises != "before":
            memo.pending = "\n\n".join(filter(None, (memo.pending, said.text)))
            return replace(said, text="")
        return said

    def _outcome(self, event: Event, memo: Memo) -> Injection:
        """Report what became of a call, by the host's id of it, once; advice that waited for a place is given here."""
        call = memo.open(event.call, redact(event.tool), {} if event.call else redacted(dict(event.args)))
        if call is not None:
            call.heard, call.failed = True, event.error is not None
            if call.agrees and not (event.denied or event.interrupted):
                memo.asks = ""
        about = (call.activation if call else "") or self._of_event(event)
        self.exchange.after(about, self._told(event, memo))
        if event.denied and event.text:
            said = Outcome.feedback(redacted(event.text), tool=event.tool or None, args=dict(event.args) or None)
            self.exchange.after(about, said)
        if self.exchange.host.advises != "after" or not memo.pending:
            return NOTHING
        pending, memo.pending = memo.pending, ""
        return Injection(text=pending)

    def _told(self, event: Event, memo: Memo) -> Outcome:
        of: dict[str, Any] = {
            "tool": event.tool or None,
            "args": dict(event.args) or None,
            "turn": _turn_of(event, memo) or None,
        }
        if event.call:
            of["id"] = self._key(event, memo, event.call)
        if event.denied:
            return Outcome.error(_DENIED, event.error or "the call was not allowed", **of)
        if event.interrupted:
            return Outcome.error("Interrupted", event.error or "interrupted by the user", **of)
        return Outcome.success(**of) if event.error is None else Outcome.error(None, event.error, **of)

    # -- tasks -------------------------------------------------------------------------------------------------------------

    def _key(self, event: Event, memo: Memo, of: str) -> str:
        return f"{self.exchange.host.name}:{event.session[:120]}:{_turn_of(event, memo)[:120]}:{of[:200]}"

    def _task(self, event: Event, **fields: Any) -> Task:
        """Give the task of an event, whose fields fit into one."""
        told = {
            **self.whose, "session": event.session or None, "origin": event.origin or None, "agent": event.agent or None,
            "channel": event.channel or None, "model": event.model or None, "context": dict(event.context) or None, **fields,
        }  # fmt: skip
        return task_within(told)[0]

    def _of(self, event: Event, call: OpenCall) -> Task:
        """Give the task of a call that the casebook was not asked about, in the session of the event after it."""
        return self._task(event, tool=call.tool or None, args=call.args or None)

    def _of_event(self, event: Event) -> Task:
        return self._task(event, tool=event.tool or None, args=dict(event.args) or None)


_READ = ("text", "tool", "args", "session", "turn", "call", "origin", "agent", "channel", "model", "context")
"""What of an event becomes part of a task, or of what is kept of it."""


def _fitting(event: Event) -> tuple[Event, str]:
    """Give an event that is no larger than a task may be, and what of it was cut; "" where nothing was."""
    kept, cut = within({name: getattr(event, name) for name in _READ})
    return (replace(event, **kept) if cut else event), cut


def _turn_of(event: Event, memo: Memo) -> str:
    """Give the turn that an event belongs to: a call may end when the next prompt is there already."""
    return event.turn or memo.turn
