"""The memories of a casebook in service: told beside the cases, remembered, found again, distilled, kept up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from casebook.clock import Clock
from casebook.faults import CasebookError, ClosedError
from casebook.forking import guarded
from casebook.policy import JobName, Policy
from casebook.redacting.redact import redact
from casebook.runtime.answer.activation import Activation, Related, activation_id
from casebook.runtime.answer.isolation import Principal, principal_of
from casebook.runtime.answering import Answering
from casebook.runtime.ended import Ended
from casebook.runtime.journal.answered import Answered
from casebook.runtime.past import Past

if TYPE_CHECKING:
    from casebook.faults import Fault
    from casebook.gate.candidate import Candidate
    from casebook.gate.extract import Extract
    from casebook.gate.weigh import Judge
    from casebook.memory import Memory
    from casebook.runtime.journal.protocol import Journal
    from casebook.runtime.memory.kept import Kept
    from casebook.runtime.memory.layers import Layer
    from casebook.runtime.memory.view import Hit, MemoryView
    from casebook.runtime.upkeep.protocol import Desk, Report
    from casebook.stores.memory_store import Placed, Retired
    from casebook.task import Task

RELATED_CHARS = 1_200
"""Characters of the related memories in one answer (ours: less than its cases may take)."""
RECALLED = 5
"""Memories that a recall gives where nothing else is said (ours)."""
_SPARE = 4
"""Times as many memories are looked at, at once, where some may have been said already."""
_ROUNDS = 20
"""Times that it is looked further, past what was said already: of 3 memories a turn, those of 80 turns (ours)."""
_CUTS = 50
"""Marks of cut transcripts that are looked at, the newest."""


class Recollection:
    """The memories of all layers of a runtime. Safe from many threads; nothing is read before it is first needed."""

    def __init__(self, answering: Answering, past: Past, clock: Clock) -> None:
        """Take the casebook in service, its past and the clock."""
        self._answering = answering
        self._past = past
        self._clock = clock
        self._lock = guarded(self, rank=4)
        self._layers: tuple[Layer, ...] | None = None
        self._view: MemoryView | None = None
        self._kept: Journal | None = None
        self._is_closed = False
        self._has_looked = False
        self.extract: Extract | None = None
        self.judge: Judge | None = None

    # -- told beside the cases -----------------------------------------------------------------------------------------

    def told_with(self, answered: Answered, *, counts: bool) -> Activation:
        """Give an answer with the memories that belong to it: related ones as a turn begins, what is standing as a session does.

        Args:
            answered: the answer.
            counts: whether it is told to an agent, and so counted.
        """
        activation, policy = answered.activation, answered.policy
        limits = policy.limits
        most = {"task": limits.max_related, "session_start": policy.tiers.session_chars}.get(activation.point, 0)
        if most == 0 or not self._speaks(answered):
            return activation
        try:
            if activation.point == "session_start":
                return self._with_faults(self._with_opening(answered, counts=counts), answered.task)
            room = min(RELATED_CHARS, limits.max_text - len(activation.prompt) - 1)
            if room <= 0:
                return activation
            return self._with_faults(self._with_related(answered, room, counts=counts), answered.task)
        except CasebookError as error:  # an answer never fails for what stands beside it
            return replace(activation, warnings=(*activation.warnings, f"no memory was told: {error}"))

    def _with_faults(self, activation: Activation, task: Task) -> Activation:
        """Give an answer with what of the memories does not serve, as those of the cases that it has already."""
        found = self._view.faults() if self._view is not None else ()
        if not found:
            return activation
        from casebook.runtime.memory.unserved import unserved

        new = unserved(found, session=task.session, user=task.user)
        return replace(activation, quarantined=tuple(dict.fromkeys((*activation.quarantined, *new))))

    def _speaks(self, answered: Answered) -> bool:
        """Say whether advice may be given at all in this session."""
        if answered.policy.mode in ("off", "shadow"):
            return False
        session, share = answered.task.session, answered.policy.holdout
        if session is None or share <= 0:
            return True
        from casebook.runtime.session.spent import in_holdout

        return not in_holdout(session, share)

    def _with_related(self, answered: Answered, room: int, *, counts: bool) -> Activation:
        activation, policy, task = answered.activation, answered.policy, answered.task
        if self._has_none():
            return activation
        view = self.view()
        if view.is_empty():
            return activation
        from casebook.runtime.memory.related_text import related_section
        from casebook.runtime.memory.searching import query_of

        query = query_of(task, answered.reading.facts)
        if not query:
            return activation
        principal, at, most = principal_of(task), answered.reading.facts.at, policy.limits.max_related
        search = partial(view.search, query, principal, at, wait=False)
        hits = self._unsaid(search, most, task.session) if answered.persists else search(limit=most)
        text, told = related_section(hits, policy, room, redact=partial(redact, patterns=policy.redact))
        if not told:
            return activation
        if counts:
            self._tell(told, activation.id, at, task.session, principal.user)
        prompt = f"{activation.prompt.rstrip()}\n\n{text}" if activation.prompt else text
        return replace(activation, prompt=prompt, related=tuple(map(_related, told)))

    def _has_none(self) -> bool:
        """Say at the first answer of a process, which is the only one of many, that there is nothing to load for."""
        if self._view is not None or self._has_looked:
            return False
        self._has_looked = True
        from casebook.runtime.opening import folders_of
        from casebook.stores.memory_traces import may_hold_memories

        return not any(map(may_hold_memories, folders_of(self._answering.store)))

    def _with_opening(self, answered: Answered, *, counts: bool) -> Activation:
        from casebook.runtime.memory.opening_text import opening_section

        activation, policy, task = answered.activation, answered.policy, answered.task
        view, at = self.view(), answered.reading.facts.at
        reach = view.reachable(principal_of(task), at)
        if not reach:
            return activation
        room = min(policy.tiers.session_chars, policy.limits.max_text - len(activation.prompt) - 1)
        text, told = opening_section(
            reach, policy, room, waits=self._waits(), redact=partial(redact, patterns=policy.redact)
        )
        if not text:
            return activation
        if counts:
            self._tell(told, activation.id, at, task.session, principal_of(task).user)
        prompt = f"{text.rstrip()}\n\n{activation.prompt}" if activation.prompt else text
        return replace(activation, prompt=prompt, related=tuple(map(_related, told)))

    def _unsaid(self, search: Callable[..., tuple[Hit, ...]], most: int, session: str | None) -> tuple[Hit, ...]:
        """Find what the host's transcript of a session does not hold yet, however much was told in it before.

        Args:
            search: finds memories, the nearest first; takes `limit` and `exclude`.
            most: so many are given.
            session: which; None: of no session is known what was told in it.
        """
        known: set[str] = set()
        for _ in range(_ROUNDS):
            hits = search(limit=most * _SPARE, exclude=known)
            new = self._not_in(hits, session)
            if len(new) >= most or len(hits) < most * _SPARE:
                break
            known |= {each.memory.id for each in hits} - {each.memory.id for each in new}
        return new[:most]

    def _not_in(self, hits: tuple[Hit, ...], session: str | None) -> tuple[Hit, ...]:
        """Give what was not told in a session since its transcript was last cut."""
        if session is None:
            return hits
        said: set[tuple[str, str]] = set()
        for layer in self.layers():
            ids = [each.memory.id for each in hits if each.layer == layer.name]
            if ids:
                cut = layer.journal.events(kinds=("compacted",), limit=_CUTS)
                since = max((each.at for each in cut if each.session == session), default=None)
                for name, tellings in layer.journal.tellings(ids, since=since).items():
                    said |= {(layer.name, name) for each in tellings if each.session == session}
        return tuple(each for each in hits if (each.layer, each.memory.id) not in said)

    def _waits(self) -> int:
        """Give how many moves wait for a person to confirm them."""
        from casebook.runtime.upkeep.digest import standing

        return sum(len(standing(layer.journal)) for layer in self.layers())

    def _tell(self, hits: Iterable[Hit], key: str, at: datetime, session: str | None, user: str | None) -> None:
        """Count what was told, in the journal of the casebook that it is of."""
        from casebook.memory_facts import Telling

        by_layer: dict[str, list[Telling]] = {}
        for each in hits:
            by_layer.setdefault(each.layer, []).append(Telling(each.memory.id, key, at, session, user))
        for layer in self.layers():
            if told := by_layer.get(layer.name):
                layer.journal.tell(told)

    # -- remember and recall -------------------------------------------------------------------------------------------

    def remember(self, candidate: Candidate, actor: str) -> tuple[Kept, ...]:
        """Take something that may be worth remembering; see `casebook.runtime.memory.remember`."""
        from casebook.runtime.memory.remember import Intake

        return Intake(self._some_layers(), self._clock, extract=self.extract, judge=self.judge).remember(
            candidate, actor
        )

    def recall(
        self,
        query: str,
        principal: Principal,
        *,
        session: str | None = None,
        limit: int = RECALLED,
        counts: bool = True,
    ) -> tuple[Related, ...]:
        """Find memories again; what others have just written is waited for, and what is above the score floor counts as recalled."""
        from casebook.runtime.memory.floor import LEAST_SHARE

        self._some_layers()
        at = self._clock()
        hits = self.view().search(query, principal, at, limit=limit, floor=False, wait=True)
        near = [each for each in hits if each.share >= LEAST_SHARE]
        if counts and near:
            self._tell(near, activation_id(at), at, session, principal.user)
        return tuple(map(_related, hits))

    def faults(self, user: str | None, session: str | None) -> tuple[Fault, ...]:
        """Give what of the memories does not serve now, as whoever asks may know it."""
        from casebook.runtime.memory.unserved import unserved

        self._some_layers()
        return unserved(self.view().faults(wait=True), session=session, user=user)

    def archived(self, principal: Principal, *, text: str | None = None) -> tuple[Retired, ...]:
        """Give what is in the archives and within reach, the newest first."""
        from casebook.runtime.answer.isolation import within

        return tuple(
            each
            for layer in self._some_layers()
            for each in layer.memories.archived(text=text)
            if within(each.memory.scope, principal)
        )

    def unknown(self, session: str, user: str | None) -> tuple[str, ...]:
        """Give a warning where nothing is known of a session that is about to end, else nothing."""
        from casebook.runtime.ended import unknown

        return unknown(self.layers(), session, user)

    def end(self, session: str, user: str | None) -> Ended:
        """Distil what a session that has ended leaves, and give what was remembered in it."""
        for layer in self.layers()[1:]:  # in the first the outcome has said so
            _mark_ended(layer, session, user, self._clock())
        reports = tuple(self._expire(session, layer) for layer in self.layers())
        remembered = tuple(
            placed
            for layer in self.layers()
            for placed in layer.memories.snapshot().memories.values()
            if _is_of(placed.memory, session, user)
        )
        return Ended(session, remembered, reports)

    # -- upkeep --------------------------------------------------------------------------------------------------------

    def maintain(self, jobs: Sequence[JobName], *, dry: bool = False, apart: bool | None = None) -> tuple[Report, ...]:
        """Run jobs of upkeep, one after another, in every layer; in large ones in a process of its own, unless `apart` says."""
        return tuple(self.run_job(job, layer, dry=dry, apart=apart) for layer in self._some_layers() for job in jobs)

    def run_job(
        self,
        job: JobName,
        layer: Layer,
        clock: Clock | None = None,
        *,
        dry: bool = False,
        apart: bool | None = None,
        pause: Callable[[], None] | None = None,
    ) -> Report:
        """Run a job in a layer; what it is and where it runs as `maintain` says.

        Args:
            job: which.
            layer: where.
            clock: gives the instant of the run; None: the runtime's.
            dry: whether nothing is written.
            apart: whether in a process of its own; None: where the layer is large (`casebook.runtime.upkeep.apart`).
            pause: called every now and then; where it raises, the run ends there, and the next one completes it.
        """
        from casebook.runtime.upkeep.running import breathe, run

        clock, pause = clock or self._clock, pause or breathe
        if apart is not False:
            from casebook.runtime.upkeep.apart import is_due_apart, run_apart

            if apart or is_due_apart(layer):
                report = run_apart(layer, job, clock(), dry=dry, pause=pause)
                if report is not None:
                    return report
        return run(job, lambda: self._desk(layer), clock, dry=dry, pause=pause)

    def desks(self) -> tuple[Desk, ...]:
        """Give every layer as a job of upkeep sees it now."""
        return tuple(map(self._desk, self._some_layers()))

    def _expire(self, session: str, layer: Layer) -> Report:
        from casebook.runtime.upkeep.running import run

        return run("expire", lambda: _of_session(self._desk(layer), session), self._clock)

    def _desk(self, layer: Layer) -> Desk:
        from casebook.runtime.upkeep.protocol import Desk

        journal = self.kept_journal(layer)
        return Desk(
            now=self._clock(),
            policy=layer.policy,
            memories=layer.memories.snapshot(),
            tellings=journal.tellings(),
            store=layer.memories,
            cases=layer.cases,
            journal=journal,
            layer=layer.name,
        )

    def kept_journal(self, layer: Layer) -> Journal:
        """Give the journal that upkeep of a layer reads and is written down in, which is never one in memory alone.

        Where the folder's could not be opened as this process began (a full disk, say), its answers are in memory until it ends; what
        moves memories has to know who used them, and to leave a line that stays.

        Raises:
            StoreError: the folder's cannot be opened now, either.
        """
        if layer is not self.layers()[0] or not self._past.remembering().lasting:
            return layer.journal
        from casebook.runtime.journal.opening import open_journal

        with self._lock:
            if self._kept is None:
                self._kept = open_journal(layer.root, self._clock)
            return self._kept

    # -- what it stands on ---------------------------------------------------------------------------------------------

    def layers(self) -> tuple[Layer, ...]:
        """Give the casebooks that hold memories; none where the store is no folder."""
        if self._layers is None:
            with self._lock:
                if self._layers is None:
                    from casebook.runtime.memory.layers import layers_of

                    self._layers = layers_of(self._answering.store, self._clock, self._journal, self._policy)
        return self._layers

    def _some_layers(self) -> tuple[Layer, ...]:
        """Give the layers. Raises StoreError where there is none that holds memories, ClosedError."""
        self.refuse_closed()
        found = self.layers()
        if not found:
            from casebook.faults import StoreError

            raise StoreError(f"{self._answering.store.location}: this casebook keeps no memories; expected a folder")
        return found

    def refuse_closed(self) -> None:
        """Raise ClosedError where it was closed."""
        if self._is_closed:
            raise ClosedError

    def view(self) -> MemoryView:
        """Give what finds memories."""
        if self._view is None:
            from casebook.runtime.memory.view import MemoryView

            layers = self.layers()
            with self._lock:
                if self._view is None:
                    zone = layers[0].policy.timezone if layers else "UTC"
                    self._view = MemoryView([each.memories for each in layers], zone=zone)
        return self._view

    def _journal(self) -> Any:
        return self._past.remembering().journal

    def _policy(self) -> Policy:
        return self._answering.policy_of(self._answering.store.snapshot())

    def forgotten(self) -> None:
        """Let go of what is held in memory: indices of memories, sessions, the tally of errors."""
        with self._lock:
            view, self._view = self._view, None
        if view is not None:
            view.close()
        self._past.remembering().forgotten()

    def close(self) -> None:
        """Let go of the files and of the journals of further layers. Closing twice is fine."""
        self._is_closed = True
        if self._kept is not None:
            with suppress(CasebookError):
                self._kept.close()
        if self._view is not None:
            self._view.close()
        if self._layers is not None:
            from casebook.runtime.memory.layers import close

            close(self._layers)


def _related(hit: Hit) -> Related:
    memory = hit.memory
    by = memory.source.by if memory.source is not None else None
    return Related(memory.id, memory.kind, memory.tier, memory.text, by or "", memory.created_at, hit.score, hit.layer)


def _mark_ended(layer: Layer, session: str, user: str | None, at: datetime) -> None:
    """Write into the file of a session, where a casebook has one, that it has ended. Raises StoreError."""
    from casebook.stores.memories import Memories
    from casebook.stores.session_names import session_file

    path = session_file(session, user)
    if (layer.root / path).is_file():
        Memories(layer.root).add(path, (), fields={"ended_at": at.isoformat(timespec="milliseconds")})


def _is_of(memory: Memory, session: str, user: str | None) -> bool:
    """Say whether a memory was remembered in a session, and is more than a trace of what its tools did."""
    source = memory.source
    if source is None or source.session != session or source.origin == "outcome":
        return False
    return memory.scope.user in (None, user) and memory.status in ("active", "to_judge")


def _of_session(desk: Desk, session: str) -> Desk:
    """Give a desk with the memories of one session alone."""
    kept: Mapping[str, Placed] = {
        name: placed
        for name, placed in desk.memories.memories.items()
        if placed.memory.source is not None and placed.memory.source.session == session
    }
    return replace(desk, memories=replace(desk.memories, memories=kept))
