"""The moves of a job are made: each is written down before the memory is touched, and doing it all again completes what was cut short."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, cast

from casebook.faults import CasebookError, NotFoundError, StoreError
from casebook.memory import Memory
from casebook.policy import JobName
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.runtime.upkeep.facts import AGED, extra
from casebook.runtime.upkeep.protocol import Desk, Move, MoveKind
from casebook.stores.memory_store import Change, Placed, UnwritableError
from casebook.yielding import let_in

ACTOR = "upkeep"
ARCHIVE = "archive"
"""Where a move leads that takes a memory out of the tiers, in an entry's `to`."""

CHUNK = 500
"""Moves that are made at once at most: the files' lock is let go in between."""
FILES = 16
"""Files that one chunk touches at most (ours: each is written anew, and synced)."""

DETAILED = 2000
"""Moves of a run that are told with their memories before and after; the audit log has those of all."""

_REFUSED = "refused"
"""What becomes of a move whose file may not be written."""

Pause = Callable[[], None]


@dataclass(slots=True)
class Tally:
    """What was done so far.

    Attributes:
        done: the moves that were made, or would be.
        conflicts: ids of memories that were not moved.
        refused: ids of memories whose file may not be written; they stay as they are, and the next run looks at them again.
        troubles: what went wrong.
        completed: how many moves an earlier run had written down and not made.
        is_whole: whether it came to its end; else the next run looks at the last chunk again.
    """

    done: list[Move] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    completed: int = 0
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class _Written:
    """A move with its entry."""

    move: Move
    entry: Entry


def apply(desk: Desk, job: JobName, moves: Iterable[Move], *, dry: bool, pause: Pause, tally: Tally) -> None:
    """Make the moves that a job gives, as it gives them, a chunk at a time.

    A merge's remaining memory must come before those that go into it: where it cannot be changed, they stay.

    Args:
        desk: the casebook, as the job sees it.
        job: its name.
        moves: what is due.
        dry: whether nothing is written.
        pause: called between two chunks.
        tally: takes what was done.
    """
    began: Entry | None = None
    detailed = max(DETAILED, len(tally.done))
    try:
        for chunk in _chunks(desk, moves):
            written = [_Written(move, entry_of(desk, job, move)) for move in chunk]
            written = [each for each in written if each.move.kind not in ("ask", "note") or _is_new(desk, each.entry)]
            if dry:
                tally.done += [each.move for each in written]
            elif written:
                marks: list[Entry] = []
                if began is None and any(_touches(each.move) for each in written):
                    began = _began(desk, job)
                    marks.append(began)
                _make(desk, job, written, marks, tally)
            if len(tally.done) > DETAILED:
                tally.done[detailed:] = [replace(each, before=None, after=None) for each in tally.done[detailed:]]
            detailed = max(DETAILED, len(tally.done))
            pause()
        if began is not None:
            desk.journal.append((_ended(desk, job, began),))
    except (StoreError, CasebookError) as error:
        tally.troubles.append(str(error))
        tally.is_whole = False


def complete(desk: Desk, job: JobName, tally: Tally, *, pause: Pause) -> bool:
    """Make the moves that a run of this job wrote down and did not come to make; say whether there was such a run.

    Raises:
        StoreError: the journal or a store cannot be read or written.
    """
    marks = desk.journal.entries(subject=_mark(job), actions=("began", "ended"), limit=1)
    if not marks or marks[-1].action == "ended":
        return False
    began = marks[-1]
    entries = [
        each
        for each in desk.journal.entries(actions=("move", "skip"), after=max(began.seq - 1, 0))
        if each.body.get("job") == job and each.actor == ACTOR
    ]
    skipped = {str(each.body.get("entry")) for each in entries if each.action == "skip"}
    held = desk.store.snapshot().memories
    pending = [
        _Written(move_of(each), each)
        for each in entries
        if each.action == "move" and each.id not in skipped and _is_pending(desk, each, held)
    ]
    for at in range(0, len(pending), CHUNK):
        before = len(tally.done)
        _change(desk, job, pending[at : at + CHUNK], tally)
        tally.completed += len(tally.done) - before
        pause()
    desk.journal.append((_ended(desk, job, began),))
    return True


def entry_of(desk: Desk, job: JobName, move: Move) -> Entry:
    """Give the line of the audit log of a move."""
    placed = desk.memories.memories.get(move.subject)
    if move.kind == "ask":
        body: dict[str, Any] = {
            "reason": move.reason, "why": move.why, "rule": move.rule, "job": job, "proposal": dict(move.proposal),
            "others": list(move.others),
        }  # fmt: skip
        if placed is not None:
            body["memory"] = {"file": placed.path, "kind": placed.memory.kind}
        name = f"ask:{move.reason}:{move.subject}:{move.key}"
        return Entry(name, desk.now, ACTOR, "queue", move.subject, body=body)
    if move.kind == "note":
        said = {"job": job, "rule": move.rule, "why": move.why, "others": list(move.others)}
        return Entry(f"note:{job}:{move.subject}:{move.key}", desk.now, ACTOR, "note", move.subject, body=said)
    before, after = _json(move.before), _json(move.after)
    body = {
        "job": job, "kind": move.kind, "rule": move.rule, "why": move.why, "before": before, "after": after,
        "from": "" if placed is None else placed.path, "to": _to(move, placed), "reason": move.reason,
        "others": list(move.others),
    }  # fmt: skip
    known = json.dumps([before, after, move.key, desk.now.isoformat()], ensure_ascii=True, sort_keys=True)
    name = f"move:{job}:{move.subject}:{sha256(known.encode()).hexdigest()[:16]}"
    return Entry(name, desk.now, ACTOR, "move", move.subject, body=body)


def move_of(entry: Entry) -> Move:
    """Give the move that an entry tells of. Raises UnfitMemoryError where a memory in it is none (of a newer release)."""
    body = entry.body
    return Move(
        kind=cast("MoveKind", str(body.get("kind"))),
        subject=entry.subject,
        rule=str(body.get("rule")),
        why=str(body.get("why")),
        before=memory_in(body, "before"),
        after=memory_in(body, "after"),
        reason=str(body.get("reason", "")),
        others=tuple(map(str, body.get("others") or ())),
    )


def memory_in(body: Mapping[str, Any], name: str) -> Memory | None:
    """Give the memory that an entry's body holds, or None. Raises UnfitMemoryError."""
    form = body.get(name)
    return None if form is None else Memory.from_json(form)


def _make(desk: Desk, job: JobName, written: Sequence[_Written], marks: Sequence[Entry], tally: Tally) -> None:
    """Write a chunk down, then do it."""
    fresh = desk.journal.append([*marks, *(each.entry for each in written)])[len(marks) :]
    asked = {each.entry.id for each, is_new in zip(written, fresh, strict=True) if is_new}
    first = len(tally.done)
    tally.done += [each.move for each in written if not _touches(each.move) and each.entry.id in asked]
    _change(desk, job, [each for each in written if _touches(each.move)], tally)
    order = {id(each.move): at for at, each in enumerate(written)}
    tally.done[first:] = sorted(tally.done[first:], key=lambda move: order[id(move)])


def _change(desk: Desk, job: JobName, written: Sequence[_Written], tally: Tally) -> None:
    """Change the memories and cases of moves that are written down; those that stay in the tiers first."""
    staying = [each for each in written if each.move.after is not None]
    leaving = [each for each in written if each.move.after is None and each.move.kind != "archive_case"]
    failed: list[tuple[_Written, str]] = []
    _change_some(desk, staying, tally, failed)
    lost = {*tally.conflicts, *tally.refused, *(each.move.subject for each, _ in failed)}
    kept: list[_Written] = []
    for each in leaving:
        if each.move.kind == "merge" and not lost.isdisjoint(each.move.others):
            failed.append((each, "kept"))
        else:
            kept.append(each)
    _change_some(desk, kept, tally, failed)
    for each in written:
        if each.move.kind == "archive_case":
            _archive_case(desk, each, tally, failed)
    if failed:
        tally.conflicts += [each.move.subject for each, became in failed if became != _REFUSED]
        tally.refused += [each.move.subject for each, became in failed if became == _REFUSED]
        desk.journal.append([_skip(desk, job, each.entry, became) for each, became in failed])


def _change_some(desk: Desk, written: Sequence[_Written], tally: Tally, failed: list[tuple[_Written, str]]) -> None:
    if not written:
        return
    changes = [Change(each.move.before, each.move.after, _reason(each.move), _path(each)) for each in written]
    try:
        several = desk.store.change(changes, desk.now)
    except UnwritableError as error:
        files: dict[str, list[_Written]] = {}
        for each in written:
            placed = desk.memories.memories.get(each.move.subject)
            files.setdefault("" if placed is None else placed.path, []).append(each)
        if len(files) == 1:
            _note_refused(desk, written, tally, failed, str(error))
        else:
            for some in files.values():  # one file that is closed keeps nothing of the others
                _change_some(desk, some, tally, failed)
        return
    for each, became in zip(written, several, strict=True):
        if became in ("done", "same"):
            tally.done.append(each.move)
        else:
            failed.append((each, became))


def _note_refused(
    desk: Desk, written: Sequence[_Written], tally: Tally, failed: list[tuple[_Written, str]], why: str
) -> None:
    """Tell of moves out of or within a file that may not be written; what was written elsewhere before that was found is done."""
    tally.troubles.append(why)
    held = desk.store.snapshot().memories
    for each in written:
        if _is_pending(desk, each.entry, held):
            failed.append((each, _REFUSED))
        else:
            tally.done.append(each.move)


def _archive_case(desk: Desk, each: _Written, tally: Tally, failed: list[tuple[_Written, str]]) -> None:
    try:
        desk.cases.archive(each.move.subject, reason=_reason(each.move))
    except NotFoundError:
        failed.append((each, "missing"))
    else:
        tally.done.append(each.move)


def _is_pending(desk: Desk, entry: Entry, held: Mapping[str, Placed]) -> bool:
    """Say whether a move that was written down was not made: nothing shows it, and what it was about is still there."""
    if entry.body.get("kind") == "archive_case":
        return entry.subject in desk.cases.snapshot().cases
    placed = held.get(entry.subject)
    if placed is None:
        return False  # it went, as it was to, or somebody took it away
    try:
        after = memory_in(entry.body, "after")
    except CasebookError:
        return False
    now = placed.memory
    if after is None:
        return since_unchanged(now, entry.body.get("before"))
    steps = {json.dumps([step.rule, extra(step).get("at")]) for step in now.rule_chain}
    last = after.rule_chain[-1] if after.rule_chain else None
    if last is not None and extra(last).get("at") is not None:
        return json.dumps([last.rule, extra(last).get("at")]) not in steps
    return since_unchanged(now, entry.body.get("before"))


def since_unchanged(memory: Memory, before: object) -> bool:
    """Say whether a memory stands in its tier since when it did before: it was neither moved nor brought back in the meantime."""
    form = before if isinstance(before, Mapping) else {}
    held = memory.to_json()
    return all(held.get(name) == form.get(name) for name in ("tier", "tier_since", "created_at"))


def _touches(move: Move) -> bool:
    return move.kind not in ("ask", "note")


def _is_new(desk: Desk, entry: Entry) -> bool:
    return desk.journal.entry(entry.id) is None


def _chunks(desk: Desk, moves: Iterable[Move]) -> Iterator[list[Move]]:
    """Cut moves, which come file by file, into chunks of few files."""
    chunk: list[Move] = []
    paths: set[str] = set()
    for move in moves:
        let_in()
        placed = desk.memories.memories.get(move.subject)
        path = "" if placed is None else placed.path
        if chunk and (len(chunk) >= CHUNK or (path not in paths and len(paths) >= FILES)):
            yield chunk
            chunk, paths = [], set()
        chunk.append(move)
        paths.add(path)
    if chunk:
        yield chunk


def _json(memory: Memory | None) -> dict[str, Any] | None:
    return None if memory is None else memory.to_json()


def _reason(move: Move) -> str:
    return move.reason or f"{move.rule}: {move.why}"


def _to(move: Move, placed: Placed | None) -> str:
    """Give the file that a move leads to."""
    if move.after is None:
        return ARCHIVE
    if move.kind == "demote":
        return AGED
    if placed is not None and move.before is not None and move.before.tier == move.after.tier:
        return placed.path
    from casebook.stores.memory_homes import home_of

    return home_of(move.after)


def _path(each: _Written) -> str | None:
    """Give the file that a change is to lead to; None leaves it to the store."""
    return AGED if each.move.kind == "demote" and each.move.after is not None else None


def _mark(job: JobName) -> str:
    return f"upkeep:{job}"


def _began(desk: Desk, job: JobName) -> Entry:
    """Give the mark of a run that has something to move; until its `ended` is there, the next run looks what is left of it."""
    last = _last_seq(desk.journal, job)
    name = f"began:{job}:{desk.now.isoformat()}:{last}"
    return Entry(name, desk.now, ACTOR, "began", _mark(job), body={"job": job})


def _last_seq(journal: Journal, job: JobName) -> int:
    marks = journal.entries(subject=_mark(job), actions=("began", "ended"), limit=1)
    return marks[-1].seq if marks else 0


def _ended(desk: Desk, job: JobName, began: Entry) -> Entry:
    return Entry(f"ended:{began.id}", desk.now, ACTOR, "ended", _mark(job), body={"job": job, "began": began.id})


def _skip(desk: Desk, job: JobName, entry: Entry, became: str) -> Entry:
    """Give the entry that says that a move which was written down was not made, for somebody had changed the memory."""
    body = {"job": job, "entry": entry.id, "became": became}
    return Entry(f"skip:{entry.id}", desk.now, ACTOR, "skip", entry.subject, body=body)
