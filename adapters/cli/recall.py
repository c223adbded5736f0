"""`casebook recall`: memories found again by words."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument, number
from casebook.adapters.cli.memory_desk import tell_unserved
from casebook.adapters.cli.place import opened
from casebook.adapters.cli.principal import principal_arguments, principal_of
from casebook.adapters.cli.source import STDIN, decoded, read_source
from casebook.limits import TASK_BYTES

if TYPE_CHECKING:
    from casebook.runtime.answer.activation import Related
    from casebook.stores.memory_store import Retired

EPILOG = """\
Finds by words (BM25 over English words and pairs of Chinese characters), only what whoever asks may see, never what is archived or
expired. What is found counts as recalled, once a session (without one, once a day).

examples:
  casebook recall "which package manager" --user ann --session s1
  casebook recall 报告 语言 --user 李雷
  casebook recall deploy --archive"""


def arguments(parser: Parser) -> None:
    """Add the words, how many, and from where."""
    parser.add_argument("query", metavar="WORDS", nargs="+", help="what is looked for; - reads it from stdin")
    parser.add_argument("--limit", metavar="N", type=number, default=5, help="at most so many (5)")
    parser.add_argument("--archive", action="store_true", help="look in the archive, packs included, instead")
    parser.add_argument("--peek", action="store_true", help="look without counting it as a recall")
    principal_arguments(parser)


def run(options: Namespace) -> int:
    """Print what was found, the best first; nothing found is no fault."""
    words = " ".join(options.query)
    if words == STDIN:
        words = decoded(read_source(STDIN, TASK_BYTES, "task"), "stdin")
    if not words.strip():
        raise UsageError("recall: expected words to look for, got nothing")
    who = principal_of(options)
    with opened(options) as runtime:
        if options.archive:
            who.pop("session", None)
            found = runtime.archived(text=words, **who)[: options.limit]
            return _archived(options, found, runtime.policy().timezone)
        hits = runtime.recall(words, limit=options.limit, counts=not options.peek, **who)
        unserved = runtime.memory_faults(user=options.user, session=options.session)
        zone = runtime.policy().timezone
    tell_unserved(unserved)
    if options.json:
        output.data([each.to_json() for each in hits])
        return 0
    for each in hits:
        output.line(f"{each.id}  {output.one_line(each.text)}")
        output.line(f"  {_about(each, zone)}")
    if not hits:
        output.words("nothing is known of it")
    return 0


def _about(hit: Related, zone: str) -> str:
    told = [f"{hit.kind} {hit.tier}"]
    if hit.source:
        told.append(f"said by {hit.source}")
    if hit.created_at:
        told.append(f"on {_day(hit.created_at, zone)}")
    if hit.layer:
        told.append(f"in {hit.layer}")
    return f"{', '.join(told)} (score {hit.score:.2f})"


def _day(text: str, zone: str) -> str:
    from zoneinfo import ZoneInfo

    from casebook.instants import instant

    return instant(text, zone).astimezone(ZoneInfo(zone)).date().isoformat()


def _archived(options: Namespace, found: tuple[Retired, ...], zone: str) -> int:
    from casebook.runtime.answer.seen import instant_words

    if options.json:
        output.data([_retired_json(each) for each in found])
        return 0
    for each in found:
        output.line(f"{each.memory.id}  {output.one_line(each.memory.text)}")
        back = f"`casebook restore {as_argument(each.memory.id)}` brings it back"
        output.line(
            f"  archived {instant_words(each.archived_at, zone)}: {output.one_line(each.reason)}; {each.pack}; {back}"
        )
    if not found:
        output.words("nothing of it is in the archive")
    return 0


def _retired_json(retired: Retired) -> dict[str, Any]:
    return {
        "id": retired.memory.id, "text": retired.memory.text, "kind": retired.memory.kind, "tier": retired.memory.tier,
        "archived_at": retired.archived_at.isoformat(), "reason": retired.reason, "from": retired.origin, "pack": retired.pack,
    }  # fmt: skip
