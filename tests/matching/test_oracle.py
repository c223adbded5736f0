"""Both engines answer as the reference evaluator does, for every casebook and task, also while the casebook changes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.case import LoadedCase
from casebook.conditions.evaluate import Reading, holds
from casebook.conditions.facts import Facts
from casebook.runtime.matching.engines import matcher
from casebook.runtime.matching.protocol import Matcher
from tests.matching import universe
from tests.matching.universe import ENGINES


def expected(cases: dict[str, LoadedCase], facts: Facts) -> list[str]:
    reading = Reading(facts)
    return sorted(
        name
        for name, case in cases.items()
        if case.case.status == "active"
        and in_scope(case, facts)
        and all(holds(each, reading, case.zone) for each in case.conditions)
    )


def in_scope(case: LoadedCase, facts: Facts) -> bool:
    for key in ("user", "project", "team", "agent"):
        wanted = getattr(case.case.scope, key)
        value = facts.values.get(key)
        if wanted is not None and wanted not in (value if isinstance(value, list) else [value]):
            return False
    return True


def found(matcher: Matcher, facts: Facts) -> list[str]:
    return sorted(case.id for case in matcher.match(facts))


@given(universe.casebooks(), st.lists(universe.facts(), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_an_engine_answers_as_the_reference_evaluator(cases: dict[str, LoadedCase], tasks: list[Facts]) -> None:
    for engine in ENGINES:
        asked = matcher(engine)
        asked.update(cases)
        for facts in tasks:
            assert found(asked, facts) == expected(cases, facts), engine
        asked.close()


@given(
    st.lists(universe.casebooks(most=8), min_size=2, max_size=4),
    st.lists(universe.facts(), min_size=1, max_size=2),
    st.integers(0, 2),
)
@settings(max_examples=60, deadline=None)
def test_an_engine_follows_every_edit(books: list[dict[str, LoadedCase]], tasks: list[Facts], extra: int) -> None:
    """One matcher brought from casebook to casebook answers as a fresh one would; rules of gone cases fire for nobody."""
    for engine in ENGINES:
        asked = matcher(engine)
        for cases in [*books, {}, *books[:extra]]:
            asked.update(cases)
            for facts in tasks:
                assert found(asked, facts) == expected(cases, facts), engine
        asked.update({})
        assert asked.figures()["productions"] == 0
        assert asked.figures()["alpha_nodes"] == 0
        asked.close()
