"""The texts of cases as the journal keeps them, and the line of the audit log that every change of a case leaves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.clock import Clock
from casebook.runtime.answer.activation import activation_id
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry, Version


@dataclass(frozen=True, slots=True)
class Changed:
    """A case before and after a change; None where it was not, or is no longer, in service."""

    before: LoadedCase | None
    after: LoadedCase | None

    @property
    def subject(self) -> str:
        """Give the id by which the case is spoken of: the former one where it was renamed."""
        loaded = self.before or self.after
        return "" if loaded is None else loaded.id


def text_of(loaded: LoadedCase) -> str:
    """Give the JSON text of a case: its fields as they were set, `x-` fields included."""
    return json.dumps(loaded.case.to_json(), ensure_ascii=False)


def version_of(loaded: LoadedCase, at: datetime, by: str = "") -> Version:
    """Give the text of a case for the journal.

    Args:
        loaded: the case as it serves.
        at: when it was seen.
        by: who made it, as in `Entry.actor`, or "" where that is not known.
    """
    return Version(loaded.id, loaded.version, at, text_of(loaded), loaded.path, by)


def state(loaded: LoadedCase | None) -> Mapping[str, Any] | None:
    """Give a case for the body of an entry, from which it can be restored: version, place, content."""
    if loaded is None:
        return None
    return {"version": loaded.version, "place": loaded.path, "case": loaded.case.to_json()}


def both(change: Changed) -> Mapping[str, Any]:
    """Give the `before` and `after` of an entry's body."""
    return {"before": state(change.before), "after": state(change.after)}


def keep(journal: Journal, changes: Iterable[Changed], at: datetime, by: str) -> None:
    """Keep the texts before and after changes. Raises StoreError."""
    texts: list[Version] = []
    for each in changes:
        if each.before is not None:
            texts.append(version_of(each.before, at))
        if each.after is not None and (each.before is None or each.after.version != each.before.version):
            texts.append(version_of(each.after, at, by))
    if texts:
        journal.keep(texts)


def changed(
    journal: Journal,
    clock: Clock,
    actor: str,
    action: str,
    *,
    before: LoadedCase | None,
    after: LoadedCase | None,
    **said: Any,
) -> None:
    """Note that somebody has changed a case: both texts, and a line of the audit log. Raises StoreError.

    Args:
        journal: where.
        clock: dates it.
        actor: who, as in `Entry.actor`.
        action: what was done: `add edit archive restore …`.
        before: the case as it was, or None.
        after: the case as it is, or None.
        said: what else the entry's body shall hold, such as `reason`.
    """
    several_changed(journal, clock, actor, action, (Changed(before, after),), **said)


def several_changed(
    journal: Journal, clock: Clock, actor: str, action: str, changes: Iterable[Changed], **said: Any
) -> None:
    """As `changed`, for many cases in one go. Raises StoreError."""
    real = [each for each in changes if (each.before is None) != (each.after is None) or _differs(each)]
    if not real:
        return
    now = clock()
    keep(journal, real, now, actor)
    journal.append(
        Entry(
            f"{action}:{each.subject}:{activation_id(now)}",
            now,
            actor,
            action,
            each.subject,
            _signature(each),
            {**said, **both(each)},
        )
        for each in real
    )


def _differs(change: Changed) -> bool:
    return change.before is not None and change.after is not None and change.before.version != change.after.version


def _signature(change: Changed) -> str | None:
    loaded = change.after or change.before
    source = None if loaded is None else loaded.case.source
    return None if source is None else source.signature
