"""What asks that something known be forgotten, in English and Chinese, and what of it names the thing that is to go (R4)."""

from __future__ import annotations

import re

from casebook.gate.own_words import view_of

_POLITE = (
    r"(?:(?:please|pls|kindly|just|now|ok|okay|and|also|so|hey|actually|you (?:can|may|should|could)|(?:can|could|would|will) you|"
    r"i(?:'d| would)? (?:want|like|need|rather|prefer) (?:you|that you)(?: to)?)[, ]+)*"
)
_KEPT_OF = r"(?:i|we)(?:'ve| have)? (?:just |ever )?(?:said|told you|mentioned|asked|wrote)"
_NOT = r"(?:don't|do not|dont|no need to|there is no need to|never|you (?:don't|do not|needn't) (?:need to |have to )?|didn't|not to)"
_ENGLISH = re.compile(
    rf"^{_POLITE}(?:"
    r"(?:forget|forgot) (?:about|that|what|whatever|everything|anything|all|my|me|it|this|the|our|i|we|where|how|which|who|those|these|them)\b"
    r"|forget(?: (?!to\b|not\b)[\w'-]+){1,4}[.!?]*$"
    rf"|{_NOT} ?(?:remember|memori[sz]e)\b(?! to\b)"
    rf"|{_NOT} ?(?:keep|save|note|store|record|write down)\b (?:it|this|that|them|my|what (?:i|we)|anything (?:i|we|about (?:me|us|it)))\b"
    r"|(?:stop|quit) remembering\b|no longer (?:remember|keep)\b|i (?:don't|do not|didn't) want (?:you to (?:remember|keep|know|store)|(?:it|this|that) (?:remembered|kept|stored))\b"
    r"|archive (?:this|that|it|the (?:memory|note|fact)|my)\b|unpin\b|drop (?:the|that|this) memory\b"
    r"|(?:delete|erase|remove|wipe|clear|drop) (?:the |that |this |my |your |all |any |every )*(?:memory|memories|note|notes)(?: (?:about|of|that|on|where|you)\b|[.!?]*$)"
    r"|(?:delete|erase|remove|wipe|clear|drop|take) .{1,80} (?:from|out of) (?:your |the )?(?:memory|memories|notes)(?![\w-])"
    r"|(?:delete|erase|remove|wipe) (?:what|everything|all|anything)(?: that)? (?:you (?:know|remember|have|keep)|(?:i|we) (?:said|told))\b"
    rf"|(?:never mind|nevermind|ignore|disregard|scratch|strike|take back) (?:what|everything|all|whatever)(?: that)? {_KEPT_OF}\b"
    rf"|i take back (?:what|everything)\b"
    r")"
    r"|[,;.] (?:please )?(?:don't|do not) (?:remember|save|store|keep|note|memori[sz]e) (?:it|this|that|them)\b"
)
_ASKS_ZH = (
    "(?:(?:请(?:你|您)?|麻烦(?:你|您)?|(?:你|您)?(?:可不可以|可以|能不能|能否|能|最好|还是)|我?(?:想|要|希望)(?:让|请)?(?:你|您)|"
    "让(?:你|您)|帮(?:我|忙)|给我|现在|那就?|就|快|赶紧|干脆)[,, ]?)*"
)
_NOT_ZH = "(?:不用|不必|不要|不需要|无需|无须|别|甭|不准|不许)"
_KEEP_ZH = "再?(?:帮我|替我|给我)?记(?:住|着|得|下来?|在)?(?![录错混反仇账帐笔事性忆])"
_DOES_ZH = "带|写|加|改|跑|提交|关|开|做|打|设|更新|检查|密码|登|发|删|交|合并|重启|部署|测|保存|备份|推|拉|问|看|去|回|买|还|装|传|填|换|签|锁|叫|通知|处理"
_THING_ZH = "(?:(?:这|那)(?:条|个|件事|些|点)|的事情?|的(?:那|这)(?:条|些)|的?(?:记忆|记录)|的话)"
_CHINESE = re.compile(
    rf"^{_ASKS_ZH}(?:"
    rf"(?:忘掉|遗忘)|忘(?:了|记)(?!{_DOES_ZH})"
    rf"|归档(?:掉|吧|了)?(?:我|关于|这|该|那|它|一下|$|[:,。 ])|{_NOT_ZH}{_KEEP_ZH}|取消(?:置顶|记住|记忆)"
    rf"|(?:删(?:掉|除|了)|清(?:除|空|掉)|抹掉|去掉)(?:.{{0,30}}的)?(?:这|那|所有|全部|一切)?(?:条|个|些)?(?:的)?(?:记忆|记录$)"
    rf"|把.{{0,30}}?(?:{_THING_ZH}|我说的.{{0,20}}?|(?:所有|全部|一切).{{0,10}}?)(?:都|给|全)*(?:忘(?:了|掉|记)|删(?:了|掉|除)|归档|抹掉|清(?:除|掉|空)|去掉)"
    rf"|把.{{1,30}}?(?:忘(?:了|掉)|从记忆(?:里|中)(?:删|去|抹|清).?)"
    rf"|我?(?:不想|不希望|不愿意?|不要)(?:让)?(?:你|您){_KEEP_ZH}|我?(?:想|希望)(?:让)?(?:你|您)(?:忘(?:了|掉|记)|{_NOT_ZH}{_KEEP_ZH})"
    rf")"
    rf"|(?:把)?(?:这|那)(?:条|个|件事)?(?:记忆|偏好)?(?:就|都|请|你|可以)*(?:归档|忘(?:了|掉)|不用再?记|别记)"
    rf"|^.{{1,30}}{_THING_ZH}(?:就|都|请|你|可以|全)*(?:忘(?:了|掉|记)|{_NOT_ZH}再?记)(?:吧|了|掉)*[。.! ]*$"
    rf"|{_NOT_ZH}再?记(?:了|住|着|这|它|得|下)*(?:吧)?[。.! ]*$"
    rf"|当(?:作|做)?我(?:没|没有)(?:说|讲|提)(?:过|吧)?[。.! ]*$"
)
_OPENING = (
    re.compile(
        rf"^{_POLITE}(?:forg[eo]t|{_NOT} ?(?:remember|memori[sz]e|keep|save|note|store|record|write down)|(?:stop|quit) remembering|"
        r"no longer (?:remember|keep)|i (?:don't|do not|didn't) want you to (?:remember|keep|know|store)|archive|unpin|"
        r"delete|erase|remove|wipe|clear|drop|take|never mind|nevermind|ignore|disregard|scratch|strike|take back|i take back)\b"
    ),
    re.compile(
        rf"^{_ASKS_ZH}(?:我?(?:不想|不希望|不愿意?|不要)(?:让)?(?:你|您){_KEEP_ZH}|(?:我?(?:想|希望)(?:让)?(?:你|您))?(?:忘掉|遗忘|忘(?:了|记)|归档(?:掉|吧|了)?|{_NOT_ZH}{_KEEP_ZH}|"
        "取消(?:置顶|记住|记忆)|删(?:掉|除|了)|清(?:除|空|掉)|抹掉|去掉|把))"
    ),
)
_ABOUT = re.compile(
    rf"^(?:(?:that|about|of|on|regarding|the|what(?:ever)?|everything|anything|all|(?:thing|fact|memory|memories|note|part|bit)s?|"
    rf"{_KEPT_OF}|earlier|before|just now|yesterday|last time|to you)(?![\w'])|[,:;.?! ])+"
)
_ABOUT_ZH = re.compile(
    "^(?:我(?:刚才|之前|以前|上次|曾经?)?(?:跟你|对你|和你)?(?:说|讲|提|告诉你)(?:过|到)?的?|关于|有关|[,:;。?! ])+"
)
_ENDING = re.compile(
    r"(?:[,. ]*(?:please|any ?more|any longer|(?:from|out of) (?:your |the )?(?:memory|memories|notes))[?!. ]*)+$"
    rf"|(?:{_THING_ZH}|(?:都|给|全|就|请|你|可以)*(?:忘(?:了|掉|记)|删(?:了|掉|除)|归档|抹掉|清(?:除|掉|空)|去掉|{_NOT_ZH}再?记(?:住|着|得|下)?)"
    r"|当(?:作|做)?我(?:没|没有)(?:说|讲|提)过?|[,, ](?:please )?(?:don't|do not) (?:remember|save|store|keep|note|memori[sz]e) (?:it|this|that|them)"
    r"|从记忆(?:里|中)|了|吧|掉|好吗|可以吗|行吗|吗|[?!.。,: ])+$"
)
_POINTING = re.compile("(?:it|this|that|them|those|these|one|这|那|它|这个|那个|这条|那条|这件事|那件事|这些|那些)?$")
_EVERYTHING = re.compile(
    rf"^{_POLITE}(?:forget|delete|erase|remove|wipe|clear) (?:(?:me|us|everything|all|all of it|all (?:my|your|the) memories|my memories|"
    rf"all my data|what you (?:know|remember|have|keep))(?: (?:that )?{_KEPT_OF}| (?:that )?you (?:know|remember|have|keep)| (?:about|of) (?:me|us)| ever| so far)*)[.!? ]*$"
    rf"|^{_ASKS_ZH}(?:把)?(?:你)?(?:忘|删|清|抹)?(?:了|掉|记|除|空)?(?:我|你|关于我的?|(?:你)?(?:记得|知道|记住)的|说过?的|告诉你的|跟我有关的|的)*"
    r"(?:一切|所有|全部)(?:的|记忆|事情?|话|东西|内容|信息|都|全)*(?:忘|删|清|抹)?(?:了|掉|记|除|空)?吧?[。.! ]*$"
    rf"|^{_ASKS_ZH}忘(?:了|掉|记)我吧?[。.! ]*$"
)


_AT_PRESENT = re.compile(
    r"\b(?:now|still|currently|nowadays|these days|at the moment|at present|already)\b|现在|目前|当前|如今|眼下|仍然|依然|还是?(?=[住在用是])|已经|了$"
)


def without_present(text: str) -> str:
    """Give a text without the words that only say that it is so at present (now, still, 目前): who forgets it says it with or without."""
    left = " ".join(_AT_PRESENT.sub(" ", text).split()).replace(" .", ".").replace(" ,", ",")
    return (left if text.isascii() else _BETWEEN_HAN.sub("", left)) or text


_BETWEEN_HAN = re.compile("(?<=[㐀-鿿]) (?=[㐀-鿿])")


def asks_to_go(view: str) -> bool:
    """Say whether a folded piece asks that something be forgotten ("forget that …", "别记…了"), and does not only tell of forgetting."""
    return _ENGLISH.search(view) is not None or _CHINESE.search(view) is not None


def asks_all_to_go(view: str) -> bool:
    """Say whether a folded piece names everything that is known ("forget everything I told you", "忘了我说的一切")."""
    return _EVERYTHING.search(view) is not None


def what_is_to_go(text: str) -> str:
    """Give what of a piece names the thing that is to go, folded; "" where nothing does ("forget it", "别记了")."""
    left = _ENDING.sub("", view_of(text))
    for pattern in (*_OPENING, _ABOUT, _ABOUT_ZH):
        left = pattern.sub("", left, count=1)
    left = _ENDING.sub("", left.strip())
    return "" if _POINTING.match(left) else left
