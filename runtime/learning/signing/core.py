"""The core of a message: without what wraps it, advises on it or says where in a text it happened, for reporters add these at will.

All of it is taken off only where enough is left to tell the kind.
"""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import ANY_MARK, unshielded
from casebook.runtime.learning.signing.names import known
from casebook.runtime.learning.signing.words import GENERIC_WORDS, TELLING_TYPES, WRAPPING_TYPES

RICH = 3
"""Telling words with which a text needs no type, no leading value and no number of its code."""
_TELLING = re.compile(r"[A-Za-z]{3,}|[\u3400-\u9fff]{2}")
BLANKS = re.compile(r"(?<=\S) {2,}")
"""Blanks within a line."""
_FRAME_CHARS = re.compile(r"^[ ]?[╷╵│×╰─>┃|]+(?:─>)?(?: |$)", re.MULTILINE)
_NPM = re.compile(r"^ {0,4}(?:npm|pnpm|yarn|bun) {1,4}(?:ERR!|error) ?", re.MULTILINE)
_EXITED = re.compile(
    r"\A\s{0,8}(?:(?:command|process|script) +)?exit(?:ed)?(?: +with)?(?: +code| +status)?[ :=]{1,4}-?\d{1,3}[.:!]? *\n\s{0,8}(?:(?:output|stderr): *\n\s{0,8})?(?=\S)"
    r"|\n *\(?(?:command|process) +exited +with +(?:code|status) +-?\d{1,3}\)?[.:!]?\s{0,8}\Z",
    re.IGNORECASE,
)
"""How a program ended, on a line of its own: some hosts write it above or below what the program itself said."""
_CODED_BODY = re.compile(r"\berror code: \d{3} - (?=\{)", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:[\w./ -]{1,80}: )??(?=rpc error: code = )"
    r"|^(?:Get|Post|Put|Delete|Head|Patch) \"[^\"\n]{1,400}\": (?=\S)"
    r"|^(?:docker|tls): (?=[A-Za-z]{3,} \w+ )"
    r"|^(?:tls: )?failed to verify certificate: (?=\S)"
    r"|^request to \S{1,400} failed, reason: (?=\S)"
    r"|^\(error\) (?=\S)"
    r"|^(?:Warning|Normal) {1,8}[A-Z]\w{2,60} {1,8}\w{1,12}(?: \(x\d+ over \w{1,12}\))? {1,8}[\w-]{2,60} {1,8}(?=\S)"
    r"|^[^\s:]{1,200}:\d+: (?=[A-Z]\w{2,60}(?:Warning|Error|Exception): )"
    r"|^[^%\n]{1,80}: (?=%[A-Z][A-Z0-9_]*-\d-)"
    r"|^[EWN]: (?=[A-Z])|^E {3,12}(?=\S)",
    re.MULTILINE,
)
_THROWN = re.compile(r"^\S{1,300}:\d+\n(?:[^\n]{0,300}\n){1,2}? *\^+ *\n+(?=\S)")
_PAGE = re.compile(r"^([A-Z]\w{2,60}) at /\S*\n")
_PLACE = re.compile(
    r" at (?:character|position|offset|index|line) \d+(?: column \d+)?(?=$|\n)"
    r"|\((?:Background on this error at:?|[^()\n]{1,300} are in (?:unnamed )?module|line \d+|request[ _-]?id:?) [^()\n]{1,200}\)"
    r"|^[ \t]*on \S{1,200} line \d+(?:, in [^\n]{1,200})?:?(?:\n[ \t]*\d+: [^\n]*)*$",
    re.MULTILINE,
)
_TRACED = re.compile(
    r"(?: ?[,;.|-] ?(?:[\[(] ?)?| ?[\[(] ?|^| (?=[\w-]{2,20}(?: id)? ?[:=]))(?<![\w-])(?:(?:x-)?(?:amz-)?(?:request|req|trace|correlation|tracking|incident|span|reference|ref)(?:[ _-]?(?:ids?|uuid|no\.?|number))?|(?:host|event|error|log|support|ray)[ _-]?id|rid|cf-ray|(?:请求|追踪|跟踪|链路|日志|事件)(?: ?(?:id|编号|号|标识))?|流水号)"
    r"(?: ?[:=#] ?|(?<=id) (?:is )?)(?=[\"']?[^\s\"',;:()\[\]]{0,100}\d|[A-Za-z+/]{16,})\"?[^\s,;()\[\]{}\"'<>]{1,200}\"?(?: ?[\])])?\.? ?(?=$|\n|[,;] ?(?:x-)?(?:host|request|trace|span|timestamp))",
    re.IGNORECASE | re.MULTILINE,
)
"""The id of a request at an end: hosts write it behind some messages and not behind others."""
_VENDOR = re.compile(
    r"\(SQLSTATE \w{5}\)|^SQLSTATE\[\w{5}\]: (?:General error: \d+ )?|^ERROR \d{4} \(\w{5}\)(?: at line \d+)?: |^ERROR at line \d+:\s"
    r"|(?<=\()\d{3,5}, (?=[\"'][A-Z])|\[Errno -?\d+\] (?=[A-Za-z][a-z]+ [a-z]+)|(?<=: )(?:DB::Exception: )?Received from \S+ (?=DB::)|^Code: \d+\.\s(?=DB::)"
    r"|\(version \d[^()\n]{0,40}(?:\([^()\n]{0,40}\))?\)",
    re.MULTILINE,
)
_ADVICE = (
    r"(?:did you mean|perhaps you|see (?:also |the |our |https?:|'|\"|`)|please |try |use |you (?:can|may|might) |for (?:more|further|help|details)|"
    r"more (?:details|info)|learn more|check (?:out |the |your |that )|visit |note[: ]|note that|if (?:an|you|this|the) |consider |to (?:see|push|add|fix|learn|resolve|install|view|use) |"
    r"make sure|run |hint[: ]|help[: ]|tip[: ]|documentation|docs|read more|contact |be aware|retry |another \w+ process )"
)
_ADVISING = re.compile(
    rf"(?<=[.!?;]) +(?={_ADVICE})[^\n]*?(?:[.!?](?= |$)|$|(?=\n))| \((?:did you mean|see |try |hint)[^()\n]{{1,200}}\)",
    re.IGNORECASE | re.MULTILINE,
)
_ADVISING_HAN = re.compile(r"(?<=[\u3400-\u9fff）)])[，,。；;！! ]+(?:建议|请(?!求|先))[^\n]{1,200}")
_ADVISING_LINE = re.compile(
    rf"^\W{{0,6}}(?:{_ADVICE}|(?-i:DETAIL|CONTEXT|STATEMENT): |require stack|call log|(?:=+ )logs|location searched|required by |the conflict is caused|available fixtures|stopping at |"
    r"hint:|consider|描述 ?[:：]|详细 ?[:：]|提示 ?[:：]|位置 ?[:：]|背景 ?[:：]|第 ?\d+ ?行|语句 ?[:：]|建议|https?:\S+$)",
    re.IGNORECASE,
)
_FAILING = re.compile(
    r"^ {0,4}(?:\[?(?:error|fatal|err|panic|critical|exception|错误|冲突)\]?(?: ?[:：]| )|[EF]: |CONFLICT )",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"error|exception|fail|denied|reject|refus|cannot|can't|could not|unable|invalid|not found|missing|unknown|conflict |warn|illegal|错误|失败|异常|拒绝|无法|不",
    re.IGNORECASE,
)
_ALIGNED = re.compile(r"(?:^ {2,8}[A-Z]\w{1,30}: \S[^\n]*(?:\n|$)){3,}", re.MULTILINE)
_LEADING_MARK = re.compile(
    rf"^(?i:(?:request|job|task|trace)(?: ?id)?:? )?[\[(*]?{ANY_MARK}[\])]?(?:[ /]*[\[(]?{ANY_MARK}[\])]?)* ?[:>-] ?(?=\S)"
)
_LEADING_MARKS = re.compile(rf"^(?:{ANY_MARK} )+(?=[A-Za-z])")
_TRAILING_PLACE = re.compile(rf" (?:at|in|on line|at line) {ANY_MARK}$")


def telling_words(text: str) -> int:
    """Count the words of a text that are no general ones; two Chinese characters count as a word."""
    return sum(word.lower() not in GENERIC_WORDS for word in _TELLING.findall(text))


def unwrapped(text: str) -> str:
    """Give a message without what wraps it and places in a text; what would leave too little stays."""
    text = _taken(_EXITED, text)
    text = BLANKS.sub(" ", _NPM.sub("", _FRAME_CHARS.sub("", text)))
    text = _CODED_BODY.sub("", text)
    text = _PAGE.sub(r"\1: ", _THROWN.sub("", text))
    for pattern in (_BEFORE, _PLACE, _VENDOR):
        text = _taken(pattern, text)
    return text


def untraced(text: str) -> str:
    """Give a message without the ids of its request at the end, where enough is left."""
    for _ in range(3):
        before, text = text, _taken(_TRACED, text)
        if text == before:
            break
    return text


def unadvised(text: str) -> str:
    """Give a message without advice, in a sentence or in a line; what would leave too little stays."""
    lines = [line for line in text.split("\n") if line.strip()]
    first = next((place for place, line in enumerate(lines) if _FAILING.match(line)), 0)
    lines = lines if any(_FAILURE.search(line) for line in lines[:first]) else lines[first:]
    kept = lines[:1]
    advised = bool(lines) and lines[0].rstrip().endswith(":") and _ADVISING.search(lines[0]) is not None
    for line in lines[1:]:
        if advised and line[:1] in " \t" and not _FAILURE.search(line):
            continue
        advised = line.rstrip().endswith(":") and (_ADVISING_LINE.match(line) or _ADVISING.search(line)) is not None
        if _ADVISING_LINE.match(line) and telling_words("\n".join(kept)) >= 2:
            if re.match(
                r"^\W{0,6}(?:require stack|call log|(?:=+ )?logs|to push|see a list|available fixtures)",
                line,
                re.IGNORECASE,
            ):
                break
            continue
        kept.append(line)
    text = "\n".join(kept)
    for pattern in (_ADVISING, _ADVISING_HAN, _ALIGNED):
        text = _taken(pattern, text)
    return text


def _taken(pattern: re.Pattern[str], text: str) -> str:
    """Give a text without what a pattern finds, where enough is left."""
    rest = pattern.sub("", text)
    return rest if rest == text or telling_words(rest) >= 2 else text


def without_lead(line: str) -> str:
    """Give a marked line without a value and a colon before it, and without a last place, where enough is left."""
    rest = _TRAILING_PLACE.sub("", line)
    line = rest if telling_words(rest) >= RICH else line
    for lead, enough in ((_LEADING_MARK, 2), (_LEADING_MARKS, RICH)):
        rest = lead.sub("", line)
        if telling_words(rest) >= enough:
            line = rest
    return line


def needs_type(kind: str, text: str) -> bool:
    """Say whether a text needs its type to be told from other kinds: a long one says all, whatever class wraps it."""
    if kind in TELLING_TYPES:
        return True
    enough = 1 if kind in WRAPPING_TYPES else RICH
    plain = re.sub(r"(?:error|exception|warning|failure)$", "", kind)
    if len(plain) > 4 and plain in re.sub(r"[^a-z]", "", unshielded(text).lower()):
        return False
    return bool(kind) and (telling_words(unshielded(text)) < enough or known(kind))
