"""`casebook teach`: a case from one sentence, perhaps about the last call that failed; shown, tried on the journal, asked about once."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument
from casebook.adapters.cli.asking import agreed
from casebook.adapters.cli.by_agent import as_agents, is_agents, put_to_review
from casebook.adapters.cli.desk import desk, doer_argument, journaled, taken_back
from casebook.faults import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from casebook.runtime.journal.records import EventRecord
    from casebook.runtime.review.review import Review
    from casebook.runtime.teaching.lesson import Lesson

EPILOG = """\
What the case comes up at is read off the sentence, and with --last off the call: the program or action that is named, else the
call's own. Where neither tells it nothing is guessed: it is said what is missing, and --action, --tool, --intent, --text or --command say it.
What the sentence says of when it applies and no condition does is told before the question; a case that is wider than its sentence
advises, and confirms or blocks only with --wide.
The sentence itself is the correction, and yours. It advises; --effect confirm asks a person before the call, --effect block
refuses it, and is taken of a sentence that forbids something (never …, 禁止…). What an agent teaches (--by agent:NAME) is a draft: it
is quoted as an agent's, advises, and waits in `casebook review`.

examples:
  casebook teach "use pnpm instead of npm"
  casebook teach "ask for the ticket number first" --last
  casebook teach "never force-push to main" --effect block
  casebook teach "以后推送前先确认免打扰时段"
  casebook teach "be brief" --text "release notes" --yes"""


_SHOWN = 120
"""Characters of a condition that are shown whole (ours); --json has all of it."""


def arguments(parser: Parser) -> None:
    """Add the sentence, what it is about, and for whom it is."""
    parser.add_argument("text", metavar="TEXT", help="one sentence: what to do instead, and when")
    group = parser.add_argument_group("what it is about")
    group.add_argument("--last", action="store_true", help="the last call that failed or was not allowed")
    group.add_argument("--session", metavar="ID", help="with --last: of this session")
    for name, told in (
        ("action", 'a command, such as "git push" or npm'),
        ("tool", "a tool, by its canonical or its host's own name"),
        ("intent", "an intent of the policy's table"),
        ("text", "words of the task"),
        ("command", "words of the command line, as they stand in it"),
    ):
        group.add_argument(
            f"--{name}", dest=f"of_{name}", metavar=name.upper(), action="append", help=f"{told}; may be repeated"
        )
    who = parser.add_argument_group("for whom")
    for name in ("user", "project", "team"):
        who.add_argument(f"--{name}", metavar=name.upper(), help=f"for this {name} alone (everyone)")
    parser.add_argument(
        "--effect", choices=("advise", "confirm", "block"), default="advise", help="what the case does (advise)"
    )
    parser.add_argument(
        "--wide",
        action="store_true",
        help="with --effect confirm or block: of all such calls, though no condition says all that the sentence does",
    )
    parser.add_argument("--yes", action="store_true", help="show it, and write it without asking")
    parser.add_argument("--dry-run", action="store_true", help="show it, and write nothing")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Show the case, ask, write it; 1 where the person said no."""
    with desk(options) as review:
        call = _call(options, review)
        lesson = _lesson(options, review, call)
        known = review.case(lesson.case.id)
        if not options.json:
            _show(lesson, call)
        if known is not None or options.dry_run:
            written = False
        else:
            nobody = "nothing was written, and nobody can be asked here: --yes writes it, --dry-run only shows it"
            written = options.yes or agreed("write this case?", nobody=nobody)
        if written:
            review.store.put(lesson.case)
        after = review.case(lesson.case.id)
    entry = journaled(options, "add", [(None, after)], because=options.text).get(lesson.case.id) if written else None
    if written and is_agents(options):
        put_to_review(options, [lesson.case.id])
    if options.json:
        output.data(_json(lesson, call, written=written, entry=entry))
    elif written:
        output.line(f"taught {lesson.case.id}{taken_back(entry)}")
        _show_what_next(lesson)
    elif known is not None:
        output.words(f"it is there already, {known.case.status}: {lesson.case.id}; nothing was written")
    else:
        output.words("nothing was written")
    return 0 if written or known is not None or options.dry_run else 1


def _show_what_next(lesson: Lesson) -> None:
    argument = as_argument(lesson.case.id)
    if lesson.case.status == "draft":
        output.words("it is an agent's: a draft, which fires once a person approves it (`casebook review`)")
    output.words(f"`casebook mute {argument}` silences it, `casebook edit {argument} FIELD=VALUE` changes it")
    if lesson.case.effect != "advise":
        output.words(f"in the hosts that find this casebook it advises until `casebook approve {argument}`")


def _call(options: Namespace, review: Review) -> EventRecord | None:
    if not options.last:
        if options.session:
            raise UsageError("teach: --session says nothing without --last")
        return None
    from casebook.runtime.teaching.last_call import last_failed

    call = last_failed(review.journal, user=options.user, session=options.session, project=options.project)
    if call is None:
        whose = "".join(
            f" of the {name} {value}" for name in ("user", "project", "session") if (value := getattr(options, name))
        )
        raise UsageError(f"teach: --last: the journal has no call{whose} that failed or was not allowed")
    return call


def _lesson(options: Namespace, review: Review, call: EventRecord | None) -> Lesson:
    """Make the case. Raises UsageError where nothing anchors it, with what is missing."""
    from casebook.runtime.facts.tools import canonical_tool, shipped
    from casebook.runtime.teaching.anchoring import bound
    from casebook.runtime.teaching.binding import Wanted
    from casebook.runtime.teaching.lesson import UntaughtError, lesson_of
    from casebook.runtime.teaching.names import RECENT, known_of
    from casebook.scope import Scope

    policy = review.store.snapshot().policy
    tools = tuple(canonical_tool(each, policy.tools) for each in options.of_tool or ())
    _refuse_empty(options)
    wanted = Wanted(
        tuple(options.of_action or ()),
        tools,
        tuple(options.of_intent or ()),
        tuple(options.of_text or ()),
        tuple(options.of_command or ()),
    )
    known = known_of(review.journal.events(kinds=("tool",), limit=RECENT))
    _tell_unknown(tools, {*shipped().values(), *policy.tools.values(), *known.tools})
    found = bound(options.text, policy, known, call=call, wanted=wanted, effect=options.effect)
    scope = Scope(**{name: value for name in ("user", "project", "team") if (value := getattr(options, name))})
    try:
        lesson = lesson_of(
            options.text,
            found,
            policy,
            review.journal,
            review.clock(),
            call=call,
            effect=options.effect,
            scope=scope,
            wide=options.wide,
        )
    except UntaughtError as error:
        raise UsageError(f"teach: {error}") from None
    return replace(lesson, case=as_agents(lesson.case, "teach")) if is_agents(options) else lesson


def _refuse_empty(options: Namespace) -> None:
    for name in ("action", "tool", "intent", "text", "command"):
        if any(not each.strip() for each in getattr(options, f"of_{name}") or ()):
            raise UsageError(f"teach: --{name}: expected at least a word, got nothing")


def _tell_unknown(tools: Sequence[str], known: Collection[str]) -> None:
    """Tell of tools that no table and no recorded call has: they may come yet, or be a slip."""
    for each in tools:
        if each not in known:
            near = nearest(each, known)
            hint = f"did you mean {near}?" if near else "it comes up once a host has a tool of that name"
            output.words(output.flat(f"warning: no recorded call and no table has a tool {each}; {hint}"))


def _show(lesson: Lesson, call: EventRecord | None) -> None:
    from casebook.runtime.teaching.whole_call import called

    case = lesson.case
    if call is not None:
        output.line(output.flat(f"about       {case.situation or called(call)}"))
    for number, (condition, why) in enumerate(zip(case.trigger_conditions, lesson.why, strict=True)):
        output.line(output.flat(f"{'when' if number == 0 else 'and':<12}{_short(_text(condition))}  ({why})"))
    for each in lesson.unsaid:
        output.line(output.flat(f"not in the conditions: {each}"))
    whose = "" if case.correction_by == "person" else f"  (quoted as {case.correction_by}'s)"
    output.line(output.flat(f"correction  {case.correction}{whose}"))
    whom = " ".join(f"{key}={name}" for key, name in case.scope.named.items())
    output.line(output.flat(f"effect      {case.effect}" + (f", for {whom}" if whom else "")))
    output.line(f"backtest    {figures_words(lesson)}")
    for fault in lesson.warnings:
        cure = f" ({fault.suggestion})" if fault.suggestion else ""
        output.words(output.flat(f"warning: {fault.message}{cure}"))
    if lesson.is_frequent:
        output.words("it would come up often: a narrower one is heard better (--action, --tool, --text name more)")
    if case.effect == "advise" and lesson.forbids and not lesson.unsaid and case.correction_by == "person":
        output.words(
            "the sentence forbids something: with --effect block the call is refused, with --effect confirm a person is asked"
        )


def figures_words(lesson: Lesson) -> str:
    """Give the backtest in words."""
    figures = lesson.figures
    if not lesson.calls:
        return "no call is recorded yet"
    calls = output.counted(lesson.calls, "recorded call")
    return f"{figures.matching:,} of {calls} would have been warned, {figures.failing:,} of them failed"


def _short(condition: str) -> str:
    """Give a condition as it is shown: a long pattern not at all, for what it asks stands beside it."""
    field, told, _ = condition.partition(" matches /")
    return condition if len(condition) <= _SHOWN or not told else f"{field}{told}…/"


def _text(condition: Any) -> str:
    if isinstance(condition, str):
        return condition
    import json

    return json.dumps(condition, ensure_ascii=False)


def _json(lesson: Lesson, call: EventRecord | None, *, written: bool, entry: int | None) -> dict[str, Any]:
    return {
        "case": lesson.case.to_json(), "why": list(lesson.why), "not_in_conditions": list(lesson.unsaid),
        "warnings": [each.message for each in lesson.warnings], "calls": lesson.calls, "figures": lesson.figures.to_json(),
        "about": call.id if call is not None else None, "written": written, "entry": entry,
    }  # fmt: skip
