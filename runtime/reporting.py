"""A block of code whose end is reported to a casebook, and what guarded code is told on its way."""

from __future__ import annotations

import inspect
import logging
import secrets
import weakref
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Protocol

from casebook.faults import CasebookError
from casebook.outcome import Outcome
from casebook.policy import Policy
from casebook.runtime.answer.activation import Activation
from casebook.task import Task

_log = logging.getLogger("casebook")


class BlockedError(CasebookError):
    """A case blocks this call; the function was not called.

    Attributes:
        activation: the answer; None where the casebook failed and its policy says that then nothing passes.
        prompt: why, and what to do instead: for the agent.
    """

    def __init__(self, activation: Activation | None, told: str) -> None:
        self.activation = activation
        self.prompt = activation.prompt if activation is not None else ""
        super().__init__(told)


class ConfirmationNeededError(CasebookError):
    """A case wants a person's yes before this call, and there is none; the function was not called.

    Attributes:
        activation: the answer.
        prompt: why, and what to do instead: for the agent.
        refused: whether a person was asked and said no.
    """

    def __init__(self, activation: Activation, told: str, *, refused: bool) -> None:
        self.activation = activation
        self.prompt = activation.prompt
        self.refused = refused
        super().__init__(told)


class Reported(Protocol):
    """What guarded code needs of a runtime."""

    def policy(self) -> Policy:
        """Give the policy that serves."""
        ...

    def before_task(self, task: Task, /) -> Activation:
        """Answer a task."""
        ...

    def after_task(self, about: Activation | Task | None, outcome: Outcome, /) -> object:
        """Take what became of it."""
        ...

    async def abefore_task(self, task: Task, /) -> Activation:
        """As `before_task`."""
        ...

    async def aafter_task(self, about: Activation | Task | None, outcome: Outcome, /) -> object:
        """As `after_task`."""
        ...


class Stretch:
    """A stretch of guarded code that is running, within another or not.

    An exception that goes through several counts once: all report it as of one turn.

    Attributes:
        activation: the answer of its task, or None.
        turn: the turn of a host's agent that it is a part of, or None.
        raised: which exception came through it last from within, and the turn of that.
    """

    __slots__ = ("_outer", "activation", "raised", "turn")

    def __init__(self, activation: Activation | None, turn: str | None = None) -> None:
        """Begin one, with its answer, within the one that is running; without a turn of its own it is of that one's."""
        self.activation = activation
        self._outer: Stretch | None = CURRENT.get()
        self.turn: str | None = turn or (self._outer.turn if self._outer is not None else None)
        self.raised: tuple[BaseException, str] | None = None

    def turn_of(self, raised: BaseException | None) -> str | None:
        """Give the turn of what it raised: that of the stretch within which it came through, or None where it stands alone."""
        if raised is None or (self._outer is None and self.raised is None):
            return self.turn if raised is not None else None
        if self.raised is None or self.raised[0] is not raised:
            self.raised = (raised, self.turn or secrets.token_hex(8))
        if self._outer is not None:
            self._outer.raised = self.raised
        return self.raised[1]


CURRENT: ContextVar[Stretch | None] = ContextVar("casebook_stretch", default=None)
"""The stretch of guarded code that is running."""


def current_activation() -> Activation | None:
    """Give the activation of the guarded function, or of the `with runtime.task(…)` block, that is running here, or None.

    In a generator it is not known, for its body runs among its caller's; a guarded one takes the parameter `casebook`.
    """
    stretch = CURRENT.get()
    return stretch.activation if stretch is not None else None


class Reporting:
    """A block of code whose end is reported: an exception as an error, else success. For `with` and `async with`, once.

    What the block raises goes on unchanged, also where reporting it fails; a case's own refusal is no error of the block.
    """

    def __init__(self, runtime: Reported, activation: Activation, task: Task | None = None) -> None:
        """Take the runtime, the answer, and the task, whose tool and arguments are then told with the outcome."""
        self._runtime = runtime
        self._activation = activation
        self._call: dict[str, Any] = {}
        if task is not None and task.tool is not None:
            self._call = {"tool": task.tool, **({"args": task.args} if task.args else {})}
        self._stretch: Stretch | None = None
        self._token: Token[Stretch | None] | None = None

    def __enter__(self) -> Activation:
        """Give the answer, which `current_activation` gives within the block."""
        self._stretch = Stretch(self._activation)
        self._token = CURRENT.set(self._stretch)
        return self._activation

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Report how the block ended."""
        self._leave()
        if not is_refusal(raised):
            report(self._runtime, self._activation, outcome_of(raised, self._call, self._stretch), "a block")

    async def __aenter__(self) -> Activation:
        """As `__enter__`."""
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As `__exit__`, without holding up the event loop."""
        self._leave()
        if not is_refusal(raised):
            outcome = outcome_of(raised, self._call, self._stretch)
            await areport(self._runtime, self._activation, outcome, "a block", raised)

    def _leave(self) -> None:
        token, self._token = self._token, None
        if token is not None:
            with suppress(ValueError):  # a block in a generator may end in another context than it began in
                CURRENT.reset(token)


def reporting(runtime: Reported, activation: Activation, task: Task | None = None) -> Reporting:
    """Give the context manager, sync and async, that reports how a block ended (see `Reporting`)."""
    return Reporting(runtime, activation, task)


def outcome_of(raised: BaseException | None, call: Mapping[str, Any], stretch: Stretch | None = None) -> Outcome:
    """Give the outcome of a call: of what it raised, interruptions by their own names too, or success.

    Args:
        raised: the exception, or None.
        call: `tool` and `args`, as far as there are some.
        stretch: the code that raised it, where it may stand within another that is told of it too.
    """
    if raised is None:
        return Outcome.success(**call)
    turn = stretch.turn_of(raised) if stretch is not None else None
    if turn is not None:
        call = {**call, "turn": turn}
    try:
        return Outcome.from_exception(raised, **call)
    except Exception:  # noqa: BLE001 - an exception whose own text raises is one all the same
        return Outcome.error(type(raised).__qualname__, "", **call)


def report(runtime: Reported, about: Activation | Task | None, outcome: Outcome, place: str) -> None:
    """Report an outcome; trouble is logged, for it must not mask what the guarded code returned or raised."""
    try:
        runtime.after_task(about, outcome)
    except Exception as error:  # noqa: BLE001 - see above
        warn_once(runtime, f"after_task ({place})", error)


async def areport(
    runtime: Reported, about: Activation | Task | None, outcome: Outcome, place: str, raised: BaseException | None
) -> None:
    """As `report`, without holding up the event loop; after an interruption at once, for then nobody may be there to wait."""
    if raised is not None and not isinstance(raised, Exception):
        report(runtime, about, outcome, place)
        return
    try:
        await runtime.aafter_task(about, outcome)
    except Exception as error:  # noqa: BLE001 - as in `report`
        warn_once(runtime, f"after_task ({place})", error)
    except BaseException:  # cancelled, perhaps before a thread was free for it; the same report counts once
        report(runtime, about, outcome, place)
        raise


def is_refusal(raised: BaseException | None) -> bool:
    """Say whether it is a case's own block or wish for a yes, which is no error of what was called."""
    return isinstance(raised, BlockedError | ConfirmationNeededError)


_told: weakref.WeakKeyDictionary[object, set[tuple[str, type]]] = weakref.WeakKeyDictionary()


def warn_once(runtime: object, place: str, error: BaseException) -> None:
    """Log trouble with a casebook, each kind of it once for a runtime and place."""
    told = _told.setdefault(runtime, set())
    if (place, type(error)) not in told:
        told.add((place, type(error)))
        _log.warning("casebook: %s failed, and the code goes on without it: %s: %s", place, type(error).__name__, error)


def warn_cut(runtime: object, place: str, cut: str) -> None:
    """Log that a task could not be looked at whole, once for a runtime and place.

    Args:
        runtime: the casebook.
        place: what the task is of.
        cut: what was not looked at (`casebook.fitting`).
    """
    told = _told.setdefault(runtime, set())
    if (place, str) not in told:
        told.add((place, str))
        _log.warning("casebook: %s: %s", place, cut)


def is_async(function: Any) -> bool:
    """Say whether calling it gives a coroutine."""
    call = getattr(type(function), "__call__", None)  # noqa: B004 - its kind is asked, not whether there is one
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
