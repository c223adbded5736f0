"""A sentence bound to a call: to its program where the sentence names that, else to its action, else to its tool."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from casebook.case import Effect
from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.render import render
from casebook.conditions.tree import Field, Node, Pattern, Test
from casebook.policy import Policy
from casebook.runtime.facts.programs import WRAPPERS
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import anchor_of
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.learning.identifying import is_identifying
from casebook.runtime.session.events import facts_of_call
from casebook.runtime.teaching.binding import HOW, Bound, as_word, one_of, shell_sample
from casebook.runtime.teaching.clauses import without_instead
from casebook.runtime.teaching.excepting import keeping_out
from casebook.runtime.teaching.flags_said import by_another_name, lacking
from casebook.runtime.teaching.in_command import named_last
from casebook.runtime.teaching.names import Known, Names, names_in, said_words, says
from casebook.runtime.teaching.needing import places_in, unsaid_of_need
from casebook.runtime.teaching.operands import operands_in, programs_node, started, word_nodes
from casebook.runtime.teaching.subjects import Spoken, beside, subjects_of, topical
from casebook.runtime.teaching.unsaid import commands_of, unsaid_in
from casebook.runtime.teaching.whole_call import COMMANDS, called, tokens_of, whole_call

MOST_WORDS: Final = 2
"""Words of a call that narrow a case at most: each more makes it deaf to the same mistake said otherwise (ours)."""
_POINTS: Final = re.compile(
    r"\b(?:(?:do|doing|run|running|try|make|call|use|write|send|execute)\s+)?(?:this|that|it|so|there|these|those|again|like\s+(?:this|that))\b(?:\s+(?:commands?|calls?)\b)?"
    r"|(?:再|做|干|来|弄|搞|执行|运行|用|去)*(?:这样|那样|这么|那么|这个|那个|这种|那种|一次|(?<![一-鿿])[这那它])(?:做|干|弄|搞|来|事|命令|调用)?",
    re.IGNORECASE,
)
"""Words that point to the call and name nothing of it: `that again`, `这样做`."""
_WORD_CHARS: Final = 3
_MODE_CHARS: Final = 4
"""A number that is longer is an id or an amount, and no mode such as `0777`."""
_SHOWN: Final = 140
"""A condition that is longer is told by its reason."""


def of_the_call(said: Spoken, policy: Policy, known: Known, call: EventRecord, effect: Effect) -> Bound:
    """Bind to a call, and tell what no condition says; to nothing where the conditions do not hold of that very call.

    Args:
        said: the sentence.
        policy: for its tools and intents.
        known: what is known by name.
        call: the call.
        effect: what the case is to do: what forbids `that` for good, and is to refuse it, is about that call as it was.
    """
    subjects = tuple(
        each for one in subjects_of(said.parts) for each in (one, *(topical(one) if one.flags_only else ()))
    )
    subject = next((each for each in subjects if _names_command(each.text, policy, known)), None)
    forbidden = next((each for each in subjects if each.part.kind == "forbidden"), None)
    about = subject or forbidden or next(iter(subjects), None)
    lacks = (*said.needs, *(about.lacks if about is not None else ()))
    clauses = tuple(each.text for each in subjects) if subjects else ((said.rest,) if said.needs else ())
    pointed = _POINTS.sub(" ", forbidden.text) if forbidden is not None and subject is None else None
    whole = (
        pointed is not None and not lacks and effect != "advise" and not unsaid_in(pointed, Names(), (), policy, known)
    )
    found = whole_call(call) if whole else of_call(said.rest, clauses, policy, known, call)
    if found.missing or not found.nodes:
        return found
    found = replace(
        found,
        nodes=(*found.nodes, *(lacking(each, found.nodes[:1]) for each in lacks)),
        why=(*found.why, *(f"the sentence speaks of calls without {each}" for each in lacks)),
        unsaid=tuple(filter(None, (by_another_name(each, found.nodes[:1]) for each in lacks))),
    )
    if about is not None:
        found, left = keeping_out(found, about.excepted, said.parts, policy, known)
        if found.missing:
            return found
        clause = about.text if pointed is None else pointed
        left = (
            *found.unsaid,
            unsaid_in(clause, names_in(clause, policy, known), found.nodes, policy, known),
            about.prefix,
            *about.left,
            *left,
        )
        found = replace(
            found,
            nodes=(*found.nodes, *about.times),
            why=(*found.why, *("the sentence says when" for _ in about.times)),
            unsaid=tuple(dict.fromkeys(each for each in (*left, *beside(about, said.parts)) if each)),
            forbidden=about.forbids,
        )
    elif said.needs:
        names = names_in(said.rest, policy, known)
        found = replace(found, unsaid=(*found.unsaid, *unsaid_of_need(said.rest, names, found.nodes, policy, known)))
    else:
        found = replace(found, unsaid=(*found.unsaid, *places_in(said.rest)))
    reading = Reading(facts_of_call(call, ()))
    untrue = [
        shown if len(shown := render(node, policy.language)) <= _SHOWN else why
        for node, why in zip(found.nodes, found.why, strict=True)
        if not holds(node, reading, policy.timezone)
    ]
    if untrue:
        return Bound(
            missing=f"{called(call)} is the call that it is about, and of that it is not true that {untrue[0]}: leave out --last, or name what such calls have in common with --action, --command"
        )
    return found


def _names_command(text: str, policy: Policy, known: Known) -> bool:
    names = names_in(text, policy, known)
    return bool(names.actions or names.programs)


def of_call(text: str, clauses: Sequence[str], policy: Policy, known: Known, call: EventRecord) -> Bound:
    """Bind to a call: its program where the sentence names that, else its action, else its tool; narrowed by words that both have."""
    said = next(
        (names for each in clauses if (names := names_in(each, policy, known)) and (names.actions or names.programs)),
        Names(),
    )
    if call.tool is None:
        intents = words_of(call.body, "intent")
        if not intents:
            return Bound(missing=f"what failed last is no call, and has no intent: {HOW}")
        return Bound((one_of("intent", intents[:1]),), ("the intent of what failed",), sample={"intent": intents[0]})
    anchor = anchor_of([call])
    actions, programs = words_of(call.body, "action"), words_of(call.body, "program")
    if through := _started(said, call):
        why = f"the sentence names {', '.join(through)}, which the call ran"
        return Bound((programs_node(through),), (why,), sample=shell_sample(f"{through[0]} true"))
    if said and not ({*said.actions} & {*actions} or {*said.programs} & {*programs} or _of_program(said, programs)):
        told = ", ".join(said.actions or said.programs)
        return Bound(
            missing=f"the last call that failed or was not allowed is {called(call)}, and the sentence is about {told}: leave out --last, or name the command with --action"
        )
    both = tuple(each for each in said.programs if each in programs)
    if both:
        node, why = one_of("program", both), f"the sentence names {', '.join(both)}, which the call ran"
    elif found := tuple(each for each in said.actions if each in actions):
        node, why = one_of("action", found), f"the sentence names {', '.join(found)}, which the call ran"
    else:
        node, why = anchor.node(), "the call's own"
    nodes, reasons = [node], [why]
    for each, reason in _narrowing(text, clauses, policy, known, call, commands=commands_of(node)):
        nodes.append(each)
        reasons.append(reason)
    return Bound(tuple(nodes), tuple(reasons), sample=_sample_of(call, nodes))


def _started(said: Names, call: EventRecord) -> tuple[str, ...]:
    """Give the programs of a sentence that only start others, where the call's command line has them at a command's place."""
    args = call.body.get("args")
    command = args.get("command") if isinstance(args, Mapping) else None
    if said.actions or not isinstance(command, str):
        return ()
    through = [each for each in said.programs if each in WRAPPERS]
    return tuple(each for each in through if re.search(started(each).source, command))


def _of_program(said: Names, programs: Sequence[str]) -> bool:
    """Say whether a sentence is about another action of a program that the call ran: it is about that action, then."""
    return any(each.partition(" ")[0] in programs for each in said.actions)


def _narrowing(
    text: str, clauses: Sequence[str], policy: Policy, known: Known, call: EventRecord, *, commands: Sequence[str]
) -> list[tuple[Node, str]]:
    """Give conditions on what the sentence names of the call's arguments; of words beside one of some commands."""
    args = call.body.get("args")
    about = " ".join(clauses) or without_instead(text)
    found: list[tuple[Node, str]] = []
    if not isinstance(args, Mapping):
        return found
    if call.tool == "shell":
        name = next((each for each in COMMANDS if isinstance(args.get(each), str)), None)
        if name is None:
            return found
        names = names_in(about, policy, known)
        where = Field(("args", name))
        found += [(Test(where, "matches", Pattern(each)), says(each)) for each in names.patterns]
        own = {
            *words_of(call.body, "program"),
            *(word for each in words_of(call.body, "action") for word in each.split()),
        }
        placed = operands_in(about, commands)  # said as the command line has them: `chmod 777`
        tokens = [
            each
            for each in tokens_of(args[name])
            if each not in own
            and (
                (each in placed and (len(each) <= _MODE_CHARS or not is_identifying(each)))
                or (len(each) >= _WORD_CHARS and (each.startswith("-") or not is_identifying(each)))
            )
        ]
        told = [each for each in names.words if each.startswith("-")] or list(said_words(about, tokens))
        if names.patterns:  # they say what the flags say
            told = [each for each in told if not each.startswith("-") or each in names.words]
        found += [
            (node, f"the sentence names {each}, and the call has it")
            for each in told
            for node in (word_nodes(commands, each, where) if commands else [Test(where, "matches", as_word(each))])
        ]
        return found[: MOST_WORDS + len(names.patterns)]
    for path in words_of(call.body, "path"):
        base = path.rsplit("/", 1)[-1]
        if "." in base and said_words(text, [base, path]):
            found.append(
                (Test(Field(("path",)), "matches", named_last(base)), "the sentence names it, and the call has it")
            )
            return found
    for key, value in args.items():
        if (
            isinstance(value, str)
            and len(value) >= _WORD_CHARS
            and not is_identifying(value)
            and said_words(about, [value])
        ):
            found.append((Test(Field(("args", key)), "is", value), "the sentence names it, and the call has it"))
    return found[:MOST_WORDS]


def _sample_of(call: EventRecord, nodes: Sequence[Node]) -> dict[str, Any]:
    """Give a task made of what conditions name of a call, and of nothing else of it."""
    first = nodes[0]
    if call.tool == "shell" and isinstance(first, Test) and first.field.root in ("action", "program"):
        name = first.value[0] if isinstance(first.value, tuple) else first.value
        args = call.body.get("args")
        where = next(
            (each for each in COMMANDS if isinstance(args, Mapping) and isinstance(args.get(each), str)), "command"
        )
        tokens = tokens_of(args[where]) if isinstance(args, Mapping) and isinstance(args.get(where), str) else []
        rest = [
            token
            for each in nodes[1:]
            if isinstance(each, Test) and isinstance(each.value, Pattern)
            for token in tokens
            if re.search(each.value.source, f"{name} {token}")
        ]
        return {"tool": "shell", "args": {where: " ".join([str(name), *dict.fromkeys(rest)])}}
    task: dict[str, Any] = {"tool": call.tool}
    for each in nodes[1:]:
        if isinstance(each, Test) and each.field.root == "path":
            task["args"] = {"path": next(path.rsplit("/", 1)[-1] for path in words_of(call.body, "path"))}
        elif isinstance(each, Test) and each.field.root == "args":
            task.setdefault("args", {})[str(each.field.path[1])] = each.value
    return task
