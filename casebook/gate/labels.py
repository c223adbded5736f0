"""The kind that a statement says of itself, by its label: "Lesson: …", "Decision: …", 教训：…, 【决定】…."""

from __future__ import annotations

import re
from typing import NamedTuple

from casebook.kinds import Kind

_ENGLISH: dict[str, Kind] = {
    "lesson": "lesson", "takeaway": "lesson", "learning": "lesson", "decision": "decision", "preference": "preference", "rule": "rule", "policy": "rule", "convention": "rule",
    "guideline": "rule", "fact": "fact", "conclusion": "conclusion", "finding": "conclusion", "root cause": "conclusion", "principle": "principle", "identity": "identity", "feedback": "feedback",
}  # fmt: skip
_CHINESE: dict[str, Kind] = {
    "教训": "lesson", "经验": "lesson", "经验教训": "lesson", "决定": "decision", "决策": "decision", "决议": "decision", "偏好": "preference", "喜好": "preference",
    "规则": "rule", "法则": "rule", "经验法则": "rule", "铁律": "rule", "规定": "rule", "规范": "rule", "约定": "rule", "事实": "fact", "结论": "conclusion", "根因": "conclusion", "原则": "principle", "身份": "identity", "反馈": "feedback",
}  # fmt: skip
_LABEL = re.compile(
    r"^[*_#\[【(「 ]{0,4}(?:"
    r"(?:(?:my|our|the|a|an|one|another|team|project|user|new|key|main|first|second|final|important|general|house|personal) ){0,3}"
    rf"(?P<en>{'|'.join(_ENGLISH)})s?(?: (?:learned|learnt|made|taken|here|today|so far|no\.? ?\d+|\d+|\#\d+|(?:from|for|of|about|on) [^:.,;]{{1,40}}))?"
    r"|(?:我的?|我们的?|团队的?|项目的?|本项目的?|个人|用户的?|重要|最终|一个|一条|新的?|这次的?|上次的?|血的?|技术|编码|代码|架构|设计|\d{1,2}[.、]?)?"
    rf"(?P<zh>{'|'.join(sorted(_CHINESE, key=len, reverse=True))})(?:[一二三四五六七八九十\d]{{1,2}})?"
    r")(?: ?[*_\])】」]{0,3} ?:[*_ ]{0,3}| (?:--?|–|—) |——?|[\]】」][ ]?)"
)


class Label(NamedTuple):
    """What a statement calls itself.

    Attributes:
        kind: the kind that the label names.
        end: where the label ends, in folded text; what comes behind is what is said.
    """

    kind: Kind
    end: int


def label_of(view: str) -> Label | None:
    """Give the label at the beginning of a folded text, None where there is none."""
    found = _LABEL.match(view)
    if found is None:
        return None
    kind = _ENGLISH[found["en"]] if found["en"] else _CHINESE[found["zh"]]
    return Label(kind, found.end())


def unlabelled(view: str) -> str:
    """Give a folded text without the label at its beginning."""
    label = label_of(view)
    return view if label is None else view[label.end :]
