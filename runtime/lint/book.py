"""What the lints look at: the cases of a snapshot, each prepared once, and the questions put to `satisfiable`, once each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from casebook.case import LoadedCase
from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.fields import FIELDS
from casebook.conditions.fold import nfc
from casebook.conditions.satisfiable import Contradiction, Unknown, Witness, satisfiable
from casebook.conditions.solving.literal import Literal, node_of
from casebook.conditions.solving.logic import plain_literals
from casebook.conditions.tree import And, Clock, Node, Not, Test, walk
from casebook.faults import Fault
from casebook.policy import Policy
from casebook.scope import Scope
from casebook.stores.protocol import Snapshot

Answer = Witness | Contradiction | Unknown


@dataclass(frozen=True, slots=True)
class Finding:
    """A warning, and what kind of warning it is (`casebook.runtime.lint.KINDS`)."""

    kind: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Subject:
    """A case as the lints see it.

    Attributes:
        loaded: the case.
        parts: what has to hold, conjunctions taken apart: the literals of plain conditions, other conditions whole.
        roots: the known names that the conditions read, those within `where` left out.
        anchors: the values of fields that it is bound to, each as (field, value) in words.
        anchored: the fields of its anchors.
        timed: the parts that are clock tests.
    """

    loaded: LoadedCase
    parts: frozenset[Node | Literal]
    roots: frozenset[str]
    anchors: frozenset[tuple[str, str]]
    anchored: frozenset[str]
    timed: frozenset[Node | Literal]

    @property
    def id(self) -> str:
        """Give the case's id."""
        return self.loaded.case.id

    @property
    def enforced(self) -> bool:
        """Say whether its effect is more than advice, unless the policy's mode keeps it from that."""
        return self.loaded.case.mode in (None, "enforce")

    @property
    def clocked(self) -> bool:
        """Say whether its conditions look at the clock, so that its zone counts."""
        return any(isinstance(node, Clock) for each in self.loaded.conditions for node in walk(each))

    @property
    def speaks(self) -> bool:
        """Say whether the case is more than journaled, unless the policy's mode keeps all cases from that."""
        return self.loaded.case.mode not in ("off", "shadow")

    def find(
        self, kind: str, message: str, *, place: int | None = None, field: str | None = None, cure: str | None = None
    ) -> Finding:
        """Make a warning about the case, or about its condition at `place` (from 0)."""
        where = f"trigger_conditions[{place}]" if place is not None else field
        return Finding(
            kind,
            Fault(
                self.loaded.path,
                message,
                line=self.loaded.line,
                case=self.id,
                field=where,
                suggestion=cure,
                severity="warning",
            ),
        )


@dataclass(slots=True)
class Book:
    """All cases that can come to fire, in the order of the snapshot, and what is known about them.

    Attributes:
        subjects: the active cases and the drafts.
        policy: the casebook's, for its names of tools, and the fields that it adds.
        now: the present instant, where the caller told it.
        pairs_left: how many pairs of cases may still be compared in earnest.
        pairs_skipped: how many were not, for want of that.
    """

    subjects: Sequence[Subject]
    policy: Policy
    now: datetime | None
    pairs_left: int
    pairs_skipped: int = 0
    known: dict[tuple[object, ...], Answer] = field(default_factory=dict)
    own: dict[str, Answer] = field(default_factory=dict)

    def ask(self, nodes: Sequence[Node], zone: str) -> Answer:
        """Decide whether conditions can hold together, remembering the answer."""
        key = (tuple(nodes), zone)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = satisfiable(nodes, zone, declared=self.policy.fields)
        return found

    def answer(self, subject: Subject) -> Answer:
        """Decide whether a case's own conditions can hold together."""
        found = self.own.get(subject.id)
        if found is None:
            found = self.own[subject.id] = self.ask(subject.loaded.conditions, subject.loaded.zone)
        return found

    def example(self, subject: Subject) -> Facts | None:
        """Give facts on which a case's conditions hold; None where there are none, or none are known."""
        answer = self.answer(subject)
        return answer.facts if isinstance(answer, Witness) else None

    def implies(self, narrow: Subject, wide: Subject) -> bool:
        """Say whether the wide case's conditions surely hold whenever the narrow one's do.

        A contradiction implies nothing here. The narrow case's example is tried first: most pairs end there, and only the
        rest count as comparisons.
        """
        facts = self.example(narrow)
        if facts is None or not _same_clock(narrow, wide):
            return False
        zone = wide.loaded.zone
        if not all(evaluate(node, facts, zone) for node in wide.loaded.conditions):
            return False
        missing = wide.parts - narrow.parts
        if missing and not self.may_compare():
            return False
        return all(
            isinstance(
                satisfiable([*narrow.loaded.conditions, _opposite(part)], zone, declared=self.policy.fields),
                Contradiction,
            )
            for part in missing
        )

    def together(self, one: Subject, other: Subject) -> bool:
        """Say whether two cases surely can speak for the same task."""
        if not self.meet(one, other) or (facts := self.example(one)) is None:
            return False
        if all(evaluate(node, facts, other.loaded.zone) for node in other.loaded.conditions):
            return True
        if _apart(one, other) or not _same_clock(one, other):
            return False
        theirs = self.example(other)
        if theirs is None or self._merged(one, other, facts, theirs):
            return theirs is not None
        if not self.may_compare():
            return False
        nodes = [*one.loaded.conditions, *other.loaded.conditions]
        return isinstance(satisfiable(nodes, one.loaded.zone, declared=self.policy.fields), Witness)

    def _merged(self, one: Subject, other: Subject, mine: Facts, theirs: Facts) -> bool:
        """Say whether both cases hold on their examples put together: the quick way to yes for cases about different fields."""
        values = {**mine.values, **theirs.values}
        for name in mine.values.keys() & theirs.values.keys():
            if isinstance(mine.values[name], dict) and isinstance(theirs.values[name], dict):
                values[name] = {**mine.values[name], **theirs.values[name]}
        timed = mine if one.timed else theirs
        history = mine.history or theirs.history
        facts = Facts(values, timed.at, history if timed.history == history else ())
        nodes = (*one.loaded.conditions, *other.loaded.conditions)
        return all(evaluate(node, facts, one.loaded.zone) for node in nodes)

    def meet(self, one: Subject, other: Subject) -> bool:
        """Say whether two cases share a principal, a point and a while, and neither silences the other."""
        mine, theirs = one.loaded.case, other.loaded.case
        return (
            overlap(mine.scope, theirs.scope)
            and common_points(one, other)
            and _at_once(one.loaded, other.loaded)
            and one.id not in theirs.supersedes
            and other.id not in mine.supersedes
            and one.speaks
            and other.speaks
        )

    def covers(self, wide: Subject, narrow: Subject) -> bool:
        """Say whether a case is in force for the whole life of another, as far as that is still to come."""
        theirs, mine = wide.loaded, narrow.loaded
        begins = theirs.created is None or (
            (mine.created is not None and theirs.created <= mine.created)
            or (self.now is not None and theirs.created <= self.now)
        )
        return begins and (theirs.expires is None or (mine.expires is not None and theirs.expires >= mine.expires))

    def as_long(self, wide: Subject, narrow: Subject) -> bool:
        """Say whether a case speaks, and with its effect, whenever it holds during the life of another one."""
        case = wide.loaded.case
        return (
            self.covers(wide, narrow)
            and wide.speaks
            and (wide.enforced or not narrow.enforced)
            and case.max_fires is None
            and case.cooldown is None
        )

    def may_compare(self) -> bool:
        """Take one comparison of two cases from what is left; False where nothing is, which is counted."""
        if self.pairs_left <= 0:
            self.pairs_skipped += 1
            return False
        self.pairs_left -= 1
        return True


def _opposite(part: Node | Literal) -> Node:
    return node_of(Literal(part.atom, not part.holds)) if isinstance(part, Literal) else Not(part)


def _same_clock(one: Subject, other: Subject) -> bool:
    if one.loaded.zone == other.loaded.zone:
        return True
    return not (one.clocked or other.clocked)


def overlap(one: Scope, other: Scope) -> bool:
    """Say whether a task can be in both scopes: users, projects and agents agree where both are named."""
    mine, theirs = one.named, other.named
    return all(nfc(mine[key]) == nfc(theirs[key]) for key in mine.keys() & theirs.keys() if key != "team")


def _apart(one: Subject, other: Subject) -> bool:
    """Say whether two cases are bound to different values of a field that has one: the quick way to no."""
    return any(
        FIELDS.get(name) == "text"
        and {value for field, value in one.anchors if field == name}.isdisjoint(
            value for field, value in other.anchors if field == name
        )
        for name in one.anchored & other.anchored
    )


def _at_once(one: LoadedCase, other: LoadedCase) -> bool:
    """Say whether there is an instant at which both are alive."""
    return (one.expires is None or other.created is None or other.created < one.expires) and (
        other.expires is None or one.created is None or one.created < other.expires
    )


def common_points(one: Subject, other: Subject) -> bool:
    """Say whether two cases share a trigger point."""
    return not set(one.loaded.case.on).isdisjoint(other.loaded.case.on)


def book_of(snapshot: Snapshot, *, now: datetime | None, pairs: int) -> Book:
    """Prepare a snapshot's cases: those that are active or drafts."""
    serving = (each for each in snapshot.cases.values() if each.case.status in ("active", "draft"))
    return Book([_subject(each) for each in serving], snapshot.policy, now, pairs)


def _subject(loaded: LoadedCase) -> Subject:
    parts = frozenset(_parts(loaded.conditions))
    roots = frozenset(
        node.field.root for condition in loaded.conditions for node in walk(condition) if isinstance(node, Test)
    )
    anchors = frozenset(
        (".".join(map(str, test.field.path)), repr(value))
        for part in parts
        if isinstance(part, Literal) and part.holds and isinstance(test := part.atom, Test) and test.op in ("is", "in")
        for value in (test.value if isinstance(test.value, tuple) else (test.value,))
    )
    timed = frozenset(each for each in parts if isinstance(each, Literal) and isinstance(each.atom, Clock))
    return Subject(loaded, parts, roots, anchors, frozenset(name for name, _ in anchors), timed)


def _parts(conditions: Iterable[Node]) -> list[Node | Literal]:
    found: list[Node | Literal] = []
    stack = list(reversed(list(conditions)))
    while stack:
        node = stack.pop()
        plain = plain_literals([node])
        if plain is not None:
            found += plain
        elif isinstance(node, And):
            stack.extend(reversed(node.items))
        else:
            found.append(node)
    return found
