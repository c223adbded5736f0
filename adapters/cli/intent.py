"""`casebook intent`: which intents the table finds in a text, by what, and what speaks against the near ones."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import Root, clock_of, folder_store, roots
from casebook.adapters.cli.source import STDIN, decoded, read_source
from casebook.limits import TASK_BYTES

if TYPE_CHECKING:
    from casebook.policy import Policy
    from casebook.runtime.facts.intent_table import Entry

EPILOG = """\
Only the user's own words count: no quotations, no code. A text that has no intent has none: there is no guess.

examples:
  casebook intent 把今天的促销推送给所有用户
  casebook intent "do not push the promotion yet\""""


_ENGLISH_NO = re.compile(
    r"\b(?:(?:do|does|did|must|should|will|would|can|could) not|cannot|(?:do|does|did|must|should|wo|would|ca|could)n['’]?t|never)\s+",
    re.IGNORECASE,
)
"""English negations: the patterns of a verb that is told to be done do not match behind one, so that it is taken away."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One intent that a text states or touches.

    Attributes:
        name: the intent.
        found: whether the text states it.
        by: the words and patterns by which it does, or which stand there and do not count.
        against: why it does not count; empty where it does.
    """

    name: str
    found: bool
    by: tuple[str, ...]
    against: str


def arguments(parser: Parser) -> None:
    """Add the text."""
    parser.add_argument("text", metavar="TEXT", nargs="*", help="the user's words; - or nothing for stdin")


def run(options: Namespace) -> int:
    """Print the intents; done whether there are any or not."""
    if options.text in ([], [STDIN]):
        text = decoded(read_source(STDIN, TASK_BYTES, "task"), "stdin")
    else:
        text = " ".join(options.text)
    if not text.strip():
        raise UsageError("intent: expected the user's words, got nothing")
    findings = list(findings_of(text, _policy(options)))
    if options.json:
        output.data(
            {
                "intents": [each.name for each in findings if each.found],
                "found": [{"intent": each.name, "by": list(each.by)} for each in findings if each.found],
                "passed_over": [
                    {"intent": each.name, "by": list(each.by), "because": each.against}
                    for each in findings if not each.found
                ],
            }
        )  # fmt: skip
        return 0
    for each in findings:
        if each.found:
            output.line(output.flat(f"{each.name}  by {', '.join(each.by)}"))
    for each in findings:
        if not each.found:
            output.words(output.flat(f"not {each.name}: {', '.join(each.by)} is there, but {each.against}"))
    if not any(each.found for each in findings):
        output.words("no intent: conditions on `intent` see it as missing")
    return 0


def _policy(options: Namespace) -> Policy:
    """Give the policy of the casebook, or the defaults where there is no casebook here and none was named."""
    from casebook.policy import Policy

    try:
        places: tuple[Root, ...] = roots(options)
    except UsageError:
        if options.dir:
            raise
        return Policy()
    return folder_store(places[0], clock_of(options, places)).snapshot().policy


def findings_of(text: str, policy: Policy) -> Iterator[Finding]:
    """Give the intents that a text states, and those of which a word stands there without counting, in the table's order."""
    from casebook.runtime.facts.intents import intents_of, table_of

    table = table_of(policy)
    found = frozenset(intents_of(text, table))
    positive = _ENGLISH_NO.sub("", text)
    negated = frozenset(intents_of(positive, table)) - found if positive != text else frozenset()
    for entry in table.entries:
        if entry.name in negated:
            by = tuple(dict.fromkeys(words for part, words in _parts(entry, positive) if _states(part, positive)))
            yield Finding(entry.name, False, by, "there it is negated")
            continue
        stated = entry.name in found
        by = tuple(dict.fromkeys(words for part, words in _parts(entry, text) if not stated or _states(part, text)))
        if by:
            yield Finding(entry.name, stated, by, "" if stated else _against(entry, text))


def _parts(entry: Entry, text: str) -> Iterator[tuple[Entry, str]]:
    """Give an entry in its single words and patterns, each with the words of the folded text that it found."""
    from casebook.runtime.facts.intent_table import folded, pattern

    raw = folded(text).encode("utf-8", "replace")
    for word in entry.words:
        if word in raw:
            yield replace(entry, words=(word,), patterns=()), f'"{word.decode()}"'
    for source in entry.patterns:
        found = pattern(source).search(raw)
        if found is not None:
            words = found.group().decode("utf-8", "replace").strip()
            yield replace(entry, words=(), patterns=(source,)), f'"{words}" (a pattern)'


def _states(entry: Entry, text: str) -> bool:
    """Say whether a text states an intent by this entry alone."""
    from casebook.runtime.facts.intents import intents_of, make_table

    return bool(intents_of(text, make_table((entry,))))


def _against(entry: Entry, text: str) -> str:
    """Say what speaks against an intent whose words stand in a text: what, taken away, would let it count."""
    if _states(replace(entry, exclude=""), text):
        return "another word of its sentence excludes it"
    if _states(replace(entry, questions=""), text):
        return "its sentence only asks"
    if _states(replace(entry, mentions=""), text):
        return "there it is part of a name"
    return "there it is negated, quoted, code, or part of another word"
