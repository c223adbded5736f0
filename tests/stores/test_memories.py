"""Memory files: written whole and under a lock, nobody's entries lost, hostile names kept in their folder."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import stat
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.faults import NotFoundError, StoreError
from casebook.memory import Memory
from casebook.stores import memory_writing as module
from casebook.stores.memories import LEARNINGS, Memories
from casebook.stores.memory_file import lines_of, parse
from casebook.stores.session_names import session_file


def memory(name: str, *, origin: str = "outcome", **more: Any) -> Memory:
    form = {"id": name, "kind": "error", "text": f"about {name}", "tier": "L1", "source": {"origin": origin}, **more}
    return Memory.from_json(form)


def ids(root: Path, path: str) -> list[str]:
    return [each["id"] for each in json.loads((root / path).read_text(encoding="utf-8"))["memories"]]


# -- writing ------------------------------------------------------------------------------------------------------------


def test_a_file_is_made_readable_private_and_with_its_folder(tmp_path: Path) -> None:
    path = session_file("s1", "ann")
    written = Memories(tmp_path).add(path, [memory("a", text="推送")], fields={"session": "s1"})
    assert (written.path, written.trouble) == (path, "")
    assert (tmp_path / path).read_text(encoding="utf-8") == (
        "{\n"
        '  "format": 1,\n'
        '  "session": "s1",\n'
        '  "memories": [\n'
        "    {\n"
        '      "id": "a",\n'
        '      "kind": "error",\n'
        '      "text": "推送",\n'
        '      "tier": "L1",\n'
        '      "source": {"origin": "outcome"}\n'
        "    }\n"
        "  ]\n"
        "}\n"
    )
    assert stat.S_IMODE((tmp_path / path).stat().st_mode) == 0o600
    assert (tmp_path / "short_term" / ".gitignore").read_text() == "*\n"


def test_what_people_wrote_keeps_its_bytes_and_its_free_fields(tmp_path: Path) -> None:
    (tmp_path / "medium_term").mkdir()
    theirs = '{ "id":"mine" ,\t"kind": "fact", "text": "tea", "tier": "L2", "x-why": {"a": [1]} }'
    text = '\ufeff{"x-owner": "ann", "memories": [' + theirs + '], "format": 1, "$comment": "by hand"}'
    (tmp_path / LEARNINGS).write_text(text, encoding="utf-8")
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("a")])
    store.add(LEARNINGS, [memory("b")])
    now = (tmp_path / LEARNINGS).read_text(encoding="utf-8")
    assert theirs in now
    assert now.startswith('\ufeff{"x-owner": "ann", "memories": [')
    assert now.endswith('], "format": 1, "$comment": "by hand"}')
    assert ids_of(now) == ["mine", "a", "b"]


def ids_of(text: str) -> list[str]:
    return [each["id"] for each in json.loads(text.lstrip("\ufeff"))["memories"]]


def test_an_edit_by_hand_between_two_writes_is_kept(tmp_path: Path) -> None:
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("a")])
    form = json.loads((tmp_path / LEARNINGS).read_text())
    form["memories"].insert(0, {"id": "hand", "x-odd": True})
    (tmp_path / LEARNINGS).write_text(json.dumps(form))
    store.add(LEARNINGS, [memory("b")])
    assert ids(tmp_path, LEARNINGS) == ["hand", "a", "b"]


def test_an_id_that_is_there_is_not_added_again_and_the_file_not_touched(tmp_path: Path) -> None:
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("a")])
    before = (tmp_path / LEARNINGS).stat()
    store.add(LEARNINGS, [memory("a", text="otherwise")])
    Memories(tmp_path).add(LEARNINGS, [memory("a")])
    after = (tmp_path / LEARNINGS).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize(
    "more, kept", [(4, ["hand", "m1", "m2", "m3", "m4"]), (5, ["hand", "m1", "m2", "m3", "m4", "m5"])]
)
def test_only_the_newest_outcomes_stay_and_what_others_wrote_stays_anyway(
    tmp_path: Path, more: int, kept: list[str]
) -> None:
    store, path = Memories(tmp_path), session_file("s", None)
    store.add(path, [memory("hand", origin="user"), memory("m0")])
    for at in range(1, more + 1):
        store.add(path, [memory(f"m{at}")], newest=more)
    assert ids(tmp_path, path) == kept
    store.add(path, [memory(f"n{at}") for at in range(10)], newest=3)
    assert ids(tmp_path, path) == ["hand", "n7", "n8", "n9"]


def test_fields_of_a_file_are_set_and_changed(tmp_path: Path) -> None:
    store, path = Memories(tmp_path), session_file("s", None)
    store.add(path, [memory("a")], fields={"session": "s"})
    store.add(path, [], fields={"session": "s", "ended_at": "2026-03-20T10:00:00+00:00"})
    form = json.loads((tmp_path / path).read_text())
    assert (form["ended_at"], form["session"], len(form["memories"])) == ("2026-03-20T10:00:00+00:00", "s", 1)
    store.add(path, [memory("b")])
    assert ids(tmp_path, path) == ["a", "b"]


def test_a_memory_is_edited_where_it_stands(tmp_path: Path) -> None:
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("a", status="to_judge"), memory("b")])
    store.edit(LEARNINGS, "a", {"status": "active"})
    found, faults = store.read(LEARNINGS)
    assert ([(each.id, each.status) for each in found], faults) == ([("a", "active"), ("b", "active")], ())
    with pytest.raises(NotFoundError, match="no memory called c"):
        store.edit(LEARNINGS, "c", {"status": "active"})
    with pytest.raises(StoreError, match="status"):
        store.edit(LEARNINGS, "a", {"status": "judged"})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    theirs=st.lists(JSON, max_size=4),
    free=st.dictionaries(st.text(max_size=4).map("x-{}".format), JSON, max_size=3),
    indent=st.sampled_from([None, 1, 4, "\t"]),
    is_ascii=st.booleans(),
    lines=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
)
def test_whatever_a_file_holds_stays_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, *, theirs: list[Any], free: dict[str, Any], indent: Any, is_ascii: bool,
    lines: str, last: bool,
) -> None:  # fmt: skip
    root = tmp_path_factory.mktemp("memory")
    (root / "medium_term").mkdir()
    form = {"memories": theirs, **free} if last else {**free, "memories": theirs}
    text = json.dumps(form, indent=indent, ensure_ascii=is_ascii).replace("\n", lines)
    (root / LEARNINGS).write_bytes(text.encode("utf-8", "surrogatepass"))
    store = Memories(root)
    store.add(LEARNINGS, [memory("new-1")])
    store.add(LEARNINGS, [memory("new-2")], fields={"session": "s"}, newest=1)
    now = json.loads((root / LEARNINGS).read_bytes())
    kept = [each for each in now["memories"] if not (isinstance(each, dict) and str(each.get("id")).startswith("new-"))]
    assert json.dumps(kept) == json.dumps(theirs)
    assert {name: value for name, value in now.items() if name not in ("memories", "session")} == free
    assert now["memories"][-1]["id"] == "new-2"


# -- trouble ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken, told",
    [
        ("{", "expected"),
        ("", "got an empty file"),
        ('{"format": 1, "memories": [}', "expected"),
        ("[]", 'expected {"format": 1, "memories": […]}, got []'),
        ('{"format": 7, "memories": []}', "asks for a newer release"),
        ('{"format": 1, "memories": [], "memorys": 1}', '"memorys" (memories)'),
        ('{"format": 1, "format": 1, "memories": []}', "repeated key"),
        ("\udcff", "expected UTF-8"),
    ],
)
def test_a_broken_file_is_left_as_it_is_and_the_next_name_taken(tmp_path: Path, broken: str, told: str) -> None:
    (tmp_path / "medium_term").mkdir()
    data = broken.encode("utf-8", "surrogateescape")
    (tmp_path / LEARNINGS).write_bytes(data)
    written = Memories(tmp_path).add(LEARNINGS, [memory("a")])
    second = "medium_term/recent_learnings-2.json"
    assert written.path == second
    assert told in written.trouble
    assert written.trouble.endswith(f"it is left as it is, see {second}")
    assert (tmp_path / LEARNINGS).read_bytes() == data
    assert ids(tmp_path, second) == ["a"]
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("b")])
    store.edit(LEARNINGS, "b", {"status": "active"})
    assert ids(tmp_path, second) == ["a", "b"]
    (fault,) = store.read(LEARNINGS)[1]
    assert told in str(fault)


def test_bad_entries_are_faults_with_their_places_and_the_rest_serves(tmp_path: Path) -> None:
    (tmp_path / "medium_term").mkdir()
    (tmp_path / LEARNINGS).write_text(
        '{"format": 1, "memories": [\n'
        '  {"id": "a", "kind": "fact", "text": "x", "tier": "L2"},\n'
        '  {"id": "b", "kind": "fact", "text": "x",\n   "teir": "L2"},\n'
        '  {"id": "a", "kind": "fact", "text": "y", "tier": "L2"},\n'
        "  7\n"
        "]}\n"
    )
    found, faults = Memories(tmp_path).read(LEARNINGS)
    assert [(each.id, each.text) for each in found] == [("a", "x")]
    assert [str(fault) for fault in faults] == [
        f"{LEARNINGS}:3:3 b tier: expected tier, found nothing",
        f'{LEARNINGS}:4:4 b teir: no field of a memory is called "teir" (tier)',
        f"{LEARNINGS}:5:10 a id: expected an id that stands once, found a again",
        f"{LEARNINGS}:6:3: expected a memory as an object, got 7",
    ]


def test_a_newer_format_that_lets_us_read_keeps_its_unknown_fields(tmp_path: Path) -> None:
    (tmp_path / "medium_term").mkdir()
    (tmp_path / LEARNINGS).write_text(
        '{"format": 9, "min_reader": 1, "new": 1, "memories": '
        '[{"id": "a", "kind": "fact", "text": "x", "tier": "L2", "newer": 1}]}'
    )
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("b")])
    form = json.loads((tmp_path / LEARNINGS).read_text())
    assert (form["new"], form["memories"][0]["newer"], len(form["memories"])) == (1, 1, 2)
    assert store.read(LEARNINGS)[1] == ()


def test_a_link_in_a_file_s_place_is_never_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"format": 1, "memories": []}')
    root = tmp_path / "memory"
    (root / "medium_term").mkdir(parents=True)
    (root / LEARNINGS).symlink_to(outside)
    written = Memories(root).add(LEARNINGS, [memory("a")])
    assert written.path == "medium_term/recent_learnings-2.json"
    assert outside.read_text() == '{"format": 1, "memories": []}'


def test_a_link_in_a_folder_s_place_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "memory", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "short_term").symlink_to(outside)
    with pytest.raises(StoreError, match="got a link"):
        Memories(root).add(session_file("s", None), [memory("a")])
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "path",
    ["other/x.json", "../short_term/x.json", "short_term/../x.json", "/short_term/x.json", "short_term/x.txt",
     "short_term/.x.json", "short_term/a/b.json", "short_term/a\0.json", "x.json", ""],
)  # fmt: skip
def test_a_path_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(StoreError, match=r"expected a \.json file in short_term/, medium_term/ or long_term/"):
        Memories(tmp_path).add(path, [memory("a")])


def test_a_full_disk_is_told_and_tears_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Memories(tmp_path)
    store.add(LEARNINGS, [memory("a")])
    before = (tmp_path / LEARNINGS).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "replace_file", full)
        with pytest.raises(StoreError, match="No space left on device"):
            store.add(LEARNINGS, [memory("b")])
    assert (tmp_path / LEARNINGS).read_bytes() == before
    store.add(LEARNINGS, [memory("b")])
    assert ids(tmp_path, LEARNINGS) == ["a", "b"]


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FILE_BYTES", 2000)
    store = Memories(tmp_path)
    with pytest.raises(StoreError, match="limit: file"):
        store.add(LEARNINGS, [memory(f"m{at}") for at in range(30)])
    assert not (tmp_path / LEARNINGS).exists()


def test_what_a_killed_writer_left_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / "medium_term").mkdir()
    (tmp_path / "medium_term" / ".casebook-99999999-abcd").write_text("half")
    Memories(tmp_path).add(LEARNINGS, [memory("a")])
    assert [each.name for each in (tmp_path / "medium_term").iterdir()] == ["recent_learnings.json"]


# -- many at once ---------------------------------------------------------------------------------------------------------


def _write(root: str, number: int) -> None:
    store = Memories(root)
    for at in range(10):
        store.add(LEARNINGS, [memory(f"p{number}-{at}")])


def test_many_processes_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write, args=(str(tmp_path), number)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sorted(ids(tmp_path, LEARNINGS)) == sorted(f"p{a}-{b}" for a in range(4) for b in range(10))


def test_many_threads_lose_nothing(tmp_path: Path) -> None:
    store = Memories(tmp_path)
    threads = [
        threading.Thread(
            target=lambda number=number: [store.add(LEARNINGS, [memory(f"t{number}-{at}")]) for at in range(10)]
        )
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids(tmp_path, LEARNINGS))) == 80


# -- names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "session, slug",
    [
        ("s1", "session_s1-"),
        ("../../etc/passwd", "session_etc-passwd-"),
        ("a\0b", "session_a-b-"),
        ("每日推送 3", "session_每日推送-3-"),
        ("x" * 300, "session_" + "x" * 60 + "-"),
        ("/", "session_"),
        ("", "session_"),
        ("CON", "session_CON-"),
        (None, "session_none-"),
    ],
)
def test_a_session_s_name_is_readable_and_a_name_of_this_folder(session: str | None, slug: str) -> None:
    path = session_file(session, "ann")
    assert path.startswith(f"short_term/{slug}")
    assert path.count("/") == 1
    assert len(path.encode()) < 120


def test_no_two_sessions_or_users_share_a_file() -> None:
    pairs = [
        ("s", None), ("S", None), ("s", "ann"), ("s", "bob"), ("s", ""), (None, None), ("none", None), ("-", None), ("", None),
        ("x" * 300, None), ("x" * 301, None), ("a/b", None), ("a-b", None), ("é", None), ("e\u0301", None), ("1:s", None),
    ]  # fmt: skip
    assert len({session_file(*pair).casefold() for pair in pairs}) == len(pairs)


@given(st.text(st.characters(), max_size=400), st.none() | st.text(max_size=20))
def test_any_session_has_a_file_that_can_be_made(session: str, user: str | None) -> None:
    name = session_file(session, user).removeprefix("short_term/")
    assert "/" not in name
    assert "\0" not in name
    assert len(name.encode()) < 120
    assert session_file(session, user) == session_file(session, user)


def test_a_file_of_many_entries_is_read_once_and_its_faults_have_their_places() -> None:
    entries = [f'{{"id": "a{number}", "kind": "fact", "text": "x", "tier": "L2"}}' for number in range(20_000)]
    entries[15_000] = '{"id": "b", "kind": "fcat", "text": "x", "tier": "L2"}'
    data = '{"format": 1, "memories": [\n ' + ",\n ".join(entries) + "]}\n"
    started = time.process_time()
    file = parse(data.encode(), "medium_term/recent_learnings.json")
    assert time.process_time() - started < 5  # it took 30 where each place was counted from the beginning
    assert list(lines_of(file, [0, 15_000])) == [(2, 2), (15_002, 2)]
    (fault,) = file.faults
    assert fault.line == 15_002


def test_after_one_wait_in_vain_none_waits_again_until_one_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = Memories(tmp_path)
    monkeypatch.setattr(memories._pen._lock, "_patience", 0.1)
    path = "medium_term/recent_learnings.json"
    one = memory("a")
    memories.add(path, [one])
    with (tmp_path / ".casebook" / "memories.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for waited in ("0.1", "0.05", "0.05"):
            with pytest.raises(StoreError, match=f"waited {waited} s"):
                memories.add(path, [one])
    memories.add(path, [one])
    assert not memories._pen._lock._is_hasty
