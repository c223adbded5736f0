"""`casebook mcp`: an MCP server on stdin and stdout, for a host that starts it. It speaks for one caller, whom its options name."""

from __future__ import annotations

import os
import select
import sys
import threading
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError

EPILOG = """\
a host starts it, with `casebook mcp` as the command of an MCP server on stdio. What a model says through it is an agent's word: quoted
where it corrects, weighed as an agent's note where it is remembered. Who asks is this user and this project; a model that claims to be
another is refused. A casebook that is merely found (no --dir, no $CASEBOOK_DIR) serves only once it is trusted; where none is served,
every tool says so in a notice, and answers nothing else.

examples:
  casebook mcp
  casebook mcp --dir memory --role reader
  casebook mcp --dir memory --user ann --project shop"""


def arguments(parser: Parser) -> None:
    """Add whom it speaks for, and what that one may do."""
    parser.add_argument(
        "--role", metavar="ROLE", default="author",
        help="what the caller may do: reader, reporter, author, reviewer, admin (author)",
    )  # fmt: skip
    for name, told in (
        ("user", "for whom it speaks (this user)"),
        ("project", "in which project (the git root's name)"),
    ):
        parser.add_argument(f"--{name}", metavar=name.upper(), help=told)
    parser.add_argument("--agent", metavar="AGENT", help="which agent speaks")


def run(options: Namespace) -> int:
    """Serve until stdin ends, or nobody reads stdout."""
    from casebook.adapters.cli.place import clock_of, opened, roots
    from casebook.adapters.hosts import adapter_of, host_of
    from casebook.adapters.identity import caller_at
    from casebook.adapters.roles import role_named
    from casebook.adapters.trust.opening import open_found
    from casebook.faults import CasebookError

    try:
        module = adapter_of(host_of("mcp"))
        is_named = bool(options.dir or os.environ.get("CASEBOOK_DIR"))
        folders = [each.path for each in roots(options)] if is_named else None
        caller = caller_at(Path.cwd(), role_named(options.role), folders)
    except CasebookError as error:
        raise UsageError(str(error)) from None
    named = {name: value for name in ("user", "project", "agent") if (value := getattr(options, name))}
    caller = replace(caller, principal=replace(caller.principal, **named))
    if is_named:
        with opened(options) as runtime:
            _end_with_stdout(runtime.close)
            module.server_of(runtime, caller).run("stdio")
        return 0
    found = open_found(Path.cwd(), clock=clock_of(options, ()), engine=options.engine)
    for each in found.untrusted:
        output.words(f"warning: {each.why}")
    if found.runtime is None:
        # a host shows a server that ends as one that is broken, in every project without a casebook
        whys = [each.why for each in found.untrusted] or ["there is none; `casebook init` makes one"]
        notice = f"{'; '.join(whys)}. A server that is started after that serves it"
        _end_with_stdout(lambda: None)
        module.server_of(None, caller, notice=notice).run("stdio")
        return 0
    with found.runtime as runtime:
        _end_with_stdout(runtime.close)
        module.server_of(runtime, caller).run("stdio")
    return 0


def _end_with_stdout(close: Callable[[], None]) -> None:
    """End the process once nobody reads what it says: a host may leave its stdin open, on which the server waits for ever.

    Args:
        close: what is closed before.
    """
    if not hasattr(select, "poll"):  # Windows: a host there ends what it has started
        return
    try:
        hung_up = select.poll()
        hung_up.register(os.dup(sys.stdout.fileno()), 0)  # of our own: the server puts another in its place
    except (OSError, ValueError):  # no stdout of the system's
        return

    def watch() -> None:
        if any(flags & (select.POLLERR | select.POLLHUP) for _, flags in hung_up.poll()):
            close()
            os._exit(0)  # the thread that reads stdin cannot be ended otherwise

    threading.Thread(target=watch, name="casebook-mcp-stdout", daemon=True).start()
