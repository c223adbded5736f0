"""One seeded generator of cases and tasks, so that every rival of the benchmark is asked exactly the same.

A case has 2–4 conditions. The first names what the case is about (an intent, a project or a word of the text), the others
narrow it: tools, times of the day, counts, further names, and their negations. The vocabularies grow with the number of
cases, so that a task meets about `HITS` cases at every size.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from casebook.case import Case, LoadedCase
from casebook.conditions.facts import Facts
from casebook.conditions.parse import parse
from casebook.conditions.tree import Node
from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.scope import EVERYONE
from casebook.task import Task

Slot = Literal["intent", "project", "text", "tool", "second", "errors", "recent_errors", "shell_calls"]
Op = Literal["is", "is_not", "in", "contains", "lacks", "between", "gte"]

SLOTS: tuple[Slot, ...] = ("intent", "project", "text", "tool", "second", "errors", "recent_errors", "shell_calls")
TOOLS = ("shell", "read", "write", "edit", "search", "fetch", "ask", "plan")
HITS = 8
"""Cases that a task is to meet, on average."""
WORDS_A_TEXT = 12
HALF_HOUR, TWO_HOURS = timedelta(minutes=30), timedelta(hours=2)
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
COUNTS: Mapping[Slot, tuple[str, str]] = {
    "errors": ("session.errors", "session.errors"),
    "recent_errors": ("count of error within 30m", "统计 错误 30分钟内"),
    "shell_calls": ("count of tool where tool is shell within 2h", "统计 工具 2小时内 满足 工具为shell"),
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition, as every rival can take it.

    Attributes:
        slot: what of a task it reads.
        op: how it compares.
        value: a name; a tuple of names for `in`; a pair of seconds of the day for `between`; a number for `gte`.
    """

    slot: Slot
    op: Op
    value: Any


@dataclass(frozen=True, slots=True)
class Corpus:
    """Cases and tasks of one size.

    Attributes:
        conditions: by case id.
        forms: the cases as the JSON objects of a file, conditions as text of the trigger language.
        tasks: tasks.
        facts: the same tasks as facts.
    """

    conditions: Mapping[str, tuple[Condition, ...]]
    forms: tuple[dict[str, Any], ...]
    tasks: tuple[Task, ...]
    facts: tuple[Facts, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that cases and tasks draw from; their numbers set how many cases a task meets."""

    intents: tuple[str, ...]
    projects: tuple[str, ...]
    words: tuple[str, ...]


def corpus(size: int, tasks: int, *, seed: int = 7) -> Corpus:
    """Give so many cases and tasks, the same ones for the same arguments."""
    rnd = random.Random(f"{seed} {size}")
    names = vocabulary(size, rnd)
    conditions = {f"case_{number:06d}": _case(names, rnd) for number in range(size)}
    forms = tuple(_form(name, asked, rnd) for name, asked in conditions.items())
    drawn = tuple(_task(names, rnd, number) for number in range(tasks))
    facts = tuple(extract(task, Policy(), NOW) for task in drawn)
    return Corpus(conditions, forms, drawn, facts)


def loaded(forms: Sequence[Mapping[str, Any]]) -> dict[str, LoadedCase]:
    """Give the cases as a store would load them, by id; each distinct condition is parsed once."""
    trees: dict[str, Node] = {}
    found: dict[str, LoadedCase] = {}
    for form in forms:
        for text in form["trigger_conditions"]:
            if text not in trees:
                trees[text] = parse(text)
        nodes = tuple(trees[text] for text in form["trigger_conditions"])
        case = Case.model_construct(**{**form, "scope": EVERYONE, "status": "active"})
        found[form["id"]] = LoadedCase(case, nodes, "UTC", None, None, "long_term/cases.json", 1, "", "")
    return found


def vocabulary(size: int, rnd: random.Random) -> Vocabulary:
    """Give the names for so many cases: distinct made-up words, none a part of another one by rule."""
    # Shares of the anchors, times the chance that the other conditions hold (about 0.31), over the sizes below, times the
    # number of cases, come to about HITS; the table prints the real mean.
    intents, projects, words = (max(4, round(size / part)) for part in (29, 38, 2.7))
    made = _words(intents + projects + words, rnd)
    return Vocabulary(made[:intents], made[intents : intents + projects], made[intents + projects :])


def _words(count: int, rnd: random.Random) -> tuple[str, ...]:
    parts = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rnd.choices(parts, k=4))] = None
    return tuple(found)


def _case(names: Vocabulary, rnd: random.Random) -> tuple[Condition, ...]:
    anchor = rnd.choices(("intent", "project", "text"), (40, 30, 30))[0]
    asked = [_anchor(anchor, names, rnd)]
    wanted = rnd.choices((2, 3, 4), (50, 35, 15))[0]
    while len(asked) < wanted:
        further = _narrowing(names, rnd)
        if further.slot == "text" or all(each.slot != further.slot for each in asked):  # none contradicts another
            asked.append(further)
    rnd.shuffle(asked)  # people write what a case is about anywhere
    return tuple(asked)


def _anchor(kind: str, names: Vocabulary, rnd: random.Random) -> Condition:
    if kind == "intent":
        return Condition("intent", "is", rnd.choice(names.intents))
    if kind == "project":
        return Condition("project", "is", rnd.choice(names.projects))
    return Condition("text", "contains", rnd.choice(names.words))


def _narrowing(names: Vocabulary, rnd: random.Random) -> Condition:
    kind = rnd.choices(
        ("time", "tool", "tools", "errors", "count", "no tool", "no word", "no project", "anchor"),
        (22, 16, 10, 18, 8, 8, 6, 4, 8),
    )[0]
    if kind == "time":
        start = rnd.randrange(24)
        return Condition("second", "between", (start * 3600, (start + rnd.randrange(4, 15)) % 24 * 3600))
    if kind == "tool":
        return Condition("tool", "is", rnd.choice(TOOLS))
    if kind == "tools":
        return Condition("tool", "in", tuple(rnd.sample(TOOLS, 3)))
    if kind == "errors":
        return Condition("errors", "gte", rnd.randrange(1, 4))
    if kind == "count":
        return Condition(rnd.choice(("recent_errors", "shell_calls")), "gte", rnd.randrange(1, 3))
    if kind == "no tool":
        return Condition("tool", "is_not", rnd.choice(TOOLS))
    if kind == "no word":
        return Condition("text", "lacks", rnd.choice(names.words))
    if kind == "no project":
        return Condition("project", "is_not", rnd.choice(names.projects))
    return _anchor(rnd.choice(("intent", "project", "text")), names, rnd)


def _form(name: str, asked: Sequence[Condition], rnd: random.Random) -> dict[str, Any]:
    chinese = rnd.random() < 0.15
    return {
        "id": name,
        "type": "rule",
        "situation": f"A note on {asked[0].slot}, made for the benchmark.",
        "trigger_conditions": [text(each, chinese=chinese) for each in asked],
        "judgment": "这样做会打扰用户" if chinese else "Done this way it cost an hour of somebody's time.",
        "consequence": "用户要求停止" if chinese else "The run was rolled back.",
        "correction": f"按 {name} 的办法做，先问一句"
        if chinese
        else f"Do as {name} says: ask first, then run the dry run.",
        "priority": rnd.randrange(11),
        "created_at": "2026-01-05",
    }


def text(condition: Condition, *, chinese: bool) -> str:
    """Write a condition in the trigger language."""
    slot, op, value = condition.slot, condition.op, condition.value
    if slot in COUNTS:
        return f"{COUNTS[slot][chinese]} >= {value}"
    if op == "between":
        start, end = (f"{second // 3600:02d}:00" for second in value)
        return f"当前时间在 {start}-{end}" if chinese else f"time between {start} and {end}"
    field = {"intent": "意图", "project": "项目", "text": "文本", "tool": "工具"}[slot] if chinese else slot
    listed = ", ".join(value) if op == "in" else value
    english = {"is": f'is "{value}"', "is_not": f'is not "{value}"', "in": f"in [{listed}]",
               "contains": f'contains "{value}"', "lacks": f'not contains "{value}"'}  # fmt: skip
    written = {"is": f"为 '{value}'", "is_not": f"不为 '{value}'", "in": f"属于 [{listed}]",
               "contains": f"包含 '{value}'", "lacks": f"不包含 '{value}'"}  # fmt: skip
    return f"{field}{written[op]}" if chinese else f"{field} {english[op]}"


def _task(names: Vocabulary, rnd: random.Random, number: int) -> Task:
    at = NOW + timedelta(minutes=7 * number, seconds=rnd.randrange(420))
    history: list[dict[str, Any]] = []
    for _ in range(rnd.randrange(5)):
        when = at - timedelta(minutes=rnd.randrange(1, 180))
        if rnd.random() < 0.5:
            error = {"type": rnd.choice(("TimeoutError", "PermissionError")), "message": "it did not work"}
            history.append({"kind": "error", "at": when, "error": error})
        else:
            history.append({"kind": "tool", "at": when, "tool": rnd.choice(TOOLS), "ok": True})
    history.sort(key=lambda event: event["at"])
    return Task(
        text=" ".join(rnd.choice(names.words) for _ in range(WORDS_A_TEXT)),
        intent=rnd.choice(names.intents),
        project=rnd.choice(names.projects),
        tool=rnd.choice(TOOLS),
        point="task",
        session=f"s{number}",
        at=at,
        history=tuple(history),
    )


def plain(facts: Facts) -> tuple[Any, ...]:
    """Give a task's facts as the values that rivals read, in the order of `SLOTS`: text folded, clock and counts worked out.

    Casebook works these out of the same facts in its own time, so each rival does in its.
    """
    values, at = facts.values, facts.at
    recent = shell = 0
    for event in facts.history:
        if event["kind"] == "error":
            recent += at - event["at"] <= HALF_HOUR
        elif event["tool"] == "shell":
            shell += at - event["at"] <= TWO_HOURS
    return (
        values["intent"],
        values["project"],
        values["text"].lower(),
        values["tool"],
        at.hour * 3600 + at.minute * 60 + at.second,
        values["session"]["errors"],
        recent,
        shell,
    )
