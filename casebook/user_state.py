"""Where a user's own state is kept, outside of every casebook: keys and approvals that no folder can bring along."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """Give the user's state folder: $CASEBOOK_STATE_DIR, else casebook/ in $XDG_STATE_HOME or ~/.local/state.

    A relative path in a variable is passed over, as XDG wants it: it would lead into whatever folder somebody stands in, and a
    cloned repository could ship what is found there.

    Raises:
        RuntimeError: there is no home.
    """
    chosen = Path(os.environ.get("CASEBOOK_STATE_DIR", ""))
    if chosen.is_absolute():
        return chosen
    base = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".local" / "state") / "casebook"
