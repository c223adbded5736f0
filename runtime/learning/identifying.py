"""What may stand in a learnt case and what may not: identifiers, names of people, amounts, paths and free text may not.

All of it is told by form, since no list knows a host's arguments. Where a form is in doubt the answer is that it may not: a
condition that is not made costs a needless warning, an id in a case costs somebody's privacy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from casebook.runtime.journal.records import EventRecord

WORD_CHARS: Final = 24
"""Characters of a value that may be a choice among a few, such as `round_trip`."""
NAME_CHARS: Final = 40
"""Characters of an argument's name that is told."""
PREFIX_CHARS: Final = 32
"""Characters of the word before an id, such as `credit_card_`."""
DEPTH: Final = 6
"""How deep arguments are looked into."""
ITEMS: Final = 200
"""Values of one call that are looked at: a bound of time for arguments that hold a file."""

VALUE_CHARS: Final = 160
"""Characters of a value that may be somebody's name or an id."""
KNOWN: Final = 2_000
"""Values that are looked for in a text: a bound of time for arguments that hold a table."""

Path = tuple[str, ...]

_WORD: Final = re.compile(r"[A-Za-z]+(?:[_ -][A-Za-z]+){0,3}")
_WORD_ZH: Final = re.compile(r"[\u4e00-\u9fff]{1,8}")
_NAME: Final = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_PREFIX: Final = re.compile(r"((?:[a-z]{2,}[_-])+|(?:[A-Z]{2,}[_-])+)(?=[A-Za-z0-9]*\d)[A-Za-z0-9_-]+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_WORDS_OF_NAME: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u4e00-\u9fff]+")
_PEOPLE: Final = re.compile(
    """author|assignee|attendee|beneficiary|born|birthday|buyer|caller|candidate|client|colleague|contact|customer|daughter|
    dob|doctor|email|employee|family|first|full|given|guest|holder|husband|insured|invitee|last|lawyer|login|member|name|
    names|nick|nickname|nurse|organizer|owner|participant|passenger|passengers|patient|payee|payer|people|person|phone|
    physician|recipient|relative|requester|reviewer|sender|sibling|son|spouse|staff|student|submitter|subscriber|surname|
    tenant|traveler|traveller|user|username|users|wife|
    .*(?:姓名|名字|名称|昵称|称呼|用户|客户|顾客|买家|卖家|会员|乘客|旅客|患者|病人|学生|老师|教师|员工|同事|作者|家属|邮箱|电话|
    手机|微信).*|.*人|.*人员|.*名""",
    re.VERBOSE,
)
"""Words in an argument's name that say that its value is somebody."""
_THEIRS: Final = re.compile(
    """account|actor|address|agent|airport|alias|applicant|approver|arrival|bcc|brother|cc|child|children|city|coach|
    company|created|creator|departure|destination|diagnosis|disease|district|domain|driver|editor|employer|father|
    firm|follower|friend|from|gender|handle|host|hostname|lead|location|manager|medication|mentor|merchant|moderator|
    mother|nationality|organisation|organization|org|origin|parent|partner|place|player|principal|profile|religion|
    seller|sex|sister|slug|speaker|street|subject|supplier|team|teacher|to|tutor|updated|vehicle|vendor|victim|who|
    whom|with|witness|
    .*(?:地址|地点|位置|出发地|目的地|始发地|到达地|机场|车站|城市|街道|小区|公司|单位|部门|团队|供应商|商家|店铺|账户|账号|帐号|
    司机|医生|医院|学校|班级|者|员|经理|主管|顾问|性别|民族|国籍|宗教|疾病|诊断|药品)""",
    re.VERBOSE,
)
"""Words in an argument's name that say that its value may be somebody, or somebody's: where one goes, too."""
_THINGS: Final = re.compile(
    """action|attribute|branch|class|column|database|db|display|event|feature|field|file|function|image|job|key|method|
    model|module|option|package|param|parameter|plugin|property|rule|schema|script|server|service|skill|step|table|tag|
    task|template|test|tool|variable|.*(?:文件|函数|字段|变量|参数|模板|模块|接口|脚本|工具|分支).*|表|列|.*[表列类库]名""",
    re.VERBOSE,
)
"""Words in an argument's name that say that a name is a thing's: `file_name`."""
_IDENTIFYING: Final = re.compile(
    """code|guid|hash|id|ids|isbn|key|locator|no|nr|num|number|oid|password|pin|record|ref|reference|reservation|
    secret|sha|sku|ssn|token|uid|url|uri|uuid|
    .*(?:号|号码|单号|订单|密码|密钥|口令|令牌|验证码|代码|编码|身份证|车牌|银行卡|流水|标识|链接|网址)""",
    re.VERBOSE,
)
"""Words in an argument's name that say that its value is one of very many."""
_AMOUNTS: Final = re.compile(
    """amount|balance|cost|fee|price|salary|sum|total|.*(?:金额|价格|单价|总价|余额|费用?|工资|薪资|成本|数额|额度)""",
    re.VERBOSE,
)
_FREE: Final = re.compile(
    """answer|body|caption|comment|complaint|content|description|expression|feedback|html|input|instruction|instructions|
    keyword|keywords|message|messages|note|notes|prompt|q|query|question|reason|reply|response|script|search|sql|summary|
    term|text|thought|title|topic|
    .*(?:内容|说明|备注|标题|正文|查询|原因|理由|留言|描述|评论|评价|反馈|问题|消息|短信|摘要|文本|话术|回复|诉求|意见|建议|投诉|关键词|
    关键字).*""",
    re.VERBOSE,
)
"""Words in an argument's name that say that its value is written freely."""
_EDITED: Final = re.compile(
    "string|strings|str|patch|diff|edit|edits|replace|replacement|insert|insertion|pattern|regex|regexp"
)
"""Words in an argument's name that say that its value is of a file's text: `old_string`, `new_str`."""
_SOURCES: Final = frozenset({"newsource", "oldsource"})
"""Names, without what parts their words, of a notebook's text: `source` alone is where something is from."""


_KINDS: Final = re.compile("(?:类型|类别|种类|状态|方式|等级|级别|渠道|模式|语言|平台|格式|优先级|阶段)$")
"""Ends of a Chinese name whose value is a choice, whatever it begins with: 用户类型 is no user."""


def _has_word(path: Path, words: re.Pattern[str]) -> bool:
    """Say whether one of the words of some names is of a kind.

    `payment_id` and `paymentId` are `payment` and `id`; a Chinese name is one word, told by what it has in it or by its end.
    """
    found = (each.lower() for name in path for each in _WORDS_OF_NAME.findall(name))
    return any(words.fullmatch(each) for each in found if not _KINDS.search(each))


def is_personal(path: Path) -> bool:
    """Say whether an argument's value is somebody's name or the like, by the argument's own name."""
    return _has_word(path, _PEOPLE) and not _has_word(path, _THINGS)


def is_choice(path: Path) -> bool:
    """Say whether an argument may be a choice among a few words, by its name: no id, person, amount or free text."""
    return not is_of_text(path) and not any(
        _has_word(path, words) for words in (_PEOPLE, _THEIRS, _IDENTIFYING, _AMOUNTS, _FREE)
    )


def is_of_text(path: Path) -> bool:
    """Say whether an argument's value is text of a file that is edited or sought in, by its name: it is like no other call's."""
    return _has_word(path, _EDITED) or any(name.replace("_", "").lower() in _SOURCES for name in path)


def may_be_kind(path: Path) -> bool:
    """Say whether the word before an argument's ids may be told, by the argument's name: not where they are people's."""
    return not _has_word(path, _PEOPLE) and not _has_word(path, _THEIRS) and not is_of_text(path)


def is_word(value: str) -> bool:
    """Say whether a value may be one of a few words: letters alone, short, no digit, no path, no sentence."""
    return len(value) <= WORD_CHARS and bool(_WORD.fullmatch(value) or _WORD_ZH.fullmatch(value))


def is_tellable_name(name: str) -> bool:
    """Say whether the name of an argument may be told: an identifier of a program, and no id."""
    return len(name) <= NAME_CHARS and bool(_NAME.fullmatch(name)) and sum(map(str.isdigit, name)) <= 2


def prefix_of(value: str) -> str:
    """Give the words before an id (`credit_card_` of `credit_card_4421486`), or nothing where it has no such form."""
    found = _PREFIX.fullmatch(value) if len(value) <= 4 * PREFIX_CHARS else None
    if found is None or len(found[1]) > PREFIX_CHARS or max(map(len, _LETTERS.findall(found[1]))) < 3:
        return ""
    return found[1]


_ID_IN_TEXT: Final = re.compile(
    r"\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\b(?=[\w-]*\d)(?=[\w-]*[^\W\d])[\w-]{4,}(?<!-)"
    r"|\d[\d,.:/-]*\d{2,}|\d[\d,.:/-]+\d"
)
"""An id, an address, a date or an amount, wherever it may stand: wide, for values that are known to be a call's."""
_PLAIN_ID: Final = re.compile(
    r"\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\b[A-Za-z]\w*[_#-]\d{4,}\b"
    r"|\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{6,}\b"
    r"|\b(?=[a-f]*\d)(?=\d*[a-f])[a-f\d]{7,}\b"
    r"|[$€£¥￥]\s?\d[\d,.]*|\d[\d,.]*\s?(?:[$€£¥￥元]|(?:USD|EUR|GBP|CNY|RMB|dollars?|euros?)\b)"
    r"|\d{6,}"
)
"""What nobody takes for anything but an id, an address or an amount: narrow, for words that somebody wrote (`python3.11` and
`port 5433` stay)."""


def is_identifying(value: str) -> bool:
    """Say whether a value is an id, an address, a date or an amount, or has one in it; what is very long is taken for one."""
    return len(value) > 10 * VALUE_CHARS or bool(_ID_IN_TEXT.search(value)) or sum(map(str.isdigit, value)) >= 3


@dataclass(frozen=True, slots=True)
class Private:
    """What is somebody's, in lower case.

    Attributes:
        whole: whole values: names, ids, amounts.
        parts: the single words of names; they are told from other words by their capital letter alone.
    """

    whole: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()

    def has(self, words: str) -> bool:
        """Say whether a value is somebody's, or has a word that is."""
        lowered = words.strip().lower()
        return lowered in self.whole or any(
            each in self.whole or each in self.parts for each in _LETTERS.findall(lowered)
        )


def masked(text: str, private: Private) -> str:
    """Give a text with `…` for plain ids, addresses and amounts, and for whatever is private."""
    text = _PLAIN_ID.sub("…", text)
    if private.whole:
        text = re.sub("|".join(map(_bounded, _longest_first(private.whole))), "…", text, flags=re.IGNORECASE)
    if private.parts:
        several = (each for part in _longest_first(private.parts) for each in (part.capitalize(), part.upper()))
        text = re.sub("|".join(map(_bounded, several)), "…", text)
    return text


def _longest_first(words: frozenset[str]) -> list[str]:
    return sorted(words, key=lambda each: (-len(each), each))


def _bounded(words: str) -> str:
    """Give the pattern of a value as a word of its own; in Chinese, which has no spaces, wherever it stands."""
    before = "(?<![A-Za-z0-9])" if words[0].isascii() and words[0].isalnum() else ""
    after = "(?![A-Za-z0-9])" if words[-1].isascii() and words[-1].isalnum() else ""
    return f"{before}{re.escape(words)}{after}"


# -- what a call's arguments hold ----------------------------------------------------------------------------------------


def arguments_of(record: EventRecord) -> Mapping[str, Any]:
    """Give a record's arguments; none where it has none."""
    args = record.body.get("args")
    return args if isinstance(args, Mapping) else {}


def leaves_of(value: Any) -> Iterator[tuple[Path, Any]]:
    """Give the scalars in a value, each with the names on the way to it; items of a list stand under the list's name."""
    waiting: list[tuple[Path, Any]] = [((), value)]
    left = ITEMS
    while waiting and left:
        path, found = waiting.pop()
        left -= 1
        if isinstance(found, Mapping):
            if len(path) < DEPTH:
                waiting.extend(((*path, str(name)), each) for name, each in reversed(tuple(found.items())))
        elif isinstance(found, Sequence) and not isinstance(found, str):
            waiting.extend((path, each) for each in reversed(found[:ITEMS]))
        elif found is not None:
            yield path, found


def private_words(records: Sequence[EventRecord]) -> Private:
    """Give what is somebody's in some records: users, agents, teams, and the values of personal arguments."""
    names: set[str] = set()
    for record in records:
        principal = record.principal
        names.update(name for name in (principal.user, principal.agent, *principal.teams) if name)
        for path, value in leaves_of(arguments_of(record)):
            if isinstance(value, str) and is_personal(path):
                names.add(value[:VALUE_CHARS])
    whole = frozenset(lowered for name in names if len(lowered := name.strip().lower()) >= 2)
    return Private(
        whole, frozenset(part for name in whole for part in _LETTERS.findall(name) if len(part) >= 2) - whole
    )


def known_values(records: Sequence[EventRecord]) -> Private:
    """Give what must not be repeated of some records.

    That is `private_words`, and every id and amount in an argument or in the message of an error.
    """
    private = private_words(records)
    found: set[str] = set()
    for record in records:
        error = record.body.get("error")
        message = error.get("message") if isinstance(error, Mapping) else None
        for value in (message, *(value for _, value in leaves_of(arguments_of(record)))):
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                continue
            text = str(value)[: 10 * VALUE_CHARS]
            found.update(each[0].lower() for each in _ID_IN_TEXT.finditer(text))
            if value is not message and len(text) <= VALUE_CHARS and is_identifying(text):
                found.add(text.strip().lower())
        if len(found) > KNOWN:
            break
    return Private(private.whole | frozenset(filter(None, found)), private.parts)
