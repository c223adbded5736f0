"""`casebook trust`: a casebook that came from elsewhere is shown, and served to hosts only once a person has agreed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.asking import agreed
from casebook.adapters.cli.place import Root, clock_of

if TYPE_CHECKING:
    from casebook.adapters.trust.approvals import Approval
    from casebook.adapters.trust.folder_identity import FolderIdentity
    from casebook.adapters.trust.granting import Shown
    from casebook.adapters.trust.standing import FoundPlace
    from casebook.case import LoadedCase
    from casebook.clock import Clock
    from casebook.stores.memory_store import Placed
    from casebook.stores.protocol import Snapshot

EPILOG = """\
A host's hook serves a casebook that it finds only where it is this user's own (~/.casebook), was made here by `casebook init`, or was
trusted. What is shown is what is approved: a case that is new or changed afterwards advises, and blocks only after `casebook approve`.

examples:
  casebook trust
  casebook trust ../clone/memory
  casebook trust --list
  casebook trust --undo ../clone/memory"""


def arguments(parser: Parser) -> None:
    """Add the folder, and what is done with it."""
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", help="the casebook's folder (the nearest one that is found)"
    )
    parser.add_argument("--yes", action="store_true", help="show it, and trust it without asking")
    parser.add_argument("--list", action="store_true", help="list what this user trusts, and how it stands")
    parser.add_argument("--undo", action="store_true", help="trust it no more")


def run(options: Namespace) -> int:
    """Show a casebook and ask, list what is trusted, or take trust back."""
    if sum((options.list, options.undo, options.yes)) > 1:
        raise UsageError("trust: expected one of --yes, --list and --undo")
    if options.list:
        if options.folder or options.dir:
            raise UsageError("trust: --list is about all folders, and takes none")
        return _listed(options)
    folder = _folder(options)
    return _undone(options, folder) if options.undo else _trusted(options, folder)


def _folder(options: Namespace) -> Path:
    """Give the folder that is meant: the one that is named, or has a casebook in its memory/, else the nearest that is found."""
    if options.folder and options.dir:
        raise UsageError("trust: expected DIR or --dir, got both")
    if options.dir and len(options.dir) > 1:
        raise UsageError("trust: expected one --dir, got several")
    name = options.folder if options.folder is not None else (options.dir or [None])[0]
    if name is not None:
        if not name:
            raise UsageError("trust: expected a folder, got nothing")
        path = Path(name).expanduser()
        inner = path / "memory"
        return inner if Root(path).trouble() and not Root(inner).trouble() else path
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.standing import found_places

    places = found_places(Path.cwd(), home_folder())
    if not places:
        raise UsageError("trust: there is no casebook here; name its folder: `casebook trust DIR`")
    return places[0].path


@dataclass(frozen=True, slots=True)
class _Look:
    """What is looked at: the folder, what it holds, how it stands, what was approved of it before, and what is served behind it.

    `left_out` are ids of its memories that the user's own memories have: these stand.
    """

    root: Root
    snapshot: Snapshot
    memories: tuple[Placed, ...]
    place: FoundPlace
    approval: Approval | None
    others: tuple[Snapshot, ...]
    left_out: frozenset[str]

    def state(self, loaded: LoadedCase) -> str:
        """Say what has changed of a case since it was approved; nothing where it is as it was, or nothing was approved."""
        from casebook.adapters.cli.trust_texts import change_of

        return change_of(loaded.case, self.approval.cases.get(loaded.id)) if self.approval is not None else ""


def _trusted(options: Namespace, folder: Path) -> int:
    from casebook.adapters.trust.granting import shown_of
    from casebook.adapters.trust.waiting import guards_of

    root = Root(folder)
    identity = _identity(root)
    clock = clock_of(options, (root,))
    look = _look(root, clock, identity.path)
    if not options.json:
        _show(look)
    if look.place.standing == "own":
        return _left(options, look, f"{root.shown} is this user's own, and needs no trust")
    shown, before = shown_of(look.snapshot, guards_of(look.others)), look.approval
    if look.place.is_served and before is not None and _is_as_approved(before, shown):
        return _left(options, look, f"{root.shown} is trusted as it stands; nothing was changed")
    for warning in _warnings(look, identity.strangers):
        output.words(output.flat(f"warning: {warning}"))
    if options.json and not options.yes:
        return _told(options, look, trusted=False)
    if not options.yes:
        nobody = "trust: nothing was trusted: expected a terminal to ask on, or --yes from whoever has read the above"
        if not agreed(f"trust {identity.path}, so that hosts put this in front of agents?", nobody=nobody):
            output.words("nothing was trusted")
            return 1
    _trust(identity.path, shown, clock)
    if not options.json:
        output.line(output.flat(f"trusted {identity.path}"))
    return _told(options, look, trusted=True)


def _is_as_approved(before: Approval, shown: Shown) -> bool:
    return (before.cases, before.policy, before.said) == (shown.cases, shown.policy, shown.said)


def _identity(root: Root) -> FolderIdentity:
    """Give which folder it is. Raises UsageError where it is no casebook, or everybody may write there."""
    from casebook.adapters.trust.granting import looked_at, refusal_of

    if not root.path.is_dir():
        raise UsageError(f"trust: {root.path}: expected a casebook's folder, there is none")
    if trouble := root.trouble():
        raise UsageError(f"trust: {trouble}")
    identity = looked_at(root.path)
    if identity.open_part:
        raise UsageError(f"trust: {refusal_of(root.path, identity)}")
    return identity


def _trust(path: str, shown: Shown, clock: Clock) -> None:
    from casebook.adapters.trust import approvals
    from casebook.adapters.trust.granting import trust

    if (aside := approvals.set_aside(path)) is not None:
        output.words(output.flat(f"warning: what was approved before cannot be read any more, and is now {aside}"))
    trust(Path(path), shown, clock())


def _look(root: Root, clock: Clock, path: str) -> _Look:
    from casebook.adapters.trust import approvals
    from casebook.adapters.trust.opening import home_folder, own_behind, snapshots_behind
    from casebook.adapters.trust.standing import place_of
    from casebook.faults import StoreError
    from casebook.stores.folder import FolderStore
    from casebook.stores.memory_folder import FolderMemories

    place = place_of(root.path, home_folder())
    try:
        approval = approvals.read(path)
    except StoreError as error:
        output.words(output.flat(f"warning: {error}"))
        approval = None
    snapshot = FolderStore(root.path, clock=clock, cache=False).snapshot()
    memories = FolderMemories(root.path, zone=snapshot.policy.timezone).snapshot().memories
    own = own_behind(Path(path))
    left_out = memories.keys() & FolderMemories(own).snapshot().memories.keys() if own is not None else frozenset()
    others = snapshots_behind(Path(path), clock)
    return _Look(root, snapshot, tuple(memories.values()), place, approval, others, frozenset(left_out))


def _warnings(look: _Look, strangers: frozenset[int]) -> Iterator[str]:
    from casebook.adapters.other_projects import other_projects_told
    from casebook.adapters.trust.standing import names_of

    folder = look.root.shown
    if strangers:
        yield f"{folder}, or a part of it, belongs to {names_of(strangers)}, who can change what it says at any time"
    if told := other_projects_told(look.root.path, look.snapshot.cases.values()):
        yield told
    if look.approval is None and (look.root.path / ".casebook" / "journal.db").exists():
        yield (
            f"{folder} has a journal already, .casebook/journal.db: what it says was seen and judged is believed; delete it where it "
            "did not come to be on this machine"
        )


def _show(look: _Look) -> None:
    """Print what the folder holds, what stops calls first."""
    from casebook.adapters.cli.trust_texts import case_lines, guards_over, memory_line, policy_lines, stopping

    cases, approval = look.snapshot.cases, look.approval
    counts = f"{output.counted(len(cases), 'case')}, {output.counted(len(look.memories), 'memory', 'memories')}"
    since = f", {'made here' if approval.made else 'trusted'} {approval.at[:10]}" if approval is not None else ""
    output.line(output.flat(f"{look.root.shown}: {counts}; {look.place.standing}{since}"))
    for line in policy_lines(look.snapshot.policy, look.others):
        output.line(output.flat(line))
    order = {"block": 0, "confirm": 1, "advise": 2}
    for loaded in sorted(cases.values(), key=lambda each: order[each.case.effect]):
        for line in case_lines(loaded, look.state(loaded), look.others):
            output.line(output.flat(line))
    for placed in look.memories:
        output.line(output.flat(memory_line(placed, is_left_out=placed.memory.id in look.left_out)))
    would = stopping(cases)
    for effect, told in (("block", "would block"), ("confirm", "would ask a person first")):
        if would[effect]:
            output.line(f"{output.counted(len(would[effect]), 'case')} {told}: {output.named(would[effect])}")
    over = sorted({name for each in cases.values() for name in guards_over(each.case, look.others)})
    if over:
        whose = f"{output.counted(len(over), 'case')} of your own that {'blocks or asks' if len(over) == 1 else 'block or ask'}"
        output.line(output.flat(f"{whose} would be out of force here: {output.named(over)}"))
    if look.left_out:
        many = output.counted(len(look.left_out), "memory has", "memories have")
        output.line(
            output.flat(
                f"{many} the id of one of your own, and will be left out: {output.named(sorted(look.left_out))}"
            )
        )
    if errors := sum(fault.severity == "error" for fault in look.snapshot.faults):
        output.words(
            f"{output.counted(errors, 'fault')}: what they are about does not serve; `casebook check` tells them"
        )


def _left(options: Namespace, look: _Look, why: str) -> int:
    """Say why nothing is to be done."""
    output.words(output.flat(why))
    return _told(options, look, trusted=True)


def _told(options: Namespace, look: _Look, *, trusted: bool) -> int:
    """Print it for programs, where that is wanted."""
    from casebook.adapters.cli.trust_texts import case_form, policy_form, stopping

    if options.json:
        cases = look.snapshot.cases
        output.data(
            {
                "folder": str(look.root.path.resolve()),
                "standing": look.place.standing,
                "why": look.place.why,
                "policy": policy_form(look.snapshot.policy),
                "cases": [case_form(each, look.state(each), look.others) for each in cases.values()],
                "would": stopping(cases),
                "memories": [each.memory.to_json() for each in look.memories],
                "left_out": sorted(look.left_out),
                "faults": sum(fault.severity == "error" for fault in look.snapshot.faults),
                "trusted": trusted,
            }
        )
    return 0


def _undone(options: Namespace, folder: Path) -> int:
    from casebook.adapters.trust.granting import distrust

    path = str(folder.resolve())
    was = distrust(folder)
    if options.json:
        output.data({"folder": path, "trusted": False, "changed": was})
    elif was:
        output.line(output.flat(f"{path} is trusted no more"))
    else:
        output.words(output.flat(f"{path} was not trusted; nothing was changed"))
    return 0


def _listed(options: Namespace) -> int:
    from casebook.adapters.trust import approvals
    from casebook.adapters.trust.standing import project_place
    from casebook.faults import StoreError

    rows: list[dict[str, Any]] = []
    damaged: list[str] = []
    for each in approvals.every():
        if isinstance(each, StoreError):
            damaged.append(str(each))
            continue
        place = project_place(Path(each.path))
        rows.append(
            {
                "folder": each.path, "at": each.at, "made": each.made, "cases": len(each.cases),
                "blocking": [name for name, case in each.cases.items() if case.effect != "advise"],
                "standing": place.standing, "why": place.why,
            }
        )  # fmt: skip
    if options.json:
        output.data({"trusted": rows, "damaged": damaged})
    elif rows:
        cells = [
            (
                row["standing"],
                row["at"][:10],
                "init" if row["made"] else "trust",
                str(row["cases"]),
                str(len(row["blocking"])),
                row["folder"],
            )
            for row in rows
        ]
        output.table(("standing", "since", "by", "cases", "blocking", "folder"), cells)
    else:
        output.words("nothing is trusted yet, beside this user's own ~/.casebook")
    output.several(f"warning: {told}" for told in [*damaged, *(row["why"] for row in rows if row["why"])])
    return 1 if damaged else 0
