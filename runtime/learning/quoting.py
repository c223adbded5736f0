"""Words of errors, tools, agents and models as they may stand in a case, a prompt or a line of review: quoted data."""

from __future__ import annotations

import re

from casebook.redacting.redact import redact
from casebook.redacting.shorten import shortened
from casebook.runtime.answer.harmless import harmless, inside_quotes

READ_CHARS = 16_384
"""Characters of a text that are looked at: its beginning and its end, so that 1 MB costs no more than 16 KB."""

_DOUBLED = re.compile("['‘’`´′]{2,}")


def quoted(text: str, chars: int, patterns: tuple[str, ...] = ()) -> str:
    """Give the text in our quotation marks (“…”), as one line that cannot leave them.

    In this order: shortened to what is read at all, redacted (secrets may stand where they are cut: what the cut leaves of one
    is redacted again), harmless (one line, nothing invisible, no tag, fence or escape sequence), redacted once more (what an
    invisible sign had split is whole now), shortened, inner quotation marks made ones that close nothing.

    Args:
        text: whatever an error, a tool, an agent or a model said.
        chars: the most characters between the quotation marks.
        patterns: the policy's own (`policy.redact`).
    """
    return f"“{as_data(text, chars, patterns)}”"


def as_data(text: str, chars: int, patterns: tuple[str, ...] = ()) -> str:
    """Give what stands between the quotation marks of `quoted`; for who has quotation marks already."""
    clean = redact(harmless(redact(shortened(text, READ_CHARS), patterns)), patterns)
    return _DOUBLED.sub("'", inside_quotes(harmless(shortened(clean, chars))))
