"""What is to be forgotten, asked of one memory, case or entry: whether it goes, and what of its text goes where it stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from casebook.stores.form_words import is_of_form
from casebook.stores.json_strings import decoded, strings, tokens, unescaped
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import FORGOTTEN, Mentions, folded, is_same
from casebook.stores.rewriting import edited
from casebook.stores.session_names import is_anothers_file, is_users_file

Fate = Literal["stays", "direct", "derived"]
"""direct: it says itself that it is concerned · derived: only the ids that were found elsewhere say so."""

_WHO = frozenset({"user", "by"})
"""Fields that hold the very id of a user (`by` also as `person:id`)."""
_OTHERS = frozenset(
    {"id", "project", "team", "agent", "session", "supersedes", "merged", "superseded_by", "event", "activation"}
)
"""Fields that hold ids of other things: to change them would tie what stays to something else."""
_PARTS = ("source", "examples", "$comment")
"""Fields of a case that may go while it stays; the free ones (`x-…`) besides."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What of a memory tells that it belongs to something else; None or empty where it says nothing.

    Attributes:
        id: its id.
        owner: the user whose it is.
        session, event, activation: that it comes from.
        origin: the file that it was archived from.
        place: the file in which it stands, or from which it was archived.
    """

    id: str | None
    owner: str | None
    session: str | None
    event: str | None
    activation: str | None
    origin: str = ""
    place: str = ""


def trace_of(memory: Mapping[str, Any], origin: str = "", place: str = "") -> Trace:
    """Give what a memory tells of whence it is."""
    source = _object(memory, "source")
    return Trace(
        _text_of(memory.get("id")), _text_of(_object(memory, "scope").get("user")), _text_of(source.get("session")),
        _text_of(source.get("event")), _text_of(source.get("activation")), origin, place or origin,
    )  # fmt: skip


class Sought:
    """What is to be forgotten."""

    def __init__(self, what: Forgetting, origins: frozenset[str] = frozenset()) -> None:
        """Take it.

        Args:
            what: with all ids that are known; blank names and texts are none.
            origins: files of sessions: what was archived from them goes, too.
        """
        self.what = what
        self.origins = origins
        self._user = Mentions(what.user) if what.user else None
        self._session = Mentions(what.session) if what.session else None
        self._text = folded(what.text) if what.text and what.text.strip() else None

    def is_user(self, name: object) -> bool:
        """Say whether a value is the user's id; `person:id` is, too."""
        if not self.what.user or not isinstance(name, str):
            return False
        return is_same(name.removeprefix("person:"), self.what.user) or is_same(name, self.what.user)

    def is_session(self, name: object) -> bool:
        """Say whether a value is the session's id."""
        return bool(self.what.session) and is_same(name, str(self.what.session))

    def is_known(self, name: object) -> bool:
        """Say whether a value is one of the ids that were found."""
        return isinstance(name, str) and name in self.what.ids

    def has_text(self, text: str) -> bool:
        """Say whether a text contains what must be forgotten of texts."""
        return self._text is not None and self._text in folded(text)

    def has_text_within(self, raw: str) -> bool:
        """Say whether a string in JSON text contains what must be forgotten of texts; fields and words of our own form do not."""
        return self.has_text(unescaped(raw)) and any(
            self.has_text(string)
            for _, _, string, key, is_key in tokens(raw)
            if not is_of_form(string, key, is_key=is_key)
        )

    def mentions(self, text: str) -> bool:
        """Say whether a text names the user as a word of its own, or contains the text."""
        return (self._user is not None and self._user.within(text)) or self.has_text(text)

    def of_session(self, fields: Mapping[str, Any]) -> Fate:
        """Say whether a file of memories with such fields is a session's that goes as a whole."""
        user, session = fields.get("user"), fields.get("session")
        if self.is_user(user) or self.is_session(session):
            return "direct"
        is_others = self.what.user is not None and isinstance(user, str)
        return "derived" if self.is_known(session) and not is_others else "stays"

    def of_memory(self, memory: Mapping[str, Any], raw: str, origin: str = "", place: str = "") -> Fate:
        """Say whether a memory goes: the user's own, or said by them, of the session, with the text, or one of the ids.

        Args:
            memory: its JSON object.
            raw: its JSON text; what a repeated key hides counts, too.
            origin: the file that it was archived from.
            place: the file in which it stands.
        """
        scope, source = _object(memory, "scope"), _object(memory, "source")
        if (scope and self.is_user(scope.get("user"))) or (source and self._is_said(source)):
            return "direct"
        if self.is_user(_object(memory, "about").get("user")) or (self._text is not None and self.has_text_within(raw)):
            return "direct"
        return "derived" if self.is_derived(trace_of(memory, origin, place)) else "stays"

    def is_derived(self, trace: Trace) -> bool:
        """Say whether a memory goes because of the ids that were found; a session that somebody else has too leads to nothing of theirs."""
        ids = self.what.ids
        if trace.id in ids or trace.event in ids or trace.activation in ids:
            return True
        if self.is_anothers(trace):
            return False
        return trace.session in ids or trace.origin in self.origins or self._is_of_users_file(trace)

    def _is_of_users_file(self, trace: Trace) -> bool:
        user, session = self.what.user, trace.session
        return bool(user) and session is not None and is_users_file(trace.place, session, str(user))

    def is_anothers(self, trace: Trace) -> bool:
        """Say whether what is known of a memory that does not name the user says that somebody else said it.

        That is its scope, the audit log (`Forgetting.others`), or the file of the session, which is made of the user, too.
        """
        user = self.what.user
        if not user:
            return False
        if trace.owner is not None or trace.id in self.what.others:
            return True
        return trace.session is not None and is_anothers_file(trace.place, trace.session, user)

    def of_case(self, case: Mapping[str, Any]) -> Fate:
        """Say whether a case goes, as far as its scope, source and id tell: the user's own, or made by them or in the session."""
        if self.is_user(_object(case, "scope").get("user")) or self._is_said(_object(case, "source")):
            return "direct"
        return "derived" if self.is_known(case.get("id")) else "stays"

    def _is_said(self, source: Mapping[str, Any]) -> bool:
        return any(self.is_user(source.get(each)) for each in _WHO) or self.is_session(source.get("session"))

    def without_parts(self, case: Mapping[str, Any], raw: str) -> str:
        """Give the JSON text of a case that stays, without evidence, examples and free fields that name user, session, text or ids."""
        changes: dict[str, Any] = {}
        remove = []
        for name, value in case.items():
            if name.startswith("x-") or name == "$comment":
                if self.touches(value) or self.mentions(name):
                    remove.append(name)
            elif name == "source" and isinstance(value, dict):
                kept = self._source(value)
                if kept != value:
                    changes[name] = kept
            elif name == "examples" and isinstance(value, dict):
                kept = {each: self._untouched(items) for each, items in value.items()}
                if kept != value:
                    changes[name] = kept
            elif name == "supersedes" and isinstance(value, list):
                kept_ids = [each for each in value if not self.is_known(each)]
                if kept_ids != value:
                    changes[name] = kept_ids
        return edited(raw, changes, remove) if changes or remove else raw

    def without_references(self, memory: Mapping[str, Any], raw: str) -> str:
        """Give the JSON text of a memory that stays, without references to what goes."""
        changes: dict[str, Any] = {}
        merged = memory.get("merged")
        if isinstance(merged, list) and any(map(self.is_known, merged)):
            changes["merged"] = [each for each in merged if not self.is_known(each)]
        remove = ["superseded_by"] if self.is_known(memory.get("superseded_by")) else []
        return edited(raw, changes, remove) if changes or remove else raw

    def _source(self, source: Mapping[str, Any]) -> dict[str, Any]:
        kept = {}
        for name, value in source.items():
            if name == "evidence":
                kept[name] = self._untouched(value)
            elif name in ("origin", "signature") or not self.touches({name: value}):
                kept[name] = value
        return kept

    def _untouched(self, items: Any) -> Any:
        return [each for each in items if not self.touches(each)] if isinstance(items, list) else items

    def touches(self, value: Any, key: str = "") -> bool:
        """Say whether a JSON value names the user, the session or one of the ids, or contains the text, at any depth."""
        if isinstance(value, str):
            if self.is_known(value) or self.is_session(value) or self.has_text(value):
                return True
            if key in _WHO and not _is_sentence(value):
                return self.is_user(value)
            return not is_of_form(value, key) and self._names(value)
        if isinstance(value, dict):
            return any(
                (not is_of_form(name, name, is_key=True) and self._names(name)) or self.touches(each, name)
                for name, each in value.items()
            )
        return isinstance(value, list) and any(self.touches(each, key) for each in value)

    def _names(self, text: str) -> bool:
        return any(each is not None and each.within(text) for each in (self._user, self._session))

    def masked(self, raw: str, *, texts: bool = False) -> str:
        """Give JSON text in which the user's id is taken out of every string, however it is escaped; other strings keep their bytes.

        Args:
            raw: JSON text.
            texts: whether strings that contain the text are emptied (where nothing but the string can go).
        """
        plain = unescaped(raw)
        if not (self._user is not None and self._user.within(plain)) and not (texts and self.has_text(plain)):
            return raw
        pieces: list[str] = []
        at = 0
        for start, end, string, key, is_key in tokens(raw):
            is_ours = is_of_form(string, key, is_key=is_key)
            changed = string if is_ours else self._masked_string(string, "" if is_key else key)
            if texts and not is_ours and self.has_text(string):
                changed = FORGOTTEN if is_key else ""
            if changed != string:
                pieces += [raw[at:start], json.dumps(changed, ensure_ascii=False)]
                at = end
        return "".join([*pieces, raw[at:]]) if pieces else raw

    def _masked_string(self, string: str, key: str) -> str:
        if self._user is None or key in _OTHERS:
            return string
        if key in _WHO and not _is_sentence(string):
            return FORGOTTEN if self.is_user(string) else string
        return self._user.without(string)

    def is_left_in(self, raw: str) -> bool:
        """Say whether JSON text still names the user (in an id that cannot be changed, say) or contains the text."""
        if not self.mentions(unescaped(raw)):
            return False
        for _, _, string, key, is_key in tokens(raw):
            if is_of_form(string, key, is_key=is_key):
                continue
            if self.has_text(string):
                return True
            if self._user is None:
                continue
            is_name = key in _WHO and not is_key and not _is_sentence(string)
            if self.is_user(string) if is_name else self._user.within(string):
                return True
        return False

    def may_change(self, data: bytes) -> bool:
        """Say whether a file of JSON may hold anything of it, the ids among them; quick, and never wrongly no."""
        raw = decoded(data)
        text = unescaped(raw)
        if self.mentions(text) or self._names(text):
            return True
        wanted = self.what.ids | self.origins
        return bool(wanted) and not wanted.isdisjoint(strings(raw))

    def may_be_in(self, data: bytes) -> bool:
        """Say whether bytes that are not understood hold the name of the user or session, or the text, in whatever escapes."""
        text = unescaped(decoded(data))
        return self.mentions(text) or self._names(text)


def _is_sentence(text: str) -> bool:
    """Say whether what stands where a user's id belongs is a text instead; `ann-lee` is somebody else's id, and stays."""
    return any(each.isspace() for each in text)


def _text_of(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}
