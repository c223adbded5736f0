"""A sentence is cut into clauses that can stand alone, each with its subject."""

from __future__ import annotations

import re

from casebook.conditions.fold import fold
from casebook.gate.drops import is_acknowledgement, is_chatter, is_greeting, is_question
from casebook.gate.kinds import kind_of, kind_scores
from casebook.gate.own_words import view_of
from casebook.gate.sentences import spans_of
from casebook.gate.subjects import with_subjects
from casebook.kinds import Kind

_HAN = re.compile(r"[㐀-鿿]")
_CONTRAST = re.compile(
    r"^(?:and |but )?(?:never|not|always|no|only|instead)\b|^(?:而)?(?:不|别|绝不|从不|只|一律|永远)(?!太?喜欢|爱|习惯|过)",
    re.IGNORECASE,
)
"""How a clause begins that says what the one before it rules out, or always holds beside it: one rule, one memory."""
_CHOICE = re.compile(
    r"\b(?:decided|chose|chosen|picked|opted|went with|going with|settled on|selected|decision)\b|决定|选了|选定|选用|选择了|采用|改用|定了|敲定|最终用|没选|放弃|(?:后来|最后)(?:就|还是|又)?(?:改?用|换|选)"
)
_DENIAL = re.compile(r"(?:no|nope|wait|sorry|actually|correction|不对|不是的?|不)", re.IGNORECASE)
_RECALLED = re.compile(r"^\s*(?:请|你)?(?:永久|永远|长期)?(?:记住|记一下|记得|注意|提醒我)$")

_OPENS_DEPENDENT = re.compile(
    r"^(?:作为|如果|若|假如|要是|当|虽然|尽管|由于|因为|既然|为了|除非|只要|只有|无论|不管|每当|每次|一旦|随着|对于|关于|根据|按照|通过|除了|比如|例如|其实|比起|与其|在[^,，]{1,12}(?:中|里|上|下|时|前|后)$)"
    r"|(?:的时候|时候|的话|之后|以后|之时|时|后|情况下|来说|来讲|看来|而言)$"
    r"|^(?:if|when|whenever|because|since|although|though|after|before|unless|while|as|in|for|to|once|given|even|despite|instead|until|whether|with|without|during|by|on|at|from)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"^(?:因为|所以|但(?:是)?(?!我)|但我们|但要|而(?:不|且|是|非)|并(?:且|要|在|将|把|非)?|也(?!在)|还(?!在)|就|则|否则|不然|以免|以便|避免|这样|除非|才|再|然后|即|比如|例如|包括|其中|尤其|特别是|原因|理由|没选|不选|没用|不用|不是|以及|和|或|甚至|只要|只是|只有|不过|如果|要不|免得|防止|从而|于是|因此|毕竟|那|它|其(?!实)|这(?!周|个?月|几|阵|段|两)|该|结果|导致|必须|需要|要|不要|不能|别|不(?!太?喜欢|爱|习惯)|都|一律)"
)
_NEW_CHINESE = re.compile(
    r"^(?:但|而|还有|另外|顺便|对了)?(?:我|你|他|她|咱|大家|项目|团队|公司|领导|老板|客户|用户|请|帮我|麻烦|"
    r"之前|以前|从前|过去|曾|早年|去年|前年|后来|最近|近期|近来|目前|现在|当前|眼下|今天|今晚|今早|明天|明早|后天|昨天|这周|本周|下周|上周|这个?月|下个?月|本月|月底|年底|周[一二三四五六日末]|\d{1,2}月|\d{4}年|\d{1,2}号|"
    r"平时|平常|日常|一般|通常|经常|以后|今后|往后|每天|每周|每次|回答|回复|报告|代码|文档|"
    r"(?:很|特别|最|不太?|也|更|比较|非常|都)?(?:喜欢|讨厌|偏好|习惯|爱好|爱用|受不了)|在学|正在|住在?|来自|负责|擅长|毕业|工作|从事|主要(?:用|做|写)|做过|写过|用过|有[一二两三四五六七八九十\d]+年|决定|能不能|可以帮|怎么|为什么|什么)"
)
_NEW_ENGLISH = re.compile(
    r"^(?:and |but |also |plus |so |then )*(?:i|i'm|im|i've|i'd|i'll|my|we|we're|we've|our|you|your|please|can you|could you|would you|will you|how|what|why|where|when (?:is|are|do|does|will)|do you|does|is there|are there|"
    r"previously|formerly|earlier|before that|lately|recently|currently|nowadays|these days|right now|now|today|tonight|tomorrow|this (?:week|friday|month)|next (?:week|friday|month)|from now on|going forward|"
    r"born|based in|living in|let's|the (?:\w+ ){1,3}(?:is|are|was|runs|has|uses|lives|needs)|it's|(?:weekly |monthly |the )?(?:\w+ )?(?:report|deadline|release|demo|review) (?:is |was )?due)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?P<turn>,? but (?:also )?(?=(?:don't|do not|hate|dislike|not a fan|can't stand)\b)|[，,]?\s?但是?(?=我?(?:很|特别|最|更|非常)?(?:不太?)?(?:喜欢|讨厌|爱|习惯|偏好)))"
    r"|[，,]\s*|\s(?:and|but)\s(?=(?:I|i)(?:'m|'ve|'d|'ll)?\s)"
    r"|(?P<we>\sand\s(?=(?:we|(?:our|the|my) team)(?:'ve)? (?:(?:have|has|had|all|just|finally|already|now|recently) )*(?:decided|chose|chosen|picked|opted|went with|settled|selected|agreed)\b))",
    re.IGNORECASE,
)
"""Where a sentence may be cut; at a `turn` from what is liked to what is not it always is, since one piece has one polarity."""


def clauses(sentence: str) -> list[str]:
    """Cut a sentence at the commas behind which something of its own begins; a decision is whole, and who says it is none of it."""
    if len(sentence) > 4000:
        return [part for part in _peeled(sentence) if part]
    end = sentence[-1] if sentence[-1] in "?？" else ""
    spans = _cut(sentence)
    if not _CHOICE.search(fold(sentence)):
        return with_subjects([sentence[start:stop] for start, stop in spans], end)
    first, last = _choice_among(sentence, spans)
    if first == last == 0 and len(spans) == 1:
        return [part for part in _peeled(sentence) if part]
    whole = (spans[first][0], spans[last][1])
    return with_subjects([sentence[start:stop] for start, stop in (*spans[:first], whole, *spans[last + 1 :])], end)


def _cut(sentence: str) -> list[tuple[int, int]]:
    """Give where the clauses stand that can stand alone."""
    spans = spans_of(sentence)[:200]
    commas = [
        found for found in _JOINT.finditer(sentence) if not any(start <= found.start() < end for start, end in spans)
    ][:200]
    parts: list[tuple[int, int]] = []
    start = 0
    for comma in commas:
        before, after = sentence[start : comma.start()].strip(), sentence[comma.end() :].strip()
        if comma["we"]:
            is_cut = _SPEAKER.match(before) is not None
        else:
            is_cut = bool(comma["turn"] and before and after) or _parts(before, after)
        if is_cut:
            parts.append((start, comma.start()))
            start = comma.end()
    parts.append((start, len(sentence)))
    return [place for place in (_stripped(sentence, *each) for each in parts) if place[0] < place[1]]


def _stripped(sentence: str, start: int, stop: int) -> tuple[int, int]:
    said = sentence[start:stop]
    return start + len(said) - len(said.lstrip()), stop - len(said) + len(said.rstrip())


_SPEAKER = re.compile(r"^(?:(?:and|but|also|so|now) )?(?:i|i'm|im|i've|i'd|my)\b|^(?:我(?!们)|本人)", re.IGNORECASE)
_THEREFORE = re.compile(r"^(?:and )?(?:so|therefore|hence|thus|that's why)\b|^(?:所以|因此|于是|故|那)", re.IGNORECASE)


def _choice_among(sentence: str, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Give the first and the last clause of the decision in a sentence.

    Greetings and who the speaker is come before it, what else the speaker does comes behind it; reasons and alternatives are its own.
    """
    said = with_subjects([sentence[start:stop] for start, stop in spans], "")
    chosen = [place for place, part in enumerate(said) if _CHOICE.search(fold(part))]
    first, last = 0, len(said) - 1
    while first < min(chosen, default=0) and (
        _says_nothing(said[first])
        or (_is_of_the_speaker(said[first], ("identity", "usage")) and not _THEREFORE.match(said[first + 1]))
    ):
        first += 1
    while last > max(chosen, default=last) and _is_of_the_speaker(said[last], ("identity", "usage", "temporary")):
        last -= 1
    return first, last


def _is_of_the_speaker(said: str, kinds: tuple[Kind, ...]) -> bool:
    return _SPEAKER.match(said) is not None and kind_of(kind_scores(view_of(said))) in kinds


def _peeled(sentence: str) -> list[str]:
    """Take a greeting off a sentence that is one piece."""
    head, comma, rest = sentence.partition("，") if "，" in sentence[:12] else sentence.partition(", ")
    if comma and rest and _says_nothing(head):
        return [head, rest]
    return [sentence]


def _says_nothing(clause: str) -> bool:
    view = fold(clause)
    return len(view) <= 40 and (is_greeting(view) or is_acknowledgement(view) or is_chatter(view))


def _parts(before: str, after: str) -> bool:
    """Say whether a comma parts two things that can stand alone."""
    if not before or not after:
        return False
    if _DENIAL.fullmatch(before):
        return False
    if _says_nothing(before):
        return True
    head = after[:60]
    if _OPENS_DEPENDENT.search(before[-60:] if len(before) > 60 else before) or _RECALLED.match(before):
        return False
    if _CONTRAST.match(head):
        return False
    if _HAN.match(head) or (_HAN.search(before) and _HAN.search(head)):
        if _says_nothing(after) or (is_question(fold(after[:200])) and not is_question(fold(before[:200]))):
            return True
        return (
            len(_HAN.findall(before)) + len(re.findall(r"[A-Za-z]+", before)) >= 3
            and not _JOINS.match(head)
            and bool(_NEW_CHINESE.match(head))
        )
    return len(before.split()) >= 3 and bool(_NEW_ENGLISH.match(head)) and len(after.split()) >= 2
