"""A file as it was looked at last, and whether it must be read again."""

from __future__ import annotations

from dataclasses import dataclass

from casebook.stores.splitting import SplitError
from casebook.stores.watching import Signature

UNREAD = b"\0"
"""Stands for bytes that could not be read: equal to no file's."""
LAST_GOOD = "its last good version serves"
"""With these words ends the fault of a file of which nothing is lost yet."""


@dataclass(slots=True)
class Look:
    """A file as it was last seen.

    Attributes:
        signature: what it had then; None where it could not be read.
        settles: until when, on the monotonic clock in ns, it may change without its signature changing.
        seen: its bytes, where nothing else holds them.

    The signature is set last: what an exception from outside ends in between is read again.
    """

    signature: Signature | None = None
    settles: int = 0
    seen: bytes | None = None

    def is_due(self, signature: Signature | None) -> bool:
        """Say whether the file must be read: its signature differs, or was so young that it proved nothing."""
        return self.signature != signature or self.settles > 0

    def note(self, signature: Signature, settles: int, began: int) -> None:
        """Note that it was read: from when on, and until when what it had then may change unseen."""
        if self.signature != signature:
            self.settles, self.signature = settles, signature
        elif began > self.settles:
            # this was the last look: an edit may have come after the one before, as the signature settled
            self.settles = 0

    def unsettle(self, signature: Signature | None) -> None:
        """Note that it could not be read, and what it had then."""
        self.signature, self.settles = signature, 0


def why(error: SplitError | OSError) -> str:
    """Say why a file cannot be read."""
    return error.message if isinstance(error, SplitError) else f"expected a file that can be read: {error.strerror}"
