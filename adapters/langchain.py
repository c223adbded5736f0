"""LangChain 1.x: a middleware for `create_agent`, sync and async."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import (
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
    hook_config,
)
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt

from casebook.adapters.exchange import Exchange
from casebook.adapters.hosts import host_of
from casebook.adapters.protocol import Asked, Injection
from casebook.adapters.tool_call import ToolCall
from casebook.adapters.turn import OnConfirm, Turn
from casebook.adapters.whose import checked, whose_now
from casebook.runtime.guarded import Value

_KEPT = 1_000
"""Turns that are remembered: one whose run was broken off has no end, so the eldest go (ours)."""


class CasebookState(AgentState[Any]):
    """The agent's state, and the id of its turn: the state travels to every node, a Python object might not."""

    casebook_turn: NotRequired[Annotated[str, PrivateStateAttr]]


class CasebookMiddleware(AgentMiddleware[CasebookState, Any, Any]):
    """Puts the corrections of cases into the system message of each request of a turn, and reports what became of tool calls.

    A blocked call is answered by an error message with the correction instead of its result; what a tool raises goes on
    unchanged. The turn's thread is its session. Trouble with the casebook is logged and breaks nothing.
    """

    state_schema = CasebookState

    def __init__(self, casebook: Asked, *, on_confirm: OnConfirm | None = None, **whose: Value) -> None:
        """Take the casebook in service.

        Args:
            casebook: a `Runtime`.
            on_confirm: asked where a case wants a person's yes, may be async under `ainvoke`; `ask_by_interrupt` stops the graph
                for it. Without one such a call is refused.
            whose: `user project team agent session channel model origin`: a name, a function that gives it, or a context variable.

        Raises:
            CasebookError: another name was given.
        """
        super().__init__()
        self._exchange = Exchange(casebook, host_of("langchain"))
        self._on_confirm = on_confirm
        self._whose = checked(whose)
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._lock = threading.Lock()

    # -- as a turn begins --------------------------------------------------------------------------------------------------

    @hook_config(can_jump_to=["end"])
    def before_agent(self, state: CasebookState, runtime: Any) -> dict[str, Any] | None:
        """Ask about the turn; one that a case blocks and nobody typed ends here."""
        turn = self._new(runtime)
        turn.begin(_said(_messages(state)))
        return _begun(self._kept(turn))

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: CasebookState, runtime: Any) -> dict[str, Any] | None:
        """As `before_agent`, without holding up the event loop."""
        turn = self._new(runtime)
        await turn.abegin(_said(_messages(state)))
        return _begun(self._kept(turn))

    # -- a request to the model ----------------------------------------------------------------------------------------------

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Put the turn's text at the end of the system message of this request; it is not kept."""
        return handler(_told(request, self._turn(request.state, request.runtime)))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """As `wrap_model_call`."""
        return await handler(_told(request, await self._aturn(request.state, request.runtime)))

    # -- a tool call ---------------------------------------------------------------------------------------------------------

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Ask about a call, make it, report what became of it; a refused one is answered by the reason."""
        turn = self._turn(request.state, request.runtime)
        call = turn.ask(*_asked(request))
        if call.refusal:
            return _refusal(request, call)
        try:
            with call.making():
                result = handler(request)
        except GraphBubbleUp:  # the graph stops to ask somebody, or goes elsewhere: no end of the call
            raise
        except BaseException as error:
            turn.report(call, error)
            raise
        turn.report(call, message=_error(result, request))
        return result

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """As `wrap_tool_call`, without holding up the event loop."""
        turn = await self._aturn(request.state, request.runtime)
        call = await turn.aask(*_asked(request))
        if call.refusal:
            return _refusal(request, call)
        try:
            with call.making():
                result = await handler(request)
        except GraphBubbleUp:
            raise
        except BaseException as error:
            await turn.areport(call, error)
            raise
        await turn.areport(call, message=_error(result, request))
        return result

    # -- its end -------------------------------------------------------------------------------------------------------------

    def after_agent(self, state: CasebookState, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002 - LangChain's names
        """Report that the turn went through."""
        turn = self._let_go(state)
        if turn is not None:
            turn.end()
        return None

    async def aafter_agent(self, state: CasebookState, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002 - as above
        """As `after_agent`, without holding up the event loop."""
        turn = self._let_go(state)
        if turn is not None:
            await turn.aend()
        return None

    # -- turns ---------------------------------------------------------------------------------------------------------------

    def _new(self, runtime: Any, turn_id: str = "") -> Turn:
        whose = whose_now(self._whose, self._exchange)
        thread = getattr(getattr(runtime, "execution_info", None), "thread_id", None)
        if thread and "session" not in whose:
            whose["session"] = str(thread)
        return Turn(self._exchange, whose, id=turn_id or uuid.uuid4().hex, on_confirm=self._on_confirm)

    def _kept(self, turn: Turn) -> Turn:
        """Keep a turn that has begun; of two that were begun for one id, the first."""
        with self._lock:
            kept = self._turns.setdefault(turn.id, turn)
            while len(self._turns) > _KEPT:
                self._turns.popitem(last=False)
        return kept

    def _turn(self, state: Any, runtime: Any) -> Turn:
        """Give the turn of a state; one that was begun in another process is asked about again, and goes on as itself."""
        turn = self._known(state)
        if turn is None:
            turn = self._new(runtime, _turn_id(state))
            turn.begin(_said(_messages(state)))
            turn = self._kept(turn)
        return turn

    async def _aturn(self, state: Any, runtime: Any) -> Turn:
        """As `_turn`, without holding up the event loop."""
        turn = self._known(state)
        if turn is None:
            turn = self._new(runtime, _turn_id(state))
            await turn.abegin(_said(_messages(state)))
            turn = self._kept(turn)
        return turn

    def _known(self, state: Any) -> Turn | None:
        with self._lock:
            return self._turns.get(_turn_id(state))

    def _let_go(self, state: CasebookState) -> Turn | None:
        with self._lock:
            return self._turns.pop(_turn_id(state), None)


def ask_by_interrupt(injection: Injection) -> bool:
    """Stop the graph until a person has answered: `Command(resume=True)` makes the call. For `on_confirm`; needs a checkpointer."""
    return bool(interrupt({"casebook": injection.reason, "cases": list(injection.cases)}))


def _begun(turn: Turn) -> dict[str, Any]:
    if turn.stop:
        return {"casebook_turn": turn.id, "jump_to": "end", "messages": [AIMessage(turn.stop)]}
    return {"casebook_turn": turn.id}


def _turn_id(state: Any) -> str:
    return str(_field(state, "casebook_turn") or "")


def _messages(state: Any) -> Sequence[AnyMessage]:
    return _field(state, "messages") or ()


def _field(state: Any, name: str) -> Any:
    """Give a field of an agent's state, which is a dictionary or an object."""
    return state.get(name) if isinstance(state, dict) else getattr(state, name, None)


def _told(request: ModelRequest[Any], turn: Turn) -> ModelRequest[Any]:
    """Give a request with the turn's text at the end of its system message."""
    text = turn.text
    return request.override(system_message=_with(request.system_message, text)) if text else request


def _said(messages: Sequence[AnyMessage]) -> str:
    """Give the last words of the user."""
    return next((each.text for each in reversed(messages) if isinstance(each, HumanMessage)), "")


def _with(system: SystemMessage | None, text: str) -> SystemMessage:
    """Give the system message with a text at its end; a message of blocks keeps them as they are."""
    if system is None:
        return SystemMessage(text)
    if isinstance(system.content, str):
        return system.model_copy(update={"content": f"{system.content}\n\n{text}"})
    return system.model_copy(update={"content": [*system.content, {"type": "text", "text": text}]})


def _asked(request: ToolCallRequest) -> tuple[str, dict[str, Any], str]:
    call = request.tool_call
    return call["name"], call["args"], call["id"] or uuid.uuid4().hex


def _refusal(request: ToolCallRequest, call: ToolCall) -> ToolMessage:
    made = request.tool_call
    return ToolMessage(call.refusal, name=made["name"], tool_call_id=made["id"] or "", status="error")


def _error(result: object, request: ToolCallRequest) -> str | None:
    """Give the words of a result that is an error; a command holds what is told of the call among its messages."""
    if isinstance(result, list | tuple):
        return next((told for each in result if (told := _error(each, request)) is not None), None)
    if isinstance(result, Command):
        update = result.update
        messages = update.get("messages") if isinstance(update, dict) else None
        own = [each for each in messages or () if getattr(each, "tool_call_id", None) == request.tool_call["id"]]
        return _error(own, request)
    return result.text if isinstance(result, ToolMessage) and result.status == "error" else None
