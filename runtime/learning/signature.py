"""The signature of an error: the same text for the same kind of error, whoever reports it, whatever values it names.

Pure and deterministic: the same message gives the same signature in every process and on every machine.
The tables of patterns take a tenth of a second to compile: they are imported with the first error, not with the runtime.
"""

from __future__ import annotations

import hashlib

from casebook.runtime.answer.harmless import harmless, shortened

MOST = 200
"""Characters of a signature: of a longer one the beginning stays, and a hash of the whole."""
MOST_TEMPLATE = 160
"""Characters of a template."""
_ENDS = " .,;:!?-–—…。，、；：！？|"


def error_signature(message: str, *, type: str | None = None, tool: str | None = None) -> str:  # noqa: A002 - a public word
    """Give the signature of an error: one line of at most `MOST` characters, the same for the same kind.

    Takes any text, a type as the host names it, and the tool's name. The tool counts only where the message tells nothing:
    an empty one, or "failed with exit code 1". Raises nothing.
    """
    from casebook.runtime.learning.signing.cleaning import cleaned
    from casebook.runtime.learning.signing.core import needs_type, without_lead
    from casebook.runtime.learning.signing.folding import folded, generic
    from casebook.runtime.learning.signing.marking import marked

    kind, text = marked(message, type)
    text = "\n".join(without_lead(line) for line in text.split("\n"))
    if not needs_type(kind, text):
        kind = ""
    text = folded(text)
    told = ": ".join(part for part in (kind, text) if part)
    if not kind and tool and generic(text):
        told = f"{folded(cleaned(tool))[:60]}: {text or 'error'}"
    told = told or "error"
    if len(told) > MOST:
        digest = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:12]
        told = f"{told[: MOST - 14].rstrip()}… {digest}"
    return told


def error_template(message: str, *, type: str | None = None) -> str:  # noqa: A002 - a public word
    """Give the kind of an error as a person reads it: `‹path›` and the like for what varies, harmless, at most `MOST_TEMPLATE` long."""
    from casebook.runtime.learning.signing.alphabet import readable
    from casebook.runtime.learning.signing.marking import marked
    from casebook.runtime.learning.signing.types import as_written, short_type

    kind, text = marked(message, type)
    shown = harmless(type.strip().rpartition(".")[2])[:60] if type and short_type(type) else as_written(kind, message)
    text = harmless(readable(" ".join(text.split()).replace(" )", ")"))).strip(_ENDS)
    return shortened(harmless(": ".join(part for part in (shown, text) if part) or "error"), MOST_TEMPLATE)


def is_transient(message: str, *, type: str | None = None) -> bool:  # noqa: A002 - a public word
    """Say whether an error passes by itself: a timeout, a reset, a rate limit, an overloaded or restarting server (429, 5xx)."""
    from casebook.runtime.learning.signing.cleaning import cleaned
    from casebook.runtime.learning.signing.transient import passing

    return passing(cleaned(message), type or "")
