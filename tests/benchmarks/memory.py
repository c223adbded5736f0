"""What the process takes in memory now."""

from __future__ import annotations

import psutil  # type: ignore[import-untyped,unused-ignore]


def resident_mb() -> float:
    """Give the resident set of this process in MB (2**20 bytes), as the operating system counts it."""
    return float(psutil.Process().memory_info().rss) / 2**20
