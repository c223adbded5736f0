"""The memories of a folder: what people write by hand is seen at once and kept byte for byte, and hostile files harm nothing."""

from __future__ import annotations

import json
import os
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.faults import StoreError
from casebook.stores import memory_planning, memory_writing
from casebook.stores.atomic import replace_file
from casebook.stores.memories import Memories
from casebook.stores.memory_file import parse
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_layout import Layout, relaid
from casebook.stores.memory_reading import MemoryReader
from casebook.stores.memory_store import Change
from casebook.stores.session_names import session_file
from tests.stores.memory_conformance import NOW, MemoryStoreConformance, memory, moved, new, stamp

ACTIVE = "medium_term/active_projects.json"


class TestFolderMemories(MemoryStoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> FolderMemories:
        return FolderMemories(tmp_path)

    @pytest.fixture
    def other(self, tmp_path: Path) -> FolderMemories:
        return FolderMemories(tmp_path)


def put(root: Path, path: str, content: Any) -> Path:
    file = root / path
    file.parent.mkdir(exist_ok=True)
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        file.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), "utf-8")
    return file


def entry(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "kind": "fact", "text": f"about {name}", "tier": "L2", **fields}


def of(*entries: Any, **fields: Any) -> dict[str, Any]:
    return {"format": 1, **fields, "memories": list(entries)}


def told(store: FolderMemories) -> list[str]:
    return [str(fault) for fault in store.snapshot().faults]


# -- by hand ------------------------------------------------------------------------------------------------------------


def test_an_edit_by_hand_is_seen_at_once_and_what_did_not_change_stays_the_same_object(tmp_path: Path) -> None:
    store = FolderMemories(tmp_path)
    file = put(tmp_path, ACTIVE, of(entry("a"), entry("b"), entry("c")))
    first = store.snapshot()
    for text in ("tea", "red", "sea"):  # of one length, within one tick of the file system's clock
        file.write_text(json.dumps(of(entry("a"), entry("b", text=text), entry("n"), entry("c"))))
        seen = store.snapshot()
        assert seen.memories["b"].memory.text == text
    assert list(seen.memories) == ["a", "b", "n", "c"]
    assert seen.memories["a"] is first.memories["a"]
    assert seen.memories["c"] is first.memories["c"]
    file.unlink()
    assert dict(store.snapshot().memories) == {}


def test_memories_come_in_path_order_then_in_that_of_their_file(tmp_path: Path) -> None:
    put(tmp_path, "short_term/session_x.json", of(entry("s", tier="L1")))
    put(tmp_path, "medium_term/b.json", of(entry("z"), entry("a")))
    put(tmp_path, "medium_term/a.json", of(entry("m")))
    put(tmp_path, "long_term/knowledge.json", of(entry("k", tier="L3")))
    snapshot = FolderMemories(tmp_path, layer="user").snapshot()
    assert list(snapshot.memories) == ["k", "m", "z", "a", "s"]
    assert {placed.layer for placed in snapshot.memories.values()} == {"user"}


HAND_MADE = (
    '\ufeff{ "x-owner":"ann","memories"  : [\r\n'
    '  { "id":"one",\t"kind":"fact" , "text":"caf\\u00e9", "tier":"L2" },   {"id":"two", "kind":"fact",\r\n'
    '    "text": "第二", "x-why": {"a": [1]}, "tier": "L2"}\r\n'
    '  , {"id":"three","kind":"fact","text":"c","tier":"L2"}\r\n'
    '], "$comment" : "by hand" }\r\n\r\n'
)


def test_an_edit_changes_its_own_fields_and_no_other_byte(tmp_path: Path) -> None:
    file = put(tmp_path, ACTIVE, HAND_MADE.encode())
    store = FolderMemories(tmp_path)
    two = store.snapshot().memories["two"].memory
    store.change([Change(two, two.with_changes(text="另一个"))], NOW)
    assert file.read_bytes().decode() == HAND_MADE.replace("第二", "另一个")


def test_what_goes_leaves_its_neighbours_as_they_are_and_takes_its_own_text_to_the_archive(tmp_path: Path) -> None:
    file = put(tmp_path, ACTIVE, HAND_MADE.encode())
    store = FolderMemories(tmp_path)
    found = store.snapshot().memories
    store.change([Change(found["one"].memory, None, "x")], NOW)
    assert file.read_bytes().decode() == HAND_MADE.replace(
        '{ "id":"one",\t"kind":"fact" , "text":"caf\\u00e9", "tier":"L2" },   {"id":"two"', '{"id":"two"'
    )
    (archive,) = (tmp_path / "archive").glob("*.json")
    assert '{ "id":"one",\t"kind":"fact" , "text":"caf\\u00e9", "tier":"L2" }' in archive.read_text()
    store.change([Change(found["three"].memory, None, "x"), Change(found["two"].memory, None, "x")], NOW)
    assert file.read_bytes().decode() == '\ufeff{ "x-owner":"ann","memories"  : [], "$comment" : "by hand" }\r\n\r\n'
    store.change(new(memory("n")), NOW)
    assert list(store.snapshot().memories) == ["n"]


def test_a_move_takes_the_text_along_with_its_free_fields(tmp_path: Path) -> None:
    put(tmp_path, ACTIVE, HAND_MADE.encode())
    store = FolderMemories(tmp_path)
    two = store.snapshot().memories["two"].memory
    store.change([moved(two, "L3")], NOW)
    text = (tmp_path / "long_term" / "knowledge.json").read_bytes().decode()
    assert '"text": "第二", "x-why": {"a": [1]}, "tier": "L3"' in text
    assert store.snapshot().memories["two"].memory.extra == {"x-why": {"a": [1]}}


def test_files_are_private_and_l1_is_hidden_from_git(tmp_path: Path) -> None:
    store = FolderMemories(tmp_path)
    store.change(new(memory("a"), memory("b", tier="L1"), memory("c", tier="L3")), NOW)
    files = list(tmp_path.glob("*_term/*.json"))
    assert len(files) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert (tmp_path / "short_term" / ".gitignore").read_text() == "*\n"


def test_a_session_s_file_bears_its_session_and_its_end_is_told(tmp_path: Path) -> None:
    store, path = FolderMemories(tmp_path), session_file("s1", "ann")
    mine = memory("a", tier="L1", scope={"user": "ann"}, source={"origin": "user", "session": "s1"})
    store.change(new(mine), NOW)
    form = json.loads((tmp_path / path).read_text())
    assert (form["session"], form["user"]) == ("s1", "ann")
    assert dict(store.snapshot().ended) == {}
    Memories(tmp_path).add(path, [], fields={"session": "s1", "user": "ann", "ended_at": "2026-03-20T18:00:00+08:00"})
    put(tmp_path, path.replace(".json", "-2.json"), of(entry("b", tier="L1")))
    put(tmp_path, "short_term/session_bad.json", of(ended_at="yesterday"))
    ended = datetime(2026, 3, 20, 10, tzinfo=UTC)
    assert dict(store.snapshot().ended) == {path: ended, path.replace(".json", "-2.json"): ended}
    assert [line.split(":")[0] for line in told(store)] == ["short_term/session_bad.json ended_at"]


def test_the_file_of_a_session_goes_with_its_last_memory_unless_somebody_wrote_something_into_it(
    tmp_path: Path,
) -> None:
    store, path = FolderMemories(tmp_path), session_file("s1", "ann")
    mine = memory("a", tier="L1", scope={"user": "ann"}, source={"origin": "user", "session": "s1"})
    for extra, stays in (({}, False), ({"x-mine": 1}, True)):
        store.change(new(mine), NOW)
        Memories(tmp_path).add(path, [], fields={"ended_at": stamp(NOW), **extra})
        assert list(store.snapshot().ended) == [path]
        assert store.change([Change(mine, None, "over")], NOW) == ("done",)
        assert (tmp_path / path).exists() is stays
        assert list(store.snapshot().ended) == ([path] if stays else [])


def test_an_end_without_an_offset_is_in_the_zone_of_the_casebook(tmp_path: Path) -> None:
    put(tmp_path, "short_term/session_a.json", of(ended_at="2026-03-20T18:00"))
    ended = FolderMemories(tmp_path, zone="Asia/Shanghai").snapshot().ended
    assert ended == {"short_term/session_a.json": datetime(2026, 3, 20, 10, tzinfo=UTC)}


# -- one id in several files ----------------------------------------------------------------------------------------------

EARLY, LATE = "2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z"


@pytest.mark.parametrize(
    ("medium", "long", "short", "stands"),
    [
        ({"tier_since": EARLY}, {"tier_since": LATE}, None, "L3"),
        ({"tier_since": LATE}, {"tier_since": EARLY}, None, "L2"),
        ({"tier_since": EARLY}, None, {"tier_since": LATE}, "L1"),
        ({"tier_since": EARLY}, {"tier_since": EARLY}, None, "L3"),
        ({"tier_since": EARLY}, None, {"tier_since": EARLY}, "L2"),
        ({}, None, {"tier_since": EARLY}, "L1"),
        ({"created_at": LATE}, None, {"created_at": LATE, "tier_since": EARLY}, "L2"),
        ({"tier_since": "2026-03-01T20:00:00+08:00"}, {"tier_since": "2026-03-01T11:00:00Z"}, None, "L2"),
        ({"tier_since": EARLY}, {"tier_since": EARLY}, {"tier_since": LATE}, "L1"),
        ({}, {}, {}, "L3"),
    ],
)
def test_of_equal_ids_the_one_that_came_last_into_its_tier_stands_and_the_other_is_cleared_up(
    tmp_path: Path, medium: Any, long: Any, short: Any, stands: str
) -> None:
    places = [("L2", ACTIVE, medium), ("L3", "long_term/knowledge.json", long), ("L1", "short_term/aged.json", short)]
    for tier, path, fields in places:
        if fields is not None:
            others = [entry("x")] if tier == "L2" else []
            put(tmp_path, path, of(*others, entry("a", tier=tier, **fields)))
    store = FolderMemories(tmp_path)
    before = store.snapshot()
    assert (before.memories["a"].memory.tier, before.faults, len(before.memories)) == (stands, (), 2)
    store.change((), NOW)
    after = store.snapshot()
    assert (after.memories, after.faults) == (before.memories, ())
    count = sum(path.read_text().count('"id": "a"') for path in tmp_path.glob("*_term/*.json"))
    assert count == 1


def test_of_equal_ids_that_say_different_things_one_stands_both_stay_and_it_is_told(tmp_path: Path) -> None:
    put(
        tmp_path,
        ACTIVE,
        '{"memories": [\n' + json.dumps(entry("a", text="tea")) + ",\n" + json.dumps(entry("b")) + "]}",
    )
    put(tmp_path, "long_term/knowledge.json", of(entry("a", tier="L3", text="coffee")))
    store = FolderMemories(tmp_path, layer="user")
    store.change(new(memory("c")), NOW)
    assert store.snapshot().memories["a"].memory.text == "coffee"
    assert list(store.snapshot().memories) == ["a", "b", "c"]
    assert told(store) == [
        f"[user] {ACTIVE}:2:1 a id: expected an id that stands once, found a in long_term/knowledge.json, too, which serves"
    ]
    assert "tea" in (tmp_path / ACTIVE).read_text()


def test_of_equal_ids_in_one_file_the_first_serves_and_is_changed(tmp_path: Path) -> None:
    file = put(tmp_path, ACTIVE, of(entry("a", text="first"), entry("a", text="second")))
    store = FolderMemories(tmp_path)
    first = store.snapshot().memories["a"].memory
    assert first.text == "first"
    assert len(told(store)) == 1
    assert store.change([Change(first, first.with_changes(text="third"))], NOW) == ("done",)
    assert [each["text"] for each in json.loads(file.read_text())["memories"]] == ["third", "second"]


# -- trouble --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("7", "expected a memory as an object, got 7"),
        ('{"id": "b", "id": "c"}', 'expected "id" once, found it again'),
        ('{"id": "b", "kind": "fact", "text": "x", "tier": "L2", "about": {"n": NaN}}', "expected a number, got NaN"),
        ('{"id": "b", "kind": "fact", "text": "\\ud800", "tier": "L2"}', "half of a surrogate pair"),
        ('{"id": "b", "kind": "fcat", "text": "x", "tier": "L2"}', "kind: expected"),
        ('{"id": "b", "kind": "fact", "text": "x", "tier": "L2", "scope": {"user": 1}}', "scope.user: expected"),
        ('{"id": "b", "kind": "fact", "text": "x", "tier": "L2", "source": {"asked": 1}}', "source.asked: expected"),
        ('{"id": "b", "kind": "fact", "text": "x", "tier": "L2", "rule_chain": [{"rule": ""}]}', "rule_chain[0].rule"),
        ('{"id": "b", "kind": "fact", "text": "x", "tier": "L2", "tier_since": "soon"}', "tier_since: expected an ISO"),
        ('{"id": "b", "kind": "fact", "text": "x", "tier": "L2", "x-a": ' + "[" * 150 + "]" * 150 + "}", "at most 100 deep"),
    ],
)  # fmt: skip
def test_a_bad_entry_is_a_fault_with_its_place_and_the_rest_serves_and_is_written(
    tmp_path: Path, bad: str, message: str
) -> None:
    good = json.dumps(entry("a", source={"asked": True}, rule_chain=[{"rule": "R1"}], scope={"user": "ann"}))
    file = put(tmp_path, ACTIVE, f'{{"memories": [\n{good},\n {bad}]}}')
    store = FolderMemories(tmp_path)
    assert list(store.snapshot().memories) == ["a"]
    (fault,) = store.snapshot().faults
    assert message in str(fault)
    assert fault.line == 3
    a = store.snapshot().memories["a"].memory
    assert store.change([Change(a, a.with_changes(tags=["x"])), *new(memory("n"))], NOW) == ("done", "done")
    assert bad in file.read_text()


@pytest.mark.parametrize(
    "broken", ["", "{", '{"memories": [', "[]", '{"format": 9, "memories": []}', "\udcff", "[[[[" * 9999]
)
def test_a_file_that_breaks_serves_on_as_it_last_was_and_is_not_written(tmp_path: Path, broken: str) -> None:
    put(tmp_path, ACTIVE, of(entry("a")))
    store = FolderMemories(tmp_path)
    a = store.snapshot().memories["a"].memory
    data = broken.encode("utf-8", "surrogateescape")
    put(tmp_path, ACTIVE, data)
    assert list(store.snapshot().memories) == ["a"]
    (fault,) = store.snapshot().faults
    assert fault.path == ACTIVE
    assert str(fault.message).endswith("its last good version serves")
    changes = [Change(a, a.with_changes(tags=["x"])), Change(a, None, "x"), *new(memory("n"))]
    assert store.change(changes, NOW) == ("conflict", "conflict", "done")
    assert (tmp_path / ACTIVE).read_bytes() == data
    assert store.snapshot().memories["n"].path == ACTIVE.replace(".json", "-2.json")
    fresh = FolderMemories(tmp_path)
    assert list(fresh.snapshot().memories) == ["n"]
    assert len(fresh.snapshot().faults) == 1
    put(tmp_path, ACTIVE, of(entry("a", text="mended")))
    assert store.snapshot().memories["a"].memory.text == "mended"
    assert store.snapshot().faults == ()


def test_of_very_many_bad_entries_some_are_told_and_the_rest_is_counted(tmp_path: Path) -> None:
    bad, good = '{"id": "b", "kindd": "fact"}', json.dumps(entry("a"))
    file = put(tmp_path, ACTIVE, f'{{"memories": [{", ".join([bad] * 600)}, {", ".join([good] * 4)}]}}')
    store = FolderMemories(tmp_path)
    assert list(store.snapshot().memories) == ["a"]
    assert str(store.snapshot().faults[0]) == f"{ACTIVE}: expected memories that serve, found 103 more that do not"
    file.write_text(f'{{"memories": [{", ".join([bad] * 501)}, {good}]}}')
    assert str(store.snapshot().faults[0]).endswith("found 1 more that do not")
    file.write_text(f'{{"memories": [{good}, {", ".join([bad] * 499)}]}}')
    assert told(store) == told(FolderMemories(tmp_path))
    assert all("more that do not" not in line for line in told(store))


def test_more_entries_than_a_file_has_memories_are_refused(tmp_path: Path) -> None:
    put(tmp_path, ACTIVE, '{"memories": [' + "7," * 400_000 + "7]}")
    (line,) = told(FolderMemories(tmp_path))
    assert line.endswith("expected at most 250,000 memories in a file (limit: memories)")


def test_what_is_no_file_of_ours_is_told_and_never_followed_nor_waited_for(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(of(entry("secret"))))
    root = tmp_path / "memory"
    (root / "medium_term").mkdir(parents=True)
    (root / "short_term").symlink_to(tmp_path)
    (root / ACTIVE).symlink_to(outside)
    (root / "medium_term" / "folder.json").mkdir()
    os.mkfifo(root / "medium_term" / "pipe.json")
    put(root, "medium_term/line\nbreak.json", of(entry("x")))
    put(root, "medium_term/.hidden.json", of(entry("h")))
    put(root, "medium_term/notes.txt", "no memories")
    store = FolderMemories(root)
    assert dict(store.snapshot().memories) == {}
    assert told(store) == [
        '"medium_term/line\\u000abreak.json": expected a name without control characters, in UTF-8',
        f"{ACTIVE}: expected a file, got a link",
        "medium_term/folder.json: expected a file, got a folder",
        "medium_term/pipe.json: expected a file, got a pipe, socket or device",
        "short_term: expected a folder of the casebook's own, got a link",
    ]
    store.change(new(memory("a")), NOW)
    assert store.snapshot().memories["a"].path == ACTIVE.replace(".json", "-2.json")
    assert "about a" not in outside.read_text()
    with pytest.raises(StoreError, match="got a link"):
        store.change(new(memory("b", tier="L1")), NOW)


def test_a_file_over_the_limit_is_told_and_not_read(tmp_path: Path) -> None:
    file = put(tmp_path, ACTIVE, of(entry("a")))
    os.truncate(file, 17 * 1024 * 1024)
    assert told(FolderMemories(tmp_path)) == [f"{ACTIVE}: expected at most 16 MB (limit: file), got 17,825,792 bytes"]


def test_a_folder_that_is_not_there_or_goes_has_no_memories(tmp_path: Path) -> None:
    store = FolderMemories(tmp_path / "none")
    assert (dict(store.snapshot().memories), told(store)) == ({}, [])
    put(tmp_path, ACTIVE, of(entry("a")))
    store = FolderMemories(tmp_path)
    assert list(store.snapshot().memories) == ["a"]
    (tmp_path / "medium_term").rename(tmp_path / "gone")
    assert dict(store.snapshot().memories) == {}


def test_a_newer_format_keeps_the_fields_that_this_release_does_not_know(tmp_path: Path) -> None:
    file = put(tmp_path, ACTIVE, {"memories": [entry("a", newer=[1])], "format": 9, "min_reader": 1, "new": 2})
    store = FolderMemories(tmp_path)
    a = store.snapshot().memories["a"].memory
    store.change([Change(a, a.with_changes(tags=["x"])), *new(memory("b"))], NOW)
    form = json.loads(file.read_text())
    assert (form["new"], form["memories"][0]["newer"], form["memories"][0]["tags"]) == (2, [1], ["x"])
    assert told(store) == []


# -- beside cases ---------------------------------------------------------------------------------------------------------


def test_files_of_cases_are_none_of_memories_and_never_written(tmp_path: Path) -> None:
    cases = put(
        tmp_path, "long_term/knowledge.json", [{"id": "c", "trigger_conditions": ["always"], "correction": "x"}]
    )
    put(tmp_path, "long_term/broken.json", "[{")
    put(tmp_path, "long_term/one.json", {"id": "c", "trigger_conditions": ["always"], "correction": "x"})
    (tmp_path / "long_term" / "link.json").symlink_to(cases)
    before = cases.read_bytes()
    store = FolderMemories(tmp_path)
    assert (dict(store.snapshot().memories), told(store)) == ({}, [])
    store.change(new(memory("a", tier="L3")), NOW)
    store.change([Change(None, memory("b", tier="L3"), path="long_term/link.json")], NOW)
    assert cases.read_bytes() == before
    paths = [placed.path for placed in store.snapshot().memories.values()]
    assert paths == ["long_term/knowledge-2.json", "long_term/link-2.json"]


def test_a_file_that_becomes_one_of_cases_holds_no_memories_any_more_and_the_other_way_round(tmp_path: Path) -> None:
    file = put(tmp_path, "long_term/mine.json", of(entry("a", tier="L3")))
    store = FolderMemories(tmp_path)
    assert list(store.snapshot().memories) == ["a"]
    file.write_text("[]")
    assert (dict(store.snapshot().memories), told(store)) == ({}, [])
    file.write_text(json.dumps({"$comment": "x" * 9000, **of(entry("b", tier="L3"))}))
    assert list(store.snapshot().memories) == ["b"]


# -- size -----------------------------------------------------------------------------------------------------------------


def test_a_file_that_is_full_goes_on_in_the_next_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_planning, "SOFT_BYTES", 1000)
    store = FolderMemories(tmp_path)
    store.change(new(*(memory(f"m{at:02}") for at in range(80))), NOW)
    files = sorted((tmp_path / "medium_term").glob("*.json"))
    assert len(files) > 12
    assert all(path.stat().st_size < 1300 for path in files)
    assert len(store.snapshot().memories) == 80
    last = store.snapshot().memories["m79"]
    store.change([Change(last.memory, last.memory.with_changes(tags=["x"]))], NOW)
    assert store.snapshot().memories["m79"].path == last.path


def test_one_batch_writes_each_file_once_as_a_target_and_once_as_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FolderMemories(tmp_path)
    middle = [memory(f"m{at}") for at in range(30)]
    first = [memory(f"f{at}", tier="L1", source={"session": "s"}) for at in range(30)]
    store.change(new(*middle, *first), NOW)
    written: list[str] = []

    def noted(path: Path, data: bytes, still: bytes | None) -> bool:
        written.append(path.name)
        return replace_file(path, data, still)

    monkeypatch.setattr(memory_writing, "replace_file", noted)
    store.change([*(moved(each, "L3") for each in middle), *(moved(each, "L2") for each in first)], NOW)
    assert sorted(written) == sorted(["active_projects.json", "active_projects.json", "knowledge.json"])
    assert not (tmp_path / session_file("s", None)).exists()
    assert written[0] in ("knowledge.json", "active_projects.json")
    assert len(store.snapshot().memories) == 60


# -- threads --------------------------------------------------------------------------------------------------------------


def test_who_does_not_wait_gets_what_was_last_read_while_another_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, ACTIVE, of(entry("a")))
    store = FolderMemories(tmp_path)
    reads, goes_on = threading.Event(), threading.Event()
    refresh = MemoryReader.refresh

    def slow(self: MemoryReader) -> bool:
        reads.set()
        assert goes_on.wait(10)
        return refresh(self)

    for known in (0, 1):
        reads.clear()
        goes_on.clear()
        with monkeypatch.context() as patch:
            patch.setattr(MemoryReader, "refresh", slow)
            thread = threading.Thread(target=store.snapshot)
            thread.start()
            assert reads.wait(10)
            seen = store.snapshot(wait=False)
            assert (seen.generation, len(seen.memories)) == (known, known)
            assert store.unread_bytes() > 0
            goes_on.set()
            thread.join()
        assert len(store.snapshot(wait=False).memories) == known + 1
        put(tmp_path, "medium_term/b.json", of(entry("b")))


# -- the text of a file ---------------------------------------------------------------------------------------------------

ENTRIES = st.lists(st.sampled_from(["fact", "odd", "bad"]), max_size=7)


@given(
    kinds=ENTRIES, data=st.data(), indent=st.sampled_from([None, 2, "\t"]), lines=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
)  # fmt: skip
def test_whatever_is_replaced_left_out_or_added_the_others_keep_their_bytes_and_the_file_can_be_read(
    kinds: list[str], data: st.DataObject, *, indent: Any, lines: str, bom: bool
) -> None:
    entries = [
        entry(f"m{at}", text=f"第{at}") if kind == "fact" else {"id": f"m{at}", "odd": [1]} if kind == "odd" else at
        for at, kind in enumerate(kinds)
    ]
    text = json.dumps(of(*entries), indent=indent, ensure_ascii=False).replace("\n", lines)
    file = parse((("\ufeff" if bom else "") + text).encode(), ACTIVE)
    indexes = range(len(entries))
    dropped = data.draw(st.sets(st.sampled_from(indexes))) if entries else set()
    replaced = data.draw(st.sets(st.sampled_from(indexes))) if entries else set()
    added = data.draw(st.integers(0, 3))
    change = Layout(
        {at: json.dumps(entry(f"r{at}")) for at in replaced}, dropped,
        [memory(f"n{at}").to_json() if at else json.dumps(entry("n0")) for at in range(added)],
    )  # fmt: skip
    made = relaid(file, change)
    kept = [at for at in indexes if at not in dropped]
    assert [made.text(at) for at in range(len(kept))] == [change.replaced.get(at, file.text(at)) for at in kept]
    assert [each["id"] for each in json.loads(made.data.decode("utf-8-sig"))["memories"][len(kept) :]] == [
        f"n{at}" for at in range(added)
    ]
    again = parse(made.data, ACTIVE)
    assert (again.items, again.spans, again.faults) == (made.items, made.spans, made.faults)
    if not (dropped or replaced or added):
        assert made.data == file.data


@given(before=ENTRIES, after=ENTRIES)
def test_reading_again_gives_what_reading_anew_gives(before: list[str], after: list[str]) -> None:
    def text(kinds: list[str]) -> bytes:
        made = [
            entry(f"m{at % 3}", tags=[kind]) if kind == "fact" else {"id": "x"} if kind == "odd" else [at]
            for at, kind in enumerate(kinds)
        ]
        return json.dumps(of(*made), indent=1).encode()

    known = parse(text(before), ACTIVE)
    again, anew = parse(text(after), ACTIVE, "", known), parse(text(after), ACTIVE)
    assert (again.items, again.spans, again.placed, again.faults) == (anew.items, anew.spans, anew.placed, anew.faults)


@st.composite
def folders(draw: st.DrawFn) -> dict[str, list[tuple[str, str]]]:
    """Files by path, each with ids and texts; an id may stand in several."""
    entries = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["tea", "sea"])), max_size=3)
    paths = ["long_term/k.json", "medium_term/a.json", "medium_term/b.json", "short_term/s.json"]
    return draw(st.dictionaries(st.sampled_from(paths), entries))


@given(states=st.lists(folders(), min_size=2, max_size=4))
def test_what_is_put_together_bit_by_bit_is_what_is_put_together_anew(
    tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, list[tuple[str, str]]]]
) -> None:
    root = tmp_path_factory.mktemp("memory")
    store = FolderMemories(root)
    for state in states:
        for file in [*root.glob("*_term/*.json")]:
            if str(file.relative_to(root)) not in state:
                file.unlink()
        for path, entries in state.items():
            put(root, path, of(*(entry(name, text=text) for name, text in entries)))
        seen, anew = store.snapshot(), FolderMemories(root).snapshot()
        assert list(seen.memories.items()) == list(anew.memories.items())
        assert seen.faults == anew.faults
