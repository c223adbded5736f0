"""Patterns (RE2) of a word in the same simple command as its program: between the two stands no `;`, `&`, `|` or end of a line.

What stands in quotation marks is one word, so that a message which tells of a flag has none; a word is the whole of one, or a whole
part of its path. A command inside quotation marks is taken for one that a shell is given. Escapes, substitutions and variables are not worked out, as a shell would.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from casebook.conditions.tree import Pattern
from casebook.runtime.facts.programs import AFTER_FIRST, ALIASES, FIND, PATHS_ONLY, SUBCOMMAND_ALIASES
from casebook.runtime.teaching.binding import as_word
from casebook.runtime.teaching.flag_names import flag_pattern

MOST_BYTES: Final = 1_000
"""What a pattern may have at most; the language takes 1 KB."""
_WITHIN: Final = r"""([^;&|\n"'#]|\w#|[<>]&|\\\n|"([^"\\]|\\.)*"|'[^']*')*"""
"""What stands between the words of one simple command."""
_APART: Final = r"([ \t]|\\\n)"
"""What parts two words of it: a line goes on behind a backslash."""
_START: Final = r"""(^|[\s;&|(`"'{!/\\])"""
_END: Final = r"""([\s;&|()<>`"']|\\\n|$)"""
_VERSIONED: Final = frozenset({"python", "pip", "node", "ruby", "php", "perl", "pypy", "gcc", "clang", "lua"})
_PACKAGES: Final = frozenset(
    {
        "npm",
        "pnpm",
        "yarn",
        "bun",
        "npx",
        "pip",
        "pipx",
        "uv",
        "uvx",
        "poetry",
        "cargo",
        "gem",
        "go",
        "brew",
        "apt",
        "apt-get",
        "composer",
    }
)
_IMAGES: Final = frozenset({"docker", "podman", "nerdctl"})
_HOSTS: Final = frozenset({"ssh", "scp", "rsync", "curl", "wget", "ping", "nc", "psql", "mysql", "redis-cli", "sftp"})
_FREE_TEXT: Final = """
docker podman docker-compose npm pnpm yarn bun kubectl helm aws gcloud az gh terraform tofu uv pip apt apt-get systemctl brew cargo
"""
_FREE: Final = frozenset(_FREE_TEXT.split())
"""Programs whose flags, and values of flags, stand before the subcommand as well."""
_PATHS: Final = PATHS_ONLY | AFTER_FIRST | FIND | {"tar", "zip"}


def quoted(text: str) -> str:
    """Give the RE2 of a text as it stands."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def named_last(name: str) -> Pattern:
    """Give the pattern of a path whose last parts are a name: at its start or behind a separator, Windows' too, in any case."""
    parts = [quoted(each) for each in re.split(r"[/\\]", name.removeprefix("./").strip("/\\"))]
    return Pattern(r"(^|[/\\])" + r"[/\\]".join(parts) + "$", "i")


def holding(command: str, *words: str) -> str:
    r"""Give the pattern of a simple command of which one word matches: `holding("rm", r"-\w*f\w*|--force")`.

    Args:
        command: its program, or program and subcommand.
        words: RE2 of a word outside of quotation marks, and of the same inside where that is another.
    """
    return _line(command, words[0], words[-1])


def word_pattern(command: str, word: str) -> Pattern:
    """Give the pattern of a word as a simple command of a program has it.

    Args:
        command: its program, or program and subcommand.
        word: a flag by any of its names, or an operand: whole, with what this program may write around it. A branch is
            `HEAD:main` too, a package has a version, an image a tag, and a file may stand in a folder.
    """
    if word.startswith("-"):
        made = holding(command, flag_pattern(command, word))
    else:
        made = holding(command, _operand(command, word, r"""[^\s"'=]"""), _operand(command, word, r"""[^"']"""))
    return Pattern(made) if len(made.encode()) <= MOST_BYTES else as_word(word)


def _operand(command: str, word: str, char: str) -> str:
    program = command.partition(" ")[0]
    bare = word.removeprefix("./").rstrip("/") or word
    plain = quoted(bare)
    if not re.search(r"\w", bare):
        return plain + (r"\*?" if bare[-1] in r"/\\" else "" if bare[-1] == "*" else r"[/\\]?\*?")
    if command == "git push":
        return rf"\+?({char}*:)?((refs/)?heads/)?{plain}"
    if program == "chmod" and bare.isdigit():
        return rf"0?{plain}"
    before = rf"({char}*[/\\])?" if not bare.startswith(("/", "~", "@")) else ""
    behind = rf"([/\\]{char}*)?"
    typed = re.search(r"[./]", bare) is not None
    if program == "git" and not typed:
        return rf"((refs/)?(heads/|remotes/)?(origin/|upstream/)?){plain}"
    if program in _PACKAGES:
        return rf"{before if typed else ''}{plain}([@=<>~!\[]{char}*)?"
    if program in _IMAGES and "compose" not in command:
        return rf"{before}{plain}([/:@]{char}*)?"
    if program in _HOSTS:
        return rf"({char}*[/@])?{plain}([:/]{char}*)?"
    if program == "kubectl":
        return rf"({char}*/)?{plain}(/{char}*)?"
    return rf"{before}{plain}{behind}" if typed or program in _PATHS else plain


def _line(command: str, plain: str, inside: str) -> str:
    program, *rest = command.split()
    begun = rf"""{_START}{_program(program)}(\.exe)?["']?({_APART}{_WITHIN})?"""
    steps = [f"{_APART}{_step(program, each)}" for each in rest]
    going_on = rf"({_APART}{_WITHIN})?"
    word = rf"""([ \t=]|\\\n)(({plain}){_END}|["']({inside})["'])"""
    made = begun + "".join(f"{each}{going_on}" for each in steps) + word
    if not steps or program not in _FREE:
        return made
    before = rf"""([ \t=]|\\\n)({plain}|["']({inside})["']){going_on}{steps[-1]}{_END}"""
    both = f"{begun}({made.removeprefix(begun)}|{before})"
    return both if len(both.encode()) <= MOST_BYTES else made


def _step(program: str, word: str) -> str:
    others = [short for (name, short), long in SUBCOMMAND_ALIASES.items() if name == program and long == word]
    return f"({'|'.join([quoted(word), *others])})" if others else quoted(word)


def _program(name: str) -> str:
    names = [name, *(each for each, told in ALIASES.items() if told == name and not each.startswith(name))]
    version = r"[\d.]*" if name in _VERSIONED else ""
    plain: Sequence[str] = [quoted(each) for each in names]
    return (plain[0] if len(plain) == 1 else f"({'|'.join(plain)})") + version
