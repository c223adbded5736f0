"""The command `casebook` as a process: who presses Ctrl-C while it still loads is answered as later on."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130
_HOOK_WORDS = 2
"""`hook NAME`, as hosts run it."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command line.

    Args:
        arguments: without the program's name; default those of this process, which then is this command's alone.

    Returns:
        The exit code. Data went to stdout, words to stderr.
    """
    if arguments is not None:
        from casebook.adapters.cli import front

        return front.run_line(arguments)
    signal.signal(signal.SIGINT, _leave)
    given = sys.argv[1:]
    is_hook = len(given) == _HOOK_WORDS and given[0] == "hook" and not given[1].startswith("-")
    if is_hook:
        from casebook.adapters.hooks import client  # before all that an ordinary command loads: hosts wait for it

        raw = client.read_event()
        answered = client.by_service(given[1], raw)
        if answered is not None:
            _end(answered)
        client.left = raw
    import gc

    from casebook.adapters.cli import front

    gc.disable()  # a process of one short command: what it makes it needs to its end, and collecting costs 5 % of it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = front.run_line(sys.argv[1:])
        signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:  # between two commands of ours
        code = INTERRUPTED
    if is_hook:
        _end(code)
    return code


def _end(code: int) -> None:
    """End now that all is written and closed: to take its modules apart takes a host's hook a sixth of its time."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # nobody reads any more
            pass
    os._exit(code)


def _leave(*_: object) -> None:
    """End at once, without words: nothing was begun, or all is done."""
    os._exit(INTERRUPTED)
