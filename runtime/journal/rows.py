"""Records as rows of the journal's tables, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Firing, Version

if TYPE_CHECKING:
    from casebook.memory_facts import Telling

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Row = tuple[Any, ...]

ACTIVATION = "id, at, session, user, project, teams, agent, point, tool, verdict, engine, mode, release, facts"
FIRING = "case_id, version, how, detail, because"
EVENT = "id, at, kind, session, user, project, teams, agent, activation, tool, ok, signature, counted, turn, body"
ENTRY = "id, at, actor, action, subject, signature, body"
VERSION = "case_id, version, at, text, place, author"
TELLING = "memory, key, at, session, user"


@dataclass(slots=True)
class Batch:
    """Rows that are written together, in the order of the tables' names above.

    Attributes:
        activations: each with the rows of its firings.
        events, entries, versions, tellings: the others.
    """

    activations: list[tuple[Row, tuple[Row, ...]]] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    entries: list[Row] = field(default_factory=list)
    versions: list[Row] = field(default_factory=list)
    tellings: list[Row] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.activations or self.events or self.entries or self.versions or self.tellings)

    def __len__(self) -> int:
        rows = (self.activations, self.events, self.entries, self.versions, self.tellings)
        return sum(map(len, rows))


def whole(text: str) -> str:
    """Give text without lone surrogates, which no UTF-8 can hold: U+FFFD stands for each."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def micros(at: datetime) -> int:
    """Give an aware instant in microseconds since 1970 in UTC."""
    passed = at - _EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


def instant_of(number: int) -> datetime:
    """Give the instant of so many microseconds since 1970, aware, UTC. Raises OverflowError outside the years 1 to 9999."""
    return _EPOCH + timedelta(microseconds=number)


def dumped(value: Any) -> str:
    """Give JSON text in which any character of Unicode survives."""
    return whole(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_mapping))


def activation_rows(record: ActivationRecord) -> tuple[Row, tuple[Row, ...]]:
    """Give the row of an activation, and those of its firings."""
    row = (
        whole(record.id),
        micros(record.at),
        _maybe(record.session),
        *_principal_row(record.principal),
        whole(record.point),
        _maybe(record.tool),
        whole(record.verdict),
        whole(record.engine),
        whole(record.mode),
        whole(record.release),
        dumped(record.facts),
    )
    return row, tuple(
        (whole(each.case_id), whole(each.version), whole(each.how), whole(each.detail), dumped(each.because))
        for each in record.firings
    )


def activation_of(row: Row, firings: Iterable[Row], seq: int = 0) -> ActivationRecord:
    """Give the activation of a row, and of those of its firings, with its order of arrival."""
    return ActivationRecord(
        id=row[0],
        at=instant_of(row[1]),
        session=row[2],
        principal=_principal_of(row[3:7]),
        point=row[7],
        tool=row[8],
        verdict=row[9],
        engine=row[10],
        mode=row[11],
        release=row[12],
        facts=json.loads(row[13]),
        firings=tuple(Firing(each[0], each[1], each[2], each[3], tuple(json.loads(each[4]))) for each in firings),
        seq=seq,
    )


def event_row(record: EventRecord) -> Row:
    """Give the row of an event."""
    return (
        whole(record.id),
        micros(record.at),
        whole(record.kind),
        _maybe(record.session),
        *_principal_row(record.principal),
        _maybe(record.activation),
        _maybe(record.tool),
        None if record.ok is None else int(record.ok),
        _maybe(record.signature),
        int(record.counted),
        _maybe(record.turn),
        dumped(record.body),
    )


def event_of(row: Row) -> EventRecord:
    """Give the event of a row, which begins with its seq."""
    return EventRecord(
        seq=row[0],
        id=row[1],
        at=instant_of(row[2]),
        kind=row[3],
        session=row[4],
        principal=_principal_of(row[5:9]),
        activation=row[9],
        tool=row[10],
        ok=None if row[11] is None else bool(row[11]),
        signature=row[12],
        counted=bool(row[13]),
        turn=row[14],
        body=json.loads(row[15]),
    )


def entry_row(record: Entry) -> Row:
    """Give the row of an entry of the audit log."""
    return (
        whole(record.id),
        micros(record.at),
        whole(record.actor),
        whole(record.action),
        whole(record.subject),
        _maybe(record.signature),
        dumped(record.body),
    )


def entry_of(row: Row) -> Entry:
    """Give the entry of a row, which begins with its seq."""
    return Entry(
        seq=row[0],
        id=row[1],
        at=instant_of(row[2]),
        actor=row[3],
        action=row[4],
        subject=row[5],
        signature=row[6],
        body=json.loads(row[7]),
    )


def version_row(record: Version) -> Row:
    """Give the row of a case's text."""
    return (
        whole(record.case_id),
        whole(record.version),
        micros(record.at),
        whole(record.text),
        whole(record.place),
        whole(record.by),
    )


def version_of(row: Row) -> Version:
    """Give the version of a row."""
    return Version(row[0], row[1], instant_of(row[2]), row[3], row[4], row[5])


def telling_row(record: Telling) -> Row:
    """Give the row of a telling."""
    return whole(record.memory), whole(record.key), micros(record.at), _maybe(record.session), _maybe(record.user)


def telling_of(row: Row) -> Telling:
    """Give the telling of a row. Raises TypeError where its names are no text."""
    memory, key, at, session, user = row
    if not (isinstance(memory, str) and isinstance(key, str)):
        raise TypeError("expected the names of a memory and of an answer")
    return _telling_type()(memory, key, instant_of(at), session, user)


@cache
def _telling_type() -> type[Telling]:
    from casebook.memory_facts import Telling  # with the trigger language: only who asks for tellings pays for it

    return Telling


def without_words(body: str) -> str:
    """Give an event's body without what was said: args, texts, paths, corrections and messages; names and types stay."""
    try:
        read = json.loads(body)
    except ValueError:
        return "{}"
    if not isinstance(read, dict):
        return "{}"
    kept = {name: value for name, value in read.items() if name not in _WORDS}
    if isinstance(kept.get("error"), dict):
        kept["error"] = {name: value for name, value in kept["error"].items() if name in ("type", "signature")}
    return dumped(kept)


_WORDS = frozenset({"args", "text", "path", "context", "correction"})


def _maybe(text: str | None) -> str | None:
    return None if text is None else whole(text)


def _principal_row(principal: Principal) -> Iterator[str | None]:
    yield _maybe(principal.user)
    yield _maybe(principal.project)
    yield dumped(sorted(principal.teams)) if principal.teams else None
    yield _maybe(principal.agent)


def _principal_of(row: Row) -> Principal:
    user, project, teams, agent = row
    return Principal(user, project, frozenset(json.loads(teams)) if teams else frozenset(), agent)


def _mapping(value: Any) -> Any:
    """Give a mapping that is no dict (one that cannot be changed) as a dict."""
    return dict(value)
