"""Changing one case changes that element's text and no other byte, and nothing is ever torn or lost."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casebook import Case, NotFoundError, StoreError
from casebook.stores import exchanging, writing
from casebook.stores.atomic import replace_file
from casebook.stores.rewriting import edited, written
from tests.stores.folders import case, opened, write

HAND_MADE = """\
[
    {"id": "one",  "trigger_conditions": ["always"],
       "correction": "x",  "x-mine": {"b": 1,   "a": 2}},

    {
        "id": "two",
        "trigger_conditions": [ "always" ],
        "$comment": "keep   me",
        "correction": "第二"
    }
]
"""


def test_an_edit_changes_only_the_value_that_it_names(root: Path) -> None:
    path = write(root, "a.json", HAND_MADE)
    opened(root).edit("two", {"correction": "another", "trigger_conditions": ["always"]})
    assert path.read_text("utf-8") == HAND_MADE.replace("第二", "another")


def test_a_new_field_goes_to_the_end_in_the_cases_own_style(root: Path) -> None:
    path = write(root, "a.json", HAND_MADE)
    store = opened(root)
    store.edit("two", {"priority": 9})
    store.edit("one", {"priority": 8})
    assert path.read_text("utf-8") == HAND_MADE.replace('"第二"', '"第二",\n        "priority": 9').replace(
        '"a": 2}}', '"a": 2}, "priority": 8}'
    )


def test_a_field_is_taken_out_with_its_comma(root: Path) -> None:
    path = write(root, "a.json", HAND_MADE)
    opened(root).edit("two", {"judgment": "j"}, remove=["$comment"])
    expected = HAND_MADE.replace('        "$comment": "keep   me",\n', "").replace(
        '"第二"', '"第二",\n        "judgment": "j"'
    )
    assert path.read_text("utf-8") == expected


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf" + HAND_MADE.encode(), HAND_MADE.replace("\n", "\r\n").encode(), HAND_MADE.rstrip().encode()],
)
def test_byte_order_mark_line_ends_and_the_last_line_stay(root: Path, data: bytes) -> None:
    path = write(root, "a.json", data)
    store = opened(root)
    store.edit("two", {"priority": 9})
    store.edit("two", {}, remove=["priority"])
    assert path.read_bytes() == data
    store.put(Case(**case("three")))
    assert path.read_bytes()[:3] == data[:3]
    assert opened(root).snapshot().faults == ()


@pytest.mark.parametrize(
    "content, shape",
    [
        ("[]", "array"), ("[\n]", "array"), ('{"format": 1, "x-a": 1, "cases": []}', "envelope"),
        (json.dumps(case("one")), "one"), (json.dumps([case("one")]), "array"), (json.dumps([case("one"), case("two")], indent=4), "array"),
        ('[\n  {"id": "one", "trigger_conditions": ["always"], "correction": "x"}\n  ,{"id": "two", "trigger_conditions": ["always"], "correction": "x"}]', "array"),
    ],
)  # fmt: skip
def test_a_new_case_goes_to_the_end_of_any_form_of_file_and_out_again(root: Path, content: str, shape: str) -> None:
    path = write(root, "cases.json", content)
    store = opened(root)
    before = list(store.snapshot().cases)
    store.put(Case(**case("new")))
    assert list(store.snapshot().cases) == [*before, "new"]
    assert store.snapshot().faults == ()
    for name in (*before, "new"):
        store.archive(name)
    assert list(store.snapshot().cases) == []
    assert store.snapshot().faults == ()
    if shape == "envelope":
        assert json.loads(path.read_text())["x-a"] == 1


def test_putting_a_case_again_keeps_its_place_its_comment_and_free_fields(root: Path) -> None:
    path = write(root, "a.json", HAND_MADE)
    opened(root).put(Case(id="one", trigger_conditions=("always",), correction="y", priority=2))
    text = path.read_text("utf-8")
    assert text == HAND_MADE.replace('"x",', '"y",').replace('"a": 2}}', '"a": 2}, "priority": 2}')


def test_a_new_case_goes_where_its_type_does_or_where_it_is_told(root: Path) -> None:
    store = opened(root)
    store.put(Case(**case("a")))
    store.put(Case(**case("b", type="rule")))
    store.put(Case(**case("c")), file="team/ours.json")
    paths = {name: loaded.path for name, loaded in store.snapshot().cases.items()}
    assert paths == {"a": "long_term/cases.json", "b": "long_term/rules.json", "c": "long_term/team/ours.json"}
    assert (root / "long_term" / "cases.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "name", ["../x.json", "/etc/x.json", "long_term/../../x.json", "x.txt", ".x.json", "archive/../x.json"]
)
def test_a_case_is_put_nowhere_else(root: Path, name: str) -> None:
    with pytest.raises(StoreError, match="expected a file"):
        opened(root).put(Case(**case("a")), file=name)


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"trigger_conditions": ["oops oops"]}, r"trigger_conditions\[0\]"), ({"priority": 11}, "at most 10"),
        ({"prioriti": 1}, "priority"), ({"correction": float("nan")}, "not JSON compliant|Out of range"), ({"correction": {1, 2}}, "not JSON"),
        ({"id": "two"}, "an id that no other case has"),
    ],
)  # fmt: skip
def test_a_change_that_would_not_serve_is_refused_and_nothing_is_written(root: Path, changes: Any, told: str) -> None:
    path = write(root, "a.json", HAND_MADE)
    with pytest.raises(StoreError, match=told):
        opened(root).edit("one", changes)
    assert path.read_text("utf-8") == HAND_MADE


def test_a_case_that_does_not_serve_can_be_mended(root: Path) -> None:
    write(root, "a.json", [case("a", priority=99)])
    store = opened(root)
    store.edit("a", {"priority": 9})
    assert store.snapshot().cases["a"].case.priority == 9


def test_a_file_that_does_not_parse_is_never_rewritten(root: Path) -> None:
    path = write(root, "cases.json", HAND_MADE)
    store = opened(root)
    store.snapshot()
    path.write_text(HAND_MADE[:80])
    changes: list[Callable[[], None]] = [
        lambda: store.edit("one", {"priority": 1}),
        lambda: store.archive("one"),
        lambda: store.put(Case(**case("n"))),
    ]
    for change in changes:
        with pytest.raises(StoreError, match=r"the file does not serve as it stands: long_term/cases\.json"):
            change()
    assert path.read_text() == HAND_MADE[:80]


def test_nobody_is_told_of_a_case_that_is_not_there(root: Path) -> None:
    store = opened(root)
    changes: list[Callable[[], None]] = [
        lambda: store.edit("no", {}),
        lambda: store.archive("no"),
        lambda: store.restore("no"),
    ]
    for change in changes:
        with pytest.raises(NotFoundError, match="no case called no"):
            change()


def test_an_edit_of_what_has_changed_since_it_was_read_is_refused(root: Path) -> None:
    write(root, "a.json", [case("a")])
    store = opened(root)
    version = store.snapshot().cases["a"].version
    store.edit("a", {"priority": 1}, if_version=version)
    with pytest.raises(StoreError, match="has changed since it was read"):
        store.edit("a", {"priority": 2}, if_version=version)
    assert store.snapshot().cases["a"].case.priority == 1


def test_an_edit_by_hand_in_the_very_moment_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(root, "a.json", [case("a"), case("b")])
    look, times = writing.bytes_of, [0]

    def looking(target: Path) -> bytes | None:
        times[0] += 1
        if times[0] == 1:
            path.write_text(path.read_text().replace("Do b better.", "By hand."))
        return look(target)

    monkeypatch.setattr(writing, "bytes_of", looking)
    store = opened(root)
    store.edit("a", {"priority": 1})
    cases = store.snapshot().cases
    assert (cases["a"].case.priority, cases["b"].case.correction) == (1, "By hand.")


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_text(HAND_MADE, "utf-8")
    target.chmod(0o640)
    (root / "long_term" / "a.json").symlink_to(target)
    opened(root).edit("one", {"priority": 1})
    assert (root / "long_term" / "a.json").is_symlink()
    assert '"priority": 1' in target.read_text("utf-8")
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_case_comes_back_from_the_archive_byte_for_byte(root: Path) -> None:
    path = write(root, "a.json", HAND_MADE)
    store = opened(root)
    store.archive("two", reason="wrong")
    assert "第二" not in path.read_text("utf-8")
    (entry,) = json.loads((root / "archive" / "2026-03-20_retired.json").read_text("utf-8"))
    assert (entry["from"], entry["reason"], entry["archived_at"]) == (
        "long_term/a.json",
        "wrong",
        "2026-03-20T12:00:00+00:00",
    )
    store.restore("two")
    text = path.read_text("utf-8")
    assert HAND_MADE[HAND_MADE.index('{\n        "id": "two"') :].rstrip().rstrip("]").rstrip() in text
    store.restore("two")
    assert path.read_text("utf-8") == text


def test_the_archive_only_grows_and_the_newest_text_comes_back(root: Path) -> None:
    write(root, "cases.json", [case("a", priority=1)])
    store = opened(root)
    store.archive("a")
    store.put(Case(**case("a", priority=2)))
    with pytest.raises(StoreError, match="serves already"):
        store.restore("a")
    store.archive("a")
    store.restore("a")
    assert store.snapshot().cases["a"].case.priority == 2
    assert len(json.loads((root / "archive" / "2026-03-20_retired.json").read_text())) == 2


def test_an_archive_that_cannot_be_read_is_left_and_the_next_file_taken(root: Path) -> None:
    write(root, "cases.json", [case("a")])
    (root / "archive").mkdir()
    (root / "archive" / "2026-03-20_retired.json").write_text("[{")
    store = opened(root)
    store.archive("a")
    assert (root / "archive" / "2026-03-20_retired.json").read_text() == "[{"
    store.restore("a")
    assert list(store.snapshot().cases) == ["a"]


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
@pytest.mark.parametrize("change", ["edit", "put", "archive", "restore"])
def test_trouble_at_any_step_leaves_the_old_files_and_no_temporary_one(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: str, change: str
) -> None:
    write(root, "cases.json", [case("a"), case("gone")])
    store = opened(root)
    store.archive("gone")
    before = {path: path.read_bytes() for path in root.rglob("*.json")}

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    if step == "write":
        monkeypatch.setattr(writing, "replace_file", fail)
    else:
        monkeypatch.setattr(os, step, fail)
        if step == "replace":
            monkeypatch.setattr(exchanging, "_renamed", fail)
    act: Callable[[], None] = {
        "edit": lambda: store.edit("a", {"priority": 1}),
        "put": lambda: store.put(Case(**case("b"))),
        "archive": lambda: store.archive("a"),
        "restore": lambda: store.restore("gone"),
    }[change]
    with pytest.raises(StoreError, match="No space left"):
        act()
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in root.rglob("*.json")} == before
    assert not list(root.rglob(".casebook-*"))


def test_a_move_that_was_cut_between_its_two_writes_is_completed_by_doing_it_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, "cases.json", [case("a"), case("b")])
    store = opened(root)
    done = [0]

    def once(path: Path, data: bytes, still: bytes | None) -> bool:
        done[0] += 1
        if done[0] == 2:
            raise OSError(5, "cut")
        return replace_file(path, data, still)

    monkeypatch.setattr(writing, "replace_file", once)
    with pytest.raises(StoreError):
        store.archive("a")
    assert "a" in store.snapshot().cases
    monkeypatch.undo()
    store.archive("a")
    assert list(store.snapshot().cases) == ["b"]
    assert len(json.loads((root / "archive" / "2026-03-20_retired.json").read_text())) == 1


def test_what_a_killed_writer_left_is_swept_by_the_next(root: Path) -> None:
    write(root, "cases.json", [case("a")])
    left = root / "long_term" / ".casebook-99999999-abc"
    left.write_text("half")
    store = opened(root)
    store.edit("a", {"priority": 1})
    assert not left.exists()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
_OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "d", "键"]), _VALUES, max_size=5)


@settings(max_examples=300)
@given(_OBJECTS, _OBJECTS, st.sets(st.sampled_from(["a", "b", "c", "d", "键", "z"])), st.sampled_from([None, 1, 4]))
def test_an_edit_of_any_object_is_what_a_dict_would_be(old: Any, changes: Any, remove: Any, indent: int | None) -> None:
    text = json.dumps(old, ensure_ascii=False, indent=indent)
    expected = {name: value for name, value in old.items() if name not in remove}
    expected.update(changes)
    done = json.loads(edited(text, changes, remove))
    assert done == expected
    assert list(done) == list(expected)


def test_what_nobody_sees_is_written_by_number() -> None:
    value = {"tool\u202e": ["a\u200bb", "\x85", "\u4e2d\u6587 é 😀"]}
    text = written(value, "  ")
    assert text == '{"tool\\u202e": ["a\\u200bb", "\\u0085", "中文 é 😀"]}'
    assert json.loads(text) == value
