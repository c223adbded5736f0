"""A learnt case is tested anew while it serves, and comes up where it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from casebook import Case, Outcome
from casebook.clock import fixed_clock
from casebook.policy import Policy
from casebook.runtime import Runtime
from casebook.runtime.learning.claims import case_id_of
from casebook.runtime.learning.finishing import Desk
from casebook.runtime.learning.learnt import NOTHING
from casebook.runtime.learning.retesting import retest
from tests.learning.lives import SIGNATURE, START, Life, life, policy_of, worked

BASE = case_id_of(SIGNATURE)
ORDERS = ({"order": "o-1"}, {"order": "o-2"}, {"order": "o-3"})


@pytest.fixture
def here(tmp_path: Path) -> Any:
    with life(tmp_path) as made:
        yield made


def failures(here: Life, **fields: Any) -> None:
    for number, args in enumerate(ORDERS):
        here.errors(number, args=args, session=f"f{number}", **fields)


def successes(here: Life, count: int, **more: Any) -> None:
    for number in range(count):
        args = {"order": f"o-{number + 10}", **more}
        here.live(worked(f"{number}{sorted(more)}", args=args, session=f"t{number}"))


def texts(here: Life) -> tuple[Any, ...]:
    return here.cases[BASE].case.trigger_conditions


NAKED = ('tool is "refund"',)
NARROW = ('tool is "refund"', "args.vat_id is missing")


@pytest.mark.parametrize("count", [10, 300])
def test_what_the_successes_have_and_no_error_had_narrows_it(here, count):
    failures(here)
    assert texts(here) == NAKED
    before = here.only()
    successes(here, count, vat_id="DE1")
    learnt = here.detector.retest(BASE, here.policy)
    assert (learnt.case_id, learnt.widened) == (BASE, True)
    assert texts(here) == NARROW
    after = here.only()
    assert (after.correction, after.correction_by, after.created_at) == (
        before.correction,
        before.correction_by,
        before.created_at,
    )
    (entry,) = here.log("narrow")
    assert entry.body["told"]["figures"] == {"matching": 3, "failing": 3, "clean": 0}
    assert entry.body["told"]["reasons"][0] == "as it was"
    assert f"0 of {count} different calls that succeeded" in entry.body["told"]["reasons"][1]
    assert f"3 of the {3 + count} journaled calls" in entry.body["told"]["reasons"][2]
    assert here.queue() == [(BASE, "learnt")]
    assert here.detector.retest(BASE, here.policy).widened is False
    assert len(here.log("narrow")) == 1


def test_an_error_that_the_narrower_case_misses_widens_it_again(here):
    failures(here)
    successes(here, 20, vat_id="DE1")
    here.detector.retest(BASE, here.policy)
    assert here.errors(9, args={"order": "o-9", "vat_id": "DE9"})[0].widened
    assert texts(here) == NAKED
    assert here.detector.retest(BASE, here.policy).widened is False


@pytest.mark.parametrize(("count", "waits"), [(57, 0), (58, 1), (300, 1)])
def test_where_nothing_tells_them_apart_it_waits_once_below_one_in_twenty_and_serves_on(here, count, waits):
    failures(here)
    successes(here, count)
    for _ in range(2):
        here.detector.retest(BASE, here.policy)
    assert here.queue() == [(BASE, "learnt")] + [(BASE, "needless")] * waits
    assert (texts(here), here.only().status) == (NAKED, "active")
    if waits:
        assert here.log("queue")[-1].body["figures"] == {"matching": 3 + count, "failing": 3, "clean": count}


def test_a_case_that_helps_is_not_blamed_for_the_successes(here):
    failures(here)
    successes(here, 300)
    here.detector.retest(BASE, here.policy, helps=True)
    assert here.queue() == [(BASE, "learnt")]


def test_below_one_in_twenty_it_is_narrowed_as_a_new_case_is(here):
    here.live(worked("first", args={"file": "legacy/m.txt"}, path="legacy/m.txt", session="first"))
    for number in (1, 2, 3):
        here.errors(number, args={"file": f"legacy/m{number}.txt"}, path=f"legacy/m{number}.txt", session=f"f{number}")
    assert texts(here) == NAKED
    for number in range(100):
        path = f"src/m{number}.py"
        here.live(worked(number, args={"file": path}, path=path, session=f"t{number}"))
    assert here.detector.retest(BASE, here.policy).widened
    assert texts(here) == (*NAKED, 'path ends with ".txt"')


@pytest.mark.parametrize(("count", "more"), [(57, ()), (58, ('action in ["make a", "make b", "make c"]',))])
def test_a_program_that_succeeds_otherwise_is_narrowed_to_the_actions_that_failed(here, count, more):
    def ran(target: str) -> dict[str, Any]:
        command = f"make {target}"
        return {"tool": "shell", "args": {"command": command}, "action": command, "program": "make"}

    for target in "abc":
        here.errors(target, session=target, **ran(target))
    for number in range(count):
        here.live(worked(number, session=f"t{number}", **ran("all")))
    here.detector.retest(BASE, here.policy)
    assert texts(here) == ('program is "make"', *more)


@pytest.mark.parametrize("how", ["edited", "approved", "brought along", "stops"])
def test_of_a_text_that_a_person_has_a_hand_in_a_narrower_one_waits_once(here, how):
    mine = {"id": BASE, "trigger_conditions": list(NAKED), "correction": "Mine", "source": {"signature": SIGNATURE}}
    if how == "brought along":
        here.store.put(Case.from_json(mine))
    failures(here)
    if how == "edited":
        here.store.edit(BASE, {"correction": "Mine"})
    elif how == "stops":
        here.store.edit(BASE, {"effect": "confirm"})
    elif how == "approved":
        here.say("approve", BASE)
    before = here.only()
    successes(here, 300, vat_id="DE1")
    for _ in range(2):
        assert here.detector.retest(BASE, here.policy).widened is False
    assert here.only() == before
    assert here.queue()[-1] == (BASE, "hand-edited")
    assert [reason for _, reason in here.queue()].count("hand-edited") == 1
    body = here.log("queue")[-1].body
    assert body["proposal"]["trigger_conditions"] == list(NARROW)
    assert body["proposal"]["correction"] == before.correction
    assert body["figures"] == {"matching": 3, "failing": 3, "clean": 0}


@pytest.mark.parametrize(("users", "conditions"), [(("ann", "bob"), NAKED), (("ann", "bob", "cy"), NARROW)])
def test_everyones_case_tells_only_what_enough_users_gave(here, users, conditions):
    for number, user in enumerate(("ann", "bob", "cy")):
        here.errors(number, args=ORDERS[number], session=f"f{number}", user=user)
    assert here.only().scope.named == {}
    for number in range(12):
        args = {"order": f"o-{number + 10}", "vat_id": f"DE{number}"}
        here.live(worked(number, args=args, session=f"t{number}", user=users[number % len(users)]))
    here.detector.retest(BASE, here.policy)
    assert texts(here) == conditions


def test_what_other_users_do_is_no_test_of_ones_own_case(here):
    failures(here)
    for number in range(300):
        here.live(worked(number, session=f"t{number}", user="bob"))
    here.detector.retest(BASE, here.policy)
    assert here.queue() == [(BASE, "learnt")]


def test_an_approval_that_was_taken_back_is_none(here):
    failures(here)
    here.say("approve", BASE)
    (entry,) = here.log("approve")
    here.say("undo", BASE, entry=entry.id)
    successes(here, 20, vat_id="DE1")
    assert here.detector.retest(BASE, here.policy).widened


@pytest.mark.parametrize("status", ["draft", "disabled", "archived"])
def test_what_does_not_serve_is_not_tested(here, status):
    failures(here)
    here.store.edit(BASE, {"status": status})
    successes(here, 300)
    assert here.detector.retest(BASE, here.policy) == NOTHING
    assert here.queue() == [(BASE, "learnt")]


def test_what_answers_no_error_is_not_tested(here):
    here.store.put(Case.from_json({"id": "rule", "trigger_conditions": ["always"], "correction": "Mine"}))
    for case_id in ("rule", "none"):
        assert here.detector.retest(case_id, here.policy) == NOTHING
    assert here.log() == []


def test_where_the_detector_is_off_nothing_is_tested(here):
    failures(here)
    successes(here, 20, vat_id="DE1")
    assert here.detector.retest(BASE, policy_of(enabled=False)) == NOTHING
    assert texts(here) == NAKED


def test_errors_that_no_longer_count_are_tested_on_all_the_same(tmp_path):
    with life(tmp_path, policy_of(within="1d")) as here:
        failures(here)
        here.wait(days=3)
        successes(here, 20, vat_id="DE1")
        assert here.detector.retest(BASE, here.policy).widened


class Killed(BaseException):
    pass


@pytest.mark.parametrize("step", ["claimed", "case written", "version kept", "said"])
def test_a_process_that_is_killed_over_it_is_made_up_for(here, step):
    failures(here)
    successes(here, 20, vat_id="DE1")

    def passed(at: str) -> None:
        if at == step:
            raise Killed

    with pytest.raises(Killed):
        retest(Desk(here.journal, here.store, passed), BASE, here.policy, here.clock())
    here.detector.catch_up(here.policy)
    assert texts(here) == NARROW
    assert [entry.action for entry in here.log("narrow", "widen")] == ["narrow"]
    assert here.journal.entry(f"written:{BASE}:2") is not None


def test_it_is_tested_when_its_effect_is_looked_at(tmp_path):
    warned = []
    with Runtime.open(tmp_path, clock=fixed_clock(START), policy=Policy()) as runtime:

        def call(number: int, args: dict[str, Any], outcome: Outcome) -> str | None:
            task = {"tool": "inv", "args": {"order": number, **args}, "session": f"s{number}"}
            activation = runtime.before_task(task)
            warned.append(bool(activation.cases))
            return runtime.after_task(activation, outcome).case

        for number in range(3):
            case_id = call(number, {}, Outcome.error("ValueError", f"order {number} needs a VAT id"))
        assert case_id is not None
        for number in range(10, 110):
            call(number, {"vat_id": f"DE{number}"}, Outcome.success())
        assert runtime.snapshot().cases[case_id].case.trigger_conditions == ('tool is "inv"', "args.vat_id is missing")
        assert sum(warned) == 10
        call(200, {}, Outcome.success())
        assert warned[-1]


def test_a_clone_names_the_case_at_the_first_error_and_takes_a_correction_to_review(tmp_path):
    def report(runtime: Runtime, number: int, outcome: Outcome) -> Any:
        task = {"tool": "inv", "args": {"order": number}, "session": f"s{number}"}
        return runtime.after_task(runtime.before_task(task), outcome)

    def error(number: int) -> Outcome:
        return Outcome.error("ValueError", f"order {number} needs a VAT id")

    (tmp_path / "there").mkdir()
    with Runtime.open(tmp_path / "there", clock=fixed_clock(START)) as there:
        case_id = [report(there, number, error(number)).case for number in range(3)][-1]
    (tmp_path / "here" / "long_term").mkdir(parents=True)
    text = (tmp_path / "there" / "long_term" / "learnt.json").read_text(encoding="utf-8")
    (tmp_path / "here" / "long_term" / "learnt.json").write_text(text, encoding="utf-8")
    with Runtime.open(tmp_path / "here", clock=fixed_clock(START)) as here:
        receipts = [report(here, number, error(number)) for number in range(3)]
        assert [(each.case, each.made, each.tier) for each in receipts] == [
            (case_id, False, "L1"),
            (case_id, False, "L1"),
            (case_id, False, "L3"),
        ]
        said = here.after_task({"tool": "inv", "session": "s2"}, Outcome.correction_of("Pass vat_id."))
        assert (said.case, said.changed) == (case_id, False)
        assert "waits for a person" in said.warnings[0]
    assert (tmp_path / "here" / "long_term" / "learnt.json").read_text(encoding="utf-8") == text
