"""`casebook review`: what waits for a person, and the person's word on it; every judgment is journaled and can be undone."""

from __future__ import annotations

import shlex
from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from casebook.adapters.cli import output
from casebook.adapters.cli.arguments import Parser, UsageError, as_argument, pairs
from casebook.adapters.cli.desk import because_argument, by_argument, desk, further
from casebook.adapters.cli.newest import limit_of, newest
from casebook.adapters.cli.trust_told import unapproved_told
from casebook.faults import nearest

if TYPE_CHECKING:
    from casebook.adapters.cli.place import Root
    from casebook.runtime.journal.records import Entry
    from casebook.runtime.review.judging import Judged
    from casebook.runtime.review.queue import Item
    from casebook.runtime.review.review import Review

EPILOG = """\
  list                  what waits, the longest waiting first (also without a word)
  approve ID…           it is right: a draft becomes active, what is proposed is applied
  reject ID…            it is not: the case goes to the archive, and its error makes no new one for a while
                        (`detector.tombstone`, 90 days);
                        of a mere proposal for a case that serves, the proposal is refused and the case stays
  edit ID FIELD=VALUE…  it is right so; a correction that you write is your own, and a draft becomes active
  undo [ENTRY]          take a judgment or another change back: that of this number, else the last one of any kind that a
                        person made (also edit, add, archive, restore, revert, mute, wrong)
  log                   the audit log: who did what to which case

examples:
  casebook review
  casebook review approve err-0a1b2c3d4e5f --quoted
  casebook review edit err-0a1b2c3d4e5f correction="Look the user up by e-mail first."
  casebook review reject err-0a1b2c3d4e5f --because "the service was down"
  casebook review undo"""

ACTIONS = ("list", "approve", "reject", "edit", "undo", "log")

_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "list": ("all",), "approve": ("because", "by", "quoted"), "reject": ("because", "by"),
    "edit": ("because", "by", "unset"), "undo": ("by",), "log": ("all", "case", "limit"),
}  # fmt: skip
_NONE: Mapping[str, Any] = {
    "all": False, "because": "", "by": None, "quoted": False, "unset": None, "case": None, "limit": None,
}  # fmt: skip
LOG_LINES = 50
"""Entries of the audit log that are told without `--limit`."""


def arguments(parser: Parser) -> None:
    """Add what to do, with what, and how."""
    parser.add_argument("action", metavar="ACTION", nargs="?", default="list", help=", ".join(ACTIONS))
    parser.add_argument("rest", metavar="ID", nargs="*", help="the cases; of edit the case and FIELD=VALUE")
    parser.add_argument(
        "--all",
        action="store_true",
        help="list: what was judged already, too; log: the lines too that the casebook writes for itself",
    )
    parser.add_argument(
        "--quoted",
        action="store_true",
        help="approve: the correction stays quoted as the agent's or the detector's, and is not yours",
    )
    parser.add_argument("--unset", metavar="FIELD", action="append", help="edit: take a field out; may be repeated")
    because_argument(parser)
    by_argument(parser)
    parser.add_argument("--case", metavar="ID", help="log: of this case alone")
    parser.add_argument("--limit", metavar="N", type=int, help=f"log: the newest so many ({LOG_LINES})")


def run(options: Namespace) -> int:
    """Do it."""
    action: str = options.action
    if action not in ACTIONS:
        raise UsageError(f"review: expected one of {', '.join(ACTIONS)}, got {action!r}{_meant(action)}")
    for name, none in _NONE.items():
        if getattr(options, name) != none and name not in _OPTIONS[action]:
            raise UsageError(f"review {action}: --{name.replace('_', '-')} says nothing here")
    return _RUNS[action](options)


def _meant(action: str) -> str:
    """Say what was meant perhaps by an action that is none: one of another name, or a command of its own."""
    from casebook.adapters.cli.commands import COMMANDS, ELSEWHERE

    if near := nearest(action, ACTIONS):
        return f"; did you mean {near}?"
    command = ELSEWHERE.get(action, action)
    if command.partition(" ")[0] in COMMANDS:
        return f"; did you mean `casebook {command}`?"
    return ""


def _list(options: Namespace) -> int:
    from casebook.adapters.cli.review_texts import item_json, item_lines, waits_words
    from casebook.runtime.review.queue import queue

    _refuse_rest(options, 0)
    with desk(options) as first, further(options) as others:
        found: list[tuple[Review, Sequence[Item]]] = [(first, queue(first, everything=options.all))]
        found += [(each, _own(first, layer, each, everything=options.all)) for layer, each in others]
        items = [item for _, waiting in found for item in waiting]
        told = [
            (item, review, counts)
            for review, waiting in found
            for counts in [review.journal.signatures() if waiting else {}]
            for item in waiting
        ]
        if options.json:
            output.data([item_json(*each) for each in told])
            return 0
        for each in told:
            for line in item_lines(*each):
                output.line(line)
    waits = [each for each in items if each.answer is None and not each.is_moot]
    output.words(f"{waits_words(waits)} for a person" if waits else "nothing waits")
    return 0


def _own(first: Review, layer: Root, review: Review, *, everything: bool) -> Sequence[Item]:
    """Give what waits in the journal of a further layer: its own cases that serve, its memories, and users' words."""
    from casebook.runtime.review.queue import queue, waiting

    serves = first.store.snapshot().cases
    return [
        each
        for each in queue(review, everything=everything)
        if each.is_words
        or each.is_memory
        or (
            each.subject in serves
            and serves[each.subject].layer == layer.layer
            and (each.answer is not None or waiting(first, each.subject) is None)
        )
    ]


def _seat(first: Review, others: Sequence[tuple[Root, Review]], subject: str) -> tuple[Review, Root | None]:
    """Give the desk at which a case is judged: where it waits in the first layer's journal there, else its own layer's."""
    from casebook.runtime.review.queue import waiting

    if not others or waiting(first, subject) is not None:
        return first, None
    loaded = first.case(subject)
    for layer, review in others:
        if loaded.layer == layer.layer if loaded is not None else waiting(review, subject) is not None:
            return review, layer
    return first, None


def _approve(options: Namespace) -> int:
    from casebook.runtime.review.judging import approve

    def judge(review: Review, subject: str) -> Judged:
        return approve(review, subject, as_person=not options.quoted, because=options.because)

    return _each(options, judge)


def _reject(options: Namespace) -> int:
    from casebook.runtime.review.judging import reject

    return _each(options, lambda review, subject: reject(review, subject, because=options.because))


def _each(options: Namespace, judge: Any) -> int:
    """Judge each of the ids; an unknown one among them, and none is judged."""
    from casebook.runtime.review.judging import unknown
    from casebook.runtime.review.queue import waiting

    if not options.rest:
        raise UsageError(f"review {options.action}: expected the id of a case")
    told = []
    with desk(options, judges=True) as first, further(options, judges=True) as others:
        seats = {subject: _seat(first, others, subject) for subject in options.rest}
        for subject, (review, _) in seats.items():
            if review.case(subject) is None and waiting(review, subject) is None:
                raise unknown(review, subject)
        for subject, (review, layer) in seats.items():
            done = judge(review, subject)
            told.append(_judged_json(done))
            if not options.json:
                output.line(_judged_words(done, layer))
    if options.json:
        output.data(told if len(told) > 1 else told[0])
    return 0


def _edit(options: Namespace) -> int:
    from casebook.adapters.cli.edit import changes_of, unset_of
    from casebook.runtime.review.judging import edit

    if not options.rest:
        raise UsageError("review edit: expected the id of a case, and FIELD=VALUE")
    case_id, *given = options.rest
    read = pairs("FIELD")
    try:
        changes = [read(each) for each in given]
    except ArgumentTypeError as error:
        raise UsageError(f"review edit: {error}") from None
    if not changes and not options.unset:
        raise UsageError(f"review edit {case_id}: expected FIELD=VALUE or --unset FIELD")
    if ("status", "archived") in changes:
        raise UsageError(
            f"review edit {case_id}: status=archived: `casebook archive {as_argument(case_id)}` takes a case out of service"
        )
    with desk(options, judges=True) as first, further(options, judges=True) as others:
        review, layer = _seat(first, others, case_id)
        loaded = review.found(case_id)
        done = edit(
            review,
            case_id,
            changes_of(changes, loaded, "review edit"),
            unset_of(options.unset or (), loaded, "review edit"),
            because=options.because,
        )
        faults = [fault for fault in review.store.snapshot().faults if fault.case == done.entry.subject]
    if options.json:
        output.data(_judged_json(done))
    else:
        output.line(_judged_words(done, layer))
    output.several(faults, "`casebook check` tells all")
    output.warned(unapproved_told(options, {done.entry.subject}))
    return 0


def _undo(options: Namespace) -> int:
    from casebook.runtime.review.undoing import last_standing, undo

    _refuse_rest(options, 1)
    with desk(options, judges=True) as first, further(options, judges=True) as others:
        which = options.rest[0] if options.rest else None
        last = [(entry.at, review) for _, review in others if which is None and (entry := last_standing(review))]
        own = last_standing(first) if last else None
        at, review = max(last, key=lambda each: each[0], default=(None, first))
        review = first if own is not None and at is not None and own.at >= at else review
        undone, entry, loaded = undo(review, which)
        stands = _as_it_stands(review, undone, entry)
    if options.json:
        output.data(
            {
                "id": undone.subject, "undone": undone.action, "undone_entry": undone.seq, "entry": entry.seq,
                "status": loaded.case.status if loaded is not None else None,
                "version": loaded.version if loaded is not None else None,
            }
        )  # fmt: skip
    else:
        now = f"it is {loaded.case.status}" if loaded is not None else "it is not in service"
        if "memory" in undone.body:
            now = "it waits again"
        if "memories" in undone.body:
            now = "it waits again" if undone.action in ("approve", "reject") else stands
        lifted = (
            "; its error may make a case again" if undone.action == "reject" and undone.signature is not None else ""
        )
        output.line(f"undone: #{undone.seq} {undone.action} {undone.subject}; {now}{lifted} (#{entry.seq})")
    return 0


def _as_it_stands(review: Review, undone: Entry, entry: Entry) -> str:
    """Say how a memory stands once a change of it was taken back: what came after the change is not undone with it."""
    told = "it is as it was before"
    for former, now in zip(undone.body.get("memories", ()), entry.body.get("memories", ()), strict=False):
        name, before = str(now["id"]), former.get("before")
        if name != former["id"]:
            return f"it is back as {name}, for {former['id']} is another memory's by now"
        placed = review.memory(name)
        if before and placed is not None and placed.memory.tier != before["tier"]:
            tier = before["tier"]
            told += f", but in {placed.memory.tier}, where it was moved since; `casebook edit {as_argument(name)} tier={tier}` moves it to {tier}"
    return told


def _log(options: Namespace) -> int:
    from casebook.adapters.cli.review_texts import entry_json, entry_words

    _refuse_rest(options, 0)
    limit = limit_of(options.limit, LOG_LINES, "review log")
    with desk(options) as review:
        entries = _newest(review, options, limit)
        zone = review.store.snapshot().policy.timezone
        if options.case is not None and not entries and review.case(options.case) is None:
            from casebook.runtime.review.judging import unknown

            raise unknown(review, options.case)
    if options.json:
        output.data([entry_json(each) for each in entries])
        return 0
    for each in entries:
        output.line(entry_words(each, zone))
    if not entries:
        of = f" of {options.case}" if options.case else ""
        output.words(f"the audit log is empty{of}" if options.all else f"nothing was made or judged{of} yet")
    elif len(entries) == limit:
        output.words(f"the newest {limit}; --limit tells more")
    return 0


def _newest(review: Review, options: Namespace, limit: int) -> Sequence[Entry]:
    """Give the newest lines of the log, so many; without `--all` those that make or judge something."""
    from casebook.adapters.cli.review_texts import is_bookkeeping

    return newest(
        lambda asked: review.journal.entries(subject=options.case, limit=asked),
        lambda entry: options.all or not is_bookkeeping(entry),
        limit,
    )


def _refuse_rest(options: Namespace, most: int) -> None:
    if len(options.rest) > most:
        raise UsageError(f"review {options.action}: expected no further argument, got {options.rest[most]!r}")


def _judged_json(done: Judged) -> dict[str, Any]:
    after = done.after
    return {
        "id": done.entry.subject, "action": done.entry.action, "entry": done.entry.seq, "by": done.entry.actor,
        "status": after.case.status if after is not None else None,
        "correction_by": after.case.correction_by if after is not None else None,
        "version": after.version if after is not None else None,
        "waited_for": list(done.item.reasons) if done.item is not None else [],
    }  # fmt: skip


def _judged_words(done: Judged, layer: Root | None = None) -> str:
    """Say what was judged; `layer` is the one whose journal has it, where that is not the first."""
    entry, after = done.entry, done.after
    of = "" if layer is None else f"--dir {shlex.quote(layer.shown)} "
    number = f"(#{entry.seq}; `casebook {of}review undo {entry.seq}` takes it back)"
    waited = "" if done.item is not None else "; nothing of it waited"
    if done.item is not None and done.item.is_memory:
        from casebook.adapters.cli.review_memory_texts import judged_words

        return judged_words(done, number)
    if done.item is not None and done.item.is_words and after is None:
        if entry.action == "approve":
            return f"approved the remark {entry.subject}: it is recalled from now on {number}"
        return f"rejected the remark {entry.subject}: it counts for nothing {number}"
    if entry.action == "reject":
        if entry.body.get("refused"):
            argument = as_argument(entry.subject)
            return f"refused what was proposed for {entry.subject}; the case stays, `casebook archive {argument}` takes it out {number}"
        tombstone = "; its error makes no new case for now" if entry.signature is not None else ""
        return f"rejected {entry.subject}: it is in the archive{tombstone} {number}"
    if after is None:
        return f"{entry.action} {entry.subject} {number}"
    voice = "" if after.case.correction_by == "person" else f"; its correction is quoted ({after.case.correction_by})"
    if after.case.status == "disabled":
        voice += f"; it stays muted, `casebook mute --undo {as_argument(after.id)}` lets it speak"
    done_word = {"approve": "approved", "edit": "edited and approved"}.get(entry.action, entry.action)
    return f"{done_word} {entry.subject}: {after.case.status}, {after.case.effect}{voice}{waited} {number}"


_RUNS = {"list": _list, "approve": _approve, "reject": _reject, "edit": _edit, "undo": _undo, "log": _log}
