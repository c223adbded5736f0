"""What a replay shows, as figures: whether mistakes stop, and at what price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from casebook.case import LoadedCase
from casebook.redacting.redact import redact, shortened
from casebook.runtime.learning.recording import SIGNED_CHARS
from casebook.runtime.learning.signature import error_template
from casebook.runtime.replay.running import Step


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of error.

    Attributes:
        signature: its identity.
        template: it in words, without what varies.
        errors: how often it came.
        tools: the tools that it came from, as the record names them.
        cases: ids of the cases that it made, in the order in which they were made.
        made_at: which of its errors made the first of them, from 1, or None.
        repeats: errors that came when a case of it served that the caller could be told.
        preceded: those of them before whose call that case was put in front of the agent.
    """

    signature: str
    template: str
    errors: int
    tools: tuple[str, ...]
    cases: tuple[str, ...]
    made_at: int | None
    repeats: int
    preceded: int


@dataclass(frozen=True, slots=True)
class Made:
    """One case that the record made.

    Attributes:
        case: as it stood at the end, or as it was made where it is gone by then.
        status: of it at the end; `archived` where it is gone.
        where, line: the call that made it.
        error: which of all errors of its kind in the record that was, from 1, as in `Kind.made_at`.
        occurrence: how many of these the detector counted by then: those of the case's group, once a turn or a session.
        rewritten: whether its correction is another at the end than the one that it was made with.
        fired: calls before which it was put in front of the agent.
        needless: those of them that came out clean.
    """

    case: LoadedCase
    status: str
    where: str
    line: int
    error: int
    occurrence: int
    rewritten: bool
    fired: int
    needless: int

    def to_json(self) -> dict[str, Any]:
        """Give it as `casebook replay --json` prints it."""
        case = self.case.case
        return {
            "id": case.id, "signature": case.source.signature if case.source else None, "status": self.status,
            "line": self.line, "where": self.where, "error": self.error, "occurrence": self.occurrence, "rewritten": self.rewritten,
            "trigger_conditions": list(case.trigger_conditions), "scope": case.scope.named, "situation": case.situation,
            "correction": case.correction, "correction_by": case.correction_by, "ttl": case.ttl,
            "fired": self.fired, "needless": self.needless,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay shows.

    Attributes:
        calls: how many were run.
        clean: those that succeeded, or failed in a way that is no error.
        errors: those that failed otherwise.
        ignored: those that failed in a way that is no error.
        transient: of the errors, those that pass by themselves.
        kinds: the kinds of error, in the order in which they first came.
        cases: the cases that were made, in order.
        needless: clean calls before which a case that was made here was put in front of the agent.
    """

    calls: int
    clean: int
    errors: int
    ignored: int
    transient: int
    kinds: tuple[Kind, ...]
    cases: tuple[Made, ...]
    needless: int

    @property
    def drafts(self) -> int:
        """Give how many of the cases are drafts."""
        return sum(each.status == "draft" for each in self.cases)

    @property
    def repeats(self) -> int:
        """Give how many errors came after their kind was promoted."""
        return sum(each.repeats for each in self.kinds)

    @property
    def preceded(self) -> int:
        """Give how many of those were preceded by the right correction."""
        return sum(each.preceded for each in self.kinds)

    def to_json(self) -> dict[str, Any]:
        """Give the figures as `casebook replay --json` prints them."""
        return {
            "calls": self.calls, "clean": self.clean, "errors": self.errors, "ignored": self.ignored,
            "transient": self.transient, "kinds": len(self.kinds), "promotions": len(self.cases), "drafts": self.drafts,
            "repeats": self.repeats, "repeats_preceded": self.preceded, "needless": self.needless,
            "by_kind": [
                {
                    "signature": each.signature, "template": each.template, "errors": each.errors, "tools": list(each.tools),
                    "cases": list(each.cases), "made_at": each.made_at, "repeats": each.repeats,
                    "repeats_preceded": each.preceded,
                }
                for each in self.kinds
            ],
            "cases": [each.to_json() for each in self.cases],
        }  # fmt: skip


def measured(steps: Sequence[Step], patterns: tuple[str, ...] = ()) -> Report:
    """Measure a run; `patterns` (`policy.redact`) are what is never shown of an error, beside secrets."""
    clean = [step for step in steps if not step.counted]
    learnt = {step.receipt.case for step in steps if step.receipt.made}
    return Report(
        calls=len(steps),
        clean=len(clean),
        errors=sum(step.counted for step in steps),
        ignored=sum(not step.call.ok for step in clean),
        transient=sum(step.counted and step.transient for step in steps),
        kinds=tuple(_kinds(steps, patterns)),
        cases=tuple(_made(steps)),
        needless=sum(any(case.id in learnt for case in step.fired) for step in clean),
    )


def _kinds(steps: Sequence[Step], patterns: tuple[str, ...]) -> Iterable[Kind]:
    failed: dict[str, list[Step]] = {}
    for step in steps:
        if step.signature is not None:
            failed.setdefault(step.signature, []).append(step)
    for signature, errors in failed.items():
        repeats = [step for step in errors if any(_answers(each, signature) for each in step.in_reach())]
        makers = [(place, step) for place, step in enumerate(errors, 1) if step.receipt.made]
        yield Kind(
            signature=signature,
            template=template_of(errors[0], patterns),
            errors=len(errors),
            tools=tuple(dict.fromkeys(redact(step.call.tool, patterns) for step in errors)),
            cases=tuple(dict.fromkeys(step.receipt.case for _, step in makers if step.receipt.case is not None)),
            made_at=makers[0][0] if makers else None,
            repeats=len(repeats),
            preceded=sum(was_preceded(step, signature) for step in repeats),
        )


def template_of(step: Step, patterns: tuple[str, ...] = ()) -> str:
    """Give the error of a call in words, without what varies, and without secrets: the record holds it as it was."""
    message, kind = (
        redact(shortened(text or "", SIGNED_CHARS), patterns) for text in (step.call.error, step.call.type)
    )
    return error_template(message, type=kind or None)


def was_preceded(step: Step, signature: str) -> bool:
    """Say whether a case about this kind of error was put in front of the agent before the call."""
    return any(case.source is not None and case.source.signature == signature for case in step.fired)


def _answers(loaded: LoadedCase, signature: str) -> bool:
    source = loaded.case.source
    return source is not None and source.signature == signature


def _made(steps: Sequence[Step]) -> Iterable[Made]:
    last: Mapping[str, LoadedCase] = steps[-1].after if steps else {}
    makers: dict[str, tuple[int, Step]] = {}
    for place, step in enumerate(steps):
        if step.receipt.made and step.receipt.case is not None:
            makers.setdefault(step.receipt.case, (place, step))
    for case_id, (place, step) in makers.items():
        case = last.get(case_id) or step.after.get(case_id)
        if case is None:
            continue
        first = step.after.get(case_id, case)
        told = [each for each in steps if any(fired.id == case_id for fired in each.fired)]
        yield Made(
            case=case,
            status=case.case.status if case_id in last else "archived",
            where=step.call.where,
            line=step.call.line,
            error=sum(each.signature == step.signature and each.signature is not None for each in steps[: place + 1]),
            occurrence=step.receipt.occurrences,
            rewritten=first.case.correction != case.case.correction,
            fired=len(told),
            needless=sum(not each.counted for each in told),
        )
