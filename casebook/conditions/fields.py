"""The closed table of fields (`language.md`, Meaning): what each is, so that a typo cannot make a case silently dead."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

FieldType = Literal["text", "texts", "number", "any", "group"]
"""text: one string · texts: a string or a list of them · number · any: free · group: has named parts below it."""

FIELDS: MappingProxyType[str, FieldType] = MappingProxyType(
    {
        "text": "text", "intent": "texts", "tool": "text", "tool_native": "text", "action": "texts", "program": "texts",
        "path": "texts", "user": "text", "project": "text", "team": "texts", "agent": "text", "session": "group",
        "channel": "text", "model": "text", "origin": "text", "point": "text", "answer": "text",
        "args": "any", "context": "any", "error": "group",
    }
)  # fmt: skip
"""The known names of a task. `session` alone is the session's id; `session.errors` is a part of the group."""

GROUPS: MappingProxyType[str, MappingProxyType[str, FieldType]] = MappingProxyType(
    {
        "session": MappingProxyType(
            {
                "errors": "number", "consecutive_errors": "number", "tasks": "number", "minutes": "number",
                "tools": "texts", "intents": "texts", "last_error": "text",
            }
        ),
        "error": MappingProxyType({"type": "text", "message": "text", "signature": "text"}),
    }
)  # fmt: skip

EVENT_FIELDS: MappingProxyType[str, FieldType] = MappingProxyType({**FIELDS, "ok": "any"})
"""What a `where` may name: the fields of an event."""
