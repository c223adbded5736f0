"""Patterns of a policy: a bad one is a fault with its line, the others serve."""

import pytest

from casebook import Policy
from casebook.faults import PolicyError
from casebook.policy import IGNORED_ERRORS
from casebook.policy_file import read_policy
from casebook.redacting.redact import redact


@pytest.mark.parametrize(
    "text, field, line, told",
    [
        ("redact:\n  - 'ACME-\\d+'\n  - '('", "redact[1]", 3, "missing )"),
        ("redact:\n  - '(?=x)'", "redact[0]", 2, "RE2"),
        ("redact: ['']", "redact[0]", 1, "expected something"),
        ("redact: ['x*']", "redact[0]", 1, "matches something"),
        ("redact: [1]", "redact[0]", 1, "expected text"),
        ("redact: ['" + "a" * 1025 + "']", "redact[0]", 1, "at most 1024 bytes"),
        ("ignore_errors:\n  - linter\n  - '['", "ignore_errors[1]", 3, "RE2"),
        ("ignore_errors:\n  - not lintr", "ignore_errors[0]", 2, "did you mean not linter?"),
        ("ignore_errors: [not everything]", "ignore_errors[0]", 1, 'got "not everything"'),
    ],
)
def test_a_bad_pattern_is_a_fault_in_its_place(text: str, field: str, line: int, told: str) -> None:
    policy, (fault,) = read_policy(text.encode(), "memory-policy.yaml")
    assert policy is not None
    assert (fault.field, fault.line) == (field, line)
    assert told in fault.message


def test_the_good_patterns_beside_a_bad_one_serve() -> None:
    policy, faults = read_policy(b"redact: ['ACME-\\d+', '(', 'B-\\d+', ')']", "memory-policy.yaml")
    assert policy is not None
    assert policy.redact == (r"ACME-\d+", r"B-\d+")
    assert [fault.field for fault in faults] == ["redact[1]", "redact[3]"]


@pytest.mark.parametrize("name", IGNORED_ERRORS)
def test_shipped_names_may_be_said_again_and_switched_off(name: str) -> None:
    assert Policy(ignore_errors=(name, f"not {name}")).ignore_errors == (name, f"not {name}")


def test_what_a_pattern_matches_is_masked_whole_and_once() -> None:
    patterns = (r"ACME-\d{4}", r"客户\d+")
    once = redact("order ACME-4711 of 客户88, and ACME-12", patterns)
    assert once == "order [redacted:policy] of [redacted:policy], and ACME-12"
    assert redact(once, patterns) == once


@pytest.mark.parametrize("pattern", ["redacted", "(?s).+", "policy]", r"\w+", "r.*"])
def test_a_pattern_that_matches_masks_masks_no_mask_again(pattern: str) -> None:
    once = redact("say ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 and red", (pattern,))
    assert redact(once, (pattern,)) == once
    assert "A1b2C3d4" not in once


def test_redact_refuses_a_pattern_that_is_none() -> None:
    with pytest.raises(PolicyError, match="missing"):
        redact("text", ("(",))
