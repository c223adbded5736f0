"""A model behind an OpenAI-compatible API on 127.0.0.1: it calls the tools that a message names, and keeps what it received."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_CALL = re.compile(r"^CALL (\w+) (\{.*\})$", re.MULTILINE)
_SUMMARY = "## Decisions\nnone\n\n## Open TODOs\nnone\n\n## Constraints/Rules\nnone\n\n## Pending user asks\nnone\n\n## Exact identifiers\nnone"


class FakeModel:
    """The model.

    A message with the line `CALL exec {"command": "ls"}` is answered by that call; after a call's result, and to anything else, the
    answer is "done". A request without tools, such as the gateway's for a summary, gets a summary.

    Attributes:
        url: of its API.
        received: the body of each request.
    """

    def __init__(self) -> None:
        """Listen on a free port."""
        self.received: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self._send({"object": "list", "data": [{"id": "fake-1", "object": "model"}]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.received.append(body)
                message, reason = answer_to(body)
                whole = {"id": "c", "created": 1, "model": "fake-1"}
                if not body.get("stream"):
                    choice = {"index": 0, "message": message, "finish_reason": reason}
                    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                    self._send({**whole, "object": "chat.completion", "choices": [choice], "usage": usage})
                    return
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                pieces: list[tuple[dict[str, Any], str | None]] = [(message, None), ({}, reason)]
                for delta, ending in pieces:
                    choice = {"index": 0, "delta": delta, "finish_reason": ending}
                    piece = {**whole, "object": "chat.completion.chunk", "choices": [choice]}
                    self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
                self.wfile.write(b"data: [DONE]\n\n")

            def _send(self, body: Mapping[str, Any]) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def answer_to(body: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Give the model's message, and why it ends."""
    if not body.get("tools"):
        return {"role": "assistant", "content": _SUMMARY}, "stop"
    calls = _calls(body["messages"])
    if not calls:
        return {"role": "assistant", "content": "done"}, "stop"
    return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"


def _calls(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give the calls that the latest message that names some asks for; none once anything came of them."""
    asking = [at for at, each in enumerate(messages) if each["role"] == "user" and _CALL.search(text_in(each))]
    if not asking or any(each["role"] != "user" for each in messages[asking[-1] :]):
        return []
    return [
        {"index": at, "id": f"call_{len(messages)}_{at}", "type": "function", "function": {"name": name, "arguments": args}}
        for at, (name, args) in enumerate(_CALL.findall(text_in(messages[asking[-1]])))
    ]  # fmt: skip


def text_in(message: Mapping[str, Any]) -> str:
    """Give the text of a message."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)
