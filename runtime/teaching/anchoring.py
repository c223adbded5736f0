"""From a sentence, and perhaps a call, to conditions: what anchors them, what narrows them, and what is missing where nothing does."""

from __future__ import annotations

from typing import Any

from casebook.conditions.tree import Field, Node, Pattern, Test
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching.binding import HOW, Bound, Wanted, as_word, one_of, shell_sample
from casebook.runtime.teaching.clauses import opened, trigger_clauses, without_instead
from casebook.runtime.teaching.names import RECURSIVE, Known, Names, known_of, names_in, program_named
from casebook.runtime.teaching.of_call import of_call


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
        return of_call(text, clauses, policy, known | known_of([call]), call)
    for clause in clauses:
        if names := names_in(clause, policy, known):
            if same := _same_as_instead(clause, names, text):
                return Bound(missing=f"{same} is one program here, by whichever name: {HOW}")
            return _of_names(names, f"the sentence says it: {_shown(clause)}", text, policy, known)
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
    return _of_names(names, "the sentence names it", text, policy, known)


def _same_as_instead(clause: str, names: Names, text: str) -> str:
    """Give the program that is to be used and not to be used, by two of its names: `python3, not python`."""
    own = clause.split()
    others = {program_named(word.strip(",.;，。；`")) for word in text.split() if word not in own}
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
        nodes.append(one_of(field_name, names))
        sample = shell_sample(names[0])
    if wanted.tools:
        nodes.append(one_of("tool", wanted.tools))
        sample.setdefault("tool", wanted.tools[0])
    if wanted.intents:
        nodes.append(one_of("intent", wanted.intents))
        sample["intent"] = wanted.intents[0]
    nodes += [Test(Field(("text",)), "contains", each) for each in wanted.text]
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
        nodes: list[Node] = [one_of("action", names.actions) if names.actions else one_of("program", names.programs)]
        command = (names.actions or names.programs)[0]
        holds = [Pattern(each) for each in names.patterns] + [as_word(each) for each in names.words]
        nodes += [Test(Field(("args", "command")), "matches", each) for each in holds]
        nodes += [Test(Field(("path",)), "ends_with", each) for each in names.files[:1]]
        reasons += ["the sentence says so"] * (len(nodes) - 1)
        forced = ["--force"] if any("--force" in each for each in names.patterns) else []
        forced += ["-r"] if RECURSIVE in names.patterns else []
        hard = ["--hard"] if any("--hard" in each for each in names.patterns) else []
        return Bound(
            tuple(nodes),
            tuple(reasons),
            sample=shell_sample(" ".join([command, *forced, *hard, *names.words, *names.files[:1]])),
        )
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


def _shown(clause: str) -> str:
    return clause if len(clause) <= 60 else f"{clause[:57]}…"
