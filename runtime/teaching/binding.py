"""What a sentence is bound to: conditions, why each of them stands there, and a task on which they hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from casebook.conditions.tree import Field, Node, Pattern, Test

_SPECIAL: Final = re.compile(r"([\\.^$*+?{}\[\]|()])")

HOW: Final = (
    '--action "git push" (a program or program and subcommand; in the sentence, backticks around it do), --tool NAME, --intent NAME or --text WORDS name it, '
    "--last takes the last call that failed or was not allowed"
)
"""How a person says what a sentence does not."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Conditions that a person names outright; then nothing is read off the sentence.

    Attributes:
        actions, tools, intents: of which one must be.
        text: words of the task's text, all of which must be.
        command: words of the command line, all of which must be.
    """

    actions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.tools or self.intents or self.text or self.command)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a sentence is bound to.

    Attributes:
        nodes: the conditions, the anchor first; empty where nothing anchors it.
        why: a sentence for each.
        missing: what is missing, and how to say it; empty where nothing is.
        sample: a task on which it fires, as far as one can be made of the names alone.
        unsaid: what the sentence says of when it applies and no condition does; the case is wider than the sentence by that.
        forbidden: whether it is what the sentence forbids, for good.
    """

    nodes: tuple[Node, ...] = ()
    why: tuple[str, ...] = ()
    missing: str = ""
    sample: Mapping[str, Any] = field(default_factory=dict)
    unsaid: tuple[str, ...] = ()
    forbidden: bool = False


def one_of(name: str, values: Sequence[str]) -> Node:
    """Give the condition that a field is one of some names."""
    return Test(Field((name,)), "in", tuple(values)) if len(values) > 1 else Test(Field((name,)), "is", values[0])


def as_word(word: str) -> Pattern:
    """Give the pattern of a word that stands by itself in a command line."""
    plain = _SPECIAL.sub(r"\\\1", word)
    return Pattern(rf"(^|\s){plain}\b" if word.startswith("-") else rf"\b{plain}\b")


def shell_sample(command: str) -> dict[str, Any]:
    """Give the task of a command line."""
    return {"tool": "shell", "args": {"command": command}}
