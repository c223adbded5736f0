"""How likely a difference between two counts is by chance alone: Fisher's exact test, one-sided."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

Counts = tuple[int, int, int, int]
"""Hits in the group that is looked at, its size, and both of the group that it is compared with."""


def chance_of_so_few(hits: int, of: int, other_hits: int, other_of: int) -> float:
    """Give the probability of so few hits or fewer, if both groups had the same rate.

    The margins are held: of all `hits + other_hits`, how many fall by chance into a group of `of` (the hypergeometric
    distribution). Exact at any size, which an approximation by the normal distribution is not at ten.

    Args:
        hits: in the group that is looked at.
        of: its size.
        other_hits: in the group that it is compared with.
        other_of: its size.

    Returns:
        Between 0 and 1; 1 where a group is empty.

    Raises:
        ValueError: more hits than the group has members, or a negative number.
    """
    if not 0 <= hits <= of or not 0 <= other_hits <= other_of:
        raise ValueError(f"expected hits within their groups, got {hits} of {of} and {other_hits} of {other_of}")
    everybody, all_hits = of + other_of, hits + other_hits
    misses = everybody - all_hits
    ways = sum(comb(all_hits, each) * comb(misses, of - each) for each in range(max(0, of - misses), hits + 1))
    return ways / comb(everybody, of)


def chance_over(several: Iterable[Counts]) -> float:
    """Give the probability of so few hits or fewer in all, if within each of several parts both groups had the same rate.

    Each part is as in `chance_of_so_few`, with margins of its own, so that a rate which differs from part to part is no
    difference between the groups. One part alone gives what `chance_of_so_few` gives.

    Args:
        several: the counts of each part.

    Returns:
        Between 0 and 1; 1 where there is no part.

    Raises:
        ValueError: as `chance_of_so_few`.
    """
    parts = tuple(several)
    if len(parts) == 1:
        return chance_of_so_few(*parts[0])
    chances = [1.0]  # of no hit, of one, of two, … in the parts so far
    for hits, of, other_hits, other_of in parts:
        chance_of_so_few(hits, of, other_hits, other_of)  # raises where they are no counts
        ways = [
            comb(hits + other_hits, each) * comb(of + other_of - hits - other_hits, of - each) for each in range(of + 1)
        ]
        hands = comb(of + other_of, of)
        own = [each / hands for each in ways]
        summed = [0.0] * (len(chances) + of)
        for before, chance in enumerate(chances):
            for now, other in enumerate(own):
                summed[before + now] += chance * other
        chances = summed
    return min(1.0, sum(chances[: sum(hits for hits, *_ in parts) + 1]))
