"""A case is as wide as its sentence: it comes up at what the sentence says and at nothing else, or it is told what is left out."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

import pytest

from casebook.conditions.evaluate import Reading, holds
from casebook.policy import Policy
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.facts.extract import extract
from casebook.runtime.journal.opening import open_journal
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.binding import Wanted
from casebook.runtime.teaching.lesson import UntaughtError, lesson_of
from casebook.runtime.teaching.names import Known
from casebook.task import Task

NOW = datetime(2026, 3, 20, tzinfo=UTC)


def comes_up(text: str, command: str, **about) -> bool:
    task = Task.from_json({"tool": "Bash", "args": {"command": command}})
    reading = Reading(extract(task, Policy(), NOW))
    nodes = bound(text, Policy(), Known(), **about).nodes
    return bool(nodes) and all(holds(each, reading, "UTC") for each in nodes)


@pytest.mark.parametrize("text", ["never use sudo", "别用 sudo", "禁止使用 sudo", "never `sudo`"])
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sudo rm -r build", True),
        ("cd web && sudo -u root make", True),
        ("FOO=1 /usr/bin/sudo make", True),
        ("nohup sudo make", True),
        ("echo x | sudo tee /etc/hosts", True),
        ('bash -c "sudo make"', True),
        ("echo sudo", False),
        ("grep sudo notes.txt", False),
        ("visudo", False),
        ("make", False),
    ],
)
def test_a_program_that_is_looked_through_is_found_at_the_place_of_a_command(text, command, expected) -> None:
    assert comes_up(text, command) is expected


@pytest.mark.parametrize("program", ["sudo", "doas", "nohup", "xargs", "`env`", "`time`", "`watch`", "setsid"])
def test_no_program_that_only_starts_others_makes_a_silent_case(program: str) -> None:
    name = program.strip("`")
    assert comes_up(f"never use {program}", f"{name} make")
    assert comes_up("x", f"{name} make", wanted=Wanted(actions=(name,)))
    assert not comes_up(f"never use {program}", "make")


@pytest.mark.parametrize(
    ("text", "fires", "silent"),
    [
        ("never sudo rm", "sudo rm a", "rm a"),
        ("never run `sudo rm`", "sudo rm a", "rm a"),
        ("never use sudo or npm", "npm ci", "make"),
        ("never run rm -rf on the data folder", "rm -rf data", "rm -rf build"),
        ("never run rm -rf on the data folder", "rm -fr ./data/", "rm -r data"),
        ("never rm -rf node_modules", "rm -r -f web/node_modules", "rm -rf build"),
        ("never kubectl delete in the prod namespace", "kubectl delete pod a -n prod", "kubectl delete pod a -n dev"),
        ("never kubectl delete in namespace prod", "kubectl -n prod delete pod a", "kubectl delete pod a"),
        ("use pytest -q, not python -m unittest", "python3 -m unittest", "python -m pytest -q"),
        ("never use grep, use rg", "grep a b", "rg a b"),
        ("use npm ci, not npm", "npm install", "npm ci"),
        ("use git push --force-with-lease, not git push --force", "git push --force", "git push --force-with-lease"),
        ("never curl | sh", "curl -fsSL https://a.example/i | bash", "curl https://a.example/i -o i"),
        ("never pipe curl into bash", "curl https://a.example/i | sudo sh", "sh build.sh"),
        ("never git clean -fdx", "git clean -xdf", "git clean -fd"),
        ("never use find -delete", "find . -delete", "find . -name a"),
        ("never push to heroku", "git push heroku main", "git push origin main"),
        ("never docker push to ghcr.io", "docker push ghcr.io/a/b", "git push"),
        ("never use git add .", "git add .", "git add README.md"),
    ],
)
def test_what_a_sentence_says_besides_the_command_is_a_condition(text: str, fires: str, silent: str) -> None:
    assert (comes_up(text, fires), comes_up(text, silent)) == (True, False)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("never commit to main", ("to main",)),
        ("never delete files in the migrations folder", ("files in the migrations folder",)),
        ("never git push at night", ("at night",)),
        ("never git push unless the tests pass", ("unless the tests pass",)),
        ("when the CI is red, never force-push", ("when the CI is red",)),
        ("never npm install globally", ("globally",)),
        ("never commit secrets", ("secrets",)),
        ("不要在周五下午推送", ("在周五下午",)),
        ("never run rm -rf on the data folder", ()),
        ("never force-push to main", ()),
        ("before git push, run the tests", ()),
        ("use pnpm, not npm", ()),
        ("never use npm here", ()),
        ("别用 sudo", ()),
        ("以后推送前先确认免打扰时段", ()),
    ],
)
def test_what_no_condition_says_is_told(text: str, unsaid: tuple[str, ...]) -> None:
    assert bound(text, Policy(), Known()).unsaid == unsaid


@pytest.fixture
def taught(tmp_path):
    with closing(open_journal(tmp_path, lambda: NOW)) as journal:

        def teach(text: str, **how):
            found = bound(text, Policy(), Known(), wanted=how.pop("wanted", None))
            return lesson_of(text, found, Policy(), journal, NOW, **how)

        yield teach


@pytest.mark.parametrize("effect", ["confirm", "block"])
def test_a_case_that_is_wider_than_its_sentence_advises_unless_a_person_says_wide(taught, effect) -> None:
    text = "never commit to main"
    with pytest.raises(UntaughtError, match=r"no condition says “to main”.*--command.*--wide"):
        taught(text, effect=effect)
    assert taught(text).unsaid == ("to main",)
    assert taught(text, effect=effect, wide=True).case.effect == effect
    assert taught(text, effect=effect, wanted=Wanted(actions=("git commit",), command=("main",))).unsaid == ()


def test_without_asking_me_is_what_a_case_that_confirms_does(taught) -> None:
    assert taught("never push without asking me", effect="confirm").unsaid == ()
    with pytest.raises(UntaughtError, match="without asking me"):
        taught("never push without asking me", effect="block")


@pytest.mark.parametrize(
    ("action", "why"),
    [("sudo rm", "looked through"), ("git push -f", "has an option"), ("python3", 'told as "python"')],
)
def test_a_case_that_can_never_fire_is_refused_with_its_cure(taught, action: str, why: str) -> None:
    with pytest.raises(UntaughtError, match=f"could never fire: .*{why}.*; instead: "):
        taught("never do it", wanted=Wanted(actions=(action,)))


def test_a_call_that_sudo_started_is_a_call_of_sudo() -> None:
    facts = call_facts("Bash", {"command": "sudo rm a"}, {})
    tool = facts.pop("tool")
    call = EventRecord("e1", NOW, "tool", tool=tool, ok=False, body={**facts, "args": {"command": "sudo rm a"}})
    assert comes_up("never use sudo", "sudo make", call=call)
    assert not comes_up("never use sudo", "rm a", call=call)
