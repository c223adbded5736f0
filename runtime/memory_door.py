"""The part of the front door that is about memories: remember, recall, sessions that begin and end, upkeep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from casebook.policy import JobName
from casebook.runtime.answer.activation import Activation, Related
from casebook.runtime.answer.isolation import Principal, principal_of
from casebook.runtime.ended import Ended
from casebook.runtime.memory_arguments import (
    count_of,
    flag_of,
    jobs_of,
    name_of,
    names_of,
    needed_session,
    refused,
    session_of,
    text_of,
)
from casebook.runtime.recollection import RECALLED, Recollection
from casebook.task import Task

if TYPE_CHECKING:
    from casebook.faults import Fault
    from casebook.gate.candidate import Candidate
    from casebook.runtime.memory.kept import Kept
    from casebook.runtime.upkeep.protocol import Desk, Report
    from casebook.stores.memory_store import Retired

T = TypeVar("T")
EVERY_JOB: tuple[JobName, ...] = (
    "expire", "age", "promote", "audit", "reflect", "compact", "hygiene", "archive", "retain",
)  # fmt: skip
"""What `maintain` runs where no job is named. Hygiene would run those before it itself; run by name they tell their moves."""


class MemoryDoor:
    """What a runtime offers about memories. Its calls raise `CasebookError` alone."""

    recollection: Recollection

    def remember(
        self, what: str | Candidate | Mapping[str, Any], *, actor: str | None = None, **named: Any
    ) -> tuple[Kept, ...]:
        """Take something that may be worth remembering through the write gate (DESIGN section 7).

        Args:
            what: words, a `Candidate`, or its JSON object.
            actor: who offers it, for the audit log; default the person, or the agent where the words are not the user's.
            named: fields of the candidate beside it, such as `user=`, `project=`, `session=`, `by=`.

        Returns:
            What became of each piece of it, dropped ones included.

        Raises:
            UnfitMemoryError: it is no candidate.
            CasebookError: an argument is none; a scope names somebody else than who speaks.
            NotFoundError: there is no memory that it corrects.
            StoreError: it could not be written.
        """
        from casebook.gate.candidate import Candidate

        if isinstance(named.get("team"), str):
            named["team"] = (named["team"],)
        if isinstance(what, Candidate):
            candidate = (
                Candidate.from_json({**what.model_dump(exclude_unset=True, mode="json"), **named}) if named else what
            )
        elif isinstance(what, str | Mapping):
            form = {"text": what} if isinstance(what, str) else what
            candidate = Candidate.from_json({**form, **named})
        else:
            raise refused("remember: what", "words, a Candidate or its JSON object", what)
        return self.recollection.remember(candidate, text_of("remember: actor", actor) or _actor(candidate))

    def recall(
        self,
        query: str | Task | Mapping[str, Any],
        *,
        user: str | None = None,
        project: str | None = None,
        team: str | Sequence[str] = (),
        agent: str | None = None,
        session: str | None = None,
        limit: int = RECALLED,
        counts: bool = True,
    ) -> tuple[Related, ...]:
        """Find memories again, those of whoever asks alone; archived and expired ones never.

        Args:
            query: words; or a task, whose text is asked for, by whom it says.
            user: who asks, beside words.
            project: the project at hand.
            team: the user's team, or teams.
            agent: the agent at work.
            session: the session at hand: a recall counts once a memory and session.
            limit: at most so many.
            counts: whether it counts as a recall.

        Raises:
            TaskError: a mapping was given that is no task.
            CasebookError: an argument is none, or is said beside a task, which says itself who asks.
            StoreError: the casebook keeps no memories.
        """
        limit, counts = count_of("recall: limit", limit), flag_of("recall: counts", counts)
        if isinstance(query, str):
            principal = _principal("recall", user, project, team, agent)
            own = session_of("recall: session", session)
            return self.recollection.recall(query, principal, session=own, limit=limit, counts=counts)
        if not isinstance(query, Task | Mapping):
            raise refused("recall: query", "words, or a task", query)
        beside = {"user": user, "project": project, "team": team, "agent": agent, "session": session}
        for name, said in beside.items():
            if said:
                raise refused(f"recall: {name}", "nothing beside a task, which says itself who asks", said)
        task = query if isinstance(query, Task) else Task.from_json(query)
        return self.recollection.recall(
            task.text or "", principal_of(task), session=task.session, limit=limit, counts=counts
        )

    def archived(
        self,
        *,
        text: str | None = None,
        user: str | None = None,
        project: str | None = None,
        team: str | Sequence[str] = (),
        agent: str | None = None,
    ) -> tuple[Retired, ...]:
        """Give the memories in the archive whose text contains a text, those of whoever asks alone, the newest first.

        Raises:
            CasebookError: an argument is none.
            StoreError: the casebook keeps no memories.
        """
        principal = _principal("archived", user, project, team, agent)
        return self.recollection.archived(principal, text=text_of("archived: text", text))

    def memory_faults(self, *, user: str | None = None, session: str | None = None) -> tuple[Fault, ...]:
        """Give what of the memories does not serve now, by file and line: whose it is, or what it says, is not told.

        `before_task` and `session_start` have the same in `quarantined`, wherever they look at memories.

        Args:
            user: who asks.
            session: the session at hand, whose own file is told, too.

        Raises:
            CasebookError: an argument is none.
            StoreError: the casebook keeps no memories.
        """
        return self.recollection.faults(
            name_of("memory_faults: user", user), session_of("memory_faults: session", session)
        )

    def session_start(self, task: Task | Mapping[str, Any]) -> Activation:
        """Answer the start of a session: identity, project state, active decisions, standing rules, and the cases that apply then.

        Raises:
            TaskError: it is no task.
        """
        asked = task if isinstance(task, Task) else Task.from_json(task)
        return self.before_task(asked.model_copy(update={"point": "session_start"}), persists=True)

    def session_end(self, session: str, *, user: str | None = None) -> Ended:
        """End a session: what of it was reused or asked for is distilled, and all that was remembered in it is given.

        Args:
            session: its id.
            user: whose it is: a session is its id and its user.

        Returns:
            What it leaves; with a warning where nothing of such a session is known.

        Raises:
            CasebookError: an argument is none.
            StoreError: it could not be written.
        """
        from casebook.outcome import Outcome

        own, whose = needed_session("session_end: session", session), name_of("session_end: user", user)
        self.recollection.refuse_closed()
        warnings = self.recollection.unknown(own, whose)
        self.after_task(Task(session=session, user=user), Outcome.ended())
        return replace(self.recollection.end(own, whose), warnings=warnings)

    def maintain(
        self, jobs: str | Sequence[str] | None = EVERY_JOB, *, dry: bool = False, apart: bool | None = None
    ) -> tuple[Report, ...]:
        """Run jobs of upkeep once, in every layer, and wait for them.

        Args:
            jobs: the name of one, or of several; default all.
            dry: whether they only say what they would do.
            apart: whether each runs in a process of its own, so that nobody who asks this one waits for it; None: where a layer
                holds more than 5,000 memories. What it does and gives is the same.

        Raises:
            CasebookError: there is no such job; the nearest is named.
            StoreError: the casebook keeps no memories.
        """
        named, dry = jobs_of("maintain: jobs", jobs, EVERY_JOB), flag_of("maintain: dry", dry)
        apart = None if apart is None else flag_of("maintain: apart", apart)
        return self.recollection.maintain(named, dry=dry, apart=apart)

    def desks(self) -> tuple[Desk, ...]:
        """Give every layer as a job of upkeep sees it now."""
        return self.recollection.desks()

    def forgotten(self) -> None:
        """Let go of all that this process holds in memory of the past, as after something was forgotten in the files."""
        self.recollection.forgotten()

    # -- async twins ---------------------------------------------------------------------------------------------------

    async def aremember(self, what: str | Candidate | Mapping[str, Any], **named: Any) -> tuple[Kept, ...]:
        """As `remember`, without holding up the event loop."""
        return await _in_thread(self.remember, what, **named)

    async def arecall(self, query: str | Task | Mapping[str, Any], **named: Any) -> tuple[Related, ...]:
        """As `recall`, without holding up the event loop."""
        return await _in_thread(self.recall, query, **named)

    async def asession_start(self, task: Task | Mapping[str, Any]) -> Activation:
        """As `session_start`, without holding up the event loop."""
        return await _in_thread(self.session_start, task)

    async def aarchived(self, **named: Any) -> tuple[Retired, ...]:
        """As `archived`, without holding up the event loop."""
        return await _in_thread(self.archived, **named)

    async def amemory_faults(self, **named: Any) -> tuple[Fault, ...]:
        """As `memory_faults`, without holding up the event loop."""
        return await _in_thread(self.memory_faults, **named)

    async def amaintain(
        self, jobs: str | Sequence[str] | None = None, *, dry: bool = False, apart: bool | None = None
    ) -> tuple[Report, ...]:
        """As `maintain`, without holding up the event loop."""
        return await _in_thread(self.maintain, jobs, dry=dry, apart=apart)

    async def asession_end(self, session: str, *, user: str | None = None) -> Ended:
        """As `session_end`, without holding up the event loop."""
        return await _in_thread(self.session_end, session, user=user)

    if TYPE_CHECKING:  # what it needs of the rest of the front door

        def before_task(self, task: Task | Mapping[str, Any], *, persists: bool = False) -> Activation:  # noqa: D102
            ...

        def after_task(self, activation: Any, outcome: Any) -> Any:  # noqa: D102
            ...


async def _in_thread(call: Callable[..., T], *args: Any, **options: Any) -> T:
    import asyncio  # 20 ms of start that only callers of the async twins pay

    return await asyncio.to_thread(call, *args, **options)


def _principal(where: str, user: object, project: object, team: object, agent: object) -> Principal:
    """Give who asks, by names as they are kept. Raises CasebookError."""
    return Principal(
        name_of(f"{where}: user", user),
        name_of(f"{where}: project", project),
        names_of(f"{where}: team", team),
        name_of(f"{where}: agent", agent),
    )


def _actor(candidate: Candidate) -> str:
    """Give who offers a candidate, for the audit log."""
    if candidate.by == "user":
        return f"person:{candidate.user}" if candidate.user else "person"
    return f"agent:{candidate.agent}" if candidate.agent else "agent"
