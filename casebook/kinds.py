"""The kinds of memories (DESIGN section 7)."""

from __future__ import annotations

from typing import Literal, get_args

Kind = Literal[
    "identity", "principle", "preference", "fact", "decision", "lesson", "rule", "usage", "project_state", "conclusion",
    "temporary", "feedback", "error", "success",
]  # fmt: skip
"""The kinds of DESIGN section 7, and two that outcomes need: an `error` and a `success` of a session. A correction that was
told after an error is a `lesson`."""

KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds there are."""
