"""A sink: a system event of OpenClaw, which wakes its agent: by its command line, or by the hooks of its gateway over HTTP.

As its documentation has them: `openclaw system event --text TEXT --mode now`, and `POST /hooks/wake` with `{"text", "mode"}` and a
bearer token (`hooks.enabled`, `hooks.token`). The first is tried with release 2026.9.6, the second against stand-ins.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

from casebook.policy import Sink as Settings
from casebook.runtime.upkeep.sinks.posting import post, target_of, token_of
from casebook.runtime.upkeep.sinks.protocol import SECONDS, Delivery, Place, SinkError

COMMAND = "openclaw"
WAKE = "/hooks/wake"
"""The path of the gateway where the url names none."""
_START = 20.0
"""Seconds for the command: Node and the gateway's handshake take some of them (ours)."""


class Command:
    """The command line of OpenClaw."""

    seconds = _START

    def __init__(self, command: str) -> None:
        """Take the path of the executable."""
        self._command = command

    def deliver(self, delivery: Delivery) -> None:
        """Enqueue a system event and wake the agent. Raises SinkError."""
        line = [self._command, "system", "event", "--text", delivery.text, "--mode", "now", "--json"]
        try:
            ended = subprocess.run(  # noqa: S603 - a list of arguments; `open_sink` has looked at the command
                line, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise SinkError(f"{self._command} took longer than {self.seconds:g} s") from None
        except (OSError, ValueError) as error:
            told = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise SinkError(f"{self._command} cannot be run: {told}") from None
        if ended.returncode != 0:
            raise SinkError(f"{self._command} system event ended with {ended.returncode}")


class Gateway:
    """The hooks of a gateway."""

    seconds = SECONDS

    def __init__(self, url: str, token: str | None) -> None:
        """Take the url and the token of its hooks."""
        self._url = url
        self._token = token

    def deliver(self, delivery: Delivery) -> None:
        """Enqueue a system event and wake the agent. Raises SinkError."""
        headers = {"Idempotency-Key": delivery.id}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        post(self._url, {"text": delivery.text, "mode": "now"}, headers, self.seconds)


def open_sink(settings: Settings, place: Place) -> Command | Gateway:
    """Give the way to OpenClaw that the policy describes: its url where it has one, else its command. Raises SinkError."""
    if settings.url is not None:
        url = target_of(settings, "openclaw")
        whole = url._replace(path=WAKE) if url.path in ("", "/") else url
        return Gateway(whole.geturl(), token_of(settings, place, url, "openclaw"))
    return Command(_command(settings.command or COMMAND, place))


def _command(named: str, place: Place) -> str:
    """Give the executable: a policy, which may have come with a repository, cannot name just any.

    Raises:
        SinkError: it is not there, is not called openclaw, or stands in the project itself.
    """
    path = Path(named)
    if not path.name.startswith(COMMAND) or not (path.is_absolute() or named == path.name):
        raise SinkError(f"openclaw: expected its command, or the absolute path of one called {COMMAND}, got {named!r}")
    found = which(named, path=place.environment.get("PATH", ""))
    if found is None:
        raise SinkError(f"openclaw: there is no command {named!r} here")
    if place.root is not None and path.is_absolute() and path.resolve().is_relative_to(_project(place.root.resolve())):
        raise SinkError(f"openclaw: {named!r} stands in the casebook's own project, and is not run")
    return found


def _project(root: Path) -> Path:
    """Give the working tree of git that a casebook stands in; the casebook itself where it stands in none."""
    return next((each for each in (root, *root.parents) if (each / ".git").exists()), root)
