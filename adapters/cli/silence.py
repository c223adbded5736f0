"""Why what somebody brings back into service says nothing all the same, and what to do."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from casebook.adapters.cli.arguments import as_argument

if TYPE_CHECKING:
    from casebook.case import LoadedCase
    from casebook.memory import Memory

_MUTED = "it is muted; `casebook mute --undo {}` lets it speak again"


def silence_of_memory(memory: Memory, now: datetime, zone: str) -> str:
    """Give why a memory that stands is not recalled, and the cure; nothing where it may be.

    Args:
        memory: as it stands.
        now: the present instant, aware.
        zone: the IANA zone of times that name none.
    """
    from casebook.memory_facts import expires

    name, end = as_argument(memory.id), expires(memory, zone)
    if memory.status == "disabled":
        return _silent(memory.id, _MUTED.format(name))
    if memory.status == "to_judge":
        return _silent(
            memory.id, f"it waits for a person's judgment; `casebook review approve {name}` lets it be recalled"
        )
    if end is None or now < end:
        return ""
    return _silent(
        memory.id,
        f"its time was over at {_instant(end, zone)}; `casebook edit {name} --unset expires_at` takes that away, "
        f"`casebook edit {name} expires_at=ISO` sets another end",
    )


def silence_of_case(loaded: LoadedCase, now: datetime) -> str:
    """Give why a case that stands does not fire, and the cure; nothing where it may.

    Args:
        loaded: as it stands.
        now: the present instant, aware.
    """
    case, name = loaded.case, as_argument(loaded.case.id)
    if case.status == "disabled":
        return _silent(case.id, _MUTED.format(name))
    if case.status == "draft":
        return _silent(case.id, f"it is a draft; `casebook review approve {name}` lets it fire")
    if loaded.expires is None or now < loaded.expires:
        return ""
    field = "expires_at" if case.expires_at else "ttl"
    return _silent(
        case.id,
        f"its time was over at {_instant(loaded.expires, loaded.zone)}; `casebook edit {name} --unset {field}` takes that away",
    )


def _silent(name: str, why: str) -> str:
    return f"{name} stays silent: {why}"


def _instant(at: datetime, zone: str) -> str:
    from casebook.runtime.answer.seen import instant_words

    return instant_words(at, zone)
