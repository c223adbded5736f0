"""The desk of a command that judges or changes cases: the casebook, its journal, and who sits there."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError
from casebook.adapters.cli.place import clock_of, folder_store, roots, store_of
from casebook.faults import CasebookError

if TYPE_CHECKING:
    from casebook.adapters.cli.place import Root
    from casebook.case import LoadedCase
    from casebook.runtime.review.review import Review

CHARS = 64
"""Characters of a name given with `--by`."""


def by_argument(parser: Parser) -> None:
    """Add `--by`."""
    parser.add_argument("--by", metavar="NAME", help="who says so (the user of the operating system)")


def doer_argument(parser: Parser) -> None:
    """Add `--by` of a command that changes cases, which an agent may do."""
    parser.add_argument(
        "--by", metavar="NAME", help="who does it; agent:NAME for an agent (the user of the operating system)"
    )


def because_argument(parser: Parser) -> None:
    """Add `--because`."""
    parser.add_argument("--because", metavar="TEXT", default="", help="why; kept in the audit log")


def actor_of(options: Namespace, *, judges: bool = False) -> str:
    """Give who acts, as the audit log names them: `person:NAME`, or `agent:NAME` where `--by` says so.

    Args:
        options: what was typed.
        judges: whether it is a judgment, which an agent cannot make.

    Raises:
        UsageError: the name is none, or is an agent's where a person judges.
    """
    given = getattr(options, "by", None)
    name = _user() if given is None else given.strip()
    kind, colon, rest = name.partition(":")
    kind, name = (kind, rest) if colon and kind in ("person", "agent") else ("person", name)
    if not name or len(name) > CHARS or not name.isprintable():
        raise UsageError(f"--by: expected a name of at most {CHARS} characters, got {given!r}")
    if judges and kind == "agent":
        raise UsageError(f"--by {given}: expected a person's name: an agent does not judge")
    return f"{kind}:{name}"


def _user() -> str:
    """Give the name of the operating system's user."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name in the environment, and none for the number
        return "somebody"


@contextmanager
def desk(options: Namespace, *, judges: bool = False) -> Iterator[Review]:
    """Give the desk of the casebook that a command is about, and close it.

    Raises:
        UsageError, StoreError: there is no casebook, or its journal cannot be opened.
    """
    from casebook.runtime.journal.opening import open_journal
    from casebook.runtime.opening import folder_of
    from casebook.runtime.review.review import Review

    actor = actor_of(options, judges=judges)
    places = roots(options)
    clock = clock_of(options, places)
    store = store_of(options)
    folder = folder_of(store) or places[0].path
    with closing(open_journal(folder, clock)) as journal, closing(store):
        output.several(f"warning: {each}" for each in journal.troubles)
        yield Review(journal, store, clock, actor)


@contextmanager
def further(options: Namespace, *, judges: bool = False) -> Iterator[tuple[tuple[Root, Review], ...]]:
    """Give a desk for each layer but the first: its own cases, and its own journal.

    Of a layer that has no journal none is made where nobody judges.

    Raises:
        UsageError, StoreError: there is no casebook, or its journal cannot be opened.
    """
    from casebook.runtime.journal.opening import memory_journal, open_journal
    from casebook.runtime.review.review import Review

    actor = actor_of(options, judges=judges)
    places = roots(options)
    clock = clock_of(options, places)
    with ExitStack() as stack:
        found: list[tuple[Root, Review]] = []
        for root in places[1:]:
            known = judges or (root.path / ".casebook" / "journal.db").exists()
            journal = stack.enter_context(closing(open_journal(root.path, clock) if known else memory_journal(clock)))
            store = stack.enter_context(closing(folder_store(root, clock)))
            found.append((root, Review(journal, store, clock, actor)))
        yield tuple(found)


def journaled(
    options: Namespace, action: str, changes: Iterable[tuple[LoadedCase | None, LoadedCase | None]], **said: str
) -> Mapping[str, int]:
    """Note in the journal what a command has changed; where that cannot be, say so, for the change itself is made.

    Args:
        options: what was typed.
        action: what was done, such as `edit`.
        changes: for each case how it was and how it is.
        said: what else is to be kept, such as the reason.

    Returns:
        The number of the entry in the audit log, by the id that the case had before; nothing for one that did not change.
    """
    from casebook.runtime.journal.opening import open_journal
    from casebook.runtime.journal.versions import Changed, several_changed

    try:
        places = roots(options)
        clock = clock_of(options, places)
        with closing(open_journal(places[0].path, clock)) as journal:
            before = journal.entries(limit=1)
            noted = [Changed(*each) for each in changes]
            several_changed(journal, clock, actor_of(options), action, noted, **said)
            subjects = {each.subject for each in noted}
            new = journal.entries(actions=(action,), after=before[-1].seq if before else 0)
            return {each.subject: each.seq for each in new if each.subject in subjects}
    except (CasebookError, UsageError) as error:
        output.words(f"warning: the audit log does not have this change: {error}")
        return {}


def taken_back(number: int | None) -> str:
    """Say how a change is taken back, by the number of its entry; nothing where the log does not have it."""
    return f" (#{number}; `casebook review undo {number}` takes it back)" if number is not None else ""
