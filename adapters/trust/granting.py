"""Trust is given and taken: a folder as it was shown, cases as they were shown. Nothing here asks anybody; commands do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from casebook.adapters.trust import approvals
from casebook.adapters.trust.approvals import Approval, ApprovedCase
from casebook.adapters.trust.digests import case_digest, field_digests, policy_digests, said_of
from casebook.adapters.trust.folder_identity import FolderIdentity, identity_of, marked, unmarked
from casebook.adapters.trust.waiting import over_of
from casebook.case import Case, LoadedCase
from casebook.faults import NotFoundError, StoreError
from casebook.policy import Policy
from casebook.stores.confined import MACHINE
from casebook.stores.protocol import Snapshot


@dataclass(frozen=True, slots=True)
class Shown:
    """A casebook as a person was shown it: what is approved is this, whatever stands there by now.

    Attributes:
        cases: what is approved of each case, by id.
        policy: the hash of each key that needs approval.
        said: those that it says itself.
    """

    cases: Mapping[str, ApprovedCase]
    policy: Mapping[str, str]
    said: Mapping[str, Any] = field(default_factory=dict)


def shown_of(snapshot: Snapshot, guards: frozenset[str] = frozenset()) -> Shown:
    """Give what is approved where a snapshot, as its folder holds it, is approved.

    Args:
        snapshot: what was shown.
        guards: ids of cases of other layers that block or ask, and of which it was told which of them these cases put out of force.
    """
    cases = {name: approved_case(loaded.case, guards) for name, loaded in snapshot.cases.items()}
    return Shown(cases, policy_digests(snapshot.policy), said_of(snapshot.policy))


def approved_case(case: Case, guards: frozenset[str] = frozenset()) -> ApprovedCase:
    """Give what is approved of a case; `guards` as of `shown_of`."""
    fields = {} if case.effect == "advise" else field_digests(case)
    return ApprovedCase(case_digest(case), case.effect, fields, over_of(case, guards))


def trust(folder: Path, shown: Shown, now: datetime, *, made: bool = False) -> Approval:
    """Trust a folder, and all that was shown of it.

    Args:
        folder: the casebook's.
        shown: what a person was shown, or what `init` has just made.
        now: the present instant, aware.
        made: whether this user's `init` has made it.

    Raises:
        StoreError: the approval cannot be kept, no mark can be left in the folder, everybody may write to it, or there is none.
    """
    identity = looked_at(folder)
    if identity.open_part:
        raise StoreError(refusal_of(folder, identity))

    def make(before: Approval | None) -> Approval:
        try:
            found, mark = marked(folder, before.mark if before is not None else "")
        except OSError as error:
            raise StoreError(
                f"{folder} cannot be trusted: no mark can be left in its {MACHINE} ({error.strerror or error}), and without one "
                "another folder in its place would be taken for it"
            ) from None
        at = now.astimezone(UTC).isoformat()
        return Approval(found.path, found.inode, mark, found.strangers, at, made, shown.cases, shown.policy, shown.said)

    after = approvals.change(identity.path, make)
    assert after is not None
    return after


def approve(
    folder: Path,
    cases: Iterable[LoadedCase],
    policy: Policy | None,
    now: datetime,
    guards: frozenset[str] = frozenset(),
) -> Approval:
    """Approve cases of a trusted folder as they were shown, and perhaps its policy.

    Args:
        folder: the casebook's.
        cases: as its files hold them.
        policy: its policy, where that is approved, too.
        now: the present instant, aware.
        guards: as of `shown_of`.

    Raises:
        StoreError: it cannot be kept.
        NotFoundError: the folder is not trusted.
    """
    new = {loaded.id: approved_case(loaded.case, guards) for loaded in cases}

    def make(before: Approval | None) -> Approval:
        if before is None:
            raise NotFoundError(f"{folder} is not trusted; `casebook trust {folder}` shows it, and asks")
        parts = policy_digests(policy) if policy is not None else before.policy
        said = said_of(policy) if policy is not None else before.said
        after = replace(before, cases={**before.cases, **new}, policy=parts, said=said)
        return before if after == before else replace(after, at=now.astimezone(UTC).isoformat())

    after = approvals.change(looked_at(folder).path, make)
    assert after is not None
    return after


def distrust(folder: Path) -> bool:
    """Take the trust in a folder back, which need not be there any more; says whether there was any. Raises StoreError."""
    path = os.path.realpath(folder)
    found: list[Approval] = []

    def make(before: Approval | None) -> None:
        found.extend([before] if before is not None else [])

    approvals.change(path, make)
    for each in found:
        unmarked(Path(path), each.mark)
    return bool(found)


def looked_at(folder: Path) -> FolderIdentity:
    """Give which folder it is. Raises StoreError where there is none."""
    try:
        return identity_of(folder)
    except OSError as error:
        raise StoreError(f"{folder}: expected a casebook's folder: {error.strerror}") from None


def refusal_of(folder: Path, identity: FolderIdentity) -> str:
    """Say why a folder to which everybody may write is trusted by nobody."""
    part = Path(identity.path) / identity.open_part if identity.open_part != "." else Path(identity.path)
    return f"{folder} cannot be trusted: everybody may write to {part} (`chmod o-w {part}` mends it)"
