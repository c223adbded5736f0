"""`casebook why` without an id: the newest answers in which something was told, each with the id by which `why` tells all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.newest import newest
from casebook.runtime.answer.harmless import excerpt
from casebook.runtime.answer.seen import instant_words

if TYPE_CHECKING:
    from casebook.runtime.journal.records import ActivationRecord
    from casebook.runtime.review.review import Review

CHARS = 80
"""Characters of what was asked about that are shown."""
_COMMANDS = ("command", "cmd", "path", "file_path", "url")


def answers_told(review: Review, *, session: str | None, limit: int) -> Sequence[ActivationRecord]:
    """Give the newest answers that told something, or whose verdict was not `allow`, the newest last.

    Args:
        review: the desk.
        session: of this one alone; then those, too, that told nothing.
        limit: at most so many.

    Raises:
        StoreError: the journal cannot be read.
    """
    if session is not None:
        return review.journal.activations(session=session, limit=limit)
    return newest(
        lambda asked: review.journal.activations(limit=asked),
        lambda record: record.verdict != "allow" or bool(_told(record)),
        limit,
    )


def answer_json(record: ActivationRecord) -> dict[str, Any]:
    """Give an answer for programs."""
    return {
        "id": record.id, "at": record.at.isoformat(), "session": record.session, "user": record.principal.user,
        "project": record.principal.project, "point": record.point, "tool": record.tool, "verdict": record.verdict,
        "asked": _asked(record), "cases": _told(record),
    }  # fmt: skip


def answer_line(record: ActivationRecord, zone: str) -> str:
    """Give an answer on a line: its id, when, in which session, what was asked about, what was told."""
    cases = _told(record)
    parts = [
        record.id,
        instant_words(record.at, zone),
        f"session {output.one_line(record.session)}" if record.session else "",
        f"{record.tool or record.point}: {_asked(record)}" if _asked(record) else record.tool or record.point,
        "" if record.verdict == "allow" else record.verdict,
        f"told {', '.join(cases)}" if cases else "told nothing",
    ]
    return "  ".join(output.one_line(part) for part in parts if part)


def _told(record: ActivationRecord) -> list[str]:
    return [each.case_id for each in record.firings if each.how == "selected"]


def _asked(record: ActivationRecord) -> str:
    """Give what was asked about, as far as the journal keeps it: the command or the path of a call, else the text."""
    args = record.facts.get("args")
    within = [args.get(name) for name in _COMMANDS] if isinstance(args, Mapping) else []
    words = next((each for each in (*within, record.facts.get("text")) if isinstance(each, str) and each), "")
    return excerpt(words, CHARS)
