"""One table of tool names for all hosts."""

import pytest

from casebook.runtime.facts.tools import canonical_tool, hosts, shipped


@pytest.mark.parametrize(
    "native,expected",
    [
        ("Bash", "shell"), ("shell", "shell"), ("local_shell", "shell"), ("exec_command", "shell"), ("exec", "shell"),
        ("run_shell_command", "shell"), ("run_terminal_cmd", "shell"), ("runInTerminal", "shell"),
        ("Read", "read"), ("read_file", "read"), ("Write", "write"), ("write_file", "write"), ("Edit", "edit"),
        ("MultiEdit", "edit"), ("NotebookEdit", "edit"), ("apply_patch", "edit"), ("replace", "edit"),
        ("Grep", "search"), ("Glob", "search"), ("search_file_content", "search"), ("WebFetch", "fetch"),
        ("web_fetch", "fetch"), ("WebSearch", "web_search"), ("google_web_search", "web_search"), ("LS", "list"),
        ("delete_file", "delete"), ("TodoWrite", "todo"), ("update_plan", "todo"), ("Task", "agent"), ("task", "agent"),
        ("spawn_agent", "agent"), ("browser", "browser"), ("message", "message"), ("cron", "schedule"),
    ],
)  # fmt: skip
def test_a_hosts_name_becomes_the_canonical_one(native, expected):
    assert canonical_tool(native, {}) == expected


@pytest.mark.parametrize("name", ["get_user_details", "mcp__github__create_issue", "", "Пуш"])
def test_a_name_that_is_not_in_the_table_stays_as_it_is(name):
    assert canonical_tool(name, {}) == name


@pytest.mark.parametrize("native,expected", [("BASH", "shell"), ("webfetch", "fetch"), ("WEBFETCH", "fetch")])
def test_case_does_not_matter_where_it_is_unambiguous(native, expected):
    assert canonical_tool(native, {}) == expected


def test_the_policy_wins_over_the_shipped_table():
    assert canonical_tool("Bash", {"Bash": "terminal"}) == "terminal"
    assert canonical_tool("my_db", {"my_db": "query"}) == "query"


def test_a_name_means_the_same_for_every_host():
    meanings: dict[str, str] = {}
    for names in hosts().values():
        for native, canonical in names.items():
            assert meanings.setdefault(native, canonical) == canonical, native


def test_a_canonical_name_that_is_a_hosts_name_too_stands_for_itself():
    for canonical in set(shipped().values()):
        assert shipped().get(canonical, canonical) == canonical
