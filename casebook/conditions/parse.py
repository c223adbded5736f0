"""From the text of a condition to its tree: Lark's LALR tables over the lexemes of `lexing.py`.

Nothing here recurses, so depth costs nothing.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from casebook.conditions.build import OUTSIDE_ONLY, POLICY_ONLY
from casebook.conditions.checks import check_size
from casebook.conditions.complaints import complain, expected, shown
from casebook.conditions.cures import unfinished
from casebook.conditions.lexicon import FIELD_NAMES_ZH
from casebook.conditions.lexing import Lexeme, Scan
from casebook.conditions.tables import Reduction, tables
from casebook.faults import ConditionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casebook.conditions.fields import FieldType
    from casebook.conditions.tree import Node

LONGEST_TEXT: Final = 8 * 65_536
"""Characters that a condition may have: what a case may have (64 KB, DESIGN section 10), and room for its canonical text, in
which a character takes up to six."""
DEEPEST_STACK: Final = 10_000
"""States of the parser at once; a tree of 1,000 nodes takes at most five a node."""

_REMEMBERED_TEXT: Final = 512
"""Characters up to which a text's tree is remembered."""
_NONE_DECLARED: Final[Mapping[str, FieldType]] = MappingProxyType({})
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LETTER: Final = re.compile("[A-Za-z]")
_OF_NO_LANGUAGE: Final = frozenset({"VALUE", "REGEX", "ZONE", "HM", "YMD", "$END"})
"""What is spelled alike in both languages, or is no keyword."""


def parse(text: str, *, declared: Mapping[str, FieldType] = _NONE_DECLARED, of_policy: bool = False) -> Node:
    """Read a condition.

    Args:
        text: the condition, in English, Chinese or both.
        declared: fields beside the known ones, with their types (`fields` of the policy).
        of_policy: whether it stands in a policy, where `recall` and `reuse`, events of memories, are known too.

    Returns:
        its tree; `and` in `and` and `or` in `or` are flat, strings are NFC.

    Raises:
        ConditionError: it is not of the language, with the column from 1 and, where there is one, the cure.
    """
    return parse_part(text, declared, inside_where=False, of_policy=of_policy)


@lru_cache(maxsize=4096)
def _remembered(text: str) -> Node:
    """Give the tree of a text; cases share conditions, and trees are never changed."""
    return _parsed(text, _NONE_DECLARED, inside_where=False)


def parse_part(text: str, declared: Mapping[str, FieldType], *, inside_where: bool, of_policy: bool = False) -> Node:
    """Read a condition that stands alone or, out of a JSON form, inside a `where`; as `parse` otherwise."""
    _check_text(text)
    if declared or inside_where or of_policy or len(text) > _REMEMBERED_TEXT:
        return _parsed(text, declared, inside_where=inside_where, of_policy=of_policy)
    return _remembered(text)


def _parsed(text: str, declared: Mapping[str, FieldType], *, inside_where: bool, of_policy: bool = False) -> Node:
    def read(other: str) -> Node:
        return _read(other, declared, inside_where=inside_where, of_policy=of_policy)

    try:
        return read(text)
    except ConditionError as fault:
        meant = None if fault.message.startswith(POLICY_ONLY) else _meant(text, fault, read)
        if meant is None:
            raise
        raise ConditionError(fault.message, column=fault.column, suggestion=meant) from None


def _read(text: str, declared: Mapping[str, FieldType], *, inside_where: bool, of_policy: bool) -> Node:
    scan = Scan(text, declared)
    node = _run(scan)
    for at, note in scan.notes:
        if note.startswith(POLICY_ONLY):
            if not of_policy:
                raise complain(note, at)
        elif note.startswith(OUTSIDE_ONLY) is inside_where:
            raise complain(note, at)
    return check_size(node, 0)


def _meant(text: str, fault: ConditionError, read: Callable[[str], Node]) -> str | None:
    """Give the whole condition that was meant, where it can be told; loaded with the first fault only."""
    from casebook.conditions.guesses import rewritten

    return rewritten(text, fault, read)


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
    """Read lexemes until the tree is ready: shift, or reduce as often as the tables say and then shift."""
    made = tables()
    actions, gotos, end = made.actions, made.gotos, made.end
    states: list[int] = [made.start]
    values: list[Any] = [None]
    while True:
        state = states[-1]
        accepted = actions[state]
        lexeme = scan.next(state, accepted)
        terminal = lexeme.type
        action = accepted.get(terminal)
        while isinstance(action, Reduction):
            size, build = action.size, action.build
            if build is not None:
                taken = values[-size:]
                del values[-size:], states[-size:]
                values.append(build(taken))
                state = gotos[states[-1]][action.name]
                states.append(state)
            else:
                state = states[-1] = gotos[states[-2]][action.name]
            if state == end and terminal == "$END":
                return cast("Node", values[-1])
            action = actions[state].get(terminal)
        if action is None:
            raise _out_of_place(scan, lexeme, actions[state], values[-1])
        states.append(action)
        values.append(lexeme)
        if len(states) > DEEPEST_STACK:
            raise complain("expected a condition nested less deep, got thousands of levels", lexeme.at)


def _out_of_place(scan: Scan, lexeme: Lexeme, accepted: Mapping[str, object], last: object) -> ConditionError:
    """Give the error for a lexeme that the state took for possible and its surroundings refused."""
    if lexeme.type == "_RPAR":
        return complain(
            f"expected {expected(accepted)}, got {scan.got(lexeme.at)}", lexeme.at, "an opening ( before it"
        )
    cure = unfinished(last.value) if isinstance(last, Lexeme) and last.type == "FIELD" else None
    return complain(f"expected {expected(accepted)}, got {scan.got(lexeme.at)}", lexeme.at, cure)


class _Record(Scan):
    """A reading that keeps its lexemes."""

    __slots__ = ("kept",)

    def __init__(self, text: str, declared: Mapping[str, FieldType]) -> None:
        super().__init__(text, declared)
        self.kept: list[Lexeme] = []

    def next(self, state: int, accepted: Mapping[str, object]) -> Lexeme:
        """Read the next lexeme, and keep it."""
        lexeme = super().next(state, accepted)
        self.kept.append(lexeme)
        return lexeme


def lexemes(text: str, *, declared: Mapping[str, FieldType] = _NONE_DECLARED) -> tuple[Lexeme, ...]:
    """Give the lexemes of a condition in order, `$END` the last: where its parentheses stand is told by them alone.

    Raises:
        ConditionError: as `parse`.
    """
    record = _Record(text, declared)
    _run(record)
    return tuple(record.kept)


class _Tally(Scan):
    """A reading that counts the keywords of both languages."""

    __slots__ = ("chinese", "english")

    def __init__(self, text: str) -> None:
        super().__init__(text, _NONE_DECLARED)
        self.chinese = 0
        self.english = 0

    def next(self, state: int, accepted: Mapping[str, object]) -> Lexeme:
        """Read the next lexeme, and count it where it is a keyword or a field with a name in both languages."""
        lexeme = super().next(state, accepted)
        if lexeme.type in _OF_NO_LANGUAGE:
            return lexeme
        spelled = self.folded[lexeme.at : self.at]
        if lexeme.type == "FIELD":
            root = lexeme.value.field.root
            spelled = spelled.partition(".")[0] if root in FIELD_NAMES_ZH.values() else ""
        if _HAN.search(spelled):
            self.chinese += 1
        elif _LETTER.search(spelled):
            self.english += 1
        return lexeme


def language_of(text: str) -> Literal["zh", "en"]:
    """Give the language that a condition is written in: zh where its Chinese keywords are as many as its English ones.

    Fields count where they have a name in both languages; values, patterns and signs do not. Of a text that is no condition
    what can be read of it counts.
    """
    if not _HAN.search(text) or len(text) > LONGEST_TEXT:
        return "en"
    tally = _Tally(text)
    with suppress(ConditionError):
        _run(tally)
    return "zh" if tally.chinese and tally.chinese >= tally.english else "en"
