"""What an agent may write with `--by agent:NAME`: its own cases, which are quoted, advise, and wait for a person."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import UsageError
from casebook.adapters.cli.desk import actor_of
from casebook.adapters.cli.place import clock_of, roots
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from casebook.case import Case, LoadedCase

REASON = "noted"
"""Why such a case waits in review."""
_SAYING = ("correction", "trigger_conditions", "scope")
"""What a person's case says, and when, and to whom."""


def is_agents(options: Namespace) -> bool:
    """Say whether an agent does it. Raises UsageError where `--by` names nobody."""
    return actor_of(options).startswith("agent:")


def as_agents(case: Case, command: str) -> Case:
    """Give a case as an agent may write it: a draft, and its correction, where it says no less of itself, the agent's.

    Raises:
        UsageError: it would confirm or block.
    """
    if case.effect != "advise":
        raise UsageError(
            f"{command}: {case.id}: --by agent:…: an agent's case advises, and {case.effect}s nothing; a person who approves it may change that"
        )
    whose = "agent" if case.correction_by == "person" else case.correction_by
    return type(case).from_json({**case.to_json(), "status": "draft", "correction_by": whose})


def agents_changes(
    changes: Mapping[str, Any], loaded: LoadedCase | None, removed: Iterable[str] = ()
) -> dict[str, Any]:
    """Give changes of a case as an agent may make them; another correction is the agent's.

    Raises:
        UsageError: the case is a person's and would say something else, or the agent would let it confirm, block or serve, or
            would speak for a person.
    """
    held: Mapping[str, Any] = loaded.case.to_json() if loaded is not None else {}
    new = {name: value for name, value in changes.items() if held.get(name) != value}
    new |= {name: None for name in removed if name in held}
    whose = held.get("correction_by", "person")
    said = [each for each in _SAYING if each in new]
    if said and whose == "person" and held.get("status", "active") == "active":
        raise _refused(
            f"{said[0]} is a person's: `casebook wrong ID --because …` says what is wrong of it, and `casebook add` puts another to review"
        )
    if new.get("correction_by", "agent") != "agent":
        raise _refused("correction_by: an agent's words are an agent's")
    if "effect" in new:
        raise _refused("effect: a person says whether a case confirms or blocks")
    if "status" in new and new["status"] in ("active", None) and held.get("status", "active") != "active":
        raise _refused("status: a case that does not serve is approved by a person (`casebook review`)")
    return {**changes, **({"correction_by": "agent"} if "correction" in new else {})}


def put_to_review(options: Namespace, cases: Iterable[str]) -> None:
    """Put cases that an agent wrote to review; where that cannot be, say so, for they are written."""
    from casebook.runtime.journal.opening import open_journal
    from casebook.runtime.learning.finishing import queue_entry

    try:
        places = roots(options)
        clock = clock_of(options, places)
        now = clock()
        with closing(open_journal(places[0].path, clock)) as journal:
            journal.append(
                tuple(queue_entry(each, None, now, REASON, {}, key=f"{REASON}:{now.isoformat()}") for each in cases)
            )
    except (CasebookError, UsageError) as error:
        output.words(f"warning: the review queue does not have it: {error}")


def _refused(why: str) -> UsageError:
    return UsageError(f"edit: --by agent:…: {why}")
