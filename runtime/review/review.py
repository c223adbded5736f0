"""The desk at which a casebook is judged: what every judgment, look and undoing is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casebook.case import Case, LoadedCase
from casebook.clock import Clock
from casebook.faults import NotFoundError, nearest
from casebook.runtime.answer.activation import activation_id
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import Entry
from casebook.stores.protocol import Store

if TYPE_CHECKING:
    from casebook.stores.memory_folder import FolderMemories
    from casebook.stores.memory_store import Placed


@dataclass(frozen=True, slots=True)
class Review:
    """A casebook, its journal, and who sits before them.

    Attributes:
        journal: what happened, and where every judgment goes.
        store: the cases.
        clock: gives the present instant, aware.
        actor: who judges, as in `Entry.actor`: `person:NAME` or `agent:NAME`.
    """

    journal: Journal
    store: Store
    clock: Clock
    actor: str

    def case(self, case_id: str) -> LoadedCase | None:
        """Give a case as it serves now, or None."""
        return self.store.snapshot().cases.get(case_id)

    def memory(self, memory_id: str) -> Placed | None:
        """Give a memory of the casebook of this journal as it stands now, or None."""
        store = memories_of(self.store)
        return None if store is None else store.snapshot().memories.get(memory_id)

    def found(self, case_id: str) -> LoadedCase:
        """Give a case as it serves now.

        Raises:
            NotFoundError: there is none of this id; the nearest is named, and of one that does not serve it is said so.
        """
        loaded = self.case(case_id)
        if loaded is None:
            raise self.missing(case_id)
        return loaded

    def missing(self, case_id: str) -> NotFoundError:
        """Give the error for a case that does not serve."""
        snapshot = self.store.snapshot()
        at_fault = {fault.case for fault in snapshot.faults if fault.case}
        if case_id in at_fault:
            return NotFoundError(f"{case_id} does not serve: `casebook check` says why")
        if told := self._once(case_id):
            return NotFoundError(told)
        near = nearest(case_id, {*snapshot.cases, *at_fault})
        return NotFoundError(f"there is no case {case_id!r} here" + (f"; did you mean {near}?" if near else ""))

    def _once(self, case_id: str) -> str:
        """Say what an id was of which there is no case: words of a user, or a case that somebody took out; else nothing."""
        entries = self.journal.entries(subject=case_id)
        if any(each.action == "queue" and each.body.get("reason") == "feedback" for each in entries):
            return f"{case_id} is a user's words, and no case: `casebook review approve` or `casebook review reject` judges them"
        last = next((each for each in reversed(entries) if "after" in each.body), None)
        if last is None or last.body["after"]:
            return ""
        back = f"`casebook restore -- {case_id}`" if case_id.startswith("-") else f"`casebook restore {case_id}`"
        return f"{case_id} does not serve: #{last.seq} {last.action} took it out; {back} brings it back"

    def line(self, action: str, subject: str, signature: str | None, body: Mapping[str, Any]) -> Entry:
        """Make a line of the audit log, dated now, with an id of its own. It is not written."""
        now = self.clock()
        return Entry(f"{action}:{subject}:{activation_id(now)}", now, self.actor, action, subject, signature, body)

    def written(self, entry: Entry) -> Entry:
        """Write a line and give it as the journal keeps it, its number included. Raises StoreError."""
        self.journal.append((entry,))
        return self.journal.entry(entry.id) or entry


def bring(store: Store, case_id: str, form: Mapping[str, Any], place: str = "") -> LoadedCase | None:
    """Bring a case to a content, in the span of its own text, and give it as it serves then.

    Args:
        store: where.
        case_id: which case; one that is not there is put there.
        form: the whole case as JSON.
        place: the file for one that is not there.

    Raises:
        StoreError: the store refuses it, or somebody changed the case in this moment.
        CaseError: the form is no case.
    """
    made = Case.from_json(dict(form))
    loaded = store.snapshot().cases.get(case_id)
    if loaded is None:
        store.put(made, file=place or None)
    else:
        gone = [name for name in loaded.case.to_json() if name not in form]
        store.edit(case_id, form, remove=gone, if_version=loaded.version)
    return store.snapshot().cases.get(case_id)


def memories_of(store: Store) -> FolderMemories | None:
    """Give the memories of the casebook whose journal is the store's, or None where it keeps none."""
    from casebook.runtime.opening import folder_of, layer_of
    from casebook.stores.memory_folder import FolderMemories

    folder = folder_of(store)
    if folder is None:
        return None
    return FolderMemories(folder, layer=layer_of(store) or "", zone=store.snapshot().policy.timezone)


def signature_of(loaded: LoadedCase | None) -> str | None:
    """Give the signature of the error that a case answers, or None."""
    source = None if loaded is None else loaded.case.source
    return None if source is None else source.signature
