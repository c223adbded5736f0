"""`casebook doctor` ends with one line that says whether all is well; its code tells a script the same."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import pytest

from casebook.adapters import frameworks
from casebook.adapters.wiring.executable import program

HOST = "claude-code"


@pytest.fixture
def wired(casebook, here):
    """A casebook, and a host that is wired to it."""
    (here / "home/.claude").mkdir()
    casebook("init")
    casebook("install", HOST, "--yes")
    return here / "home/.claude/settings.json"


@pytest.fixture
def openclaw(casebook, here):
    """OpenClaw wired, with a casebook in its workspace alone; gives its settings."""
    workspace = here / "home/.openclaw/workspace"
    workspace.mkdir(parents=True)
    casebook("init", str(workspace / "memory"))
    casebook("install", "openclaw", "--yes")
    return here / "home/.openclaw/openclaw.json"


def last(told: str) -> str:
    return told.splitlines()[-1]


def test_where_all_works_the_last_line_says_so(casebook, wired):
    code, out, err = casebook("doctor", "--strict")
    assert (code, err) == (0, "all well\n")
    assert "langchain 1." in out
    told = json.loads(casebook("doctor", "--json")[1])
    assert (told["well"], told["findings"]) == (True, [])


def break_program(settings):
    settings.write_text(settings.read_text().replace(program()[0], "/gone/casebook"))


def name_casebook(settings):
    settings.write_text(settings.read_text().replace(f"hook {HOST}", f"hook {HOST} --dir /gone/memory"))


def break_settings(settings):
    settings.write_text(settings.read_text() + ",")


def switch_off(settings):
    settings.write_text(settings.read_text().replace("{", '{"disableAllHooks": true, ', 1))


def forget_event(settings):
    value = json.loads(settings.read_text())
    del value["hooks"]["Stop"]
    settings.write_text(json.dumps(value))


BROKEN = [
    # what is done, whether it is a fault, what is said
    (break_program, True, "/gone/casebook is not there any more; `casebook install claude-code` wires this casebook"),
    (
        name_casebook,
        True,
        "/gone/memory, the casebook that is wired, is not there any more; `casebook init /gone/memory`",
    ),
    (break_settings, True, "settings.json: line "),
    (switch_off, False, "disableAllHooks is true"),
    (forget_event, False, "Claude Code does not tell of Stop; `casebook install claude-code` wires it"),
]


@pytest.mark.parametrize("change, is_fault, said", BROKEN)
def test_what_does_not_work_makes_the_code_1_and_what_deserves_a_look_only_with_strict(
    casebook, wired, change, is_fault, said
):
    change(wired)
    code, _, err = casebook("doctor")
    assert code == is_fault
    assert f"{'error' if is_fault else 'warning'}: claude-code: " in err
    assert said in err
    assert last(err) == "1 thing to do: claude-code"
    code, out, _ = casebook("doctor", "--strict", "--json")
    told = json.loads(out)
    assert (code, told["well"]) == (1, False)
    ((severity, about),) = {(each["severity"], each["about"]) for each in told["findings"]}
    assert (severity, about) == ("error" if is_fault else "warning", HOST)


def test_no_casebook_where_a_host_is_wired_is_a_fault_and_where_none_is_a_thing_to_do(casebook, here, wired):
    for each in (here / "project/memory").rglob("*"):
        each.rename(each.with_name(f"gone-{each.name}")) if each.name in ("memory-policy.yaml", "long_term") else None
    code, _, err = casebook("doctor")
    assert code == 1
    assert "error: claude-code: wired to the casebook of this folder, and there is no casebook here: " in err
    assert last(err) == "1 thing to do: casebook"
    casebook("uninstall", "--yes")
    code, _, err = casebook("doctor")
    assert (code, last(err)) == (0, "1 thing to do: casebook")
    assert "warning: there is no casebook here: " in err
    assert casebook("doctor", "--strict")[0] == 1


def test_of_openclaw_the_casebook_of_its_workspace_counts_and_not_that_of_this_folder(casebook, here, openclaw):
    assert casebook("doctor", "--strict")[0::2] == (0, "all well\n"), "there is no casebook in this folder"
    (here / "home/.openclaw/workspace/memory").rename(here / "elsewhere")
    casebook("init")
    code, _, err = casebook("doctor")
    assert code == 1
    assert "error: openclaw: there is no casebook where openclaw works, in " in err
    assert "`casebook init " in err
    assert last(err) == "1 thing to do: openclaw"


def test_wiring_openclaw_warns_of_its_workspace_and_not_of_this_folder(casebook, here):
    (here / "home/.openclaw").mkdir()
    workspace = here / "home/claw"
    (here / "home/.openclaw/openclaw.json").write_text("{agents: {defaults: {workspace: '~/claw'}}}")
    casebook("init")
    _, _, err = casebook("install", "openclaw", "--dry-run")
    said = f"warning: there is no casebook where openclaw works, in {workspace}; `casebook init {workspace}/memory` makes one"
    assert said in err
    assert said in casebook("setup", "--dry-run")[2]
    casebook("init", str(workspace / "memory"))
    assert "warning" not in casebook("install", "openclaw", "--dry-run")[2]


def test_openclaw_wired_by_hand_is_green_and_setup_is_content(casebook, here, openclaw):
    """What a person has put into commented settings, as they were told, is a wiring like another."""
    value = json.loads(openclaw.read_text())
    openclaw.write_text(f"// mine\n{json.dumps(value)[:-1]},}}")
    assert casebook("doctor", "--strict")[0::2] == (0, "all well\n")
    assert casebook("setup", "--yes")[0] == 0
    code, _, err = casebook("uninstall", "openclaw", "--yes")
    assert code == 1, "it is there still"
    assert "Take out by hand: plugins.entries.casebook, " in err
    openclaw.write_text("// mine: casebook was here\n{}")
    assert casebook("uninstall", "openclaw", "--yes")[0] == 0


def test_hosts_that_are_not_wired_are_one_line(casebook, here, wired):
    for each in (".codex", ".gemini", ".openclaw"):
        (here / "home" / each).mkdir()
    out = casebook("doctor")[1]
    assert "not wired    codex, gemini, openclaw (`casebook setup` wires what is found)" in out
    assert out.count("not wired") == 1


def test_limits_and_packages_are_told_where_they_are_asked_for(casebook, wired):
    brief, whole = casebook("doctor")[1], casebook("doctor", "--verbose")[1]
    assert [word in brief for word in ("\nlimits\n", "\npackages\n")] == [False, False]
    assert [word in whole for word in ("\nlimits\n", "\npackages\n")] == [True, True]
    assert {"limits", "packages"} <= set(json.loads(casebook("doctor", "--json")[1]))


VERSIONS = [
    # installed, whether the adapter can be imported, the code, what is said
    (None, True, 0, "all well"),
    ("1.5.0", True, 0, "all well"),
    ("1.99", True, 0, "all well"),
    ("1.4.9", True, 0, "1 thing to do: langchain"),
    ("2.0.0rc1", True, 0, "1 thing to do: langchain"),
    ("1.5.2", False, 1, "1 thing to do: langchain"),
]


@pytest.mark.parametrize("found, imports, code, said", VERSIONS)
def test_a_framework_is_told_by_its_version_and_whether_its_adapter_imports(
    casebook, wired, monkeypatch, *, found, imports, code, said
):
    def version(package: str) -> str | None:
        return found if package == "langchain" else None

    def adapter(_: Any) -> ModuleType:
        if not imports:
            raise ImportError("no such name")
        return sys.modules[__name__]

    monkeypatch.setattr(frameworks, "_version", version)
    monkeypatch.setattr("casebook.adapters.hosts.adapter_of", adapter)
    got, out, err = casebook("doctor")
    assert (got, last(err)) == (code, said)
    assert "not installed  " in out
    told = json.loads(casebook("doctor", "--json")[1])["frameworks"]
    assert told["langchain"]["works"] == (None if found is None else said == "all well")
    assert told["mcp"]["works"] is None
    if code:
        assert "error: langchain: the adapter cannot be imported: ImportError: no such name" in err
    elif said != "all well":
        assert f"warning: langchain: langchain {found}: the adapter is made for langchain>=1.5,<2; pip install" in err
