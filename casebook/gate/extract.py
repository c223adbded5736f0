"""One memory, one lifetime: how what was said is cut into pieces, and the seam for a model that does it better (DESIGN section 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from casebook.gate.candidate import CANDIDATE_CHARS, Candidate
from casebook.gate.cutting import clauses
from casebook.gate.own_words import own_words
from casebook.gate.sentences import PIECES, sentences

Extract = Callable[[Candidate], Sequence[str]]
"""Cuts a candidate, whose text is its speaker's own words, into texts of one memory each. The seam for a model."""


def extract_sentences(candidate: Candidate) -> tuple[str, ...]:
    """Cut what was said into sentences, and into clauses where each can stand alone.

    Args:
        candidate: its text is cut; one that says its own kind, id or what it corrects is one piece already.

    Returns:
        The pieces in order, at most `PIECES`, one more where something was left. A clause that has no subject of its own gets the
        one before it. Abbreviations, versions, urls and paths are whole; a reason stays with what it is the reason of.
    """
    if candidate.kind is not None or candidate.id is not None or candidate.corrects is not None:
        whole = " ".join(candidate.text.split())
        return (whole,) if whole else ()
    pieces: list[str] = []
    for sentence in sentences(candidate.text):
        pieces += clauses(sentence)
        if len(pieces) > PIECES:
            break
    return tuple(pieces[: PIECES + 1])


@dataclass
class Batch:
    """Collects what is said and has it cut every so many turns, so that a model is asked once for several.

    Attributes:
        every: after how many turns the extractor is called; at least 1.
        extract: what cuts.
    """

    every: int
    extract: Extract = extract_sentences
    _turns: list[Candidate] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"expected at least 1 turn, got {self.every}")

    def add(self, candidate: Candidate) -> tuple[tuple[Candidate, tuple[str, ...]], ...]:
        """Take a turn; give what was collected with its pieces once there are enough, else nothing."""
        self._turns.append(candidate)
        return self.flush() if len(self._turns) >= self.every else ()

    def flush(self) -> tuple[tuple[Candidate, tuple[str, ...]], ...]:
        """Give what was collected, cut.

        Neighbours of one speaker, session and scope go to the extractor as one text, a turn a line; the answer belongs to the
        last of them.
        """
        turns, self._turns = self._turns, []
        groups: list[list[Candidate]] = []
        for turn in turns:
            if groups and _goes_with(groups[-1], turn):
                groups[-1].append(turn)
            else:
                groups.append([turn])
        return tuple((joined, tuple(self.extract(joined))) for joined in map(_joined, groups))


def _joined(turns: list[Candidate]) -> Candidate:
    """Give turns as one candidate, each turn's own words a line."""
    said = [own_words(turn.text) for turn in turns]
    return turns[-1].model_copy(update={"text": "\n".join(said) or turns[-1].text})


def _goes_with(group: list[Candidate], turn: Candidate) -> bool:
    same = all(getattr(group[-1], name) == getattr(turn, name) for name in Candidate.model_fields if name != "text")
    is_free = turn.id is None and turn.kind is None and turn.corrects is None
    return same and is_free and sum(len(each.text) + 1 for each in group) + len(turn.text) <= CANDIDATE_CHARS
