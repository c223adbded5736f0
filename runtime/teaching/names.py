"""What a sentence names that conditions can ask for: programs and their actions, tools, files, intents. Closed tables, no guess."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from casebook.policy import Policy
from casebook.runtime.facts.intents import intents_of, table_of
from casebook.runtime.facts.programs import (
    AFTER_FIRST,
    ALIASES,
    FLAGS_WITH_VALUE,
    NO_SUBCOMMAND,
    PATHS_ONLY,
    RUNNERS,
    SUBCOMMAND_ALIASES,
    TWO_WORDS,
    WRAPPERS,
)
from casebook.runtime.facts.shell import commands
from casebook.runtime.facts.tools import shipped
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import words_of
from casebook.runtime.teaching.command_names import ENGLISH, SUBCOMMANDS
from casebook.runtime.teaching.flag_names import flag_pattern
from casebook.runtime.teaching.in_command import holding
from casebook.runtime.teaching.operands import piped, started

RECENT: Final = 2_000
"""Recorded calls whose names are known, the newest (ours)."""
RECURSIVE: Final = holding("rm", flag_pattern("rm", "-r"))
"""RE2: `rm` of folders."""
UNASKED: Final = holding("rm", flag_pattern("rm", "-f"))
"""RE2: `rm` without a question."""
FORCED: Final = holding("git push", rf"{flag_pattern('git push', '-f')}|\+[^\s\"']+")
"""RE2: a forced push, by its flag or by the `+` of what is pushed; `--force-with-lease` is none."""
HARD: Final = holding("git reset", "--hard")
"""RE2: a reset that throws changes away."""

_SAYING: Final[Mapping[str, str]] = MappingProxyType(
    {FORCED: "git push is forced", RECURSIVE: "rm has -r", UNASKED: "rm has -f", HARD: "git reset has --hard"}
)

PHRASES: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = (
    (re.compile(r"\bforce[- ]?push(?:ing|es|ed)?\b|\bpush(?:ing)? (?:with )?(?:--force|-f)(?![\w-])|强推|强制推送", re.IGNORECASE), "git push", FORCED),
    (re.compile(r"\brm\s+-\w*[rR]\w*", re.IGNORECASE), "rm", RECURSIVE),
    (re.compile(r"\bhard[- ]reset(?:ting)?\b|硬重置", re.IGNORECASE), "git reset", HARD),
    (re.compile(r"\bpush(?:ing)?\b(?=[^,.;]*\b(?:to|main|master|branch|origin|remote|code|commits?)\b)|\bgit push\b|^(?:directly )?push(?:ing)?\b(?! (?:notif|messag))|推(?:送)?(?:代码|分支|到 ?(?:main|master|主分支|develop|production|prod|staging|release))", re.IGNORECASE), "git push", ""),
    (re.compile(r"\bcommitting\b|\bcommit\b(?! (?:message|history|hash|id))|提交(?:代码|改动|修改|变更)|^提交(?=\s*(?:-|$))", re.IGNORECASE), "git commit", ""),
    (re.compile(r"(?<![\w-])rebas(?:e|ing)\b|变基", re.IGNORECASE), "git rebase", ""),
)  # fmt: skip
"""What people call an action without naming it as it is typed, and what its command line then holds (RE2)."""

_SAID_BY_PATTERN: Final = frozenset({RECURSIVE, FORCED, HARD})
_FORCE_FLAG: Final = re.compile(r"-\w*[rRf]\w*|--force|--recursive|--hard")
_CODE: Final = re.compile(r"`([^`\n]{1,300})`")
_WORD: Final = re.compile(r"(?<![\w./-])([A-Za-z][\w.+-]*)")
_AFTER: Final = re.compile(r"[ \t]+([a-z][\w:-]*)(?:[ \t]+([a-z][\w:-]*))?")
_FLAG: Final = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*|(?<=[\s`])-\d{1,3}(?![:.]))(?![\w-])")
_FILE: Final = re.compile(
    r"(?<![\w@/.-])((?:[\w.-]+/)*[\w-]*[\w-]\.(?:[A-Za-z][A-Za-z0-9]{0,7}))(?![\w/-])|(?<![\w/])(\.env(?:\.\w+)?)(?![\w/-])"
)
_BRANCH: Final = re.compile(r"(?<![\w/:-])(main|master|develop|production|prod|staging|release)(?![\w/:-])")
_CHANGING: Final = re.compile(
    r"\b(?:edit|chang|modif|touch|writ|overwrit|rewrit|updat)\w*|编辑|修改|改动|改|写|覆盖|动(?=\s*[\w.])",
    re.IGNORECASE,
)
_NAMED_TOOL: Final = (
    re.compile(r"(?:\btool\s+|工具\s*)[`\"“]?([A-Za-z][\w.-]*)[`\"”]?", re.IGNORECASE),
    re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*)[`\"”]?\s*(?:\btool\b|工具)", re.IGNORECASE),
)
_GERUND: Final = re.compile(r"\b([a-z]{3,}?)ing\b")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known by name beside the tables: of the journal's calls, of the last one."""

    programs: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def __or__(self, other: Known) -> Known:
        """Give what either knows."""
        return Known(self.programs | other.programs, self.actions | other.actions, self.tools | other.tools)


@dataclass(frozen=True, slots=True)
class Names:
    """What a piece of text names.

    Attributes:
        actions: of the shell, such as `git push`.
        programs: of the shell, named without a subcommand.
        tools: canonical names.
        files: names or paths of files that are to be changed, or that a program named beside them opens.
        intents: of the policy's table.
        words: what the command line of an action holds besides, as it stands there.
        patterns: RE2, likewise.
        together: actions of which a command line has to have every one: `python -m pytest` runs two programs.
    """

    actions: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.programs or self.tools or self.files or self.intents or self.together)


def says(pattern: str) -> str:
    """Give what a pattern that a phrase or a clause stands for says of a command line, in words."""
    return _SAYING.get(pattern, "the sentence says so")


def known_of(records: Iterable[EventRecord]) -> Known:
    """Give what recorded calls name: so a sentence may name a program that no table has."""
    programs: set[str] = set()
    actions: set[str] = set()
    tools: set[str] = set()
    for each in records:
        programs.update(words_of(each.body, "program"))
        actions.update(words_of(each.body, "action"))
        tools.update([each.tool] if each.tool else [])
    return Known(frozenset(programs), frozenset(actions), frozenset(tools))


def names_in(text: str, policy: Policy, known: Known) -> Names:
    """Give what a piece of a sentence names.

    Args:
        text: a clause of a person's sentence.
        policy: for its tools and intents.
        known: what is known besides.
    """
    actions: dict[str, None] = {}
    programs: dict[str, None] = {}
    patterns: dict[str, None] = {}
    words = dict.fromkeys(each[1] for each in _FLAG.finditer(text))
    typed_in = _without_tools(text, policy, known)  # `the Bash tool` is a tool, and no program
    bare = _CODE.sub(" ", typed_in)
    codes = [[each.action for each in commands(code)] for code in _typed_alone(typed_in, bare, known)]
    run = codes[0] if len(codes) == 1 else []
    alone = [each[0] for each in codes if len(each) == 1]
    actions.update(dict.fromkeys(each for each in alone if " " in each))
    programs.update(dict.fromkeys(each for each in alone if " " not in each))
    patterns.update(dict.fromkeys(started(each).source for each in _starting(text)))
    if (pipe := piped(bare)) is not None and is_program(program_named(pipe[0]), known):
        patterns[pipe[2]] = None
        bare = bare.replace(pipe[1], f" {pipe[0]} ")
    typed: dict[str, None] = {}
    _shell_names(bare, known, typed, {})
    for pattern, action, holds in PHRASES:
        others = any(
            each.partition(" ")[2] == action.partition(" ")[2] and each != action for each in typed if " " in each
        )
        if not actions and not others and pattern.search(bare):
            actions[action] = None
            patterns.update({holds: None} if holds else {})
            if holds == RECURSIVE and any(re.fullmatch(r"-\w*f\w*|--force", each) for each in words):
                patterns[UNASKED] = None
    _shell_names(bare, known, actions, programs)
    if "git push" in actions:
        words.update(dict.fromkeys(each[1] for each in _BRANCH.finditer(bare)))
    if _SAID_BY_PATTERN & {*patterns}:  # they say what the flag says
        words = {each: None for each in words if not _FORCE_FLAG.fullmatch(each)}
    for action in actions:
        programs.pop(action.partition(" ")[0], None)
    for each in _starting(text) if len(programs) > 1 or actions else ():
        programs.pop(each, None)  # it starts what is named, and its pattern is there already
    paths = tuple(dict.fromkeys(found[0] or found[1] for found in _FILE.findall(text)))
    files = paths if _CHANGING.search(text) else ()
    opens = bool(programs) and not actions and all(each in PATHS_ONLY | AFTER_FIRST for each in programs)
    tools = _tools_in(text, policy, known)
    shell = bool(actions or programs)
    return Names(
        tuple(actions), tuple(programs), () if shell else tools, paths if opens else () if shell or tools else files,
        () if shell or tools or files else _intents_in(text, policy), tuple(words), tuple(patterns), tuple(dict.fromkeys(run)) if len(run) > 1 and not shell else (),
    )  # fmt: skip


def _typed_alone(text: str, bare: str, known: Known) -> list[str]:
    """Give what stands in backticks and is a command: of several, or beside one in plain words, no lone word that is none known."""
    codes = _CODE.findall(text)
    plain: dict[str, None] = {}
    _shell_names(bare, known, plain, plain)
    named = bool(plain) or any(action != "" and pattern.search(bare) for pattern, action, _ in PHRASES)
    if not named and len(codes) < 2:
        return codes
    told = [code for code in codes if " " in code.strip() or is_program(program_named(code.strip()), known)]
    return told if named or told else codes


def _starting(text: str) -> tuple[str, ...]:
    """Give the programs of a text that only start the one behind them: `sudo` of `sudo rm`."""
    pairs = re.finditer(r"(?<![\w./-])([a-z][\w-]*)(?:[ \t]+-\S+)*(?=[ \t]+([a-z][\w.-]*))", text)
    return tuple(
        dict.fromkeys(
            each[1]
            for each in pairs
            if each[1] in WRAPPERS and each[1] not in ENGLISH and is_program(program_named(each[2]), Known())
        )
    )


def _shell_names(text: str, known: Known, actions: dict[str, None], programs: dict[str, None]) -> None:
    taken = 0  # up to here it is the subcommand of what stands before
    for found in _WORD.finditer(text):
        program = program_named(found[1])
        if found.start() < taken or not is_program(program, known):
            continue
        after = _AFTER.match(text, found.end())
        second, third = (after[1] or "", after[2] or "") if after is not None else ("", "")
        second = SUBCOMMAND_ALIASES.get((program, second), second)
        two, three = f"{program} {second}", f"{program} {second} {third}"
        subcommands = SUBCOMMANDS.get(program, frozenset())
        if third and second in TWO_WORDS.get(program, ()) and (three in known.actions or second in subcommands):
            actions[three] = None
            taken = after.end() if after is not None else 0
        elif second and (two in known.actions or second in subcommands):
            actions[two] = None
            taken = after.end(1) if after is not None else 0
        elif program not in ENGLISH or re.match(r"\s+-\w", text[found.end() :]):
            programs[program] = None


def program_named(word: str) -> str:
    """Give a word as the facts name the program that it would be: `python3` is `python`."""
    name = word.rstrip(".").lower()
    return ALIASES.get(name, name)


def is_program(name: str, known: Known) -> bool:
    """Say whether a name is a program's, by the tables or by recorded calls."""
    tables: tuple[Collection[str], ...] = (TWO_WORDS, FLAGS_WITH_VALUE, RUNNERS, NO_SUBCOMMAND, SUBCOMMANDS)
    return any(name in each for each in tables) or name in known.programs


def _tools_in(text: str, policy: Policy, known: Known) -> tuple[str, ...]:
    """Give the canonical tools that a text names: by a host's own name that is no word, or as `the … tool`."""
    native = {**shipped(), **policy.tools}
    canonical = {*native.values(), *known.tools}
    own = known.tools - {*shipped().values()}
    found: dict[str, None] = {}
    for each in re.findall(r"[A-Za-z][\w.]*\w", text):
        told = "_" in each or re.search(r"[a-z][A-Z]", each) is not None or each in own
        if told and (each in native or each in canonical):
            found[native.get(each, each)] = None
    for pattern in _NAMED_TOOL:
        found |= {tool: None for each in pattern.finditer(text) if (tool := _tool_named(each[1], native, canonical))}
    return tuple(found)


def _tool_named(name: str, native: Mapping[str, str], canonical: Collection[str]) -> str:
    """Give the canonical tool of what is called one, in whatever case; "" where it is none that is known."""
    if name in native or name in canonical:
        return native.get(name, name)
    return next((tool for each, tool in native.items() if each.casefold() == name.casefold()), "")


def _without_tools(text: str, policy: Policy, known: Known) -> str:
    """Give a text without the names that it calls tools."""
    native = {**shipped(), **policy.tools}
    canonical = {*native.values(), *known.tools}
    for pattern in _NAMED_TOOL:
        text = pattern.sub(lambda found: " " if _tool_named(found[1], native, canonical) else found[0], text)
    return text


def _intents_in(text: str, policy: Policy) -> tuple[str, ...]:
    """Give the intents that a clause names, whatever form its verb has: `推送`, `deploying`."""
    table = table_of(policy)
    found = intents_of(text, table)
    if not found and (stem := _GERUND.search(text)) is not None:
        rest = text[stem.end() :]
        found = intents_of(f"{stem[1]}{rest}", table) or intents_of(f"{stem[1]}e{rest}", table)
    return found


def said_words(text: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """Give those of some words that a text says, each as it stands there: whole words, in any case."""
    said = {each.casefold() for each in re.findall(r"[^\s,;:!?\"'`“”，。；：！？（）()]+", text)}
    said |= {each.rstrip(".") for each in said}
    return tuple(dict.fromkeys(each for each in tokens if each.casefold() in said))
