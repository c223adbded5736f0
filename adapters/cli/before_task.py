"""`casebook before-task`: the answer to a task, journaled, for a program that asks: JSON in, JSON out."""

from __future__ import annotations

from argparse import Namespace

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.place import opened, untrusted_here
from casebook.adapters.cli.task_input import task_arguments, task_of

EPILOG = """\
prints what `match --json` does, and the `activation`, by which `after-task` is told what became of it; warnings on stderr as well.

examples:
  echo '{"tool": "shell", "args": {"command": "git push"}, "session": "s1"}' | casebook before-task --task -
  casebook before-task --tool shell --arg command="git push" --session s1 --user ann
  casebook before-task --text "deploy the shop" --session s1 --persists"""


def arguments(parser: Parser) -> None:
    """Add the options of the task, and what the host does with the text."""
    task_arguments(parser)
    parser.add_argument(
        "--persists", action="store_true",
        help="the host keeps injected text in its transcript: advice is then given once a session",
    )  # fmt: skip


def run(options: Namespace) -> int:
    """Answer, journal and print; done whatever the verdict is."""
    task = task_of(options)
    with opened(options, patient=True) as runtime:
        answer = runtime.before_task(task, persists=options.persists)
    warnings = (*untrusted_here(options), *answer.warnings)
    output.warned(warnings, told=task.warnings)
    related = [each.to_json() for each in answer.related]
    output.data({"activation": answer.id, **answer.to_json(), "related": related, "warnings": list(warnings)})
    return 0
