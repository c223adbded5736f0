"""Dates, instants and zones."""

from datetime import UTC, datetime

import pytest

from casebook.instants import instant, is_zone, nearest_zone


@pytest.mark.parametrize(
    "text, zone, expected",
    [
        ("2026-03-20", "UTC", datetime(2026, 3, 20, tzinfo=UTC)),
        ("2026-03-20", "Asia/Shanghai", datetime(2026, 3, 19, 16, tzinfo=UTC)),
        ("2026-03-20T09:00", "Asia/Shanghai", datetime(2026, 3, 20, 1, tzinfo=UTC)),
        ("2026-03-20T09:00:00+02:00", "Asia/Shanghai", datetime(2026, 3, 20, 7, tzinfo=UTC)),
        ("2026-03-20T09:00:00Z", "Asia/Shanghai", datetime(2026, 3, 20, 9, tzinfo=UTC)),
    ],
)
def test_a_bare_date_is_midnight_in_the_zone_and_an_offset_counts_before_it(
    text: str, zone: str, expected: datetime
) -> None:
    assert instant(text, zone) == expected


@pytest.mark.parametrize(
    "text, zone", [("yesterday", "UTC"), ("2026-02-30", "UTC"), ("0001-01-01", "Asia/Shanghai"), ("", "UTC")]
)
def test_what_is_no_instant_is_a_value_error(text: str, zone: str) -> None:
    with pytest.raises(ValueError, match="expected an"):
        instant(text, zone)


@pytest.mark.parametrize(
    "name", ["", "Asia/Shangai", "../etc/passwd", "/etc/localtime", "Asia", "localtime", "a\0b", "x" * 5000]
)
def test_what_is_no_zone_is_told_without_an_exception(name: str) -> None:
    assert not is_zone(name)


@pytest.mark.parametrize(
    "name, near",
    [
        ("Asia/Shangai", "Asia/Shanghai"),
        ("Shanghai", "Asia/Shanghai"),
        ("asia/shanghai", "Asia/Shanghai"),
        ("北京时间", "Asia/Shanghai"),
        ("Europe/Berln", "Europe/Berlin"),
        ("qqqqqqqq", None),
    ],
)
def test_the_nearest_zone_is_what_was_meant(name: str, near: str | None) -> None:
    assert nearest_zone(name) == near
