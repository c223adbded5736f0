"""`casebook after-task`: what became of a task, recorded, for a program that tells it: JSON in, JSON out."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.again import report_again
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, opened, roots, untrusted_here
from casebook.adapters.cli.source import STDIN, read_json, shown_name
from casebook.adapters.cli.task_input import TASK_OPTIONS, task_arguments, task_of, value_of
from casebook.limits import TASK_BYTES

if TYPE_CHECKING:
    from casebook.outcome import Outcome
    from casebook.runtime.runtime import Runtime
    from casebook.task import Task

EPILOG = """\
An outcome is a JSON object: kind (error, success, feedback, correction, compacted, ended), and what belongs to it of type,
message, tool, args, correction, correction_by, text, signature, turn, at, id. Beside these it may hold the activation, or
the task, that it answers. The third report of the same error makes a case; the same report again counts once, unless it has
an --id of its own, or says --again. With --again an error of a call that a hook has told of in the last ten minutes counts once.

prints {"id", "new", "tier", "signature", "occurrences", "case", "made", "draft", "changed", "ask", "warnings"}; the warnings on stderr as well.

examples:
  echo '{"kind": "error", "type": "HTTP 402", "message": "…", "activation": "0198…"}' | casebook after-task --outcome -
  casebook after-task --error KeyError --message "'sku'" --tool stock --arg item=42 --session s1
  casebook after-task --success --activation 0198c1e2-7b3a-7c4d-8e5f-000000000000
  casebook after-task --feedback "too chatty" --user ann
  casebook after-task --correction-of "name the warehouse as well" --by person --tool stock --session s1"""

_WORDS = ("feedback", "correction_of")
_OF_OUTCOME = ("tool", "args", "at")
"""What a call and its outcome have in common."""


def arguments(parser: Parser) -> None:
    """Add the options of the outcome, and those of the task."""
    group = parser.add_argument_group("the outcome")
    group.add_argument(
        "--outcome", metavar="FILE", help="it as JSON; - reads it from stdin; options go over its fields"
    )
    group.add_argument("--error", metavar="TYPE", help="it failed: the exception's class, a code, an HTTP status")
    group.add_argument("--message", metavar="TEXT", help="of the error, as it was seen")
    group.add_argument("--correction", metavar="TEXT", help="what to do instead, said with an error")
    group.add_argument("--success", action="store_true", help="it succeeded")
    group.add_argument("--feedback", metavar="TEXT", help="what a user said of it")
    group.add_argument("--correction-of", metavar="TEXT", help="what works instead of what failed before")
    group.add_argument("--compacted", action="store_true", help="the host has cut the session's transcript")
    group.add_argument("--ended", action="store_true", help="the session is over")
    group.add_argument(
        "--by", metavar="WHO", choices=("person", "agent"), help="who said the correction: person or agent (agent)"
    )
    group.add_argument("--id", metavar="ID", help="of the report: the same id again is the same report")
    group.add_argument(
        "--again", action="store_true", help="it has happened anew, though the report is the same as another; see below"
    )
    group.add_argument("--turn", metavar="ID", help="of its turn, where an error counts once a turn")
    group.add_argument(
        "--activation", metavar="ID", help="what it answers, as before-task printed it; instead of a task"
    )
    task_arguments(parser)


def run(options: Namespace) -> int:
    """Record and print the receipt; done whatever the outcome was."""
    form, about = _form(options)
    _refuse_two_inputs(options)
    if options.again and (options.id is not None or form.get("id") is not None):
        raise UsageError("expected --again or an id, got both: a report with an id is known by it")
    outcome, asked = _outcome(form, options), _asked(options, about)
    with opened(options, patient=True) as runtime:
        unknown = _unknown(runtime, asked) if outcome.kind == "ended" else ()
        if options.again:
            receipt = report_again(runtime, asked, outcome, clock_of(options, roots(options))())
        else:
            receipt = runtime.after_task(asked, outcome)
        for each in untrusted_here(options):
            receipt = receipt.warned(each)
        told = receipt.to_json() | (_remembered(runtime, asked) if outcome.kind == "ended" else {})
    output.warned((*receipt.warnings, *unknown), told=() if asked is None or isinstance(asked, str) else asked.warnings)
    output.data(told)
    return 0


def _unknown(runtime: Runtime, asked: str | Task | None) -> tuple[str, ...]:
    """Give a warning where nothing is known of a session that ends, or none is named."""
    if isinstance(asked, str):
        return ()
    if asked is None or not asked.session:
        return ("no session was named: none ends; `--session ID` names it, `--user NAME` whose it is",)
    return runtime.recollection.unknown(*_of(asked))


def _remembered(runtime: Runtime, asked: str | Task | None) -> dict[str, Any]:
    """Give what was remembered in a session that has ended, for a person to confirm; nothing where none was named."""
    if asked is None or isinstance(asked, str) or not asked.session:
        return {}
    ended = runtime.recollection.end(*_of(asked))
    return {
        "remembered": [
            {
                "id": each.memory.id, "kind": each.memory.kind, "tier": each.memory.tier, "text": each.memory.text,
                "path": each.path,
            }
            for each in ended.remembered
        ]
    }  # fmt: skip


def _of(asked: Task) -> tuple[str, str | None]:
    """Give the session and the user of a task as they are kept."""
    from casebook.runtime.memory_arguments import name_of, needed_session

    return needed_session("session", asked.session), name_of("user", asked.user)


def _form(options: Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the outcome's fields, and apart from them what it answers: `activation` and `task` of its file."""
    form: dict[str, Any] = {}
    if options.outcome is not None:
        value, warnings = read_json(options.outcome, TASK_BYTES * 2, "outcome", infinite=True)
        if not isinstance(value, dict):
            from casebook.problems import shown

            raise UsageError(f"{shown_name(options.outcome)}: expected an outcome as a JSON object, got {shown(value)}")
        output.several(f"warning: {each}" for each in warnings)
        form = dict(value)
    about = {name: form.pop(name) for name in ("activation", "task") if form.get(name) is not None}
    kinds = _kinds(options)
    if len(kinds) > 1:
        raise UsageError(f"expected one kind of outcome, got --{' and --'.join(kinds)}".replace("_", "-"))
    for kind in kinds:
        form["kind"] = {"message": "error", "correction_of": "correction"}.get(kind, kind)
    for option, name in (
        ("error", "type"), ("message", "message"), ("correction", "correction"), ("feedback", "text"),
        ("correction_of", "text"), ("by", "correction_by"), ("id", "id"), ("turn", "turn"), ("tool", "tool"), ("at", "at"),
    ):  # fmt: skip
        value = getattr(options, option)
        if value is not None:
            form[name] = value
    if options.arg:
        form["args"] = {**(form.get("args") or {}), **{key: value_of(text) for key, text in options.arg}}
    return form, about


def _kinds(options: Namespace) -> list[str]:
    """Give the options that say what kind of outcome it is; a message alone is an error's."""
    told = [name for name in ("error", *_WORDS) if getattr(options, name) is not None]
    told += [name for name in ("success", "compacted", "ended") if getattr(options, name)]
    if options.message is not None and "error" not in told:
        told.append("message")
    return told


def _refuse_two_inputs(options: Namespace) -> None:
    if options.outcome == STDIN and options.task == STDIN:
        raise UsageError("expected stdin once, got --outcome - and --task -")


def _outcome(form: dict[str, Any], options: Namespace) -> Outcome:
    """Give the outcome. Raises UsageError."""
    if "kind" not in form and options.outcome is None:
        raise UsageError(
            "expected an outcome: --outcome FILE, --outcome - for stdin, or --error, --success, --feedback, --correction-of, --compacted, "
            "--ended"
        )
    if form.get("kind") != "error":
        for name in ("message", "correction"):
            if form.get(name) is not None and getattr(options, name) is not None:
                raise UsageError(f"--{name}: expected an error, got the outcome {form.get('kind')}")
    from casebook.faults import TaskError
    from casebook.outcome import Outcome, OutcomeError

    try:
        outcome = Outcome.from_json(form)
    except (OutcomeError, TaskError) as error:
        source = f"{shown_name(options.outcome)}: " if options.outcome else ""
        raise UsageError(f"{source}{error}") from None
    if outcome.kind in ("feedback", "correction") and not (outcome.text or outcome.correction or "").strip():
        source = f"{shown_name(options.outcome)}: " if options.outcome else ""
        raise UsageError(f"{source}expected the words of the {outcome.kind}, got nothing")
    return outcome


def _asked(options: Namespace, about: dict[str, Any]) -> str | Task | None:
    """Give what the outcome answers: the id of an activation, a task, or nothing. Raises UsageError, TaskError."""
    named = [f"--{name}" for name in TASK_OPTIONS if name not in _OF_OUTCOME and getattr(options, name) is not None]
    activation = options.activation if options.activation is not None else about.get("activation")
    if activation is not None:
        if named or options.task is not None:
            raise UsageError(
                f"expected an activation or a task, got both ({', '.join(named) or '--task'}): the activation has its task"
            )
        if not isinstance(activation, str):
            raise UsageError(f"{shown_name(options.outcome)}: activation: expected the id that before-task printed")
        return activation
    if "task" in about and options.task is None:
        from casebook.task import Task

        return Task.from_json(about["task"])
    if named or options.task is not None or options.tool is not None or options.arg:
        return task_of(options)
    return None
