"""Whether a prompt corrects what the agent has just done: "no, use …", "不对", "以后不要…". By words, at the prompt's beginning."""

from __future__ import annotations

import re

from casebook.gate.own_words import own_words

_MOST = 600
"""Characters: who types more begins something new (ours)."""

_ENGLISH = re.compile(
    r"\s*(?:(?:oh|hey|wait|hm+|ok(?:ay)?|sorry|please)[,.! ]+)*(?:"
    r"no[,.!:;—-]+\s|no\s*$|nope\b|no,|not like that|that(?:'s| is| was)(?: just)? (?:wrong|not (?:right|what|how))|(?:that|this) is wrong|wrong[,.! ]|"
    r"don'?t (?:do|use|run|call|touch|ever|push|commit|delete)\b|do not (?:do|use|run|call|touch|push|commit|delete)\b|never (?:do|use|run|call|push|commit|delete)\b|"
    r"stop (?:doing|using|running)\b|actually,? (?:no\b|use\b|don'?t\b|it(?:'s| is| should)|you should)|instead[, ]+(?:use|run|do)\b|"
    r"use \S+(?: \S+){0,3} instead\b|you should(?:n'?t| not| have| rather)\b|i (?:said|told you|meant|asked (?:you )?(?:for|to))\b|next time\b|from now on\b|"
    r"why did you\b|undo that\b|revert that\b)",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"\s*(?:(?:哎|喂|等等|等一下|嗯|请)[，,。！! ]*)*(?:不对|不是(?:这样|这个|让你|要|叫你)|错了|你错|别(?:这样|再|用|动|推|删|提交|跑|执行)|"
    r"不要(?:这样|再|用|动|推|删|提交|跑|执行)|不能(?:这样|用|直接)|以后(?:不要|别|都|请|要|先|用)|下次(?:不要|别|请|要|先|用)|应该(?:用|先|是|改)|"
    r"我(?:说|要|让你|不是说|是说)(?:的是|用|过|了)?|改用|换成|停下|撤回|回退|为什么(?:要|又|不))"
)


def corrects(prompt: str) -> bool:
    """Say whether a prompt that comes right after a call corrects it.

    Args:
        prompt: the person's words; quotations, code and logs in it are nobody's correction.
    """
    words = own_words(prompt).strip()
    return bool(words) and len(words) <= _MOST and bool(_ENGLISH.match(words) or _CHINESE.match(words))
