"""Records for the journal's tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from casebook.memory_facts import Telling
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.protocol import Note
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Firing, Version

NOW = datetime(2026, 3, 20, 12, 0, 0, 123456, tzinfo=UTC)
ANN = Principal("ann", "shop", frozenset({"a", "b"}), "coder")


def after(**passed: float) -> datetime:
    return NOW + timedelta(**passed)


def activation(name: str = "a1", *cases: str, **fields: Any) -> ActivationRecord:
    firings = tuple(Firing(each, "v1", "selected", because=({"condition": "c", "seen": "s"},)) for each in cases)
    given = {"at": NOW, "session": "s1", "principal": ANN, "firings": firings, "facts": {"text": "hello"}, **fields}
    return ActivationRecord(
        **{
            "id": name,
            "point": "tool",
            "tool": "shell",
            "verdict": "advise",
            "engine": "reference",
            "mode": "enforce",
            "release": "0.2.0",
            **given,
        }
    )


def noted(record: ActivationRecord, *more: EventRecord | Version) -> Note:
    events = tuple(each for each in more if isinstance(each, EventRecord))
    versions = tuple(each for each in more if isinstance(each, Version))
    return lambda: (record, events, versions)


def event(name: str = "e1", **fields: Any) -> EventRecord:
    return EventRecord(**{"id": name, "at": NOW, "kind": "tool", **fields})


def failed(name: str, signature: str = "sig", **fields: Any) -> EventRecord:
    return event(name, ok=False, signature=signature, **{"counted": True, "tool": "shell", **fields})


def entry(name: str = "n1", **fields: Any) -> Entry:
    return Entry(**{"id": name, "at": NOW, "actor": "detector", "action": "promote", **fields})


def version(case_id: str = "c", name: str = "v1", **fields: Any) -> Version:
    return Version(**{"case_id": case_id, "version": name, "at": NOW, "text": "{}", **fields})


def told(memory: str, key: str, **fields: Any) -> Telling:
    return Telling(**{"memory": memory, "key": key, "at": NOW, "session": "s1", "user": "ann", **fields})
