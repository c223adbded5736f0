"""What a piece is: a score for each kind from the table of cues."""

from __future__ import annotations

from collections.abc import Mapping

from casebook.gate.cue_set import CueSet
from casebook.gate.kind_cues import KIND_CUES
from casebook.kinds import Kind

ORDER: tuple[Kind, ...] = (
    "decision", "feedback", "lesson", "conclusion", "principle", "identity", "temporary", "preference", "rule",
    "project_state", "usage", "fact",
)  # fmt: skip
"""Of two kinds that score the same, the one named first (ours): what tells more goes before what is told in passing."""

_CUES = CueSet(tuple(cue.pattern for cue in KIND_CUES))


def kind_scores(view: str) -> dict[Kind, float]:
    """Give what each kind scores in a folded text; kinds that score nothing are not in it. In the order of the table.

    A negation turns the polarity of what is said, never its kind: "不喜欢 X" is a preference.
    """
    scores: dict[Kind, float] = {}
    for place in _CUES.holding(view):
        cue = KIND_CUES[place]
        scores[cue.kind] = scores.get(cue.kind, 0) + cue.weight
    return scores


def kind_of(scores: Mapping[Kind, float]) -> Kind:
    """Give the kind that scores most, `fact` where none does."""
    return max(ORDER, key=lambda kind: (scores.get(kind, 0), -ORDER.index(kind))) if scores else "fact"
