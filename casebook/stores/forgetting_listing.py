"""What a forgetting would take and what it would alter, thing by thing, for who is to say yes to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from casebook.stores.forgetting_json import Element, entries_of
from casebook.stores.forgetting_reach import reached, texts_in
from casebook.stores.form_words import is_of_form
from casebook.stores.json_strings import tokens
from casebook.stores.memory_store import Forgetting
from casebook.stores.mentions import Mentions
from casebook.stores.sought import Sought, trace_of

TEXT_CHARS = 80
"""Characters of a text that are told (ours)."""
_NAMES = frozenset({"id", "user", "by", "project", "team", "agent", "session", "supersedes", "merged", "superseded_by"})


@dataclass(frozen=True, slots=True)
class Concerned:
    """A memory or a case.

    Attributes:
        id: its id; empty where it has none.
        kind: `memory` or `case`.
        whose: as its scope says: `user ann`, `project shop`, `everyone`.
        text: what it says, cut to 80 characters.
        place: the file in which it stands.
    """

    id: str
    kind: str
    whose: str
    text: str
    place: str

    def to_json(self) -> dict[str, Any]:
        """Give it as commands print it."""
        return {"id": self.id, "kind": self.kind, "whose": self.whose, "text": self.text, "file": self.place}


@dataclass(slots=True)
class Listing:
    """What a forgetting does, each in the order of files.

    Attributes:
        going: what goes.
        altered: what stays without the name, the text or references.
        holding: what stays and holds the user's name as a word that nobody may be meant by.
        nobodys: what was said in a session that the user shares with others, by nobody who is known, and stays.
    """

    going: list[Concerned] = field(default_factory=list)
    altered: list[Concerned] = field(default_factory=list)
    holding: list[Concerned] = field(default_factory=list)
    nobodys: list[Concerned] = field(default_factory=list)


def listed(root: Path, what: Forgetting) -> Listing:
    """Give what a forgetting takes and alters in the files of a folder.

    Args:
        root: the casebook's folder.
        what: what is to be forgotten, with all ids that were found.

    Raises:
        StoreError: something cannot be read.
    """
    whole, origins = reached(root, what)
    sought = Sought(whole, origins)
    name = Mentions(whole.user) if whole.user else None
    found = Listing()
    sessions: set[str] = set()
    unknown: list[tuple[str, Concerned]] = []
    for path, element, goes in _elements(root, sought):
        told = _told(path, element)
        trace = trace_of(element.value, element.origin, element.place)
        if goes:
            found.going.append(told)
            sessions.update([] if trace.session is None else [trace.session])
            continue
        kept = sought.masked(element.rest(sought))
        if kept != element.raw:
            found.altered.append(told)
        if name is not None and _holds(kept, name):
            found.holding.append(told)
        if trace.session is not None and trace.session in whole.shared and not sought.is_anothers(trace):
            unknown.append((trace.session, told))
    found.nobodys = [told for session, told in unknown if session in sessions]
    return found


def _elements(root: Path, sought: Sought) -> Iterator[tuple[str, Element, bool]]:
    """Give each memory and case with its file, and whether it goes."""
    for path, data in texts_in(root):
        try:
            fields, elements = entries_of(path, data)
        except ValueError:
            continue
        is_whole = path.startswith("short_term/") and sought.of_session(fields) != "stays"
        for element in elements:
            yield path, element, is_whole or element.fate(sought) != "stays"


def _told(path: str, element: Element) -> Concerned:
    said = element.value.get("text" if element.kind == "memory" else "correction")
    text = " ".join(said.split()) if isinstance(said, str) else ""
    shown = text if len(text) <= TEXT_CHARS else f"{text[: TEXT_CHARS - 1]}…"
    return Concerned(element.id, element.kind, _whose(element.value.get("scope")), shown, path)


def _whose(scope: object) -> str:
    if not isinstance(scope, Mapping):
        return "everyone"
    named = (f"{name} {scope[name]}" for name in ("user", "project", "team", "agent") if scope.get(name))
    return ", ".join(named) or "everyone"


def _holds(raw: str, name: Mentions) -> bool:
    """Say whether a text in JSON holds a name as a mere word; ids and our own form hold none."""
    return any(
        name.is_held(string)
        for _, _, string, key, is_key in tokens(raw)
        if not is_key and key not in _NAMES and not is_of_form(string, key)
    )
