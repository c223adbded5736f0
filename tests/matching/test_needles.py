"""Many needles at once find what each alone would, whatever comes and goes, in bounded memory."""

from __future__ import annotations

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from casebook.runtime.matching import needles as module
from casebook.runtime.matching.needles import Needles

words = st.text("ab推", min_size=1, max_size=4)


class Scene(RuleBasedStateMachine):
    """Needles are added and removed in any order; a text holds those that it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.needles = Needles()
        self.wanted: dict[int, str] = {}
        self.number = 0

    @rule(several=st.lists(words, min_size=1, max_size=30))
    def add(self, several: list[str]) -> None:
        for word in several:
            self.number += 1
            self.needles.add(word, self.number)
            self.wanted[self.number] = word

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        if self.wanted:
            number = data.draw(st.sampled_from(sorted(self.wanted)))
            self.needles.remove(self.wanted.pop(number), number)

    @rule(text=st.text("ab推x", max_size=30))
    def look(self, text: str) -> None:
        found: set[int] = set()
        self.needles.collect(text, found)
        assert found == {number for number, word in self.wanted.items() if word in text}

    @invariant()
    def knows_whether_there_is_anything(self) -> None:
        assert bool(self.needles) is bool(self.wanted)


TestScene = Scene.TestCase
TestScene.settings = settings(max_examples=40, deadline=None)


@given(st.lists(words, min_size=30, max_size=60), st.text("ab推x", max_size=400))
@settings(max_examples=60, deadline=None)
def test_a_text_read_in_pieces_holds_the_same_needles(several: list[str], text: str) -> None:
    needles = Needles()
    for number, word in enumerate(several):
        needles.add(word, number)
    piece, module.PIECE = module.PIECE, 16
    try:
        found: set[int] = set()
        needles.collect(text, found)
    finally:
        module.PIECE = piece
    assert found == {number for number, word in enumerate(several) if word in text}


def test_needles_within_needles_in_a_long_text_take_little_memory() -> None:
    """The automaton lists every occurrence: 60 nested needles in 900,000 characters are 54 million."""
    needles = Needles()
    for number in range(60):
        needles.add("a" * (number + 1), number)
    needles.add("never", 99)
    found: set[int] = set()
    tracemalloc.start()
    needles.collect("a" * 900_000, found)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == set(range(60))
    assert peak < 100_000_000
