"""The JSON Schema of a file of cases, for editors: made from the models, so that it cannot drift from them."""

from __future__ import annotations

from typing import Any

from casebook.case import Case
from casebook.policy import FORMAT

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
