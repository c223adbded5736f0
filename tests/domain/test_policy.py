"""`memory-policy.yaml`: a bad key is told and its default serves; a bad file is told as a whole."""

import pytest

from casebook import Fault, Policy
from casebook.policy import Intent, Limits
from casebook.policy_file import read_policy


def read(text: str) -> tuple[Policy | None, tuple[Fault, ...]]:
    return read_policy(text.encode(), "memory-policy.yaml")


def test_an_empty_policy_is_the_defaults() -> None:
    assert read("") == (Policy(), ())
    assert read("# nothing\n") == (Policy(), ())
    assert Policy().limits == Limits(max_cases=5, max_cases_tool=3, max_chars=1500, max_related=3, before_task_ms=500)


def test_a_policy_says_what_it_says() -> None:
    policy, faults = read(
        "format: 1\ntimezone: Asia/Shanghai\nlanguage: zh\nmode: off\nholdout: 0.1\nlimits: {max_cases: 7}\n"
        "tools: {MyBash: shell}\nintents:\n  deploy: {words: [deploy, on], patterns: ['rel.*'], exclude: [no]}\nfields: {customer: text}\n"
        "schedules: {age: '0 4 * * *'}\nx-ours: anything\n"
    )
    assert faults == ()
    assert policy is not None
    assert (policy.timezone, policy.language, policy.mode, policy.holdout) == ("Asia/Shanghai", "zh", "off", 0.1)
    assert policy.limits.max_cases == 7
    assert policy.tools == {"MyBash": "shell"}
    assert policy.intents == {"deploy": Intent(words=("deploy", "on"), patterns=("rel.*",), exclude=("no",))}
    assert policy.fields == {"customer": "text"}
    assert policy.schedules == {"age": "0 4 * * *"}


@pytest.mark.parametrize(
    "text, place, told, cure",
    [
        ("a: 1", (1, 1, "a"), 'no field is called "a"', None),
        ("format: 1\ntimezon: UTC", (2, 1, "timezon"), 'no field is called "timezon"', "timezone"),
        ("timezone: Asia/Shangai", (1, 1, "timezone"), "an IANA time zone", "Asia/Shanghai"),
        ("language: en\nlimits:\n  max_cases: many", (3, 3, "limits.max_cases"), "a whole number", None),
        ("limits:\n  max_case: 3", (2, 3, "limits.max_case"), 'no field is called "max_case"', "max_cases"),
        ("mode: enforced", (1, 1, "mode"), 'got "enforced"', "enforce"),
        ("intents:\n  push:\n    word: [a]", (3, 5, "intents.push.word"), 'no field is called "word"', "words"),
        ("fields:\n  tool: text", (1, 1, "fields"), "already a field", None),
        ("language: en\nlanguage: zh", (2, 1, "language"), "once, found it again", None),
        ("holdout: 2", (1, 1, "holdout"), "at most 1", None),
        ("tools: [a]", (1, 1, "tools"), "an object", None),
        ("tools: {a: 1, b: shell}", (1, 9, "tools.a"), "expected text, got 1", None),
    ],
)
def test_a_bad_key_is_a_fault_in_its_place_and_the_rest_serves(
    text: str, place: tuple[int, int, str], told: str, cure: str | None
) -> None:
    policy, faults = read(f"{text}\nholdout: 0.25\n" if "holdout" not in text else text)
    assert policy is not None
    assert policy.holdout == (0.25 if "holdout" not in text else 0.0)
    assert policy.limits == Limits()
    (fault,) = faults
    assert (fault.line, fault.column, fault.field) == place
    assert told in fault.message
    assert cure is None or fault.suggestion == cure


def test_only_the_bad_entry_of_a_table_is_left_out() -> None:
    policy, _ = read(
        "limits: {max_cases: x, max_chars: 9}\ntools: {a: 1, b: shell}\nintents: {p: {words: [w], oops: 1}}"
    )
    assert policy is not None
    assert (policy.limits.max_cases, policy.limits.max_chars) == (5, 9)
    assert policy.tools == {"b": "shell"}
    assert policy.intents == {"p": Intent(words=("w",))}


_BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "data, told",
    [
        (b"a: [", "expected YAML"),
        (b"\tx: 1", "expected YAML"),
        (b"- a\n- b", "expected keys and values, got list"),
        (b"just words", "expected keys and values, got str"),
        (b"a: \xff", "expected UTF-8, got the byte 0xff"),
        (_BOMB.encode(), "values with aliases followed"),
        (b"a: &a [*a]", "values with aliases followed"),
        (b"a: !!python/object/apply:os.system [true]", "expected plain YAML"),
        (b"a: " + b"[" * 500, "at most 100 deep"),
        (b"a: " + b"[" * 100_000, "expected YAML: exceeded maximum nesting depth"),
        (b"a: 1\n" * 300_000, "limit: policy"),
        (b"? [a, b]\n: 1", "expected a word as a key"),
        (b"a: *nobody", "expected YAML"),
        (b"format: 7\n", "asks for a newer release"),
        (b"a: \x00", "expected YAML"),
    ],
    ids=range(15),
)
def test_a_file_that_cannot_be_read_is_one_fault(data: bytes, told: str) -> None:
    policy, faults = read_policy(data, "memory-policy.yaml")
    assert policy is None
    (fault,) = faults
    assert told in fault.message


def test_a_newer_format_is_read_where_its_min_reader_allows() -> None:
    policy, faults = read("format: 3\nmin_reader: 1\nlanguage: zh\nnew_thing: 5\n")
    assert faults == ()
    assert policy is not None
    assert policy.language == "zh"


def test_the_keys_of_upkeep_say_what_they_say_and_what_is_wrong_with_them() -> None:
    policy, faults = read(
        "rules: {distil: reused >= 2 OR user_explicit == true, age: not_hit_days > 30, promot: triggers > 9, idle: tool is x}\n"
        "tiers: {short: 24h, purge: 1y}\nschedules: {hygiene: 0 3 * * 5, audit: off, age: 0 25 * * *, agee: 0 4 * * *}\n"
        "ttl: {fact: 90d, rule: forever}\nsinks: {team: {kind: webhook}, log: {path: out.jsonl}}\n"
    )
    assert policy is not None
    assert (policy.rules.distil, policy.rules.age) == ("reused >= 2 OR user_explicit == true", "not_hit_days > 30")
    assert policy.rules.idle == Policy().rules.idle
    assert (policy.tiers.short, policy.tiers.purge) == ("24h", "365d")
    assert (policy.schedule_of("hygiene"), policy.schedule_of("audit"), policy.schedule_of("age")) == (
        "0 3 * * 5", "off", "0 4 * * *",
    )  # fmt: skip
    assert (policy.ttl_of("fact").days, policy.ttl_of("rule").days) == (90, 180)
    assert list(policy.sinks) == ["log"]
    assert {(fault.field, fault.suggestion) for fault in faults} == {
        ("rules.promot", "promote"), ("rules.idle", None), ("tiers.purge", None), ("schedules.age", None),
        ("schedules.agee", "age"), ("ttl.rule", None), ("sinks.team", None),
    }  # fmt: skip
