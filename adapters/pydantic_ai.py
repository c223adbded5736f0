"""pydantic-ai 2.x: a capability for `Agent(capabilities=[…])`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ApprovalRequired, CallDeferred, DeferredToolRequests, ModelRetry, RunContext, ToolFailed
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart, UserPromptPart
from pydantic_ai.tools import ToolDefinition

from casebook.adapters.exchange import Exchange
from casebook.adapters.hosts import host_of
from casebook.adapters.protocol import Asked, Injection
from casebook.adapters.turn import OnConfirm, Turn
from casebook.adapters.whose import checked, whose_now
from casebook.runtime.guarded import Value
from casebook.runtime.reporting import BlockedError

_APPROVED: ContextVar[bool] = ContextVar("casebook_pydantic_ai_approved", default=False)
"""Whether the tool call that is about to be made was approved in pydantic-ai's own way."""


class CasebookCapability(AbstractCapability[Any]):
    """Puts the corrections of cases into the instructions of each request of a run, and reports what became of tool calls.

    A blocked call fails with the correction as its words; what a tool raises goes on unchanged. The run's conversation is its
    session. Trouble with the casebook is logged and breaks nothing.
    """

    def __init__(self, casebook: Asked, *, on_confirm: OnConfirm | None = None, **whose: Value) -> None:
        """Take the casebook in service.

        Args:
            casebook: a `Runtime`.
            on_confirm: asked where a case wants a person's yes; may be async. `ask_by_approval` defers the call as pydantic-ai's
                approvals do. Without one such a call is refused.
            whose: `user project team agent session channel model origin`: a name, a function that gives it, or a context variable.

        Raises:
            CasebookError: another name was given.
        """
        self._exchange = Exchange(casebook, host_of("pydantic-ai"))
        self._on_confirm = on_confirm
        self._whose = checked(whose)

    async def for_run(self, ctx: RunContext[Any]) -> AbstractCapability[Any]:
        """Give the capability of one run, which has the run's turn."""
        whose = whose_now(self._whose, self._exchange)
        if ctx.conversation_id and "session" not in whose:
            whose["session"] = ctx.conversation_id
        return _RunCapability(Turn(self._exchange, whose, id=ctx.run_id or "", on_confirm=self._on_confirm))


class _RunCapability(AbstractCapability[Any]):
    """The capability of one run."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    def get_instructions(self) -> Callable[[RunContext[Any]], str]:
        """Give what gives the turn's text at each request."""
        return lambda _: self._turn.text

    async def wrap_run(self, ctx: RunContext[Any], *, handler: Any) -> Any:
        """Ask about the run, let it go, and report how it ended."""
        await self._turn.abegin(_said(ctx))
        if self._turn.stop:
            raise BlockedError(None, self._turn.stop)
        try:
            result = await handler()
        except BaseException as error:
            await self._turn.aend(error)
            raise
        if not isinstance(result.output, DeferredToolRequests):  # a run that waits for a person goes on as another
            await self._turn.aend()
        return result

    async def wrap_tool_validate(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 - pydantic-ai's names
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: Any,
        handler: Any,
    ) -> Any:
        """Report a call whose arguments do not fit, as one that failed; an output tool's is no call."""
        try:
            return await handler(args)
        except (ValidationError, ModelRetry) as error:
            if tool_def.kind != "output":
                told = args if isinstance(args, Mapping) else None
                await self._turn.afailed(tool_def.name, told, call.tool_call_id, error)
            raise

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: Mapping[str, Any],
        handler: Any,
    ) -> Any:
        """Ask about a call, make it, report what became of it; a refused one fails with the reason."""
        token = _APPROVED.set(ctx.tool_call_approved)
        try:
            asked = await self._turn.aask(tool_def.name, args, call.tool_call_id)
        finally:
            _APPROVED.reset(token)
        if asked.refusal:
            raise ToolFailed(asked.refusal)
        try:
            with asked.making():
                result = await handler(args)
        except (ApprovalRequired, CallDeferred):  # the tool puts the call off: no end of it
            raise
        except BaseException as error:
            await self._turn.areport(asked, error)
            raise
        await self._turn.areport(asked)
        return result


def ask_by_approval(injection: Injection) -> bool:
    """Defer a call until it is approved in pydantic-ai's own way (`DeferredToolRequests`). For `on_confirm`."""
    if _APPROVED.get():
        return True
    raise ApprovalRequired(metadata={"casebook": injection.reason, "cases": list(injection.cases)})


def _said(ctx: RunContext[Any]) -> str:
    """Give the words of the run's prompt, and where it goes on without one, of the last; pictures and files are passed over."""
    prompt: Any = ctx.prompt
    if prompt is None:
        parts = (part for message in reversed(ctx.messages) for part in reversed(message.parts))
        prompt = next((part.content for part in parts if isinstance(part, UserPromptPart)), None)
    if isinstance(prompt, str):
        return prompt
    return "\n".join(each for each in prompt or () if isinstance(each, str))
