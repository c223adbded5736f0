"""`casebook explain`: why each case does or does not apply to a task, near misses included."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.place import opened
from casebook.adapters.cli.task_input import task_arguments, task_of
from casebook.faults import NotFoundError, nearest

if TYPE_CHECKING:
    from casebook.runtime.answer.explanation import Explanation
    from casebook.runtime.runtime import Runtime
    from casebook.task import Task

EPILOG = """\
examples:
  casebook explain --task task.json
  casebook explain --text "push the promotion to everybody" --now 2026-03-21T07:00 --case case_001"""


_SCOPED = "a case with a scope is seen only with its --user, --project, --team or --agent"
"""Said of every id that is not found, so that it tells nothing of whether there is such a case."""


def arguments(parser: Parser) -> None:
    """Add the options of the task, and which case."""
    task_arguments(parser)
    group = parser.add_argument_group("what to explain")
    group.add_argument("--case", metavar="ID", help="this case alone, with its rule in the engine")
    group.add_argument("--language", choices=("en", "zh"), help="of the words (the policy's)")


def run(options: Namespace) -> int:
    """Explain and print."""
    task = task_of(options)
    with opened(options) as runtime:
        language = options.language or runtime.policy().language
        explanation = _explained(runtime, task, options.case)
        scoped = "" if options.json or options.case else _scoped(runtime, task)
    if options.json:
        output.data(explanation.to_json(language))
    else:
        output.line(explanation.text(language))
        if scoped:
            output.words(scoped)
    return 0


def _scoped(runtime: Runtime, task: Task) -> str:
    from casebook.adapters.cli.scoped import scoped_words

    return scoped_words(runtime, task, tuple(case.id for case in runtime.match(task).cases))


def _as_here(task: Task) -> str:
    from casebook.adapters.cli.scoped import options_here

    here = options_here(task)
    return f"; an agent that works here asks with {here}" if here else ""


def _explained(runtime: Runtime, task: Task, case_id: str | None) -> Explanation:
    """Ask; for an id that is not here (or not for this task) name the nearest that is."""
    try:
        return runtime.explain(task, case_id)
    except NotFoundError as error:
        from casebook.runtime.answer.isolation import principal_of, reachable, visible_faults

        principal, snapshot = principal_of(task), runtime.snapshot()
        told = visible_faults(snapshot.faults, snapshot, principal, scope_of=runtime.store.scope_of)
        if any(fault.case == case_id for fault in told):
            hint = "; it does not serve: `casebook check` says why"
        else:
            near = nearest(case_id or "", [each.id for each in snapshot.cases.values() if reachable(each, principal)])
            hint = (f"; did you mean {near}?" if near else "") + f" ({_SCOPED}{_as_here(task)})"
        raise NotFoundError(f"{error}{hint}") from None
