"""Whether somebody corrects what was said before, and what that correction takes the place of (P3)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from casebook.gate.cue_set import CueSet
from casebook.gate.order import order_of
from casebook.gate.own_words import view_of
from casebook.gate.words import Words

_WRONG = r"(?:that's|that is|that was|this is|it's) (?:wrong|incorrect|outdated|not (?:right|true|correct)|no longer (?:true|right))"
CORRECTION = CueSet(
    (
        rf"^(?:(?:no|nope|nah|wait|sorry|oops|well|ah|oh|hm+) ?[,.:;!-]* ?)*(?:actually|correction|i (?:was wrong|misspoke|meant)|to correct|scratch that|{_WRONG}|(?:i|we)(?:'ve| have)? changed (?:my|our) minds?|on second thoughts?|make that)\b",
        r"^(?:no|nope|nah|wrong|sorry|oops|wait) ?[,.:;!-]+ ?[a-z0-9'\"_./#@-]+ [^ ]",
        r"\b(?:is|are|was) no longer\b.{1,40}\b(?:but|now)\b|\bnot \S+ any ?more\b|\binstead of what i said\b",
        "^(?:不[对對]|不是的?[,, ]|[错錯]了|更正|[纠糾]正|我?[们們]?[说說][错錯]了|我?[记記][错錯]了|其[实實]|[准準][确確](?:地)?[说說]|改一下[,::]|应该是[^吗?]*不是|我[们們]?改主意了)|(?:不是[^,。]{1,12}[,,]?(?:而是|应该是|是))|已经不(?:是|用|在)[^,。]{1,12}了",
        "^(?:等(?:等|一下|下)|慢着|且慢)[,,。!]+ ?(?:[还還]是|[应應][该該]|改|[换換]|不是|不要|别|用)",
    )
)
"""P3: the user says that something said before is wrong."""
_CHANGED = CueSet(
    (
        r"\bno longer\b|(?:n't|\bnot\b|\bnever\b).{1,80}\bany ?more\b|\b(?:is|are|be) now\b|\b(?:now|from now on),? (?:we|i|it|the)\b|\b(?:we|i) now\b|\b(?:has|have|was|were|is) changed to\b",
        r"\bchange(?:d)? .{1,60} to\b|^(?:please )?(?:switch|change)(?: back| over)* to\b|\b(?:instead|now)[.! ]*$",
        "不再|已经不|现在(?:改|换|是|用|叫)|改成|改为|改用|换成|换为|换到",
    )
)
"""What says that something is otherwise than it was."""
_DENIAL = re.compile(
    r"^(?:(?:no|nope|nah|wait|hm+|sorry|oops|well|oh|ah|wrong|correction|scratch that|on second thoughts?|i (?:was wrong|misspoke)|(?:i|we)(?:'ve| have)? changed (?:my|our) minds?|"
    + _WRONG
    + r"|不[对對]|不是的?|[错錯]了|更正(?:一下)?|[纠糾]正(?:一下)?|我?[说說][错錯]了|我?[记記][错錯]了|改一下|我[们們]?改主意了|[准準][确確](?:地)?[说說]|等(?:等|一下|下)|慢着|且慢|不是 ?[^,，。是]{1,15}(?=[,，][^,，。]{2,}是))\s?[,，.。;；:：!！—-]+\s*"
    r"|(?:actually|(?:what )?i meant(?: was)?)(?: that)?\s?[,:;!…—–-]*\s+|其[实實](?:应该(?=用|选|放))?[,，]?\s*)+",
    re.IGNORECASE,
)
_LEAST = 3
"""Characters that have to be left of a correction, where the denial before it is taken off."""
_BARE = re.compile(
    r"^(?:please |let's )?(?:always )?(?:use|prefer|go with|choose|pick) [\w.+#/@-]+(?: please)?[.! ]*$|^(?:请|以后|我们)?(?:都|就)?(?:应该)?(?:用|选|使用|采用) ?[^,。的]{1,12}[。.! ]*$"
)
_CHOICE = re.compile(
    r"^(?:please |let's )?(?:always )?(?:use|prefer|go with|choose|pick) [\w.+#/@-]+(?:,? (?:and |but )?not [\w.+#/@-]+| (?:instead of|rather than|over) [\w.+#/@-]+)(?: please)?[.! ]*$"
    r"|^(?:请|以后|我们)?(?:还是|都|就)?(?:应该)?(?:改成|改为|换成)?(?:改用|换用|用|选|使用|采用) ?[^,。的]{1,12}(?:,(?:不要|别|不再|不)(?:再)?用 ?[^,。的]{1,12})?[。.! ]*$"
)
"""What is to be taken, and in place of what."""
_FEW = 3.0
"""So many words may stand where others stood (ours); two Chinese characters are one."""


def is_change(view: str) -> bool:
    """Say whether a folded text says that something is otherwise than it was ("no longer", "is now", 改成)."""
    return _CHANGED.holds(view)


def with_denials(pieces: Iterable[str]) -> list[str]:
    """Give pieces, one that only says that something is wrong ("I changed my mind", 不对) together with what is right."""
    joined: list[str] = []
    denial = ""
    for piece in pieces:
        whole = f"{denial}, {piece}" if denial else piece
        if denial and not CORRECTION.holds(view_of(whole)):
            joined.append(denial)
            whole = piece
        denial = whole.rstrip(" .!。！,，") if _DENIAL.fullmatch(whole.strip(" .!。！,，") + ", ") else ""
        if not denial:
            joined.append(whole)
    return [*joined, denial] if denial else joined


def is_bare_choice(view: str) -> bool:
    """Say whether a folded text only says what to take ("use npm", 用 npm), perhaps in place of what: all there is to say to correct it."""
    return _BARE.match(view) is not None or _CHOICE.match(view) is not None


def without_denial(text: str) -> str:
    """Take off the "no, actually" before what is right; all of it stays where nothing else is said."""
    left = _DENIAL.sub("", text, count=1)
    return left if len(left) >= _LEAST else text


def takes_place_of(new: Words, old: Words) -> bool:
    """Say whether a correction may be of a text: it says the same but for one place, where a few other words stand.

    Only for what is said to correct something: "Bob owns billing" may well stand beside "Alice owns billing".
    """
    mine, theirs = order_of(new.view), order_of(old.view)
    if mine.persons != theirs.persons or new.view == old.view:
        return False
    instead = " instead"
    if _BARE.match(new.view.replace(instead, "")) and _BARE.match(old.view):
        return True
    one, other = mine.parts, theirs.parts
    least = min(len(one), len(other))
    before = next((at for at in range(least) if one[at] != other[at]), least)
    after = next((at for at in range(least - before) if one[-1 - at] != other[-1 - at]), least - before)
    slots = one[before : len(one) - after], other[before : len(other) - after]
    return _words(one[:before] + one[len(one) - after :]) >= 1 and all(0 < _words(each) <= _FEW for each in slots)


def _words(parts: tuple[str, ...]) -> float:
    return sum(1.0 if part.isascii() or len(part) > 1 else 0.5 for part in parts)
