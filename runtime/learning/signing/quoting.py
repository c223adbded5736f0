"""Quotes that hold a message and no value: `err="connection refused"`, `(1146, "Table 'x' doesn't exist")`, `OSError('…')`."""

from __future__ import annotations

import re

from casebook.runtime.learning.signing.types import SENTENCE

_QUOTED = r"(?:\"(?P<double>(?:[^\"\\\n]|\\.){2,1000})\"|'(?P<single>(?:[^'\n]|(?<=\w)'(?=\w)){2,1000})'(?!\w))"
_CUED = re.compile(
    rf"(?P<cue>(?<![A-Za-z0-9])(?:msg|message|err|error|errmsg|error_message|reason|detail|details|desc|description|cause|exception|title|stderr|output|said|says|"
    rf"错误|原因|消息|信息|详情|提示) ?[=:：] ?|\b(?:\w{{0,60}}(?:Error|Exception|Warning|Failure))\(|\(\d{{3,5}}, ?|\((?=[\"'])|(?:said|says|replied|reported|with message|message) )b?{_QUOTED}(?=[ ]?(?:$|[,;:()\]}}])| \w+=)",
    re.ASCII | re.IGNORECASE,
)
_WHOLE = re.compile(rf"^b?{_QUOTED}$", re.ASCII)
_STATUS = re.compile(r"([\"'])(?P<v>[1-5]\d\d [A-Z][A-Za-z -]{1,60})\1", re.ASCII)
_ESCAPES = re.compile(r"\\([\"'\\])")


def unquoted(text: str) -> str:
    """Give a line in which quotes around a message are taken off; quotes around values stay."""
    found = _WHOLE.match(text)
    if (found is not None and _inner(found).count(" ") > 2) or (found is not None and SENTENCE.search(_inner(found))):
        text = _inner(found)
    text = _STATUS.sub(r"\g<v>", text)
    for _ in range(2):
        text = _CUED.sub(_opened, text)
    return text


def _opened(found: re.Match[str]) -> str:
    inner = _inner(found)
    if not re.search(r"[A-Za-z]{2}.* |[\u4e00-\u9fff]{2}", inner) and not found["cue"].endswith(("=", ":")):
        return found[0]
    return f"{found['cue']}{inner} "


def _inner(found: re.Match[str]) -> str:
    inner: str = found["double"] or found["single"] or ""
    return _ESCAPES.sub(r"\1", inner)
