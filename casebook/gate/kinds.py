"""What a piece is: a score for each kind from the table of cues; a label and a wish about the agent's answers decide."""

from __future__ import annotations

from collections.abc import Mapping

from casebook.gate.cue_set import CueSet
from casebook.gate.kind_cues import KIND_CUES
from casebook.gate.labels import label_of, unlabelled
from casebook.gate.wishes import is_rule_towards_others, is_wish_about_answers
from casebook.kinds import Kind

ORDER: tuple[Kind, ...] = (
    "decision", "feedback", "lesson", "conclusion", "principle", "identity", "temporary", "preference", "rule",
    "project_state", "usage", "fact",
)  # fmt: skip
"""Of two kinds that score the same, the one named first (ours): what tells more goes before what is told in passing."""

_CUES = CueSet(tuple(cue.pattern for cue in KIND_CUES))
LABEL, WISH, TOWARDS = 100, 30, 4
"""What an explicit label adds to its kind, a wish about the agent's answers to `preference`, and how others are answered to `rule` (ours)."""


def kind_scores(view: str) -> dict[Kind, float]:
    """Give what each kind scores in a folded text; kinds that score nothing are not in it. In the order of the table.

    A negation turns the polarity of what is said, never its kind: "不喜欢 X" is a preference. What is labelled is what its label
    says, and how the agent answers is a preference of whoever wishes it so, in whatever form.
    """
    scores: dict[Kind, float] = {}
    for place in _CUES.holding(view):
        cue = KIND_CUES[place]
        scores[cue.kind] = scores.get(cue.kind, 0) + cue.weight
    label = label_of(view)
    if label is not None:
        scores[label.kind] = scores.get(label.kind, 0) + LABEL
    said = unlabelled(view)
    if is_wish_about_answers(said):
        scores["preference"] = scores.get("preference", 0) + WISH
    elif is_rule_towards_others(said):
        scores["rule"] = scores.get("rule", 0) + scores.pop("preference", 0) + TOWARDS
    return scores


def kind_of(scores: Mapping[Kind, float]) -> Kind:
    """Give the kind that scores most, `fact` where none does."""
    return max(ORDER, key=lambda kind: (scores.get(kind, 0), -ORDER.index(kind))) if scores else "fact"
