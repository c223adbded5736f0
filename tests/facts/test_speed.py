"""Figures, guarded with a wide margin: the best of several runs, so that a busy machine does not matter."""

import time
from datetime import UTC, datetime

from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.facts.intent_table import shipped_entries
from casebook.runtime.facts.intents import intents_of, make_table, table_of
from casebook.runtime.facts.shell import commands
from casebook.task import Task

NOW = datetime(2026, 11, 29, tzinfo=UTC)
POLICY = Policy()


def microseconds(call, rounds=30, times=50):
    call()
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - started) / times)
    return best * 1e6


def test_an_ordinary_command_takes_under_60_microseconds_by_a_margin_of_three():
    assert microseconds(lambda: commands("cd /repo && git -C /repo push origin main 2>&1 | tee out.log")) < 180


def test_the_intent_of_a_short_prompt_takes_under_50_microseconds_by_a_margin_of_three():
    text = (
        "Please have a look at the parser, and then deploy the payments service to staging for the demo tomorrow. " * 2
    )
    assert microseconds(lambda: intents_of(text[:200], table_of(POLICY))) < 150


def test_the_facts_of_an_ordinary_task_take_under_100_microseconds_by_a_margin_of_three():
    args = {"command": "git push origin main", "timeout": 10, "description": "push"}
    named = Task(text="x" * 100, intent="push", tool="Bash", args=args, session="s")
    asked = Task(text="Please deploy the service to staging, " * 3, tool="Bash", args=args, session="s")
    assert microseconds(lambda: extract(named, POLICY, NOW)) < 120
    assert microseconds(lambda: extract(asked, POLICY, NOW)) < 300


def test_a_text_of_100_000_characters_takes_milliseconds():
    text = ("The quick brown fox jumps over the lazy dog; 今天天气不错。" * 3_000)[:100_000]
    assert microseconds(lambda: intents_of(text, table_of(POLICY)), rounds=5, times=1) < 60_000


def test_the_facts_of_an_english_text_of_100_characters_without_an_intent_take_under_70_microseconds_by_a_margin_of_three():
    task = Task(
        text="Have a look at the parser module and tell the others which of these functions are still in use today"
    )
    assert "intent" not in extract(task, POLICY, NOW).values
    assert microseconds(lambda: extract(task, POLICY, NOW)) < 210


def test_the_table_of_intents_is_made_in_under_10_milliseconds_by_a_margin_of_three():
    def make():
        shipped_entries.cache_clear()
        make_table(tuple(shipped_entries().values()))

    try:
        assert microseconds(make, rounds=5, times=1) < 30_000
    finally:
        shipped_entries.cache_clear()
