"""The user's own words in a text: what is quoted, pasted as code or cited is not theirs."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[`~\"'>«‹„“‘「『《〈〝$<]")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[^\n`~]*\n.*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED_LINES = re.compile(r"^[ \t]{0,3}(?:>|\$ ).*$", re.MULTILINE)
_INDENTED = re.compile(r"(?:\A|(?<=\n\n))(?:(?: {4}|\t)(?![ \t]*(?:[-*+]|\d+[.)])\s)[^\n]*(?:\n|\Z))+")
_OPENING = re.compile(
    r"`+|<(?:pre|code|blockquote)\b[^>\n]{0,200}>|(?:(?<=[\s(\[:,;])|^)'|[\"«‹„“‘「『《〈〝]", re.MULTILINE
)
_PARTNERS = {
    "«": "»", "‹": "›", "„": "“", "“": "”", "‘": "’", "「": "」", "『": "』", "《": "》", "〈": "〉", "〝": "〞", '"': '"',
    "'": "'",
}  # fmt: skip
_ONE_LINE = "\"'"
_MAX_LINE = 2_000
_MAX_APOSTROPHES = 400
_SPACED = re.compile(r"(?<=[\u3400-\u9fff])[ \t\u3000]+(?=[\u3400-\u9fff])")
_BLANKS = re.compile(r"[ \t\u00a0\u3000]{2,}|\t")
_GONE = " \u241f "


def own_words(text: str) -> str:
    """Cut code and quotations out of a text.

    Args:
        text: folded text (see `intents.intents_of`).

    Returns:
        The rest, each cut marked by a sign that no word has; spaces between Chinese characters are gone, runs of
        blanks one. The very text where there was nothing to do. An opening quote that is never closed cuts nothing,
        an opening fence that is never closed all that follows. Linear in the text's length.
    """
    if _MARKS.search(text) is not None or "    " in text or "\t" in text:
        if "```" in text or "~~~" in text:
            text = _FENCE.sub(_GONE, text)
        if ">" in text or "$ " in text:
            text = _QUOTED_LINES.sub(_GONE, text)
        if "    " in text or "\t" in text:
            text = _INDENTED.sub(_GONE + "\n", text)
        text = _without_pairs(text)
    if not text.isascii():
        text = text.replace("’", "'")
        text = _SPACED.sub("", text)
    if "  " in text or "\t" in text:
        text = _BLANKS.sub(" ", text)
    return text


def _without_pairs(text: str) -> str:
    """Cut what stands between an opening mark and its partner: quotes of any script, inline code, tagged code."""
    pieces: list[str] = []
    at = 0
    searched: dict[str, int] = {}
    for found in _OPENING.finditer(text):
        start, token = found.start(), found.group()
        if start < at or searched.get(token, 0) >= len(text):
            continue
        end = _end_of_pair(text, token, found.end(), searched)
        if end > 0:
            pieces.append(text[at:start])
            at = end
    if not pieces:
        return text
    pieces.append(text[at:])
    return _GONE.join(pieces)


def _end_of_pair(text: str, token: str, start: int, searched: dict[str, int]) -> int:
    """Give where the pair opened by `token` ends; 0 where it does not.

    Up to where a mark has been looked for in vain is kept in `searched`, so that it is not looked for twice.
    """
    if token[0] == "<":
        closing = "</" + token[1:].split(">", maxsplit=1)[0].split(maxsplit=1)[0] + ">"
        end = text.find(closing, start)
        return end + len(closing) if end >= 0 else len(text)
    partner = _PARTNERS.get(token, token)
    end = text.find(partner, max(start, searched.get(token, 0)))
    while end >= 0 and partner in "'’" and text[end + 1 : end + 2].isalnum():  # an apostrophe
        if end - start > _MAX_APOSTROPHES:
            searched[token] = end
            return 0
        end = text.find(partner, end + 1)
    if end < 0:
        searched[token] = len(text)
        return 0
    if token in _ONE_LINE and (end - start > _MAX_LINE or "\n" in text[start:end]):
        return 0
    return end + len(partner)
