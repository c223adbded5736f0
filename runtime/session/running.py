"""The history of a session with its running indexes: a count costs what came since it was last asked, not the session's length.

One index for each distinct (kind, where, within-less test, values of `this`), made when a case first asks for it
(`language.md`, History).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, overload

from casebook.conditions.evaluate import Reading, event_holds, is_within
from casebook.conditions.facts import Event
from casebook.conditions.tree import And, Earlier, Field, Node, Not, Or, Test, This
from casebook.forking import guarded

INDEXES = 1_024
"""Indexes that one session keeps; beyond them the one that was asked for the longest ago is dropped and made again when needed."""


class _Index:
    """The events that one test holds for: their places in the session and their instants."""

    __slots__ = ("ordered", "places", "times", "upto")

    def __init__(self) -> None:
        self.upto = 0
        self.places: list[int] = []
        self.times: list[datetime | None] = []
        self.ordered = True

    def add(self, place: int, when: datetime | None) -> None:
        """Take an event that the test holds for."""
        if self.times:
            last = self.times[-1]
            self.ordered = self.ordered and last is not None and when is not None and last <= when
        else:
            self.ordered = when is not None
        self.places.append(place)
        self.times.append(when)

    def count(self, length: int, at: datetime, within: int | None) -> int:
        """Count those among the first `length` events that lie within so many seconds back from an instant."""
        upto = bisect_left(self.places, length) if self.places and self.places[-1] >= length else len(self.places)
        if within is None:
            return upto
        if self.ordered:
            times: list[Any] = self.times
            return max(bisect_right(times, at, 0, upto) - bisect_left(times, _back(at, within), 0, upto), 0)
        return sum(is_within({"at": when}, at, within) for when in self.times[:upto])


def _back(at: datetime, seconds: int) -> datetime:
    """Give the instant so many seconds before another, or the first that there is."""
    try:
        return at - timedelta(seconds=seconds)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


class RunningEvents:
    """The events of one session, which only grow. Safe from many threads, and over forks."""

    __slots__ = ("__weakref__", "_fields", "_indexes", "_lock", "events")

    def __init__(self) -> None:
        """Begin with none."""
        self.events: list[Event] = []
        self._indexes: OrderedDict[tuple[str, Any], _Index] = OrderedDict()
        self._fields: dict[str, tuple[Field, ...]] = {}
        self._lock = guarded(self, rank=7)

    def view(self) -> HistoryView:
        """Give the events so far, which later ones do not change."""
        return HistoryView(self, len(self.events))

    def count(self, key: str, counted: Earlier, reading: Reading, length: int) -> int:
        """Count the events that a history test speaks of among the first `length`.

        Args:
            key: of the test, the same for equal ones.
            counted: the test.
            reading: of the present task, for `this` and the instant.
            length: how many of the events.
        """
        with self._lock:
            index = self._index(key, counted, reading)
            for place in range(index.upto, len(self.events)):
                event = self.events[place]
                if event.get("kind") == counted.kind and (
                    counted.where is None or event_holds(counted.where, event, reading)
                ):
                    when = event.get("at")
                    index.add(place, when if isinstance(when, datetime) else None)
            index.upto = len(self.events)
            return index.count(length, reading.facts.at, counted.within)

    def _index(self, key: str, counted: Earlier, reading: Reading) -> _Index:
        fields = self._fields.get(key)
        if fields is None:
            fields = self._fields[key] = tuple(_this_fields(counted.where))
        own = tuple(_hashable(reading.facts.get(field)) for field in fields)
        found = self._indexes.get((key, own))
        if found is None:
            found = self._indexes[key, own] = _Index()
            if len(self._indexes) > INDEXES:
                self._indexes.popitem(last=False)
        else:
            self._indexes.move_to_end((key, own))
        return found


class HistoryView(Sequence[Event]):
    """The first events of a session, as they stood when a task was asked."""

    __slots__ = ("_length", "_running")

    def __init__(self, running: RunningEvents, length: int) -> None:
        """Look at the first `length` events."""
        self._running = running
        self._length = length

    def __len__(self) -> int:
        """Give how many events there are."""
        return self._length

    @overload
    def __getitem__(self, place: int) -> Event: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...

    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        """Give an event, or several."""
        return self._running.events[: self._length][place]

    def __iter__(self) -> Iterator[Event]:
        """Give the events in order of arrival."""
        return iter(self._running.events[: self._length])

    def count_events(self, key: str, counted: Earlier, reading: Reading) -> int:
        """Count the events that a history test speaks of; as `RunningEvents.count`."""
        return self._running.count(key, counted, reading, self._length)


def _this_fields(where: Node | None) -> Iterator[Field]:
    """Give the fields of the present task that a `where` reads."""
    waiting = [] if where is None else [where]
    while waiting:
        node = waiting.pop()
        if isinstance(node, And | Or):
            waiting.extend(node.items)
        elif isinstance(node, Not):
            waiting.append(node.item)
        elif isinstance(node, Test):
            values = node.value if isinstance(node.value, tuple) else (node.value,)
            yield from (each.field for each in values if isinstance(each, This))


def _hashable(value: Any) -> Any:
    """Give a value of a task as a part of a key; what differs for a condition differs here."""
    if isinstance(value, list):
        return tuple(_hashable(each) for each in value)
    return (type(value).__name__, value if isinstance(value, str | int | float | bool | None) else repr(value))
