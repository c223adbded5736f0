"""A call as it was: what people call it, the words of its line, and conditions on all of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

from casebook.conditions.tree import Field, Node, Pattern, Test
from casebook.redacting.redact import redact
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.anchors import PREPARING, anchor_of
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.teaching.binding import HOW, Bound
from casebook.runtime.teaching.in_command import word_pattern
from casebook.runtime.teaching.unsaid import commands_of

MOST_OF_WHOLE: Final = 8
"""Words, or values, of a call that make a case of the call as it was at most (ours)."""
COMMANDS: Final = ("command", "cmd", "script")
"""The arguments in which hosts give a command line."""
_OPERATOR: Final = re.compile(r"[;&|<>(){}!]*")
"""What stands between commands, and is no word of one."""


def called(call: EventRecord) -> str:
    """Give a call as people name it: what it ran, else its tool."""
    actions = [each for each in words_of(call.body, "action") if each not in PREPARING] or list(
        words_of(call.body, "action")
    )
    if actions:
        return ", ".join(f"`{each}`" for each in actions[:3])
    return str(call.body.get("tool_native") or call.tool or "a task")


def tokens_of(command: str) -> list[str]:
    """Give the words of a command line, quotes taken off."""
    try:
        return shlex.split(command, comments=False)[:200]
    except ValueError:
        return command.split()[:200]


def whole_call(call: EventRecord) -> Bound:
    """Bind to a call as it was: all of its words, its path, or its values; to nothing where these are many, or one is a secret."""
    args = call.body.get("args")
    anchor = anchor_of([call]).node()
    refused = Bound(
        missing=f"the sentence names nothing of {called(call)}, and the whole of that call is too much for conditions: {HOW}"
    )
    nodes: list[Node] = [anchor]
    if not isinstance(args, Mapping):
        return refused
    if call.tool == "shell":
        name = next((each for each in COMMANDS if isinstance(args.get(each), str)), None)
        if name is None:
            return refused
        where = Field(("args", name))
        own = {word for field in ("program", "action") for each in words_of(call.body, field) for word in each.split()}
        tokens = [
            each for each in dict.fromkeys(tokens_of(args[name])) if each not in own and not _OPERATOR.fullmatch(each)
        ]
        if len(tokens) > MOST_OF_WHOLE or any(_is_secret(each) or not each.isprintable() for each in tokens):
            return refused
        nodes += [Test(where, "matches", _has(each, commands_of(anchor), args[name])) for each in tokens] or [
            Test(where, "is", args[name])
        ]
    elif paths := words_of(call.body, "path"):
        if _is_secret(paths[0]):
            return refused
        nodes += [Test(Field(("path",)), "is", each) for each in paths[:1]]
    else:
        plain = {key: value for key, value in args.items() if isinstance(value, str | int | float | bool)}
        if (
            not plain
            or len(plain) != len(args)
            or len(plain) > MOST_OF_WHOLE
            or any(_is_secret(str(each)) for each in plain.values())
        ):
            return refused
        nodes += [Test(Field(("args", str(key))), "is", value) for key, value in plain.items()]
    return Bound(tuple(nodes), ("the call's own", *("the call has it" for _ in nodes[1:])), sample=_same_task(call))


def _is_secret(text: str) -> bool:
    """Say whether a text holds a secret, or what stands for one in the journal."""
    return "[redacted:" in text or redact(text) != text


def _has(token: str, commands: Sequence[str], line: str) -> Pattern:
    """Give the pattern of a word of a command line; of one without a letter, which any other command may have, beside its program."""
    if re.search(r"\w", token) or len(commands) != 1 or not token:
        return _standing(token)
    made = word_pattern(commands[0], token)
    return made if re.search(made.source, line) else _standing(token)


def _standing(token: str) -> Pattern:
    """Give the pattern of a word of a command line as it stands there, and of no longer one."""
    plain = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", token)
    return Pattern(rf"(^|[\s\"'=]){plain}([\s\"';&|)]|$)")


def _same_task(call: EventRecord) -> dict[str, Any]:
    args = call.body.get("args")
    return {"tool": call.tool, "args": dict(args)} if isinstance(args, Mapping) else {}
