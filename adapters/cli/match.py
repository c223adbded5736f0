"""`casebook match`: the answer to a task, without a trace of having asked."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser
from casebook.adapters.cli.place import opened, untrusted_here
from casebook.adapters.cli.task_input import task_arguments, task_of

if TYPE_CHECKING:
    from casebook.case import Mode
    from casebook.runtime.answer.activation import Activation

EPILOG = """\
examples:
  casebook match --task task.json
  casebook match --text "push the promotion to everybody" --now 2026-03-21T03:00
  casebook match --tool shell --arg command="git push --force" --json"""


def arguments(parser: Parser) -> None:
    """Add the options of the task."""
    task_arguments(parser)


def run(options: Namespace) -> int:
    """Answer and print; done whatever the verdict is."""
    from casebook.adapters.cli.scoped import scoped_words

    task = task_of(options)
    with opened(options, patient=True) as runtime:
        answer, mode, zone = runtime.match(task), runtime.policy().mode, runtime.policy().timezone
        scoped = "" if options.json else scoped_words(runtime, task, tuple(case.id for case in answer.cases))
    if options.json:
        output.data(answer.to_json())
    else:
        _print(answer)
        if not answer.cases and not answer.omitted:
            _say_why_none(answer, mode, zone)
        if scoped:
            output.words(scoped)
    output.warned((*untrusted_here(options), *answer.warnings), told=task.warnings)
    if answer.quarantined and not options.json:
        output.words(f"{output.counted(len(answer.quarantined), 'fault')} in the casebook; the rest serves:")
        output.several((f"  {fault}" for fault in answer.quarantined), "`casebook check` tells all")
    return 0


def _print(answer: Activation) -> None:
    """Print an answer for people."""
    output.line(f"verdict: {answer.verdict}")
    if answer.cases:
        output.line(
            "matched: " + ", ".join(f"{case.id} ({case.effect}, priority {case.priority})" for case in answer.cases)
        )
    if answer.omitted:
        output.line(f"omitted: {output.named(answer.omitted)}")
    if answer.prompt:
        output.line()
        output.line(answer.prompt.rstrip("\n"))


def _say_why_none(answer: Activation, mode: Mode, zone: str) -> None:
    """Say that nothing was injected: for the mode, for what holds back the cases that match, or since none applies."""
    if mode == "off":
        output.words("the mode is off: no case was looked at")
        return
    if answer.held:
        from casebook.runtime.answer.why import reason_words

        output.several(
            (f"held back: {name}: {reason_words(reason, 'en', zone)}" for name, reason in answer.held.items()),
            "`casebook explain` with the same task tells more",
        )
    elif mode == "shadow":
        output.words("the mode is shadow: no case matches, and none would be injected")
    else:
        output.words("no case applies; `casebook explain` with the same task says why")
