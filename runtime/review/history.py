"""The texts that a case has had, what changed from one to the next, and an earlier one brought back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casebook.case import CASE_FIELDS, LoadedCase
from casebook.faults import NotFoundError, StoreError, nearest
from casebook.runtime.journal.records import Entry, Version
from casebook.runtime.journal.versions import version_of
from casebook.runtime.review.judging import Judged, note
from casebook.runtime.review.review import Review, bring

FEWEST = 4
"""Characters of a version by which it may be named."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that differs between two texts; None where a text does not have it."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a case's history.

    Attributes:
        at: when.
        by: who, as in `Entry.actor`, or "" where that is not known.
        action: what was done: an action of the audit log; `written` for a text that somebody is known to have made, and `seen`
            for one that came from elsewhere.
        entry: the number of its entry in the audit log, or None.
        version: the version that served then; "" where the case was taken out of service.
        form: its content.
        differences: to the step before; of the first one none.
        serves: whether this is the text that serves now.
        as_before: an earlier version of the same content, or "".
    """

    at: datetime
    by: str
    action: str
    entry: int | None
    version: str
    form: Mapping[str, Any]
    differences: tuple[Difference, ...]
    serves: bool = False
    as_before: str = ""


def history(review: Review, case_id: str) -> tuple[Step, ...]:
    """Give the history of a case, the oldest step first; the text that serves is kept, where it is new.

    Raises:
        NotFoundError: there is no such case, and there never was one that is known.
        StoreError: the journal cannot be read.
    """
    loaded = review.case(case_id)
    versions = known(review, case_id, loaded)
    entries = [each for each in review.journal.entries(subject=case_id) if "after" in each.body]
    return _steps(versions, entries, loaded)


def known(review: Review, case_id: str, loaded: LoadedCase | None) -> Sequence[Version]:
    """Give the texts of a case that are known, that which serves included, and keep this. Raises NotFoundError."""
    versions = review.journal.versions(case_id)
    if loaded is not None and all(each.version != loaded.version for each in versions):
        text = version_of(loaded, review.clock())
        try:
            review.journal.keep((text,))
            versions = review.journal.versions(case_id)
        except StoreError:  # a folder that is only read can be looked at all the same
            versions = (*versions, text)
    if not versions and loaded is None:
        raise review.missing(case_id)
    return versions


@dataclass(frozen=True, slots=True)
class _Row:
    """A step before it is told what it differs in."""

    at: datetime
    by: str
    action: str
    entry: int | None
    version: str


def _steps(versions: Sequence[Version], entries: Sequence[Entry], loaded: LoadedCase | None) -> tuple[Step, ...]:
    forms = {each.version: _form(each.text) for each in versions}
    for entry in entries:
        for state in (entry.body.get("before"), entry.body.get("after")):
            if state:
                forms.setdefault(str(state["version"]), state["case"])
    rows = _rows(versions, entries)
    last = max((at for at, row in enumerate(rows) if loaded is not None and row.version == loaded.version), default=-1)
    steps: list[Step] = []
    former: Mapping[str, Any] | None = None
    seen: dict[str, str] = {}
    for place, row in enumerate(rows):
        form = forms.get(row.version, {})
        same = seen.setdefault(_key(form), row.version) if form else row.version
        differences = differ(former, form) if former is not None and form else ()
        as_before = same if same != row.version else ""
        steps.append(
            Step(row.at, row.by, row.action, row.entry, row.version, form, differences, place == last, as_before)
        )
        former = form or former
    return tuple(steps)


def _rows(versions: Sequence[Version], entries: Sequence[Entry]) -> list[_Row]:
    """Give the steps in order: what the log tells, and between them the texts that came from elsewhere."""
    kept = {each.version: each for each in versions}
    rows: list[_Row] = []
    now = ""
    for entry in entries:
        before, after = (_version(entry.body.get(name)) for name in ("before", "after"))
        if before == after:
            continue
        if before not in ("", now):
            found = kept.get(before)
            at = min(found.at, entry.at) if found is not None and before not in {row.version for row in rows} else None
            by = found.by if found is not None else ""
            rows.append(_Row(at or entry.at, by, _came(by), None, before))
        rows.append(_Row(entry.at, entry.actor, entry.action, entry.seq, after))
        now = after
    told = {row.version for row in rows}
    for each in versions:
        if each.version not in told:
            place = next((at for at, row in enumerate(rows) if row.at > each.at), len(rows))
            rows.insert(place, _Row(each.at, each.by, _came(each.by), None, each.version))
    return rows


def _came(by: str) -> str:
    """Say how a text came that the log does not tell of: somebody wrote it, or it was seen."""
    return "written" if by else "seen"


def _version(state: Mapping[str, Any] | None) -> str:
    return str(state["version"]) if state else ""


def differ(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Give the fields in which two texts differ, in the order of a case's fields."""
    names = [*CASE_FIELDS, *(name for name in {**before, **after} if name not in CASE_FIELDS)]
    return tuple(
        Difference(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    )


def revert(review: Review, case_id: str, version: str, *, because: str = "") -> Judged | None:
    """Bring an earlier text of a case back, in the span of its own text in its file.

    Args:
        review: the desk.
        case_id: which case; one that is no longer in service is put back.
        version: the version, or its beginning of at least four characters.
        because: the person's reason.

    Returns:
        What was done; None where the case says just that already.

    Raises:
        NotFoundError: there is no such case, or it never had such a text.
        StoreError: that text would not serve, or it cannot be written.
    """
    before = review.case(case_id)
    versions = known(review, case_id, before)
    wanted = _named(versions, case_id, version)
    form = _form(wanted.text)
    if before is not None and before.case.to_json() == form:
        return None
    after = bring(review.store, case_id, form, wanted.place)
    return note(review, "revert", case_id, before, after, because=because, version=wanted.version)


def _named(versions: Sequence[Version], case_id: str, name: str) -> Version:
    """Find the version that is named."""
    exact = [each for each in versions if each.version == name]
    found = exact or [each for each in versions if len(name) >= FEWEST and each.version.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(each.version for each in found)
        raise NotFoundError(f"{case_id}: more than one version begins with {name}: {several}")
    names = [each.version for each in versions]
    near = nearest(name, names)
    hint = f"did you mean {near}?" if near else f"it has {', '.join(names[-5:])}"
    raise NotFoundError(f"{case_id} never had a version {name!r} that is known; {hint}")


def _form(text: str) -> Mapping[str, Any]:
    """Give the content of a text that the journal keeps; an empty one where its words were forgotten."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _key(form: Mapping[str, Any]) -> str:
    return json.dumps(form, sort_keys=True, ensure_ascii=False)
