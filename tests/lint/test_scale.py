"""The lint of a large casebook takes seconds, and says what it left out."""

from __future__ import annotations

import random
import time

from casebook.case import Case, LoadedCase
from casebook.conditions.parse import parse
from casebook.policy import Policy
from casebook.runtime.lint import lint
from casebook.stores.protocol import Snapshot

CASES = 10_000
SECONDS = 20
"""Of processor time; about 4 on the machine it was measured on."""


def _condition(random_: random.Random) -> str:
    hour = random_.randrange(24)
    return random_.choice(
        [
            f'tool is "tool_{random_.randrange(60)}"',
            f'intent is "intent_{random_.randrange(80)}"',
            f'project in ["p{random_.randrange(40)}", "q{random_.randrange(40)}"]',
            f'text contains "deploy {random_.randrange(99)}"',
            f"time between {hour:02d}:00 and {(hour + 8) % 24:02d}:00",
            f"session.errors >= {random_.randrange(1, 5)}",
            f'earlier error where tool is "tool_{random_.randrange(60)}" within 30m',
        ]
    )


def test_ten_thousand_cases_are_linted_in_seconds():
    random_ = random.Random(1)
    cases = {}
    for number in range(CASES):
        texts = tuple(dict.fromkeys(_condition(random_) for _ in range(3)))
        form = {"id": f"c{number}", "trigger_conditions": texts, "correction": f"Mind {number % 3000}."}
        nodes = tuple(parse(text) for text in texts)
        cases[f"c{number}"] = LoadedCase(Case.from_json(form), nodes, "UTC", None, None, "a.json", number, "", "v")
    snapshot = Snapshot(1, cases, (), Policy())
    start = time.process_time()
    faults = lint(snapshot)
    assert time.process_time() - start < SECONDS
    assert any("can never hold" in fault.message for fault in faults)
