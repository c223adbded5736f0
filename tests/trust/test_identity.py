"""Who asks is what the host knows: the system's user, the repository's name, the token's principal; a body changes nothing of it."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.identity import (
    Caller,
    IdentityError,
    caller_at,
    identity_at,
    identity_of,
    project_of,
    system_user,
)
from casebook.adapters.roles import LEAST, ROLES, Action, ForbiddenError, Role, may, refuse, role_named
from casebook.faults import CasebookError
from casebook.runtime.answer.isolation import Principal


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
