"""Many memories: they load within seconds, an edit costs what it changed, and no thread waits while another reads.

By default with 6,000 of them; the figures of DESIGN are measured by `python -m tests.benchmarks`.
"""

from __future__ import annotations

import gc
import json
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

from casebook.stores import memory_entry, memory_file, memory_layout
from casebook.stores.memory_folder import FolderMemories
from casebook.stores.memory_store import Change
from casebook.uncollected import FEW, uncollected
from tests.stores.memory_conformance import NOW, moved

COUNT, PER_FILE = 6_000, 2_000


def entry(number: int, tier: str) -> dict[str, Any]:
    return {
        "id": f"m-{number:06}", "kind": "fact", "text": f"the service {number} listens on port {number % 9999} 你好", "tier": tier,
        "scope": {"project": f"p{number % 20}"}, "source": {"origin": "user", "by": "ann", "session": f"s{number % 100}"},
        "tier_since": f"2026-03-02T10:00:{number % 60:02}.000+00:00", "rule_chain": [{"rule": "R1", "why": "by kind"}],
    }  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for start in range(0, COUNT, PER_FILE):
        folder, tier = (("medium_term", "L2"), ("long_term", "L3"))[start // PER_FILE % 2]
        (tmp_path / folder).mkdir(exist_ok=True)
        text = json.dumps(
            {"memories": [entry(at, tier) for at in range(start, start + PER_FILE)]}, indent=1, ensure_ascii=False
        )
        (tmp_path / folder / f"many-{start}.json").write_text(text, "utf-8")
    return tmp_path


def test_an_edit_of_one_among_many_makes_one_memory_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderMemories(root)
    before = store.snapshot()
    assert len(before.memories) == COUNT
    made: list[str] = []
    real = memory_entry.entry_of

    def noted(text: str, *given: Any, **more: Any) -> Any:
        made.append(text)
        return real(text, *given, **more)

    monkeypatch.setattr(memory_file, "entry_of", noted)
    monkeypatch.setattr(memory_layout, "entry_of", noted)
    file = root / "medium_term" / "many-0.json"
    file.write_text(file.read_text().replace("the service 77 ", "the Service 77 "))
    after = store.snapshot()
    assert len(made) == 1
    changed = {name for name, placed in after.memories.items() if placed is not before.memories[name]}
    assert changed == {"m-000077"}
    a = after.memories["m-000100"].memory
    store.change([Change(a, a.with_changes(tags=["x"])), moved(after.memories["m-000200"].memory, "L3")], NOW)
    assert len(store.snapshot().memories) == COUNT
    assert len(made) == 3


def test_memories_share_what_they_have_in_common(root: Path) -> None:
    memories = [placed.memory for placed in FolderMemories(root).snapshot().memories.values()]
    assert len({id(each.scope) for each in memories}) == 20
    assert len({id(each.source) for each in memories}) == 100
    assert len({id(each.rule_chain[0]) for each in memories}) == 1
    assert len({id(each.model_fields_set) for each in memories}) == 1
    assert memories[0].to_json() == entry(2000, "L3")
    longer = memories[0].with_changes(tags=["x"])
    assert (longer.model_fields_set - memories[0].model_fields_set, memories[1].to_json()) == (
        {"tags"},
        entry(2001, "L3"),
    )


def test_the_collector_walks_few_of_many_memories_and_all_that_the_host_has(root: Path) -> None:
    class Hosts: ...

    cycle = Hosts()
    cycle.itself = cycle  # type: ignore[attr-defined]  # which keeps it until the collector comes
    of_host, frozen = weakref.ref(cycle), gc.get_freeze_count()
    store = FolderMemories(root)
    snapshot = store.snapshot()
    memories = [placed.memory for placed in snapshot.memories.values()]
    watched = [weakref.ref(each) for each in memories[:: COUNT - 1]]
    assert sum(map(gc.is_tracked, memories)) == FEW
    assert sum(map(gc.is_tracked, snapshot.memories.values())) == FEW
    del cycle
    gc.collect()
    assert (of_host(), gc.get_freeze_count()) == (None, frozen)
    del snapshot, store, memories
    assert [each() for each in watched] == [None, None]  # they go without the collector, when nobody holds them


def test_what_has_nothing_to_be_walked_is_passed_over() -> None:
    uncollected("text", 7, None, (), b"bytes", 1.5, object())
    held: list[dict[str, list[int]]] = [{"a": []}]
    uncollected(held, held)
    assert (gc.is_tracked(held), gc.is_tracked(held[0])) == (False, True)


def test_no_thread_waits_long_while_another_loads(root: Path) -> None:
    gaps: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    def load() -> None:
        for _ in range(3):
            FolderMemories(root).snapshot()

    thread = threading.Thread(target=tick)
    thread.start()
    time.sleep(0.2)
    idle = max(gaps)
    gaps.clear()
    load()
    stop.set()
    thread.join()
    assert sorted(gaps)[-2] < max(0.05, 5 * idle)  # one gap may be another process's
