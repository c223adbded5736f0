"""Makes any text harmless in our block and on a terminal: one line, nothing invisible, no tag, fence or escape sequence.

The scheme is one line for one text. Every line of the block is begun by us, so no text of a case, an error or a task can
begin one: it cannot pass for a heading, a list item, a fence, a case or the end of the block. Line breaks become ` ⏎ `.
"""

from __future__ import annotations

import re

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
    "\u2028\u2029\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff"  # separators, surrogates, private use
    "]"
)
_MARKS = re.compile(r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})"
                    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")  # fmt: skip
_TAG = re.compile(r"<(?=[/!?|A-Za-z%]|[^\x00-\x7f])|[\uff1c\ufe64]")
_COMMENT_END = re.compile(r"--[!]?>")
_FENCE = re.compile("[`\uff40\u02cb\u2035\u1fef]{3,}")
_TILDES = re.compile("[~\uff5e\u223c\u02dc]{3,}")


def harmless(text: str) -> str:
    """Give a text as one line that cannot leave its place; text that was harmless comes back as it is, but for its ends.

    Escape sequences, control, bidirectional and other invisible characters, private-use characters, variation selectors and
    lone surrogates are taken out; line and paragraph separators become ` ⏎ `; of stacked accents three stay; the `<` of what
    looks like a tag or a comment becomes `‹`; three or more backticks or tildes lose the look of a fence.
    """
    if _PLAIN.fullmatch(text):
        return text.strip()
    text = _BREAKS.sub(BREAK, _ANSI.sub("", text).strip())
    text = _MARKS.sub(r"\1", _INVISIBLE.sub("", _BLANKS.sub(" ", text)))
    text = _COMMENT_END.sub("--›", _TAG.sub("‹", text))
    return _TILDES.sub("~", _FENCE.sub("'''", text)).strip()


def shortened(text: str, limit: int) -> str:
    """Give a text of at most `limit` characters, with `…` where some were cut off."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def excerpt(text: str, limit: int) -> str:
    """Give the beginning of any text, harmless and of at most `limit` characters; a long one costs no more than a short one."""
    body = harmless(text[: 4 * limit])
    if len(text) <= 4 * limit:
        return shortened(body, limit)
    return body[: limit - 1].rstrip() + "…"


def inside_quotes(text: str) -> str:
    """Give a harmless text that cannot close the quotation it stands in."""
    return text.replace('"', "'").replace("“", "‘").replace("”", "’").replace("「", "『").replace("」", "』")
