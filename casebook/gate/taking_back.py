"""Whether what is offered says that something known is to go, or is otherwise than it stands."""

from __future__ import annotations

from casebook.gate.candidate import Candidate
from casebook.gate.correcting import CORRECTION, is_change, with_denials
from casebook.gate.extract import extract_sentences
from casebook.gate.letting_go import asks_to_go
from casebook.gate.own_words import own_words, view_of


def takes_back(candidate: Candidate) -> bool:
    """Say whether a candidate may take out or rewrite what is known, where it counts as the user's words.

    Args:
        candidate: what is offered.

    Returns:
        True where it names what it corrects, says that something is to go (R4), or that something is wrong or otherwise by now
        (P3): of a text that is cut into pieces, in any of them.
    """
    if candidate.corrects is not None or candidate.archived:
        return True
    own = own_words(candidate.text)
    if not own:
        return False
    pieces = extract_sentences(candidate.model_copy(update={"text": own}))
    return any(_takes_back(view_of(" ".join(each.split()))) for each in (own, *with_denials(pieces)))


def _takes_back(view: str) -> bool:
    return asks_to_go(view) or CORRECTION.holds(view) or is_change(view)
