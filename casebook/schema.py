"""The JSON Schemas of files of cases, of memories and of the policy, for editors: made from the models, so that they cannot drift."""

from __future__ import annotations

import re
from typing import Any

from casebook.case import Case
from casebook.memory import Memory
from casebook.policy import FORMAT, Policy

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def case_file_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of a file: one case, an array of cases, or an object with a format."""
    case = Case.model_json_schema(ref_template="#/$defs/{model}")
    parts = case.pop("$defs", {})
    case["additionalProperties"] = False
    case["patternProperties"] = {"^x-": {"description": "free"}}
    case["properties"]["$comment"] = {"description": "free"}
    case["properties"]["$schema"] = {"type": "string"}
    case["properties"]["trigger_conditions"]["minItems"] = 1
    del case["properties"]["on"]["default"]  # it depends on what the conditions read
    reference = {"$ref": "#/$defs/Case"}
    cases = {"type": "array", "items": reference, "description": "the cases, in the order in which they are shown"}
    envelope = {
        "type": "object",
        "properties": {
            "$schema": {"type": "string", "description": "where this schema is"},
            "format": {"type": "integer", "const": FORMAT, "description": "the format of the file"},
            "min_reader": {"type": "integer", "description": "the oldest format whose readers may read this file"},
            "cases": cases,
            "$comment": {"description": "free"},
        },
        "patternProperties": {"^x-": {"description": "free"}},
        "required": ["cases"],
        "additionalProperties": False,
    }
    return {
        "$schema": SCHEMA_ID,
        "title": "A file of Casebook cases",
        "description": "Every *.json below long_term/ is such a file.",
        "anyOf": [envelope, cases, reference],
        "$defs": {**parts, "Case": case},
    }


def memory_file_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of a file of memories."""
    memory = Memory.model_json_schema(ref_template="#/$defs/{model}")
    parts = memory.pop("$defs", {})
    memory["additionalProperties"] = False
    memory["patternProperties"] = {"^x-": {"description": "free"}}
    memory["properties"]["$comment"] = {"description": "free"}
    properties = {
        "$schema": {"type": "string", "description": "where this schema is"},
        "format": {"type": "integer", "const": FORMAT, "description": "the format of the file"},
        "min_reader": {"type": "integer", "description": "the oldest format whose readers may read this file"},
        "session": {"type": "string", "description": "of a file of L1: the session"},
        "user": {"type": "string", "description": "of a file of L1: whose session"},
        "ended_at": {"type": "string", "description": "of a file of L1: when the session ended"},
        "memories": {"type": "array", "items": {"$ref": "#/$defs/Memory"}, "description": "the memories"},
        "$comment": {"description": "free"},
    }
    return {
        "$schema": SCHEMA_ID,
        "title": "A file of Casebook memories",
        "description": "short_term/*.json and medium_term/*.json are such files, and those of long_term/ that hold memories.",
        "type": "object",
        "properties": properties,
        "patternProperties": {"^x-": {"description": "free"}},
        "required": ["memories"],
        "additionalProperties": False,
        "$defs": {**parts, "Memory": memory},
    }


def policy_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of `memory-policy.yaml`, as JSON sees it."""
    policy = Policy.model_json_schema(ref_template="#/$defs/{model}")
    policy["patternProperties"] = {"^x-": {"description": "free"}}
    return {"$schema": SCHEMA_ID, "title": "memory-policy.yaml", **_for_readers(policy)}


_SOURCE = re.compile(r" \(DESIGN sections? [^()]*\)")


def _for_readers(schema: Any) -> Any:
    """Give a schema whose descriptions do not name the page of the design that a model comes from."""
    if isinstance(schema, dict):
        return {
            name: _SOURCE.sub("", value) if name == "description" and isinstance(value, str) else _for_readers(value)
            for name, value in schema.items()
        }
    return [_for_readers(each) for each in schema] if isinstance(schema, list) else schema
