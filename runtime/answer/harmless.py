"""Makes any text harmless in our block and on a terminal: one line, nothing invisible, no tag, fence or escape sequence.

The scheme is one line for one text. Every line of the block is begun by us, so no text of a case, an error or a task can
begin one: it cannot pass for a heading, a list item, a fence, a case or the end of the block. Line breaks become ` ⏎ `.
"""

from __future__ import annotations

import re
from unicodedata import category

BREAK = " ⏎ "
"""What stands for a line break."""

_PLAIN = re.compile(r"[ -;=?-_a-}]*")  # printable ASCII but for < > ` ~
_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"  # titles, links and other strings
    r"|\x1b[ -/]*[0-~]"
)
_BREAKS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_BLANKS = re.compile(r"[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")
_INVISIBLE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # formats, tags
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufe00-\ufe0f"  # fillers, variation selectors
    "\u2d7f\U0001107f\U00016fe4\U0001d159"  # joiners, a filler and a note head that nobody sees
    "\u2028\u2029\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff"  # separators, surrogates, private use
    "]"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")  # but for blanks and line ends
_MARKED = re.compile(
    "[^\x00-\u02ff\u2000-\u20cf\u20f1-\u2cee\u2e00-\u3029\u302e-\u3098\u309b-\ua66e\uac00-\ud7ff\uf900-\ufb1d\ufe30-\uffff"
    "\U00020000-\U0002ffff]{4,}"
)
"""Where more marks may follow one another than stay: outside of the scripts that have none, such as Latin and Chinese."""
MARKS = 3
"""Marks on one letter that stay: vocalised Arabic and Tibetan have as many."""
_TAG = re.compile(r"<(?=[/!?|A-Za-z%]|[^\x00-\x7f‹]|\s+/\s*[A-Za-z][\w:-]*\s*>|\s+[A-Za-z][\w:-]*>)|[\uff1c\ufe64]")
_COMMENT_END = re.compile(r"--[!]?>")
_FENCE = re.compile("[`\uff40\u02cb\u2035\u1fef]{3,}")
_TILDES = re.compile("[~\uff5e\u223c\u02dc]{3,}")


def harmless(text: str) -> str:
    """Give a text as one line that cannot leave its place; text that was harmless comes back as it is, but for its ends.

    Escape sequences, control, bidirectional and other invisible characters, private-use characters, variation selectors and
    lone surrogates are taken out; line and paragraph separators become ` ⏎ `; of the marks on one letter three stay; the `<` of what
    looks like a tag or a comment becomes `‹`; three or more backticks or tildes lose the look of a fence.
    """
    if _PLAIN.fullmatch(text):
        return text.strip()
    text = _BREAKS.sub(BREAK, _ANSI.sub("", text).strip())
    text = _MARKED.sub(_fewer_marks, _INVISIBLE.sub("", _BLANKS.sub(" ", text)))
    text = _COMMENT_END.sub("--›", _TAG.sub("‹", text))
    return _TILDES.sub("~", _FENCE.sub("'''", text)).strip()


def _fewer_marks(found: re.Match[str]) -> str:
    """Give a run of characters with at most `MARKS` marks, of any script, after one another."""
    kept: list[str] = []
    marks = 0
    for char in found[0]:
        marks = marks + 1 if category(char) in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append(char)
    return "".join(kept)


def shortened(text: str, limit: int) -> str:
    """Give a text of at most `limit` characters, with `…` where some were cut off."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def excerpt(text: str, limit: int) -> str:
    """Give the beginning of any text, harmless and of at most `limit` characters; a long one costs no more than a short one."""
    if len(text) > limit and text[0] != " " and _PLAIN.fullmatch(text, 0, limit):
        return text[: limit - 1].rstrip() + "…"
    body = harmless(text[: 4 * limit])
    if len(text) <= 4 * limit:
        return shortened(body, limit)
    return body[: limit - 1].rstrip() + "…"


def condition_excerpt(text: str, limit: int) -> str:
    """Give the beginning of a condition as `excerpt` does, but with each control character as its number: it is a part of it.

    One backslash and a `b` are a backspace in JSON, and a pattern with one finds nothing: who reads the condition has to see that.
    """
    return excerpt(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text[: 4 * limit + 1]), limit)


_QUOTES = str.maketrans(
    {
        **dict.fromkeys('"\u02ba\u02ee\u05f4\u2033\u2034\u2036\u2037\u2057\u201e\u201f\u275d\u275e\u2760\u2e42', "'"),
        **dict.fromkeys("\u3003\u301d\u301e\u301f\uff02\U0001f676\U0001f677\U0001f678", "'"),
        **dict.fromkeys("\xab\xbb\u300a\u300b\u226a\u226b", "'"),
        "“": "‘", "”": "’", "「": "『", "」": "』", "﹁": "﹃", "﹂": "﹄", "｢": "『", "｣": "』",
    }
)  # fmt: skip
"""Quotation marks and what looks like one, each to a mark that closes none of ours."""


def inside_quotes(text: str) -> str:
    """Give a harmless text that cannot close the quotation it stands in, nor look as if it did."""
    return text if _PLAIN.fullmatch(text) and '"' not in text else text.translate(_QUOTES)
