"""One durable_rules ruleset and its one session: made, asked and freed so that no known hazard of the engine can arise.

The hazards are those of `docs/durable-rules.md`; each bound here is well inside a measured one. The module
`durable_rules_engine` is used directly: `durable.engine.Host` would start two timer threads and more every second.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from typing import Any

from casebook.faults import CasebookError
from casebook.runtime.matching.names import WARM_UP
from casebook.runtime.matching.production import Production

MAX_RULES = 48
"""Rules in a ruleset: at most so many alpha nodes are pending at once (the engine's stack has 64)."""
MAX_PROPERTIES = 200
"""Properties in one message (the engine takes 251)."""
SID = "0"
FIRED, MISSED = 0, 1
"""What the engine answers to a fact: some rule fired; none did (the fact is then not kept)."""


class EngineError(CasebookError):
    """durable_rules answered something that it never should."""


class Ruleset:
    """Up to `MAX_RULES` rules in one durable_rules ruleset, asked in one session. Its matcher's lock guards it."""

    __slots__ = ("_engine", "_handle", "_serial", "members", "name", "size")

    def __init__(self, engine: Any, name: str, productions: Iterable[Production]) -> None:
        """Make it and fire its warm-up rule.

        Without one firing, freeing the session frees an uninitialised pointer; and a session's first message allocates.

        Args:
            engine: the module `durable_rules_engine`.
            name: a name that no ruleset of this process had before.
            productions: those whose rules it holds; their `ruleset` is set.

        Raises:
            EngineError: the engine refused.
        """
        self.name = name
        self.members: dict[str, Production] = {each.rule: each for each in productions}
        self.size = len(self.members)
        self._engine = engine
        self._serial = 0
        rules = {each.rule: definition(each) for each in self.members.values()}
        rules["warm"] = {"all": [{"m": {WARM_UP: 1}}]}
        try:
            self._handle = engine.create_ruleset(name, json.dumps(rules))
        except engine.error as error:
            raise EngineError(f"durable_rules refused ruleset {name}: {error}") from error
        if self.ask(f'"{WARM_UP}":1') != ["warm"]:
            raise EngineError(f"durable_rules did not fire the warm-up rule of ruleset {name}")
        for each in self.members.values():
            each.ruleset = self

    def ask(self, members: str) -> list[str]:
        """Assert one fact, collect the names of the rules that fire, retract it.

        Args:
            members: the fact's properties as JSON members, at most `MAX_PROPERTIES`.

        Raises:
            EngineError: the engine answered neither that a rule fired nor that none did.
        """
        engine, handle = self._engine, self._handle
        self._serial += 1  # the engine's own ids collide, and an id that is still known fires nothing
        key = f'{{"id":"{self._serial}","sid":"{SID}"'
        try:
            answer, state = engine.assert_fact(handle, f"{key},{members}}}")
        except engine.error as error:
            self._retract(key)
            raise EngineError(f"durable_rules failed in ruleset {self.name}: {error}") from error
        if answer == MISSED:
            return []
        fired: list[str] = []
        try:
            if answer != FIRED:
                raise EngineError(f"durable_rules answered {answer} in ruleset {self.name}")
            action = engine.start_action_for_state(handle, state)
            message = action[1] if action else None
            while message:
                fired.append(message[2 : message.index('"', 2)])
                message = engine.complete_and_start_action(handle, state)
        finally:
            self._retract(key)
        return fired

    def _retract(self, key: str) -> None:
        try:
            self._engine.retract_fact(self._handle, key + "}")
        except self._engine.error as error:
            raise EngineError(f"durable_rules did not retract a fact in ruleset {self.name}: {error}") from error

    def free(self) -> None:
        """Free the session, then the ruleset (the engine frees no session by itself); its members live nowhere then."""
        for each in self.members.values():
            each.ruleset = None
        self.members.clear()
        free(self._engine, self._handle)

    @property
    def handle(self) -> int:
        """Give the engine's handle."""
        return int(self._handle)


def definition(production: Production) -> dict[str, object]:
    """Give the rule of a production as durable_rules has it: one flat conjunction over one fact."""
    tests = production.condition()
    return {"all": [{"m": tests[0] if len(tests) == 1 else {"$and": tests}}]}


def free(engine: Any, handle: int) -> None:
    """Free one ruleset's session and the ruleset; where the engine refuses, its memory is lost rather than the process."""
    with contextlib.suppress(engine.error):
        engine.delete_state(handle, SID)
        engine.delete_ruleset(handle)
