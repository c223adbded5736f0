"""Names that their spelling gives away: proper names, and words of many pieces of which one is no word of ours."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import MARK_RANGE, mark
from casebook.runtime.learning.signing.names import COMMON, known
from casebook.runtime.learning.signing.words import ENTITIES, NOUNS

_ENTITY = rf"(?:{NOUNS}|{ENTITIES})"
_PIECE = re.compile(r"[-_/:.+]+")
_COMPOUND = re.compile(
    rf"(?<![\w{MARK_RANGE}$%@#./:'\"+-])(?P<v>[a-z][a-z]*(?:[-_/][a-z]+){{1,6}})(?![\w{MARK_RANGE}@/'\"-]|[.:]\w|\()"
)
_WORD_AFTER_ENTITY = re.compile(
    rf"(?<![\w-])(?i:(?P<noun>{_ENTITY})s?:? )(?P<v>[a-z][a-z]*(?:[-_/][a-z]+)*)(?=[ ,.;:)]|$)"
)
_PROPER = re.compile(
    rf"(?<![\w-])(?P<lead>(?i:{_ENTITY}|for|by|from|to|at|in|of|with|on)):? (?P<v>[A-ZÀ-Þ][\w'.&-]*(?: (?:(?:[A-ZÀ-Þ]|\d)[\w'.&-]*|[{MARK_RANGE}](?= (?-i:[A-Z]|[{MARK_RANGE}])|$)|de|der|den|van|von|la|di|da|del|of|and|&)){{0,5}})(?=[ ,.;:)(!]|$)"
)
_AFFIXES = frozenset(
    "non un re pre post self auto multi sub super semi anti co cross inter intra over under up down off on in out by to at of end start read write two one half full well ill long short high low".split()  # noqa: SIM905 - words, not a list of them
)
_ATTRIBUTES = frozenset(
    [
        "email",
        "mail",
        "phone",
        "password",
        "balance",
        "price",
        "amount",
        "stock",
        "weight",
        "currency",
        "country",
        "quantity",
        "date",
        "total",
        "fee",
    ]
)
"""What a thing has, not what it is called: `user password is wrong`."""
_INFLECTED = re.compile(r"(?:ed|ing|s|ly|able|ible|less|ful|ive|ous|tion|ment|ness|ity|ant|ent|ate|ize|ise|ish)$")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|^[A-Z]{2,}$")


_IN_ENTITY = re.compile(
    rf"(?<![\w-])(?:in|on|for|from|to|by|of|at) (?:the )?(?!(?:type|method|action|event|state|function|class|encoding|policy|stage)s? )(?:{NOUNS}|{ENTITIES})s? (?P<v>[a-z]{{3,40}})(?= ?(?:[,.:;)]|$)| (?:is|was|has|does|did|failed|timed)(?!\w))"
)
_SUBJECT = re.compile(
    rf"^(?i:{NOUNS}|{ENTITIES}) (?P<v>[A-Za-z]\w{{1,40}})(?= (?:is|was|has|does|did|cannot|could|will|depends|lacks) )"
)
_BEFORE_ENTITY = re.compile(
    rf"(?<![\w-])for (?P<v>[A-Za-z_]\w{{1,40}})(?= (?:in|on|at|of) (?:{NOUNS}|{ENTITIES})(?! (?:is|was|has|not|does|cannot))(?!\w))"
)
_AFTER_PREPOSITION = re.compile(
    r"(?<![\w-])(?:for|to|from|on|at|by|in|of) (?P<v>[a-z]+(?:-[a-z]+){1,5})(?= ?(?:[,.:;)]|$)| (?:is|was|has|does|did|failed|timed|which|down|after|because)(?!\w))"
)
_CODE_AFTER_ENTITY = re.compile(
    rf"(?<![\w-])(?!(?i:state|event|action|method|type|policy|library|stage|resource|entity|tool|model)s? )(?i:{NOUNS}|{ENTITIES}):? (?P<v>[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*|[A-Z][a-z]+[A-Z]\w{{0,20}})(?= (?:not|is|was|has|does|in|on|for|from|to|of|at|already|cannot|did)(?!\w)|[,.;:)]|$)"
)


_NUMBERED = re.compile(
    rf"(?<=[A-Za-z\u3400-\u9fff:] )(?P<v>[A-Z]{{2,5}}(?: [{MARK_RANGE}])+)(?=[,.;:)]|$| [a-z\u3400-\u9fff])"
)
_NUMBERED_NOUNS = frozenset([*NOUNS.split("|"), *ENTITIES.split("|"), "id", "no", "number", "code"])
_UNKNOWN_AFTER_PREPOSITION = re.compile(
    r"(?<![\w-])(?:for|from|on|at|by|in) (?P<v>[a-z]{3,40})(?= ?(?:[,.:;)]|$)| (?:is|was|has|does|did|failed|timed|which|after|because)(?!\w))"
)


def proper(line: str) -> str:
    """Give a marked line with names that their spelling or the noun before them tells as variable parts."""
    line = _NUMBERED.sub(_numbered, line)
    line = _WORD_AFTER_ENTITY.sub(_after_entity, line)
    for pattern in (_SUBJECT, _BEFORE_ENTITY, _IN_ENTITY, _AFTER_PREPOSITION, _CODE_AFTER_ENTITY):
        line = pattern.sub(_in_place, line)
    line = _UNKNOWN_AFTER_PREPOSITION.sub(_unknown, line)
    line = _COMPOUND.sub(_compound, line)
    return _PROPER.sub(_proper, line)


def _pieces_known(word: str) -> bool:
    return all(known(piece) or piece in _AFFIXES or len(piece) == 1 for piece in _PIECE.split(word.lower()) if piece)


def _put(found: re.Match[str]) -> str:
    begin, end = found.start("v") - found.start(), found.end("v") - found.start()
    return found[0][:begin] + mark("name") + found[0][end:]


def _numbered(found: re.Match[str]) -> str:
    """Give capitals and a number as a name where a noun stands before them: `document RE 2024`."""
    before = found.string[max(0, found.start() - 24) : found.start()].lower().split()
    return (
        _put(found)
        if before and (before[-1][-1] >= "\u3400" or before[-1].rstrip(":") in _NUMBERED_NOUNS)
        else found[0]
    )


def _compound(found: re.Match[str]) -> str:
    """Give a lower-case word of many pieces as a name, unless all its pieces are words."""
    return found[0] if _pieces_known(found["v"]) or _INFLECTED.search(found["v"]) else _put(found)


def _after_entity(found: re.Match[str]) -> str:
    """Give what follows the noun of a thing as a name: many pieces, or a word that is neither ours nor an inflected one."""
    word = found["v"]
    if re.search("[-_/]", word):
        last = _PIECE.split(word)[-1]
        return found[0] if _pieces_known(word) and _INFLECTED.search(last) else _put(found)
    plain = (
        known(word)
        or _INFLECTED.search(word)
        or (len(word) < 3 and (len(word) == 2 or word in "ai"))
        or re.match("un[a-z]{3}", word)
    )
    return found[0] if plain else _put(found)


def _unknown(found: re.Match[str]) -> str:
    """Give a word as a name that is none of ours and no inflected one."""
    return found[0] if known(found["v"]) or _INFLECTED.search(found["v"]) else _put(found)


def _in_place(found: re.Match[str]) -> str:
    """Give the last word of a place as a name, unless it is a word that stands there by itself."""
    word = found["v"]
    pieces = _PIECE.split(word.lower())
    if found.re is _SUBJECT:
        return (
            found[0]
            if word.lower() in COMMON or word.lower() in _ATTRIBUTES or _INFLECTED.search(word)
            else _put(found)
        )
    if word[0].isupper():
        return found[0] if known(word) else _put(found)
    if (
        word in COMMON
        or word.endswith(("ed", "ly"))
        or (len(pieces) > 1 and any(piece in _AFFIXES for piece in pieces))
    ):
        return found[0]
    return _put(found)


def _proper(found: re.Match[str]) -> str:
    """Give words with capitals after a noun or a preposition as a name; a single one only if it is no word of ours and no code."""
    words = found["v"].split()
    entity = found["lead"].lower() not in ("for", "by", "from", "to", "at", "in", "of", "with", "on")
    first = words[0].strip(".,'")
    if len(words) == 1 and (known(first) or _CAMEL.search(first) or (not entity and found.start() == 0)):
        return found[0]
    if any(_CAMEL.search(word) and len(word) > 4 for word in words) or (
        found["lead"][:1].isupper() and known(first) and not entity
    ):
        return found[0]
    if not entity and all(known(word) for word in words):
        return found[0]
    return _put(found)
