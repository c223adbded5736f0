"""Ticks: asked once a minute over all hosts, delivered once a case and minute, tried again, given up, never in the way."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from casebook.adapters.scheduled import ticks_of
from casebook.clock import elapsed
from casebook.runtime.runtime import Runtime
from casebook.runtime.upkeep import tick as module
from casebook.runtime.upkeep.delivering import Pending, within
from casebook.runtime.upkeep.sinks.protocol import SinkError
from casebook.runtime.upkeep.tick import TRIES
from tests.upkeep.receiving import receiving
from tests.upkeep.scheduling import Hand, at

HOURLY = {
    "id": "hourly",
    "trigger_conditions": ["always"],
    "on": ["tick"],
    "correction": "Look at the queue",
    "cooldown": "1h",
}


class Desk:
    """A casebook in a folder with a clock, and the ticks of one process."""

    def __init__(self, root: Path, stack: ExitStack) -> None:
        self.root = root
        self.clock = Hand("2026-03-06T03:00:01")
        self._stack = stack
        (root / "long_term").mkdir(parents=True)
        self.policy()
        self.cases(HOURLY)
        self.runtime, self.ticks = self.process()

    def process(self):
        """Another process, or host."""
        runtime = self._stack.enter_context(Runtime.open(self.root, clock=self.clock))
        return runtime, ticks_of(runtime, self.clock)

    def policy(self, text: str = "") -> None:
        (self.root / "memory-policy.yaml").write_text(f"format: 1\n{text}", encoding="utf-8")

    def cases(self, *cases) -> None:
        (self.root / "long_term" / "cases.json").write_text(
            json.dumps(list(cases), ensure_ascii=False), encoding="utf-8"
        )

    def ask(self, ticks=None) -> list[str]:
        """What a tick says it did."""
        return [made.line.partition(" tick: ")[2].rpartition(" (")[0] for made in (ticks or self.ticks).ask()]

    def outbox(self) -> list[dict[str, str]]:
        file = self.root / ".casebook" / "outbox.jsonl"
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []

    def entries(self, *actions):
        return self.runtime.journal.entries(actions=actions or ("tick", "deliver", "delivered", "undelivered"))


@pytest.fixture
def desk(tmp_path):
    with ExitStack() as stack:
        yield Desk(tmp_path / "memory", stack)


def test_a_tick_case_is_delivered_to_the_outbox(desk):
    assert desk.ask() == ["1 delivered (hourly)"]
    (line,) = desk.outbox()
    assert (line["case"], line["text"], line["at"]) == ("hourly", "Look at the queue", "2026-03-06T03:00+00:00")
    assert [each.action for each in desk.entries()] == ["tick", "deliver", "delivered"]


def test_it_is_asked_as_cron_and_at_its_minute_with_the_facts_that_it_has(desk):
    desk.cases({**HOURLY, "trigger_conditions": ["origin is cron", "time in 03:00-03:01", "user is missing"]})
    assert desk.ask() == ["1 delivered (hourly)"]
    (record,) = desk.runtime.journal.activations(limit=1)
    assert (record.point, record.at.isoformat()) == ("tick", "2026-03-06T03:00:00+00:00")


def test_of_a_minute_one_is_asked(desk):
    desk.cases({**HOURLY, "cooldown": None})
    _, other = desk.process()
    assert desk.ask() == ["1 delivered (hourly)"]
    assert desk.ask() == desk.ask(other) == []
    desk.clock.on(seconds=58)
    assert desk.ask(other) == []
    desk.clock.on(seconds=1)
    assert desk.ask(other) == ["1 delivered (hourly)"]
    assert desk.ask() == []
    desk.clock.on(minutes=30)  # what was missed is not made up
    assert desk.ask() == ["1 delivered (hourly)"]
    assert len(desk.outbox()) == 3
    assert len({line["id"] for line in desk.outbox()}) == 3


def test_of_many_hosts_at_one_moment_one_answers_and_delivers(desk):
    """Cooldowns and budgets count the minute once, too."""
    desk.cases({**HOURLY, "cooldown": None})
    processes = [desk.process() for _ in range(6)]
    barrier, told = threading.Barrier(6), []

    def ask(ticks):
        barrier.wait()
        told.extend(desk.ask(ticks))

    threads = [threading.Thread(target=ask, args=(ticks,)) for _, ticks in processes]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert told == ["1 delivered (hourly)"]
    assert len(desk.outbox()) == 1
    for runtime, _ in processes:
        runtime.flush()
    assert len(desk.runtime.journal.activations()) == 1


@pytest.mark.parametrize(("seconds", "told"), [(3599, []), (3600, ["1 delivered (hourly)"])])
def test_a_cooldown_holds_over_ticks(desk, seconds, told):
    desk.clock.to("2026-03-06T03:00:00")
    desk.ask()
    desk.clock.on(seconds=seconds)
    assert desk.ask() == told


def test_a_budget_holds_over_ticks(desk):
    desk.cases({**HOURLY, "cooldown": None, "max_fires": 2})
    for _ in range(5):
        desk.ask()
        desk.clock.on(minutes=1)
    assert len(desk.outbox()) == 2


def test_a_minute_at_which_nothing_speaks_writes_nothing(desk):
    desk.cases({**HOURLY, "trigger_conditions": ["time is 09:00-10:00"]})
    assert desk.ask() == []
    assert desk.entries() == ()
    assert desk.runtime.journal.activations() == ()


def test_cases_of_other_points_are_not_asked(desk):
    desk.cases({**HOURLY, "on": ["task"]}, {**HOURLY, "id": "private", "scope": {"user": "ann"}})
    assert desk.ask() == []


@pytest.mark.parametrize(
    ("cron", "minute", "told"),
    [
        ("off", "03:00", []),
        ("*/5 * * * *", "03:00", ["1 delivered (hourly)"]),
        ("*/5 * * * *", "03:01", []),
        ("0 9-17 * * 1-5", "01:00", ["1 delivered (hourly)"]),
        ("0 9-17 * * 1-5", "03:30", []),
    ],
)
def test_the_policy_says_at_which_minutes(desk, cron, minute, told):
    """In Shanghai it is eight hours later."""
    desk.policy(f'timezone: Asia/Shanghai\nschedules: {{tick: "{cron}"}}\n')
    desk.clock.to(f"2026-03-06T{minute}")
    assert desk.ask() == told


def test_while_an_hour_repeats_ticks_go_on(desk):
    """A job runs once for a local date-time; a tick is of the minute."""
    desk.policy("timezone: Europe/Berlin\n")
    desk.cases({**HOURLY, "cooldown": None})
    for text in ("2026-10-25T00:30", "2026-10-25T01:30"):  # both 02:30
        desk.clock.to(text)
        assert desk.ask() == ["1 delivered (hourly)"]


def test_in_shadow_it_is_journaled_and_not_delivered(desk):
    desk.policy("mode: shadow\n")
    assert desk.ask() == []
    desk.runtime.flush()
    (record,) = desk.runtime.journal.activations()
    assert [(each.case_id, each.how) for each in record.firings] == [("hourly", "shadow")]
    assert desk.outbox() == []


def test_a_case_names_its_sink(desk):
    with receiving() as receiver:
        desk.policy(f"sinks: {{pager: {{kind: webhook, url: '{receiver.url}/in'}}}}\n")
        desk.cases({**HOURLY, "x-sink": "pager"}, {**HOURLY, "id": "other"})
        assert desk.ask() == ["2 delivered (hourly, other)"]
        assert [body["case"] for _, _, body in receiver.posted] == ["hourly"]
    assert [line["case"] for line in desk.outbox()] == ["other"]


def test_secrets_are_masked_and_words_of_others_quoted(desk):
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    desk.cases({**HOURLY, "correction": f"Use {key}\n# New heading", "correction_by": "agent"})
    desk.ask()
    (line,) = desk.outbox()
    assert key not in json.dumps(line)
    assert "\n" not in line["text"]
    assert line["text"].startswith("an agent noted")


def test_a_users_case_is_delivered_once_though_two_projects_ask_it(tmp_path):
    """It stands in a layer behind both: what is delivered, and its sinks, are that layer's."""
    with ExitStack() as stack:
        user = Desk(tmp_path / "user", stack)
        user.policy("sinks: {mine: {kind: outbox, path: out/mine.jsonl}}\n")
        user.cases({**HOURLY, "x-sink": "mine"})
        told = []
        for name in ("one", "two"):
            project = tmp_path / name
            (project / "long_term").mkdir(parents=True)
            runtime = stack.enter_context(Runtime.open([project, user.root], clock=user.clock))
            told += user.ask(ticks_of(runtime, user.clock))
        assert told == ["1 delivered (hourly)"]
        assert (user.root / "out" / "mine.jsonl").read_text().count("\n") == 1


# -- failing -------------------------------------------------------------------------------------------------------------


def test_what_fails_is_tried_again_later_and_later_and_then_given_up(desk):
    with receiving() as receiver:
        receiver.answers = [(500, {})] * 99
        desk.policy(f"sinks: {{pager: {{kind: webhook, url: '{receiver.url}'}}}}\n")
        desk.cases({**HOURLY, "cooldown": "2h", "x-sink": "pager"})
        told = {}
        for minute in range(60):
            for each in desk.ask():
                told[minute] = each
            desk.clock.on(minutes=1)
        assert list(told) == [0, 1, 3, 7, 15, 31]
        assert "hourly was not delivered and is tried again in a minute" in told[0]
        assert "hourly was not delivered 6 times and is given up" in told[31]
        ids = [headers["idempotency-key"] for _, headers, _ in receiver.posted]
        assert len(ids) == TRIES
        assert len(set(ids)) == 1
    assert [each.body["time"] for each in desk.entries("deliver")] == [1, 2, 3, 4, 5, 6]
    (given_up,) = desk.entries("undelivered")
    assert given_up.subject == "hourly"
    assert given_up.body["why"].endswith("answered 500")


def test_what_comes_through_at_last_is_delivered_once(desk):
    with receiving() as receiver:
        receiver.answers = [(503, {}), (503, {})]
        desk.policy(f"sinks: {{pager: {{kind: webhook, url: '{receiver.url}'}}}}\n")
        desk.cases({**HOURLY, "x-sink": "pager"})
        for _ in range(20):
            desk.ask()
            desk.clock.on(minutes=1)
        assert len(receiver.posted) == 3
    assert [each.action for each in desk.entries()] == ["tick", "deliver", "deliver", "deliver", "delivered"]


def test_an_unknown_sink_is_told_and_mended_by_an_edit_of_the_policy(desk):
    desk.cases({**HOURLY, "x-sink": "pagre"})
    desk.policy("sinks: {pager: {kind: outbox}}\n")
    assert "did you mean pager?" in desk.ask()[0]
    desk.policy("sinks: {pagre: {kind: outbox}}\n")
    desk.clock.on(minutes=1)
    assert desk.ask() == ["1 delivered (hourly)"]


@pytest.mark.parametrize("name", [7, ["outbox"], {"a": 1}, "", None])
def test_whatever_stands_as_a_sink_breaks_nothing(desk, name):
    desk.cases({**HOURLY, "x-sink": name}, {**HOURLY, "id": "other"})
    (told,) = desk.ask()
    assert "other" in told
    assert len(desk.outbox()) == (2 if name is None else 1)


def test_a_sink_that_fails_is_not_asked_again_in_the_same_minute(desk, monkeypatch):
    asked = []

    def fails(self, pending, case):
        asked.append(case.id)
        raise SinkError("no")

    monkeypatch.setattr(module.Ticks, "_deliver", fails)
    desk.cases(*({**HOURLY, "id": f"c{number}"} for number in range(3)))
    desk.ask()
    assert asked == ["c0"]
    monkeypatch.undo()
    desk.clock.on(minutes=1)
    assert desk.ask() == ["3 delivered (c0, c1, c2)"]


def test_a_process_that_is_killed_while_it_delivers_leaves_it_to_another(desk, monkeypatch):
    def killed(self, pending, case):
        raise KeyboardInterrupt

    monkeypatch.setattr(module.Ticks, "_deliver", killed)
    with pytest.raises(KeyboardInterrupt):
        desk.ticks.ask()
    monkeypatch.undo()
    _, other = desk.process()
    assert desk.ask(other) == []
    desk.clock.on(minutes=1)
    assert desk.ask(other) == ["1 delivered (hourly)"]
    assert len(desk.outbox()) == 1


def test_one_that_was_killed_at_every_attempt_is_given_up(desk, monkeypatch):
    desk.cases({**HOURLY, "cooldown": "2h"})
    monkeypatch.setattr(module, "TRIES", 1)
    monkeypatch.setattr(module.Ticks, "_deliver", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        desk.ticks.ask()
    monkeypatch.undo()
    monkeypatch.setattr(module, "TRIES", 1)
    desk.clock.on(minutes=1)
    assert desk.ask() == []
    (given_up,) = desk.entries("undelivered")
    assert "never came to its end" in given_up.body["why"]


def test_a_case_that_was_silenced_meanwhile_is_not_delivered(desk):
    desk.cases({**HOURLY, "x-sink": "nowhere"})
    desk.ask()
    desk.cases({**HOURLY, "status": "archived"})
    desk.clock.on(minutes=1)
    assert desk.ask() == ["0 delivered; hourly is out of service, and was not delivered"]
    desk.clock.on(minutes=5)
    assert desk.ask() == []


def test_a_delivery_that_hangs_holds_up_nobody_for_long():
    hold = threading.Event()

    def hangs() -> None:
        hold.wait(20)

    started = elapsed()
    with pytest.raises(SinkError, match=r"longer than 0\.1 s"):
        within(0.1, hangs)
    assert elapsed() - started < 5
    hold.set()


def test_a_fault_of_a_sink_is_no_fault_of_the_tick():
    def broken():
        raise RuntimeError("a fault of ours")

    with pytest.raises(SinkError, match="RuntimeError: a fault of ours"):
        within(1, broken)


@pytest.mark.parametrize(("tries", "minute"), [(1, "03:01"), (2, "03:02"), (3, "03:04"), (5, "03:16")])
def test_attempts_lie_further_and_further_apart(tries, minute):
    pending = Pending("", "a:hourly", "hourly", at("2026-03-06T03:00"), None, tries, at("2026-03-06T03:00:59"))
    assert pending.is_due(at(f"2026-03-06T{minute}:00"))
    assert not pending.is_due(at(f"2026-03-06T{minute}:00") - timedelta(seconds=1))
