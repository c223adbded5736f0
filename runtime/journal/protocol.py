"""The seam of every journal: what is written of a task, and what is asked of the past."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from casebook.runtime.journal.records import ActivationRecord, Arrived, Entry, EventKind, EventRecord, Fired, Version

if TYPE_CHECKING:
    from casebook.memory_facts import Telling
    from casebook.stores.memory_store import Forgetting

Note = Callable[[], tuple[ActivationRecord, tuple[EventRecord, ...], tuple[Version, ...]]]
"""Makes the rows of an activation when they are written, off the path of the task: the activation, the event of its turn if
one begins, and the texts of cases that it refers to. It is called once, on the journal's thread or by
whoever asks the journal first. It must not raise (it is logged and dropped then), nor take a lock within which the journal is asked."""


class Journal(Protocol):
    """What happened in one casebook. Safe from many threads and processes; order is the order of writing.

    Every method raises StoreError where the journal can be neither read nor written, with the reason and the path.
    """

    location: str

    def note(self, make: Note) -> None:
        """Take an activation in memory, to be written within a fraction of a second or by the next `flush`; never waits."""
        ...

    def tell(self, tellings: Iterable[Telling]) -> None:
        """Take what was told in memory, to be written as what `note` takes; never waits. A second of a memory and key counts for nothing."""
        ...

    def flush(self) -> None:
        """Write all that was noted; on disk when it returns."""
        ...

    def record(self, event: EventRecord) -> int | None:
        """Write an event, after all that was noted; on disk when it returns.

        Returns:
            Its seq, or None where an event of this id was there already: nothing is written then. 0 where the journal could not
            be written and the event is kept beside it, on disk, to come in later.
        """
        ...

    def append(self, entries: Iterable[Entry]) -> tuple[bool, ...]:
        """Write entries of the audit log in one transaction; for each whether it was written (False: its id was there)."""
        ...

    def keep(self, versions: Iterable[Version]) -> None:
        """Keep texts of cases; a (case_id, version) that is known stays as it is."""
        ...

    # -- asking; each sees all that this process noted before ------------------------------------------------------------

    def activation(self, activation_id: str) -> ActivationRecord | None:
        """Give an activation, or None."""
        ...

    def activations(
        self,
        *,
        case_id: str | None = None,
        session: str | None = None,
        after: int = 0,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Sequence[ActivationRecord]:
        """Give activations, the newest `limit` of them, in order of arrival: those in which a case fired (in any way), of a session.

        Those with a seq greater than `after`, from `since` on.
        """
        ...

    def arrived(
        self, session: str, user: str | None, *, answers: int, seq: int, is_known: Callable[[str], bool], limit: int
    ) -> Arrived | None:
        """Give what others have written of a session since it was read; for a task, which waits neither for what this process has noted nor while it writes.

        Args:
            session: the session, of whomever its activations are.
            user: whose its events are (None: nobody's).
            answers: the seq of the last activation that was read.
            seq: that of the last event.
            is_known: says whether an activation or event of an id is known: then it is not read.
            limit: at most so many of each, the newest.

        Returns:
            None where it cannot be read soon, for this process is writing: the next task asks again.
        """
        ...

    def event(self, event_id: str) -> EventRecord | None:
        """Give an event, or None."""
        ...

    def events(
        self,
        *,
        session: str | None = None,
        user: str | None = None,
        signature: str | None = None,
        tools: Iterable[str] | None = None,
        kinds: Iterable[EventKind] | None = None,
        activation: str | None = None,
        counted: bool | None = None,
        after: int = 0,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Sequence[EventRecord]:
        """Give events that satisfy all that is named, the newest `limit` of them, in order of arrival.

        Args:
            session: of this session; then `user` names whose (None: nobody's), for one id may be used by two users.
            user: see above; without a session it is not looked at.
            signature: errors of this signature.
            tools: calls of one of these tools.
            kinds: of one of these kinds.
            activation: answers of this activation.
            counted: only what the detector counts, or only what it does not.
            after: with a greater seq.
            since: at this instant or later.
            limit: at most so many, the newest.
        """
        ...

    def entries(
        self,
        *,
        subject: str | None = None,
        signature: str | None = None,
        actions: Iterable[str] | None = None,
        after: int = 0,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Sequence[Entry]:
        """Give entries of the audit log that satisfy all that is named, the newest `limit`, in order of arrival.

        Args:
            subject: about this case or memory.
            signature: about this error.
            actions: of one of these actions.
            after: with a greater seq.
            since: at this instant or later.
            limit: at most so many, the newest.
        """
        ...

    def entry(self, entry_id: str) -> Entry | None:
        """Give an entry, or None."""
        ...

    def versions(self, case_id: str) -> Sequence[Version]:
        """Give the known texts of a case, in order of arrival."""
        ...

    def fired(self, case_id: str) -> Fired:
        """Give how often a case was selected, what is noted and not yet written included."""
        ...

    def signatures(self, *, since: datetime | None = None, user: str | None = None) -> Mapping[str, int]:
        """Give the signatures of counted errors with their numbers; of one user where one is named."""
        ...

    def tellings(
        self, memory_ids: Iterable[str] | None = None, *, since: datetime | None = None
    ) -> Mapping[str, tuple[Telling, ...]]:
        """Give when memories were told, what is noted and not yet written included.

        Args:
            memory_ids: of these memories; None for all.
            since: at this instant or later.

        Returns:
            For each memory that was told, in the order of their ids, its tellings in order of time, of one instant in order of arrival.
        """
        ...

    def told_in(self, key: str) -> tuple[Telling, ...]:
        """Give what an answer (an activation or a recall) told, in order of arrival."""
        ...

    def changes(self) -> int:
        """Give a number that grows when another process, or another journal object, has written; quick (some microseconds).

        While this process is writing it may be what it was before.
        """
        ...

    # -- upkeep --------------------------------------------------------------------------------------------------------------

    def retain(self, before: datetime) -> Mapping[str, int]:
        """Take the words of tasks out of what is older than an instant: facts, texts, args and messages; counts and ids stay.

        Returns:
            How many rows of each table were changed.
        """
        ...

    def drop_tellings(self, memory_ids: Iterable[str]) -> int:
        """Take the tellings of memories that are gone for good; give how many there were."""
        ...

    def drop_entries(self, subjects: Iterable[str]) -> int:
        """Take the entries about memories that are gone for good, which hold their words; give how many there were."""
        ...

    def drop(self, entry_ids: Iterable[str]) -> int:
        """Take entries out that hold nobody's words and that nothing asks for any more, such as old runs; give how many there were."""
        ...

    def concerned(self, what: Forgetting) -> Forgetting:
        """Give what is to be forgotten with the ids of what came of it alone: sessions, memories, cases, signatures.

        Ask before anything is forgotten: what was told of them is gone afterwards. A session is a user's where nobody else is
        named in it; a signature where nobody else had the error; a memory or a case where the audit log tells that its scope
        names the user, or that it was made by them or of their sessions, events or signatures, and that nobody else has given
        it words; and where its last words contain the text.
        """
        ...

    def forget(self, what: Forgetting, *, dry: bool = False) -> Mapping[str, int]:
        """Delete what is of the user or the session, contains the text, or has one of the ids, with what came of it alone.

        Entries and texts of others that name the user or an id, or repeat what only they said, stay without these values. No
        byte of it is left in any file of the journal. A receipt, an entry `forget`, holds counts and instant.

        Args:
            what: what is to be forgotten.
            dry: whether it is only counted.

        Returns:
            How much of what: `activations firings events entries versions tellings rewritten`, and in a folder `copies lines`.

        Raises:
            StoreError: it cannot be done; where somebody reads all the time what is deleted stays so, and doing it again
                completes it.
        """
        ...

    def close(self) -> None:
        """Write what was noted and let go. Closing twice is fine."""
        ...
