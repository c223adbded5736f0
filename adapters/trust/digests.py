"""What is approved of a case and of a policy: hashes of what decides, so that bookkeeping changes nothing and a meaning always does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from casebook.case import Case, is_free
from casebook.policy import Policy

KEPT_BY_US = frozenset({"last_triggered", "source", "examples", "tags", "review_after"})
"""Fields that decide neither when a case speaks nor what it says or does; upkeep and the detector write some of them."""
_SHORT = 16
"""Hexadecimal digits of the hash of one field: it only tells which fields to name, and decides nothing."""

FIRING = ("mode", "timezone", "tools", "intents", "intents_shipped", "fields")
"""Keys of a policy on which it depends when a case speaks, and whether it blocks then."""
REACHING = ("on_failure", "hooks", "sinks")
"""Keys of a policy by which it holds calls without a case, starts programs, or sends what is said elsewhere."""
SPANNING = ("limits", "holdout", "detector", "ignore_errors", "redact")
"""Keys of a policy by which it could keep back, or let nobody learn, what concerns the other casebooks that serve beside it."""


def decided(case: Case) -> Mapping[str, Any]:
    """Give the fields of a case that decide when it speaks, for whom, what it says and what it does, without their defaults."""
    form = case.model_dump(exclude_defaults=True)
    return {
        name: value
        for name, value in form.items()
        if name not in KEPT_BY_US and (name.startswith("x-") or not is_free(name))
    }


def case_digest(case: Case) -> str:
    """Give the hash by which a case is approved: SHA-256 in hexadecimal of what `decided` gives.

    A default that is written out changes nothing. The short hash that is a case's version is no proof: two texts with the same
    one can be made.
    """
    return _digest(decided(case))


def field_digests(case: Case) -> Mapping[str, str]:
    """Give a short hash of each deciding field, by which a person is told later what has changed; no text is kept."""
    return {name: _digest(value)[:_SHORT] for name, value in decided(case).items()}


def policy_digests(policy: Policy) -> Mapping[str, str]:
    """Give a hash of each key of a policy that needs approval."""
    names = (*FIRING, *REACHING, *SPANNING)
    form = policy.model_dump(mode="json", include=set(names))
    return {name: _digest(form[name]) for name in names}


def said_of(policy: Policy) -> Mapping[str, Any]:
    """Give the keys of a policy that need approval and that it says itself, as JSON: what is in force while others wait."""
    return policy.model_dump(mode="json", include={*FIRING, *REACHING, *SPANNING}, exclude_unset=True)


def policy_of(said: Mapping[str, Any]) -> Policy:
    """Give the policy that says so; the defaults where this release does not take it any more."""
    try:
        return Policy.model_validate(said)
    except ValueError:  # pydantic's errors are such
        return Policy()


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
