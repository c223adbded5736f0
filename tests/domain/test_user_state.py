"""The user's state stands where the variables say, and never where somebody happens to stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from casebook.user_state import state_folder


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "{home}/.local/state/casebook"),
        ({"XDG_STATE_HOME": "/x"}, "/x/casebook"),
        ({"XDG_STATE_HOME": "/x", "CASEBOOK_STATE_DIR": "/y"}, "/y"),
        ({"XDG_STATE_HOME": ""}, "{home}/.local/state/casebook"),
        ({"XDG_STATE_HOME": "state"}, "{home}/.local/state/casebook"),
        ({"CASEBOOK_STATE_DIR": "./state"}, "{home}/.local/state/casebook"),
        ({"XDG_STATE_HOME": "/x", "CASEBOOK_STATE_DIR": "~/state"}, "/x/casebook"),
    ],
)
def test_the_state_folder(variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "CASEBOOK_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(state_folder()) == expected.format(home=Path.home())
