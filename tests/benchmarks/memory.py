"""What the process takes in memory now."""

from __future__ import annotations

from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]


def resident_mb() -> float:
    """Give the resident set of this process in MB (2**20 bytes), as the operating system counts it."""
    return float(psutil.Process().memory_info().rss) / 2**20


def peak_mb() -> float:
    """Give the most that this process has had resident since it began, in MB; where Linux does not tell, what it has now.

    (`getrusage` will not do: a child inherits its parent's peak.)
    """
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii", errors="replace").splitlines() if status.exists() else []
    told = [float(line.split()[1]) / 2**10 for line in lines if line.startswith("VmHWM:")]
    return told[0] if told else resident_mb()
