"""Lexemes: the longest match over the closed keyword table, among what the parser can take where it stands."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from casebook.conditions import moments
from casebook.conditions.bare import check_word
from casebook.conditions.complaints import complain, expected, shown
from casebook.conditions.cures import CHUNK, cure_for, standing
from casebook.conditions.lexicon import CONSTANTS, KEYWORDS, MISTAKES, RESERVED, THIS, ZONES_ZH, Keyword
from casebook.conditions.literals import CLOSING, NUMBER, WORD, fold, normal, quote, read_number, read_string
from casebook.conditions.names import IDENTIFIER, NAME, Declared, read_field, starts_name
from casebook.conditions.patterns import read_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_SPACE: Final = re.compile(r"\s*")
_ZONE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+\-/]*")
_UNBROKEN: Final = re.compile(r"[A-Za-z0-9_.:/@#%]")
_CALENDAR_SUFFIX: Final = {"MONTH": "月", "DAY": "号日"}
_ENDING: Final = re.compile(r"[\s)\],、]|$")
_DATE_LIKE: Final = re.compile(r"[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}")
_LOOSE_DURATION: Final = re.compile(r"[0-9]+\s*[0-9A-Za-z分时个小日星期]*")
_ALNUM: Final = re.compile(r"[0-9A-Za-z_]")
_MERIDIEM: Final = re.compile(r"\s*[ap]\.?m\b\.?", re.IGNORECASE)
_LONGEST_ZH: Final = max(len(spelling) for spelling, _ in KEYWORDS if not spelling.isascii())


class Lexeme:
    """One lexeme, or what the parser made of several: its terminal, what it means, where it stands (from 0).

    `scan` is the reading that it belongs to, which notes what may stand in a `where` only, or not in one.
    """

    __slots__ = ("at", "scan", "type", "value")

    def __init__(self, type_: str, value: Any, at: int, scan: Scan) -> None:
        self.type = type_
        self.value = value
        self.at = at
        self.scan = scan


class Table:
    """The keywords among the terminals that the parser takes in one state, by how they begin."""

    __slots__ = ("accepted", "english", "other", "special")

    def __init__(self, accepted: frozenset[str]) -> None:
        self.accepted = accepted
        self.english: dict[str, list[tuple[str, Keyword]]] = {}
        self.other: dict[str, Keyword] = {}
        for spelling, keyword in KEYWORDS:
            if keyword.terminal not in accepted:
                continue
            if spelling[0].isascii() and spelling[0].isalpha():
                self.english.setdefault(spelling.split()[0], []).append((spelling, keyword))
            else:
                self.other[spelling] = keyword
        for entries in self.english.values():
            entries.sort(key=lambda entry: -len(entry[0]))
        self.special = next((name for name in _SPECIAL if name in accepted), "")


@lru_cache(maxsize=512)
def table_for(accepted: frozenset[str]) -> Table:
    """Give the keyword table of a set of terminals, made once."""
    return Table(accepted)


_TABLES: Final[dict[int, Table]] = {}
"""By state of the one parser that `parse.py` builds, its keyword table."""


class Scan:
    """The reading of one condition.

    Attributes:
        text: the condition as it was written.
        folded: the same with full-width ASCII folded one to one; what stands in quotes is read from `text`.
        declared: extra fields of the policy.
        at: how far it has been read.
        notes: what was read that only a `where` may have (`this`, `ok`) or may not have (clocks, history): (at, what).
        previous: the lexeme read last.
        subject: the terminal that the test being read began with.
        history: whether events have been spoken of.
    """

    __slots__ = ("at", "declared", "folded", "history", "notes", "previous", "subject", "text")

    def __init__(self, text: str, declared: Declared) -> None:
        self.text = text
        self.folded = fold(text)
        self.declared = declared
        self.at = 0
        self.notes: list[tuple[int, str]] = []
        self.previous: Lexeme | None = None
        self.subject = ""
        self.history = False

    def next(self, state: int, accepted: Mapping[str, object]) -> Lexeme:
        """Read the next lexeme.

        Args:
            state: the parser's state.
            accepted: the terminals that it takes there.

        Raises:
            ConditionError: none of them stands here.
        """
        table = _TABLES.get(state)
        if table is None:
            table = _TABLES[state] = table_for(frozenset(accepted))
        start = _SPACE.match(self.folded, self.at).end()  # type: ignore[union-attr]
        if start >= len(self.folded):
            lexeme = Lexeme("$END", None, start, self)
        else:
            reader = _READERS.get(table.special)
            found = reader(self, table, start) if reader is not None else None
            lexeme = found or self._keyword(table, start) or self._complain(table.accepted, start)
        self.previous = lexeme
        return lexeme

    def _keyword(self, table: Table, at: int) -> Lexeme | None:
        """Read the longest keyword that begins here."""
        folded = self.folded
        character = folded[at]
        if character.isascii():
            if word := IDENTIFIER.match(folded, at):
                return self._english(table, word[0].lower(), at)
            for size in (2, 1):
                keyword = table.other.get(folded[at : at + size])
                if keyword is not None:
                    self.at = at + size
                    return Lexeme(keyword.terminal, keyword.meaning, at, self)
            return None
        gap = len(_SPACE.match(folded, at + 1)[0]) if character == "不" else 0  # type: ignore[index]
        piece = character + folded[at + 1 + gap : at + gap + _LONGEST_ZH] if gap else folded[at : at + _LONGEST_ZH]
        for size in range(len(piece), 0, -1):
            keyword = table.other.get(piece[:size])
            if keyword is not None:
                self.at = at + size + gap
                return Lexeme(keyword.terminal, keyword.meaning, at, self)
        return None

    def _english(self, table: Table, word: str, at: int) -> Lexeme | None:
        for spelling, keyword in table.english.get(word, ()):
            end = at + len(word)
            for more in spelling.split()[1:]:
                end = _SPACE.match(self.folded, end).end()  # type: ignore[union-attr]
                following = IDENTIFIER.match(self.folded, end)
                if following is None or following[0].lower() != more:
                    break
                end = following.end()
            else:
                self.at = end
                return Lexeme(keyword.terminal, keyword.meaning, at, self)
        return None

    def read_field_or_keyword(self, table: Table, at: int) -> Lexeme | None:
        """Read what a test begins with: a field, or a clock, history or logic keyword, whichever is longer."""
        keyword = self._keyword(table, at)
        end = self.at
        if keyword is not None and self.folded[at] in "(!":
            return keyword
        size = starts_name(self.folded, at, self.declared)
        if keyword is not None and (size <= end - at and self.folded[end : end + 1] != "."):
            self.subject = keyword.type
            self.history = self.history or keyword.type in ("EARLIER", "NO_EARLIER", "COUNT")
            return keyword
        if not size and (word := NAME.match(self.folded, at)) is not None and word[0].lower() in RESERVED:
            return None
        if not size and not (self.folded[at].isalpha() or self.folded[at] == "_"):
            return None
        named, self.at = read_field(self.text, self.folded, at, self.declared)
        if named.event_only:
            self.notes.append((at, f"{named.spelled} is a field of events, known inside where only"))
        self.subject = "FIELD"
        return Lexeme("FIELD", named, at, self)

    def read_value(self, table: Table, at: int) -> Lexeme | None:
        """Read a constant: a string, a number, a bare word, true, false or null; or `this`."""
        folded = self.folded
        character = folded[at]
        if self.text[at] in CLOSING:
            like = self.previous is not None and self.previous.value == "like"
            content, self.at = read_string(self.text, at, like=like)
            return Lexeme("VALUE", content, at, self)
        if number := NUMBER.match(folded, at):
            end = number.end()
            if self.subject in _CALENDAR_SUFFIX and folded[end : end + 1] in _CALENDAR_SUFFIX[self.subject]:
                end += len(folded[end : end + 1])
            if end < len(folded) and (_UNBROKEN.match(folded, end) or _DATE_LIKE.match(folded, at)):
                chunk = CHUNK.match(folded, at)[0]  # type: ignore[index]
                raise complain(f"expected a value, got {shown(chunk)}", at, self._unit_cure(chunk, number[0]))
            self.at = end
            return Lexeme("VALUE", read_number(number[0], at), at, self)
        if character in ",])":
            return None
        word = WORD.match(folded, at)
        return None if word is None else self._word(word[0], word.end(), at, table)

    def _unit_cure(self, chunk: str, number: str) -> str:
        """Give the cure for a number with letters after it: the number alone where one is asked for, else quotes."""
        if self.previous is None or self.previous.type not in ("CMP", "BETWEEN", "NOT_BETWEEN", "_TILL"):
            return quote(chunk)
        if _DATE_LIKE.match(chunk):
            return "a number; only `date` can be compared with a date"
        return f"{number} as a plain number, in the unit of the field"

    def _word(self, word: str, end: int, at: int, table: Table) -> Lexeme:
        lower = word.lower()
        for this in THIS:
            if lower.startswith(this) and "THIS" in table.accepted:
                after = at + len(this)
                if lower == this or (not this.isascii() and starts_name(self.folded, after, self.declared)):
                    self.at = after
                    return Lexeme("THIS", None, at, self)
                if lower[len(this)] == ".":
                    cure = f"{word[: len(this)]} {word[len(this) + 1 :]}"
                    raise complain(f"expected a value, got {shown(word)}", at, cure)
        self.at = end
        if lower in CONSTANTS:
            return Lexeme("VALUE", CONSTANTS[lower], at, self)
        if lower in RESERVED:
            negative = self.previous is not None and self.previous.type == "NE"
            meant = MISTAKES.get(f"is not {lower}" if negative else f"is {lower}")
            raise complain(f"expected a value, got the keyword {shown(word)}", at, meant or quote(word))
        if not word.isascii() or not word.isalnum():
            check_word(
                word,
                at,
                self.declared,
                like=self.previous is not None and self.previous.value == "like",
                pattern=table.special == "REGEX",
                inside=self.history,
                ends=_ENDING.match(self.folded, end) is not None,
            )
        return Lexeme("VALUE", normal(word), at, self)

    def read_time(self, table: Table, at: int) -> Lexeme | None:
        """Read a time of day, or 次日 before it."""
        found = moments.TIME_TEXT.match(self.folded, at)
        if found is None:
            keyword = self._keyword(table, at)
            if keyword is None:
                raise moments.not_a_time(standing(self.text, self.folded, at), at)
            return keyword
        end = found.end()
        if half := _MERIDIEM.match(self.folded, end):
            raise moments.not_a_time(self.folded[at : half.end()], at)
        if end < len(self.folded) and _UNBROKEN.match(self.folded, end):
            raise moments.not_a_time(standing(self.text, self.folded, at), at)
        self.at = end
        return Lexeme("HM", found[0], at, self)

    def read_date(self, _table: Table, at: int) -> Lexeme | None:
        """Read a date."""
        found = moments.DATE_TEXT.match(self.folded, at)
        if found is None or (found.end() < len(self.folded) and _UNBROKEN.match(self.folded, found.end())):
            moments.read_date(standing(self.text, self.folded, at), at)
            return None
        self.at = found.end()
        return Lexeme("YMD", moments.read_date(found[0], at), at, self)

    def read_zone(self, _table: Table, at: int) -> Lexeme | None:
        """Read a time zone."""
        for spelled in ZONES_ZH:
            if self.folded.startswith(spelled, at):
                self.at = at + len(spelled)
                return Lexeme("ZONE", moments.read_zone(spelled, at), at, self)
        found = _ZONE.match(self.folded, at)
        name = moments.read_zone(found[0] if found else standing(self.text, self.folded, at), at)
        self.at = found.end() if found else at
        return Lexeme("ZONE", name, at, self)

    def read_duration(self, _table: Table, at: int) -> Lexeme | None:
        """Read a duration where a digit stands, or where nothing else can come."""
        if not ("0" <= self.folded[at] <= "9") or not self.history:
            return None
        found = moments.DURATION_TEXT.match(self.folded, at)
        if found is None or (found[2].isascii() and _ALNUM.match(self.folded, found.end())):
            moments.read_duration(_LOOSE_DURATION.match(self.folded, at)[0].strip(), at)  # type: ignore[index]
            return None
        self.at = found.end()
        return Lexeme("DUR", moments.read_duration(found[0], at), at, self)

    def read_regex(self, table: Table, at: int) -> Lexeme | None:
        """Read a pattern between slashes, or else a string."""
        if self.folded[at] != "/":
            return self.read_value(table, at)
        pattern, self.at = read_pattern(self.text, self.folded, at)
        return Lexeme("REGEX", pattern, at, self)

    def _complain(self, accepted: Collection[str], at: int) -> Lexeme:
        """Raise the error for what cannot stand here."""
        previous = None if self.previous is None else (self.previous.type, self.previous.value, self.previous.at)
        raise complain(
            f"expected {expected(accepted)}, got {self.got(at)}",
            at,
            cure_for(self.text, self.folded, at, accepted, previous),
        )

    def got(self, at: int) -> str:
        """Say what stands at a place, for a fault."""
        return shown(standing(self.text, self.folded, at)) if at < len(self.folded) else "the end"


_READERS: Final = {
    "FIELD": Scan.read_field_or_keyword,
    "REGEX": Scan.read_regex,
    "VALUE": Scan.read_value,
    "HM": Scan.read_time,
    "YMD": Scan.read_date,
    "ZONE": Scan.read_zone,
    "DUR": Scan.read_duration,
}
_SPECIAL: Final = tuple(_READERS)
