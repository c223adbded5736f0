"""Constants that do not mean what they look like: needles found everywhere, look-alikes, stray white space."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from casebook.conditions.fold import compiled, fold, like_parts
from casebook.conditions.tree import Not, Pattern, Test, walk
from casebook.runtime.lint.book import Book, Finding

PROSE = frozenset({("text",), ("answer",), ("error", "message")})
"""Fields that hold sentences, in which a short word is nearly always found."""

COMMON = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "i", "in", "is", "it", "me", "my", "of", "on",
        "or", "that", "the", "this", "to", "was", "we", "will", "with", "you",
        "的", "了", "是", "在", "我", "你", "和", "有", "就", "不", "这", "那", "也", "都", "说", "要", "吗", "吧", "呢", "啊",
    }
)  # fmt: skip
"""Words found in most sentences."""


_ESCAPES = {"\b": "b", "\f": "f", "\r": "r", "\n": "n", "\t": "t"}
"""What JSON makes of a backslash and a letter."""

_DRIVE = re.compile("[A-Za-z]:")
"""How a path of Windows begins, in which no line ends."""


def find(book: Book) -> Iterator[Finding]:
    """Give the constants that deserve a second look."""
    for subject in book.subjects:
        for place, condition in enumerate(subject.loaded.conditions):
            negated = {id(node.item) for node in walk(condition) if isinstance(node, Not)}
            for node in walk(condition):
                if isinstance(node, Test):
                    for message, cure in _of(node, positive=id(node) not in negated):
                        yield subject.find("constants", message, place=place, cure=cure)


def _of(test: Test, *, positive: bool) -> Iterator[tuple[str, str | None]]:
    if positive:
        yield from _everywhere(test)
    for value in test.value if isinstance(test.value, tuple) else (test.value,):
        if isinstance(value, Pattern):
            yield from _escaped("pattern", value.source, "\b")
        elif isinstance(value, str):
            yield from _looks(test, value)


def _everywhere(test: Test) -> Iterator[tuple[str, str | None]]:
    name = ".".join(map(str, test.field.path))
    value = test.value
    if test.op == "contains" and isinstance(value, str) and test.field.path in PROSE:
        needle = fold(value).strip()
        if needle in COMMON or (len(needle) == 1 and not _is_han(needle)):
            yield f'"{value}" is found in nearly every {name}', "a longer text, or `matches` with word boundaries"
    elif test.op == "like" and isinstance(value, str) and like_parts(value) == ("\0*",):
        yield f'like "{value}" holds for every {name}', f"{name} exists"
    elif test.op == "matches" and isinstance(value, Pattern) and compiled(value).search("") is not None:
        yield f"/{value.source}/ is found in every {name}, since it matches the empty text too", f"{name} exists"


def _is_han(character: str) -> bool:
    return unicodedata.name(character, "").startswith("CJK UNIFIED")


def _looks(test: Test, value: str) -> Iterator[tuple[str, str | None]]:
    escaped = list(_escaped("text", value, "\b\f\r\n\t" if _DRIVE.match(value) else "\b\f\r"))
    yield from escaped
    hidden = next((each for each in value if unicodedata.category(each) in ("Cf", "Cc") and each not in "\n\t"), None)
    if hidden is not None and not escaped:
        yield f"{value!r} holds an invisible character, U+{ord(hidden):04X}", f'"{value.replace(hidden, "")}"'
    if test.op in ("is", "is_not", "in", "not_in"):
        plain = unicodedata.normalize("NFKC", value)
        if value != value.strip():
            yield f"{value!r} has white space at its end, and is compared exactly", f'"{value.strip()}"'
        elif plain != value and plain.isascii():
            yield f'"{value}" is not "{plain}": values are compared exactly', f'"{plain}"'
    scripts = {_script(each) for each in value} - {None}
    if len(scripts & {"LATIN", "CYRILLIC", "GREEK"}) > 1 and " " not in value:
        yield f'"{value}" mixes letters of {" and ".join(sorted(str(each) for each in scripts))} that look alike', None


def _escaped(what: str, value: str, signs: str) -> Iterator[tuple[str, str]]:
    """Tell of a control character that was most likely a backslash and a letter, before JSON was read."""
    found = next((each for each in value if each in signs), None)
    if found is not None:
        letter = _ESCAPES[found]
        cure = rf"in JSON a backslash is written twice: \\{letter}"
        yield rf"the {what} holds a control character, U+{ord(found):04X}, which JSON makes of \{letter}", cure


def _script(character: str) -> str | None:
    return unicodedata.name(character, "").split(" ")[0] if character.isalpha() else None
