"""The JSON Schema that editors are given."""

from casebook import Case
from casebook.memory import Memory
from casebook.policy import Policy
from casebook.schema import case_file_schema, memory_file_schema, policy_schema


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


def test_every_field_of_a_memory_and_of_the_policy_is_described() -> None:
    memory = memory_file_schema()["$defs"]["Memory"]
    assert set(memory["properties"]) == {*Memory.model_fields, "$comment"}
    assert memory["required"] == ["id", "kind", "text", "tier"]
    assert all("description" in each for each in memory["properties"].values())
    policy = policy_schema()
    assert set(policy["properties"]) == set(Policy.model_fields)
    assert all("description" in each for each in policy["properties"].values())
