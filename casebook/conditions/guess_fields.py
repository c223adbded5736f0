"""What people write for tests of fields, logic and numbers (`guesses.py` tries each at the place of a fault)."""

from __future__ import annotations

import re
from typing import Final

from casebook.conditions.guess_words import (
    AND,
    COMPARED,
    EITHER,
    FIELD,
    IS,
    IS_NOT,
    NUMBER_ZH,
    OPERATOR,
    OR,
    TEXTUAL,
    VALUE,
    Rule,
    has_han,
    in_language,
    number_zh,
    values_of,
)
from casebook.conditions.names import glued_operator

_NOT: Final = r"(?:does\s+not|doesn['’]?t|do\s+not|don['’]?t|not|!)\s*"
_OPERATORS: Final[tuple[tuple[str, str, str, str], ...]] = (
    # English, 中文, and how people put it in either
    ("not in", "不在", r"is\s+not\s+(?:one|any)\s+of|isn['’]?t\s+(?:(?:one|any)\s+of|in)|is\s+none\s+of|!\s*in|notin|not\s+one\s+of|∉", "不是|不在于|不属于"),
    ("in", "在", r"is\s+in|is\s+(?:one|any|either)\s+of|is\s+either|(?:one|any)\s+of|is\s+among|among|∈|in", "属于|在于|是"),
    ("not between", "不介于", r"is\s+not\s+between|isn['’]?t\s+between|outside(?:\s+of)?", "不在"),
    ("between", "介于", r"is\s+between|is\s+within|is\s+from|from|within|in\s+range|ranges\s+from", "处于|位于"),
    (">=", "大于等于", r"(?:is\s+)?(?:greater|more|larger)\s+than\s+or\s+(?:is\s+)?equals?(?:\s+to)?|(?:is\s+)?(?:at\s+least|no[t]?\s+less\s+than)|is\s*>=|=>|≥|gte|ge", "大于或者?等于|不低于|不少于|最少|最低|至少[为是有]|不小于[为是]"),
    ("<=", "小于等于", r"(?:is\s+)?(?:less|smaller|fewer)\s+than\s+or\s+(?:is\s+)?equals?(?:\s+to)?|(?:is\s+)?(?:at\s+most|up\s+to|no[t]?\s+(?:more|greater)\s+than)|is\s*<=|=<|≤|lte|le", "小于或者?等于|不高于|不多于|最多|最高|至多[为是有]"),
    (">", "大于", r"(?:is\s+)?(?:greater|more|larger|higher|bigger)\s+than|(?:is\s+)?(?:over|above)|exceeds?|is\s*>|gt", "高于|多于|超出|大过|超过了"),
    ("<", "小于", r"(?:is\s+)?(?:less|lower|fewer|smaller)\s+than|(?:is\s+)?(?:under|below)|is\s*<|lt", "低于|少于|不足|不到"),
    ("not contains", "不包含", rf"{_NOT}(?:contains?|includes?|have|has|mentions?)", "不含|没有|不包括|没提到|未包含|[里中]没有|未提及"),
    ("contains", "包含", r"includes?|contain|has|have|mentions?|containing|is\s+containing", "[里中]面?\\s*(?:包含|含有|包括|有|出现|提到)|有|提到|提及|包括|含|出现"),
    ("not starts with", "不开头为", rf"{_NOT}(?:start|begin)s?[\s_]*with", ""),
    ("starts with", "开头为", r"(?:is\s+)?(?:under|inside)|(?:start|begin)s?[\s_]*with", "开头\\s*[是为]|开始于|位于|在"),
    ("not ends with", "不结尾为", rf"{_NOT}ends?[\s_]*with", ""),
    ("ends with", "结尾为", r"ends?[\s_]*(?:with|in)", "结尾\\s*[是为]|后缀[是为]"),
    ("not matches", "不匹配", rf"!~|{_NOT}match(?:es)?", "不符合"),
    ("matches", "匹配", r"=~|~=?|match|matches\s+(?:the\s+)?(?:regex|pattern)|regexp?|rlike", "符合|正则"),
    ("like", "形如", r"is\s+like|i?like", "类似于?|像"),
    ("is missing", "缺失", rf"{_NOT}exists?|is\s+not\s+there|is\s+not\s+exists?", "没有值|未设置"),
    ("exists", "存在", r"exist|is\s+(?:there|exists?|existing|not\s+missing)", "有值|已设置|非空"),
    ("is not", "不是", r"(?:is\s+)?not\s+equals?(?:\s+to)?|isn['’]?t|aren['’]?t|(?:is\s+different|differs)\s+from|does\s+not\s+equal|doesn['’]?t\s+equal|!==|neq?|not", "并非是?|非|不|不会是"),
    ("is", "是", r"is\s+equal\s+to|equals?\s+to|is\s+(?:exactly|(?:the\s+)?same\s+as)|equal|eq|===|are|was|:=?", "等同于|就是|等"),
)  # fmt: skip


def _operator_rules() -> list[Rule]:
    rules: list[Rule] = []
    for english, chinese, ways, ways_zh in _OPERATORS:
        bounded = rf"(?P<op>(?<!\w)(?:{ways})(?!\w)|(?:{ways})(?=[\ue000-\uf8ff\s\d(\[/]|$))"
        if ways_zh:
            bounded = bounded[:-1] + f"|(?:{ways_zh}))"

        def make(found: re.Match[str], english: str = english, chinese: str = chinese) -> str:
            return f"{found['f']} {in_language(found['op'], english, chinese)} "

        rules.append((rf"(?P<f>{FIELD})\s*{bounded}\s*", make))
    return rules


def _listed(found: re.Match[str]) -> str | None:
    """`intent is push or refund` → `intent in [push, refund]`; a field that may have several values at once keeps `and`."""
    field, values = found["f"], values_of(found["vs"])
    negative = re.fullmatch(IS_NOT, found["op"], re.IGNORECASE) is not None or found["op"].lower() in ("not in", "不在")
    if field.lower() in ("text", "文本") and re.search("[,、;]", found["vs"]):
        plain = found["vs"].isascii() and '"' not in found["vs"]
        return f'{field} {found["op"]} "{found["vs"]}"' if plain else None
    chinese = has_han(found["op"])
    if not negative and not re.search(OR, found["vs"], re.IGNORECASE) and field.lower() not in _CLOCKS:
        joint = " 且 " if chinese else " and "
        return joint.join(f"{field} {found['op']} {value}" for value in values)
    word = ("不在" if negative else "在") if chinese else ("not in" if negative else "in")
    return f"{field} {word} [{', '.join(values)}]"


_CLOCKS: Final = ("weekday", "month", "day", "date", "星期", "今天", "月份", "日号", "日期")


def _bracketed(found: re.Match[str]) -> str | None:
    """`tool in (a, b)`, `tool in {a, b}`, `tool in a, b`, `tool is [a, b]` → `tool in [a, b]`."""
    negative = "not" in found["op"].lower() or "!" in found["op"] or found["op"].startswith("不")
    word = in_language(found["op"], "not in" if negative else "in", "不在" if negative else "在")
    return f"{found['f']} {word} [{', '.join(values_of(found['vs']))}]"


def _repeated(found: re.Match[str]) -> str | None:
    """`text contains "a" or "b"` → the field and the operator again for each value."""
    field, op, values = found["f"], re.sub(r"\s+", " ", found["op"]), values_of(found["vs"])
    negative = "not" in op.lower() or op.startswith("不")
    every = "all" in (found.groupdict().get("how") or "").lower() or "全" in (found.groupdict().get("how") or "")
    if not every and not found.groupdict().get("how") and "[" not in found["vs"]:
        every = re.search(OR, found["vs"], re.IGNORECASE) is None
    joint = in_language(op, "and" if every or negative else "or", "且" if every or negative else "或")
    whole = f" {joint} ".join(f"{field} {op} {value}" for value in values)
    alone = found.start() == 0 and found.end() == len(found.string)
    return whole if alone or joint in ("and", "且") or len(values) == 1 else f"({whole})"


def _and_not(found: re.Match[str]) -> str:
    """`text contains "a" and not "b"`."""
    op = found["op"]
    negated = {"is": "is not", "==": "!=", "=": "!=", "为": "不为", "是": "不是", "等于": "不等于"}.get(op.lower())
    negated = negated or (f"不{op}" if has_han(op) else f"not {op}")
    return f"{found['before']} {found['j']} {found['f']} {negated} {found['v']}"


_MIRRORED: Final = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


def _mirrored(found: re.Match[str]) -> str:
    """`10 < args.amount < 20`."""
    first = f"{found['f']} {_MIRRORED[found['op']]} {found['n']}"
    return f"{first} and {found['f']} {found['op2']} {found['m']}" if found["op2"] else first


def _plain_number(found: re.Match[str]) -> str | None:
    """`1,000` `$100` `1k` `1万` `100元` `一千` `30s`: the number alone."""
    digits = found["n"].replace(",", "").replace("_", "")
    if len(digits) > _LONGEST_NUMBER or (digits[0] == "0" and digits[1:2].isdigit()):
        return None
    if has_han(digits):
        amount: float | None = number_zh(digits)
        if amount is None:
            return None
    else:
        amount = float(digits)
    amount *= {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "千": 1e3, "万": 1e4, "百万": 1e6, "亿": 1e8}.get(
        (found["size"] or "").lower(), 1
    )
    return found["op"] + (str(int(amount)) if amount == int(amount) else str(amount))


def _subscript(found: re.Match[str]) -> str:
    """`args["x"]`, `args.get("x")`."""
    return f"{found['f']}.{found['key']}"


_NEXT: Final = rf"(?={FIELD}\s*(?:{OPERATOR}|在|不在|属于|存在|缺失|exists\b|in\b|between\b))"

_CALLS: Final = {
    "contains": "contains", "includes": "contains", "startswith": "starts with", "endswith": "ends with",
    "matches": "matches", "match": "matches", "equals": "is",
}  # fmt: skip
_LONGEST_NUMBER: Final = 15
"""Digits of a number that is rewritten: what a double holds exactly."""
_AMOUNT: Final = rf"[$¥€£￥]?\s*(?P<n>\d{{1,3}}(?:[,_]\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|{NUMBER_ZH})\s*(?P<size>k|thousand|m|million|千|百万|万|亿)?"
_UNITS: Final = (
    "元|块钱?|美元|美金|人民币|usd|cny|rmb|eur|dollars?|yuan|bucks|次|个|条|人|件|secs?|seconds?|mins?|minutes?|hours?|times?|s"
    "|秒钟?|分钟?|小时"
)

FIELD_RULES: Final[tuple[Rule, ...]] = (
    (r"(?P<f>\b(?:args|context)\.\S+)\s+", lambda found: f"{glued_operator(found['f']) or found['f']} "),
    # between conditions
    (rf"\s*(?:以及|同时|而且|并且|且|并|但是|但|,\s*且|,\s*并且?|;|,)\s*(?=[\u4e00-\u9fff]){_NEXT}", " 且 "),
    (rf"\s*(?:或者|或是|还是|或)\s*(?=[\u4e00-\u9fff]){_NEXT}", " 或 "),
    (rf"\s*(?:,\s*and\b|&|,|;|\+)\s*{_NEXT}", " and "),
    # around a condition
    (r"^\s*(?:if|when|whenever|only\s+if|only\s+when|trigger\s+when)\b\s*[:,]?\s*", ""),
    (r"^\s*(?:如果|假如|假设|若是|若|每当|当|只要|要是)\s*[:,]?\s*", ""),
    (r"\s*(?:,\s*)?(?:\bthen\b|的时候|的话|时|则|那么|就)\s*[:,.。]?\s*$", ""),
    (r"\s*[.。;]\s*$", ""),
    (r"\bthe\s+", ""),
    (r"^\s*(?:true|any|anything|everything|everyone|\*|任何|任意|所有|任何情况|任何时候|每天|每次|every\s+day|everyday|anytime|any\s+time)\s*$", lambda found: in_language(found[0], "always", "始终")),
    (r"^\s*(?:false|never|nothing|从不|永不)\s*$", lambda found: in_language(found[0], "not always", "非 始终")),
    (r"^\s*unless\s+(.+)$", r"not (\1)"),
    (r"^\s*除非\s*(.+)$", r"非 (\1)"),
    (r"^(.+?)\s*,?\s*\b(?:unless|except\s+when|except\s+if)\s+(.+)$", r"\1 and not (\2)"),
    (r"\s*,?\s*\bbut\s+not\s+", " and not "),
    (r"\s*,?\s*\b(?:but|while|as\s+well\s+as|plus)\s+", " and "),
    (r"(?:不是|并非|不)\s*(?=" + FIELD + ")", "非 "),
    # other languages' ways to name a field
    (r"\$\{\s*([^{}]+?)\s*\}|\{\{\s*([^{}]+?)\s*\}\}", lambda found: found[1] or found[2]),
    (r"\$\.(?=\w)", ""),
    (r"(?P<f>(?:args|context)\b[\w.]*)\[\s*(?P<key>[\ue000-\uf8ff]+|\d+)\s*\]", _subscript),
    (r"(?P<f>(?:args|context)\b[\w.]*)\.get\(\s*(?P<key>[\ue000-\uf8ff]+)\s*\)", _subscript),
    (rf"(?P<f>{FIELD})\.(?P<op>contains|includes|startsWith|endsWith|matches|match|equals|starts_with|ends_with|startswith|endswith)\s*\(\s*(?P<v>{VALUE})\s*\)",
     lambda found: f"{found['f']} {_CALLS[found['op'].lower().replace('_', '')]} {found['v']}"),
    (rf"\b(?P<op>contains|includes|startsWith|endsWith|matches|match|equals)\s*\(\s*(?P<f>{FIELD})\s*,\s*(?P<v>{VALUE})\s*\)",
     lambda found: f"{found['f']} {_CALLS[found['op'].lower()]} {found['v']}"),
    # presence before the field
    (rf"(?:\bnot\s+|!\s*)(?:exists?|has|have)\s*\(?\s*(?P<f>{FIELD})\s*\)?", r"\g<f> is missing"),
    (rf"\b(?:exists?|has|have|defined)\s*\(?\s*(?P<f>{FIELD})\s*\)?", r"\g<f> exists"),
    (rf"\b(?:missing|no|without)\s*\(?\s*(?P<f>{FIELD})\s*\)?", r"\g<f> is missing"),
    (rf"(?:存在|有)\s*(?P<f>{FIELD})", r"\g<f> 存在"),
    (rf"(?:不存在|没有|缺少|缺失)\s*(?P<f>{FIELD})", r"\g<f> 缺失"),
    # the value before the field
    (rf"(?P<v>{VALUE})\s+not\s+in\s+(?P<f>{FIELD})", r"\g<f> not contains \g<v>"),
    (rf"(?P<v>{VALUE})\s+(?:is\s+)?in\s+(?P<f>{FIELD})", r"\g<f> contains \g<v>"),
    (rf"(?P<n>[\d.]+)\s*(?P<op>[<>]=?)\s*(?P<f>{FIELD})(?:\s*(?P<op2>[<>]=?)\s*(?P<m>[\d.]+))?", _mirrored),
    (rf"(?P<v>[\ue000-\uf8ff]+|[\d.]+)\s*(?P<op>{IS_NOT}|{IS})\s*(?P<f>{FIELD})", r"\g<f> \g<op> \g<v>"),
    # numbers
    (rf"(?P<op>(?:{COMPARED}|\bbetween\b|\band\b|在|介于|到|至|和|-)\s*){_AMOUNT}\s*(?:{_UNITS})?(?![\w%])", _plain_number),
    (rf"(?P<op>(?:{COMPARED}|{IS_NOT}|{IS}|\bbetween\b|\band\b)\s*){_AMOUNT}(?![\w%])", _plain_number),
    # several values
    (r"(?P<f>\bpath|路径)\s+(?:is\s+)?(?:in|在)\s+(?P<v>[~./][^\s\[\]]*|[\ue000-\uf8ff]+)", lambda found: f"{found['f']} {in_language(found['f'], 'starts with', '开头为')} {found['v']}"),
    (rf"(?P<before>(?P<f>{FIELD})\s*(?P<op>{TEXTUAL}|{IS})\s*{VALUE})\s*(?P<j>\band|\bor|&&|且|并且)\s*(?:not|!|非|不是|不)\s*(?P<v>{VALUE})", _and_not),
    (rf"(?P<f>{FIELD})\s*(?P<op>{IS_NOT}|{IS})\s*(?:\b(?:either|neither)\s+)?\(?\s*(?P<vs>{VALUE}(?:{EITHER}{VALUE})+)\s*\)?(?:\s*之一|\s*(?:中的?)?任意?一个)?", _listed),
    (rf"(?P<f>{FIELD})\s*(?P<op>\bis\s+neither\b)\s*(?P<vs>{VALUE}(?:\s+nor\s+{VALUE})+)",
     lambda found: f"{found['f']} not in [{', '.join(each for each in values_of(found['vs']) if each.lower() != 'nor')}]"),
    ((rf"(?P<f>{FIELD})\s*(?P<op>(?:\bis\s+)?(?:\bnot\s+)?\b(?:one|any|none)\s+of\b|(?:\bis\s+)?(?:not\s+|!\s*)?in\b|不?属于|不?在|{IS_NOT}|{IS})\s*"
     rf"(?P<vs>[(\[{{]\s*{VALUE}(?:(?:{EITHER}|\s+){VALUE})*\s*[)\]}}])(?:\s*(?:之一|中|里|之中))?"), _bracketed),
    ((rf"(?P<f>{FIELD})\s*(?P<op>(?:\bis\s+)?(?:\bnot\s+)?\b(?:one|any|none)\s+of\b|(?:\bis\s+)?(?:not\s+|!\s*)?in\b|不?属于|不?在)\s*"
     rf"(?P<vs>{VALUE}(?:{EITHER}{VALUE})*)(?:\s*(?:之一|中|里|之中))?"), _bracketed),
    ((rf"(?P<f>{FIELD})\s*(?P<op>{TEXTUAL})\s*(?P<how>(?:any|one|either|all)(?:\s+of)?\b|任意一个|任意|任一|任何|全部|所有)\s*"
     rf"(?P<vs>[(\[{{]?\s*{VALUE}(?:{EITHER}{VALUE})*\s*[)\]}}]?)"), _repeated),
    (rf"(?P<f>{FIELD})\s*(?P<op>{TEXTUAL})\s*(?P<vs>[(\[{{]\s*{VALUE}(?:{EITHER}{VALUE})*\s*[)\]}}]|{VALUE}(?:{OR}{VALUE})+|{VALUE}(?:{AND}{VALUE})+)", _repeated),
    (rf"(?P<f>{FIELD})\s*以\s*(?P<v>{VALUE})\s*(?:为?开头|开始|打头|起始)", r"\g<f> 以 \g<v> 开头"),
    (rf"(?P<f>{FIELD})\s*以\s*(?P<v>{VALUE})\s*(?:为?结尾|结束|收尾)", r"\g<f> 以 \g<v> 结尾"),
    (rf"(?P<f>{FIELD})\s*(?P<op>{OPERATOR})\s*(?P<v>{VALUE})\s*之一", r"\g<f> 在 [\g<v>]"),
    # a field that is not said again
    ((rf"(?P<before>(?P<f>{FIELD})\s*(?:{OPERATOR}|\bin\b|不?在)\s*(?:{VALUE}|\[[^\[\]]*\])\s*(?:\band\b|\bor\b|&&|\|\||并且|且|或者|或|,\s*且?))\s*"
     rf"(?P<next>\bnot\s+in\b|\bin\b|{OPERATOR}|less|greater|more|at\s|[高低多少]于|不[超高低大小多少])"), r"\g<before> \g<f> \g<next>"),
    # ranges
    (r"(?P<op>\bbetween\s+|介于\s*|在\s*)(?P<a>[^\s,]+?)\s*(?:\bto\b|\buntil\b|\bthrough\b|\.\.\.?|,|\bor\b|—|…)\s*(?P<b>[^\s,]+)", r"\g<op>\g<a> and \g<b>"),
    (r"\bin\s+\[?(?P<a>-?[\d.]*\d)\s*(?:-|–|\.\.\.?|\bto\b)\s*(?P<b>-?\d[\d.]*)\]?", r"between \g<a> and \g<b>"),
    (rf"(?P<f>{FIELD})\s+(?:is\s+)?(?:from|ranges\s+from)\s+(?P<a>\S+)\s+(?:to|until|till|through)\s+(?P<b>\S+)", r"\g<f> between \g<a> and \g<b>"),
    *_operator_rules(),
    (r"\s*(?:以及|同时|而且|并且|并|但是|但|,\s*且|,\s*并且?|和|与|;|,)\s*(?=[\u4e00-\u9fff])", " 且 "),
    (r"\s*(?:或者|或是|还是|或)\s*(?=[\u4e00-\u9fff])", " 或 "),
    (r"\s*(?:,\s*and\b|&|,|;|\+)\s*", " and "),
    (r"\s*(?:,\s*or\b|\|)\s*", " or "),
    (rf"(?P<f>{FIELD})\s+(?P<v>{VALUE})\s*$", r"\g<f> is \g<v>"),
)  # fmt: skip
