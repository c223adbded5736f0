"""The router: the alpha index that the engine lacks. From the tests a task passes to the few productions that can answer."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from casebook.conditions.evaluate import Reading
from casebook.conditions.tree import And, Node, Not, Or, Test
from casebook.runtime.matching.alpha import AlphaNetwork, AlphaNode, is_indexed
from casebook.runtime.matching.production import Check, Production

MAX_COVER = 1_000
"""A disjunction of more ways than this is not worth routing by (a condition has at most 1,000 nodes)."""


def cover(node: Node) -> tuple[Node, ...] | None:
    """Give indexed tests of which at least one passes whenever the node holds, or None where there are none.

    A test that is indexed covers itself; `in` is covered by its values, a disjunction by the covers of all its items, a
    conjunction by the narrowest cover of one item.
    """
    if is_indexed(node):
        return (node,)
    if isinstance(node, Test) and node.op == "in" and isinstance(node.value, tuple):
        return tuple(dict.fromkeys(Test(node.field, "is", value) for value in node.value))
    if isinstance(node, Or):
        ways = [cover(item) for item in node.items]
        if any(way is None for way in ways):
            return None
        union = tuple(dict.fromkeys(each for way in ways if way is not None for each in way))
        return union if len(union) <= MAX_COVER else None
    if isinstance(node, And):
        return min((way for item in node.items if (way := cover(item)) is not None), key=len, default=None)
    if isinstance(node, Not) and isinstance(node.item, Not):
        return cover(node.item.item)
    return None


Rest = tuple[frozenset[int], frozenset[int], tuple[Check, ...]]
Entry = tuple[Production, int, int, Check | None, Rest | None]
"""A production as a bucket keeps it, flat because this is the hottest loop and most of it comes from cold memory: one indexed
node that must be passed beside the one it is kept under, one that must not be (0: none), one literal that is decided, and what
else there is of each, which most have not."""


class Router:
    """Keeps each production under its rarest cover."""

    def __init__(self, network: AlphaNetwork) -> None:
        """Begin empty, over a network in which the productions' tests are registered."""
        self._network = network
        self._buckets: dict[int, list[Entry]] = {}
        self._shared: dict[int, list[Entry]] = {}
        self._everywhere: dict[Production, Entry] = {}

    def route(self, literals: Iterable[tuple[AlphaNode, bool]]) -> tuple[AlphaNode, ...]:
        """Choose the cover under which a conjunction is to be kept: the one that fewest productions ask for.

        Empty where there is none: such a production is tried with every task.
        """
        best: tuple[tuple[int, int], tuple[Node, ...]] | None = None
        for alpha, positive in literals:
            way = cover(alpha.node) if positive else None
            if way is None:
                continue
            uses = alpha.uses if way[0] is alpha.node else sum(self._uses(node) for node in way)
            if best is None or (uses, len(way)) < best[0]:
                best = ((uses, len(way)), way)
        return () if best is None else tuple(self._network.add(node) for node in best[1])

    def add(self, production: Production, route: tuple[AlphaNode, ...]) -> None:
        """Keep a production under what `route` chose for it."""
        production.routes = route
        if not route:
            self._everywhere[production] = _entry(production, frozenset())
            return
        buckets = self._buckets if len(route) == 1 else self._shared
        for alpha in route:
            buckets.setdefault(alpha.number, []).append(_entry(production, {alpha.number}))

    def _uses(self, node: Node) -> int:
        found = self._network.find(node)
        return 0 if found is None else found.uses

    def remove(self, production: Production) -> None:
        """Take a production out."""
        if not production.routes:
            self._everywhere.pop(production, None)
        buckets = self._buckets if len(production.routes) == 1 else self._shared
        for alpha in production.routes:
            left = [entry for entry in buckets[alpha.number] if entry[0] is not production]
            if left:
                buckets[alpha.number] = left
            else:
                del buckets[alpha.number]
            self._network.remove(alpha)
        production.routes = ()

    def candidates(self, passed: set[int], reading: Reading) -> list[Production]:
        """Give the productions that can fire, each once: so only those rulesets are asked in which something can.

        Args:
            passed: the numbers of the indexed nodes that the task passes.
            reading: the task's facts, for the tests that are not indexed; each of these is decided at most once.
        """
        known: dict[int, bool] = {}
        found: list[Production] = []
        buckets, shared = self._buckets, self._shared
        kept = [entry for number in passed if number in buckets for entry in buckets[number]]
        _collect(kept, passed, reading, known, found)
        if self._everywhere:
            _collect(self._everywhere.values(), passed, reading, known, found)
        if shared:
            several: list[Production] = []
            _collect(
                [entry for number in passed if number in shared for entry in shared[number]],
                passed,
                reading,
                known,
                several,
            )
            found.extend(dict.fromkeys(several))
        return found


def _entry(production: Production, kept_under: AbstractSet[int]) -> Entry:
    needs, avoids = sorted(production.required - kept_under), sorted(production.forbidden)
    checks = production.checks
    rest: Rest | None = None
    if max(len(needs), len(avoids), len(checks)) > 1:
        rest = frozenset(needs[1:]), frozenset(avoids[1:]), checks[1:]
    return (
        production,
        needs[0] if needs else 0,
        avoids[0] if avoids else 0,
        checks[0] if checks else None,
        rest,
    )


def _collect(
    entries: Iterable[Entry], passed: set[int], reading: Reading, known: dict[int, bool], found: list[Production]
) -> None:
    for production, need, avoid, check, rest in entries:
        if (need and need not in passed) or (avoid and avoid in passed):
            continue
        if check is not None:
            number, positive, decide = check
            held = known.get(number)
            if held is None:
                held = known[number] = decide(reading)
            if held is not positive:
                continue
        if rest is None or _rest_stands(rest, passed, reading, known):
            found.append(production)


def _rest_stands(rest: Rest, passed: set[int], reading: Reading, known: dict[int, bool]) -> bool:
    needs, avoids, checks = rest
    if not needs <= passed or not avoids.isdisjoint(passed):
        return False
    for number, positive, decide in checks:
        held = known.get(number)
        if held is None:
            held = known[number] = decide(reading)
        if held is not positive:
            return False
    return True
