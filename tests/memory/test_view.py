"""Recall over layers: whose memories, which of them, in which order, and what is read when."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casebook.memory import Memory
from casebook.runtime.memory import backstage, indices, view
from casebook.runtime.memory.view import MemoryView
from casebook.stores.memory_store import MemorySnapshot
from tests.memory.stores import Held, memory, principal

AT = datetime(2026, 4, 1, 12, tzinfo=UTC)
NOBODY = principal()
LARGE = view._READ_AT_ONCE + 1


def found(over: MemoryView, query: str, who: Any = NOBODY, **more: Any) -> list[str]:
    return [hit.memory.id for hit in over.search(query, who, more.pop("at", AT), limit=more.pop("limit", 5), **more)]


def kafka(memory_id: str, **fields: Any) -> Memory:
    return memory(memory_id, "Kafka keeps the order events", **fields)


# -- whose -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scope, who, is_found",
    [
        ({}, principal(), True),
        ({"user": "ann"}, principal("ann"), True),
        ({"user": "ann"}, principal("bob"), False),
        ({"user": "ann"}, principal(), False),
        ({"project": "shop"}, principal("ann", "shop"), True),
        ({"project": "shop"}, principal("ann", "site"), False),
        ({"user": "ann", "project": "shop"}, principal("ann"), False),
        ({"team": "blue"}, principal(teams=["red", "blue"]), True),
        ({"team": "blue"}, principal(teams=["red"]), False),
        ({"agent": "coder"}, principal(agent="coder"), True),
        ({"agent": "coder"}, principal(agent="writer"), False),
        ({"user": "Zoë"}, principal("Zoë"), True),  # one is composed, the other is not: the principal is NFC
    ],
)
def test_only_what_is_within_scope_is_found(scope: dict[str, str], who: Any, is_found: bool) -> None:
    over = MemoryView([Held(kafka("m", scope=scope))])
    assert found(over, "kafka", who) == (["m"] if is_found else [])
    assert [hit.memory.id for hit in over.reachable(who, AT)] == (["m"] if is_found else [])


def test_of_equal_ids_the_first_layer_wins_among_those_within_scope() -> None:
    own = Held(kafka("m", scope={"user": "ann"}), layer="user")
    shared = Held(kafka("m"), kafka("n"), layer="project")
    over = MemoryView([own, shared])
    by_id = {hit.memory.id: hit.layer for hit in over.search("kafka", principal("ann"), AT, limit=5)}
    assert by_id == {"m": "user", "n": "project"}
    assert [(hit.memory.id, hit.layer) for hit in over.search("kafka", principal("bob"), AT, limit=1)] == [
        ("m", "project")
    ]
    own.drop("m")
    assert {hit.layer for hit in over.search("kafka", principal("ann"), AT, limit=5)} == {"project"}


def test_a_memory_that_changes_hands_is_found_by_its_new_owner_alone() -> None:
    store = Held(kafka("m", scope={"user": "ann"}), memory("other", "Redis holds sessions"))
    over = MemoryView([store])
    assert found(over, "kafka", principal("ann")) == ["m"]
    store.put(kafka("m", scope={"user": "bob"}))
    for wait in (False, True):
        assert found(over, "kafka", principal("ann"), wait=wait) == []
        assert found(over, "kafka", principal("bob"), wait=wait) == ["m"]


# -- which -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["to_judge", "disabled", "archived"])
def test_only_the_active_is_found(status: str) -> None:
    store = Held(kafka("m"), kafka("n", status=status))
    over = MemoryView([store])
    assert found(over, "kafka") == ["m"]
    assert [hit.memory.id for hit in over.reachable(NOBODY, AT)] == ["m"]
    store.put(kafka("m", status=status), kafka("n"))
    assert found(over, "kafka", wait=False) == ["n"]


@pytest.mark.parametrize(
    "written, zone, last",
    [
        ("2026-04-01T12:00:00+00:00", "UTC", datetime(2026, 4, 1, 12, tzinfo=UTC)),
        ("2026-04-03", "Asia/Shanghai", datetime(2026, 4, 2, 16, tzinfo=UTC)),
    ],
)
def test_a_memory_is_silent_from_the_instant_at_which_it_expires(written: str, zone: str, last: datetime) -> None:
    over = MemoryView([Held(kafka("m", expires_at=written))], zone)
    before = last - timedelta(microseconds=1)
    assert found(over, "kafka", at=before) == ["m"]
    assert [hit.memory.id for hit in over.reachable(NOBODY, before)] == ["m"]
    assert found(over, "kafka", at=last) == []
    assert over.reachable(NOBODY, last) == ()


def test_kinds_and_ids_that_are_not_wanted_make_room_for_others() -> None:
    over = MemoryView([Held(kafka("a"), kafka("b", kind="rule"), kafka("c"))])
    assert found(over, "kafka", kinds=["rule"]) == ["b"]
    assert found(over, "kafka", exclude={"a", "b"}) == ["c"]
    assert found(over, "kafka", exclude={"a"}, limit=1) == ["b"]
    assert [hit.memory.id for hit in over.reachable(NOBODY, AT, kinds=["rule"])] == ["b"]


@pytest.mark.parametrize("query", ["", " ", "the", "的", "?!", "nothing of it"])
def test_a_question_that_shares_no_word_finds_nothing(query: str) -> None:
    over = MemoryView([Held(kafka("m"))])
    assert found(over, query) == []
    assert found(over, query, floor=False) == []


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_is_found_where_nothing_is_asked_for(limit: int) -> None:
    assert MemoryView([Held(kafka("m"))]).search("kafka", NOBODY, AT, limit=limit) == ()


def test_where_there_are_no_memories_nothing_is_found_and_no_index_is_made() -> None:
    for over in (MemoryView([]), MemoryView([Held()]), MemoryView([Held(kafka("m", status="disabled"))])):
        assert over.is_empty()
        assert found(over, "kafka") == []
    assert not MemoryView([Held(kafka("m"))]).is_empty()


# -- in which order ----------------------------------------------------------------------------------------------------


def test_the_nearest_comes_first_then_the_newer_then_by_id() -> None:
    over = MemoryView(
        [
            Held(
                kafka("c", created_at="2026-01-01"),
                kafka("b", created_at="2026-01-01"),
                kafka("d", created_at="2026-02-01"),
                memory("near", "Kafka", created_at="2020-01-01"),
                memory("none", "Kafka keeps the order events", created_at=None),
            )
        ]
    )
    assert found(over, "kafka", floor=False) == ["near", "d", "b", "c", "none"]


def test_in_a_page_of_text_the_rare_words_find() -> None:
    usual = [f"usual{n}" for n in range(300)]
    over = MemoryView([Held(memory("wanted", "quagga marmot"), *(memory(f"m{n}", " ".join(usual)) for n in range(3)))])
    page = " ".join([*(f"unheard{n}" for n in range(300)), *usual, "quagga", "marmot"])
    assert "wanted" in found(over, page, floor=False)
    assert found(over, page.replace("usual", "other")) == ["wanted"]


def test_equal_ones_in_any_number_keep_their_order() -> None:
    over = MemoryView([Held(*(kafka(f"m{n:03}") for n in reversed(range(200))))])
    wanted = [f"m{n:03}" for n in range(200)]
    assert found(over, "kafka", limit=200, floor=False) == wanted
    assert found(over, "kafka", limit=40) == wanted[:40]


def test_a_hit_says_where_it_stands_and_how_near_it_is() -> None:
    (hit,) = MemoryView([Held(kafka("m"), layer="project")]).search("kafka order events", NOBODY, AT, limit=3)
    assert (hit.path, hit.layer, hit.share) == ("medium_term/recent_learnings.json", "project", 1.0)
    assert hit.score > 0


# -- what is read when -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wait", [False, True])
def test_a_small_change_is_seen_by_the_next_question(wait: bool) -> None:
    store = Held(kafka("m"), memory("r", "Redis holds the sessions"))
    over = MemoryView([store])
    assert found(over, "kafka", wait=wait) == ["m"]
    store.put(kafka("n"), memory("r", "Redis was dropped for Kafka"))
    assert sorted(found(over, "kafka", wait=wait)) == ["m", "n", "r"]
    assert found(over, "redis sessions", wait=wait, floor=False) == ["r"]
    store.put(memory("m", "RabbitMQ was dropped"))
    assert found(over, "kafka rabbitmq", wait=wait, floor=False)[0] == "m"
    assert sorted(found(over, "kafka", wait=wait)) == ["n", "r"]
    store.drop("n", "r")
    assert found(over, "kafka", wait=wait) == []


def test_fields_beside_the_text_are_told_as_they_stand() -> None:
    store = Held(kafka("m"))
    over = MemoryView([store])
    assert found(over, "kafka") == ["m"]
    store.put(kafka("m", pinned=True))
    assert [hit.memory.pinned for hit in over.search("kafka", NOBODY, AT, limit=1, wait=False)] == [True]


def test_the_first_memory_that_has_a_word_is_found_too() -> None:
    store = Held(memory("m", "的"))
    over = MemoryView([store])
    assert found(over, "kafka", wait=False) == []
    store.put(kafka("n"))
    assert found(over, "kafka", wait=False) == ["n"]


def test_many_small_changes_are_seen_one_after_another() -> None:
    store = Held(kafka("m"))
    over = MemoryView([store])
    for n in range(3 * indices._FRESH):
        store.put(memory(f"n{n}", f"marmot{n} likes hay"))
        assert found(over, f"marmot{n}", wait=False) == [f"n{n}"]
    assert found(over, "marmot0", wait=False) == ["n0"]


class Slow(Held):
    """A store whose large reads wait until they may go on."""

    def __init__(self, *memories: Memory) -> None:
        super().__init__(*memories)
        self.may = threading.Event()
        self.may.set()

    def snapshot(self, wait: bool = True) -> MemorySnapshot:
        if self.unread > view._READ_AT_ONCE:
            assert self.may.wait(20)
        return super().snapshot(wait)


def test_while_much_is_read_questions_are_answered_from_what_stands() -> None:
    store = Slow(kafka("m"), memory("soon", "Kafka expires", expires_at="2026-04-02T00:00:00+00:00"))
    over = MemoryView([store])
    assert found(over, "kafka", wait=False) == ["soon", "m"]
    store.may.clear()
    store.put(kafka("n"), unread=LARGE)
    assert found(over, "kafka", wait=False) == ["soon", "m"]
    assert found(over, "kafka", wait=False, at=datetime(2026, 4, 2, tzinfo=UTC)) == ["m"]
    store.may.set()
    over.settled()
    assert found(over, "kafka", wait=False) == ["soon", "m", "n"]


def test_what_somebody_else_has_read_is_taken_in_by_a_thread_where_it_is_much() -> None:
    store = Held(kafka("m"))
    over = MemoryView([store])
    assert found(over, "kafka", wait=False) == ["m"]
    store.put(*(memory(f"n{n}", f"marmot{n} eats hay") for n in range(view._TAKEN_AT_ONCE + 1)), unread=0)
    assert found(over, "marmot7", wait=False) in ([], ["n7"])
    over.settled()
    assert found(over, "marmot7", wait=False) == ["n7"]
    store.put(*(memory(f"o{n}", f"zebra{n} eats hay") for n in range(view._TAKEN_AT_ONCE)), unread=0)
    assert found(over, "zebra7", wait=False) == ["o7"]


def test_many_that_wait_to_be_judged_hold_up_no_change() -> None:
    store = Held(
        kafka("m"), *(memory(f"n{n}", f"marmot{n}", status="to_judge") for n in range(2 * view._TAKEN_AT_ONCE))
    )
    over = MemoryView([store])
    assert found(over, "kafka", wait=False) == ["m"]
    store.put(kafka("n"))
    assert found(over, "kafka", wait=False) == ["m", "n"]
    store.put(memory("n3", "marmot3"))
    assert found(over, "marmot3", wait=False) == ["n3"]


def test_who_waits_gets_what_stands_in_the_store_whatever_its_size() -> None:
    store = Slow(kafka("m"))
    over = MemoryView([store])
    assert found(over, "kafka") == ["m"]
    store.may.clear()
    store.put(kafka("n"), unread=LARGE)
    threading.Timer(0.05, store.may.set).start()
    assert found(over, "kafka") == ["m", "n"]


def test_the_first_question_of_a_process_waits() -> None:
    store = Slow(kafka("m"))
    store.put(unread=LARGE)
    assert found(MemoryView([store]), "kafka", wait=False) == ["m"]


def test_a_large_index_is_made_by_a_thread_while_a_smaller_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indices, "_AT_ONCE", 2)
    monkeypatch.setattr(indices, "_PATIENCE", 0)
    store = Held(*(kafka(f"m{n}") for n in range(5)), kafka("mine", scope={"user": "ann"}))
    over = MemoryView([store])
    everyones = [f"m{n}" for n in range(5)]
    assert found(over, "kafka", wait=False, limit=9) == everyones
    first = found(over, "kafka", principal("ann"), wait=False, limit=9)
    assert first in (everyones, [*everyones, "mine"])
    over.settled()
    assert found(over, "kafka", principal("ann"), wait=False, limit=9) == [*everyones, "mine"]


def test_indices_are_kept_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indices, "_PAIRS", 40)
    store = Held(*(kafka(f"m{n}", scope={"user": f"u{n}"}) for n in range(50)), kafka("all"))
    over = MemoryView([store])
    for n in range(50):
        assert found(over, "kafka", principal(f"u{n}")) == ["all", f"m{n}"]
    kept = over._indices._kept.values()
    assert 1 <= len(kept) < 50
    assert sum(each.index.size for each in kept if each.index) <= 40


def test_who_reaches_the_same_memories_shares_an_index() -> None:
    over = MemoryView([Held(kafka("m"))])
    for n in range(9):
        assert found(over, "kafka", principal(f"u{n}")) == ["m"]
    assert len(over._indices._kept) == 1


def test_a_trouble_of_a_reading_thread_is_logged_and_the_rest_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Held):
        def snapshot(self, wait: bool = True) -> MemorySnapshot:
            if self.unread > view._READ_AT_ONCE:
                self.unread = 0
                raise OSError("no")
            return super().snapshot(wait)

    store = Broken(kafka("m"))
    over = MemoryView([store])
    assert found(over, "kafka", wait=False) == ["m"]
    store.put(kafka("n"), unread=LARGE)
    assert found(over, "kafka", wait=False) == ["m"]
    over.settled()
    assert found(over, "kafka", wait=False) == ["m", "n"]
    assert "memories were not read anew" in caplog.text


def test_many_threads_may_ask_while_memories_change() -> None:
    store = Held(*(kafka(f"m{n}") for n in range(20)))
    over = MemoryView([store])
    stop, troubles = threading.Event(), []

    def ask() -> None:
        while not stop.is_set():
            try:
                got = found(over, "kafka", wait=False, limit=50)
                assert len(got) == len(set(got)) >= 20
            except BaseException as error:  # noqa: BLE001 - told below
                troubles.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    for n in range(200):
        store.put(memory(f"n{n}", f"Kafka {n}"), unread=LARGE if n % 3 == 0 else 1)
    stop.set()
    for each in threads:
        each.join()
    assert not troubles
    assert len(found(over, "kafka", limit=500, floor=False)) == 220


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_forked_while_much_is_read_answers_for_itself() -> None:
    store = Slow(kafka("m"))
    over = MemoryView([store])
    assert found(over, "kafka") == ["m"]
    store.may.clear()
    store.put(kafka("n"), unread=LARGE)
    assert found(over, "kafka", wait=False) == ["m"]
    child = os.fork()
    if child == 0:
        status = 1
        try:
            store.may = threading.Event()
            store.may.set()
            if found(over, "kafka", wait=False) == ["m"] and found(over, "kafka") == ["m", "n"]:
                status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    store.may.set()
    over.settled()
    assert found(over, "kafka") == ["m", "n"]


def test_closing_waits_for_no_thread_that_reads() -> None:
    store = Slow(kafka("m"))
    over = MemoryView([store])
    assert found(over, "kafka") == ["m"]
    store.may.clear()
    store.put(kafka("n"), unread=LARGE)
    assert found(over, "kafka", wait=False) == ["m"]
    over.close()
    store.may.set()
    over.settled()


def test_what_is_outdated_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backstage, "_FEW", 10)
    store = Held(*(kafka(f"m{n}") for n in range(300)))
    over = MemoryView([store])
    assert found(over, "kafka", limit=1)
    old = [weakref.ref(entry.memory) for entry in over._standing.layers[0].values()] if over._standing else []
    store.put(*(memory(f"m{n}", "Redis holds sessions") for n in range(300)))
    assert found(over, "redis", limit=1)
    over.settled()
    gc.collect()
    assert len(old) == 300
    assert [each for each in old if each() is not None] == []


def test_closed_and_asked_again_it_reads_again() -> None:
    over = MemoryView([Held(kafka("m"))])
    assert found(over, "kafka") == ["m"]
    over.close()
    assert found(over, "kafka") == ["m"]
