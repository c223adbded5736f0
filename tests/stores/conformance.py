"""What every store must do, whatever it is kept in. A store's own test subclasses this and gives `store` and `other`."""

from collections.abc import Callable

import pytest

from casebook import Case, NotFoundError, StoreError
from casebook.stores.protocol import Store
from tests.stores.folders import case


class StoreConformance:
    """`store` is empty; `other` is the same casebook opened a second time, as another process would."""

    def test_an_empty_store_serves_nothing_and_has_no_faults(self, store: Store) -> None:
        snapshot = store.snapshot()
        assert (dict(snapshot.cases), snapshot.faults, snapshot.generation) == ({}, (), 1)

    def test_what_is_put_serves_with_its_conditions_parsed(self, store: Store) -> None:
        put = Case(**case("a", scope={"user": "ann"}, **{"x-free": [1, {"中": None}]}))
        store.put(put)
        loaded = store.snapshot().cases["a"]
        assert loaded.case == put
        assert len(loaded.conditions) == 1

    def test_the_same_snapshot_comes_back_until_something_changes(self, store: Store, other: Store) -> None:
        store.put(Case(**case("a")))
        first = store.snapshot()
        assert store.snapshot() is first
        other.put(Case(**case("b")))
        second = store.snapshot()
        assert list(second.cases) == ["a", "b"]
        assert second.generation > first.generation
        assert second.cases["a"] == first.cases["a"]

    def test_a_case_is_put_again_in_its_place(self, store: Store) -> None:
        for name in ("a", "b", "c"):
            store.put(Case(**case(name)))
        version = store.snapshot().cases["b"].version
        store.put(Case(**case("b", priority=9)))
        cases = store.snapshot().cases
        assert (list(cases), cases["b"].case.priority) == (["a", "b", "c"], 9)
        assert cases["b"].version != version

    def test_an_edit_changes_what_it_names_and_nothing_else(self, store: Store) -> None:
        store.put(Case(**case("a", judgment="j", **{"x-free": 1})))
        store.edit("a", {"priority": 9}, remove=["judgment"])
        assert store.snapshot().cases["a"].case == Case(**case("a", priority=9, **{"x-free": 1}))

    def test_an_edit_of_another_version_is_refused(self, store: Store) -> None:
        store.put(Case(**case("a")))
        with pytest.raises(StoreError):
            store.edit("a", {"priority": 9}, if_version="0" * 16)

    def test_what_would_not_serve_is_refused(self, store: Store) -> None:
        store.put(Case(**case("a")))
        before = store.snapshot()
        with pytest.raises(StoreError):
            store.put(Case(**case("b", trigger_conditions=["oops oops"])))
        with pytest.raises(StoreError):
            store.edit("a", {"prioriti": 9})
        assert store.snapshot() is before

    def test_an_archived_case_is_silent_and_comes_back_as_it_was(self, store: Store, other: Store) -> None:
        put = Case(**case("a", **{"x-free": 1}))
        store.put(put)
        store.archive("a", reason="wrong")
        assert dict(other.snapshot().cases) == {}
        other.restore("a")
        assert store.snapshot().cases["a"].case == put

    def test_what_is_not_there_is_not_found(self, store: Store) -> None:
        changes: list[Callable[[], None]] = [
            lambda: store.edit("no", {}),
            lambda: store.archive("no"),
            lambda: store.restore("no"),
        ]
        for change in changes:
            with pytest.raises(NotFoundError):
                change()

    def test_a_closed_store_can_be_asked_again(self, store: Store) -> None:
        store.put(Case(**case("a")))
        store.close()
        assert list(store.snapshot().cases) == ["a"]
