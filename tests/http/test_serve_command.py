"""`casebook serve` on the command line: its tokens, and what it refuses."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main
from casebook.adapters.http import tokens


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def casebook(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
        code = main(list(arguments))
        told = capsys.readouterr()
        return Result(code, told.out, told.err)

    return run


def test_a_token_is_printed_once_and_listed_without_its_secret(casebook: Run) -> None:
    made = casebook("serve", "token", "add", "--user", "ann", "--role", "author", "--project", "shop", "--team", "blue")
    text = made.out.strip()
    caller = tokens.caller_of(text)
    assert caller is not None
    assert (caller.principal.user, caller.principal.project, caller.role) == ("ann", "shop", "author")
    assert "not shown again" in made.err
    listed = casebook("serve", "token", "list")
    assert "ann" in listed.out
    assert text not in listed.out
    form = json.loads(casebook("serve", "token", "list", "--json").out)
    assert [set(each) for each in form] == [{"id", "role", "user", "project", "team", "agent", "created_at"}]
    assert casebook("serve", "token", "remove", form[0]["id"]).code == 0
    assert tokens.caller_of(text) is None
    assert casebook("serve", "token").err.startswith("there is no token")


def test_a_token_reports_and_no_more_unless_it_is_said(casebook: Run) -> None:
    made = json.loads(casebook("serve", "token", "add", "--user", "李雷", "--json").out)
    assert (made["role"], made["user"]) == ("reporter", "李雷")
    caller = tokens.caller_of(made["token"])
    assert caller is not None
    assert caller.role == "reporter"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("serve now", "expected nothing, or token, got 'now'"),
        ("serve --host 0.0.0.0", "expected 127.0.0.1, got '0.0.0.0'"),
        ("serve --host ::", "expected 127.0.0.1"),
        ("serve --port x", "from 0 to 65535"),
        ("serve --port 65536", "from 0 to 65535"),
        ("serve --port 1 --no-http", "got both"),
        ("serve --user ann", "--user is of `serve token add`"),
        ("serve --now 2026-03-21T03:00", "--now"),
        ("serve --dir nowhere", "there is no such folder"),
        ("serve token make", "expected add, list or remove, got 'make'"),
        ("serve token add", "expected --user NAME"),
        ("serve token add --user ann --role king", "king"),
        ("serve token add --user ann extra", "nothing further"),
        ("serve token add --user ann --port 1", "of the service itself"),
        ("serve token remove", "the id of a token"),
        ("serve token remove nobody", "there is no token 'nobody'"),
        ("serve token list --user ann", "--user is of `serve token add`"),
    ],
)
def test_what_is_no_use_is_refused_with_its_cure(casebook: Run, line: str, told: str) -> None:
    result = casebook(*line.split())
    assert (result.code, result.out) == (2, "")
    assert told in result.err
    assert tokens.every() == ()
