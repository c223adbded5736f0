"""What is no error: tests that fail, linters that find something, `grep` that finds nothing, interruptions, our own blocks.

A test runner that could not run at all is an error, and so is exit 2 of `grep`: what counts is whether the program answered.
`policy.ignore_errors` adds to the shipped rules and switches them off:

    ignore_errors:
      - linter                  # a shipped name: said again, harmless
      - not type-checker        # switches a shipped rule off
      - "OutOfStockError: .*"   # RE2, searched in "type: message"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import re2

from casebook.policy import Policy
from casebook.redacting.policy_patterns import pattern_of
from casebook.redacting.word_list import words
from casebook.runtime.answer.texts import TEXTS
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.programs import INTERPRETERS, RUNNERS, SCRIPTS
from casebook.runtime.learning.ignored_rules import (
    BADLY_SET_UP,
    COULD_NOT_RUN,
    FOUND_FIRST,
    OUR_BLOCK,
    OUR_TYPES,
    OUR_WORDS,
    PROGRAM_RULES,
    WORDING_RULES,
    ProgramRule,
    WordingRule,
)

Words = str | Sequence[str] | None

READ_CHARS = 8_192
"""Characters of a message that are looked at, at its beginning and at its end."""

_NEUTRAL = words(
    "cd pushd popd echo printf export set unset source . true : sleep mkdir cat head tail tee wc sort uniq tr cut sed awk less more time "
    "env ls pwd touch clear date nl column tac xargs find"
)
"""Programs that stand around others in a command line and do not decide whether it fails."""

_EXIT = re.compile(
    r"(?:exit(?:ed)?(?:[ _-]?(?:code|status))?|returned(?: non-?zero)?(?: exit)?(?: status| code)?|return ?code|errorlevel|"
    r"退出(?:码|代码|状态)|返回(?:码|值))(?: (?:of|was|is|with|code|status|non-?zero))*[\s:=(#]{0,3}(-?\d{1,3})\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?\d{1,3}")
_BOILERPLATE = re.compile(
    r"(?:error|command|process|shell|bash|sh|failed|failure|with|non-?zero|exit(?:ed)?|code|status|returned|and|no|output|the|tool|stdout|stderr|"
    r"empty|none|null|calledprocesserror|subprocess|\W|\d)+",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"\s*(?:error: )?no (?:matches|files|results)(?: were)? found\b|\s*(?:未找到|没有)(?:匹配|结果)", re.IGNORECASE
)


def ignored_error(
    *,
    tool: str | None,
    action: Words,
    program: Words,
    args: Mapping[str, Any] | None,
    type: str | None,  # noqa: A002  # the contract's name
    message: str | None,
    policy: Policy,
    verdict: str | None = None,
) -> str | None:
    """Give the name of the rule that says that this is no error, or None: then it is one.

    Of several commands the last that does anything decides, and only where those before it could not have failed otherwise, or
    where the message is that one's own result.

    Args:
        tool: canonical name of the tool, or None.
        action: of a shell call, as `call_facts` gives it: one, several, or None.
        program: the same.
        args: the arguments of the call, or None; the command in them is read where it is there.
        type: the error's class, code or status.
        message: what it said.
        policy: `ignore_errors`.
        verdict: of the activation that the error answers, where it is known: after a `block` the error is ours.

    Returns:
        A shipped name (`test-runner linter type-checker no-match differs test-command interrupted denied-by-person our-block`), or
        the policy's pattern.
    """
    kind, said = type or "", _read(message or "")
    text = f"{kind}: {said}" if kind else said
    off = {entry[4:].strip() for entry in policy.ignore_errors if entry.startswith("not ")}
    if OUR_BLOCK not in off and (verdict == "block" or _is_our_block(kind, said)):
        return OUR_BLOCK
    exit_code = _exit_of(kind, said)
    for rule in WORDING_RULES:
        if rule.name not in off and _says(rule, kind, text, exit_code):
            return rule.name
    name = _answered(tool, _list(action) or _list(program), _command_of(args), text, exit_code, off=off)
    if name is not None:
        return name
    raw = text.encode("utf-8", "replace")
    for entry in policy.ignore_errors:
        if entry not in _SHIPPED and not entry.startswith("not ") and pattern_of(entry).search(raw):
            return entry
    return None


_SHIPPED = frozenset((OUR_BLOCK, *(rule.name for rule in WORDING_RULES), *(rule.name for rule in PROGRAM_RULES)))


def _read(message: str) -> str:
    """Give the beginning and the end of a message."""
    return message if len(message) <= 2 * READ_CHARS else f"{message[:READ_CHARS]}\n{message[-READ_CHARS:]}"


def _exit_of(kind: str, said: str) -> int | None:
    """Give the exit code that a type or a message tells, or None: of several the one told last."""
    if _NUMBER.fullmatch(kind.strip()):
        return int(kind)
    for text in (kind, said[:400], said[-400:]):
        found = _EXIT.findall(text)
        if found:
            return int(found[-1])
    return None


# --- our own blocks


def _is_our_block(kind: str, said: str) -> bool:
    """Say whether an error is a verdict of ours: its class, a host's words for it, or our block where it begins and a case in it.

    Our heading somewhere within a longer text makes no block: errors may quote it, and may not hide behind it.
    """
    if kind.rsplit(".", 1)[-1] in OUR_TYPES or _regex(OUR_WORDS).search(said[:400].encode("utf-8", "replace")):
        return True
    plain = said.replace("*", "")
    for texts in TEXTS.values():
        at = plain[:200].find(texts.heading)
        if at >= 0 and any(texts.labels[weight].replace("*", "") in plain for weight in ("block", "confirm")):
            return texts.case.format("") in plain[at:]
    return False


# --- interruptions, denials


def _says(rule: WordingRule, kind: str, text: str, exit_code: int | None) -> bool:
    if exit_code in rule.exits or kind.rsplit(".", 1)[-1] in rule.types:
        return True
    return bool(_regex("|".join(f"(?:{each})" for each in rule.patterns)).search(text.encode("utf-8", "replace")))


# --- programs that answer


def _answered(
    tool: str | None, named: list[str], command: str, text: str, exit_code: int | None, *, off: set[str]
) -> str | None:
    """Give the rule by which a program has only answered, or None.

    Args:
        tool: as above.
        named: the actions of the call, as far as the host told them.
        command: its command line, or "".
        text: `type: message`.
        exit_code: as far as it is known.
        off: the rules that the policy switches off.
    """
    if tool in ("search", "grep", "glob") and "no-match" not in off and _NOT_FOUND.match(text):
        return "no-match"
    if exit_code == 1 and _TEST.match(command) and not named and "test-command" not in off:
        return "test-command"
    actions = _actions(tool, named, command)
    if not actions or (exit_code is not None and (exit_code in (0, 126, 127) or exit_code > 128)):
        return None
    raw = text.encode("utf-8", "replace")
    last = _rule_of(actions[-1], command, off)
    if last is None:
        return _stopped_by(actions, command, raw, off)
    ran = bool(last.evidence and _regex(last.evidence).search(raw))
    if not ran and any(_rule_of(each, command, off) is None for each in actions[:-1]):
        return None
    return last.name if _is_answer(last, raw, text, exit_code, ran=ran) else None


def _stopped_by(actions: list[str], command: str, raw: bytes, off: set[str]) -> str | None:
    """Give the rule of the first of `a && b` where its own findings are told, so that `b` never ran."""
    first = _rule_of(actions[0], command, off) if len(actions) > 1 and _ALL_AND.fullmatch(command) else None
    return first.name if first and first.evidence and _regex(FOUND_FIRST).search(raw) else None


_ALL_AND = re.compile(r"(?:[^;|&\n]|&&|2>&1)+")
_TEST = re.compile(r"\s*(?:\[\[?\s|test\s|!\s*\[)")


def _is_answer(rule: ProgramRule, raw: bytes, text: str, exit_code: int | None, *, ran: bool) -> bool:
    """Say whether the end of a program is its answer: it ran to its end, or its exit code says so and nothing else does not."""
    if rule.silent:
        if exit_code is not None:
            return exit_code in rule.exits
        return ran or not _BOILERPLATE.sub("", text)
    if _regex(BADLY_SET_UP).search(raw):
        return False
    if ran:
        return exit_code is None or exit_code in rule.exits or exit_code not in (2, 4, 5) or rule.name != "test-runner"
    if exit_code is not None and exit_code not in rule.exits:
        return False
    return not _regex("|".join(f"(?:{each})" for each in COULD_NOT_RUN)).search(raw)


def _actions(tool: str | None, named: list[str], command: str) -> list[str]:
    """Give what a call runs, in order, without what only stands around it."""
    if not named and command:
        named = _list(call_facts("shell", {"command": command}, {}).get("action"))
    if not named and tool:
        named = [tool]
    runners = {name for name, words in RUNNERS.items() if "" in words}
    kept: list[str] = []
    for at, each in enumerate(named):
        head = each.split(" ", 1)[0]
        started = named[at + 1] if at + 1 < len(named) else None
        through = started is not None and (
            each in runners
            or (head in RUNNERS and each.removeprefix(head).strip() in RUNNERS[head])
            or (started.split(" ", 1)[0] in SCRIPTS and head in INTERPRETERS)
            or (head in ("python", "pypy") and f"-m {started.split(' ', 1)[0]}" in (command or f"-m {started}"))
        )
        if not through and each not in _NEUTRAL:
            kept.append(each)
    return kept


def _rule_of(action: str, command: str, off: set[str]) -> ProgramRule | None:
    """Give the rule of a program or action, or None: of `npm run test:unit` that of `npm run test`."""
    known = _by_action()
    variant = re.split(r":|(?<=test)[.-]", action, maxsplit=1)[0] if " " in action else action
    for rule in known.get(action) or known.get(variant, ()):
        words = command.split()
        if rule.name not in off and not (rule.arguments and words and rule.arguments.isdisjoint(words)):
            return rule
    head = action.split(" ", 1)[0]
    return _rule_of(head, command, off) if head != action and head in _WHOLE else None


_WHOLE = words(
    "pytest jest vitest mocha ruff eslint flake8 pylint mypy pyright grep rg diff cmp tox nox rspec phpunit pre-commit "
    "golangci-lint biome prettier tsc"
)
"""Programs of which each subcommand is the same kind."""


@lru_cache(maxsize=1)
def _by_action() -> dict[str, tuple[ProgramRule, ...]]:
    found: dict[str, tuple[ProgramRule, ...]] = {}
    for rule in PROGRAM_RULES:
        for each in rule.programs:
            found[each] = (*found.get(each, ()), rule)
    return found


def _list(words: Words) -> list[str]:
    if not words:
        return []
    return [words] if isinstance(words, str) else list(words)


def _command_of(args: Mapping[str, Any] | None) -> str:
    """Give the command line of a call as text; empty where there is none."""
    for name in ("command", "cmd", "script", "commands"):
        value = (args or {}).get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value:
            words = [each for each in value if isinstance(each, str)]
            return words[-1] if len(words) > 2 and words[1] in ("-c", "-lc") else " ".join(words)
    return ""


@lru_cache(maxsize=64)
def _regex(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return re2.compile(f"(?im){pattern}".encode(), options)
