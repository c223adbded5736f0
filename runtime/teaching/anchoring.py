"""From a sentence, and perhaps a call, to conditions: what anchors them, what narrows them, and what is missing where nothing does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from casebook.case import Effect
from casebook.conditions.tree import Field, Node, Pattern, Test
from casebook.limits import CORRECTION_CHARS
from casebook.policy import Policy
from casebook.runtime.facts.programs import WRAPPERS
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching.alternatives import alternatives_in, either_of
from casebook.runtime.teaching.binding import HOW, Bound, Wanted, one_of, shell_sample
from casebook.runtime.teaching.clauses import is_order, opened, without_instead
from casebook.runtime.teaching.excepting import keeping_out
from casebook.runtime.teaching.flags_said import by_another_name, lacking
from casebook.runtime.teaching.in_command import named_last
from casebook.runtime.teaching.mistyped import mistyped, same_as_instead
from casebook.runtime.teaching.names import (
    FORCED,
    RECURSIVE,
    UNASKED,
    Known,
    Names,
    known_of,
    names_in,
    says,
)
from casebook.runtime.teaching.needing import unsaid_of_need
from casebook.runtime.teaching.of_call import of_the_call
from casebook.runtime.teaching.operands import LINE, operands_in, programs_node, word_nodes
from casebook.runtime.teaching.said_times import is_time, times_in
from casebook.runtime.teaching.sentence import forbids, limit_in
from casebook.runtime.teaching.subjects import Spoken, Subject, beside, spoken, subjects_of, topical
from casebook.runtime.teaching.unsaid import unrelated, unsaid_in

_PLACE: Final = re.compile(r"(?:on|in|to|for|with|against|at|from|inside|under)\b|.*[\u4e00-\u9fff]", re.IGNORECASE)
"""What stands before a forbidding word and is no person: `on main`, `main 分支`."""

_PUSHED: Final = re.compile(r"推送|\bpush", re.IGNORECASE)
"""A verb of an intent of the shipped table, and of a command."""


def bound(
    text: str,
    policy: Policy,
    known: Known,
    *,
    call: EventRecord | None = None,
    wanted: Wanted | None = None,
    effect: Effect = "advise",
) -> Bound:
    """Bind a sentence to what it is about.

    Args:
        text: the person's words.
        policy: for its tools and intents.
        known: what recorded calls name.
        call: the call that it is about; None where the sentence alone tells.
        wanted: conditions that the person names outright.
        effect: what the case is to do: `never do that again` warns of all such calls, and refuses that one.

    Returns:
        Its conditions. Deterministic: where the sentence names several things and does not say which it is about, or nothing
        at all, or is longer than a correction may be, there are none, and it is said what is missing.
    """
    if len(text) > CORRECTION_CHARS:  # before any of it is read
        return Bound(missing=f"expected a sentence of at most {CORRECTION_CHARS:,} characters, got {len(text):,}")
    text = " ".join(text.split())
    if wanted:
        return replace(_named(wanted), forbidden=forbids(text))
    said = spoken(text)
    if call is not None:
        return of_the_call(said, policy, known | known_of([call]), call, effect)
    subjects = subjects_of(said.parts)
    for subject in (each for one in subjects for each in (one, *(topical(one) if one.flags_only else ()))):
        found = _of_subject(subject, said, policy, known)
        if found is not None:
            return found
    if subjects:
        return Bound(
            missing=f"the sentence is about “{_shown(subjects[0].text)}”, which names no command, tool or intent that is known: {HOW}"
        )
    return _of_the_rest(said, policy, known)


def _of_subject(subject: Subject, said: Spoken, policy: Policy, known: Known) -> Bound | None:
    """Bind to what a clause names, and tell what no condition says; None where it names nothing."""
    clause, left = subject.text, subject.left
    names = names_in(clause, policy, known)
    if not names:
        return None
    if same := same_as_instead(clause, names, said.text):
        return Bound(missing=f"{same} is one program here, by whichever name: {HOW}")
    if names.intents and _PUSHED.search(clause) and (typed := _typed_beside(subject, said, policy, known)):
        return Bound(
            missing=f"the sentence names {typed}, so that “{_shown(clause)}” may be a command, and not the intent {names.intents[0]}: {HOW}"
        )
    if (wrong := mistyped(clause, names)) is not None:
        return Bound(missing=f"no {wrong[0]} is known, the nearest is {wrong[1]}: {HOW}")
    if several := unrelated(clause, names):
        return Bound(missing=f"the sentence names {several}, and not what they are to each other: {HOW}")
    found, unsaid = _of_clause(clause, subject, said.text, policy, known)
    if subject.prefix:  # taken in where every word of it becomes a condition: `main 分支禁止强推`
        whole, more = _of_clause(f"{clause} {subject.prefix}", subject, said.text, policy, known)
        placed = (
            _PLACE.match(subject.prefix) or names_in(f"{clause} {subject.prefix}", policy, known).words != names.words
        )
        narrower = whole.nodes[:1] == found.nodes[:1] and whole.nodes != found.nodes
        if placed and more == unsaid and narrower:
            found = whole
        else:
            left = (subject.prefix, *left)
    found, kept = keeping_out(
        _lacking(found, (*subject.lacks, *said.needs)), subject.excepted, said.parts, policy, known
    )
    if found.missing:
        return found
    told = (unsaid, *found.unsaid, *left, *kept, *beside(subject, said.parts))
    return replace(
        found,
        nodes=(*found.nodes, *subject.times),
        why=(*found.why, *("the sentence says when" for _ in subject.times)),
        unsaid=tuple(dict.fromkeys(each for each in told if each)),
        forbidden=subject.forbids,
    )


def _of_clause(clause: str, subject: Subject, text: str, policy: Policy, known: Known) -> tuple[Bound, str]:
    """Bind to what a clause names; give the words of it that no condition says besides."""
    names = names_in(clause, policy, known)
    several, items = alternatives_in(clause, names.actions or names.programs)
    if several:
        every = [_of_clause(each, subject, text, policy, known) for each in several]
        if (one := either_of([each for each, _ in every])) is not None and len({unsaid for _, unsaid in every}) == 1:
            return replace(one, why=(f"the sentence says it: {_shown(clause)}", *one.why[1:])), every[0][1]
    names = _with_operands(clause, names, bare=subject.part.kind != "when")
    found = _of_names(names, f"the sentence says it: {_shown(clause)}", text, policy, known)
    unsaid = unsaid_in(clause, names, found.nodes, policy, known)
    asked = {each.strip("`") for each in items} & {*names.words}
    if len(asked) > 1:  # all of them are asked for, and one is enough for the sentence
        unsaid = " … ".join(filter(None, (unsaid, " / ".join(items))))
    return found, unsaid


def _typed_beside(subject: Subject, said: Spoken, policy: Policy, known: Known) -> str:
    """Give the commands that the other parts of a sentence name."""
    every = (names_in(each.what or each.text, policy, known) for each in said.parts if each is not subject.part)
    return ", ".join(dict.fromkeys(one for each in every for one in (*each.actions, *each.programs)))


def _lacking(found: Bound, flags: Sequence[str]) -> Bound:
    """Add that flags are missing, which only a command line can lack."""
    if not flags or not found.nodes:
        return found
    if found.sample.get("tool") != "shell":
        return Bound(missing=f"the sentence says that {', '.join(flags)} is missing, and not of which command: {HOW}")
    return replace(
        found,
        nodes=(*found.nodes, *(lacking(each, found.nodes[:1]) for each in flags)),
        why=(*found.why, *(f"the sentence speaks of calls without {each}" for each in flags)),
        unsaid=(*found.unsaid, *filter(None, (by_another_name(each, found.nodes[:1]) for each in flags))),
    )


def _of_the_rest(said: Spoken, policy: Policy, known: Known) -> Bound:
    """Bind a sentence that says nowhere what it is about to the one thing that it names, where that is not what is to be done."""
    needs, text = said.needs, said.text
    times, rest = times_in(said.rest)
    bare = without_instead(rest) if not needs else opened(rest)
    names = names_in(bare, policy, known)
    if not names:
        return Bound(missing=_nothing(names_in(opened(text), policy, known)))
    several = names.actions or names.programs or names.tools or names.intents
    if len(several) > 1 or (names.actions and names.programs):
        told = ", ".join((*names.actions, *names.programs) or several)
        return Bound(missing=f"the sentence names {told}, and not which of them it is about: {HOW}")
    if not needs and is_order(rest, lambda piece: bool(names_in(piece, policy, known))):
        return Bound(missing=_nothing(names))
    if needs:
        names = _with_operands(bare, names, bare=False)
    found = _lacking(_of_names(names, "the sentence names it", text, policy, known), needs)
    limit = limit_in(opened(rest))
    over = (*found.unsaid, *(unsaid_of_need(rest, names, found.nodes, policy, known) if needs else (limit,)))
    return replace(
        found,
        nodes=(*found.nodes, *times) if found.nodes else (),
        why=(*found.why, *("the sentence says when" for _ in times)) if found.nodes else (),
        unsaid=tuple(dict.fromkeys(each for each in over if each)) if found.nodes else (),
    )


def _with_operands(clause: str, names: Names, *, bare: bool) -> Names:
    """Give what a clause names, with the words that it says the command line holds."""
    commands = names.actions or names.programs
    more = [each for each in operands_in(clause, commands, bare=bare) if each not in names.files] if commands else []
    words = (each for each in (*names.words, *more) if not is_time(each, clause))
    return replace(names, words=tuple(dict.fromkeys(words)))


def _nothing(instead: Names) -> str:
    told = next(filter(None, (instead.actions, instead.programs, instead.tools, instead.intents)), ())
    says = (
        f"the sentence says to use {', '.join(told)}, and not where"
        if told and not instead.intents
        else f"the sentence says to do it ({', '.join(told)}), and not where"
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
    """Bind to what a sentence names; to nothing where it names nothing, as words put together may."""
    reasons = [why]
    if names.together:
        every = tuple(one_of("action", (each,)) for each in names.together)
        return Bound(every, (why,) * len(every))
    if names.actions or names.programs:
        nodes: list[Node] = [one_of("action", names.actions) if names.actions else programs_node(names.programs)]
        commands = names.actions or names.programs
        holding: dict[Node, str] = {Test(LINE, "matches", Pattern(each)): says(each) for each in names.patterns}
        for word in (*names.words, *names.files[:1]):
            for each in word_nodes(commands, word):
                holding.setdefault(each, f"{' or '.join(commands)} has {word}")
        nodes += holding
        reasons += holding.values()
        return Bound(tuple(nodes), tuple(reasons), sample=shell_sample(_line(commands[0], names)))
    if names.files:
        ends = names.files[0]
        nodes = [one_of("tool", ("edit", "write")), Test(Field(("path",)), "matches", named_last(ends))]
        return Bound(
            tuple(nodes),
            ("the sentence speaks of changing a file", "the sentence names it"),
            sample={"tool": "edit", "args": {"path": ends}},
        )
    if names.tools:
        files = [
            Test(Field(("path",)), "matches", named_last(each)) for each in names_in(text, policy, known).files[:1]
        ]
        return Bound(
            (one_of("tool", names.tools), *files),
            (why, *("the sentence names it" for _ in files)),
            sample={"tool": names.tools[0]},
        )
    if not names.intents:
        return Bound(missing=_nothing(names))
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
