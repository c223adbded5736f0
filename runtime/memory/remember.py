"""Remembering: gate, kind and tier, whose it is, whether it is known already, the store (DESIGN section 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from casebook.conditions.fold import fold
from casebook.faults import NotFoundError, StoreError, nearest
from casebook.gate.candidate import Candidate, Likeness, Weighed
from casebook.gate.same import likeness
from casebook.gate.weigh import Extract, Judge, weigh
from casebook.memory import Memory
from casebook.memory_facts import is_live
from casebook.redacting.identity import identity
from casebook.redacting.redact import redact
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.journal.records import Entry
from casebook.runtime.memory.kept import Did, Kept
from casebook.runtime.memory.layers import Layer
from casebook.scope import Scope
from casebook.stores.memory_store import Change, Placed

_TRIES = 4
"""So often a memory is written again that somebody else has just changed."""
_TIERS = ("L1", "L2", "L3")
_ORIGINS = {
    "user": ("user", "person"),
    "tool": ("tool", "tool"),
    "model": ("agent", "agent"),
    "agent": ("agent", "agent"),
}
_NO_USER = "no user was named: it is kept for everybody who uses this casebook"
_NO_PROJECT = "no project was named: it is kept for every project of this casebook"


class _Asked(NamedTuple):
    """Something that a person is asked about a memory, once for each `key`."""

    reason: str
    key: str
    why: str
    proposal: Mapping[str, Any]
    others: tuple[str, ...]

    def entry(self, subject: str, place: Mapping[str, Any], now: datetime) -> Entry:
        """Give the line that puts it to review."""
        body = {
            "reason": self.reason, "why": self.why, "memory": place, "proposal": self.proposal, "others": list(self.others),
        }  # fmt: skip
        return Entry(f"ask:{self.reason}:{subject}:{self.key}", now, "upkeep", "queue", subject, body=body)


class Intake:
    """Takes candidates into the layers of a casebook; what it does is in the audit log before it is in a file."""

    def __init__(
        self,
        layers: Sequence[Layer],
        clock: Callable[[], datetime],
        *,
        extract: Extract | None = None,
        judge: Judge | None = None,
    ) -> None:
        """Take the layers, the first wins, the clock, and the seams of a model, which are empty without one."""
        self._layers = layers
        self._clock = clock
        self._extract = extract
        self._judge = judge

    def remember(self, candidate: Candidate, actor: str) -> tuple[Kept, ...]:
        """Take one candidate.

        Args:
            candidate: what may be worth remembering.
            actor: who offers it, as in `Entry.actor`.

        Returns:
            What became of each of its pieces, dropped ones included, in their order.

        Raises:
            NotFoundError: there is no memory that it corrects.
            StoreError: it cannot be written; what was said before the piece that could not is kept.
        """
        policy = self._layers[0].policy
        safe = _safe(candidate, policy.redact)
        corrected = self._corrected(safe)
        kept = []
        for piece in weigh(safe, policy, self._clock(), extract=self._extract, judge=self._judge):
            done = self._take(piece, safe, corrected, actor)
            if done.did == "corrected":
                corrected = None
            kept.append(done)
        return tuple(kept)

    # -- one piece -----------------------------------------------------------------------------------------------------

    def _take(self, piece: Weighed, candidate: Candidate, corrected: tuple[Layer, Placed] | None, actor: str) -> Kept:
        scope, layer, warnings = self._home(piece, candidate)
        if piece.dropped == "R4":
            return self._let_go(piece, candidate, actor)
        if piece.tier is None:
            return Kept("dropped", piece, why=piece.chain[-1].why if piece.chain else piece.dropped)
        if corrected is not None:
            return self._correct(piece, candidate, *corrected, actor)
        for _ in range(_TRIES):
            known = _known(layer, piece, scope, self._clock())
            like = likeness(piece.text, piece.kind, piece.polarity, (each.memory for each in known.values()))
            made = self._made(piece, candidate, scope)
            done = self._store(piece, made, like, known=known, layer=layer, actor=actor)
            if done is not None:
                return replace(done, warnings=warnings)
        raise StoreError(f"what was said could not be kept in {layer.root}: others go on changing the same memory")

    def _store(
        self, piece: Weighed, made: Memory, like: Likeness, *, known: Mapping[str, Placed], layer: Layer, actor: str
    ) -> Kept | None:
        """Write a piece as its likeness says; None where somebody was quicker."""
        other = known.get(like.other or "") or (known.get(made.id) if like.do == "create" else None)
        opposes = tuple(each for each in like.opposes if each in known)
        if other is not None and like.do in ("update", "merge", "create"):
            did: Did = "updated" if like.do == "update" else "merged"
            after = _taken_over(other.memory, made, text=like.do == "update", now=self._clock())
            if after == other.memory:
                return Kept(did, piece, after, other.path, layer.name, other.memory.id, opposes, like.why)
            change = Change(other.memory, after)
        else:
            did = "proposed" if like.do == "propose" and other is not None else "created"
            after, change = made, Change(None, made, path=_path_of(made))
        became = self._write(layer, change, did, actor)
        if became == "conflict":
            return None
        path = layer.memories.snapshot().memories.get(after.id)
        done = Kept(did, piece, after, path.path if path else "", layer.name, like.other, opposes, like.why)
        self._ask(layer, done, piece, other)
        return done

    def _correct(self, piece: Weighed, candidate: Candidate, layer: Layer, placed: Placed, actor: str) -> Kept:
        """Let what the user corrects take the place of what stood there (P3)."""
        made = self._made(piece, candidate, placed.memory.scope)
        for _ in range(_TRIES):
            before = placed.memory
            form = made.to_json()
            kept = {
                name: value
                for name, value in before.to_json().items()
                if name in ("created_at", "tags") or name.startswith("x-")
            }
            chain = [step.model_dump() for step in (*before.rule_chain, *made.rule_chain)]
            after = Memory.from_json({**form, **kept, "id": before.id, "confirmed": True, "rule_chain": chain})
            if self._write(layer, Change(before, after), "corrected", actor) != "conflict":
                now = layer.memories.snapshot().memories.get(before.id)
                path = now.path if now else placed.path
                return Kept("corrected", piece, after, path, layer.name, before.id, why="P3: the user corrects")
            found = layer.memories.snapshot().memories.get(before.id)
            if found is None:
                break
            placed = found
        raise StoreError(f"{placed.memory.id} could not be corrected: others go on changing it")

    def _let_go(self, piece: Weighed, candidate: Candidate, actor: str) -> Kept:
        """Archive what the user says is to go (R4), where one memory is meant without doubt."""
        principal = _principal(candidate)
        for layer in self._layers:
            reach = [
                each for each in layer.memories.snapshot().memories.values()
                if within(each.memory.scope, principal) and is_live(each.memory, self._clock(), layer.policy.timezone)
            ]  # fmt: skip
            likes = {
                each.memory.kind: likeness(piece.text, each.memory.kind, 1, (m.memory for m in reach)) for each in reach
            }
            meant = [like.other for like in likes.values() if like.other and like.do in ("update", "merge")]
            if len(meant) == 1:
                placed = next(each for each in reach if each.memory.id == meant[0])
                if self._write(layer, Change(placed.memory, None, "R4: the user said so"), "archived", actor) == "done":
                    return Kept("archived", piece, placed.memory, placed.path, layer.name, placed.memory.id, why="R4")
        return Kept(
            "dropped", piece, why="R4: it is to go, and no single memory is meant: `casebook archive ID` takes one out"
        )

    # -- what is written -----------------------------------------------------------------------------------------------

    def _made(self, piece: Weighed, candidate: Candidate, scope: Scope) -> Memory:
        now = self._clock().isoformat(timespec="milliseconds")
        origin, by = _ORIGINS[candidate.by]
        source = {"origin": origin, "by": by, "session": candidate.session, "asked": piece.asked or None}
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

    def _write(self, layer: Layer, change: Change, did: Did, actor: str) -> str:
        """Write a change down, then make it. Raises StoreError."""
        now = self._clock()
        before = change.before.to_json() if change.before is not None else None
        after = change.after.to_json() if change.after is not None else None
        mark = sha256(repr((before, after)).encode("utf-8", "replace")).hexdigest()[:16]
        entry_id = f"remember:{change.memory_id}:{mark}"
        body = {"did": did, "before": before, "after": after}
        layer.journal.append((Entry(entry_id, now, actor, "remember", change.memory_id, body=body),))
        (became,) = layer.memories.change((change,), now)
        return became

    def _ask(self, layer: Layer, done: Kept, piece: Weighed, other: Placed | None) -> None:
        """Put to review what a person is to decide: whether two are one, what opposes what, what was seen and not confirmed."""
        memory = done.memory
        if memory is None:
            return
        asks = [_Asked("contradiction", each, done.why, {}, (each,)) for each in done.opposes]
        if done.did == "proposed" and other is not None:
            merged = other.memory.with_changes(exceptions=[*other.memory.exceptions, memory.text])
            proposal = {"do": "merge", "into": other.memory.id, "memory": merged.to_json()}
            asks.append(_Asked("merge", other.memory.id, done.why, proposal, (other.memory.id,)))
        if piece.needs_review:
            asks.append(_Asked("unconfirmed", memory.tier, piece.needs_review, {"do": "promote"}, ()))
        if asks:
            place = {"file": done.path, "kind": memory.kind}
            layer.journal.append([each.entry(memory.id, place, self._clock()) for each in asks])

    # -- whose it is ---------------------------------------------------------------------------------------------------

    def _home(self, piece: Weighed, candidate: Candidate) -> tuple[Scope, Layer, tuple[str, ...]]:
        """Give whose a piece is, the layer that it goes to, and what is odd about that."""
        first = self._layers[0]
        users = next((each for each in self._layers if each.is_users), None)
        if candidate.scope is not None:
            is_users = candidate.scope.named.keys() == {"user"}
            return candidate.scope, (users if users and is_users else first), ()
        if piece.home == "user":
            layer = users or first
            warned = candidate.user is None and not layer.is_users
            return Scope(user=candidate.user), layer, ((_NO_USER,) if warned else ())
        warned = candidate.project is None and first.is_users
        return Scope(project=candidate.project), first, ((_NO_PROJECT,) if warned else ())

    def _corrected(self, candidate: Candidate) -> tuple[Layer, Placed] | None:
        """Give the memory that a candidate corrects. Raises NotFoundError; one out of reach is none."""
        if candidate.corrects is None:
            return None
        principal = _principal(candidate)
        names: set[str] = set()
        for layer in self._layers:
            for name, placed in layer.memories.snapshot().memories.items():
                if within(placed.memory.scope, principal):
                    names.add(name)
                    if name == candidate.corrects:
                        return layer, placed
        near = nearest(candidate.corrects, names)
        raise NotFoundError(
            f"there is no memory {candidate.corrects!r} here" + (f"; did you mean {near}?" if near else "")
        )


def _safe(candidate: Candidate, patterns: tuple[str, ...]) -> Candidate:
    """Give a candidate without secrets, whose ids may be stored."""
    names = {
        name: identity(value) for name in ("user", "project", "agent", "session") if (value := getattr(candidate, name))
    }
    words = {"text": redact(candidate.text, patterns), "reason": redact(candidate.reason, patterns)}
    others = tuple(redact(each, patterns) for each in candidate.alternatives)
    return candidate.model_copy(update={**names, **words, "alternatives": others})


def _principal(candidate: Candidate) -> Principal:
    return Principal(candidate.user, candidate.project, frozenset(candidate.team), candidate.agent)


def _known(layer: Layer, piece: Weighed, scope: Scope, now: datetime) -> Mapping[str, Placed]:
    """Give the memories of a scope that a piece may be like."""
    zone = layer.policy.timezone
    return {
        name: placed
        for name, placed in layer.memories.snapshot().memories.items()
        if placed.memory.scope == scope and placed.memory.kind == piece.kind and is_live(placed.memory, now, zone)
    }


def _id(piece: Weighed, scope: Scope) -> str:
    """Give an id made of what a memory says and whose it is, so that the same said twice has one."""
    key = "\0".join((piece.kind, *(f"{name}={value}" for name, value in sorted(scope.named.items())), fold(piece.text)))
    return f"m-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _path_of(memory: Memory) -> str | None:
    """Give the file of what belongs to a session; None where its tier and kind say the file."""
    if memory.tier != "L1":
        return None
    from casebook.stores.session_names import session_file

    source = memory.source
    return session_file(source.session if source is not None else None, memory.scope.user)


def _taken_over(before: Memory, made: Memory, *, text: bool, now: datetime) -> Memory:
    """Give a known memory after it was said again: the new words where they hold the old ones, the higher tier, whatever was pinned."""
    higher = _TIERS.index(made.tier) > _TIERS.index(before.tier)
    changes: dict[str, Any] = {}
    if text and made.text != before.text:
        changes["text"] = made.text
    if higher:
        changes |= {"tier": made.tier, "tier_since": now.isoformat(timespec="milliseconds"), "ttl": made.ttl}
        changes["expires_at"] = made.expires_at
    if made.pinned and not before.pinned:
        changes["pinned"] = True
    if not changes:
        return before
    steps = [*before.rule_chain, *made.rule_chain]
    return before.with_changes(**changes, rule_chain=[step.model_dump() for step in steps])
