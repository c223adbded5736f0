"""`casebook approve`: cases of a trusted casebook that block or ask, new or changed since they were shown, may do so."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.asking import agreed
from casebook.adapters.cli.place import POLICY_NAME, Root, clock_of
from casebook.faults import NotFoundError, nearest

if TYPE_CHECKING:
    from casebook.adapters.trust.approvals import Approval
    from casebook.adapters.trust.waiting import Unapproved
    from casebook.clock import Clock
    from casebook.stores.protocol import Snapshot

EPILOG = """\
In a trusted casebook a case that is new or changed since it was shown only advises, until it is approved; so does one that would
silence, or take the place of, a blocking case of ~/.casebook. Without ID, --all or --policy it lists what waits. What waits in the
queue is judged by `casebook review approve`.

examples:
  casebook approve
  casebook approve no-force-push
  casebook approve --all"""


def arguments(parser: Parser) -> None:
    """Add which cases."""
    parser.add_argument("ids", metavar="ID", nargs="*", help="the cases")
    parser.add_argument("--all", action="store_true", help="all that wait, and the policy where it does")
    parser.add_argument("--policy", action="store_true", help="the keys of memory-policy.yaml that wait")
    parser.add_argument("--yes", action="store_true", help="show them, and approve them without asking")


@dataclass(frozen=True, slots=True)
class _Desk:
    """A trusted casebook, what of it is approved (what waits, or what was named), and what is served behind it."""

    root: Root
    snapshot: Snapshot
    approval: Approval
    cases: tuple[Unapproved, ...]
    keys: tuple[str, ...]
    others: tuple[Snapshot, ...]

    def state(self, each: Unapproved) -> str:
        """Say what has changed of a case since it was approved."""
        from casebook.adapters.cli.trust_texts import change_of

        known = self.approval.cases.get(each.case.id)
        return change_of(each.case.case, known) or ("" if known is not None else "new")


def run(options: Namespace) -> int:
    """Show what waits, ask, and approve it."""
    if options.all and options.ids:
        raise UsageError("approve: expected ID or --all, got both")
    waiting = _waiting(options)
    desks = [each for each in _chosen(options, waiting) if each.cases or each.keys]
    if not desks:
        output.words("nothing waits for approval")
    elif not options.json:
        _show(desks)
    is_asked = bool(options.ids or options.all or options.policy)
    if not desks or not is_asked or (options.json and not options.yes):
        if desks and not options.json:
            output.words("`casebook approve ID…`, or `--all`, lets it do what it says")
        return _told(options, desks, approved=False)
    if not options.yes:
        nobody = (
            "approve: nothing was approved: expected a terminal to ask on, or --yes from whoever has read the above"
        )
        if not agreed(f"approve {_counted(desks)}?", nobody=nobody):
            output.words("nothing was approved")
            return 1
    _approve(options, desks)
    if not options.json:
        output.line(f"approved {_counted(desks)}")
    return _told(options, desks, approved=True)


def _waiting(options: Namespace) -> list[_Desk]:
    """Give the trusted casebooks that the command is about, the nearest first, with all that waits. Raises UsageError."""
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.standing import found_places, place_of

    if options.dir:
        places = tuple(place_of(Path(each).expanduser(), home_folder()) for each in options.dir)
    else:
        places = found_places(Path.cwd(), home_folder())
    served = tuple(Root(each.path, each.layer) for each in places if each.standing == "trusted")
    if not served:
        why = "; ".join(each.why for each in places if each.why)
        raise UsageError(
            f"approve: {why or 'there is no trusted casebook here, and the own one of this user needs no approval'}"
        )
    clock = clock_of(options, served)
    return [_desk(each, clock) for each in served]


def _desk(root: Root, clock: Clock) -> _Desk:
    """Give all that waits in a folder."""
    from casebook.adapters.trust import approvals
    from casebook.adapters.trust.opening import snapshots_behind
    from casebook.adapters.trust.waiting import changed_keys, guards_of, unapproved_of
    from casebook.stores.folder import FolderStore

    real = root.path.resolve()
    approval = approvals.read(str(real))
    if approval is None:  # taken back in this moment
        raise UsageError(f"approve: {root.shown} is not trusted any more")
    snapshot = FolderStore(root.path, clock=clock, cache=False).snapshot()
    others = snapshots_behind(real, clock)
    waiting = tuple(unapproved_of(snapshot.cases.values(), approval, guards_of(others)))
    return _Desk(root, snapshot, approval, waiting, changed_keys(snapshot.policy, approval, alone=not others), others)


def _chosen(options: Namespace, waiting: Sequence[_Desk]) -> list[_Desk]:
    """Give what is meant: the cases that are named, the policy, or all that waits. Raises NotFoundError."""
    if not options.ids and not options.policy:
        return list(waiting)
    meant: set[str] = set()
    for name in options.ids:
        if any(each.case.id == name for desk in waiting for each in desk.cases):
            meant.add(name)
        elif any(name in desk.snapshot.cases for desk in waiting):
            output.words(f"{name} needs no approval: it only advises, or is as it was approved")
        else:
            near = nearest(name, [each for desk in waiting for each in desk.snapshot.cases])
            hint = f"; did you mean {near}?" if near else "; `casebook review approve` judges what waits in the queue"
            raise NotFoundError(f"approve: there is no case {name!r} here{hint}")
    return [
        replace(
            desk,
            cases=tuple(each for each in desk.cases if each.case.id in meant or options.all),
            keys=desk.keys if options.policy else (),
        )
        for desk in waiting
    ]


def _show(desks: Sequence[_Desk]) -> None:
    from casebook.adapters.cli.trust_texts import case_lines, policy_lines

    for desk in desks:
        for each in desk.cases:
            for line in case_lines(each.case, desk.state(each), desk.others):
                output.line(output.flat(line))
        if desk.keys:
            output.line(output.flat(f"{desk.root.place(POLICY_NAME)}  [changed: {', '.join(desk.keys)}]"))
            for line in policy_lines(desk.snapshot.policy, desk.others):
                output.line(output.flat(f"    {line}"))


def _counted(desks: Sequence[_Desk]) -> str:
    cases = sum(len(each.cases) for each in desks)
    told = [output.counted(cases, "case")] if cases else []
    return " and ".join([*told, *(["the policy"] if any(each.keys for each in desks) else [])])


def _approve(options: Namespace, desks: Sequence[_Desk]) -> None:
    from casebook.adapters.trust.granting import approve
    from casebook.adapters.trust.waiting import guards_of

    clock = clock_of(options, tuple(each.root for each in desks))
    for desk in desks:
        policy = desk.snapshot.policy if desk.keys else None
        approve(desk.root.path, [each.case for each in desk.cases], policy, clock(), guards_of(desk.others))


def _told(options: Namespace, desks: Sequence[_Desk], *, approved: bool) -> int:
    """Print it for programs, where that is wanted."""
    from casebook.adapters.cli.trust_texts import case_form, policy_form

    if options.json:
        folders = [
            {
                "folder": str(desk.root.path.resolve()),
                "cases": [
                    case_form(each.case, desk.state(each), desk.others) | {"waits": each.waits} for each in desk.cases
                ],
                "policy_changed": list(desk.keys),
                "policy": policy_form(desk.snapshot.policy),
            }
            for desk in desks
        ]
        output.data({"folders": folders, "approved": approved})
    return 0
