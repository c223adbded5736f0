"""`casebook hook NAME`: one event of a host. Its JSON stands on stdin, the answer in its JSON on stdout; it fails open."""

from __future__ import annotations

import os
from argparse import Namespace

from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.hooks import client

EPILOG = """\
hosts run it at their events; `casebook install HOST` wires it. Whatever goes wrong with a casebook, the host goes on: exit code 0, no
output, a line on stderr; wrong usage is 1 and never 2, which hosts take for a block. A casebook that is merely found (no --dir, no
$CASEBOOK_DIR) serves only once it is trusted.

examples:
  echo '{"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": ".", "prompt": "deploy the shop"}' | casebook hook claude-code
  echo '{"hook_event_name": "PreToolUse", "session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "git push -f"}}' | casebook hook claude-code"""


def arguments(parser: Parser) -> None:
    """Add the host."""
    parser.add_argument("host", metavar="NAME", help="claude-code, codex, gemini, openclaw or opencode")


def run(options: Namespace) -> int:
    """Answer the event; 0 but for a host that there is not, or where the host wants another code. Raises UsageError."""
    # looking for plugins of pydantic reads what all packages say of themselves: 20 ms of every event, and we have none
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from casebook.adapters.cli.place import clock_of
    from casebook.adapters.hooks.answering import hook_host
    from casebook.adapters.hooks.in_process import answer_here
    from casebook.faults import CasebookError

    try:
        hook_host(options.host)
    except CasebookError as error:
        raise UsageError(str(error)) from None
    raw = client.left if client.left is not None else client.read_event()
    reply = answer_here(options.host, raw, options, clock_of(options, ()))
    client.written(reply.stdout, reply.stderr)
    return reply.code
