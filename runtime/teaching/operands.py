"""What a clause says of a command besides its name: words that its line holds, letters of its flags, where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from casebook.conditions.tree import Field, Node, Or, Pattern, Test
from casebook.runtime.facts.programs import AFTER_FIRST, ALIASES, PATHS_ONLY, SHELLS, WRAPPERS
from casebook.runtime.teaching.binding import one_of
from casebook.runtime.teaching.in_command import word_pattern

LINE: Final = Field(("args", "command"))
"""Where a command line is told."""
_TOKEN: Final = re.compile(r"[^\s,;!?，。；！？、|`\"“”]+")
_WORD: Final = re.compile(r"(?<![\w./-])([A-Za-z][\w.+-]*)")
_LIKE_TYPED: Final = re.compile(r"^[\w@~*./:=+-]*[_./:@~*=\d-][\w@~*./:=+-]*$", re.ASCII)
_BARE: Final = re.compile(r"^[a-z][a-z]+$")
_BEHIND_TEXT: Final = """
in on to into from at under against inside within for of with
"""
_BEHIND: Final = frozenset(_BEHIND_TEXT.split())
_NO_OPERAND_TEXT: Final = """
a an the this that these those it them any every all some no my your our their his her its own same other and
or but nor not never ever again please here there now then today first twice once yet still anymore always also
too either without unless except before after during while until when whenever if as than by via per about
around because since so me you us him yourself myself alone only just anything everything something nothing
things stuff files file folder folders directory directories packages package dependencies code changes commits
commit branch branches images containers commands command tests test build-time secrets credentials passwords
tokens data-base fails failed hangs breaks works runs is are was were has have had does do be been
"""
_NO_OPERAND: Final = frozenset(_NO_OPERAND_TEXT.split())
_ENGLISH_TEXT: Final = """
alone together blindly fast slowly twice often later early soon instead blind recklessly
repo repos repository repositories project projects process processes script scripts server servers cluster clusters
cloud team user users customer customers people person client clients machine machines computer laptop place places
remote upstreams registry world internet web online work master-copy data-set system systems app apps application
public private shared local global old new current wrong right same other another existing default personal own
feature features hotfix bug bugs issue issues version versions line lines word words text name names thing module
modules library libraries image volume volumes network service services resource resources stack job jobs
task tasks target targets argument arguments option options flag flags input output log logs error errors warning
warnings failure failures success result results history state status change update updates upgrade downgrade
everybody somebody anybody nobody production-like live big large small long short important sensitive unknown untrusted
stable unstable open closed clean dirty empty full broken dead root admin sudo shell terminal console prompt
parallel background foreground sequence order series bulk batch loop loops quiet silence verbose force hand
"""
_ENGLISH: Final = frozenset(_ENGLISH_TEXT.split())
_FORMED: Final = re.compile(
    r"(?!staging$|latest$)[a-z]{2,}(?:ed|ing|ly|ful|less|ous|ive|able|ible|ical|ional|wards?|wise)$"
)
"""Words by their endings: `published`, `together`; no name of a branch, package or folder stands so in a sentence."""
_TAKES_NAME_TEXT: Final = """
install add uninstall remove upgrade update run exec start stop restart enable disable pull get delete describe kill rm rmi
logs tap unpublish purge reload clone drop pop clear link
"""
_TAKES_NAME: Final = frozenset(_TAKES_NAME_TEXT.split())
"""Subcommands behind which a plain word is a name: `npm install lodash`, `docker run redis`."""
_REMOTES: Final = frozenset({"origin", "upstream", "heroku", "trunk", "dev"})
_KIND: Final = (
    "namespace|branch|folder|directory|dir|database|db|schema|cluster|host|server|bucket|environment|env|remote|context"
    "|region|profile|workspace|table|service|container|volume|registry"
)
_OF_KIND: Final = re.compile(
    rf"\b(?:the|our|my|your)\s+([\w./-]*\w)\s+(?:{_KIND})\b|\b([\w./-]*\w)\s+(?:{_KIND})\b", re.IGNORECASE | re.ASCII
)
_KIND_OF: Final = re.compile(
    rf"(?<![\w./-])(?:{_KIND})\s+(?:named\s+|called\s+)?([\w./-]*\w)", re.IGNORECASE | re.ASCII
)
_TO: Final = re.compile(
    r"\b(to|into|from|in|on|at|under|against|inside)\s+(?:the\s+)?([\w@~*./:+-]*[\w*/])(?=\s*$|[\s,;])"
)
_PLACES_TEXT: Final = """
main master develop production prod staging release
"""
_PLACES: Final = frozenset(_PLACES_TEXT.split())
_TAKES_PLACE_TEXT: Final = """
git kubectl helm terraform tofu aws az gcloud ansible ansible-playbook docker podman gh
"""
_TAKES_PLACE: Final = frozenset(_TAKES_PLACE_TEXT.split())
_NAMES_NO_BRANCH: Final = frozenset({"git commit", "git merge"})
"""Actions whose command line does not say to which branch they go."""
_PATHS: Final = PATHS_ONLY | AFTER_FIRST | {"make", "chmod", "chown", "tar", "zip", "ssh", "ping"}
"""Programs behind which a plain word is a path, a target or a host."""
_CLUSTERED: Final = (
    PATHS_ONLY | AFTER_FIRST | {"tar", "git clean", "git rm", "git add", "git branch", "docker run", "docker exec"}
)
"""Programs and actions of which `-rf` is `-r -f`."""
_STARTED: Final = (
    r"(^|[;&|(\n`{!]|\b(do|then|else|xargs)\s|-c\s+[\"']|\b("
    + "|".join(sorted(each for each in WRAPPERS if each.isalpha()))
    + r")\s+(-\S+\s+)*)\s*(\w+=\S*\s+)*(\S*/)?"
)
"""RE2: what stands before a word that is the name of a command."""


def started(program: str) -> Pattern:
    """Give the pattern of a word at the place of a command: for programs that facts look through to what they start."""
    plain = re.sub(r"([.+*?()\[\]{}|^$\\])", r"\\\1", program)
    return Pattern(rf"{_STARTED}{plain}(\s|$)")


def programs_node(programs: Sequence[str]) -> Node:
    """Give the condition that one of some programs runs, in the field that tells it."""
    through = [Test(Field(("args", "command")), "matches", started(each)) for each in programs if each in WRAPPERS]
    told = [each for each in programs if each not in WRAPPERS]
    nodes: list[Node] = [*([one_of("program", told)] if told else []), *through]
    return nodes[0] if len(nodes) == 1 else Or(tuple(nodes))


def word_patterns(command: str, word: str) -> list[Pattern]:
    """Give the patterns of a word as a command line has it behind its command; of a cluster of flags one for each letter."""
    program = command.partition(" ")[0]
    if re.fullmatch(r"-[A-Za-z]{2,3}", word) and ({command, program} & _CLUSTERED):
        return [word_pattern(command, f"-{letter}") for letter in dict.fromkeys(word[1:])]
    return [word_pattern(command, word)]


def word_nodes(commands: Sequence[str], word: str, where: Field = LINE) -> list[Node]:
    """Give the conditions that a word stands in the simple command of one of some actions or programs, whose line a field has."""
    each_of = [word_patterns(command, word) for command in commands]
    found: list[Node] = []
    for alike in zip_longest(*each_of):
        tests = [Test(where, "matches", each) for each in alike if each is not None]
        found.append(tests[0] if len(tests) == 1 else Or(tuple(tests)))
    return found


def piped(text: str) -> tuple[str, str, str] | None:
    """Give what a text pipes into what, as (program, the text of both, RE2 of the second behind a pipe); None where it does not."""
    found = re.search(
        r"(?<![\w.-])(?!piped?\b)([A-Za-z][\w.-]*)(?:\s+[^|]{0,60}?)?\s*(?:\|\s*(?:sudo\s+)?([\w./-]+)|\b(?:piped?\s+)?(?:in)?to\s+(?:a\s+)?(sh|bash|zsh|shell)\b)",
        text,
    )
    if found is None:
        return None
    into = (found[2] or found[3]).rsplit("/", 1)[-1]
    shells = "|".join(sorted(each for each in SHELLS if each.endswith("sh")))
    second = f"({shells})" if into in SHELLS or into == "shell" else rf"{re.escape(into)}[\d.]*"
    return found[1], found[0], rf"\|\s*(sudo\s+(-\S+\s+)*)?(\S*/)?{second}(\s|$)"


def operands_in(clause: str, commands: Sequence[str], *, bare: bool = True) -> tuple[str, ...]:
    """Give the words that a command line holds besides the command, as a clause says them.

    Args:
        clause: the part of a sentence that says what it is about.
        commands: actions and programs that it names.
        bare: whether a plain word right behind the command is taken too; a clause that speaks of an outcome (`when git push
            fails`) has none.

    Returns:
        Words right behind the command and its flags, and names of a namespace, branch, folder and the like.
    """
    text = clause.replace("`", " ")
    found: dict[str, None] = {}
    for command in commands:
        for end in _ends(text, command):
            found.update(dict.fromkeys(_right_behind(text[end:], command, bare=bare)))
    found.update(dict.fromkeys(_in_code(clause, commands)))
    if not any(each in _NAMES_NO_BRANCH for each in commands):
        found.update(dict.fromkeys(_places(text, commands)))
    own = {word for each in commands for word in each.split()}
    return tuple(each for each in found if each not in own)


def _ends(text: str, command: str) -> list[int]:
    program, *rest = command.split()
    ends = []
    for found in _WORD.finditer(text):
        name = found[1].rstrip(".").lower()
        if ALIASES.get(name, name) != program:
            continue
        at = found.end()
        for _ in rest:
            step = re.compile(r"\s+[a-z][\w:-]*").match(text, at)
            at = step.end() if step is not None else at
        ends.append(at)
    return ends[:5]


def _right_behind(tail: str, command: str, *, bare: bool) -> list[str]:
    found: list[str] = []
    tail = re.split(r"[,;!?，。；！？、|]", tail, maxsplit=1)[0]
    words = [
        each for each in (one.rstrip(".:") if re.search(r"\w", one) else one for one in _TOKEN.findall(tail)) if each
    ]
    if tail[:1] and not tail[0].isspace():
        return found
    for place, word in enumerate(words):
        if word.startswith("-"):
            continue
        if word in _NO_OPERAND or word in _BEHIND:
            break
        if _LIKE_TYPED.match(word) and not word.endswith("-"):
            found.append(word)
            continue
        last = place + 1 == len(words) or words[place + 1] in _BEHIND
        valued = place > 0 and words[place - 1].startswith("-") and not is_english(word)
        if bare and last and _BARE.match(word) and (valued or _takes(command, word)):
            found.append(word)
        break
    return found


def _takes(command: str, word: str) -> bool:
    """Say whether a plain word right behind a command is one of its line, and not of the sentence."""
    program, _, sub = command.partition(" ")
    if is_english(word):
        return False
    if program == "git" and not sub.startswith(("stash", "remote", "submodule", "worktree")):
        return word in _PLACES | _REMOTES
    return sub.rpartition(" ")[2] in _TAKES_NAME or sub.startswith("stash") if sub else program in _PATHS


def is_english(word: str) -> bool:
    """Say whether a plain word is one of a sentence, and no name: `published`, `repo`, `together`."""
    plain = word.casefold()
    return plain in _ENGLISH or plain in _NO_OPERAND or _FORMED.match(plain) is not None


def _in_code(clause: str, commands: Sequence[str]) -> list[str]:
    """Give the words in backticks that are no command: whatever they are, they are typed."""
    own = {word for each in commands for word in each.split()}
    found: list[str] = []
    for code in re.findall(r"`([^`\n]{1,300})`", clause):
        words = code.split()
        if len(words) > 1 and ALIASES.get(words[0], words[0]) not in own:
            continue
        found += [
            each for each in words if not each.startswith("-") and re.fullmatch(r"[\w@~*./:+=-]+", each, re.ASCII)
        ]
    return [
        each for each in found if ALIASES.get(each, each) not in own and ALIASES.get(each.rstrip("3"), "") not in own
    ]


def _places(text: str, commands: Sequence[str]) -> list[str]:
    found = [each[1] or each[2] for each in _OF_KIND.finditer(text)]
    found += [each[1] for each in _KIND_OF.finditer(text)]
    takes = any(each.partition(" ")[0] in _TAKES_PLACE for each in commands)
    for way, word in _TO.findall(text):
        ends = re.search(rf"{re.escape(word)}\W*$", text) is not None
        if (
            _LIKE_TYPED.match(word)
            or (takes and word in _PLACES)
            or (takes and way in ("to", "into", "from") and ends and _BARE.match(word) and not is_english(word))
        ):
            found.append(word)
    return [
        each
        for each in found
        if each.casefold() not in _BEHIND and not is_english(each) and not re.fullmatch(_KIND, each, re.IGNORECASE)
    ]
