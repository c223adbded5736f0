"""A record run in order through the whole loop, in a scratch casebook, at instants of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from casebook.case import Case, LoadedCase
from casebook.instants import instant
from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation
from casebook.runtime.answer.isolation import Principal, principal_of, within
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.learning.receipt import Receipt
from casebook.runtime.matching.engines import EngineChoice, matcher
from casebook.runtime.replay.reading import Call
from casebook.runtime.runtime import Runtime
from casebook.stores.folder import FolderStore
from casebook.task import Task

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""The instant of the first call where the record tells none: the same for every run, so that two runs are alike."""
APART = timedelta(minutes=1)
"""From a call to the next that tells no instant."""

Progress = Callable[[int, int], None]
"""Takes how many calls are done, and of how many."""


class SettableClock:
    """A clock that stands where it is put."""

    __slots__ = ("at",)

    def __init__(self, at: datetime) -> None:
        """Begin at an instant, aware, UTC."""
        self.at = at

    def __call__(self) -> datetime:
        """Give the present instant."""
        return self.at


@dataclass(frozen=True, slots=True)
class Step:
    """One call and what the loop made of it.

    Attributes:
        call: as it was recorded.
        at: its instant.
        before: the cases that served when it was about to be made.
        activation: the answer to it.
        receipt: what became of its outcome.
        counted: whether its error counts; False where there is none, or it is none by `ignore_errors`.
        transient: whether its error passes by itself.
        after: the cases that served once its outcome was taken.
    """

    call: Call
    at: datetime
    before: Mapping[str, LoadedCase]
    activation: Activation
    receipt: Receipt
    counted: bool
    transient: bool
    after: Mapping[str, LoadedCase]

    @property
    def fired(self) -> tuple[Case, ...]:
        """Give the cases that were put in front of the agent before the call."""
        return self.activation.cases if self.activation.prompt else ()

    @property
    def signature(self) -> str | None:
        """Give the kind of its error where it counts, else None."""
        return self.receipt.signature if self.counted else None

    @property
    def principal(self) -> Principal:
        """Give who made the call."""
        return principal_of(task_of(self.call, self.at))

    def in_reach(self) -> tuple[LoadedCase, ...]:
        """Give the cases that could speak to whoever made the call: active, not expired, in scope."""
        principal = self.principal
        return tuple(
            each
            for each in self.before.values()
            if each.case.status == "active"
            and (each.expires is None or self.at < each.expires)
            and within(each.case.scope, principal)
        )


def run(
    calls: Sequence[Call],
    folder: Path,
    *,
    policy: Policy | None = None,
    cases: Sequence[Case] = (),
    beginning: datetime = BEGINNING,
    engine: EngineChoice = "auto",
    keep: bool = False,
    progress: Progress | None = None,
) -> tuple[Step, ...]:
    """Run calls through `before_task` and `after_task`.

    Args:
        calls: in their order.
        folder: an empty folder, which becomes the casebook.
        policy: of the casebook; the limit of an answer's time is lifted, its mode is enforce and nothing is withheld: what a
            run gives must not depend on the machine or on chance.
        cases: that are there from the beginning; one that was created later counts as created then.
        beginning: the instant of the first call, aware, where it tells none.
        engine: which engine matches.
        keep: whether the journal, too, is kept in the folder. Else it is in memory: on a disk every outcome is waited for.
        progress: is told after every call.

    Raises:
        StoreError: the folder cannot be written.
        EngineUnavailableError: the engine is not here.
    """
    chosen = (policy or Policy()).patient().model_copy(update={"holdout": 0.0, "mode": "enforce"})
    first = next((call.at for call in calls if call.at is not None), beginning)
    clock = SettableClock(min(first, beginning))
    _lay_out(folder, cases, clock.at, chosen.timezone)
    clock.at = first if calls and calls[0].at is not None else clock.at
    steps: list[Step] = []
    journal = None if keep else memory_journal(clock)
    store = FolderStore(folder, clock=clock)
    with closing(Runtime(store, matcher(engine), clock, chosen, journal=journal)) as runtime:
        for at, call in enumerate(calls):
            if call.at is not None:
                clock.at = call.at
            elif at:
                clock.at = _later(clock.at)
            steps.append(_step(runtime, call, clock.at))
            if progress is not None:
                progress(at + 1, len(calls))
    return tuple(steps)


def task_of(call: Call, at: datetime) -> Task:
    """Give the task that a call was, before it was made."""
    told: dict[str, Any] = {
        "tool": call.tool, "args": call.args, "session": call.session, "user": call.user, "project": call.project,
        "team": call.team, "agent": call.agent, "text": call.text, "intent": call.intent, "at": at,
    }  # fmt: skip
    return Task(**{name: value for name, value in told.items() if value is not None})


def outcome_of(call: Call, at: datetime) -> Outcome:
    """Give what became of a call. Its line is its id, so that a case made of it names the lines that it comes from."""
    told: dict[str, Any] = {"tool": call.tool, "args": call.args, "id": f"line-{call.line}", "at": at}
    if call.correction is not None:
        told["correction"] = call.correction
        told["correction_by"] = call.correction_by or "agent"
    return Outcome.success(**told) if call.ok else Outcome.error(call.type, call.error, **told)


def _later(at: datetime) -> datetime:
    try:
        return at + APART
    except OverflowError:  # the last minute of the year 9999
        return at


def _step(runtime: Runtime, call: Call, at: datetime) -> Step:
    before = runtime.snapshot().cases
    activation = runtime.before_task(task_of(call, at))
    receipt = runtime.after_task(activation, outcome_of(call, at))
    event = runtime.journal.event(receipt.id) if receipt.signature is not None else None
    counted = event is not None and event.counted
    transient = event is not None and bool(event.body.get("transient"))
    return Step(call, at, before, activation, receipt, counted, transient, runtime.snapshot().cases)


def _lay_out(folder: Path, cases: Sequence[Case], beginning: datetime, zone: str) -> None:
    """Make the scratch casebook with the cases that are there from the beginning."""
    long_term = folder / "long_term"
    long_term.mkdir(parents=True, exist_ok=True)
    if cases:
        forms = [_from_the_beginning(case, beginning, zone) for case in cases]
        text = json.dumps(forms, ensure_ascii=False, indent=2)
        (long_term / "cases.json").write_text(f"{text}\n", encoding="utf-8")


def _from_the_beginning(case: Case, beginning: datetime, zone: str) -> dict[str, Any]:
    form = case.to_json()
    if case.created_at is not None and instant(case.created_at, zone) > beginning:
        form["created_at"] = beginning.isoformat()
    return form
