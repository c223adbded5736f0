"""Keeps the policy of one casebook read; where its present text cannot be, the last good one serves on."""

# Strings are faster than Path, and this runs before every task.
# ruff: noqa: PTH118

from __future__ import annotations

import os
from collections.abc import Callable
from time import monotonic_ns
from typing import Any

from casebook.faults import Fault
from casebook.limits import POLICY_BYTES
from casebook.policy import Policy
from casebook.stores.looks import LAST_GOOD, Look, why
from casebook.stores.reading import read_bytes
from casebook.stores.splitting import SplitError
from casebook.stores.watching import Signature, settles_at

POLICY_NAME = "memory-policy.yaml"
LastPolicy = Callable[[], Policy | None]
"""Gives the policy that serves where the present one cannot be read, and none was read before; None for the defaults."""


class PolicyReader:
    """Reads the policy of one folder.

    Attributes:
        policy: the one that serves.
        faults: what is wrong with its present text.
        good: the last that could be read; None where none could be yet.
        look: the file as it was last seen.
    """

    def __init__(self, root: str, last: LastPolicy | None) -> None:
        self._root = root
        self._last = last
        self.policy = Policy()
        self.faults: tuple[Fault, ...] = ()
        self.good: Policy | None = None
        self.look = Look()

    def refresh(self, signature: Signature | None) -> bool:
        """Read it; say whether anything changed.

        Args:
            signature: of the file; None where there is none, and the defaults serve.
        """
        look = self.look
        if signature is None:
            self.good = Policy()
            changed = self._serve(self.good, ())
            look.unsettle(None)
            look.seen = None
            return changed
        began = monotonic_ns()
        try:
            data, found = read_bytes(os.path.join(self._root, POLICY_NAME), POLICY_BYTES, "policy")
        except (SplitError, OSError) as error:
            policy = self._last_good()
            changed = self._serve(policy, (Fault(POLICY_NAME, f"{why(error)}; {_what_serves(policy)}"),))
            look.unsettle(signature)
            look.seen = None
            return changed
        settles = settles_at(found)
        changed = False
        if data != look.seen:
            changed = self._take(data)
            look.seen = data
        look.note(found, settles, began)
        return changed

    def _take(self, data: bytes) -> bool:
        from casebook.policy_file import read_policy  # 15 ms for YAML, where there is some

        read, faults = read_policy(data, POLICY_NAME)
        if read is not None:
            self.good = read
            return self._serve(read, faults)
        policy, only = self._last_good(), faults[0]
        message = f"{only.message}; {_what_serves(policy)}"
        return self._serve(policy, (Fault(only.path, message, only.line, only.column, suggestion=only.suggestion),))

    def _serve(self, policy: Policy, faults: tuple[Fault, ...]) -> bool:
        changed = _said(policy) != _said(self.policy) or faults != self.faults
        self.policy, self.faults = policy, faults
        return changed

    def _last_good(self) -> Policy:
        """Give what serves instead of a policy that cannot be read: the last that could be, also by another process."""
        if self.good is None and self._last is not None and self.look.signature is None:
            return self._last() or self.policy
        return self.policy


def _what_serves(policy: Policy) -> str:
    return "the defaults serve" if policy == Policy() else LAST_GOOD


def _said(policy: Policy) -> dict[str, Any]:
    """Give what a policy says: a default that is written out is said, and other layers then say nothing of it."""
    return policy.model_dump(exclude_unset=True)
