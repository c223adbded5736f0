"""From the text of a condition to its tree: Lark's LALR tables over the lexemes of `lexing.py`.

The parser is built at the first use (about 50 ms, in memory) and shared. Nothing here recurses, so depth costs nothing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from casebook.conditions.build import OUTSIDE_ONLY, Builder
from casebook.conditions.checks import check_size
from casebook.conditions.complaints import complain, expected, shown
from casebook.conditions.fields import FieldType
from casebook.conditions.lexing import Lexeme, Scan
from casebook.conditions.tree import Node
from casebook.faults import ConditionError

if TYPE_CHECKING:
    from lark import Lark

LONGEST_TEXT: Final = 65_536
"""Characters that a condition may have: what a case may have in bytes (DESIGN section 10)."""

_NONE_DECLARED: Final[Mapping[str, FieldType]] = MappingProxyType({})
_QUOTED: Final = re.compile(r""""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|“[^”]*”|‘[^’]*’|「[^」]*」""", re.DOTALL)
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_WIDE_RUN: Final = re.compile("[\u4e00-\u9fff]+|[A-Za-z_]+")

_parser: Lark | None = None
_building = threading.Lock()


def _build() -> Lark:
    """Build the parser; its lexer is never asked, since `parse` feeds it lexeme by lexeme."""
    from lark import Lark
    from lark.lexer import Lexer

    class Fed(Lexer):
        """Stands where Lark wants a lexer."""

        __future_interface__ = 1

        def __init__(self, _configuration: object) -> None:
            """Take what Lark hands over."""

        def lex(self, *_state: object) -> Any:
            """Give nothing: lexemes are fed."""
            return iter(())

    grammar = files("casebook.conditions").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer=Fed, transformer=Builder, maybe_placeholders=False)


def _shared() -> Lark:
    global _parser  # noqa: PLW0603 (built once, on first use)
    if _parser is None:
        with _building:
            if _parser is None:
                _parser = _build()
    return _parser


def parse(text: str, *, declared: Mapping[str, FieldType] = _NONE_DECLARED) -> Node:
    """Read a condition.

    Args:
        text: the condition, in English, Chinese or both.
        declared: fields beside the known ones, with their types (`fields` of the policy).

    Returns:
        its tree; `and` in `and` and `or` in `or` are flat, strings are NFC.

    Raises:
        ConditionError: it is not of the language, with the column from 1 and, where there is one, the cure.
    """
    return parse_part(text, declared, inside_where=False)


def parse_part(text: str, declared: Mapping[str, FieldType], *, inside_where: bool) -> Node:
    """Read a condition that stands alone or, out of a JSON form, inside a `where`; as `parse` otherwise."""
    _check_text(text)
    scan = Scan(text, declared)
    node = _run(scan)
    for at, note in scan.notes:
        if note.startswith(OUTSIDE_ONLY) is inside_where:
            raise complain(note, at)
    return check_size(node, 0)


def _check_text(text: str) -> None:
    if not isinstance(text, str):
        raise complain(f"expected a string, got {shown(type(text).__name__)}")
    if len(text) > LONGEST_TEXT:
        raise complain(f"expected a condition of at most {LONGEST_TEXT:,} characters, got {len(text):,}", 0)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise complain("expected a character, got half of a surrogate pair", error.start) from None


def _run(scan: Scan) -> Node:
    """Feed lexemes to the parser until it has the tree."""
    interactive = _shared().parse_interactive()
    state = interactive.parser_state
    states: Mapping[int, Mapping[str, object]] = state.parse_conf.states
    feed = state.feed_token
    while True:
        position = cast("int", state.position)
        lexeme = scan.next(position, states[position])
        ended = lexeme.type == "$END"
        try:
            # A Lexeme stands in for Lark's Token, of which the parser reads `type` only.
            node = feed(cast("Any", lexeme), ended)
        except (KeyError, _unexpected()):
            raise _out_of_place(scan, lexeme, states[cast("int", state.position)]) from None
        if ended:
            return cast("Node", node)


def _unexpected() -> type[Exception]:
    from lark.exceptions import UnexpectedToken

    return UnexpectedToken


def _out_of_place(scan: Scan, lexeme: Lexeme, accepted: Mapping[str, object]) -> ConditionError:
    """Give the error for a lexeme that the state took for possible and its surroundings refused."""
    if lexeme.type == "_RPAR":
        return complain(f"expected {expected(accepted)}, got {scan.got(lexeme.at)}", lexeme.at, "an opening ( before it")
    return complain(f"expected {expected(accepted)}, got {scan.got(lexeme.at)}", lexeme.at)


def language_of(text: str) -> Literal["zh", "en"]:
    """Give the language a condition is written in: zh where Chinese words outside quotes are as many as English ones."""
    outside = _QUOTED.sub(" ", text)
    if not _HAN.search(outside):
        return "en"
    runs = _WIDE_RUN.findall(outside)
    chinese = sum(1 for run in runs if _HAN.match(run))
    return "zh" if 2 * chinese >= len(runs) else "en"
