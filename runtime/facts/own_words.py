"""The user's own words in a text: what is quoted, pasted as code or cited is not theirs."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[`~\"'>«»‹›„“”‘’「」『』《》〈〉〝〞$<]|^(?: {4}|\t)|(?<=\n)(?: {4}|\t)")
_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[^\n]*\n.*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED_LINES = re.compile(r"^[ \t]{0,3}(?:>|\$ |>>> ).*$", re.MULTILINE)
_INDENTED = re.compile(r"(?:\A|(?<=\n\n))(?:(?: {4}|\t)(?![ \t]*(?:[-*+]|\d+[.)])\s)[^\n]*(?:\n|\Z))+")
_TAGGED = re.compile(r"<(pre|code|blockquote)\b[^>]*>.*?(?:</\1>|\Z)", re.DOTALL)
_INLINE = re.compile(r"(`{1,3})(?!`)[^`]+\1")
_PAIRS = re.compile(
    r"\"[^\"\n]*\"|“[^”]*”|„[^“”]*[“”]|‘[^’\n]*’(?![a-z])|「[^」]*」|『[^』]*』|《[^》]*》|〈[^〉]*〉|«[^»]*»|‹[^›]*›|〝[^〞]*〞"
    r"|(?:(?<=[\s(\[:,;])|^)'[^'\n]*'(?![a-z0-9])",
    re.MULTILINE,
)
_SPACED = re.compile(r"(?<=[\u3400-\u9fff])[ \t\u3000]+(?=[\u3400-\u9fff])")
_BLANKS = re.compile(r"[ \t\u00a0\u3000]{2,}|\t")
_GONE = " \u241f "


def own_words(text: str) -> str:
    """Cut code and quotations out of a text.

    Args:
        text: folded text (see `intents.intents_of`).

    Returns:
        The rest, each cut marked by a sign that no word has; spaces between Chinese characters are gone, runs of
        blanks one. The very text where there was nothing to do. An opening quote that is never closed cuts nothing.
    """
    if _MARKS.search(text) is not None:
        text = text.replace("’", "'") if "’" in text and "‘" not in text else text
        if "```" in text or "~~~" in text:
            text = _FENCE.sub(_GONE, text)
        if "<pre" in text or "<code" in text or "<blockquote" in text:
            text = _TAGGED.sub(_GONE, text)
        text = _QUOTED_LINES.sub(_GONE, text)
        if "    " in text or "\t" in text:
            text = _INDENTED.sub(_GONE + "\n", text)
        if "`" in text:
            text = _INLINE.sub(_GONE, text)
        text = _PAIRS.sub(_GONE, text)
        text = text.replace("’", "'")
    if not text.isascii():
        text = _SPACED.sub("", text)
    if "  " in text or "\t" in text:
        text = _BLANKS.sub(" ", text)
    return text
