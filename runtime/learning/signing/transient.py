"""Which errors pass by themselves: what they say, in English and Chinese, and what only looks so."""

from __future__ import annotations

import re

_PASSING = re.compile(
    r"(?<![a-z])(?:time[sd]?[ -]?out|timeout(?:error|exception|expired)?|deadline exceeded|etimedout|esockettimedout|econnreset|econnaborted|econnrefused|epipe|ehostunreach|enetunreach|enetdown|eai_again|"
    r"connection (?:was |has been |is )?(?:forcibly )?(?:reset|refused|aborted|closed|lost|dropped|terminated|interrupted)|reset by peer|broken pipe|server has gone away|lost connection|"
    r"rate[ _-]?limit(?:ed|s|ing)?|ratelimit\w*|too many (?:requests|connections|clients)|throttl(?:ed|ing)\w*|quota exceeded for|slow ?down|"
    r"(?:try|retry)(?: again)? (?:later|in (?:a|\d)|after)|please retry|temporar(?:y|ily)|overloaded|server (?:is )?busy|service unavailable|bad gateway|gateway time-?out|internal server error|"
    r"serviceunavailable\w*|internalservererror|badgateway|unavailable|deadlock(?: found| detected)|could not serialize access|lock wait timeout|database is locked|resource temporarily|eagain|"
    r"network is unreachable|no route to host|temporary failure in name resolution|unexpected eof|eof occurred|connection ?reset ?error|connection ?refused ?error|remote ?disconnected|"
    r"incomplete ?read|socket hang up|server disconnected|premature(?:ly)? (?:close|closed)|is starting up|in recovery mode|shutting down|is restarting|not leader|"
    r"loading the dataset|tryagain|clusterdown|provisionedthroughputexceeded\w*|requestlimitexceeded)"
    r"|超时|逾时|连接(?:被|已)?(?:对方)?(?:重置|拒绝|断开|中断|关闭)|(?:服务|系统|服务器|网络)(?:器)?(?:繁忙|忙|不可用|异常|暂不可用|过载)|稍后(?:再试|重试)|请重试|请求(?:过于|太)?频繁|限流|频率(?:过高|限制|超限)|"
    r"网络(?:错误|不可达|波动|连接失败)|暂时(?:不可用|无法)|繁忙|过载|请求过多|死锁",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"(?:(?:status(?: ?code)?|http(?:/\d(?:\.\d)?)?|http error|error code|code|error|returned|got|状态码|错误码|响应码)[\"']?[ :=：]{0,3}|^|[\[(])(?:429|408|425|5(?:00|02|03|04|07|08|2[0-9]|29))(?!\d|\.\d)"
    r"(?! (?:items?|rows?|files?|bytes?|lines?))",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"(?:invalid|illegal|bad|unknown|negative|unsupported|missing|unexpected|unrecogni[sz]ed|not a valid|malformed|duplicate)[ \w'\"`:=-]{0,40}(?:time[ -]?out|rate[ _-]?limit|retry|throttl\w+)"
    r"|(?:time[ -]?out|rate[ _-]?limit|retry\w*)[\w'\"` ]{0,30}(?:must be|should be|is not a|is invalid|not supported|is not recogni|has no|expected|does not exist|is not defined|cannot be negative|无效|不合法|非法)"
    r"|(?:keyword argument|argument|parameter|option|attribute|property|field|key|name|variable|column|module)[ :]{0,2}['\"`](?:[\w-]*)(?:time_?out|rate_?limit|retry|throttl)\w*['\"`]|无效的?[\w「“\"']{0,10}超时|超时(?:时间|值|参数)(?:无效|不合法|非法|必须)",
    re.IGNORECASE,
)
_TYPES = re.compile(
    r"timeout|connection(?:reset|refused|aborted)|brokenpipe|ratelimit|toomanyrequests|throttl|serviceunavailable|internalserver|overloaded|unavailable|deadlock|remotedisconnected|超时|限流",
    re.IGNORECASE,
)


_NAMED = re.compile(r"['`][\w.-]{1,60}['`](?! ?[,:}\]])|「[\w.-]{1,60}」|“[\w.-]{1,60}”", re.ASCII)
"""Names in quotes: `KeyError: 'timeout'` is no timeout."""


def passing(text: str, type_: str) -> bool:
    """Say whether a cleaned message or its type tells of a failure that passes by itself."""
    text = _NAMED.sub(" ", text)
    if _LASTING.search(text):
        return False
    return bool(_PASSING.search(text) or _STATUS.search(text) or _TYPES.search(type_.replace("_", "").replace(" ", "")))
