"""A trusted folder as it serves a host: what is as it was approved does what it says, what is new or changed only advises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from casebook.adapters.trust import approvals
from casebook.adapters.trust.approvals import Approval, Signature
from casebook.adapters.trust.digests import FIRING, REACHING, policy_of
from casebook.adapters.trust.folder_identity import identity_of, user_number
from casebook.adapters.trust.standing import changed_since
from casebook.adapters.trust.waiting import Unapproved, case_told, changed_keys, guards_of, keys_told, unapproved_of
from casebook.case import Case, LoadedCase
from casebook.clock import Clock
from casebook.faults import Fault, StoreError
from casebook.policy import Policy
from casebook.runtime.answer.harmless import harmless
from casebook.stores.elements import version_of
from casebook.stores.folder import FolderStore
from casebook.stores.policies import with_values
from casebook.stores.protocol import Snapshot, Store


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a snapshot was made of; the same parts make the same one.

    Attributes:
        raw: what the folder holds.
        others: the snapshots of the other layers.
        signature: of the file of the approval.
    """

    raw: Snapshot
    others: tuple[Snapshot, ...]
    signature: Signature | None


class ApprovedFolder(FolderStore):
    """The store of a folder that was found and is trusted. Reading it gives what is approved, writing goes to the files as ever.

    A case that blocks or asks and is not approved serves as `advise`. One that takes the id of a blocking case of another layer, or
    supersedes one, leaves that in force. Where a key of the policy on which firing depends is not as approved, none of its cases
    blocks; one that starts programs or sends things elsewhere is as it was approved; and none of either counts for other layers. Each
    is told as a warning among the faults. Where the trust was taken back, or another folder stands here by now, nothing serves.

    Attributes:
        unapproved: the cases that wait for approval, as of the last snapshot.
        changed_keys: the keys of the policy that do.
        withheld: what serves as less than it says, a warning each, as of the last snapshot.
    """

    def __init__(
        self,
        root: Path,
        *,
        clock: Clock,
        layer: str = "",
        cache: bool = True,
        others: Sequence[Store] = (),
        strangers: frozenset[int] = frozenset(),
    ) -> None:
        """Open a folder; its approval is looked at with every snapshot.

        Args:
            root: the folder.
            clock: dates what is archived.
            layer: the name that its cases bear.
            cache: whether parsed cases are kept.
            others: the layers behind it, whose cases it may not silence unapproved.
            strangers: other users whose files are read, too, since the person was told of them.

        Raises:
            StoreError: there is no such folder.
        """
        super().__init__(
            root,
            clock=clock,
            layer=layer,
            cache=cache,
            owners=strangers | {user_number()},
            last_policy=partial(_approved_policy, str(root.resolve())),
        )
        self.unapproved: tuple[Unapproved, ...] = ()
        self.changed_keys: tuple[str, ...] = ()
        self.withheld: tuple[Fault, ...] = ()
        self._others = tuple(others)
        self._file = approvals.file_of(str(root.resolve()))
        self._seen: _Seen | None = None
        self._served: Snapshot | None = None
        self._approval: Approval | None = None
        self._settled: dict[str, LoadedCase] = {}
        self._lowered: dict[str, tuple[LoadedCase, LoadedCase]] = {}

    def snapshot(self) -> Snapshot:
        """Give what serves now; the same object while neither the folder, its approval nor the other layers have changed."""
        others = tuple(each.snapshot() for each in self._others)  # before our lock: no two stores wait for each other
        with self._lock:
            raw = super().snapshot()
            signature = approvals.signature_of(self._file)
            seen, served = self._seen, self._served
            if (
                served is not None
                and seen is not None
                and raw is seen.raw
                and signature == seen.signature
                and all(a is b for a, b in zip(others, seen.others, strict=True))
            ):
                return served
            if seen is None or signature != seen.signature:
                self._approval, self._settled = None, {}
            generation = 1 if served is None else served.generation + 1
            made = replace(self._made(raw, others), generation=generation)
            self._seen, self._served = _Seen(raw, others, signature), made
            return made

    def _made(self, raw: Snapshot, others: Sequence[Snapshot]) -> Snapshot:
        why = self._refusal()
        if self._approval is None or why:
            self.unapproved, self.changed_keys, self._lowered = (), (), {}
            self.withheld = (Fault("", why, severity="warning", layer=self.layer),)
            return Snapshot(1, MappingProxyType({}), self.withheld, Policy())
        return self._approved(raw, self._approval, guards_of(others))

    def _refusal(self) -> str:
        """Read the approval where it has changed, and say why the folder does not serve; nothing where it does."""
        try:
            identity = identity_of(self.root)
            if self._approval is None:
                self._approval = approvals.read(identity.path)
        except (OSError, StoreError) as error:
            return harmless(str(error))
        if self._approval is None or self._approval.path != identity.path:
            return f"{harmless(str(self.root))} is not trusted any more"
        return changed_since(self.root, identity, self._approval)

    def _approved(self, raw: Snapshot, approval: Approval, guards: frozenset[str]) -> Snapshot:
        keys = changed_keys(raw.policy, approval, alone=not self._others)
        waiting = {each.case.id: each for each in unapproved_of(raw.cases.values(), approval, guards, self._settled)}
        withheld = not set(FIRING).isdisjoint(changed_keys(raw.policy, approval, alone=True))
        cases = dict(raw.cases)
        lowered: dict[str, tuple[LoadedCase, LoadedCase]] = {}
        for name, loaded in raw.cases.items():
            waits = waiting.get(name)
            if waits is not None and waits.waits == "id":
                del cases[name]
            elif waits is not None or (withheld and loaded.case.effect != "advise"):
                lowered[name] = (loaded, self._as_advice(loaded, guards if waits is not None else frozenset()))
                cases[name] = lowered[name][1]
        self.unapproved, self.changed_keys, self._lowered = tuple(waiting.values()), keys, lowered
        self.withheld = (*keys_told(keys, raw.policy, approval, self.layer), *map(case_told, waiting.values()))
        faults = (*self.withheld, *raw.faults)
        own = _confined(raw.policy, [name for name in keys if name in REACHING], approval)
        return Snapshot(1, MappingProxyType(cases), faults, own, _confined(raw.policy, keys, approval))

    def _as_advice(self, loaded: LoadedCase, guards: frozenset[str]) -> LoadedCase:
        """Give a case as advice; the same object as before where nothing has changed, so that no engine takes it up anew."""
        kept = tuple(name for name in loaded.case.supersedes if name not in guards)
        known = self._lowered.get(loaded.id)
        if (
            known is not None
            and known[0] is loaded
            and known[1].line == loaded.line
            and known[1].case.supersedes == kept
        ):
            return known[1]
        changes: dict[str, Any] = {"effect": "advise"} if loaded.case.effect != "advise" else {}
        if kept != loaded.case.supersedes:
            changes["supersedes"] = kept
        version = version_of(f"{loaded.version} {sorted(changes)} {kept}".encode())
        return replace(loaded, case=loaded.case.model_copy(update=changes), version=version)

    def put(self, case: Case, *, file: str | None = None) -> None:
        """Add a case, or replace the one of its id. What was only read as advice is written as it was. Raises StoreError."""
        super().put(case.model_copy(update=self._as_written(case.id, case.__dict__)), file=file)

    def edit(
        self, case_id: str, changes: Mapping[str, Any], *, remove: Iterable[str] = (), if_version: str | None = None
    ) -> None:
        """Change fields of a case. What was only read as advice is written as it was. Raises StoreError, NotFoundError."""
        with self._lock:
            known = self._lowered.get(case_id)
        if known is not None and if_version == known[1].version:
            if_version = known[0].version
        super().edit(case_id, {**changes, **self._as_written(case_id, changes)}, remove=remove, if_version=if_version)

    def _as_written(self, case_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Give, as the file has them, the fields that somebody hands back as they were shown here, and not there."""
        with self._lock:
            known = self._lowered.get(case_id)
        if known is None:
            return {}
        written, shown = known[0].case, known[1].case
        fields: dict[str, Any] = {}
        if given.get("effect") == shown.effect != written.effect:
            fields["effect"] = written.effect
        back = given.get("supersedes")
        if back is not None and tuple(back) == shown.supersedes != written.supersedes:
            fields["supersedes"] = type(back)(written.supersedes)
        return fields


def _approved_policy(path: str) -> Policy | None:
    """Give the policy of a folder as it was approved last; None where nothing was, or it cannot be read."""
    try:
        approval = approvals.read(path)
    except StoreError:
        return None
    return policy_of(approval.said) if approval is not None else None


def _confined(policy: Policy, keys: Sequence[str], approval: Approval) -> Policy:
    """Give a policy in which some keys are as they were approved; those of which nothing was are unsaid, for the next layer to say."""
    if not keys:
        return policy
    before = policy_of(approval.said)
    said = (policy.model_fields_set - set(keys)) | (before.model_fields_set & set(keys))
    return with_values(policy, {name: getattr(before, name) for name in keys}, said)
