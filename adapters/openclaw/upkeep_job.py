"""Upkeep run by OpenClaw's own scheduler: one job of its cron, known by its declaration key, put there and taken out by its command line.

Jobs are kept by the gateway, in its database: it has to run while one is added or removed. What was added is noted in the user's state
folder, so that `uninstall` asks no gateway for a job that was never there.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from casebook.adapters.wiring.executable import program
from casebook.adapters.wiring.openclaw_settings import workspace
from casebook.adapters.wiring.protocol import Place
from casebook.faults import CasebookError
from casebook.user_state import state_folder

KEY = "casebook/upkeep"
"""The declaration key: a second `cron add` with it changes the job that is there."""
EVERY = "1h"
"""How often it asks what is due (ours: the most frequent job of the default schedules is hourly)."""
_SECONDS = 120
"""For one command of OpenClaw, with Node and the gateway's handshake (ours)."""
_NOTE = "openclaw-upkeep.json"


def added_by(place: Place, casebooks: Sequence[Path] = ()) -> tuple[str, ...]:
    """Give the command that adds the job.

    Args:
        place: where OpenClaw's settings are.
        casebooks: folders that were named; without any the job finds the casebook from the agent's workspace.
    """
    named = tuple(part for each in casebooks for part in ("--dir", os.path.abspath(each)))  # noqa: PTH100 - links stay
    argv = json.dumps([*program(), "maintain", "--due", *named], ensure_ascii=False)
    return (
        "openclaw", "cron", "add", "--name", "casebook upkeep", "--every", EVERY, "--command-argv", argv,
        "--command-cwd", os.fspath(workspace(place)), "--no-deliver", "--declaration-key", KEY, "--json",
    )  # fmt: skip


def add(place: Place, casebooks: Sequence[Path] = ()) -> bool:
    """Add the job, or bring the one that is there up to date.

    Args:
        place: where OpenClaw is.
        casebooks: as for `added_by`.

    Returns:
        Whether there was none before.

    Raises:
        CasebookError: OpenClaw is not here, or its gateway does not answer; the message has the command for later.
    """
    command = added_by(place, casebooks)
    try:
        told = _run(place, command)
    except CasebookError as error:
        raise CasebookError(f"{error}; while the gateway runs: {shlex.join(command)}") from None
    note = state_folder() / _NOTE
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.write_text(json.dumps({"declarationKey": KEY}), encoding="utf-8")
    return told.get("created") is True


def is_noted() -> bool:
    """Say whether the job was added from here, and not taken out since."""
    return (state_folder() / _NOTE).is_file()


def remove(place: Place) -> bool:
    """Take the job out.

    Args:
        place: where OpenClaw is.

    Returns:
        Whether there was one.

    Raises:
        CasebookError: OpenClaw is not here, or its gateway does not answer.
    """
    jobs = _run(place, ("openclaw", "cron", "list", "--all", "--json")).get("jobs")
    ids = [
        each["id"]
        for each in (jobs if isinstance(jobs, list) else [])
        if isinstance(each, dict) and each.get("declarationKey") == KEY and isinstance(each.get("id"), str)
    ]
    for each in ids:
        _run(place, ("openclaw", "cron", "rm", each, "--json"))
    with suppress(FileNotFoundError):
        (state_folder() / _NOTE).unlink()
    return bool(ids)


def _run(place: Place, command: Sequence[str]) -> dict[str, Any]:
    """Run a command of OpenClaw and give the object that it prints. Raises CasebookError."""
    found = shutil.which(command[0], path=place.environment.get("PATH", ""))
    what = " ".join(command[:3])
    if found is None:
        raise CasebookError(f"{what}: openclaw is not on the PATH")
    try:
        ended = subprocess.run(  # noqa: S603 - a list of arguments, all of them ours
            [found, *command[1:]], stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False,
            env={**place.environment, "HOME": os.fspath(place.home)},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise CasebookError(f"{what}: no answer within {_SECONDS} s") from None
    except OSError as error:
        raise CasebookError(f"{what}: cannot be run: {error.strerror or error}") from None
    printed = ended.stdout.decode("utf-8", "replace")
    if ended.returncode != 0:
        lines = (ended.stderr.decode("utf-8", "replace").strip() or printed.strip()).splitlines()
        raise CasebookError(f"{what}: ended with {ended.returncode}: {lines[0][:200] if lines else 'no word'}")
    try:
        told = json.loads(printed[max(printed.find("{"), 0) :])
    except ValueError:
        told = {}
    return told if isinstance(told, dict) else {}
