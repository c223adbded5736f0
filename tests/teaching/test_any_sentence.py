"""Whatever words are put together, the answer is conditions, or what is missing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.policy import Policy
from casebook.runtime.facts.calls import call_facts
from casebook.runtime.journal.records import EventRecord
from casebook.runtime.teaching.anchoring import bound
from casebook.runtime.teaching.names import Known

WORDS = """
never do not don't stop use uses using please always only when if unless without needs with to on in for and or not but instead, than before after
git push pushing npm pnpm docker compose curl rm -rf main --force -f --draft production deploy deploying downgrade delete migration schema sudo ssh kubectl helm
edit write config.yaml README.md `git` `npm ci` friday 18:00 this that again
不准 改 不要 禁止 别 用 使用 而不是 除非 没有 时 的 推送 部署 在 周五 主分支 强推 ， 。 , . ; : — (
"""


@given(st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=9).map(" ".join))
def test_any_words_are_bound_or_it_is_said_what_is_missing(text: str) -> None:
    found = bound(text, Policy(), Known())
    assert bool(found.nodes) is not bool(found.missing)


@pytest.mark.parametrize("text", ["downgrade 不准改 pushing,", "main 不准改 pushing", "downgrade 禁止 pushing"])
def test_a_prefix_that_makes_something_else_of_a_clause_is_left_out_of_it(text: str) -> None:
    found = bound(text, Policy(), Known())
    assert bool(found.nodes) is not bool(found.missing)


def call(tool: str, args: dict[str, object]) -> EventRecord:
    facts = call_facts(tool, args, {})
    canonical = facts.pop("tool")
    return EventRecord(
        "e1", datetime(2026, 3, 20, tzinfo=UTC), "tool", tool=canonical, ok=False, body={**facts, "args": args}
    )


@pytest.mark.parametrize(
    ("tool", "args", "as_it_was"),
    [
        ("Bash", {"command": "gh auth token --hostname example.com"}, True),
        ("Bash", {"command": "gh auth login --with-token [redacted:github-token]"}, False),
        ("Bash", {"command": "curl -H 'Authorization: [redacted:bearer]' example.com"}, False),
        ("reserve", {"item": "A17"}, True),
        ("reserve", {"item": "A17", "key": "[redacted:field]"}, False),
        ("Read", {"file_path": "/srv/[redacted:aws-key]/x.txt"}, False),
    ],
)
def test_a_call_whose_secret_is_masked_is_no_call_as_it_was(
    tool: str, args: dict[str, object], as_it_was: bool
) -> None:
    found = bound("never do that again", Policy(), Known(), call=call(tool, args), effect="block")
    assert (bool(found.nodes), "the whole of that call is too much" in found.missing) == (as_it_was, not as_it_was)
