"""Three months from the command line: a folder is filled, upkeep runs day by day, and each memory lives as the policy says."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.cli.front import run_line
from casebook.stores.memory_folder import FolderMemories

FIRST = date(2026, 3, 4)
"""A Wednesday."""
DAYS = 95
SEEN = date(2026, 4, 6)
"""A Monday on which a person looks at the digest."""

WHO, BEFORE, LEARNS, FRIDAY = "我是 Java 后端", "我之前做流批一体", "我最近在学 RAG", "我这周五交周报"
REPORTS, TABS, RED = "以后报告都用简体中文", "In this project we use tabs, never spaces", "The build is red"
LIFT, QUEUE, LIKES, DISLIKES = (
    "The lift is broken",
    "The queue of the printer is stuck",
    "我喜欢喝咖啡",
    "我不喜欢喝咖啡",
)
PNPM, SECRET = (
    "I install packages with pnpm lately",
    "sk-ant-api03-" + "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh",
)


class Book:
    """A casebook as it is typed at, and what was seen of it each day."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lives: dict[str, dict[date, str]] = {}

    def run(self, *line: str) -> str:
        """Run a command, which must be done without a word of ours about a fault, and give what it printed."""
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run_line(["--dir", str(self.root), "--engine", "reference", *line])
        assert code == 0, (line, out.getvalue(), err.getvalue())
        return out.getvalue()

    def data(self, *line: str) -> Any:
        return json.loads(self.run(*line, "--json"))

    def look(self, day: date) -> None:
        """Write down in which tier each memory stands."""
        for each in FolderMemories(self.root).snapshot().memories.values():
            self.lives.setdefault(each.memory.text, {})[day] = each.memory.tier

    def life(self, text: str) -> list[tuple[str, int]]:
        """Give the tiers of a memory, each with the day from which on it was seen there; "-" where it left them."""
        found: list[tuple[str, int]] = []
        for number in range(DAYS):
            tier = self.lives.get(text, {}).get(FIRST + timedelta(days=number), "-")
            if not found or found[-1][0] != tier:
                found.append((tier, number))
        return found


def at(day: date, time: str = "10:00") -> str:
    return f"{day.isoformat()}T{time}"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """The three months, lived once: filled on the first day, kept up each morning at 09:00, told and looked at in between."""
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    patch.setenv("LOGNAME", "ann")
    patch.setattr(sys, "stdin", io.StringIO())
    root = tmp_path_factory.mktemp("three") / "memory"
    (root / "long_term").mkdir(parents=True)
    (root / "memory-policy.yaml").write_text("format: 1\ntimezone: Asia/Shanghai\n", encoding="utf-8")
    book = Book(root)
    _fill(book)
    for number in range(DAYS):
        day = FIRST + timedelta(days=number)
        if number:
            book.run("maintain", "--due", "--now", at(day, "09:00"))
        _use(book, number, day)
        book.look(day)
    yield book
    patch.undo()


def _fill(book: Book) -> None:
    who = ("--user", "ann", "--session", "s-0", "--now", at(FIRST))
    book.run("remember", f"{WHO}，之前做流批一体，最近在学 RAG，这周五交周报", *who)
    for words in (REPORTS, LIKES, DISLIKES, f"My key is {SECRET}, always use it", "你好", "几点了？"):
        book.run("remember", words, *who)
    book.run("remember", TABS, "--project", "shop", *who)
    overheard = book.root.parent / "overheard.json"  # nobody has asked that these be remembered
    overheard.write_text(json.dumps([{"text": words, "kind": "temporary"} for words in (RED, LIFT)]), encoding="utf-8")
    book.run("remember", "--candidate", str(overheard), *who)
    book.run("remember", QUEUE, "--kind", "temporary", *who)  # and who types asks
    book.run("remember", PNPM, "--kind", "usage", *who)


def _use(book: Book, number: int, day: date) -> None:
    """Live a day: what is asked for, and what a person looks at."""
    if number in (0, 1):  # the lift is asked for twice while it is in L1
        book.run("recall", LIFT, "--user", "ann", "--session", f"lift-{number}", "--now", at(day, "11:00"))
    if number in (5, 15, 25):  # three sessions within thirty days
        book.run("recall", "pnpm install packages", "--user", "ann", "--session", f"pnpm-{number}", "--now", at(day))
    if day == SEEN:
        book.run("reconcile", "--now", at(day))


# -- each memory's life ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "life"),
    [
        (WHO, [("L3", 0)]),  # identity lasts
        (REPORTS, [("L3", 0)]),
        (TABS, [("L2", 0)]),  # a rule: 180 days
        (BEFORE, [("L2", 0)]),  # a fact: 180 days
        (FRIDAY, [("L2", 0), ("-", 3)]),  # till the end of Friday the 6th: gone on Saturday morning
        (RED, [("L1", 0), ("-", 2 + 1)]),  # 48 hours after Wednesday, 10:00, were not over on Friday, 09:00
        (LIFT, [("L1", 0), ("L2", 3), ("L1", 34), ("-", 41)]),  # reused twice; then 30 days unused, and a week of grace
        (QUEUE, [("L1", 0), ("L2", 3), ("L1", 34), ("-", 41)]),  # it was asked that it be remembered
        (LEARNS, [("L2", 0), ("L1", 31), ("-", 34)]),  # 30 days unused; the digest of day 33 was seen
        (PNPM, [("L2", 0), ("L3", 26)]),  # the third recall, on day 25
        (LIKES, [("L3", 0)]),
        (DISLIKES, [("L3", 0)]),
    ],
)  # fmt: skip
def test_each_memory_lives_as_the_policy_says(book: Book, text: str, life: list[tuple[str, int]]) -> None:
    assert book.life(text) == life


def test_nothing_has_vanished(book: Book) -> None:
    in_tiers = {each["text"] for each in book.data("list", "--memories")}
    archived = {
        each["text"]
        for words in (FRIDAY, RED, LIFT, QUEUE, LEARNS)
        for each in book.data("recall", words, "--archive", "--user", "ann")
    }
    assert in_tiers | archived >= set(book.lives)
    assert not in_tiers & archived


def test_what_was_moved_is_in_the_audit_log_with_its_rule_and_day(book: Book) -> None:
    log = book.data("review", "log", "--limit", "10000")
    moves = [
        ((each["body"]["before"] or {}).get("text"), each["body"]["kind"], each["body"]["rule"], each["at"][:10])
        for each in log
        if each["action"] == "move"
    ]
    assert sorted(moves, key=lambda move: move[3]) == moves
    assert set(moves) >= {
        (PNPM, "promote", "P1", "2026-03-30"),
        (LEARNS, "demote", "P2", "2026-04-04"),
        (LEARNS, "expire", "P2", "2026-04-07"),
        (LIFT, "distil", "expire", "2026-03-07"),
    }
    assert len(moves) == len(set(moves))  # nothing was done twice


def test_the_digest_shows_what_a_person_may_still_undo(book: Book) -> None:
    end = at(FIRST + timedelta(days=DAYS))
    moves = book.data("reconcile", "--peek", "--now", end)
    told = {(each["text"], each["before"], each["after"]) for each in moves}
    assert {(PNPM, "L2", "L3"), (LEARNS, "L2", "L1"), (LEARNS, "L1", "archive"), (RED, "L1", "archive")} <= told
    shown = book.run("reconcile", "--peek", "--now", end)
    for each in moves:
        assert f"#{each['number']}" in shown


def test_the_contradiction_waits_and_was_not_resolved(book: Book) -> None:
    (item,) = (
        each
        for each in book.data("review", "--now", at(FIRST + timedelta(days=DAYS)))
        if each["reason"] == "contradiction"
    )
    assert item["memory"]["text"] == DISLIKES
    assert [each["text"] for each in item["others"]] == [LIKES]


def test_the_files_are_whole_and_hold_no_secret(book: Book) -> None:
    book.run("check")  # done, and without a fault
    assert FolderMemories(book.root).snapshot().faults == ()
    held = {path: path.read_bytes() for path in book.root.rglob("*") if path.is_file()}
    assert not [path for path, data in held.items() if SECRET.encode() in data]
    assert [path for path in held if "archive" in path.parts and path.suffix == ".tgz"]  # April's and May's packs
    assert not [path for path in held if path.name.endswith(".tmp")]
    assert all(
        not path.stat().st_mode & 0o077 for path in held if path.suffix == ".json" and "medium_term" in path.parts
    )


def test_running_it_all_again_moves_nothing(book: Book) -> None:
    end = FIRST + timedelta(days=DAYS - 1)
    before = {str(path): path.read_bytes() for path in sorted(book.root.rglob("*.json"))}
    for report in book.data("maintain", "--now", at(end, "09:00")):
        assert report["moves"] == [], report["job"]
    assert {str(path): path.read_bytes() for path in sorted(book.root.rglob("*.json"))} == before
