"""Whose correction a learnt case has, and what it says (DESIGN section 6, Whose correction)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from casebook.case import CorrectionBy
from casebook.limits import CORRECTION_CHARS
from casebook.runtime.answer.harmless import excerpt, harmless
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning import learnt_texts
from casebook.runtime.learning.backtest import Calls
from casebook.runtime.learning.identifying import known_values, masked, private_words
from casebook.runtime.learning.learnt_texts import Story
from casebook.runtime.learning.other_program import told_instead
from casebook.runtime.learning.quoting import as_data, quoted
from casebook.runtime.learning.recovery import Recovery, shared_values, told_names
from casebook.runtime.learning.signature import error_template

NOTED_CHARS: Final = 800
"""Characters of an agent's words that are quoted."""
ERROR_CHARS: Final = 160
"""Characters of an error's kind that are told."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a case says to do instead, and whose words they are."""

    text: str
    by: CorrectionBy


def correction_for(
    story: Story,
    occurrences: Sequence[EventRecord],
    said: Iterable[EventRecord],
    recoveries: Sequence[Recovery],
    *,
    around: Sequence[EventRecord] = (),
    users: int,
    shared: bool,
    patterns: tuple[str, ...] = (),
) -> Correction:
    """Give the correction: a person's, else an agent's, else what recoveries tell, else a caution.

    Args:
        story: of the error.
        occurrences: all of them; a correction may have been said with one.
        said: events of kind `correction` about this error, `body["correction"]` and `body["correction_by"]`.
        recoveries: from the occurrences.
        around: the events of their sessions: no value of theirs is repeated either.
        users: different users from whom on something is everyone's.
        shared: whether the case is for everyone: then nothing counts but what so many different users said or did alike.
        patterns: of the policy, for what is never kept.

    A person's words stand as they were said; an agent's, which whoever shows them quotes, stand without any id, name or amount of the calls that failed.
    """
    told = sorted((*occurrences, *said), key=lambda record: (record.at, record.seq))
    least = users if shared else None
    person = _latest(told, "person", least)
    if person:
        return Correction(excerpt(person, CORRECTION_CHARS), "person")
    agent = _latest(told, "agent", least)
    if agent:
        words = masked(excerpt(agent, 2 * NOTED_CHARS), known_values((*told, *around)))
        return Correction(as_data(words, NOTED_CHARS, patterns), "agent")
    by_program = [
        (each.instead, each.user)
        for each in recoveries
        if each.instead is not None and each.instead.is_told_apart(occurrences)
    ]
    instead = told_instead(by_program, least)
    named = [each for each in recoveries if each.instead is None]
    names = told_names(named, least)
    if instead is not None and (not names or len(by_program) >= len(named)):
        sessions = len({(each.session, each.user) for each in recoveries if each.instead == instead})
        told_so = learnt_texts.mined_instead(story, sessions, instead.failed, instead.worked)
        return Correction(excerpt(told_so, CORRECTION_CHARS), "mined")
    if names:
        values = {name: value for name, value in shared_values(named, users).items() if name in names}
        sessions = len({(each.session, each.user) for each in named})
        return Correction(excerpt(learnt_texts.mined(story, sessions, names, values), CORRECTION_CHARS), "mined")
    return Correction(excerpt(learnt_texts.caution(story), CORRECTION_CHARS), "caution")


def _latest(told: Sequence[EventRecord], by: str, least: int | None) -> str:
    """Give the latest words of persons or of agents; of those that at least so many different users had, where that counts."""
    whose: dict[str, set[str]] = {}
    latest = ""
    for record in told:
        words = record.body.get("correction")
        if not isinstance(words, str) or record.body.get("correction_by", "agent") != by or not harmless(words):
            continue
        if record.body.get("held"):  # waits for a person
            continue
        same = whose.setdefault(harmless(words).casefold(), set())
        if record.principal.user:
            same.add(record.principal.user)
        if least is None or len(same) >= least:
            latest = words
    return latest


def corrections_in(signature: str, occurrences: Iterable[EventRecord], calls: Calls) -> tuple[EventRecord, ...]:
    """Give what was said of some errors afterwards, in their sessions.

    A correction is about an error where it names its signature, answers the same activation, or, naming neither, comes after
    it with no error of another kind between.
    """
    found: dict[str, EventRecord] = {}
    for occurrence in occurrences:
        nearest = True
        for event in calls.later(occurrence):
            if event.failed and event.signature != signature:
                nearest = False
            if event.kind == "correction" and _is_about(event, occurrence, signature, nearest=nearest):
                found[event.id] = event
    return tuple(found.values())


def sessions_of(occurrences: Iterable[EventRecord], calls: Calls) -> tuple[EventRecord, ...]:
    """Give the other events of the sessions of some errors."""
    found: dict[str, EventRecord] = {}
    seen: set[tuple[str | None, str | None]] = set()
    for occurrence in occurrences:
        session = (occurrence.session, occurrence.principal.user)
        if session not in seen:
            seen.add(session)
            found.update((each.id, each) for each in (*calls.earlier(occurrence), *calls.later(occurrence)))
    return tuple(found.values())


def _is_about(event: EventRecord, occurrence: EventRecord, signature: str, *, nearest: bool) -> bool:
    named = event.signature or event.body.get("signature")
    if named is not None:
        return bool(named == signature)
    if event.activation is not None:
        return event.activation == occurrence.activation
    return nearest


def told_error(occurrences: Sequence[EventRecord], users: int | None, patterns: tuple[str, ...]) -> str:
    """Give the kind of an error in quotation marks: the one that most occurrences name, without what is somebody's.

    Args:
        occurrences: of one signature.
        users: where the case is for everyone: only what so many different users had counts.
        patterns: of the policy, for what is never kept.

    Returns:
        "" where nothing may be told.
    """
    counted: dict[str, int] = {}
    whose: dict[str, set[str]] = {}
    for record in occurrences:
        error = record.body.get("error")
        if not isinstance(error, Mapping):
            continue
        message, kind = error.get("message"), error.get("type")
        if not isinstance(message, str) and not isinstance(kind, str):
            continue
        told = error_template(message if isinstance(message, str) else "", type=kind if isinstance(kind, str) else None)
        counted[told] = counted.get(told, 0) + 1
        whose.setdefault(told, set()).update({record.principal.user} if record.principal.user else ())
    if users is not None:
        counted = {told: count for told, count in counted.items() if len(whose[told]) >= users}
    best = max(counted, key=lambda told: counted[told], default="")
    text = masked(best, private_words(occurrences))
    return quoted(text, ERROR_CHARS, patterns) if text.strip(" …") else ""
