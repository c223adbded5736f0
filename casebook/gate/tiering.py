"""Which rule prevails: the tier of a piece, and the chain of all rules that had a say."""

from __future__ import annotations

from dataclasses import dataclass

from casebook.gate.rules import LONG, MEDIUM, POINTS, Piece, Verdict, by_points, down, p3, r1, r2, r3, r4, t4, t5
from casebook.memory import Step, Tier


@dataclass(frozen=True, slots=True)
class Settled:
    """What the rules come to.

    Attributes:
        tier: where it would go.
        score: S1–S5 summed up.
        chain: every rule that had a say, and by which it was overruled.
        is_grey: whether points alone decided, within the grey zone of a threshold.
    """

    tier: Tier
    score: int
    chain: tuple[Step, ...]
    is_grey: bool


def settle(piece: Piece, grey: int) -> Settled:
    """Apply the table to a piece: R4, P3 > R3 > R1, R2 > S, a date above R1 and R2.

    Args:
        piece: what is weighed; one that was asked to go is not.
        grey: the width of the grey zone on either side of a threshold, in points.

    Returns:
        The tier, and the chain: points first, then the rules from the weakest to the one that decided, R3's cap and R4 last.
    """
    score, chain = _points(piece)
    said = _said(piece, score)
    winner, _, tier = said[-1]
    source = r3(piece)
    cap = source.most if source is not None else None
    is_capped = cap is not None and tier > cap and winner != "R4"
    decides = "R3" if is_capped else winner
    for number, verdict, _ in said:
        loser = "" if number == decides else f"; overruled by {decides}"
        chain.append(Step(rule=number, why=f"{verdict.why}{loser}"))
    if source is not None and cap is not None:
        note = "" if is_capped else "; it was no more" if tier <= cap else f"; overruled by {winner}"
        chain.append(Step(rule="R3", why=f"{source.why}{note}"))
    correction = p3(piece)
    if correction is not None:
        chain.append(Step(rule="P3", why=correction.why))
    is_grey = len(said) == 1 and not is_capped and any(abs(score - at) <= grey for at in (LONG, MEDIUM))
    return Settled(cap if is_capped and cap is not None else tier, score, tuple(chain), is_grey)


def _points(piece: Piece) -> tuple[int, list[Step]]:
    """Sum up S1–S5, and give a step for each that gave something."""
    given = [(rule.number, rule.decide(piece)) for rule in POINTS]
    steps = [
        Step(rule=number, why=f"{points.points:+d}: {points.why}") for number, points in given if points is not None
    ]
    return sum(points.points for _, points in given if points is not None), steps


def _said(piece: Piece, score: int) -> list[tuple[str, Verdict, Tier]]:
    """Give what each rule that names a tier says, from the weakest to the strongest."""
    by_score = by_points(score)
    threshold = {"L3": "T1", "L2": "T2", "L1": "T3"}[by_score]
    said: list[tuple[str, Verdict, Tier]] = [(threshold, Verdict(f"{score} points → {by_score}", by_score), by_score)]
    cost = r2(piece)
    if cost is not None:
        said.append(("R2", cost, cost.tier or down(by_score)))
    for number, verdict in (
        ("R1", r1(piece)), ("R3", r3(piece)), ("T4", t4(piece)), ("T5", t5(piece)), ("R4", r4(piece)),
    ):  # fmt: skip
        if verdict is None or verdict.tier is None or (number == "T5" and said[-1][2] != "L1"):
            continue
        said.append((number, verdict, verdict.tier))
    return said
