"""The second time that a person corrects the same call, what they say becomes a draft: it waits in review and fires nothing.

What a person said is in the journal: feedback about a call, a correction of theirs, a call that they did not allow. All is worked
out from it. A draft is claimed by one line of the audit log whose id all processes work out alike, and holds the whole case; a
process that is killed before the case is written is made up for by the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from casebook.case import Case
from casebook.clock import Clock
from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.tree import Node, Test, walk
from casebook.faults import StoreError
from casebook.policy import Policy
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry, EventRecord
from casebook.runtime.learning.anchors import anchor_of
from casebook.runtime.learning.backtest import NEWEST_CALLS
from casebook.runtime.learning.claims import ACTOR, DRAFT
from casebook.runtime.learning.finishing import FILE, queue_entry
from casebook.runtime.learning.learnt_form import condition_forms
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.quoting import quoted
from casebook.runtime.learning.scope import shared_scope
from casebook.runtime.learning.standing import comes_up
from casebook.runtime.session.events import facts_of_call
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.binding import Bound
from casebook.runtime.teaching.last_call import was_denied
from casebook.runtime.teaching.lesson import backtested, correction_of, id_of, sample_of, situation_of
from casebook.runtime.teaching.names import Known
from casebook.runtime.teaching.whole_call import called
from casebook.stores.protocol import Store

REASON: Final = "corrected"
"""Why it waits in review."""
TIMES: Final = 2
"""Calls of a kind that a person corrects until there is a draft (DESIGN section 13: the second of a kind)."""
_WORDS_CHARS: Final = 160
_PRAISE: Final = re.compile(
    r"\W*(?:thanks?|thank you|thx|great|good|perfect|nice|ok(?:ay)?|yes|lgtm|well done|awesome|cool|谢谢|多谢|很好|不错|可以|完美|好的?|是的|对的?|赞)(?:\b|[\W了的！。]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Correction:
    """One call that a person corrected.

    Attributes:
        event: what the journal has of it: the words where there are some, else that it was not allowed.
        words: the person's words; empty where there are none.
        about: what it is bound to.
        keys: what it may be of a kind with others by: its call's own anchor, and what the words name; of a command of which neither
            is known nothing.
    """

    event: EventRecord
    words: str
    about: Bound
    keys: frozenset[str]


class SecondTime:
    """Makes drafts of what a person has corrected twice. Keeps nothing of its own; beside other processes."""

    def __init__(self, journal: Journal, store: Store, clock: Clock) -> None:
        """Take where events are, where cases go, and the clock."""
        self._journal = journal
        self._store = store
        self._clock = clock

    def heard(self, event: EventRecord, policy: Policy) -> str | None:
        """Take an event that is in the journal; give the id of the draft that it made, or None.

        Raises:
            StoreError: something cannot be read or written; what was claimed is finished later.
        """
        if not policy.detector.enabled or not is_correction(event):
            return None
        last = corrected(event, policy)
        for entry in self._claims(event.principal.user):
            if last.keys.intersection(entry.body.get("keys", ())):
                self._finish(entry)
                return None
        kind = self._of_a_kind(last, policy)
        if len(kind) < TIMES or not any(each.words for each in kind) or self._is_answered(kind):
            return None
        made = self._claim(kind, policy)
        return made.subject if made is not None and self._finish(made) else None

    def catch_up(self) -> None:
        """Write the drafts that were claimed and not written. Raises StoreError."""
        for entry in self._claims():
            self._finish(entry)

    def _claims(self, *whose: str | None) -> Sequence[Entry]:
        entries = self._journal.entries(actions=(DRAFT,))
        return [each for each in entries if not whose or each.body.get("user") == whose[0]]

    def _of_a_kind(self, last: Correction, policy: Policy) -> list[Correction]:
        """Give the corrections by the same person of the same kind, each call once, in order of arrival."""
        event = last.event
        assert event.tool is not None
        found: dict[str, Correction] = {}
        events = self._journal.events(tools=(event.tool,), kinds=("feedback", "correction", "tool"), limit=NEWEST_CALLS)
        for each in events:
            if each.principal.user != event.principal.user or not is_correction(each):
                continue
            one = corrected(each, policy)
            key = each.activation or each.id
            if one.keys & last.keys and (one.words or key not in found):
                found[key] = one
        return list(found.values())

    def _is_answered(self, kind: Sequence[Correction]) -> bool:
        """Say whether a person's own case comes up at these calls already."""
        calls = JournalCalls(self._journal)
        return any(
            loaded.case.status == "active"
            and loaded.case.correction_by == "person"
            and any(_reads_call(node) for node in loaded.conditions)
            and all(comes_up(loaded, each.event, calls) for each in kind)
            for loaded in self._store.snapshot().cases.values()
        )

    def _claim(self, kind: Sequence[Correction], policy: Policy) -> Entry | None:
        """Claim the draft; of many processes one does."""
        events = [each.event for each in kind]
        said = next(each for each in reversed(kind) if each.words)
        scope = shared_scope(events, policy.detector.users)
        nodes = _shared(said.about, events, policy)
        about = Bound(nodes, said.about.why[: len(nodes)], sample=said.about.sample)
        now = self._clock()
        user = events[-1].principal.user
        case_id = id_of(user or "", nodes[:1], scope, prefix="said")
        form: dict[str, Any] = {
            "id": case_id, "type": "case", "situation": situation_of(events, policy),
            "trigger_conditions": condition_forms(nodes, policy), "correction": correction_of(said.words, policy),
            "created_at": now.isoformat(), "status": "draft",
            "source": {"origin": "feedback", "evidence": [each.id for each in events]}, "tags": ["taught"],
        }  # fmt: skip
        if scope.named:
            form["scope"] = scope.named
        if sample := sample_of(about, scope, policy, now):
            form["examples"] = {"fires": [sample]}
        figures, _ = backtested(nodes, scope, self._journal, policy)
        body = {
            "case": Case.from_json(form).to_json(), "user": user, "by": user, "event": events[-1].id,
            "events": [each.id for each in events], "keys": sorted(frozenset[str]().union(*(each.keys for each in kind))),
            "told": {"figures": figures.to_json(), "reasons": [_told(each, policy) for each in kind]},
        }  # fmt: skip
        entry = Entry(f"{DRAFT}:{case_id}", now, ACTOR, DRAFT, case_id, None, body)
        (won,) = self._journal.append((entry,))
        return entry if won else self._journal.entry(entry.id)

    def _finish(self, entry: Entry) -> bool:
        """Write a claimed draft and put it to review, as far as that is not done; say whether it was this call that did."""
        case_id = entry.subject
        waits = queue_entry(case_id, None, self._clock(), REASON, entry.body.get("told", {}), key=REASON)
        if self._journal.entry(waits.id) is not None:
            return False
        if self._journal.entries(subject=case_id, actions=("reject", "archive")):
            return False
        if case_id not in self._store.snapshot().cases:
            try:
                self._store.put(Case.from_json(dict(entry.body["case"])), file=FILE)
            except StoreError:
                if case_id not in self._store.snapshot().cases:  # another process may have put it in this moment
                    raise
        (first,) = self._journal.append((waits,))
        return first


def is_correction(event: EventRecord) -> bool:
    """Say whether an event is a person's word against a call: feedback that is no praise, a correction of theirs, a refusal."""
    if event.tool is None:
        return False
    if event.kind == "feedback":
        return not _PRAISE.match(words_in(event))
    if event.kind == "correction":
        return event.body.get("correction_by") == "person"
    return was_denied(event)


def words_in(event: EventRecord) -> str:
    """Give a person's words in an event; "" where there are none."""
    if event.kind not in ("feedback", "correction"):
        return ""
    said = event.body.get("text") or event.body.get("correction")
    return said.strip() if isinstance(said, str) else ""


def corrected(event: EventRecord, policy: Policy) -> Correction:
    """Read a correction: what it is about, and by what it may be of a kind with others."""
    words = words_in(event)
    anchor = anchor_of([event])
    own = anchor.node()
    plain = Bound((own,), ("the call's own",))
    # no two calls are alike by both being commands
    keys = frozenset[str]() if anchor.is_bare_shell else frozenset({repr(own)})
    if not words:
        return Correction(event, "", plain, keys)
    found = bound(words, policy, Known(), call=event)
    if not found.missing:
        named = frozenset({repr(found.nodes[0])}) - (frozenset({repr(own)}) if anchor.is_bare_shell else frozenset())
        return Correction(event, words, found, keys | named)
    alone = bound(words, policy, Known())
    if not alone.missing:  # about another command than the call ran: `use pnpm, not npm` after `make`
        return Correction(event, words, alone, frozenset({repr(alone.nodes[0])}))
    return Correction(event, words, plain, keys)


def _shared(about: Bound, events: Sequence[EventRecord], policy: Policy) -> tuple[Node, ...]:
    """Give the anchor, and of the rest what holds for every one of the calls: one sentence's detail is not the other's."""
    readings = [Reading(facts_of_call(each, ())) for each in events]
    rest = [node for node in about.nodes[1:] if all(holds(node, each, policy.timezone) for each in readings)]
    return (about.nodes[0], *rest)


def _reads_call(node: Node) -> bool:
    return any(
        isinstance(each, Test) and each.field.root in ("tool", "action", "program", "path") for each in walk(node)
    )


def _told(each: Correction, policy: Policy) -> str:
    at = _minute(each.event.at)
    if not each.words:
        return f"{at}: {called(each.event)} was not allowed ({each.event.id})"
    return f"{at}: {quoted(each.words, _WORDS_CHARS, policy.redact)} after {called(each.event)} ({each.event.id})"


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
