"""Tokens of HTTP: each is bound to a principal and a role. Kept hashed in the user's state folder, 0600; shown once, when made."""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

from casebook.adapters.identity import Caller
from casebook.adapters.roles import Role, role_named
from casebook.conditions.fold import nfc
from casebook.faults import CasebookError, NotFoundError, StoreError, nearest
from casebook.runtime.answer.isolation import Principal
from casebook.stores.atomic import replace_file
from casebook.stores.reading import read_regular
from casebook.stores.splitting import SplitError
from casebook.user_state import state_folder

PREFIX = "cbk"
"""What a token begins with, so that scanners for secrets find it."""
NAME_CHARS = 512
"""Characters of a user's, project's, team's or agent's name, as in a scope."""
_MOST_BYTES = 4 * 1024 * 1024
_SECRET_BYTES = 32
_PATIENCE = 10.0
"""Seconds that another process may take; a write takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is kept: without its secret.

    Attributes:
        id: by which it is listed and taken out.
        digest: SHA-256 of the whole token, in hexadecimal; the secret in it is 32 random bytes, so that no salt is needed.
        caller: whom it stands for, and what they may do.
        created_at: ISO.
    """

    id: str
    digest: str
    caller: Caller
    created_at: str

    def to_json(self) -> dict[str, Any]:
        """Give it as it is kept."""
        principal = self.caller.principal
        return {
            "id": self.id, "sha256": self.digest, "role": self.caller.role, "user": principal.user, "project": principal.project,
            "team": sorted(principal.teams), "agent": principal.agent, "created_at": self.created_at,
        }  # fmt: skip


def tokens_file() -> Path:
    """Give the file in which tokens are kept, which need not be there. Raises StoreError where there is no home for it."""
    try:
        return state_folder() / "serve" / "tokens.json"
    except RuntimeError as error:
        raise StoreError(f"tokens are kept in the state folder, and there is none: {error}; set $HOME") from None


def every() -> tuple[Token, ...]:
    """Give all tokens, the eldest first. Raises StoreError where their file is damaged, or others could have written it."""
    file = tokens_file()
    try:
        data, found = read_regular(str(file), _MOST_BYTES, "tokens", follow=False)
    except FileNotFoundError:
        return ()
    except (OSError, SplitError) as error:
        raise StoreError(f"{file} cannot be read: {error}; nobody is let in") from None
    folder = file.parent.stat()
    for each in (found, folder):
        if each.st_uid != os.geteuid() or each.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise StoreError(f"{file}: others may have written it; nobody is let in (`chmod go-w`)")
    try:
        return tuple(_token(each) for each in json.loads(data)["tokens"])
    except (ValueError, TypeError, KeyError, AttributeError, CasebookError) as error:
        raise StoreError(f"{file} is damaged: {type(error).__name__}: {error}; nobody is let in") from None


def caller_of(text: str) -> Caller | None:
    """Give for whom a token stands that somebody shows; None where there is no such token. Raises StoreError."""
    digest = sha256(text.encode("utf-8", "replace")).hexdigest()
    known: Caller | None = None
    for each in every():
        if compare_digest(each.digest, digest):
            known = each.caller
    return known


def add(caller: Caller, now: datetime) -> tuple[Token, str]:
    """Make a token.

    Args:
        caller: for whom it is to stand; the user must be named.
        now: the present instant, aware.

    Returns:
        The token as it is kept, and its text, which nobody can give again.

    Raises:
        CasebookError: no user is named, or a name is none.
        StoreError: it cannot be kept.
    """
    principal = caller.principal
    if not principal.user:
        raise CasebookError("user: expected whom the token is to stand for, got nothing")
    for name, said in (("user", (principal.user,)), ("project", (principal.project,)), ("agent", (principal.agent,)), ("team", principal.teams)):  # fmt: skip
        for each in said:
            if each is not None and (not each.isprintable() or not 0 < len(each) <= NAME_CHARS):
                raise CasebookError(f"{name}: expected a name of at most {NAME_CHARS} characters, got {each!r}")
    made = secrets.token_hex(4)
    text = f"{PREFIX}_{made}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    token = Token(made, sha256(text.encode()).hexdigest(), caller, now.astimezone(UTC).isoformat())
    _change(lambda before: [*before, token])
    return token, text


def remove(token_id: str) -> Token:
    """Take a token out; from this moment on nobody is let in by it.

    Raises:
        NotFoundError: there is none of this id; the nearest is named.
        StoreError: it cannot be written.
    """
    gone: list[Token] = []

    def without(before: Sequence[Token]) -> list[Token]:
        gone.extend(each for each in before if each.id == token_id)
        if not gone:
            near = nearest(token_id, [each.id for each in before])
            raise NotFoundError(f"there is no token {token_id!r}" + (f"; did you mean {near}?" if near else ""))
        return [each for each in before if each.id != token_id]

    _change(without)
    return gone[0]


def _change(make: Callable[[Sequence[Token]], list[Token]]) -> None:
    file = tokens_file()
    with _locked(file.parent):
        after = make(every())
        data = json.dumps({"format": 1, "tokens": [each.to_json() for each in after]}, ensure_ascii=False, indent=2)
        try:
            replace_file(file, (data + "\n").encode())
        except OSError as error:
            raise StoreError(f"{file} cannot be written: {error.strerror or error}") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    from filelock import Timeout

    from casebook.stores.file_locks import file_lock

    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with file_lock(folder / "tokens.lock").acquire(timeout=_PATIENCE):
            yield
    except Timeout:
        raise StoreError(f"{folder}: another process has held its lock for {_PATIENCE:g} s") from None
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from None


def _token(form: Mapping[str, Any]) -> Token:
    role: Role = role_named(form["role"])
    user = form["user"]
    if not isinstance(user, str) or not user:
        raise ValueError("a token without a user")
    project, agent, teams = form.get("project"), form.get("agent"), form.get("team") or ()
    principal = Principal(nfc(user), nfc(project) if project else None, frozenset(map(nfc, teams)), nfc(agent) if agent else None)  # fmt: skip
    return Token(str(form["id"]), str(form["sha256"]), Caller(principal, role), str(form.get("created_at", "")))
