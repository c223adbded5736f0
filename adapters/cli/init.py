"""`casebook init`: a new casebook's folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import Root, clock_of

EPILOG = """\
What is there already is left as it is.

examples:
  casebook init
  casebook init ~/.casebook --zone Asia/Shanghai"""


def arguments(parser: Parser) -> None:
    """Add the folder and its zone."""
    parser.add_argument("folder", metavar="DIR", nargs="?", help="the folder (memory)")
    parser.add_argument("--zone", metavar="IANA", help="the zone of its times, such as Asia/Shanghai (this machine's)")


def run(options: Namespace) -> int:
    """Make the folder and say what to do next."""
    from casebook.faults import nearest
    from casebook.instants import is_zone, nearest_zone
    from casebook.stores.starting import init

    if options.zone is not None and not is_zone(options.zone):
        near = nearest_zone(options.zone)
        if near and "/" in options.zone and not nearest(options.zone, [near]):
            near = None  # no more than the name of its city is alike
        raise UsageError(
            f"init: --zone: expected an IANA time zone, got {options.zone!r}"
            + (f"; did you mean {near}?" if near else "")
        )
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
    made = init(root.path, clock=clock_of(options, (root,)), zone=options.zone)
    if options.json:
        output.data({"folder": str(root.path), "made": list(made)})
        return 0
    for path in made:
        output.line(output.flat(f"made {root.place(path)}{'/' if path.endswith('/') else ''}"))
    if not made:
        output.words(f"{root.shown} is a casebook already; nothing was changed")
        return 0
    output.words(
        f"cases go into {root.place('long_term')}/*.json; `casebook check` says what to mend, `casebook demo` shows how"
    )
    return 0
