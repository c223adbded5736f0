"""A shell call that then worked with another program: what is seen as that, and what of it is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.case import Case
from casebook.policy import Policy
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.learning.backtest import Backtest
from casebook.runtime.learning.other_program import Instead, program_instead
from casebook.runtime.learning.proposal import propose, widened
from casebook.scope import Scope
from tests.learning.past import BEGIN, Past, happened, loads, person

FAILS = "no such package manager here"


def between(failed: Any, worked: Any, **more: Any) -> Instead | None:
    calls = (happened(seq, "Bash", {"command": each}, **more) for seq, each in enumerate((failed, worked)))
    return program_instead(*calls)


@pytest.mark.parametrize(
    ("failed", "worked", "programs"),
    [
        ("npm install x", "pnpm install x", ("npm", "pnpm")),
        ("pip install -e .", "pip3 install -e .", ("pip", "pip3")),
        ("python -m pytest", "python3 -m pytest", ("python", "python3")),
        ("python3.11 -m pip list", "python3.12 -m pip list", ("python3.11", "python3.12")),
        ("cd app && npm ci 2>&1 | tail -5", "cd app && pnpm ci 2>&1 | tail -5", ("npm", "pnpm")),
        ("sudo npm ci", "sudo pnpm ci", ("npm", "pnpm")),
        (["bash", "-lc", "npm ci --x"], ["bash", "-lc", "pnpm ci --x"], ("npm", "pnpm")),
        (["npm", "ci"], ["pnpm", "ci"], ("npm", "pnpm")),
        ("docker build .", "podman build .", ("docker", "podman")),
        ("apt install jq", "apt-get install jq", ("apt", "apt-get")),
        ("terraform init", "tofu init", ("terraform", "tofu")),
        ("pip install left-pad", "conda install left-pad", ("pip", "conda")),
        ("git add data/big.csv", "dvc add data/big.csv", ("git", "dvc")),
    ],
)
def test_another_program_with_the_very_same_words(failed: Any, worked: Any, programs: tuple[str, str]) -> None:
    assert between(failed, worked) == Instead(*programs)


@pytest.mark.parametrize(
    ("failed", "worked"),
    [
        *(
            pytest.param(failed, worked, id=f"{failed}, then {worked}: a word that any program has")
            for failed, worked in (
                ("git pull", "docker pull"),
                ("terraform init", "git init"),
                ("npm init -y", "git init -y"),
                ("go build", "cargo build"),
                ("npm start", "redis start"),
                ("npm install", "bundle install"),
                ("npm install", "poetry install"),
                ("deploy all", "ship all"),
                ("npm install --prefix", "bundle install --prefix"),
                ("go build .", "cargo build ."),
                ("go test ./...", "cargo test ./..."),
                ("make -j 5", "ninja -j 5"),
                ("make test 2", "just test 2"),
            )
        ),
        pytest.param("eslint src/a.js", "prettier src/a.js", id="a path, and nothing that says what is done"),
        pytest.param("pytest unit tests/a.py", "mypy unit tests/a.py", id="programs without subcommands"),
        pytest.param("npm", "pnpm", id="no word behind it"),
        pytest.param("npm && ls x", "pnpm && ls x", id="no word of its own behind it"),
        pytest.param("npm install x", "pnpm install y", id="another word"),
        pytest.param("npm install x", "pnpm install x y", id="one word more"),
        pytest.param("cat x", "rm x", id="a path alone"),
        pytest.param("curl example.com", "pnpm example.com", id="a host"),
        pytest.param("./a.sh x", "pnpm x", id="a path"),
        pytest.param("npm x", "/opt/bin/pnpm x", id="a path that worked"),
        pytest.param("run-83921 x", "npm x", id="an id"),
        pytest.param("echo npm x", "echo pnpm x", id="an argument"),
        pytest.param("npm ci && echo npm", "npm ci && echo pnpm", id="an argument that is a program elsewhere"),
        pytest.param("npm ci && cargo build", "pnpm ci && just build", id="two programs"),
        pytest.param("npm ci " + "x" * 5_000, "pnpm ci " + "x" * 5_000, id="a script"),
        pytest.param("", "", id="nothing"),
        pytest.param(7, 8, id="no line"),
    ],
)
def test_what_is_no_way_out(failed: Any, worked: Any) -> None:
    assert between(failed, worked) is None


@pytest.mark.parametrize("program", ["mia", "mia-deploy"])
def test_a_program_that_bears_somebodys_name_is_not_told(program: str) -> None:
    assert between("deploy run web-1", f"{program} run web-1") is not None
    assert between("deploy run web-1", f"{program} run web-1", principal=person("mia")) is None


@given(failed=st.text(max_size=60), worked=st.text(max_size=60))
def test_whatever_stands_in_two_lines_only_plain_names_come_out(failed: str, worked: str) -> None:
    found = between(failed, worked)
    assert found is None or all(name.isascii() and "/" not in name for name in (found.failed, found.worked))


def lives(*pairs: tuple[str, str | None, str]) -> list[EventRecord]:
    """An error in a session of its own for each (command that failed, command that then worked, user)."""
    records = []
    for number, (failed, worked, user) in enumerate(pairs):
        of: dict[str, Any] = {"session": f"s{number}", "principal": person(user), "turn": f"t{number}"}
        records.append(happened(10 * number, "Bash", {"command": failed}, FAILS, signature="given", **of))
        if worked:
            records.append(happened(10 * number + 1, "Bash", {"command": worked}, **of))
    return records


def case_of(records: list[EventRecord], *, shared: bool = False, **policy: Any) -> Case:
    occurrences = [each for each in records if each.failed]
    rules = Policy(**policy)
    made = propose("err-1", "given", occurrences, Past(records), rules, BEGIN, scope=Scope(), shared=shared)
    loads(made.case, rules)
    return made.case


NPM = ("npm install x", "pnpm install x", "ann")
NOTHING = ("npm install x", None, "ann")
FLAG = ("npm install x", "npm install x --force", "ann")


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ((NPM, NPM, NPM), "In 3 sessions the same words then worked with pnpm instead of npm."),
        ((NPM, NOTHING, NOTHING), "In one session the same words then worked with pnpm instead of npm."),
        ((NPM, FLAG, FLAG), "In 2 sessions the same tool then succeeded after a change of --force."),
        ((NPM, ("npm install x", "yarn install x", "ann"), NOTHING), None),
    ],
)
def test_most_recoveries_say_what_is_told(pairs: Any, told: str | None) -> None:
    case = case_of(lives(*pairs))
    assert case.correction_by == ("mined" if told else "caution")
    assert told is None or told in case.correction


def test_it_is_told_in_chinese_too() -> None:
    case = case_of(lives(NPM, NPM, NPM), language="zh")
    assert "用 pnpm 代替 npm" in case.correction


@pytest.mark.parametrize(("users", "by"), [(("ann", "bob", "cleo"), "mined"), (("ann", "bob", "bob"), "caution")])
def test_of_everyones_case_it_is_told_where_three_users_share_it(users: tuple[str, ...], by: str) -> None:
    records = lives(*(("npm install x", "pnpm install x", user) for user in users), ("npm install x", None, "cleo"))
    case = case_of(records, shared=True)
    assert (case.correction_by, "pnpm" in str(case.to_json())) == (by, by == "mined")


def test_another_turn_is_no_way_out() -> None:
    records = lives(NOTHING, NOTHING, NOTHING)
    later = happened(25, "Bash", {"command": "pnpm install x"}, session="s2", principal=person("ann"), turn="t9")
    assert case_of([*records, later]).correction_by == "caution"


def test_what_worked_unchanged_in_the_end_was_not_the_programs_fault() -> None:
    records = lives(NPM, NPM, NPM)
    for number in range(3):
        of: dict[str, Any] = {"session": f"s{number}", "principal": person("ann"), "turn": f"t{number}"}
        records.append(happened(10 * number + 2, "Bash", {"command": "npm  install x"}, **of))
    assert case_of(sorted(records, key=lambda each: each.seq)).correction_by == "caution"


PYTHON = ("python a.py", "python3 a.py", "ann")


@pytest.mark.parametrize("tool_args", [lambda line: {"command": line}, lambda line: {"command": ["bash", "-lc", line]}])
@pytest.mark.parametrize(
    ("line", "comes_up"),
    [
        ("python b.py", True),
        ("cd app && python b.py", True),
        ("python3 scripts/seed.py", False),
        ("cd app && python3 -m pytest", False),
        (".venv/bin/python b.py", False),
    ],
)
def test_a_case_does_not_come_up_at_its_own_cure(line: str, comes_up: bool, tool_args: Any) -> None:
    records = lives(PYTHON, PYTHON, ("python b.py", None, "ann"))
    case = case_of(records)
    assert "python3 instead of python" in case.correction
    call = happened(99, "Bash", tool_args(line))
    assert Backtest((), Past(), "UTC").all_hold(loads(case, Policy()), call) is comes_up


def test_where_the_failures_typed_a_program_by_both_its_names_neither_is_told_as_the_cure() -> None:
    case = case_of(lives(PYTHON, PYTHON, ("python3 b.py", "python b.py", "ann"), ("python3 c.py", None, "ann")))
    assert case.correction_by == "caution"
    assert case.trigger_conditions == ('action is "python"',)


def test_a_case_that_is_widened_to_its_own_cure_no_longer_tells_it() -> None:
    case = case_of(lives(PYTHON, PYTHON, PYTHON))
    other = happened(99, "Bash", {"command": "python3 b.py"}, FAILS, signature="given", session="s9", turn="t9")
    records = [*lives(PYTHON, PYTHON, PYTHON), other]
    failed = [each for each in records if each.failed]
    made = widened(case, other, failed, Past(records), Policy(), BEGIN, shared=False)
    assert made is not None
    assert (made.case.trigger_conditions, made.case.correction_by) == (('action is "python"',), "caution")
