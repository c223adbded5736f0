"""Records, and the past as a case is tested on it, without a journal."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from casebook.case import Case
from casebook.conditions.tree import Node
from casebook.policy import Policy
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.journal.records import NOBODY, EventKind, EventRecord
from casebook.runtime.learning.backtest import NEWEST_CALLS, words_of
from casebook.runtime.learning.signature import error_signature, is_transient
from casebook.runtime.lint.examples import broken, examples_of
from casebook.stores.case_file import read
from casebook.stores.elements import Reading

BEGIN = datetime(2026, 3, 20, 9, 0, tzinfo=UTC)
AIRLINE = Path(__file__).parent.parent / "replay" / "airline.jsonl"


def person(
    user: str | None = None, project: str | None = None, team: str | None = None, agent: str | None = None
) -> Principal:
    return Principal(user, project, frozenset({team} if team else ()), agent)


def happened(
    seq: int,
    tool: str | None = None,
    args: Mapping[str, Any] | None = None,
    error: str | None = None,
    *,
    session: str | None = "s",
    principal: Principal = NOBODY,
    kind: EventKind | None = None,
    type: str | None = None,  # noqa: A002  # as an outcome names it
    signature: str | None = None,
    **body: Any,
) -> EventRecord:
    """A record as the runtime writes it: a call, a failed one where there is an error, or without a tool an error or a turn."""
    call = call_facts(tool, args, {}) if tool else {}
    held: dict[str, Any] = {name: value for name, value in call.items() if name != "tool"} | body
    if args is not None:
        held["args"] = dict(args)
    if error is not None:
        signature = signature or error_signature(error, type=type, tool=call.get("tool"))
        held["error"] = {"message": error, "signature": signature} | ({"type": type} if type else {})
        if is_transient(error, type=type):
            held["transient"] = True
    return EventRecord(
        id=f"e{seq}",
        at=BEGIN + timedelta(seconds=seq),
        kind=kind or ("tool" if tool else "error" if error is not None else "success"),
        session=session,
        principal=principal,
        tool=call.get("tool"),
        ok=(error is None) if tool or kind is None else None,
        signature=signature,
        counted=error is not None,
        activation=held.pop("activation", None),
        turn=held.pop("turn", None),
        body=held,
        seq=seq,
    )


class Past:
    """`Calls` over a list of records."""

    def __init__(self, records: Sequence[EventRecord] = ()) -> None:
        self.records = [*records]

    def of(self, tools: Collection[str], intents: Collection[str]) -> Sequence[EventRecord]:
        calls = [each for each in self.records if each.kind == "tool" and each.tool in tools]
        turns = [
            each
            for each in self.records
            if each.kind in ("task", "error", "success")
            and not each.tool
            and set(intents) & set(words_of(each.body, "intent"))
        ]
        return [*calls[-NEWEST_CALLS:], *turns[-NEWEST_CALLS:]]

    def earlier(self, record: EventRecord) -> Sequence[EventRecord]:
        return [each for each in self._session(record) if each.seq < record.seq]

    def later(self, record: EventRecord) -> Sequence[EventRecord]:
        return [each for each in self._session(record) if each.seq > record.seq]

    def _session(self, record: EventRecord) -> Sequence[EventRecord]:
        if record.session is None:
            return ()
        whose = (record.session, record.principal.user)
        return [each for each in self.records if (each.session, each.principal.user) == whose]


def airline() -> list[EventRecord]:
    """The airline record; `seq` is the line, from 1."""
    records = []
    for place, line in enumerate(AIRLINE.read_text(encoding="utf-8").splitlines()):
        told = json.loads(line)
        records.append(happened(place + 1, told["tool"], told["args"], told["error"], session=told["session"]))
    return records


def loads(case: Case, policy: Policy | None = None) -> tuple[Node, ...]:
    """The conditions of a case, as the store reads them out of a file; nothing of it is at fault, and its examples fire."""
    policy = policy or Policy()
    data = json.dumps({"format": 1, "cases": [case.to_json()]}, ensure_ascii=False).encode()
    file = read(data, Reading("long_term/learnt.json", "", policy.timezone, policy.fields))
    (element,) = file.elements
    assert [*file.faults()] == []
    assert element.loaded is not None
    for name, _, form in examples_of(element.loaded):
        assert broken(element.loaded, name, form, policy) is None
    return element.loaded.conditions
