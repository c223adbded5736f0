"""What a new casebook's files say, in both languages: the policy with its comments, and an example case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "zh"]

_EN = """\
# The policy of this casebook. What is left out has its default; `casebook check` tells of mistakes.
format: 1

# The zone of every time that names none: conditions, created_at, schedules.
timezone: {zone}

# The language of the text that an agent is given: en or zh.
language: {language}

# off: nothing · shadow: matched and journaled only · advise: nothing blocks · enforce: as the cases say.
# mode: enforce

# limits:
#   max_cases: 5          # cases in one answer
#   max_cases_tool: 3     # the same at the tool point
#   max_chars: 1500       # characters of their text

# When a repeated error becomes a case.
# detector:
#   enabled: true         # false: errors are counted, and make none
#   threshold: 3          # times that it has to occur
#   distinct: call        # counted once a call, a task or a session
#   tombstone: 90d        # for so long a rejected error makes no new case

# What is no error, beside failing tests, linters and the like: patterns (RE2) over "type: message". "not NAME" switches a
# shipped one off.
# ignore_errors: ["^HTTP 404", not linter]

# What is never kept, beside keys, tokens and passwords: patterns (RE2).
# redact: ["CUST-[0-9]{{6}}"]

# What the journal keeps of the words of tasks and errors.
# journal:
#   text_days: 90         # days
#   text_chars: 200       # characters of a text

# The share of sessions that get no advice, by which `casebook stats` tells whether it helps.
# holdout: 0.1

# A host's name of a tool, and the common one that conditions read.
# tools:
#   MyBash: shell

# Intents beside the shipped ones: one of the words or patterns (RE2), and none of the exclusions. Give each a name of its
# own: one with a shipped name, such as deploy, takes the place of the whole shipped one, its words in other languages too.
# intents:
#   restock:
#     words: [restock, reorder stock, 进货, 补货]
#     exclude: [restock report]
"""

_ZH = """\
# 本案例册的策略。没有写的项用默认值；`casebook check` 会指出写错的地方。
format: 1

# 没有写明时区的时间都按此时区：条件、created_at、定时任务。
timezone: {zone}

# 给智能体看的文字所用的语言：en 或 zh。
language: {language}

# off：什么都不做 · shadow：只匹配并记入日志 · advise：只提醒，不拦截 · enforce：按案例所写。
# mode: enforce

# limits:
#   max_cases: 5          # 一次回答中最多几个案例
#   max_cases_tool: 3     # 调用工具时最多几个
#   max_chars: 1500       # 案例文字的总字数

# 同样的错误重复多少次会变成案例。
# detector:
#   enabled: true         # false：只计数，不生成案例
#   threshold: 3          # 要出现几次
#   distinct: call        # 按调用（call）、任务（task）或会话（session）计一次
#   tombstone: 90d        # 被否决的错误在此期间不再生成案例

# 除测试失败、代码检查等之外，还有哪些不算错误：匹配“类型: 消息”的正则（RE2）。“not 名称”关闭自带的一条。
# ignore_errors: ["^HTTP 404", not linter]

# 除密钥、令牌、密码之外，还有哪些绝不保存：正则（RE2）。
# redact: ["CUST-[0-9]{{6}}"]

# 任务和错误的原话在日志中保留多少。
# journal:
#   text_days: 90         # 天数
#   text_chars: 200       # 每段文字的字数

# 不给任何提醒的会话所占的比例，`casebook stats` 据此判断是否有用。
# holdout: 0.1

# 宿主的工具名，以及条件所用的通用名。
# tools:
#   MyBash: shell

# 自带意图之外的意图：含有其中一个词或符合其中一个正则（RE2），且不含 exclude 中的词。请另取名字：
# 与自带意图同名（如 deploy）会取代整个自带的意图，包括其他语言的词。
# intents:
#   restock:
#     words: [进货, 补货, restock, reorder stock]
#     exclude: [进货报表]
"""

_EN_CASE = """\
[
  {{
    "$comment": "An example. Change it, or archive it: casebook archive example_force_push",
    "id": "example_force_push",
    "type": "rule",
    "situation": "About to force-push to a branch that others share",
    "trigger_conditions": {conditions},
    "judgment": "A force-push rewrites what others have already fetched",
    "consequence": "Commits of colleagues disappear from the shared branch",
    "correction": "Fetch first, and push with --force-with-lease, which refuses where somebody else has pushed",
    "priority": 7,
    "created_at": "{today}",
    "examples": {{
      "fires": [{{"tool": "shell", "args": {{"command": "git push --force origin main"}}}}],
      "silent": [
        {{"tool": "shell", "args": {{"command": "git push origin main"}}}},
        {{"tool": "shell", "args": {{"command": "git push --force-with-lease"}}}},
        {{"tool": "shell", "args": {{"command": "rm -f x && git push"}}}}
      ]
    }}
  }}
]
"""

_ZH_CASE = """\
[
  {{
    "$comment": "示例。请改成自己的，或归档：casebook archive example_force_push",
    "id": "example_force_push",
    "type": "rule",
    "situation": "即将强制推送到多人共用的分支",
    "trigger_conditions": {conditions},
    "judgment": "强制推送会改写别人已经拉取的历史",
    "consequence": "同事的提交会从共用分支上消失",
    "correction": "先 fetch，再用 --force-with-lease 推送；如果别人已经推送过，它会拒绝",
    "priority": 7,
    "created_at": "{today}",
    "examples": {{
      "fires": [{{"tool": "shell", "args": {{"command": "git push --force origin main"}}}}],
      "silent": [
        {{"tool": "shell", "args": {{"command": "git push origin main"}}}},
        {{"tool": "shell", "args": {{"command": "git push --force-with-lease"}}}},
        {{"tool": "shell", "args": {{"command": "rm -f x && git push"}}}}
      ]
    }}
  }}
]
"""

_MATCHES = r"/\bpush\b[^;&|\n]*\s(--force|-[a-zA-Z]*f[a-zA-Z]*)([\s;&|)>]|$)/"
"""Over the push itself: neither another command's `-f` nor `--force-with-lease` is meant."""
_CONDITIONS: Mapping[Language, tuple[str, str]] = {
    "en": ('action is "git push"', f"args.command matches {_MATCHES}"),
    "zh": ('操作 为 "git push"', f"args.command 匹配 {_MATCHES}"),
}


def policy_text(language: Language, zone: str) -> str:
    """Give the text of a new policy, its comments in the language that it names."""
    return {"en": _EN, "zh": _ZH}[language].format(zone=zone, language=language)


def case_text(language: Language, today: str) -> str:
    """Give the file of the example case; `today` is an ISO date."""
    conditions = json.dumps(_CONDITIONS[language], ensure_ascii=False)
    return {"en": _EN_CASE, "zh": _ZH_CASE}[language].format(today=today, conditions=conditions)
