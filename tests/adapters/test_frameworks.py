"""What is told of frameworks is what the package itself asks for, and what there is."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from casebook.adapters.frameworks import FRAMEWORKS, Need
from casebook.adapters.hosts import HOSTS

ROOT = Path(__file__).resolve().parents[2]


def test_every_framework_is_told_and_made_for_what_its_extra_brings():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = {HOSTS[name].extra: [str(need) for need in each.needs] for name, each in FRAMEWORKS.items()}
    assert told == {each.extra: extras[each.extra] for each in HOSTS.values() if each.extra}


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_what_is_said_to_be_imported_is_there_and_the_page_too(name):
    framework = FRAMEWORKS[name]
    assert (ROOT / framework.page).is_file()
    _, has_import, said = framework.wired.partition("`from ")
    if has_import:
        module, _, attribute = said.split("`")[0].partition(" import ")
        assert hasattr(import_module(module), attribute)
    else:
        assert "`casebook serve`" in framework.wired


@pytest.mark.parametrize(
    "version, is_taken",
    [("2.60", True), ("2.59.9", False), ("2.60.1", True), ("2.100", True), ("3.0", False), ("3", False), ("x", False)],
)
def test_a_version_is_taken_from_the_least_to_below_the_first_that_is_too_new(version, is_taken):
    assert Need("p", "2.60", "3").takes(version) is is_taken
    assert not Need("p", "2.60").takes("1.9")
    assert Need("p", "2.60").takes("9.0")
