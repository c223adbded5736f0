"""What the managed block says, within a budget of characters."""

from __future__ import annotations

from casebook.adapters.agents_md.block_texts import BLOCK_TEXTS
from casebook.adapters.agents_md.standing import Whose, standing_lines
from casebook.faults import CasebookError
from casebook.runtime.answer.texts import Language
from casebook.runtime.runtime import Runtime

BUDGET = 2000
"""Characters of a block. Codex reads 32,768 bytes of all AGENTS.md together and cuts the deepest, so a block is small."""


def body_of(runtime: Runtime | None, whose: Whose | None, *, language: Language = "en", budget: int = BUDGET) -> str:
    """Give what the block says: how to use the casebook, and what always holds.

    Args:
        runtime: the project's casebook in service; None where there is none: then only its use is told.
        whose: whose file it is; None where there is no casebook.
        language: of the words where there is no casebook; else the policy's.
        budget: its characters at most, both markers aside.

    Returns:
        Lines, each ended by a line feed, an empty one first and last; none is a marker.

    Raises:
        CasebookError: the budget does not hold the use of it.
        StoreError: the casebook cannot be read.
    """
    texts = BLOCK_TEXTS[runtime.policy().language if runtime is not None else language]
    usage = "\n".join(("", *texts.usage, ""))
    if len(usage) > budget:
        raise CasebookError(f"the block: expected a budget of {len(usage):,} characters or more, got {budget:,}")
    if runtime is None or whose is None:
        return f"{usage}\n"
    standing = standing_lines(runtime, whose, texts, budget - len(usage) - 2)
    if not standing:
        return f"{usage}\n"
    return f"{usage}{chr(10).join(standing)}\n\n"
