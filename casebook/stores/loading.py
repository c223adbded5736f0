"""Keeps the files of one casebook read: each is read again only when it has changed, and its last good version serves on."""

# Strings are faster than Path, and this runs before every task.
# ruff: noqa: PTH118

from __future__ import annotations

import gc
import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic_ns

from casebook.case import LoadedCase
from casebook.faults import Fault
from casebook.limits import FILE_BYTES
from casebook.policy import Policy
from casebook.stores.assembling import assemble
from casebook.stores.cache import Cache, Key
from casebook.stores.case_file import CaseFile, read, reread
from casebook.stores.elements import Element, Reading
from casebook.stores.looks import LAST_GOOD, UNREAD, Look, why
from casebook.stores.policy_reading import LastPolicy, PolicyReader
from casebook.stores.reading import head_of, read_bytes
from casebook.stores.splitting import SplitError, holds_memories
from casebook.stores.watching import TOP, Entry, Signature, settles_at

_Context = tuple[str, Mapping[str, str]]
_GONE = "the folder is gone, or cannot be read; what was read last serves"


@dataclass(slots=True)
class _State(Look):
    """A file of cases as it was last seen.

    Attributes:
        file: what serves of it; it holds the bytes, unless others were seen.
        fault: why its present bytes do not serve, or None.
        context: what of the policy it was read with; None where it was not read.
    """

    file: CaseFile | None = None
    fault: Fault | None = None
    context: _Context | None = None


class Loader:
    """Reads the files of one folder and keeps what they hold. Not for many threads at once.

    Attributes:
        read_cold: bytes that were parsed since the cache was written.
    """

    def __init__(self, root: Path, layer: str, cache: Cache | None, last_policy: LastPolicy | None = None) -> None:
        self._root = str(root)
        self._layer = layer
        self._cache = cache
        self._states: dict[str, _State] = {}
        self._policies = PolicyReader(self._root, last_policy or (cache.policy if cache is not None else None))
        self._lost: Fault | None = None
        self.read_cold = 0

    @property
    def policy(self) -> Policy:
        """Give the policy that serves."""
        return self._policies.policy

    @property
    def good_policy(self) -> Policy | None:
        """Give the last policy that could be read; None where none could be yet."""
        return self._policies.good

    @property
    def files(self) -> list[CaseFile]:
        """Give the files that serve, in path order."""
        return [state.file for _, state in sorted(self._states.items()) if state.file is not None]

    def read_with(self) -> list[tuple[CaseFile, Key]]:
        """Give the files that serve, in path order, each with what of a policy it was read with."""
        found = [(state.file, state.context) for _, state in sorted(self._states.items())]
        return [(file, _key_of(context or self._context())) for file, context in found if file is not None]

    def settles_at(self) -> int:
        """Give until when, on the monotonic clock in ns, a file may change without its signature changing."""
        # what comes back into a lost folder is looked at anyway
        states = () if self._lost is not None else self._states.values()
        return max((state.settles for state in (self._policies.look, *states)), default=0)

    def refresh(self, entries: Sequence[Entry], policy: Signature | None, lost: str | None = None) -> bool:
        """Read what has changed.

        Args:
            entries: what stands in the folder now, in path order.
            policy: the signature of the policy, or None where there is none.
            lost: `long_term` where that folder is gone, `.` where the casebook's own is, or None; what was read of it serves on.

        Returns:
            Whether anything that can be seen has changed.
        """
        changed = self._lose(lost)
        if lost != "." and self._policies.look.is_due(policy):
            changed |= self._refresh_policy(policy)
        if self._lost is not None:
            return changed
        present = set()
        due = []
        for entry in entries:
            present.add(entry.path)
            state = self._states.setdefault(entry.path, _State())
            if entry.trouble is not None:
                refuse = self._pass_over if entry.is_strange else self._refuse
                changed |= refuse(entry.path, state, entry.trouble)
                state.unsettle(None)
            elif state.is_due(entry.signature):
                due.append((entry, state))
        if due:
            with _without_collection() if len(due) > 1 or due[0][1].file is None else nullcontext():
                for entry, state in due:
                    changed |= self._refresh_file(entry, state)
        for path in [path for path in self._states if path not in present]:
            del self._states[path]
            changed = True
        return changed

    def assembled(self) -> tuple[dict[str, LoadedCase], tuple[Fault, ...]]:
        """Put together what was read: the cases that serve, and all faults, the policy's first."""
        told = {path: state.fault for path, state in self._states.items() if state.fault is not None}
        cases, faults = assemble(self.files, told)
        faults = [*self._policies.faults, *([self._lost] if self._lost is not None else []), *faults]
        return cases, tuple(replace(each, layer=self._layer) for each in faults) if self._layer else tuple(faults)

    def _refresh_policy(self, signature: Signature | None) -> bool:
        before = self._context()
        changed = self._policies.refresh(signature)
        if self._context() != before:  # the times in the files, and the fields that they name, mean something else
            for state in self._states.values():
                state.signature = None
        return changed

    def reading(self, path: str) -> Reading:
        """Give what the elements of a file are read with."""
        return Reading(path, self._layer, self.policy.timezone, self.policy.fields)

    def fault_of(self, path: str) -> Fault | None:
        """Give why a file does not serve as it stands, or None."""
        if self._lost is not None:
            return self._lost
        state = self._states.get(path)
        return None if state is None else state.fault

    def element_at(self, path: str, line: int, case_id: str | None = None) -> tuple[CaseFile, Element] | None:
        """Give the element that stands on a line of a file (of several on it the one of an id), or None."""
        state = self._states.get(path)
        if state is None or state.file is None or state.fault is not None:
            return None
        file = state.file
        last = bisect_right(file.elements, line, key=lambda element: element.line)
        on_line = [element for element in file.elements[:last] if element.line == file.elements[last - 1].line]
        chosen = next((element for element in on_line if element.id == case_id), None) if len(on_line) > 1 else None
        if chosen is None:
            chosen = on_line[-1] if on_line else None
        return None if chosen is None else (file, chosen)

    def _lose(self, lost: str | None) -> bool:
        """Note that a folder is gone of which something was read, or that none is; say whether that is news."""
        before = self._lost
        if lost == ".":
            self._lost = Fault(".", _GONE)
            self._policies.look.settles = 0
        elif lost is not None and any(_has_cases(state) for state in self._states.values()):
            self._lost = Fault(TOP, _GONE)
        else:
            self._lost = None
        return self._lost != before

    def _refresh_file(self, entry: Entry, state: _State) -> bool:
        """Read one file; say whether anything changed."""
        began = monotonic_ns()
        full = os.path.join(self._root, entry.path)
        try:
            if state.file is None or state.file.shape == "other":
                head, found = head_of(full)
                is_other = holds_memories(head.decode("utf-8", "ignore"))
                if is_other is None and state.file is not None:  # half of an edit, perhaps: its own reader tells
                    whole, found = read_bytes(full, FILE_BYTES, "file")
                    is_other = holds_memories(whole.decode("utf-8", "replace")) is not False
                if is_other:
                    return self._leave(entry.path, state, found, began)
                state.file = None
            data, signature = read_bytes(full, FILE_BYTES, "file")
        except (SplitError, OSError) as error:
            news = self._refuse(entry.path, state, why(error))
            state.unsettle(entry.signature)
            return news
        settles = settles_at(signature)
        changed = self._take(entry.path, state, data)
        state.note(signature, settles, began)
        return changed

    def _leave(self, path: str, state: _State, signature: Signature, began: int) -> bool:
        """Take in that a file holds memories, which others read; say whether anything changed."""
        changed = state.file is None or state.file.shape != "other" or state.fault is not None
        if changed:
            state.file = CaseFile(path, b"", "other", 0, 0, False, [])
            state.seen = state.fault = None
        state.note(signature, settles_at(signature), began)
        return changed

    def _take(self, path: str, state: _State, data: bytes) -> bool:
        """Take in a file's bytes; say whether anything changed."""
        context = self._context()
        known = state.file
        before = state.seen if state.seen is not None else known.data or None if known is not None else None
        if data == before and (known is None or state.context == context):
            return False
        if known is None and self._cache is not None:
            known = self._from_cache(path, state, data)
            if known is not None and known.data:
                state.seen = state.fault = None
                return True
        reading = self.reading(path)
        try:
            file = read(data, reading) if known is None or state.context != context else reread(known, data, reading)
        except SplitError as error:
            news = self._refuse(path, state, error.message, error)
            state.seen = data
            return news
        state.file, state.context = file, context
        state.seen = state.fault = None
        self.read_cold += len(data)
        return True

    def _context(self) -> _Context:
        return self.policy.timezone, self.policy.fields

    def _from_cache(self, path: str, state: _State, data: bytes) -> CaseFile | None:
        """Take a file as it was kept, with what it was read with then."""
        found = self._cache.file(path, data, _key_of(self._context()), self._layer) if self._cache is not None else None
        if found is not None:
            state.file, (zone, fields) = found
            state.context = zone, dict(fields)
        return state.file

    def _refuse(self, path: str, state: _State, message: str, error: SplitError | None = None) -> bool:
        """Note why a file does not serve; say whether that is news."""
        if state.file is None and self._cache is not None and state.fault is None:
            self._from_cache(path, state, b"")
        told = f"{message}; {LAST_GOOD}" if state.file is not None else message
        fault = Fault(path, told)
        if error is not None:
            fault = Fault(path, told, error.line, error.column, suggestion=error.suggestion)
        state.seen = UNREAD
        news = fault != state.fault
        state.fault = fault
        return news

    def _pass_over(self, path: str, state: _State, message: str) -> bool:
        """Note that others could have written a file, so that nothing of it serves; say whether that is news."""
        fault = Fault(path, message)
        news = fault != state.fault or state.file is not None
        state.file, state.seen, state.fault, state.context = None, UNREAD, fault, None
        return news


def _key_of(context: _Context) -> Key:
    return context[0], tuple(sorted(context[1].items()))


def _has_cases(state: _State) -> bool:
    """Say whether a file was read that is not one of memories."""
    return state.file is not None and state.file.shape != "other"


@contextmanager
def _without_collection() -> Iterator[None]:
    """Hold the garbage collector off while much is read: it would walk all that is being built, again and again."""
    if not gc.isenabled():
        yield
        return
    try:
        gc.disable()
        yield
    finally:
        gc.enable()
