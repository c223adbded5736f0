"""`casebook init`: a new casebook's folder."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import Root, clock_of

if TYPE_CHECKING:
    from casebook.clock import Clock

EPILOG = """\
What is there already is left as it is. What it makes whole is trusted by this user on this machine: a host that finds it uses it
(`casebook trust --list`).

examples:
  casebook init
  casebook init ~/.casebook --zone Asia/Shanghai
  casebook init --language zh"""


def arguments(parser: Parser) -> None:
    """Add the folder and its zone."""
    parser.add_argument("folder", metavar="DIR", nargs="?", help="the folder (memory)")
    parser.add_argument("--zone", metavar="IANA", help="the zone of its times, such as Asia/Shanghai (this machine's)")
    parser.add_argument(
        "--language",
        choices=("en", "zh"),
        help="the language in which an agent is told, and of the policy's comments (en)",
    )


def run(options: Namespace) -> int:
    """Make the folder and say what to do next."""
    from casebook.stores.starting import init

    _refuse_unknown_zone(options.zone)
    if options.folder and options.dir:
        raise UsageError("init: expected DIR or --dir, got both")
    if options.dir and len(options.dir) > 1:
        raise UsageError("init: expected one --dir, got several")
    name = options.folder if options.folder is not None else (options.dir or ["memory"])[0]
    if not name:
        raise UsageError("init: expected a folder, got nothing")
    root = Root(Path(name).expanduser())
    if root.path.exists() and not root.path.is_dir():
        raise UsageError(f"init: {root.path}: expected a folder, or nothing yet, got a file")
    clock = clock_of(options, (root,))
    _refuse_other_policy(options, root, clock)
    made = init(root.path, clock=clock, zone=options.zone, language=options.language)
    untrusted = _untrusted(root, made, clock)
    if options.json:
        output.data({"folder": str(root.path), "made": list(made), "trusted": not untrusted})
        return 0
    for path in made:
        output.line(output.flat(f"made {root.place(path)}{'/' if path.endswith('/') else ''}"))
    if untrusted:
        output.words(output.flat(f"warning: {untrusted}"))
    if not made:
        output.words(f"{root.shown} is a casebook already; nothing was changed")
        return 0
    output.words(
        f"cases go into {root.place('long_term')}/*.json; `casebook check` says what to mend, `casebook demo` shows how\n"
        "next: `casebook setup` wires the agents that you have, `casebook teach` writes a case from what you say"
    )
    return 0


def _refuse_unknown_zone(zone: str | None) -> None:
    from casebook.faults import nearest
    from casebook.instants import is_zone, nearest_zone

    if zone is None or is_zone(zone):
        return
    near = nearest_zone(zone)
    if near and "/" in zone and not nearest(zone, [near]):
        near = None  # no more than the name of its city is alike
    raise UsageError(
        f"init: --zone: expected an IANA time zone, got {zone!r}" + (f"; did you mean {near}?" if near else "")
    )


def _refuse_other_policy(options: Namespace, root: Root, clock: Clock) -> None:
    """Raise UsageError where a policy stands there already that says something else than was asked for: it is its owner's to change."""
    from casebook.stores.folder import FolderStore
    from casebook.stores.policy_reading import POLICY_NAME

    asked = {"timezone": options.zone, "language": options.language}
    if not any(asked.values()) or not (root.path / POLICY_NAME).is_file():
        return
    policy = FolderStore(root.path, clock=clock, cache=False).snapshot().policy
    said = {"timezone": policy.timezone, "language": policy.language}
    other = [name for name, wanted in asked.items() if wanted not in (None, said[name])]
    if other:
        there = ", ".join(f"{name}: {said[name]}" for name in other)
        wanted = ", ".join(f"{name}: {asked[name]}" for name in other)
        raise UsageError(
            f"init: {root.shown} is a casebook already, and its {POLICY_NAME} says {there}; nothing was changed: write {wanted} there"
        )


def _untrusted(root: Root, made: Sequence[str], clock: Clock) -> str:
    """Trust a folder of which all was made just now, by this user on this machine; gives why hosts will not use it, or nothing.

    Of a folder in which something stood before, nobody has shown what that says.
    """
    from casebook.adapters.trust.granting import shown_of, trust
    from casebook.adapters.trust.opening import home_folder
    from casebook.adapters.trust.standing import place_of
    from casebook.faults import StoreError
    from casebook.stores.folder import FolderStore
    from casebook.stores.starting import WHOLE

    place = place_of(root.path, home_folder())
    if place.layer == "user" or not set(made) >= WHOLE:
        return place.why
    try:
        trust(root.path, shown_of(FolderStore(root.path, clock=clock, cache=False).snapshot()), clock(), made=True)
    except StoreError as error:
        return f"no host will use it unasked: {error}"
    return ""
