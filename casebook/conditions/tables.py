"""The LALR tables that Lark makes of `grammar.lark`, laid out for one tight loop; built at the first use, kept in memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casebook.conditions.build import Builder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lark import Lark


@dataclass(frozen=True, slots=True)
class Reduction:
    """What a rule does: takes so many values off the stack and puts what `build` makes of them under `name`.

    `build` is None where the rule passes its one value on.
    """

    size: int
    name: str
    build: Callable[[list[Any]], Any] | None


@dataclass(frozen=True, slots=True)
class Tables:
    """What the parser does in each state.

    Attributes:
        start: the first state.
        end: the state in which the tree is ready.
        actions: by state and terminal, the state to go to, or the reduction to make first.
        gotos: by state and name of a rule, the state to go to.
    """

    start: int
    end: int
    actions: Mapping[int, Mapping[str, int | Reduction]]
    gotos: Mapping[int, Mapping[str, int]]


_tables: Tables | None = None
_building = threading.Lock()


def tables() -> Tables:
    """Give the tables, built once (about 50 ms)."""
    global _tables  # noqa: PLW0603 (built once, at the first use)
    if _tables is None:
        with _building:
            if _tables is None:
                _tables = _laid_out(_build())
    return _tables


def _build() -> Lark:
    """Build the parser; its lexer is never asked, since `parse.py` reads lexeme by lexeme."""
    from importlib.resources import files

    from lark import Lark
    from lark.lexer import Lexer

    class Unasked(Lexer):
        """Stands where Lark wants a lexer."""

        __future_interface__ = 1

        def __init__(self, _configuration: object) -> None:
            """Take what Lark hands over."""

        def lex(self, *_state: object) -> Any:
            """Give nothing."""
            return iter(())

    grammar = files("casebook.conditions").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer=Unasked, transformer=Builder, maybe_placeholders=False)


def _laid_out(parser: Lark) -> Tables:
    from lark.parse_tree_builder import ExpandSingleChild
    from lark.parsers.lalr_analysis import Shift

    made = parser.parse_interactive().parser_state.parse_conf
    reductions: dict[Any, Reduction] = {}
    actions: dict[int, dict[str, int | Reduction]] = {}
    gotos: dict[int, dict[str, int]] = {}
    for state, row in made.states.items():
        actions[state], gotos[state] = {}, {}
        for symbol, (action, target) in row.items():
            terminal = symbol == "$END" or symbol.isupper()
            if action is Shift:
                (actions if terminal else gotos)[state][symbol] = target
                continue
            if target not in reductions:
                callback, size = made.callbacks[target], len(target.expansion)
                passes = size == 1 and isinstance(callback, ExpandSingleChild)
                reductions[target] = Reduction(size, target.origin.name, None if passes else callback)
            actions[state][symbol] = reductions[target]
    return Tables(made.start_state, made.end_state, actions, gotos)
