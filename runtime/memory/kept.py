"""What became of something that was offered to be remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from casebook.gate.candidate import Weighed
from casebook.memory import Memory
from casebook.reprs import told

Did = Literal["created", "updated", "merged", "proposed", "corrected", "archived", "dropped"]
"""created: it is new · updated: it took the place of what was said before, which it holds whole · merged: it was known · proposed: it
is kept, and a person is asked whether it goes into another · corrected: it took the place of what the user corrected · archived: the
user said that it is to go · dropped: a rule of the gate says that it is not worth keeping."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One piece of what was offered.

    Attributes:
        did: what was done with it.
        weighed: how it was judged.
        memory: the memory as it stands, or stood; None where it was dropped.
        path: its file, relative to the casebook's folder, or "".
        layer: the casebook; empty for a single one.
        other: the id of the memory that it is like, or None.
        opposes: ids of memories that say the opposite: a person is asked.
        why: in a sentence.
        warnings: what was odd, a sentence each.
        meant: where the user says that something is to go, the memories that may be meant besides, what fits best first.
    """

    did: Did
    weighed: Weighed
    memory: Memory | None = None
    path: str = ""
    layer: str = ""
    other: str | None = None
    opposes: tuple[str, ...] = ()
    why: str = ""
    warnings: tuple[str, ...] = ()
    meant: tuple[Memory, ...] = ()

    def __repr__(self) -> str:
        """Tell it in short: what was done with which words, and where they stand."""
        memory, weighed = self.memory, self.weighed
        return told(
            self,
            did=self.did,
            id=memory.id if memory is not None else None,
            kind=memory.kind if memory is not None else None,
            tier=memory.tier if memory is not None else None,
            text=memory.text if memory is not None else weighed.text,
            rule=weighed.dropped,
            path=self.path,
            layer=self.layer,
            other=self.other,
            opposes=self.opposes,
            warnings=(*weighed.warnings, *self.warnings),
        )

    def to_json(self) -> dict[str, Any]:
        """Give it as `casebook remember` prints it."""
        weighed, memory = self.weighed, self.memory
        return {
            "did": self.did,
            "id": memory.id if memory is not None else None,
            "text": memory.text if memory is not None else weighed.text,
            "kind": memory.kind if memory is not None else weighed.kind,
            "tier": memory.tier if memory is not None and self.did != "archived" else None,
            "scope": dict(memory.scope.named) if memory is not None else {},
            "ttl": memory.ttl if memory is not None else None,
            "expires_at": memory.expires_at if memory is not None else None,
            "score": weighed.score,
            "rule_chain": [step.model_dump() for step in (memory.rule_chain if memory is not None else weighed.chain)],
            "path": self.path or None,
            "layer": self.layer or None,
            "like": self.other,
            "opposes": list(self.opposes),
            "why": self.why,
            "meant": [{"id": each.id, "text": each.text} for each in self.meant],
            "warnings": [*weighed.warnings, *self.warnings],
        }
