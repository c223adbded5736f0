"""Calls that wait for their results while a transcript is read; memory is bounded, however many never get one."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

MOST = 1_000
"""Calls without a result that are remembered of one file; the eldest goes (ours)."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A call as it was made: the host's name of the tool, and its arguments."""

    tool: str
    args: dict[str, Any]


class Waiting:
    """The calls of a file that have no result yet."""

    def __init__(self) -> None:
        """Begin with none."""
        self._open: OrderedDict[str, Begun] = OrderedDict()

    def begin(self, call: Any, tool: Any, args: dict[str, Any]) -> None:
        """Take a call, by the host's id of it."""
        if isinstance(call, str) and isinstance(tool, str) and tool:
            self._open[call] = Begun(tool, args)
            if len(self._open) > MOST:
                self._open.popitem(last=False)

    def end(self, call: Any) -> Begun | None:
        """Give the call that a result is of, once; None where it is not known."""
        return self._open.pop(call, None) if isinstance(call, str) else None
