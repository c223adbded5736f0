"""The words of learnt cases, in both languages: calm, useful to an agent, and without a word that is somebody's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final, Literal

from casebook.runtime.learning.backtest import Figures
from casebook.runtime.learning.quoting import quoted

Language = Literal["en", "zh"]
Called = Literal["tool", "action", "intent", "nothing"]
"""What a case is bound to, which its sentences speak of."""

NAME_CHARS: Final = 60
"""Characters of a tool's name, an action's or an intent's in a sentence."""
MOST_NAMES: Final = 3
"""Names that one sentence lists."""

_PLAIN_NAME: Final = re.compile(r"[^\W\d_][\w.:/-]*(?: [\w.:/-]+){0,3}")


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of an error that came again and again.

    Attributes:
        language: of the texts.
        error: the kind of the error in quotation marks, or "" where nothing may be told of it.
        count: its occurrences.
        sessions: different sessions that had it.
        first, last: the days of the first and of the last, in the casebook's zone.
        called: what kind of thing `names` are.
        names: the tools, actions or intents.
        figures: of the backtest.
    """

    language: Language
    error: str
    count: int
    sessions: int
    first: date
    last: date
    called: Called
    names: tuple[str, ...]
    figures: Figures


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences of one language; in braces what is filled in, `{things}` and the like from `things` (of tasks: `_TASKS`)."""

    things: tuple[str, str, str, str]
    subjects: Mapping[Called, str]
    before: Mapping[Called, str]
    failed: str
    failed_with: str
    check: str
    check_error: str
    changed_one: str
    changed: str
    was: str
    look: str
    instead_one: str
    instead: str
    consider: str
    situation: str
    situation_with: str
    on_one_day: str
    on_days: str
    judgment: str
    consequence: str
    consequence_sessions: str
    ask: str
    comma: str
    last_comma: str
    last_or: str
    others: str
    true: str
    false: str
    end: str


_EN = _Words(
    things=("Calls", "calls", "call", "the arguments"),
    subjects={
        "tool": "Calls of {}",
        "action": "Shell calls of {}",
        "intent": "Tasks with the intent {}",
        "nothing": "Tasks",
    },
    before={
        "tool": "before calling {}",
        "action": "before running {}",
        "intent": "before going on with {}",
        "nothing": "before going on",
    },
    failed="{Things} like this have failed {count} times.",
    failed_with="{Things} like this have failed {count} times with {error}.",
    check="Check {input} {before}; where it fails, report what works.",
    check_error="Check for that {before}; where it fails, report what works.",
    changed_one="In one session the same tool then succeeded after a change of {names}.",
    changed="In {sessions} sessions the same tool then succeeded after a change of {names}.",
    was="There {name} was then {value}, for several users.",
    look="Look at {names} {before}.",
    instead_one="In one session the same words then worked with {worked} instead of {failed}.",
    instead="In {sessions} sessions the same words then worked with {worked} instead of {failed}.",
    consider="See whether {worked} is meant {before}.",
    situation="{subject} failed {count} times, {when}.",
    situation_with="{subject} failed {count} times with {error}, {when}.",
    on_one_day="on {first}",
    on_days="from {first} to {last}",
    judgment="{failing} of {matching} recorded {things} like this failed in this way.",
    consequence="The {thing} failed each time.",
    consequence_sessions="The {thing} failed each time, in {sessions} different sessions.",
    ask=(
        "The same error has occurred several times now and has been recorded as a lesson. Once you know what works, please report "
        "it in a sentence or two, without ids, names or amounts: as an outcome of the kind `correction` (`casebook after-task` "
        "takes it, and so does `after_task`)."
    ),
    comma=", ",
    last_comma=" and ",
    last_or=" or ",
    others="another of {count}",
    true="true",
    false="false",
    end=" ",
)

_ZH = _Words(
    things=("调用", "调用", "调用", "各项参数"),
    subjects={
        "tool": "调用 {} ",
        "action": "在命令行运行 {} ",
        "intent": "意图为 {} 的任务",
        "nothing": "任务",
    },
    before={
        "tool": "调用 {} 之前",
        "action": "运行 {} 之前",
        "intent": "继续 {} 之前",
        "nothing": "继续之前",
    },
    failed="这类{things}已失败 {count} 次。",
    failed_with="这类{things}已失败 {count} 次，报错为{error}。",
    check="{before}，请先检查{input}；若仍然失败，请报告什么做法有效。",
    check_error="{before}，请先检查是否会如此；若仍然失败，请报告什么做法有效。",
    changed_one="在 1 个会话中，改动 {names} 之后，同一工具调用成功。",
    changed="在 {sessions} 个会话中，改动 {names} 之后，同一工具调用成功。",
    was="当时 {name} 为 {value}，几位用户都是如此。",
    look="{before}，请先看一看 {names}。",
    instead_one="在 1 个会话中，用 {worked} 代替 {failed}、其余不变之后，调用成功。",
    instead="在 {sessions} 个会话中，用 {worked} 代替 {failed}、其余不变之后，调用成功。",
    consider="{before}，请先看一看是否应当用 {worked}。",
    situation="{subject}失败了 {count} 次，{when}。",
    situation_with="{subject}失败了 {count} 次，报错为{error}，{when}。",
    on_one_day="{first}",
    on_days="从 {first} 到 {last}",
    judgment="在记录下的 {matching} 次这类{things}中，有 {failing} 次这样失败。",
    consequence="每一次{thing}都失败了。",
    consequence_sessions="每一次{thing}都失败了，涉及 {sessions} 个会话。",
    ask=(
        "同样的错误已经出现数次，并已记为一条经验。等你知道什么做法有效，请用一两句话报告，不要写编号、姓名或金额："
        "以 `correction` 类型的结果提交（`casebook after-task` 或 `after_task` 均可）。"
    ),
    comma="、",
    last_comma=" 和 ",
    last_or=" 或 ",
    others="另外 {count} 个之一",
    true="真",
    false="假",
    end="",
)

_TASKS: Final[Mapping[Language, tuple[str, str, str, str]]] = MappingProxyType(
    {"en": ("Tasks", "tasks", "task", "what is asked"), "zh": ("任务", "任务", "任务", "任务要求")}
)
"""`things` where the errors had no tool."""
_WORDS: Final[Mapping[Language, _Words]] = MappingProxyType({"en": _EN, "zh": _ZH})


def caution(story: Story) -> str:
    """Give the correction where nobody has said what works and nothing was seen to: a caution that names the error."""
    words = _WORDS[story.language]
    check = words.check_error if story.error else words.check
    return _joined(story, _failed(story), check.format(before=_before(story), input=_things(story)[3]))


def mined(story: Story, sessions: int, names: Sequence[str], values: Mapping[str, str | bool]) -> str:
    """Give the correction that recoveries tell: the names of the arguments that changed, and values that many share.

    Args:
        story: of the error.
        sessions: in how many the tool succeeded afterwards.
        names: arguments, at least one; names of a program's form alone.
        values: of some of them; truths, and words that are no identifier, path, text or amount.
    """
    words = _WORDS[story.language]
    listed = _listed(names, words, words.last_comma)
    changed = (words.changed_one if sessions == 1 else words.changed).format(sessions=sessions, names=listed)
    told = [words.was.format(name=name, value=_value(value, words)) for name, value in values.items()]
    return _joined(story, _failed(story), changed, *told, words.look.format(names=listed, before=_before(story)))


def mined_instead(story: Story, sessions: int, failed: str, worked: str) -> str:
    """Give the correction that recoveries by another program tell: which worked, in how many sessions, instead of which."""
    words = _WORDS[story.language]
    told = (words.instead_one if sessions == 1 else words.instead).format(
        sessions=sessions, worked=_name(worked), failed=_name(failed)
    )
    return _joined(story, _failed(story), told, words.consider.format(worked=_name(worked), before=_before(story)))


def situation(story: Story, note: str = "") -> str:
    """Give when this happened, and after it a note for the review where there is one."""
    words = _WORDS[story.language]
    text = words.situation_with if story.error else words.situation
    subject = words.subjects[story.called].format(_names(story, words, words.last_comma))
    told = text.format(
        subject=subject,
        count=story.count,
        error=story.error,
        when=(words.on_one_day if story.first == story.last else words.on_days).format(
            first=story.first.isoformat(), last=story.last.isoformat()
        ),
    )
    return f"{told}{words.end}{note}" if note else told


def judgment(story: Story) -> str:
    """Give what the backtest says; empty where nothing matched."""
    figures = story.figures
    if not figures.matching:
        return ""
    text = _WORDS[story.language].judgment
    return text.format(failing=figures.failing, matching=figures.matching, things=_things(story)[1])


def consequence(story: Story) -> str:
    """Give what came of it."""
    words = _WORDS[story.language]
    text = words.consequence_sessions if story.sessions > 1 else words.consequence
    return text.format(sessions=story.sessions, thing=_things(story)[2])


def ask_text(language: Language) -> str:
    """Give the request to the agent, at the error that makes a case, to report what works."""
    return _WORDS[language].ask


def _failed(story: Story) -> str:
    words = _WORDS[story.language]
    text = words.failed_with if story.error else words.failed
    things, inside, *_ = _things(story)
    return text.format(count=story.count, error=story.error, Things=things, things=inside)


def _things(story: Story) -> tuple[str, str, str, str]:
    """Give what failed: things at a sentence's beginning, within one, one of them, and what it was given."""
    tasks = story.called in ("intent", "nothing")
    return _TASKS[story.language] if tasks else _WORDS[story.language].things


def _joined(story: Story, *sentences: str) -> str:
    return _WORDS[story.language].end.join(sentences)


def _before(story: Story) -> str:
    words = _WORDS[story.language]
    return words.before[story.called].format(_names(story, words, words.last_or))


def _names(story: Story, words: _Words, last: str) -> str:
    told = [_name(each) for each in story.names[:MOST_NAMES]]
    left = len(story.names) - len(told)
    return _listed([*told, words.others.format(count=left)] if left else told, words, last)


def _name(name: str) -> str:
    """Give a name as a sentence bears it: plainly where it is one, else in quotation marks."""
    return name if len(name) <= NAME_CHARS and _PLAIN_NAME.fullmatch(name) else quoted(name, NAME_CHARS)


def _listed(names: Sequence[str], words: _Words, last: str) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{words.comma.join(names[:-1])}{last}{names[-1]}"


def _value(value: str | bool, words: _Words) -> str:  # noqa: FBT001  # a value that may be a truth
    if isinstance(value, bool):
        return words.true if value else words.false
    return quoted(value, NAME_CHARS)
