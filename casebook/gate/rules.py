"""The rules of the write gate in one table, numbered as DESIGN section 7 numbers them; each with its source and what decides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from casebook.gate import drops
from casebook.gate.candidate import By
from casebook.gate.cue_set import CueSet
from casebook.gate.kind_cues import CHEAP, COST_HIGH, DEAR, HARD, HOW, PERSONAL, STABLE, UNSTABLE, WHY
from casebook.gate.lifetimes import NO_LIMIT, Limit
from casebook.gate.wishes import is_wish_about_answers
from casebook.kinds import Kind
from casebook.memory import Memory, Step, Tier

Source = Literal["design", "ours"]

LASTING: tuple[Kind, ...] = ("identity", "principle")
LONG, MEDIUM = 80, 40
"""T1, T2: from so many points on L3, and L2."""

_STABLE, _UNSTABLE, _PERSONAL = CueSet(STABLE), CueSet(UNSTABLE), CueSet(PERSONAL)
_HIGH, _HARD, _DEAR, _CHEAP, _WHY, _HOW = (CueSet(each) for each in (COST_HIGH, HARD, DEAR, CHEAP, WHY, HOW))
_DOWN: dict[Tier, Tier] = {"L3": "L2", "L2": "L1", "L1": "L1"}


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a candidate, as the rules see it.

    Attributes:
        view: its words, folded (`casebook.gate.own_words.view_of`).
        kind, scores: what it is, and what each kind scored.
        by: who says it.
        confirmed: of an observation, whether a person has confirmed it.
        pinned, archived, lowered: what was said in so many words: it is to stay, to go, to be kept for a short while.
        cost: what the candidate says of the cost of changing or losing it, or None.
        limit: until when it holds.
        now, short: the instant, and how long L1 keeps.
        is_users: whether it would hold in another project.
        corrects: whether it corrects something that is known.
    """

    view: str
    kind: Kind = "fact"
    scores: dict[Kind, float] = field(default_factory=dict)
    by: By = "user"
    confirmed: bool = False
    pinned: bool = False
    archived: bool = False
    lowered: bool = False
    cost: Literal["high", "low"] | None = None
    limit: Limit = NO_LIMIT
    now: datetime | None = None
    short: timedelta = timedelta(hours=48)
    is_users: bool = False
    corrects: bool = False

    @property
    def is_stable_preference(self) -> bool:
        """Say whether it is a preference that is meant to last: told as a habit or a wish for all times, no limit, not of the moment."""
        return (
            self.kind == "preference"
            and self.limit.at is None
            and not _UNSTABLE.holds(self.view)
            and (_STABLE.holds(self.view) or is_wish_about_answers(self.view))
        )

    @property
    def is_unconfirmed(self) -> bool:
        """Say whether somebody else than the user says it, and nobody has confirmed it."""
        return self.by != "user" and not self.confirmed


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule of tiers says of a piece: a tier, or at most a tier; and why, in words that quote nothing."""

    why: str
    tier: Tier | None = None
    most: Tier | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """What a rule of points gives to a piece, and why."""

    points: int
    why: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table.

    Attributes:
        number: such as R3.
        says: what it says, in a sentence.
        source: where it comes from: the design (its section 7), or ours.
        decide: what decides it: D take the folded text; R, S and T a `Piece`; P1 and P2 a memory.
    """

    number: str
    says: str
    source: Source
    decide: Callable[..., Any]


def r1(piece: Piece) -> Verdict | None:
    """By kind."""
    if piece.kind in LASTING:
        return Verdict(f"{piece.kind} → L3", "L3")
    if piece.is_stable_preference:
        return Verdict("stable preference → L3", "L3")
    if piece.kind in ("usage", "project_state"):
        return Verdict(f"{piece.kind} → L2 with ttl", "L2")
    if piece.kind == "temporary":
        return Verdict("temporary → L1", "L1")
    return None


def r2(piece: Piece) -> Verdict | None:
    """By cost of change; "down" is left without a tier: it is one below what the points give."""
    if piece.cost == "high":
        return Verdict("said to be dear to change or to lose → L3", "L3")
    if piece.cost == "low":
        return Verdict("said to be obtainable again → down")
    if _HARD.holds(piece.view):
        return Verdict("near a hard constraint → L3", "L3")
    if _DEAR.holds(piece.view):
        return Verdict("dear to rebuild → L3", "L3")
    if _CHEAP.holds(piece.view):
        return Verdict("obtainable again → down")
    return None


def r3(piece: Piece) -> Verdict | None:
    """By source."""
    if piece.is_unconfirmed:
        return Verdict(f"seen or inferred by a {piece.by}, unconfirmed → L2 at most", most="L2")
    if piece.by == "user" and piece.kind in LASTING:
        return Verdict(f"the user's own words on {piece.kind} → L3 candidate", "L3")
    return None


def r4(piece: Piece) -> Verdict | None:
    """By explicit word."""
    if piece.archived:
        return Verdict("asked to go → out")
    if piece.pinned:
        return Verdict("asked to stay → L3", "L3")
    if piece.lowered:
        return Verdict("asked to be kept for a short while → L1", "L1")
    return None


def s1(piece: Piece) -> Points | None:
    """Near identity, principle, stable preference: +30; near usage: +10."""
    if piece.kind in LASTING or piece.is_stable_preference:
        return Points(30, f"{'stable preference' if piece.kind == 'preference' else piece.kind}")
    if piece.kind in ("preference", "feedback"):
        return Points(30, "near a preference")
    if piece.kind == "fact" and piece.is_users and _PERSONAL.holds(piece.view):
        return Points(30, "a fact about the user, near identity")
    if piece.kind in ("usage", "project_state"):
        return Points(10, "near usage")
    return None


def s2(piece: Piece) -> Points | None:
    """The cost of change is high: +30; low: -20."""
    if piece.cost == "low" or (piece.cost is None and _CHEAP.holds(piece.view)):
        return Points(-20, "the cost of change is low")
    if piece.cost == "high" or _HIGH.holds(piece.view) or _HARD.holds(piece.view) or _DEAR.holds(piece.view):
        return Points(30, "the cost of change is high")
    if piece.kind in ("decision", "rule", "lesson", "conclusion"):
        return Points(30, f"the cost of change is high: a {piece.kind}")
    return None


def s3(piece: Piece) -> Points | None:
    """The user said so: +20; inferred by a model or seen by a tool: +5."""
    return (
        Points(20, "the user said so")
        if piece.by == "user"
        else Points(5, f"inferred or seen by {'an' if piece.by == 'agent' else 'a'} {piece.by}")
    )


def s4(piece: Piece) -> Points | None:
    """A why: +15; a how: +5; both where both are told."""
    why = _WHY.holds(piece.view) or piece.kind == "principle"
    how = _HOW.holds(piece.view)
    if not why and not how:
        return None
    return Points(15 * why + 5 * how, "a why and a how" if why and how else "a why" if why else "a how")


def s5(piece: Piece) -> Points | None:
    """Temporary: -40; with an explicit time limit: -20; both where both hold."""
    temporary, limited = piece.kind == "temporary", piece.limit.at is not None
    if not temporary and not limited:
        return None
    told = [word for word, holds in (("temporary", temporary), ("an explicit time limit", limited)) if holds]
    return Points(-40 * temporary - 20 * limited, " with ".join(told))


def by_points(score: int) -> Tier:
    """T1–T3: the tier of a score."""
    return "L3" if score >= LONG else "L2" if score >= MEDIUM else "L1"


def t4(piece: Piece) -> Verdict | None:
    """An explicit date: beyond what L1 keeps L2 with `expires_at`, else L1 with it."""
    if piece.limit.at is None or piece.now is None:
        return None
    if piece.limit.at - piece.now > piece.short:
        return Verdict("a date beyond what L1 keeps → L2 with expires_at", "L2")
    return Verdict("a date within what L1 keeps → L1 with expires_at", "L1")


def t5(piece: Piece) -> Verdict | None:
    """A day on which it begins, today or later, and none on which it ends: what is kept for hours only would be gone too soon."""
    begins = piece.limit.begins
    if piece.limit.at is not None or begins is None or piece.now is None:
        return None
    if begins > piece.now - timedelta(days=1):
        return Verdict("it begins today or later → L2 at least, no expires_at", "L2")
    return None


def p3(piece: Piece) -> Verdict | None:
    """The user corrects."""
    if piece.corrects and piece.by == "user":
        return Verdict("the user corrects: judged on these words alone, over all that was decided before")
    return None


def decide_promotion(memory: Memory, held: bool) -> tuple[Tier | None, Step, str]:  # noqa: FBT001  (P1 held or not, as its caller found)
    """Decide whether a memory of L2 comes to L3 (P1), below what R3 and R4 say.

    Args:
        memory: as it stands.
        held: whether the policy's rule `promote` has held, now or at one of its tellings.

    Returns:
        "L3" or None, the step for its chain, and why a person is to be asked ("unconfirmed", or "").
    """
    if memory.tier != "L2":
        return None, Step(rule="P1", why=f"not of L2 but of {memory.tier}: stays"), ""
    if memory.pinned:
        return "L3", Step(rule="R4", why="asked to stay: L2 → L3"), ""
    if not held:
        return None, Step(rule="P1", why="not recalled often enough: stays"), ""
    if is_unconfirmed(memory):
        return (
            None,
            Step(rule="R3", why="P1 held, and is overruled: an unconfirmed observation stays in L2"),
            "unconfirmed",
        )
    return "L3", Step(rule="P1", why="recalled often enough: L2 → L3"), ""


def is_unconfirmed(memory: Memory) -> bool:
    """Say whether a memory is an observation (of a tool, a model, an agent, an outcome) that no person has confirmed (R3)."""
    source = memory.source
    if source is None or memory.confirmed or memory.pinned:
        return False
    by = (source.by or "").partition(":")[0]
    if by in ("person", "user"):
        return False
    return source.origin in ("tool", "agent", "outcome") or by in ("model", "tool", "agent")


def age_step(memory: Memory, unused_days: float) -> Step:
    """Give the step of P2: a memory of L2 was not used for longer than its ttl.

    Args:
        memory: as it stands.
        unused_days: since when it was last told, in days.
    """
    own = f", its ttl is {memory.ttl}" if memory.ttl is not None else ""
    return Step(rule="P2", why=f"{memory.kind} unused for {unused_days:.1f} days{own}: L2 → L1, with reconciliation")


DROPS: tuple[Rule, ...] = (
    Rule("D1", "a greeting or a farewell", "design", drops.is_greeting),
    Rule("D2", "a question, and no request that is to hold from now on", "design", drops.is_question),
    Rule("D3", "chatter: fillers, weather, meals", "design", drops.is_chatter),
    Rule("D4", "a mood", "design", drops.is_mood),
    Rule("D5", "an unconfirmed guess: maybe, I think, 可能, 我觉得", "design", drops.is_guess),
    Rule("D6", "an acknowledgement: ok, thanks, 好的", "ours", drops.is_acknowledgement),
    Rule("D7", "a command to the agent of the moment", "ours", drops.is_command),
    Rule("D8", "nothing of it is the speaker's own: code, quotations, logs", "ours", drops.is_nobodys),
    Rule("D9", "a word or two that say nothing by themselves", "ours", drops.is_fragment),
)  # fmt: skip
"""What is dropped, in the order in which it is asked; the first that holds is named."""

ROUTES: tuple[Rule, ...] = (
    Rule("R1", "by kind: identity, principle, stable preference → L3; usage (and the state of a project) → L2 with ttl; temporary → L1", "design", r1),
    Rule("R2", "by cost of change: near a hard constraint, or dear to rebuild → L3; obtainable again → down", "design", r2),
    Rule("R3", "by source: the user's own words on identity or principle → L3 candidate; an observation by a tool, model or agent, unconfirmed → L2 at most", "design", r3),
    Rule("R4", "by explicit word: pinned → L3; archived → out or down", "design", r4),
)  # fmt: skip

POINTS: tuple[Rule, ...] = (
    Rule("S1", "+30 near identity, principle, stable preference · +10 near usage", "design", s1),
    Rule("S2", "+30 cost of change high (must, always, until changed, 必须; a decision, rule, lesson or conclusion) · −20 low", "design", s2),
    Rule("S3", "+20 the user said so · +5 inferred by a model or seen by a tool", "design", s3),
    Rule("S4", "+15 a why (principle, constraint) · +5 a how (step, command)", "design", s4),
    Rule("S5", "−40 temporary · −20 with an explicit time limit", "design", s5),
)  # fmt: skip

THRESHOLDS: tuple[Rule, ...] = (
    Rule("T1", "80 points and more → L3", "design", by_points),
    Rule("T2", "40 to 79 points → L2 with ttl", "design", by_points),
    Rule("T3", "fewer than 40 points → L1", "design", by_points),
    Rule("T4", "an explicit date beyond 48 h → L2 with expires_at; within 48 h → L1 with expires_at", "design", t4),
    Rule("T5", "a day on which it begins is no limit: no expires_at, L2 at least", "ours", t5),
)

PROMOTIONS: tuple[Rule, ...] = (
    Rule("P1", "3 recalls within 30 days: L2 → L3; beats R1, R2, S; capped by R3 (an unconfirmed observation → review)", "design", decide_promotion),
    Rule("P2", "L2 past its ttl without a recall → L1, with reconciliation", "design", age_step),
    Rule("P3", "the user corrects: overrides every prior, judged again on the corrected content", "design", p3),
)  # fmt: skip

RULES: tuple[Rule, ...] = (*DROPS, *ROUTES, *POINTS, *THRESHOLDS, *PROMOTIONS)
"""All rules of the gate."""

PRECEDENCE: tuple[tuple[str, ...], ...] = (("R4", "P3"), ("R3",), ("P1",), ("R1", "R2"), ("S1", "S2", "S3", "S4", "S5"))
"""What beats what: R4, P3 > R3 > P1 > R1, R2 > S. Of two of one rank the one named first (ours). T4 stands above R1 and R2 (ours):
what has an end does not last, and what is to live longer than L1 keeps cannot stay there; so does T5, which only lifts."""


def down(tier: Tier) -> Tier:
    """Give the tier below; L1 has none."""
    return _DOWN[tier]
