"""The case that a sentence makes: its text is the person's, its conditions what it is bound to, its figures the journal's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from zoneinfo import ZoneInfo

from casebook.case import Case, Effect, LoadedCase, with_points
from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.satisfiable import Contradiction, satisfiable
from casebook.conditions.tree import Node, Test, Time, Weekday, walk
from casebook.faults import CasebookError, Fault, TaskError
from casebook.limits import CORRECTION_CHARS
from casebook.policy import Policy
from casebook.redacting.redact import redact
from casebook.runtime.answer.harmless import excerpt
from casebook.runtime.answer.isolation import within
from casebook.runtime.facts.extract import extract
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import NEWEST_CALLS, Backtest, Figures, Trial, figures_of
from casebook.runtime.learning.correction import told_error
from casebook.runtime.learning.learnt_form import condition_forms
from casebook.runtime.learning.past import JournalCalls
from casebook.runtime.learning.placeholders import placeholders_in
from casebook.runtime.lint import lint, unheard
from casebook.runtime.lint.book import book_of
from casebook.runtime.teaching.binding import Bound
from casebook.runtime.teaching.last_call import was_denied
from casebook.runtime.teaching.unsaid import asks_only
from casebook.runtime.teaching.whole_call import called
from casebook.scope import EVERYONE, Point, Scope
from casebook.stores.protocol import Snapshot
from casebook.task import Task

PRIORITY: Final = 6
"""One more than a learnt case has: a person has said it."""
_SLUG_WORDS: Final = 6
_OFTEN: Final = 0.2
"""The share of recorded calls from which on it is said that the case comes up often (ours)."""


class UntaughtError(CasebookError):
    """No case can be made of a sentence; the message says what is missing, and how to say it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A case that is proposed.

    Attributes:
        case: active.
        figures: recorded calls at which it would have come up, and how many of them failed, in whatever way, or succeeded.
        calls: recorded calls in all that it was tried on.
        why: a sentence for each condition.
        unsaid: what the sentence says of when it applies and no condition does.
        warnings: what the lints say of the case.
        forbids: whether it is what the sentence forbids, for good, so that it may block.
    """

    case: Case
    figures: Figures
    calls: int
    why: tuple[str, ...]
    unsaid: tuple[str, ...] = ()
    warnings: tuple[Fault, ...] = ()
    forbids: bool = False

    @property
    def is_frequent(self) -> bool:
        """Say whether it would have come up at so many recorded calls that it is rather noise."""
        return self.calls >= 20 and self.figures.matching > _OFTEN * self.calls


def correction_of(text: str, policy: Policy) -> str:
    """Give a person's words as a case has them: without secrets, on one line. Raises UntaughtError where they are none or too long."""
    said = redact(text, policy.redact)
    if not said.strip():
        raise UntaughtError("expected a sentence, got nothing")
    if len(said) > CORRECTION_CHARS:
        raise UntaughtError(f"expected a sentence of at most {CORRECTION_CHARS:,} characters, got {len(said):,}")
    return excerpt(said, CORRECTION_CHARS)


def lesson_of(
    text: str,
    bound: Bound,
    policy: Policy,
    journal: Journal,
    now: datetime,
    *,
    call: EventRecord | None = None,
    effect: Effect = "advise",
    scope: Scope = EVERYONE,
    wide: bool = False,
) -> Lesson:
    """Make the case of a sentence.

    Args:
        text: the person's words.
        bound: what it is bound to.
        policy: of the casebook.
        journal: the past that it is tried on.
        now: the present instant, aware.
        call: the call that it came of, or None.
        effect: what the case does; `block` only where the words forbid something for good.
        scope: for whom it is.
        wide: whether it may confirm or block though no condition says all that the sentence says of when it applies.

    Raises:
        UntaughtError: nothing anchors it, it can never fire, it is no sentence, or it is to block and forbids nothing, or is to
            confirm or block more than it says.
        StoreError: the journal cannot be read.
    """
    if bound.missing or not bound.nodes:
        raise UntaughtError(bound.missing or "nothing anchors it")
    if effect == "block" and not bound.forbidden:
        raise UntaughtError(
            "a case blocks only what the sentence forbids: say `never …`, `禁止…`, or take --effect confirm, which asks a person first"
        )
    unsaid = tuple(excerpt(redact(each, policy.redact), 120) for each in bound.unsaid)
    if effect == "confirm":
        unsaid = tuple(each for each in unsaid if not asks_only(each))
    if effect != "advise" and unsaid and not wide:
        raise UntaughtError(
            f"no condition says “{'”, “'.join(unsaid)}”, so that it would {effect} more than the sentence does: name what such calls "
            f"have in common (--action, --command WORDS), let it advise, or take --wide to {effect} all of it"
        )
    words = correction_of(text, policy)
    form: dict[str, Any] = {
        "id": id_of(words, bound.nodes, scope),
        "type": "rule",
        "trigger_conditions": condition_forms(bound.nodes, policy),
        "correction": words,
        "effect": effect,
        "priority": PRIORITY,
        "created_at": now.isoformat(timespec="seconds"),
        "source": {"origin": "author", "evidence": [call.id] if call is not None else []},
        "tags": ["taught"],
    }
    if call is not None:
        form["situation"] = situation_of([call], policy)
    if scope.named:
        form["scope"] = scope.named
    if sample := sample_of(bound, scope, policy, now):
        form["examples"] = {"fires": [sample]}
    figures, calls = backtested(bound.nodes, scope, journal, policy)
    case = Case.from_json(form)
    return Lesson(case, figures, calls, bound.why, unsaid, _warnings(case, bound.nodes, policy, now), bound.forbidden)


def _warnings(case: Case, nodes: Sequence[Node], policy: Policy, now: datetime) -> tuple[Fault, ...]:
    """Give what the lints say of a case by itself. Raises UntaughtError where it can never fire."""
    answer = satisfiable(nodes, policy.timezone, declared=policy.fields)
    if isinstance(answer, Contradiction):
        raise UntaughtError(f"such a case could never fire: {answer.reason}")
    points: tuple[Point, ...] = ("task", "tool") if _reads_call(nodes) else ("task",)
    served = case.model_copy()
    with_points(served, points)
    loaded = LoadedCase(served, tuple(nodes), policy.timezone, now, None, "", 0, "", "")
    alone = Snapshot(1, {case.id: loaded}, (), policy)
    for each in unheard.find(book_of(alone, now=now, pairs=0)):
        cure = f"; instead: {each.fault.suggestion}" if each.fault.suggestion else ""
        raise UntaughtError(f"such a case could never fire: {each.fault.message}{cure}")
    return tuple(each for each in lint(alone, now=now) if each.case == case.id)


def id_of(text: str, nodes: Sequence[Node], scope: Scope, prefix: str = "taught") -> str:
    """Give the id of a case: the same for the same words, conditions and scope; with the first words where they are Latin.

    Case, spaces, and what a sentence ends with make no other words of it.
    """
    same = " ".join(text.casefold().split()).rstrip(" .!?。！？…")
    told = repr((same, tuple(map(repr, nodes)), sorted(scope.named.items())))
    digest = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    words = re.findall(r"[a-z0-9]+", text.casefold())[:_SLUG_WORDS]
    slug = "-".join(words)[:48].strip("-")
    return f"{slug}-{digest[:4]}" if len(words) > 1 and prefix == "taught" else f"{prefix}-{digest[:12]}"


_TOLD: Mapping[str, tuple[str, str, str]] = {
    "en": ("On {day} {call} was not allowed.", "On {day} {call} failed{error}.", "On {days} a person corrected {call}, {number} times."),
    "zh": ("{day}，{call} 未获允许。", "{day}，{call} 失败{error}。", "{days}，有人 {number} 次纠正 {call}。"),
}  # fmt: skip


def situation_of(calls: Sequence[EventRecord], policy: Policy) -> str:
    """Give when it happened, a sentence in the policy's language; what an error says stands in quotation marks, without what varies."""
    denied, failed, corrected = _TOLD[policy.language]
    zone = ZoneInfo(policy.timezone)
    days = sorted({_day(each.at, zone) for each in calls})
    name = excerpt(redact(called(calls[-1]), policy.redact), 120)
    if len(calls) > 1 or calls[-1].kind in ("feedback", "correction"):
        told = days[0] if len(days) == 1 else f"{days[0]} – {days[-1]}"
        return corrected.format(days=told, call=name, number=len(calls))
    if was_denied(calls[-1]):
        return denied.format(day=days[0], call=name)
    error = placeholders_in(told_error(calls, None, policy.redact), policy.language)
    colon = "：" if policy.language == "zh" else ": "
    return failed.format(day=days[0], call=name, error=f"{colon}{error}" if error else "")


def _day(at: datetime, zone: ZoneInfo) -> str:
    try:
        return at.astimezone(zone).date().isoformat()
    except OverflowError:
        return at.date().isoformat()


def sample_of(bound: Bound, scope: Scope, policy: Policy, now: datetime) -> dict[str, Any]:
    """Give the task on which the case fires, where it does at any time; else nothing."""
    task = {**bound.sample, **scope.named}
    if not bound.sample or any(isinstance(each, Time | Weekday) for node in bound.nodes for each in walk(node)):
        return {}
    try:
        reading = Reading(extract(Task.from_json(task), policy, now))
    except (TaskError, TypeError):
        return {}
    return task if all(holds(node, reading, policy.timezone) for node in bound.nodes) else {}


def backtested(nodes: Sequence[Node], scope: Scope, journal: Journal, policy: Policy) -> tuple[Figures, int]:
    """Try conditions on the newest recorded calls, or turns where they read no call.

    Returns:
        How many they would have come up at, how many of these failed in whatever way, how many succeeded; and how many calls
        there were in all. Raises StoreError.
    """
    kinds = ("tool",) if _reads_call(nodes) else ("task",)
    records = journal.events(kinds=kinds, limit=NEWEST_CALLS)  # type: ignore[arg-type]  # both are kinds of events
    trials = trials_in(records, scope)
    tested = Backtest(trials, JournalCalls(journal), policy.timezone)
    return figures_of(tested.matching(nodes)), len(trials)


def _reads_call(nodes: Sequence[Node]) -> bool:
    roots = ("tool", "action", "program", "path", "args")
    return any(isinstance(each, Test) and each.field.root in roots for node in nodes for each in walk(node))


def trials_in(records: Iterable[EventRecord], scope: Scope) -> tuple[Trial, ...]:
    """Make a trial of each record that a scope reaches: failed in whatever way, or not."""
    return tuple(
        Trial(each, each.failed and each.body.get("ignored") != "casebook", each.ok is True)
        for each in records
        if within(scope, each.principal)
    )
