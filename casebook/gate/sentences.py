"""A text is cut into sentences; what is not one by itself stays with the one before."""

from __future__ import annotations

import re

from casebook.conditions.fold import fold
from casebook.gate.labels import label_of
from casebook.gate.subjects import carried, stays_with

PIECES = 60
"""Pieces that one candidate is cut into at most (ours); what comes after them is not looked at, and a warning says so."""

_ABBREVIATIONS = frozenset(
    [
        "e.g",
        "i.e",
        "etc",
        "vs",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "no",
        "nr",
        "fig",
        "eq",
        "sec",
        "ch",
        "approx",
        "st",
        "ave",
        "dept",
        "est",
        "inc",
        "ltd",
        "co",
        "corp",
        "jr",
        "sr",
        "al",
        "cf",
        "ca",
        "ver",
        "v",
        "p",
        "pp",
        "vol",
        "ed",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
        "min",
        "max",
    ]
)
_WHOLE = re.compile(
    r"[a-z][a-z0-9+.-]{1,12}://[^\s，。；！？、）」”]{1,2000}|(?:[\w.~-]{1,64}/){1,20}[\w.~-]{0,64}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|`[^`\n]{1,300}`|\([^()\n]{1,200}\)|（[^（）\n]{1,200}）",
    re.IGNORECASE,
)
_STOP = re.compile(r"[。！？!?；;…]+|\.+|\n+")
_BULLET = re.compile(r"^\s*(?:[-*+•·]\s+|\(?\d{1,2}[.)、]\s*(?!\d)|#{1,6}\s+|[①-⑩]\s*|\[[ x]\]\s+)+")
_GOES_ON = re.compile(
    r"^\s*(?:because|since|so that|due to|that's why|the reason|reason:|that is because|this is because|otherwise|as it|因为|原因|理由|由于|所以|因此|否则|不然|这样(?:可以|能|就|才))",
    re.IGNORECASE,
)
_HAN = re.compile(r"[㐀-鿿]")


def sentences(text: str) -> list[str]:
    """Cut a text into sentences, at most `PIECES` + 1; each without a bullet before it."""
    whole = spans_of(text)
    found: list[str] = []
    start, at_span, sign, heading = 0, 0, "", ""
    for stop in _STOP.finditer(text):
        while at_span < len(whole) and whole[at_span][1] <= stop.start():
            at_span += 1
        if at_span < len(whole) and whole[at_span][0] <= stop.start() and stop.end() <= whole[at_span][1]:
            continue
        if not _ends(text, stop, start):
            continue
        heading = _add(found, text[start : stop.end()], sign, heading)
        start, sign = stop.end(), stop[0][0]
        if len(found) > PIECES:
            return found
    _add(found, text[start:], sign, heading)
    return found


def spans_of(text: str) -> list[tuple[int, int]]:
    """Give where urls, paths, addresses, quotations and brackets stand, which no stop cuts; the stop at a url's end is none of it."""
    spans = []
    for found in _WHOLE.finditer(text):
        end = found.end()
        if "://" in found[0] or "@" in found[0] or text[found.start()] not in '"“「`(（':
            while end > found.start() and text[end - 1] in ".,;!?":
                end -= 1
        spans.append((found.start(), end))
    return spans


def _ends(text: str, stop: re.Match[str], start: int) -> bool:
    """Say whether a stop ends a sentence."""
    sign = stop[0]
    if sign[0] == "\n":
        before, after = text[start : stop.start()], text[stop.end() : stop.end() + 80]
        is_wrapped = (
            len(sign) == 1 and after[:1].islower() and before.strip()[-1:].isalnum() and not _BULLET.match(after)
        )
        return not (is_wrapped and after[:1].isascii() and len(before) - before.rfind("\n") > 40)
    following = text[stop.end() : stop.end() + 1]
    if sign[0] in "。！？；…":
        return True
    if sign[0] in "!?":
        return not following or following.isspace() or not following.isascii() or following in "\"')]}"
    if sign[0] == ";":
        return not following or following.isspace() or not following.isascii()
    if following and not following.isspace():
        return bool(_HAN.match(following)) and not text[stop.start() - 1 : stop.start()].isdigit()
    if len(sign) > 1:
        return True
    word = text[max(start, stop.start() - 12) : stop.start()].split()[-1:]
    last = word[0].casefold().lstrip("(\"'") if word else ""
    if last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i"):
        return not following or (
            text[stop.end() :].lstrip()[:1].isupper()
            and last
            in ("etc", "inc", "ltd", "c", "r", "v", "min", "max", "est", "co", "corp", "a.m", "p.m", "u.s", "u.k")
        )
    return not (last.isdigit() and len(last) <= 2 and text[start : stop.start()].strip() == last)


def _add(found: list[str], sentence: str, sign: str, heading: str) -> str:
    """Take a sentence, as part of the one before where it only says why, or has no subject; give the label that stands over what follows.

    Args:
        found: what was cut before; the sentence goes there.
        sentence: with its bullet.
        sign: the stop before it.
        heading: a label in a line of its own ("Decisions:"), which speaks of each item of the list under it, or "".
    """
    is_item = _BULLET.match(sentence.lstrip("\n")) is not None
    said = " ".join(_BULLET.sub("", sentence.strip(), count=1).split())
    if not any(letter.isalnum() for letter in said):
        if found and said and said[0] in "?？":
            found[-1] += said
        return heading
    label = _heading(sentence.strip(), said)
    if label:
        found.append(said)
        return label
    if heading and is_item:
        found.append(f"{heading} {said}" if heading.isascii() else f"{heading}{said}")
        return heading
    if not found:
        found.append(said)
    elif _GOES_ON.match(said):
        space = " " if said[0].isascii() else ""
        found[-1] = f"{found[-1]}{space}{said}"
    else:
        _add_beside(found, said, sign)
    return ""


def _add_beside(found: list[str], said: str, sign: str) -> None:
    """Take a sentence behind another, with the subject of that one, or to it."""
    is_part = sign != "" and sign in ";；"
    if is_part:
        said = carried(found[-1], said)
    if sign and sign in ".;；" and stays_with(found[-1], said, sign):
        found[-1] = f"{found[-1]}{' ' if sign != '；' else ''}{said}"
        return
    if is_part:
        found[-1] = found[-1].rstrip(";； ")
    found.append(said)


def _heading(line: str, said: str) -> str:
    """Give a label that is all that a line says, with its colon ("## Lessons", "Decisions:", 规则：), else "" ."""
    titled = said.rstrip(":：*_ ")
    label = (
        label_of(fold(titled[:60]) + ":") if line.startswith("#") or said.rstrip("*_ ").endswith((":", "：")) else None
    )
    if label is None or label.end <= len(fold(titled)):
        return ""
    return f"{titled}:" if titled.isascii() else f"{titled}："
