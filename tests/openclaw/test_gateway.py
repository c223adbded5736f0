"""A real gateway, a fake model: what a lesson says reaches the agent, what it blocks is blocked, and whatever breaks, OpenClaw goes on."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import pytest

from casebook.adapters.openclaw.upkeep_job import KEY
from casebook.policy import Sink
from casebook.runtime.upkeep.sinks.openclaw import open_sink
from casebook.runtime.upkeep.sinks.protocol import Delivery, Place
from tests.openclaw.gateway import NOTES, Gateway


@pytest.fixture(autouse=True)
def _works(gateway: Gateway):
    gateway.breaks("")


def test_the_correction_is_in_what_the_model_receives_of_this_turn_alone(gateway):
    (request,) = gateway.say("how much stock is there? 库存", session="stock")
    assert "Name the warehouse 仓库 as well" in request
    assert request.count("how much stock is there? 库存") > 1, (
        "what the person said stands there, and as what was found"
    )
    gateway.say("thank you", session="stock")
    assert "仓库 as well" not in json.dumps(gateway.model.received[-1]["messages"], ensure_ascii=False)


def test_an_ordinary_turn_and_call_are_left_alone(gateway):
    requests = gateway.say('list the folder\nCALL exec {"command": "echo here > listed; cat listed"}', session="plain")
    assert [each.count("Casebook") for each in requests] == [0, 0]
    assert (gateway.workspace / "listed").read_text() == "here\n"


def test_a_blocked_call_is_not_made_and_the_agent_is_told_what_to_do(gateway):
    command = json.dumps({"command": "touch pushed; git push --force origin main"})
    _, request = gateway.say(f"push it\nCALL exec {command}", session="push")
    assert "the casebook blocks it (no_force)" in request
    assert "Push with --force-with-lease" in request
    assert not (gateway.workspace / "pushed").exists()
    assert not gateway.events("after_tool_call") or gateway.events("after_tool_call")[-1]["params"] != json.loads(
        command
    )


def test_a_call_that_wants_a_yes_is_not_made_where_nobody_can_be_asked(gateway):
    kept = gateway.workspace / "kept"
    kept.mkdir()
    _, request = gateway.say('remove it\nCALL exec {"command": "rm -r kept"}', session="remove")
    assert "Plugin approval unavailable" in request
    assert kept.is_dir()
    (later,) = gateway.say("and?", session="remove")
    assert "Move it to trash/" in later
    assert gateway.awaited("after_tool_call", "remove")["unmade"] is True


@pytest.mark.parametrize("decision, is_made", [("allow-once", True), ("deny", False)])
def test_a_call_that_wants_a_yes_waits_for_a_persons_word(gateway, decision, is_made):
    folder = gateway.workspace / f"asked-{decision}"
    folder.mkdir()
    call = json.dumps({"command": f"rm -r {folder.name}"})
    with gateway.approver(decision) as told:
        gateway.say(f"remove it\nCALL exec {call}", session=folder.name)
    (asked,) = [each["asked"] for each in told if "asked" in each]
    assert asked["title"] == "Casebook: a lesson asks for your yes"
    assert "Move it to trash/" in asked["description"]
    assert folder.is_dir() is not is_made
    outcome = gateway.awaited("after_tool_call", folder.name)
    assert outcome.get("denied", False) is not is_made


def test_three_errors_make_a_case_and_the_fourth_turn_carries_it(gateway):
    deploy = gateway.workspace / "deploy"
    deploy.write_text('#!/bin/sh\necho "error: no region given for $1" >&2\nexit 3\n')
    deploy.chmod(0o755)
    known = set(gateway.cases())
    for turn, app in enumerate(("shop", "wiki", "blog")):
        command = json.dumps({"command": f"./deploy --app={app}"})
        requests = gateway.say(f"bring {app} out\nCALL exec {command}", session=f"deploy{turn}")
        assert "no region given" in requests[-1]
        assert "Casebook" not in requests[-1]
        gateway.awaited("agent_end", f"deploy{turn}")
    gateway.awaited("after_tool_call", "deploy2")
    until = time.monotonic() + 60
    while set(gateway.cases()) == known and time.monotonic() < until:
        time.sleep(0.5)
    (made,) = set(gateway.cases()) - known
    _, fourth = gateway.say('bring docs out\nCALL exec {"command": "./deploy --app=docs"}', session="deploy3")
    assert made in fourth
    assert fourth.index("no region given for --app=docs") < fourth.index(made), "told with the call's result"
    told = gateway.awaited("after_tool_call", "deploy3")
    assert made not in json.dumps(told["result"]), "what was added is no part of the error"


def test_a_job_that_a_case_blocks_ends_before_the_model_is_asked(gateway):
    before = len(gateway.model.received)
    added = gateway.openclaw_json(
        *("cron", "add", "--name", "nightly", "--cron", "0 3 * * *", "--tz", "UTC", "--session", "isolated"),
        *("--message", "purge the old orders", "--no-deliver", "--declaration-key", "tests/nightly", "--json"),
    )
    job = added["job"]["id"]
    gateway.openclaw("cron", "run", job)
    until = time.monotonic() + 120
    while not [each for each in gateway.events("agent_end") if f"cron:{job}" in each["ctx"]["sessionKey"]]:
        assert time.monotonic() < until, gateway.told()
        time.sleep(0.5)
    told = [each for each in gateway.events("before_prompt_build") if f"cron:{job}" in each["ctx"]["sessionKey"]][-1]
    assert told["ctx"]["trigger"] == "cron"
    assert len(gateway.model.received) == before, "the model was not asked"
    (run,) = gateway.openclaw_json("cron", "runs", "--id", job, "--json")["entries"]
    assert "no_purge" in json.dumps(run)
    gateway.openclaw("cron", "rm", job)


def test_what_a_person_typed_is_kept_where_a_case_blocks_the_turn_and_its_calls_are_blocked(gateway):
    first, second = gateway.say('purge it\nCALL exec {"command": "touch purged"}', session="purge")
    assert "purge it" in first
    assert "A person looks before anything is purged" in first
    assert "the casebook blocks it (no_purge)" in second
    assert not (gateway.workspace / "purged").exists()


def test_the_casebook_is_told_of_a_transcript_that_was_cut_and_of_a_session_that_is_over(gateway):
    for text in ("one", "two", "three"):
        gateway.say(text, session="long")
    key = json.dumps({"key": "agent:main:long"})
    told = gateway.openclaw_json("gateway", "call", "sessions.compact", "--params", key, "--json")
    assert told["ok"], told
    gateway.awaited("after_compaction", "long")
    gateway.openclaw("gateway", "call", "sessions.reset", "--params", key, "--json")
    gateway.awaited("session_end", "long")


@pytest.mark.parametrize("how", ["broken", "killed"])
def test_a_casebook_that_fails_breaks_no_turn(gateway, how):
    gateway.breaks(how)
    first, second = gateway.say('how is the stock?\nCALL exec {"command": "echo went on"}', session=f"fails-{how}")
    assert "Casebook" not in first
    assert "went on" in second


def test_the_gateway_lists_the_plugin_with_its_hooks_and_the_skill(gateway):
    plugin = gateway.openclaw_json("plugins", "inspect", "casebook", "--runtime", "--json")
    assert (plugin["plugin"]["status"], plugin["shape"]) == ("loaded", "hook-only")
    hooks = {each["name"] for each in plugin["typedHooks"]}
    assert hooks >= {"before_prompt_build", "before_agent_run", "before_tool_call", "after_tool_call", "agent_end"}
    skills = gateway.openclaw_json("skills", "list", "--json")["skills"]
    (skill,) = [each for each in skills if each["name"] == "casebook"]
    assert skill["eligible"], skill


def test_the_casebook_and_openclaws_own_memory_stand_in_one_folder(gateway):
    """Its daily notes were there before the casebook was made; it indexes Markdown below memory/, and casebooks are JSON and YAML."""
    kept = {each: each.read_bytes() for each in gateway.book.rglob("*") if each.suffix in {".json", ".yaml"}}
    gateway.openclaw("memory", "index", "--force")
    found = gateway.openclaw_json("memory", "search", "ochre crane", "--json")["results"]
    assert [each["path"] for each in found] == ["memory/2026-11-30.md"]
    assert gateway.openclaw_json("memory", "search", "force-with-lease warehouse", "--json")["results"] == []
    assert {each: each.read_bytes() for each in kept} == kept
    gateway.casebook("check")
    gateway.casebook("maintain")
    assert gateway.notes.read_text() == NOTES


def test_the_agents_own_commands_know_the_session(gateway):
    _, request = gateway.say('whose?\nCALL exec {"command": "echo session=$CASEBOOK_SESSION"}', session="own")
    assert "session=agent:main:own" in request


def test_what_a_tick_says_reaches_the_agent(gateway):
    sink = open_sink(Sink(kind="openclaw"), Place(gateway.book, gateway.environment))
    sink.seconds = 150  # under load
    delivery = Delivery("1", datetime(2026, 11, 30, 9, tzinfo=UTC), "backup", "The backup is overdue 仓库", {})
    before = len(gateway.model.received)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in gateway.environment.items():
            patch.setenv(name, value)
        sink.deliver(delivery)
    until = time.monotonic() + 120
    while "The backup is overdue 仓库" not in json.dumps(gateway.model.received[before:], ensure_ascii=False):
        assert time.monotonic() < until, gateway.told()
        time.sleep(0.5)


def test_the_gateway_runs_upkeep_and_stops_when_it_is_uninstalled(gateway):
    def jobs():
        return [
            each
            for each in gateway.openclaw_json("cron", "list", "--json")["jobs"]
            if each.get("declarationKey") == KEY
        ]

    gateway.casebook("install", "openclaw", "--with-cron", "--yes")
    (job,) = jobs()
    gateway.openclaw("cron", "run", job["id"])
    until = time.monotonic() + 120
    while not (runs := gateway.openclaw_json("cron", "runs", "--id", job["id"], "--json")["entries"]):
        assert time.monotonic() < until, gateway.told()
        time.sleep(0.5)
    assert runs[0]["status"] == "ok", runs
    settings = gateway.settings.read_bytes()
    gateway.casebook("uninstall", "openclaw", "--yes")
    assert jobs() == []
    gateway.settings.write_bytes(settings)
