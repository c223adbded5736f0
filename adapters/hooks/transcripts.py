"""What a host has written down about a call, in its own transcript of the session: JSON Lines, of which only the end is looked at."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

_TAIL = 512 * 1024
"""Bytes at a transcript's end that are looked at: the calls of the turn stand there, with their output (ours)."""


def lines_of(transcript: str) -> list[bytes] | None:
    """Give the last lines of a transcript, the newest first; None where there is none to read.

    Args:
        transcript: its path, as the host told it.
    """
    if not transcript:
        return None
    try:
        path = Path(transcript)
        if not stat.S_ISREG(path.stat().st_mode):  # whoever opens a pipe waits for somebody to write into it
            return None
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL))
            return file.read(_TAIL).splitlines()[::-1]
    except (OSError, ValueError):
        return None


def lines_about(transcript: str, call: str) -> list[bytes] | None:
    """Give the lines that name a call, the newest first; None where there is no transcript to read.

    Args:
        transcript: its path, as the host told it.
        call: the host's id of the call.
    """
    lines = lines_of(transcript) if call else None
    name = json.dumps(call).encode()
    return None if lines is None else [line for line in lines if name in line]


def was_refused(transcript: str, words: re.Pattern[bytes], call: str, *_: object) -> bool | None:
    """Say whether a person did not allow a call, or broke it off, as the host has noted it; None where that cannot be known.

    Args:
        transcript: its path.
        words: how the host tells the model of it.
        call: the host's id of the call.
    """
    lines = lines_about(transcript, call)
    return None if lines is None else any(words.search(line) for line in lines)
