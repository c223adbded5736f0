"""The jobs that run others, pack, purge and let words go."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.faults import StoreError
from casebook.memory import Memory
from casebook.policy import JournalPolicy, Policy, Tiers
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Firing
from casebook.runtime.upkeep import contradicting
from casebook.runtime.upkeep.archiving import month_begin
from casebook.runtime.upkeep.hygiene import ORDER
from casebook.runtime.upkeep.hygiene_mirroring import BEHIND
from casebook.runtime.upkeep.ledger import WINDOW, Ledger
from casebook.stores.memory_store import Change
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, HOUR, NOW, SECOND, Killed, killing, memory

ANN = Principal("ann", None, frozenset(), None)


def retire(book: FolderBook, name: str, at: datetime) -> None:
    """Put a memory into the archive at an instant."""
    made = memory(name, text=f"the words of {name}")
    book.now = at
    book.keep(made)
    assert book.store.change([Change(made, None, "over")], at) == ("done",)


def purged(book: FolderBook) -> list[Entry]:
    return list(book.journal.entries(actions=("purge",)))


# -- hygiene ---------------------------------------------------------------------------------------------------------------


def test_contradictions_are_looked_for_once_where_nothing_has_changed_and_again_where_something_has(
    folder: FolderBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.keep(memory("m-1", "L3", text="Use tabs for indentation", kind="rule"))
    folder.keep(memory("m-2", "L3", NOW + SECOND, text="Do not use tabs for indentation", kind="rule"))
    looked: list[int] = []
    real = contradicting.contradictions

    def counted(memories: Iterable[Memory], *given: Any, **named: Any) -> Any:
        kept = list(memories)
        looked.append(len(kept))
        return real(kept, *given, **named)

    monkeypatch.setattr(contradicting, "contradictions", counted)
    report = folder.run("hygiene", NOW + DAY)
    assert (looked, report.figures["audit"], report.figures["reflect"]) == ([2], 1, 0)
    folder.keep(*(memory(f"m-{at}", "L3", NOW, text="Answer in short sentences", kind="rule") for at in (3, 4)))
    looked.clear()
    folder.run("hygiene", NOW + DAY)
    assert looked == [4, 3, 3]  # the audit; what is left once two are one; once more, for two have become one
    looked.clear()
    folder.run("audit", NOW + DAY)
    folder.run("reflect", NOW + 2 * DAY)
    assert looked == [3, 3]


def test_hygiene_does_all_that_is_due_in_order_and_counts_what_a_person_is_to_look_at(folder: FolderBook) -> None:
    folder.keep(memory("m-over", "L1"), path="short_term/session_a.json")
    folder.keep(memory("m-asked", "L1", pinned=True), path="short_term/session_a.json")
    folder.keep(memory("m-idle", "L2", kind="usage"))
    folder.keep(memory("m-told", "L2", text="told often"))
    folder.keep(
        *(memory(f"m-{at}", "L3", NOW + at * SECOND, text="Use pnpm for all installs", kind="rule") for at in (1, 2))
    )
    for at in range(3):
        folder.tell("m-told", NOW + at * DAY)
    folder.case({"id": "c-over", "expires_at": "2026-03-21"})
    report = folder.run("hygiene", NOW + 40 * DAY)
    assert report.troubles == ()
    figures = {name: report.figures[name] for name in (*ORDER, "to_reconcile")}
    assert figures == {"expire": 2, "age": 1, "promote": 2, "audit": 1, "reflect": 3, "compact": 0, "to_reconcile": 9}
    assert [folder.tier(name) for name in ("m-over", "m-asked", "m-idle", "m-told", "m-1", "m-2")] == [
        "archive", "L3", "L1", "L3", "L3", "archive",
    ]  # fmt: skip
    assert "c-over" not in folder.cases.snapshot().cases
    again = folder.run("hygiene", NOW + 40 * DAY + SECOND)
    assert {name: again.figures[name] for name in ORDER} == dict.fromkeys(ORDER, 0)
    assert again.figures["to_reconcile"] == 9
    assert again.figures["mirrored"] == 0


def test_a_dry_hygiene_says_what_each_job_would_do_and_writes_nothing(folder: FolderBook) -> None:
    folder.keep(memory("m-over", "L1"), path="short_term/session_a.json")
    before = folder.texts()
    report = folder.run("hygiene", NOW + 3 * DAY, dry=True)
    assert report.figures["expire"] == 1
    assert (folder.texts(), list(folder.journal.entries())) == (before, [])


def test_a_job_that_is_running_elsewhere_is_a_trouble_of_that_job_alone(
    folder: FolderBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    from casebook.runtime.upkeep import running

    folder.keep(memory("m-idle", "L2", kind="usage"))
    monkeypatch.setattr(running, "_running", {(str(folder.root), "expire")})
    report = folder.run("hygiene", NOW + 40 * DAY)
    assert [each.partition(":")[0] for each in report.troubles] == ["expire"]
    assert report.figures["age"] == 1


@pytest.mark.parametrize(
    "floor, told, mirrored",
    [
        (None, NOW, True),
        (NOW.isoformat(), NOW + BEHIND, False),
        (NOW.isoformat(), NOW + BEHIND + SECOND, True),
    ],
)
def test_files_say_when_something_was_used_once_they_are_a_week_behind(
    folder: FolderBook, floor: str | None, told: datetime, mirrored: bool
) -> None:
    folder.keep(memory("m-1", "L3", last_used=floor))
    folder.case({"id": "c-1", "last_triggered": floor})
    folder.tell("m-1", told)
    firings = (Firing("c-1", "v1", "selected"),)
    record = ActivationRecord("a", told, "s", ANN, "tool", None, "allow", "reference", "enforce", "1", firings=firings)
    folder.journal.note(lambda: (record, (), ()))
    report = folder.run("hygiene", NOW + 9 * DAY)
    assert report.figures["mirrored"] == (2 if mirrored else 0)
    case = json.loads((folder.root / "long_term" / "cases.json").read_text())[0]
    assert (folder.held("m-1").last_used == told.isoformat(timespec="milliseconds")) is mirrored
    assert (case["last_triggered"] == told.isoformat(timespec="seconds")) is mirrored
    assert folder.run("hygiene", NOW + 9 * DAY + SECOND).figures["mirrored"] == 0


# -- archive ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("age, gone", [(365 * DAY, 0), (365 * DAY + SECOND, 1)])
def test_what_lay_in_the_archive_for_more_than_a_year_is_purged_with_a_receipt(
    folder: FolderBook, age: Any, gone: int
) -> None:
    retire(folder, "m-1", NOW)
    folder.tell("m-1", NOW)
    report = folder.run("archive", NOW + age)
    assert report.figures["purged"] == gone
    assert folder.tier("m-1") == ("nowhere" if gone else "archive")
    receipts = purged(folder)
    assert [each.body["purged"] for each in receipts] == [1] * gone
    assert not any("m-1" in str(each) for each in receipts), "counts and instants, no id that is made of content"
    assert ("m-1" in folder.journal.tellings()) is not bool(gone)
    assert folder.run("archive").figures["purged"] == 0
    assert len(purged(folder)) == gone


def test_packs_hold_what_was_retired_before_this_month_and_are_purged_too(folder: FolderBook) -> None:
    first, second = datetime(2026, 3, 31, 23, tzinfo=UTC), datetime(2026, 4, 1, 1, tzinfo=UTC)
    retire(folder, "m-1", first)
    retire(folder, "m-2", second)
    assert folder.run("archive", datetime(2026, 4, 2, tzinfo=UTC)).figures["packed"] == 1
    assert folder.run("archive").figures["packed"] == 0
    (pack,) = (folder.root / "archive").glob("*.tgz")
    with tarfile.open(pack) as read:
        words = b"".join((read.extractfile(each) or pack.open("rb")).read() for each in read)
    assert b"m-1" in words
    assert b"m-2" not in words
    assert [folder.tier(name) for name in ("m-1", "m-2")] == ["archive", "archive"]
    folder.run("archive", first + 365 * DAY + HOUR)
    assert [folder.tier(name) for name in ("m-1", "m-2")] == ["nowhere", "archive"]


@pytest.mark.parametrize(
    "zone, begin", [("UTC", "2026-04-01T00:00:00+00:00"), ("Asia/Shanghai", "2026-03-31T16:00:00+00:00")]
)
def test_a_month_begins_in_the_zone_of_the_policy(zone: str, begin: str) -> None:
    assert month_begin(datetime(2026, 4, 9, 12, tzinfo=UTC), zone).isoformat() == begin


def test_a_memory_that_stands_again_keeps_its_tellings_when_its_old_self_is_purged(folder: FolderBook) -> None:
    retire(folder, "m-1", NOW)
    folder.tell("m-1", NOW)
    folder.keep(memory("m-1", text="the words of m-1", tier="L3"))
    folder.run("archive", NOW + 400 * DAY)
    assert "m-1" in folder.journal.tellings()
    assert folder.tier("m-1") == "L3"


def test_what_is_purged_takes_the_lines_about_it_along_and_no_word_of_another(folder: FolderBook) -> None:
    for name in ("m-1", "m-2"):
        form = memory(name, text="the very same words").to_json()
        folder.journal.append([Entry(f"remember:{name}", NOW, "person:ann", "remember", name, body={"after": form})])
    retire(folder, "m-1", NOW)
    folder.keep(memory("m-2", text="the very same words", tier="L3"))
    folder.run("archive", NOW + 400 * DAY)
    assert not folder.journal.entries(subject="m-1")
    (entry,) = folder.journal.entries(subject="m-2")
    assert entry.body["after"]["text"] == "the very same words"


def test_a_policy_says_how_long_the_archive_keeps(folder: FolderBook) -> None:
    folder.policy = Policy(tiers=Tiers(purge="10d"))
    retire(folder, "m-1", NOW)
    assert folder.run("archive", NOW + 10 * DAY).figures["purged"] == 0
    assert folder.run("archive", NOW + 10 * DAY + SECOND).figures["purged"] == 1


def test_a_dry_run_counts_and_purges_nothing(folder: FolderBook) -> None:
    retire(folder, "m-1", NOW)
    assert folder.run("archive", NOW + 400 * DAY, dry=True).figures == {"looked_at": 0, "packed": 0, "purged": 1}
    assert folder.tier("m-1") == "archive"
    assert not purged(folder)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", range(1, 5))
def test_nothing_is_purged_without_a_receipt_wherever_it_is_killed(
    folder: FolderBook, monkeypatch: pytest.MonkeyPatch, at: int, after: bool
) -> None:
    retire(folder, "m-1", NOW)
    folder.now = NOW + 400 * DAY
    counter = [0]
    with monkeypatch.context() as patch:
        for owner, name in (
            (folder.journal, "append"), (folder.journal, "drop_entries"), (folder.journal, "drop_tellings"), (folder.store, "purge"),
        ):  # fmt: skip
            patch.setattr(owner, name, killing(getattr(owner, name), counter, at, after=after))
        with pytest.raises(Killed):
            folder.run("archive")
    if folder.tier("m-1") == "nowhere":
        assert purged(folder)
    folder.run("archive", folder.now + SECOND)
    assert folder.tier("m-1") == "nowhere"
    assert purged(folder)


# -- retain ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("age, changed", [(30 * DAY, 0), (30 * DAY + SECOND, 1)])
def test_words_of_tasks_go_after_so_many_days(folder: FolderBook, age: Any, changed: int) -> None:
    folder.policy = Policy(journal=JournalPolicy(text_days=30))
    folder.journal.record(EventRecord("e1", NOW, "task", "s", ANN, body={"text": "words of a task"}))
    assert folder.run("retain", NOW + age, dry=True).figures == {"looked_at": 0}
    assert folder.run("retain", NOW + age).figures["retained"] == changed
    (event,) = folder.journal.events()
    assert ("text" in event.body) is not bool(changed)
    assert folder.run("retain").figures["retained"] == 0


def test_the_ledger_keeps_runs_for_90_days_and_the_newest_of_each_job_for_good(folder: FolderBook) -> None:
    ledger = Ledger(folder.journal)
    for hour in range(WINDOW):  # two lines each
        slot = (NOW + timedelta(hours=hour)).replace(tzinfo=None)
        assert ledger.claim("expire", slot, NOW, {"due": NOW.isoformat()})
        ledger.finish("expire", slot, NOW, {})
    ledger.claim("age", NOW.replace(tzinfo=None), NOW, {"due": NOW.isoformat()})
    before = ledger.claims("expire", NOW)
    assert folder.run("retain", NOW + 90 * DAY).figures["lines_dropped"] == 0
    assert folder.run("retain", NOW + 90 * DAY + SECOND).figures["lines_dropped"] == WINDOW
    assert ledger.claims("expire", NOW) == before
    assert len(ledger.claims("age", NOW)) == 1
    assert folder.run("retain").figures["lines_dropped"] == 0


def test_hygiene_in_whose_midst_the_store_fails_is_unfinished(
    folder: FolderBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.keep(
        memory("m-1", tier="L1", created_at="2026-01-01T00:00:00+00:00", tier_since="2026-01-01T00:00:00+00:00")
    )

    def full(*_: Any) -> Any:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(folder.store, "change", full)
        report = folder.run("hygiene")
    assert (report.troubles, report.figures["unfinished"]) == (("expire: the disk is full",), 1)
    assert "unfinished" not in folder.run("hygiene").figures
