"""A person's sentence in its parts: what it forbids, what it puts something against, when, what to use, why. By words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from casebook.runtime.teaching.clauses import opened

Kind = Literal["forbidden", "contrast", "when", "use", "fine", "reason", "ask", "stress", "rest"]

_NEVER_EN: Final = (
    r"never(?:\s+ever)?|under no circumstances|must ?n[’']?o?t(?:\s+ever)?|must never|should never|may not|(?:it is |it[’']s )?(?:strictly )?forbidden to"
    r"|(?:(?:you|we) are |it is )?not allowed to"
)
_NEVER_ZH: Final = "绝对?不(?:要|能|可以?|允许|得|准|许)?|永远(?:都)?(?:不要|不能|不可以?|不得|别|不)|决不(?:要|能|可以?|允许)?|从不|严禁|禁止|不准|不许|不得|不允许|切勿"
_DONT_EN: Final = (
    r"don[’']?t(?:\s+ever)?|do not|stop|avoid|should ?n[’']?o?t|should not|cannot|can not|can[’']?t|no more"
)
_DONT_ZH: Final = (
    "(?<!要)不要|(?<!能)不能|(?<!可)不可以?|不应该?|不该|请勿|勿|(?<![特分级区个性类识辨差])别(?!的|人|名|说|处)"
)
_FORBIDDING: Final = re.compile(
    rf"(?P<never>\b(?:{_NEVER_EN})(?=\W|$)|{_NEVER_ZH})|(?P<dont>\b(?:{_DONT_EN})(?=\s)|{_DONT_ZH})", re.IGNORECASE
)
_FORBIDDEN_IS: Final = re.compile(
    r"^(?P<what>.+?)\s+(?:is|are)\s+(?:strictly |absolutely |always )?(?:forbidden|not allowed|never allowed|prohibited|banned|off limits)(?!\s+to\b)(?P<tail>\W.*)?$"
    r"|^(?P<passive>.+?)\s+(?:must ?n[’']?o?t|must never|should never|may never|can never)\s+be\s+(?:used|run|called|executed|allowed)(?P<more>\W.*)?$"
    r"|^(?P<zh>.+?)\s*(?:是|被)?(?:绝对|严格|严令)?(?:禁止|不允许|不准|不被允许)的?\W*$",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:no|not|nobody|nothing|none|that|whether|why|rules?|said|say|says|think|thought|who)\b|n[’']t\b|没|不|说|规定|谁|为什么|是否|并非",
    re.IGNORECASE,
)
"""What stands before a forbidding word and makes it something told or denied, and no order."""
_USING: Final = re.compile(
    r"^\s*(?:(?:to\s+)?(?:ever\s+)?(?:use|using|run|running|call|calling|execute|executing|invoke|invoking)\s+(?=\S)"
    r"|(?:再|直接|擅自|随便|手动|私自|去|通过|再次)*(?:使用|运行|执行|调用|用|跑|加上?|带上?)?\s*(?:命令\s*)?)",
    re.IGNORECASE,
)
_UNDONE: Final = re.compile(
    r"^\s*(?:to\s+|ever\s+)*(?:forget|fail|skip|ignore|miss|omit|neglect|hesitate|bypass|leave\s+out|overlook|refuse|worry|mind|be\s+afraid|drop|disregard)(?:t?ing)?\b(?:\s+to\b)?"
    r"|^\s*(?:忘记?了?|漏[掉了]?|跳过|省略?|忽略|遗漏|错过|犹豫|绕过|忽视|略过|少了?|害怕|嫌)",
    re.IGNORECASE,
)
"""Verbs of leaving something undone: who forbids them orders it."""
_TAIL: Final = re.compile(
    r"\s+(?=(?:before|after|until|till|unless|except|apart\s+from|other\s+than|if|when(?:ever)?|while|because|since|without|instead\s+of|rather\s+than|so\s+that|during|once|but|even\s+(?:if|when|for))\b)"
    r"|\s*(?=(?:除非|除了|因为|而不是|而非))",
    re.IGNORECASE,
)
_RUN: Final = "".join(
    f"(?<!{each})" for each in ("docker", "podman", "npm", "pnpm", "yarn", "bun", "uv", "cargo", "go", "poetry", "kubectl", "gh", "pipenv", "pdm")
)  # fmt: skip
_WHEN: Final = re.compile(
    r"\b(?P<how>before|after|when(?:ever)?|while|every time|each time|if)\s+(?:(?:you|we|i)\s+)?(?P<what>\S.*?)"
    rf"(?=\s+(?:always|please|make sure|never|don[’']?t|do not|you must|ask|check|use|but|instead|unless|because|since)\b|{_RUN}\s+run\b|\s*$)"
    r"|(?P<zhs>\S[^，。；,;]{0,40}?)(?:之前|之后|的时候|的時候|的话)"
    r"|(?P<zh>\S[^，。；,;]{0,40}?)(?:以前|前|之時|时)(?=\s*(?:先|要|都|必须|必須|请|請|记得|一定|得|应|需|不|别|绝|禁|严禁|永远|切勿|决|检查|确认|跑|$))",
    re.IGNORECASE,
)
_WHERE: Final = r"(?P<where>(?:after|when(?:ever)?|if|once|while|with|in|on|from|during|between|at)\s+\S.*?)"
_ONLY: Final = (
    re.compile(
        rf"^(?P<what>\S.*?)\s+(?:(?:is|are|must|may|should|can|allowed|fine)\s+)*only\s+(?:(?:be|happens?|runs?|done|used|allowed|executed)\s+)*{_WHERE}$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:(?:please|you|we|should|must|may|can|always)\s+)*only\s+(?:(?:run|use|call|execute)\s+)?(?P<what>\S.*?)\s+{_WHERE}$",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?P<what>\S.*?)\s+{_WHERE}\s+only$", re.IGNORECASE),
)
"""`git push only after pytest`, `only git push if pytest passes`."""
_CONTRAST: Final = re.compile(
    r"\b(?:instead of|rather than|in place of|(?<!do )(?<!should )(?<!must )(?<!can )(?<!is )(?<!are )(?<!does )(?<!did )(?<!has )not)\s+(?!(?:allowed|ever|sure|yet|only|even|always|that|be|been|supposed|necessary|needed|to)\b)(?:using\s+|use\s+|with\s+)?(?P<what>\S.*?)(?=\s+(?:but|instead|unless|use|because|since)\b|\s*$)"
    r"|(?:而不是|而非|不是|代替|替代|取代)\s*(?:用|使用)?\s*(?P<zh>\S.*?)\s*$",
    re.IGNORECASE,
)
_USE: Final = re.compile(
    r"^(?:(?:and|but|instead|always|please|just|then|you\s+should|we)\s+)*(?:use|using|prefer|run|call|take|try|go\s+with|switch\s+to|open|create|make|send|write|do|let|update|check|tell|show|leave|keep|add|put|set)\s+(?P<what>.+?)(?:\s+instead)?$"
    r"|^(?:请|应该|应|而是|而要|一律|都|要|必须|得|只能|先)*(?:改用|换成|使用|改成|改为|用|走)\s*(?P<zh>.+)$",
    re.IGNORECASE,
)
_FINE: Final = re.compile(
    r"^(?:but\s+|only\s+)?(?P<what>.+?)\s+(?:is|are)\s+(?:fine|ok(?:ay)?|allowed|good|permitted|all\s?right)$"
    r"|^(?:except|apart\s+from|other\s+than)(?:\s+for|\s+with)?\s+(?P<but>.+)$"
    r"|^unless\s+(?:it\s+is|it[’']s)\s+(?P<is>.+)$"
    r"|^(?:但是?)?(?P<zh>.+?)\s*(?:是?可以的?|没问题|没关系|除外|例外|是允许的)$|^除(?!非)了?\s*(?P<zhbut>.+?)\s*(?:之外|以外|外)?$",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"^(?:because|since|as\s+it|so\s+that|it|they|this|that|these|those|which|otherwise|or\s+else|or\s+(?:it|we|you|they))\b"
    r"|^(?:因为|由于|否则|不然|要不然|会|它|这会|这样会|那会|太|容易|以免|免得|防止)",
    re.IGNORECASE,
)
_STRESS: Final = re.compile(
    r"^(?:ever|please|period|full\s+stop|no\s+exceptions?|thanks?(?:\s+you)?|ok(?:ay)?|seriously|at\s+all|no\s+matter\s+what|again|i\s+mean\s+it|understood|got\s+it|even\s+(?:if|when|for)\b.*"
    r"|rule|important|note|warning|切记|注意|重要|规则|谢谢|记住|无一例外|没有例外|无论如何|任何情况下都?|拜托|好吗|明白吗)$",
    re.IGNORECASE,
)
_ASK: Final = re.compile(
    r"^(?:(?:and|but|always|please)\s+)*ask\b|^(?:要|请|必须)?先?(?:问|征得|经过?)\s*(?:一下)?我", re.IGNORECASE
)
_LIMITS: Final = re.compile(
    r"\b(?:only|unless|except|if|when(?:ever)?|while|until|till|during|outside|once|applies|holds|counts|depends|tonight|today|tomorrow|nights?|mornings?|evenings?|weekends?|weekdays?|holidays?|freeze|hours?|o[’']clock|[ap]m|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|midnight|noon|lunch|vacations?|summer|winter|christmas|january|february|april|june|july|august|september|october|november|december)\b"
    r"|\bin\s+(?:march|may|spring|autumn)\b|^(?:on|at|in|during|for|from|between|within)\b"
    r"|如果|除非|只有|仅|的时候|的话|期间|周[一二三四五六日天末]|星期|礼拜|晚上|夜|凌晨|早上|上午|下午|节假日|假期|[\d一二三四五六七八九十]\s*月|月底|月初|年底|点(?:以后|之后|以前|之前|后|前)|没有.*时$",
    re.IGNORECASE,
)
"""Words that say of when, or of what alone."""
_LEAD: Final = re.compile(
    r"^(?:(?:and|but|so|also|then|please|you|we|i|agents?|everyone|always|remember|note|here|just|should|must|are|to)(?=\W|$)"
    r"|(?:in|for|inside)\s+(?:this|the|our|my)\s+(?:repo(?:sitory)?|project|codebase)\b"
    r"|任何人|所有人|任何情况下|任何时候|无论如何|从今以后|以后|今后|note\s+that\b|你们?|我们?|大家|一定|绝对|务必|必须|千万|但是?|而且|并且|也|都|在?(?:这个|本|该)(?:仓库|项目|代码库)[里中]?|[\s,，:：])+",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(
    r"(?<=\S)[,;](?=\s|[\u4e00-\u9fff]|$)\s*|[，。；！？：]\s*|(?<=[^\s.])[.!?:](?=\s|$)\s*|\s+[-–—]{1,2}\s+|(?:^|\s+)\((?=\S)|[（）]|(?<=\S)\)(?=\s|$|[.,;])"
    r"|\s+(?:and|but|so)\s+(?=(?:never|don[’']?t|do not|use|instead)\b)|\s+(?=(?:use|but use)\s+[^\s,;]+(?:\s+[^\s,;]+){0,3}\s+instead\b)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence.

    Attributes:
        kind: what it says of the rest.
        text: all of its words, as they stand there.
        what: what it speaks of.
        beside: what stands before a forbidding word.
        tails: what stands behind what is forbidden and limits it, gives its reason, or an exception.
        never: whether it forbids for good.
        how: of a `when`: its first word; "" in Chinese.
    """

    kind: Kind
    text: str
    what: str = ""
    beside: str = ""
    tails: tuple[str, ...] = ()
    never: bool = False
    how: str = ""


def parts_of(text: str) -> tuple[Part, ...]:
    """Give the parts of a sentence, in their order."""
    parts: list[Part] = []
    for segment in _segments(opened(text)):
        for each in _parts_in(segment):
            if each.kind == "rest" and parts and parts[-1].kind == "forbidden" and _continues(each.text):
                parts[-1] = replace(parts[-1], what=f"{parts[-1].what}, {each.text}")
            else:
                parts.append(each)
    return tuple(parts)


def forbids(text: str) -> bool:
    """Say whether a sentence forbids something for good, itself and not by what it tells of others: `never …`, `禁止…`."""
    return any(each.kind == "forbidden" and each.never for each in parts_of(text))


def limits(text: str) -> bool:
    """Say whether words limit when something holds, or to what: `only`, `at night`, `如果`."""
    return _LIMITS.search(text.strip()) is not None


def limit_in(text: str) -> str:
    """Give the words of a piece of a sentence that limit it, to its end; "" without any."""
    found = _LIMITS.search(text.strip())
    return text.strip()[found.start() :] if found is not None else ""


def tail_of(text: str) -> Part:
    """Read what stands behind what is forbidden."""
    return _closed(text) or Part("rest", text)


def _segments(text: str) -> Iterator[str]:
    codes = [each.span() for each in re.finditer(r"`[^`\n]*`", text)]
    at = 0
    for each in _SEPARATOR.finditer(text):
        if not any(begin < each.start() < end for begin, end in codes):
            yield text[at : each.start()].strip()
            at = each.end()
    yield text[at:].strip()


def _parts_in(segment: str) -> Iterator[Part]:
    if not re.search(r"\w", segment):
        return
    forbidden = _forbidden(segment)
    if forbidden is not None:
        yield from forbidden
        return
    if (closed := _closed(segment)) is not None:
        yield closed
        return
    if re.match(r"(?:(?:but|and|so)\s+)?only\s+(?:after|when|if|once|while)\b", segment, re.IGNORECASE):
        yield Part("rest", segment)
        return
    only = next(filter(None, (each.match(segment) for each in _ONLY)), None)
    if only is not None:  # what is to be done first is the good command: the sentence is about the other
        yield Part("when", only["what"].strip(), only["what"].strip(), how="only")
        yield Part("rest", f"only {only['where'].strip()}")
        return
    contrast = _CONTRAST.search(segment)
    if contrast is not None:
        before = segment[: contrast.start()].strip()
        yield from _parts_in(before)
        yield Part("contrast", contrast[0].strip(), (contrast["what"] or contrast["zh"]).strip())
        yield from _parts_in(segment[contrast.end() :].strip())
        return
    when = _WHEN.search(segment)
    if when is not None:
        yield from _parts_in(segment[: when.start()].strip())
        yield _when(when)
        yield from _parts_in(segment[when.end() :].strip())
        return
    use = _USE.match(segment)
    if use is not None:
        yield Part("use", segment, (use["what"] or use["zh"]).strip())
        return
    yield Part("rest", segment)


def _when(found: re.Match[str]) -> Part:
    what = (found["what"] or found["zhs"] or found["zh"]).strip()
    return Part("when", found[0].strip(), _UNDONE.sub("", what).strip(), how=(found["how"] or "").casefold())


def _forbidden(segment: str) -> list[Part] | None:
    stated = _FORBIDDEN_IS.match(segment)
    if stated is not None and not _DENIED.search(named := stated["what"] or stated["passive"] or stated["zh"]):
        lead = _LEAD.match(named)
        head, *tails = _with_tails(f"{named[lead.end() if lead else 0 :]} {stated['tail'] or stated['more'] or ''}")
        return [Part("forbidden", segment, head, "", tuple(tails), never=True)]
    found = _FORBIDDING.search(segment)
    if found is None:
        return None
    before = segment[: found.start()]
    lead = _LEAD.match(before)
    prefix = before[lead.end() :].strip() if lead is not None else before.strip()
    when = _WHEN.search(prefix)
    parts: list[Part] = []
    if when is not None and when.end() >= len(prefix) - 1:
        parts += _parts_in(prefix[: when.start()])
        parts.append(_when(when))
        prefix = ""
    if _CONTRAST.search(prefix) or (_DENIED.search(prefix) and not prefix.endswith("就")):  # `没有…就不要` says when
        return [*parts, Part("rest", segment)]
    rest = segment[found.end() :]
    if _UNDONE.match(rest):
        order = _UNDONE.sub("", rest, count=1).strip()
        within = _WHEN.search(f" {order}")
        if within is None:
            return [*parts, Part("rest", segment)]
        return [*parts, Part("rest", segment[: -len(within[0])].strip() or segment), _when(within)]
    rest = rest[using.end() :] if (using := _USING.match(rest)) is not None else rest
    head, *tails = _with_tails(rest)
    return [*parts, Part("forbidden", segment, head, prefix, tuple(tails), never=found["never"] is not None)]


def _with_tails(text: str) -> list[str]:
    """Give what is forbidden, and each of what stands behind it and limits it."""
    head, *tails = _TAIL.split(f"\0{text}")
    return [_clean(head.lstrip("\0")), *(each.strip() for each in tails)]


def _closed(segment: str) -> Part | None:
    if _STRESS.match(segment):
        return Part("stress", segment)
    if _ASK.match(segment):
        when = _WHEN.search(segment)
        return None if when is not None else Part("ask", segment)
    fine = _FINE.match(segment)
    if fine is not None:
        return Part("fine", segment, _clean(next(filter(None, fine.groups()))))
    if re.match(r"(?:instead\s+of|rather\s+than|而不是|而非)\s*\S", segment):
        return None
    if _REASON.match(segment) and not limits(re.sub(r"^\w+\s*", "", segment)):
        return Part("reason", segment)
    return None


def _continues(segment: str) -> bool:
    return re.match(r"(?:or|nor|and|或者?|和|及)\s*\S+$", segment) is not None


def _clean(text: str) -> str:
    return text.strip().strip(".!?。！？：").strip() if not re.search(r"\s[./]*\.$", text) else text.strip()
