"""The job `compact`: where one scope's memories have more text than a session can take in, it proposes what to let go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from casebook.memory_facts import is_live, last_used
from casebook.policy import JobName
from casebook.runtime.upkeep.facts import since_of
from casebook.runtime.upkeep.protocol import Desk, Move
from casebook.stores.memory_store import Placed

RULE = "compact"

_EARLY = datetime(1, 1, 1, tzinfo=UTC)

_Scope = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Compact:
    """The job."""

    name: JobName = "compact"

    def plan(self, desk: Desk) -> Iterable[Move]:
        """Give the askings that are due: one for each scope that is too long, its state in the key."""
        scopes: dict[_Scope, list[Placed]] = {}
        for placed in desk.each():
            memory = placed.memory
            if (
                memory.tier in ("L2", "L3")
                and memory.superseded_by is None
                and is_live(memory, desk.now, desk.policy.timezone)
            ):
                scopes.setdefault(tuple(sorted(memory.scope.named.items())), []).append(placed)
        for scope in sorted(scopes):
            move = _proposal(desk, scope, scopes[scope])
            if move is not None:
                yield move


def _proposal(desk: Desk, scope: _Scope, held: Sequence[Placed]) -> Move | None:
    """Give what is to be asked of one scope, or None where it is short enough."""
    whose = "user" if any(key == "user" for key, _ in scope) else "project"
    limit = desk.policy.tiers.user_chars if whose == "user" else desk.policy.tiers.project_chars
    chars = sum(len(each.memory.text) for each in held)
    if chars <= limit:
        return None
    chosen: list[Placed] = []
    left = chars
    for placed in sorted((each for each in held if not each.memory.pinned), key=lambda each: _worth(desk, each)):
        if left <= limit:
            break
        chosen.append(placed)
        left -= len(placed.memory.text)
    if not chosen:
        return None
    first, *others = chosen
    known = "\0".join(f"{each.memory.id} {len(each.memory.text)}" for each in sorted(held, key=lambda e: e.memory.id))
    ids = [each.memory.id for each in chosen]
    why = (
        f"the {len(held)} memories of one {whose} have {chars:,} characters, {limit:,} are allowed; "
        f"without the {len(ids)} that are used least they have {left:,}"
    )
    return Move(
        "ask", first.memory.id, RULE, why, before=first.memory, reason="too_long",
        proposal={"do": "archive", "ids": ids}, others=tuple(each.memory.id for each in others),
        key=sha256(repr((scope, known)).encode("utf-8", "surrogatepass")).hexdigest()[:12],
    )  # fmt: skip


def _worth(desk: Desk, placed: Placed) -> tuple[bool, int, datetime, datetime, str]:
    """Order memories by what goes first: medium before lasting, the least used, the longest unused, the oldest."""
    memory = placed.memory
    told = desk.told(memory.id)
    uses = max(len(told), memory.counters.get("triggers", 0))
    used = last_used(memory, told, desk.policy.timezone)
    return memory.tier == "L3", uses, used or _EARLY, since_of(desk, memory) or _EARLY, memory.id
