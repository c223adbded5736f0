"""`X without --flag` comes up where the flag is missing by each of its names; where a name may be unknown, that is told, and it blocks nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.conditions.evaluate import Reading, holds
from casebook.policy import Policy
from casebook.runtime.facts.extract import extract
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.flag_names import having_pattern, named_alike, names_are_known
from casebook.runtime.teaching.names import Known
from casebook.task import Task


def comes_up(text: str, command: str) -> bool:
    task = Task.from_json({"tool": "shell", "args": {"command": command}})
    reading = Reading(extract(task, Policy(), datetime(2026, 3, 20, tzinfo=UTC)))
    nodes = bound(text, Policy(), Known()).nodes
    return bool(nodes) and all(holds(each, reading, "UTC") for each in nodes)


@pytest.mark.parametrize(
    ("text", "lacks", "has"),
    [
        ("never gh pr create without --draft", ["gh pr create", "gh pr create -t x"],
         ["gh pr create --draft", "gh pr create -d", "gh pr create -fd", "gh pr create --title x -d"]),
        ("never run curl without --fail", ["curl x.org", "curl -sSL x.org", "curl -o file x.org"],
         ["curl -f x.org", "curl -fsSL x.org", "curl -sSfL x.org", "curl --fail x.org"]),
        ("never run curl without -f", ["curl x.org"], ["curl --fail x.org", "curl -sf x.org"]),
        ("never run psql without --host", ["psql shop", "psql -U ann"], ["psql -h db shop", "psql -hdb shop", "psql --host=db", "psql -U ann -h db"]),
        ("never run grep without --line-number", ["grep x a.txt", "grep -r x"], ["grep -n x", "grep -rn x", "grep --line-number x"]),
        ("never run mkdir without -p", ["mkdir a/b"], ["mkdir -p a/b", "mkdir --parents a/b", "mkdir -vp a/b"]),
        ("never git commit without --message", ["git commit", "git commit -a"], ["git commit -m x", "git commit -am x", "git commit --message=x", "git commit --message x"]),
        ("never git commit without -m", ["git commit --amend"], ["git commit -am x", "git commit --message x"]),
        ("never run tar without -z", ["tar cf a.tar b", "tar -cf az.tar z"], ["tar czf a.tgz b", "tar -czf a.tgz b", "tar -c -z -f a.tgz b", "tar --gzip -cf a.tgz b"]),
        ("never terraform apply without -lock", ["terraform apply"], ["terraform apply -lock=true", "terraform apply --lock"]),
        ("never kubectl delete without -n", ["kubectl delete pod x"], ["kubectl delete pod x -nshop", "kubectl delete pod x --namespace shop", "kubectl -n shop delete pod x"]),
    ],
)  # fmt: skip
def test_a_flag_is_missing_only_where_it_stands_by_none_of_its_names(
    text: str, lacks: list[str], has: list[str]
) -> None:
    assert {each: comes_up(text, each) for each in (*lacks, *has)} == {
        **dict.fromkeys(lacks, True),
        **dict.fromkeys(has, False),
    }


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("never gh pr create without --draft", ()),
        ("never git push without --force-with-lease", ()),  # it has no other name
        ("never terraform apply without -lock", ()),
        ("never docker build without --no-cache", ()),
        ("never gh pr create without --frob", ("--frob by another name",)),
        ("never run mkdir without -Z", ("-Z by another name",)),
    ],
)
def test_a_name_that_may_be_unknown_is_told(text: str, unsaid: tuple[str, ...]) -> None:
    assert bound(text, Policy(), Known()).unsaid == unsaid


@given(st.sampled_from(["git commit", "curl", "tar", "gh pr create", "docker run"]), st.sampled_from("abcdfmnpvxz"))
def test_the_names_of_a_flag_are_each_others(command: str, letter: str) -> None:
    flag = f"-{letter}"
    assert {frozenset(named_alike(command, each)) for each in named_alike(command, flag)} == {
        frozenset(named_alike(command, flag))
    }
    assert names_are_known(command, flag) or named_alike(command, flag) == (flag,)
    assert f"{letter}" in having_pattern(command, flag)
