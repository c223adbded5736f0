"""What a sentence says to use, or lets pass, is kept out of its conditions: `never run pytest, use uv run pytest`."""

from __future__ import annotations

import re
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
from casebook.runtime.facts.shell import commands
from casebook.runtime.teaching.binding import HOW, Bound, one_of, shell_sample
from casebook.runtime.teaching.command_names import SUBCOMMANDS
from casebook.runtime.teaching.names import Known, is_program, program_named
from casebook.runtime.teaching.operands import word_patterns
from casebook.runtime.teaching.sentence import Part, limits
from casebook.runtime.teaching.unsaid import commands_of
from casebook.task import Task

_ANY_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""What the conditions that are read off a sentence say has no time when this is asked."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9@./~_=:+-]*[A-Za-z0-9._/]", re.ASCII)
_ENDS_TEXT: Final = """
in on at to into for from with when while if unless because since so and or but instead only here please first
directly everywhere always every all the a an this that is are rather than not never before after until during
"""
_ENDS: Final = frozenset(_ENDS_TEXT.split())
_IN_PASSING: Final = frozenset(
    {"the", "a", "for", "to", "run", "use", "using", "running", "with", "please", "always", "instead", "it", "is"}
)


def line_in(text: str, known: Known) -> str:
    """Give the command line that stands in a piece of a sentence, from its first program to the first word that is none of it; "" without one."""
    tokens = [*_TOKEN.finditer(text.replace("`", " "))]
    first = next((at for at, each in enumerate(tokens) if is_program(program_named(each[0]), known)), None)
    if first is None:
        return ""
    line = [tokens[first]]
    for each in tokens[first + 1 :]:
        between = text[line[-1].end() : each.start()]
        if each[0].casefold() in _ENDS or between.strip(" `"):
            break
        line.append(each)
    return " ".join(each[0] for each in line)


def besides(what: str, known: Known, *, exact: bool) -> str:
    """Give the words beside the command line in what is to be used, or is fine, that make it less than that; "" without any.

    Args:
        what: what a sentence says to use, or lets pass.
        known: what is known by name.
        exact: whether every other word does, or only those that limit it: `use npm ci so that it is the same everywhere`.
    """
    line = line_in(what, known)
    if not line:
        return what.strip() if exact or limits(what) else ""
    before, _, after = " ".join(what.replace("`", " ").split()).partition(line)
    rest = f"{before.strip()} {after.strip()}".strip(" ,.;:!?。，的")
    told = [each for each in re.findall(r"[\w'’]+", rest) if each.casefold() not in _IN_PASSING]
    limited = limits(rest) or re.match(r"(?:under|inside|only|outside)\b|在|当|仅|只", rest) is not None
    return rest if told and (exact or limited) else ""


def keeping_out(
    found: Bound, excepted: Sequence[str], parts: Sequence[Part], policy: Policy, known: Known
) -> tuple[Bound, tuple[str, ...]]:
    """Keep conditions from all that a sentence excepts, lets pass, or says to use.

    Args:
        found: what the sentence is bound to.
        excepted: what its clause takes out.
        parts: its parts.
        policy: for its tools and intents.
        known: what is known by name.

    Returns:
        What `without_what_to_use` makes of it, and the words that no condition says of these.
    """
    fine = tuple(_under(found, each) for each in (*excepted, *(each.what for each in parts if each.kind == "fine")))
    use = tuple(each.what for each in parts if each.kind == "use")
    for each in (*fine, *use):
        found = found if found.missing else without_what_to_use(found, each, policy, known)
    return found, tuple(besides(each, known, exact=at < len(fine)) for at, each in enumerate((*fine, *use)))


def _under(found: Bound, what: str) -> str:
    """Give what is let pass with the program that it is a subcommand of: `never use docker, ps is fine`."""
    first = what.partition(" ")[0]
    programs = [each for node in found.nodes[:1] for each in commands_of(node) if " " not in each]
    return next((f"{each} {what}" for each in programs if first in SUBCOMMANDS.get(each, ())), what)


def without_what_to_use(found: Bound, what: str, policy: Policy, known: Known) -> Bound:
    """Keep conditions from what is to be used, or is fine: by what its command is, else by the words of its line.

    Args:
        found: what the sentence is bound to.
        what: what it says to use.
        policy: its time zone.
        known: what is known by name besides.

    Returns:
        With one more condition where these hold of it; bound to nothing where they are no more than it.
    """
    line = line_in(what, known)
    if not found.nodes or not line:
        return found
    narrower = _is(line)
    through = str(found.sample.get("args", {}).get("command", "")).partition(" ")[0]
    if through in WRAPPERS and not line.startswith(through):  # `never use sudo, apt is fine`: what it starts
        line = f"{through} {line}"
    if not holds_of(found.nodes, shell_sample(line), policy):
        return found
    if found.sample and holds_of([narrower], found.sample, policy):
        return Bound(missing=f"what the sentence says to use is what it is about, as far as it names commands: {HOW}")
    if not holds_of([narrower], shell_sample(line), policy):
        return Bound(
            missing=f"no condition keeps “{line}”, which the sentence says to use, from what it is about: {HOW}"
        )
    return replace(
        found,
        nodes=(*found.nodes, Not(narrower)),
        why=(*found.why, f"that is what is to be used: {what.strip()}"),
    )


def holds_of(nodes: Sequence[Node], task: Mapping[str, Any], policy: Policy) -> bool:
    """Say whether conditions hold of a task at no particular time."""
    try:
        reading = Reading(extract(Task.from_json(task), policy, _ANY_TIME))
    except (TaskError, TypeError):
        return False
    return all(holds(each, reading, policy.timezone) for each in nodes)


def _is(line: str) -> Node:
    run = commands(line)
    if len(run) == 1:
        command = run[0].action
        own = one_of("action" if " " in command else "program", (command,))
        more = [
            Test(Field(("args", "command")), "matches", each)
            for word in line.split()[len(command.split()) :]
            for each in word_patterns(command, word)
        ]
        return And((own, *more)) if more else own
    plain = [re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", each) for each in line.split()]
    plain = [
        rf"{each}[\d.]*" if program_named(f"{each}3") == each and not each.endswith("3") else each for each in plain
    ]
    if program_named(plain[0]) != plain[0] and plain[0][-1:].isdigit():
        plain[0] = rf"{program_named(plain[0])}[\d.]*"
    return Test(Field(("args", "command")), "matches", Pattern(r"\b" + r"\s+(-\S+\s+)*".join(plain) + r"(\s|$)"))
