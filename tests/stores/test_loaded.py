"""What a loaded case says of its times and its place."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.stores.folders import case, opened, write


@pytest.mark.parametrize(
    "fields, created, expires",
    [
        ({}, None, None),
        ({"created_at": "2026-03-20"}, datetime(2026, 3, 19, 16, tzinfo=UTC), None),
        ({"created_at": "2026-03-20", "timezone": "Europe/Berlin"}, datetime(2026, 3, 19, 16, tzinfo=UTC), None),
        (
            {"created_at": "2026-03-20", "ttl": "1d"},
            datetime(2026, 3, 19, 16, tzinfo=UTC),
            datetime(2026, 3, 20, 16, tzinfo=UTC),
        ),
        (
            {"created_at": "2026-03-20", "ttl": "1d", "expires_at": "2026-03-20T01:00:00Z"},
            datetime(2026, 3, 19, 16, tzinfo=UTC),
            datetime(2026, 3, 20, 1, tzinfo=UTC),
        ),
        ({"expires_at": "2026-03-21"}, None, datetime(2026, 3, 20, 16, tzinfo=UTC)),
        ({"created_at": "9999-01-01", "ttl": "520w"}, datetime(9998, 12, 31, 16, tzinfo=UTC), None),
    ],
)
def test_a_bare_date_is_midnight_in_the_casebooks_zone_and_the_earlier_end_wins(
    root: Any, fields: dict[str, Any], created: datetime | None, expires: datetime | None
) -> None:
    (root / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n")
    write(root, "cases.json", [case(**fields)])
    loaded = opened(root).snapshot().cases["a"]
    assert (loaded.created, loaded.expires) == (created, expires)
    assert loaded.zone == fields.get("timezone", "Asia/Shanghai")


def test_a_case_names_its_file_line_layer_and_version(root: Any) -> None:
    write(root, "sub/cases.json", "\n[\n" + '{"id": "a", "trigger_conditions": ["always"], "correction": "x"}\n]')
    loaded = opened(root, layer="project").snapshot().cases["a"]
    assert (loaded.path, loaded.line, loaded.layer, len(loaded.version)) == (
        "long_term/sub/cases.json",
        3,
        "project",
        16,
    )


def test_loaded_cases_are_equal_by_content_zone_and_place_wherever_their_line_is(root: Any) -> None:
    write(root, "cases.json", [case("a"), case("b")])
    before = opened(root).snapshot().cases["b"]
    write(root, "cases.json", [case("b")])
    after = opened(root).snapshot().cases["b"]
    assert before == after
    assert hash(before) == hash(after)
    assert before.line != after.line


def test_a_change_of_the_policys_zone_reaches_every_case(root: Any) -> None:
    write(root, "cases.json", [case(created_at="2026-03-20")])
    store = opened(root)
    assert store.snapshot().cases["a"].zone == "UTC"
    (root / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n")
    loaded = store.snapshot().cases["a"]
    assert (loaded.zone, loaded.created) == ("Asia/Shanghai", datetime(2026, 3, 19, 16, tzinfo=UTC))


def test_a_declared_field_may_be_read_once_the_policy_declares_it(root: Any) -> None:
    write(root, "cases.json", [case(trigger_conditions=['customer is "x"'])])
    store = opened(root)
    assert list(store.snapshot().cases) == []
    (root / "memory-policy.yaml").write_text("fields: {customer: text}\n")
    assert list(store.snapshot().cases) == ["a"]
