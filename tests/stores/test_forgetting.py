"""`forget` leaves nothing of a user, a session or a text in any file of a folder, and nothing of anybody else's is taken."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import tempfile
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook import Case
from casebook.memory import Memory
from casebook.stores import exchanging
from casebook.stores.forgetting import concerned, forget_files, unreadable_matches
from casebook.stores.json_strings import tokens, unescaped
from casebook.stores.memory_archive import archived, retire
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import Mentions
from casebook.stores.pack import pack
from casebook.stores.session_names import session_file
from tests.stores.folders import case, opened

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
SECRET = "espresso at dawn"
"""Stands in all that is the user's own."""


def memory(name: str, text: str = "x", **fields: Any) -> dict[str, Any]:
    return {"id": name, "kind": "fact", "text": text, "tier": "L2", **fields}


def put(root: Path, path: str, content: Any, **dumping: Any) -> None:
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_text(
        content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, **dumping), "utf-8"
    )


def tier(root: Path, path: str, *memories: dict[str, Any], **fields: Any) -> None:
    put(root, path, {"format": 1, **fields, "memories": list(memories)}, indent=2)


def ids(root: Path, path: str) -> list[str]:
    read = json.loads((root / path).read_text("utf-8"))
    return [each["id"] for each in (read if isinstance(read, list) else read["memories"])]


def everything(root: Path) -> str:
    """All bytes of all files, unpacked, with the escapes of JSON read; and their names."""
    told = []
    for path in sorted(root.rglob("*")):
        told.append(str(path.relative_to(root)))
        if not path.is_file():
            continue
        data = path.read_bytes()
        if data.startswith(b"\x1f\x8b"):
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data))) as tar:
                data = b"\n".join(tar.extractfile(each).read() for each in tar)  # type: ignore[union-attr]
        told.append(unescaped(data.decode("utf-8", "replace")))
    return "\n".join(told)


def assert_gone(root: Path, user: str = "ann", *texts: str) -> None:
    found = everything(root)
    lines = [line for line in found.splitlines() if Mentions(user).within(line)]
    assert lines == []
    for text in (SECRET, *texts):
        assert text not in found


def snapshot_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith(".lock") and ".gitignore" not in path.name
    }


ANN_FILE = session_file("s-ann", "ann")


def house(root: Path) -> None:
    """A folder with something of ann's, something of bob's, something of nobody's in every place."""
    tier(root, ANN_FILE, memory("m-s1", SECRET, tier="L1"), session="s-ann", user="ann")
    tier(root, session_file("s-bob", "bob"), memory("m-s2", "bob's own", tier="L1"), session="s-bob", user="bob")
    tier(
        root,
        "medium_term/recent_learnings.json",
        memory("m-a1", SECRET, scope={"user": "ann"}),
        memory("m-a2", f"{SECRET} too", scope={"project": "web"}, source={"origin": "user", "session": "s-ann"}),
        memory("m-b1", "annual report for anna", scope={"user": "anna"}),
        memory("m-b2", "ask ann about it", scope={"user": "bob"}),
        memory("m-p1", "the deploy is on Friday", scope={"project": "web"}, merged=["m-a1", "m-p0"]),
    )
    tier(root, "long_term/preferences.json", memory("m-a3", SECRET, tier="L3", scope={"user": "ann"}))
    put(
        root,
        "long_term/cases.json",
        [
            case("hers", scope={"user": "ann"}, judgment=SECRET),
            case(
                "everyones",
                source={"origin": "detector", "evidence": ["act-1", f"ann said: {SECRET}"]},
                examples={
                    "fires": [{"intent": "push", "user": "ann"}, {"intent": "push", "user": "anna"}],
                    "silent": [],
                },
                **{"x-seen": {"by": ["ann"]}, "x-kept": "annual", "$comment": "asked for by ann"},
            ),
            case("named", correction="Ask ann first."),
            case("annas", scope={"user": "anna"}),
        ],
        indent=1,
    )
    retire(
        root,
        [(json.dumps(memory("m-old", SECRET, scope={"user": "ann"})), "medium_term/x.json", "aged")],
        NOW - timedelta(days=60),
    )
    retire(
        root,
        [(json.dumps(memory("m-kept", "of bob", scope={"user": "bob"})), "medium_term/x.json", "aged")],
        NOW - timedelta(days=60),
    )
    pack(root, NOW - timedelta(days=30), NOW)
    retire(root, [(json.dumps(memory("m-new", SECRET)), ANN_FILE, "aged")], NOW)
    store = opened(root)
    store.put(Case(**case("gone", scope={"user": "ann"}, judgment=SECRET)))
    store.archive("gone")
    lines = [{"user": "ann", "text": SECRET}, {"user": "bob", "text": "hello"}, {"user": "anna", "text": "annual"}]
    put(root, ".casebook/outbox.jsonl", "".join(json.dumps(each) + "\n" for each in lines))
    put(root, ".casebook/compiled.cache", f"…{SECRET}…")
    put(root, "medium_term/.casebook-12-ab", f'{{"memories": [{{"text": "{SECRET}')
    put(root, ".casebook/journal.db", "the journal's own: not looked at")


WHAT = Forgetting(user="ann")


def test_nothing_of_the_user_is_left_and_nothing_of_others_is_taken(root: Path) -> None:
    house(root)
    before = snapshot_of(root)
    planned = forget_files(root, WHAT, True)
    assert snapshot_of(root) == before
    done = forget_files(root, WHAT, False)
    assert done == planned == {"archive": 3, "cases": 1, "edited": 4, "files": 1, "lines": 1, "memories": 4}
    assert_gone(root)
    assert ids(root, session_file("s-bob", "bob")) == ["m-s2"]
    assert ids(root, "medium_term/recent_learnings.json") == ["m-b1", "m-b2", "m-p1"]
    assert ids(root, "long_term/preferences.json") == []
    assert [each.memory.id for each in archived(root)] == ["m-kept"]
    assert [json.loads(line)["user"] for line in (root / ".casebook/outbox.jsonl").read_text().splitlines()] == [
        "bob",
        "anna",
    ]
    assert not (root / ".casebook/compiled.cache").exists()
    cases = {each["id"]: each for each in json.loads((root / "long_term/cases.json").read_text())}
    assert list(cases) == ["everyones", "named", "annas"]
    assert cases["everyones"] == case(
        "everyones",
        source={"origin": "detector", "evidence": ["act-1"]},
        examples={"fires": [{"intent": "push", "user": "anna"}], "silent": []},
        **{"x-kept": "annual"},
    )
    assert cases["named"]["correction"] == "Ask … first."
    assert opened(root).snapshot().faults == ()
    for path in ("medium_term/recent_learnings.json", "long_term/preferences.json"):
        for each in json.loads((root / path).read_text())["memories"]:
            Memory.from_json(each)
    assert forget_files(root, WHAT, False) == {}
    assert unreadable_matches(root, WHAT) == ()


def test_files_that_hold_nothing_of_it_keep_every_byte(root: Path) -> None:
    house(root)
    (root / "medium_term/.casebook-12-ab").unlink()
    before = snapshot_of(root)
    assert forget_files(root, Forgetting(user="nobody"), False) == {}
    assert snapshot_of(root) == before


def test_ids_that_files_tell_are_given_so_that_the_journal_can_be_cleaned(root: Path) -> None:
    house(root)
    found = concerned(root, replace_ids(WHAT, "e-1"))
    assert found.user == "ann"
    assert found.ids == {"e-1", "s-ann", "m-s1", "m-a1", "m-a2", "m-a3", "hers", "m-old", "m-new", "gone"}


def replace_ids(what: Forgetting, *names: str) -> Forgetting:
    return Forgetting(what.user, what.session, what.text, frozenset(names))


def test_a_session_that_somebody_else_has_too_leads_to_nobody_elses_memories(root: Path) -> None:
    for user in ("ann", "bob"):
        tier(root, session_file("main", user), memory(f"m-{user}", tier="L1"), session="main", user=user)
    tier(root, "medium_term/recent_learnings.json", memory("m-1", scope={"user": "bob"}, source={"session": "main"}))
    assert "main" not in concerned(root, WHAT).ids
    assert forget_files(root, Forgetting(user="ann", ids=frozenset({"main"})), False) == {"files": 1, "memories": 1}
    assert ids(root, session_file("main", "bob")) == ["m-bob"]
    assert ids(root, "medium_term/recent_learnings.json") == ["m-1"]


def test_a_session_goes_with_its_file_and_all_that_came_of_it(root: Path) -> None:
    house(root)
    assert forget_files(root, Forgetting(session="s-bob"), False) == {"files": 1, "memories": 1}
    assert not (root / session_file("s-bob", "bob")).exists()
    assert (root / ANN_FILE).exists()
    done = forget_files(root, Forgetting(session="s-ann"), False)
    assert done == {"archive": 1, "files": 1, "memories": 2}
    assert ids(root, "medium_term/recent_learnings.json") == ["m-a1", "m-b1", "m-b2", "m-p1"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ESPRESSO AT DAWN", "An espresso at dawn, please"),
        ("straße", "STRASSE 5"),
        ("ﬁle", "the FILE"),
        ("半角カナ", "ﾊﾝｶｸ 半角カナ"),
        ("早上喝咖啡", "他早上喝咖啡。"),
        ("a\nb", "a\nb"),
        ('say "no"', 'I say "no" to it'),
    ],
)
def test_a_text_is_found_in_every_case_and_width_and_escape(root: Path, text: str, written: str) -> None:
    for ascii_only in (True, False):
        path = f"medium_term/{ascii_only}.json"
        content = {
            "memories": [memory("m-1", written), memory("m-2", "else"), memory("m-3", reason=written, tags=["t"])]
        }
        put(root, path, json.dumps(content, ensure_ascii=ascii_only))
    put(
        root,
        "long_term/cases.json",
        [case("a", correction=written), case("b", examples={"fires": [{"text": written}]})],
    )
    retire(root, [(json.dumps(memory("m-4", written)), "medium_term/x.json", "aged")], NOW)
    assert forget_files(root, Forgetting(text=text), False) == {"archive": 1, "cases": 1, "edited": 1, "memories": 4}
    assert [ids(root, f"medium_term/{each}.json") for each in (True, False)] == [["m-2"], ["m-2"]]
    assert ids(root, "long_term/cases.json") == ["b"]
    assert written not in everything(root)


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("ann", True), ("ask ann.", True), ("ann's", True), ("/home/ann/x", True), ("ann@example.com", True), ("ann-lee", True),
        ("问ann吧", True), ("ann은", True), ("annual", False), ("anna", False), ("joann", False), ("ann_1", False), ("1ann", False),
        ("Ann", False), ("anń", False), ("ann\u0301", False),
    ],
)  # fmt: skip
def test_an_id_is_a_word_of_its_own(text: str, is_named: bool) -> None:
    mentions = Mentions("ann")
    assert mentions.within(text) is is_named
    assert mentions.without(text) == (text.replace("ann", "…") if is_named else text)


@pytest.mark.parametrize(
    "user", ["王伟", "josé", unicodedata.normalize("NFD", "josé"), "a.b+c@x.com", 'q"uo\\te', "😀1"]
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_an_id_is_found_in_every_form_and_escape(root: Path, user: str, form: Any, ascii_only: bool) -> None:
    written = unicodedata.normalize(form, user)
    content = [
        memory("m-1", scope={"user": written}),
        memory("m-2", f"({written}) knows", scope={"user": "bob"}),
        memory("m-3", source={"origin": "user", "by": f"person:{written}"}),
    ]
    put(root, "medium_term/a.json", json.dumps({"memories": content}, ensure_ascii=ascii_only))
    assert forget_files(root, Forgetting(user=user), False) == {"edited": 1, "memories": 2}
    (left,) = json.loads((root / "medium_term/a.json").read_text("utf-8"))["memories"]
    assert left["text"] == "(…) knows"
    assert forget_files(root, Forgetting(user=user), True) == {}


def test_what_a_repeated_key_hides_goes_too(root: Path) -> None:
    put(
        root,
        "medium_term/a.json",
        '{"memories": [{"id": "m-1", "text": "said by ann", "text": "y", "kind": "fact", "tier": "L2"}]}',
    )
    assert forget_files(root, WHAT, False) == {"edited": 1}
    assert_gone(root)
    put(root, "medium_term/a.json", f'{{"memories": [{{"id": "m-1", "text": "{SECRET}", "text": "y"}}]}}')
    assert forget_files(root, Forgetting(text=SECRET), False) == {"memories": 1}
    assert_gone(root)


@pytest.mark.parametrize("before", ['one " quote', "back\\slash \\", "\n", '\\"', "“”"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_ids_are_found_whatever_stands_before_them(root: Path, before: str, ascii_only: bool) -> None:
    wanted = {"m-1": {}, "m-2": {"source": {"session": "会话 1"}}, "m-3": {"source": {"event": 'e"1'}}}
    content = [memory("m-0", before), *(memory(name, before, **fields) for name, fields in wanted.items())]
    put(root, "medium_term/a.json", json.dumps({"memories": content}, ensure_ascii=ascii_only))
    for name in ("m-1", "会话 1", 'e"1'):
        assert forget_files(root, Forgetting(ids=frozenset({name})), False) == {"memories": 1}, name
    assert ids(root, "medium_term/a.json") == ["m-0"]


def test_a_key_tells_what_stands_under_it_and_nothing_after_it() -> None:
    raw = '{"user": ["a", {"by": "b", "x": ["c"]}, "d"], "e": "f", "g": [["h"]]}'
    found = [(string, key) for _, _, string, key, is_key in tokens(raw) if not is_key]
    assert found == [("a", "user"), ("b", "by"), ("c", "x"), ("d", "user"), ("f", "e"), ("h", "g")]


NAMES = st.sampled_from(["ann", "anna", "bob", "ask ann.", "annual", "ann's “x” \\ \n", "安ann吧", "\u202eann"])
USERS = st.sampled_from(["ann", "anna", "bob", "ann-lee", "ann and bob", "ann"])
VALUES = st.recursive(
    NAMES | st.integers() | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES | st.just("text"), inner, max_size=3)
        | st.fixed_dictionaries({}, optional={"user": USERS, "by": USERS})
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(
    fields=st.lists(st.fixed_dictionaries({}, optional={"text": NAMES, "scope": st.fixed_dictionaries({}, optional={"user": USERS}), "about": VALUES, "x-a": VALUES, "tags": st.lists(NAMES), "source": VALUES}), max_size=4),
    around=VALUES,
    ascii_only=st.booleans(),
)  # fmt: skip
def test_wherever_an_id_stands_it_goes_and_what_does_not_name_it_stays(
    fields: Any, around: Any, ascii_only: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        memories = [memory(f"m-{number}", **each) for number, each in enumerate(fields)]
        shapes: dict[str, Any] = {
            "medium_term/a.json": {"format": 1, "x-around": around, "memories": memories},
            "long_term/cases.json": [case(f"c-{number}", **each) for number, each in enumerate(fields)],
            ".casebook/state.json": around,
            ".casebook/out.jsonl": around,
        }
        for path, content in shapes.items():
            put(root, path, json.dumps(content, ensure_ascii=ascii_only))
        retire(
            root, [(json.dumps(each, ensure_ascii=ascii_only), "medium_term/a.json", "aged") for each in memories], NOW
        )
        pack(root, NOW + timedelta(days=1), NOW)
        counts = forget_files(root, WHAT, False)
        assert "unreadable" not in counts
        assert not Mentions("ann").within(everything(root).replace('"ann-lee"', ""))
        assert forget_files(root, WHAT, True) == {}
        left = {each["id"]: each for each in json.loads((root / "medium_term/a.json").read_text("utf-8"))["memories"]}
        for each in memories:
            if not Mentions("ann").within(json.dumps(each, ensure_ascii=False).replace('"ann-lee"', "")):
                assert left[each["id"]] == each


def test_the_rest_of_a_file_keeps_its_bytes(root: Path) -> None:
    text = '\ufeff{ "$comment" : "by hand",\r\n  "memories": [ {"id":"m-1","text":"a"} ,\r\n\t%s{"id" : "m-2" ,"text": "b\\u0041"} ] }\r\n'
    hers = '{"id": "m-x", "scope": {"user": "ann"}},\r\n\t'
    put(root, "medium_term/a.json", "")
    (root / "medium_term/a.json").write_bytes((text % hers).encode())
    assert forget_files(root, WHAT, False) == {"memories": 1}
    assert (root / "medium_term/a.json").read_bytes() == (text % "").encode()


def test_files_over_the_limit_of_cases_are_cleaned_as_well(root: Path) -> None:
    fill = "y" * 17_000_000
    put(root, "medium_term/a.json", {"memories": [memory("m-1", SECRET, scope={"user": "ann"}), memory("m-2", fill)]})
    put(root, ".casebook/outbox.jsonl", f'{{"user": "ann"}}\n{{"user": "bob", "text": "{fill}"}}\n')
    put(root, "archive/2026-03-01_retired.json", [{"memory": memory("m-3", fill, scope={"user": "ann"})}])
    assert forget_files(root, WHAT, False) == {"lines": 1, "memories": 1, "unreadable": 1}
    assert unreadable_matches(root, WHAT) == ("archive/2026-03-01_retired.json",)
    assert ids(root, "medium_term/a.json") == ["m-2"]


UNREADABLE = {
    "medium_term/broken.json": f'{{"memories": [{{"text": "{SECRET}", "user": "ann"',
    "long_term/broken.json": '[{"id": "a", "correction": "\\u0061nn said"',
    "medium_term/notes.txt": "ann was here",
    "memory-policy.yaml": "# ann's\ntimezone: UTC\n",
    "long_term/cases.json.bak": '[{"user": "ann"}]',
    "archive/2026-03-01_retired.json": '[{"user": "ann"',
    "medium_term/ann.json": '{"memories": []}',
}


@pytest.mark.parametrize("path", UNREADABLE)
def test_what_does_not_parse_is_told_and_left(root: Path, path: str) -> None:
    put(root, path, UNREADABLE[path])
    assert forget_files(root, WHAT, False) == {"unreadable": 1}
    assert unreadable_matches(root, WHAT) == (path,)
    assert (root / path).read_text() == UNREADABLE[path]
    other = Forgetting(user="zoe")
    assert forget_files(root, other, False) == {}
    assert unreadable_matches(root, other) == ()


def packed_of(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, data in members.items():
            told = tarfile.TarInfo(name)
            told.size = len(data)
            tar.addfile(told, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "is_told"),
    [
        ("2026-03-01_archive.tgz", packed_of({"../x.json": b'["ann"]'}), True),
        ("2026-03-01_archive.tgz", packed_of({"../x.json": b'["bob"]'}), False),
        ("backup.tgz", packed_of({"x": b"ann"}), True),
        ("backup.tgz", packed_of({"x": b"bob"}), False),
        ("2026-03-01_archive.tgz", b"\x1f\x8bdamaged", True),
        ("backup.zip", b"PK\x03\x04....", True),
        ("backup.tgz", gzip.compress(b"\0" * 70_000_000), True),
    ],
    ids=["way out", "way out, clean", "backup", "backup, clean", "damaged", "closed", "too large"],
)
def test_a_foreign_pack_is_left_alone_and_told_where_something_may_stand_in_it(
    root: Path, name: str, data: bytes, is_told: bool
) -> None:
    put(root, f"archive/{name}", "")
    (root / "archive" / name).write_bytes(data)
    assert forget_files(root, WHAT, False) == ({"unreadable": 1} if is_told else {})
    assert (root / "archive" / name).read_bytes() == data


def test_nothing_is_written_where_a_link_leads(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "2026-03-01_retired.json").write_text('[{"memory": {"id": "m-1", "scope": {"user": "ann"}}}]')
    (outside / "cases.json").write_text(json.dumps([case("a", scope={"user": "ann"})]))
    before = snapshot_of(outside)
    (root / "archive").symlink_to(outside)
    (root / "long_term" / "team").symlink_to(outside)
    (root / "long_term" / "one.json").symlink_to(outside / "cases.json")
    (root / "long_term" / "nowhere.json").symlink_to(outside / "none")
    assert forget_files(root, WHAT, False) == {"unreadable": 3}
    assert unreadable_matches(root, WHAT) == ("archive", "long_term/one.json", "long_term/team")
    assert snapshot_of(outside) == before


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
        patch.setattr(os, "replace", step(os.replace))
        patch.setattr(os, "unlink", step(os.unlink))
        patch.setattr(exchanging, "_renamed", step(exchanging._renamed))
        try:
            call()
        except Killed:
            return True
    return False


def test_killed_before_any_change_of_the_disk_and_repeated_it_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole" / "memory"
    whole.mkdir(parents=True)
    house(whole)
    forget_files(whole, WHAT, False)
    at, came = 1, True
    while came:
        root = tmp_path / str(at) / "memory"
        root.mkdir(parents=True)
        house(root)
        came = killed(lambda root=root: forget_files(root, WHAT, False), at, monkeypatch)  # type: ignore[misc]
        forget_files(root, WHAT, False)
        assert snapshot_of(root) == snapshot_of(whole), at
        at += 1
    assert at > 10
