"""The activation and its id."""

from __future__ import annotations

import os
import warnings
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from casebook.faults import Fault
from casebook.runtime.answer.activation import Activation, activation_id
from tests.answer.made import NIGHT, loaded


def test_an_activation_prints_as_match_json_says() -> None:
    case = loaded("night", priority=9, effect="block").case
    fault = Fault("cases.json", "expected a time", line=14, column=9, case="case_007", suggestion="06:00")
    activation = Activation(
        "an id",
        (case,),
        ("other",),
        "text",
        "block",
        (fault,),
        "reference",
        warnings=("advice was dropped",),
        held={"shadow": "mode:shadow", "draft": "point:tool"},
    )
    assert activation.to_json() == {
        "matched": [{"id": "night", "correction": "correction of night", "priority": 9, "effect": "block"}],
        "prompt": "text",
        "verdict": "block",
        "omitted": ["other"],
        "quarantined": [{"where": "cases.json:14:9 case_007", "message": "expected a time (06:00)"}],
        "engine": "reference",
    }


def test_an_id_is_a_uuid_of_version_7_that_tells_the_millisecond() -> None:
    made = UUID(activation_id(NIGHT + timedelta(milliseconds=7)))
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    assert datetime.fromtimestamp((made.int >> 80) / 1000, UTC) == NIGHT + timedelta(milliseconds=7)


def test_ids_of_one_instant_differ_and_ids_of_later_instants_sort_after() -> None:
    assert len({activation_id(NIGHT) for _ in range(1000)}) == 1000
    assert activation_id(NIGHT) < activation_id(NIGHT + timedelta(milliseconds=1))


def test_an_instant_before_1970_counts_as_1970() -> None:
    assert activation_id(datetime(1960, 1, 1, tzinfo=UTC)).startswith("00000000-0000-7")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_draws_ids_of_its_own() -> None:
    now = datetime(2026, 3, 20, tzinfo=UTC)
    activation_id(now)
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # there may be threads; the child does nothing but this
        child = os.fork()
    if child == 0:
        os.write(write, activation_id(now).encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(read, 100).decode()
    os.close(read)
    os.close(write)
    assert theirs not in {activation_id(now) for _ in range(1_000)}
