"""Each host is found, wired, looked at and unwired, in a home and a project that are not the real ones."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib import import_module

import pytest

from casebook.adapters.hooks.answering import codec_of
from casebook.adapters.hosts import host_of
from casebook.adapters.wiring.change import carry_out
from casebook.adapters.wiring.hook_host import HookHost, RefusedError
from casebook.adapters.wiring.protocol import Place
from casebook.adapters.wiring.table import MODULES, wiring_of
from casebook.faults import CasebookError
from tests.wiring.conftest import PROGRAM, in_project, wanted

HOOKS = ("claude-code", "codex", "gemini")
WIRED = (*HOOKS, "opencode", "openclaw", "agents-md")
FILES = {
    ("claude-code", "user"): "home/.claude/settings.json",
    ("claude-code", "project"): "project/.claude/settings.json",
    ("codex", "user"): "home/.codex/hooks.json",
    ("codex", "project"): "project/.codex/hooks.json",
    ("gemini", "user"): "home/.gemini/settings.json",
    ("gemini", "project"): "project/.gemini/settings.json",
    ("opencode", "user"): "home/.config/opencode/plugin/casebook.js",
    ("opencode", "project"): "project/.opencode/plugin/casebook.js",
    ("openclaw", "user"): "home/.openclaw/openclaw.json",
    ("agents-md", "user"): "project/AGENTS.md",
    ("agents-md", "project"): "project/AGENTS.md",
}

LINES = {
    "claude-code": f"{PROGRAM} hook claude-code", "codex": f"{PROGRAM} hook codex",
    "gemini": f"shopt -s execfail; exec {PROGRAM} hook gemini; exit 0",
}  # fmt: skip
"""What stands in the settings. Gemini CLI takes a program that cannot be run (exit code 126, 127) for a no to each prompt and call."""


def hook_host(name) -> HookHost:
    wiring = wiring_of(name)
    assert isinstance(wiring, HookHost)
    return wiring


def carry(planned):
    for change in planned.changes:
        carry_out(change)
    return planned


def tree(folder):
    """All files below a folder, with their bytes and modes."""
    return {
        str(each.relative_to(folder)): (each.read_bytes(), each.stat().st_mode)
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


@pytest.mark.parametrize("host, level", FILES)
def test_a_host_is_wired_in_its_file_and_unwired_without_a_trace(place, tmp_path, host, level):
    place = in_project(place) if level == "project" else place
    wiring = wiring_of(host)
    carry(wiring.install(place, wanted()))
    assert list(tree(tmp_path)) == [FILES[host, level]]
    assert wiring.found(place)
    before = tree(tmp_path)
    assert not wiring.install(place, wanted()).changes, "the second time there is nothing to change"
    carry(wiring.uninstall(place))
    assert tree(tmp_path) == {}
    assert before
    assert not wiring.uninstall(place).changes
    if level == "project":
        assert list(place.project.iterdir()) == [], "no empty folder stays in the project"


@pytest.mark.parametrize("host", HOOKS)
def test_a_hook_runs_the_program_at_the_events_that_its_codec_knows(place, host):
    wiring = hook_host(host)
    carry(wiring.install(place, wanted(frozenset({"Bash"}))))
    settings = json.loads(wiring.settings(place).read_bytes())
    codec = import_module(f"casebook.adapters.hooks.{MODULES[host]}")
    for event, (group,) in settings["hooks"].items():
        seen = codec.read({"hook_event_name": event, "session_id": "s", "tool_name": "Bash", "tool_input": {}})
        assert seen.kind != "other"
        (told,) = [each for each in wiring.events if each.name == event]
        assert told.of_tools == (seen.kind in ("tool", "outcome")), event
        assert ("matcher" in group) == (told.of_tools or bool(told.only)), event
        (handler,) = group["hooks"]
        assert handler["command"] == LINES[host]
        assert handler["type"] == "command"
    kinds = {codec.read({"hook_event_name": event, "tool_name": "x"}).kind for event in settings["hooks"]}
    assert {"session_start", "task", "tool", "outcome", "turn_end", "ended"} <= kinds


@pytest.mark.parametrize("host", HOOKS)
def test_calls_and_outcomes_are_told_of_the_same_tools(place, host):
    """A call of which no outcome comes counts as one that was not allowed."""
    wiring = hook_host(host)
    for tools in (frozenset({"Bash", "mcp__a-b"}), None):
        carry(wiring.install(place, wanted(tools)))
        settings = json.loads(wiring.settings(place).read_bytes())
        of_tools = {each.name for each in wiring.events if each.of_tools}
        assert len({settings["hooks"][event][0].get("matcher") for event in of_tools}) == 1


@pytest.mark.parametrize("host", HOOKS)
def test_settings_that_the_host_cannot_read_are_left_and_the_place_of_the_fault_is_told(place, host):
    path = hook_host(host).settings(place)
    path.parent.mkdir()
    path.write_text(f'{{\n  "a": "casebook hook {host}",,\n}}\n')
    for plan in (lambda: wiring_of(host).install(place, wanted()), lambda: wiring_of(host).uninstall(place)):
        with pytest.raises(RefusedError, match=r"line 2, column .*: mend that, and say it again") as raised:
            plan()
        assert raised.value.snippet == ""
    (standing,) = wiring_of(host).standing(place, wanted())
    assert "line 2, column " in standing.troubles[0]
    assert standing.faults == standing.troubles


@pytest.mark.parametrize(
    "host, variable, file",
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugin/casebook.js"),
        ("openclaw", "OPENCLAW_STATE_DIR", "openclaw.json"),
    ],
)
def test_another_folder_of_settings_is_heeded_and_a_relative_one_is_not(place, tmp_path, host, variable, file):
    place.environment[variable] = str(tmp_path / "other")
    carry(wiring_of(host).install(place, wanted()))
    assert list(tree(tmp_path)) == [f"other/{file}"]
    carry(wiring_of(host).uninstall(place))
    place.environment[variable] = "other"
    carry(wiring_of(host).install(place, wanted()))
    assert list(tree(tmp_path)) == [FILES[host, "user"]]


@pytest.mark.parametrize("host", [each for each in MODULES if each != "agents-md"])
def test_a_host_is_found_by_its_program_or_its_folder(place, tmp_path, host):
    wiring = wiring_of(host)
    assert wiring.found(place) == ""
    folder = place.home / (
        ".config/opencode" if host == "opencode" else f".{'claude' if host == 'claude-code' else host}"
    )
    folder.mkdir(parents=True)
    assert wiring.found(place) == str(folder)
    program = tmp_path / "bin" / ("claude" if host == "claude-code" else host)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert wiring.found(place) == str(program)


@pytest.mark.parametrize("host", WIRED)
def test_a_file_keeps_its_mode_and_a_link_stays_one(place, tmp_path, host):
    wiring = wiring_of(host)
    carry(wiring.install(place, wanted()))
    (name,) = tree(tmp_path)
    real, path = tmp_path / "project" / "kept", tmp_path / name
    path.rename(real)
    path.symlink_to(real)
    real.chmod(0o640)
    carry(wiring.install(place, wanted(None, body="\n## Casebook\n\n- other\n\n")))
    assert path.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert (b"other" in real.read_bytes()) == (host == "agents-md")


def test_settings_are_their_owner_s_alone_and_agents_md_is_for_all_who_read_the_project(place):
    carry(wiring_of("claude-code").install(place, wanted()))
    assert (place.home / ".claude/settings.json").stat().st_mode & 0o077 == 0
    carry(wiring_of("agents-md").install(place, wanted()))
    assert (place.project / "AGENTS.md").stat().st_mode & 0o044 == 0o044


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode", "agents-md"])
def test_a_link_in_a_project_that_leads_out_of_it_is_left(place, tmp_path, host):
    """A cloned repository may ship one to any file of whoever clones it."""
    mine = tmp_path / "home" / "mine"
    mine.write_text("{}")
    path = tmp_path / FILES[host, "project"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(mine)
    with pytest.raises(CasebookError, match="leads out of"):
        wiring_of(host).install(in_project(place), wanted())
    assert mine.read_text() == "{}"


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode"])
def test_so_is_a_folder_that_is_a_link_out_of_the_project(place, tmp_path, host):
    path = tmp_path / FILES[host, "project"]
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.symlink_to(place.home)
    with pytest.raises(CasebookError, match="leads out of"):
        wiring_of(host).install(in_project(place), wanted())
    assert list(place.home.iterdir()) == []


# -- how it stands --------------------------------------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "casebook"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("host", WIRED)
def test_what_is_wired_well_has_no_trouble(place, program, host):
    now = wanted(program=program)
    carry(wiring_of(host).install(place, now))
    if host == "codex":
        trust(place, hook_host(host))
    (standing,) = wiring_of(host).standing(place, now)
    assert standing.files
    assert standing.wired
    assert standing.troubles == ()


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode", "openclaw"])
def test_a_program_that_is_gone_is_told(place, program, host):
    now = wanted(program=program)
    carry(wiring_of(host).install(place, now))
    program.unlink()
    (standing,) = wiring_of(host).standing(place, now)
    assert f"{program} is not there any more; `casebook install {host}`" in standing.troubles[0]


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode"])
def test_tools_that_cases_name_by_now_are_told(place, program, host):
    carry(wiring_of(host).install(place, wanted(program=program)))
    (standing,) = wiring_of(host).standing(place, wanted(frozenset({"Bash", "WebFetch"}), program=program))
    assert "WebFetch" in "".join(standing.troubles)
    (standing,) = wiring_of(host).standing(place, wanted(None, program=program))
    assert "all tools" in "".join(standing.troubles)


@pytest.mark.parametrize("host", MODULES)
def test_a_host_that_is_not_wired_is_told_once_without_trouble(place, host):
    (standing,) = wiring_of(host).standing(place, wanted())
    assert (standing.host, standing.found, standing.files, standing.troubles) == (host, "", (), ())


def test_both_levels_are_told_and_that_all_is_told_twice(place, program):
    now = wanted(program=program)
    for each in (place, in_project(place)):
        carry(wiring_of("claude-code").install(each, now))
    first, second = wiring_of("claude-code").standing(place, now)
    assert first.files == (str(place.home / ".claude/settings.json"),)
    assert first.troubles == ()
    assert second.files == (str(place.project / ".claude/settings.json"),)
    assert second.troubles == (f"it is wired in {first.files[0]} as well, and tells all twice; uninstall one",)


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode"])
def test_in_a_home_folder_both_levels_may_be_one(place, host):
    home = Place(place.home, place.home, {**place.environment, "XDG_CONFIG_HOME": str(place.home / ".config")})
    carry(wiring_of(host).install(home, wanted()))
    assert len(list(wiring_of(host).standing(home, wanted()))) == 1


@pytest.mark.parametrize("host", HOOKS)
def test_settings_that_cannot_be_read_and_do_not_speak_of_us_are_no_trouble(place, host):
    path = hook_host(host).settings(place)
    path.parent.mkdir()
    path.write_text("{\n  // mine\n}\n")
    assert not wiring_of(host).uninstall(place).changes
    (standing,) = wiring_of(host).standing(place, wanted())
    assert standing.troubles == ()


def test_a_file_of_agents_that_is_no_text_of_ours_is_no_trouble(place):
    (place.project / "AGENTS.md").write_bytes("\ufeffUse pnpm.".encode("utf-16-le"))
    assert not wiring_of("agents-md").uninstall(place).changes
    (standing,) = wiring_of("agents-md").standing(place, wanted())
    assert standing.troubles == ()
    with pytest.raises(RefusedError, match="found UTF-16"):
        wiring_of("agents-md").install(place, wanted())


@pytest.mark.parametrize(
    "host, settings, told",
    [
        ("claude-code", {"disableAllHooks": True}, "disableAllHooks is true"),
        ("gemini", {"hooksConfig": {"enabled": False}}, "hooksConfig.enabled is false"),
        (
            "gemini",
            {"hooksConfig": {"disabled": ["shopt -s execfail; exec PROGRAM hook gemini; exit 0"]}},
            "hooksConfig.disabled names",
        ),
    ],
)
def test_what_a_host_blocks_is_told(place, program, host, settings, told):
    now = wanted(program=program)
    path = hook_host(host).settings(place)
    path.parent.mkdir()
    path.write_text(json.dumps(settings).replace("PROGRAM", str(program)))
    carry(wiring_of(host).install(place, now))
    (standing,) = wiring_of(host).standing(place, now)
    assert [told in each for each in standing.troubles] == [True]


@pytest.mark.parametrize(
    "folders, settings, is_told",
    [
        ({}, {}, False),
        ({"PROJECT": "TRUST_FOLDER"}, {}, False),
        ({"PROJECT": "DO_NOT_TRUST"}, {}, True),
        ({"PROJECT": "DO_NOT_TRUST"}, {"security": {"folderTrust": {"enabled": False}}}, False),
        ({"PROJECT": "DO_NOT_TRUST"}, {"security": {"folderTrust": {"enabled": True}}}, True),
        ({"PROJECT/..": "DO_NOT_TRUST"}, {}, True),
        ({"PROJECT/..": "TRUST_FOLDER", "PROJECT/../project": "DO_NOT_TRUST"}, {}, True),
        ({"/": "DO_NOT_TRUST", "PROJECT": "TRUST_FOLDER"}, {}, False),
        ({"PROJECT/below": "DO_NOT_TRUST"}, {}, False),
        ({"PROJECT/below/deeper": "TRUST_PARENT", "/": "DO_NOT_TRUST"}, {}, True),
        ({"PROJECT/below": "TRUST_PARENT", "/": "DO_NOT_TRUST"}, {}, False),
        ({"PROJECT": 7, "/": "DO_NOT_TRUST"}, {}, False),
        ({"a\0b": "DO_NOT_TRUST"}, {}, False),
    ],
)
def test_a_folder_that_a_person_does_not_trust_in_gemini_is_told(place, program, folders, settings, is_told):
    """Gemini CLI runs no hook in it, the user's own neither; where nobody has said anything, it asks itself."""
    now, wiring = wanted(program=program), hook_host("gemini")
    wiring.home(place).mkdir()
    wiring.settings(place).write_text(json.dumps(settings))
    carry(wiring.install(place, now))
    rules = {each.replace("PROJECT", str(place.project)): level for each, level in folders.items()}
    (wiring.home(place) / "trustedFolders.json").write_text(json.dumps(rules))
    (standing,) = wiring.standing(place, now)
    assert [f"{place.project} is not trusted" in each for each in standing.troubles] == [True] * is_told


@pytest.mark.parametrize("gone", [False, True])
def test_a_hook_of_gemini_ends_well_where_its_program_is_gone_and_otherwise_as_the_program_does(place, tmp_path, gone):
    program = tmp_path / "bin" / "casebook"
    if not gone:
        program.write_text('#!/bin/sh\nread line; echo "$line $1 $2"; exit 3\n')
        program.chmod(0o755)
    carry(wiring_of("gemini").install(place, wanted(program=program)))
    (group,) = json.loads(hook_host("gemini").settings(place).read_bytes())["hooks"]["BeforeTool"]
    run = subprocess.run(
        ["bash", "-c", group["hooks"][0]["command"]], input="in", capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == ((0, "") if gone else (3, "in hook gemini\n"))
    assert ("No such file" in run.stderr) == gone


def test_hooks_that_a_project_switches_off_are_told(place, program):
    now = wanted(program=program)
    carry(wiring_of("claude-code").install(place, now))
    local = place.project / ".claude/settings.local.json"
    local.parent.mkdir()
    local.write_text('{"disableAllHooks": true}')
    (standing,) = wiring_of("claude-code").standing(place, now)
    assert standing.troubles == (f"{local}: disableAllHooks is true: Claude Code runs no hook; take it out",)


def trust(place, wiring: HookHost, left=()):
    """What Codex 0.171 writes where a person has trusted our hooks in /hooks: its keys, as `hooks/list` of its app-server tells them."""
    events = {
        "SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "PreToolUse": "pre_tool_use",
        "PostToolUse": "post_tool_use", "PreCompact": "pre_compact", "Stop": "stop", "SessionEnd": "session_end",
    }  # fmt: skip
    assert set(events) == {each.name for each in wiring.events}
    told = [
        f'[hooks.state."{wiring.settings(place)}:{key}:0:0"]\ntrusted_hash = "sha256:00"\n'
        for event, key in events.items()
        if event not in left
    ]
    (wiring.home(place) / "config.toml").write_text('model = "x"\n' + "".join(told))


def test_hooks_that_codex_skips_because_nobody_has_trusted_them_are_told(place, program):
    now, wiring = wanted(program=program), hook_host("codex")
    planned = carry(wiring.install(place, now))
    assert "/hooks" in planned.notes[0]
    trust(place, wiring, left=("Stop", "SessionEnd"))
    (standing,) = wiring.standing(place, now)
    assert standing.troubles == (
        "Codex skips hooks that nobody has trusted, without a word: Stop, SessionEnd; trust them in its /hooks",
    )
    (wiring.home(place) / "config.toml").write_text("no toml [")
    (standing,) = wiring.standing(place, now)
    assert "PreToolUse" in standing.troubles[0]
    (wiring.home(place) / "config.toml").write_text("[features]\nhooks = false\n")
    (standing,) = wiring.standing(place, now)
    assert "switched off" in standing.troubles[0]


# -- AGENTS.md and its like ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files, having",
    [
        ({}, {"AGENTS.md"}),
        ({"CLAUDE.md": "# Shop\n"}, {"AGENTS.md", "CLAUDE.md"}),
        ({"CLAUDE.md": "See\n@AGENTS.md\n"}, {"AGENTS.md"}),
        ({"CLAUDE.md": "See\r\n@./AGENTS.md\r\n"}, {"AGENTS.md"}),
        ({"CLAUDE.md": "mail me@AGENTS.md\n"}, {"AGENTS.md", "CLAUDE.md"}),
        ({"GEMINI.md": "@AGENTS.md\n"}, {"AGENTS.md", "GEMINI.md"}),
        ({"AGENTS.md": "# Shop\n", "CLAUDE.md": "x", "GEMINI.md": ""}, {"AGENTS.md", "CLAUDE.md", "GEMINI.md"}),
    ],
)
def test_the_block_stands_in_every_file_that_an_agent_reads_instead_of_agents_md(place, files, having):
    for name, text in files.items():
        (place.project / name).write_bytes(text.encode())
    before = tree(place.project)
    carry(wiring_of("agents-md").install(place, wanted()))
    assert {name for name, (data, _) in tree(place.project).items() if b"BEGIN CASEBOOK" in data} == having
    carry(wiring_of("agents-md").uninstall(place))
    assert tree(place.project) == before


def test_what_codex_reads_instead_of_agents_md_is_told(place):
    assert not [each for each in wiring_of("agents-md").install(place, wanted()).notes if "override" in each]
    (place.project / "AGENTS.override.md").write_text("Mine.")
    notes = wiring_of("agents-md").install(place, wanted()).notes
    assert "Codex reads AGENTS.override.md instead of AGENTS.md, and so not the block" in notes


def test_a_link_to_agents_md_is_one_file_with_one_block(place):
    (place.project / "AGENTS.md").write_text("# Shop\n")
    (place.project / "CLAUDE.md").symlink_to("AGENTS.md")
    (planned,) = wiring_of("agents-md").install(place, wanted()).changes
    carry_out(planned)
    assert (place.project / "CLAUDE.md").is_symlink()
    assert (place.project / "AGENTS.md").read_text().count("BEGIN CASEBOOK") == 1
    (standing,) = wiring_of("agents-md").standing(place, wanted())
    assert standing.files == (str(place.project / "AGENTS.md"),)
    carry(wiring_of("agents-md").uninstall(place))
    assert (place.project / "AGENTS.md").read_text() == "# Shop\n"


def test_a_link_that_leads_to_no_file_yet_leads_nowhere_again(place):
    (place.project / "AGENTS.md").symlink_to("docs-agents.md")
    carry(wiring_of("agents-md").install(place, wanted()))
    assert (place.project / "docs-agents.md").read_text().count("BEGIN CASEBOOK") == 1
    carry(wiring_of("agents-md").uninstall(place))
    assert (place.project / "AGENTS.md").is_symlink()
    assert not (place.project / "AGENTS.md").exists()


def test_the_same_block_leaves_the_file_untouched(place):
    carry(wiring_of("agents-md").install(place, wanted()))
    path = place.project / "AGENTS.md"
    before = path.stat()
    carry(wiring_of("agents-md").install(place, wanted()))
    after = path.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_bad_markers_in_one_file_leave_all_files(place):
    (place.project / "CLAUDE.md").write_text("# Shop\n\n<!-- END CASEBOOK -->\n")
    with pytest.raises(RefusedError, match=r"CLAUDE\.md: line 3: found an end marker"):
        wiring_of("agents-md").install(place, wanted())
    assert not (place.project / "AGENTS.md").exists()
    (standing,) = wiring_of("agents-md").standing(place, wanted())
    assert "line 3: found an end marker" in standing.troubles[0]


def test_a_block_of_other_words_is_told_and_one_that_was_changed_by_hand(place):
    carry(wiring_of("agents-md").install(place, wanted()))
    (standing,) = wiring_of("agents-md").standing(place, wanted(body="\n## Casebook\n\n- other\n\n"))
    assert "is not what the casebook says now" in standing.troubles[0]
    path = place.project / "AGENTS.md"
    path.write_text(path.read_text().replace("- ask", "- ask me"))
    (standing,) = wiring_of("agents-md").standing(place, wanted())
    assert "line 1: the block was changed by hand" in standing.troubles[0]
    with pytest.raises(RefusedError, match="changed by hand"):
        wiring_of("agents-md").install(place, wanted())
    assert wiring_of("agents-md").install(place, wanted(force=True)).changes


# -- OpenCode ---------------------------------------------------------------------------------------------------------------


def test_a_file_in_the_plugin_s_place_that_is_not_ours_is_left(place):
    path = place.home / ".config/opencode/plugin/casebook.js"
    path.parent.mkdir(parents=True)
    path.write_text("export const Mine = 1;\n")
    with pytest.raises(RefusedError, match="a file that casebook did not make"):
        wiring_of("opencode").install(place, wanted())
    assert not wiring_of("opencode").uninstall(place, force=True).changes
    assert path.read_text() == "export const Mine = 1;\n"


def test_a_plugin_that_was_changed_by_hand_is_left_until_it_is_forced(place):
    carry(wiring_of("opencode").install(place, wanted()))
    path = place.home / ".config/opencode/plugin/casebook.js"
    path.write_text(path.read_text() + "// mine\n")
    assert wiring_of("opencode").install(place, wanted(force=True)).changes
    with pytest.raises(RefusedError, match="changed by hand"):
        wiring_of("opencode").install(place, wanted())
    with pytest.raises(RefusedError, match="changed by hand"):
        wiring_of("opencode").uninstall(place)
    assert wiring_of("opencode").uninstall(place, force=True).changes


def test_the_plugin_runs_the_program_whatever_its_path_holds(place):
    path = "/a b/`c`/$d'\"\\/casebook"
    carry(wiring_of("opencode").install(place, wanted(program=path)))
    text = (place.home / ".config/opencode/plugin/casebook.js").read_text()
    line = next(each for each in text.splitlines() if each.startswith("const COMMAND = "))
    assert json.loads(line.removeprefix("const COMMAND = ").removesuffix(";")) == [path, "hook", "opencode"]


PLAY = """
import { Casebook } from %s;
const hooks = await Casebook({ directory: %s });
const parts = [{ type: "text", text: "deploy the shop" }];
await hooks["chat.message"]({ sessionID: "s1" }, { message: { id: "m1" }, parts });
let refused = "";
try {
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c1" }, { args: { command: "git push -f" } });
} catch (error) {
  refused = error.message;
}
const output = { output: "done", metadata: { exit: 0 } };
await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c2" }, { args: { command: "ls" } });
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c2" }, output);
await hooks["tool.execute.before"]({ tool: "read", sessionID: "s1", callID: "c3" }, { args: {} });
await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c4" }, { args: { command: "ls" } });
const part = { type: "tool", callID: "c4", state: { status: "error", error: "kaput" } };
for (const _ of [1, 2]) await hooks.event({ event: { type: "message.part.updated", properties: { part } } });
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } });
console.log(JSON.stringify({ parts, refused, output: output.output }));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="the plugin is played by Node, which is not here")
@pytest.mark.parametrize("is_broken", [False, True])
def test_the_plugin_asks_tells_refuses_and_never_breaks_its_host(place, tmp_path, is_broken):
    hook = tmp_path / "casebook"
    hook.write_text(
        "#!/usr/bin/env python3\nimport json, sys\n"
        f"event = json.load(sys.stdin); open({str(tmp_path / 'log')!r}, 'a').write(json.dumps(event) + '\\n')\n"
        "name, out = event['hook_event_name'], {}\n"
        "if name == 'UserPromptSubmit': out = {'additionalContext': 'Deploy on Monday. 周一再部署'}\n"
        "if name == 'PostToolUse': out = {'additionalContext': 'well done'}\n"
        "if 'push -f' in json.dumps(event): out = {'permissionDecision': 'deny', 'permissionDecisionReason': 'no force'}\n"
        "print(json.dumps({'hookSpecificOutput': {'hookEventName': name, **out}}) if out else '')\n"
    )
    hook.chmod(0o755)
    program = tmp_path / "gone" if is_broken else hook
    carry(wiring_of("opencode").install(place, wanted(frozenset({"bash"}), program=program)))
    plugin = place.home / ".config/opencode/plugin/casebook.mjs"
    plugin.with_suffix(".js").rename(plugin)
    play = tmp_path / "play.mjs"
    play.write_text(PLAY % (json.dumps(f"file://{plugin}"), json.dumps(str(place.project))))
    ran = subprocess.run(["node", play], capture_output=True, text=True, timeout=120, check=True)
    told = json.loads(ran.stdout)
    if is_broken:
        assert told == {"parts": [{"type": "text", "text": "deploy the shop"}], "refused": "", "output": "done"}
        return
    assert told["parts"][1]["text"] == "Deploy on Monday. 周一再部署"
    assert (told["refused"], told["output"]) == ("no force", "done\n\nwell done")
    events = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {each["turn_id"] for each in events[1:]} == {"m1"}
    assert events[4]["tool_response"] == {"output": "done", "metadata": {"exit": 0}}
    assert [codec_of(host_of("opencode")).read(each).kind for each in events] == [
        "session_start", "task", "tool", "tool", "outcome", "tool", "outcome", "turn_end"
    ]  # fmt: skip
    assert [(each["hook_event_name"], each.get("tool_use_id")) for each in events] == [
        ("SessionStart", None), ("UserPromptSubmit", None), ("PreToolUse", "c1"), ("PreToolUse", "c2"),
        ("PostToolUse", "c2"), ("PreToolUse", "c4"), ("PostToolUseFailure", "c4"), ("Stop", None),
    ]  # fmt: skip
