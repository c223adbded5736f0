"""The router: the alpha index that the engine lacks. From the tests a task passes to the few productions that can answer."""

from __future__ import annotations

from collections.abc import Iterable

from casebook.conditions.tree import And, Node, Not, Or, Test
from casebook.runtime.matching.alpha import AlphaNetwork, is_indexed
from casebook.runtime.matching.production import Production

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


class Router:
    """Keeps each production under its rarest cover."""

    def __init__(self, network: AlphaNetwork) -> None:
        """Begin empty, over a network in which the productions' tests are registered."""
        self._network = network
        self._buckets: dict[int, dict[Production, None]] = {}
        self._everywhere: dict[Production, None] = {}

    def add(self, production: Production) -> None:
        """Keep a production under the cover that fewest productions ask for; without any it answers every task."""
        best: tuple[tuple[int, int], tuple[Node, ...]] | None = None
        for posting in production.postings:
            if not posting.positive:
                continue
            way = cover(posting.alpha.node)
            if way is None:
                continue
            cost = (sum(self._uses(node) for node in way), len(way))
            if best is None or cost < best[0]:
                best = (cost, way)
        if best is None:
            self._everywhere[production] = None
            return
        production.routes = tuple(self._network.add(node) for node in best[1])
        for alpha in production.routes:
            self._buckets.setdefault(alpha.number, {})[production] = None

    def _uses(self, node: Node) -> int:
        found = self._network.find(node)
        return 0 if found is None else found.uses

    def remove(self, production: Production) -> None:
        """Take a production out."""
        if not production.routes:
            self._everywhere.pop(production, None)
        for alpha in production.routes:
            bucket = self._buckets[alpha.number]
            del bucket[production]
            if not bucket:
                del self._buckets[alpha.number]
            self._network.remove(alpha)
        production.routes = ()

    def candidates(self, passed: set[int]) -> list[Production]:
        """Give the productions that can hold for a task that passes these indexed tests, each once."""
        found = [each for each in self._everywhere if each.required <= passed]
        several: dict[Production, None] = {}
        buckets = self._buckets
        for number in passed:
            bucket = buckets.get(number)
            if bucket is None:
                continue
            for each in bucket:
                if each.required <= passed:
                    if len(each.routes) == 1:
                        found.append(each)
                    else:
                        several[each] = None
        found.extend(several)
        return found

    def neighbours(self, production: Production) -> Iterable[Production]:
        """Give the productions kept under the same first route, itself among them."""
        return self._buckets[production.routes[0].number] if production.routes else self._everywhere
