"""One memory, one lifetime: how what was said is cut into pieces, and the seam for a model that does it better (DESIGN section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from casebook.conditions.fold import fold
from casebook.gate.candidate import CANDIDATE_CHARS, Candidate
from casebook.gate.drops import is_acknowledgement, is_chatter, is_greeting, is_question
from casebook.gate.own_words import own_words

Extract = Callable[[Candidate], Sequence[str]]
"""Cuts a candidate, whose text is its speaker's own words, into texts of one memory each. The seam for a model."""

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
    r"^(?:如果|若|假如|要是|当|虽然|尽管|由于|因为|既然|为了|除非|只要|只有|无论|不管|每当|每次|一旦|随着|对于|关于|根据|按照|通过|除了|比如|例如|其实|比起|与其|在[^,，]{1,12}(?:中|里|上|下|时|前|后)$)"
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
)
_OWN_SUBJECT = re.compile(r"^.{0,8}(?:我|你|他|她|项目|团队|公司|老板|领导|客户|服务|系统|接口|版本|分支)")
_JOINT = re.compile(
    r"(?P<turn>,? but (?:also )?(?=(?:don't|do not|hate|dislike|not a fan|can't stand)\b)|[，,]?\s?但是?(?=我?(?:很|特别|最|更|非常)?(?:不太?)?(?:喜欢|讨厌|爱|习惯|偏好)))"
    r"|[，,]\s*|\s(?:and|but)\s(?=(?:I|i)(?:'m|'ve|'d|'ll)?\s)",
    re.IGNORECASE,
)
"""Where a sentence may be cut; at a `turn` from what is liked to what is not it always is, since one piece has one polarity."""


def extract_sentences(candidate: Candidate) -> tuple[str, ...]:
    """Cut what was said into sentences, and into clauses where each can stand alone.

    Args:
        candidate: its text is cut; one that says its own kind, id or what it corrects is one piece already.

    Returns:
        The pieces in order, at most `PIECES`, one more where something was left. A clause that has no subject of its own gets the
        one before it. Abbreviations, versions, urls and paths are whole; a reason stays with what it is the reason of.
    """
    if candidate.kind is not None or candidate.id is not None or candidate.corrects is not None:
        whole = " ".join(candidate.text.split())
        return (whole,) if whole else ()
    pieces: list[str] = []
    for sentence in sentences(candidate.text):
        pieces += clauses(sentence)
        if len(pieces) > PIECES:
            break
    return tuple(pieces[: PIECES + 1])


def sentences(text: str) -> list[str]:
    """Cut a text into sentences, at most `PIECES` + 1; each without a bullet before it."""
    whole = _spans(text)
    found: list[str] = []
    start, at_span = 0, 0
    for stop in _STOP.finditer(text):
        while at_span < len(whole) and whole[at_span][1] <= stop.start():
            at_span += 1
        if at_span < len(whole) and whole[at_span][0] <= stop.start() and stop.end() <= whole[at_span][1]:
            continue
        if not _ends(text, stop, start):
            continue
        _add(found, text[start : stop.end()])
        start = stop.end()
        if len(found) > PIECES:
            return found
    _add(found, text[start:])
    return found


def _spans(text: str) -> list[tuple[int, int]]:
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


def _add(found: list[str], sentence: str) -> None:
    """Take a sentence, as part of the one before where it only says why."""
    said = " ".join(_BULLET.sub("", sentence.strip(), count=1).split())
    if not any(sign.isalnum() for sign in said):
        if found and said and said[0] in "?？":
            found[-1] += said
        return
    if found and _GOES_ON.match(said):
        space = " " if said[0].isascii() else ""
        found[-1] = f"{found[-1]}{space}{said}"
    else:
        found.append(said)


def clauses(sentence: str) -> list[str]:
    """Cut a sentence at the commas behind which something of its own begins."""
    if len(sentence) > 4000 or _CHOICE.search(fold(sentence)):
        return [part for part in _peeled(sentence) if part]
    spans = _spans(sentence)
    commas = [
        found
        for found in _JOINT.finditer(sentence)
        if not any(start <= found.start() < end for start, end in spans[:200])
    ][:200]
    parts: list[str] = []
    start = 0
    for comma in commas:
        before, after = sentence[start : comma.start()].strip(), sentence[comma.end() :].strip()
        if (comma["turn"] and before and after) or _parts(before, after):
            parts.append(before)
            start = comma.end()
    parts.append(sentence[start:].strip())
    end = sentence[-1] if sentence[-1] in "?？" else ""
    return _with_subjects([part for part in parts if part], end)


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


def _with_subjects(parts: list[str], end: str) -> list[str]:
    """Give each clause the subject of the one before where it has none; only "I" is carried over."""
    given: list[str] = []
    is_me = is_i = False
    for part in parts:
        said = re.sub(r"^(?:and|but|also|plus)\s+(?=\S)", "", part, flags=re.IGNORECASE) if given else part
        if said.startswith(("我", "本人")) and not said.startswith("我们"):
            is_me = True
        elif _OWN_SUBJECT.match(said) or said.startswith("我们"):
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
    if (
        verb.endswith("ing")
        and len(verb) > 4
        and (found["adverb"] or verb in ("learning", "living", "working", "studying", "using"))
    ):
        return f"I am {said}"
    if (
        verb in _PAST_VERBS
        or verb in ("hate", "dislike", "like", "love", "prefer", "don", "do", "can")
        or (found["adverb"] and verb.endswith("ed"))
    ):
        return f"I {said}"
    return said


@dataclass
class Batch:
    """Collects what is said and has it cut every so many turns, so that a model is asked once for several.

    Attributes:
        every: after how many turns the extractor is called; at least 1.
        extract: what cuts.
    """

    every: int
    extract: Extract = extract_sentences
    _turns: list[Candidate] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"expected at least 1 turn, got {self.every}")

    def add(self, candidate: Candidate) -> tuple[tuple[Candidate, tuple[str, ...]], ...]:
        """Take a turn; give what was collected with its pieces once there are enough, else nothing."""
        self._turns.append(candidate)
        return self.flush() if len(self._turns) >= self.every else ()

    def flush(self) -> tuple[tuple[Candidate, tuple[str, ...]], ...]:
        """Give what was collected, cut.

        Neighbours of one speaker, session and scope go to the extractor as one text, a turn a line; the answer belongs to the
        last of them.
        """
        turns, self._turns = self._turns, []
        groups: list[list[Candidate]] = []
        for turn in turns:
            if groups and _goes_with(groups[-1], turn):
                groups[-1].append(turn)
            else:
                groups.append([turn])
        return tuple((joined, tuple(self.extract(joined))) for joined in map(_joined, groups))


def _joined(turns: list[Candidate]) -> Candidate:
    """Give turns as one candidate, each turn's own words a line."""
    said = [own_words(turn.text) for turn in turns]
    return turns[-1].model_copy(update={"text": "\n".join(said) or turns[-1].text})


def _goes_with(group: list[Candidate], turn: Candidate) -> bool:
    same = all(getattr(group[-1], name) == getattr(turn, name) for name in Candidate.model_fields if name != "text")
    is_free = turn.id is None and turn.kind is None and turn.corrects is None
    return same and is_free and sum(len(each.text) + 1 for each in group) + len(turn.text) <= CANDIDATE_CHARS
