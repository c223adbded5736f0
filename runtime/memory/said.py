"""What was said in the form of a memory: made safe, new, said again, or in the place of what it corrects."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from casebook.conditions.fold import fold, nfc
from casebook.faults import CasebookError
from casebook.gate.candidate import Candidate, Weighed
from casebook.instants import instant
from casebook.memory import Memory, Origin, Step, UnfitMemoryError
from casebook.memory_facts import last_used
from casebook.problems import Problem, shown
from casebook.redacting.identity import identity
from casebook.redacting.redact import redact
from casebook.scope import SCOPE_CHARS, Scope
from casebook.speakers import outweighs, speaker_of
from casebook.stores.memory_store import Placed

_TIERS = ("L1", "L2", "L3")
_DAY = timedelta(days=1)
_ORIGINS = {
    "user": ("user", "person"),
    "tool": ("tool", "tool"),
    "model": ("agent", "agent"),
    "agent": ("agent", "agent"),
}


def safe(candidate: Candidate, patterns: tuple[str, ...]) -> Candidate:
    """Give a candidate without secrets, whose ids may be stored and compare as those of tasks do."""
    names: dict[str, Any] = {
        name: _kept(name, value)
        for name in ("user", "project", "agent", "session")
        if (value := getattr(candidate, name)) is not None
    }
    if candidate.scope is not None:
        named = {name: nfc(identity(str(value))) for name, value in candidate.scope.named.items()}
        names["scope"] = Scope(**named)
    words = {"text": redact(candidate.text, patterns), "reason": redact(candidate.reason, patterns)}
    lists = {
        name: tuple(redact(_whole(each, name, place), patterns) for place, each in enumerate(getattr(candidate, name)))
        for name in ("alternatives", "tags")
    }
    return candidate.model_copy(update={**names, **words, **lists})


def _kept(field: str, name: str) -> str | None:
    """Give a name as it is kept; the empty text names nobody. Raises UnfitMemoryError where no scope could hold it."""
    kept = nfc(identity(name))
    if len(kept) > SCOPE_CHARS:
        told = f"expected at most {SCOPE_CHARS} characters, got {len(name):,}"
        raise UnfitMemoryError((Problem((field,), told),))
    return _whole(kept, field) or None


def _whole(text: str, *path: str | int) -> str:
    """Give a text back. Raises UnfitMemoryError where half of a character stands in it, which no file can hold."""
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        raise UnfitMemoryError((Problem(path, f"expected text of whole characters, got {shown(text)}"),))
    return text


def refuse_anothers(candidate: Candidate) -> None:
    """Raise CasebookError where a scope names another than the host says is speaking: nobody speaks for somebody else."""
    scope = candidate.scope
    if scope is None:
        return
    for name in ("user", "project", "agent"):
        said, wanted = getattr(candidate, name), getattr(scope, name)
        if said is not None and wanted is not None and wanted != said:
            raise CasebookError(f"scope.{name}: expected {said!r}, who speaks, got {wanted!r}")
    teams = {nfc(each) for each in candidate.team}
    if scope.team is not None and teams and scope.team not in teams:
        raise CasebookError(f"scope.team: expected one of {', '.join(sorted(teams))}, got {scope.team!r}")


def refuse_past(candidate: Candidate, now: datetime, zone: str) -> None:
    """Raise UnfitMemoryError where a candidate says that it holds until an instant that is past: it would hold for ever."""
    if candidate.expires_at is None:
        return
    with suppress(ValueError):  # what is no instant is told as that, by the gate
        if instant(candidate.expires_at, zone) <= now:
            told = f"expected a date to come, got {shown(candidate.expires_at)}, which is past"
            raise UnfitMemoryError((Problem(("expires_at",), told),))


def made_of(piece: Weighed, candidate: Candidate, scope: Scope, at: datetime) -> Memory:
    """Give a piece as a memory of a scope, which stands in its tier from an instant on."""
    now = at.isoformat(timespec="milliseconds")
    origin, by = _ORIGINS[candidate.by]
    source = {"origin": origin, "by": by, "session": candidate.session, "asked": piece.asked or candidate.asked or None}
    form: dict[str, Any] = {
        "id": candidate.id or _id(piece, scope),
        "kind": piece.kind,
        "text": piece.text,
        "tier": piece.tier,
        "scope": dict(scope.named) or None,
        "source": {name: value for name, value in source.items() if value is not None},
        "created_at": now,
        "tier_since": now,
        "ttl": piece.ttl,
        "expires_at": piece.expires_at,
        "pinned": piece.pinned or None,
        "confirmed": candidate.confirmed or None,
        "reason": piece.reason or None,
        "alternatives": list(piece.alternatives) or None,
        "tags": list(candidate.tags) or None,
        "rule_chain": [step.model_dump() for step in piece.chain],
    }
    return Memory.from_json({name: value for name, value in form.items() if value is not None})


def _id(piece: Weighed, scope: Scope) -> str:
    """Give an id made of what a memory says and whose it is, so that the same said twice has one."""
    key = "\0".join((piece.kind, *(f"{name}={value}" for name, value in sorted(scope.named.items())), fold(piece.text)))
    return f"m-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:12]}"


def with_free_id(made: Memory, there: Mapping[str, Placed], own: Collection[str] = ()) -> Memory:
    """Give a memory with an id of its own, where the one made from its words is that of a memory which says something else by now.

    So it is where a person said the same, and it is not for whoever speaks now to say it anew; what was muted stays muted.

    Args:
        made: the memory.
        there: what stands in the casebook that it goes to.
        own: the ids of the user's own casebook, where it goes to another: none of them is free.
    """
    name, number = made.id, 2
    while name in own or (
        (other := there.get(name)) is not None
        and (
            fold(other.memory.text) != fold(made.text)
            or (other.memory.status == "active" and outweighs(other.memory, made))
        )
    ):
        name, number = f"{made.id}-{number}", number + 1
    return made if name == made.id else made.with_changes(id=name)


def corrected_to(before: Memory, made: Memory) -> Memory:
    """Give a memory with the words and the kind of its correction, in its tier or a higher one; what counts, and what is free, stays.

    What the user cared to correct is worth no less than before, unless it has an end now.
    """
    stays = ("created_at", "tags", "counters", "last_used", "merged", "exceptions", "pinned")
    kept = {name: value for name, value in before.to_json().items() if name in stays or name.startswith(("x-", "$"))}
    if made.expires_at is None and _TIERS.index(before.tier) > _TIERS.index(made.tier):
        kept["tier"] = before.tier
    steps = [*before.rule_chain, _ANEW, *made.rule_chain]
    if "tier" in kept:
        steps.append(
            Step(rule="P3", why=f"what it corrects stood in {before.tier}: it is worth no less → {before.tier}")
        )
    chain = [step.model_dump() for step in steps]
    return Memory.from_json({**made.to_json(), **kept, "id": before.id, "confirmed": True, "rule_chain": chain})


_ANEW = Step(rule="corrected", why="what stands above judged the words before; what follows judges the new ones")


def said_again(before: Memory, made: Memory, *, text: bool, now: datetime, zone: str) -> Memory:
    """Give a known memory after it was said again: the new words where they hold the old ones, the higher tier, what was pinned or asked.

    It counts as used where it was not for a day; what holds until some day holds until the later one. Words are whoever's said them.
    """
    at = now.isoformat(timespec="milliseconds")
    changes = {**_told_anew(before, made, text=text), **_moved(before, made, at, zone)}
    if changes:
        changes["rule_chain"] = [step.model_dump() for step in (*before.rule_chain, *made.rule_chain)]
    used = last_used(before, (), zone)
    if used is not None and now - used > _DAY and "tier" not in changes:
        changes["tier_since" if before.tier == "L1" else "last_used"] = at
    return before.with_changes(**changes) if changes else before


def _told_anew(before: Memory, made: Memory, *, text: bool) -> dict[str, Any]:
    """Give what is said for the first time: other words, that it is to stay, by whom, why, what else was possible."""
    changes: dict[str, Any] = {}
    if text and made.text != before.text:
        changes["text"] = made.text
        if speaker_of(made) != speaker_of(before):
            changes["source"] = _form_of(made.source)
    for name in ("pinned", "confirmed", "reason"):
        if getattr(made, name) and not getattr(before, name):
            changes[name] = getattr(made, name)
    if made.source is not None and _says_more(made.source, before.source):
        changes["source"] = _form_of(made.source)
    if new := [each for each in made.alternatives if each not in before.alternatives]:
        changes["alternatives"] = [*before.alternatives, *new]
    return changes


def _moved(before: Memory, made: Memory, at: str, zone: str) -> dict[str, Any]:
    """Give the tier that is higher, or the end that is later."""
    if _TIERS.index(made.tier) > _TIERS.index(before.tier):
        return {"tier": made.tier, "tier_since": at, "ttl": made.ttl, "expires_at": made.expires_at}
    if made.expires_at is not None and _is_later(made.expires_at, before.expires_at, zone):
        return {"expires_at": made.expires_at}
    return {}


def _is_later(end: str, than: str | None, zone: str) -> bool:
    return than is not None and instant(end, zone) > instant(than, zone)


def _says_more(new: Origin, old: Origin | None) -> bool:
    """Say whether it was said by the user, or with the wish that it be remembered, and was not before."""
    if new.origin != "user":
        return False
    return old is None or old.origin != "user" or (new.asked and not old.asked)


def _form_of(source: Origin | None) -> dict[str, Any] | None:
    return None if source is None else source.model_dump(mode="json", exclude_unset=True)


def adds(before: Memory, made: Memory, zone: str) -> bool:
    """Say whether what is said again says more than what is known in the same words: that it is to stay, why, what else, for longer."""
    return (
        any(getattr(made, name) and not getattr(before, name) for name in ("pinned", "reason"))
        or not set(made.alternatives) <= set(before.alternatives)
        or (made.expires_at is not None and _is_later(made.expires_at, before.expires_at, zone))
    )


def taken_over(before: Memory, made: Memory) -> Memory:
    """Give what a person says, in the place of what somebody else said that says no more: in the person's words, and none but theirs.

    It keeps its id and what counts, and its tier where that is the higher one and the person names no end; to say it is to use it.
    """
    stays = ("created_at", "counters", "merged", "tags", "about", "pinned", "confirmed")
    held = before.to_json()
    kept = {name: value for name, value in held.items() if name in stays or name.startswith(("x-", "$"))}
    if made.expires_at is None and _TIERS.index(before.tier) > _TIERS.index(made.tier):
        kept["tier"] = before.tier
    chain = [step.model_dump() for step in (*before.rule_chain, *made.rule_chain)]
    return Memory.from_json({**made.to_json(), **kept, "id": before.id, "rule_chain": chain})


def left_out(before: Memory, after: Memory) -> tuple[str, ...]:
    """Give the fields of what somebody else said that a person, whose words took its place, has not said."""
    said = {"reason": {before.reason} - {after.reason, ""}}
    said |= {name: set(getattr(before, name)) - set(getattr(after, name)) for name in ("alternatives", "exceptions")}
    return tuple(name for name, each in said.items() if each)


def said_anew(before: Memory, made: Memory) -> Memory:
    """Give a memory whose time was over after it was said again: as it is said now."""
    if speaker_of(made) == "person" and speaker_of(before) != "person":
        return taken_over(before, made)
    held = {name: value for name, value in before.to_json().items() if name != "expires_at"}
    chain = [step.model_dump() for step in (*before.rule_chain, *made.rule_chain)]
    return Memory.from_json({**held, **made.to_json(), "rule_chain": chain})
