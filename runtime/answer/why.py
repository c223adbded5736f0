"""Why a condition came out as it did, and why a case is held back, in words."""

from __future__ import annotations

from datetime import datetime

from casebook.conditions.evaluate import Trace
from casebook.conditions.render import render
from casebook.conditions.tree import Count, Earlier, Node, Test, Time
from casebook.runtime.answer.explain_texts import EXPLAIN_TEXTS, ExplainTexts
from casebook.runtime.answer.harmless import condition_excerpt, excerpt
from casebook.runtime.answer.seen import Found, Redact, as_it_is, field_words, instant_words, leaves
from casebook.runtime.answer.texts import TEXTS, Language

WANTED_CHARS = 200
_LEAVES = 6
_AT_AN_INSTANT = ("created", "expired", "cooldown")


def condition_words(trace: Trace, language: Language, redact: Redact = as_it_is, *, written: str = "") -> str:
    """Give what a condition saw and, where it fails, what it wanted: `time: 07:00 Asia/Shanghai, wanted 00:00–06:00`.

    Args:
        trace: how the condition came out.
        language: of the words.
        redact: takes secrets out of the values seen.
        written: the condition as it is written, where that is told beside; what is wanted is not said again in its very words.
    """
    texts = EXPLAIN_TEXTS[language]
    values = Found(TEXTS[language], redact)
    said = condition_excerpt(written, WANTED_CHARS)
    found: list[str] = []
    for leaf in leaves(trace):
        if len(found) == _LEAVES:
            found.append("…")
            break
        found.append(_leaf_words(leaf, values, language, said, fails=not trace.holds))
    return texts.separator.join(found)


def _leaf_words(leaf: Trace, values: Found, language: Language, said: str, *, fails: bool) -> str:
    texts = EXPLAIN_TEXTS[language]
    saw = _saw(leaf, texts, values)
    if not fails:
        return saw
    if leaf.holds:
        return texts.unwanted.format(saw, _wanted(leaf.node, texts, language))
    missing = isinstance(leaf.node, Test) and leaf.seen is None and leaf.node.op == "exists"
    wanted = _wanted(leaf.node, texts, language)
    return saw if missing or wanted == said else texts.wanted.format(saw, wanted)


def _saw(leaf: Trace, texts: ExplainTexts, values: Found) -> str:
    found = values.words(leaf)
    if isinstance(leaf.node, Test):
        field = field_words(leaf.node.field)
        return texts.missing.format(field) if leaf.seen is None else texts.field.format(field, found)
    if isinstance(leaf.node, Earlier | Count):
        return texts.events.format(leaf.seen)
    return texts.clock.format(found)


def _wanted(node: Node, texts: ExplainTexts, language: Language) -> str:
    if isinstance(node, Time) and node.days is None:
        return texts.window.format(_moment(node.start), _moment(node.end))
    return condition_excerpt(render(node, language), WANTED_CHARS)


def _moment(seconds: int) -> str:
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
    return text if seconds % 60 == 0 else f"{text}:{seconds % 60:02}"


def reason_words(reason: str, language: Language, zone: str) -> str:
    """Give in words why a case is held back.

    Args:
        reason: as `eligibility` gives it.
        language: of the words.
        zone: the IANA zone in which its instant is told.
    """
    reasons = EXPLAIN_TEXTS[language].reasons
    if reason in reasons:
        return reasons[reason]
    code, _, detail = reason.partition(":")
    if code == "spent" and detail.partition(":")[0] in reasons:
        return reason_words(detail, language, zone)
    if code in _AT_AN_INSTANT:
        detail = instant_words(datetime.fromisoformat(detail), zone)
    return reasons.get(code, "{}").format(excerpt(detail, WANTED_CHARS))
