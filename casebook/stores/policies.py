"""The policies of several layers as one: the first that says something of a key wins, and what it leaves unsaid the next says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from casebook.policy import Policy

BY_NAME = ("tools", "intents", "fields")
"""Keys whose names are merged one by one: a project's own table of tools takes nothing out of the user's."""
SAID_FIRST = ("mode", "on_failure", "intents_shipped", "holdout", "ignore_errors")
"""Keys that are one value: the first layer that says one."""
PART_BY_PART = ("limits", "detector")
"""Keys that are objects: each of their keys by itself."""

IN_ALL_LAYERS = (*BY_NAME, *SAID_FIRST, *PART_BY_PART, "redact")
"""Keys that count for the cases of all layers. Of `redact` every layer's patterns count. What else a policy says (time zone, language,
where things are sent, how memories age) is the first layer's, or each layer's own."""


def layered(policies: Sequence[Policy]) -> Policy:
    """Give the policy that serves several layers.

    Args:
        policies: of the layers, the first wins; one or more.

    Returns:
        The first itself, where the others add nothing.
    """
    serving = policies[0]
    for behind in policies[1:]:
        serving = _over(serving, behind)
    return serving


def _over(first: Policy, behind: Policy) -> Policy:
    said = first.model_fields_set
    changes: dict[str, Any] = {name: getattr(behind, name) for name in SAID_FIRST if name not in said}
    changes |= {name: {**getattr(behind, name), **getattr(first, name)} for name in BY_NAME}
    changes |= {name: _filled(getattr(first, name), getattr(behind, name)) for name in PART_BY_PART}
    changes["redact"] = tuple(dict.fromkeys((*first.redact, *behind.redact)))
    news = {name: value for name, value in changes.items() if value != getattr(first, name)}
    also = (behind.model_fields_set - said) & set(IN_ALL_LAYERS)
    return with_values(first, news, said | also) if news or also else first


def _filled(first: BaseModel, behind: BaseModel) -> BaseModel:
    """Give an object in which what the first leaves unsaid is as the other says it."""
    more = behind.model_fields_set - first.model_fields_set
    if not more:
        return first
    values = {**first.__dict__, **{name: getattr(behind, name) for name in more}}
    return type(first).model_construct(first.model_fields_set | more, **values)


def with_values(policy: Policy, values: Mapping[str, Any], said: set[str]) -> Policy:
    """Give a policy with other values, which are valid ones of other policies.

    Args:
        policy: the one that is changed.
        values: those that change.
        said: the keys that it says; of the others another layer may say what it likes.
    """
    return Policy.model_construct(said, **{**policy.__dict__, **values})
