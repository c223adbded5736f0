"""A folder full of trouble: the good cases serve, each trouble is told in its place with its cure, nothing is rewritten."""

import json
import os
import socket
from pathlib import Path

import pytest

from casebook.stores import loading
from casebook.stores.reading import read_bytes
from tests.stores.folders import case, opened, told, write

GOOD = case("good")


def trouble(root: Path) -> None:
    write(root, "00_good.json", [GOOD])
    write(root, "bom.json", b"\xef\xbb\xbf" + json.dumps([case("bom")]).encode())
    write(
        root,
        "crlf.json",
        json.dumps([case("crlf"), case("crlf2", prioriti=1)], indent=2).replace("\n", "\r\n").encode(),
    )
    write(root, "truncated.json", json.dumps([case("truncated")], indent=2)[:60])
    write(root, "field.json", [case("field", corection="x"), case("beside_field")])
    write(root, "zone.json", [case("zone", timezone="Asia/Shangai")])
    write(root, "duplicate.json", [case("good", correction="another")])
    write(root, "condition.json", [case("condition", trigger_conditions=["time between 6pm and 7:00"])])
    write(root, "empty.json", b"")
    write(root, "large.json", b"[" + b" " * 10_000_000 + json.dumps(case("large")).encode() + b"]")
    write(root, "too_large.json", b" " * 17_000_000 + b"[]")
    write(
        root,
        "escape.json",
        '[\n  {"id": "escape", "trigger_conditions": ["text matches /a\\sb/"], "correction": "x"}\n]',
    )
    write(root, "utf16.json", json.dumps([case("utf16")]).encode("utf-16"))
    write(root, "latin.json", b'[{"id": "latin",\n "correction": "caf\xe9"}]')
    write(root, "deep.json", "[" * 100_000)
    write(root, "number.json", b'[{"id": "n", "priority": 1e999}]')
    (root / "long_term" / "folder.json").mkdir()
    os.mkfifo(root / "long_term" / "pipe.json")
    (root / "long_term" / "loop.json").symlink_to("loop.json")
    (root / "long_term" / "nowhere.json").symlink_to("/nowhere/at/all.json")
    (root / "long_term" / "round").symlink_to(root / "long_term")
    (root / "long_term" / ".hidden.json").write_text("{", "utf-8")
    (root / "long_term" / "notes.txt").write_text("not ours", "utf-8")


EXPECTED = {
    "long_term/crlf.json:": ('no field of a case is called "prioriti"', "priority"),
    "long_term/truncated.json:": ("got the end of the file", ""),
    "long_term/field.json:": ('no field of a case is called "corection"', "correction"),
    "long_term/zone.json:": ("expected an IANA time zone", "Asia/Shanghai"),
    "long_term/duplicate.json:": ("the first, at long_term/00_good.json:2, serves", ""),
    "long_term/condition.json:": ('"6pm"', ""),
    "long_term/empty.json:": ("got an empty file", "an empty one is written []"),
    "long_term/too_large.json:": ("at most 16 MB (limit: file)", ""),
    "long_term/escape.json:2:": ("expected an escape of JSON", r"write \\s for a backslash"),
    "long_term/utf16.json:": ("expected UTF-8, got UTF-16 (byte 0)", "save the file as UTF-8"),
    "long_term/latin.json:2:": ("got the byte 0xe9 (byte 36)", "save the file as UTF-8"),
    "long_term/deep.json:": ("nested less deep", ""),
    "long_term/number.json:": ("priority", ""),
    "long_term/folder.json:": ("expected a file, got a folder", ""),
    "long_term/pipe.json:": ("expected a file, got a pipe, socket or device", ""),
    "long_term/loop.json:": ("expected a file that can be read", ""),
    "long_term/nowhere.json:": ("expected a file that can be read", ""),
    "long_term/round:": ("a link to a folder around it", ""),
}


def contents(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted((root / "long_term").glob("*.*")) if path.is_file()}


def test_the_good_cases_serve_and_each_trouble_is_told_and_nothing_is_rewritten(root: Path) -> None:
    trouble(root)
    before = contents(root)
    store = opened(root)
    snapshot = store.snapshot()
    assert set(snapshot.cases) == {"good", "bom", "crlf", "beside_field", "large"}
    lines = told(snapshot)
    for place, (words, cure) in EXPECTED.items():
        assert any(line.startswith(place) and words in line and cure in line for line in lines), (place, lines)
    assert {line.split(":")[0] for line in lines} == {place.split(":")[0] for place in EXPECTED}
    assert store.snapshot() is snapshot
    store.close()
    assert contents(root) == before


def test_no_file_of_the_trouble_keeps_the_good_ones_from_being_edited(root: Path) -> None:
    trouble(root)
    before = contents(root)
    store = opened(root)
    store.edit("good", {"priority": 9})
    assert store.snapshot().cases["good"].case.priority == 9
    after = contents(root)
    changed = {path for path in after if after[path] != before[path]}
    assert changed == {str(root / "long_term" / "00_good.json")}


def test_a_file_that_may_not_be_read_is_told_and_its_last_good_version_serves(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "a.json", [case("a")])
    write(root, "b.json", [case("b")])
    store = opened(root)
    store.snapshot()

    def refusing(path: str, limit: int, name: str) -> object:
        if path.endswith("a.json"):
            raise PermissionError(13, "Permission denied")
        return read_bytes(path, limit, name)

    monkeypatch.setattr(loading, "read_bytes", refusing)
    write(root, "a.json", [case("a", priority=1)])
    snapshot = store.snapshot()
    assert told(snapshot) == [
        "long_term/a.json: expected a file that can be read: Permission denied; its last good version serves"
    ]
    assert snapshot.cases["a"].case.priority == 5
    assert told(opened(root).snapshot()) == ["long_term/a.json: expected a file that can be read: Permission denied"]
    monkeypatch.undo()
    write(root, "a.json", [case("a", priority=2)])
    assert store.snapshot().cases["a"].case.priority == 2
    assert store.snapshot().faults == ()


def test_a_file_that_vanishes_between_listing_and_reading_is_told_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(root, "a.json", [case("a")])

    def vanishing(name: str, limit: int, limit_name: str) -> object:
        path.unlink(missing_ok=True)
        return read_bytes(name, limit, limit_name)

    store = opened(root)
    monkeypatch.setattr(loading, "read_bytes", vanishing)
    assert told(store.snapshot()) == ["long_term/a.json: expected a file that can be read: No such file or directory"]
    assert told(store.snapshot()) == []


def test_a_socket_named_like_a_file_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "long_term")  # a socket's name may have about 100 bytes
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.json")
        (line,) = told(opened(root).snapshot())
    assert "got a pipe, socket or device" in line


def test_a_folder_without_anything_in_it_serves_the_defaults(tmp_path: Path) -> None:
    snapshot = opened(tmp_path).snapshot()
    assert (dict(snapshot.cases), snapshot.faults, snapshot.generation) == ({}, (), 1)
