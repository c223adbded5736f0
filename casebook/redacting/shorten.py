"""A long text cut in its middle: what went wrong stands at the beginning or at the end of it."""

from __future__ import annotations

_TELLING = " … [{:,} characters left out] … "


def shortened(text: str, chars: int) -> str:
    """Give a text of at most `chars` characters: its beginning, how many characters were left out, and its end.

    Two thirds of the room go to the beginning. Where there is no room to tell, the text is cut at its end with `…`.

    Args:
        text: any text.
        chars: the most that comes back; below 1 nothing does.
    """
    if len(text) <= chars:
        return text
    room = chars - len(_TELLING.format(len(text)))
    if room < 12:
        return text[: chars - 1] + "…" if chars > 0 else ""
    first = room * 2 // 3
    last = room - first
    told = _TELLING.format(len(text) - first - last)
    return text[:first] + told + text[len(text) - last :]
