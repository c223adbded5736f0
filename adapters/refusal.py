"""What an agent is told of a call that is not made, in the casebook's language."""

from __future__ import annotations

from typing import Literal

from casebook.runtime.answer.activation import Activation
from casebook.task import Task

Language = Literal["en", "zh"]

_TEXTS = {
    "en": {
        "call": "The call of {tool}", "turn": "This turn's call",
        "block": "{what} was not made: the casebook blocks it ({ids}).",
        "confirm": "{what} was not made: a person has to agree to it first ({ids}). Ask, and wait for the answer.",
        "no": "{what} was not made: a person was asked and said no ({ids}).",
        "failed": "{what} was not made: the casebook failed, and its policy is on_failure: closed ({error}).",
        "unread": "{what} was not made: the casebook could not look at all of it, and its policy is on_failure: closed ({why}).",
        "some": "a case",
    },
    "zh": {
        "call": "对 {tool} 的调用", "turn": "本轮的调用",
        "block": "{what}没有执行：案例库阻止了它（{ids}）。",
        "confirm": "{what}没有执行：须先得到人的同意（{ids}）。请询问，并等待答复。",
        "no": "{what}没有执行：已询问过人，对方不同意（{ids}）。",
        "failed": "{what}没有执行：案例库出了故障，而其策略为 on_failure: closed（{error}）。",
        "unread": "{what}没有执行：案例库无法完整查看它，而其策略为 on_failure: closed（{why}）。",
        "some": "某个案例",
    },
}  # fmt: skip


def refused(task: Task, answer: Activation, language: Language, *, asked: bool = False) -> str:
    """Give why a call is not made, and the cases' text below it.

    Args:
        task: the call, or the turn.
        answer: whose verdict is `block` or `confirm`.
        language: the policy's.
        asked: whether a person was asked and said no.
    """
    texts = _TEXTS[language]
    ids = ", ".join(case.id for case in answer.cases if case.effect == answer.verdict) or texts["some"]
    head = texts["no" if asked else answer.verdict].format(what=_what(task, language), ids=ids)
    return f"{head}\n\n{answer.prompt}" if answer.prompt else head


def said_no(tool: str, ids: tuple[str, ...], language: Language) -> str:
    """Give what an agent is told where a person was asked about a call and said no."""
    texts = _TEXTS[language]
    what = texts["call"].format(tool=tool)
    return texts["no"].format(what=what, ids=", ".join(ids) or texts["some"])


def failed(tool: str, error: Exception, language: Language) -> str:
    """Give why a call is not made where the casebook failed and its policy lets nothing pass then."""
    texts = _TEXTS[language]
    return texts["failed"].format(what=texts["call"].format(tool=tool), error=error)


def unread(tool: str, why: str, language: Language) -> str:
    """Give why a call is not made that could not be looked at whole, where the policy lets nothing pass then."""
    texts = _TEXTS[language]
    return texts["unread"].format(what=texts["call"].format(tool=tool), why=why)


def _what(task: Task, language: Language) -> str:
    texts = _TEXTS[language]
    return texts["call"].format(tool=task.tool) if task.tool else texts["turn"]
