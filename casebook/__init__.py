"""Casebook: lessons as cases with trigger conditions, put in front of an agent before every task.

Importing this package costs neither pydantic nor lark: a name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself costs 5 ms, which `casebook hook` would pay at every event of a host
    from typing import Any

    from casebook.case import Case, LoadedCase
    from casebook.faults import (
        CasebookError,
        ConditionError,
        Fault,
        NotFoundError,
        PolicyError,
        StoreError,
        TaskError,
    )
    from casebook.gate.candidate import Candidate
    from casebook.memory import Memory, UnfitMemoryError
    from casebook.outcome import Outcome, OutcomeError
    from casebook.policy import Policy
    from casebook.redacting.redact import redact
    from casebook.scope import Scope
    from casebook.task import Task

__version__ = "0.1.0"

_HOMES = {
    "Candidate": "casebook.gate.candidate",
    "Case": "casebook.case",
    "LoadedCase": "casebook.case",
    "Memory": "casebook.memory",
    "UnfitMemoryError": "casebook.memory",
    "Scope": "casebook.scope",
    "Task": "casebook.task",
    "Outcome": "casebook.outcome",
    "OutcomeError": "casebook.outcome",
    "Policy": "casebook.policy",
    "redact": "casebook.redacting.redact",
    "Fault": "casebook.faults",
    "CasebookError": "casebook.faults",
    "ConditionError": "casebook.faults",
    "TaskError": "casebook.faults",
    "PolicyError": "casebook.faults",
    "StoreError": "casebook.faults",
    "NotFoundError": "casebook.faults",
}

__all__ = [
    "Candidate",
    "Case",
    "CasebookError",
    "ConditionError",
    "Fault",
    "LoadedCase",
    "Memory",
    "NotFoundError",
    "Outcome",
    "OutcomeError",
    "Policy",
    "PolicyError",
    "Scope",
    "StoreError",
    "Task",
    "TaskError",
    "UnfitMemoryError",
    "__version__",
    "redact",
]


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it, once."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Give the public names, loaded or not."""
    return sorted({*globals(), *__all__})
