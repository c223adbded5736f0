"""A memory as the conditions of a policy see it: its fields, and how often and when it was told (DESIGN section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, get_args

from casebook.conditions.evaluate import evaluate
from casebook.conditions.facts import Facts
from casebook.conditions.fields import FIELDS, FieldType
from casebook.conditions.json_form import from_json
from casebook.conditions.parse import parse
from casebook.conditions.tree import History, Node, Test, walk
from casebook.faults import ConditionError, nearest
from casebook.instants import instant
from casebook.kinds import KINDS
from casebook.memory import Maker, Memory, MemoryStatus, Tier
from casebook.policy import Policy
from casebook.problems import shown

MEMORY_FACTS: Mapping[str, FieldType] = MappingProxyType(
    {
        "kind": "text", "text": "text", "tier": "text", "status": "text", "origin": "text", "by": "text", "tags": "texts",
        "user": "text", "project": "text", "team": "texts", "agent": "text", "session": "text",
        "reused": "number", "triggers": "number", "recalls": "number", "not_hit_days": "number", "age_days": "number",
        "tier_days": "number", "tier_hours": "number", "user_explicit": "any", "pinned": "any", "confirmed": "any",
        "ended": "any", "past_ttl": "any", "past_short": "any", "expired": "any", "superseded": "any",
    }
)  # fmt: skip
"""What a rule of the policy may read. `reused` and `triggers`: answers in which it was told, `recalls`: sessions (or, without one,
days) in which it was; `not_hit_days`: since it was last told, else since it came into its tier; `tier_days`, `tier_hours`: since it
came into its tier; `user_explicit`: pinned, confirmed, or asked for in the user's words; `ended`: its session has ended;
`past_ttl`: unused for longer than its ttl; `past_short`: longer in L1 than L1 keeps."""

DECLARED: Mapping[str, FieldType] = {name: kind for name, kind in MEMORY_FACTS.items() if name not in FIELDS}
"""What the language has to be told of these: what is a task's, too, it knows."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "kind": KINDS, "tier": get_args(Tier), "status": get_args(MemoryStatus), "origin": get_args(Maker),
}  # fmt: skip
"""The fields that hold one of a few words; a rule that compares one with another word means one of these."""
FLAGS = frozenset({"user_explicit", "pinned", "confirmed", "ended", "past_ttl", "past_short", "expired", "superseded"})
"""The fields that hold true or false."""
_EQUALITY = ("is", "is_not", "in", "not_in")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Telling:
    """A memory was put in front of an agent, or given to whoever asked.

    Attributes:
        memory: its id.
        key: what it was told in: the id of an activation, or of a recall; a second of the same memory and key counts for nothing.
        at: the instant, aware, UTC.
        session: the session's id, or None.
        user: who was told, or None.
    """

    memory: str
    key: str
    at: datetime
    session: str | None = None
    user: str | None = None

    @property
    def counts_as(self) -> str:
        """Give what a recall is counted once for: the session, and without one the day."""
        return f"s:{self.session}" if self.session is not None else f"d:{self.at.date().isoformat()}"


def parse_rule(rule: str | Mapping[str, Any]) -> Node:
    """Read a rule of a policy.

    Args:
        rule: a condition of the trigger language, as text or in its JSON form.

    Raises:
        ValueError: it is none, or it reads a field that no memory has; the message says what was expected.
    """
    if isinstance(rule, str):
        return _parsed(rule)
    try:
        return _checked(from_json(rule, declared=DECLARED, of_policy=True))
    except ConditionError as error:
        raise ValueError(f"{error.message}{_cure(error)}") from None


@lru_cache(maxsize=256)
def _parsed(rule: str) -> Node:
    try:
        return _checked(parse(rule, declared=DECLARED, of_policy=True))
    except ConditionError as error:
        raise ValueError(f"column {error.column}: {error.message}{_cure(error)}") from None


def _cure(error: ConditionError) -> str:
    return f" (did you mean {error.suggestion}?)" if error.suggestion else ""


def _checked(node: Node) -> Node:
    """Give a tree that reads nothing but a memory; a task's fields are known to the language, and to no memory."""
    inside = {
        id(below) for each in walk(node) if isinstance(each, History) and each.where for below in walk(each.where)
    }
    for each in walk(node):
        if isinstance(each, History) and each.kind not in ("recall", "reuse"):
            raise ValueError(f"expected recall or reuse, the events of a memory, got {each.kind}")
        if isinstance(each, Test) and id(each) not in inside and each.field.root not in MEMORY_FACTS:
            near = nearest(each.field.root, MEMORY_FACTS)
            cure = f" (did you mean {near}?)" if near else f": {', '.join(MEMORY_FACTS)}"
            raise ValueError(f'no field of a memory is called "{each.field.root}"{cure}')
        if isinstance(each, Test) and id(each) not in inside and each.op in _EQUALITY and len(each.field.path) == 1:
            _check_values(each)
    return node


def _check_values(test: Test) -> None:
    """Raise ValueError where a field is compared with what it never holds."""
    name = test.field.root
    known = WORDS.get(name, (True, False) if name in FLAGS else ())
    for value in test.value if isinstance(test.value, tuple) else (test.value,):
        if not known or any(type(value) is type(each) and value == each for each in known):
            continue
        if name in FLAGS:
            raise ValueError(f"{name} holds true or false, and never {shown(value)}")
        near = nearest(value, WORDS[name]) if isinstance(value, str) else None
        cure = f" (did you mean {near}?)" if near else ""
        raise ValueError(f"{name} holds one of {', '.join(WORDS[name])}, and never {shown(value)}{cure}")


def entered(memory: Memory, zone: str) -> datetime | None:
    """Give since when a memory stands in its tier, aware, UTC; None where it does not say."""
    since = memory.tier_since or memory.created_at
    return None if since is None else instant(since, zone)


def expires(memory: Memory, zone: str) -> datetime | None:
    """Give the instant from which on a memory is silent, or None."""
    return None if memory.expires_at is None else instant(memory.expires_at, zone)


def is_live(memory: Memory, at: datetime, zone: str) -> bool:
    """Say whether a memory may be recalled at an instant: active, and not expired."""
    end = expires(memory, zone)
    return memory.status == "active" and (end is None or at < end)


def last_used(memory: Memory, tellings: Iterable[Telling], zone: str) -> datetime | None:
    """Give when a memory was last told, or else came into its tier; None where nothing says so."""
    known = [each.at for each in tellings]
    if memory.last_used is not None:
        known.append(instant(memory.last_used, zone))
    since = entered(memory, zone)
    if since is not None:
        known.append(since)
    return max(known, default=None)


def facts_of(
    memory: Memory, at: datetime, policy: Policy, tellings: Iterable[Telling] = (), *, ended: bool = False
) -> Facts:
    """Give a memory's facts at an instant.

    Args:
        memory: the memory.
        at: the instant, aware, UTC.
        policy: zone, ttl and length of L1.
        tellings: of this memory, any order; those after the instant do not count.
        ended: whether its session has ended.

    Returns:
        Facts whose history holds an event `recall` for each session in which it was told, at the first telling, and `reuse` for
        each telling.
    """
    zone = policy.timezone
    told = sorted((each for each in tellings if each.at <= at), key=lambda each: each.at)
    first: dict[str, Telling] = {}
    for each in told:
        first.setdefault(each.counts_as, each)
    since, used = entered(memory, zone), last_used(memory, told, zone)
    made = None if memory.created_at is None else instant(memory.created_at, zone)
    end = expires(memory, zone)
    ttl = memory.ttl_length or policy.ttl_of(memory.kind)
    unused = None if used is None else at - used
    source = memory.source
    floor = memory.counters
    values: dict[str, Any] = {
        "kind": memory.kind, "text": memory.text, "tier": memory.tier, "status": memory.status, "tags": list(memory.tags),
        **memory.scope.named,
        "reused": max(len(told), floor.get("triggers", 0)), "triggers": max(len(told), floor.get("triggers", 0)),
        "recalls": max(len(first), floor.get("recalls", 0)),
        "pinned": memory.pinned, "confirmed": memory.confirmed, "ended": ended,
        "user_explicit": memory.pinned or memory.confirmed or (source is not None and source.asked),
        "superseded": memory.superseded_by is not None, "expired": end is not None and at >= end,
        "past_ttl": unused is not None and unused > ttl,
        "past_short": since is not None and at - since > policy.short_length,
    }  # fmt: skip
    if source is not None:
        values |= {"origin": source.origin, "by": source.by, "session": source.session}
    for name, passed in (
        ("not_hit_days", unused),
        ("age_days", None if made is None else at - made),
        ("tier_days", None if since is None else at - since),
    ):
        if passed is not None:
            values[name] = passed / _DAY
    if since is not None:
        values["tier_hours"] = (at - since) / timedelta(hours=1)
    history = [{"kind": "recall", "at": each.at} for each in first.values()]
    history += [{"kind": "reuse", "at": each.at} for each in told]
    return Facts({name: value for name, value in values.items() if value is not None}, at, history)


def holds_rule(rule: str | Mapping[str, Any], facts: Facts, zone: str) -> bool:
    """Say whether a rule of the policy holds for a memory's facts. Raises ValueError as `parse_rule`."""
    return evaluate(parse_rule(rule), facts, zone)
