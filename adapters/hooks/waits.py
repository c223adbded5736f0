"""What waits for a person in the casebook of a session that begins, and what of it does not serve; told to the person, and to no model."""

from __future__ import annotations

from casebook.adapters.protocol import Asked
from casebook.clock import Clock
from casebook.faults import CasebookError
from casebook.runtime.runtime import Runtime
from casebook.stores.looks import LAST_GOOD


def what_waits(casebook: Asked, clock: Clock) -> str:
    """Say what of a casebook does not serve, and how much waits in its review queue; "" where all serves and nothing waits.

    Args:
        casebook: in service.
        clock: gives the present instant, aware.
    """
    if not isinstance(casebook, Runtime):
        return ""
    return "; ".join(filter(None, (_broken(casebook), _unapproved(casebook), _queued(casebook, clock))))


def _broken(casebook: Runtime) -> str:
    """Say how many files are at fault, but for those whose last good version serves."""
    faults = casebook.store.snapshot().faults
    files = {
        (each.layer, each.path) for each in faults if each.severity == "error" and not each.message.endswith(LAST_GOOD)
    }
    if not files:
        return ""
    told = "1 file of the casebook is" if len(files) == 1 else f"{len(files):,} files of the casebook are"
    return f"{told} at fault, and what is wrong there does not serve: `casebook check`"


def _unapproved(casebook: Runtime) -> str:
    """Say how much does less than it says because nobody has approved it as it stands."""
    from casebook.adapters.trust.approved_folder import ApprovedFolder
    from casebook.stores.layers import LayeredStore

    store = casebook.store
    store.snapshot()
    stores = store.stores if isinstance(store, LayeredStore) else (store,)
    number = sum(len(each.withheld) for each in stores if isinstance(each, ApprovedFolder))
    if not number:
        return ""
    told = "1 case or key of the policy waits" if number == 1 else f"{number:,} cases or keys of the policy wait"
    return f"{told} for your approval, and until then cannot block or ask: `casebook approve`"


def _queued(casebook: Runtime, clock: Clock) -> str:
    from casebook.adapters.cli.review_texts import waits_words  # late: one event of a session needs them
    from casebook.runtime.review.queue import queue
    from casebook.runtime.review.review import Review

    try:
        waiting = queue(Review(casebook.journal, casebook.store, clock, "person:"))
    except CasebookError:
        return ""
    return f"{waits_words(waiting)} for you: `casebook review`" if waiting else ""
