"""Every number has a property name of its own, in whatever order and by whichever thread it is first asked for."""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from casebook.runtime.matching import names


def test_threads_that_ask_at_once_are_never_given_one_name_for_two_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_names", [])
    monkeypatch.setattr(names, "_hashes", set())
    monkeypatch.setattr(names, "_candidates", (f"p{serial}" for serial in itertools.count()))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(names.property_name, [number for number in range(3000) for _ in range(3)]))
    finally:
        sys.setswitchinterval(interval)
    given = [names.property_name(number) for number in range(3000)]
    assert len({names.fnv1a(name) for name in given}) == len(given)
