"""The name of a session's file: readable, of this folder whatever the session is called, and one for each session and user."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

_SLUG_BYTES = 60
"""Of a name that may have 255 in all; enough to tell sessions apart by eye."""
_MARKED = len("0123456789.json")
"""Signs that the mark and the ending of a file's name have."""


def session_file(session: str | None, user: str | None) -> str:
    """Give the file of a session, relative to the casebook's folder, such as `short_term/session_s1-5feceb66ff.json`.

    Args:
        session: its id, any text; None for what belongs to none.
        user: whose; another user's session of the same id has another file.

    Returns:
        Letters and digits of the id, for people, and a hash over id and user, which tells apart what differs in case, in signs
        that a file's name cannot bear, or past the part that is shown.
    """
    key = "\0".join("-" if each is None else f"{len(each)}:{each}" for each in (user, session))
    mark = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    slug = "none" if session is None else _slug(session)
    return f"short_term/session_{slug}-{mark}.json" if slug else f"short_term/session_{mark}.json"


def is_anothers_file(path: str, session: str, user: str) -> bool:
    """Say whether a file is that of a session of this id which is somebody else's: neither the user's nor nobody's."""
    nobodys = session_file(session, None)
    shape = re.escape(nobodys[:-_MARKED]) + r"[0-9a-f]{10}\.json"
    return re.fullmatch(shape, path) is not None and path != nobodys and not is_users_file(path, session, user)


def is_users_file(path: str, session: str, user: str) -> bool:
    """Say whether a file is that of a user's session, in whatever normal form the user is written."""
    forms = {user, unicodedata.normalize("NFC", user), unicodedata.normalize("NFD", user)}
    return any(path == session_file(session, form) for form in forms)


def _slug(name: str) -> str:
    """Give what of a name a file's name may bear on every system: letters and digits of any script, `_` and `-`."""
    text = "".join(each if each.isalnum() or each in "_-" else "-" for each in unicodedata.normalize("NFC", name[:200]))
    parts = [part for part in text.split("-") if part]
    return "-".join(parts).encode("utf-8", "ignore")[:_SLUG_BYTES].decode("utf-8", "ignore").strip("-")
