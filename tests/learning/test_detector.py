"""The repeated-error detector over a real folder: what makes a case, and what does not."""

import json
import shutil
from dataclasses import replace

import pytest

from casebook import Case
from casebook.runtime.learning.claims import case_id_of
from casebook.runtime.learning.learnt import NOTHING, Learnt
from tests.learning.lives import SIGNATURE, failed, life, policy_of, said, worked

BASE = case_id_of(SIGNATURE)


def test_two_occurrences_make_nothing_and_the_third_makes_one_active_case(tmp_path):
    with life(tmp_path) as here:
        assert here.errors(1, 2) == [Learnt(SIGNATURE, 1), Learnt(SIGNATURE, 2)]
        assert (here.cases, here.log()) == ({}, [])
        assert here.errors(3) == [Learnt(SIGNATURE, 3, BASE, made=True, ask=True)]
        case = here.only()
        assert (case.id, case.type, case.status, case.effect, case.priority) == (BASE, "case", "active", "advise", 5)
        assert case.scope.named == {"user": "ann"}
        assert case.source is not None
        assert (case.source.origin, case.source.signature) == ("detector", SIGNATURE)
        assert case.source.evidence == ("e1", "e2", "e3")
        assert here.cases[BASE].path == "long_term/learnt.json"
        assert here.queue() == [(BASE, "learnt")]


def test_thirty_make_one(tmp_path):
    with life(tmp_path) as here:
        learnt = here.errors(*range(30))
        assert [each.made for each in learnt].count(True) == 1
        assert [each.ask for each in learnt].count(True) == 1
        assert learnt[-1] == Learnt(SIGNATURE, 30, BASE)
        assert list(here.cases) == [BASE]
        assert [entry.action for entry in here.log()] == ["promote", "written", "queue"]


def test_the_same_report_twice_counts_once(tmp_path):
    with life(tmp_path) as here:
        assert [each.occurrences for each in here.errors(1, 2, 2, 2)] == [1, 2, 2, 2]
        assert here.cases == {}


def test_learning_again_of_an_event_changes_nothing(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        text = (tmp_path / "long_term" / "learnt.json").read_bytes()
        again = here.detector.learn(failed(3), here.policy)
        assert (again.made, again.case_id) == (False, BASE)
        assert (tmp_path / "long_term" / "learnt.json").read_bytes() == text
        assert len(here.log()) == 3


@pytest.mark.parametrize(
    ("events", "policy"),
    [
        ([failed(n) for n in range(5)], policy_of(enabled=False)),
        ([failed(n, counted=False) for n in range(5)], None),
        ([failed(n, signature=None) for n in range(5)], None),
        ([worked(n) for n in range(5)], None),
        ([failed(n, turn="one") for n in range(5)], None),
        ([failed(n, session="one") for n in range(5)], policy_of(distinct="session")),
        ([failed(n) for n in range(5)], policy_of(threshold=6)),
        ([failed(n, signature=f"kind {n}") for n in range(5)], None),
        ([failed(1), failed(2), failed(3, user="bob"), failed(4, user="bob")], None),
    ],
)
def test_what_makes_no_case(tmp_path, events, policy):
    with life(tmp_path, policy) as here:
        assert {each.made for each in here.live(*events)} == {False}
        assert here.cases == {}


def test_a_detector_that_is_off_says_nothing_at_all(tmp_path):
    with life(tmp_path, policy_of(enabled=False)) as here:
        assert here.errors(1, 2, 3) == [NOTHING] * 3
        assert here.detector.catch_up(here.policy) == ()


def test_the_text_that_the_detector_wrote_is_kept_as_a_version(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        (version,) = here.journal.versions(BASE)
        assert (version.by, version.version) == ("detector", here.cases[BASE].version)
        assert json.loads(version.text) == here.only().to_json()


def test_the_claim_says_what_led_to_the_case(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        (claim,) = here.log("promote")
        assert (claim.id, claim.actor, claim.signature) == (f"promote:{BASE}:1", "detector", SIGNATURE)
        assert claim.body["told"]["figures"] == {"matching": 3, "failing": 3, "clean": 0}
        assert (claim.body["user"], claim.body["shared"], claim.body["event"]) == ("ann", False, "e3")
        assert claim.body["case"] == here.only().to_json()


@pytest.mark.parametrize("by", ["agent", "person"])
def test_who_has_said_what_works_is_not_asked(tmp_path, by):
    with life(tmp_path) as here:
        here.errors(1)
        here.live(said(1, "Use the original payment method", by=by))
        learnt = here.errors(2, 3)[-1]
        assert (learnt.made, learnt.ask) == (True, False)
        assert here.only().correction_by == by


def test_an_agents_text_may_be_in_the_error_itself(tmp_path):
    with life(tmp_path) as here:
        here.live(failed(1), failed(2))
        third = failed(3, correction="Use the original payment method", correction_by="agent")
        assert here.live(third)[0].ask is False
        assert "original payment method" in here.only().correction


def test_a_case_that_fails_too_seldom_is_a_draft_and_says_so(tmp_path):
    with life(tmp_path) as here:
        here.live(*(worked(n, args={"order": f"o-{n}", "method": "card"}, session=f"w{n}") for n in range(100)))
        learnt = here.live(*(failed(n, session=f"s{n}") for n in range(3)))[-1]
        assert (learnt.made, learnt.draft) == (True, True)
        assert here.only().status == "draft"
        assert here.queue() == [(BASE, "draft")]
        (entry,) = here.log("queue")
        assert entry.body["figures"] == {"matching": 103, "failing": 3, "clean": 100}


# -- whose ---------------------------------------------------------------------------------------------------------------


def test_each_users_case_is_their_own(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        learnt = here.errors(4, 5, 6, user="bob")
        assert [each.case_id for each in learnt] == [None, None, case_id_of(SIGNATURE, "bob")]
        assert [loaded.case.scope.named for loaded in here.cases.values()] == [{"user": "ann"}, {"user": "bob"}]


def test_nobodys_errors_make_a_case_of_their_own(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        assert here.errors(4, 5, 6, user=None)[-1].case_id == case_id_of(SIGNATURE, "")
        assert here.errors(7, 8, 9, user=None)[-1].made is False


def test_at_the_third_user_the_case_is_everyones_and_the_others_are_merged_into_it(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3, project="p")
        here.live(said(1, "Ask ann's bank for the code", by="person"))
        here.errors(4, 5, 6, user="bob", project="p")
        assert here.cases[BASE].case.correction_by == "person"
        learnt = here.errors(7, user="cy", project="p")[0]
        assert (learnt.case_id, learnt.made, learnt.widened, learnt.occurrences) == (BASE, False, True, 7)
        case = here.only()
        assert (case.id, case.scope.named) == (BASE, {"project": "p"})
        assert "bank" not in case.model_dump_json()
        assert case.correction_by == "caution"
        merged = here.log("archive")
        assert [(each.subject, each.actor, each.body["reason"]) for each in merged] == [
            (case_id_of(SIGNATURE, "bob"), "detector", f"merged into {BASE}")
        ]
        assert here.errors(8, 9, user="bob", project="p")[-1] == Learnt(SIGNATURE, 9, BASE)
        assert list(here.cases) == [BASE]


def test_three_users_with_one_each_make_one_case_for_everyone(tmp_path):
    with life(tmp_path) as here:
        learnt = here.live(failed(1), failed(2, user="bob"), failed(3, user="cy"))
        assert [each.occurrences for each in learnt] == [1, 1, 3]
        assert learnt[-1].made
        assert here.only().scope.named == {}


def test_two_of_ann_and_one_of_bob_make_nothing(tmp_path):
    with life(tmp_path) as here:
        here.live(failed(1), failed(2), failed(3, user="bob"))
        assert here.cases == {}


def test_a_later_project_widens_the_scope_and_never_the_user(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3, project="x")
        assert here.only().scope.named == {"user": "ann", "project": "x"}
        learnt = here.errors(4, 5, 6, project="y")
        assert [each.widened for each in learnt] == [True, False, False]
        assert here.only().scope.named == {"user": "ann"}
        assert [entry.action for entry in here.log()] == ["promote", "written", "queue", "widen", "written"]


# -- what people have decided --------------------------------------------------------------------------------------------


def test_an_authored_case_of_the_signature_answers_it(tmp_path):
    with life(tmp_path) as here:
        mine = {"id": "mine", "trigger_conditions": ['tool is "refund"'], "correction": "Use the original method"}
        here.store.put(Case.from_json({**mine, "source": {"origin": "author", "signature": SIGNATURE}}))
        assert here.errors(1, 2, 3)[-1] == Learnt(SIGNATURE, 3, "mine")
        assert (list(here.cases), here.log()) == (["mine"], [])


def test_an_authored_case_that_does_not_come_up_is_queued_once(tmp_path):
    with life(tmp_path) as here:
        mine = {"id": "mine", "trigger_conditions": ['tool is "pay"'], "correction": "Use the original method"}
        here.store.put(Case.from_json({**mine, "source": {"origin": "author", "signature": SIGNATURE}}))
        here.errors(1, 2, 3, 4)
        assert (list(here.cases), here.queue()) == (["mine"], [("mine", "hand-edited")])


def test_an_authored_case_of_another_user_answers_nobody_else(tmp_path):
    with life(tmp_path) as here:
        mine = {
            "id": "mine",
            "trigger_conditions": ['tool is "refund"'],
            "correction": "Mine",
            "scope": {"user": "bob"},
        }
        here.store.put(Case.from_json({**mine, "source": {"origin": "author", "signature": SIGNATURE}}))
        assert here.errors(1, 2, 3)[-1].case_id == BASE


def test_a_case_of_that_id_that_the_detector_did_not_write_is_left_alone(tmp_path):
    with life(tmp_path) as here:
        theirs = Case.from_json({"id": BASE, "trigger_conditions": ["always"], "correction": "Theirs"})
        here.store.put(theirs)
        learnt = here.errors(1, 2, 3, 4, 5)
        assert not any(each.made or each.case_id for each in learnt)
        assert here.only() == theirs
        assert here.queue() == [(BASE, "hand-edited")]


def copied(root, target):
    """A casebook's cases without its journal, as git brings them."""
    (target / "long_term").mkdir(parents=True)
    shutil.copy(root / "long_term" / "learnt.json", target / "long_term")
    return target


def test_what_was_learnt_elsewhere_answers_and_another_users_is_nobodys_business(tmp_path):
    with life(tmp_path / "there") as there:
        there.errors(1, 2, 3)
    with life(copied(tmp_path / "there", tmp_path / "here")) as here:
        assert here.errors(1, 2, 3, 4)[-1] == Learnt(SIGNATURE, 4, BASE)
        assert (list(here.cases), here.log()) == ([BASE], [])
        assert here.errors(5, 6, 7, user="bob")[-1].case_id == case_id_of(SIGNATURE, "bob")
    with life(copied(tmp_path / "here", tmp_path / "again")) as again:
        assert again.errors(1, 2, 3, user="bob")[-1] == Learnt(SIGNATURE, 3, case_id_of(SIGNATURE, "bob"))


def test_an_edit_that_was_undone_is_none(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3, project="x")
        before = here.only().to_json()
        here.say("edit", BASE, before={"case": before}, after={"case": {**before, "correction": "Mine"}})
        assert here.errors(4, project="y")[0].widened is False
        (edit,) = here.log("edit")
        here.say("undo", BASE, entry=edit.id)
        assert here.errors(5, project="y")[0].widened is True


def test_a_case_that_a_person_edited_is_never_rewritten(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3, project="x")
        here.store.edit(BASE, {"correction": "Ask the customer", "correction_by": "person"})
        before = here.only()
        here.errors(4, 5, project="y")
        here.live(failed(6, user="bob"), failed(7, user="cy"))
        assert here.only() == before
        assert here.queue() == [(BASE, "learnt"), (BASE, "hand-edited")]


def test_muting_and_approving_are_no_edits(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3, project="x")
        here.store.edit(BASE, {"status": "disabled"})
        assert here.errors(4, project="y")[0].widened is False
        here.store.edit(BASE, {"status": "active"})
        assert here.errors(5, project="y")[0].widened is True


def test_a_case_that_a_person_took_away_stays_away(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        (tmp_path / "long_term" / "learnt.json").unlink()
        learnt = here.errors(4, 5, 6, 7)
        assert (here.cases, {each.case_id for each in learnt}) == ({}, {None})
        assert here.queue() == [(BASE, "learnt"), (BASE, "hand-edited")]


def test_another_users_rejection_leaves_a_case_that_serves(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        here.errors(4, 5, 6, user="bob")
        here.reject(BASE)
        assert here.errors(7, user="bob")[0].case_id == case_id_of(SIGNATURE, "bob")
        assert here.errors(8)[0].case_id is None


def test_what_is_dated_by_another_clock_is_counted(tmp_path):
    with life(tmp_path) as here:
        late = [replace(failed(n), at=here.now.replace(year=2020 + n)) for n in range(3)]
        assert here.live(*late)[-1].made
