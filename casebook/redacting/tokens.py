"""Tokens that stand by themselves: those of known services, and what is too random to be anything but a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from casebook.redacting.services import SERVICES, Service
from casebook.redacting.shapes import is_random, stands_alone_as_secret
from casebook.redacting.spans import Span, compiled

_BEFORE = r"(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9a-f]{4}|%[0-9A-F]{2}|\x1b\[[0-9;]*m)"
_INNOCENT_BEFORE = re.compile(
    rb"(?i)(?:(?:\b|_|\d|[a-z])(?:id(?:-\d)?|ids|boundary|uuid|sha-?\d*|md5|blake\w*|hash|digest|etag|checksum|sum|fingerprint|integrity|cursor|commit|"
    rb"revision|rev|trace|span|request|message|nonce|build|version|tag|image|ref|oid|cid|h1|continuation|marker|page|offset|v\d|name|"
    rb"file|path|url|slug|asset|chunk|bundle|txid|tx|address|addr|wallet|block|digest-sha256|pin-sha256|ssh-rsa|kid|x5t|thumbprint|public[_ -]?key|pub[_-]?key)"
    rb"[\"'\s:=#>(\[-]{1,4}|[./\\@]|;base64,|\"[nxye]\"[ ]?:[ ]?\")$"
)
_URL_BEFORE = re.compile(rb"https?://[^\s\"'<>]*$")


@lru_cache(maxsize=1)
def _tables() -> tuple[Any, dict[str, list[tuple[Service, Any]]], list[tuple[Service, Any]]]:
    """Compile the services: one pattern that finds any, and by the first two characters those that may have been found."""
    every = compiled(f"{_BEFORE}({'|'.join(f'(?:{each.pattern})' for each in SERVICES)})")
    begins: dict[str, list[tuple[Service, Any]]] = {}
    anywhere: list[tuple[Service, Any]] = []
    for each in SERVICES:
        one = compiled(each.pattern, capture=False)
        literal = re.match(r"[A-Za-z0-9]{2}(?![{?*+])", each.pattern)
        if literal:
            begins.setdefault(literal[0], []).append((each, one))
        else:
            anywhere.append((each, one))
    return every, begins, anywhere


def of_services(data: bytes) -> Iterator[Span]:
    """Find the tokens of known services."""
    every, begins, anywhere = _tables()
    for found in every.finditer(data):
        start, end = found.span(1)
        if data[end : end + 1].isalnum():
            continue
        token = data[start:end]
        if _FILLED.search(token):
            continue
        for each, one in (*begins.get(token[:2].decode("ascii", "replace"), ()), *anywhere):
            if one.fullmatch(token):
                if not each.common or _is_drawn(token):
                    yield start, end, each.name
                break


_FILLED = re.compile(
    rb"(?i)[x*.]{8,}|(?:your|insert|replace|enter|place)[-_](?:\w+[-_])*(?:key|token|secret|here)|x{6,}$|-here$"
)
"""What stands in the place of a token: `ghp_xxxxxxxx`, `sk-your-api-key-here`."""


def _is_drawn(token: bytes) -> bool:
    """Say whether what follows a common beginning looks drawn at random."""
    tail = token[-16:]
    if len(set(tail)) < 6:
        return False
    return any(48 <= each <= 57 for each in token[3:]) or is_random(token.decode("ascii", "replace"))


_RUN = r"[A-Za-z0-9+/_-]{24,}={0,2}"
_AFTER = (b'"', b"n", b"r", b"t", b"u")
"""What is escaped after a token in JSON within JSON; after a folder of Windows there is another."""
_LONGEST = 220


def random_tokens(data: bytes) -> Iterator[Span]:
    """Find tokens that nothing names, long and random, of all classes, that are none of the innocent shapes."""
    for found in _runs().finditer(data):
        start, end = found.span()
        if end - start > _LONGEST:
            continue
        token = data[start:end].decode("ascii")
        if not stands_alone_as_secret(token):
            continue
        if (
            data[end : end + 1] in (b"@", b"(")
            or (
                data[end : end + 1] == b"\\"
                and (data[start - 1 : start] == b"\\" or data[end + 1 : end + 2] not in _AFTER)
            )
        ) or (data[end : end + 1] == b"." and data[end + 1 : end + 2].isalnum()):
            continue
        if _INNOCENT_BEFORE.search(data, max(0, start - 20), start) or _in_block(data, start, end):
            continue
        if data.rfind(b"://", max(0, start - 200), start) >= 0 and _URL_BEFORE.search(data, max(0, start - 200), start):
            continue
        yield start, end, "random"


def _in_block(data: bytes, start: int, end: int) -> bool:
    """Say whether a token is a whole line of a block of encoded text: a neighbouring line is one, too."""
    for line in (_line_before(data, start), _line_after(data, end)):
        if len(line) >= 24 and _LINE.fullmatch(line):
            return True
    return False


_LINE = re.compile(rb"[A-Za-z0-9+/=_-]+|-{5}[A-Z0-9 ]+-{5}")


def _line_before(data: bytes, start: int) -> bytes:
    head = data[max(0, start - 160) : start].replace(b"\\n", b"\n").replace(b"\r", b"")
    return head.split(b"\n")[-2].strip() if head.endswith(b"\n") and b"\n" in head[:-1] else b""


def _line_after(data: bytes, end: int) -> bytes:
    tail = data[end : end + 160].replace(b"\\n", b"\n").replace(b"\r", b"")
    return tail.split(b"\n")[1].strip() if tail.startswith(b"\n") else b""


@lru_cache(maxsize=1)
def _runs() -> Any:
    return compiled(_RUN, capture=False)
