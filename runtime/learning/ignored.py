"""What is no error: a test that fails, a linter that finds something, `grep` that finds nothing, an interruption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from casebook.policy import Policy

Words = str | Sequence[str] | None


def ignored_error(
    *,
    tool: str | None,
    action: Words,
    program: Words,
    args: Mapping[str, Any] | None,
    type: str | None,  # noqa: A002  # the contract's name
    message: str | None,
    policy: Policy,
) -> str | None:
    """Give the name of the rule that says that this is no error, or None."""
    return None
