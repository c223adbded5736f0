"""The words of our own form: field names, kinds, tiers, instants. They name nobody, whatever the user is called who is forgotten."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

FIELDS: Final = frozenset(
    [
        "about",
        "action",
        "activation",
        "agent",
        "alternatives",
        "archived_at",
        "asked",
        "at",
        "because",
        "before",
        "after",
        "body",
        "by",
        "case",
        "cases",
        "confirmed",
        "consequence",
        "context",
        "cooldown",
        "correction",
        "correction_by",
        "counters",
        "created_at",
        "due",
        "effect",
        "event",
        "evidence",
        "examples",
        "exceptions",
        "expires_at",
        "fires",
        "format",
        "from",
        "id",
        "job",
        "judgment",
        "kind",
        "last_triggered",
        "last_used",
        "max_fires",
        "memories",
        "memory",
        "merged",
        "message",
        "min_reader",
        "mode",
        "on",
        "origin",
        "others",
        "path",
        "pinned",
        "priority",
        "project",
        "proposal",
        "reason",
        "review_after",
        "rule",
        "rule_chain",
        "scope",
        "session",
        "signature",
        "silent",
        "situation",
        "slot",
        "source",
        "status",
        "superseded_by",
        "supersedes",
        "tags",
        "team",
        "text",
        "tier",
        "tier_since",
        "timezone",
        "to",
        "tool",
        "trigger_conditions",
        "ttl",
        "type",
        "user",
        "why",
    ]
)
"""Names of fields of memories, cases, archived entries and lines of the audit log."""

VALUES: Final[Mapping[str, frozenset[str]]] = {
    "kind": frozenset(
        [
            "identity",
            "principle",
            "preference",
            "fact",
            "decision",
            "lesson",
            "rule",
            "usage",
            "project_state",
            "conclusion",
            "temporary",
            "feedback",
            "error",
            "success",
        ]
    ),
    "tier": frozenset(("L1", "L2", "L3")),
    "status": frozenset(("active", "to_judge", "draft", "disabled", "archived")),
    "origin": frozenset(["outcome", "user", "tool", "agent", "import", "upkeep", "author", "detector", "feedback"]),
    "type": frozenset(("rule", "case")),
    "effect": frozenset(("advise", "confirm", "block")),
    "correction_by": frozenset(("person", "agent", "mined", "caution")),
    "mode": frozenset(("off", "shadow", "advise", "enforce")),
    "on": frozenset(("task", "tool", "answer", "session_start", "tick")),
}
"""By field, what may stand in it."""

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.ASCII)


def is_of_form(string: str, key: str, *, is_key: bool = False) -> bool:
    """Say whether a string in JSON is of our own form and so tells of nobody.

    Args:
        string: the string.
        key: the key under which it stands, or the string itself where it is one.
        is_key: whether it is a key.
    """
    if is_key:
        return string in FIELDS
    return string in VALUES.get(key, ()) or _INSTANT.fullmatch(string) is not None
