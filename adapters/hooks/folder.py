"""The folder in which an agent works, as far as it is there."""

from __future__ import annotations

import os
from pathlib import Path


def folder_of(told: str, own: str) -> Path:
    """Give the folder of an event: as the host told it where it is one that is there, else the folder of the hook.

    Args:
        told: by the host; empty, gone, or of a length that no system takes, it is none.
        own: in which the hook's process stands.
    """
    return Path(told if told and os.path.isdir(told) else own)  # noqa: PTH112 - `Path.is_dir` raises where a name is too long
