"""Settings that are no plain JSON are wired by hand: what is missing is told, and once it is there all are content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from casebook.adapters.wiring.change import carry_out
from casebook.adapters.wiring.hook_host import RefusedError
from casebook.adapters.wiring.openclaw_settings import settings, workspace
from casebook.adapters.wiring.protocol import Place
from casebook.adapters.wiring.table import wiring_of
from tests.wiring.conftest import wanted

OPENCLAW, GEMINI = wiring_of("openclaw"), wiring_of("gemini")


@pytest.fixture
def program(place: Place) -> Path:
    """A casebook that is there."""
    return runnable(place.home / "bin" / "casebook")


def runnable(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def commented(place: Place, value: object) -> str:
    """OpenClaw's settings as a person writes them."""
    path = settings(place)
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(value, indent=2).replace('"plugins"', "plugins").replace("\n}", ", // the end\n}")
    path.write_text(text)
    return text


def asked_for(place: Place, **options) -> Any:
    """What a person is told to put in."""
    with pytest.raises(RefusedError, match="this is to stand in it, by hand") as raised:
        OPENCLAW.install(place, wanted(**options))
    return json.loads(raised.value.snippet)


def test_openclaw_s_settings_in_json5_are_looked_at_and_content_once_a_person_has_done_what_was_told(place, program):
    text = commented(place, {"agents": {}})
    snippet = asked_for(place, program=program)
    assert not OPENCLAW.uninstall(place).changes
    text = commented(place, {"agents": {}, **snippet})
    assert OPENCLAW.install(place, wanted(program=program)).changes == ()
    (standing,) = OPENCLAW.standing(place, wanted())
    assert (standing.wired, standing.troubles) == (("the plugin casebook",), ())
    with pytest.raises(RefusedError) as raised:
        OPENCLAW.uninstall(place)
    assert "Take out by hand: plugins.entries.casebook, /" in str(raised.value)
    assert raised.value.snippet == ""
    assert settings(place).read_text() == text


def test_only_what_is_missing_is_told(place, program):
    whole = asked_for_whole(place, program)
    commented(place, {"plugins": {"entries": whole["plugins"]["entries"]}})
    assert asked_for(place, program=program) == {"plugins": {"load": whole["plugins"]["load"]}}
    commented(place, {"plugins": {**whole["plugins"], "allow": ["memory"]}})
    assert asked_for(place, program=program) == {"plugins": {"allow": ["memory", "casebook"]}}


def asked_for_whole(place: Place, program: Path) -> Any:
    commented(place, {"agents": {}})
    return asked_for(place, program=program)


def test_a_program_that_is_gone_from_commented_settings_is_a_fault_and_the_entry_to_stand_there_is_told(place, program):
    commented(place, {"x": 1, **asked_for_whole(place, program)})
    program.unlink()
    (standing,) = OPENCLAW.standing(place, wanted())
    assert standing.faults == (f"{program} is not there any more; `casebook install openclaw` wires this casebook",)
    other = runnable(program.with_name("casebook-runtime"))
    assert list(asked_for(place, program=other)["plugins"]) == ["entries"]


@pytest.mark.parametrize("text", ["{,}", "{ casebook: 1,, }"])
def test_what_openclaw_itself_cannot_read_is_told_with_its_place_alone(place, text):
    settings(place).parent.mkdir()
    settings(place).write_text(text)
    with pytest.raises(RefusedError, match=r"line 1, column .*mend that") as raised:
        OPENCLAW.install(place, wanted())
    assert raised.value.snippet == ""
    (standing,) = OPENCLAW.standing(place, wanted())
    assert len(standing.faults) == ("casebook" in text)


def test_a_misspelt_program_is_wired_anew_without_force_and_taken_out(place, program):
    made = {"plugins": {"entries": {"casebook": {"config": {"command": ["/x/casebok", "hook", "openclaw"]}}}}}
    settings(place).parent.mkdir()
    settings(place).write_text(json.dumps(made))
    (standing,) = OPENCLAW.standing(place, wanted())
    assert standing.faults[0] == "/x/casebok is not there any more; `casebook install openclaw` wires this casebook"
    (change,) = OPENCLAW.install(place, wanted(program=program)).changes
    assert json.loads(change.after or b"")["plugins"]["entries"]["casebook"]["config"]["command"][0] == str(program)
    assert OPENCLAW.uninstall(place).changes


def test_a_plugin_whose_folder_is_not_named_is_a_fault_unless_it_stands_among_openclaw_s_extensions(place, program):
    whole = asked_for_whole(place, program)
    commented(place, {"plugins": {"entries": whole["plugins"]["entries"]}})
    (standing,) = OPENCLAW.standing(place, wanted())
    assert (
        "plugins.load.paths does not name the plugin's folder; `casebook install openclaw` sets it"
        in standing.faults[0]
    )
    (settings(place).parent / "extensions" / "casebook").mkdir(parents=True)
    (standing,) = OPENCLAW.standing(place, wanted())
    assert standing.troubles == ()


def test_a_plugin_of_that_name_that_is_not_ours_is_told_with_the_command_that_works(place, program):
    settings(place).parent.mkdir()
    settings(place).write_text('{"plugins": {"entries": {"casebook": {"enabled": true}}}}')
    (standing,) = OPENCLAW.standing(place, wanted())
    (fault,) = standing.faults
    assert "`casebook install openclaw --force` sets it" in fault
    carry_out(OPENCLAW.install(place, wanted(program=program, force=True)).changes[0])
    (standing,) = OPENCLAW.standing(place, wanted())
    assert standing.troubles == ()


def test_a_casebook_that_is_wired_and_gone_is_a_fault(place, program, tmp_path):
    gone = tmp_path / "my cases"
    settings(place).parent.mkdir()
    command = [str(program), "hook", "openclaw", "--dir", str(gone)]
    settings(place).write_text(json.dumps({"plugins": {"entries": {"casebook": {"config": {"command": command}}}}}))
    (standing,) = OPENCLAW.standing(place, wanted())
    assert standing.casebooks == (str(gone),)
    assert f"{gone}, the casebook that is wired, is not there any more; `casebook init '{gone}'`" in standing.faults[0]
    gone.mkdir()
    (standing,) = OPENCLAW.standing(place, wanted())
    assert not any("any more" in each for each in standing.faults)


def test_gemini_s_comments_are_read(place, program):
    path = place.home / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text('{\n  // mine, "casebook hook gemini"\n  "ui": {}\n}\n')
    with pytest.raises(RefusedError, match="line 2, column 3: expected JSON, got a comment") as raised:
        GEMINI.install(place, wanted(program=program))
    assert not GEMINI.uninstall(place).changes, "the comment alone speaks of it"
    lines = raised.value.snippet.splitlines()
    assert len(lines) == 7 + 4
    path.write_text("// mine\n" + raised.value.snippet)
    assert GEMINI.install(place, wanted(program=program)).changes == ()
    (standing,) = GEMINI.standing(place, wanted())
    assert (len(standing.wired), standing.troubles) == (7, ())
    without = [each for each in lines if '"AfterAgent"' not in each]
    path.write_text("\n".join(["// mine", *without]))
    with pytest.raises(RefusedError) as raised:
        GEMINI.install(place, wanted(program=program))
    assert list(json.loads(raised.value.snippet)["hooks"]) == ["AfterAgent"]
    with pytest.raises(RefusedError, match=r"Take the commands out by hand that run `hook gemini` \(lines 4, 5, 6"):
        GEMINI.uninstall(place)


def test_where_openclaw_works_is_read_from_commented_settings(place):
    settings(place).parent.mkdir()
    settings(place).write_text("{ agents: { defaults: { workspace: '~/claw', }, }, }")
    assert workspace(place) == place.home / "claw"
