"""Remembering: gate, kind and tier, whose it is, whether it is known already, the store (DESIGN section 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from casebook.conditions.fold import nfc
from casebook.faults import NotFoundError, StoreError, nearest
from casebook.gate.candidate import Candidate, Likeness, Weighed
from casebook.gate.extract import Extract
from casebook.gate.weigh import Judge, weigh
from casebook.memory import Memory
from casebook.runtime.answer.isolation import Principal, within
from casebook.runtime.journal.records import Entry
from casebook.runtime.memory.asking import ask, otherwise
from casebook.runtime.memory.comparing import echoed_by, known_in, likeness_of, met_by, opposed_by
from casebook.runtime.memory.kept import Did, Kept
from casebook.runtime.memory.layers import Layer
from casebook.runtime.memory.letting_go import Meant, meant_by
from casebook.runtime.memory.overruling import as_correction, corrects, is_theirs, overruled_by, without_p3
from casebook.runtime.memory.said import (
    adds,
    corrected_to,
    left_out,
    made_of,
    refuse_anothers,
    refuse_past,
    safe,
    said_again,
    said_anew,
    taken_over,
    with_free_id,
)
from casebook.runtime.memory.unserved import detour, why_not
from casebook.scope import Scope
from casebook.speakers import outweighs, speaker_of
from casebook.stores.memory_store import Change, Placed

_TRIES = 4
"""So often a memory is written again that somebody else has just changed."""
_SILENT = {
    "disabled": "it is known, and somebody has muted it: `casebook mute --undo` lets it be recalled again",
    "to_judge": "it is known, and waits for a person's judgment: `casebook review`",
    "archived": "it is known, and its file says that it is archived",
}
_NO_USER = "no user was named: it is kept for everybody who uses this casebook"
_NOT_LOOKED_AT = "; no user was named, and what is a user's own was not looked at"
_NO_PROJECT = "no project was named: it is kept for every project of this casebook"
_NO_ONES = "it is a project's and no project was named: it is kept for everybody who uses this casebook"
_OPPOSED_THERE = (
    "it says the opposite of {}, which stands in another casebook ({}): `casebook archive` there takes that out"
)
_LEFT_OUT = "the {} was none of the person's words, and was left out: `casebook history {}` has it"
_KNOWN = "a person said so already: it stays as they said it"


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
            CasebookError: its scope is another's than who speaks.
            StoreError: it cannot be written; what was said before the piece that could not is kept.
        """
        policy = self._layers[0].policy
        said = safe(candidate, policy.redact)
        refuse_anothers(said)
        refuse_past(said, self._clock(), policy.timezone)
        corrected = self._corrected(said)
        kept = []
        for piece in weigh(said, policy, self._clock(), extract=self._extract, judge=self._judge):
            done = self._take(piece, said, corrected, actor)
            if done.memory is not None:  # what is said beside a correction stands for itself
                corrected = None
            kept.append(done)
        return tuple(kept)

    # -- one piece -----------------------------------------------------------------------------------------------------

    def _take(self, piece: Weighed, candidate: Candidate, corrected: tuple[Layer, Placed] | None, actor: str) -> Kept:
        scope, layer, warnings = self._home(piece, candidate)
        if piece.dropped == "R4" and not piece.asked:
            return self._let_go(piece, candidate, corrected, actor)
        if piece.tier is None:
            return Kept("dropped", piece, why=piece.chain[-1].why if piece.chain else piece.dropped)
        if corrected is not None:
            return (self._correct if _has_a_say(candidate) else self._object)(piece, candidate, *corrected, actor)
        for _ in range(_TRIES):
            known = known_in(layer, scope, self._clock())
            met = met_by(self._layers, scope, _principal(candidate), self._clock())
            like = likeness_of(piece, (each.memory for each in known.values()))
            if candidate.id is None and corrects(piece):
                around = {name: (layer, each) for name, each in known.items()}
                surely, like = overruled_by(piece, like, [each.memory for each in known.values()])
                if surely is None and not like.opposes and like.do in ("create", "propose"):
                    around = {**met, **around}
                    surely, like = overruled_by(piece, opposed_by(piece, like, _memories(met)), _memories(around))
                if surely is not None and _has_a_say(candidate):
                    where, placed = around[surely.id]
                    said = self._as_kind(piece, candidate, placed.memory)
                    is_own = is_theirs(where, placed.memory, candidate, actor)
                    return (self._correct if is_own else self._object)(said, candidate, where, placed, actor)
            like = opposed_by(piece, like, _memories(met))
            piece = without_p3(piece)
            made = made_of(piece, candidate, scope, self._clock())
            made = self._with_id(made, candidate, layer)
            done = self._echoed(piece, made, known, met, layer) or self._store(
                piece, made, candidate, like, known=known, met=met, layer=layer, actor=actor
            )
            if done is not None:
                return replace(
                    done, warnings=(*warnings, *done.warnings, *detour(done, _path_of(made, candidate), layer))
                )
        raise StoreError(f"what was said could not be kept in {layer.root}: {why_not(layer, like.other)}")

    def _echoed(
        self,
        piece: Weighed,
        made: Memory,
        known: Mapping[str, Placed],
        met: Mapping[str, tuple[Layer, Placed]],
        layer: Layer,
    ) -> Kept | None:
        """Take what an agent or a tool says of what a person said already, be it called something else: nothing is new; else None."""
        around = {**met, **{name: (layer, each) for name, each in known.items()}}
        echoed = echoed_by(piece, made, _memories(around))
        if echoed is None:
            return None
        return _placed(Kept("merged", piece, echoed, other=echoed.id, why=_KNOWN), around[echoed.id][0])

    def _store(
        self,
        piece: Weighed,
        made: Memory,
        candidate: Candidate,
        like: Likeness,
        *,
        known: Mapping[str, Placed],
        met: Mapping[str, tuple[Layer, Placed]],
        layer: Layer,
        actor: str,
    ) -> Kept | None:
        """Write a piece as its likeness says; None where somebody was quicker."""
        other = known.get(like.other or "")
        if other is not None and like.do in ("update", "merge") and outweighs(other.memory, made):
            return _placed(self._offered(piece, made, like, other.memory, layer=layer, actor=actor), layer)
        did: Did = "created"
        away: tuple[str, ...] = ()
        after, change = made, Change(None, made, path=_path_of(made, candidate))
        if other is not None and like.do == "propose":
            did = "proposed"
        elif other is not None:
            did = "updated" if like.do == "update" else "merged"
            if speaker_of(made) == "person" and speaker_of(other.memory) != "person":
                after = taken_over(other.memory, made)
                away = left_out(other.memory, after)
            else:
                zone = layer.policy.timezone
                after = said_again(other.memory, made, text=did == "updated", now=self._clock(), zone=zone)
            change = Change(other.memory, after)
        elif (silent := layer.memories.snapshot().memories.get(made.id)) is not None:
            taken = made.id in known or silent.memory.text != made.text or silent.memory.scope != made.scope
            if taken or (silent.memory.status == "active" and outweighs(silent.memory, made)):
                raise StoreError(
                    f"{made.id} is another memory's id; `--corrects {made.id}` puts something in its place"
                )
            if silent.memory.status != "active":
                why = _SILENT[silent.memory.status]
                return _placed(Kept("merged", piece, silent.memory, other=made.id, why=why), layer)
            did, after = "updated", said_anew(silent.memory, made)
            change = Change(silent.memory, after, path=change.path)
        if change.before != change.after and self._write(layer, change, did, actor) == "conflict":
            return None
        near = {name for name, (where, _) in met.items() if where is layer}  # a review is of one casebook
        opposes = tuple(each for each in like.opposes if each in known or each in near)
        apart = tuple(
            _OPPOSED_THERE.format(each, met[each][0].name) for each in like.opposes if each in met and each not in near
        ) + tuple(_LEFT_OUT.format(each, after.id) for each in away)
        done = _placed(Kept(did, piece, after, other=like.other, opposes=opposes, why=like.why, warnings=apart), layer)
        ask(layer, done, piece, other.memory if other is not None else None, self._clock())
        return done

    def _offered(
        self, piece: Weighed, made: Memory, like: Likeness, before: Memory, *, layer: Layer, actor: str
    ) -> Kept:
        """Take what an agent or a tool says of what a person said: that stays as it is, and a person is asked where it says more."""
        zone, now = layer.policy.timezone, self._clock()
        if like.do == "merge" and not adds(before, made, zone):
            return Kept("merged", piece, before, other=before.id, why=_KNOWN)
        after = said_again(before, made, text=like.do == "update", now=now, zone=zone)
        why = f"{actor} would have it otherwise; what a person said stays until a person has decided"
        return otherwise(layer, piece, before=before, after=after, why=why, now=now)

    def _as_kind(self, piece: Weighed, candidate: Candidate, before: Memory) -> Weighed:
        """Give a correction as the kind of thing that it corrects, where the candidate does not say another, judged as such."""
        if candidate.kind is None and piece.kind != before.kind:
            said = candidate.model_copy(update={"text": piece.text, "kind": before.kind, "corrects": before.id})
            again = weigh(said, self._layers[0].policy, self._clock())
            if len(again) == 1 and again[0].tier is not None:
                piece = replace(again[0], text=piece.text)
        return as_correction(piece)

    def _correct(self, piece: Weighed, candidate: Candidate, layer: Layer, placed: Placed, actor: str) -> Kept:
        """Let what the user corrects take the place of what stood there (P3)."""
        made = made_of(piece, candidate, placed.memory.scope, self._clock())
        for _ in range(_TRIES):
            before = placed.memory
            after = corrected_to(before, made)
            if self._write(layer, Change(before, after), "corrected", actor) != "conflict":
                others = [
                    each.memory
                    for name, each in known_in(layer, before.scope, self._clock()).items()
                    if name != before.id
                ]
                met = met_by((layer,), before.scope, _principal(candidate), self._clock())
                like = opposed_by(piece, likeness_of(piece, others), _memories(met))
                why = f"P3: the user corrects what was said before: {before.text}"
                done = _placed(Kept("corrected", piece, after, other=before.id, opposes=like.opposes, why=why), layer)
                ask(layer, done, piece, None, self._clock())
                return done
            found = layer.memories.snapshot().memories.get(before.id)
            if found is None:
                break
            placed = found
        raise StoreError(f"{placed.memory.id} could not be corrected: {why_not(layer, placed.memory.id)}")

    def _object(self, piece: Weighed, candidate: Candidate, layer: Layer, placed: Placed, actor: str) -> Kept:
        """Put a correction that is nobody's own word to review; what stands there stays."""
        before = placed.memory
        after = corrected_to(before, made_of(piece, candidate, before.scope, self._clock()))
        who = f"{actor} would have it otherwise"
        if _has_a_say(candidate):
            why = f"{who}, and somebody else said it: a person is asked (P3)"
        else:
            why = f"{who}; what a person has not said takes no place (P3)"
        done = otherwise(layer, piece, before=before, after=after, why=why, now=self._clock())
        return _placed(done, layer)

    def _let_go(self, piece: Weighed, candidate: Candidate, named: tuple[Layer, Placed] | None, actor: str) -> Kept:
        """Archive what the user says is to go (R4), where it was named, or one memory says just that; else name what may be meant."""
        if candidate.by != "user":
            return Kept("dropped", piece, why="R4: it is to go, and nobody but the user says what is")
        who, session, now = _principal(candidate), candidate.session, self._clock()
        meant = meant_by(piece.text, self._layers, who, session, now) if named is None else Meant((named,))
        if len(meant.surely) == 1:
            ((layer, placed),) = meant.surely
            if self._write(layer, Change(placed.memory, None, "R4: the user said so"), "archived", actor) == "done":
                why = "R4: the user said so"
                other = placed.memory.id
                return _placed(Kept("archived", piece, placed.memory, other=other, why=why, meant=meant.perhaps), layer)
        named_ones = (*(each.memory for _, each in meant.surely), *meant.perhaps)
        if named_ones:
            why = "R4: it is to go, and which memory is meant is for you to say: `casebook archive ID` takes one out"
        else:
            why = f"R4: it is to go, and nothing that is known is about it{_NOT_LOOKED_AT if candidate.user is None else ''}"
        return Kept("dropped", piece, why=why, meant=named_ones)

    # -- what is written -----------------------------------------------------------------------------------------------

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
        if became == "conflict":
            skip = Entry(f"skip:{entry_id}", now, actor, "skip", change.memory_id, body={"entry": entry_id})
            layer.journal.append((skip,))
        return became

    # -- whose it is ---------------------------------------------------------------------------------------------------

    def _home(self, piece: Weighed, candidate: Candidate) -> tuple[Scope, Layer, tuple[str, ...]]:
        """Give whose a piece is, the layer that it goes to, and what is odd about that."""
        first = self._layers[0]
        users = next((each for each in self._layers if each.is_users), None)
        if candidate.scope is not None:
            named = candidate.scope.named
            is_users = "user" in named and "project" not in named
            return candidate.scope, (users if users and is_users else first), ()
        if piece.home == "user" or (piece.is_own and candidate.project is None):
            layer = users or first
            warned = candidate.user is None and not layer.is_users
            return Scope(user=candidate.user), layer, ((_NO_USER,) if warned else ())
        if piece.is_own:  # one user's, in one project
            warned = candidate.user is None
            return Scope(user=candidate.user, project=candidate.project), first, ((_NO_USER,) if warned else ())
        if candidate.project is not None:
            return Scope(project=candidate.project), first, ()
        # a project's own folder is for that project; that others use it too is told to whoever named themselves
        warnings = (_NO_PROJECT,) if first.is_users else (_NO_ONES,) if candidate.user is not None else ()
        return Scope(), first, warnings

    def _with_id(self, made: Memory, candidate: Candidate, layer: Layer) -> Memory:
        """Give a memory with an id that is free. Raises StoreError where it was given one of the user's own casebook, to go elsewhere."""
        users = next((each for each in self._layers if each.is_users and each is not layer), None)
        own = users.memories.snapshot().memories.keys() if users is not None else ()
        if candidate.id is None:
            return with_free_id(made, layer.memories.snapshot().memories, own)
        if made.id in own:
            raise StoreError(f"{made.id} is the id of a memory of the user's own casebook; expected another one")
        return made

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


def _memories(placed: Mapping[str, tuple[Layer, Placed]]) -> list[Memory]:
    return [each.memory for _, each in placed.values()]


def _principal(candidate: Candidate) -> Principal:
    return Principal(candidate.user, candidate.project, frozenset(map(nfc, candidate.team)), candidate.agent)


def _placed(kept: Kept, layer: Layer) -> Kept:
    """Give what became of a piece with the casebook and the file in which it stands."""
    memory = kept.memory
    placed = layer.memories.snapshot().memories.get(memory.id) if memory is not None else None
    return replace(kept, path=placed.path if placed is not None else "", layer=layer.name)


def _has_a_say(candidate: Candidate) -> bool:
    """Say whether a correction counts as the user's: their own words, or what a person has confirmed."""
    return candidate.by == "user" or candidate.confirmed


def _path_of(memory: Memory, candidate: Candidate) -> str | None:
    """Give the file of what belongs to the session of whoever speaks; None where its tier and kind say the file."""
    if memory.tier != "L1":
        return None
    from casebook.stores.session_names import session_file

    return session_file(candidate.session, candidate.user)
