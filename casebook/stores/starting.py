"""A new casebook's folder: its policy, an example case, and what git shall not see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

from casebook.clock import Clock
from casebook.faults import StoreError
from casebook.instants import is_zone
from casebook.limits import POLICY_BYTES
from casebook.policy import Policy
from casebook.policy_file import read_policy
from casebook.stores.atomic import replace_file
from casebook.stores.confined import own_folder
from casebook.stores.policy_reading import POLICY_NAME
from casebook.stores.reading import read_bytes
from casebook.stores.splitting import SplitError
from casebook.stores.starting_texts import Language, case_text, policy_text
from casebook.stores.watching import Watch

_FOLDERS = ("short_term", "medium_term", "long_term", "archive", ".casebook")
WHOLE = frozenset({POLICY_NAME, *(f"{name}/" for name in _FOLDERS)})
"""What `init` has made where nothing of a casebook stood before."""


def init(root: Path, *, clock: Clock, zone: str | None = None, language: Language | None = None) -> tuple[str, ...]:
    """Make a casebook's folder. What is there already is left as it is.

    Args:
        root: the folder; those around it are made as well.
        clock: dates the example case, with the day that it is in the casebook's zone.
        zone: the IANA zone for the policy; default the machine's, else UTC.
        language: of the policy, its comments and the example case; default that of the policy that is there, else English.

    Returns:
        The paths that were made, relative to the folder.

    Raises:
        StoreError: the folder cannot be written, or a link stands in the place of one that is written to.
    """
    chosen = zone or machine_zone() or "UTC"
    there = _policy_of(root)
    today = clock().astimezone(ZoneInfo(there.timezone if there is not None else chosen)).date().isoformat()
    spoken: Language = language or (there.language if there is not None else "en")
    files = {
        POLICY_NAME: policy_text(spoken, chosen),
        "short_term/.gitignore": "*\n!.gitignore\n",
        ".casebook/.gitignore": "*\n",
    }
    if not Watch(root, POLICY_NAME).scan()[0]:
        files["long_term/rules.json"] = case_text(spoken, today)
    made = []
    try:
        root.mkdir(
            0o775, parents=True, exist_ok=True
        )  # whatever the umask: one that everybody may write to is trusted by nobody
        for name in _FOLDERS:
            if not (root / name).is_dir():
                own_folder(root, name, create=True, mode=0o700 if name.startswith(".") else 0o775)
                made.append(f"{name}/")
        for name, content in files.items():
            if not os.path.lexists(root / name):
                if "/" in name:
                    own_folder(root, name.partition("/")[0])
                replace_file(root / name, content.encode())
                made.append(name)
    except OSError as error:
        raise StoreError(f"{root} cannot be made a casebook: {error.strerror}") from error
    return tuple(made)


def _policy_of(root: Path) -> Policy | None:
    """Give the policy that is there already; None where there is none that can be read."""
    try:
        data, _ = read_bytes(str(root / POLICY_NAME), POLICY_BYTES, "policy")
    except (OSError, SplitError):
        return None
    return read_policy(data, POLICY_NAME)[0]


def machine_zone() -> str | None:
    """Give the IANA time zone of this machine, from $TZ, /etc/localtime or /etc/timezone; None where none tells."""
    return next((name for name in _told_zones() if is_zone(name)), None)


def _told_zones() -> Iterator[str]:
    """Give what may name the zone, the most particular first."""
    yield os.environ.get("TZ", "").lstrip(":")
    yield os.path.realpath("/etc/localtime").rpartition("zoneinfo/")[2]
    try:
        yield Path("/etc/timezone").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return
