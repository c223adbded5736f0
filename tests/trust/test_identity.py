"""Who asks is what the host knows: the system's user, the repository's name, the token's principal; a body changes nothing of it."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casebook import Task
from casebook.adapters.identity import (
    Caller,
    IdentityError,
    caller_at,
    identity_at,
    identity_of,
    project_of,
    system_user,
)
from casebook.adapters.other_projects import other_projects_told
from casebook.adapters.roles import LEAST, ROLES, Action, ForbiddenError, Role, may, refuse, role_named
from casebook.faults import CasebookError
from casebook.runtime.answer.isolation import Principal
from casebook.stores.folder import FolderStore
from tests.stores.folders import case
from tests.trust.conftest import CLOCK, Machine


def repository(folder: Path, name: str = ".git") -> Path:
    made = folder / name
    for each in ("objects", "worktrees"):
        (made / each).mkdir(parents=True)
    (made / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return made


def linked(worktree: Path, shared: Path, *, back: Path | None = None) -> Path:
    notes = shared / "worktrees" / worktree.name
    notes.mkdir(parents=True)
    worktree.mkdir(parents=True)
    (worktree / ".git").write_text(f"gitdir: {notes}\n", encoding="utf-8")
    (notes / "HEAD").write_text("ref: refs/heads/feature\n", encoding="utf-8")
    (notes / "commondir").write_text("../..\n", encoding="utf-8")
    (notes / "gitdir").write_text(f"{back or worktree / '.git'}\n", encoding="utf-8")
    return worktree


def plain(at: Path) -> Path:
    repository(at / "shop")
    return at / "shop"


def deep(at: Path) -> Path:
    repository(at / "shop")
    (at / "shop" / "src" / "x").mkdir(parents=True)
    return at / "shop" / "src" / "x"


def worktree(at: Path) -> Path:
    return linked(at / "feature", repository(at / "shop"))


def worktree_with_relative_notes(at: Path) -> Path:
    shared = repository(at / "shop")
    made = linked(at / "feature", shared, back=Path("../../../../feature/.git"))
    (made / ".git").write_text("gitdir: ../shop/.git/worktrees/feature\n", encoding="utf-8")
    return made


def worktree_of_a_bare_repository(at: Path) -> Path:
    return linked(at / "feature", repository(at, "shop.git"))


def within_another(at: Path) -> Path:
    repository(at / "outer")
    repository(at / "outer" / "shop")
    return at / "outer" / "shop"


def submodule(at: Path) -> Path:
    notes = repository(repository(at / "outer") / "modules", "shop")
    (at / "outer" / "shop").mkdir()
    (at / "outer" / "shop" / ".git").write_text(f"gitdir: {os.path.relpath(notes, at / 'outer' / 'shop')}\n", "utf-8")
    return at / "outer" / "shop"


def with_its_notes_elsewhere(at: Path) -> Path:
    notes = repository(at / "elsewhere", "x.git")
    (at / "shop").mkdir()
    (at / "shop" / ".git").write_text(f"gitdir: {notes}\n", encoding="utf-8")
    return at / "shop"


def without_git(at: Path) -> Path:
    (at / "shop" / "memory").mkdir(parents=True)
    (at / "shop" / "memory" / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")
    return at / "shop" / "memory"


def without_git_policy_beside(at: Path) -> Path:
    (at / "shop" / "src").mkdir(parents=True)
    (at / "shop" / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")
    return at / "shop" / "src"


def an_empty_git_folder_below(at: Path) -> Path:
    """It is no repository, and hides none."""
    repository(at / "shop")
    (at / "shop" / "src" / ".git").mkdir(parents=True)
    return at / "shop" / "src"


@pytest.mark.parametrize(
    "make",
    [
        plain, deep, worktree, worktree_with_relative_notes, worktree_of_a_bare_repository, within_another, submodule,
        with_its_notes_elsewhere, without_git, without_git_policy_beside, an_empty_git_folder_below,
    ],
)  # fmt: skip
def test_the_project_is_the_repository_s_name_else_the_casebook_s_folder(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    assert project_of(make(tmp_path)) == "shop"


def a_plain_repository_below(below: Path) -> None:
    repository(below)


def a_submodule_below(below: Path) -> None:
    notes = repository(below.parents[1] / ".git" / "modules", "a")
    (below / ".git").write_text(f"gitdir: {notes}\n", encoding="utf-8")


def a_marker_that_points_to_the_repository_itself(below: Path) -> None:
    (below / ".git").write_text("gitdir: ../../.git\n", encoding="utf-8")


def a_worktree_of_another_below(below: Path) -> None:
    shared = repository(below.parents[2] / "other")
    below.rmdir()
    linked(below, shared)


def an_untrusted_casebook_with_a_repository_below(below: Path) -> None:
    repository(below)
    (below / "memory").mkdir()
    (below / "memory" / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")


MARKERS = [
    a_plain_repository_below, a_submodule_below, a_marker_that_points_to_the_repository_itself, a_worktree_of_another_below,
    an_untrusted_casebook_with_a_repository_below,
]  # fmt: skip


@pytest.mark.parametrize("git", [True, False], ids=["in a repository", "without git"])
@pytest.mark.parametrize("mark", MARKERS)
def test_whatever_lies_below_the_casebook_that_serves_is_of_its_project(
    mark: Callable[[Path], None], git: bool, machine: Machine
) -> None:
    """Else a `.git` that somebody puts into a folder would switch off what blocks in the project."""
    memory = machine.cloned("shop", case("guard", effect="block", scope={"project": "shop"}))
    if git:
        repository(memory.parent)
    machine.trust(memory)
    below = memory.parent / "vendor" / "a"
    below.mkdir(parents=True)
    mark(below)
    assert identity_at(below)["project"] == "shop"
    assert project_of(below / "deeper", [memory]) == "shop"
    found = machine.opened(below)
    assert found.runtime is not None
    with found.runtime as runtime:
        assert runtime.match(Task(text="push it", intent="push", **identity_at(below))).verdict == "block"


def test_a_casebook_that_does_not_lie_around_a_folder_names_no_project(machine: Machine) -> None:
    """One that was named serves wherever somebody works."""
    elsewhere, shop = machine.cloned("elsewhere"), machine.work / "shop"
    repository(shop)
    assert project_of(shop, [elsewhere]) == "shop"
    assert project_of(shop, [machine.own()]) == "shop"
    assert project_of(shop / "src", [elsewhere, shop / "memory"]) == "shop"


def test_a_casebook_that_serves_within_another_names_the_project(machine: Machine) -> None:
    outer, inner = machine.cloned("outer"), machine.cloned("outer/vendor/shop")
    repository(outer.parent)
    repository(inner.parent)
    machine.trust(outer)
    assert project_of(inner.parent) == "outer"
    machine.trust(inner)
    assert (project_of(inner.parent), project_of(outer.parent)) == ("shop", "outer")


def test_a_casebook_that_is_a_link_to_where_it_is_kept_is_of_the_folder_that_has_the_link(machine: Machine) -> None:
    kept, shop = machine.cloned("kept"), machine.work / "shop"
    shop.mkdir()
    (shop / "memory").symlink_to(kept)
    assert project_of(shop / "src", [shop / "memory"]) == "shop"


def test_cases_for_another_project_are_told_after_a_clone_to_another_name(machine: Machine) -> None:
    cases = [case(f"c{number}", scope={"project": "shop"}) for number in range(7)]
    memory = machine.cloned("clone", case("ours", scope={"project": "clone"}), *cases, case("free"))
    loaded = [*FolderStore(memory, clock=CLOCK, cache=False).snapshot().cases.values()]
    assert other_projects_told(memory, loaded) == (
        "this is project clone, by the name of its folder, and of its cases c0, c1, c2, c3, c4 and 2 more are for project shop: whoever "
        "works here is not told of them; call the folder so, or change their scope"
    )
    memory.parent.rename(machine.work / "shop")
    assert "of its cases ours is for project clone" in other_projects_told(machine.work / "shop" / "memory", loaded)
    assert other_projects_told(memory, []) == ""
    assert other_projects_told(machine.own(), loaded) == ""


def claims_another_s_notes(at: Path) -> Path:
    """The repository's notes point to another worktree."""
    shared = repository(at / "secret")
    linked(at / "feature", shared)
    (at / "evil").mkdir()
    (at / "evil" / ".git").write_text(f"gitdir: {shared / 'worktrees' / 'feature'}\n", encoding="utf-8")
    return at / "evil"


def ships_notes_of_its_own(at: Path) -> Path:
    """Notes that point back, and name a repository that knows nothing of them."""
    shared = repository(at / "secret")
    notes = at / "evil" / "notes"
    notes.mkdir(parents=True)
    (at / "evil" / ".git").write_text("gitdir: notes\n", encoding="utf-8")
    (notes / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (notes / "commondir").write_text(f"{shared}\n", encoding="utf-8")
    (notes / "gitdir").write_text(f"{at / 'evil' / '.git'}\n", encoding="utf-8")
    return at / "evil"


@pytest.mark.parametrize("make", [claims_another_s_notes, ships_notes_of_its_own])
def test_no_folder_can_say_that_it_is_of_another_project(make: Callable[[Path], Path], tmp_path: Path) -> None:
    assert project_of(make(tmp_path)) == "evil"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"gitdir:",
        b"gitdir: \n",
        b"\xff\x00",
        b"gitdir: /nowhere",
        b"gitdir: a\0b",
        b"gitdir: " + b"y" * 300,
        b"x" * 10_000,
    ],
)
def test_a_broken_marker_is_none(content: bytes, tmp_path: Path) -> None:
    repository(tmp_path / "shop")
    (tmp_path / "shop" / "x").mkdir()
    (tmp_path / "shop" / "x" / ".git").write_bytes(content)
    assert project_of(tmp_path / "shop" / "x") == "shop"


def test_where_there_is_neither_git_nor_a_casebook_there_is_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    own = tmp_path / ".casebook"
    own.mkdir()
    (own / "memory-policy.yaml").write_text("format: 1\n", encoding="utf-8")
    assert (project_of(tmp_path), project_of(own), project_of(tmp_path / "gone" / "by")) == (None, None, None)
    assert set(identity_at(tmp_path)) == {"user"}


def test_real_git_worktrees_are_one_project(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "shop")
    git("-C", "shop", "commit", "--allow-empty", "-m", "x")
    git("-C", "shop", "worktree", "add", "../feature")
    assert [project_of(tmp_path / name) for name in ("shop", "feature")] == ["shop", "shop"]


def test_the_user_is_the_system_s_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("USER", "LOGNAME", "USERNAME", "LNAME"):
        monkeypatch.setenv(name, "somebody-else")
    assert system_user() == pwd.getpwuid(os.geteuid()).pw_name

    def nameless(number: int) -> object:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", nameless)
    assert system_user() == f"uid-{os.geteuid()}"


ANN = Principal("ann", "shop", frozenset({"core", "ops"}), "coder")
NOBODY = Principal(None, None, frozenset(), None)


@pytest.mark.parametrize(
    ("principal", "claimed", "free", "expected"),
    [
        (ANN, {}, (), {"user": "ann", "project": "shop", "agent": "coder", "team": ("core", "ops")}),
        (ANN, {"user": "ann", "team": "core"}, (), {"user": "ann", "project": "shop", "agent": "coder", "team": ("core", "ops")}),
        (ANN, {"user": None, "project": "", "team": [], "text": "x"}, (), {"user": "ann", "project": "shop", "agent": "coder", "team": ("core", "ops")}),
        (NOBODY, {}, (), {}),
        (NOBODY, {"project": "shop"}, ("project",), {"project": "shop"}),
        (Principal("re\u0301mi", None, frozenset(), None), {"user": "r\u00e9mi"}, (), {"user": "re\u0301mi"}),
    ],
)  # fmt: skip
def test_a_task_that_came_from_outside_is_its_caller_s(
    principal: Principal, claimed: dict[str, Any], free: tuple[str, ...], expected: dict[str, Any]
) -> None:
    assert identity_of(principal, claimed, free=free) == expected


@pytest.mark.parametrize(
    ("principal", "claimed", "free", "field"),
    [
        (ANN, {"user": "bob"}, (), "user"),
        (ANN, {"user": "ANN"}, (), "user"),
        (ANN, {"user": "bob"}, ("user",), "user"),
        (ANN, {"user": 3}, (), "user"),
        (ANN, {"user": ["ann"]}, (), "user"),
        (ANN, {"project": "other"}, (), "project"),
        (ANN, {"agent": "other"}, (), "agent"),
        (ANN, {"team": "board"}, (), "team"),
        (ANN, {"team": ["core", "board"]}, (), "team"),
        (ANN, {"team": [None]}, (), "team"),
        (NOBODY, {"user": "ann"}, (), "user"),
        (NOBODY, {"team": ["core"]}, ("team",), "team"),
        (NOBODY, {"user": "ann"}, ("project",), "user"),
    ],
)
def test_a_body_that_claims_another_identity_is_refused_with_the_field_what_was_said_and_what_is_known(
    principal: Principal, claimed: dict[str, Any], free: tuple[str, ...], field: str
) -> None:
    with pytest.raises(IdentityError) as caught:
        identity_of(principal, claimed, free=free)
    assert caught.value.field == field
    assert isinstance(caught.value, CasebookError)
    assert caught.value.claimed in str(caught.value)
    assert (caught.value.principal or "has none") in str(caught.value)


MAY: dict[Role, set[Action]] = {
    "reader": {"before_task", "match", "session_start", "recall", "explain"},
    "reporter": {"after_task"},
    "author": {"remember", "draft"},
    "reviewer": {"approve", "review", "edit", "team_scope"},
    "admin": {"tokens", "forget", "purge", "maintain"},
}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_is_its_own_and_what_those_before_it_may(role: Role) -> None:
    caller = Caller(ANN, role)
    allowed = set().union(*(MAY[each] for each in ROLES[: ROLES.index(role) + 1]))
    assert {action for action in LEAST if may(caller, action)} == allowed
    for action in LEAST:
        if action in allowed:
            refuse(caller, action)
        else:
            with pytest.raises(
                ForbiddenError, match=f"{action}: expected the role {LEAST[action]} or one above it, got {role}"
            ):
                refuse(caller, action)


def test_a_role_is_known_by_its_name() -> None:
    assert [role_named(each) for each in ROLES] == list(ROLES)
    with pytest.raises(CasebookError, match="did you mean reviewer"):
        role_named("reveiwer")


def test_the_caller_of_this_machine_is_its_user_in_the_project_of_the_folder(tmp_path: Path) -> None:
    caller = caller_at(plain(tmp_path))
    assert (caller.principal.user, caller.principal.project, caller.role) == (system_user(), "shop", "admin")
