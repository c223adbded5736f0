"""Whether a statement is for something or against it: a negation within three tokens, in English and Chinese."""

from __future__ import annotations

import re

from casebook.gate.cue_set import compiled
from casebook.gate.own_words import view_of

WINDOW = 3
"""Tokens between a negation and the word that it turns (DESIGN section 7); two Chinese characters count as one token."""

_NEUTRAL = re.compile(
    "^不对|^不是[,，]|非常|选项|选手|没选|没问题|没关系|没事|不错|不仅|不但|不光|不只|不断|不同|不管|不论|无论|不过|不然|不妨|不得不|不客气|不好意思|不少|不止|不久|不如|"
    "差不多|好不容易|要不然?|是不是|能不能|可不可以|有没有|会不会|(?:不要|不能|别)忘(?:了|记)?|"
    "别的|别人|别处|特别|级别|类别|区别|分别|识别|个别|差别|性别|未来|无线|无障碍|而不是|而非|"
    r"\b(?:don't|do not|never|dont) (?:ever )?forget(?: to)?\b|\bnot (?:only|just)\b|\bno (?:problem|worries|doubt|matter)\b|"
    r"\b(?:why not|whether or not|if not)\b|\b(?:instead of|rather than)\b|[,;(] ?(?:and |but )?not (?!to\b|ever\b)|^no,"
)
"""What looks like a negation and is none, or turns something else than the statement."""

_NEGATION = (
    r"\b(?:do|does|did|is|are|was|were|has|have|had|will|would|should|could|ca|can|must|need|wo|ai)(?:n't|nt)\b"
    r"|\b(?:(?:must|should|may|will|would) (?:not|never)|no longer|not|never|no|nor|neither|cannot|nobody|none|nothing|hardly|without)\b"
    "|不再|不要|不用|不必|不能|不可以|不可|不会|不想|不需|不应|不该|不得|不准|不许|没有|并非|从不|绝不|切勿|请勿|不|没|别|勿|非|未|无"
)
_AGAINST = (
    r"\b(?:prefers? not|rather not|(?:prefer|rather)(?: it)?(?: if| that)? you (?:didn't|don't|not|wouldn't)|hates?|hated|dislikes?|disliked|avoid(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|refus(?:e|es|ed)|ban(?:s|ned)?|"
    r"disallow(?:s|ed)?|detests?|loathes?|disabled?|can't stand|cannot stand|allergic|stop(?:ped|s)? (?:using|doing))\b"
    "|讨厌|反感|厌恶|憎恶|受不了|拒绝|避免|禁止|严禁|禁用|停用|抵制|过敏|忌"
)
_FOR = (
    r"\b(?:likes?|liked|loves?|loved|prefers?|preferred|enjoys?|enjoyed|favou?rs?|wants?|wanted|needs?|uses?|used|using|choose|chose|"
    r"always|must|should|allows?|allowed|requires?|required|enables?|enabled|supports?|supported|works?|worked|keep|eats?|drinks?|"
    r"fan of|chosen|pick(?:s|ed)?|select(?:s|ed)?|opted|adopt(?:s|ed)?|going with|went with|happy with|into|agree)\b"
    "|喜欢|喜爱|偏好|更爱|爱用|偏爱|热爱|享受|想要|需要|使用|选|采用|改用|习惯|倾向|必须|应该|总是|一直|允许|启用|支持|赞成|同意|可以|用|吃|喝|要"
)
_ATOM = re.compile(f"(?P<against>{_AGAINST})|(?P<negation>{_NEGATION})|(?P<for>{_FOR})")
_BREAK = re.compile(
    r"[,;:!?。、()]|\.(?=\s|$)|\b(?:but|because|since|so|when|if|while|although)\b|但|却|因为|所以|如果|的时候|的话"
)
_TOKEN = re.compile(r"[a-z0-9_'+#.@/-]+|[^\x00-\x7f\s]")
_ABSOLUTE = re.compile(
    r"(?:never|do not|don't|dont|不要|不准|不许|不得|切勿|请勿|别|勿|不能|不可以|不可|must not|mustn't)"
)
_REASON = re.compile(r"\b(?:because|since|so that|in order to|due to)\b|因为|由于|以便|以免|是为了")

_MAY_BE_NEGATED = compiled(_NEGATION)
POLAR = compiled(f"{_AGAINST}|{_NEGATION}|{_FOR}")
"""Words that make a statement be for or against; what is left without them is its subject."""


def polarity_of(text: str) -> int:
    """Say whether a text is for what it speaks of or against it.

    Args:
        text: a statement.

    Returns:
        -1 where its first word of liking, using or demanding is negated within three tokens, or is itself against; where it has
        none, -1 where anything in it is negated; else +1. Reasons (after "because") do not count, nor do words that only look
        like negations (不错, 特别, "not only", "rather than").
    """
    return polarity_of_view(view_of(text))


def polarity_of_view(view: str) -> int:
    """Give `polarity_of` a text that was folded already."""
    seen = view
    if _MAY_BE_NEGATED.search(view):
        seen = _NEUTRAL.sub(lambda found: "_" * len(found[0]), view)
    reason = _REASON.search(seen)
    if reason is not None and reason.start() > 0:
        seen = seen[: reason.start()]
    sign, negation = 0, None
    for found in _ATOM.finditer(seen):
        if found["negation"]:
            if negation is None or _is_apart(seen, negation.end(), found.start()):
                negation = found
            continue
        turned = negation is not None and not _is_apart(seen, negation.end(), found.start())
        if negation is not None and not turned and _ABSOLUTE.fullmatch(negation[0]) and sign == 0:
            return -1
        own = -1 if found["against"] else 1
        sign = -own if turned else own
        break
    if sign:
        return sign
    return -1 if negation is not None else 1


def _is_apart(seen: str, end: int, start: int) -> bool:
    """Say whether a negation is too far off, or in another clause."""
    between = seen[end:start]
    if len(between) > 60 or _BREAK.search(between):
        return True
    tokens = 0.0
    for token in _TOKEN.finditer(between):
        tokens += 1 if token[0].isascii() else 0.5
    return tokens > WINDOW
