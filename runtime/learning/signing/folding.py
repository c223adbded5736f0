"""What does not matter in a signature: case, space, punctuation, number of nouns and verbs, the names of variable parts."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.alphabet import ANY_MARK, mark, unshielded
from casebook.runtime.learning.signing.words import GENERIC_WORDS

_PUNCTUATION = re.compile(
    r"[,;:()\[\]{}\"'`|=…!?。，、；：！？「」『』《》【】“”‘’‚#@]+|(?<!\S)[-–—.*/_<>&~^]+(?!\S)|[.\-–—]+(?=[\s,;:!?]|$)|(?<!\S)[.\-–—]+"
)
_SAME = re.compile(rf"{ANY_MARK}(?:[\s.:/&+-]*{ANY_MARK})*")
_AROUND = re.compile(rf"[<>~*+]{{0,4}}({ANY_MARK})[<>~*+]{{0,4}}")
_NEAR_HAN = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")
_WORD = re.compile(r"[a-z]{4,}", re.ASCII)
_VERBS = {
    "were": "was", "are": "is", "have": "has", "do": "does", "don't": "doesn't", "aren't": "isn't", "weren't": "wasn't", "haven't": "hasn't",
    "an": "a", "n't": "not",
}  # fmt: skip
_VERB = re.compile(r"(?<![a-z])(?:were|are|have|do|an)(?![a-z])")
_NOT_PLURAL = frozenset(
    """
    this does was always less unless across access process address class status alias bias canvas lens news series
    species
    """.split()  # noqa: SIM905 - words, not a list of them
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_TELLING_WORD = re.compile(r"[a-z]{2,}|[\u3400-\u9fff]")
_HTTP = re.compile(r"https?/<\*>(?= \d)|http/\d(?:\.\d)?")
_HYPHEN = re.compile(r"(?<=[a-z]{2})-(?=[a-z]{2})")
_HTTPS = re.compile(r"(?<![a-z])https(?=[ a-z])")
_LEADING = re.compile(
    r"^(?:(?:error|err|fatal|exception|错误|异常|<\*>(?= (?:fatal |internal compiler )?error ))\s+)+(?=\S)"
)
_GENERIC_HAN = re.compile(
    "错误|异常|失败|出错|报错|发生|未知|操作|执行|命令|工具|退出|状态|返回|代码|码|了|的|请|为|是"
)


def folded(text: str) -> str:
    """Give a marked text as its signature says it: `flight <*> not available on date <*>`."""
    text = _PUNCTUATION.sub(" ", text.lower())
    text = _AROUND.sub(r"\1", text)
    text = _SAME.sub(mark("value"), " ".join(text.split()))
    text = _VERB.sub(lambda found: _VERBS[found[0]], text.replace("n't", "nt"))
    text = _WORD.sub(_singular, _HYPHEN.sub(" ", text))
    text = unshielded(text).lower()
    text = _LEADING.sub("", " ".join(re.sub(ANY_MARK, "<*>", text).split()))
    text = _HTTPS.sub("http", _HTTP.sub("http", text))
    return _NEAR_HAN.sub("", text).strip()


def generic(text: str) -> bool:
    """Say whether a folded text has no telling word."""
    rest = _GENERIC_HAN.sub("", text.replace("<*>", " "))
    return all(word in GENERIC_WORDS for word in _TELLING_WORD.findall(rest))


def _singular(found: re.Match[str]) -> str:
    word = found[0]
    if word[-1] != "s" or word.endswith(("ss", "us", "is")) or word in _NOT_PLURAL:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]
