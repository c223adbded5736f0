"""`casebook scan`: errors that came again in a host's transcripts become drafts, with evidence and backtest, once."""

from __future__ import annotations

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.scanning.rig import DAY, WRITERS, Made, dated

NOW = "2026-11-30T12:00:00+00:00"
LOCK = "ERR_PNPM_OUTDATED_LOCKFILE Cannot install, the lockfile is not up to date with {}/package.json"
FAILING = [(f"pnpm install {name}", LOCK.format(name)) for name in ("left-pad", "lodash", "react")]
CLEAN = [(command, "") for command in ("pnpm test", "git status", "ls", "pnpm run build", "pytest -q") * 4]


@pytest.fixture
def home(here: Path) -> Path:
    return here.parent / "home"


def scan(casebook: Run, *arguments: str) -> dict[str, Any]:
    done = casebook("--now", NOW, "scan", "--json", *(arguments if "--yes" in arguments else ("--dry-run", *arguments)))
    assert done.code == 0, done.err
    told: dict[str, Any] = json.loads(done.out)
    return told


@pytest.mark.parametrize("written", WRITERS)
def test_an_error_that_came_three_times_becomes_a_draft_with_evidence_and_backtest(
    casebook: Run, memory: Path, home: Path, written: str
) -> None:
    host, write = WRITERS[written]
    path = write(home, "s1", dated([*CLEAN, *FAILING]))
    told = scan(casebook, "--host", host, "--yes")
    (draft,) = told["drafts"]
    case = draft["case"]
    assert (case["status"], case["trigger_conditions"], case["effect"]) == (
        "draft",
        ['action is "pnpm install"'],
        "advise",
    )
    assert (draft["errors"], draft["sessions"], told["calls"], told["counted"]) == (3, 1, len(CLEAN) + 3, 3)
    assert draft["figures"] == {"matching": 3, "failing": 3, "clean": 0}
    assert all(
        str(path.relative_to(home)) in each and each.endswith("(2026-11-21)") for each in case["source"]["evidence"]
    )
    assert len(case["source"]["evidence"]) == 3
    asked = json.loads(
        casebook("--now", NOW, "match", "--tool", "Bash", "--arg", "command=pnpm install x", "--json").out
    )
    assert asked["matched"] == []
    waiting = casebook("review")
    assert f"~/{path.relative_to(home)}" in waiting.out
    assert "found in the transcripts" in waiting.out
    assert casebook("check").code == 0


def test_running_it_twice_makes_nothing_new_and_what_was_rejected_stays_away(
    casebook: Run, memory: Path, home: Path
) -> None:
    WRITERS["claude-code"][1](home, "s1", dated(FAILING))
    (draft,) = scan(casebook, "--yes")["drafts"]
    before = (memory / "long_term" / "learnt.json").read_bytes()
    again = scan(casebook, "--yes")
    assert (again["drafts"], again["known"], (memory / "long_term" / "learnt.json").read_bytes()) == ([], 1, before)
    assert casebook("review", "reject", draft["case"]["id"]).code == 0
    assert (scan(casebook, "--yes")["drafts"], scan(casebook)["known"]) == ([], 1)


def test_approved_it_warns_and_the_live_detector_makes_no_second_case(casebook: Run, memory: Path, home: Path) -> None:
    WRITERS["claude-code"][1](home, "s1", dated(FAILING))
    (draft,) = scan(casebook, "--yes")["drafts"]
    casebook("--now", NOW, "review", "approve", draft["case"]["id"])
    user = draft["case"]["scope"]["user"]
    asked = json.loads(
        casebook(
            "--now", NOW, "match", "--tool", "exec", "--arg", "command=pnpm install x", "--user", user, "--json"
        ).out
    )
    assert [each["id"] for each in asked["matched"]] == [draft["case"]["id"]]
    for number in range(3):
        told = casebook(
            "--now", NOW, "after-task", "--message", f"Exit code 1\n{LOCK.format(number)}", "--tool", "Bash", "--arg", f"command=pnpm install {number}",
            "--user", user, "--session", f"live{number}",
        )  # fmt: skip
    assert (json.loads(told.out)["case"], json.loads(told.out)["made"]) == (draft["case"]["id"], False)


def test_nothing_is_written_where_nobody_can_be_asked_or_nothing_is_to_be(
    casebook: Run, memory: Path, home: Path
) -> None:
    WRITERS["codex"][1](home, "s1", dated(FAILING))
    refused = casebook("--now", NOW, "scan")
    assert (refused.code, "--yes writes the drafts" in refused.err, "pnpm install" in refused.out) == (2, True, True)
    shown = casebook("--now", NOW, "scan", "--dry-run")
    assert (shown.code, "nothing was written" in shown.err) == (0, True)
    assert not (memory / "long_term" / "learnt.json").exists()


def test_only_the_days_that_are_asked_for_count(casebook: Run, memory: Path, home: Path) -> None:
    long_ago = dated(FAILING, DAY - timedelta(days=40))
    WRITERS["claude-code"][1](home, "s1", [*long_ago, *dated(FAILING[:2])])
    assert scan(casebook)["counted"] == 2
    assert scan(casebook, "--days", "90")["counted"] == 5


def test_a_call_that_is_dated_after_now_counts_not_and_is_told(casebook: Run, memory: Path, home: Path) -> None:
    at = datetime.fromisoformat(NOW)
    made = [
        Made(command, fails, at + timedelta(seconds=after))
        for after, (command, fails) in zip((0, 1, 90), FAILING, strict=True)
    ]
    WRITERS["claude-code"][1](home, "s1", made)
    done = casebook("--now", NOW, "scan", "--json", "--dry-run")
    assert (json.loads(done.out)["counted"], "2 calls dated after now left out" in done.err) == (1, True)


@pytest.mark.parametrize("named", [False, True])
def test_what_a_link_leads_out_of_its_folder_is_passed_and_told(
    casebook: Run, memory: Path, home: Path, named: bool
) -> None:
    path = WRITERS["claude-code"][1](home, "s1", dated(FAILING[:2]))
    folder = path.parent
    elsewhere = home.parent / "elsewhere.jsonl"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    WRITERS["claude-code"][1](home, "s3", dated(FAILING[2:], DAY + timedelta(days=1)))
    (folder / "s4.jsonl").symlink_to(folder / "s3.jsonl")
    done = casebook("--now", NOW, "scan", "--json", "--dry-run", *([str(folder)] if named else []))
    assert (json.loads(done.out)["counted"], "s1.jsonl: a link leads it out of the folder" in done.err) == (1, True)
    assert json.loads(casebook("--now", NOW, "scan", "--json", "--dry-run", str(path)).out)["counted"] == 2


def test_a_session_that_was_resumed_into_another_file_counts_once(casebook: Run, memory: Path, home: Path) -> None:
    path = WRITERS["claude-code"][1](home, "s1", dated(FAILING[:2]))
    path.with_name("s2.jsonl").write_bytes(path.read_bytes())
    told = scan(casebook)
    assert (told["counted"], told["again"], told["drafts"]) == (2, 2, [])


def test_what_is_no_error_is_none_here_either(casebook: Run, memory: Path, home: Path) -> None:
    """A test runner's failures, a search without a match, a person's refusal, a block of the casebook itself."""
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    ours = "The call of Bash was not made: the casebook blocks it (never-push)."
    calls = [(f"pytest -k t{n}", f"{n} failed") for n in range(1, 4)] + [(f"grep x{n} f", "") for n in range(3)]
    calls += [(f"rm -r d{n}", refused) for n in range(3)] + [(f"git push o{n}", ours) for n in range(3)]
    WRITERS["claude-code"][1](home, "s1", dated(calls))
    assert (scan(casebook)["failed"], scan(casebook)["counted"]) == (9, 0)


def test_two_hosts_tell_of_one_error_and_spoilt_lines_are_told(casebook: Run, memory: Path, home: Path) -> None:
    path = WRITERS["claude-code"][1](home, "s1", dated(FAILING[:2]))
    path.write_bytes(b"{oops\n" + path.read_bytes())
    WRITERS["codex"][1](home, "s1", dated(FAILING[2:], DAY + timedelta(days=1)))
    done = casebook("--now", NOW, "scan", "--dry-run", "--json")
    (draft,) = json.loads(done.out)["drafts"]
    assert (draft["errors"], draft["sessions"]) == (3, 2)
    assert "Claude Code, Codex" in draft["case"]["situation"]
    assert "s1.jsonl:1: expected a JSON object" in done.err


@pytest.mark.parametrize(("paths", "count"), [(1, 3), (2, 3)], ids=["a file", "its folder"])
def test_files_and_folders_that_are_named_are_read_wherever_they_are(
    casebook: Run, memory: Path, tmp_path: Path, paths: int, count: int
) -> None:
    for written, kind in (("claude-code", ".jsonl"), ("codex", ".jsonl")):
        path = WRITERS[written][1](tmp_path / written, "s1", dated(FAILING))
        assert path.suffix == kind
        assert scan(casebook, str(path if paths == 1 else path.parent))["counted"] == count


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--host", "codx"), "did you mean codex"),
        (("nowhere",), "no such file or folder"),
        (("--days", "0"), "1 or more"),
    ],
)
def test_what_cannot_be_scanned_is_told_plainly(
    casebook: Run, memory: Path, arguments: tuple[str, ...], says: str
) -> None:
    refused = casebook("scan", *arguments)
    assert (refused.code, says in refused.err) == (2, True), refused.err


def test_where_there_is_nothing_to_read_it_says_so(casebook: Run, memory: Path) -> None:
    done = casebook("scan")
    assert (done.code, "0 transcripts of Claude Code, Codex, OpenClaw read" in done.err) == (0, True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Another repository on this machine."""
    root = tmp_path / "elsewhere" / "shop"
    (root / ".git" / "objects").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return root


def errors(home: Path, *folders: Path) -> None:
    """One error three times in each folder, of another kind in each."""
    for number, folder in enumerate(folders):
        failing = [(f"make all{n}", f"make: no {('registry', 'compiler')[number]}") for n in range(3)]
        WRITERS["claude-code"][1](home, f"s{number}", dated(failing), cwd=str(folder))


def test_errors_of_another_project_are_left_out_of_a_projects_casebook_and_told(
    casebook: Run, memory: Path, here: Path, home: Path, shop: Path
) -> None:
    errors(home, here, shop)
    done = casebook("--now", NOW, "scan", "--yes")
    assert "1 repeated error of another project, left out: shop; `casebook scan` there, or --all" in done.err
    (case,) = json.loads((memory / "long_term" / "learnt.json").read_text())
    assert case["scope"]["project"] == here.name
    told = scan(casebook, "--all")
    assert [each["case"]["scope"]["project"] for each in told["drafts"]] == ["shop"]
    assert (told["known"], told["elsewhere"]) == (1, {})


def test_an_error_of_several_projects_is_of_none(
    casebook: Run, memory: Path, here: Path, home: Path, shop: Path
) -> None:
    for session, folder in (("s1", here), ("s2", shop), ("s3", shop)):
        WRITERS["claude-code"][1](home, session, dated(FAILING[:1]), cwd=str(folder))
    told = scan(casebook)
    assert [each["case"]["scope"].get("project") for each in told["drafts"]] == [None]
    assert told["elsewhere"] == {}


def test_a_casebook_of_the_users_own_takes_all_of_them_each_for_its_project(
    casebook: Run, memory: Path, home: Path, shop: Path
) -> None:
    memory.rename(home / ".casebook")
    other = shop.with_name("site")
    shutil.copytree(shop, other)
    errors(home, shop, other)
    assert {each["case"]["scope"]["project"] for each in scan(casebook)["drafts"]} == {"shop", "site"}


def test_a_casebook_that_is_named_takes_all_of_them(casebook: Run, memory: Path, home: Path, shop: Path) -> None:
    errors(home, shop)
    assert scan(casebook)["elsewhere"] == {"shop": 1}
    done = casebook("--dir", str(memory), "--now", NOW, "scan", "--json", "--dry-run")
    assert [each["case"]["scope"]["project"] for each in json.loads(done.out)["drafts"]] == ["shop"]


def test_how_often_it_came_and_how_often_it_counts_are_told_apart(casebook: Run, memory: Path, home: Path) -> None:
    path = WRITERS["claude-code"][1](home, "s1", dated([*FAILING, *FAILING]))
    path.write_text(path.read_text().replace('"p5"', '"p4"').replace('"p3"', '"p4"'))
    done = casebook("--now", NOW, "scan", "--dry-run")
    assert "  6 errors (4 counted, once a turn) in 1 session" in done.out
    assert "failed 6 times" in done.out
    (draft,) = scan(casebook)["drafts"]
    assert (draft["errors"], draft["counted"]) == (6, 4)
