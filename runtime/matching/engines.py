"""Which engine serves: durable_rules where it can be imported, else the reference matcher; chosen once, and named."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Literal

from casebook.faults import CasebookError
from casebook.runtime.matching.protocol import Matcher
from casebook.runtime.matching.reference import ReferenceMatcher
from casebook.runtime.matching.rete import RESIDENT_RULES, ReteMatcher

EngineChoice = Literal["auto", "durable_rules", "reference"]


class EngineUnavailableError(CasebookError):
    """durable_rules was asked for by name and cannot be imported."""


def load_engine() -> tuple[ModuleType | None, str]:
    """Give the module `durable_rules_engine` and "", or None and why it cannot be imported.

    It builds but cannot be imported on CPython 3.13 (an undefined symbol), so any ImportError counts.
    """
    try:
        return importlib.import_module("durable_rules_engine"), ""
    except ImportError as error:
        return None, str(error)


def matcher(choice: EngineChoice = "auto", *, resident_rules: int = RESIDENT_RULES) -> Matcher:
    """Give a new matcher with no cases.

    Args:
        choice: `auto` takes durable_rules where it can be imported.
        resident_rules: how many rules may live in durable_rules at once.

    Raises:
        EngineUnavailableError: `durable_rules` was asked for and cannot be imported.
        ValueError: no engine of that name.
    """
    if choice == "reference":
        return ReferenceMatcher()
    if choice not in ("auto", "durable_rules"):
        raise ValueError(f'engine: expected "auto", "durable_rules" or "reference", got {choice!r}')
    engine, reason = load_engine()
    if engine is not None:
        return ReteMatcher(engine, resident_rules)
    if choice == "durable_rules":
        raise EngineUnavailableError(
            f'durable_rules cannot be imported here: {reason}; engine="auto" serves without it'
        )
    return ReferenceMatcher()
