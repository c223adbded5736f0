"""Forgetting for good: a user, a session, a text; every file of the casebook, its journal and its packs, and a receipt without content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from casebook.clock import elapsed
from casebook.runtime.journal.records import Entry
from casebook.runtime.opening import folder_of
from casebook.runtime.upkeep.archiving import purge_before
from casebook.runtime.upkeep.forgetting_check import Needles, found_in, needles_of
from casebook.runtime.upkeep.forgetting_plan import Plan
from casebook.runtime.upkeep.protocol import Desk
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import Mentions, folded, is_same

if TYPE_CHECKING:
    from casebook.stores.forgetting_listing import Concerned, Listing

SAMPLES = 1_000
"""Texts, the longest distinct ones, that are looked for in every file once all is done."""

_MOST = 200
"""Of what goes, is altered or stays so many are told in JSON (ours)."""
_ROUNDS = 20
"""So often what is concerned leads to more that is (a memory to a session, that to an event, that to a memory …; ours)."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was forgotten or purged: counts and instants, and no content.

    Attributes:
        at: when, aware, UTC.
        dry: whether it was only counted.
        taken: how much was taken out of which place, such as `memories`, `cases`, `archive`, `files`, `events`, `activations`.
        left: the files, relative to the casebook's folder, in which something of it still stands, in order; nothing is expected. Of a dry
            run: those that could not be changed.
        checked: how many files were looked through for that.
        seconds: how long it took.
        going: of a dry run, the memories and cases that would go.
        altered: of a dry run, those that would stay without what is forgotten.
        holding: those that stay and hold the user's name as a word that nobody may be meant by, such as `will`.
        nobodys: those that stay although they were said in a session of the user's: others have it too, and who said them is not known.
    """

    at: datetime
    dry: bool
    taken: Mapping[str, int] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    checked: int = 0
    seconds: float = 0.0
    going: tuple[Concerned, ...] = ()
    altered: tuple[Concerned, ...] = ()
    holding: tuple[Concerned, ...] = ()
    nobodys: tuple[Concerned, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Say whether nothing of it stands anywhere."""
        return not self.left

    def to_json(self) -> dict[str, Any]:
        """Give the receipt as commands print it: what a dry run found with its texts, at most 200 of each; else with ids alone."""
        found = {name: getattr(self, name) for name in ("going", "altered", "holding", "nobodys")}
        several: dict[str, Any] = {
            name: [each.to_json() if self.dry else each.id for each in things[:_MOST]]
            for name, things in found.items()
            if self.dry or things
        }
        more = {name: len(things) - _MOST for name, things in found.items() if len(things) > _MOST}
        return several | ({"more": more} if more else {}) | {
            "at": self.at.isoformat(), "dry": self.dry, "taken": dict(self.taken), "left": list(self.left),
            "checked": self.checked,
        }  # fmt: skip


def forget(
    desk: Desk,
    what: Forgetting,
    *,
    dry: bool = False,
    reset: Callable[[], None] | None = None,
    actor: str = "upkeep",
) -> Receipt:
    """Take all of a user, a session or a text out of a casebook, and look afterwards whether it is gone.

    What is concerned is followed in both directions, from files to the journal and back, until nothing new turns up. Killed
    anywhere, the next call for the same completes it: the ids that were found stand in `.casebook/forgetting.json` until then.

    Args:
        desk: the casebook.
        what: what is to be forgotten.
        dry: whether it is only counted; nothing is written.
        reset: lets go of what this process holds in memory (indexes, sessions, what waits to be written); called before and after.
        actor: who forgets, `person:NAME`, as the receipt in the audit log names them; who forgets themselves is not named.

    Returns:
        The receipt. What is left is named by its file, never silently.

    Raises:
        ValueError: nothing is named.
        StoreError: something cannot be read or written.
    """
    if what.user is None and what.session is None and what.text is None and not what.ids:
        raise ValueError("expected a user, a session, a text or ids to forget, got nothing")
    began = elapsed()
    if reset is not None and not dry:
        reset()
    desk.journal.flush()
    plan = Plan.of(folder_of(desk.cases))
    whole = concerned(desk, replace(what, ids=what.ids | plan.ids()))
    listing = _listing(desk, whole)
    holding, nobodys = tuple(listing.holding), tuple(listing.nobodys)
    if dry:
        taken = _sum(desk.store.forget(whole, dry=True), desk.journal.forget(whole, dry=True))
        return Receipt(
            desk.now, True, taken, _unreadable(desk, whole), seconds=elapsed() - began,
            going=tuple(listing.going), altered=tuple(listing.altered), holding=holding, nobodys=nobodys,
        )  # fmt: skip
    needles = needles_of(desk, whole, SAMPLES)
    plan.keep(whole.ids)
    taken = _sum(desk.store.forget(whole), desk.journal.forget(whole))
    desk.cases.snapshot()
    if reset is not None:
        reset()
    plan.done()
    left, checked = _left(desk, whole, needles)
    _receipt(desk, _unnamed(actor, what), taken, left)
    return Receipt(desk.now, False, taken, left, checked, elapsed() - began, holding=holding, nobodys=nobodys)


def purge_now(desk: Desk, before: datetime, *, dry: bool = False) -> Receipt:
    """Take what came into the archive before an instant out of it for good, with a receipt.

    Args:
        desk: the casebook.
        before: the instant; what came at it or later stays.
        dry: whether it is only counted.

    Raises:
        StoreError: the archive or the journal cannot be written.
    """
    began = elapsed()
    gone = purge_before(desk, before, dry=dry)
    return Receipt(desk.now, dry, {"archive": gone}, seconds=elapsed() - began)


def concerned(desk: Desk, what: Forgetting) -> Forgetting:
    """Give what is to be forgotten with the ids of all that it reaches, in the files and in the journal, until nothing new turns up.

    Raises:
        StoreError: something cannot be read.
    """
    from casebook.stores.forgetting import concerned as in_files

    root = folder_of(desk.cases)
    if what.user is not None:  # whose the sessions are is known first: one that is shared leads to nothing
        known = desk.journal.concerned(what)
        known = known if root is None else in_files(root, known)
        what = replace(what, others=known.others, shared=known.shared)
    for _ in range(_ROUNDS):
        found = desk.journal.concerned(what)
        if root is not None:
            found = in_files(root, found)
        if found.ids == what.ids:
            break
        what = found
    return what


def _listing(desk: Desk, what: Forgetting) -> Listing:
    """Give what goes and what is altered, thing by thing; nothing where there is no folder. Raises StoreError."""
    from casebook.stores.forgetting_listing import Listing, listed

    root = folder_of(desk.cases)
    return Listing() if root is None else listed(root, what)


def _left(desk: Desk, what: Forgetting, needles: Needles) -> tuple[tuple[str, ...], int]:
    """Give where something still stands: by asking both again, then by looking for the very bytes."""
    left: dict[str, None] = {}
    if any(desk.journal.forget(what, dry=True).values()):
        left[desk.journal.location] = None
    root = folder_of(desk.cases)
    if root is None:
        return tuple(left), 0
    left |= dict.fromkeys(_unreadable(desk, what))
    if any(desk.store.forget(what, dry=True).values()) and not left:
        left["the files of memories and cases"] = None
    files, checked = found_in(root, needles)
    return tuple(dict.fromkeys((*left, *files))), checked


def _unreadable(desk: Desk, what: Forgetting) -> tuple[str, ...]:
    """Give the files of a folder that hold something of it and cannot be changed. Raises StoreError."""
    from casebook.stores.forgetting import unreadable_matches

    root = folder_of(desk.cases)
    return () if root is None else unreadable_matches(root, what)


def _unnamed(actor: str, what: Forgetting) -> str:
    """Give who forgets; without the name where that is what is forgotten."""
    kind, colon, name = actor.partition(":")
    is_gone = any(each and (is_same(name, each) or Mentions(each).within(name)) for each in (what.user, what.session))
    return f"{kind}:" if colon and (is_gone or (what.text and folded(what.text) in folded(name))) else actor


def _receipt(desk: Desk, actor: str, taken: Mapping[str, int], left: tuple[str, ...]) -> None:
    body = {"taken": dict(taken), "left": len(left)}
    desk.journal.append((Entry(f"forget:{desk.now.isoformat()}", desk.now, actor, "forget", body=body),))
    desk.journal.flush()


def _sum(*counts: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in counts:
        for name, number in each.items():
            found[name] = found.get(name, 0) + number
    return found
