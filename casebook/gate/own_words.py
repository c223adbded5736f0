"""What of a text is the speaker's own: code, quotations and pasted logs are somebody else's words."""

from __future__ import annotations

import re
import unicodedata

from casebook.conditions.fold import fold

VIEW_CHARS = 1000
"""Characters of a piece that cues are looked for in (ours: a piece is a sentence; what is longer is a document)."""

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})")
_LOG = re.compile(
    r"^\s*(?:"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d"  # 2026-03-01 12:00:01 …
    r"|\[?\d\d:\d\d:\d\d[\],. ]"  # 12:00:01 …
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|TRACE)\b[\s:\]|]"
    r"|\[(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]"
    r"|Traceback \(most recent call last\)|File \"[^\"\n]{1,300}\", line \d+|\s*at [\w$.<>]{1,200}\([^)\n]{0,200}\)"
    r"|(?:[A-Za-z_][\w.]{0,80})?(?:Error|Exception)(?:: |$)|npm (?:ERR!|WARN)|\$ \S|>>> |#include\b"
    r"|(?:From|To|Cc|Bcc|Reply-To|发件人|收件人|抄送)[:：][^\n@]{0,200}@|(?:Subject|Sent|主题|发送时间)[:：]\s?\S|On [^\n]{5,120} wrote:$|[^\n]{2,60}写道[:：]$"
    r"|(?:diff --git|index [0-9a-f]{7}|@@ -\d|\+\+\+ |--- a/)|(?:\+|-)\s{2,}\S"
    r")"
)
_INVISIBLE: dict[int, int | None] = {
    point: None
    for point in (*range(0x20), 0x7F, *range(0x80, 0xA0), *range(0x200B, 0x2010), *range(0x202A, 0x202F),
                  *range(0x2060, 0x2070), 0xFEFF)
    if point not in (0x09, 0x0A)
}  # fmt: skip
_INVISIBLE |= {0x0D: 0x0A, 0x2028: 0x0A, 0x2029: 0x0A, 0x85: 0x0A}
_PAIRS = re.compile(
    r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|<[a-z]{2,12}>"
)
_DIGITS_APART = re.compile(r"(?<=[㐀-鿿]) (?=\d)|(?<=\d) (?=[㐀-鿿])")
_HAN = re.compile(r"[㐀-鿿]")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})


def cleaned(text: str) -> str:
    """Give a text without control, bidirectional and zero-width characters and lone surrogates; lines end in a newline."""
    text = text.replace("\r\n", "\n").translate(_INVISIBLE)
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def own_words(text: str) -> str:
    """Give the lines of a text that its speaker wrote.

    Args:
        text: as it was said.

    Returns:
        The rest once fenced code (to the end, where the fence is never closed), quoted lines (`>`), lines of logs, stack traces,
        shells and diffs, and indented code are taken out. Linear in the text's length.
    """
    kept: list[str] = []
    fence = ""
    was_blank = True
    for line in cleaned(text).split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence):
                fence = ""
            continue
        if found:
            fence = found[1]
            continue
        indented = line.startswith(("    ", "\t")) and (was_blank or not kept or kept[-1] == "")
        bullet = line.lstrip()[:2] in ("- ", "* ")
        foreign = line.lstrip().startswith(">") or _LOG.match(line[:600]) is not None or (indented and not bullet)
        was_blank = not line.strip()
        kept.append("" if foreign else line)
    return "\n".join(kept).strip()


def view_of(text: str) -> str:
    """Give a piece as cues see it: folded, quotations of several words and inline code masked, white space one blank."""
    seen = fold(text[:VIEW_CHARS].translate(_STRAIGHT))[:VIEW_CHARS]
    seen = _PAIRS.sub(_masked, seen)
    seen = " ".join(seen.split())
    return seen if seen.isascii() else _DIGITS_APART.sub("", seen)


def _masked(found: re.Match[str]) -> str:
    """Leave a quoted name, mask a quoted sentence."""
    said = found[0][1:-1].strip()
    is_name = len(said.split()) <= 3 and len(_HAN.findall(said)) <= 6
    if found[0][0] == "`":
        return said if is_name and len(said) <= 40 else "code"
    if found[0][0] == "<":
        return " "
    return said if is_name else " quoted "


def bare(text: str) -> str:
    """Give a folded text without punctuation, symbols and emoji, blanks one: what greetings are compared by."""
    return " ".join("".join(c if _is_word(c) else " " for c in text).split())


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "'" or unicodedata.category(character) == "Mn"
