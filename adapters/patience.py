"""A policy for a process that lives for one answer: its first, for which everything has yet to be loaded, may take longer."""

from __future__ import annotations

from casebook.policy import Policy

_AN_HOUR = 3_600_000
"""Milliseconds."""


def patient(policy: Policy) -> Policy:
    """Give a policy with the limit of an answer's time lifted: it is for hosts that wait on a runtime in service."""
    return policy.model_copy(update={"limits": policy.limits.model_copy(update={"before_task_ms": _AN_HOUR})})
