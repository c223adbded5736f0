"""What a person corrects, as it is typed: recall gives the new words alone, and review shows both texts and what approving does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("memory")


def test_a_choice_that_the_user_turns_round_is_recalled_alone_and_the_old_words_are_told(casebook: Run) -> None:
    casebook("remember", "Use pnpm, not npm.")
    corrected = casebook("remember", "actually, use npm, not pnpm").out
    assert corrected.startswith("corrected m-")
    assert "Use pnpm, not npm." in corrected
    recalled = casebook("recall", "npm or pnpm").out
    assert "Use npm, not pnpm" in recalled
    assert "Use pnpm" not in recalled


def test_two_whose_scopes_merely_meet_are_shown_whole_with_whose_each_is(casebook: Run) -> None:
    casebook("remember", "I always use tabs", "--user", "ann")
    casebook("remember", "Never use tabs", "--kind", "rule", "--project", "shop")
    casebook("maintain", "reflect")
    told = casebook("review").out
    assert "Never use tabs" in told
    assert '"I always use tabs" (preference, L3, for user=ann)' in told
    assert "goes to the archive" in told


def test_a_zone_that_is_mistyped_in_the_policy_is_told_where_something_is_remembered(
    casebook: Run, memory: Path
) -> None:
    policy = memory / "memory-policy.yaml"
    policy.write_text(policy.read_text(encoding="utf-8").replace("Asia/Shanghai", "Asia/Shangai"), encoding="utf-8")
    for command in (("remember", "I prefer tabs"), ("maintain", "hygiene")):
        assert 'got "Asia/Shangai" (Asia/Shanghai)' in casebook(*command).err
