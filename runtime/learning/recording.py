"""From an outcome to the event that is journaled: redacted, canonical, signed, and judged whether it counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.redacting.identity import identity
from casebook.redacting.redact import redact, shortened
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.composed import composed
from casebook.runtime.facts.instant import instant_of
from casebook.runtime.facts.tools import canonical_tool
from casebook.runtime.journal.keeping import BITS, kept
from casebook.runtime.journal.records import NOBODY, EventKind, EventRecord
from casebook.runtime.learning.signature import error_signature, is_transient

READ_CHARS = 65_536
"""Characters of a text that are looked at for secrets."""
TYPE_CHARS = 200
"""Characters of an error's type that are kept."""
SIGNED_CHARS = 16_384
"""Characters of a message that are signed: the beginning and the end of longer ones."""
MESSAGE_CHARS = 2_000
"""Characters of a message that are kept, likewise."""
TEXT_CHARS = 1_000
"""Characters of feedback and corrections that are kept."""
TOOL_CHARS = 200
"""Characters of a tool's name that are kept."""

_CALL = ("tool", "tool_native", "action", "program", "path")
_CARRIED = ("text", "intent", "channel", "model", "origin", "context")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of the task that an outcome answers.

    Attributes:
        activation: the id of the answer, or None.
        named: the id that was told, where no answer of it is known.
        session, principal: the task's.
        facts: its facts, as far as they are known.
        verdict: of the answer.
    """

    activation: str | None = None
    session: str | None = None
    principal: Principal = NOBODY
    facts: Mapping[str, Any] = field(default_factory=dict)
    verdict: str = "allow"
    named: str | None = None


def event_of(outcome: Outcome, asked: Asked, policy: Policy, now: datetime) -> EventRecord:
    """Give the event of an outcome.

    Args:
        outcome: as it was reported.
        asked: the task that it answers.
        policy: for tools, secrets, what is no error, and what is kept.
        now: the present instant, aware, for an outcome that names none.
    """
    made = _call_of(outcome, asked, policy)
    native, args, call = made.native, made.args, made.facts
    body: dict[str, Any] = {name: kept(value, policy) for name, value in call.items() if name != "tool"}
    if args:
        body["args"] = kept(args, policy)
    body.update((name, kept(asked.facts[name], policy)) for name in _CARRIED if asked.facts.get(name) is not None)
    kind, ok = _kind(outcome, native)
    signature, counted = outcome.signature and identity(outcome.signature), False
    if outcome.kind == "error":
        signature, counted, more = _error(outcome, asked, call, args, policy)
        body.update(more)
    elif outcome.text is not None:
        body["text"] = _words(outcome.text, policy)
    said = outcome.correction if outcome.kind != "correction" else outcome.text
    if said is not None and said.strip():
        body["correction"], body["correction_by"] = _words(said, policy), outcome.correction_by
        body.update({"held": True} if outcome.held else {})
    return EventRecord(
        id=identity(outcome.id) if outcome.id else event_id(outcome, asked, made, now),
        at=instant_of(outcome.at, policy.timezone) or now,
        kind=kind,
        session=asked.session,
        principal=asked.principal,
        activation=asked.activation,
        tool=redact(call["tool"][:TOOL_CHARS], policy.redact) if "tool" in call else None,
        ok=ok,
        signature=signature,
        counted=counted,
        turn=outcome.turn and identity(outcome.turn),
        body=body,
    )


@dataclass(frozen=True, slots=True)
class Call:
    """The call that an outcome is of.

    Attributes:
        native: the host's name of the tool, or None where it is of no call.
        args: its arguments, or None.
        facts: what is known of it, as `call_facts`.
        is_asked: whether it is the very call that was asked about.
    """

    native: str | None
    args: Any
    facts: Mapping[str, Any]
    is_asked: bool


def _call_of(outcome: Outcome, asked: Asked, policy: Policy) -> Call:
    """Give the call that an outcome is of: the one that was asked about, as far as the outcome does not name another.

    The facts of that one are taken as they were: of a task that is read from the journal the arguments are cut.
    """
    known = _text(asked.facts.get("tool_native")) or _text(asked.facts.get("tool"))
    told = composed(outcome.tool)[:TOOL_CHARS] if outcome.tool else None
    args = composed(outcome.args) if outcome.args is not None else None
    asked_args = asked.facts.get("args")
    is_same = known is not None and (told is None or canonical_tool(told, policy.tools) == asked.facts.get("tool"))
    if is_same and (args is None or _is_same(args, asked_args, policy)):
        facts = {name: asked.facts[name] for name in _CALL if name in asked.facts}
        return Call(known, args or asked_args, facts, is_asked=True)
    native = told or known
    if native is None:
        return Call(None, args, {}, is_asked=False)
    return Call(native, args, call_facts(native, args or None, policy.tools), is_asked=False)


def _is_same(args: Any, known: Any, policy: Policy) -> bool:
    """Say whether arguments are those that are known, whole or as the journal keeps them."""
    return args == known or (not args and not known) or kept(args, policy) in (known, kept(known, policy))


def event_id(outcome: Outcome, asked: Asked, call: Call, now: datetime) -> str:
    """Give the id of an outcome that names none, the same for the same report (DESIGN section 6).

    By its activation and its tool call; without a call by activation and words; without an activation by session, tool,
    arguments and words.
    """
    words = [outcome.type, outcome.message, outcome.text]
    if outcome.kind in ("compacted", "ended"):  # marks: each is one of its own
        words = [now.isoformat()]
    is_known = call.is_asked and asked.activation is not None
    parts: list[Any] = [outcome.kind, asked.activation, *((None, None) if is_known else (call.native, call.args))]
    if asked.activation is None:
        parts += [asked.named, asked.session, asked.principal.user, *words]
    elif call.native is None or outcome.kind not in ("error", "success"):
        parts += words
    text = json.dumps(_writable(parts), ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def own_id(event: EventRecord) -> str:
    """Give the id of an event whose own one is that of another user's: the same for the same user and report."""
    named = f"{event.principal.user}\0{event.id}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(named).hexdigest()[:32]


def _writable(value: Any) -> Any:
    """Give a value with the integers that Python refuses to write in digits (over 4,300) in hexadecimal ones."""
    if isinstance(value, Mapping):
        return {name: _writable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(each) for each in value]
    return hex(value) if isinstance(value, int) and value.bit_length() > BITS else value


def _kind(outcome: Outcome, tool: str | None) -> tuple[EventKind, bool | None]:
    if outcome.kind == "error":
        return ("tool" if tool else "error"), False
    if outcome.kind == "success":
        return ("tool" if tool else "success"), True
    return outcome.kind, None


def _error(
    outcome: Outcome, asked: Asked, call: Mapping[str, Any], args: Any, policy: Policy
) -> tuple[str, bool, dict[str, Any]]:
    """Give the signature of an error, whether it counts, and what is kept of it."""
    message = _clean(outcome.message or "", SIGNED_CHARS, policy)
    kind = _clean(outcome.type, TYPE_CHARS, policy) if outcome.type else None
    signature = (outcome.signature and identity(outcome.signature)) or error_signature(
        message, type=kind, tool=call.get("tool")
    )
    error = {"type": kind, "message": shortened(message, MESSAGE_CHARS), "signature": signature}
    more: dict[str, Any] = {"error": {name: value for name, value in error.items() if value}}
    ignored = "casebook" if asked.verdict == "block" else _ignored(call, args, kind, message, policy)
    if ignored:
        more["ignored"] = ignored
    if is_transient(message, type=kind):
        more["transient"] = True
    return signature, ignored is None, more


def _ignored(call: Mapping[str, Any], args: Any, kind: str | None, message: str, policy: Policy) -> str | None:
    from casebook.runtime.learning.ignored import ignored_error  # with its tables of words, with the first error

    return ignored_error(
        tool=call.get("tool"),
        action=call.get("action"),
        program=call.get("program"),
        args=args,
        type=kind,
        message=message,
        policy=policy,
    )


def _words(text: str, policy: Policy) -> str:
    return _clean(text, TEXT_CHARS, policy)


def _clean(text: str, chars: int, policy: Policy) -> str:
    """Give a text without its secrets, then cut: what the first cut leaves of a secret is far from what the second one keeps."""
    return shortened(redact(shortened(text, READ_CHARS), policy.redact), chars)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
