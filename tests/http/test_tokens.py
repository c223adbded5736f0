"""A token stands for a principal and a role; what is kept of it lets nobody in."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from casebook.adapters.http import tokens
from casebook.adapters.identity import Caller
from casebook.faults import CasebookError, NotFoundError, StoreError
from casebook.runtime.answer.isolation import Principal
from tests.http.service import bearer, token


def test_a_token_stands_for_whom_it_was_made_for() -> None:
    text = token("author", "ann", project="shop", teams=("blue",))
    assert tokens.caller_of(text) == Caller(Principal("ann", "shop", frozenset({"blue"}), None), "author")


def test_what_is_kept_holds_no_token_and_is_this_users_alone() -> None:
    text = token()
    file = tokens.tokens_file()
    kept = file.read_text(encoding="utf-8")
    assert text not in kept
    assert text.rpartition("_")[2] not in kept
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_token_that_was_taken_out_lets_nobody_in_from_that_moment_on(client: TestClient) -> None:
    text, other = token(), token(user="ben")
    assert client.get("/v1/cases", headers=bearer(text)).status_code == 200
    tokens.remove(tokens.every()[0].id)
    assert client.get("/v1/cases", headers=bearer(text)).status_code == 401
    assert client.get("/v1/cases", headers=bearer(other)).status_code == 200


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer nonsense",
        "Basic {token}",
        "Bearer {token}x",
        "Bearer x{token}",
        "{token}",
    ],
)
def test_who_shows_no_token_or_another_is_told_so(client: TestClient, shown: str | None) -> None:
    text = token()
    headers = {} if shown is None else {"Authorization": shown.replace("{token}", text)}
    told = client.get("/v1/cases", headers=headers)
    assert (told.status_code, told.json()["error"]["code"]) == (401, "no_token")
    assert told.headers["www-authenticate"] == "Bearer"
    assert text not in told.text


def test_the_hash_that_is_kept_is_no_token(client: TestClient) -> None:
    token()
    digest = json.loads(tokens.tokens_file().read_text(encoding="utf-8"))["tokens"][0]["sha256"]
    assert client.get("/v1/cases", headers=bearer(digest)).status_code == 401


@pytest.mark.parametrize("content", ["{", "[]", '{"tokens": 1}', '{"tokens": [{"role": "king"}]}', '{"tokens": [{}]}'])
def test_where_the_file_is_damaged_nobody_is_let_in_and_nothing_is_written(client: TestClient, content: str) -> None:
    text = token()
    tokens.tokens_file().write_text(content, encoding="utf-8")
    assert client.get("/v1/cases", headers=bearer(text)).status_code == 503
    with pytest.raises(StoreError):
        token(user="eve")
    assert tokens.tokens_file().read_text(encoding="utf-8") == content


def test_a_file_that_others_may_write_lets_nobody_in(client: TestClient) -> None:
    text = token()
    tokens.tokens_file().chmod(0o666)
    assert client.get("/v1/cases", headers=bearer(text)).status_code == 503


def test_a_link_in_the_place_of_the_file_is_not_followed(client: TestClient, tmp_path: Path) -> None:
    text = token()
    file = tokens.tokens_file()
    file.rename(tmp_path / "elsewhere.json")
    file.symlink_to(tmp_path / "elsewhere.json")
    assert client.get("/v1/cases", headers=bearer(text)).status_code == 503


@pytest.mark.parametrize("user", ["", "a\nb", "x" * 513])
def test_a_name_that_is_none_makes_no_token(user: str) -> None:
    with pytest.raises(CasebookError):
        token(user=user)
    assert tokens.every() == ()


def test_an_unknown_id_is_told_with_the_nearest() -> None:
    token()
    known = tokens.every()[0].id
    with pytest.raises(NotFoundError, match=known):
        tokens.remove(known[:-1] + ("0" if known[-1] != "0" else "1"))
