"""An event of a host, read from its JSON, and the answer in the host's own form. A codec translates; it knows nothing of a casebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from casebook.adapters.protocol import Injection
from casebook.faults import CasebookError

Kind = Literal["session_start", "task", "tool", "outcome", "compacted", "turn_end", "ended", "other"]
"""What an event is to us: a session begins · a person's prompt · a tool is about to be called · what became of a call · the
transcript was cut · a turn is over · the session is over · nothing that concerns us."""


class HookInputError(CasebookError):
    """What stood on stdin is no event of the host; the message says what was expected and what was found."""


Refused = Callable[[str, str, Mapping[str, Any]], bool | None]
"""Takes a call's id (empty where its host names none), its tool, and its arguments with their secrets masked."""


def _unknown(*_: object) -> bool | None:
    return None


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Attributes:
        name: the host's own name of it.
        kind: what it is to us.
        session: the host's id of the session; empty where it names none.
        turn: the host's id of the turn; empty where it names none.
        cwd: the folder in which the agent works; empty where the host does not say.
        text: of a task: the person's own words; of a call that they did not allow: what they said of it.
        tool: the host's own name of the tool.
        args: its arguments.
        call: the host's id of the call; empty where it names none.
        error: of an outcome: the error as the host tells it, or None for a success.
        interrupted: a person, or a time limit, broke the call off: no error of the call.
        denied: a person did not allow the call.
        cut: the session begins with a transcript that was cut: what was said in it is to be said again.
        origin: user, cron, heartbeat, subagent; empty where the host does not say.
        agent, channel, model: as the host names them; empty where it does not.
        context: what else conditions may read.
        refused: says of a call of which no event has told whether its person did not allow it, or broke it off, as the host has
            noted it; None where the host notes nothing of the kind.
    """

    name: str
    kind: Kind
    session: str = ""
    turn: str = ""
    cwd: str = ""
    text: str = ""
    tool: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""
    error: str | None = None
    interrupted: bool = False
    denied: bool = False
    cut: bool = False
    origin: str = ""
    agent: str = ""
    channel: str = ""
    model: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    refused: Refused = _unknown


@dataclass(frozen=True, slots=True)
class Reply:
    """What the hook's process gives its host.

    Attributes:
        stdout: the host's JSON; empty where there is nothing to say.
        stderr: words for a person.
        code: the exit code.
    """

    stdout: str = ""
    stderr: str = ""
    code: int = 0


SILENT = Reply()
"""Nothing to say, and the host goes on."""


class Codec(Protocol):
    """A host's module in this folder."""

    def read(self, payload: Mapping[str, Any]) -> Event:
        """Read an event. Unknown events and fields are no error: a newer host goes on. Raises HookInputError."""
        ...

    def write(self, event: Event, injection: Injection) -> Reply:
        """Answer an event in the host's own form."""
        ...


ASKING = "Casebook: a lesson asks for your yes"
"""Above what a person is asked about a call."""


def asked_lines(injection: Injection) -> list[str]:
    """Give what the cases say to do instead, a line each, without the words around it that are for the model."""
    _, _, told = injection.reason.partition("\n\n")
    return [line.strip() for line in told.splitlines() if line.startswith("- ")]


def text_of(payload: Mapping[str, Any], *names: str) -> str:
    """Give the first of some fields that holds text; empty where none does, or another type stands there."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def object_of(payload: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """Give the first of some fields that holds an object; empty where none does."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, dict):
            return value
    return {}
