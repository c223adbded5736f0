"""Whatever happens in whatever order, in however many processes: what always holds of the cases that come of it."""

import threading
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.runtime.learning.claims import case_id_of
from casebook.runtime.learning.detector import Detector
from tests.learning.lives import SIGNATURE, failed, life

BASE = case_id_of(SIGNATURE)
USERS = [None, "ann", "bob", "cy", "dee"]


class StoppedError(Exception):
    """Stands for a process that ends."""


class Fragile(Detector):
    """A detector that is stopped after so many steps."""

    steps = 10**9

    def passed(self, step):
        self.steps -= 1
        if self.steps < 0:
            raise StoppedError


HAPPENINGS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(USERS), st.sampled_from(["x", "y"]), st.integers(0, 6)), max_size=24
)


@settings(max_examples=40)
@given(HAPPENINGS)
def test_each_group_that_has_had_it_three_times_has_one_case_and_no_other_has_one(happenings):
    """Two processes, each of which may be stopped at any step, and is then opened again."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        had: dict[str | None, int] = defaultdict(int)
        for number, (process, user, project, steps) in enumerate(happenings):
            with life(root, kind=Fragile) as here:
                here.detector.steps = steps if process else 10**9
                event = here.record(failed(number, user=user, project=project))
                had[user] += 1
                try:
                    here.detector.learn(event, here.policy)
                except StoppedError:
                    continue
        with life(root) as here:
            here.detector.catch_up(here.policy)
            cases = {case_id: loaded.case for case_id, loaded in here.cases.items()}
            users = [user for user in had if user is not None]
            if len(users) >= 3:
                assert set(cases) == {BASE}
                assert cases[BASE].scope.user is None
            else:
                due = {user for user, count in had.items() if count >= 3}
                owners = Counter(case.scope.user for case in cases.values())
                assert owners == dict.fromkeys(due, 1)
            assert all(entry.body.get("claim") for entry in here.log("written"))
            written = {entry.body["claim"] for entry in here.log("written")}
            newest = {entry.subject: entry.id for entry in here.log("promote", "share", "widen")}
            assert set(newest.values()) <= written


def test_many_threads_of_one_process_make_one_case(tmp_path):
    with life(tmp_path) as here:
        made: list[bool] = []

        def report(who):
            made.extend(here.errors(f"{who}.{number}", session=f"s{who}")[0].made for number in range(4))

        threads = [threading.Thread(target=report, args=(who,)) for who in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (made.count(True), len(made)) == (1, 32)
        assert list(here.cases) == [BASE]


def test_a_silenced_case_takes_nobodys_place(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        here.errors(4, 5, 6, user="bob")
        here.store.edit(BASE, {"status": "disabled"})
        assert here.errors(7, user="cy")[0].case_id is None
        assert {case_id: loaded.case.status for case_id, loaded in here.cases.items()} == {
            BASE: "disabled", case_id_of(SIGNATURE, "bob"): "active",
        }  # fmt: skip


def test_an_error_without_a_tool_is_bound_to_its_intent(tmp_path):
    with life(tmp_path) as here:
        assert here.errors(1, 2, 3, tool=None, intent="refund")[-1].made
        assert here.only().status == "active"
        assert "refund" in str(here.only().trigger_conditions[0])


def test_an_error_with_neither_is_a_draft(tmp_path):
    with life(tmp_path) as here:
        learnt = here.errors(1, 2, 3, tool=None)[-1]
        assert (learnt.made, learnt.draft, here.only().status) == (True, True, "draft")


@pytest.mark.parametrize("how", ["silenced", "edited", "approved"])
def test_a_users_case_that_does_not_become_everyones_keeps_nobody_from_their_own(tmp_path, how):
    with life(tmp_path) as here:
        here.errors(1, 2, 3)
        (anns,) = here.cases
        if how == "silenced":
            here.store.edit(anns, {"status": "disabled"})
        elif how == "edited":
            here.store.edit(anns, {"correction": "Ask first."})
        else:
            here.store.edit(anns, {"correction_by": "person"})
            here.say("approve", anns)
        here.errors(4, user="bob", session="s2")
        learnt = here.errors(5, 6, 7, 8, user="cleo", session="s3")
        assert [each.made for each in learnt] == [False, False, True, False]
        assert {name: each.case.scope.user for name, each in here.cases.items()} == {
            anns: "ann",
            learnt[-1].case_id: "cleo",
        }
        assert not here.errors(9, user="bob", session="s2")[0].made
