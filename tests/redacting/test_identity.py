"""An id that is a secret is not stored as it is; every other id is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.redacting.identity import identity
from casebook.redacting.services import SERVICES


@pytest.mark.parametrize("example", [each.example for each in SERVICES], ids=lambda each: each[:6])
def test_a_token_taken_for_an_id_is_masked_and_two_stay_two(example: str) -> None:
    told, other = identity(f"s {example}"), identity(f"s  {example}")
    assert example not in told
    assert told != other
    assert identity(told) == told


@pytest.mark.parametrize(
    "text",
    [
        "s1",
        "ann",
        "ann@acme.io",
        "",
        "张三",
        "550e8400-e29b-41d4-a716-446655440000",
        "aB3xK9vT2mQpL7wZ4nR8sD6fG1hJ5k",
        "../../etc/passwd",
        "a\x00b\x1b[31m",
    ],
)
def test_an_id_stays(text: str) -> None:
    assert identity(text) is text


@given(st.text(max_size=60))
def test_twice_is_once(text: str) -> None:
    assert identity(identity(text)) == identity(text)
