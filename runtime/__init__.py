"""What happens around a task: facts, matching, the answer. The front door is `Runtime`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casebook.runtime.answer.activation import Activation
    from casebook.runtime.guard import BlockedError, ConfirmationNeededError, current_activation
    from casebook.runtime.learning.receipt import Receipt
    from casebook.runtime.learning.signature import error_signature
    from casebook.runtime.runtime import Runtime

_HOMES = {
    "Activation": "casebook.runtime.answer.activation",
    "BlockedError": "casebook.runtime.guard",
    "ConfirmationNeededError": "casebook.runtime.guard",
    "Receipt": "casebook.runtime.learning.receipt",
    "Runtime": "casebook.runtime.runtime",
    "current_activation": "casebook.runtime.guard",
    "error_signature": "casebook.runtime.learning.signature",
}

__all__ = [
    "Activation",
    "BlockedError",
    "ConfirmationNeededError",
    "Receipt",
    "Runtime",
    "current_activation",
    "error_signature",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
