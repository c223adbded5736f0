"""`casebook list`: the cases, or the memories, one a line, filtered."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, roots, store_of
from casebook.faults import nearest

if TYPE_CHECKING:
    from datetime import datetime

    from casebook.case import LoadedCase
    from casebook.scope import Scope

EPILOG = """\
examples:
  casebook list --effect block
  casebook list --tag shell --json
  casebook list --memories --tier L3
  casebook list --memories --user ann"""

OWNERS = ("user", "project", "team", "agent")
"""Whom a scope may name."""
_CORRECTION = 100
"""Columns of a correction, where no terminal says how many there are; `--json` and `show` give it whole."""


def arguments(parser: Parser) -> None:
    """Add the filters, and what is listed."""
    parser.add_argument("--memories", action="store_true", help="list the memories instead of the cases")
    group = parser.add_argument_group("filters, each may be repeated")
    group.add_argument("--status", action="append", metavar="STATUS", help="active, draft, disabled or archived")
    group.add_argument("--effect", action="append", metavar="EFFECT", help="advise, confirm or block")
    group.add_argument("--tag", action="append", metavar="TAG", help="with this tag")
    group.add_argument("--tier", action="append", metavar="TIER", help="of memories: L1, L2 or L3")
    group.add_argument("--kind", action="append", metavar="KIND", help="of memories: preference, decision, …")
    for name in OWNERS:
        group.add_argument(f"--{name}", action="append", metavar=name.upper(), help=f"whose scope names this {name}")
    group.add_argument("--layer", action="append", metavar="LAYER", help="of this layer")


def run(options: Namespace) -> int:
    """List what serves; what does not is counted on stderr."""
    if options.memories or options.tier or options.kind:
        from casebook.adapters.cli.listing_memories import listed

        if options.effect:
            raise UsageError("list: --effect is about cases, and memories have none")
        return listed(options)
    from casebook.case import Effect, Status

    _refuse_unknown("--status", options.status, get_args(Status))
    _refuse_unknown("--effect", options.effect, get_args(Effect))
    snapshot = store_of(options).snapshot()
    now = clock_of(options, roots(options))()
    _refuse_unknown("--layer", options.layer, {each.layer for each in snapshot.cases.values()} - {""})
    chosen = [each for each in snapshot.cases.values() if _wanted(each, options)]
    if options.json:
        output.data([_form(each, now) for each in chosen])
    elif chosen:
        _print(chosen, now)
    if not options.json:
        near = nearest_owner(options, [each.case.scope for each in snapshot.cases.values()]) if not chosen else ""
        output.words(f"{output.counted(len(chosen), 'case')} of {len(snapshot.cases):,}{near}")
    if "archived" in (options.status or ()):
        archives = ", ".join(output.flat(each.place("archive")) for each in roots(options))
        output.words(
            f"`casebook archive` moves cases to {archives}: they are not listed; `casebook restore ID` brings one back"
        )
    errors = sum(fault.severity == "error" for fault in snapshot.faults)
    if errors:
        output.words(
            f"{output.counted(errors, 'fault')}: what they are about is not listed; `casebook check` tells them"
        )
    return 0


def _refuse_unknown(option: str, given: Sequence[str] | None, known: Sequence[str] | set[str]) -> None:
    for each in given or ():
        if each not in known:
            near = nearest(each, known)
            hint = (
                f"did you mean {near}?"
                if near
                else f"expected one of {', '.join(sorted(known))}"
                if known
                else "there is none"
            )
            raise UsageError(f"list: {option} {each}: {hint}")


def _wanted(loaded: LoadedCase, options: Namespace) -> bool:
    case = loaded.case
    return (
        (not options.status or case.status in options.status)
        and (not options.effect or case.effect in options.effect)
        and (not options.layer or loaded.layer in options.layer)
        and is_of(case.scope, options)
        and (not options.tag or any(tag in case.tags for tag in options.tag))
    )


def is_of(scope: Scope, options: Namespace) -> bool:
    """Say whether a scope names one of the users, projects, teams and agents that were asked for."""
    from casebook.conditions.fold import nfc
    from casebook.runtime.memory_arguments import names_of

    return all(
        nfc(scope.named.get(name, "")) in names_of(f"--{name}", given)
        for name in OWNERS
        if (given := getattr(options, name)) is not None
    )


def nearest_owner(options: Namespace, scopes: Iterable[Scope]) -> str:
    """Give a hint at the nearest name that there is, where somebody was asked for whom no scope names; else nothing."""
    named = [each.named for each in scopes]
    for name in OWNERS:
        known = {each[name] for each in named if name in each}
        for given in getattr(options, name) or ():
            if given not in known and (near := nearest(given, known)):
                return f"; did you mean --{name} {near}?"
    return ""


def _form(loaded: LoadedCase, now: datetime) -> dict[str, Any]:
    case = loaded.case
    return {
        "id": case.id, "type": case.type, "status": case.status, "expired": is_expired(loaded, now), "effect": case.effect, "priority": case.priority,
        "on": list(case.on), "scope": case.scope.named, "tags": list(case.tags), "correction": case.correction,
        "layer": loaded.layer, "path": loaded.path, "line": loaded.line, "version": loaded.version,
    }  # fmt: skip


def is_expired(loaded: LoadedCase, now: datetime) -> bool:
    """Say whether a case is silent for good at an instant, for its time is over."""
    return loaded.expires is not None and loaded.expires <= now


def _print(chosen: Sequence[LoadedCase], now: datetime) -> None:
    """Print the table; columns in which nothing stands are left out."""
    columns: dict[str, list[str]] = {
        "id": [each.id for each in chosen],
        "status": [each.case.status + (", expired" if is_expired(each, now) else "") for each in chosen],
        "effect": [each.case.effect for each in chosen],
        "prio": [str(each.case.priority) for each in chosen],
        "on": [",".join(each.case.on) for each in chosen],
        "scope": [" ".join(f"{key}={name}" for key, name in each.case.scope.named.items()) for each in chosen],
        "layer": [each.layer for each in chosen],
        "tags": [",".join(each.case.tags) for each in chosen],
        "correction": [each.case.correction for each in chosen],
    }
    kept = {head: cells for head, cells in columns.items() if any(cells)}
    spare = ("tags", "on", "scope", "prio", "layer", "status")
    output.table(list(kept), zip(*kept.values(), strict=True), spare, most=_CORRECTION)
