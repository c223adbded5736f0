"""Who a clause is about: one that has no subject of its own takes the "I" of the one before, or stays with it."""

from __future__ import annotations

import re

from casebook.conditions.fold import fold
from casebook.gate.drops import is_fragment, is_question
from casebook.gate.labels import label_of

_HAN = re.compile(r"[㐀-鿿]")
_ADVERB = r"(?:previously|formerly|earlier|lately|recently|currently|nowadays|now|also|mostly|usually|these days|at the moment)"
_BARE_ENGLISH = re.compile(rf"^(?:and |but )?(?P<adverb>(?:{_ADVERB} )*)(?P<verb>[a-z]+)\b", re.IGNORECASE)
_ENGLISH_I = re.compile(r"^(?:and |but |also )?(?:i|i'm|im|i've|i'd|my)\b", re.IGNORECASE)
_PAST_VERBS = frozenset(
    [
        "did",
        "built",
        "worked",
        "used",
        "wrote",
        "led",
        "ran",
        "made",
        "spent",
        "studied",
        "lived",
        "moved",
        "taught",
        "was",
        "had",
        "maintained",
        "shipped",
        "joined",
    ]
)
_NEEDS_SUBJECT = re.compile(
    r"^(?:之前|以前|从前|过去|曾|早年|去年|前年|后来|最近|近期|近来|目前|现在|当前|今天|今晚|明天|后天|这周|本周|下周|月底|年底|周[一二三四五六日末]|平时|平常|日常|一般|通常|经常|"
    r"(?:很|特别|最|不太?|也|更|比较|非常)?(?:喜欢|讨厌|偏好|习惯|爱用|受不了)|在学|正在|住在?|来自|负责|擅长|毕业|主要|做过|写过|用过|有[一二两三四五六七八九十\d]+年|从事)"
    r"|^(?:以后|今后)(?:会|主要|就)?(?:负责|做|跟|带)"
)
_ITS_VERB = re.compile(
    r"^(?:(?:主要|以后|今后|现在|目前|之前|平时|最近|也|还|很|特别|最|不太?)*(?:负责|擅长|从事|喜欢|讨厌|偏好|习惯|在学|在做|住在?|来自|做过|写过|用过))"
)
"""A verb that stands first: what follows it is its object, whoever that is."""
_OWN_SUBJECT = re.compile(r"^.{0,8}(?:我|你|他|她|项目|团队|公司|老板|领导|客户|服务|系统|接口|版本|分支)")

_HOW = r"(?:only|just|on|at|in|to|from|with|without|the|an?|no|not|as|by|via|over|under|into|every|all|its|about|after|before|through|for|and|per|up|out|off|each|once|twice|daily|between|against|until|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|most|more|less|around|roughly|\d)"
_AUXILIARY = r"(?:is|isn't|are|aren't|was|were|has|hasn't|have|had|does|doesn't|can|cannot|can't|must|should|will|won't|would|may|might)"
_WITHOUT_ENGLISH = re.compile(
    r"^(?:(?:and|but|or|so|then|also|plus|only|just|still|however|instead|otherwise|thus|hence|therefore|except|including|which|who|whose|where|both|neither|it|its|it's|they|they're|their|them)\b"
    r"|(?:this|that|these|those) (?:is|are|was|were|means|makes|lets|way|has|must|should|can|will)\b"
    rf"|(?:[a-z]+ly |now |never |always |no longer )*(?:{_AUXILIARY}\b|(?:[a-z]*[a-rt-z]s|[a-z]+ed|runs?) (?:{_HOW}\b|[A-Z`\"]))"
    r"|(?:never|not|no|only|\S+) ?\S*$|(?:never|not|only|just|mostly) (?:in|on|at|for|with|by|from|to|via|over|under|as|the|an?)\b"
    r"|(?:in|on|at|for|during|after|before) [^,]{1,40}?,? (?:it|they|its|their)\b"
    r"|(?:in|on|at|for|with|without|by|from|to|via|over|under|as|per|during|after|before|since|until)\b(?!.*\b(?:we|i|you|they|use|run|always|never|must|should|is|are|has)\b))"
)
_WITHOUT_CHINESE = re.compile(
    r"^(?:只|仅|也|还|又|并|且|而|但|都|不|没|未|需|要|得|会|能|可|应|须|必须|用|在|由|从|对|把|将|按|以|支持|使用|监听|返回|依赖|包含|包括|默认|每|部署|运行|跑在|存|写入|读|基于|提供|负责|端口|地址|其|它|该|此|这样|这些|那|因此|所以|于是|通过|超时|一(?:天|周|年|个月|次)|耗时|占用|大约|约|最多|最少|至少|一般|通常|平时|默认)"
)
_SERVES = re.compile(
    r"^(?:Also |Only |Now |Always |Never )?(?:[Ll]istens|[Rr]uns|[Uu]ses|[Rr]eturns|[Rr]eads|[Ww]rites|[Nn]eeds|[Rr]equires|[Ss]upports|[Ll]ives|[Tt]akes|[Ee]xpects|[Aa]ccepts|[Dd]epends|[Cc]ontains|[Ss]tores|[Ee]xposes|[Ss]erves|"
    r"[Hh]andles|[Ss]ends|[Rr]eceives|[Ee]xpires|[Ee]victs|[Ss]peaks|[Pp]refers|[Ll]ikes|[Hh]ates|[Hh]as|[Dd]oesn't|[Ii]sn't|[Ll]ogs|[Cc]alls|[Ss]its|[Ss]tarts|[Rr]estarts|[Bb]acks) (?!(?:are|is|must|should)\b)\S"
)
_IMPERATIVE = re.compile(
    r"^(?:please|always|never|don't|do not|use|keep|run|write|put|avoid|prefer|ensure|make|tag|sign|squash|name|no|only)\b|^(?:请|别|不要|勿|禁止|必须|先|务必)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"^(?:(?:and |but |also )?(?:i|i'm|im|i've|i'd|my|we|our)\b|我)", re.IGNORECASE)
_NAMED = re.compile(
    r"^(?:i|i'm|i've|we|my|our|the|you|he|she|your|this|each|every)\b|^(?:我|你|他|她|团队|项目|公司)", re.IGNORECASE
)


def stays_with(before: str, said: str, sign: str) -> bool:
    """Say whether what stands behind a stop is part of what stands before it: it has no subject of its own, and that has one.

    Args:
        before: what stands before the stop.
        said: what stands behind it.
        sign: the stop. Behind a full stop only a verb with nobody who does it ("Listens only on localhost.") stays; behind a
            semicolon whatever has no subject does, and everything that is said under one label.
    """
    if label_of(fold(before[:200])) is not None and sign in ";；":
        return not _NAMED.match(said) and label_of(fold(said[:200])) is None
    if sign == ".":
        return _SERVES.match(said) is not None and not _lacks_subject(before) and not _FIRST_PERSON.match(before)
    if is_fragment(fold(said)):
        return True
    if _IMPERATIVE.match(before) and _IMPERATIVE.match(said):
        return False
    return sign in ";；" and _lacks_subject(said) and not _lacks_subject(before)


def _lacks_subject(said: str) -> bool:
    if _HAN.match(said):
        return _WITHOUT_CHINESE.match(said) is not None
    return _WITHOUT_ENGLISH.match(said) is not None


def carried(before: str, said: str) -> str:
    """Give what stands behind a semicolon with the "I" of what stands before it, where it needs one."""
    return with_subjects([before, said], "")[1]


def with_subjects(parts: list[str], end: str) -> list[str]:
    """Give each clause the subject of the one before where it has none; only "I" is carried over."""
    given: list[str] = []
    is_me = is_i = False
    for part in parts:
        said = re.sub(r"^(?:and|but|also|plus)\s+(?=\S)", "", part, flags=re.IGNORECASE) if given else part
        if said.startswith(("我", "本人")) and not said.startswith("我们"):
            is_me = True
        elif (_OWN_SUBJECT.match(said) and not _ITS_VERB.match(said)) or said.startswith("我们"):
            is_me = False
        elif is_me and _NEEDS_SUBJECT.match(said) and not is_question(fold(said + end)):
            said = f"我{said}"
        if _ENGLISH_I.match(said):
            is_i = True
        elif is_i and given:
            said = _with_i(said)
        given.append(said)
    return given


def _with_i(said: str) -> str:
    """Give an English clause that begins with a verb its "I"."""
    found = _BARE_ENGLISH.match(said)
    if found is None or _HAN.search(said):
        return said
    verb = found["verb"].casefold()
    if found["adverb"] and verb in ("a", "an", "the"):
        return f"I am {said}"
    if (
        verb.endswith("ing")
        and len(verb) > 4
        and (found["adverb"] or verb in ("learning", "living", "working", "studying", "using"))
    ):
        return f"I am {said}"
    if (
        verb in _PAST_VERBS
        or verb
        in (
            "hate",
            "dislike",
            "like",
            "love",
            "prefer",
            "don",
            "do",
            "can",
            "work",
            "live",
            "speak",
            "lead",
            "study",
            "teach",
            "manage",
            "maintain",
        )
        or (found["adverb"] and verb.endswith("ed"))
    ):
        return f"I {said}"
    return said
