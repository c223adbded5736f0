"""A message as plain text of bounded length, whatever was sent: the first step of a signature."""

from __future__ import annotations

import re
from unicodedata import normalize

MOST = 16_384
"""Characters of a message that are read: half from its beginning, half from its end, where a traceback says what happened."""

_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)?|\x1b[ -/]{0,8}[0-~]"
)
_BREAKS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]|\\\\r\\\\n|\\\\n(?=[ \\\\A-Z]|$)")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ud800-\udfff\ue000-\uf8ff\U000e0000-\U0010ffff]"
)
_BLANKS = re.compile("[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+")
_QUOTES = str.maketrans({**dict.fromkeys("‘’‚‛′", "'"), **dict.fromkeys("“”„‟″«»", '"')})
_LINE_ENDS = re.compile(r" +\n")
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_PLAIN = {"ß": "ss", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i"}  # fmt: skip


def cleaned(message: str) -> str:
    r"""Give a message in NFKC without escape sequences, controls, invisible characters and accents, at most `MOST` long, with `\\n` lines.

    The indentation of a line is kept as far as there is one: frames of a stack are told by it.
    """
    if len(message) > MOST:
        message = f"{message[: MOST // 2]}\n{message[-MOST // 2 :]}"
    text = _BREAKS.sub("\n", _ANSI.sub("", message))
    text = normalize("NFKC", _INVISIBLE.sub("", text.replace("\t", "    ")))[: 2 * MOST].translate(_QUOTES)
    text = _ACCENTED.sub(_plain, _INVISIBLE.sub("", text))
    return _LINE_ENDS.sub("\n", text).strip("\n").rstrip()


def _plain(found: re.Match[str]) -> str:
    """Give a Latin letter without its accent: an id, a path or a host is one whatever letters a name is spelt with."""
    return _PLAIN.get(found[0]) or normalize("NFD", found[0])[0]
