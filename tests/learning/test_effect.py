"""The effect of a case: counts from hand-made journals, a baseline, a verdict, and what follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.case import LoadedCase
from casebook.clock import fixed_clock
from casebook.policy import Detector, Policy
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.opening import memory_journal
from casebook.runtime.journal.protocol import Journal
from casebook.runtime.journal.records import ActivationRecord, EventRecord, Firing
from casebook.runtime.learning.baseline import began_at, earlier, reads_session
from casebook.runtime.learning.chance import chance_of_so_few, chance_over
from casebook.runtime.learning.effect import MINIMUM, due, effect_of, judge_effect, look_of
from casebook.runtime.learning.heeding import Tally, answered, tools_of
from casebook.runtime.learning.strata import ByTool, pairs_of
from casebook.stores.folder import FolderStore

START = datetime(2026, 3, 1, tzinfo=UTC)
MADE = START + timedelta(days=10)
NOW = START + timedelta(days=20)
SIGNATURE = "no-seats"


class Story:
    """A journal written by hand: what was said, and what came, minute by minute."""

    def __init__(self, journal: Journal, at: datetime = MADE) -> None:
        self.journal = journal
        self.at = at
        self.number = 0

    def _id(self, kind: str) -> str:
        self.number += 1
        self.at += timedelta(minutes=1)
        return f"{kind}{self.number:06}"

    def spoke(
        self,
        case_id: str = "c",
        *,
        how: Any = "selected",
        session: str | None = "s",
        user: str | None = None,
        tool: str | None = "book",
        args: Any = None,
        point: str = "tool",
        facts: Any = None,
    ) -> str:
        """The case fired at a task; gives the activation's id."""
        name = self._id("a")
        principal = Principal(user, None, frozenset(), None)
        told = {"point": point, **({"tool": tool} if tool else {}), **({"args": args} if args else {}), **(facts or {})}
        firings = (Firing(case_id, "v", how),) if how else ()
        record = ActivationRecord(
            name, self.at, session, principal, point, tool, "allow", "reference", "enforce", "0", told, firings
        )
        self.journal.note(lambda: (record, (), ()))
        self.journal.flush()
        return name

    def came(
        self,
        *,
        ok: bool = True,
        signature: str = SIGNATURE,
        activation: str | None = None,
        session: str | None = "s",
        user: str | None = None,
        tool: str | None = "book",
        args: Any = None,
        kind: Any = "tool",
        counted: bool = True,
    ) -> None:
        """Something happened."""
        name = self._id("e")
        principal = Principal(user, None, frozenset(), None)
        failed = kind in ("tool", "error") and not ok
        body = {**({"args": args} if args else {}), **({"error": {"message": "not enough seats"}} if failed else {})}
        self.journal.record(
            EventRecord(
                name, self.at, kind, session, principal, activation, tool if kind == "tool" else None,
                ok if kind in ("tool", "error") else None, signature if failed else None, failed and counted, None, body,
            )
        )  # fmt: skip

    def call(self, *, ok: bool = True, how: Any = "selected", **fields: Any) -> None:
        """The case fired before a call, which was made and came out; every call has a session of its own."""
        session = f"s{self.number}"
        name = self.spoke(how=how, session=session, args=fields.get("args"))
        self.came(ok=ok, activation=name, session=session, **fields)


@pytest.fixture
def story() -> Iterator[Story]:
    with closing(memory_journal(fixed_clock(NOW))) as journal:
        yield Story(journal)


def form(**fields: Any) -> dict[str, Any]:
    learnt = {"source": {"origin": "detector", "signature": SIGNATURE}} if fields.pop("learnt", True) else {}
    return {
        "id": "c", "trigger_conditions": ["tool is book"], "correction": "Look for seats first.", "created_at": MADE.isoformat(),
        **learnt, **fields,
    }  # fmt: skip


def store_with(folder: Path, **fields: Any) -> FolderStore:
    (folder / "long_term").mkdir(exist_ok=True)
    (folder / "long_term" / "cases.json").write_text(json.dumps([form(**fields)]), encoding="utf-8")
    return FolderStore(folder, clock=fixed_clock(NOW), cache=False)


@pytest.fixture
def case(tmp_path: Path) -> LoadedCase:
    return store_with(tmp_path).snapshot().cases["c"]


def made(tmp_path: Path, **fields: Any) -> LoadedCase:
    return store_with(tmp_path, **fields).snapshot().cases["c"]


# -- heeded ---------------------------------------------------------------------------------------------------------------


def test_the_same_call_made_anyway_is_not_heeded(story: Story, case: LoadedCase) -> None:
    name = story.spoke(args={"seats": 3})
    story.came(activation=name, args={"seats": 3}, ok=False)
    (found,) = answered(case, story.journal.activations(case_id="c"), story.journal)
    assert (found.heed, found.came) == ("ignored", "again")


@pytest.mark.parametrize(
    "then, heed, came",
    [
        ([{"args": {"seats": 2}}], "changed", "success"),
        ([{"args": {"seats": 2}, "ok": False}], "changed", "again"),
        ([{"args": {"seats": 2}, "ok": False, "signature": "other"}], "changed", "other"),
        ([{"args": {"seats": 3}}], "ignored", "success"),
        ([{"tool": "search"}, {"args": {"seats": 3}}], "ignored", "success"),
        ([{"tool": "search"}], "dropped", None),
        ([{"kind": "feedback"}], "dropped", None),
        ([{"kind": "ended"}], "dropped", None),
        ([{"kind": "task"}, {"args": {"seats": 3}}], "dropped", None),
        ([], "unknown", None),
        ([{"args": {"seats": 3}, "session": "another"}], "unknown", None),
        ([{"args": {"seats": 3}, "user": "bob"}], "unknown", None),
    ],
)  # fmt: skip
def test_what_comes_next_says_whether_it_was_heeded(
    story: Story, case: LoadedCase, then: list[dict[str, Any]], heed: str, came: str | None
) -> None:
    story.spoke(args={"seats": 3})
    for event in then:
        story.came(**event)
    (found,) = answered(case, story.journal.activations(case_id="c"), story.journal)
    assert (found.heed, found.came) == (heed, came)


def test_an_outcome_is_counted_for_one_activation_only(story: Story, case: LoadedCase) -> None:
    """Advised, changed, advised again, made: the one call is the outcome of the second advice."""
    story.spoke(args={"seats": 3})
    second = story.spoke(args={"seats": 2})
    story.came(args={"seats": 2}, activation=second)
    found = effect_of(case, story.journal)
    assert (found.fired, found.heeded, found.ignored) == (2, 1, 1)
    assert found.outcomes == Tally(success=1)


def test_a_call_before_the_advice_is_no_answer_to_it(story: Story, case: LoadedCase) -> None:
    story.came(args={"seats": 3}, ok=False)
    story.spoke(args={"seats": 3})
    (found,) = answered(case, story.journal.activations(case_id="c"), story.journal)
    assert (found.heed, found.came) == ("unknown", None)


def test_a_case_of_the_turn_is_judged_by_the_calls_of_its_tools_in_that_turn(story: Story, case: LoadedCase) -> None:
    story.spoke(point="task", tool=None)
    story.came(tool="search", ok=False)
    story.came(tool="book", ok=False)
    story.came(kind="task")
    story.spoke(point="task", tool=None)
    story.came(tool="book")
    found = effect_of(case, story.journal)
    assert (found.unknown, found.outcomes) == (2, Tally(success=1, again=1))


def test_any_error_is_an_authored_case_s_own(story: Story, tmp_path: Path) -> None:
    story.call(ok=False, signature="whatever")
    assert effect_of(made(tmp_path, learnt=False), story.journal).outcomes == Tally(again=1)


def test_what_is_no_error_is_a_success(story: Story, case: LoadedCase) -> None:
    story.call(ok=False, counted=False)
    assert effect_of(case, story.journal).outcomes == Tally(success=1)


def test_omitted_and_held_cases_were_never_said(story: Story, case: LoadedCase) -> None:
    for how in ("omitted", "held"):
        story.call(how=how, ok=False)
    found = effect_of(case, story.journal)
    assert (found.fired, found.outcomes, found.baseline) == (0, Tally(), None)


def test_two_users_sessions_of_one_id_are_two(story: Story, case: LoadedCase) -> None:
    story.spoke(user="ann", args={"seats": 3})
    story.came(user="bob", args={"seats": 3}, ok=False)
    story.came(user="ann", args={"seats": 3})
    assert effect_of(case, story.journal).outcomes == Tally(success=1)


# -- the baseline ---------------------------------------------------------------------------------------------------------


def test_the_baseline_is_what_matched_before_there_was_the_case(story: Story, tmp_path: Path) -> None:
    story.at = MADE - timedelta(days=1)
    story.came(ok=False)
    story.came(ok=True)
    story.came(ok=False, signature="other")
    story.came(ok=True, tool="search")
    story.came(ok=True, session="bobs", user="bob")
    story.at = MADE - timedelta(minutes=1)
    story.came(ok=True)  # at the instant of created_at itself: no longer before
    everybody = effect_of(made(tmp_path), story.journal)
    assert (everybody.source, everybody.baseline) == ("earlier", Tally(success=2, again=1, other=1))
    bobs = effect_of(made(tmp_path, scope={"user": "bob"}), story.journal)
    assert bobs.baseline == Tally(success=1)


def test_conditions_over_arguments_and_history_are_held_against_the_past(story: Story, tmp_path: Path) -> None:
    story.at = START
    story.came(args={"seats": 3})
    story.came(args={"seats": 3}, ok=False)
    story.came(args={"seats": 4}, ok=False)
    story.came(args={"seats": 3}, ok=False, session="fresh")
    loaded = made(tmp_path, trigger_conditions=["tool is book", "args.seats is 3", "earlier tool where tool is book"])
    assert reads_session(loaded)
    assert effect_of(loaded, story.journal).baseline == Tally(again=1)


def test_a_case_for_turns_is_held_against_the_turns_before_it(story: Story, tmp_path: Path) -> None:
    story.at = START
    for intent, ok in (("deploy", False), ("deploy", True), ("talk", False)):
        name = story.spoke(how=None, point="task", tool=None, session=None, facts={"intent": intent})
        story.came(kind="success" if ok else "error", ok=ok, activation=name, session=None)
    loaded = made(tmp_path, trigger_conditions=["intent is deploy"], on=["task"])
    assert effect_of(loaded, story.journal).baseline == Tally(success=1, again=1)


def test_a_holdout_that_is_large_enough_comes_before_the_past(story: Story, case: LoadedCase) -> None:
    early = Story(story.journal, START)
    early.number = 500_000
    for _ in range(MINIMUM):
        early.came(session="early")
    for number in range(MINIMUM):
        story.call(how="withheld", ok=number > 3)
        if number == MINIMUM - 2:
            assert effect_of(case, story.journal).source == "earlier"
    found = effect_of(case, story.journal)
    assert (found.source, found.baseline) == ("holdout", Tally(success=6, again=4))


def test_without_created_at_a_case_began_with_its_first_trace(story: Story, tmp_path: Path) -> None:
    story.at = START
    story.spoke()
    (first,) = story.journal.activations()
    loaded = made(tmp_path, created_at=None)
    assert began_at(loaded, story.journal, first) == first.at
    assert began_at(loaded, story.journal, None) is None


def test_what_answers_the_case_s_own_advice_is_no_baseline(story: Story, case: LoadedCase) -> None:
    """A transient case that is revived has a later created_at than its first firings."""
    story.at = START
    name = story.spoke()
    story.came(activation=name, ok=False)
    assert earlier(case, MADE, story.journal, {name}) == {}


@pytest.mark.parametrize(
    "conditions, tools",
    [
        (["tool is book"], {"book"}),
        (["intent is x", "tool in [book, search]"], {"book", "search"}),
        (['action is "git push"'], {"shell"}),
        (["tool is book or tool is search"], {"book", "search"}),
        (["tool is book or intent is x"], set()),
        (["tool is not book"], set()),
        (["always"], set()),
    ],
)
def test_the_tools_of_a_case(tmp_path: Path, conditions: list[str], tools: set[str]) -> None:
    assert tools_of(made(tmp_path, trigger_conditions=conditions).conditions) == tools


# -- the verdict ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "before, after, verdict",
    [  # (errors, of)
        ((10, 10), (0, 9), "too few"),
        ((9, 9), (0, 20), "too few"),
        ((9, 10), (0, 10), "helps"),
        ((10, 20), (0, 20), "helps"),
        ((5, 10), (4, 10), "unclear"),
        ((5, 10), (5, 10), "does not help"),
        ((6, 20), (3, 10), "does not help"),
        ((5, 20), (3, 10), "unclear"),  # two and a half errors were to be expected: too few to say
        ((0, 20), (9, 10), "harms"),
        ((1, 20), (8, 10), "harms"),
        ((4, 20), (4, 10), "unclear"),  # an error more than expected; two of ten were
        ((0, 20), (0, 20), "unclear"),
    ],
)
def test_the_verdict(
    story: Story, case: LoadedCase, before: tuple[int, int], after: tuple[int, int], verdict: str
) -> None:
    tale(story, before, after)
    found = effect_of(case, story.journal)
    assert (found.baseline, found.outcomes) == (tally(before), tally(after))
    assert found.verdict == verdict
    assert (found.chance is None) == (verdict == "too few")


def tale(story: Story, before: tuple[int, int], after: tuple[int, int], signature: str = SIGNATURE) -> None:
    story.at = START
    for number in range(before[1]):
        story.came(ok=number >= before[0], session=f"early{number}", signature=signature)
    story.at = max(MADE, story.at)
    for number in range(after[1]):
        story.call(ok=number >= after[0], signature=signature)


def tally(errors: tuple[int, int]) -> Tally:
    return Tally(success=errors[1] - errors[0], again=errors[0])


def test_calls_that_were_dropped_have_not_failed(story: Story, case: LoadedCase) -> None:
    """An agent that listens every time makes no call at all: that helps, and is no want of success."""
    tale(story, (15, 20), (0, 0))
    for number in range(10):
        story.spoke(session=f"d{number}", args={"seats": 3})
        story.came(tool="search", session=f"d{number}")
    found = effect_of(case, story.journal)
    assert (found.outcomes, found.heeded, found.verdict) == (Tally(dropped=10), 10, "helps")


def test_since_cuts_what_happened_and_not_the_baseline(story: Story, case: LoadedCase) -> None:
    tale(story, (5, 10), (10, 10))
    later = story.at + timedelta(seconds=1)
    story.at += timedelta(days=1)
    story.call(ok=True)
    found = effect_of(case, story.journal, since=later)
    assert (found.fired, found.outcomes, found.baseline) == (1, Tally(success=1), tally((5, 10)))


# -- tool by tool ---------------------------------------------------------------------------------------------------------

BOTH = {"trigger_conditions": ["tool in [book, search]"]}


def two_tools(story: Story, before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> None:
    """Outcomes of each tool, (errors, of): before there was the case, and once it spoke."""
    for calls, spoke in ((before, False), (after, True)):
        story.at = MADE if spoke else START
        for tool, (errors, of) in calls.items():
            for number in range(of):
                session = f"{tool}{number}{spoke}"
                name = story.spoke(session=session, tool=tool) if spoke else None
                story.came(ok=number >= errors, session=session, tool=tool, activation=name)


@pytest.mark.parametrize(
    "before, after, verdict",
    [
        # five of ten failed, three of sixty before: but these were other tools, and each fails as it did
        ({"book": (3, 8), "search": (0, 52)}, {"book": (5, 9), "search": (0, 1)}, "does not help"),
        ({"book": (10, 20), "search": (0, 80)}, {"book": (5, 10), "search": (0, 1)}, "does not help"),
        ({"book": (2, 20), "search": (0, 80)}, {"book": (9, 10), "search": (0, 1)}, "harms"),
        # half of it fails as ever, and the other half does no more
        ({"book": (10, 20), "search": (20, 20)}, {"book": (5, 10), "search": (0, 10)}, "helps"),
        # calls that are compared with nothing count for nothing
        ({"book": (3, 8), "search": (0, 52)}, {"book": (9, 20)}, "too few"),
        ({"search": (0, 52)}, {"book": (9, 20)}, "too few"),
    ],
)
def test_each_tool_is_compared_with_itself(
    story: Story, tmp_path: Path, before: dict[str, Any], after: dict[str, Any], verdict: str
) -> None:
    two_tools(story, before, after)
    found = effect_of(made(tmp_path, **BOTH), story.journal)
    assert found.verdict == verdict
    assert found.outcomes.made == sum(of for _, of in after.values())
    assert found.baseline is not None
    assert found.baseline.made == sum(of for _, of in before.values())


def test_where_tools_are_not_known_all_is_compared_with_all() -> None:
    known: ByTool = {"a": Tally(1, 2), "b": Tally(3)}
    unknown: ByTool = {None: Tally(5, 5)}
    assert pairs_of(known, unknown) == ((Tally(4, 2), Tally(5, 5)),)
    assert pairs_of(unknown, known) == ((Tally(5, 5), Tally(4, 2)),)
    assert pairs_of(known, {"b": Tally(again=1), "c": Tally(9)}) == ((Tally(3), Tally(again=1)),)
    assert pairs_of({}, known) == pairs_of(known, {}) == pairs_of(known, {None: Tally()}) == ()


@pytest.mark.parametrize("action", ["widen", "narrow", "share"])
def test_what_it_did_at_other_calls_is_not_held_against_the_past_of_these(
    story: Story, tmp_path: Path, action: str
) -> None:
    from casebook.runtime.journal.records import Entry

    tale(story, (1, 20), (9, 10))
    story.at += timedelta(minutes=1)
    story.journal.append([Entry(f"{action}:c:2", story.at, "detector", action, "c")])
    story.call(ok=True)
    found, store = judged(story, tmp_path, effect="advise")
    assert (found.outcomes, found.verdict) == (Tally(success=1), "too few")
    assert store.snapshot().cases["c"].case.status == "active"


# -- what follows ---------------------------------------------------------------------------------------------------------


def judged(story: Story, folder: Path, policy: Policy | None = None, **fields: Any) -> tuple[Any, FolderStore]:
    store = FolderStore(folder, clock=fixed_clock(NOW), cache=False) if not fields else store_with(folder, **fields)
    case = store.snapshot().cases["c"]
    return judge_effect(case, story.journal, store, fixed_clock(NOW), policy or Policy()), store


def actions(story: Story) -> list[tuple[str, Any]]:
    return [(entry.action, entry.body.get("reason")) for entry in story.journal.entries(subject="c")]


def test_a_case_that_harms_is_held_back_until_a_person_has_looked(story: Story, tmp_path: Path) -> None:
    tale(story, (0, 20), (9, 10))
    effect, store = judged(story, tmp_path, effect="advise")
    assert (effect.verdict, effect.held) == ("harms", True)
    assert store.snapshot().cases["c"].case.status == "draft"
    assert actions(story) == [("look", None), ("hold", None), ("queue", "effect")]
    (hold,) = story.journal.entries(actions=["hold"])
    assert (hold.actor, hold.signature) == ("effect", SIGNATURE)
    before, after = hold.body["before"], hold.body["after"]
    assert "status" not in before["case"]
    assert after["case"] == {**before["case"], "status": "draft"}
    assert {each.version for each in story.journal.versions("c")} == {before["version"], after["version"]}


@pytest.mark.parametrize("effect", ["confirm", "block"])
def test_what_a_person_put_there_to_stop_something_is_only_queued(story: Story, tmp_path: Path, effect: str) -> None:
    tale(story, (0, 20), (9, 10))
    found, store = judged(story, tmp_path, effect=effect)
    assert (found.verdict, found.held) == ("harms", False)
    assert store.snapshot().cases["c"].case.status == "active"
    assert actions(story) == [("look", None), ("flag", None), ("queue", "effect")]


def test_nothing_changes_a_case_where_the_detector_is_off(story: Story, tmp_path: Path) -> None:
    tale(story, (0, 20), (9, 10))
    found, store = judged(story, tmp_path, Policy(detector=Detector(enabled=False)), effect="advise")
    assert not found.held
    assert store.snapshot().cases["c"].case.status == "active"


def test_a_case_that_does_not_help_is_flagged_and_serves_on(story: Story, tmp_path: Path) -> None:
    tale(story, (5, 10), (5, 10))
    found, store = judged(story, tmp_path, effect="advise")
    assert (found.verdict, found.held) == ("does not help", False)
    assert store.snapshot().cases["c"].case.status == "active"
    assert actions(story) == [("look", None), ("flag", None), ("queue", "effect")]


def test_a_case_that_helps_leaves_a_look_and_no_more(story: Story, tmp_path: Path) -> None:
    tale(story, (9, 10), (0, 10))
    judged(story, tmp_path, effect="advise")
    assert actions(story) == [("look", None)]


def test_a_store_that_cannot_be_written_is_told_in_the_queue(story: Story, tmp_path: Path) -> None:
    tale(story, (0, 20), (9, 10))
    store = store_with(tmp_path)
    stale = store.snapshot().cases["c"]
    store.edit("c", {"priority": 6})  # somebody changed it in this moment
    found = judge_effect(stale, story.journal, store, fixed_clock(NOW), Policy())
    assert not found.held
    (queued,) = story.journal.entries(actions=["queue"])
    assert queued.body["trouble"]
    assert store.snapshot().cases["c"].case.status == "active"


def test_once_a_person_has_looked_only_what_came_after_counts(story: Story, tmp_path: Path) -> None:
    from casebook.runtime.journal.records import Entry

    tale(story, (0, 20), (9, 10))
    judged(story, tmp_path, effect="advise")
    story.at += timedelta(minutes=1)
    story.journal.append([Entry("approve:c:1", story.at, "person:ann", "approve", "c")])
    for _ in range(10):
        story.call(ok=True)
    found, _ = judged(story, tmp_path, effect="advise")
    assert (found.outcomes, found.verdict) == (Tally(success=10), "unclear")


# -- when it is looked at -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fired, look", [(0, 0), (9, 0), (10, 1), (19, 1), (20, 2), (39, 2), (40, 3), (80, 4)])
def test_the_distance_between_two_looks_doubles(fired: int, look: int) -> None:
    assert look_of(fired) == look


def test_it_is_due_once_for_each_look(story: Story, tmp_path: Path) -> None:
    looked = []
    for number in range(1, 41):
        story.call(ok=True)
        if due("c", story.journal):
            looked.append(number)
            judged(story, tmp_path, effect="advise")
    assert looked == [10, 20, 40]


def test_of_two_who_look_at_once_one_judges(story: Story, tmp_path: Path) -> None:
    tale(story, (0, 20), (9, 10))
    store = store_with(tmp_path)
    case = store.snapshot().cases["c"]
    for _ in range(2):
        judge_effect(case, story.journal, store, fixed_clock(NOW), Policy())
    assert actions(story) == [("look", None), ("hold", None), ("queue", "effect")]


# -- chance ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hits, of, other_hits, other_of, chance",
    [
        (0, 10, 10, 10, 1 / 184_756),
        (1, 4, 3, 4, 17 / 70),  # Fisher's lady tasting tea, from the other side
        (5, 10, 5, 10, 0.6718591),
        (0, 0, 3, 4, 1),
        (3, 4, 0, 0, 1),
    ],
)
def test_known_chances(hits: int, of: int, other_hits: int, other_of: int, chance: float) -> None:
    assert chance_of_so_few(hits, of, other_hits, other_of) == pytest.approx(chance)


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_the_chance_is_a_share_of_all_ways_to_deal(hits: int, misses: int, other_hits: int, other_misses: int) -> None:
    of, everybody = hits + misses, hits + misses + other_hits + other_misses
    ways = [sum(each < hits + other_hits for each in hand) for hand in combinations(range(everybody), of)]
    share = Fraction(sum(each <= hits for each in ways), len(ways))
    assert chance_of_so_few(hits, of, other_hits, other_hits + other_misses) == pytest.approx(float(share))


@pytest.mark.parametrize("numbers", [(-1, 2, 0, 1), (3, 2, 0, 1), (0, 1, 2, 1)])
def test_more_hits_than_members_are_refused(numbers: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="expected hits within their groups"):
        chance_of_so_few(*numbers)


Part = tuple[int, int, int, int]
PARTS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


@given(st.lists(PARTS, min_size=1, max_size=3))
def test_the_chance_over_parts_is_a_share_of_all_ways_to_deal_each(parts: list[Part]) -> None:
    """Each part: hits and misses of the one group, hits and misses of the other."""
    dealt = {0: Fraction(1)}
    for hits, misses, other_hits, other_misses in parts:
        everybody = range(hits + misses + other_hits + other_misses)
        ways = [sum(each < hits + other_hits for each in hand) for hand in combinations(everybody, hits + misses)]
        summed: dict[int, Fraction] = {}
        for before, share in dealt.items():
            for way in ways:
                summed[before + way] = summed.get(before + way, Fraction(0)) + share / len(ways)
        dealt = summed
    expected = sum(share for hits, share in dealt.items() if hits <= sum(part[0] for part in parts))
    counts = [(hits, hits + misses, others, others + rest) for hits, misses, others, rest in parts]
    assert chance_over(counts) == pytest.approx(float(expected))


def test_no_part_is_no_difference() -> None:
    assert chance_over([]) == 1


def test_the_chance_over_large_parts_is_worked_out_soon_and_never_above_one() -> None:
    assert chance_over([(250, 250, 1000, 1000)] * 2) == 1
    assert chance_over([(100, 250, 900, 1000), (100, 250, 900, 1000)]) < 1e-50


# -- in the whole loop ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("holdout, fires", [(0.0, 10), (1.0, 0)])
def test_a_case_under_which_calls_fail_is_silent_after_ten_and_the_holdout_is_its_baseline(
    tmp_path: Path, holdout: float, fires: int
) -> None:
    """Twelve calls went well; then a person's advice came, and every call that followed it failed."""
    from casebook.outcome import Outcome
    from casebook.runtime.replay.running import SettableClock
    from casebook.runtime.runtime import Runtime
    from casebook.task import Task

    clock = SettableClock(START)
    policy = Policy(holdout=holdout, detector=Detector(threshold=100))
    (tmp_path / "long_term").mkdir()
    with closing(Runtime.open(tmp_path, clock=clock, policy=policy)) as runtime:

        def call(number: int, *, ok: bool) -> int:
            clock.at += timedelta(hours=1)
            args = {"seats": number}
            activation = runtime.before_task(Task(tool="book", args=args, session=f"s{clock.at:%d%H}"))
            outcome = Outcome.success if ok else Outcome.error
            runtime.after_task(activation, outcome(tool="book", args=args))
            return len(activation.cases)

        for number in range(12):
            call(number, ok=True)
        clock.at = MADE
        store_with(tmp_path, learnt=False)
        spoke = sum(call(number, ok=False) for number in range(14))
        found = effect_of(runtime.store.snapshot().cases["c"], runtime.journal)
    assert spoke == fires
    if fires:
        assert (found.verdict, found.baseline, found.again) == ("harms", Tally(success=12), 10)
        assert json.loads((tmp_path / "long_term" / "cases.json").read_text())[0]["status"] == "draft"
    else:
        assert (found.source, found.baseline, found.fired) == ("holdout", Tally(again=14), 0)
