"""The words of a beginning: a day from which on something holds is never the day until which it does."""

from __future__ import annotations

import re

_BEGINS = (
    r"(?:starts?|starting|begins?|beginning|commences?|commencing|kicks? off|kicking off|kick-?off|resumes?|resuming|opens?|reopens?|takes? effect|takes? force|comes? into (?:force|effect)|"
    r"in (?:force|effect)|effective)"
)
STARTS_BEFORE = re.compile(
    rf"\b{_BEGINS}(?: only| again| here| officially| as planned)?(?:,? (?:on|in|at|from|as of|with|this coming))*(?: \d{{1,2}}(?::\d{{2}})? ?(?:am|pm)?(?:,? (?:on|of))?)? ?$"
    r"|\b(?:start|starts|starting|begin|begins|beginning|commence|commences|kick off|resume|resumes|beginning|kick-?off|launch(?:es)? of|start of|beginning of) [^,.;:!?]{1,45}?(?: (?:on|in|at|from|as of))?(?: \d{1,2}(?::\d{2})? ?(?:am|pm)?(?: on)?)? ?$"
    r"|\b(?:start|starting|beginning|begin|kick-?off|effective|opening)(?: (?:date|day|time))?(?: (?:is|will be|:|on|for))+ (?:on |at |in )?(?:\d{1,2}(?::\d{2})? ?(?:am|pm)?(?: on)? )?$|\b(?:start|starting|kick-?off) (?:date|day|time): ?$"
    r"|\b(?:(?:not|never|nothing|nobody) (?:earlier than|sooner than|until after)|no (?:earlier|sooner) than|earliest(?: on| is)?|at the earliest(?: on)?|not before|from|as from|as of|on or after|after|once|onwards? from|with effect from|in force from)(?: (?:the|on|about|around))? ?$"
    r"|(?:自从?|从|打从|由|始于|起始|开始于|过了|不早于|最早(?:是|在|于)?|待到?)\s?$"
    r"|(?:开始|启动|起始|生效|启用|施行|实施|开工|开学|入职|上任)(?:的)?(?:时间|日期|日|之日|于)?(?:是|为|在|:|于|定在|安排在|推迟到|提前到|改到)?\s?$",
)
"""What stands before a day from which on something holds."""

STARTS_AFTER = re.compile(
    r"^(?:,? ?(?:onwards?|and (?:later|after|beyond|on)|at the earliest)\b"
    r"|,? (?:(?:the|our|my|your|this|that|we|i|they|he|she|it|a|an|everyone|everybody) )?(?:[a-z'-]+ ){0,3}?(?:will |shall |is going to |are going to |is to |are to |finally |officially )?(?:starts?|begins?|commences?|kicks? off|resumes?|takes? effect|comes? into (?:force|effect)|is when .{1,40} (?:starts?|begins?))\b"
    r"|的?(?:之后|以后|后)(?![天面来端台续勤])"
    r"|[,]?(?:我们?|咱们?|大家|团队|项目|公司|全员|全体|这边|他们?)?(?:[^,。;]{0,6})?(?:将|会|就|要|才|再|正式|统一|全面|准备|打算)*(?:开始|启动|起(?![床来飞名])|生效|施行|实施|执行新|启用|开放|开工|开学|开赛|开业|开幕|恢复|入职|上任))"
)
"""What stands after a day from which on something holds."""


_NOT_BEFORE = re.compile(r"\b(?:not|never|nothing|nobody) (?:until|before)(?: the| on)? ?$|(?:不早于|不会早于)\s?$")
"""What is no limit although "until" and "before" are."""


def is_beginning(before: str, after: str) -> bool:
    """Say whether a day between these two stretches of a folded text is a beginning."""
    return STARTS_BEFORE.search(before) is not None or STARTS_AFTER.match(after) is not None


def is_not_before(before: str) -> bool:
    """Say whether a day behind this stretch is the first possible one ("not before Friday"), a beginning put like a limit."""
    return _NOT_BEFORE.search(before) is not None
