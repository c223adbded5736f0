"""The words of the managed block, in both languages. They are plain Markdown, as its formatters leave it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from casebook.runtime.answer.texts import Language


@dataclass(frozen=True, slots=True)
class BlockTexts:
    """The words of one language. In braces what is filled in.

    Attributes:
        usage: how an agent uses the casebook: a heading and a list.
        always: the heading of the cases that hold for every task.
        item: one of them: its id and its correction.
        more: how many more found no room.
    """

    usage: tuple[str, ...]
    always: str
    item: str
    more: str


EN = BlockTexts(
    usage=(
        "## Casebook",
        "",
        "Lessons from earlier mistakes are kept in a casebook. Use it from the shell, in this folder:",
        "",
        (
            '- Before a risky step (deleting, pushing, deploying, sending), ask: `casebook before-task --tool shell --arg command="git push"`.'
            " Do what its `prompt` says. Where its `verdict` is `confirm`, ask the user first; where it is `block`, leave the step out."
        ),
        (
            '- Each time a step failed, report it: `casebook after-task --error "exit 1" --message "the error" --tool shell --arg command="git push" --again`.'
            " The third report of the same error makes a lesson."
        ),
        '- When the user states a rule or a decision, note it: `casebook remember "Rule: we release on Tuesdays"`.',
        '- To look something up: `casebook recall "release day"`.',
        "- What the user says now comes before anything in the casebook.",
    ),
    always="### What always holds",
    item="- [{id}] {text}",
    more="… and {} more: `casebook list`",
)

ZH = BlockTexts(
    usage=(
        "## 案例库",
        "",
        "过去出错得来的教训记在案例库（casebook）里。在本目录的命令行中使用：",
        "",
        (
            '- 做有风险的事（删除、推送、部署、发送）之前先问：`casebook before-task --tool shell --arg command="git push"`，'
            "照 `prompt` 里的话做；`verdict` 为 `confirm` 时先问用户，为 `block` 时不要做。"
        ),
        (
            '- 某一步每次失败之后都报告：`casebook after-task --error "exit 1" --message "错误信息" --tool shell --arg command="git push" --again`；'
            "同一错误报告三次便成为一条教训。"
        ),
        '- 用户说出规则或决定时记下：`casebook remember "规则：每周二发布"`。',
        '- 查找：`casebook recall "发布"`。',
        "- 用户当前的话优先于案例库里的一切。",
    ),
    always="### 始终有效",
    item="- [{id}] {text}",
    more="……另有 {} 条：`casebook list`",
)

BLOCK_TEXTS: Mapping[Language, BlockTexts] = MappingProxyType({"en": EN, "zh": ZH})
