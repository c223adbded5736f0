"""Variable parts that are amounts: durations, sizes, counts, money, measures with a unit, and plain numbers."""

from __future__ import annotations

from casebook.runtime.learning.signing.part import Part, part

NUMERAL = "[零〇一二三四五六七八九十百千万亿两]"
"""A Chinese numeral."""
_N = r"\d(?:[\d,_']{0,24}\d)?(?:\.\d+)?(?:e[-+]?\d{1,3})?"
"""A number, with separators of thousands, decimals and an exponent; a comma behind it is none of it."""
_COUNTER = "(?:个|條|条|次|行|件|张|位|名|人|天|小时|分钟|秒|毫秒|页|项|步|台|份|种|只|年|月|周|号|笔|辆|间|本|组|批|度|倍|列|字节|字符)"

MEASURES: tuple[Part, ...] = (
    part(
        "duration",
        rf"(?<![\w.-])[-+]?{_N} ?(?:ns|us|µs|μs|ms|msecs?|millis(?:econds?)?|milliseconds?|microseconds?|nanoseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?)(?:(?: ?,? ?(?:and )?)\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?))*(?!\w)",
        "30s",
        "1.5 seconds",
        "2m30s",
    ),
    part(
        "duration",
        rf"(?<![\w.-])(?:\d[\d,.]{{0,24}}|{NUMERAL}{{1,12}}) ?(?:毫秒|微秒|秒钟?|分钟|个?小时|天|个?月|周|年)(?!间)",
        "30 秒",
        "三分钟",
    ),
    part(
        "size",
        rf"(?<![\w.-])[-+]?{_N} ?(?:bytes?|[kmgtp]i?b(?:ytes?|it|ps|/s)?|[kmgtp](?=[ ,.;)/]|$)|b)(?!\w)",
        "10MB",
        "512 bytes",
    ),
    part("size", r"(?<![\w.-])\d[\d,.]{0,24} ?(?:字节|兆|千字节)", "512 字节"),
    part(
        "number", rf"(?<![\w.-])第? ?(?:\d[\d,.]{{0,24}}|{NUMERAL}{{1,12}})(?= ?{_COUNTER})", "共三个文件", "第 12 行"
    ),
    part(
        "number",
        rf"(?<![\w.])[-+]?(?:[$€£¥₹] ?|(?:usd|eur|cny|rmb|gbp|jpy|chf|inr|aud|cad|krw|hkd|sgd|sek|nok|dkk|pln|brl|mxn) ?)[-+]?{_N}(?: (?:usd|eur|cny|rmb|gbp|jpy|chf|inr|aud|cad|krw|hkd|sgd|sek|nok|dkk|pln|brl|mxn)(?!\w))?|(?<![\w.])[-+]?{_N} ?(?:usd|eur|cny|rmb|gbp|jpy|chf|inr|aud|cad|krw|hkd|sgd|sek|nok|dkk|pln|brl|mxn|dollars?|euros?|[百千万亿]{{0,2}}元|€|￥|¥|%|°[cf]|℃|℉)(?!\w)",
        "$12.50",
        "30 元",
        "95%",
    ),
    part(
        "number",
        rf"(?<![\w.-])[-+]{_N} ?[cfkvw](?!\w)|(?<![\w.-])[-+]?{_N}a(?!\w)|(?<![\w.-])[-+]?{_N} ?(?:[kmg]?hz|[km]?g|lbs?|oz|[kcm]?m|mi|miles?|ft|feet|inch(?:es)?|met(?:er|re)s?|kilomet(?:er|re)s?|pounds?|lit(?:er|re)s?|[kmg]?wh?|[km]?v|ma|[km]?bar|psi|[kmh]?pa|rpm|ppm|[kmg]bps|fps|px|dpi|dbm?|tokens?|points?)(?!\w)",
        "-18C",
        "23 kg",
    ),
)
"""Numbers with what they count, in order."""

NUMBERS: tuple[Part, ...] = (
    part(
        "number",
        r"(?<![\w.])[-+]?(?:\d{1,3}(?:[,_' ]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?:st|nd|rd|th)?(?!\w)|(?<![\w.])\.\d+(?!\w)",
        "12",
        "-3.5e10",
        "1,234",
        "3rd",
    ),
    part("number", r"[½¼¾⅓⅔]|[-+]?∞|(?<!\w)[-+]?(?:nan|inf|infinity)(?!\w)", "nan", "-inf"),
)
"""What is left of numbers when tokens of letters and digits have been taken out."""
