"""The scheduler over a real casebook: a run that is asked to end is completed by the next, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event

from casebook.adapters.scheduled import books_of, scheduler_of
from casebook.clock import system_clock
from casebook.runtime.runtime import Runtime
from casebook.runtime.upkeep.claimed import run_due
from casebook.runtime.upkeep.made import Made
from tests.upkeep.scheduling import Hand

MEMORIES = 900
"""More than two chunks."""


def expired(root: Path) -> Path:
    """A casebook of memories whose 48 hours are over."""
    (root / "short_term").mkdir(parents=True)
    (root / "long_term").mkdir()
    (root / "memory-policy.yaml").write_text('format: 1\nschedules: {expire: "* * * * *", tick: "off"}\n')
    since = "2026-03-01T00:00:00+00:00"
    memories = [
        {
            "id": f"m-{n:012x}",
            "kind": "fact",
            "text": f"fact {n}",
            "tier": "L1",
            "created_at": since,
            "tier_since": since,
        }
        for n in range(MEMORIES)
    ]
    (root / "short_term" / "session_a.json").write_text(json.dumps({"format": 1, "memories": memories}))
    return root


def test_a_run_that_is_asked_to_end_between_two_chunks_is_completed_by_the_next(tmp_path):
    clock, asked = Hand("2026-03-06T03:30"), []

    def is_stopping():
        asked.append(1)
        return True

    with Runtime.open(expired(tmp_path / "memory"), clock=clock) as runtime:
        (made,) = run_due(books_of(runtime, clock, is_stopping), clock, lambda _: None, jobs=("expire",))
        left = len(runtime.desks()[0].memories.memories)
        assert "asked to end; the next run completes it" in made.line
        assert (len(asked), 0 < left < MEMORIES) == (1, True)
        clock.on(minutes=5)
        (made,) = run_due(books_of(runtime, clock), clock, lambda _: None, jobs=("expire",))
        assert f"{left} expired" in made.line
        (desk,) = runtime.desks()
        assert len(desk.memories.memories) == 0
        assert len(list(desk.store.archived())) == MEMORIES
        for slot in ("03:30", "03:35"):
            assert desk.journal.entry(f"ran:expire:2026-03-06T{slot}") is not None


def test_the_scheduler_of_a_runtime_keeps_it_up_and_stops(tmp_path):
    told: list[Made] = []
    was_told = Event()

    def tell(made: Made) -> None:
        told.append(made)
        was_told.set()

    with Runtime.open(expired(tmp_path / "memory")) as runtime:
        scheduler = scheduler_of(runtime, system_clock, tell)
        scheduler.start()
        assert was_told.wait(20)
        assert scheduler.stop()
    assert told[0].line.partition(" expire: ")[2].startswith("900 expired")


def test_every_layer_is_kept_up_by_its_own_policy_and_once_whoever_asks(tmp_path):
    clock = Hand("2026-03-06T03:00")
    for name, schedules in (("one", 'age: "0 3 * * *"'), ("user", 'age: "off", promote: "0 3 * * *"')):
        (tmp_path / name / "long_term").mkdir(parents=True)
        (tmp_path / name / "memory-policy.yaml").write_text(
            f'format: 1\nschedules: {{{schedules}, expire: "off", hygiene: "off"}}\n'
        )
    found = []
    for layers in (["one", "user"], ["user", "one"]):
        with Runtime.open([tmp_path / each for each in layers], clock=clock) as runtime:
            found += [f"{made.layer} {made.job}" for made in run_due(books_of(runtime, clock), clock, lambda _: None)]
    assert found == ["one age", "user promote"]
