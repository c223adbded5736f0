"""Several casebooks as one, and where they are found."""

from pathlib import Path

import pytest

from casebook import Case, NotFoundError, StoreError
from casebook.policy import Limits, Tiers
from casebook.stores.layers import LayeredStore, discover
from tests.stores.folders import case, opened, told, write


@pytest.fixture
def layers(tmp_path: Path) -> LayeredStore:
    for name in ("project", "user"):
        (tmp_path / name / "long_term").mkdir(parents=True)
    return LayeredStore([opened(tmp_path / name, layer=name) for name in ("project", "user")])


def root_of(layers: LayeredStore, at: int) -> Path:
    return Path(layers.stores[at].location)


def test_the_first_layer_wins_and_each_case_names_its_layer(layers: LayeredStore) -> None:
    write(root_of(layers, 0), "a.json", [case("a", correction="ours"), case("b")])
    write(root_of(layers, 1), "a.json", [case("a", correction="mine"), case("c")])
    (root_of(layers, 0) / "memory-policy.yaml").write_text("language: zh\n")
    snapshot = layers.snapshot()
    assert {name: loaded.layer for name, loaded in snapshot.cases.items()} == {
        "a": "project",
        "b": "project",
        "c": "user",
    }
    assert snapshot.cases["a"].case.correction == "ours"
    assert snapshot.faults == ()
    assert snapshot.policy.language == "zh"


LAYERED: list[tuple[str, str, dict[str, object]]] = [
    ("mode: off", "mode: shadow", {"mode": "off"}),
    ("format: 1", "mode: shadow", {"mode": "shadow"}),
    ("mode: enforce", "mode: shadow", {"mode": "enforce"}),
    ("format: 1", "on_failure: closed", {"on_failure": "closed"}),
    ("tools: {a: shell, b: read}", "tools: {a: write, c: web}", {"tools": {"a": "shell", "b": "read", "c": "web"}}),
    ("redact: [abc]", "redact: [mine, abc]", {"redact": ("abc", "mine")}),
    ("limits: {max_cases: 2}", "limits: {max_cases: 9, max_chars: 7}", {"limits": Limits(max_cases=2, max_chars=7)}),
    ("format: 1", "timezone: Asia/Shanghai", {"timezone": "UTC"}),
    ("format: 1", "language: zh", {"language": "en"}),
    ("format: 1", "tiers: {purge: 9d}", {"tiers": Tiers()}),
]


@pytest.mark.parametrize(("first", "behind", "served"), LAYERED)
def test_of_what_counts_in_all_layers_the_first_that_says_something_wins(
    first: str, behind: str, served: dict[str, object], layers: LayeredStore
) -> None:
    for at, text in enumerate((first, behind)):
        (root_of(layers, at) / "memory-policy.yaml").write_text(f"{text}\n", encoding="utf-8")
    policy = layers.snapshot().policy
    assert {name: getattr(policy, name) for name in served} == served


def test_a_default_that_is_written_out_is_said(layers: LayeredStore) -> None:
    (root_of(layers, 1) / "memory-policy.yaml").write_text("mode: shadow\n", encoding="utf-8")
    assert layers.snapshot().policy.mode == "shadow"
    (root_of(layers, 0) / "memory-policy.yaml").write_text("mode: enforce\n", encoding="utf-8")
    assert layers.snapshot().policy.mode == "enforce"


def test_the_same_object_comes_back_until_a_layer_changes(layers: LayeredStore) -> None:
    first = layers.snapshot()
    assert layers.snapshot() is first
    write(root_of(layers, 1), "a.json", [case("a")])
    second = layers.snapshot()
    assert (second.generation, list(second.cases)) == (first.generation + 1, ["a"])


def test_a_case_may_supersede_one_of_another_layer_but_not_in_a_ring(layers: LayeredStore) -> None:
    write(root_of(layers, 0), "a.json", [case("a", supersedes=["b"])])
    write(root_of(layers, 1), "a.json", [case("b")])
    assert layers.snapshot().faults == ()
    write(root_of(layers, 1), "a.json", [case("b", supersedes=["a"])])
    snapshot = layers.snapshot()
    assert dict(snapshot.cases) == {}
    assert len(told(snapshot)) == 2


def test_a_block_that_a_weaker_case_of_the_same_id_hides_is_told(layers: LayeredStore) -> None:
    write(root_of(layers, 0), "a.json", [case("a")])
    write(root_of(layers, 1), "a.json", [case("a", effect="block")])
    (line,) = told(layers.snapshot())
    assert (
        line
        == "[user] long_term/a.json:2 a id: warning: this case of layer user blocks, and one of layer project with its id hides it (give it an id of its own)"
    )


def test_a_fault_names_the_layer_of_its_file_and_tells_the_scope_of_its_own_case(layers: LayeredStore) -> None:
    for at, user in enumerate(("ann", "bob")):
        write(root_of(layers, at), "a.json", [case("a", effect="blok", scope={"user": user})])
    (root_of(layers, 1) / "memory-policy.yaml").write_text("langage: zh\n")
    snapshot = layers.snapshot()
    assert [fault.where for fault in snapshot.faults] == [
        "[project] long_term/a.json:8:15 a effect",
        "[user] memory-policy.yaml:1:1 langage",
        "[user] long_term/a.json:8:15 a effect",
    ]
    scopes = [layers.scope_of(fault) for fault in snapshot.faults]
    assert [scope and scope.user for scope in scopes] == ["ann", None, "bob"]


def test_changes_go_to_the_layer_of_the_case_and_new_ones_to_the_first(layers: LayeredStore) -> None:
    write(root_of(layers, 1), "cases.json", [case("c")])
    layers.put(Case(**case("new")))
    layers.edit("c", {"priority": 9})
    assert {name: loaded.layer for name, loaded in layers.snapshot().cases.items()} == {"new": "project", "c": "user"}
    layers.archive("c")
    assert "c" not in layers.snapshot().cases
    layers.restore("c")
    assert layers.snapshot().cases["c"].layer == "user"
    with pytest.raises(NotFoundError):
        layers.restore("nobody")


def test_no_layers_are_a_store_error() -> None:
    with pytest.raises(StoreError, match="expected one or more"):
        LayeredStore([])


@pytest.mark.parametrize("place", ["", "memory"])
def test_the_nearest_policy_upward_is_the_projects(tmp_path: Path, place: str) -> None:
    home, project = tmp_path / "home", tmp_path / "home" / "code" / "project"
    below = project / "src" / "deep"
    below.mkdir(parents=True)
    (project / place).mkdir(exist_ok=True)
    (project / place / "memory-policy.yaml").touch()
    assert discover(below, home) == [("project", project / place)]
    (home / ".casebook" / "long_term").mkdir(parents=True)
    assert discover(below, home) == [("project", project / place), ("user", home / ".casebook")]
    assert discover(tmp_path, home) == [("user", home / ".casebook")]


def test_the_users_own_is_not_taken_for_a_project(tmp_path: Path) -> None:
    own = tmp_path / ".casebook"
    (own / "long_term").mkdir(parents=True)
    (own / "memory-policy.yaml").touch()
    assert discover(own / "long_term", tmp_path) == [("user", own)]


def test_a_place_that_cannot_be_looked_into_holds_no_casebook(tmp_path: Path) -> None:
    """No name may be this long, and no host goes down by one."""
    assert discover(tmp_path / ("x" * 300), tmp_path / ("y" * 300)) == []
