"""What one event of a session leaves for the next, between processes: the turn, what blocks it, the calls that are open.

A small JSON file a session, in the user's state folder. A damaged or vanished one is a session that has just begun.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from filelock import Timeout

from casebook.redacting.redact import redact
from casebook.stores.file_locks import file_lock

_MOST = 50
"""Open calls of a session that are remembered (ours)."""
_KEPT_DAYS = 7
_SWEPT = 64
"""One session in so many looks for files of sessions long gone (ours)."""
_ARGS = 4_000
"""Characters of a call's arguments that are remembered; of more only the tool is (ours)."""
_PATIENCE = 5.0
"""Seconds that an event waits for others of its session: half of what hosts give it."""
_KINDS = {
    **dict.fromkeys(("turn", "blocked", "asks", "activation", "pending", "id", "tool"), str),
    "counted": int, "args": dict, "failed": bool, "heard": bool, "agrees": bool,
}  # fmt: skip
"""What stands in the fields of a memo and its calls."""


@dataclass(slots=True)
class OpenCall:
    """A call that was asked about and of which nothing was heard yet; or the last one of which something was.

    Attributes:
        id: of the call (`known_as`); empty where the host names none.
        tool, args: as the host told them, secrets masked.
        activation: what the casebook answered.
        failed: whether it failed or was not allowed.
        heard: whether its outcome was told.
        agrees: whether its person was asked with it to agree to the turn: that it was made is their yes.
    """

    id: str
    tool: str
    args: dict[str, Any] = field(default_factory=dict)
    activation: str = ""
    failed: bool = False
    heard: bool = False
    agrees: bool = False


@dataclass(slots=True)
class Memo:
    """A session between two events.

    Attributes:
        turn: its turn.
        blocked: why the calls of this turn are blocked; empty where they are not.
        asks: why a person has to agree to this turn's calls; empty where nobody has to.
        activation: of the turn.
        pending: advice about a call that the host could not take when it was given.
        calls: the turn's calls, the newest last.
        counted: the turns that had no id of their own.
    """

    turn: str = ""
    blocked: str = ""
    asks: str = ""
    activation: str = ""
    pending: str = ""
    calls: list[OpenCall] = field(default_factory=list)
    counted: int = 0

    def begun(self, turn: str) -> None:
        """Begin a turn; what the last one blocked is over, and what a person says next is not about its calls.

        A prompt that a person types into a turn that runs has that turn's id: what blocks its calls goes on blocking them.
        """
        self.counted += 1
        if not turn or turn != self.turn:
            self.blocked = self.asks = ""
        self.turn = turn or f"turn-{self.counted}"
        self.activation = ""
        self.calls = []

    def asked(self, call: OpenCall) -> None:
        """Keep a call that was asked about."""
        if len(json.dumps(call.args, ensure_ascii=False, default=str)) > _ARGS:
            call.args = {}
        self.calls = [*self.calls, call][-_MOST:]

    def open(self, call_id: str, tool: str, args: Mapping[str, Any]) -> OpenCall | None:
        """Give the call that an outcome is of: by its id, else the eldest open one of its tool with its arguments, else of its tool.

        Args:
            call_id: as it is kept; empty where the host names none.
            tool: as it is kept.
            args: as they are kept; read where there is no id.
        """
        if call_id:
            return next((each for each in self.unheard() if each.id == call_id), None)
        calls = [each for each in self.unheard() if each.tool == tool]
        return next((each for each in calls if each.args == args), calls[0] if calls else None)

    def unheard(self) -> list[OpenCall]:
        """Give the calls of which nothing was heard."""
        return [each for each in self.calls if not each.heard]


def known_as(name: str) -> str:
    """Give an id of a call or a turn as it is kept: itself, by which the host's transcript is searched, or its hash where a secret may stand in it."""
    return name if redact(name) == name else f"sha256:{sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}"


def memo_path(folder: Path, host: str, session: str) -> Path:
    """Give the file of a session, whatever its id is made of."""
    return folder / f"{host}-{sha256(session.encode('utf-8', 'replace')).hexdigest()[:24]}.json"


@contextmanager
def remembered(path: Path | None) -> Iterator[Memo]:
    """Hold a session's memo for one event: read before it, written after it, and nobody else's meanwhile.

    Where its file cannot be locked in time, read or written, the event goes on, and leaves nothing for the next: the session then has
    no memory of its turn, or of this event.

    Args:
        path: of the memo; None where there is no place for one.
    """
    if path is None:
        yield Memo()
        return
    lock, is_held = None, False
    with suppress(OSError, Timeout):  # others of the session hang, or the folder is nobody's to write in
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = file_lock(path.with_suffix(".lock"))
        lock.acquire(timeout=_PATIENCE)
        is_held = True
    try:
        memo = read_memo(path)
        yield memo
        if is_held:
            with suppress(OSError):
                write_memo(path, memo)
    finally:
        if lock is not None:
            with suppress(OSError):
                lock.release()


def read_memo(path: Path) -> Memo:
    """Read a session's memo; an empty one where there is none, or it is damaged."""
    try:
        return _memo_of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return Memo()


def _memo_of(form: Any) -> Memo:
    """Give a memo from its JSON. Raises ValueError, TypeError, KeyError."""
    calls = [OpenCall(**each) for each in form.pop("calls")]
    memo = Memo(**form, calls=calls)
    for each in (memo, *calls):
        for name, kind in _KINDS.items():
            if not isinstance(getattr(each, name, kind()), kind):
                raise TypeError(f"{name}: expected {kind.__name__}")
    return memo


def write_memo(path: Path, memo: Memo) -> None:
    """Write a session's memo, whole or not at all. Raises OSError."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".memo-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(asdict(memo), file, default=str)
        os.replace(name, path)  # noqa: PTH105 - nothing but a rename
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sweep_memos(folder: Path, now: float, token: str) -> None:
    """Take out the files of sessions long gone, now and then.

    Args:
        folder: of all memos.
        now: the present instant, in seconds as `os.stat` tells them.
        token: of the session, by which it is drawn.
    """
    if int(sha256(token.encode("utf-8", "replace")).hexdigest()[:8], 16) % _SWEPT:
        return
    with suppress(OSError):
        for each in sorted(folder.iterdir()):  # a lock stands after its memo, and is a session's while that is there
            with suppress(OSError):
                is_old = now - each.stat().st_mtime > _KEPT_DAYS * 86_400
                if is_old and not (each.suffix == ".lock" and each.with_suffix(".json").exists()):
                    each.unlink()
