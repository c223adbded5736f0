"""Lengths of time, as cases write them."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.duration import duration


@pytest.mark.parametrize(
    "written, length",
    [
        (90, timedelta(seconds=90)),
        (0.5, timedelta(milliseconds=500)),
        ("30d", timedelta(days=30)),
        ("48h", timedelta(hours=48)),
        ("15m", timedelta(minutes=15)),
        ("2w", timedelta(weeks=2)),
        ("45s", timedelta(seconds=45)),
        ("1h30m", timedelta(minutes=90)),
        ("1.5h", timedelta(minutes=90)),
        ("P30D", timedelta(days=30)),
        ("P2W", timedelta(weeks=2)),
        ("PT48H", timedelta(hours=48)),
        ("P1DT12H30M5.5S", timedelta(days=1, hours=12, minutes=30, seconds=5.5)),
    ],
)
def test_each_form_is_read(written: object, length: timedelta) -> None:
    assert duration(written) == length


@pytest.mark.parametrize(
    "written, told",
    [
        ("P1M", "without months and years"),
        ("P1Y", "without months and years"),
        ("P1Y2M3DT4H", "without months and years"),
        ("30 d", "expected seconds"),
        ("30", "expected seconds"),
        ("d", "expected seconds"),
        ("", "expected seconds"),
        ("P", "expected seconds"),
        ("PT", "expected seconds"),
        ("P1DT", "expected seconds"),
        ("-1d", "expected seconds"),
        ("1m1h", "the longest first"),
        ("1h1h", "each unit once"),
        ("٣d", "expected seconds"),
        ("30d\n", "expected seconds"),
        ("0s", "above zero"),
        (0, "above zero"),
        (-5, "above zero"),
        (True, "expected seconds"),
        (None, "expected seconds"),
        ([30], "expected seconds"),
        (float("nan"), "expected a length"),
        (float("inf"), "2,700,000 years"),
        (10**400, "2,700,000 years"),
        ("99999999999999d", "2,700,000 years"),
        ("9" * 400 + "d", "2,700,000 years"),
    ],
)
def test_what_is_no_length_is_refused_with_what_was_expected(written: object, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        duration(written)


@given(st.one_of(st.text(alphabet="PTWDHMSwdhms0123456789.-+ ", max_size=20), st.integers(), st.floats()))
def test_any_text_or_number_is_a_positive_length_or_a_value_error(written: object) -> None:
    with suppress(ValueError):
        assert duration(written) > timedelta(0)
