"""Whether a text mentions what is to be forgotten, in whatever form it is written; and the text without it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

FORGOTTEN = "…"
"""Stands where a user's id was taken out of somebody else's text; one character, so that no text becomes too long."""

_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")


def folded(text: str) -> str:
    """Give a text as it is compared: NFKC and case folding."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_same(one: object, other: str) -> bool:
    """Say whether a value is an id, in whatever normal form it is written."""
    if one == other or not isinstance(one, str):
        return one == other
    return not one.isascii() and unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


COMMON = frozenset(
    [
        "shell",
        "bash",
        "sh",
        "zsh",
        "git",
        "gh",
        "read",
        "write",
        "edit",
        "search",
        "grep",
        "glob",
        "fetch",
        "browse",
        "browser",
        "task",
        "todo",
        "notebook",
        "terminal",
        "python",
        "node",
        "npm",
        "npx",
        "pnpm",
        "yarn",
        "pip",
        "pytest",
        "cargo",
        "go",
        "java",
        "docker",
        "podman",
        "kubectl",
        "helm",
        "terraform",
        "make",
        "cmake",
        "curl",
        "wget",
        "ssh",
        "scp",
        "rsync",
        "psql",
        "mysql",
        "redis",
        "postgres",
        "sqlite",
        "aws",
        "gcloud",
        "az",
        "test",
        "tests",
        "build",
        "deploy",
        "release",
        "review",
        "refactor",
        "debug",
        "install",
        "commit",
        "push",
        "pull",
        "merge",
        "rebase",
        "branch",
        "main",
        "master",
        "user",
        "users",
        "admin",
        "root",
        "system",
        "agent",
        "person",
        "tool",
        "tools",
        "text",
        "answer",
        "message",
        "error",
        "file",
        "path",
        "host",
        "time",
        "date",
        "weekday",
        "session",
        "project",
        "team",
        "intent",
        "program",
        "action",
        "channel",
        "model",
        "origin",
        "and",
        "or",
        "not",
        "is",
        "in",
        "of",
        "the",
        "a",
        "to",
        "for",
    ]
)
"""Words of conditions, tools and programs (ours). Who is called so is taken out of others' texts only where a person is meant."""
_PERSON = re.compile(
    r"(?i)(?:@|person:|\buser[\"']?[ \t]*(?:is|==?|:|：|是)?[ \t]*[\"'(]?|用户[ \t]*(?:是|：|:)?[ \t]*[\"']?)$"
)


def is_common(name: str) -> bool:
    """Say whether a user's id is a word that conditions and instructions are made of, such as `git`."""
    return name.casefold() in COMMON


class Mentions:
    """Finds an id in texts, where it stands as a word of its own: `ann` is in `ask ann-lee`, and not in `annual` or `anna`.

    Signs of scripts that are written without spaces bound nothing and are bounded by nothing: `ann` is in `问ann吧`. An id of
    ASCII signs alone, such as `-`, is none where it stands beside a word: `m-1` has no `-`. One that is a common word, such as
    `git`, is only found where a person is meant: `@git`, `user is git`.
    """

    def __init__(self, name: str) -> None:
        """Take the id, not empty."""
        self.name = name
        self._is_common = is_common(name)
        self._is_bare = name.isascii() and not any(map(str.isalnum, name))
        forms = {name, *(unicodedata.normalize(form, name) for form in _FORMS)}
        self._pattern = re.compile("|".join(map(re.escape, sorted(forms, key=lambda each: (-len(each), each)))))

    def within(self, text: str) -> bool:
        """Say whether a text mentions it."""
        return any(self._is_apart(text, *found.span()) for found in self._pattern.finditer(text))

    def without(self, text: str) -> str:
        """Give a text with something else in its place."""
        return self._pattern.sub(lambda found: FORGOTTEN if self._is_apart(text, *found.span()) else found[0], text)

    def _is_apart(self, text: str, start: int, end: int) -> bool:
        if self._is_bare and (_is_of_word(text[start - 1 : start]) or _is_of_word(text[end : end + 1])):
            return False
        if self._is_common and not _PERSON.search(text, max(0, start - 24), start):
            return False
        return _is_apart(text, start, end)


def _is_apart(text: str, start: int, end: int) -> bool:
    """Say whether what stands between two offsets is no part of a longer word."""
    if start and _joins(text[start - 1], text[start]):
        return False
    return end >= len(text) or not _joins(text[end - 1], text[end])


def _joins(one: str, other: str) -> bool:
    """Say whether two signs beside each other belong to one word."""
    if unicodedata.category(other).startswith("M"):
        return True
    return _is_of_word(one) and _is_of_word(other)


def _is_of_word(sign: str) -> bool:
    return (
        sign != ""
        and (sign.isalnum() or sign == "_" or unicodedata.category(sign).startswith("M"))
        and not _is_unspaced(sign)
    )


def _is_unspaced(sign: str) -> bool:
    """Say whether a sign is of a script that puts no spaces between words (or, as Korean, endings right at them)."""
    at = ord(sign)
    return (
        0x0E00 <= at <= 0x0EFF
        or 0x1000 <= at <= 0x109F
        or 0x1780 <= at <= 0x17FF
        or 0x2E80 <= at <= 0xA4CF
        or 0xAC00 <= at <= 0xD7AF
        or 0xF900 <= at <= 0xFAFF
        or 0x20000 <= at <= 0x3FFFF
    )
