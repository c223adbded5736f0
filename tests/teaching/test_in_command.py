"""A condition on a word holds iff a simple command of its program has that word: whole, as that program writes it, and in no message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from casebook.conditions.evaluate import Reading, holds
from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.in_command import MOST_BYTES, named_last, word_pattern
from casebook.runtime.teaching.names import Known
from casebook.task import Task

NOW = datetime(2026, 3, 20, tzinfo=UTC)


def comes_up(text: str, **task) -> bool:
    reading = Reading(extract(Task.from_json(task), Policy(), NOW))
    nodes = bound(text, Policy(), Known()).nodes
    return bool(nodes) and all(holds(each, reading, "UTC") for each in nodes)


@pytest.mark.parametrize(
    ("text", "fires", "silent"),
    [
        (
            "never push to main",
            ["git push origin main", "git push origin main\\\n --tags", "git push origin +main", "git push origin HEAD:main", "git push origin refs/heads/main",
             "git push origin HEAD:refs/heads/main", "git push origin :main", 'git push origin "main"', "git -C web push origin main",
             "git push origin main --force", "cd web && git push origin main; ls", 'bash -c "git push origin main"', "git push \\\n  origin main",
             "(git push origin main)", "/usr/bin/git push origin main", "git push origin dev && git push origin main", "git push 2>&1 origin main"],
            ["git push origin feature/main-menu", "git push origin fix-main-page", "git log main..HEAD && git push origin dev",
             "git checkout main && git pull && git push origin x", "git push origin main:dev", "git push origin feature/main", "git push origin domain",
             "git push origin dev # not main", "git push origin dev\ngit log main", "git push origin dev | grep main"],
        ),
        (
            "never force-push to main",
            ["git push -f origin main", "git push --force origin main", "git push origin +main", "git push origin main -f", "git push -uf origin HEAD:main"],
            ["git push -f origin feature/main-menu", "git fetch origin main && git push --force origin feature", "git push --force-with-lease origin main",
             "git push origin main", "git push origin main && rm -f x", "git push -o ci.f origin main"],
        ),
        ("never rm -rf node_modules", ["rm -rf node_modules", "rm -fr ./web/node_modules/", "rm -r -f 'my app/node_modules'", "rm -Rf node_modules", "rm --recursive --force node_modules"],
         ["rm -rf dist && ls node_modules", "rm -rf node_modules_old", "rm -rf old-node_modules", "rm node_modules/a"]),
        ("never chmod 777", ["chmod 777 x", "chmod -R 0777 x", "chmod 777 a b"], ["chmod +x build-777.sh", "chmod 1777 x", "chmod +x a/777/b"]),
        (
            "never use git commit with --no-verify",
            ["git commit --no-verify -m x", "git commit -n -m x", "git commit -an -m 'a b'", 'git commit -m "a" --no-verify', "git commit -m 'a; b' --no-verify"],
            ["git commit -m 'docs: explain --no-verify'", 'git commit -m "--no-verify is bad"', 'git commit -m "say \\"x\\" or --no-verify now"',
             "git commit -m x && git push --no-verify", "git commit -m next", "git commit -mn", "git commit --no-verify-x"],
        ),
        ("never git add .", ["git add .", "git add ./", "git add -v ."], ["git add src/x.py && ls .", "git add .gitignore", "git add x.py", "git add ./x.py"]),
        ("never git add -A", ["git add -A", "git add --all", "git add -vA"], ["git add a && ls -A", "git add --allow x", "git commit -A"]),
        ("never kubectl delete in the prod namespace", ["kubectl delete pod x -n prod", "kubectl -n prod delete pod x", "kubectl delete pod x --namespace=prod"],
         ["kubectl delete pod x -n dev # prod", "kubectl delete pod prod-like-test -n dev", "kubectl get pod -n prod && kubectl delete pod x -n dev"]),
        ("never npm install -g", ["npm install -g x", "npm i --global x", "npm -g install x"], ["npm install x && pip -g", "npm install x-g"]),
        ("never apt-get install -y", ["apt-get install -y x", "apt-get install --yes x"], ["apt-get -y update && apt-get install x"]),
        ("never npm install lodash", ["npm install lodash", "npm i lodash@4.17.21"], ["npm install lodash-es", "npm install @types/lodash"]),
        ("never docker run redis", ["docker run redis", "docker run -d redis:7", "docker run docker.io/library/redis"], ["docker run redis-stack", "docker run x && redis"]),
        ("never cat .env", ["cat .env", "cat web/.env", "cat < x .env"], ["cat prod.env", "cat .env.example", "cat .envrc", "cat x && rm .env"]),
        ("never rm key.pem", ["rm key.pem", "rm -f ssl/key.pem", r"rm C:\ssl\key.pem"], ["rm monkey.pem", "rm key.pem.bak"]),
        ("never use grep -r", ["grep -r x", "grep --recursive x", "grep -ir x"], ["grep x | sort -r", "grep x-r y"]),
    ],
)  # fmt: skip
def test_a_word_counts_in_the_simple_command_of_its_program_alone(
    text: str, fires: list[str], silent: list[str]
) -> None:
    came_up = {each: comes_up(text, tool="Bash", args={"command": each}) for each in (*fires, *silent)}
    assert came_up == dict.fromkeys(fires, True) | dict.fromkeys(silent, False)


@pytest.mark.parametrize(
    ("text", "fires", "silent"),
    [
        ("never edit main.py", ["main.py", "/w/main.py", "src/main.py", r"C:\w\main.py"], ["/w/domain.py", "/w/test_main.py", "main.pyc", "main.py/x"]),
        ("never edit README.md", ["README.md", "docs/README.md"], ["docs/OLD_README.md", "README.md.orig"]),
        ("never edit src/index.js", ["src/index.js", "/w/src/index.js", r"w\src\index.js"], ["src/reindex.js", "mysrc/index.js", "index.js"]),
        ("不要修改 .env 文件", [".env", "/w/.env"], ["prod.env", ".env.local"]),
    ],
)  # fmt: skip
def test_a_file_is_named_by_whole_last_parts_of_its_path(text: str, fires: list[str], silent: list[str]) -> None:
    came_up = {each: comes_up(text, tool="Edit", args={"file_path": each}) for each in (*fires, *silent)}
    assert came_up == dict.fromkeys(fires, True) | dict.fromkeys(silent, False)


@given(st.text("ab.", min_size=1, max_size=5), st.sampled_from(["", "/", "\\", "x", "-", "_", "."]), st.booleans())
def test_a_name_is_a_whole_part_and_nothing_shorter(name: str, joint: str, deep: bool) -> None:
    path = f"{'w/v' if deep else ''}{joint}{name}"
    expected = (joint in ("/", "\\")) or (joint == "" and not deep)
    assert (re2.search(f"(?i){named_last(name).source}", path) is not None) is expected


@dataclass(frozen=True)
class Simple:
    """A simple command: its words, of which the first are the action, and how a word with spaces is quoted."""

    words: tuple[str, ...]
    quote: str

    def text(self) -> str:
        return " ".join(
            f"{self.quote}{each}{self.quote}" if " " in each or ";" in each else each for each in self.words
        )


ACTIONS = ("git push", "git commit", "git log", "rm", "make", "ls", "docker compose down")
ARGUMENTS = (
    "main", "main-menu", "xmain", "main.x", "feature/main", "--flag", "--flagged", "x--flag", "--no-flag", "fix: tell of --flag and main here",
    "a; git push main", "origin", "issue#1",
)  # fmt: skip
SIMPLE = st.builds(
    lambda action, rest, quote: Simple((*action.split(), *rest), quote),
    st.sampled_from(ACTIONS), st.lists(st.sampled_from(ARGUMENTS), max_size=4), st.sampled_from(["'", '"']),
)  # fmt: skip
LINES = st.lists(st.tuples(SIMPLE, st.sampled_from([" && ", "; ", " | ", "\n", " || ", " & "])), min_size=1, max_size=4)


@given(st.sampled_from(ACTIONS), st.sampled_from(["main", "--flag", "origin"]), LINES)
def test_the_condition_holds_iff_a_simple_command_of_that_program_has_that_word(action: str, word: str, line) -> None:
    text = "".join(f"{simple.text()}{joint}" for simple, joint in line)
    own = action.split()
    folder = own[0] in ("rm", "ls")  # what these take are paths, so that a name is also a part of one

    def has(simple: Simple) -> bool:
        rest = simple.words[len(own) :]
        return [*simple.words[: len(own)]] == own and any(
            each == word or (folder and word in each.split("/")) for each in rest
        )

    expected = any(has(simple) for simple, _ in line)
    # a command in quotation marks may be what a shell is given (`bash -c '…'`): from it on, where it is said, more may be found
    script = action == "git push" and any("git push main" in each for simple, _ in line for each in simple.words)
    found = re2.search(word_pattern(action, word).source, text) is not None
    assert found is expected or (script and found)


@given(
    st.sampled_from(["npm install", "kubectl delete", "docker compose down", "git push", "rm"]),
    st.text("ab./-@:*", min_size=1, max_size=60),
)
def test_every_pattern_is_one_that_the_language_takes(command: str, word: str) -> None:
    source = word_pattern(command, word).source
    assert len(source.encode()) <= MOST_BYTES
    re2.compile(source)
