"""What is forgotten is gone from every file, journal and packs included; what is left is named; others keep what is theirs."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from casebook.memory_facts import Telling
from casebook.runtime.answer.isolation import Principal
from casebook.runtime.journal.records import ActivationRecord, Entry, EventRecord, Firing, Version
from casebook.runtime.upkeep.forgetting import forget, purge_now
from casebook.runtime.upkeep.forgetting_check import Needles, found_in
from casebook.stores.memory_store import Change, Forgetting
from tests.upkeep.folder_book import FolderBook
from tests.upkeep.made import DAY, NOW, SECOND, Killed, killing, memory

ANN = Principal("ann-lee", "shop", frozenset(), None)
BOB = Principal("bob-ray", "shop", frozenset(), None)
SECRET = "my very own zebra sentence"
CHINESE = "我的斑马只在周五晚上出门散步"
WORDS = (SECRET, CHINESE)


def _row(record: ActivationRecord) -> tuple[ActivationRecord, tuple[EventRecord, ...], tuple[Version, ...]]:
    return record, (), ()


def lived(book: FolderBook) -> None:
    """Two users live in a casebook: memories in every tier and in packs, cases, events, moves; one is bob's, or the project's."""
    said = [("ann-lee", SECRET), ("ann-lee", CHINESE), ("bob-ray", "bob likes tea and cake")]
    kept, early, late = [], [], []
    for at, (name, text) in enumerate(said):
        scope = {"user": name}
        kept.append(memory(f"m-{at}-long", "L3", text=f"{text} long", scope=scope))
        kept.append(memory(f"m-{at}-mid", "L2", text=f"{text} mid", scope=scope, kind="usage"))
        kept.append(memory(f"m-{at}-short", "L1", text=f"{text} short", scope=scope, source={"session": f"s-{name}"}))
        early.append(memory(f"m-{at}-gone-L2", "L2", text=f"{text} gone L2", scope=scope))
        late.append(memory(f"m-{at}-gone-L3", "L3", text=f"{text} gone L3", scope=scope))
    book.keep(*kept, *early, *late)
    book.store.change([Change(each, None, "over") for each in early], NOW - 60 * DAY)
    book.store.change([Change(each, None, "over") for each in late], NOW)
    for at, (name, text) in enumerate(said):
        principal = ANN if name == "ann-lee" else BOB
        book.journal.record(
            EventRecord(f"e-{at}", NOW, "feedback", f"s-{name}", principal, body={"text": f"{text} said"})
        )
        record = ActivationRecord(
            f"a-{at}", NOW, f"s-{name}", principal, "tool", "shell", "allow", "reference", "enforce", "1",
            facts={"text": f"{text} asked"}, firings=(Firing("c-all", "v", "selected"),),
        )  # fmt: skip
        book.journal.note(partial(_row, record))
        book.journal.tell([Telling(f"m-{at}-mid", f"a-{at}", NOW, f"s-{name}", name)])
    book.keep(memory("m-project", "L3", text="the project deploys with make", scope={"project": "shop"}))
    book.store.pack(NOW - 30 * DAY, NOW)
    book.case(
        {"id": "c-ann", "scope": {"user": "ann-lee"}, "correction": f"{SECRET} as a case"},
        {"id": "c-all", "correction": "For everyone."},
    )
    book.run("expire", NOW + 3 * DAY)  # moves, whose entries hold the memories


@pytest.fixture
def lives(folder: FolderBook) -> FolderBook:
    lived(folder)
    return folder


def bytes_of(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        data = path.read_bytes()
        yield path.relative_to(root).as_posix(), gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def holding(root: Path, *needles: str) -> list[str]:
    """Give the files in which one of these stands, packs opened, whatever else they are."""
    return [name for name, data in bytes_of(root) if any(each.encode() in data for each in needles)]


def test_a_forgotten_user_leaves_no_byte_in_any_file(lives: FolderBook) -> None:
    assert {name.partition("/")[0] for name in holding(lives.root, *WORDS)} >= {
        "long_term", "archive", ".casebook",
    }  # fmt: skip
    receipt = forget(lives.desk(), Forgetting(user="ann-lee"))
    assert receipt.left == ()
    assert receipt.is_clean
    assert receipt.checked > 3
    assert holding(lives.root, *WORDS, "ann-lee") == []
    lives.close()
    assert holding(lives.root, *WORDS, "ann-lee") == [], "nor once the journal is closed"


def test_others_keep_what_is_theirs(lives: FolderBook) -> None:
    forget(lives.desk(), Forgetting(user="ann-lee"))
    assert lives.tier("m-project") == "L3"
    assert lives.tier("m-2-long") == "L3"
    assert {each.memory.id for each in lives.store.archived()} >= {"m-2-gone-L2", "m-2-gone-L3"}
    assert "c-all" in lives.cases.snapshot().cases
    assert "c-ann" not in lives.cases.snapshot().cases
    assert [each.id for each in lives.journal.events(session="s-bob-ray", user="bob-ray")] == ["e-2"]
    assert "m-2-mid" in lives.journal.tellings()
    assert "m-0-mid" not in lives.journal.tellings()


def test_the_receipt_is_kept_and_holds_no_content(lives: FolderBook) -> None:
    receipt = forget(lives.desk(), Forgetting(user="ann-lee"))
    assert receipt.taken["memories"] > 0
    assert receipt.taken["archive"] == 6
    assert receipt.taken["cases"] == 1
    entries = lives.journal.entries(actions=("forget",))
    assert entries
    for text in (*WORDS, "ann", "m-0", "m-1"):
        assert text not in str(entries)
        assert text not in str(receipt.to_json())


def test_a_dry_run_counts_and_takes_nothing(lives: FolderBook) -> None:
    before = dict(bytes_of(lives.root / "long_term"))
    dry = forget(lives.desk(), Forgetting(user="ann-lee"), dry=True)
    assert dry.dry
    assert dry.taken["archive"] == 6
    assert dict(bytes_of(lives.root / "long_term")) == before
    assert lives.journal.events(session="s-ann-lee", user="ann-lee")
    taken = forget(lives.desk(), Forgetting(user="ann-lee")).taken
    assert {name: taken.get(name) for name in ("memories", "archive", "cases", "events", "activations")} == {
        name: dry.taken.get(name) for name in ("memories", "archive", "cases", "events", "activations")
    }


def test_forgetting_twice_is_forgetting_once(lives: FolderBook) -> None:
    forget(lives.desk(), Forgetting(user="ann-lee"))
    again = forget(lives.desk(), Forgetting(user="ann-lee"))
    assert again.left == ()
    assert not any(again.taken.values())


@pytest.mark.parametrize(
    "what, gone, stays",
    [
        (Forgetting(session="s-ann-lee"), ("m-0-short",), ("m-2-long", "m-project")),
        (Forgetting(text="ZEBRA sentence long"), ("m-0-long",), ("m-0-mid", "m-1-long", "m-project")),
        (Forgetting(ids=frozenset({"m-1-long"})), ("m-1-long",), ("m-0-long", "m-project")),
    ],
)
def test_a_session_a_text_or_an_id_is_forgotten_in_every_place(
    lives: FolderBook, what: Forgetting, gone: tuple[str, ...], stays: tuple[str, ...]
) -> None:
    receipt = forget(lives.desk(), what)
    assert [lives.tier(each) for each in gone] == ["nowhere"] * len(gone)
    assert "nowhere" not in [lives.tier(each) for each in stays]
    assert receipt.left == ()
    if what.text:
        assert holding(lives.root, "zebra sentence long") == []


def test_what_cannot_be_rewritten_is_named(lives: FolderBook) -> None:
    (lives.root / "notes.txt").write_text(f"somebody wrote: {SECRET} long", "utf-8")
    receipt = forget(lives.desk(), Forgetting(user="ann-lee"))
    assert receipt.left == ("notes.txt",)
    assert not receipt.is_clean


def test_what_another_said_in_the_same_words_is_theirs_and_no_fault(lives: FolderBook) -> None:
    lives.keep(memory("m-same", "L3", text=f"{SECRET} long", scope={"user": "bob-ray"}))
    receipt = forget(lives.desk(), Forgetting(user="ann-lee"))
    assert lives.tier("m-same") == "L3"
    assert receipt.left == ()


@pytest.mark.parametrize("what", [Forgetting(), Forgetting(ids=frozenset())])
def test_nothing_named_is_refused(folder: FolderBook, what: Forgetting) -> None:
    with pytest.raises(ValueError, match="expected a user, a session, a text or ids"):
        forget(folder.desk(), what)


def test_what_a_process_holds_in_memory_is_let_go_before_and_after(folder: FolderBook) -> None:
    calls: list[str] = []
    forget(folder.desk(), Forgetting(user="ann-lee"), reset=lambda: calls.append("reset"))
    assert calls == ["reset", "reset"]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", range(1, 6))
def test_a_forgetting_that_was_killed_anywhere_is_completed_by_the_next(
    lives: FolderBook, monkeypatch: pytest.MonkeyPatch, at: int, after: bool
) -> None:
    counter = [0]
    with monkeypatch.context() as patch:
        for owner, name in ((lives.journal, "forget"), (lives.store, "forget"), (lives.journal, "append")):
            patch.setattr(owner, name, killing(getattr(owner, name), counter, at, after=after))
        with pytest.raises(Killed):
            forget(lives.desk(), Forgetting(user="ann-lee"))
    lives.now += SECOND
    assert forget(lives.desk(), Forgetting(user="ann-lee")).left == ()
    assert holding(lives.root, *WORDS, "ann-lee") == []
    assert not (lives.root / ".casebook" / "forgetting.json").exists()


# -- the look afterwards ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, data, finds",
    [
        ("a.json", b'{"scope": {"user": "ann"}}', True),
        ("a.json", b'{"text": "annual report"}', False),
        ("a.txt", b"ask ann.", True),
        ("ann.txt", b"", True),
        ("a.json", b'{"text": "a \\"quoted\\" sentence\\nmore"}', True),
        ("a.json", b'{"text": "\\u659e\\u9a6c\\u6563\\u6b65\\u53bb\\u4e86\\u5417"}', True),
        ("a.gz", b"not a pack \x1f\x8b", False),
        ("b.tgz", b"\x1f\x8b broken", True),
        ("c.db", b"\xff\xfe\x00 ann \x00", False),
        ("c.db", b'\xff\xfe\x00 {"user":"ann"} \x00', True),
    ],
)
def test_where_something_stands(tmp_path: Path, name: str, data: bytes, finds: bool) -> None:
    """Names as words of their own, texts however JSON writes them; what cannot be read is named, too."""
    (tmp_path / name).write_bytes(data)
    needles = Needles(("ann",), ('a "quoted" sentence\nmore', "斞马散步去了吗"))
    assert found_in(tmp_path, needles) == (((name,) if finds else ()), 1)


def test_a_user_called_as_a_field_is_is_found_as_a_value_alone(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"scope": {"user": "bob"}, "text": "x"}')
    (tmp_path / "b.json").write_text('{"scope": {"user": "user"}}')
    assert found_in(tmp_path, Needles(("user",)))[0] == ("b.json",)


# -- purge -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shift, gone", [(timedelta(0), 3), (SECOND, 6)])
def test_purging_before_an_instant_takes_what_came_before_it(folder: FolderBook, shift: Any, gone: int) -> None:
    for at in range(6):
        made = memory(f"m-{at}", text=f"words of {at}")
        folder.keep(made)
        folder.store.change([Change(made, None, "over")], NOW - DAY if at < 3 else NOW)
    dry = purge_now(folder.desk(), NOW + shift, dry=True)
    assert (dry.taken, folder.tier("m-0")) == ({"archive": gone}, "archive")
    assert purge_now(folder.desk(), NOW + shift).taken == {"archive": gone}
    assert [folder.tier(f"m-{at}") == "nowhere" for at in range(6)] == [at < gone for at in range(6)]
    assert [each.body["purged"] for each in folder.journal.entries(actions=("purge",))] == [gone]


def test_purging_takes_the_words_out_of_the_journal_and_the_packs_too(folder: FolderBook) -> None:
    folder.keep(memory("m-1", "L1", text=SECRET), path="short_term/session_a.json")
    folder.journal.append(
        [Entry("remember:m-1:x", NOW, "person:bob", "remember", "m-1", body={"after": {"text": SECRET}})]
    )
    folder.run("expire", NOW + 3 * DAY)
    folder.run("archive", NOW + 60 * DAY)
    purge_now(folder.desk(), NOW + 4 * DAY)
    folder.close()
    assert holding(folder.root, SECRET) == []


@pytest.mark.parametrize("name", ["git", "shell", "1", "expire", "03", "fact", "L2", "main"])
def test_somebody_whose_name_is_a_word_of_ours_goes_alone(folder: FolderBook, name: str) -> None:
    """Others keep cases, memories and lines of the ledger in which the word stands, and nothing is said to be left."""
    folder.keep(
        memory("m-own", "L3", text="I like tabs over spaces", scope={"user": name}),
        memory("m-bob", "L3", text=f"use {name} for the release", scope={"user": "bob-ray"}, tags=[name]),
        memory("m-move", "L1", text="the build is slow", scope={"project": "shop"}),
    )
    conditions = ["tool is shell and program is git", f'text contains "{name}"']
    folder.case(
        {
            "id": "c-all",
            "trigger_conditions": conditions,
            "correction": f"Say {name} twice.",
            "scope": {"project": "shop"},
        }
    )
    folder.run("expire", NOW + 3 * DAY)
    folder.journal.append(
        [Entry("run:expire:2026-03-20T04:00", NOW, "upkeep", "run", "job:expire", body={"slot": "x", "due": "x"})]
    )
    lines = {each.id for each in folder.journal.entries() if each.subject not in ("m-own", "m-bob")}
    receipt = forget(folder.desk(), Forgetting(user=name))
    assert receipt.left == ()
    assert "m-own" not in folder.store.snapshot().memories
    assert "m-bob" in folder.store.snapshot().memories
    assert lines <= {each.id for each in folder.journal.entries()}
    if name in ("git", "shell", "main"):
        assert folder.store.snapshot().memories["m-bob"].memory.text == f"use {name} for the release"
        case = folder.cases.snapshot().cases["c-all"].case
        assert list(case.trigger_conditions) == conditions
        assert case.correction == f"Say {name} twice."
