"""What a person corrects twice at the same kind of call becomes a draft: once, with its evidence, and none after a rejection."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from casebook import Outcome
from casebook.runtime import Runtime
from casebook.runtime.journal.records import Entry
from casebook.runtime.learning.claims import DRAFT
from casebook.runtime.review.judging import approve, reject
from casebook.runtime.review.queue import queue
from casebook.runtime.review.review import Review, memories_of
from casebook.runtime.review.undoing import undo
from casebook.runtime.teaching.twice import SecondTime

NPM = {"command": "npm install left-pad"}


class Later:
    """A clock that goes on by a minute each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 20, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with closing(Runtime.open(tmp_path, clock=Later())) as opened:
        yield opened


def corrected(
    runtime: Runtime,
    words: str,
    args: dict[str, str] = NPM,
    *,
    tool: str = "Bash",
    user: str = "ann",
    session: str = "s1",
):
    """A call that succeeds, and what a person says of it."""
    asked = runtime.before_task({"tool": tool, "args": args, "user": user, "session": session})
    runtime.after_task(asked, Outcome.success(tool=tool, args=args))
    return runtime.after_task(asked, Outcome.feedback(words, tool=tool, args=args))


def denied(runtime: Runtime, args: dict[str, str] = NPM, *, user: str = "ann"):
    asked = runtime.before_task({"tool": "Bash", "args": args, "user": user, "session": "s1"})
    return runtime.after_task(asked, Outcome.error("PermissionDeniedByUser", "not allowed", tool="Bash", args=args))


def drafts(runtime: Runtime) -> list[str]:
    return [name for name, each in runtime.snapshot().cases.items() if each.case.status == "draft"]


def desk(runtime: Runtime) -> Review:
    return Review(runtime.journal, runtime.store, Later(), "person:ann")


def remark(runtime: Runtime, event: str) -> str:
    """The id of the memory by which a person's words, an event, wait."""
    entry = runtime.journal.entry(f"queue:feedback:{event}")
    assert entry is not None
    return entry.subject


def status(runtime: Runtime, memory: str) -> str:
    store = memories_of(runtime.store)
    assert store is not None
    return store.snapshot().memories[memory].memory.status


def test_the_second_correction_of_a_kind_makes_a_draft_that_waits_with_its_evidence_and_fires_nothing(
    runtime: Runtime,
) -> None:
    first = corrected(runtime, "no, use pnpm, not npm")
    assert (first.draft, drafts(runtime)) == (False, [])
    second = corrected(runtime, "I said use pnpm, not npm", {"command": "npm run build"}, session="s2")
    (name,) = drafts(runtime)
    assert (second.case, second.made, second.draft) == (name, True, True)
    case = runtime.snapshot().cases[name].case
    assert case.trigger_conditions == ('program is "npm"',)
    assert (case.correction, case.correction_by, case.effect) == ("I said use pnpm, not npm", "person", "advise")
    assert case.source is not None
    assert (case.source.origin, case.source.evidence) == ("feedback", (first.id, second.id))
    assert case.scope.named == {"user": "ann"}
    assert runtime.match({"tool": "Bash", "args": NPM, "user": "ann"}).cases == ()
    (item,) = [each for each in queue(desk(runtime)) if each.subject == name]
    assert item.reasons == ("corrected",)
    assert [note.partition(": ")[2] for note in item.notes] == [
        f"“no, use pnpm, not npm” after `npm install` ({first.id})",
        f"“I said use pnpm, not npm” after `npm run build` ({second.id})",
    ]


@pytest.mark.parametrize("judge", [approve, reject])
def test_the_remarks_that_a_draft_was_made_of_wait_no_more_and_are_judged_with_it(runtime: Runtime, judge) -> None:
    said = [corrected(runtime, "use pnpm, not npm", session=each).id for each in ("s1", "s2")]
    third = corrected(runtime, "and be quick about it", {"command": "cargo build"}).id
    (name,) = drafts(runtime)
    remarks = [remark(runtime, each) for each in (*said, third)]
    assert [each.subject for each in queue(desk(runtime))] == [name, remarks[2]]
    assert {item.answer.subject for item in queue(desk(runtime), everything=True) if item.answer} == {name}

    def standing() -> list[str]:
        return [status(runtime, each) for each in remarks]

    assert standing() == ["to_judge", "to_judge", "to_judge"]
    done = judge(desk(runtime), name)
    assert standing() == ["disabled", "disabled", "to_judge"]
    undo(desk(runtime), done.entry.id)
    assert standing() == ["to_judge", "to_judge", "to_judge"]


def test_a_remark_that_was_judged_by_itself_stays_so_when_its_draft_is_judged(runtime: Runtime) -> None:
    first = corrected(runtime, "use pnpm, not npm").id
    approve(desk(runtime), remark(runtime, first))
    corrected(runtime, "use pnpm, not npm", session="s2")
    approve(desk(runtime), drafts(runtime)[0])
    assert status(runtime, remark(runtime, first)) == "active"


def test_approved_it_warns_with_the_persons_words(runtime: Runtime) -> None:
    for _ in range(2):
        corrected(runtime, "ask me before you install anything")
    (name,) = drafts(runtime)
    approve(desk(runtime), name)
    answer = runtime.match({"tool": "exec", "args": {"command": "npm install x"}, "user": "ann"})
    assert [(each.id, each.correction) for each in answer.cases] == [(name, "ask me before you install anything")]


@pytest.mark.parametrize(
    "again",
    [
        lambda runtime: corrected(runtime, "no, yarn"),
        denied,
        lambda runtime: runtime.after_task(
            {"tool": "Bash", "args": NPM, "user": "ann"}, Outcome.correction_of("use pnpm", tool="Bash", args=NPM, correction_by="person")
        ),
    ],
    ids=["feedback", "a call that was not allowed", "a correction"],
)  # fmt: skip
def test_feedback_a_refusal_and_a_persons_correction_count_alike(runtime: Runtime, again) -> None:
    corrected(runtime, "use pnpm")
    again(runtime)
    assert len(drafts(runtime)) == 1


def test_a_refusal_and_the_words_that_follow_it_are_one_correction(runtime: Runtime) -> None:
    asked = runtime.before_task({"tool": "Bash", "args": NPM, "user": "ann", "session": "s1"})
    runtime.after_task(asked, Outcome.error("PermissionDeniedByUser", "not allowed", tool="Bash", args=NPM))
    runtime.after_task(asked, Outcome.feedback("no, use pnpm", tool="Bash", args=NPM))
    assert drafts(runtime) == []


@pytest.mark.parametrize(
    "two",
    [
        lambda runtime: (denied(runtime), denied(runtime)),
        lambda runtime: (corrected(runtime, "use pnpm"), corrected(runtime, "use pnpm", user="bob")),
        lambda runtime: (corrected(runtime, "ask first"), corrected(runtime, "ask first", {"command": "git push"})),
        lambda runtime: (corrected(runtime, "thanks, great"), corrected(runtime, "很好，谢谢")),
        lambda runtime: (
            corrected(runtime, "no, use pnpm", {"command": "prog0 run"}),
            corrected(runtime, "no, not so fast", {"command": "prog1 run"}),
        ),
        lambda runtime: (
            corrected(runtime, "no", {"command": "prog0 run"}),
            corrected(runtime, "no", {"command": "prog1 run"}),
        ),
        lambda runtime: (
            corrected(runtime, "slow"),
            runtime.after_task({"user": "ann"}, Outcome.feedback("slow again")),
        ),
    ],
    ids=[
        "no words",
        "two people",
        "two commands",
        "praise",
        "two unknown commands",
        "two unknown commands, no words",
        "about no call",
    ],
)
def test_what_is_not_twice_the_same_makes_no_draft(runtime: Runtime, two) -> None:
    two(runtime)
    assert drafts(runtime) == []


def test_once_there_was_a_draft_there_is_no_second_one_and_none_after_a_rejection(runtime: Runtime) -> None:
    for _ in range(4):
        corrected(runtime, "use pnpm, not npm")
    (name,) = drafts(runtime)
    reject(desk(runtime), name)
    for _ in range(3):
        corrected(runtime, "use pnpm, not npm")
    assert (drafts(runtime), name in runtime.snapshot().cases) == ([], False)


def test_where_a_persons_own_case_comes_up_there_already_no_draft_is_made(runtime: Runtime) -> None:
    from casebook.case import Case

    taught = {"id": "pnpm", "trigger_conditions": ['program is "npm"'], "correction": "Use pnpm."}
    runtime.store.put(Case.from_json(taught))
    for _ in range(3):
        corrected(runtime, "use pnpm, not npm")
    assert list(runtime.snapshot().cases) == ["pnpm"]


def test_a_detail_that_one_of_the_calls_does_not_have_is_no_condition(runtime: Runtime) -> None:
    corrected(runtime, "ask me before you push", {"command": "git push origin dev"})
    corrected(runtime, "never push to main", {"command": "git push origin main"})
    (name,) = drafts(runtime)
    assert runtime.snapshot().cases[name].case.trigger_conditions == ('action is "git push"',)


def test_eight_at_once_make_one_draft(tmp_path: Path) -> None:
    with closing(Runtime.open(tmp_path, clock=Later())) as first:
        corrected(first, "use pnpm, not npm")
        several = [Runtime.open(tmp_path, clock=Later()) for _ in range(4)]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: corrected(several[n % 4], "use pnpm, not npm", session=f"t{n}"), range(8)))
        for each in several:
            each.close()
        assert len(drafts(first)) == 1
        entries = first.journal.entries()
        assert [each.action for each in entries if each.subject == drafts(first)[0]] == [DRAFT, "queue"]


def test_four_processes_at_once_make_one_draft(tmp_path: Path) -> None:
    with closing(Runtime.open(tmp_path, clock=Later())) as first:
        corrected(first, "use pnpm, not npm")
    command = [
        sys.executable, "-m", "casebook", "--dir", str(tmp_path), "after-task", "--tool", "Bash", "--arg", "command=npm ci",
        "--user", "ann", "--feedback", "use pnpm, not npm", "--session",
    ]  # fmt: skip
    running = [subprocess.Popen([*command, f"p{number}"], stdout=subprocess.PIPE) for number in range(4)]
    told = [json.loads(each.communicate()[0]) for each in running]
    assert [each.returncode for each in running] == [0] * 4
    assert sum(each["made"] for each in told) == 1
    with closing(Runtime.open(tmp_path, clock=Later())) as after:
        (name,) = drafts(after)
        assert [each.action for each in after.journal.entries(subject=name)] == [DRAFT, "queue"]


def test_a_draft_whose_process_was_killed_before_it_was_written_is_written_by_the_next(
    tmp_path: Path, monkeypatch
) -> None:
    with closing(Runtime.open(tmp_path, clock=Later())) as killed:
        monkeypatch.setattr(SecondTime, "_finish", lambda *_: False)
        for _ in range(2):
            corrected(killed, "use pnpm, not npm")
        assert drafts(killed) == []
    monkeypatch.undo()
    with closing(Runtime.open(tmp_path, clock=Later())) as following:
        following.before_task({"text": "hello"})
        (name,) = drafts(following)
        assert [each.subject for each in queue(desk(following)) if "corrected" in each.reasons] == [name]
        assert isinstance(following.journal.entry(f"{DRAFT}:{name}"), Entry)


def test_where_the_detector_is_switched_off_nothing_is_drafted(tmp_path: Path) -> None:
    (tmp_path / "memory-policy.yaml").write_text("format: 1\ndetector: {enabled: false}\n", encoding="utf-8")
    with closing(Runtime.open(tmp_path, clock=Later())) as runtime:
        for _ in range(2):
            corrected(runtime, "use pnpm, not npm")
        assert drafts(runtime) == []
