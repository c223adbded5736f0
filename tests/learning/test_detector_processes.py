"""Processes that report the same error at once, and processes that are killed between any two steps."""

import os
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from casebook.clock import system_clock
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.claims import case_id_of
from casebook.runtime.learning.detector import Detector
from casebook.runtime.learning.finishing import Desk, finish
from casebook.runtime.learning.learnt import Learnt
from tests.learning.lives import SIGNATURE, START, failed, life, said

HERE = Path(__file__).parents[2]
BASE = case_id_of(SIGNATURE)
LATER = START + timedelta(minutes=1)
REPORTER = """
import sys
from pathlib import Path
from tests.learning.lives import life
root, who, user = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with life(root) as here:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(5):
        learnt = here.errors(f"{who}.{number}", session=f"s{who}", user=user, project=f"p{number}")[0]
        print(learnt.made, learnt.ask, learnt.trouble, flush=True)
"""


def report_at_once(root: Path, users: list[str]) -> list[str]:
    """Report five errors in a process for each, begun together; give what was learnt of each error."""
    reporters = [
        subprocess.Popen(
            [sys.executable, "-c", REPORTER, str(root), str(who), user],
            cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for who, user in enumerate(users)
    ]  # fmt: skip
    for reporter in reporters:
        assert reporter.stdout is not None
        assert reporter.stdout.readline() == "ready\n"
    for reporter in reporters:
        assert reporter.stdin is not None
        reporter.stdin.write("go\n")
        reporter.stdin.flush()
    lines = [line for reporter in reporters for line in reporter.communicate()[0].splitlines()]
    assert [reporter.returncode for reporter in reporters] == [0] * len(users)
    return lines


def test_eight_processes_that_report_the_same_error_make_one_case(tmp_path: Path) -> None:
    lines = Counter(report_at_once(tmp_path, ["ann"] * 8))
    assert lines == {"True True ": 1, "False False ": 39}
    with life(tmp_path) as here:
        assert list(here.cases) == [BASE]
        assert here.only().scope.named == {"user": "ann"}
        counts = Counter(entry.action for entry in here.log())
        assert (counts["promote"], counts["queue"]) == (1, 1)
        assert counts["written"] == counts["promote"] + counts["widen"]
        assert len(here.journal.events(signature=SIGNATURE, counted=True)) == 40


def test_processes_of_many_users_end_with_one_case_for_everyone(tmp_path: Path) -> None:
    lines = report_at_once(tmp_path, ["ann", "ann", "bob", "bob", "cy", "dee"])
    assert not [line for line in lines if "not written" in line]
    with life(tmp_path) as here:
        here.errors("last", user="cy")
        assert list(here.cases) == [BASE]
        assert here.only().scope.named == {}
        assert len(here.log("share")) <= 1
        claims = {entry.id for entry in here.log("promote", "share", "widen")}
        assert {entry.body["claim"] for entry in here.log("written")} == claims


class Killed(Detector):
    """A detector whose process ends at a step, as by SIGKILL."""

    at = ""
    left = 1

    def passed(self, step: str) -> None:
        if step == Killed.at:
            Killed.left -= 1
            if Killed.left == 0:
                os._exit(9)


def killed_at(step: str, root: Path, *, before: list[EventRecord], last: EventRecord, time: int = 1) -> None:
    """Live through events in a process that is killed at a step of the last one; `recorded` is before it is learnt from."""
    child = os.fork()
    if child == 0:
        try:
            with life(root, kind=Killed) as here:
                here.live(*before)
                Killed.at, Killed.left = step, time
                event = here.record(last)
                if step == "recorded":
                    os._exit(9)
                here.detector.learn(event, here.policy)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 9, "the step was not passed"


STEPS = ["recorded", "claimed", "case written", "version kept", "said"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("how", ["opened again", "the next error"])
def test_a_process_killed_while_it_promotes_loses_nothing_and_makes_no_second_case(tmp_path, step, how):
    killed_at(step, tmp_path, before=[failed(1), failed(2)], last=failed(3))
    with life(tmp_path) as here:
        if how == "opened again":
            learnt = here.detector.catch_up(here.policy)
            assert here.detector.catch_up(here.policy) == ()
        else:
            learnt = tuple(each for each in here.errors(4) if each.made)
        assert [each.made for each in learnt] == ([] if step == "said" else [True])
        assert list(here.cases) == [BASE]
        source = here.cases[BASE].case.source
        assert source is not None
        assert source.evidence[:3] == ("e1", "e2", "e3")
        assert Counter(entry.action for entry in here.log("promote", "written", "queue")) == {
            "promote": 1, "written": 1, "queue": 1,
        }  # fmt: skip
        assert [version.by for version in here.journal.versions(BASE)] == ["detector"]
        assert here.errors(5)[0].case_id == BASE


@pytest.mark.parametrize("step", [*STEPS, "archived", "merged"])
def test_a_process_killed_while_it_shares_leaves_one_case_for_everyone(tmp_path, step):
    theirs = [failed(number, user=user) for user in ("ann", "bob") for number in (f"{user}1", f"{user}2", f"{user}3")]
    killed_at(step, tmp_path, before=theirs, last=failed(9, user="cy"))
    with life(tmp_path) as here:
        here.detector.catch_up(here.policy)
        assert list(here.cases) == [BASE]
        assert here.cases[BASE].case.scope.named == {}
        assert [(each.subject, each.actor) for each in here.log("archive")] == [
            (case_id_of(SIGNATURE, "bob"), "detector")
        ]
        assert len(here.log("share")) == 1


@pytest.mark.parametrize("step", STEPS[1:])
def test_a_process_killed_while_it_widens_or_corrects_is_made_up_for(tmp_path, step):
    start = [failed(n, project="x") for n in range(3)]
    killed_at(step, tmp_path, before=start, last=failed(4, project="y"))
    killed_at(step, tmp_path, before=[], last=said(1, "Use the original method", by="person", at=LATER))
    with life(tmp_path) as here:
        here.detector.catch_up(here.policy)
        case = here.only()
        assert (case.scope.named, case.correction) == ({"user": "ann"}, "Use the original method")
        assert [each.action for each in here.log("promote", "widen", "correct")] == ["promote", "widen", "correct"]
        assert len(here.log("written")) == 3


def test_catching_up_looks_at_what_is_new_alone(tmp_path):
    with life(tmp_path) as here:
        for event in (failed(1), failed(2), failed(3)):
            here.record(event)
        assert [each.made for each in here.detector.catch_up(here.policy)] == [True]
        (mark,) = here.log("watermark")
        here.detector.catch_up(here.policy)
        assert here.log("watermark") == [mark]
        here.wait(hours=3)
        for number in (4, 5, 6):
            here.record(failed(number, signature="another"))
        assert [(each.signature, each.made) for each in here.detector.catch_up(here.policy)] == [("another", True)]
        assert len(here.log("watermark")) == 2


def test_an_empty_casebook_is_caught_up_with_and_says_nothing(tmp_path):
    with life(tmp_path) as here:
        assert here.detector.catch_up(here.policy) == ()
        assert here.log() == []


def test_a_claim_of_what_a_person_has_rejected_meanwhile_is_dropped(tmp_path):
    killed_at("claimed", tmp_path, before=[failed(1), failed(2)], last=failed(3))
    with life(tmp_path) as here:
        here.say("reject", BASE)
        assert here.detector.catch_up(here.policy) == ()
        assert here.errors(4, 5, 6)[-1] == Learnt(SIGNATURE, 6)
        assert (here.cases, here.queue()) == ({}, [])


def test_what_cannot_be_written_now_is_told_and_made_up_for(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2)
        (tmp_path / "long_term").mkdir()
        broken = tmp_path / "long_term" / "learnt.json"
        broken.write_text("[{")
        learnt = here.errors(3)[0]
        assert (learnt.made, learnt.occurrences, learnt.case_id) == (False, 3, None)
        assert learnt.trouble.startswith("what was learnt is not written yet: not written, because")
        assert here.errors(4)[0].trouble == learnt.trouble
        (again,) = here.detector.catch_up(here.policy)
        assert again.trouble == learnt.trouble
        assert broken.read_text() == "[{"
        broken.unlink()
        assert here.errors(5)[0].made
        assert list(here.cases) == [BASE]


def test_a_closed_journal_is_told_and_breaks_nothing(tmp_path):
    with life(tmp_path) as here:
        here.errors(1, 2)
        here.journal.close()
        learnt = here.detector.learn(failed(3), here.policy)
        assert (learnt.made, learnt.signature) == (False, SIGNATURE)
        assert learnt.trouble
        assert here.detector.catch_up(here.policy)[0].trouble


def test_the_clock_of_the_system_serves(tmp_path):
    with life(tmp_path, at=system_clock()) as here:
        assert here.errors(1, 2, 3)[-1].made


def test_who_finishes_late_what_was_merged_meanwhile_brings_nothing_back(tmp_path):
    first = [failed(n) for n in range(3)] + [failed(f"b{n}", user="bob") for n in range(2)]
    killed_at("claimed", tmp_path, before=first, last=failed("b2", user="bob"))
    theirs = case_id_of(SIGNATURE, "bob")
    with life(tmp_path) as here:
        desk = Desk(here.journal, here.store, lambda _: None)
        before = desk.ledger(SIGNATURE)
        claim = before.newest(theirs)
        assert claim is not None
        assert not claim.written
        here.errors("c", user="cy")
        assert list(here.cases) == [BASE]
        assert finish(desk, before, claim, here.now) == "again"
        assert list(here.cases) == [BASE]
        assert (theirs, "hand-edited") not in here.queue()


def test_who_finishes_late_what_was_widened_meanwhile_takes_nothing_back(tmp_path):
    killed_at("claimed", tmp_path, before=[failed(1), failed(2)], last=failed(3))
    with life(tmp_path) as here:
        desk = Desk(here.journal, here.store, lambda _: None)
        before = desk.ledger(SIGNATURE)
        claim = before.newest(BASE)
        assert claim is not None
        here.errors(4, 5, tool="pay")
        widened = here.only()
        assert finish(desk, before, claim, here.now) == "again"
        assert (here.only(), here.queue()) == (widened, [(BASE, "learnt")])
