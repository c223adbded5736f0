"""The arguments of the front door's calls about memories, held to what they are before anything is asked or written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from casebook.conditions.fold import nfc
from casebook.faults import CasebookError, nearest
from casebook.policy import JOBS, JobName
from casebook.problems import shown
from casebook.redacting.identity import identity

RUNNABLE: tuple[JobName, ...] = tuple(each for each in JOBS if each != "tick")
"""The jobs that may be run by name; ticks are the schedule's."""


def refused(where: str, expected: str, found: object) -> CasebookError:
    """Give the error of an argument: where it stands, what was expected, what was found."""
    return CasebookError(f"{where}: expected {expected}, got {shown(found)}")


def text_of(where: str, value: object) -> str | None:
    """Give a text, or None where there is none. Raises CasebookError for anything else."""
    if value is None or isinstance(value, str):
        return value
    raise refused(where, "text", value)


def name_of(where: str, value: object) -> str | None:
    """Give the name of a user, a project or an agent as it is kept; None and the empty text name nobody. Raises CasebookError."""
    name = text_of(where, value)
    return nfc(identity(name)) if name else None


def names_of(where: str, value: object) -> frozenset[str]:
    """Give one name or several. Raises CasebookError."""
    several = [value] if isinstance(value, str) else value
    if several is None:
        return frozenset()
    if not isinstance(several, Iterable) or isinstance(several, bytes | bytearray):
        raise refused(where, "a name, or several", value)
    named = (name_of(f"{where}[{place}]", each) for place, each in enumerate(several))
    return frozenset(each for each in named if each)


def session_of(where: str, value: object) -> str | None:
    """Give the id of a session as it is kept, or None. Raises CasebookError."""
    session = text_of(where, value)
    return None if session is None else identity(session)


def needed_session(where: str, value: object) -> str:
    """Give the id of a session as it is kept, which must be there. Raises CasebookError."""
    if not isinstance(value, str) or not value:
        raise refused(where, "the id of a session", value)
    return identity(value)


def count_of(where: str, value: object) -> int:
    """Give a whole number from 0 on. Raises CasebookError."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise refused(where, "a whole number, 0 or more", value)
    return value


def flag_of(where: str, value: object) -> bool:
    """Give True or False. Raises CasebookError."""
    if not isinstance(value, bool):
        raise refused(where, "True or False", value)
    return value


def jobs_of(where: str, value: object, every: Sequence[JobName]) -> list[JobName]:
    """Give the jobs that are named: one name, several, or None for every one. Raises CasebookError; the nearest name is told."""
    if value is None:
        return list(every)
    if isinstance(value, str):
        return [_job(where, value)]
    if not isinstance(value, Iterable) or isinstance(value, bytes | bytearray):
        raise refused(where, "the name of a job, or several", value)
    return [_job(f"{where}[{place}]", each) for place, each in enumerate(value)]


def _job(where: str, name: object) -> JobName:
    for each in RUNNABLE:
        if each == name:
            return each
    if not isinstance(name, str):
        raise refused(where, "the name of a job", name)
    near = nearest(name, RUNNABLE)
    cure = f"did you mean {near}?" if near else f"expected one of {', '.join(RUNNABLE)}"
    raise CasebookError(f"{where}: there is no job {shown(name)} to run; {cure}")
