"""The digest: what is shown, confirmed and undone, and that what was undone is not done again."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from casebook.faults import CasebookError, NotFoundError
from casebook.policy import JobName, Policy
from casebook.runtime.upkeep.digest import digest
from casebook.runtime.upkeep.reconciling import ReconcileError, confirm, show, undo
from tests.upkeep.made import DAY, HOUR, NOW, SECOND, Book, Killed, killing, memory

ANN = "person:ann"


def _moved() -> Book:
    """Give a casebook in which three jobs have each moved one memory."""
    book = Book()
    book.keep(memory("m-short", "L1"), memory("m-idle", kind="usage"), memory("m-used"))
    book.tell("m-used", NOW, NOW + DAY, NOW + 2 * DAY)
    for job in ("expire", "age", "promote"):
        book.run(job, NOW + 31 * DAY)
    assert (book.tier("m-short"), book.tier("m-idle"), book.tier("m-used")) == ("archive", "L1", "L3")
    return book


def _number(book: Book, subject: str) -> int:
    return book.journal.entries(subject=subject, actions=("move",))[-1].seq


def test_the_digest_has_every_move_that_stands_by_job() -> None:
    found = digest(_moved().journal)
    assert {job: [each.subject for each in moves] for job, moves in found.by_job.items()} == {
        "expire": ["m-short"],
        "age": ["m-idle"],
        "promote": ["m-used"],
    }
    assert list(found.by_job) == ["expire", "age", "promote"]
    short, idle, used = found.moves
    assert (short.before, short.after, short.to_path) == ("L1", "archive", "archive")
    assert (idle.before, idle.after, idle.to_path) == ("L2", "L1", "short_term/aged.json")
    assert (used.before, used.after, used.to_path, used.what) == ("L2", "L3", "long_term/knowledge.json", "fact")
    assert short.text == "text of m-short"


def test_the_digest_tells_no_secret_and_no_more_than_a_line_or_two() -> None:
    book = Book()
    book.keep(memory("m-1", "L1", text="password=hunter2hunter2 and\n" + "字" * 900))
    book.run("expire", NOW + 3 * DAY)
    (move,) = digest(book.journal).moves
    assert "hunter2" not in move.text
    assert "\n" not in move.text
    assert len(move.text) <= 200


def test_what_was_confirmed_or_undone_is_shown_no_more() -> None:
    book = _moved()
    assert confirm(book.journal, [_number(book, "m-short")], ANN, lambda: book.now) == (_number(book, "m-short"),)
    assert [each.subject for each in digest(book.journal).moves] == ["m-idle", "m-used"]
    undo(book.desk(), _number(book, "m-used"), ANN)
    assert [each.subject for each in digest(book.journal).moves] == ["m-idle"]
    confirm(book.journal, None, ANN, lambda: book.now)
    assert digest(book.journal).is_empty
    book.keep(memory("m-new", "L1"))
    book.run("expire")
    moves = digest(book.journal).moves  # what aged was confirmed to, and is archived
    assert [(each.job, each.subject) for each in moves] == [("expire", "m-idle"), ("expire", "m-new")]


def test_since_an_instant() -> None:
    book = _moved()
    book.keep(memory("m-new", "L1"))
    book.run("expire", book.now + DAY)
    assert [each.subject for each in digest(book.journal, since=book.now).moves] == ["m-new"]


def test_confirming_all_twice_writes_nothing_the_second_time() -> None:
    book = _moved()
    assert len(confirm(book.journal, None, ANN, lambda: book.now)) == 3
    entries = book.journal.entries()
    assert confirm(book.journal, None, ANN, lambda: book.now) == ()
    assert book.journal.entries() == entries


@pytest.mark.parametrize("number, told", [(9999, "no entry"), (0, "no entry"), (None, "no move of upkeep but digest")])
def test_a_number_that_is_no_move_is_refused_with_what_it_is(number: int | None, told: str) -> None:
    book = _moved()
    show(book.desk(), ANN)
    which = book.number("digest") if number is None else number
    with pytest.raises(ReconcileError, match=told):
        confirm(book.journal, [which], ANN, lambda: book.now)
    with pytest.raises(ReconcileError, match=told):
        undo(book.desk(), which, ANN)
    assert len(digest(book.journal).moves) == 3


def test_a_digest_that_was_shown_is_in_the_log_with_what_it_showed() -> None:
    book = _moved()
    shown = show(book.desk(), ANN)
    (entry,) = book.journal.entries(actions=("digest",))
    assert entry.actor == ANN
    assert entry.body["entries"] == [each.entry for each in shown.moves]
    assert entry.body["aged"] == ["m-idle"]
    show(book.desk(), ANN)
    assert len(book.journal.entries(actions=("digest",))) == 1  # the same instant, the same list


def test_an_empty_digest_leaves_no_trace() -> None:
    book = Book()
    assert show(book.desk(), ANN).is_empty
    assert list(book.journal.entries()) == []


# -- undoing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made, job, days, path",
    [
        (memory("m-1", "L1"), "expire", 3, "short_term/session_a.json"),
        (memory("m-1", "L1", pinned=True), "expire", 3, "short_term/session_a.json"),
        (memory("m-1", kind="usage"), "age", 31, "medium_term/recent_learnings.json"),
        (memory("m-1", counters={"triggers": 11}), "promote", 1, "medium_term/active_projects.json"),
        (memory("m-1", pinned=True), "promote", 1, "medium_term/active_projects.json"),
        (memory("m-1", tier="L3", expires_at=(NOW + HOUR).isoformat()), "expire", 1, "long_term/knowledge.json"),
    ],
)
def test_undoing_brings_a_memory_to_its_tier_file_and_content_and_the_next_runs_leave_it(
    made: Any, job: JobName, days: int, path: str
) -> None:
    book = Book()
    book.keep(made)
    assert len(book.moves(job, NOW + days * DAY)) == 1
    book.now += HOUR
    placed = undo(book.desk(), book.number(), ANN)
    assert placed == book.store.placed["m-1"]
    found = placed.memory
    assert (placed.path, found.tier, found.text, found.kind) == (path, made.tier, made.text, made.kind)
    assert (found.confirmed, found.tier_since) == (True, book.now.isoformat(timespec="milliseconds"))
    assert found.rule_chain[-1].rule == "undone"
    undone = book.now
    for passed in (0 * SECOND, SECOND, DAY, 48 * HOUR):
        assert book.moves(job, undone + passed) == []


def test_what_was_undone_twice_is_told_so() -> None:
    book = _moved()
    number = _number(book, "m-idle")
    undo(book.desk(), number, ANN)
    with pytest.raises(ReconcileError, match="undone already"):
        undo(book.desk(), number, ANN)


def test_an_undone_promotion_has_to_be_earned_anew() -> None:
    book = Book()
    book.keep(memory(counters={"triggers": 20}))
    book.tell("m-1", NOW, NOW + DAY, NOW + 2 * DAY)
    book.run("promote", NOW + 3 * DAY)
    undo(book.desk(), book.number(), ANN)
    assert book.moves("promote", NOW + 4 * DAY) == []
    book.tell("m-1", NOW + 5 * DAY, NOW + 6 * DAY)
    assert book.moves("promote", NOW + 6 * DAY) == []
    book.tell("m-1", NOW + 7 * DAY)
    assert book.moves("promote", NOW + 7 * DAY) == [("promote", "m-1")]


def test_what_is_pinned_after_its_promotion_was_undone_is_promoted() -> None:
    book = Book()
    book.keep(memory(counters={"triggers": 20}))
    book.run("promote")
    undo(book.desk(), book.number(), ANN)
    assert book.moves("promote", NOW + DAY) == []
    book.change(pinned=True)
    assert book.moves("promote", NOW + DAY) == [("promote", "m-1")]


@pytest.mark.parametrize("rule", ["user_explicit == true", "kind is 'fact'", "age_days >= 0"])
def test_a_rule_that_holds_of_itself_does_not_repeat_an_undone_promotion(rule: str) -> None:
    book = Book(policy=Policy.model_validate({"rules": {"promote": rule}}))
    book.keep(memory(confirmed=True))
    assert len(book.moves("promote", NOW + DAY)) == 1
    undo(book.desk(), book.number(), ANN)
    assert book.moves("promote", NOW + 300 * DAY) == []


@pytest.mark.parametrize("passed, tier", [(30 * DAY, "L2"), (30 * DAY + SECOND, "L1")])
@pytest.mark.parametrize("rule", ["past_ttl is true", "not_hit_days > 30", "age_days > 30"])
def test_an_undone_aging_starts_the_ttl_anew(rule: str, passed: Any, tier: str) -> None:
    book = Book(policy=Policy.model_validate({"rules": {"age": rule}}))
    book.keep(memory(kind="usage"))
    book.run("age", NOW + 31 * DAY)
    undo(book.desk(), book.number(), ANN)
    undone = book.now
    book.run("age", undone + passed)
    assert book.tier() == tier


def test_a_rule_without_time_does_not_age_again_what_was_undone() -> None:
    book = Book(policy=Policy.model_validate({"rules": {"age": "kind is 'usage'"}}))
    book.keep(memory(kind="usage"))
    book.run("age", NOW)
    undo(book.desk(), book.number(), ANN)
    assert book.moves("age", NOW + 300 * DAY) == []


@pytest.mark.parametrize("job_of", ["age", "expire"])
def test_what_aged_and_was_archived_comes_back_to_l2(job_of: str) -> None:
    book = Book()
    book.keep(memory(kind="usage"))
    book.run("age", NOW + 31 * DAY)
    aged = book.number()
    book.run("expire", NOW + 40 * DAY)
    assert book.tier() == "archive"
    placed = undo(book.desk(), aged if job_of == "age" else book.number(), ANN)
    assert placed is not None
    assert (placed.memory.tier, placed.path) == ("L2", "medium_term/recent_learnings.json")
    for job in ("age", "expire"):
        assert book.moves(job, book.now + 30 * DAY) == []
    assert [each.job for each in digest(book.journal).moves] == ([] if job_of == "age" else ["age"])


def test_a_person_who_brings_back_what_left_l1_keeps_it() -> None:
    book = Book()
    book.keep(memory("m-1", "L1"))
    book.store.ended["short_term/session_a.json"] = NOW + HOUR
    book.run("expire", NOW + HOUR)
    book.now += SECOND
    undo(book.desk(), book.number(), ANN)
    assert book.moves("expire", NOW + 49 * HOUR + SECOND) == []
    assert book.moves("expire", NOW + 49 * HOUR + 2 * SECOND) == [("distil", "m-1")]


def test_a_rule_that_distils_little_archives_nothing_that_a_person_brought_back() -> None:
    book = Book(policy=Policy.model_validate({"rules": {"distil": "reused >= 2"}}))
    book.keep(memory("m-1", "L1"))
    book.run("expire", NOW + 3 * DAY)
    undo(book.desk(), book.number(), ANN)
    assert book.moves("expire", NOW + 9 * DAY) == [("distil", "m-1")]


def test_what_a_person_wants_not_in_l2_goes_to_the_archive_in_its_time() -> None:
    book = Book()
    book.keep(memory("m-1", "L1"))
    book.tell("m-1", NOW, NOW + HOUR)
    assert book.moves("expire", NOW + 3 * DAY) == [("distil", "m-1")]
    undo(book.desk(), book.number(), ANN)
    assert book.moves("expire", NOW + 4 * DAY) == []
    assert book.moves("expire", NOW + 9 * DAY) == [("expire", "m-1")]


def test_a_text_that_somebody_edited_since_a_move_stays_edited() -> None:
    book = _moved()
    book.change("m-used", text="a better text")
    placed = undo(book.desk(), _number(book, "m-used"), ANN)
    assert placed is not None
    assert (placed.memory.tier, placed.memory.text) == ("L2", "a better text")


def test_what_somebody_changed_of_what_the_move_changed_is_an_error_that_says_what_to_do() -> None:
    book = _moved()
    book.change("m-used", tier_since=(NOW + 50 * DAY).isoformat())
    state = book.state()
    with pytest.raises(ReconcileError, match=r"tier_since has been changed since.*casebook edit m-used"):
        undo(book.desk(), _number(book, "m-used"), ANN)
    assert book.state() == state
    assert list(book.journal.entries(actions=("undo",))) == []


def test_what_somebody_brought_back_already_is_an_error() -> None:
    book = _moved()
    book.store.restore("m-short", book.now)
    with pytest.raises(ReconcileError, match="brought it back"):
        undo(book.desk(), _number(book, "m-short"), ANN)


def test_what_was_purged_cannot_be_brought_back() -> None:
    book = _moved()
    del book.store.retired["m-short"]
    with pytest.raises(NotFoundError, match="purged"):
        undo(book.desk(), _number(book, "m-short"), ANN)


def test_a_move_that_was_confirmed_can_still_be_undone() -> None:
    book = _moved()
    confirm(book.journal, None, ANN, lambda: book.now)
    undo(book.desk(), _number(book, "m-short"), ANN)
    assert book.tier("m-short") == "L1"


@pytest.mark.parametrize("subject, writes", [("m-short", 3), ("m-idle", 2), ("m-used", 2)])
@pytest.mark.parametrize("after", [False, True])
def test_an_undoing_that_was_killed_at_any_write_is_completed_by_the_next(
    subject: str, writes: int, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undone(at: int) -> Any:
        book = _moved()
        counter = [0]
        with monkeypatch.context() as patch:
            for owner, name in ((book.journal, "append"), (book.store, "change"), (book.store, "restore")):
                patch.setattr(owner, name, killing(getattr(owner, name), counter, at, after=after), raising=False)
            with contextlib.suppress(Killed):
                undo(book.desk(), _number(book, subject), ANN)
        if at:
            assert counter[0] == at
            with contextlib.suppress(ReconcileError):  # it was whole already
                undo(book.desk(), _number(book, subject), ANN)
        return book.state()

    whole = undone(0)
    assert all(undone(at) == whole for at in range(1, writes + 1))


def test_a_case_comes_back_into_service(monkeypatch: pytest.MonkeyPatch) -> None:
    from casebook.runtime.upkeep import running
    from casebook.runtime.upkeep.protocol import Move

    class Given:
        name: JobName = "audit"

        def plan(self, desk: object) -> tuple[Move, ...]:
            return (Move("archive_case", "c-1", "audit", "its time is over", reason="expired"),)

    monkeypatch.setattr(running, "jobs", lambda: {"audit": Given()})
    book = Book()
    book.cases.cases["c-1"] = object()
    book.run("audit")
    assert [each.kind for each in digest(book.journal).moves] == ["archive_case"]
    assert undo(book.desk(), book.number(), ANN) is None
    assert list(book.cases.cases) == ["c-1"]
    with pytest.raises(CasebookError, match="undone already"):
        undo(book.desk(), book.number(), ANN)
