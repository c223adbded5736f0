"""What is refused, as HTTP says it: a status, and JSON that says where, what was expected and what was found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from casebook.adapters.identity import IdentityError
from casebook.adapters.roles import ForbiddenError
from casebook.faults import CasebookError, ClosedError, NotFoundError, StoreError

_SENTENCE = re.compile(r"(?s)(?P<where>[^\s:]{1,200}): expected (?P<expected>.+?),? (?:got|found) (?P<found>.+)")
_UNKNOWN = re.compile(r'(?P<where>[^\s:]{1,200}): no field is called "(?P<found>[^"]+)"(?: \((?P<near>[^()\s]+)\))?')
"""A field of another name, as it is told of a task or an outcome."""
_MEANT = re.compile(r"(?:; | \()did you mean (\S+)\?\)?$")
"""What was most likely meant, as it is told at the end."""
_MOST = 2_000
"""Characters of a message."""

_CODES: Mapping[int, str] = {
    400: "malformed", 401: "no_token", 403: "forbidden", 404: "not_found", 405: "no_such_method", 408: "too_slow", 413: "too_large",
    415: "malformed", 421: "wrong_host", 422: "unfit", 500: "ours", 503: "unavailable",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """One answer that says no.

    Attributes:
        status: of HTTP.
        message: what is wrong, and what helps.
        where: the header, or the field of the body; empty where it is neither.
        expected: what was expected; empty where that is not known.
        found: what was found; likewise.
        suggestion: what was most likely meant; likewise.
    """

    status: int
    message: str
    where: str = ""
    expected: str = ""
    found: str = ""
    suggestion: str = ""

    @property
    def code(self) -> str:
        """Give the kind of it, for programs."""
        return _CODES.get(self.status, "refused")

    def to_json(self) -> dict[str, object]:
        """Give the body of the answer."""
        told = {"where": self.where, "expected": self.expected, "found": self.found}
        parts = {name: _cut(each) or None for name, each in told.items()}
        meant = {"suggestion": _cut(self.suggestion)} if self.suggestion else {}
        return {"error": {"code": self.code, "message": _cut(self.message), **parts, **meant}}

    @property
    def body(self) -> bytes:
        """Give the body's bytes; half of a character, which nothing can write, stands as its number."""
        return json.dumps(self.to_json()).encode()

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Give its headers; a connection of which not all was read is closed."""
        found = [(b"content-type", b"application/json"), (b"content-length", str(len(self.body)).encode())]
        if self.status == 401:
            found.append((b"www-authenticate", b"Bearer"))
        if self.status in (408, 413):
            found.append((b"connection", b"close"))
        return found


class RefusedError(Exception):
    """A request is refused.

    Attributes:
        refusal: what is answered.
    """

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.message)


def refusal_of(error: CasebookError) -> Refusal:
    """Give what is answered where a casebook refuses something."""
    status = 422
    if isinstance(error, IdentityError | ForbiddenError):
        status = 403
    elif isinstance(error, NotFoundError):
        status = 404
    elif isinstance(error, StoreError | ClosedError):
        status = 503
    said = str(error)
    if isinstance(error, IdentityError):
        return Refusal(status, said, f"body.{error.field}", str(error.principal or "nothing"), error.claimed)
    if isinstance(error, ForbiddenError):
        where = f"body.{error.field}" if error.field else "header.authorization"
        return Refusal(status, said, where, f"the role {error.needed} or above", error.role)
    return in_parts(status, said)


def in_parts(status: int, said: str) -> Refusal:
    """Give a refusal of a sentence in its parts, as far as it is one that has them: `kind: expected …, got …; did you mean …?`."""
    unknown = _UNKNOWN.match(said)
    if unknown is not None:
        near = unknown["near"] or ""
        return Refusal(status, said, unknown["where"], near or "the name of a field", unknown["found"], near)
    parts = _SENTENCE.match(said)
    if parts is None:
        return Refusal(status, said)
    meant = _MEANT.search(parts["found"])
    found, near = (parts["found"][: meant.start()], meant[1]) if meant is not None else (parts["found"], "")
    return Refusal(status, said, parts["where"], parts["expected"], found, near)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST // 2]} … {text[-_MOST // 2 :]}"
