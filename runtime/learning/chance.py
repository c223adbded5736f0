"""How likely a difference between two counts is by chance alone: Fisher's exact test, one-sided."""

from __future__ import annotations

from math import comb


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
