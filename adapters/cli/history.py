"""`casebook history`: the texts that a case or a memory has had, who made them, and what each changed."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, as_argument
from casebook.adapters.cli.desk import desk
from casebook.faults import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from casebook.runtime.review.history import Difference, Step
    from casebook.runtime.review.memory_history import MemoryStep

EPILOG = """\
`casebook revert ID VERSION` brings a text back; a version may be named by its first four characters or more."""

NOTHING = "(nothing)"
_NO_CASE = "there is no case "


def arguments(parser: Parser) -> None:
    """Add the id."""
    parser.add_argument("id", metavar="ID", help="the case, or the memory")


def run(options: Namespace) -> int:
    """Tell the history."""
    from casebook.runtime.answer.seen import instant_words
    from casebook.runtime.review.history import history

    with desk(options) as review:
        is_case = review.case(options.id) is not None or bool(review.journal.versions(options.id))
    if not is_case and _memory(options):
        return 0
    with desk(options) as review:
        try:
            steps = history(review, options.id)
        except NotFoundError as error:
            raise of_anything(error, "case or memory") from None
        zone = review.store.snapshot().policy.timezone
    if options.json:
        output.data([step_json(each) for each in steps])
        return 0
    for each in steps:
        now = "  serves now" if each.serves else ""
        same = f"  the text of {each.as_before}" if each.as_before else ""
        version = each.version or "out of service"
        output.line(f"{version}  {instant_words(each.at, zone)}  {did(each)}{same}{now}")
        _print(each.differences)
    if not any(each.serves for each in steps):
        output.words(
            f"{options.id} is not in service; `casebook revert {as_argument(options.id)} VERSION` puts a text back"
        )
    return 0


def of_anything(error: NotFoundError, what: str) -> NotFoundError:
    """Give an error about an id that is no case's, where it might have been something else's: `what` says whose it could be."""
    said = str(error)
    return NotFoundError(said.replace(_NO_CASE, f"there is no {what} ", 1)) if said.startswith(_NO_CASE) else error


def _print(differences: Iterable[Difference]) -> None:
    for each in differences:
        output.line(f"    {output.flat(each.field)}")
        output.line(f"      - {shown(each.before, each.field)}")
        output.line(f"      + {shown(each.after, each.field)}")


def _memory(options: Namespace) -> bool:
    """Tell the history of a memory; say whether there is one of this id."""
    from casebook.adapters.cli.memory_desk import memory_desk
    from casebook.runtime.answer.seen import instant_words
    from casebook.runtime.review.memory_history import memory_history

    with memory_desk(options, options.id) as review:
        if review is None:
            return False
        steps = memory_history(review, options.id)
        zone = review.store.snapshot().policy.timezone
    if options.json:
        output.data([memory_step_json(each) for each in steps])
        return True
    for each in steps:
        version, now = each.version or "in no tier", "  stands now" if each.stands else ""
        output.line(f"{version}  {instant_words(each.at, zone)}  {did(each)}{now}")
        _print(each.differences)
    if not any(each.stands for each in steps):
        output.words(f"{options.id} is in no tier; `casebook restore {as_argument(options.id)}` brings it back")
    return True


def memory_step_json(step: MemoryStep) -> dict[str, Any]:
    """Give a step of a memory for programs."""
    return {
        "at": step.at.isoformat(), "by": step.by, "action": step.action, "entry": step.entry, "version": step.version,
        "stands": step.stands, "memory": dict(step.form),
        "differences": [
            {"field": each.field, "before": each.before, "after": each.after} for each in step.differences
        ],
    }  # fmt: skip


def did(step: Step | MemoryStep) -> str:
    """Say who did what, and which line of the audit log tells it."""
    by = f" by {output.one_line(step.by)}" if step.by else ""
    return f"{step.action}{by}" + (f" (#{step.entry})" if step.entry is not None else "")


def shown(value: Any, field: str = "") -> str:
    """Give a field's value on one line: a text as it is, else JSON; a case that says no status is active."""
    if value is None:
        return "active" if field == "status" else NOTHING
    return output.flat(value) if isinstance(value, str) else output.flat(json.dumps(value, ensure_ascii=False))


def step_json(step: Step) -> dict[str, Any]:
    """Give a step for programs."""
    return {
        "at": step.at.isoformat(), "by": step.by, "action": step.action, "entry": step.entry, "version": step.version,
        "serves": step.serves, "as_before": step.as_before or None, "case": dict(step.form),
        "differences": [
            {"field": each.field, "before": each.before, "after": each.after} for each in step.differences
        ],
    }  # fmt: skip
