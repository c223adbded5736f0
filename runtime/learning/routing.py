"""Where an outcome goes (DESIGN section 6): feedback to L2, to be judged; the rest to the file of its session, L1.

The third tier is the detector's: an error seen often enough becomes a case. The files are projections of the journal, which has
everything already: what is not written yet is lost by nobody, and trouble with a file is told and fails no outcome.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

from casebook.clock import Clock
from casebook.faults import CasebookError
from casebook.forking import guarded
from casebook.runtime.answer.harmless import excerpt
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry, EventRecord
from casebook.runtime.learning.claims import feedback_id

LAZY = timedelta(seconds=5)
"""How long a success may wait to be written, by the clock, at the next event of its session (ours: the design names none)."""
TEXT_CHARS = 500
"""Characters of an error or of words that a session's file shows; the journal has more."""
_WAITING = 200
"""Events of one session that wait at most: no more would stay in its file."""
_LATE = 500
"""Of so many events, the newest, those are looked for that nobody has routed."""
_SESSIONS = 500
"""Sessions with something to write that are held at most; past it the one that waits longest is written."""

_LOADED = ("casebook.memory", "casebook.stores.memories", "casebook.stores.session_names", "filelock")

_Key = tuple[str | None, str | None]


class Routed(NamedTuple):
    """Where an outcome went.

    Attributes:
        tier: L1 or L2; L3 is for the detector to say.
        trouble: why a file could not be written, or where its entries went instead; else empty.
    """

    tier: Literal["L1", "L2"]
    trouble: str = ""


@dataclass(slots=True)
class _Waiting:
    """What is to be written of one session.

    Attributes:
        since: the instant of the last write or of the first event.
        events: in order of arrival.
        ended: when the session ended, or None.
    """

    since: datetime
    events: deque[EventRecord] = field(default_factory=lambda: deque(maxlen=_WAITING))
    ended: datetime | None = None


class Routing:
    """Routes the outcomes of one casebook. Safe from many threads; over processes by the files' lock."""

    def __init__(self, root: Path | None, journal: Journal, clock: Clock) -> None:
        """Take the casebook's folder, None where it has none (then there are no files), its journal and the clock."""
        self._root = root
        self._journal = journal
        self._clock = clock
        self._lock: threading.RLock = guarded(self, rank=5)
        self._waiting: dict[_Key, _Waiting] = {}
        self._memories: Any = None
        self._has_loaded = False

    def route(self, event: EventRecord) -> Routed:
        """Take an event that was journaled.

        A success is written within some seconds, at the next event of its session, or by `flush`; all else at once.
        """
        self._load()
        if event.kind == "feedback":
            return Routed("L2", self._learn(event))
        if event.kind in ("task", "compacted"):
            return Routed("L1")
        if self._root is None:
            return Routed("L1")
        key = (event.session, event.principal.user)
        now = self._clock()
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting is None:
                waiting = self._waiting[key] = _Waiting(now)
            if event.kind == "ended":
                waiting.ended = event.at
            else:
                waiting.events.append(event)
            is_due = _is_urgent(event) or now - waiting.since >= LAZY
            over = len(self._waiting) - _SESSIONS
            others = [other for other in self._waiting if other != key][:over] if over > 0 else []
        trouble = self._write(key) if is_due else ""
        for other in others:
            trouble = trouble or self._write(other, goes_on=False)
        return Routed("L1", trouble)

    def catch_up(self) -> tuple[str, ...]:
        """Route the feedback of which a process that was killed has left nothing but the event; give what went wrong."""
        newest = self._journal.events(limit=1)
        if not newest:
            return ()
        late = self._journal.events(kinds=("feedback",), after=max(newest[-1].seq - _LATE, 0))
        told = (self.complete(each) for each in late)
        return tuple(dict.fromkeys(each for each in told if each))

    def complete(self, event: EventRecord) -> str:
        """Route feedback that was journaled before, where nothing shows that it was routed; give what went wrong."""
        self._load()
        return self._learn(event) if self._journal.entry(feedback_id(event.id)) is None else ""

    def flush(self) -> tuple[str, ...]:
        """Write what waits; give what went wrong, a sentence each."""
        with self._lock:
            keys = [key for key, waiting in self._waiting.items() if waiting.events or waiting.ended]
        told = (self._write(key) for key in keys)
        return tuple(dict.fromkeys(each for each in told if each))

    def close(self) -> tuple[str, ...]:
        """Write what waits and let go; as `flush`."""
        trouble = self.flush()
        with self._lock:
            self._waiting.clear()
        return trouble

    def _write(self, key: _Key, *, goes_on: bool = True) -> str:
        """Write what waits of one session; what cannot be written waits on. Where it goes on, its next events may wait again."""
        with self._lock:
            waiting = self._waiting.pop(key, None)
        if waiting is None or not (waiting.events or waiting.ended):
            return ""
        from casebook.stores.memories import SESSION_ENTRIES
        from casebook.stores.session_names import session_file

        session, user = key
        memories, unfit = _memories(waiting.events)
        fields = {"session": session, "user": user, "ended_at": waiting.ended and _iso(waiting.ended)}
        try:
            written = self._store().add(
                session_file(session, user),
                memories,
                fields={name: value for name, value in fields.items() if value is not None},
                newest=SESSION_ENTRIES,
            )
        except CasebookError as error:
            self._put_back(key, waiting)
            return str(error)
        if goes_on and waiting.ended is None:
            with self._lock:
                self._waiting.setdefault(key, _Waiting(self._clock()))
        trouble: str = written.trouble
        return trouble or unfit

    def _put_back(self, key: _Key, waiting: _Waiting) -> None:
        """Let what could not be written wait on, before what came in the meantime."""
        with self._lock:
            newer = self._waiting.get(key)
            if newer is not None:
                waiting.events.extend(newer.events)
                waiting.ended = newer.ended or waiting.ended
            waiting.since = self._clock()
            self._waiting[key] = waiting

    def _learn(self, event: EventRecord) -> str:
        """Put feedback where it waits to be judged, and into the review queue."""
        from casebook.stores.memories import LEARNINGS

        memories, trouble = _memories((event,), "L2")
        path = ""
        if self._root is not None and memories:
            try:
                written = self._store().add(LEARNINGS, memories)
            except CasebookError as error:
                trouble = str(error)
            else:
                path, trouble = written.path, written.trouble
        body = {"reason": "feedback", "event": event.id, **({"file": path} if path else {})}
        actor = f"person:{event.principal.user}" if event.principal.user else "person"
        entry = Entry(feedback_id(event.id), event.at, actor, "queue", memory_id(event), body=body)
        try:
            self._journal.append((entry,))
        except CasebookError as error:
            trouble = trouble or str(error)
        return trouble

    def _load(self) -> None:
        """Load what writing takes, which is whole before a fork, whose child could wait for it for ever."""
        if self._has_loaded or self._root is None:
            return
        with self._lock:
            for name in _LOADED:
                import_module(name)
            self._has_loaded = True

    def _store(self) -> Any:
        """Give the files; loaded when the first is written."""
        with self._lock:
            if self._memories is None:
                from casebook.stores.memories import Memories

                assert self._root is not None
                self._memories = Memories(self._root)
            return self._memories


def memory_id(event: EventRecord) -> str:
    """Give the id of the memory of an event: the same for the same event, whatever its id is like."""
    return f"{_kind(event)}-{sha256(event.id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _is_urgent(event: EventRecord) -> bool:
    """Say whether an event is written at once: an error that counts, a correction, the end of the session."""
    return event.kind in ("correction", "ended") or (event.failed and event.counted)


def _kind(event: EventRecord) -> str:
    if event.failed:
        return "error"
    return {"feedback": "feedback", "correction": "lesson"}.get(event.kind, "success")


def _memories(events: Iterable[EventRecord], tier: Literal["L1", "L2"] = "L1") -> tuple[list[Any], str]:
    """Give the memories of events, and what is wrong where one cannot be made one, such as a user's name over the limit."""
    from casebook.memory import UnfitMemoryError

    memories, trouble = [], ""
    for event in events:
        try:
            memories.append(_memory(event, tier))
        except UnfitMemoryError as error:
            trouble = trouble or f"an event is in the journal, and in no file of memories: {error}"
    return memories, trouble


def _memory(event: EventRecord, tier: Literal["L1", "L2"]) -> Any:
    """Give the memory of an event: its words redacted already, here shortened and made harmless."""
    from casebook.memory import Memory

    principal = event.principal
    kind = _kind(event)
    scope: dict[str, Any] = {"user": principal.user, "project": principal.project}
    about = dict(_about(event))
    why = {"error": "an error", "success": "a success", "lesson": "what works instead", "feedback": "a user's words"}[
        kind
    ]
    return Memory.from_json(
        {
            "id": memory_id(event),
            "kind": kind,
            "text": excerpt(_text(event), TEXT_CHARS) or f"({why})",
            "tier": tier,
            **({"scope": named} if (named := {name: value for name, value in scope.items() if value}) else {}),
            "source": {
                "origin": "outcome",
                "by": _by(event),
                **{
                    name: value
                    for name, value in (
                        ("session", event.session),
                        ("event", event.id),
                        ("activation", event.activation),
                    )
                    if value is not None
                },
            },
            "created_at": _iso(event.at),
            **({"status": "to_judge"} if tier == "L2" else {}),
            "rule_chain": [{"rule": "routing", "why": f"{why}: {'to be judged' if tier == 'L2' else 'of a session'}"}],
            **({"about": about} if about else {}),
        }
    )


def _by(event: EventRecord) -> str:
    """Give who said it: a user's feedback is a person's, a correction whose it is said to be, the rest a tool's."""
    if event.kind == "feedback":
        return "person"
    if event.kind == "correction":
        return str(event.body.get("correction_by") or "agent")
    return "tool"


def _about(event: EventRecord) -> Iterator[tuple[str, Any]]:
    if event.tool is not None:
        yield "tool", excerpt(event.tool, 200)
    action = event.body.get("action")
    if isinstance(action, str):
        yield "action", excerpt(action, 100)
    if event.signature is not None:
        yield "signature", event.signature
    for name in ("case", "ignored"):
        if event.body.get(name):
            yield name, event.body[name]
    correction = event.body.get("correction")
    if event.failed and isinstance(correction, str):
        yield "correction", excerpt(correction, TEXT_CHARS)
        yield "correction_by", event.body.get("correction_by") or "agent"


def _text(event: EventRecord) -> str:
    """Give the words of a memory; none of them is anything but data."""
    body = event.body
    call = body.get("action") or body.get("tool_native") or event.tool
    if event.failed:
        error = body.get("error") or {}
        return ": ".join(str(part) for part in (call, error.get("type"), error.get("message")) if part)
    if event.kind in ("feedback", "correction"):
        return str(body.get("text") or body.get("correction") or "")
    return f"{call} succeeded" if call else "the task succeeded"


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")
