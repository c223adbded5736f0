"""What happens around a task: facts, matching, the answer. The front door is `Runtime`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casebook.runtime.answer.activation import Activation
    from casebook.runtime.runtime import Runtime

__all__ = ["Activation", "Runtime"]

_HOMES = {"Runtime": "casebook.runtime.runtime", "Activation": "casebook.runtime.answer.activation"}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
