"""What a person is asked about what was said: it is put to review, and nothing is done before they have answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from casebook.conditions.fold import fold
from casebook.gate.candidate import Weighed
from casebook.memory import Memory
from casebook.runtime.journal.records import Entry
from casebook.runtime.memory.kept import Kept
from casebook.runtime.memory.layers import Layer
from casebook.speakers import outweighs


class _Asked(NamedTuple):
    """Something that a person is asked about the memory `subject`, once for each `key`."""

    subject: Memory
    reason: str
    key: str
    why: str
    proposal: Mapping[str, Any]
    others: tuple[str, ...]

    def entry(self, layer: Layer, now: datetime) -> Entry:
        """Give the line that puts it to review."""
        placed = layer.memories.snapshot().memories.get(self.subject.id)
        place = {"file": placed.path if placed is not None else "", "kind": self.subject.kind}
        body = {
            "reason": self.reason, "why": self.why, "memory": place, "proposal": self.proposal, "others": list(self.others),
        }  # fmt: skip
        return Entry(
            f"ask:{self.reason}:{self.subject.id}:{self.key}", now, "upkeep", "queue", self.subject.id, body=body
        )


def ask(layer: Layer, done: Kept, piece: Weighed, other: Memory | None, now: datetime) -> None:
    """Put to review what a person is to decide: whether two are one, what opposes what, what was seen and not confirmed.

    Args:
        layer: the casebook in which it is kept.
        done: what became of what was said.
        piece: what was said.
        other: what it is like, or None.
        now: when.

    Raises:
        StoreError: the journal cannot be written.
    """
    memory = done.memory
    if memory is None:
        return
    asks = [_Asked(memory, "contradiction", each, done.why, {}, (each,)) for each in done.opposes]
    if done.did == "proposed" and other is not None:
        into, gone = (memory, other) if outweighs(memory, other) else (other, memory)  # a person's words stay the words
        merged = into.with_changes(exceptions=[*into.exceptions, gone.text])
        proposal = {"do": "merge", "into": into.id, "memory": merged.to_json()}
        asks.append(_Asked(gone, "merge", into.id, done.why, proposal, (into.id,)))
    if piece.needs_review:
        asks.append(_Asked(memory, "unconfirmed", memory.tier, piece.needs_review, {"do": "promote"}, ()))
    if asks:
        layer.journal.append([each.entry(layer, now) for each in asks])


def otherwise(layer: Layer, piece: Weighed, *, before: Memory, after: Memory, why: str, now: datetime) -> Kept:
    """Put to review whether a memory is to say something else; it stays as it is.

    Args:
        layer: the casebook in which it stands.
        piece: what was said.
        before: the memory.
        after: as it is proposed.
        why: in a sentence.
        now: when.

    Raises:
        StoreError: the journal cannot be written.
    """
    proposal = {"do": "correct", "memory": after.to_json(), "instead_of": before.text}
    said = (
        after.text
        if after.text != before.text
        else repr((after.text, after.reason, after.alternatives, after.expires_at))
    )
    mark = sha256(fold(said).encode("utf-8", "replace")).hexdigest()[:16]
    asked = _Asked(before, "correction", mark, why, proposal, ())
    layer.journal.append((asked.entry(layer, now),))
    return Kept("proposed", piece, before, other=before.id, why=why)
