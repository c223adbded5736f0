"""`casebook forget`: a user, a session or a text taken out of every file, the journal and the packs included, for good."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.desk import actor_of, doer_argument
from casebook.adapters.cli.place import opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casebook.runtime.upkeep.forgetting import Receipt

EPILOG = """\
Without --yes nothing is written: it counts and lists what would go, and what would stay altered. Afterwards every file is looked
through, and what is left is named. The receipt in the audit log has counts, the instant and who did it, and no content.

examples:
  casebook forget --user ann
  casebook forget --user ann --yes
  casebook forget --text "Project Bluebird" --yes"""


_NOUNS: Mapping[str, tuple[str, str]] = {
    "memories": ("memory", "memories"),
    "cases": ("case", "cases"),
    "archive": ("archived memory or case", "archived memories and cases"),
    "edited": ("thing that stays, without the name", "things that stay, without the name"),
    "lines": (
        "line of an outbox or of what waits for the journal",
        "lines of outboxes or of what waits for the journal",
    ),
    "files": ("whole file", "whole files"),
    "unreadable": ("file that cannot be changed, named below", "files that cannot be changed, named below"),
    "activations": ("answer in the journal", "answers in the journal"),
    "firings": ("case told in an answer", "cases told in answers"),
    "events": ("reported event", "reported events"),
    "entries": ("line of the audit log", "lines of the audit log"),
    "versions": ("former text of a case", "former texts of cases"),
    "tellings": ("telling of a memory", "tellings of memories"),
    "rewritten": (
        "row of the journal that stays, without what is forgotten",
        "rows of the journal that stay, without what is forgotten",
    ),
    "copies": ("damaged copy of the journal", "damaged copies of the journal"),
    "turns": ("hook's note on a session", "hooks' notes on sessions"),
}
"""What the counts of a receipt count."""


_STAYS = "unreadable"
"""The count of what does not go."""
_MOST = 20
"""So many of what goes, and of what is altered, are told in words (ours)."""


def noun_of(name: str) -> tuple[str, str]:
    """Give what a count of a receipt counts, for one and for several."""
    return _NOUNS.get(name, (name.replace("_", " "), name.replace("_", " ")))


def _in_order(taken: Mapping[str, int]) -> list[tuple[str, int]]:
    """Give counts in the order in which they are told: what was kept first, then what the journal has of it."""
    order = {name: place for place, name in enumerate(_NOUNS)}
    return sorted(taken.items(), key=lambda each: order.get(each[0], len(order)))


def arguments(parser: Parser) -> None:
    """Add what is to be forgotten."""
    parser.add_argument(
        "--user", metavar="USER", help="all of this user: memories, cases, sessions, what the journal has"
    )
    parser.add_argument("--session", metavar="SESSION", help="all of this session")
    parser.add_argument("--text", metavar="TEXT", help="all that holds this text")
    parser.add_argument("--yes", action="store_true", help="do it; there is no way back")
    doer_argument(parser)


def run(options: Namespace) -> int:
    """Forget, or say what would go; 1 where something is left."""
    from casebook.adapters.hooks.forgetting import forget_sessions
    from casebook.adapters.identity import system_user
    from casebook.redacting.identity import identity
    from casebook.runtime.upkeep.forgetting import forget
    from casebook.stores.memory_store import Forgetting

    named = {name: value for name in ("user", "session", "text") if (value := getattr(options, name)) is not None}
    if not named:
        raise UsageError("forget: expected --user, --session or --text")
    if any(not value.strip() for value in named.values()):
        raise UsageError("forget: expected a name or a text, got nothing")
    user, session = (None if each is None else identity(each) for each in (options.user, options.session))
    actor = actor_of(options)
    what = Forgetting(user=user, session=session, text=options.text)
    with opened(options) as runtime:
        receipts = [
            (each.layer, forget(each, what, dry=not options.yes, reset=runtime.forgotten, actor=actor))
            for each in runtime.desks()
        ]
    notes, kept = forget_sessions(
        user=options.user, session=options.session, text=options.text, me=system_user(), dry=not options.yes
    )
    if (notes or kept) and receipts:
        layer, first = receipts[0]
        taken = {**first.taken, "turns": notes}
        receipts[0] = (layer, replace(first, taken=taken, left=(*first.left, *kept)))
    return told(options, receipts, done="forgot", would="would forget")


def told(options: Namespace, receipts: Iterable[tuple[str, Receipt]], *, done: str, would: str) -> int:
    """Tell receipts; gives the code: 1 where something is left."""
    several = list(receipts)
    if options.json:
        output.data([_json(layer, receipt) for layer, receipt in several])
    for layer, receipt in several:
        counts = ", ".join(
            output.counted(number, *noun_of(name))
            for name, number in _in_order(receipt.taken)
            if number and name != _STAYS
        )
        unchanged = receipt.taken.get(_STAYS, 0)
        kept = f"; {output.counted(unchanged, *noun_of(_STAYS))}" if unchanged else ""
        place = f" in {layer}" if layer else ""
        if not options.json:
            output.line(f"{would if receipt.dry else done}{place}: {counts or 'nothing'}{kept}")
            _listed(receipt)
        if receipt.left:
            stays = "would be left" if receipt.dry else "left"
            output.several((f"{stays}: {each}" for each in receipt.left), "`--json` tells all")
    if any(receipt.dry and any(receipt.taken.values()) for _, receipt in several):
        output.words("nothing was written; --yes does it, and there is no way back")
    return 1 if any(receipt.left and not receipt.dry for _, receipt in several) else 0


def _listed(receipt: Receipt) -> None:
    """Tell what goes, what is altered, and what stays although the name, or the session, is in it."""
    for how, things in (("goes", receipt.going), ("altered", receipt.altered)):
        for each in things[:_MOST]:
            output.line(output.flat(f"  {how:7}  {each.id or each.place}  {each.whose}  {each.text}"))
        if len(things) > _MOST:
            output.line(f"  {how:7}  … and {len(things) - _MOST:,} more; `--json` tells more")
    if receipt.holding:
        count = output.counted(len(receipt.holding), "thing of others", "things of others")
        stays = "stays, for it holds" if len(receipt.holding) == 1 else "stay, for they hold"
        ids = output.named([each.id or each.place for each in receipt.holding])
        output.words(output.flat(f"{count} {stays} the name as a word, and nobody may be meant: {ids}"))
    if receipt.nobodys:
        count = output.counted(len(receipt.nobodys), "thing", "things")
        stays = "stays" if len(receipt.nobodys) == 1 else "stay"
        ids = output.named([each.id or each.place for each in receipt.nobodys])
        output.words(
            output.flat(
                f"{count} of a session that others have too {stays}, for nobody is known to have said it: {ids}"
            )
        )


def _json(layer: str, receipt: Receipt) -> dict[str, Any]:
    return {"layer": layer or None, **receipt.to_json()}
