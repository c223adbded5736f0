"""An explanation as a value, and how it is put for programs and for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Trace
from casebook.conditions.render import render
from casebook.faults import Fault
from casebook.runtime.answer.activation import Engine, Verdict
from casebook.runtime.answer.explain_texts import EXPLAIN_TEXTS, ExplainTexts, Outcome
from casebook.runtime.answer.harmless import condition_excerpt, harmless
from casebook.runtime.answer.seen import Redact, as_it_is, instant_words
from casebook.runtime.answer.texts import Language
from casebook.runtime.answer.why import condition_words, reason_words
from casebook.runtime.matching.protocol import RuleView
from casebook.scope import Point

WRITTEN_CHARS = 400
"""Characters of a condition as written that are shown to people."""


@dataclass(frozen=True, slots=True)
class ConditionReport:
    """A condition as it is written (JSON forms as JSON text), and how it came out."""

    written: str
    trace: Trace


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case.

    Attributes:
        loaded: the case.
        outcome: what became of it.
        conditions: each of its conditions.
        held: all that holds it back or would, if it matched (see `eligibility`).
        rule: how it stands in the engine; None where it is not active.
    """

    loaded: LoadedCase
    outcome: Outcome
    conditions: tuple[ConditionReport, ...]
    held: tuple[str, ...]
    rule: RuleView | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the cases within a task's reach did or did not fire.

    Attributes:
        point: where the task stands.
        at: its instant, aware, UTC.
        zone: the IANA zone in which people are told of instants: the policy's.
        engine: which engine matched.
        verdict: the answer's verdict.
        counts: how many cases came to each outcome.
        cases: those that are told in full.
        disagreements: ids on which the engine and the reference evaluator differ: a fault of ours, and there should be none.
        faults: the casebook's faults, as the task may see them.
        only: whether one case was asked for: then the others are not even counted in the text, and its rule is shown whole.
        redact: takes secrets out of the values seen.
    """

    point: Point
    at: datetime
    zone: str
    engine: Engine
    verdict: Verdict
    counts: Mapping[Outcome, int]
    cases: tuple[CaseReport, ...]
    disagreements: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    only: bool = False
    redact: Redact = field(default=as_it_is, repr=False)

    def __str__(self) -> str:
        """Give the text in English."""
        return self.text("en")

    def to_json(self, language: Language = "en") -> dict[str, Any]:
        """Give it for programs; `language` is that of the words."""
        return {
            "point": self.point,
            "at": self.at.isoformat(),
            "engine": self.engine,
            "verdict": self.verdict,
            "counts": dict(self.counts),
            "cases": [_case_json(each, language, self) for each in self.cases],
            "disagreements": list(self.disagreements),
            "faults": [{"where": fault.where, "message": fault.message} for fault in self.faults],
        }

    def text(self, language: Language = "en") -> str:
        """Give it for people, in lines."""
        texts = EXPLAIN_TEXTS[language]
        lines = [
            texts.head.format(self.point, instant_words(self.at, self.zone), self.engine, texts.verdicts[self.verdict]),
            texts.counts.format(self.counts) if any(self.counts.values()) else texts.nothing,
        ]
        if self.disagreements:
            lines.append(texts.disagree.format(", ".join(self.disagreements[:20])))
        for report in self.cases:
            lines += ["", *_case_lines(report, texts, language, self)]
        if self.only:
            return "\n".join(lines)
        lines += self._not_shown(texts)
        lines += ["", *(harmless(str(fault)) for fault in self.faults[:20])] if self.faults else []
        return "\n".join(lines)

    def _not_shown(self, texts: ExplainTexts) -> list[str]:
        """Give a line for each outcome of which some cases are only counted."""
        shown = [each.outcome for each in self.cases]
        left = {outcome: count - shown.count(outcome) for outcome, count in self.counts.items()}
        lines = [texts.not_shown.format(texts.outcomes[outcome], count) for outcome, count in left.items() if count > 0]
        return ["", *lines] if lines else []


def _case_json(report: CaseReport, language: Language, told: Explanation) -> dict[str, Any]:
    case = report.loaded.case
    rule = report.rule
    return {
        "id": case.id,
        "outcome": report.outcome,
        "effect": case.effect,
        "priority": case.priority,
        "where": f"{report.loaded.path}:{report.loaded.line}",
        "layer": report.loaded.layer,
        "conditions": [
            {
                "condition": each.written,
                "holds": each.trace.holds,
                "seen": condition_words(each.trace, language, told.redact, written=each.written),
            }
            for each in report.conditions
        ],
        "held": list(report.held),
        "held_words": [reason_words(each, language, told.zone) for each in report.held],
        "ruleset": rule.ruleset if rule else None,
        "rule": rule.rule if rule else None,
        "definition": dict(rule.definition) if rule else None,
        "legend": [
            {"test": name, "asks": render(node, language), "must": must}
            for name, node, must in (rule.legend if rule else ())
        ],
    }


def _case_lines(report: CaseReport, texts: ExplainTexts, language: Language, told: Explanation) -> Iterator[str]:
    loaded = report.loaded
    case = loaded.case
    place = harmless(loaded.where)
    yield texts.case.format(case.id, texts.outcomes[report.outcome], case.effect, case.priority, place)
    for each in report.conditions:
        words = condition_words(each.trace, language, told.redact, written=each.written)
        yield f"  {texts.marks[each.trace.holds]}  {condition_excerpt(each.written, WRITTEN_CHARS)}" + (
            f"  [{words}]" if words else ""
        )
    if report.outcome == "omitted":
        yield f"  - {texts.limit}"
    for reason in report.held:
        yield f"  - {reason_words(reason, language, told.zone)}"
    if report.rule is not None and report.rule.ruleset:
        yield f"  - {texts.rule.format(report.rule.ruleset, report.rule.rule)}"
        if told.only:
            yield "    " + harmless(json.dumps(report.rule.definition, ensure_ascii=False, default=str))
            for name, node, must in report.rule.legend:
                yield f"    {harmless(name)} {'' if must else '!'}= {condition_excerpt(render(node, language), WRITTEN_CHARS)}"
