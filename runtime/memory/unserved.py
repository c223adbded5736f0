"""What of the files of memories does not serve: as whoever asks may know it, and what it means for what is remembered."""

from __future__ import annotations

from collections.abc import Iterable

from casebook.faults import Fault
from casebook.runtime.answer.isolation import place_only
from casebook.runtime.memory.kept import Kept
from casebook.runtime.memory.layers import Layer
from casebook.stores.memory_homes import home_of
from casebook.stores.session_names import session_file

_SESSIONS = "short_term/session_"


def unserved(faults: Iterable[Fault], *, session: str | None, user: str | None) -> tuple[Fault, ...]:
    """Give the faults of memory files by their places alone, each once.

    Whose a memory is that does not serve nobody knows, and its words, its id or its file's text may be somebody else's: so a line is
    told, as of a file of cases that cannot be read, and `casebook check` tells the rest. The files of other sessions are not told at
    all: their names say of sessions that there are such.

    Args:
        faults: of all layers.
        session: whoever asks is in, or None.
        user: who asks, or None.
    """
    own = session_file(session, user).removesuffix(".json")
    return tuple(
        dict.fromkeys(
            place_only(fault)
            for fault in faults
            if fault.severity == "error" and (not fault.path.startswith(_SESSIONS) or fault.path.startswith(own))
        )
    )


def detour(kept: Kept, path: str | None, layer: Layer) -> tuple[str, ...]:
    """Say that a memory does not stand in its file, for that does not serve; nothing where it does.

    Args:
        kept: what became of it.
        path: the file that it was for; None for that of its tier and kind.
        layer: the casebook.
    """
    memory, broken = kept.memory, layer.memories.snapshot().broken
    if kept.did not in ("created", "proposed") or memory is None or not broken:
        return ()
    home = path or home_of(memory)
    if home not in broken or kept.path == home:
        return ()
    told = f"{home} does not serve: it is kept in {kept.path}, and was not held against what that says now; "
    return (f"{told}`casebook check` says what is to be mended",)


def why_not(layer: Layer, memory_id: str | None) -> str:
    """Say why a change of a memory meets a conflict again and again."""
    snapshot = layer.memories.snapshot()
    placed = snapshot.memories.get(memory_id or "")
    if placed is not None and placed.path in snapshot.broken:
        return f"{memory_id} stands in {placed.path}, which does not serve; `casebook check` says what is to be mended"
    return "others go on changing the same memory"
