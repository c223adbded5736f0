"""Passwords that are words: `the password is sunshine`, `passphrase: correct horse battery staple`, `密码：芝麻开门`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from casebook.redacting.said_shapes import look_of
from casebook.redacting.said_states import CUTS, LEADING, is_chinese_statement, is_statement
from casebook.redacting.spans import Span, regex, text_of

_NAMES = r"(?:pass(?:word|wd|phrase|code)|pwd|pw|passwor[dt]|kennwort|contraseña|contrasena|senha)"
_ENGLISH = (
    rf"(?i)(?:\b{_NAMES}(?:[ \t]+(?:for|of|on|to|at|für|von)[ \t]+[\w.'@-]+(?:[ \t]+[\w.'@-]+){{0,4}}?)?"
    r"|(?:\band|,|;)[ \t]+(the|my|our|his|her|their)(?:[ \t]+[\w.'-]+){1,3}?[ \t]+one)"
    r"([ \t]+(?:is|was|equals|ist|war|lautet|es|é)(?:[ \t]*:)?[ \t]+|[ \t]*[:：=][ \t]+)"
)
_CHINESE = r"(?:密码|密碼|口令|暗号|暗號)[ \t]{0,3}((?:就|一直|现在|目前|已经?)*(?:是|叫|为|為|(?:改|换|设|变)(?:成|为)了?)[ \t]*[:：]?|[:：=＝])[ \t]*[「『“\"']?"
_CODE_BEFORE = re.compile(r"(?:[$.@&?=\\<{%#\"'`_/]|--|\w\()$")
"""What stands before a name of code."""
_GENERIC = re.compile(r"(?i)\b(?:an?|any|every|each|no|what|which|whose|ein|eine|kein|keine)[ \t]+(?:[\w-]+[ \t]+)?$")
"""What makes of it any password: nothing is told of one."""
_CLAUSE = re.compile(r"[ \t]*[^,;:.!?()\[\]{}<>|=\"`，。；！？、\r\n]*(?:!(?=\s|$))?")
_OWN = rf"(?i)\b(?:my|our|your|his|her|their)[ \t]+(?:[\w-]+[ \t]+)?{_NAMES}[ \t]+([!-~]{{5,120}})[ \t]+(?:is|was|has|isn't|wasn't|does|doesn't|no longer|still|expired|works)\b"
"""Whose password, and what is said of it: `my password hunter2 is old`."""
_PARTICLES = re.compile("[ 了吧啊呀哦哈]+$")
_HAN = re.compile(r"[㐀-鿿][㐀-鿿 A-Za-z0-9]*")
_MARK = "[redacted:"
_SIGHT = 200
_LONGEST = 400


def in_words(data: bytes) -> Iterator[Span]:
    """Find passwords made of words, behind a name of a password and "is" or a colon, unless what stands there speaks of it."""
    for found in regex(_ENGLISH).finditer(data):
        start, at = found.start(), found.end()
        before = text_of(data[max(0, start - _SIGHT) : start]).rsplit("\n", 1)[-1]
        is_another = found.span(1)[0] >= 0  # "the guest one", of what was spoken of
        if not _OF_PASSWORDS.search(before) if is_another else _CODE_BEFORE.search(before) or _GENERIC.search(before):
            continue
        is_led = data[found.start(2) : at].strip(b" \t:")[:1].isalpha()
        span = _told(text_of(data[at : at + _LONGEST]), is_led=is_led)
        if span is not None:
            text = text_of(data[at : at + _LONGEST])
            first = at + len(text[: span[0]].encode())
            yield first, first + len(text[slice(*span)].encode()), "password"
    for found in regex(_CHINESE).finditer(data):
        text = text_of(data[found.end() : found.end() + _LONGEST])
        said = _HAN.match(text)
        value = _PARTICLES.sub("", said[0]) if said is not None else ""
        if said is not None and not is_chinese_statement(value) and not _GOES_ON.match(text, said.end()):
            yield found.end(), found.end() + len(value.encode()), "password"
    for found in regex(_OWN).finditer(data):
        if look_of(text_of(data[slice(*found.span(1))])) in ("marked", "plain"):
            yield *found.span(1), "password"


_OF_PASSWORDS = re.compile(rf"(?i)\b{_NAMES}\b[^.;!?]*$")
_GOES_ON = re.compile(r"[(（<{=:：]")


def _told(text: str, *, is_led: bool) -> tuple[int, int] | None:
    """Give where the password stands in what follows its name; None where that speaks of it, or is not one for this finder."""
    found = _CLAUSE.match(text)
    if found is None or text.startswith(_MARK, found.end()) or _CODE.match(text, found.end()):
        return None
    places = list(_TOKEN.finditer(text, 0, found.end()))
    while is_led and places and places[0][0].lower() in LEADING:
        places.pop(0)
    end = next((at for at, each in enumerate(places) if at and each[0].lower() in CUTS), len(places))
    places = places[:end]
    clause = [each[0].rstrip("!") for each in places]
    if not clause or (not is_led and len(clause) < 2) or is_statement(clause, is_led=is_led):
        return None
    return places[0].start(), places[-1].end()


_TOKEN = re.compile(r"\S+")
_CODE = re.compile(r"[(\[{<|=`\"]|\.\w")
