"""One guarded function: the task that a call of it is, the casebook's word on it, and the report of its end."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from casebook.faults import TaskError
from casebook.fitting import task_within
from casebook.plain import plain
from casebook.runtime.answer.activation import Activation
from casebook.runtime.reporting import (
    BlockedError,
    ConfirmationNeededError,
    Reported,
    Stretch,
    areport,
    is_refusal,
    outcome_of,
    report,
    warn_cut,
    warn_once,
)
from casebook.task import Task

Value = str | Callable[[], str | None] | ContextVar[Any] | None
"""A session's or a user's name: itself, or a function without arguments or a context variable that gives it at each call."""

INJECTED = "casebook"
"""The parameter that is handed the activation, where a guarded function has it; its callers do not see it."""


@dataclass(slots=True)
class Call:
    """One call.

    Attributes:
        args, kwargs: what the function is called with.
        task: the call as a task; None where it could not be made one.
        activation: the casebook's answer; None where it has none.
        stretch: the call as it runs; None for a generator, whose body runs among its caller's.
        stopped: whether the function is not to be called.
        instead: what is given then.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    task: Task | None = None
    activation: Activation | None = None
    stretch: Stretch | None = None
    stopped: bool = False
    instead: Any = None


class Guarded:
    """A function and how it is guarded; the fields are those of `guard`.

    Attributes:
        function: what is guarded.
        shown: its signature as callers see it; None where it has none.
        is_told: whether it takes the activation.
    """

    def __init__(
        self,
        runtime: Reported,
        function: Callable[..., Any],
        *,
        tool: str | None,
        args: Callable[..., Mapping[str, Any]] | None,
        task: Task | Mapping[str, Any] | Callable[..., Task | Mapping[str, Any]] | None,
        whose: Mapping[str, Value],
        on_confirm: Callable[[Activation], bool | Awaitable[bool]] | None,
        on_block: Callable[[Activation], Any] | None,
    ) -> None:
        self.function = function
        self._runtime = runtime
        self._tool = tool or getattr(function, "__name__", type(function).__name__)
        self._args = args
        self._task = task
        self._whose = whose
        self._on_confirm = on_confirm
        self._on_block = on_block
        self._place = f"a call of {self._tool}"
        self._closed: bool | None = None
        try:
            self._signature: inspect.Signature | None = inspect.signature(function)
        except (TypeError, ValueError):  # some builtins have none
            self._signature = None
        parameters = list(self._signature.parameters.values()) if self._signature is not None else []
        self.is_told = any(each.name == INJECTED for each in parameters)
        self.shown = self._signature
        if self._signature is not None and self.is_told:
            self.shown = self._signature.replace(parameters=[each for each in parameters if each.name != INJECTED])
        self._hidden = next((each.name for each in parameters[:1] if each.name in ("self", "cls")), None)

    # -- before ------------------------------------------------------------------------------------------------------------

    def begin(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Ask before a call. Raises BlockedError, ConfirmationNeededError, and what `on_confirm` and `on_block` raise."""
        call = self._call(args, kwargs)
        if call.task is not None:
            try:
                call.activation = self._runtime.before_task(call.task)
            except Exception as error:  # noqa: BLE001 - a casebook in trouble breaks nobody
                self._failed(error)
        if self._wants_yes(call):
            assert call.activation is not None
            said = self._on_confirm(call.activation) if self._on_confirm else None
            if inspect.iscoroutine(said):  # an async `on_confirm` of a plain function: nobody can wait for its answer
                said.close()
                said = None
            self._settle(call.activation, said)
        return self._told(call)

    async def abegin(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """As `begin`, without holding up the event loop."""
        call = self._call(args, kwargs)
        if call.task is not None:
            try:
                call.activation = await self._runtime.abefore_task(call.task)
            except Exception as error:  # noqa: BLE001 - a casebook in trouble breaks nobody
                self._failed(error)
        if self._wants_yes(call):
            assert call.activation is not None
            said = self._on_confirm(call.activation) if self._on_confirm else None
            self._settle(call.activation, await said if inspect.isawaitable(said) else said)
        return self._told(call)

    def _failed(self, error: Exception) -> None:
        """Let the call go on, or refuse it where the policy says so."""
        if self._is_closed(ask=True):
            raise BlockedError(
                None,
                f"{self._tool} was not called: the casebook failed, and its policy is on_failure: closed ({error})",
            ) from error
        warn_once(self._runtime, f"before_task ({self._place})", error)

    def _is_closed(self, *, ask: bool) -> bool:
        """Say whether nothing passes where the casebook fails; where even the policy cannot be had, what it said before."""
        if ask or self._closed is None:
            try:
                policy = self._runtime.policy()
            except Exception:  # noqa: BLE001 - the same trouble
                return bool(self._closed)
            self._closed = policy.fails_closed
        return self._closed

    def _wants_yes(self, call: Call) -> bool:
        """Stop a call that a case blocks; say whether a person has to be asked about it."""
        if call.activation is None:
            return False
        self._is_closed(ask=False)
        if call.activation.verdict == "block":
            if self._on_block is None:
                raise BlockedError(call.activation, f"{self._tool} was not called: {_ids(call.activation)} blocks it")
            call.stopped, call.instead = True, self._on_block(call.activation)
        return call.activation.verdict == "confirm"

    def _settle(self, activation: Activation, said: Any) -> None:
        if not said:
            raise ConfirmationNeededError(
                activation,
                f"{self._tool} was not called: {_ids(activation)} wants a person's yes"
                + (", who said no" if said is not None else ""),
                refused=said is not None,
            )

    # -- the task ------------------------------------------------------------------------------------------------------------

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Give a call with its task; what cannot be told of it is left out."""
        call = Call(args, kwargs)
        try:
            fields = self._fields(args, kwargs)
            call.task, cut = task_within(fields)
        except Exception as error:  # noqa: BLE001 - odd arguments must not break the call
            self._failed(error)
        else:
            if cut and self._is_closed(ask=True):
                raise BlockedError(
                    None,
                    f"{self._tool} was not called: the casebook could not look at all of it, and its policy is on_failure: closed ({cut})",
                )
            if cut:
                warn_cut(self._runtime, self._place, cut)
        return call

    def _fields(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        base = self._task(*args, **kwargs) if callable(self._task) else self._task
        fields = base.to_json() if isinstance(base, Task) else dict(base or {})
        fields.setdefault("tool", self._tool)
        for name, value in self._whose.items():
            found = said_now(value)
            if found is not None:
                fields[name] = found
        told = self._args(*args, **kwargs) if self._args is not None else self._by_name(args, kwargs)
        if told:
            fields["args"] = {**fields.get("args", {}), **_plainly(told)}
        return fields

    def _by_name(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Give the arguments of a call by the names of its parameters, defaults too."""
        if self.shown is None:
            return dict(kwargs)
        try:
            bound = self.shown.bind(*args, **{name: each for name, each in kwargs.items() if name != INJECTED})
        except TypeError:  # the function itself will say so
            return dict(kwargs)
        bound.apply_defaults()
        found = {name: value for name, value in bound.arguments.items() if name != self._hidden and value is not None}
        for name, parameter in self.shown.parameters.items():
            if parameter.kind is parameter.VAR_KEYWORD:
                found.update(found.pop(name, {}))
            elif parameter.kind is parameter.VAR_POSITIONAL and not found.get(name):
                found.pop(name, None)
        return found

    def _told(self, call: Call) -> Call:
        """Hand the activation to a function that takes it, in its place among the arguments."""
        if not self.is_told or INJECTED in call.kwargs or self._signature is None or self.shown is None:
            return call
        try:
            given = self.shown.bind(*call.args, **call.kwargs).arguments
        except TypeError:
            call.kwargs = {**call.kwargs, INJECTED: call.activation}
            return call
        given[INJECTED] = call.activation
        whole = inspect.BoundArguments(
            self._signature,
            {name: given[name] for name in self._signature.parameters if name in given},
        )
        call.args, call.kwargs = whole.args, whole.kwargs
        return call

    # -- after ---------------------------------------------------------------------------------------------------------------

    def end(self, call: Call, raised: BaseException | None) -> None:
        """Report how a call ended; one that was not made has no end."""
        if not call.stopped and not is_refusal(raised):
            report(
                self._runtime,
                call.activation or call.task,
                outcome_of(raised, self._of(call), call.stretch),
                self._place,
            )

    async def aend(self, call: Call, raised: BaseException | None) -> None:
        """As `end`, without holding up the event loop."""
        if not call.stopped and not is_refusal(raised):
            outcome = outcome_of(raised, self._of(call), call.stretch)
            await areport(self._runtime, call.activation or call.task, outcome, self._place, raised)

    def _of(self, call: Call) -> dict[str, Any]:
        if call.task is None or call.task.tool is None:
            return {"tool": self._tool}
        return {"tool": call.task.tool, **({"args": call.task.args} if call.task.args else {})}


def _plainly(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give arguments made plain, without a word about what is no JSON value; as they are where they are nested too deep."""
    try:
        return plain(told).value
    except TaskError:
        return told


def said_now(value: Value) -> str | None:
    """Give the name that is meant at this moment; None where there is none. Raises what its function raises."""
    if isinstance(value, ContextVar):
        return _named(value.get(None))
    return _named(value()) if callable(value) else value


def _named(value: object) -> str | None:
    return None if value is None else str(value)


def _ids(activation: Activation) -> str:
    """Name the cases that stop a call."""
    ids = [case.id for case in activation.cases if case.effect == activation.verdict]
    return ", ".join(ids) or "a case"
