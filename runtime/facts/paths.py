"""The paths that a program's arguments and redirections name, and those in the arguments of a file tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from casebook.runtime.facts.programs import AFTER_FIRST, FIND, NETWORK, PATHS_ONLY

MAX_PATHS = 256
"""Paths told of one call."""
_MAX_LENGTH = 4_096
_ROOTED = re.compile(r"(?:~|\.{1,2})(?:$|[/\\])|/[^/\s]|/$|[A-Za-z]:[\\/]|\\\\\w|\$\{?\w+\}?/|\.[\w-]")
_DOTTED = re.compile(r"[^\s:=]*[\w*\])]\.[A-Za-z][A-Za-z0-9]{0,9}$")
_NO_PATH = re.compile(
    r"[a-z][a-z0-9+.-]*://|[\w.+-]+@[\w.-]+|s([/|#,]).*\1|[~./][^:]*:[/.]|[{\[(]|\d+(?:\.\d+)*$", re.IGNORECASE
)
_NOISE = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "-", "NUL", "$null", "", "{}"})
_PATCH_FILE = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)
_DIFF_FILE = re.compile(r"^(?:\+\+\+|---) (?:[ab]/)?([^\t\n]+)", re.MULTILINE)
_REVISIONS = frozenset({"add", "rm", "mv", "restore", "clean", "stage", "apply", "init"})

PATH_ARGUMENTS = (
    "file_path", "filepath", "filePath", "path", "paths", "filename", "file_name", "notebook_path", "absolute_path",
    "file_paths",
)  # fmt: skip
"""The arguments of any tool that hold a path or a list of them, in the order in which they are looked for."""
FILE_TOOL_ARGUMENTS = (
    "file", "files", "target_file", "dir_path", "dirPath", "directory", "dir", "target_directory", "relative_path",
    "relative_workspace_path", "old_path", "new_path", "source", "destination",
)  # fmt: skip
"""Further ones of the tools in `FILE_TOOLS`."""
FILE_TOOLS = frozenset({"read", "write", "edit", "search", "list", "delete"})
PATCH_ARGUMENTS = ("input", "patch", "patchText", "diff")
"""The arguments that may hold the text of a patch."""


def paths_of(program: str, arguments: Sequence[str], targets: Sequence[str], action: str = "") -> list[str]:
    r"""Give the paths among a program's arguments and redirections, as written, in order.

    An argument is a path where it looks like one (`/etc`, `~/x`, `./a`, `src/a.py`, `a.py`, `C:\x`), or where the
    program takes nothing else (`rm build`).
    """
    found: list[str] = []
    if arguments:
        _arguments(program, arguments, action, found)
    found.extend(target for target in targets if target not in _NOISE and len(target) <= _MAX_LENGTH)
    return list(dict.fromkeys(found)) if len(found) > 1 else found


def _arguments(program: str, arguments: Sequence[str], action: str, found: list[str]) -> None:
    """Add the paths among the arguments to `found`."""
    git = program == "git"
    subcommand = action.removeprefix("git ") if git else ""
    skip = 1 if program in AFTER_FIRST else 0
    all_of_them = program in PATHS_ONLY or program in AFTER_FIRST or subcommand in _REVISIONS
    rooted_only = git or program in NETWORK or program in FIND
    after_dashes = False
    for word in arguments[:10_000]:
        if len(found) >= MAX_PATHS:
            return
        if word == "--":
            after_dashes = True
            all_of_them = all_of_them or git
        elif word.startswith("-") and not after_dashes:
            _, equals, value = word.partition("=")
            if equals and looks_like_path(value):
                found.append(value)
        elif skip:
            skip -= 1
        elif all_of_them:
            if word != subcommand and _may_be_path(word):
                found.append(word)
        elif looks_like_path(word) and (not rooted_only or _ROOTED.match(word)):
            found.append(word)


def _may_be_path(word: str) -> bool:
    """Tell whether a word may be a path where nothing but paths is expected."""
    return word not in _NOISE and len(word) <= _MAX_LENGTH and not word.startswith(("$(", "+")) and "://" not in word


def looks_like_path(word: str) -> bool:
    """Tell whether a word has the form of a path: rooted, with a slash inside, or a file name with an ending."""
    if not word or len(word) > _MAX_LENGTH or word in _NOISE or _NO_PATH.match(word):
        return False
    if "\n" in word or word[0] in "@%":
        return False
    if _ROOTED.match(word):
        return True
    if " " in word and "/" not in word:
        return False
    if "/" in word:
        return ":" not in word and " " not in word.split("/", 1)[0]
    return _DOTTED.match(word) is not None


def argument_paths(tool: str, args: Mapping[str, object]) -> list[str]:
    """Give the paths in a call's arguments, quotes taken off.

    Those under `PATH_ARGUMENTS`; for the canonical `FILE_TOOLS` also `FILE_TOOL_ARGUMENTS`, lists of edits, patches.
    """
    found: list[str] = []
    for name in PATH_ARGUMENTS:
        if name in args:
            _add(args[name], found)
    if tool in FILE_TOOLS:
        _of_file_tool(args, found)
    return list(dict.fromkeys(found)) if len(found) > 1 else found


def _of_file_tool(args: Mapping[str, object], found: list[str]) -> None:
    """Add what only a file tool says."""
    for name in FILE_TOOL_ARGUMENTS:
        if name in args:
            _add(args[name], found)
    for name in ("edits", "files", "replacements"):
        several = args.get(name)
        if isinstance(several, list):
            for each in several[:MAX_PATHS]:
                if isinstance(each, Mapping):
                    for inner in ("file_path", "path", "filePath"):
                        _add(each.get(inner), found)
    for name in PATCH_ARGUMENTS:
        text = args.get(name)
        if isinstance(text, str):
            found.extend(patch_paths(text))


def patch_paths(text: str) -> list[str]:
    """Give the files that a patch names, in the form of `apply_patch` or of a unified diff."""
    if "*** " in text:
        return list(dict.fromkeys(_PATCH_FILE.findall(text)))[:MAX_PATHS]
    if "+++ " in text and "--- " in text:
        files: Iterable[str] = (name.strip() for name in _DIFF_FILE.findall(text))
        return list(dict.fromkeys(name for name in files if name not in _NOISE))[:MAX_PATHS]
    return []


def _add(value: object, found: list[str]) -> None:
    """Add a path, or a list of them, without its quotes."""
    if isinstance(value, str):
        bare = value.strip()
        if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"`":
            bare = bare[1:-1]
        if bare and len(bare) <= _MAX_LENGTH and "\n" not in bare and len(found) < MAX_PATHS:
            found.append(bare)
    elif isinstance(value, list):
        for each in value[:MAX_PATHS]:
            if isinstance(each, str):
                _add(each, found)
