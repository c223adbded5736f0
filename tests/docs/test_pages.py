"""What the pages show is what happens: their code runs; the commands, files and tests that they name are there."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

import pytest

from casebook import Policy, Task
from casebook.adapters.cli.commands import COMMANDS
from casebook.clock import fixed_clock
from casebook.conditions.evaluate import evaluate
from casebook.conditions.parse import language_of, parse
from casebook.runtime.facts.extract import extract
from casebook.runtime.lint import LINTS
from casebook.runtime.matching.engines import load_engine
from casebook.stores.folder import FolderStore
from tests.docs.reading import PAGES, ROOT, run_page

ALL = tuple(sorted({*PAGES, *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))}))
"""All pages; those that other tests run are held to what is theirs there, and to their links here."""
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in ALL}
README = TEXTS["README.md"]
NOW = datetime(2026, 3, 21, tzinfo=UTC)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_shows(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copytree(ROOT / "examples", "examples", ignore=ignore_patterns(".casebook", "__pycache__"))
    copytree(ROOT / "tests" / "replay", "tests/replay", ignore=ignore_patterns("*.py", "__pycache__"))
    for name, value in run_page(page).items():
        if name.startswith("test_") and callable(value):
            value()
    for folder in tmp_path.glob("**/long_term"):
        snapshot = FolderStore(folder.parent, clock=fixed_clock(NOW), cache=False).snapshot()
        assert [str(fault) for fault in snapshot.faults] == []


def test_the_readme_shows_a_lesson_learnt_and_arriving_within_its_first_15_lines() -> None:
    first = README.splitlines()[:15]
    assert "before_task" in first[13]
    assert first[14] == "Take vat_id from get_customer."


@pytest.mark.parametrize("page", ALL)
def test_every_command_that_a_page_names_exists(page: str) -> None:
    code = "\n".join(re.findall(r"^```.*?^```$|`[^`\n]+`", TEXTS[page], re.MULTILINE | re.DOTALL))
    named = set(re.findall(r"(?:^|[`&|;$] ?)casebook (?:--\w+ \S+ )*([a-z][\w-]*)", code, re.MULTILINE))
    assert named <= set(COMMANDS)


def test_the_readme_names_every_command() -> None:
    assert [name for name in COMMANDS if f"casebook {name}" not in README and f"`{name}`" not in README] == []


@pytest.mark.parametrize("page", ALL)
def test_every_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", TEXTS[page]):
        if "://" not in target:
            assert ((ROOT / page).parent / target).exists(), target


@pytest.mark.parametrize("page", ALL)
def test_every_link_to_a_heading_leads_to_one(page: str) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", TEXTS[page]):
        if "://" not in target:
            text = ((ROOT / page).parent / target if target else ROOT / page).read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}, anchor


@pytest.mark.parametrize("page", ALL)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    for path in re.findall(r"`((?:casebook|runtime|adapters|tests|docs|examples)/[\w./*-]*)`", TEXTS[page]):
        assert list(ROOT.glob(path.rstrip("/"))), path


@pytest.mark.parametrize("page", ALL)
def test_every_module_that_a_page_runs_is_there(page: str) -> None:
    for module in re.findall(r"python -m ((?:tests|casebook)[\w.]*)", TEXTS[page]):
        assert importlib.util.find_spec(module), module


def test_every_test_that_guards_a_hazard_is_there() -> None:
    page = TEXTS["docs/durable-rules.md"]
    named = re.findall(r"`(test_\w+)`", page)
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("**/test_*.py"))
    assert len(named) >= 20
    assert [name for name in named if f"def {name}(" not in tests] == []


def test_a_pattern_on_a_command_given_as_a_list_sees_each_item_alone() -> None:
    facts = extract(Task(tool="shell", args={"command": ["git", "push", "--force"]}), Policy(), NOW)
    told = {
        condition: evaluate(parse(condition), facts, "UTC")
        for condition in (r"args.command matches /git\s+push/", 'args.command is "--force"', 'action is "git push"')
    }
    assert list(told.values()) == [False, True, True]
    assert r"`args.command matches /git\s+push/` never holds" in (ROOT / "docs" / "facts.md").read_text(
        encoding="utf-8"
    )


def test_contributing_names_every_lint() -> None:
    assert [name for name in LINTS if f"`{name}`" not in TEXTS["CONTRIBUTING.md"]] == []


@pytest.mark.parametrize(
    "row", re.findall(r"^\| `([^\n]+)` \| `([^\n]+)` \|$", README, re.MULTILINE), ids=lambda row: row[0]
)
def test_both_languages_of_a_row_mean_the_same(row: tuple[str, str]) -> None:
    english, chinese = row
    assert parse(english) == parse(chinese)
    assert (language_of(english), language_of(chinese)) == ("en", "zh")


@pytest.mark.skipif(load_engine()[0] is None, reason="durable_rules cannot be imported on this Python")
def test_the_engine_is_driven_without_its_host() -> None:
    """`durable.engine.Host` starts two timer threads, and one more a ruleset five times a second."""
    code = """
import sys, threading
from casebook.runtime import Runtime
with Runtime.open(sys.argv[1], engine="durable_rules") as runtime:
    assert runtime.match({"tool": "shell", "args": {"command": "git push -f"}}).verdict == "block"
    assert runtime.figures()["rulesets"] == 1
    print(threading.active_count(), "durable.engine" in sys.modules)
"""
    with TemporaryDirectory() as folder:
        memory = copytree(ROOT / "examples" / "demo", Path(folder) / "memory")
        run = subprocess.run([sys.executable, "-c", code, memory], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout == "1 False\n"


@pytest.mark.parametrize(
    ("pack", "count"), re.findall(r"^\| \[(\w+)\]\(examples/.*?\) \| (\d+) \|", README, re.MULTILINE)
)
def test_a_pack_has_as_many_cases_as_the_readme_says(pack: str, count: str) -> None:
    assert len(FolderStore(ROOT / "examples" / pack, clock=fixed_clock(NOW), cache=False).snapshot().cases) == int(
        count
    )
