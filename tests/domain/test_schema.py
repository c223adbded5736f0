"""The JSON Schema that editors are given."""

from casebook import Case
from casebook.schema import case_file_schema


def test_every_field_of_a_case_is_described() -> None:
    case = case_file_schema()["$defs"]["Case"]
    assert set(case["properties"]) == {*Case.model_fields, "$comment", "$schema"}
    assert all("description" in case["properties"][name] for name in Case.model_fields)
    assert case["required"] == ["id", "trigger_conditions", "correction"]
    assert case["additionalProperties"] is False


def test_a_file_is_an_envelope_an_array_or_one_case() -> None:
    schema = case_file_schema()
    envelope, cases, one = schema["anyOf"]
    assert envelope["required"] == ["cases"]
    assert cases["items"] == one == {"$ref": "#/$defs/Case"}
