"""What Gemini CLI does otherwise than the other hosts: its settings, a wish for a yes, its session's beginning, its trust."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.conftest import host_in
from tests.hosts.provider import DONE, Provider
from tests.hosts.real import RealHost

ALWAYS: dict[str, Any] = {
    "id": "greeting", "situation": "A session began.", "trigger_conditions": ["always"], "correction": "Mind that a < b, deploy nothing.",
    "on": ["session_start"],
}  # fmt: skip
DEPLOY: dict[str, Any] = {
    "id": "deploy_friday", "situation": "x", "trigger_conditions": ["text contains deploy"], "correction": "Deploy on Monday.",
}  # fmt: skip
ASK: dict[str, Any] = {
    "id": "ask_publish", "situation": "x", "trigger_conditions": ['action is "npm publish"'], "correction": "Ask before you publish.",
    "effect": "confirm", "on": ["tool"],
}  # fmt: skip

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def gemini(tmp_path: Path, model: Provider) -> RealHost:
    return host_in("gemini", tmp_path, model)


def test_its_settings_are_after_a_session_and_unwiring_what_they_were_to_the_byte(
    gemini: RealHost, model: Provider
) -> None:
    settings = gemini.home / ".gemini" / "settings.json"
    before = settings.read_bytes()
    gemini.wire()
    wired = settings.read_bytes()
    assert DONE in gemini.turn("hello")
    assert settings.read_bytes() == wired
    gemini.casebook("uninstall", "gemini", "--yes")
    assert settings.read_bytes() == before


def test_a_call_that_wants_a_yes_is_refused_with_the_reason_and_nothing_waits(
    gemini: RealHost, model: Provider
) -> None:
    gemini.wire([ASK])
    gemini.tool("npm", f"touch {gemini.project}/called")
    model.wants("npm publish")
    assert DONE in gemini.turn("release it")
    assert not (gemini.project / "called").exists()
    assert "Ask before you publish." in model.text


def test_what_is_said_as_a_session_begins_is_told_and_is_no_part_of_the_prompt(
    gemini: RealHost, model: Provider
) -> None:
    gemini.wire([ALWAYS, DEPLOY])
    gemini.turn("hello")
    assert "Mind that a &lt; b, deploy nothing." in model.text
    assert "Deploy on Monday." not in model.text


def test_in_a_folder_that_is_not_trusted_it_does_not_begin_and_doctor_says_so(gemini: RealHost) -> None:
    gemini.wire()
    words = "is not trusted: Gemini CLI runs no hook there"
    assert words not in gemini.casebook("doctor", "--json")
    trusted = gemini.home / ".gemini" / "trustedFolders.json"
    trusted.write_text(json.dumps({str(gemini.project): "DO_NOT_TRUST"}), encoding="utf-8")
    assert words in gemini.casebook("doctor", "--json")
    with pytest.raises(AssertionError, match="not running in a trusted directory"):
        gemini.turn("hello")
