"""What of a trusted folder waits for approval, and serves as less than it says meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Literal

from casebook.adapters.trust.approvals import Approval
from casebook.adapters.trust.digests import FIRING, SPANNING, case_digest, policy_digests, said_of
from casebook.case import Case, LoadedCase
from casebook.faults import Fault
from casebook.policy import Policy
from casebook.stores.policies import IN_ALL_LAYERS
from casebook.stores.policy_reading import POLICY_NAME
from casebook.stores.protocol import Snapshot

Waiting = Literal["effect", "supersedes", "id"]
"""What a case would do without approval: block or ask, silence a guard of another layer, or take its place by its id."""


@dataclass(frozen=True, slots=True)
class Unapproved:
    """A case that waits for approval, and serves as advice meanwhile.

    Attributes:
        case: as its file holds it.
        waits: what it would do.
        changed: whether it was approved in another text; else it is new, or what it puts out of force is.
    """

    case: LoadedCase
    waits: Waiting
    changed: bool


def unapproved_of(
    cases: Iterable[LoadedCase],
    approval: Approval,
    guards: frozenset[str] = frozenset(),
    settled: MutableMapping[str, LoadedCase] | None = None,
) -> Iterator[Unapproved]:
    """Give the cases that wait for approval.

    Args:
        cases: as the files hold them.
        approval: of their folder.
        guards: ids of cases of other layers that block or ask.
        settled: cases that are known to be as this approval has them, by id; what is found to be is added.
    """
    for loaded in cases:
        waits = _would(loaded.case, guards)
        if waits is None or (settled is not None and settled.get(loaded.id) is loaded):
            continue
        known = approval.cases.get(loaded.id)
        is_same = known is not None and known.digest == case_digest(loaded.case)
        if known is None or not is_same or not over_of(loaded.case, guards) <= known.over:
            yield Unapproved(loaded, waits, known is not None and not is_same)
        elif settled is not None:
            settled[loaded.id] = loaded


def _would(case: Case, guards: frozenset[str]) -> Waiting | None:
    if case.id in guards:
        return "id"
    if case.effect != "advise":
        return "effect"
    return "supersedes" if not guards.isdisjoint(case.supersedes) else None


def over_of(case: Case, guards: frozenset[str]) -> frozenset[str]:
    """Give those of the guards that a case puts out of force: it has their id, or supersedes them."""
    return guards & {case.id, *case.supersedes}


def changed_keys(policy: Policy, approval: Approval, *, alone: bool = False) -> tuple[str, ...]:
    """Give the keys of a policy that need approval and are not as they were approved.

    Args:
        policy: as its file has it.
        approval: of its folder.
        alone: whether no other casebook is served beside it: then what could only weaken others needs none, and a default that is
            written out, by which another casebook's word would not count any more, is no change.
    """
    plain = policy_digests(Policy()) if not approval.policy.keys() >= set(SPANNING) else {}
    digests = policy_digests(policy)
    changed = {name for name, digest in digests.items() if approval.policy.get(name, plain.get(name)) != digest}
    if alone:
        changed -= set(SPANNING)
    else:
        said = said_of(policy)
        changed |= {name for name in IN_ALL_LAYERS if name in said and said[name] != approval.said.get(name)}
    return tuple(name for name in digests if name in changed)


def guards_of(others: Sequence[Snapshot]) -> frozenset[str]:
    """Give the ids of the cases of other layers that block or ask."""
    return frozenset(
        name
        for each in others
        for name, loaded in each.cases.items()
        if loaded.case.effect != "advise" and loaded.case.status == "active"
    )


_WOULD = {
    "effect": "this case is to {effect}, and is {state}: it only advises",
    "supersedes": "this case supersedes what blocks or asks in another layer, and is {state}: that stays in force",
    "id": "this case has the id of one that blocks or asks in another layer, and is {state}: it is left out",
}


def case_told(waiting: Unapproved) -> Fault:
    """Give the warning about a case that waits."""
    loaded = waiting.case
    state = "not as it was approved" if waiting.changed else "not approved"
    message = _WOULD[waiting.waits].format(effect=loaded.case.effect, state=state)
    return Fault(
        loaded.path, message, loaded.line, case=loaded.id, field=waiting.waits, severity="warning", layer=loaded.layer,
        suggestion=f"`casebook approve {loaded.id}` shows it, and asks",
    )  # fmt: skip


def keys_told(keys: Sequence[str], policy: Policy, approval: Approval, layer: str = "") -> Iterator[Fault]:
    """Give the warnings about keys of a policy that wait, which are all that `changed_keys` gives where others are served."""
    changed = changed_keys(policy, approval, alone=True)
    for name in keys:
        then = "it counts for nothing while another casebook is served here, too"
        if name in FIRING and name in changed:
            then = "no case of this folder blocks or asks, and it counts for no other casebook"
        elif name in changed:
            then = "what was approved of it is in force" if name in approval.said else "it has its default"
        yield Fault(
            POLICY_NAME, f"{name} is not as it was approved: {then}", field=name, severity="warning", layer=layer,
            suggestion="`casebook approve --policy` shows it, and asks",
        )  # fmt: skip


def withheld_of(snapshot: Snapshot, approval: Approval, others: Sequence[Snapshot] = ()) -> tuple[Fault, ...]:
    """Give what of a folder serves as less than it says, a warning each.

    Args:
        snapshot: what its files hold.
        approval: of the folder.
        others: what is served behind it.
    """
    waiting = unapproved_of(snapshot.cases.values(), approval, guards_of(others))
    keys = changed_keys(snapshot.policy, approval, alone=not others)
    return (*keys_told(keys, snapshot.policy, approval), *map(case_told, waiting))


def sentence_of(fault: Fault) -> str:
    """Give the sentence of one of these warnings: where, what, and the cure."""
    return f"{fault.where}: {fault.message}; {fault.suggestion}" if fault.suggestion else fault.message
