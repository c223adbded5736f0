"""A casebook in memory for the tests of upkeep: memories where they stand, a journal, a clock that stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from casebook.clock import fixed_clock
from casebook.faults import NotFoundError
from casebook.memory import Memory
from casebook.memory_facts import Telling
from casebook.policy import JobName, Policy
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.upkeep.protocol import Desk, Report
from casebook.runtime.upkeep.running import run
from casebook.stores.memory_homes import home_of
from casebook.stores.memory_store import Became, Change, Forgetting, MemorySnapshot, Placed, Retired
from casebook.stores.protocol import Store

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def memory(name: str = "m-1", tier: str = "L2", since: datetime = NOW, **fields: Any) -> Memory:
    """Give a memory that came into its tier at an instant."""
    form = {
        "id": name,
        "kind": "fact",
        "text": f"text of {name}",
        "tier": tier,
        "created_at": since.isoformat(),
        **fields,
    }
    return Memory.from_json({key: value for key, value in form.items() if value is not None})


class HeldMemories:
    """A `MemoryStore` in memory, as strict as that of a folder about what somebody else has changed."""

    layer = ""

    def __init__(self) -> None:
        self.placed: dict[str, Placed] = {}
        self.retired: dict[str, Retired] = {}
        self.ended: dict[str, datetime] = {}

    def put(self, each: Memory, path: str | None = None) -> None:
        self.placed[each.id] = Placed(
            each, path or (home_of(each) if each.tier != "L1" else "short_term/session_a.json")
        )

    def snapshot(self, wait: bool = True) -> MemorySnapshot:
        ordered = dict(sorted(self.placed.items(), key=lambda item: item[1].path))
        return MemorySnapshot(1, ordered, (), dict(self.ended))

    def stands(self, snapshot: MemorySnapshot) -> bool:
        return False

    def unread_bytes(self) -> int:
        return 0

    def change(self, changes: Sequence[Change], now: datetime) -> tuple[Became, ...]:
        return tuple(self._change(each, now) for each in changes)

    def _change(self, change: Change, now: datetime) -> Became:
        name = change.memory_id
        held = self.placed.get(name)
        if change.before is None:
            assert change.after is not None
            self.put(change.after, change.path)
            return "done"
        if held is None:
            return "same" if change.after is None and name in self.retired else "missing"
        if change.after is None:
            if held.memory.to_json() != change.before.to_json():
                return "conflict"
            self.retired[name] = Retired(held.memory, now, change.reason, held.path, "archive/loose")
            del self.placed[name]
            return "done"
        before, after, stands = change.before.to_json(), change.after.to_json(), held.memory.to_json()
        if stands == after:
            return "same"
        for key in {*before, *after}:
            if before.get(key) != after.get(key) and stands.get(key) not in (before.get(key), after.get(key)):
                return "conflict"
        wanted = {key: after.get(key) for key in {*before, *after} if before.get(key) != after.get(key)}
        moves = before["tier"] != after["tier"]
        new = held.memory.with_changes(**wanted)
        self.placed[name] = Placed(new, change.path or (home_of(new) if moves else held.path))
        return "done"

    def archived(self, *, text: str | None = None, memory_id: str | None = None) -> Iterable[Retired]:
        return [each for each in self.retired.values() if memory_id in (None, each.memory.id)]

    def restore(self, memory_id: str, now: datetime) -> Placed:
        if memory_id not in self.retired:
            raise NotFoundError(memory_id)
        retired = self.retired.pop(memory_id)
        self.placed[memory_id] = Placed(retired.memory, retired.origin)
        return self.placed[memory_id]

    def pack(self, before: datetime, now: datetime) -> tuple[str, ...]:
        return ()

    def purge(self, before: datetime, *, dry: bool = False) -> tuple[str, ...]:
        return ()

    def forget(self, what: Forgetting, *, dry: bool = False) -> Mapping[str, int]:
        return {}

    def state(self) -> Mapping[str, Any]:
        """Give all that is held, to compare."""
        tiers = {name: (each.path, each.memory.to_json()) for name, each in self.placed.items()}
        return {"tiers": tiers, "archive": {name: each.memory.to_json() for name, each in self.retired.items()}}


class HeldCases:
    """As much of a `Store` as a move of a case takes."""

    location = "cases"

    def __init__(self) -> None:
        self.cases: dict[str, Any] = {}
        self.retired: dict[str, Any] = {}

    def snapshot(self) -> Any:
        return SimpleNamespace(cases=dict(self.cases), policy=Policy(), faults=(), generation=1)

    def archive(self, case_id: str, *, reason: str = "retired") -> None:
        if case_id not in self.cases:
            raise NotFoundError(case_id)
        self.retired[case_id] = self.cases.pop(case_id)

    def restore(self, case_id: str) -> None:
        self.cases[case_id] = self.retired.pop(case_id)


@dataclass
class Book:
    """A casebook whose clock stands at `now`."""

    now: datetime = NOW
    policy: Policy = field(default_factory=Policy)
    store: HeldMemories = field(default_factory=HeldMemories)
    cases: HeldCases = field(default_factory=HeldCases)
    journal: Journal = field(default_factory=lambda: memory_journal(fixed_clock(NOW)))
    last: Desk | None = None

    def keep(self, *memories: Memory, path: str | None = None) -> None:
        for each in memories:
            self.store.put(each, path)

    def tell(self, name: str, *at: datetime, session: str | None = None) -> None:
        """Tell a memory at instants, each in a session of its own."""
        self.journal.tell(
            Telling(name, f"{name} {each.isoformat()} {session}", each, session or f"s {each.isoformat()}")
            for each in at
        )

    def desk(self, **fields: Any) -> Desk:
        made = Desk(
            self.now, self.policy, self.store.snapshot(), self.journal.tellings(), self.store, cast("Store", self.cases),
            self.journal,
        )  # fmt: skip
        self.last = replace(made, **fields)
        return self.last

    def run(self, job: JobName, at: datetime | None = None, *, dry: bool = False) -> Report:
        self.now = at or self.now
        return run(job, self.desk, fixed_clock(self.now), dry=dry)

    def moves(self, job: JobName, at: datetime | None = None) -> list[tuple[str, str]]:
        """Run a job; give the kinds of its moves and what they are about."""
        report = self.run(job, at)
        assert report.troubles == ()
        return [(each.kind, each.subject) for each in report.done]

    def tier(self, name: str = "m-1") -> str:
        """Say where a memory is."""
        if name in self.store.placed:
            return self.store.placed[name].memory.tier
        return "archive" if name in self.store.retired else "nowhere"

    def held(self, name: str = "m-1") -> Memory:
        return self.store.placed[name].memory

    def change(self, name: str = "m-1", **fields: Any) -> None:
        """Edit a memory as a person does."""
        placed = self.store.placed[name]
        self.store.placed[name] = Placed(placed.memory.with_changes(**fields), placed.path)

    def number(self, *actions: str) -> int:
        """Give the number of the newest entry."""
        return self.journal.entries(actions=actions or ("move",))[-1].seq

    def state(self) -> Mapping[str, Any]:
        return self.store.state()


class Killed(BaseException):
    """A process that is killed says nothing more."""


def killing(call: Callable[..., Any], counter: list[int], at: int, *, after: bool) -> Callable[..., Any]:
    """Give a call that ends the process when it is, over all that share the counter, the one of this number, before or after it."""

    def called(*given: Any, **named: Any) -> Any:
        counter[0] += 1
        if counter[0] == at and not after:
            raise Killed
        found = call(*given, **named)
        if counter[0] == at:
            raise Killed
        return found

    return called
