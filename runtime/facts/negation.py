"""Whether a word is negated: a negation within three tokens before it, in the same clause."""

from __future__ import annotations

import re

import re2

WINDOW = 3
"""Tokens before a word in which a negation reaches it (DESIGN section 5)."""
_REACH = 96
_TRAIL = 48

_NEUTRAL = (
    "能不能|可不可以|行不行|好不好|要不|不如|不过|不但|不仅|不光|不得不|不妨|不然|不错|不好意思|对不起|没问题|没事|没错|"
    "别忘了?记?|不要忘了?记?|别忘记|特别|级别|类别|区别|个别|分别|识别|性别|告别|差别|别人|别的|未来|无论|没关系|"
    "不断|不同|不久|不少|不止|不管|不论|没想到|毫不犹豫|差不多|不难|不客气|不用客气|"
    r"\b(?:do not|don't|dont|never) (?:forget|hesitate)(?: to)?|can't wait to|cannot wait to|not only|no problem|no worries|"
    r"why (?:not|don't (?:you|we))|if not|whether or not"
)
_NEGATION = (
    "不要|不用|不必|不准|不许|不能|不可以?|不想|不需要?|不应该?|不再|无需|无须|没必要|没有必要|没有|没让|没叫|没打算|禁止|严禁|"
    "停止|避免|暂停|暂缓|取消|拒绝|切勿|请勿|勿|先别|别|甭|莫|未|免|不|没|无|已经|已|曾经?|刚刚|刚才|被|而不是|反对|防止|"
    r"\b(?:do|does|did|is|are|was|were|has|have|had|will|would|should|could|can|must|need)(?:n't| not)|"
    r"\b(?:dont|doesnt|didnt|wont|cant|shouldnt|isnt|arent|cannot|not|no|never|without|avoid|stop|skip|neither|nor|forbid|prevent|"
    r"refuse|prohibit|already|instead of|rather than|refrain from|hold off(?: on)?|no need to|nobody|none)\b"
)
_LIGHT = r"(?:to|the|an?|any)\b|把|给|向|对|再|又|也|就|去|来|在|先|了|的|地|得|让|跟|和|或|或者|并|与|及|从|将|为|这|那|条|个|封|笔|份|些|位|次|一|、"
_COMMON = (
    "用户|客户|所有|全部|任何|大家|他们|我们|你们|它们|这个|那个|这些|那些|现在|立刻|马上|今天|明天|昨天|晚上|凌晨|随便|直接|自动|"
    "主动|擅自|随意|再次|继续|急着|着急|生产|测试|线上|环境|代码|文件|数据|邮件|消息|通知|提交|删除|部署|推送|发布|退款|支付"
)
_TOKEN = re.compile(
    rf"(?P<break>\b(?:but|instead,|however)\b|但是?|而是|不过|只要|␟|\.(?=\s))"
    rf"|(?P<neutral>{_NEUTRAL})|(?P<negation>{_NEGATION})|(?P<light>{_LIGHT})"
    rf"|(?P<word>{_COMMON}|[a-z0-9_'+#@-]+|[^\x00-\x7f\s])"
)
_CLAUSE_ENDS = (b",", b";", b":", b"!", b"?", b"\n", "。".encode())
_AFTER = re.compile(
    r"[^.!?;\n。,]{0,6}(?:(?:先|就|暂时|还是)?(?:不要|不用|别|免)了?(?:做|弄|搞|动|发|推)?(?=[。,!?;\n]|$)|算了|先缓|缓一缓|以后再说|再说吧|不做了)"
    r"|(?:通知|消息|功能|服务|任务)?(?:先|都|全|全都|统统|一律|暂时|也|给我|帮我){0,2}(?:关掉|关了|关闭|关上|停掉|停了|停一下|暂停|屏蔽掉?|撤掉)(?:吧|了|一下)*\s*(?=[。,!?;\n]|$)"
    r"|\s*(?:\w+\s+){0,3}?(?:is not needed|isn't needed|can wait|is off the table|not yet|later\b.{0,3}not now)"
)

_SCREEN = re2.compile(_NEGATION)
_DONE = re.compile("(?:完|好|过|完成)?了(?![吧啊它这那])")
_ASKED = re2.compile("可以|能|该|要|把|将|请|帮|麻烦|赶紧|快")
_AFTER_SCREEN = re2.compile("了|不|别|免|关|停|屏蔽|撤|算了|缓|再说|needed|can wait|off the table|not yet|later")


def negated(raw: bytes, first: int, start: int, end: int) -> bool:
    """Tell whether the word at a place is negated.

    Args:
        raw: the folded text, UTF-8.
        first: where its sentence begins.
        start: where the word begins.
        end: where it ends.

    Returns:
        True where one of the three tokens before it, in its clause, denies it, forbids it, or says it is done already
        (`don't`, `without`, `不要`, `先别`, `已经`), or what follows takes it back (`退款就不用了`). A token is an
        English word, a Chinese character, or one of a few common Chinese words; particles (`给`, `把`) are none.
    """
    low = max(first, start - _REACH)
    for mark in _CLAUSE_ENDS:
        low = max(low, raw.rfind(mark, low, start) + 1)
    if _SCREEN.search(raw[low:start]) is not None and _denied(raw[low:start].decode("utf-8", "ignore")):
        return True
    after = raw[end : end + _TRAIL]
    if _AFTER_SCREEN.search(after) is None:
        return False
    rest = after.decode("utf-8", "ignore")
    if _DONE.match(rest) is not None and _ASKED.search(raw[low:start]) is None:
        return True
    return _AFTER.match(rest) is not None


def _denied(before: str) -> bool:
    """Tell whether one of the last tokens of a clause's beginning is a negation."""
    tail: list[bool] = []
    for found in _TOKEN.finditer(before):
        kind = found.lastgroup
        if kind == "break":
            tail.clear()
        elif kind != "light":
            tail.append(kind == "negation")
    return True in tail[-WINDOW:]
