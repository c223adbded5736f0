"""The words of an explanation, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from casebook.runtime.answer.activation import Verdict
from casebook.runtime.answer.texts import Language

Outcome = Literal["selected", "omitted", "held", "near_miss", "silent"]
"""What became of a case: its text is in the answer · left out by the limits · its conditions hold and something holds it back ·
all but one condition hold · the rest."""


@dataclass(frozen=True, slots=True)
class ExplainTexts:
    """The words of one language.

    Attributes:
        head: point, instant, engine, verdict.
        verdicts: the verdicts.
        counts: how many cases of each outcome.
        outcomes: what became of a case.
        not_shown: how many of an outcome are only counted.
        case: the first line of a case: id, what became of it, effect, priority, place.
        marks: a condition that fails, and one that holds.
        missing: a field that is missing.
        field, clock, events: a value that was seen.
        wanted, unwanted: what was asked, where it was not so; what must not be, where it was so.
        reasons: why a case is held back, by the code of the reason; `{}` is its detail.
        limit: why a case is left out.
        rule: ruleset and rule.
        separator: between two values seen.
        disagree: that the engine and the reference evaluator differ, on which cases.
        nothing: that there is no case.
        window: a time of day, from and to.
    """

    head: str
    verdicts: Mapping[Verdict, str]
    counts: str
    outcomes: Mapping[Outcome, str]
    not_shown: str
    case: str
    marks: tuple[str, str]
    missing: str
    field: str
    clock: str
    events: str
    wanted: str
    unwanted: str
    reasons: Mapping[str, str]
    limit: str
    rule: str
    separator: str
    disagree: str
    nothing: str
    window: str


EN = ExplainTexts(
    head="point {}, {}, engine {}, verdict: {}",
    verdicts={"allow": "allow", "confirm": "ask a person first", "block": "block"},
    counts=(
        "fires: {0[selected]} · left out: {0[omitted]} · held back: {0[held]} · near misses: {0[near_miss]}"
        " · others: {0[silent]}"
    ),
    outcomes={
        "selected": "fires",
        "omitted": "fires, left out",
        "held": "held back",
        "near_miss": "near miss",
        "silent": "does not fire",
    },
    not_shown="{0}: {1} more",
    case="{} {} ({}, priority {}) {}",
    marks=("no ", "yes"),
    missing="field {} is missing",
    field="{}: {}",
    clock="time: {}",
    events="earlier events: {}",
    wanted="{}, wanted {}",
    unwanted="{}, not wanted: {}",
    reasons={
        "status": "its status is {}",
        "created": "not yet active, it begins at {}",
        "expired": "silent since {}",
        "point": "it is asked about at these points alone: {}",
        "mode:off": "its mode is off",
        "mode:shadow": "its mode is shadow: matched, never injected",
        "superseded": "superseded by {}",
        "cooldown": "its cooldown in this session lasts until {}",
        "budget": "it has used up its budget of {} injections",
        "said": "it was said in this session already, and stands in the transcript",
        "holdout": "this session is in the holdout: advice is withheld, for measuring",
        "spent": "{}",
    },
    limit="left out by the limits of one answer",
    rule="ruleset {}, rule {}",
    separator="; ",
    disagree="the engine and the reference evaluator disagree on {}",
    nothing="No case is within reach of this task.",
    window="{}–{}",
)

ZH = ExplainTexts(
    head="触发点 {}，{}，引擎 {}，结论：{}",
    verdicts={"allow": "放行", "confirm": "先征得人的同意", "block": "拦截"},
    counts=(
        "触发：{0[selected]} · 略去：{0[omitted]} · 按住：{0[held]} · 只差一个条件：{0[near_miss]} · 其余：{0[silent]}"
    ),
    outcomes={
        "selected": "触发",
        "omitted": "触发但略去",
        "held": "被按住",
        "near_miss": "只差一个条件",
        "silent": "不触发",
    },
    not_shown="{0}：另有 {1} 条",
    case="{} {}（{}，优先级 {}）{}",
    marks=("否", "是"),
    missing="字段 {} 缺失",
    field="{}：{}",
    clock="时间：{}",
    events="此前的事件：{} 次",
    wanted="{}，应为 {}",
    unwanted="{}，不应为 {}",
    reasons={
        "status": "状态为 {}",
        "created": "尚未生效，自 {} 起",
        "expired": "自 {} 起不再触发",
        "point": "只用于触发点 {}",
        "mode:off": "模式为 off",
        "mode:shadow": "模式为 shadow：只匹配，不注入",
        "superseded": "被 {} 取代",
        "cooldown": "在本会话中冷却，至 {} 为止",
        "budget": "注入次数已用完：{}",
        "said": "本会话已经说过，仍在对话记录中",
        "holdout": "本会话属于对照组：为了衡量效果，不给建议",
        "spent": "{}",
    },
    limit="因一次回答的上限而略去",
    rule="规则集 {}，规则 {}",
    separator="；",
    disagree="引擎与参考求值器不一致：{}",
    nothing="没有此任务可及的案例。",
    window="{}–{}",
)

EXPLAIN_TEXTS: Mapping[Language, ExplainTexts] = MappingProxyType({"en": EN, "zh": ZH})
