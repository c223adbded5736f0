"""Whether a call failed, where a host tells its output alone: by the first words of its last lines, and by an exit code in it.

Conservative: output that merely talks of errors is a success, for a false error would become a false lesson.
"""

from __future__ import annotations

import json
import re
from typing import Any

_READ = 8_192
"""Characters at the output's end that are looked at."""

_EXIT = re.compile(
    r"(?:exit(?:ed with)?(?: code| status)?|process exited with code)[:= ]{1,3}(-?\d{1,3})\b", re.IGNORECASE
)
_LINE = re.compile(
    r"(?:\S*(?:error|exception|panic|traceback \(most recent call last\)|fatal)\b ?[:(]|(?:npm|pnpm|yarn) err(?:or)?[!:]|"
    r"(?:ba|z|da|fi)?sh: .*(?:not found|no such file|permission denied)|.*: command not found$|error\[[A-Z]?\d+\]:)",
    re.IGNORECASE,
)


def ended_with(code: int, words: str) -> str:
    """Give the error of a command by its exit code and what it wrote, in the words of Claude Code: one error is one, whatever host tells it.

    Args:
        code: other than 0.
        words: its output; may be empty.
    """
    return f"Exit code {code}\n{words}" if words.strip() else f"Exit code {code}"


def failure_in(output: Any) -> str | None:
    """Give the error in a tool's output, or None where it shows none.

    Args:
        output: what the host tells: text, or an object with `exit_code` or `exit`, there or in `metadata`, and `output`.
    """
    if isinstance(output, dict):
        return _of_object(output)
    if not isinstance(output, str) or not output.strip():
        return None
    if output.lstrip().startswith("{"):
        try:
            read = json.loads(output)
        except ValueError:
            read = None
        if isinstance(read, dict) and _code(read) is not None:
            return _of_object(read)
    tail = output[-_READ:].rstrip()
    codes = _EXIT.findall(tail)
    if codes:
        return output if int(codes[-1]) != 0 else None
    lines = [line.strip() for line in tail.splitlines()[-6:] if line.strip()]
    return output if any(_LINE.match(line) for line in lines) else None


def _of_object(output: dict[str, Any]) -> str | None:
    code = _code(output)
    found = [output[name] for name in ("stderr", "output", "content") if isinstance(output.get(name), str)]
    words = "".join([each for each in found if each][:1])
    if code is not None:
        return ended_with(code, words) if code != 0 else None
    is_error = output.get("is_error") is True or output.get("success") is False
    return (words or "the tool failed") if is_error else None


def _code(output: dict[str, Any]) -> int | None:
    metadata = output.get("metadata")
    places = (output, metadata if isinstance(metadata, dict) else {})
    for place in places:
        for name in ("exit_code", "exitCode", "exit"):
            code = place.get(name)
            if isinstance(code, int) and not isinstance(code, bool):
                return code
    return None
