"""Whose a file is: what others could have written speaks for nobody, where a casebook is served unasked."""

from __future__ import annotations

import os
import stat

Owners = frozenset[int] | None
"""Numbers of the users to whom what is read may belong; None for anybody, as in a casebook that a person has named."""


def strange(found: os.stat_result, owners: Owners) -> str | None:
    """Say why a file or folder, as `stat` found it, is passed over; None where it is not.

    Args:
        found: the file that is read, at the end of all links.
        owners: whose it may be.
    """
    if owners is None:
        return None
    what = "folder" if stat.S_ISDIR(found.st_mode) else "file"
    if found.st_uid not in owners:
        return f"expected a {what} of your own, got one of user {found.st_uid}: nothing of it is used"
    if found.st_mode & stat.S_IWOTH:
        return f"expected a {what} to which not everybody may write: nothing of it is used (`chmod o-w` mends that)"
    return None
