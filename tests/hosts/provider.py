"""A model on 127.0.0.1 that makes the calls it is told to make, in the dialects of the hosts; it keeps every request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DONE = "All is done."
"""What the model says once its calls are made."""

_ARGUMENT = {
    "Bash": "command", "bash": "command", "exec_command": "cmd", "shell_command": "command", "run_shell_command": "command",
}  # fmt: skip
"""Shell tools by their host's name, and the argument that holds the command."""
_MORE = {"Bash": {"description": "x"}, "bash": {"description": "x"}}


class Provider:
    """Requests that came, and the commands that the model still wants to run.

    Attributes:
        url: of the server, without a path.
        requests: bodies of the requests that offered a shell, in order.
    """

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self._wanted: list[str | tuple[str, dict[str, Any]]] = []
        self._lock = threading.Lock()
        self._made = 0

    def wants(self, *calls: str | tuple[str, dict[str, Any]]) -> None:
        """Let the next turn make these calls, one after the other: a command for the shell, or a tool and its arguments."""
        with self._lock:
            self._wanted = list(calls)
            self.requests = []

    @property
    def text(self) -> str:
        """Give all that the model received in this turn, as it would read it."""
        return "\n".join(part for number in range(len(self.requests)) for part in self.texts(number))

    def texts(self, number: int) -> list[str]:
        """Give the texts of one request of this turn."""
        return list(_texts(self.requests[number]))

    def next_call(self, body: dict[str, Any]) -> tuple[str, str, dict[str, Any]] | None:
        """Give the call that a request is answered with: its id, the tool and its arguments; None for the last words."""
        offered = {
            name
            for each in body.get("tools") or []
            for tool in (each, each.get("function") or {}, *(each.get("functionDeclarations") or ()))
            if (name := tool.get("name"))
        }
        shell = next((name for name in _ARGUMENT if name in offered), None)
        if shell is None:
            return None  # a title, a summary, a check of quota
        with self._lock:
            self.requests.append(body)
            if not self._wanted:
                return None
            self._made += 1
            wanted = self._wanted.pop(0)
            if not isinstance(wanted, str):
                return f"call_{self._made}", *wanted
            return f"call_{self._made}", shell, {_ARGUMENT[shell]: wanted, **_MORE.get(shell, {})}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    provider: Provider

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        self._sent(b'{"object": "list", "data": [], "models": []}', "application/json")

    def do_HEAD(self) -> None:
        self._sent(b"", "application/json")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._sent(b'{"input_tokens": 10}', "application/json")
            return
        if path.endswith(":countTokens"):
            self._sent(b'{"totalTokens": 10}', "application/json")
            return
        say = {
            "/messages": _anthropic, "/responses": _responses, "/completions": _completions, ":generateContent": _gemini,
            ":streamGenerateContent": _gemini_stream,
        }  # fmt: skip
        dialect = next((each for end, each in say.items() if path.endswith(end)), None)
        if dialect is None or not isinstance(body, dict):
            self._sent(b"{}", "application/json")
            return
        data, kind = dialect(body, self.provider.next_call(body))
        self._sent(data, kind)

    def _sent(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


Call = tuple[str, str, dict[str, Any]] | None


def _events(events: Sequence[tuple[str, Any]]) -> tuple[bytes, str]:
    named = (f"event: {name}\n" if name else "" for name, _ in events)
    text = "".join(
        f"{name}data: {each if isinstance(each, str) else json.dumps(each)}\n\n"
        for name, (_, each) in zip(named, events, strict=True)
    )
    return text.encode(), "text/event-stream"


def _anthropic(body: dict[str, Any], call: Call) -> tuple[bytes, str]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    whole: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "stop_sequence": None,
        "usage": usage,
    }
    stop = "tool_use" if call else "end_turn"
    block: dict[str, Any] = {"type": "text", "text": ""}
    piece: dict[str, Any] = {"type": "text_delta", "text": DONE}
    if call:
        block = {"type": "tool_use", "id": call[0], "name": call[1], "input": {}}
        piece = {"type": "input_json_delta", "partial_json": json.dumps(call[2])}
    if not body.get("stream"):
        content = {**block, "input": call[2]} if call else {"type": "text", "text": DONE}
        return json.dumps({**whole, "content": [content], "stop_reason": stop}).encode(), "application/json"
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": piece},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return _events([(each["type"], each) for each in told])


def _responses(body: dict[str, Any], call: Call) -> tuple[bytes, str]:
    del body
    item: dict[str, Any] = {
        "type": "message", "id": "m1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": DONE, "annotations": []}],
    }  # fmt: skip
    if call:
        item = {
            "type": "function_call",
            "id": f"f{call[0]}",
            "call_id": call[0],
            "name": call[1],
            "arguments": json.dumps(call[2]),
        }
    usage = {
        "input_tokens": 1,
        "output_tokens": 1,
        "total_tokens": 2,
        "input_tokens_details": None,
        "output_tokens_details": None,
    }
    told: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r1", "output": [item], "usage": usage}},
    ]
    return _events([(each["type"], each) for each in told])


def _completions(body: dict[str, Any], call: Call) -> tuple[bytes, str]:
    delta: dict[str, Any] = {"role": "assistant", "content": DONE}
    if call:
        function = {"name": call[1], "arguments": json.dumps(call[2])}
        delta = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"index": 0, "id": call[0], "type": "function", "function": function}],
        }
    stop = "tool_calls" if call else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {"id": "c1", "created": 1, "model": body.get("model")}
    if not body.get("stream"):
        choice = {"index": 0, "message": delta, "finish_reason": stop}
        return json.dumps(
            {**whole, "object": "chat.completion", "choices": [choice], "usage": usage}
        ).encode(), "application/json"
    piece = {**whole, "object": "chat.completion.chunk"}
    return _events(
        [
            ("", {**piece, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
            ("", {**piece, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}], "usage": usage}),
            ("", "[DONE]"),
        ]
    )


def _gemini_answer(call: Call) -> dict[str, Any]:
    part: dict[str, Any] = {"text": DONE}
    if call:
        part = {"functionCall": {"id": call[0], "name": call[1], "args": call[2]}}
    candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake-1", "responseId": "r1"}


def _gemini(body: dict[str, Any], call: Call) -> tuple[bytes, str]:
    del body
    return json.dumps(_gemini_answer(call)).encode(), "application/json"


def _gemini_stream(body: dict[str, Any], call: Call) -> tuple[bytes, str]:
    del body
    return _events([("", _gemini_answer(call))])


@contextmanager
def provider() -> Iterator[Provider]:
    """Serve on a free port of 127.0.0.1."""
    made = Provider()
    handler = type("Handler", (_Handler,), {"provider": made})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
