"""What is to be forgotten, looked for in a row: by its columns, in its texts, and within the JSON that it holds."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from casebook.runtime.journal.rows import whole
from casebook.stores.form_words import is_of_form
from casebook.stores.mentions import Mentions, folded, is_common

if TYPE_CHECKING:
    from casebook.stores.memory_store import Forgetting

_LONG = 8
"""Characters of an id that is looked for within a text; a shorter one (`main`, `1`) has to be all of it (ours)."""
_PARTS = 16
"""Parts of an entry's id that are looked at; ours have five."""
_NESTED = frozenset(("undo", "skip", "confirm"))
"""What an entry about another entry begins with; that one's id follows."""
_NOBODYS = frozenset(
    (
        "run",
        "again",
        "ran",
        "schedule",
        "began",
        "ended",
        "tick",
        "retain",
        "purge",
        "forget",
        "watermark",
        "digest",
        "all",
    )
)
"""Entries of the ledger, and receipts: their ids are made of jobs, instants and numbers."""
_JOB_BEFORE = {"ask": 1, "note": 1, "move": 1}
"""Where a reason or a job stands before the memory or case that an entry is about."""
_NAME = re.compile(r"[A-Za-z0-9_.\-]+")
_WHO = frozenset(("user", "by", "actor"))
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[\"\\/bfnrt])")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Sought:
    """Looks for what is to be forgotten.

    Attributes:
        user, session: whose rows, or None.
        users: the user's id in each form of Unicode in which it is the same.
        ids: sessions, memories, cases and signatures, in every place.
        sessions: the ids, and the session.
        shared: sessions in which somebody else is known.
    """

    def __init__(self, what: Forgetting) -> None:
        """Take what is to be forgotten."""
        self.user = whole(what.user) if what.user else None
        self.session = whole(what.session) if what.session else None
        self.ids = frozenset(whole(each) for each in what.ids if each)
        self.shared = what.shared
        self.sessions = self.ids if self.session is None else self.ids | {self.session}
        self._text = folded(whole(what.text)) if what.text and what.text.strip() else ""
        self.users = frozenset() if self.user is None else frozenset(_forms(self.user))
        self._is_common = self.user is not None and is_common(self.user)
        self._equal = self.sessions if self._is_common else self.sessions.union(self.users)
        self._names = frozenset(each for each in self.sessions if len(each) >= _LONG and _NAME.fullmatch(each))
        self._user = Mentions(self.user) if self.user else None

    @property
    def has_text(self) -> bool:
        """Say whether a text is looked for at all."""
        return bool(self._text)

    def is_actor(self, actor: str) -> bool:
        """Say whether the user is who did something, as the audit log names a person."""
        kind, _, name = actor.partition(":")
        return kind == "person" and name in self.users

    def is_own(self, user: str | None, session: str | None) -> bool:
        """Say whether a row is of the user, or of a session that is to be forgotten."""
        if user in self.users or (session is not None and session == self.session):
            return True
        is_anothers = user is not None and self.user is not None
        return not is_anothers and session is not None and session in self.sessions

    def has(self, text: str) -> bool:
        """Say whether a text contains the text, as it stands or behind the escapes of JSON."""
        if not self._text:
            return False
        return self._text in folded(text) or ("\\" in text and self._text in folded(unescaped(text)))

    def has_in(self, raw: str | None) -> bool:
        """Say whether JSON contains the text in any name or value."""
        if not self._text or not raw:
            return False
        if raw.isascii() and "\\" not in raw and self._text.isascii() and self._text not in raw.lower():
            return False
        return any(self.has(each) for each in texts_of(read(raw)))

    def names(self, text: str) -> bool:
        """Say whether a text names the user as a whole word, or an id."""
        if text in self._equal or (self._user is not None and self._user.within(text)):
            return True
        return bool(self._names) and not self._names.isdisjoint(_names_in(text))

    def is_named(self, name: str) -> bool:
        """Say whether a subject or a signature is one of the ids; whom somebody is called after is no matter."""
        return name in self.ids

    def names_in_line(self, line: str) -> bool:
        """Say whether a line of JSON that may be torn names any of it, or contains the text."""
        return self.names(line) or self.has(line) or any(f'"{each}"' in line for each in self._equal)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Give the ids that are more than a name, such as signatures."""
        return tuple(sorted(each for each in self.sessions - self._names if len(each) >= _LONG))

    def names_part(self, entry_id: str) -> bool:
        """Say whether an id of the audit log names the user or one of the ids, by how ids of its action are made.

        A user stands in those of limits alone; a case or memory in its own place, other ids in the key after it. Lines of the ledger
        and receipts name nobody, whatever somebody is called.
        """
        action, _, rest = entry_id.partition(":")
        while action in _NESTED and ":" in rest:
            action, _, rest = rest.partition(":")
        if action in _NOBODYS:
            return False
        if action == "limit":
            return rest.partition(":")[2].rpartition(":")[0] in self.users
        parts = rest.split(":")[_JOB_BEFORE.get(action, 0) : _PARTS]
        if not self._names.isdisjoint(_names_in(":".join(parts))):
            return True
        if parts[:1] and parts[0] in self.ids:
            return True
        ends = range(2, len(parts) + 1)
        keys = (":".join(parts[start:end]) for end in ends for start in range(1, end))
        return any(key in self.sessions and not key.isdecimal() for key in keys)


def _forms(name: str) -> Iterator[str]:
    """Give a name in the forms of Unicode in which it is the same."""
    yield name
    yield unicodedata.normalize("NFC", name)
    yield unicodedata.normalize("NFD", name)


def _names_in(text: str) -> Iterator[str]:
    for each in _NAME.findall(text):
        yield each
        yield each.strip(".-")


def read(raw: str) -> Any:
    """Give the value of JSON; the text itself where it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw


def unescaped(text: str) -> str:
    """Give a text whose JSON escapes are undone, twice where one stands behind another."""
    for _ in range(2):
        text = _ESCAPE.sub(_undone, text)
    return whole(text)


def _undone(found: re.Match[str]) -> str:
    name = found[1]
    return chr(int(name[1:], 16)) if name[0] == "u" else _PLAIN.get(name, name)


def texts_of(value: Any) -> Iterator[str]:
    """Give every text in a value, the names of mappings among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from texts_of(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_of(each)


def words_of(value: Any, key: str = "") -> Iterator[str]:
    """Give every text in a value that is more than our own form: no names of our fields, kinds, instants."""
    if isinstance(value, str):
        if not is_of_form(value, key):
            yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if not is_of_form(name, name, is_key=True):
                yield name
            yield from words_of(each, name)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from words_of(each, key)


def without(value: Any, goes: Callable[[str], bool], key: str = "", users: AbstractSet[str] = frozenset()) -> Any:
    """Give a value of the same shape in which texts that go are empty, names too; the same object where nothing went.

    What is of our own form stays: without its fields and instants no line of the audit log could be read any more. `users` are
    names that go where a user stands, whatever else they mean.
    """
    if isinstance(value, str):
        if key in _WHO and value.removeprefix("person:") in users:
            return ""
        return "" if value and not is_of_form(value, key) and goes(value) else value
    if isinstance(value, Mapping):
        made = {
            name if is_of_form(name, name, is_key=True) else without(name, goes): without(each, goes, name, users)
            for name, each in value.items()
        }
        return value if all(made.get(name) is each for name, each in value.items()) else made
    if isinstance(value, list | tuple):
        items = [without(each, goes, key, users) for each in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value
