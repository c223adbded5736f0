"""A list of words of which one is enough: `git push to main or develop`, `git add . or -A`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from casebook.conditions.tree import And, Node, Or
from casebook.runtime.teaching.binding import Bound
from casebook.runtime.teaching.unsaid import commands_of

MOST: Final = 5
"""Alternatives that are read at most (ours): each is a condition."""
_ITEM: Final = r"(?:`[^`\n]+`|-{0,2}[\w@~*./:+=][\w@~*./:+=-]*)"
_EITHER: Final = r"\s*,\s*(?:or|nor)\s+|\s+(?:or|nor)\s+|\s*或者?\s*"
_BOTH: Final = r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*(?:、|和|以及|及|与)\s*"
_AGAIN: Final = r"(?:(?:to|into|on|in|from|at)\s+(?:the\s+)?|到\s*)?"
_LIST: Final = re.compile(
    rf"(?<![\w@~*./:+=-]){_ITEM}(?:(?:{_EITHER}|{_BOTH}){_AGAIN}{_ITEM})+(?![\w@~*/:+=-])", re.ASCII
)
_BRANCHES: Final = "main|master|develop|production|prod|staging"
_SLASH: Final = re.compile(
    rf"(?<=\w)/(?=--?[A-Za-z])|(?<![\w/])(?P<branch>{_BRANCHES})/(?=(?:{_BRANCHES})(?![\w/-]))", re.ASCII
)
"""A stroke between two flags, or two well-known branches: `main/master`."""
_JOINT: Final = re.compile(rf"(?:{_EITHER}|{_BOTH}){_AGAIN}")


def alternatives_in(clause: str, commands: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give a clause once for each word of the first list in it; none where there is no list.

    Args:
        clause: what a sentence is about.
        commands: actions and programs that it names; said again before a word of the list they are passed: `git add . or git add -A`.

    Returns:
        The clauses, and the words of the list. `--force and --no-verify` are both of one call, and no list.
    """
    clause = _SLASH.sub(lambda found: f"{found['branch'] or ''} or ", clause)
    for each in commands if len(commands) == 1 else ():
        clause = re.sub(rf"(?<=[\s、])(or|nor|and|或者?|和)\s*{re.escape(each)}\s+(?=\S)", r"\1 ", clause)
    for found in _LIST.finditer(clause):
        items = tuple(_JOINT.split(found[0]))
        flags = [each for each in items if re.match(r"--?[A-Za-z]", each)]
        if len(items) > MOST or len({*items}) < 2 or (flags and re.search(r"\s(?:and)\s|和|以及|及|与", found[0])):
            continue
        before, after = clause[: found.start()], clause[found.end() :]
        return tuple(f"{before}{each}{after}" for each in items), items
    return (), ()


def either_of(every: Sequence[Bound]) -> Bound | None:
    """Bind to any of what alternatives are bound to; None where they are not all more conditions on the same command.

    Args:
        every: what each of the clauses is bound to.
    """
    first = every[0]
    if any(each.missing or not each.nodes or not _alike(each.nodes[0], first.nodes[0]) for each in every):
        return None
    common = [first.nodes[0], *(each for each in first.nodes[1:] if all(each in one.nodes for one in every))]
    whys = dict(zip(first.nodes, first.why, strict=True))
    own: list[Node] = []
    reasons: list[str] = []
    for one in every:
        more = {each: why for each, why in zip(one.nodes[1:], one.why[1:], strict=True) if each not in common}
        if not more:  # `-rf or -r`: what the others ask besides is not asked of it
            return (
                None
                if len(common) < 2
                else replace(first, nodes=tuple(common), why=tuple(whys[each] for each in common))
            )
        own.append(next(iter(more)) if len(more) == 1 else And(tuple(more)))
        reasons.append(" and ".join(dict.fromkeys(more.values())))
    return replace(
        first,
        nodes=(*common, Or(tuple(dict.fromkeys(own)))),
        why=(*(whys[each] for each in common), " or ".join(dict.fromkeys(reasons))),
    )


def _alike(node: Node, other: Node) -> bool:
    """Say whether two conditions are about the same command, as its program or its action."""
    return node == other or (commands_of(node) == commands_of(other) != [])
