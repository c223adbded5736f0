"""The archive: nothing that was retired is lost, packed or loose, until its day of purging; hostile files are left alone."""

from __future__ import annotations

import gzip
import io
import json
import multiprocessing
import os
import tarfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook.clock import elapsed, fixed_clock
from casebook.faults import NotFoundError, StoreError
from casebook.stores import exchanging
from casebook.stores import pack as packing
from casebook.stores.archive_entries import name_of
from casebook.stores.atomic import replace_file
from casebook.stores.folder import FolderStore
from casebook.stores.memory_archive import archived, drop_retired, faults, find_retired, pack, purge, retire
from casebook.stores.pack import PackError, packed, unpacked
from tests.stores.folders import case, write

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)
YEAR = timedelta(days=365)


def memory(name: str = "m-1", text: str = "x", **fields: Any) -> str:
    return json.dumps({"id": name, "kind": "fact", "text": text, "tier": "L2", **fields}, ensure_ascii=False)


def item(
    name: str = "m-1", text: str = "x", origin: str = "medium_term/a.json", reason: str = "aged"
) -> tuple[str, str, str]:
    return memory(name, text), origin, reason


def names(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "archive").iterdir())


def held(root: Path) -> list[str]:
    return [each.memory.id for each in archived(root)]


def snapshot_of(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((root / "archive").iterdir()) if path.is_file()}


def store_at(root: Path, now: datetime) -> FolderStore:
    return FolderStore(root, clock=fixed_clock(now), cache=False)


# retiring


def test_what_is_retired_is_told_with_when_from_where_and_why_the_newest_first(root: Path) -> None:
    retire(root, [item("m-1", "old"), item("m-2", "new", reason="merged")], NOW)
    retire(root, [item("m-3", "newest", origin="short_term/aged.json")], NOW + timedelta(milliseconds=1))
    retire(root, [item("m-4", "before", reason="")], NOW - 3 * DAY)
    told = [(each.memory.id, each.reason, each.origin, each.archived_at, each.pack) for each in archived(root)]
    day = "archive/2026-03-20_retired.json"
    assert told == [
        ("m-3", "aged", "short_term/aged.json", NOW + timedelta(milliseconds=1), day),
        ("m-2", "merged", "medium_term/a.json", NOW, day),
        ("m-1", "aged", "medium_term/a.json", NOW, day),
        ("m-4", "", "medium_term/a.json", NOW - 3 * DAY, "archive/2026-03-17_retired.json"),
    ]
    assert (root / "archive/2026-03-20_retired.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("later", [timedelta(0), timedelta(hours=12), DAY])
def test_a_killed_run_repeated_at_once_or_after_midnight_adds_nothing(root: Path, later: timedelta) -> None:
    items = [item("m-1"), item("m-2", "中文")]
    retire(root, items, NOW)
    before = snapshot_of(root)
    retire(root, items, NOW + later)
    assert snapshot_of(root) == before


@pytest.mark.parametrize("other", [item("m-1", "y"), item("m-1", origin="medium_term/b.json"), item("m-2")])
def test_another_text_origin_or_id_is_another_entry(root: Path, other: tuple[str, str, str]) -> None:
    retire(root, [item("m-1")], NOW)
    retire(root, [other, item("m-1")], NOW + timedelta(seconds=1))
    assert len(held(root)) == 2


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id": 3}', "{", "[" * 100_000])
def test_what_is_no_memory_is_refused_and_nothing_is_written(root: Path, text: str) -> None:
    with pytest.raises(StoreError, match="expected the JSON text of a memory"):
        retire(root, [item(), (text, "medium_term/a.json", "")], NOW)
    assert not (root / "archive").exists()


def test_a_full_day_goes_on_in_further_files(root: Path) -> None:
    many = [item(f"m-{number}", "x" * 3900) for number in range(2300)]
    retire(root, many, NOW)
    retire(root, [item("m-last")], NOW)
    assert names(root) == ["2026-03-20_retired.json", "2026-03-20_retired_2.json", "2026-03-20_retired_3.json"]
    sizes = [(root / "archive" / name).stat().st_size for name in names(root)]
    assert all(4 * 2**20 <= size < 4 * 2**20 + 5000 for size in sizes[:2])
    assert held(root)[0] == "m-last"
    assert len(held(root)) == 2301


@pytest.mark.parametrize("content", ["[{", "{}", "", '[{"a": 1},]', "\xff", "[" * 100_000])
def test_a_file_of_the_day_that_is_broken_is_left_and_the_next_one_taken(root: Path, content: str) -> None:
    (root / "archive").mkdir()
    path = root / "archive/2026-03-20_retired.json"
    path.write_text(content, "latin-1")
    retire(root, [item()], NOW)
    assert path.read_text("latin-1") == content
    assert names(root) == ["2026-03-20_retired.json", "2026-03-20_retired_2.json"]
    assert held(root) == ["m-1"]
    assert [fault.path for fault in faults(root)] == ["archive/2026-03-20_retired.json"]


def test_what_somebody_wrote_by_hand_into_a_file_stays_as_it_stands(root: Path) -> None:
    (root / "archive").mkdir()
    text = '\ufeff [ {"$comment": "mine"},\r\n{"memory": {"id":"m-0", "text":"a\\u0062","kind":"fact","tier":"L2"}, "from":"x"}\r\n ] \r\n'
    (root / "archive/2026-03-20_retired.json").write_bytes(text.encode())
    retire(root, [item()], NOW)
    data = (root / "archive/2026-03-20_retired.json").read_bytes().decode()
    assert data.startswith(text.removeprefix("\ufeff").split("\r\n ] ")[0])
    assert held(root) == ["m-0", "m-1"]  # by hand without an instant: the end of the day
    assert purge(root, NOW + 2 * DAY, False) == ("m-1", "m-0")
    assert json.loads((root / "archive/2026-03-20_retired.json").read_text()) == [{"$comment": "mine"}]


# finding and dropping


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("RAG", "最近在学 rag"),
        ("ｒａｇ", "学 RAG 中"),
        ("strasse", "Hauptstraße 5"),
        ("周五", "这周五交周报"),
        ("x", "x"),
    ],
)
def test_a_text_is_found_whatever_its_case_and_width(root: Path, is_packed: bool, wanted: str, text: str) -> None:
    retire(root, [item("m-1", text), item("m-2", "else")], NOW)
    if is_packed:
        pack(root, NOW + DAY, NOW + DAY)
    assert [each.memory.id for each in archived(root, text=wanted)] == ["m-1"]
    assert [each.memory.text for each in archived(root, memory_id="m-1")] == [text]
    assert list(archived(root, text="nowhere")) == []


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_memory_comes_back_byte_for_byte_and_then_out_of_the_archive(root: Path, is_packed: bool) -> None:
    text = '{ "id":"m-1",\r\n\t"kind" : "fact", "text":"caf\\u00e9 ☕", "tier":"L2", "x-n": 1.50e3 }'
    retire(root, [(memory("m-1", "older"), "medium_term/a.json", "aged")], NOW - DAY)
    retire(root, [item("m-0"), (text, "medium_term/b.json", "aged"), item("m-2")], NOW)
    if is_packed:
        pack(root, NOW + DAY, NOW + DAY)
    found = find_retired(root, "m-1")
    assert found is not None
    assert (found[1], found[0].origin, found[0].memory.text) == (text, "medium_term/b.json", "café ☕")
    assert drop_retired(root, "m-1")
    assert find_retired(root, "m-1") is None
    assert held(root) == ["m-2", "m-0"]
    assert not drop_retired(root, "m-1")


def test_dropping_a_memory_leaves_a_case_of_the_same_id(root: Path) -> None:
    write(root, "cases.json", [case("same")])
    store_at(root, NOW).archive("same")
    retire(root, [item("same")], NOW)
    assert drop_retired(root, "same")
    store_at(root, NOW).restore("same")


def test_nothing_is_there_where_there_is_no_archive_and_none_is_made(root: Path) -> None:
    assert held(root) == []
    assert find_retired(root, "m-1") is None
    assert not drop_retired(root, "m-1")
    assert pack(root, NOW, NOW) == ()
    assert purge(root, NOW, False) == ()
    retire(root, [], NOW)
    assert faults(root) == ()
    assert sorted(path.name for path in root.iterdir()) == ["long_term"]


# packing


def test_a_pack_takes_the_days_before_and_leaves_the_rest(root: Path) -> None:
    for day in range(4):
        retire(root, [item(f"m-{day}")], NOW + day * DAY)
    before = held(root)
    assert pack(root, NOW + 2 * DAY, NOW + 3 * DAY) == ("archive/2026-03-23_archive.tgz",)
    assert names(root) == ["2026-03-22_retired.json", "2026-03-23_archive.tgz", "2026-03-23_retired.json"]
    assert held(root) == before == ["m-3", "m-2", "m-1", "m-0"]
    assert pack(root, NOW + 2 * DAY, NOW + 3 * DAY) == ()
    assert pack(root, NOW + 3 * DAY, NOW + 3 * DAY) == ("archive/2026-03-23_archive_2.tgz",)
    assert held(root) == before


@pytest.mark.parametrize(
    ("before", "goes"),
    [
        ("2028-02-28T23:59:59+00:00", []), ("2028-02-29T00:00:00+00:00", ["2028-02-28"]),
        ("2028-03-01T00:00:00+00:00", ["2028-02-28", "2028-02-29"]), ("2028-03-01T07:59:00+08:00", ["2028-02-28"]),
        ("2028-03-01T08:00:00+08:00", ["2028-02-28", "2028-02-29"]),
    ],
)  # fmt: skip
def test_days_are_those_of_utc_over_a_leap_day(root: Path, before: str, goes: list[str]) -> None:
    for day in (28, 29):
        retire(root, [item(f"m-{day}")], datetime(2028, 2, day, 23, 30, tzinfo=UTC))
    pack(root, datetime.fromisoformat(before), datetime(2028, 3, 1, tzinfo=UTC))
    left = [f"2028-02-{day}" for day in (28, 29) if f"2028-02-{day}" not in goes]
    assert [name[:10] for name in names(root) if name.endswith(".json")] == left
    assert held(root) == ["m-29", "m-28"]


def test_the_same_content_makes_the_same_pack_that_says_nothing_of_its_machine(root: Path, tmp_path: Path) -> None:
    made = []
    for turn in ("a", "b"):
        folder = tmp_path / turn
        folder.mkdir()
        for day in (3, 1, 2):
            retire(folder, [item(f"m-{day}")], NOW - day * DAY)
        for path in (folder / "archive").iterdir():
            os.utime(path, (1, 1) if turn == "a" else (2, 2))
        (name,) = pack(folder, NOW, NOW)
        made.append((folder / name).read_bytes())
    assert made[0] == made[1]
    with tarfile.open(fileobj=io.BytesIO(made[0]), mode="r:gz") as tar:
        told = [(each.name, each.uid, each.gid, each.uname, each.gname, each.mode, each.mtime) for each in tar]
    day = 86400
    first = int(datetime(2026, 3, 17, tzinfo=UTC).timestamp())
    assert told == [
        (f"2026-03-{17 + number}_retired.json", 0, 0, "", "", 0o600, first + number * day) for number in range(3)
    ]
    assert int.from_bytes(made[0][4:8], "little") == first + 2 * day


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_case_comes_back_from_a_pack_byte_for_byte(root: Path, is_edited: bool) -> None:
    text = '{ "id": "two",\n "trigger_conditions":["always"], "correction" : "caf\\u00e9 第二" }'
    write(root, "a.json", f"[\n  {text}\n]\n")
    store_at(root, NOW).archive("two", reason="wrong")
    if is_edited:
        write(root, "a.json", [case("two", correction="newer")])
        store_at(root, NOW + DAY).archive("two")
    pack(root, NOW + 9 * DAY, NOW + 9 * DAY)
    assert names(root) == ["2026-03-29_archive.tgz"]
    store = store_at(root, NOW + 10 * DAY)
    store.restore("two")
    assert (text in (root / "long_term/a.json").read_text()) is not is_edited
    assert store.snapshot().cases["two"].case.correction == ("newer" if is_edited else "café 第二")
    with pytest.raises(NotFoundError):
        store.restore("three")


def test_a_case_that_was_restored_and_is_archived_again_is_kept_from_then_on(root: Path) -> None:
    write(root, "cases.json", [case("a")])
    store_at(root, NOW).archive("a")
    store_at(root, NOW + 300 * DAY).restore("a")
    store_at(root, NOW + 301 * DAY).archive("a")
    assert purge(root, NOW + 300 * DAY, False) == ("a",)
    store_at(root, NOW + 302 * DAY).restore("a")


class Killed(BaseException):
    """The process ends here."""


def killed(call: Callable[[], object], at: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Call, and end before the n-th change of the disk; say whether it came so far."""
    left = [at]

    def step(real: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*args: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return real(*args, **options)

        return stepping

    with monkeypatch.context() as patch:
        for name in ("replace", "fsync"):
            patch.setattr(os, name, step(getattr(os, name)))
        patch.setattr(Path, "unlink", step(Path.unlink))
        for name in ("take", "put"):
            patch.setattr(exchanging, name, step(getattr(exchanging, name)))
        try:
            call()
        except Killed:
            return True
    return False


def filled(root: Path) -> None:
    """Two packs, each with what is old and what is not, and loose files of both."""
    for day in range(6):
        at = NOW - (400 - 10 * day) * DAY
        write(root, "cases.json", [case(f"case-{day}")])
        store_at(root, at).archive(f"case-{day}")
        retire(root, [item(f"m-{day}"), item(f"twice-{day % 2}", str(day))], at)
        if day in (1, 4):
            pack(root, at, at)


ACTS: dict[str, Callable[[Path], object]] = {
    "pack": lambda root: pack(root, NOW, NOW),
    "purge": lambda root: purge(root, NOW - 375 * DAY, False),
    "drop": lambda root: drop_retired(root, "twice-1"),
    "retire": lambda root: retire(root, [item("m-new"), item("m-newer")], NOW),
}


@pytest.mark.parametrize("act", ACTS)
def test_killed_before_any_change_of_the_disk_nothing_is_lost_and_the_next_run_completes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    whole = tmp_path / "whole"
    filled(whole)
    before = held(whole)
    ACTS[act](whole)
    expected = held(whole)
    at, came = 1, True
    while came:
        root = tmp_path / str(at)
        filled(root)
        came = killed(lambda root=root: ACTS[act](root), at, monkeypatch)  # type: ignore[misc]
        halfway = held(root)
        assert set(expected) & set(before) <= set(halfway) <= {*before, *expected}
        assert len(halfway) <= max(len(before), len(expected)), "what is there twice counts once"
        ACTS[act](root)
        assert held(root) == expected, at
        assert act != "pack" or [name for name in names(root) if name.endswith(".json")] == []
        assert not list(root.rglob(".casebook-*"))
        at += 1
    assert at > {"pack": 7, "purge": 5, "drop": 6, "retire": 2}[act]


def test_a_pack_that_was_cut_short_is_completed_and_no_second_one_is_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(3):
        retire(root, [item(f"m-{day}")], NOW + day * DAY)
    assert killed(lambda: pack(root, NOW + 9 * DAY, NOW + 9 * DAY), 5, monkeypatch)
    assert [name.endswith(".tgz") for name in names(root)].count(True) == 1
    assert len(names(root)) > 2
    assert held(root) == ["m-2", "m-1", "m-0"]
    assert pack(root, NOW + 9 * DAY, NOW + 40 * DAY) == ()
    assert names(root) == ["2026-03-29_archive.tgz"]
    assert held(root) == ["m-2", "m-1", "m-0"]


def test_what_was_edited_by_hand_while_it_is_packed_stays(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    retire(root, [item("m-1")], NOW)
    real = replace_file

    def editing(path: Path, data: bytes) -> None:
        real(path, data)
        (root / "archive/2026-03-20_retired.json").write_text("[]")

    monkeypatch.setattr(packing, "replace_file", editing)
    pack(root, NOW + DAY, NOW + DAY)
    assert (root / "archive/2026-03-20_retired.json").read_text() == "[]"
    assert held(root) == ["m-1"]


# purging


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize(
    ("at", "goes"),
    [
        (NOW - YEAR - timedelta(milliseconds=1), True),
        (NOW - YEAR, False),
        (NOW - YEAR + timedelta(milliseconds=1), False),
        (datetime(2024, 2, 29, 12, tzinfo=UTC), True),
    ],
)
def test_purging_takes_what_came_before_the_instant_and_nothing_else(
    root: Path, is_packed: bool, at: datetime, goes: bool
) -> None:
    retire(root, [item("m-1")], at)
    if is_packed:
        pack(root, at + DAY, at + DAY)
    before = snapshot_of(root)
    expected = ("m-1",) if goes else ()
    assert purge(root, NOW - YEAR, True) == expected
    assert snapshot_of(root) == before
    assert purge(root, NOW - YEAR, False) == expected
    assert purge(root, NOW - YEAR, False) == ()
    assert (snapshot_of(root) == {}) is goes


def test_purging_over_a_leap_day_counts_days_and_not_dates(root: Path) -> None:
    for day in ("2028-02-29T00:00:00+00:00", "2028-03-01T00:00:00+00:00"):
        retire(root, [item(day[:10])], datetime.fromisoformat(day))
    assert purge(root, datetime(2029, 3, 1, tzinfo=UTC) - YEAR, False) == ("2028-02-29",)


def test_purging_gives_each_id_once_cases_too_and_rewrites_packs_for_what_stays(root: Path) -> None:
    filled(root)
    gone = purge(root, NOW - 375 * DAY, False)
    assert len(gone) == len(set(gone))
    assert set(gone) == {"case-0", "m-0", "twice-0", "case-1", "m-1", "twice-1", "case-2", "m-2"}
    assert held(root) == ["twice-1", "m-5", "twice-0", "m-4", "twice-1", "m-3"]
    text = b"".join(
        b"".join(unpacked(data).values()) if data[:2] == b"\x1f\x8b" else data for data in snapshot_of(root).values()
    )
    assert not [name for name in ("case-0", "m-1", "case-2") if f'"{name}"'.encode() in text]
    with pytest.raises(NotFoundError):
        store_at(root, NOW).restore("case-0")
    store_at(root, NOW).restore("case-3")


@settings(max_examples=30)
@given(data=st.data())
def test_whatever_is_done_in_whatever_order_each_memory_is_there_once_until_it_is_purged(data: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        now, expected = NOW, dict[str, datetime]()
        for turn in range(data.draw(st.integers(1, 12))):
            now += timedelta(days=data.draw(st.integers(0, 60)), hours=turn)
            match data.draw(st.sampled_from(["retire", "pack", "purge", "drop"])):
                case "retire":
                    new = [f"m-{turn}-{number}" for number in range(data.draw(st.integers(1, 3)))]
                    retire(root, [item(each) for each in new], now)
                    expected |= dict.fromkeys(new, now)
                case "pack":
                    pack(root, now - data.draw(st.integers(0, 60)) * DAY, now)
                case "purge":
                    before = now - data.draw(st.integers(0, 200)) * DAY
                    old = {each for each, at in expected.items() if at < before}
                    assert set(purge(root, before, False)) == old
                    expected = {each: at for each, at in expected.items() if each not in old}
                case _:
                    if expected:
                        gone = data.draw(st.sampled_from(sorted(expected)))
                        assert drop_retired(root, gone)
                        del expected[gone]
            assert sorted(held(root)) == sorted(expected)


# hostile files


def tgz(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for told, data in members:
            tar.addfile(told, io.BytesIO(data))
    return buffer.getvalue()


def member(name: str, data: bytes = b"[]", **fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    told = tarfile.TarInfo(name)
    told.size = len(data)
    for field, value in fields.items():
        setattr(told, field, value)
    return told, data


RIGHT = "2026-03-01_retired.json"
GOOD = packed({RIGHT: b"[]"})


def bomb() -> bytes:
    told, _ = member(RIGHT)
    told.size = 17 * 2**20
    return gzip.compress(told.tobuf(tarfile.USTAR_FORMAT) + b"\0" * told.size + b"\0" * 1024)


def claiming(size: int) -> bytes:
    told, _ = member(RIGHT)
    told.size = size
    return gzip.compress(told.tobuf(tarfile.GNU_FORMAT) + b"\0" * 2048)


HOSTILE = {
    "upwards": tgz(member("../2026-03-01_retired.json")),
    "absolute": tgz(member("/tmp/2026-03-01_retired.json")),
    "in a folder": tgz(member("x/2026-03-01_retired.json")),
    "link": tgz(member(RIGHT, b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")),
    "hard link": tgz(member(RIGHT, b"", type=tarfile.LNKTYPE, linkname="/etc/passwd")),
    "pipe": tgz(member(RIGHT, b"", type=tarfile.FIFOTYPE)),
    "folder": tgz(member(RIGHT, b"", type=tarfile.DIRTYPE)),
    "long name": tgz(member("x" * 300)),
    "other name": tgz(member("README.md")),
    "no day": tgz(member("2026-02-30_retired.json")),
    "twice": tgz(member(RIGHT), member(RIGHT)),
    "a pack in a pack": tgz(member("2026-03-01_archive.tgz")),
    "too large": bomb(),
    "claims 8 EB": claiming(2**63 - 1),
    "claims less than nothing": claiming(-5),
    "too many": gzip.compress(
        b"".join(member(f"2026-03-01_retired_{n}.json", b"")[0].tobuf() for n in range(2, 4200)) + b"\0" * 1024
    ),
    "cut": GOOD[:-9],
    "cut in the middle": GOOD[: len(GOOD) // 2],
    "turned bit": GOOD[:-6] + bytes([GOOD[-6] ^ 1]) + GOOD[-5:],
    "more after it": gzip.compress(gzip.decompress(GOOD) + b"\0" * 700_000),
    "words after it": GOOD + b"and more",
    "no gzip": b"PK\x03\x04",
    "no tar": gzip.compress(b"words"),
    "nothing": b"",
    "empty gzip": gzip.compress(b""),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_foreign_or_damaged_pack_is_told_and_left_alone_and_the_rest_serves(root: Path, kind: str) -> None:
    with pytest.raises(PackError):
        unpacked(HOSTILE[kind])
    retire(root, [item("m-1")], NOW)
    pack(root, NOW + DAY, NOW + DAY)
    path = root / "archive/2026-03-02_archive.tgz"
    path.write_bytes(HOSTILE[kind])
    assert held(root) == ["m-1"]
    assert [(fault.path, fault.severity) for fault in faults(root)] == [("archive/2026-03-02_archive.tgz", "warning")]
    retire(root, [item("m-2")], NOW + 2 * DAY)
    pack(root, NOW + 9 * DAY, datetime(2026, 3, 2, tzinfo=UTC))
    assert "2026-03-02_archive_2.tgz" in names(root)
    assert drop_retired(root, "m-1")
    assert purge(root, NOW + 9 * DAY, False) == ("m-2",)
    assert path.read_bytes() == HOSTILE[kind]
    assert sorted(each.name for each in root.parent.iterdir()) == ["memory"]


@pytest.mark.parametrize(
    "name",
    ["backup.tgz", "2026-03-01_archive_1.tgz", "2026-13-01_archive.tgz", "2026-03-01_archive_02.tgz", "x.tar.gz"],
)
def test_a_tgz_of_another_name_is_told_and_never_touched(root: Path, name: str) -> None:
    retire(root, [item("m-1")], NOW - 400 * DAY)
    data = packed({RIGHT: (root / "archive" / "2025-02-13_retired.json").read_bytes()})
    (root / "archive" / name).write_bytes(data)
    assert name_of(name) is None
    assert purge(root, NOW, False) == ("m-1",)
    assert snapshot_of(root) == {name: data}
    assert [fault.path for fault in faults(root)] == [f"archive/{name}"]


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "dangling"])
@pytest.mark.parametrize("name", ["2026-03-20_retired.json", "2026-03-21_archive.tgz"])
def test_what_is_no_file_is_gone_round(root: Path, tmp_path: Path, kind: str, name: str) -> None:
    (root / "archive").mkdir()
    victim = tmp_path / "victim"
    victim.write_bytes(b"[]" if name.endswith("json") else GOOD)
    path = root / "archive" / name
    {
        "link": lambda: path.symlink_to(victim),
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "dangling": lambda: path.symlink_to("no"),
    }[kind]()
    before = victim.read_bytes()
    retire(root, [item("m-1")], NOW)
    assert pack(root, NOW + DAY, NOW + DAY)
    assert held(root) == ["m-1"]
    assert purge(root, NOW + DAY, False) == ("m-1",)
    assert victim.read_bytes() == before
    assert names(root) == [name]
    assert [fault.path for fault in faults(root)] == [f"archive/{name}"]


@pytest.mark.parametrize("is_dangling", [False, True])
def test_an_archive_that_a_link_leads_to_is_refused(root: Path, tmp_path: Path, is_dangling: bool) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "2020-03-20_retired.json").write_text('[{"memory": {"id": "m-1"}}]')
    (root / "archive").symlink_to(outside / "none" if is_dangling else outside)
    acts: list[Callable[[], object]] = [
        lambda: retire(root, [item()], NOW),
        lambda: list(archived(root)),
        lambda: find_retired(root, "m-1"),
        lambda: drop_retired(root, "m-1"),
        lambda: pack(root, NOW, NOW),
        lambda: purge(root, NOW, False),
    ]
    for act in acts:
        with pytest.raises(StoreError, match="got a link"):
            act()
    assert [fault.path for fault in faults(root)] == ["archive"]
    assert [path.name for path in outside.iterdir()] == ["2020-03-20_retired.json"]


# many


def writer(root: Path, who: int, kind: str) -> None:
    for number in range(4):
        if kind == "case":
            store = store_at(root, NOW)
            write(root, f"{who}.json", [case(f"c-{who}-{number}")])
            store.archive(f"c-{who}-{number}")
        else:
            retire(root, [item(f"m-{who}-{number}")], NOW)


def test_cases_and_memories_archived_by_many_processes_while_packs_are_made_are_all_there(root: Path) -> None:
    context = multiprocessing.get_context("spawn")
    tasks = [
        context.Process(target=writer, args=(root, who, kind)) for who, kind in enumerate(["case", "memory", "memory"])
    ]
    for task in tasks:
        task.start()
    while any(task.is_alive() for task in tasks):
        pack(root, NOW + DAY, NOW + DAY)
    for task in tasks:
        task.join()
        assert task.exitcode == 0
    pack(root, NOW + DAY, NOW + DAY)
    assert sorted(held(root)) == sorted(f"m-{who}-{number}" for who in (1, 2) for number in range(4))
    for number in range(4):
        store_at(root, NOW).restore(f"c-0-{number}")


def test_twenty_thousand_entries_are_packed_searched_and_purged_in_seconds(root: Path) -> None:
    began = elapsed()
    for day in range(10):
        texts = [item(f"m-{day}-{number}", f"事实 {number} of day {day}") for number in range(2000)]
        retire(root, texts, NOW + day * DAY)
    assert len(pack(root, NOW + 10 * DAY, NOW + 10 * DAY)) == 1
    assert len(list(archived(root, text="事实 7 OF"))) == 10
    found = find_retired(root, "m-5-1999")
    assert found is not None
    assert found[0].pack == "archive/2026-03-30_archive.tgz"
    assert len(purge(root, NOW + 5 * DAY, False)) == 10_000
    assert elapsed() - began < 20
