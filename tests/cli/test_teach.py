"""`casebook teach`: one sentence becomes a case, shown with its conditions and its backtest, and asked about once."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from casebook.adapters.cli.main import main
from tests.cli.conftest import Run


@pytest.fixture
def failed(casebook: Run, memory: Path) -> Run:
    """A casebook in whose journal `npm install` failed twice, ann's last, and `npm run build` succeeded."""
    for number, user in enumerate(("bob", "ann")):
        casebook(
            "after-task", "--error", "1", "--message", f"npm ERR! code ERESOLVE, log {number}", "--tool", "Bash",
            "--arg", f"command=npm install left-pad@{number}", "--session", f"s{number}", "--user", user,
        )  # fmt: skip
    casebook(
        "after-task",
        "--success",
        "--tool",
        "Bash",
        "--arg",
        "command=npm run build",
        "--session",
        "s1",
        "--user",
        "ann",
    )
    return casebook


class Terminal(io.StringIO):
    """A person who types."""

    def isatty(self) -> bool:
        return True


def test_a_sentence_about_the_last_call_is_shown_with_its_conditions_and_its_backtest(failed: Run) -> None:
    shown = failed("teach", "use pnpm, not npm", "--last", "--dry-run")
    assert shown.code == 0
    assert 'program is "npm"' in shown.out
    assert "3 of 3 recorded calls would have been warned, 2 of them failed" in shown.out
    assert "`npm install`" in shown.out
    assert "nothing was written" in shown.err


def test_what_was_taught_warns_at_the_next_call_as_the_persons_own_words(failed: Run) -> None:
    taught = failed("teach", "use pnpm, not npm", "--last", "--yes")
    case_id = taught.out.partition("taught ")[2].split()[0]
    assert f"casebook mute {case_id}" in taught.err
    asked = failed("match", "--tool", "exec", "--arg", "command=npm ci", "--json")
    (matched,) = json.loads(asked.out)["matched"]
    assert (matched["id"], matched["correction"]) == (case_id, "use pnpm, not npm")
    assert "“use pnpm" not in json.loads(asked.out)["prompt"]
    assert failed("check").code == 0
    undone = failed("review", "undo")
    assert (undone.code, failed("show", case_id).code) == (0, 2)


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("是\n", 0), ("n\n", 1), ("\n", 1), ("", 1)])
def test_it_is_written_where_the_person_says_yes(
    memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, code: int
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    assert main(["teach", "use pnpm, not npm"]) == code
    assert capsys.readouterr().err.count("[y/N]") == 1
    assert (memory / "long_term" / "rules.json").exists() is (code == 0)


@pytest.mark.parametrize("again", ["Use pnpm, not npm.", "use  pnpm, not npm!", "USE pnpm, not npm 。"])
def test_the_same_sentence_but_for_its_case_and_its_end_is_there_already(
    casebook: Run, memory: Path, again: str
) -> None:
    assert casebook("teach", "use pnpm, not npm", "--yes").code == 0
    told = casebook("teach", again, "--yes")
    assert (told.code, "it is there already" in told.err) == (0, True)


@pytest.mark.parametrize("name", ["action", "tool", "intent", "text", "command"])
def test_nothing_names_nothing(casebook: Run, memory: Path, name: str) -> None:
    refused = casebook("teach", "be brief", f"--{name}", " ", "--yes")
    assert (refused.code, refused.err) == (2, f"casebook: teach: --{name}: expected at least a word, got nothing\n")


@pytest.mark.parametrize(
    ("tool", "told"),
    [("shel", "did you mean shell?"), ("zzqx", "once a host has a tool of that name"), ("Bash", ""), ("shell", "")],
)
def test_a_tool_that_nothing_knows_is_told_and_taken(casebook: Run, memory: Path, tool: str, told: str) -> None:
    taught = casebook("teach", "be brief", "--tool", tool, "--dry-run")
    assert (taught.code, "no recorded call and no table" in taught.err, told in taught.err) == (0, bool(told), True)


def test_where_nobody_can_be_asked_nothing_is_written_and_it_says_so(failed: Run, memory: Path) -> None:
    refused = failed("teach", "use pnpm, not npm")
    assert (refused.code, "--yes writes it" in refused.err) == (2, True)
    assert not (memory / "long_term" / "rules.json").exists()


def test_the_same_sentence_again_makes_nothing_new(failed: Run) -> None:
    first, second = (json.loads(failed("teach", "use pnpm, not npm", "--yes", "--json").out) for _ in range(2))
    assert (first["case"]["id"], first["written"], second["written"]) == (second["case"]["id"], True, False)


def test_of_a_named_user_the_last_call_is_theirs_and_the_case_is_for_them(failed: Run) -> None:
    told = json.loads(failed("teach", "ask first", "--last", "--user", "bob", "--yes", "--json").out)
    assert told["case"]["scope"] == {"user": "bob"}
    assert told["figures"] == {"matching": 1, "failing": 1, "clean": 0}
    nobody = failed("teach", "ask first", "--last", "--user", "cid")
    assert (nobody.code, "of the user cid" in nobody.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("be kind",), "names no command, tool or intent that is known"),
        (("use npm", "--effect", "block", "--action", "npm"), "a case blocks only what the sentence forbids"),
        (("",), "expected a sentence, got nothing"),
        (("x" * 1_001, "--action", "npm"), "at most 1,000 characters"),
        (("ask first", "--session", "s1"), "--session says nothing without --last"),
    ],
)
def test_what_cannot_be_taught_is_told_plainly(failed: Run, arguments: tuple[str, ...], says: str) -> None:
    refused = failed("teach", *arguments, *(() if "--action" in arguments or arguments[0] else ("--action", "npm")))
    assert (refused.code, says in refused.err) == (2, True), refused.err


def test_a_sentence_that_forbids_may_block_and_does(failed: Run) -> None:
    taught = failed("teach", "禁止强推到 main", "--effect", "block", "--yes")
    assert "advises until `casebook approve taught-" in taught.err
    for command, verdict in (
        ("git push -f origin main", "block"),
        ("git push origin main", "allow"),
        ("git push -f x", "allow"),
    ):
        asked = json.loads(failed("match", "--tool", "Bash", "--arg", f"command={command}", "--json").out)
        assert (command, asked["verdict"]) == (command, verdict)


def test_a_secret_in_a_sentence_is_not_kept(failed: Run, memory: Path) -> None:
    failed("teach", "use the token ghp_16C7e42F292c6912E7710c838347Ae178B4a, not npm", "--yes")
    assert "ghp_16C7" not in (memory / "long_term" / "rules.json").read_text(encoding="utf-8")
