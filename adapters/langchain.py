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
from casebook.adapters.turn import OnConfirm, ToolCall, Turn
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
        turn.begin(_said(state["messages"]))
        return _begun(turn)

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: CasebookState, runtime: Any) -> dict[str, Any] | None:
        """As `before_agent`, without holding up the event loop."""
        turn = self._new(runtime)
        await turn.abegin(_said(state["messages"]))
        return _begun(turn)

    # -- a request to the model ----------------------------------------------------------------------------------------------

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Put the turn's text at the end of the system message of this request; it is not kept."""
        return handler(self._told(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """As `wrap_model_call`."""
        return await handler(self._told(request))

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
            result = handler(request)
        except GraphBubbleUp:  # the graph stops to ask somebody, or goes elsewhere: no end of the call
            raise
        except BaseException as error:
            turn.report(call, error)
            raise
        turn.report(call, message=_error(result))
        return result

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """As `wrap_tool_call`, without holding up the event loop."""
        turn = self._turn(request.state, request.runtime)
        call = await turn.aask(*_asked(request))
        if call.refusal:
            return _refusal(request, call)
        try:
            result = await handler(request)
        except GraphBubbleUp:
            raise
        except BaseException as error:
            await turn.areport(call, error)
            raise
        await turn.areport(call, message=_error(result))
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
        turn = Turn(self._exchange, whose, id=turn_id or uuid.uuid4().hex, on_confirm=self._on_confirm)
        with self._lock:
            self._turns[turn.id] = turn
            while len(self._turns) > _KEPT:
                self._turns.popitem(last=False)
        return turn

    def _turn(self, state: Any, runtime: Any) -> Turn:
        """Give the turn of a state; one that was begun in another process goes on as itself, without its text."""
        turn_id = str(state.get("casebook_turn") or "") if isinstance(state, dict) else ""
        with self._lock:
            known = self._turns.get(turn_id)
        return known if known is not None else self._new(runtime, turn_id)

    def _let_go(self, state: CasebookState) -> Turn | None:
        with self._lock:
            return self._turns.pop(state.get("casebook_turn", ""), None)

    def _told(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        turn_id = request.state.get("casebook_turn", "")
        with self._lock:
            turn = self._turns.get(str(turn_id))
        text = turn.text if turn is not None else ""
        if not text:
            return request
        return request.override(system_message=_with(request.system_message, text))


def ask_by_interrupt(injection: Injection) -> bool:
    """Stop the graph until a person has answered: `Command(resume=True)` makes the call. For `on_confirm`; needs a checkpointer."""
    return bool(interrupt({"casebook": injection.reason, "cases": list(injection.cases)}))


def _begun(turn: Turn) -> dict[str, Any]:
    if turn.stop:
        return {"casebook_turn": turn.id, "jump_to": "end", "messages": [AIMessage(turn.stop)]}
    return {"casebook_turn": turn.id}


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


def _error(result: ToolMessage | Command[Any]) -> str | None:
    """Give the words of a result that is an error."""
    return result.text if isinstance(result, ToolMessage) and result.status == "error" else None
