"""`casebook serve`: hooks, HTTP and upkeep in one process a user; `serve token` makes, lists and takes out the tokens of HTTP."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, roots, store_of
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from casebook.runtime.upkeep.made import Made
    from casebook.stores.protocol import Store

EPILOG = """\
One service a user answers `casebook hook` over a socket that only this user may use, programs over HTTP at 127.0.0.1 (OpenAPI at
/openapi.json), and runs upkeep by the policies' schedules. Hooks are answered from the casebooks around each agent's folder, as far as
they are trusted; HTTP from --dir or $CASEBOOK_DIR, else from those found here. Where a service of this release is up already, that is
said, and all is done (0); one of another release is asked to end and replaced. SIGTERM and Ctrl-C end it: what runs is finished first.

  serve token add --user NAME [--role ROLE]   make a token and print it, this once; it is kept hashed
  serve token list                            the tokens there are, without their secrets
  serve token remove ID                       from this moment on nobody is let in by it

A token stands for its user, in its project, teams and agent; a body that says otherwise is refused. Roles: reader (before_task,
session_start, recall, cases), reporter (after_task, too), author (remember, too), reviewer (review, too, and a person's corrections),
admin.

examples:
  casebook serve
  casebook serve --dir /srv/memory --port 7477
  casebook serve token add --user ann --role reporter"""

LOOPBACK = ("127.0.0.1", "localhost")


def arguments(parser: Parser) -> None:
    """Add where it listens, and what is done with tokens."""
    from casebook.adapters.roles import ROLES

    parser.add_argument("words", metavar="WORD", nargs="*", help="nothing, or token add, token list, token remove ID")
    group = parser.add_argument_group("HTTP")
    group.add_argument(
        "--port", metavar="N", help="the port at 127.0.0.1; 0 takes any (7477, or any where that is taken)"
    )
    group.add_argument("--host", metavar="HOST", help="127.0.0.1: it listens nowhere else")
    group.add_argument("--no-http", action="store_true", help="hooks and upkeep alone")
    token = parser.add_argument_group("of a token")
    token.add_argument("--user", metavar="USER", help="for whom it stands")
    token.add_argument("--role", choices=ROLES, help="what it may do (reporter)")
    token.add_argument("--project", metavar="PROJECT", help="in which project")
    token.add_argument("--team", metavar="TEAM", action="append", help="a team of the user; may be repeated")
    token.add_argument("--agent", metavar="AGENT", help="which agent")


def run(options: Namespace) -> int:
    """Serve until a signal comes, or deal with tokens."""
    if options.words[:1] == ["token"]:
        return _tokens(options)
    if options.words:
        raise UsageError(f"serve: expected nothing, or token, got {options.words[0]!r}")
    _refuse(options, "serve", ("user", "role", "project", "team", "agent"))
    if options.now is not None:
        raise UsageError("--now: a clock that stands serves nobody")
    if options.host is not None and options.host not in LOOPBACK:
        raise UsageError(
            f"--host: expected 127.0.0.1, got {options.host!r}: it serves this machine alone; a proxy may stand before it"
        )
    if options.no_http and options.port is not None:
        raise UsageError("serve: expected --port or --no-http, got both")
    return _serve(options)


def _serve(options: Namespace) -> int:
    from casebook.adapters.http.serving import Settings, serve

    is_named = bool(options.dir or os.environ.get("CASEBOOK_DIR"))
    folders = tuple(str(each.path.resolve()) for each in roots(options)) if is_named else ()

    def stores() -> Store:
        return store_of(options)

    def tell(text: str) -> None:
        with suppress(OSError):  # where nobody reads any more, it serves on
            output.words(output.flat(text))

    def tell_run(made: Made) -> None:
        tell(json.dumps(made.to_json(), ensure_ascii=False) if options.json else made.line)

    return serve(
        Settings(
            clock=clock_of(options, ()),
            start=Path.cwd(),
            stores=stores if is_named else None,
            casebooks=folders,
            port=-1 if options.no_http else _port(options.port),
            engine=options.engine,
            tell=tell,
            tell_run=tell_run,
        )
    )


def _port(given: str | None) -> int | None:
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 6 and int(given) <= 65_535):
        raise UsageError(f"--port: expected a number from 0 to 65535, got {given!r}")
    return int(given)


def _tokens(options: Namespace) -> int:
    from casebook.adapters.http import tokens

    action, rest = options.words[1] if len(options.words) > 1 else "list", options.words[2:]
    if action not in ("add", "list", "remove"):
        raise UsageError(f"serve token: expected add, list or remove, got {action!r}")
    if options.port is not None or options.host is not None or options.no_http:
        raise UsageError(f"serve token {action}: --port, --host and --no-http are of the service itself")
    if action != "add":
        _refuse(options, f"serve token {action}", ("user", "role", "project", "team", "agent"))
    if len(rest) != (1 if action == "remove" else 0):
        raise UsageError(
            f"serve token {action}: expected {'the id of a token' if action == 'remove' else 'nothing further'}"
        )
    if action == "add":
        return _add(options)
    if action == "remove":
        gone = tokens.remove(rest[0])
        output.words(f"{gone.id} is taken out: nobody is let in by it any more")
        return 0
    known = [each.to_json() for each in tokens.every()]
    for each in known:
        del each["sha256"]
    if options.json:
        output.data(known)
        return 0
    heads = ("id", "role", "user", "project", "team", "agent", "created_at")
    if known:
        output.table(heads, [[_cell(each[head]) for head in heads] for each in known], ("created_at", "agent"))
    else:
        output.words("there is no token; `casebook serve token add --user NAME` makes one")
    return 0


def _add(options: Namespace) -> int:
    from casebook.adapters.http import tokens
    from casebook.adapters.identity import Caller
    from casebook.conditions.fold import nfc
    from casebook.runtime.answer.isolation import Principal

    if not options.user:
        raise UsageError("serve token add: expected --user NAME, for whom the token stands")
    project, agent = (nfc(each) if each else None for each in (options.project, options.agent))
    principal = Principal(
        nfc(options.user), project, frozenset(nfc(each) for each in options.team or () if each), agent
    )
    caller = Caller(principal, options.role or "reporter")
    try:
        token, text = tokens.add(caller, clock_of(options, ())())
    except CasebookError as error:
        if type(error) is CasebookError:
            raise UsageError(f"serve token add: --{error}") from None
        raise
    if options.json:
        output.data({"id": token.id, "token": text, "role": caller.role, "user": principal.user})
        return 0
    output.line(text)
    output.words(f"the token {token.id} stands for {principal.user}, as {caller.role}; it is not shown again")
    return 0


def _cell(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _refuse(options: Namespace, what: str, names: tuple[str, ...]) -> None:
    for name in names:
        if getattr(options, name) is not None:
            raise UsageError(f"{what}: --{name} is of `serve token add`")
