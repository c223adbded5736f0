"""Parsed cases are kept between processes, and a cache that this user did not write is never unpickled."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from casebook import StoreError
from casebook.stores import elements
from casebook.stores.cache import Cache
from casebook.user_state import state_folder
from tests.stores.folders import case, opened, seen, told, write

CONDITIONS = [
    "always", 'args.x in ["a", 2, true]', "time between 22:00 and 06:00 on Mon-Fri", "week between Fri 22:00 and Mon 06:00",
    "date between 2026-03-01 and 2026-03-31", "month in [1, 12]", "day is 1", "weekday is weekend", "text matches /a|b/i",
    "earlier error where tool is this tool within 1h", "count of error >= 2", "not (args.n > 1.5 or args.m exists)",
    {"field": "tool", "op": "is", "value": "shell"},
]  # fmt: skip


@pytest.fixture
def kept(root: Path) -> Path:
    write(
        root,
        "a.json",
        [
            case("a", trigger_conditions=CONDITIONS, created_at="2026-03-20", ttl="30d", **{"x-n": 1}),
            case("b", priority=99),
        ],
    )
    write(
        root,
        "b.json",
        {"format": 1, "cases": [case("c", scope={"user": "ann"}, supersedes=["a"], source={"origin": "author"})]},
    )
    store = opened(root, cache=True)
    store.snapshot()
    store.close()
    return root


def no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("parsed")

    monkeypatch.setattr(elements, "_parsed", refuse)


def test_what_is_read_from_the_cache_is_what_was_read_cold_and_nothing_is_parsed(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = opened(kept).snapshot()
    no_parsing(monkeypatch)
    cached = opened(kept, cache=True).snapshot()
    assert seen(cached) == seen(cold)
    assert [loaded.case.model_fields_set for loaded in cached.cases.values()] == [
        loaded.case.model_fields_set for loaded in cold.cases.values()
    ]
    assert [loaded.case.to_json() for loaded in cached.cases.values()] == [
        loaded.case.to_json() for loaded in cold.cases.values()
    ]


def test_only_what_has_changed_since_is_parsed(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(kept, "b.json", [case("d", trigger_conditions=["tool is shell"])])
    calls: list[Any] = []
    parse = elements._parsed

    def noting(form: Any, reading: Any) -> Any:
        calls.append(form)
        return parse(form, reading)

    monkeypatch.setattr(elements, "_parsed", noting)
    snapshot = opened(kept, cache=True).snapshot()
    assert list(snapshot.cases) == ["a", "d"]
    assert calls == ["tool is shell"]


def test_the_layer_is_the_readers_own(kept: Path) -> None:
    assert opened(kept, cache=True, layer="user").snapshot().cases["a"].layer == "user"
    assert opened(kept, cache=True).snapshot().cases["a"].layer == ""


def test_the_last_good_version_of_a_file_serves_in_another_process_too(kept: Path) -> None:
    good = (kept / "long_term" / "a.json").read_bytes()
    (kept / "long_term" / "a.json").write_bytes(good[:40])
    store = opened(kept, cache=True)
    snapshot = store.snapshot()
    assert list(snapshot.cases) == ["a", "c"]
    assert any("its last good version serves" in line for line in told(snapshot))
    (kept / "long_term" / "a.json").write_bytes(good)
    assert seen(store.snapshot()) == seen(opened(kept).snapshot())
    store.close()
    (kept / "long_term" / "a.json").write_bytes(good[:40])
    assert list(opened(kept, cache=True).snapshot().cases) == ["a", "c"]


class Poison:
    """Runs when it is unpickled."""

    def __reduce__(self) -> Any:
        return (os.mkdir, (str(Path(os.environ["CASEBOOK_STATE_DIR"]) / "poisoned"),))


@pytest.mark.parametrize("keep_mac", [True, False])
def test_a_cache_that_does_not_verify_is_never_unpickled_and_never_told(kept: Path, keep_mac: bool) -> None:
    path = kept / ".casebook" / "compiled.cache"
    head = path.read_bytes()[: 17 + 32] if keep_mac else b"casebook-cache-1\n" + b"\0" * 32
    path.write_bytes(head + pickle.dumps(Poison()))
    snapshot = opened(kept, cache=True).snapshot()
    assert not (state_folder() / "poisoned").exists()
    assert seen(snapshot) == seen(opened(kept).snapshot())


def test_a_cache_copied_from_another_folder_is_ignored(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    (other / "long_term").mkdir(parents=True)
    (other / ".casebook").mkdir()
    (other / ".casebook" / "compiled.cache").write_bytes((kept / ".casebook" / "compiled.cache").read_bytes())
    assert Cache(other)._load() == (None, {})
    assert Cache(kept)._load() != (None, {})


@pytest.mark.parametrize("spoil", [lambda path: path.chmod(0o644), lambda path: path.write_bytes(b"short")])
def test_a_key_that_others_could_read_or_that_is_none_is_not_used(kept: Path, spoil: Any) -> None:
    spoil(state_folder() / "cache.key")
    assert Cache(kept)._load() == (None, {})


def test_key_and_cache_are_the_users_alone_and_git_sees_neither(kept: Path) -> None:
    assert (state_folder() / "cache.key").stat().st_mode & 0o777 == 0o600
    assert (kept / ".casebook" / "compiled.cache").stat().st_mode & 0o777 == 0o600
    assert (kept / ".casebook" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("content", [b"", b"casebook-cache-1\n", b"\0" * 100, None])
def test_a_broken_cache_or_one_that_cannot_be_written_costs_nothing_but_time(kept: Path, content: bytes | None) -> None:
    path = kept / ".casebook" / "compiled.cache"
    path.unlink()
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    store = opened(kept, cache=True)
    assert list(store.snapshot().cases) == ["a", "c"]
    store.close()


def test_a_change_of_the_policy_that_matters_makes_the_cache_useless(kept: Path) -> None:
    (kept / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n")
    snapshot = opened(kept, cache=True).snapshot()
    assert snapshot.cases["a"].zone == "Asia/Shanghai"
    assert seen(snapshot) == seen(opened(kept).snapshot())


def test_a_condition_too_deep_for_pickle_is_parsed_again_and_the_others_are_not(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep: Any = "tool is shell"
    for _ in range(90):
        deep = {"not": deep}
    cases = [case("a"), case("deep", trigger_conditions=[deep]), case("b", trigger_conditions=["tool is edit"])]
    write(root, "a.json", json.dumps(cases))
    store = opened(root, cache=True)
    store.snapshot()
    store.close()
    calls: list[Any] = []
    parse = elements._parsed

    def noting(form: Any, reading: Any) -> Any:
        calls.append(form)
        return parse(form, reading)

    monkeypatch.setattr(elements, "_parsed", noting)
    assert list(opened(root, cache=True).snapshot().cases) == ["a", "deep", "b"]
    assert calls == [deep]


def test_a_folder_that_cannot_be_written_is_served_all_the_same(root: Path) -> None:
    write(root, "a.json", [case("a")])
    (root / ".casebook").write_text("in the way")
    store = opened(root, cache=True)
    assert list(store.snapshot().cases) == ["a"]
    store.close()
    with pytest.raises(StoreError, match="cannot be written"):
        store.edit("a", {"priority": 1})


LATER_POLICIES = [
    "timezone: Asia/Shanghai",
    "fields: {floor: number}",
    "mode: shadow",
    "nonsense: [",
    "timezone: Nowhere/Else",
]


@pytest.mark.parametrize("policy", LATER_POLICIES)
def test_the_last_good_version_of_a_torn_file_outlives_a_change_of_the_policy(policy: str, kept: Path) -> None:
    before = opened(kept).snapshot().cases
    (kept / "memory-policy.yaml").write_text(f"format: 1\n{policy}\n", encoding="utf-8")
    write(kept, "a.json", '[{"id":')
    for _ in range(3):  # each a process
        store = opened(kept, cache=True)
        snapshot = store.snapshot()
        store.close()
        assert {name: loaded.case for name, loaded in snapshot.cases.items()} == {
            name: loaded.case for name, loaded in before.items()
        }
        assert any(
            each.path == "long_term/a.json" and "its last good version serves" in each.message
            for each in snapshot.faults
        )


@pytest.mark.parametrize("between", ["nonsense: [", "timezone: Asia/Shanghai"])
def test_a_policy_that_changed_before_a_file_was_torn_loses_nothing(between: str, kept: Path) -> None:
    before = set(opened(kept).snapshot().cases)
    (kept / "memory-policy.yaml").write_text(f"format: 1\n{between}\n", encoding="utf-8")
    for torn in (False, True):
        if torn:
            write(kept, "a.json", '[{"id":')
        store = opened(kept, cache=True)
        assert set(store.snapshot().cases) == before
        store.close()


def test_what_was_kept_under_another_policy_is_read_anew_once_it_is_whole_again(root: Path) -> None:
    """A time without a zone is another one by then."""
    text = [case("a", trigger_conditions=["time between 09:00 and 10:00"])]
    policy = root / "memory-policy.yaml"
    for zone, content in (("UTC", text), ("Asia/Shanghai", "["), ("Asia/Shanghai", text)):
        policy.write_text(f"format: 1\ntimezone: {zone}\n", encoding="utf-8")
        write(root, "a.json", content)
        store = opened(root, cache=True)
        snapshot = store.snapshot()
        store.close()
        assert snapshot.cases["a"].zone == ("UTC" if content != text or zone == "UTC" else zone)
    assert seen(opened(root, cache=True).snapshot()) == seen(opened(root).snapshot())


def test_a_policy_that_cannot_be_read_leaves_the_last_good_one_in_force_for_other_processes_too(root: Path) -> None:
    policy = root / "memory-policy.yaml"
    write(root, "a.json", [case("a", trigger_conditions=["floor is 3"])])
    for text in ("fields: {floor: number}\non_failure: closed\n", "on_failure: [", "on_failure: ["):
        policy.write_text(text, encoding="utf-8")
        store = opened(root, cache=True)
        snapshot = store.snapshot()
        store.close()
        assert (snapshot.policy.fails_closed, set(snapshot.cases)) == (True, {"a"})
    (fault,) = told(snapshot)
    assert "its last good version serves" in fault
    assert not opened(root).snapshot().policy.fails_closed  # without a cache nobody knows of it
    policy.write_text("format: 1\n", encoding="utf-8")
    assert not opened(root, cache=True).snapshot().policy.fails_closed


def test_a_policy_s_change_alone_is_kept(kept: Path) -> None:
    policy = kept / "memory-policy.yaml"
    for text, mode in (("mode: shadow\n", "shadow"), ("mode: advise\n", "advise"), ("mode: [\n", "advise")):
        policy.write_text(text, encoding="utf-8")
        store = opened(kept, cache=True)
        assert store.snapshot().policy.mode == mode
        store.close()
