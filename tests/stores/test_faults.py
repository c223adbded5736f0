"""Every fault of a case has its place, and the other cases serve."""

import json
import time
from typing import Any

import pytest

from tests.stores.folders import case, opened, told, write


def faults_of(root: Any, *cases: Any) -> list[str]:
    write(root, "cases.json", list(cases))
    return told(opened(root).snapshot())


def test_a_bad_case_is_quarantined_alone_and_told_with_file_line_column_case_and_field(root: Any) -> None:
    write(
        root,
        "cases.json",
        '[\n  {"id": "good", "trigger_conditions": ["always"], "correction": "x"},\n  {"id": "bad",\n   "trigger_conditions": ["always", "time between 6pm and 7"], "correction": "x"}\n]\n',
    )
    snapshot = opened(root).snapshot()
    assert list(snapshot.cases) == ["good"]
    (fault,) = snapshot.faults
    assert (fault.path, fault.line, fault.case, fault.field) == (
        "long_term/cases.json",
        4,
        "bad",
        "trigger_conditions[1]",
    )
    text = (root / "long_term/cases.json").read_text().split("\n")[3]
    assert fault.column is not None
    assert text[fault.column - 1 :].startswith("6pm")


def test_the_column_of_a_condition_is_found_through_escapes(root: Any) -> None:
    raw = r'[{"id": "a", "trigger_conditions": ["text is \"\u4e2d\" and tol is 1"], "correction": "x"}]'
    write(root, "cases.json", raw)
    (fault,) = opened(root).snapshot().faults
    assert fault.column is not None
    assert raw[fault.column - 1 :].startswith("tol")


def test_the_nearest_name_is_told_at_the_unknown_key(root: Any) -> None:
    raw = '[{"id": "a", "trigger_conditions": ["always"], "correction": "x", "prioriti": 3}]'
    write(root, "cases.json", raw)
    (fault,) = opened(root).snapshot().faults
    assert (fault.column, fault.suggestion) == (raw.index('"prioriti"') + 1, "priority")


def test_conditions_and_fields_of_one_case_are_told_together(root: Any) -> None:
    assert len(faults_of(root, case(priority=99, trigger_conditions=["nonsense ==", "tool >= 3"]))) == 3


def test_examples_are_told_together_with_the_fields_of_their_case(root: Any) -> None:
    examples = {"fires": [{"tol": "shell"}, {"history": [{"kind": "tol"}, {"kind": "tool", "att": 1}]}], "silent": [3]}
    found = faults_of(
        root, case(effect="confim", timezone="Shanghai", trigger_conditions=["tol is 1"], examples=examples)
    )
    for part in (
        "effect",
        "timezone",
        "trigger_conditions[0]",
        "examples.fires[0].tol",
        "examples.fires[1]",
        "examples.silent[0]",
    ):
        assert sum(part in each for each in found) == 1, found
    [history] = [each for each in found if "history" in each]
    assert "(tool)" in history
    assert "history[1].att" in history


@pytest.mark.parametrize(
    "element, words",
    [
        ("5", "expected a case as an object, got 5"),
        ('{"id": "a", "id": "b"}', 'expected "id" once, found it again'),
        ('{"id": "a", "scope": {"user": "x", "user": "y"}}', 'scope.user: expected "user" once'),
        ('{"id": "a", "priority": NaN}', "expected a number, got NaN"),
        ('{"id": "a", "priority": -Infinity}', "expected a number, got -Infinity"),
        ('{"id": "a", "correction": "x\\ud800"}', r"got \ud800, half of a surrogate pair"),
        (json.dumps(case(correction="x", **{"x-big": "y" * 70_000})), "at most 64 KB (limit: case)"),
        (json.dumps(case(trigger_conditions=[" and ".join(["always"] * 1001)])), "1,000"),
        (json.dumps(case(examples={"fires": [{"txt": "x"}]})), "examples.fires[0]"),
        (json.dumps(case(examples={"silent": [{"intent": 5}]})), "examples.silent[0].intent: expected a list, got 5"),
        (json.dumps(case(trigger_conditions=[{"field": "tol", "op": "is", "value": 1}])), "trigger_conditions[0]"),
        (json.dumps(case(created_at="0001-01-01", ttl="1d")), "expected an instant within the years"),
        ("{}", "expected id, found nothing"),
    ],
    ids=range(13),
)  # fmt: skip
def test_each_kind_of_bad_case_is_told_and_its_neighbours_serve(root: Any, element: str, words: str) -> None:
    (root / "memory-policy.yaml").write_text("timezone: Asia/Shanghai\n")
    write(root, "cases.json", f"[{json.dumps(case('before'))}, {element}, {json.dumps(case('after'))}]")
    snapshot = opened(root).snapshot()
    assert list(snapshot.cases) == ["before", "after"]
    assert any(words in line for line in told(snapshot)), told(snapshot)


def test_of_equal_ids_the_first_in_path_order_serves_and_the_other_names_its_place(root: Any) -> None:
    write(root, "b.json", [case("a", correction="second")])
    write(root, "a.json", ["x", case("a", correction="first")])
    snapshot = opened(root).snapshot()
    assert snapshot.cases["a"].case.correction == "first"
    assert (
        'long_term/b.json:3:11 a id: expected an id of its own, got "a" again: the first, at long_term/a.json:3, serves'
        in told(snapshot)
    )


def test_cases_that_supersede_each_other_in_a_ring_are_faults_and_an_unknown_id_a_warning(root: Any) -> None:
    write(
        root,
        "cases.json",
        [
            case("a", supersedes=["b"]),
            case("b", supersedes=["c"]),
            case("c", supersedes=["a"]),
            case("d", supersedes=["a", "no"]),
        ],
    )
    snapshot = opened(root).snapshot()
    assert list(snapshot.cases) == ["d"]
    assert [(fault.case, fault.severity) for fault in snapshot.faults] == [
        ("a", "error"),
        ("b", "error"),
        ("c", "error"),
        ("d", "warning"),
    ]
    assert snapshot.faults[0].message == "expected no cycle, got a → b → c → a"
    assert snapshot.faults[3].message == 'no case here is called "no"'


def test_a_ttl_without_created_at_serves_with_a_warning(root: Any) -> None:
    write(root, "cases.json", [case(ttl="30d")])
    snapshot = opened(root).snapshot()
    assert snapshot.cases["a"].expires is None
    assert [fault.severity for fault in snapshot.faults] == ["warning"]


@pytest.mark.parametrize(
    "condition, on",
    [
        ("always", ("task",)), ('intent is "push"', ("task",)), ("tool is shell", ("task", "tool")),
        ('tool_native is "Bash"', ("task", "tool")), ('not action is "git push"', ("task", "tool")),
        ('program is "git"', ("task", "tool")), ('path starts with "/etc"', ("task", "tool")),
        ('always and (text contains "x" or args.n > 3)', ("task", "tool")), ('error.type is "X"', ("task", "tool")),
        ("earlier error where tool is shell", ("task",)), ("count of tool where args.n > 1 >= 2", ("task",)),
        ("earlier error where tool is this tool", ("task", "tool")), ("session.errors >= 2", ("task",)),
    ],
)  # fmt: skip
def test_the_default_points_follow_from_what_the_conditions_read(
    root: Any, condition: str, on: tuple[str, ...]
) -> None:
    write(root, "cases.json", [case(trigger_conditions=[condition])])
    loaded = opened(root).snapshot().cases["a"]
    assert loaded.case.on == on
    assert "on" not in loaded.case.to_json()


def test_points_that_are_written_stand(root: Any) -> None:
    write(root, "cases.json", [case(trigger_conditions=["tool is shell"], on=["answer"])])
    assert opened(root).snapshot().cases["a"].case.on == ("answer",)


def test_the_scope_of_a_case_at_fault_is_known_where_its_text_says_it(root: Any) -> None:
    write(
        root,
        "cases.json",
        [case("a", priority=99, scope={"user": "ann"}), case("b", priority=99), case("c", scope={"usr": "x"})],
    )
    store = opened(root)
    scopes = {fault.case: store.scope_of(fault) for fault in store.snapshot().faults}
    assert {name: scope and scope.named for name, scope in scopes.items()} == {"a": {"user": "ann"}, "b": {}, "c": None}


def test_any_field_of_a_case_that_serves_can_be_located(root: Any) -> None:
    raw = '[{"id": "a", "trigger_conditions": ["always"], "correction": "x"}, {"id": "b",\n "trigger_conditions": ["always"], "correction": "x"}]'
    write(root, "cases.json", raw)
    store = opened(root)
    assert store.locate("a") == ("long_term/cases.json", 1, 2)
    assert store.locate("a", ("trigger_conditions", 0)) == ("long_term/cases.json", 1, raw.index('"always"') + 1)
    assert store.locate("b") == ("long_term/cases.json", 1, raw.index('{"id": "b"') + 1)
    assert store.locate("b", ("trigger_conditions", 0)) == ("long_term/cases.json", 2, 25)
    assert store.locate("nobody") is None


@pytest.mark.parametrize("depth", [50, 300, 600, 900, 5000])
def test_values_nested_deep_are_read_or_told_and_never_crash(root: Any, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    free = f'{{"id": "free", "trigger_conditions": ["always"], "correction": "x", "x-deep": {nested}}}'
    task = f'{{"id": "task", "trigger_conditions": ["always"], "correction": "x", "examples": {{"fires": [{{"args": {{"a": {nested}}}}}]}}}}'
    write(root, "free.json", free)
    write(root, "task.json", task)
    write(
        root,
        "condition.json",
        '{"id": "condition", "correction": "x", "trigger_conditions": ['
        + '{"not": ' * depth
        + '"always"'
        + "}" * depth
        + "]}",
    )
    write(root, "good.json", case("good"))
    store = opened(root, cache=True)
    snapshot = store.snapshot()
    assert "good" in snapshot.cases
    assert {"free", "task", "condition"} == {name for name in snapshot.cases if name != "good"} | {
        fault.path.removeprefix("long_term/").removesuffix(".json") for fault in snapshot.faults
    }
    store.close()


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": [5] * 20_000}, {"trigger_conditions": ["oops oops"] * 4_000}, {"examples": {"fires": [{"txt": "x"}] * 3_000}},
        {"scope": {f"usr{n}": 1 for n in range(4_000)}},
    ],
)  # fmt: skip
def test_of_very_many_faults_of_a_case_the_first_twenty_are_told_and_soon(root: Any, fields: Any) -> None:
    began = time.monotonic()
    write(root, "cases.json", json.dumps([case("a", **fields), case("b")]))
    snapshot = opened(root).snapshot()
    assert len(snapshot.faults) == 20
    assert list(snapshot.cases) == ["b"]
    assert time.monotonic() - began < 5


def test_of_a_thousand_unknown_ids_the_first_twenty_are_told(root: Any) -> None:
    write(root, "a.json", [case(f"c{n}", supersedes=[f"n{n}.{m}" for m in range(1000)]) for n in range(5)])
    began = time.monotonic()
    assert len(opened(root).snapshot().faults) == 100
    assert time.monotonic() - began < 5
