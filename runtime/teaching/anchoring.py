"""From a sentence, and perhaps a call, to conditions: what anchors them, what narrows them, and what is missing where nothing does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.tree import And, Field, Node, Not, Pattern, Test
from casebook.faults import TaskError
from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.facts.programs import WRAPPERS
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching.binding import HOW, Bound, Wanted, one_of, shell_sample
from casebook.runtime.teaching.clauses import (
    exceptions,
    instead_in,
    opened,
    says_never,
    trigger_clauses,
    when_clauses,
    without_instead,
)
from casebook.runtime.teaching.names import FORCED, RECURSIVE, UNASKED, Known, Names, known_of, names_in, program_named
from casebook.runtime.teaching.of_call import of_call
from casebook.runtime.teaching.operands import operands_in, programs_node, word_patterns
from casebook.runtime.teaching.unsaid import unsaid_in
from casebook.task import Task

_ANY_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""What the conditions that are read off a sentence say has no time."""


def bound(
    text: str, policy: Policy, known: Known, *, call: EventRecord | None = None, wanted: Wanted | None = None
) -> Bound:
    """Bind a sentence to what it is about.

    Args:
        text: the person's words.
        policy: for its tools and intents.
        known: what recorded calls name.
        call: the call that it is about; None where the sentence alone tells.
        wanted: conditions that the person names outright.

    Returns:
        Its conditions. Deterministic: where the sentence names several things and does not say which it is about, or nothing
        at all, there are none, and it is said what is missing.
    """
    if wanted:
        return _named(wanted)
    clauses = trigger_clauses(text)
    if call is not None:
        return _of_call(text, clauses, policy, known | known_of([call]), call)
    for clause in clauses:
        if names := names_in(clause, policy, known):
            if same := _same_as_instead(clause, names, text):
                return Bound(missing=f"{same} is one program here, by whichever name: {HOW}")
            names = _with_operands(clause, names, bare=clause not in when_clauses(text))
            found = _of_names(names, f"the sentence says it: {_shown(clause)}", text, policy, known)
            return _without_what_to_use(
                text, _telling(text, found, unsaid_in(clause, names, found.nodes, policy, known), clause), policy, known
            )
    if clauses:
        return Bound(
            missing=f"the sentence is about “{_shown(clauses[0])}”, which names no command, tool or intent that is known: {HOW}"
        )
    rest = without_instead(text)
    names = names_in(rest, policy, known)
    if not names:
        return Bound(missing=_nothing(names_in(opened(text), policy, known)))
    several = names.actions or names.programs or names.tools or names.intents
    if len(several) > 1:
        return Bound(missing=f"the sentence names {', '.join(several)}, and not which of them it is about: {HOW}")
    if not says_never(text):  # most of it is what is to be done
        return _of_names(names, "the sentence names it", text, policy, known)
    names = _with_operands(rest, names, bare=False)
    found = _of_names(names, "the sentence names it", text, policy, known)
    return _telling(text, found, unsaid_in(rest, names, found.nodes, policy, known), rest)


def _with_operands(clause: str, names: Names, *, bare: bool) -> Names:
    """Give what a clause names, with the words that it says the command line holds."""
    commands = names.actions or names.programs
    more = [each for each in operands_in(clause, commands, bare=bare) if each not in names.files] if commands else []
    return replace(names, words=tuple(dict.fromkeys((*names.words, *more))))


def _telling(text: str, found: Bound, unsaid: str, clause: str) -> Bound:
    """Add what the sentence says of when it applies and no condition does: of its clause, and beside it."""
    left = [unsaid]
    left += [each for each in (*when_clauses(text), *exceptions(text)) if each not in clause and clause not in each]
    return replace(found, unsaid=tuple(dict.fromkeys(each for each in left if each)))


def _of_call(text: str, clauses: Sequence[str], policy: Policy, known: Known, call: EventRecord) -> Bound:
    """Bind to a call, and tell what it does not say: of the first clause that names a command."""
    found = of_call(text, clauses, policy, known, call)
    for clause in clauses if found.nodes else ():
        if names := names_in(clause, policy, known):
            return _telling(text, found, unsaid_in(clause, names, found.nodes, policy, known), clause)
    return found


def _without_what_to_use(text: str, found: Bound, policy: Policy, known: Known) -> Bound:
    """Keep conditions from what the sentence says to use: `use npm ci, not npm` comes up at no `npm ci`."""
    instead = instead_in(text)
    names = names_in(instead, policy, known)
    if not found.nodes or not (names.actions or names.programs):
        return found
    own = _of_names(_with_operands(instead, names, bare=False), "", text, policy, known)
    if not own.sample or not _holds_of(found.nodes, own.sample, policy):
        return found
    if own.nodes == found.nodes:
        return Bound(missing=f"what the sentence says to use is what it is about, as far as it names commands: {HOW}")
    narrower: Node = own.nodes[0] if len(own.nodes) == 1 else And(own.nodes)
    return replace(
        found,
        nodes=(*found.nodes, Not(narrower)),
        why=(*found.why, f"that is what is to be used: {_shown(instead.strip())}"),
    )


def _holds_of(nodes: Sequence[Node], task: Mapping[str, Any], policy: Policy) -> bool:
    try:
        reading = Reading(extract(Task.from_json(task), policy, _ANY_TIME))
    except (TaskError, TypeError):
        return False
    return all(holds(each, reading, policy.timezone) for each in nodes)


def _same_as_instead(clause: str, names: Names, text: str) -> str:
    """Give the program that is to be used and not to be used, by two of its names: `python3, not python`."""
    own = [word.strip(",.;:!，。；`") for word in clause.split()]
    others = {program_named(bare) for word in text.split() if (bare := word.strip(",.;:!，。；`")) not in own}
    return next((each for each in names.programs if not names.actions and each in others), "")


def _nothing(instead: Names) -> str:
    told = next(filter(None, (instead.actions, instead.programs, instead.tools)), ())
    says = (
        f"the sentence says to use {', '.join(told)}, and not where"
        if told
        else "the sentence names no command, tool or intent that is known"
    )
    return f"{says}: {HOW}"


def _named(wanted: Wanted) -> Bound:
    nodes: list[Node] = []
    actions = tuple(each for each in wanted.actions if " " in each)
    programs = tuple(each for each in wanted.actions if " " not in each)
    sample: dict[str, Any] = {}
    if wanted.actions:
        field_name, names = ("action", wanted.actions) if actions else ("program", programs)
        nodes.append(one_of(field_name, names) if actions else programs_node(programs))
        sample = shell_sample(f"{names[0]} true" if names[0] in WRAPPERS else names[0])
    if wanted.tools:
        nodes.append(one_of("tool", wanted.tools))
        sample.setdefault("tool", wanted.tools[0])
    if wanted.intents:
        nodes.append(one_of("intent", wanted.intents))
        sample["intent"] = wanted.intents[0]
    nodes += [Test(Field(("text",)), "contains", each) for each in wanted.text]
    nodes += [Test(Field(("args", "command")), "contains", each) for each in wanted.command]
    if wanted.command:
        begun = sample.get("args", {}).get("command", "")
        sample.update(shell_sample(" ".join([*filter(None, [begun]), *wanted.command])))
    if wanted.text:
        sample["text"] = " ".join(wanted.text)
    return Bound(tuple(nodes), ("named outright",) * len(nodes), sample=sample)


def _of_names(names: Names, why: str, text: str, policy: Policy, known: Known) -> Bound:
    """Bind to what a sentence names."""
    reasons = [why]
    if names.together:
        every = tuple(one_of("action", (each,)) for each in names.together)
        return Bound(every, (why,) * len(every))
    if names.actions or names.programs:
        nodes: list[Node] = [one_of("action", names.actions) if names.actions else programs_node(names.programs)]
        command = (names.actions or names.programs)[0]
        holding = [Pattern(each) for each in names.patterns]
        holding += [each for word in names.words for each in word_patterns(command, word)]
        nodes += [Test(Field(("args", "command")), "matches", each) for each in dict.fromkeys(holding)]
        nodes += [Test(Field(("path",)), "ends_with", each) for each in names.files[:1]]
        reasons += ["the sentence says so"] * (len(nodes) - 1)
        return Bound(tuple(nodes), tuple(reasons), sample=shell_sample(_line(command, names)))
    if names.files:
        ends = names.files[0]
        nodes = [one_of("tool", ("edit", "write")), Test(Field(("path",)), "ends_with", ends)]
        return Bound(
            tuple(nodes),
            ("the sentence speaks of changing a file", "the sentence names it"),
            sample={"tool": "edit", "args": {"path": ends}},
        )
    if names.tools:
        files = [Test(Field(("path",)), "ends_with", each) for each in names_in(text, policy, known).files[:1]]
        return Bound(
            (one_of("tool", names.tools), *files),
            (why, *("the sentence names it" for _ in files)),
            sample={"tool": names.tools[0]},
        )
    return Bound((one_of("intent", names.intents),), (why,), sample={"intent": names.intents[0]})


def _line(command: str, names: Names) -> str:
    """Give a command line on which the conditions of what is named hold."""
    started = [
        each
        for each in ("sudo", "doas", "nohup", "xargs", "time")
        if any(f"{each}(\\s|$)" in pattern for pattern in names.patterns)
    ]
    flags = ["--force"] if FORCED in names.patterns else []
    flags += ["-rf" if UNASKED in names.patterns else "-r"] if RECURSIVE in names.patterns else []
    flags += ["--hard"] if any("--hard" in each for each in names.patterns) else []
    into = ["x | sh"] if any(each.startswith(r"\|") and "|sh|" in each for each in names.patterns) else []
    own = ["true"] if command in WRAPPERS else []
    return " ".join([*started, command, *flags, *own, *names.words, *names.files[:1], *into])


def _shown(clause: str) -> str:
    return clause if len(clause) <= 60 else f"{clause[:57]}…"
