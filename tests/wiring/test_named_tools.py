"""A host tells of the tools that cases name, and of all where a case may concern any."""

from __future__ import annotations

import json

import pytest

from casebook.adapters.hooks.answering import HOOK_HOSTS
from casebook.adapters.wiring.named_tools import LEARNT, named_tools, native_names
from casebook.adapters.wiring.table import MODULES, tables_of
from casebook.clock import system_clock
from casebook.runtime.facts.tools import canonical_tool, hosts
from casebook.stores.folder import FolderStore


def named(folder, *cases, tools=""):
    """The tools that a casebook of these cases names."""
    (folder / "long_term").mkdir()
    (folder / "memory-policy.yaml").write_text(f"format: 1\ntools: {{{tools}}}\n")
    made = [{"id": f"c{at}", "correction": "ask", **each} for at, each in enumerate(cases)]
    (folder / "long_term/cases.json").write_text(json.dumps(made))
    snapshot = FolderStore(folder, clock=system_clock).snapshot()
    assert not [each for each in snapshot.faults if each.severity == "error"], snapshot.faults
    return named_tools(snapshot.cases.values(), snapshot.policy.tools)


def native(tools, host, policy_tools=None) -> frozenset[str]:
    """The host's own names of tools."""
    names = native_names(frozenset(tools), tables_of(host), policy_tools or {})
    assert names is not None
    return names


@pytest.mark.parametrize(
    "conditions, more",
    [
        (['tool is "fetch"'], {"fetch"}),
        (['tool is "WebFetch"'], {"fetch"}),
        (['tool in ["fetch", "read"]'], {"fetch", "read"}),
        (['tool is "mcp__github__create_issue"'], {"mcp__github__create_issue"}),
        (['tool is "fetch" or tool is "read"'], {"fetch", "read"}),
        (['tool is "fetch"', 'args.url contains "internal"'], {"fetch"}),
        (['action is "git push"'], set()),
        (['program in ["npm", "pnpm"]'], set()),
        (['tool is "shell" or action is "git push"'], set()),
        (['text contains "deploy"'], set()),
        (["intent is deploy"], set()),
    ],
)
def test_the_tools_that_conditions_name_are_told_beside_those_that_act(tmp_path, conditions, more):
    assert named(tmp_path, {"trigger_conditions": conditions}) == LEARNT | more


@pytest.mark.parametrize(
    "case",
    [
        {"trigger_conditions": ['path like "migrations/*"']},
        {"trigger_conditions": ['args.command contains "x"']},
        {"trigger_conditions": ['tool is not "fetch"']},
        {"trigger_conditions": ['not tool is "fetch"']},
        {"trigger_conditions": ['tool like "mcp__*"']},
        {"trigger_conditions": ['tool is "fetch" or args.url contains "x"']},
        {"trigger_conditions": ["always"], "on": ["tool"]},
        {"trigger_conditions": ['text contains "deploy"'], "effect": "block"},
        {"trigger_conditions": ['text contains "deploy"'], "effect": "confirm"},
        {"trigger_conditions": ['action is not "git push"'], "effect": "block"},
        {"trigger_conditions": ['action is "git push" or text contains "deploy"'], "effect": "block"},
        {"trigger_conditions": ["action is missing"], "on": ["task"], "effect": "confirm"},
    ],
)
def test_all_are_told_where_a_case_may_concern_any(tmp_path, case):
    assert named(tmp_path, case) is None


@pytest.mark.parametrize(
    "case",
    [
        {"trigger_conditions": ['path like "x"'], "status": "draft"},
        {"trigger_conditions": ['path like "x"'], "status": "disabled"},
        {"trigger_conditions": ['path like "x"'], "on": ["task"]},
        {"trigger_conditions": ['text contains "x"'], "effect": "block", "on": ["answer"]},
    ],
)
def test_a_case_that_is_silent_at_calls_widens_nothing(tmp_path, case):
    assert named(tmp_path, case) == LEARNT


@pytest.mark.parametrize(
    "conditions, more",
    [
        (['action is "git push"'], set()),
        (['program is "terraform"', 'args.command contains "apply"'], set()),
        (['args.url contains "internal"', 'tool is "fetch"'], {"fetch"}),
        (['action is "git push" or program is "npm"'], set()),
        (['action is "git push"', 'text contains "now"'], set()),
        (['(action is "git push" or text contains "x") and program is "git"'], set()),
    ],
)
@pytest.mark.parametrize("effect", ["block", "confirm"])
@pytest.mark.parametrize("on", [{}, {"on": ["task", "tool"]}])
def test_what_blocks_a_call_holds_no_turn_back_so_it_widens_to_its_own_tools(tmp_path, conditions, more, effect, on):
    assert named(tmp_path, {"trigger_conditions": conditions, "effect": effect, **on}) == LEARNT | more


def test_a_block_that_asks_for_a_call_where_hosts_tell_of_none_widens_nothing(tmp_path):
    case = {"trigger_conditions": ['tool is "fetch"'], "on": ["task"], "effect": "block"}
    assert named(tmp_path, case) == LEARNT


def test_the_policy_s_own_names_count(tmp_path):
    assert named(tmp_path, {"trigger_conditions": ['tool is "grab"']}, tools="grab: fetch") == LEARNT | {"fetch"}
    assert "grab" in native({"fetch"}, "claude-code", {"grab": "fetch"})


def test_native_names_are_those_of_the_host_and_mean_the_tool():
    for host in MODULES:
        for name in native(LEARNT, host):
            assert canonical_tool(name, {}) in LEARNT
    assert native(LEARNT, "gemini") == {"run_shell_command", "replace", "write_file"}
    assert {"Bash", "apply_patch"} <= native(LEARNT, "codex")
    assert native({"mcp__x__y"}, "gemini") == {"mcp__x__y"}
    assert native_names(None, tables_of("gemini"), {}) is None


def test_every_host_that_runs_hooks_is_wired_under_its_name():
    assert set(HOOK_HOSTS) == set(MODULES) - {"agents-md"}
    for host in HOOK_HOSTS:
        assert set(tables_of(host)) <= set(hosts())
        assert tables_of(host)
