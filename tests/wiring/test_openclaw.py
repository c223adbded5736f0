"""The plugin is named in OpenClaw's settings and taken out of them, and every other byte stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casebook.adapters.wiring.change import carry_out
from casebook.adapters.wiring.hook_host import RefusedError
from casebook.adapters.wiring.openclaw import plugin_folder
from casebook.adapters.wiring.openclaw_settings import settings
from casebook.adapters.wiring.protocol import Place
from casebook.adapters.wiring.table import wiring_of
from tests.wiring.conftest import PROGRAM, in_project, wanted
from tests.wiring.test_settings import REST

OPENCLAW = wiring_of("openclaw")
ENTRY: dict[str, Any] = {
    "enabled": True,
    "config": {"command": [PROGRAM, "hook", "openclaw"]},
    "hooks": {"allowConversationAccess": True},
}


def carried(place: Place, data: str | bytes, **options) -> Any:
    """The settings after the plugin was named in them."""
    path = settings(place)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    for change in OPENCLAW.install(place, wanted(**options)).changes:
        carry_out(change)
    return json.loads(path.read_bytes())


def unwired(place: Place) -> bytes | None:
    for change in OPENCLAW.uninstall(place).changes:
        carry_out(change)
    path = settings(place)
    return path.read_bytes() if path.exists() else None


def test_the_plugin_is_loaded_from_here_and_sees_what_is_said(place):
    made = carried(place, "{}")
    assert made == {"plugins": {"load": {"paths": [plugin_folder()]}, "entries": {"casebook": ENTRY}}}
    manifest = json.loads((Path(plugin_folder()) / "openclaw.plugin.json").read_text())
    assert manifest["id"] == "casebook"
    assert set(ENTRY["config"]) <= set(manifest["configSchema"]["properties"])


PLUGINS = st.fixed_dictionaries(
    {},
    optional={
        "load": st.sampled_from([{}, {"paths": []}, {"paths": ["/x"]}, {"watch": True}]),
        "entries": st.sampled_from([{}, {"memory": {"enabled": True}}]),
        "allow": st.sampled_from([[], ["memory"]]),
        "slots": st.just({"memory": "memory-core"}),
    },
)


@given(REST, st.none() | PLUGINS, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_any_settings_come_back(tmp_path_factory, rest, plugins, indent, first):
    root = tmp_path_factory.mktemp("c")
    place = Place(root, root / "project", {})
    value = {} if plugins is None else {"plugins": plugins}
    text = json.dumps({**value, **rest} if first else {**rest, **value}, indent=indent, ensure_ascii=False)
    made = carried(place, text)
    assert made["plugins"]["entries"]["casebook"] == ENTRY
    assert plugin_folder() in made["plugins"]["load"]["paths"]
    if plugins and plugins.get("allow"):
        assert made["plugins"]["allow"] == ["memory", "casebook"]
    elif plugins and "allow" in plugins:
        assert made["plugins"]["allow"] == [], "an empty list allows all"
    assert not OPENCLAW.install(place, wanted()).changes
    assert unwired(place) == text.encode()


def test_another_installation_is_updated_and_what_somebody_set_in_the_entry_stays(place):
    made = carried(place, "{\n}\n", program="/old/casebook")
    made["plugins"]["entries"]["casebook"]["config"]["seconds"] = 3
    made["plugins"]["load"]["paths"] = ["/old/lib/casebook/adapters/openclaw/plugin", "/theirs"]
    again = carried(place, json.dumps(made, indent=2))
    entry = {**ENTRY, "config": {**ENTRY["config"], "seconds": 3}}
    assert again["plugins"] == {"load": {"paths": ["/theirs", plugin_folder()]}, "entries": {"casebook": entry}}


def test_a_plugin_of_that_name_that_is_not_ours_is_left(place):
    text = '{"plugins": {"entries": {"casebook": {"enabled": true}}}}'
    with pytest.raises(RefusedError, match="a plugin of that name that casebook did not put there"):
        carried(place, text)
    assert unwired(place) == text.encode()


def test_json5_is_left_and_what_to_put_in_is_told(place):
    with pytest.raises(RefusedError, match="expected JSON, got a comment") as raised:
        carried(place, "{\n  // mine\n}\n")
    assert json.loads(raised.value.snippet)["plugins"]["entries"]["casebook"] == ENTRY


def test_there_are_no_settings_of_a_project(place):
    with pytest.raises(RefusedError, match="without --project"):
        OPENCLAW.install(in_project(place), wanted())
    assert not OPENCLAW.uninstall(in_project(place)).changes


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda plugins: plugins["entries"]["casebook"]["hooks"].clear(), "allowConversationAccess is not true"),
        (lambda plugins: plugins["entries"]["casebook"].update(enabled=False), "casebook.enabled is false"),
        (lambda plugins: plugins.update(enabled=False), "plugins.enabled is false"),
        (lambda plugins: plugins.update(deny=["casebook"]), "plugins.deny names casebook"),
        (lambda plugins: plugins.update(allow=["memory"]), "plugins.allow does not name casebook"),
        (lambda plugins: plugins["load"]["paths"].append("/gone/adapters/openclaw/plugin"), "is not there any more"),
    ],
)
def test_what_openclaw_keeps_from_the_plugin_is_told(place, tmp_path, change, told):
    program = tmp_path / "casebook"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = carried(place, "{}", program=program)
    (standing,) = OPENCLAW.standing(place, wanted())
    assert standing.wired == ("the plugin casebook",)
    assert standing.troubles == ()
    change(made["plugins"])
    settings(place).write_text(json.dumps(made))
    (standing,) = OPENCLAW.standing(place, wanted())
    assert [told in each for each in standing.troubles] == [True]
